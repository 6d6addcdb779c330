"""Errata: what was ever released is never called altered, and what no release held still is."""

import copy
import shutil
import subprocess

import nbformat
import pytest

from autograder.classroom.results import provenance
from autograder.classroom.results.changes import Change, describe_changes
from autograder.classroom.results.load import load_results
from autograder.cli import main
from autograder.course import ledger
from autograder.course.course import Course
from autograder.course.left_out import as_downloaded
from autograder.course.release import release
from autograder.errors import CourseError, InfrastructureError
from autograder.grading import intake
from autograder.grading.rebuild import rebuild
from autograder.pages.feedback import feedback
from autograder.runs.cluster import grade_there
from autograder.sandbox import Limits
from tests.hostile import formats
from tests.support.hand_in import CHAPTER, RIGHT, answer_in, cell_of
from tests.support.term import Term, add_treble, points, take_treble_out, text

CANARIES = ("CANARY-REFERENCE", "CANARY-HIDDEN", "CANARY-UNSEEN", "CANARY-SOLUTION")
SEVEN = [f"student{number}" for number in range(1, 8)]  # two more than a line names
SETUP = "import numpy as np\nfrom selfcheck import check"
ERRATA = {
    "a sentence": text("title", "# Exercises 1: doubling\n\nTwice, not squared."),
    "a locked code cell": text("setup", f"{SETUP}  # says what is wrong"),
    "a test": text("test_double", 'check("double", double)\ncheck("double", double)'),
    "the stub": text(
        "double", 'def double(x):\n    """Return x twice."""\n    ### BEGIN SOLUTION\n    ### END SOLUTION'
    ),
}


@pytest.fixture
def term(mini, tmp_path):
    """The mini course, released."""
    return Term(tmp_path / "mini", mini.root)


def rebuilt(term, notebook):
    """Return what intake makes of a notebook."""
    return rebuild(term.assignment, intake.cells_of(nbformat.writes(notebook).encode()))


# The ledger itself


def test_a_release_is_noted_once(term):
    """Four cells and their order, and nothing more by releasing again."""
    first = term.assignment.ledger_path.read_bytes()
    assert [line.split()[1:3] for line in term.ledger] == [
        *(["cell", name] for name in ("title", "setup", "double", "test_double")),
        ["order", "title"],
    ]
    term.release()
    assert term.assignment.ledger_path.read_bytes() == first
    assert not [line for line in term.said if line.startswith("changed")]


def test_an_erratum_adds_one_line_and_says_what_changed(term):
    """The ledger grows by what is new, at its end, and the release says it in words."""
    before = term.ledger
    term.mend(ERRATA["a locked code cell"])
    assert term.ledger[: len(before)] == before
    assert [line.split()[1:5] for line in term.ledger[len(before) :]] == [["cell", "setup", "code", "locked"]]
    assert term.said[0] == "changed: setup changed; what was handed in before stays valid"
    term.mend(points(7))
    assert "grade+locked points=7 schema=3" in term.ledger[-1]
    assert term.said[0].startswith("changed: test_double has 7 points instead of 10;")


@pytest.mark.parametrize("worth", [0, 0.5, 1 / 3, 2_000_000])
def test_whatever_points_there_are_come_back(term, worth):
    """Thirds and millions are read as they were written, so that the next release adds nothing."""
    term.mend(points(worth))
    before = term.ledger
    term.release()
    assert (term.ledger, term.assignment.earlier_releases.by_id["test_double"][0].points) == (before, 10)


@pytest.mark.parametrize("facts", [{"points": "many"}, {"schema_version": []}])
def test_a_released_notebook_of_nobodys_making_is_passed_over(term, facts):
    """What nbgrader did not write was not released either, and the next release repairs it."""
    notebook, before = term.download(), term.ledger
    cell_of(notebook, "test_double").metadata.nbgrader.update(facts)
    nbformat.write(notebook, term.assignment.released_path)
    term.release()
    assert term.ledger == before


def test_an_erratum_that_is_taken_back_adds_nothing(term):
    """What was released once is known for good."""
    before = term.ledger
    term.mend(points(7))
    term.mend(points(10))
    assert len(term.ledger) == len(before) + 1


