"""The class's page: figures that a teacher can recompute, and nothing of a student's alive in it."""

import base64
import json
import shutil
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from nbgrader.api import Gradebook

from autograder.classroom.results.load import load_results
from autograder.course.course import COURSE_ID
from autograder.pages import figures
from autograder.pages import report as reports
from autograder.pages.report import report

from .test_unlisted_answers import exercise

CHAPTER = "01_doubling"
CANARIES = ("CANARY-REFERENCE", "CANARY-HIDDEN", "CANARY-UNSEEN", "CANARY-SOLUTION")


def results_of(**scores):
    """Results of a class of students named 0, 1, … from the scores in each exercise; None is not attempted."""
    by_student = zip(*scores.values(), strict=True)
    return {
        str(number): {
            "exercises": [
                exercise(name, score=score or 0.0, status="graded" if score is not None else "not_attempted")
                for name, score in zip(scores, row, strict=True)
            ]
        }
        for number, row in enumerate(by_student)
    }


def rows_of(points, **scores):
    """The exercise rows of such a class, by name."""
    chapter = SimpleNamespace(exercises={name: SimpleNamespace(points=points) for name in scores})
    return {row["name"]: row for row in reports.exercise_rows(chapter, results_of(**scores))}


def test_exercise_figures_are_those_computed_by_hand():
    """Mean share, full points and the correlation with the points of the other exercises, worked on paper."""
    rows = rows_of(2, a=[2, 0, 2, None], b=[1, 1, 0, 0], c=[4, 2, 2, 0])
    a = rows["a"]
    assert (a["mean"], a["full"], a["not_attempted"], a["count"]) == (0.5, 0.5, 1, 4)
    # a is 2 0 2 0 and the others sum to 5 3 2 0: deviations 1 -1 1 -1 and 2.5 0.5 -0.5 -2.5,
    # whose products sum to 4 and whose squares sum to 4 and 13.
    assert a["discrimination"] == pytest.approx(4 / np.sqrt(4 * 13))
    assert list(rows) == ["b", "a", "c"]  # hardest first: 1/4, 1/2, 1


@pytest.mark.parametrize(
    "scores",
    [
        {"a": [2, 2, 2], "b": [0, 1, 2]},
        {"a": [0, 1, 2], "b": [0.1 + 0.2, 0.3, 0.3]},
        {"a": [0, 2], "b": [0, 2]},
        {"a": [0, 1, 2]},
    ],
    ids=["exercise constant", "others constant but for rounding", "two students", "no other exercise"],
)
def test_discrimination_needs_variation(scores):
    """Where one of the two does not vary, or two students make any line fit, no number is made up."""
    assert rows_of(2, **scores)["a"]["discrimination"] is None


def test_mistakes_are_counted_per_exercise():
    """The same mistake in two exercises is two lines; the commonest is first; the first sentence is told."""
    made = [("a", "flat", "Flat, by 0.5 a step. Look at it."), ("b", "flat", "Flat."), ("b", "flat", "Flat.")]
    made = [exercise(name, mistake=mistake, message=message) for name, mistake, message in made]
    right = exercise("c", message="Right.")
    first, other = {"exercises": [*made[:2], right]}, {"exercises": [made[2]]}
    rows = reports.mistake_rows({"ada": first, "ben": other})
    assert rows == [
        {"exercise": "b", "mistake": "flat", "count": 2, "said": "Flat.", "students": ["ada", "ben"]},
        {"exercise": "a", "mistake": "flat", "count": 1, "said": "Flat, by 0.5 a step.", "students": ["ada"]},
    ]


def test_time_facts_leave_nobody_out():
    """The total and the median are over everybody; the slowest five come first."""
    facts = reports.time_facts({name: float(seconds) for seconds, name in enumerate("abcdefg", 1)})
    assert (facts["total"], facts["median"]) == (28, 4)
    assert [name for name, _ in facts["slowest"]] == list("gfedc")


def test_a_histogram_says_what_it_shows():
    """Every score is in the words beside the picture, extra credit beyond the maximum too; its bytes repeat."""
    figure = figures.histogram([0, 1, 9.5, 10, 10, 11], 10)
    assert figure["alt"].startswith("Histogram of 6 scores. 0 to under 2 points: 2, 2 to under 4 points: 0")
    assert figure["alt"].endswith("8 to under 10 points: 1, 10 to 12 points: 3.")
    assert figure == figures.histogram([0, 1, 9.5, 10, 10, 11], 10)
    assert figure["light"] != figure["dark"]
    for paper in ("light", "dark"):
        ElementTree.fromstring(base64.b64decode(figure[paper].removeprefix("data:image/svg+xml;base64,")))


class Seen(HTMLParser):
    """What a browser would find in a page: its tags, attributes and text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.texts = set(), [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        """Keep a tag and its attributes."""
        self.tags.add(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_data(self, data):
        """Keep the text."""
        self.texts += [" ".join(data.split())] if data.strip() else []


@pytest.fixture
def texts_of(classroom, assignment, monkeypatch):
    """Write the report without its pictures, which take most of the time, and return its texts."""
    monkeypatch.setattr(figures, "svg", lambda *_: "data:,")
    return lambda: Seen(report(classroom, assignment).read_text(encoding="utf-8")).texts


@pytest.fixture
def ada(graded, classroom):
    """Change ada's recorded result."""
    path = classroom.autograded("ada", CHAPTER) / "result.json"
    return lambda **new: path.write_text(json.dumps({**json.loads(path.read_text()), **new}))


