"""A run can be repeated, broken off and resumed; a mark that would change is shown before it is written."""

import errno
import json
import os
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook import database, gradebook
from autograder.classroom.results import batch_writer, provenance, save
from autograder.classroom.results.load import load_results
from autograder.course.course import COURSE_ID
from autograder.errors import CourseError, UsageError
from autograder.grading.grade import Grader
from autograder.runs import class_run
from autograder.runs.class_run import ClassRun
from autograder.sandbox import Calls, Sandbox

CHAPTER = "01_doubling"
SQUARED = "def double(x):\n    return x ** 2"


@pytest.fixture
def graded_now(monkeypatch):
    """Note whose notebooks are really run."""
    names = []
    grade = Grader.grade

    def noting(self, path, folders=0):
        names.append(path.parents[1].name)
        return grade(self, path, folders)

    monkeypatch.setattr(Grader, "grade", noting)
    return names


def marks(classroom):
    """Return everybody's marks as nbgrader reads them."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        return {entry["student"]: entry["score"] for entry in book.submission_dicts(CHAPTER)}


def hand_in_again(classroom, student, notebook):
    """Put a notebook in place of the one that a student has handed in."""
    nbformat.write(notebook, classroom.notebook(student, CHAPTER))


def files(classroom):
    """Return the bytes of everything below autograded/."""
    return {path: path.read_bytes() for path in classroom.root.glob("autograded/**/*") if path.is_file()}


def test_a_second_run_runs_nobody(graded, classroom, assignment, graded_now):
    """What is up to date comes from the record, with the same results."""
    again = {student: result.as_dict() for student, result in ClassRun(classroom, [assignment])}
    assert graded_now == []
    assert again == {student: result.as_dict() for student, result in graded.items()}


def test_only_what_changed_is_graded_again(graded, classroom, assignment, answered, graded_now):
    """A new submission of one student runs that one alone."""
    hand_in_again(classroom, "ben", answered())
    results = dict(ClassRun(classroom, [assignment], write_changes=True))
    assert graded_now == ["ben"]
    assert results["ben"].score == marks(classroom)["ben"] == 10


def test_lost_marks_come_back_without_running_anybody(graded, classroom, assignment, graded_now):
    """A new gradebook is filled from the record."""
    (classroom.root / "gradebook.db").unlink()
    list(ClassRun(classroom, [assignment]))
    assert graded_now == []
    assert marks(classroom) == {"ada": 10, "ben": 0, "cy": 0, "dee": 10}


def test_a_mark_that_would_change_waits_for_a_word(graded, classroom, assignment, answered):
    """Without the word nothing is written and the change is told; with it, the new mark is."""
    hand_in_again(classroom, "ben", answered())
    before = files(classroom)
    run = ClassRun(classroom, [assignment])
    list(run)
    told = f"ben {CHAPTER}: 0 -> 10 (double 0 -> 10): the submission changed"
    assert [str(change) for change in run.changes] == [told]
    assert (marks(classroom)["ben"], files(classroom)) == (0, before)
    list(ClassRun(classroom, [assignment], write_changes=True))
    assert marks(classroom)["ben"] == 10


def test_changed_checks_are_a_reason(graded, classroom, assignment, monkeypatch):
    """When the checks change, all is graded again, which one line says; marks that stay the same need no word."""
    monkeypatch.setattr(provenance, "digest_of", lambda paths: "other")
    provenance.course_provenance.cache_clear()
    try:
        assert {result["stale"] for result in load_results(classroom, assignment).values()} == {"the checks changed"}
        run = ClassRun(classroom, [assignment], seed=7)
        list(run)
        assert run.changes == []
        (note,) = [note for note in run.notes if "the checks changed" in note]
        assert [student in note for student in graded] == [True] * len(graded)
        assert {result["stale"] for result in load_results(classroom, assignment).values()} == {""}
    finally:
        provenance.course_provenance.cache_clear()


def test_work_that_changes_during_a_run_is_out_of_date(classroom, assignment, submit, answered, monkeypatch):
    """It is hashed before anything is graded: whatever was read after that, the next run looks at it again."""
    submit("ada", answered("def double(x):\n    return x ** 2"))
    was_graded = class_run.was_graded

    def exchanging(*submission):
        hand_in_again(classroom, "ada", answered())
        return was_graded(*submission)

    monkeypatch.setattr(class_run, "was_graded", exchanging)
    list(ClassRun(classroom, [assignment]))
    monkeypatch.undo()
    assert load_results(classroom, assignment)["ada"]["stale"] == "the submission changed"


def test_a_broken_off_run_goes_on_with_its_inputs(classroom, assignment, submit, answered, monkeypatch):
    """The rest of a class is graded with the seed of those who were graded before the break."""
    monkeypatch.setattr(batch_writer, "BATCH", 4)
    for number in range(batch_writer.BATCH + 2):
        submit(f"student{number:02}", answered())
    started = iter(ClassRun(classroom, [assignment]))
    next(started)
    started.close()
    (kept,) = classroom.root.glob(".grading-*.json")
    seed = json.loads(kept.read_text())["seed"]
    list(ClassRun(classroom, [assignment]))
    seeds = {json.loads(path.read_text())["seed"] for path in classroom.root.glob("autograded/*/*/run.json")}
    assert seeds == {seed}
    assert not kept.exists()
    assert len(marks(classroom)) == batch_writer.BATCH + 2


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_graded_is_recorded_while_others_run(classroom, assignment, submit, answered, jobs, monkeypatch):
    """A slow submission keeps nobody waiting: the grades before it are in the gradebook, and returned."""
    monkeypatch.setattr("autograder.runs.schedule.RECORD_SECONDS", 0.0)
    for number in range(3):
        submit(f"student{number}", answered())
    run = iter(ClassRun(classroom, [assignment], jobs=jobs))
    found = []
    for student, _ in run:
        found.append(student)
        assert set(found) <= set(marks(classroom))
        if jobs == 1:
            assert len(marks(classroom)) == len(found)
    assert sorted(found) == ["student0", "student1", "student2"]


@pytest.fixture
def asked(monkeypatch):
    """What every call to a student's function was given, in order, as lists of numbers."""
    found = []
    run = Sandbox.run

    def recording(box, step):
        if isinstance(step, Calls):
            found.extend([array.ravel().tolist() for array in args] for args, _ in step.calls)
        return run(box, step)

    monkeypatch.setattr(Sandbox, "run", recording)
    return found


