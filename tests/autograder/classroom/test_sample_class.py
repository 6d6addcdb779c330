"""The synthetic class holds what it says, and the same seed gives the same class."""

import shutil

import pytest

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.forgeries import FORGERIES
from autograder.classroom.sample_class import BROKEN_KINDS, ROUND, sample_class
from autograder.errors import UsageError
from autograder.runs.class_run import ClassRun

CHAPTER = "04_query_key_value"


@pytest.fixture(scope="module")
def assignment(published):
    """Chapter 4 as it is."""
    return published.assignment(CHAPTER)


@pytest.fixture(scope="module")
def sample(assignment, tmp_path_factory):
    """One student of each kind out of a round, graded: what each is, and what each got."""
    classroom = ClassRoom(tmp_path_factory.mktemp("sample"))
    kinds = sample_class(assignment, classroom, len(ROUND), seed=3)
    first = {kind.split(":")[0]: student for student, kind in reversed(kinds.items())}
    for student in set(kinds) - set(first.values()):
        shutil.rmtree(classroom.root / "submitted" / student)
    return kinds, dict(ClassRun(classroom, [assignment]))


def of_kind(sample, kind):
    """Return the results of one kind of student."""
    kinds, results = sample
    return [(kinds[student], result) for student, result in results.items() if kinds[student].startswith(kind)]


def test_the_right_ones_get_full_marks(sample):
    """Nobody who is right loses a point."""
    assert {result.score for _, result in of_kind(sample, "right")} == {20}


def test_mistakes_are_named_in_real_notebooks(sample):
    """Each student's mistakes are recognised as what they are."""
    for label, result in of_kind(sample, "mistakes"):
        named = {verdict.mistake for verdict in result.verdicts}
        assert set(label.removeprefix("mistakes: ").split(", ")) <= named


def test_a_class_of_two_rounds_makes_every_mistake(assignment, tmp_path):
    """All known mistakes are dealt out, and then all tricks and all ways of breaking a notebook."""
    everything = {mistake.id for exercise in assignment.exercises.values() for mistake in exercise.mistakes}
    kinds = sample_class(assignment, ClassRoom(tmp_path), 4 * len(ROUND), seed=3).values()
    made = [kind.removeprefix("mistakes: ").split(", ") for kind in kinds if kind.startswith("mistakes")]
    assert {mistake for hand in made[: len(made) // 2] for mistake in hand} == everything
    assert {kind.removeprefix("hostile: ") for kind in kinds if kind.startswith("hostile")} == set(FORGERIES)
    assert {kind.removeprefix("broken: ") for kind in kinds if kind.startswith("broken")} == set(BROKEN_KINDS)


def test_hostile_and_broken_ones_stop_nobody(sample):
    """Forgeries and empty notebooks get 0, and every submission has an outcome."""
    assert {result.score for _, result in of_kind(sample, "hostile") + of_kind(sample, "empty")} == {0}
    assert {result.status for _, result in of_kind(sample, "empty")} == {"not_attempted"}
    assert dict(of_kind(sample, "broken"))["broken: cut_short"].status == "invalid_submission"
    assert len(sample[1]) == 6


def test_the_same_seed_gives_the_same_class(assignment, tmp_path):
    """Two classes of one seed are equal to the byte."""
    rooms = [ClassRoom(tmp_path / name) for name in ("one", "two")]
    for room in rooms:
        sample_class(assignment, room, 20, seed=5)
    one, two = ([path.read_bytes() for path in sorted(room.root.rglob("*.ipynb"))] for room in rooms)
    assert one == two


def test_a_real_class_is_left_alone(assignment, classroom):
    """Invented students never get among real ones, or over one who happens to be called like them."""
    for name in ("ana", "student0001"):
        classroom.submitted(name, CHAPTER).mkdir(parents=True)
    with pytest.raises(UsageError, match="holds a real class, such as ana: name another folder with --root"):
        sample_class(assignment, classroom, 3)
    assert not list(classroom.root.rglob("*.ipynb"))
