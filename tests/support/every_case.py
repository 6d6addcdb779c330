"""A class with every case that a total can be made of, and what its page of marks holds."""

import copy
import re
import shutil
from html.parser import HTMLParser

from nbgrader.api import Gradebook

from autograder.course.course import COURSE_ID
from autograder.grading.grade import Grader
from autograder.grading.result import failed
from autograder.pages.templating import PAGES

from .hand_in import RIGHT, answer_in, submit_in

CHAPTER = "01_doubling"
SQUARED = "def double(x):\n    return x ** 2"
LATE = """\
[late]
grace_minutes = 15
percent_per_day = 10
at_most_percent = 50
closed_after_days = 7
"""
CLASS = f"""\
[class]
name = "Doubling <b>2026</b>"
timezone = "Europe/Rome"
roster = "roster.csv"

{LATE}
[due]
01_doubling = 2026-12-04T23:59:00

[[extension]]
login = "cy"
chapter = "01_doubling"
until = 2026-12-07T23:59:00
"""
ROSTER = """\
login,name,email,left
ada,"Lovelace, Ada",ada@example.org,
ben,,,
cy,,,
gus,Gus <script>alert(1)</script>,,2026-12-05
pia,Pia Absent,,
quin,Quin Gone,,2026-11-01
"""
MORNING = "2026-12-05 09:12:00 UTC"  # 10:12 in Rome, ten hours late
CAME = {
    "ada": "2026-12-04 22:59:00 UTC",
    "ben": MORNING,
    "cy": "2026-12-06 12:00:00 UTC",
    "dee": "2026-12-01 12:00:00 UTC",
    "eve": "2026-12-07 10:00:00 UTC",
    "fay": "2026-12-20 12:00:00 UTC",
    "gus": MORNING,
    "hal": MORNING,
    "ida": MORNING,
    "jon": MORNING,
    "kim": MORNING,
    "lea": MORNING,
    "max": MORNING,
    "nat": None,
    "oli": MORNING,
}
EXPECTED = {
    "ada": 10,  # in time, to the second
    "ben": 9,  # late
    "cy": 10,  # extended
    "dee": 7,  # by hand
    "eve": 4.9,  # by hand and three days late: 7 less 30%
    "fay": 0,  # closed
    "gus": 9,  # late, and left
    "hal": 0,  # could not be read
    "ida": 0,  # not attempted
    "jon": None,  # the machine failed
    "kim": 9,  # wrong at first, regraded, late
    "lea": 5,  # a person took 5 off
    "max": 10,  # a person waived it
    "nat": 10,  # nobody noted when it came
    "oli": 10.8,  # 2 points of extra credit, late
}
MARKED = {student: score for student, score in EXPECTED.items() if score is not None}


def hand_in(room, released, student, is_wrong):
    """Hand in what a student of this class does, and note when."""
    shutil.rmtree(room.submitted(student, CHAPTER), ignore_errors=True)
    notebook = copy.deepcopy(released)
    answered = answer_in(copy.deepcopy(released), SQUARED if is_wrong else RIGHT)
    submit_in(room, student, {"hal": b"{", "ida": notebook}.get(student, answered))
    if CAME[student]:
        (room.submitted(student, CHAPTER) / "timestamp.txt").write_text(CAME[student])


def by_people(room):
    """Do what people do in the formgrader or with nbgrader's Python: marks, extra credit, penalties."""
    with Gradebook(room.database, COURSE_ID) as book:
        for student, mark in (("dee", 7), ("eve", 7)):
            book.find_grade("test_double", CHAPTER, CHAPTER, student).manual_score = mark
        book.find_grade("test_double", CHAPTER, CHAPTER, "oli").extra_credit = 2
        for student, penalty in (("lea", 5.0), ("max", 0.0)):
            book.find_submission_notebook(CHAPTER, CHAPTER, student).late_submission_penalty = penalty
        book.db.commit()


def break_for_jon(patch):
    """Let the machine fail for jon."""
    grade = Grader.grade

    def failing(self, path, folders=0):
        return failed(self.assignment, "out of order") if path.parents[1].name == "jon" else grade(self, path, folders)

    patch.setattr(Grader, "grade", failing)


class Tables(HTMLParser):
    """The rows of a page's tables of marks, as lists of their cells' words, with | where a line ends."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.is_cell = [], False
        self.feed(page)

    @property
    def rows(self):
        """All rows of the tables whose second column is the total."""
        return [row for table in self.tables if table[0][1].startswith("total") for row in table[1:]]

    def handle_starttag(self, tag, attrs):
        """Begin a table, a row, a cell, a line."""
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.is_cell = True
        elif tag == "br" and self.is_cell:
            self.tables[-1][-1][-1] += "|"

    def handle_endtag(self, tag):
        """End a cell."""
        self.is_cell = self.is_cell and tag not in ("td", "th")

    def handle_data(self, data):
        """Keep a cell's words."""
        if self.is_cell:
            self.tables[-1][-1][-1] += " ".join(data.split())


def without_own_script(page):
    """Return marks.html without its means to sort and to search: one script, word for word, and one field."""
    script = PAGES.get_template("marks.js").render()
    field = re.search(r'<p class="find" hidden>.*?</p>', page)[0]
    assert page.count(script) == page.count(field) == 1
    return page.replace(f"<script>{script}</script>", "").replace(field, "")


def login_in(cell):
    """Return the login in a row's first cell."""
    return cell.split("|")[0].rpartition("·")[2].strip()