@pytest.mark.parametrize("text", ["[" * 10**5, '{"seed": 1e999}', '{"seed": null}'])
def test_a_damaged_seed_is_drawn_anew(classroom, assignment, text):
    """Whatever stands in its file, there is a seed, which the file then holds."""
    run = ClassRun(classroom, [assignment])
    run.seed_file(assignment).write_text(text)
    assert run.run_seed(assignment) == run.run_seed(assignment)


@pytest.mark.parametrize("run_seed", [None, 7])
def test_a_table_of_answers_to_leaked_inputs_gets_nothing(classroom, assignment, submit, answered, asked, run_seed):
    """What a submission was asked helps no other one, whether its mark waits for a word or the seed is given again."""
    submit("ada", answered())
    list(ClassRun(classroom, [assignment], seed=run_seed))
    shutil.rmtree(classroom.submitted("ada", CHAPTER))
    submit("ada", answered("def double(x):\n    return x ** 2"))
    asked.clear()
    waiting = ClassRun(classroom, [assignment], seed=run_seed)
    list(waiting)
    assert len(waiting.changes) == 1
    shutil.rmtree(classroom.submitted("ada", CHAPTER))
    table = f"TABLE = {[arguments[0] for arguments in asked]}\n"
    look_up = "def double(x):\n    return x + x if x.ravel().tolist() in TABLE else None"
    submit("ada", answered(table + look_up))
    (result,) = dict(ClassRun(classroom, [assignment], seed=run_seed, write_changes=True)).values()
    assert result.score == 0


def test_an_ended_run_has_a_seed_of_its_own(graded, classroom, assignment, submit, answered):
    """A change that waits for a word does not keep the seed: the next run asks for other things."""
    shutil.rmtree(classroom.submitted("ben", CHAPTER))
    submit("ben", answered())
    list(ClassRun(classroom, [assignment]))
    assert not list(classroom.root.glob(".grading-*.json"))


def test_files_without_marks_are_put_right(graded, classroom, assignment, answered, graded_now):
    """Killed between files and marks: the next run brings the gradebook to what the files say."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        book.remove_submission(CHAPTER, "ada")
    list(ClassRun(classroom, [assignment]))
    assert (graded_now, marks(classroom)["ada"]) == ([], 10)


def test_a_half_written_record_is_graded_again(graded, classroom, assignment, graded_now):
    """Killed between two files: run.json, the last one, is missing or old, so nobody believes the others."""
    (classroom.autograded("ada", CHAPTER) / "run.json").unlink()
    (classroom.autograded("dee", CHAPTER) / "run.json").write_text('{"bound": ')
    list(ClassRun(classroom, [assignment], seed=7))
    assert sorted(graded_now) == ["ada", "dee"]


def test_a_second_run_beside_the_first_is_refused(graded, classroom, assignment):
    """Two runs in one class would write over one another."""
    first = iter(ClassRun(classroom, [assignment]))
    next(first)
    with pytest.raises(UsageError, match="another `autograder grade` is running"):
        list(ClassRun(classroom, [assignment]))
    first.close()
    list(ClassRun(classroom, [assignment]))


def test_two_classes_do_not_write_into_one_gradebook_at_once(graded, classroom, assignment, tmp_path_factory):
    """A run holds its gradebook, too: another class's run with the same one is refused, from whichever side."""
    other = ClassRoom(tmp_path_factory.mktemp("other"), classroom.database)
    shutil.copytree(classroom.root / "submitted", other.root / "submitted")
    for running, waiting in ((classroom, other), (other, classroom)):
        first = iter(ClassRun(running, [assignment], write_changes=True))
        next(first)
        with pytest.raises(UsageError, match=r"another `autograder grade` is running .*gradebook\.db"):
            list(ClassRun(waiting, [assignment]))
        first.close()