def test_the_ledger_holds_no_answer_and_students_do_not_get_it(term):
    """Hashes of what students were given, beside their folder and not in it."""
    written = term.assignment.ledger_path.read_text(encoding="utf-8")
    assert not [canary for canary in CANARIES if canary in written]
    solution = cell_of(nbformat.read(term.assignment.solution_path, as_version=4), "double").source
    assert ledger.text_hash(solution) not in written
    assert ledger.text_hash(cell_of(term.download(), "double").source) in written
    names = {path.name for folder in ("exercises", "solutions") for path in (term.folder / folder).rglob("*")}
    assert not [name for name in names if name.endswith(".txt")]


def test_what_lay_in_exercises_before_there_was_a_ledger_is_its_first_entry(term):
    """A course that was given out already keeps its students' notebooks valid."""
    shutil.rmtree(term.assignment.ledger_path.parent)
    term.hand_in("ada")
    term.mend(ERRATA["a locked code cell"])
    assert term.said[0].endswith("did not exist: started from " + str(term.assignment.released_path.parent))
    assert sum(" setup " in line and " cell " in line for line in term.ledger) == 2
    assert term.grade()[0]["ada"].status == "graded"


def test_a_released_notebook_that_was_edited_by_hand_counts_too(term):
    """Somebody may have handed it out: it is accepted now, and noted by the next release."""
    notebook = term.download()
    cell_of(notebook, "setup").source += "\nimport math"
    nbformat.write(notebook, term.assignment.released_path)
    assert rebuilt(term, answer_in(notebook)).tampered == ()
    term.release()
    assert "import math" not in term.assignment.released_path.read_text(encoding="utf-8")
    assert rebuilt(term, notebook).tampered == ()


DAMAGED = {
    "2026-11-22 cell setup code": "line 4: expected `DATE cell ID",
    "2026-11-22 cell setup code locked+hidden schema=3 0123456789abcdef": "line 4: expected `DATE cell ID",
    "<<<<<<< HEAD": "line 4 is a merge marker: keep the lines of both sides, and delete this one",
    "\ud800": "cannot read .*: restore it with git",
}


@pytest.mark.parametrize("line", DAMAGED)
def test_a_damaged_ledger_is_one_line_and_nothing_is_lost(term, line):
    """Grading and releasing name the file and its line, and leave everything as it is."""
    term.hand_in("ada")
    path, assignment = term.assignment.ledger_path, term.assignment
    good = path.read_text(encoding="utf-8").splitlines()
    path.write_bytes("\n".join([*good[:3], line, *good[3:]]).encode("utf-8", "surrogatepass"))
    damaged, released = path.read_bytes(), assignment.released_path.read_bytes()
    term.edit(ERRATA["a locked code cell"])
    for action in (term.grade, term.release):
        with pytest.raises(CourseError, match=DAMAGED[line]) as told:
            action()
        assert "\n" not in str(told.value)
    assert (path.read_bytes(), assignment.released_path.read_bytes()) == (damaged, released)
    assert not (term.room.root / "autograded").exists()


def test_lines_that_were_edited_by_hand_mean_what_they_say(term):
    """Another order, blank lines, comments and a repeated line change nothing."""
    path = term.assignment.ledger_path
    known = ledger.read_ledger(path)
    path.write_text("\n\n# by hand\n".join([*term.ledger[::-1], term.ledger[0]]), encoding="utf-8")
    again = ledger.read_ledger(path)
    assert (set(again.versions), again.orders) == (set(known.versions), known.orders)
    assert ledger.fingerprint(again) == ledger.fingerprint(known)


def test_a_ledger_without_its_chapter_stops_nobody(term):
    """A chapter that was removed leaves its file, which nobody reads."""
    (term.assignment.ledger_path.parent / "09_gone.txt").write_text("no ledger", encoding="utf-8")
    term.hand_in("ada")
    term.release()
    assert term.grade()[0]["ada"].status == "graded"


def git(folder, *arguments):
    """Run git in a folder, as nobody in particular."""
    who = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def test_two_branches_that_both_released_merge_by_themselves(root, term):
    """Git keeps the lines of both sides, and notebooks of either are accepted."""
    shutil.copy(root / ".gitattributes", term.folder)
    git(term.folder, "init")
    git(term.folder, "add", "releases", ".gitattributes")
    git(term.folder, "commit", "-m", "released")
    notebooks, original = [], term.assignment.solution_path.read_bytes()
    for branch in ("left", "right"):
        git(term.folder, "checkout", "-b", branch, "main")
        term.assignment.solution_path.write_bytes(original)
        term.mend(text("setup", f"{SETUP}\n{branch} = 1"))
        notebooks.append(answer_in(term.download()))
        git(term.folder, "commit", "-am", branch)
    git(term.folder, "merge", "left")
    assert sum(" cell setup " in line for line in term.ledger) == 3
    assert [rebuilt(term, notebook).tampered for notebook in notebooks] == [(), ()]


