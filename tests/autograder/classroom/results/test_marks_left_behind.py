"""Marks by hand stay in their gradebook: where a submission was moved away from them, one line says so, once."""

import json
import shutil

import pytest
from nbgrader.api import Gradebook

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results.records import RESULT, RUN
from autograder.course.course import COURSE_ID
from autograder.runs.class_run import ClassRun
from tests.support.hand_in import CHAPTER


@pytest.fixture
def grades(assignment):
    """Grade a class, and return the lines about submissions that were graded elsewhere."""

    def lines(room, **settings):
        run = ClassRun(room, [assignment], seed=7, **settings)
        list(run)
        return [note for note in run.notes if "graded before" in note]

    return lines


@pytest.fixture
def half(graded_once, tmp_path, grades):
    """A part of the graded class, with a gradebook of its own."""

    def copied(name, *students):
        room = ClassRoom(tmp_path / name)
        for student in students:
            move(graded_once[0], student, room, shutil.copytree)
        grades(room)
        return room

    return copied


def move(room, student, to, how=shutil.move, login=""):
    """Move a student's folders to a class, by hand, perhaps under another login."""
    for name in ("submitted", "autograded"):
        (to.root / name).mkdir(parents=True, exist_ok=True)
        how(room.root / name / student, to.root / name / (login or student))


def by_hand(room, student, mark=None, comment=None):
    """Give a mark or write a comment as the formgrader does."""
    with Gradebook(room.database, COURSE_ID) as book:
        if mark is not None:
            book.find_grade("test_double", CHAPTER, CHAPTER, student).manual_score = mark
        book.find_comment("double", CHAPTER, CHAPTER, student).manual_comment = comment
        book.db.commit()


def edit_run(room, student, **new):
    """Change fields of a record; None removes one."""
    path = room.autograded(student, CHAPTER) / RUN
    data = {**json.loads(path.read_text()), **new}
    path.write_text(json.dumps({name: value for name, value in data.items() if value is not None}))


def test_two_halves_are_united(half, grades):
    """Marks that the record knows are named with their points, and the line comes once."""
    first, second = half("first", "ada"), half("second", "ben", "cy")
    by_hand(second, "ben", 4)
    assert grades(second) == []
    by_hand(second, "cy", 3)  # after the last grading: no file knows
    for student in ("ben", "cy"):
        move(second, student, first)
    known, unknown = grades(first)
    assert known.startswith(f"ben {CHAPTER}: graded before, but not into this gradebook")
    assert "(double 4)" in known
    assert unknown.startswith(f"cy {CHAPTER}: graded before, but not into this gradebook")
    assert "(" not in unknown
    assert grades(first) == []


def test_one_who_is_in_both_halves(half, grades):
    """The other half's folders take the place of this one's, whose gradebook knows the student, too."""
    first, second = half("first", "ada", "ben"), half("second", "ben")
    shutil.rmtree(first.root / "autograded" / "ben")
    shutil.rmtree(first.root / "submitted" / "ben")
    move(second, "ben", first)
    (line,) = grades(first)
    assert line.startswith(f"ben {CHAPTER}: ")


@pytest.mark.parametrize(("mark", "comment"), [(4, None), (None, "See me"), (None, None)])
def test_a_student_is_renamed(half, grades, mark, comment):
    """What people gave under the old login is looked up, and nothing is said if that is nothing."""
    room = half("first", "ada", "ben")
    by_hand(room, "ben", mark, comment)
    move(room, "ben", room, login="benoit")
    lines = grades(room)
    assert [line.startswith(f"benoit {CHAPTER}: graded before as ben: ") for line in lines] == [True] * bool(
        mark or comment
    )
    assert [("(double 4)" in line) for line in lines] == [mark is not None] * len(lines)
    assert grades(room) == []


def test_a_record_of_an_earlier_version(half, grades):
    """It names no gradebook: of one that has no mark here it is said, and of others nothing."""
    first, second = half("first", "ada"), half("second", "ben")
    edit_run(first, "ada", origin=None)
    edit_run(second, "ben", origin=None)
    move(second, "ben", first)
    (line,) = grades(first)
    assert line.startswith(f"ben {CHAPTER}: ")
    assert grades(first) == []


def test_a_whole_class_is_moved_with_its_gradebook(half, grades, tmp_path):
    """Nothing stays behind, so nothing is said."""
    room = half("first", "ada", "ben")
    by_hand(room, "ben", 4)
    assert grades(ClassRoom(shutil.move(room.root, tmp_path / "moved"))) == []


def test_what_a_student_hands_in_beside_the_notebook_says_nothing(half, grades):
    """Records are those that we wrote, wherever a student's own files say that they come from."""
    room = half("first", "ada", "ben")
    origin = {"student": "ada", "gradebook": "another", "by_hand": {"double": 10.0}}
    for name in (RESULT, RUN):
        record = json.loads((room.autograded("ben", CHAPTER) / name).read_text())
        text = json.dumps({**record, "student": "ada", "origin": origin})
        (room.submitted("ben", CHAPTER) / name).write_text(text)
    assert grades(room) == []


def test_a_hand_in_without_a_notebook_has_no_mark_anywhere(half, grades):
    """It is in no gradebook, which is no move, neither then nor when its notebook comes."""
    room = half("first", "ada")
    room.submitted("ben", CHAPTER).mkdir(parents=True)
    assert grades(room) == grades(room) == []
    shutil.copy(room.notebook("ada", CHAPTER), room.notebook("ben", CHAPTER))
    assert grades(room) == []
