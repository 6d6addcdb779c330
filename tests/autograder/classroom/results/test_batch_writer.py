"""Marks land in nbgrader's gradebook, whole or not at all, and manual marks stay."""

import json
import shutil

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results import provenance
from autograder.course.course import COURSE_ID, Course
from autograder.errors import CourseError
from autograder.pages.feedback import feedback
from autograder.runs.class_run import ClassRun
from autograder.sandbox import Limits

CHAPTER = "01_doubling"
CANARIES = ("CANARY-REFERENCE", "CANARY-HIDDEN", "CANARY-UNSEEN", "CANARY-SOLUTION")


def hand_in(classroom, student, notebook):
    """Put a notebook in place of the one that a student has handed in."""
    nbformat.write(notebook, classroom.submitted(student, CHAPTER) / f"{CHAPTER}.ipynb")


def marks(classroom):
    """Return everybody's marks as nbgrader reads them."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        return {entry["student"]: entry["score"] for entry in book.submission_dicts(CHAPTER)}


def test_marks_are_in_the_gradebook(graded, classroom):
    """nbgrader's own API reads the marks, a zero for the broken file among them."""
    assert marks(classroom) == {"ada": 10, "ben": 0, "cy": 0, "dee": 10}
    assert graded["cy"].status == "invalid_submission"


def test_the_message_stands_beside_the_mark(graded, classroom):
    """The formgrader shows the grader's words as the comment on the answer."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        comment = book.find_comment("double", CHAPTER, CHAPTER, "ben")
        assert comment.auto_comment.startswith("The number was squared.")


def test_nbgrader_reads_the_same_points_from_the_graded_notebook(graded, classroom):
    """nbgrader's own rule, on the outputs that we wrote, gives the mark that we recorded."""
    from nbgrader.utils import determine_grade

    for student in ("ada", "ben", "dee"):
        path = classroom.autograded(student, CHAPTER) / f"{CHAPTER}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        (test,) = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
        assert determine_grade(test) == (graded[student].score, 10)


def test_a_regrade_keeps_manual_marks(graded, classroom, assignment, answered):
    """A mark that a person gave wins over the automatic one, now and after grading again."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        book.find_grade("test_double", CHAPTER, CHAPTER, "ben").manual_score = 4
        book.db.commit()
    hand_in(classroom, "ben", answered("def double(x):\n    return x * 2"))
    list(ClassRun(classroom, [assignment], seed=8, write_changes=True))
    assert marks(classroom) == {"ada": 10, "ben": 4, "cy": 0, "dee": 10}


def test_an_infrastructure_failure_changes_no_mark(graded, classroom, assignment, answered, monkeypatch):
    """What failed on our side changes no mark and no notebook, is told with its reason, and tried again next time."""
    hand_in(classroom, "ada", answered("def double(x):\n    return x ** 2"))
    with monkeypatch.context() as broken:
        broken.setattr("autograder.sandbox.host.sandbox.Sandbox.start", lambda self: 1 / 0)
        run = ClassRun(classroom, [assignment], seed=7)
        assert dict(run)["ada"].status == "infrastructure"
    assert run.failures() == [f"ada {CHAPTER}: no mark, infrastructure failure: ZeroDivisionError: division by zero"]
    assert marks(classroom)["ada"] == 10
    assert json.loads((classroom.autograded("ada", CHAPTER) / "result.json").read_text())["status"] == "graded"
    assert dict(ClassRun(classroom, [assignment], seed=7, write_changes=True))["ada"].score == 0


def test_parallel_runs_give_the_same_bytes(graded, classroom, assignment, tmp_path):
    """Two processes write what one writes, to the byte: result and graded notebook of every student."""
    again = ClassRoom(tmp_path / "again")
    shutil.copytree(classroom.root / "submitted", again.root / "submitted")
    assert set(dict(ClassRun(again, [assignment], jobs=2, seed=7))) == set(graded)
    for name in ("result.json", f"{CHAPTER}.ipynb"):
        written = {path.parts[-3]: path.read_bytes() for path in again.root.glob(f"autograded/*/*/{name}")}
        assert set(written) == set(graded)
        for student, content in written.items():
            assert content == (classroom.autograded(student, CHAPTER) / name).read_bytes()


def test_the_graded_notebook_holds_no_live_markup(graded, classroom):
    """What the formgrader renders has the student's markdown as text, and no HTML output."""
    notebook = nbformat.read(classroom.autograded("dee", CHAPTER) / f"{CHAPTER}.ipynb", as_version=4)
    markdown = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert markdown[-1].startswith("````text\n")
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", ()) for kind in output.get("data", ())}
    assert kinds <= {"text/plain", "image/png"}


def test_nothing_is_written_through_a_link(classroom, assignment, submit, answered, tmp_path):
    """Links in the place of a student's folder, of a page and of a file about to be written lead no text elsewhere."""
    submit("ada", answered())
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").write_text("mine")
    for folder in (classroom.autograded("ada", CHAPTER), classroom.feedback("ada", CHAPTER)):
        folder.parent.mkdir(parents=True)
        folder.symlink_to(elsewhere)
    (classroom.root / ".marks.html.new").symlink_to(elsewhere / "file")
    assert dict(ClassRun(classroom, [assignment], seed=7))["ada"].score == 10
    feedback(classroom, assignment)
    assert [path.name for path in elsewhere.iterdir()] == ["file"]
    assert (elsewhere / "file").read_text() == "mine"
    assert (classroom.autograded("ada", CHAPTER) / "result.json").exists()
    assert (classroom.feedback("ada", CHAPTER) / f"{CHAPTER}.html").exists()