def test_what_is_committed_is_what_was_released(root):
    """Each chapter's ledger holds its release, so that releasing leaves a clean tree, and nothing else than that."""
    course = Course(root)
    for assignment in map(course.assignment, course.chapters()):
        known = ledger.read_ledger(assignment.ledger_path)
        assert not ledger.released_in(assignment.released_path, "").without(known)
        assert set(assignment.cells) <= set(known.by_id)


def test_what_the_book_offers_is_not_called_altered(root):
    """A download differs from the release by its links; handed in, no cell of it counts as changed."""
    course = Course(root)
    for assignment in map(course.assignment, course.chapters()):
        offered = nbformat.writes(as_downloaded(assignment.released_path)).encode()
        assert rebuild(assignment, intake.cells_of(offered)).tampered == ()


def test_a_course_without_a_ledger_is_graded_and_told_so(term, capsys, monkeypatch):
    """One line says what is not known, and how it begins."""
    shutil.rmtree(term.assignment.ledger_path.parent)
    term.hand_in("ada")
    monkeypatch.setattr("autograder.classroom.class_course.find_course", lambda named: term.assignment.course)
    with pytest.raises(SystemExit, match="0"):
        main(["grade", CHAPTER, "--root", str(term.room.root), "--jobs", "1"])
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "releases" in line]
    assert line.endswith(f"{CHAPTER}.txt: earlier releases are unknown; `autograder release` creates it")


def test_a_worker_that_knows_other_releases_is_refused(term):
    """It would call altered what is not; one that lacks only today's release knows as much as any."""
    facts = (term.assignment, 7, Limits(), True)
    with_today = provenance.course_provenance(term.assignment, Limits())
    shutil.copytree(term.assignment.ledger_path.parent, term.folder / "kept")
    shutil.rmtree(term.assignment.ledger_path.parent)
    assert provenance.course_provenance(term.assignment, Limits()) == with_today
    shutil.move(term.folder / "kept", term.assignment.ledger_path.parent)
    term.mend(ERRATA["a locked code cell"])
    ours = provenance.course_provenance(term.assignment, Limits())
    shutil.rmtree(term.assignment.ledger_path.parent)
    with pytest.raises(InfrastructureError, match="this worker's course, checks, Python or NumPy differ"):
        grade_there((term.assignment, *facts[1:]), ours, b"{")


# What becomes of earlier notebooks


@pytest.mark.parametrize("erratum", ERRATA)
def test_three_of_three_earlier_notebooks_are_not_tampered(term, erratum):
    """After an erratum they have full marks from today's tests, and nobody's page blames a student."""
    term.hand_in(*SEVEN[:3])
    term.mend(ERRATA[erratum])
    results, changes = term.grade()
    assert {(result.status, result.score, result.tampered, result.message) for result in results.values()} == {
        ("graded", 10, (), "")
    }
    assert changes == []
    pages = [path.read_text(encoding="utf-8") for path in feedback(term.room, term.assignment)]
    assert len(pages) == 3
    assert not [page for page in pages if "cells of the course were changed" in page]


def test_points_that_changed_are_told_and_are_todays(term):
    """Handed in when it was worth 10, the exercise counts 7, and the page says both."""
    term.hand_in("ada")
    term.mend(points(7))
    result = term.grade()[0]["ada"]
    assert (result.status, result.score, result.max_score) == ("graded", 7, 7)
    assert result.notes == ("`double` was worth 10 points in the notebook that you received; it is worth 7 now.",)
    (page,) = feedback(term.room, term.assignment)
    told = '<code translate="no">double</code> was worth 10 points in the notebook that you received'
    assert told in page.read_text(encoding="utf-8")


def test_todays_cells_run_and_their_change_is_told(term):
    """An older setup is replaced by today's, as the page says without blame."""
    term.hand_in("ada", answer="def double(x):\n    return FACTOR * x")
    term.mend(text("setup", f"{SETUP}\nFACTOR = 2"))
    result = term.grade()[0]["ada"]
    assert (result.status, result.score) == ("graded", 10)
    assert result.notes == (
        "The course has changed `setup` since you received this notebook; the new version was used.",
    )


