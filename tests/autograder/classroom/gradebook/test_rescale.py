"""Points that change after marks were given: rescaled in proportion, told first, in nbgrader's own gradebook."""

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.classroom.gradebook.gradebook import register
from autograder.classroom.results.changes import describe_changes
from autograder.classroom.results.load import load_results
from autograder.course.course import COURSE_ID
from autograder.errors import CourseError
from autograder.lms.export import export
from autograder.pages.feedback import feedback
from autograder.pages.report import exercise_rows
from tests.support.hand_in import CHAPTER, RIGHT, answer_in, cell_of
from tests.support.term import Term, add_treble, points, take_treble_out

SQUARED = "def double(x):\n    return x ** 2"
CHANGES = "def double(x):\n    y = x + x\n    x *= 2\n    return y"  # nine tenths: its input is not left as it was


@pytest.fixture(scope="module")
def marked(mini, tmp_path_factory):
    """The mini course with an exercise of 3 points, and five who are graded, two of them by hand as well."""
    found = Term(tmp_path_factory.mktemp("marked") / "mini", mini.root)
    found.mend(points(3))
    found.hand_in("ada")
    found.hand_in("ben", "cy", answer=SQUARED)
    found.hand_in("dee", "eve", answer=CHANGES)
    found.grade()
    found.mark_by_hand("cy", 2)
    found.mark_by_hand("eve", 1.5)
    return found


@pytest.fixture
def term(marked, tmp_path):
    """A copy of that term."""
    return Term(tmp_path / "mini", marked.folder)


BEFORE = {"ada": (3, 3), "ben": (0, 3), "cy": (2, 3), "dee": (2.7, 3), "eve": (1.5, 3)}
AFTER = {"ada": (4, 4), "ben": (0, 4), "cy": (2.67, 4), "dee": (3.6, 4), "eve": (2, 4)}


def test_points_that_change_wait_for_a_word(term):
    """Until then gradebook, pages and export stay with the old points, in which all marks are."""
    assert term.marks() == BEFORE
    term.mend(points(4))
    _, changes = term.grade()
    assert term.marks() == BEFORE
    why = "double is worth 4 instead of 3"
    page = "a note on changes to the course; double: out of 4 instead of 3"
    assert describe_changes(changes) == [
        f"cy {CHAPTER}: double by hand 2 of 3 -> 2.67 of 4: in proportion, since its points changed",
        f"eve {CHAPTER}: double by hand 1.5 of 3 -> 2 of 4: in proportion, since its points changed",
        f"ada {CHAPTER}: 3 -> 4 (double 3 -> 4): {why}",
        f"dee {CHAPTER}: 2.7 -> 3.6 (double 2.7 -> 3.6): {why}",
        f"eve {CHAPTER}: 2.7 -> 3.6 (double 2.7 -> 3.6, where the mark given by hand stays): {why}",
        f"ben, cy {CHAPTER}: same points, changed page ({page}): {why}",
    ]
    written = export(term.room, [term.assignment], term.room.root / "marks.csv").path.read_text(encoding="utf-8")
    assert "ada,ada,3,3,graded,,3" in written
    (row,) = exercise_rows(term.assignment, load_results(term.room, term.assignment))
    assert (row["points"], row["full"], round(row["mean"], 3)) == (3, 0.2, round((3 + 0 + 2 + 2.7 + 1.5) / 15, 3))


def test_a_mark_by_hand_is_named_where_better_work_comes(term):
    """The grader's points rise and the person's mark stays, which the line says, and what counts."""
    term.hand_in("cy")
    _, changes = term.grade()
    (line,) = describe_changes(changes)
    assert line.startswith(f"cy {CHAPTER}: 0 -> 3 (double 0 -> 3, where the mark given by hand stays); 2 counts: ")


