"""One total: pages, marks.html, report, exports, --json and nbgrader itself show the same number for everybody."""

import csv
import json
import re
import shutil
from datetime import datetime, timedelta

import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins.export import CsvExportPlugin

from autograder import cli
from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook.chapter_totals import sync_gradebook
from autograder.classroom.gradebook.total import points_of
from autograder.classroom.results.load import load_results
from autograder.commands import grade
from autograder.course.course import COURSE_ID
from autograder.errors import CourseError
from autograder.lms.export import export
from autograder.pages.feedback import feedback
from autograder.pages.report import report
from autograder.runs.class_run import ClassRun
from tests.support.every_case import (
    CAME,
    CHAPTER,
    CLASS,
    EXPECTED,
    MARKED,
    MORNING,
    ROSTER,
    Tables,
    break_for_jon,
    by_people,
    hand_in,
    login_in,
    without_own_script,
)


@pytest.fixture
def out_of_order(monkeypatch):
    """A machine that fails for jon."""
    break_for_jon(monkeypatch)


@pytest.fixture(scope="module")
def made(assignment, released, tmp_path_factory):
    """A class with every case, graded, marked by people, one regraded, one failed by the machine."""
    room = ClassRoom(tmp_path_factory.mktemp("every"))
    (room.root / "class.toml").write_text(CLASS)
    (room.root / "roster.csv").write_text(ROSTER)
    for student in CAME:
        hand_in(room, released, student, is_wrong=student in ("dee", "eve", "kim"))
    with pytest.MonkeyPatch.context() as patch:
        break_for_jon(patch)
        list(ClassRun(room, [assignment], seed=7))
        by_people(room)
        hand_in(room, released, "kim", is_wrong=False)
        list(ClassRun(room, [assignment], seed=7, write_changes=True))
    return room


@pytest.fixture
def every(made, tmp_path):
    """A copy of that class."""
    shutil.copytree(made.root, tmp_path / "every")
    return ClassRoom(tmp_path / "every")


def on_pages(room, assignment):
    """Return what students' own pages show, as ``{student: total or None}``."""
    found = {}
    sync_gradebook(room, [assignment])
    for path in feedback(room, assignment):
        text = path.read_text(encoding="utf-8")
        shown = re.search(r'class="total">(?:([\d.]+) of 10 points|no mark yet)</p>', text)
        found[path.parents[1].name] = float(shown[1]) if shown[1] else None
    return found


def in_force(room, assignment):
    """Return the totals in force, ``{student: total}``."""
    sync_gradebook(room, [assignment])
    results = load_results(room, assignment)
    return {student: result["score"] for student, result in results.items() if result["total"]}


def on_marks_page(room, assignment):
    """Return what marks.html shows, ``{student: (cell, total)}``."""
    feedback(room, assignment)
    rows = Tables((room.root / "marks.html").read_text(encoding="utf-8")).rows
    return {login_in(student): (cell.split("|"), float(total)) for student, total, cell in rows}