def test_a_line_that_the_course_took_out_is_no_fault_of_the_student(term):
    """An answer that rests on it hears what became of it."""
    term.mend(text("setup", f"{SETUP}\nFACTOR = 2"))
    term.hand_in("ada", answer="def double(x):\n    return FACTOR * x")
    term.mend(text("setup", SETUP))
    result = term.grade()[0]["ada"]
    assert result.status == "error"
    said = "the line `FACTOR = 2` was in `setup` of your notebook; the course has removed it since"
    assert said in result.verdicts[0].message


def test_an_exercise_that_came_later_is_not_attempted(term, monkeypatch):
    """It was not in the notebook, and the page says so; a student who wrote it anyway gets its points."""
    term.hand_in("ada", "ben")
    early = nbformat.read(term.room.notebook("ben", CHAPTER), as_version=4)
    early.cells.append(nbformat.v4.new_code_cell("def treble(x):\n    return 3 * x"))
    nbformat.write(early, term.room.notebook("ben", CHAPTER))
    term.with_treble(monkeypatch)
    term.mend(add_treble)
    assert "treble is new" in term.said[0]
    results, _ = term.grade()
    assert [(results[name].status, results[name].score) for name in ("ada", "ben")] == [("graded", 10), ("graded", 17)]
    verdict = results["ada"].verdicts[1]
    assert (verdict.status, verdict.message) == ("not_attempted", "`treble` was not in the notebook that you received.")


def test_an_exercise_that_was_taken_out_is_no_reason_for_anything(term, monkeypatch):
    """Its test does not run and its answer counts nothing, in kind words; the student's own cells still run."""
    term.with_treble(monkeypatch)
    term.mend(add_treble)
    notebook = answer_in(term.download())
    cell_of(notebook, "treble").source = "def treble(x):\n    return 3 * x"
    term.hand_in("ada", notebook=notebook)
    term.package = "mini_checks"
    term.mend(take_treble_out)
    result = term.grade()[0]["ada"]
    assert (result.status, result.score, result.max_score) == ("graded", 10, 10)
    assert result.notes == ("What you wrote for `treble` was not graded: the course has removed that exercise.",)
    assert not [cell for cell in result.cells if 'check("treble"' in cell.piece.source]


def test_a_locked_cell_that_was_taken_out_runs_and_is_not_shown_as_the_students(term):
    """What it defined may be needed; the page does not call it a cell that the student added."""
    given = nbformat.v4.new_code_cell("FACTOR = 2")

    def add_given(notebook):
        given.metadata.nbgrader = {**cell_of(notebook, "setup").metadata.nbgrader, "grade_id": "given"}
        notebook.cells.insert(2, given)

    term.mend(add_given)
    term.hand_in("ada", answer="def double(x):\n    return FACTOR * x")
    term.mend(lambda notebook: notebook.cells.pop(2))
    result = term.grade()[0]["ada"]
    assert (result.status, result.score) == ("graded", 10)
    (page,) = feedback(term.room, term.assignment)
    assert "Cells that you added" not in page.read_text(encoding="utf-8")


def test_cells_that_the_course_has_moved_or_renamed_are_not_the_students_doing(term):
    """The order of an earlier release is an order, and a new name of a cell is no deletion."""
    helper = nbformat.v4.new_code_cell("helper = 1")

    def add_helper(notebook):
        helper.metadata.nbgrader = {**cell_of(notebook, "setup").metadata.nbgrader, "grade_id": "helper"}
        notebook.cells.insert(2, helper)

    def move_and_rename(notebook):
        notebook.cells.insert(1, notebook.cells.pop(2))
        notebook.cells[1].metadata.nbgrader.grade_id = "helper_2"

    term.mend(add_helper)
    old = answer_in(term.download())
    term.mend(move_and_rename)
    found = rebuilt(term, old)
    assert (found.tampered, found.harmless) == ((), ())
    old.cells.insert(1, old.cells.pop(3))
    assert rebuilt(term, old).tampered == ("double: moved",)