def test_with_the_word_every_mark_is_rescaled(term):
    """Automatic marks are graded anew, marks by hand stay in proportion, and the maximum is nbgrader's too."""
    term.mend(points(4))
    _, changes = term.grade(write_changes=True)
    assert [
        line
        for line in describe_changes(changes)
        if line.startswith(f"dee {CHAPTER}: 2.7 -> 3.6 (double 2.7 -> 3.6): ")
    ]
    assert term.marks() == AFTER
    with Gradebook(term.room.database, COURSE_ID) as book:
        assert book.find_grade_cell("test_double", CHAPTER, CHAPTER).max_score == 4
        assert book.find_assignment(CHAPTER).max_score == 4
        grades = {name: book.find_grade("test_double", CHAPTER, CHAPTER, name) for name in AFTER}
        assert {name: grade.auto_score for name, grade in grades.items()} == {
            "ada": 4,
            "ben": 0,
            "cy": 0,
            "dee": 3.6,
            "eve": 3.6,
        }
    assert term.grade()[1] == []
    results = load_results(term.room, term.assignment)
    assert {name: (result["score"], result["max_score"]) for name, result in results.items()} == AFTER
    for path in feedback(term.room, term.assignment):
        assert "of 4 points" in path.read_text(encoding="utf-8")
    written = export(term.room, [term.assignment], term.room.root / "marks.csv").path.read_text(encoding="utf-8")
    assert "cy,cy,2.67,4,graded" in written


def test_a_run_that_is_killed_after_rescaling_has_lost_nothing(term):
    """Gradebook and marks change together; what was not graded again is finished by the same command, unasked."""
    term.mend(points(4))
    register(term.room, term.assignment)  # the first thing that a run with --yes does
    assert term.marks() == AFTER
    stale = load_results(term.room, term.assignment)["cy"]
    assert (stale["score"], stale["max_score"], bool(stale["stale"])) == (2.67, 4, True)
    _, changes = term.grade()
    assert [change for change in changes if change.moved] == []
    term.grade(write_changes=True)
    assert term.marks() == AFTER


@pytest.fixture(scope="module")
def meanwhile(marked, tmp_path_factory):
    """That class with gus, whose file nobody can read, and flo, who hands in once an exercise is worth 4.

    What changes are told, and the marks before and after the word.
    """
    term = Term(tmp_path_factory.mktemp("meanwhile") / "mini", marked.folder)
    path = term.room.notebook("gus", CHAPTER)
    path.parent.mkdir(parents=True)
    path.write_text("{", encoding="utf-8")
    term.grade()
    term.mend(points(4))
    term.hand_in("flo")
    told, before = describe_changes(term.grade()[1]), term.marks()
    term.grade(write_changes=True)
    return told, before, term.marks()


def test_whoever_hands_in_meanwhile_waits_with_the_others(meanwhile):
    """A first mark out of 4 beside marks out of 3 would be silently wrong: it is listed, and written with --yes."""
    told, before, after = meanwhile
    why = "a first mark, which waits because double is worth 4 instead of 3"
    assert f"flo {CHAPTER}: 0 -> 4 (double 0 -> 4): {why}" in told
    assert before == {**BEFORE, "gus": (0, 3)}
    assert after == {**AFTER, "gus": (0, 4), "flo": (4, 4)}


def test_a_file_that_nobody_could_read_is_listed_with_the_others(meanwhile):
    """Its 0 is one out of other points, too."""
    told, _, after = meanwhile
    page = "same points, changed page (graded out of other points)"
    assert [line for line in told if line.startswith("gus")] == [
        f"gus {CHAPTER}: {page}: double is worth 4 instead of 3"
    ]
    assert after["gus"] == (0, 4)


def test_extra_credit_stays_the_number_that_was_given(term):
    """A point on top is a point on top, whatever the exercise is worth."""
    with Gradebook(term.room.database, COURSE_ID) as book:
        book.find_grade("test_double", CHAPTER, CHAPTER, "cy").extra_credit = 1
        book.db.commit()
    term.mend(points(6))
    term.grade(write_changes=True)
    assert term.marks()["cy"] == (5, 6)


