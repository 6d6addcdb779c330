"""Loading results only reads: what has to be written is written by the commands that say so."""

import shutil

import pytest

from autograder.classroom.gradebook.chapter_totals import sync_gradebook
from autograder.classroom.results.load import load_results
from autograder.errors import UsageError
from autograder.lms.export import export
from tests.support.hand_in import CHAPTER

LATER = '[class]\ntimezone = "Europe/Rome"\n[due]\n"01_doubling" = 2020-01-01T00:00:00\n'


def contents(folder):
    """Return every file below a folder, with its bytes and the time of its last change."""
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def test_loading_results_writes_nothing(graded, classroom, assignment):
    """Not even where nbgrader's rows are out of date: no file changes or appears, the lock's included."""
    (classroom.root / "class.toml").write_text(LATER)
    (classroom.root / ".late.lock").unlink()
    before = contents(classroom.root)
    assert load_results(classroom, assignment)["ada"]["total"].points == assignment.max_score
    assert contents(classroom.root) == before
    sync_gradebook(classroom, [assignment])
    assert contents(classroom.root) != before


def test_reading_creates_no_gradebook(graded, classroom, assignment, tmp_path_factory):
    """A gradebook that is missing stays missing, and the error says what to do."""
    (classroom.root / "gradebook.db").unlink()
    before = contents(classroom.root)
    out = tmp_path_factory.mktemp("out") / "marks.csv"
    for action in (lambda: load_results(classroom, assignment), lambda: export(classroom, [assignment], out)):
        with pytest.raises(UsageError, match=f"no mark of {CHAPTER}"):
            action()
    sync_gradebook(classroom, [assignment])
    assert contents(classroom.root) == before
    shutil.rmtree(classroom.root / "autograded")
    assert load_results(classroom, assignment, needed=False) == {}