def test_a_cell_that_was_the_students_and_is_now_given(term):
    """What somebody wrote where the course now gives a cell is put back in kind words."""

    def add_own(notebook):
        cell = nbformat.v4.new_code_cell("### BEGIN SOLUTION\n### END SOLUTION")
        cell.metadata.nbgrader = {**cell_of(notebook, "double").metadata.nbgrader, "grade_id": "factor"}
        notebook.cells.insert(2, cell)

    def give(notebook):
        cell = cell_of(notebook, "factor")
        cell.source = "factor = 2"
        cell.metadata.nbgrader.update(locked=True, solution=False)

    term.mend(add_own)
    old = answer_in(term.download())
    cell_of(old, "factor").source = "factor = 3"
    term.mend(give)
    found = rebuilt(term, old)
    assert found.tampered == ()
    assert found.notes == ("The course now provides `factor`, so what you wrote there was not used.",)


def test_a_correction_pasted_in_beside_the_old_cell_is_honest(term):
    """Two versions of one locked cell are of two releases; the same one twice is altered, as ever."""
    old = answer_in(term.download())
    term.mend(ERRATA["a locked code cell"])
    new = cell_of(term.download(), "setup")
    both = nbformat.from_dict(old)
    both.cells.insert(2, nbformat.from_dict({**new, "id": "again"}))
    assert rebuilt(term, both).tampered == ()
    for source in (new.source, f"{new.source}\ncheck = print"):
        third = nbformat.from_dict({**new, "id": "third", "source": source})
        altered = nbformat.from_dict({**both, "cells": [*both.cells[:2], third, *both.cells[2:]]})
        assert rebuilt(term, altered).tampered == ("setup: appears twice",)


FORGED = {
    "test_double: text changed": text("test_double", "assert True"),
    "setup: text changed": text("setup", "check = print"),
    "test_double: points changed": points(1000),
    "test_double: locked changed": lambda notebook: cell_of(notebook, "test_double").metadata.nbgrader.update(
        locked=False
    ),
    "test_double: tagged skip-execution": lambda notebook: cell_of(notebook, "test_double").metadata.update(
        tags=["skip-execution"]
    ),
    "double: moved": lambda notebook: notebook.cells.insert(0, notebook.cells.pop(2)),
}


def released_with(mini, folder, changes):
    """Return the mini course released once more after each of these changes."""
    found = Term(folder / "mini", mini.root)
    for change in changes:
        found.mend(change)
    return found


@pytest.fixture(scope="module")
def mended(mini, tmp_path_factory):
    """The mini course after one erratum of each kind; no test changes it."""
    return released_with(mini, tmp_path_factory.mktemp("mended"), (*ERRATA.values(), points(7)))


@pytest.mark.parametrize("words", FORGED)
@pytest.mark.parametrize("which", ["earlier", "today's"])
def test_what_no_release_held_is_still_tampered(mended, released, words, which):
    """After errata of every kind a forged notebook of any release is called so, and put back to today's cells."""
    notebook = answer_in(copy.deepcopy(released) if which == "earlier" else mended.download())
    honest = rebuilt(mended, notebook)
    FORGED[words](notebook)
    found = rebuilt(mended, notebook)
    assert words in " | ".join(found.tampered)
    assert [piece for piece in found.pieces if piece.kind != "own"] == list(honest.pieces)


@pytest.fixture(scope="module")
def back(mini, tmp_path_factory):
    """The mini course after errata that were taken back, with its ledger and without; nobody changes them."""
    folder = tmp_path_factory.mktemp("back")
    found = released_with(mini, folder, (ERRATA["a locked code cell"], points(7), text("setup", SETUP), points(10)))
    forgetful = Term(folder / "forgetful", found.folder)
    shutil.rmtree(forgetful.assignment.ledger_path.parent)
    return found, forgetful


@pytest.mark.parametrize("entry", [entry for entry in formats.ENTRIES if not entry.raw], ids=lambda entry: entry.name)
def test_the_hostile_corpus_is_called_what_it_was_called(back, entry):
    """After errata and back, each altered notebook is named in the same words as with no ledger at all."""
    term, forgetful = back
    notebook = entry.notebook(term.download())
    known, unknown = rebuilt(term, notebook), rebuilt(forgetful, notebook)
    assert (known.tampered, known.pieces) == (unknown.tampered, unknown.pieces)