def test_a_text_that_comes_after_marks_were_given_waits_for_nobody(term):
    """A cell without points changes no mark: the gradebook learns of it, and everybody's stays."""

    def add_text(notebook):
        cell = nbformat.v4.new_markdown_cell("a word more")
        cell.metadata.nbgrader = {**cell_of(notebook, "title").metadata.nbgrader, "grade_id": "more"}
        notebook.cells.insert(1, cell)

    for change in (add_text, lambda notebook: notebook.cells.pop(1)):
        term.mend(change)
        assert term.grade()[1] == []
        assert term.marks() == BEFORE
        with Gradebook(term.room.database, COURSE_ID) as book:
            cells = {cell.name for cell in book.find_notebook(CHAPTER, CHAPTER).source_cells}
        assert ("more" in cells) is (change is add_text)


def test_cells_that_came_and_were_not_released_are_named(term, monkeypatch):
    """A solution notebook that is ahead of its release cannot be graded by, and nothing changes."""
    term.with_treble(monkeypatch)
    term.edit(add_treble)
    with pytest.raises(CourseError, match=f"has no cell treble: run `autograder release {CHAPTER}`"):
        term.grade(write_changes=True)
    assert term.marks() == BEFORE


def test_back_and_forth_gives_the_marks_of_before(term):
    """Rescaled twice, nobody's mark has wandered by more than a hundredth."""
    for worth in (4, 3):
        term.mend(points(worth))
        term.grade(write_changes=True)
    assert {name: mark for name, (mark, _) in term.marks().items()} == pytest.approx(
        {name: mark for name, (mark, _) in BEFORE.items()}, abs=0.01
    )


def test_an_exercise_that_comes_after_marks_were_given(term, monkeypatch):
    """nbgrader refuses that; here it waits for a word, and all marks by hand of other exercises stay."""
    term.with_treble(monkeypatch)
    term.mend(add_treble)
    _, changes = term.grade()
    assert {line.rpartition(": ")[2] for line in describe_changes(changes)} == {"treble is new"}
    assert term.marks() == BEFORE
    term.grade(write_changes=True)
    assert term.marks() == {name: (mark, 10) for name, (mark, _) in BEFORE.items()}
    late = answer_in(term.download(), RIGHT)
    cell_of(late, "treble").source = "def treble(x):\n    return 3 * x"
    term.hand_in("ada", "flo", notebook=late)
    term.grade(write_changes=True)
    assert {name: term.marks()[name] for name in ("ada", "cy", "flo")} == {
        "ada": (10, 10),
        "cy": (2, 10),
        "flo": (10, 10),
    }
    with Gradebook(term.room.database, COURSE_ID) as book:
        assert book.find_comment("treble", CHAPTER, CHAPTER, "flo").auto_comment == "Right."
        assert book.find_source_cell("treble", CHAPTER, CHAPTER).source == cell_of(term.download(), "treble").source


def test_an_exercise_that_goes_after_marks_were_given(term, monkeypatch):
    """Marks are dropped with a word only, those by hand and comments by name, and nothing is left in the gradebook."""
    term.with_treble(monkeypatch)
    term.mend(add_treble)
    term.grade(write_changes=True)
    term.mark_by_hand("ben", 5, "treble")
    term.comment_by_hand("ben", "Nearly:\nthink of 3.", "treble")
    term.package = "mini_checks"
    term.mend(take_treble_out)
    _, changes = term.grade()
    assert f"ben {CHAPTER}: treble by hand 5 of 7 -> dropped: the exercise was removed" in describe_changes(changes)
    comment = f"ben {CHAPTER}: treble, comment by hand “Nearly: think of 3.” -> dropped: the exercise was removed"
    assert comment in describe_changes(changes)
    assert term.marks()["ben"] == (5, 10)
    term.grade(write_changes=True)
    assert term.marks() == BEFORE
    with Gradebook(term.room.database, COURSE_ID) as book:
        notebook = book.find_notebook(CHAPTER, CHAPTER)
        for cells in (notebook.grade_cells, notebook.solution_cells, notebook.source_cells):
            assert not [cell.name for cell in cells if "treble" in cell.name]