def test_the_page_tells_how_it_went(graded, texts_of):
    """Average, difficulty, the mistake with its first sentence, and the notebook that could not be read."""
    texts = texts_of()
    assert "5.0 of 10 points on average" in texts
    assert "4 graded, median 5, from 0 to 10." in texts
    row = texts.index("double")
    assert texts[row : row + 6] == ["double", "10", "67%", "67%", "not enough variation", "0"]
    row = texts.index("squared")
    assert texts[row - 2 : row + 2] == ["1", "double", "squared", "The number was squared."]
    row = len(texts) - texts[::-1].index("cy") - 1
    assert texts[row + 1 : row + 3] == ["invalid_submission", "the whole notebook"]
    assert "broken JSON" in texts[row + 3]


@pytest.mark.filterwarnings("ignore:Object of type")  # nbgrader's own, at every new submission
def test_nothing_in_the_page_is_alive_or_hidden(graded, classroom, assignment):
    """A name full of markup is text; there is no script, no address but data, and no hidden content."""
    name = "<img src=x onerror=alert(1)>"
    shutil.copytree(classroom.root / "autograded" / "cy", classroom.root / "autograded" / name)
    with Gradebook(classroom.database, COURSE_ID) as book:
        book.update_or_create_student(name)
        book.update_or_create_submission(CHAPTER, name)
        book.find_grade("test_double", CHAPTER, CHAPTER, name).auto_score = 0
        book.db.commit()
    written = report(classroom, assignment).read_text(encoding="utf-8")
    page = Seen(written)
    assert name in page.texts
    assert page.tags.isdisjoint({"script", "iframe", "object", "embed", "link", "form", "base"})
    assert not [attribute for _, attribute, _ in page.attributes if attribute.startswith("on")]
    addresses = [value for _, attribute, value in page.attributes if attribute in ("src", "srcset", "href")]
    drawn = [value for value in addresses if not value.startswith("#")]
    assert len(drawn) == 4
    assert all(value.startswith("data:image/svg+xml;base64,") for value in drawn)
    pictures = [value for tag, attribute, value in page.attributes if (tag, attribute) == ("img", "alt")]
    assert [words.split(".")[0] for words in pictures] == [
        "Histogram of 5 scores",
        "Exercises, hardest first, with mean share of points and share who reached full points: double 67% and 67%",
    ]
    assert ("meta", "http-equiv", "Content-Security-Policy") in page.attributes
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:;" in written
    assert not [canary for canary in CANARIES if canary in written]


def test_marks_by_hand_count(graded, classroom, assignment, texts_of):
    """A person's mark wins, extra credit is added, and a notebook that could not be read can be marked too."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        for student, mark, extra in (("ada", None, 1), ("ben", 4, None), ("cy", 3, None)):
            grade = book.find_grade("test_double", CHAPTER, CHAPTER, student)
            grade.manual_score, grade.extra_credit = mark, extra
        book.find_comment("double", CHAPTER, CHAPTER, "ben").manual_comment = "Close."
        book.db.commit()
    results = load_results(classroom, assignment)
    assert {student: result["score"] for student, result in results.items()} == {
        "ada": 11,
        "ben": 4,
        "cy": 3,
        "dee": 10,
    }
    (marked,) = results["ben"]["exercises"]
    assert (marked.score, marked.by_hand, marked.comment) == (4, True, "Close.")
    assert "7.0 of 10 points on average" in texts_of()


def test_what_needs_a_look_is_listed(ada, classroom, texts_of):
    """Altered cells, stale marks, failures that left no mark and submissions without a result are named with why."""
    ada(tampered=["test_double: changed"])
    path = classroom.notebook("dee", CHAPTER)
    path.write_text(path.read_text() + "\n")
    classroom.submitted("eve", CHAPTER).mkdir(parents=True)
    texts = texts_of()
    assert "test_double: changed" in texts
    assert texts.count("the submission changed") == 1
    assert any(text.startswith("No result yet, because") and text.endswith(": eve.") for text in texts)
    ada(status="infrastructure", message="no memory left")
    texts = texts_of()
    assert "no memory left" in texts
    assert "3 graded, median 0, from 0 to 10. 1 more has no result yet." in texts


def test_refused_system_calls_are_listed_by_student(graded, classroom, texts_of):
    """The most frequent first, from run.json; nothing is said where there were none."""
    assert "Refused system calls" not in texts_of()
    path = classroom.autograded("ada", CHAPTER) / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "refused": {"mount": 1, "ptrace": 7}}))
    texts = texts_of()
    assert "Refused system calls" in texts
    assert "ptrace (7 times), mount" in texts


def test_where_nobody_counts_refused_calls_the_page_says_so(graded, classroom, texts_of):
    """A kernel that does not ask leaves null in run.json, which is not the same as none."""
    path = classroom.autograded("ada", CHAPTER) / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "refused": None}))
    assert any(text.startswith("For 1 submission, refused calls were not counted.") for text in texts_of())


def test_wrong_answers_of_one_student_each_are_folded_away(ada, texts_of):
    """Each stands with its student and with what was told."""
    ada(exercises=[exercise("double", message="It is too small.", score=0.0, points=10.0).as_dict()])
    texts = texts_of()
    start = texts.index("1 more, each given by one student")
    assert texts[start : start + 7][-3:] == ["double", "ada", "It is too small."]


def test_seconds_come_from_the_run(graded, classroom, texts_of):
    """How long a submission took is read from its run.json."""
    path = classroom.autograded("ada", CHAPTER) / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "seconds": 77.25}))
    (time,) = [text for text in texts_of() if text.startswith("Grading took")]
    assert "Slowest: ada 77.25 s, " in time