def exported(room, assignment, form, column):
    """Return what an export holds, ``{student: total or None}``."""
    export(room, [assignment], room.root / "out.csv", form)
    with (room.root / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[2 if form == "canvas" else 1 :]
    login = 3 if form == "canvas" else 0
    return {row[login]: float(row[column]) if row[column] not in ("", "-") else None for row in rows}


def of_nbgrader(room):
    """Return what nbgrader's own exporter writes, ``{student: row}``."""
    with Gradebook(room.database, COURSE_ID) as book:
        CsvExportPlugin(to=str(room.root / "theirs.csv")).export(book)
    lines = (room.root / "theirs.csv").read_text().splitlines()
    names = lines[0].split(",")
    return {row["student_id"]: row for line in lines[1:] if (row := dict(zip(names, line.split(","), strict=False)))}


def as_json(room, assignment, monkeypatch, capsys):
    """Return the totals that ``autograder grade --json`` prints, ``{student: line}``."""
    monkeypatch.setattr(grade, "course_and_class", lambda options: (assignment.course, room))
    with pytest.raises(SystemExit):
        cli.main(["grade", CHAPTER, "--json", "--jobs", "1"])
    return {line["student"]: line for line in map(json.loads, capsys.readouterr().out.splitlines())}


def submit_again(room, released, student, came):
    """Hand in right work, at another time."""
    hand_in(room, released, student, is_wrong=False)
    (room.submitted(student, CHAPTER) / "timestamp.txt").write_text(came)


def test_everything_shows_one_total(every, assignment, out_of_order, monkeypatch, capsys):
    """For every case: student's page, marks.html, report, three exports, --json, nbgrader's exporter and its rows."""
    assert on_pages(every, assignment) == MARKED
    marks = on_marks_page(every, assignment)
    assert {student: float(cell[0]) for student, (cell, _) in marks.items() if cell[0] != "–"} == MARKED
    assert {student: total for student, (_, total) in marks.items() if student in MARKED} == MARKED
    assert {student for student, (cell, _) in marks.items() if cell[0] == "–"} == {"jon", "pia", "quin"}
    assert exported(every, assignment, "csv", 2) == EXPECTED | {"pia": None}
    platforms = {student: score for student, score in EXPECTED.items() if student != "gus"} | {"pia": None}
    assert exported(every, assignment, "canvas", 5) == exported(every, assignment, "moodle", 1) == platforms
    results = load_results(every, assignment)
    assert {student: result["score"] for student, result in results.items()} == MARKED
    said = report(every, assignment).read_text(encoding="utf-8")
    assert f"{sum(MARKED.values()) / len(MARKED):.1f} of 10 points on average" in said
    theirs = of_nbgrader(every)
    assert {student: float(theirs[student]["score"]) for student in MARKED} == pytest.approx(MARKED)
    assert float(theirs["pia"]["score"]) == 0  # nbgrader knows no other word for it
    printed = as_json(every, assignment, monkeypatch, capsys)
    assert {student: line["total"] for student, line in printed.items()} == EXPECTED
    assert (printed["ben"]["points"], printed["ben"]["late_penalty"], printed["ben"]["lateness"]) == (10, 1, "late")
    assert (printed["ben"]["score"], printed["ben"]["handed_in"]) == (10, "2026-12-05T09:12:00+00:00")


def test_nbgraders_rows_say_why(every, assignment):
    """When work came and was due, extensions, penalties and names are in its own gradebook, in UTC."""
    sync_gradebook(every, [assignment])
    with Gradebook(every.database, COURSE_ID) as book:
        assert book.find_assignment(CHAPTER).duedate == datetime(2026, 12, 4, 22, 59)
        ben, cy, nat = (book.find_submission(CHAPTER, student) for student in ("ben", "cy", "nat"))
        assert (ben.timestamp, ben.extension) == (datetime(2026, 12, 5, 9, 12), None)
        assert (cy.extension, cy.total_seconds_late, nat.timestamp) == (timedelta(days=3), 0, None)
        penalties = {one.student.id: one.late_submission_penalty for one in book.assignment_submissions(CHAPTER)}
        ada, gus = book.find_student("ada"), book.find_student("gus")
        assert (ada.first_name, ada.last_name, ada.email) == ("Ada", "Lovelace", "ada@example.org")
        assert (gus.first_name, gus.last_name) == ("Gus", "<script>alert(1)</script>")
        assert "quin" not in {student.id for student in book.students}
    costs = {"ben": 1, "eve": 2.1, "fay": 10, "gus": 1, "kim": 1, "lea": 5, "oli": 1.2}
    assert {student: penalty for student, penalty in penalties.items() if penalty} == pytest.approx(costs)


def test_rows_that_differ_are_written_again(every, assignment):
    """Another time or extension in nbgrader's own rows gives way to the class's."""
    sync_gradebook(every, [assignment])
    with Gradebook(every.database, COURSE_ID) as book:
        ben, cy = (book.find_submission(CHAPTER, student) for student in ("ben", "cy"))
        ben.timestamp, ben.extension = datetime(2026, 1, 1), timedelta(days=9)
        cy.extension = None
        book.db.commit()
    sync_gradebook(every, [assignment])
    with Gradebook(every.database, COURSE_ID) as book:
        ben, cy = (book.find_submission(CHAPTER, student) for student in ("ben", "cy"))
        assert (ben.timestamp, ben.extension) == (datetime(2026, 12, 5, 9, 12), None)
        assert cy.extension == timedelta(days=3)


def test_a_due_date_that_a_person_set_stays_where_the_class_names_none(every, assignment):
    """Without a class file, nbgrader's own due date is left alone."""
    (every.root / "class.toml").unlink()
    with Gradebook(every.database, COURSE_ID) as book:
        book.find_assignment(CHAPTER).duedate = datetime(2026, 11, 30)
        book.db.commit()
    sync_gradebook(ClassRoom(every.root), [assignment])
    with Gradebook(every.database, COURSE_ID) as book:
        assert book.find_assignment(CHAPTER).duedate == datetime(2026, 11, 30)


def test_names_that_nbgrader_has_stay(every, assignment):
    """The roster fills what is empty, and overwrites nothing."""
    with Gradebook(every.database, COURSE_ID) as book:
        book.update_or_create_student("ada", first_name="Augusta", last_name=None, email=None)
    sync_gradebook(every, [assignment])
    with Gradebook(every.database, COURSE_ID) as book:
        ada = book.find_student("ada")
        assert (ada.first_name, ada.last_name, ada.email) == ("Augusta", "Lovelace", "ada@example.org")


SAID = {
    "ada": "Handed in on Friday 4 December 2026 at 23:59, before the deadline (Friday 4 December, 23:59, Rome).",
    "ben": "Handed in on Saturday 5 December 2026 at 10:12, 10 hours after the deadline "
    "(Friday 4 December, 23:59, Rome): 10% less, 10 becomes 9.",
    "cy": "Handed in on Sunday 6 December 2026 at 13:00, "
    "before your extended deadline (Monday 7 December, 23:59, Rome).",
    "eve": ": 30% less, 7 becomes 4.9.",
    "fay": "15 days and 13 hours after the deadline (Friday 4 December, 23:59, Rome): work more than 7 days late "
    "counts 0, so 10 becomes 0.",
    "lea": "Rome). 5 points are deducted for lateness, as your instructor decided: 10 becomes 5.",
    "max": "Rome). Nothing is deducted for lateness, as your instructor decided.",
    "nat": "When this was handed in is not known, so nothing is deducted for lateness.",
}


def test_a_page_says_why(every, assignment):
    """When it came, what the deadline was, what that costs and what becomes of the points, in a sentence."""
    pages = {path.parents[1].name: path.read_text(encoding="utf-8") for path in feedback(every, assignment)}
    for student, words in SAID.items():
        assert words in pages[student], student
    assert '<p class="who"><bdi>Lovelace, Ada</bdi> · <bdi>ada</bdi></p>' in pages["ada"]
    assert "<script>" not in pages["gus"]
    assert "Gus &lt;script&gt;" in pages["gus"]


def test_marks_html_gives_the_reason_for_each_0(every, assignment):
    """Not handed in, not attempted, unreadable, closed, wrong; those who left are apart; nothing is live."""
    reasons = {student: " ".join(cell[1:]) for student, (cell, _) in on_marks_page(every, assignment).items()}
    assert reasons["pia"] == "not handed in"
    assert (reasons["ida"], reasons["hal"]) == (
        "not attempted, 10 hours late",
        "could not be graded: not a notebook, 10 hours late",
    )
    assert (reasons["fay"], reasons["jon"]) == ("closed: 15 days and 13 hours late", "not graded yet")
    assert (reasons["eve"], reasons["dee"]) == ("2 days and 11 hours late: −2.1, marked by hand", "marked by hand")
    assert (reasons["lea"], reasons["max"]) == ("late penalty set by hand: −5", "late penalty waived")
    assert (reasons["nat"], reasons["ada"]) == ("no time noted", "")
    text = (every.root / "marks.html").read_text(encoding="utf-8")
    stay, gone = text.split("<h2>Students who have left</h2>")
    assert "gus" not in stay.split("<tbody>")[1].split("</tbody>")[0]
    assert "left on 2026-12-05" in gone
    assert "<script>" not in without_own_script(text)
    assert "Doubling &lt;b&gt;2026&lt;/b&gt;" in text


def test_what_changes_changes_everywhere(every, assignment):
    """A later extension, another mark by hand and no policy at all reach nbgrader's rows with the next command."""
    on_pages(every, assignment)
    more = CLASS + '\n[[extension]]\nlogin = "ben"\nchapter = "01_doubling"\nuntil = 2026-12-06T00:00:00\n'
    (every.root / "class.toml").write_text(more)
    with Gradebook(every.database, COURSE_ID) as book:
        book.find_grade("test_double", CHAPTER, CHAPTER, "eve").manual_score = 8
        book.db.commit()
    now = MARKED | {"ben": 10, "eve": 5.6}
    assert on_pages(ClassRoom(every.root), assignment) == now
    theirs = of_nbgrader(every)
    assert {student: float(theirs[student]["score"]) for student in now} == pytest.approx(now)
    (every.root / "class.toml").unlink()
    free = {**MARKED, "ben": 10, "eve": 8, "fay": 10, "gus": 10, "kim": 10, "oli": 12}
    assert on_pages(ClassRoom(every.root), assignment) == free  # what people set stays: lea's 5
    theirs = of_nbgrader(every)
    assert {student: float(theirs[student]["score"]) for student in free} == pytest.approx(free)


def test_a_killed_command_leaves_no_penalty_that_looks_like_a_persons(every, assignment, monkeypatch):
    """What is about to be written is noted before it is: ended in between, either is still ours."""
    (every.root / "class.toml").write_text(CLASS.replace("percent_per_day = 10", "percent_per_day = 5"))
    with monkeypatch.context() as death:
        death.setattr(
            "autograder.classroom.gradebook.late_rows.write_changed_rows",
            lambda *_: (_ for _ in ()).throw(KeyboardInterrupt),
        )
        with pytest.raises(KeyboardInterrupt):
            sync_gradebook(ClassRoom(every.root), [assignment])
    (every.root / "class.toml").write_text(CLASS.replace("percent_per_day = 10", "percent_per_day = 2"))
    assert on_pages(ClassRoom(every.root), assignment)["ben"] == 9.8


STRICTER = {
    "an earlier deadline": CLASS.replace("12-04T23:59", "12-03T23:59"),
    "a higher percentage": CLASS.replace("percent_per_day = 10", "percent_per_day = 20"),
}


@pytest.mark.parametrize("what", STRICTER)
def test_no_total_falls_without_yes(every, assignment, out_of_order, what):
    """A stricter class file changes no page, export or row; `grade` lists old and new totals, and --yes writes them."""
    (every.root / "class.toml").write_text(STRICTER[what])
    assert in_force(ClassRoom(every.root), assignment) == MARKED
    written = export(ClassRoom(every.root), [assignment], every.root / "out.csv")
    run = ClassRun(ClassRoom(every.root), [assignment], seed=7)
    list(run)
    falls = {change.student: (change.counted, change.counts) for change in run.changes}
    wanted = {
        "an earlier deadline": {"ada": (10, 9), "ben": (9, 8)},
        "a higher percentage": {"ben": (9, 8), "eve": (4.9, 3.5), "oli": (10.8, 9.6)},
    }[what]
    assert falls.items() >= wanted.items()
    assert all(before > after for before, after in falls.values())
    assert written.waiting == {CHAPTER: sorted(falls)}
    assert in_force(ClassRoom(every.root), assignment) == MARKED
    list(ClassRun(ClassRoom(every.root), [assignment], seed=7, write_changes=True))
    now = MARKED | {student: after for student, (_, after) in falls.items()}
    assert in_force(ClassRoom(every.root), assignment) == now
    theirs = of_nbgrader(every)
    assert {student: float(theirs[student]["score"]) for student in now} == pytest.approx(now)


def test_a_later_time_of_the_same_work_waits_and_is_accepted_for_one_student(every, assignment, out_of_order):
    """A corrected time that costs points is listed with its reason; --student and --yes write that student's alone."""
    for student in ("ada", "dee"):
        (every.submitted(student, CHAPTER) / "timestamp.txt").write_text(MORNING)
    run = ClassRun(every, [assignment], seed=7)
    list(run)
    assert {one.student: (one.counted, one.counts) for one in run.changes} == {"ada": (10, 9), "dee": (7, 6.3)}
    assert str(run.changes[0]) == f"ada {CHAPTER}: total 10 -> 9: another time of arrival is noted"
    assert in_force(every, assignment) == MARKED
    list(ClassRun(every, [assignment], seed=7, write_changes=True, only=("dee",)))
    assert in_force(every, assignment) == MARKED | {"dee": 6.3}
    (every.submitted("ada", CHAPTER) / "timestamp.txt").write_text(CAME["ada"])
    run = ClassRun(every, [assignment], seed=7)
    list(run)
    assert run.changes == []


def test_a_change_names_the_total_at_its_new_time(every, assignment, released):
    """Better work that came later: the points that it gets, and the total with its own lateness."""
    submit_again(every, released, "dee", MORNING)
    run = ClassRun(every, [assignment], seed=7)
    totals = {student: run.total(student, result) for student, result in run}
    (change,) = run.changes
    assert (change.student, change.counted, change.counts) == ("dee", 7, 6.3)
    assert totals["dee"].score == 7


def test_the_first_mark_of_late_work_waits_for_nobody(every, assignment, out_of_order):
    """A total that was never given cannot fall; a file that cannot be read is named."""
    shutil.rmtree(every.root / "autograded" / "ben")
    with Gradebook(every.database, COURSE_ID) as book:
        book.remove_submission(CHAPTER, "ben")
    run = ClassRun(every, [assignment], seed=7)
    list(run)
    assert run.changes == []
    assert in_force(every, assignment) == MARKED
    (every.root / f".lateness-{CHAPTER}.json").write_text('{"ben": 1}')
    with pytest.raises(CourseError, match=r"cannot read .*\.lateness-01_doubling\.json"):
        load_results(every, assignment)


def test_notes_of_ours_that_cannot_be_read_are_one_line(every, assignment):
    """The file that tells our penalties from people's is named, with what to do."""
    for text in ("[1", "[" * 10**5):
        (every.root / f".late-{CHAPTER}.json").write_text(text)
        with pytest.raises(
            CourseError, match=r"cannot read .*\.late-01_doubling\.json, which distinguishes our late penalties"
        ):
            load_results(every, assignment)


@pytest.mark.parametrize(
    ("automatic", "people", "points"),
    [
        ({"a": 2.0, "b": 3.0}, {}, 5),
        ({"a": 2.0, "b": 3.0}, {"b": (1.5, 0.0)}, 3.5),
        ({"a": 2.0, "b": None}, {}, None),
        ({"a": 2.0, "b": None}, {"b": (1.0, None)}, 3),
        ({"a": 2.0}, {"a": (None, 0.5)}, 2.5),
        ({"a": 0.1, "b": 0.2}, {}, 0.3),
        ({}, {"a": (4.0, 0.0)}, 4),
    ],
)
def test_points_are_automatic_marks_and_those_by_hand(automatic, people, points):
    """By hand wins, extra credit is added, a cell without either is no mark at all; sums are rounded like marks."""
    assert points_of(automatic, people) == points