def test_one_bad_folder_stops_nobody(classroom, assignment, submit, answered):
    """Links, files in a folder's place, unreadable names and broken text each get an outcome; the rest is graded."""
    import os

    submit("alice", answered())
    submitted = classroom.root / "submitted"
    (submitted / "link").symlink_to(submitted / "alice")
    (submitted / "dangling").symlink_to(submitted / "nobody")
    (submitted / "file").mkdir()
    (submitted / "file" / CHAPTER).write_text("no folder")
    (submitted / os.fsdecode(b"jos\xe9") / CHAPTER).mkdir(parents=True)
    submit("surrogate", b'{"nbformat": "\\ud800", "cells": []}')
    submit("zoe", answered())
    results = dict(ClassRun(classroom, [assignment], seed=7))
    statuses = {student: result.status for student, result in results.items()}
    assert statuses == {
        "alice": "graded",
        "link": "invalid_submission",
        "dangling": "invalid_submission",
        "file": "invalid_submission",
        "jos\\udce9": "infrastructure",
        "surrogate": "invalid_submission",
        "zoe": "graded",
    }
    assert marks(classroom)["zoe"] == 10
    assert len(feedback(classroom, assignment)) == 6


def test_what_cannot_be_recorded_is_listed_and_the_rest_goes_on(classroom, assignment, submit, answered):
    """A failure of the record is an infrastructure failure of that submission alone."""
    for student in ("ada", "ben", "cy"):
        submit(student, answered())
    classroom.autograded("ben", CHAPTER).parent.mkdir(parents=True)
    classroom.autograded("ben", CHAPTER).write_text("a file in the folder's place")
    results = dict(ClassRun(classroom, [assignment], seed=7))
    assert [results[student].status for student in ("ada", "ben", "cy")] == ["graded", "infrastructure", "graded"]
    assert "FileExistsError" in results["ben"].message
    assert marks(classroom) == {"ada": 10, "cy": 10}


def test_a_killed_process_of_ours_costs_nobody_a_mark(assignment, submit, answered, classroom, monkeypatch):
    """When a grading process dies, what was left is graded in new ones."""
    from autograder.runs.schedule import Schedule

    calls = []
    finished = Schedule.finished

    def dies_once(self, waiting):
        calls.append(len(waiting))
        return iter(()) if len(calls) == 1 else finished(self, waiting)

    monkeypatch.setattr(Schedule, "finished", dies_once)
    for student in ("ada", "ben"):
        submit(student, answered())
    results = dict(ClassRun(classroom, [assignment], jobs=2, seed=7))
    assert {result.status for result in results.values()} == {"graded"}
    assert calls == [2, 1, 1]


def test_one_bad_page_costs_the_others_nothing(graded, classroom, assignment, monkeypatch):
    """Everybody else's page is written, and the one that failed is named."""
    from autograder.pages import feedback as pages

    real = pages.feedback_page

    def fails_for_ben(task, result, cells):
        if result["student"] == "ben":
            raise IndexError("a chunk too many")
        return real(task, result, cells)

    monkeypatch.setattr(pages, "feedback_page", fails_for_ben)
    with pytest.raises(CourseError, match=r"3 pages written, 1 failed: ben \(IndexError: a chunk too many\)"):
        feedback(classroom, assignment)
    assert sorted(path.name for path in (classroom.root / "feedback").iterdir()) == ["ada", "cy", "dee"]


def test_a_foreign_file_as_gradebook_is_one_line(classroom, assignment, submit, answered):
    """A gradebook that is no database is named, and nothing is graded."""
    submit("ada", answered())
    (classroom.root / "gradebook.db").write_text("this is a shopping list, not a database, and long enough to be read")
    with pytest.raises(CourseError, match=r"the gradebook sqlite:.* cannot be used \(file is not a database\)"):
        list(ClassRun(classroom, [assignment]))
    assert not (classroom.root / "autograded").exists()


def test_feedback_pages_are_safe_and_hide_what_is_hidden(graded, classroom, assignment):
    """Everybody gets a page with the message; no script is alive in it and no hidden content is seen."""
    pages = {path.parents[1].name: path.read_text() for path in feedback(classroom, assignment)}
    assert set(pages) == {"ada", "ben", "cy", "dee"}
    assert "The number was squared." in pages["ben"]
    assert "broken JSON" in pages["cy"]
    for page in pages.values():
        assert "<script" not in page
        assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
        assert not [canary for canary in CANARIES if canary in page]
    assert "&lt;script&gt;" in pages["dee"]


def test_a_stranger_database_url_is_used(tmp_path, assignment, submit, answered, classroom):
    """--db puts the gradebook where it is told."""
    submit("ada", answered())
    elsewhere = ClassRoom(classroom.root, f"sqlite:///{tmp_path / 'elsewhere.db'}")
    list(ClassRun(elsewhere, [assignment], seed=7))
    assert (tmp_path / "elsewhere.db").exists()
    assert marks(elsewhere) == {"ada": 10}


@pytest.mark.parametrize(
    ("chapter", "rests_on", "does_not"),
    [("03_context", {"context"}, {"scaling", "masking"}), ("05_scaling", {"context", "scaling"}, {"query_key_value"})],
)
def test_a_mark_rests_on_what_its_checks_import(root, monkeypatch, chapter, rests_on, does_not):
    """A chapter's marks go stale with its checks and the reference that these import, and with no other chapter's."""
    hashed = []
    monkeypatch.setattr(provenance, "digest_of", lambda paths: hashed.extend(paths))
    provenance.course_provenance.__wrapped__(Course(root).assignment(chapter), Limits())
    reference = {path.stem for path in hashed if path.parent.name == "chapters"}
    assert rests_on <= reference
    assert not does_not & reference
    assert {"judge", "compare"} <= {path.stem for path in hashed if path.parent.name == "diagnosis"}