def test_nothing_is_gained_by_pasting_cells_of_an_old_release(term):
    """An old test that was weak, with more points, decides nothing: today's does, with today's points."""
    term.mend(text("test_double", "assert True"))
    term.mend(points(90))
    weak = term.download()
    term.mend(text("test_double", 'check("double", double)'))
    term.mend(points(10))
    wrong = "def double(x):\n    return x ** 2"
    term.hand_in("ada", notebook=weak, answer=wrong)
    mixed = answer_in(term.download(), wrong)
    place = next(n for n, cell in enumerate(mixed.cells) if cell.metadata.nbgrader.grade_id == "test_double")
    mixed.cells[place] = cell_of(weak, "test_double")
    term.hand_in("ben", notebook=mixed, answer=wrong)
    term.hand_in("cy", notebook=mixed, answer=RIGHT)
    results, _ = term.grade()
    assert {name: (result.score, result.max_score) for name, result in results.items()} == {
        "ada": (0, 10),
        "ben": (0, 10),
        "cy": (10, 10),
    }
    assert term.marks() == {"ada": (0, 10), "ben": (0, 10), "cy": (10, 10)}


# What waits for a word


def test_an_erratum_to_a_text_makes_no_noise(term):
    """Everybody is graded again, nobody's mark or page changes, and nothing waits."""
    term.hand_in(*SEVEN[:3])
    term.grade()
    term.mend(ERRATA["a sentence"])
    results, changes = term.grade()
    assert (len(results), changes) == (3, [])
    assert {result["stale"] for result in load_results(term.room, term.assignment).values()} == {""}


def test_a_page_that_would_change_waits_for_a_word(term):
    """The mark stays and the page would not: one line for all whom it concerns, and nothing written until --yes."""
    term.hand_in(*SEVEN)
    term.grade()
    term.mend(ERRATA["a locked code cell"])
    _, changes = term.grade()
    (line,) = describe_changes(changes)
    assert line == (
        f"student1, student2, student3, student4, student5 and 2 more {CHAPTER}: same points, changed page (a "
        f"note on changes to the course): the solution notebook changed; the ledger of releases changed"
    )
    assert {result["notes"] == [] for result in load_results(term.room, term.assignment).values()} == {True}
    term.grade(write_changes=True)
    assert {len(result["notes"]) for result in load_results(term.room, term.assignment).values()} == {1}
    assert term.grade()[1] == []


def test_who_was_called_tampered_unjustly_is_cleared_with_a_word(term):
    """A ledger that comes back after it was lost changes status and page, which is told first."""
    term.hand_in("ada")
    term.mend(ERRATA["a locked code cell"])
    kept = term.assignment.ledger_path.read_bytes()
    term.assignment.ledger_path.unlink()
    assert term.grade()[0]["ada"].status == "tampered"
    term.assignment.ledger_path.write_bytes(kept)
    _, changes = term.grade()
    assert [str(change).partition(": ")[2] for change in changes] == [
        "same points, changed page (status tampered -> graded; a note on changes to the course): "
        "the ledger of releases changed"
    ]
    assert next(iter(load_results(term.room, term.assignment).values()))["status"] == "tampered"
    assert term.grade(write_changes=True)[0]["ada"].status == "graded"
    assert next(iter(load_results(term.room, term.assignment).values()))["status"] == "graded"


def test_new_work_with_the_same_mark_waits_for_nobody(term):
    """A student who hands in again expects a new page."""
    term.hand_in("ben", answer="def double(x):\n    return x ** 2")
    term.grade()
    term.hand_in("ben", answer="def double(x):\n    return x + 1")
    results, changes = term.grade()
    assert (results["ben"].score, changes) == (0, [])
    assert "squared" not in load_results(term.room, term.assignment)["ben"]["exercises"][0].message


def test_a_page_and_a_mark_of_one_student_are_one_change(term):
    """Points that move are told as such, whatever else moves on the page."""
    change = Change("ben", CHAPTER, {"double": 10}, {"double": 0}, "why", ("status graded -> error",))
    assert describe_changes([change]) == [f"ben {CHAPTER}: 10 -> 0 (double 10 -> 0): why"]


def test_a_ledger_that_says_nothing_new_makes_no_mark_stale(term):
    """The first entry of a course that is already graded costs nobody a second grading."""
    shutil.rmtree(term.assignment.ledger_path.parent)
    term.hand_in("ada")
    term.grade()
    release(term.assignment)
    assert term.ledger
    assert load_results(term.room, term.assignment)["ada"]["stale"] == ""