def test_a_gradebook_of_another_nbgrader_is_refused(graded, classroom, assignment, tmp_path):
    """A database whose tables are of another revision, or are nobody's gradebook, is left as it is."""
    for change, words in (
        ("UPDATE alembic_version SET version_num = '167914646830'", "nbgrader db upgrade"),
        ("DROP TABLE alembic_version", "is not an nbgrader gradebook"),
    ):
        with closing(sqlite3.connect(classroom.root / "gradebook.db")) as book:
            book.execute(change)
            book.commit()
        before = (classroom.root / "gradebook.db").read_bytes()
        for action in (lambda: list(ClassRun(classroom, [assignment])), lambda: load_results(classroom, assignment)):
            with pytest.raises(CourseError, match=words):
                action()
        assert (classroom.root / "gradebook.db").read_bytes() == before


def test_a_locked_gradebook_is_named_soon(graded, classroom, assignment, monkeypatch):
    """One that another program keeps locked is said to be, before anything is graded, after one short wait."""
    monkeypatch.setattr(database, "OPEN_SECONDS", 0.1)
    with closing(sqlite3.connect(classroom.root / "gradebook.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(CourseError, match=r"gradebook.db is locked by another program .*: close it"):
            list(ClassRun(classroom, [assignment]))


def test_what_a_killed_run_left_is_removed(graded, classroom, assignment):
    """Folders in which a killed run was at work are gone after the next one."""
    left = classroom.root / ".register-abc"
    (left / "exercises").mkdir(parents=True)
    (left / "exercises" / "half").write_text("written")
    list(ClassRun(classroom, [assignment]))
    assert not left.exists()


def test_a_formgrader_that_writes_is_waited_for(graded, classroom, assignment, answered, monkeypatch):
    """A database that is locked for longer than SQLite itself waits costs nobody a mark."""
    hand_in_again(classroom, "ben", answered())
    other, waits = sqlite3.connect(classroom.root / "gradebook.db"), []

    def wait(seconds):
        waits.append(seconds)
        if len(waits) == 2:
            other.rollback()

    monkeypatch.setattr(gradebook, "time", SimpleNamespace(monotonic=time.monotonic, sleep=wait))
    impatient = ClassRoom(classroom.root, f"{classroom.database}?timeout=0.1")
    run = iter(ClassRun(impatient, [assignment], write_changes=True))
    next(run)  # the gradebook is open, ben's mark is not yet written
    other.execute("BEGIN EXCLUSIVE")
    assert dict(run)["ben"].status == "graded"
    assert (len(waits), marks(classroom)["ben"]) == (2, 10)


def test_a_full_disk_is_one_line(graded, classroom, assignment, answered, monkeypatch):
    """When the disk takes no more, the run ends with what to do; nothing is half-written and no mark is lost."""
    hand_in_again(classroom, "ben", answered())
    before = files(classroom)

    def full(path, text):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    with monkeypatch.context() as disk:
        disk.setattr(save, "write_whole", full)
        with pytest.raises(CourseError, match=r"No space left on device. Make room and run the same command again"):
            list(ClassRun(classroom, [assignment], seed=7, write_changes=True))
    assert (files(classroom), marks(classroom)["ben"]) == (before, 0)


def test_time_limits_count_when_they_happen_again(graded, classroom, assignment, answered, graded_now, monkeypatch):
    """A submission that was late beside others and in time alone is graded as in time."""
    for student in ("ada", "ben"):
        hand_in_again(classroom, student, answered(SQUARED + "  # again"))

    def crowded(self, waiting):
        for student in waiting.values():
            yield student, replace(graded[student], ran_late=True)

    monkeypatch.setattr("autograder.runs.schedule.Schedule.finished", crowded)
    results = dict(ClassRun(classroom, [assignment], jobs=2, write_changes=True))
    assert sorted(graded_now) == ["ada", "ben"]
    assert (results["ada"].score, results["ada"].ran_late) == (0, False)
