"""What a wrong answer does is described last of all, and nothing that counts or is shown hangs on it."""

import json
import shutil

import numpy as np
import pytest

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results.load import load_results
from autograder.diagnosis.as_arrays import as_arrays
from autograder.diagnosis.compare import Answer
from autograder.grading.fingerprint import behaviour, name_edges, shared_questions, traits_of
from autograder.pages.feedback import feedback
from autograder.pages.unlisted_answers import group_unlisted
from autograder.runs.class_run import ClassRun
from autograder.sandbox.inside.protocol import Foreign
from tests.support.patience import brief

CHAPTER = "01_doubling"
ONE_MORE = "def double(x):\n    return 2 * x + 1"
RIGHT = Answer(np.ones((3, 5)))


@pytest.mark.parametrize(
    ("source", "is_described"),
    [
        ("def double(x):\n    return x + x", False),
        ("def double(x):\n    return x ** 2", False),
        ("def double(x):\n    raise NotImplementedError()", False),
        ("double_it = 2", False),
        (ONE_MORE, True),
        ("def double(x):\n    raise ValueError('no')", True),
    ],
    ids=["right", "listed", "stub", "no function", "unlisted", "error"],
)
def test_only_what_no_list_names_is_described(grade, answered, source, is_described):
    """What is right, listed, left out or not there is not asked once more, and its record is as it always was."""
    result = grade(answered(source))
    assert list(result.behaviours) == (["double"] if is_described else [])
    assert ("behaviours" in result.as_record()) is is_described
    assert "behaviours" not in result.as_dict()


# In its own copy of the notebook a wrong answer is asked the worked example, then the rest, then what all are asked.
COUNTED = """calls = []
def double(x):
    calls.append(1)
    if len(calls) > {before}:
        {then}
    return 2 * x + 1"""


@pytest.mark.parametrize("then", ["import os; os._exit(3)", "while True: pass", "return bytearray(1 << 40)"])
def test_what_happens_in_the_last_questions_costs_nothing(grade, answered, assignment, then):
    """Who ends Python, loops or asks for all memory there has the mark, status and message of who does not."""
    plain = grade(answered(ONE_MORE))
    before = len(shared_questions(assignment.exercises["double"], 0)[1])
    result = grade(answered(COUNTED.format(before=before, then=then)), max(1.0, brief()))
    assert plain.behaviours != result.behaviours  # it did happen
    assert result.verdicts == plain.verdicts
    assert (result.status, result.score) == (plain.status, plain.score)


def described(exercise, answer):
    """What is described of a function, asked here."""
    _, questions = shared_questions(exercise, 0)
    with np.errstate(all="ignore"):
        return behaviour(exercise, 0, [Answer(answer(*question.case.args)) for question in questions])


def test_the_same_answers_are_described_alike(assignment):
    """A list for an array and another way of rounding make no difference; another number, order or NaN does."""
    exercise = assignment.exercises["double"]
    plain = described(exercise, lambda x: 2 * x + 1)
    for answer in (lambda x: (2 * x + 1).tolist(), lambda x: (x - (-x - 1)) * (1 + 1e-12)):
        found = described(exercise, answer)
        assert found["kind"] == plain["kind"]
        np.testing.assert_allclose(found["numbers"], plain["numbers"], rtol=1e-5)
    for answer in (lambda x: 2 * x + 2, lambda x: (2 * x + 1)[::-1], lambda x: np.sqrt(-1 - x * x)):
        found = described(exercise, answer)
        assert found["kind"] != plain["kind"] or found["numbers"] != plain["numbers"]


def test_edges_are_named_when_some_are_right():
    """One or several, each once; if all are wrong or all are right, no name helps."""
    assert name_edges([("no words", "It is 0."), ("no words", "It is 0."), ("one word", "")]) == (
        "the edge “no words”",
        "the other edges",
    )
    assert name_edges([("no words", "It is 0."), ("one word", "It is 1."), ("equal words", "")]) == (
        "the edges “no words”, “one word”",
        "the other edges",
    )
    assert name_edges([("no words", "It is 0."), ("one word", "It is 1.")]) == ("the edges", "")
    assert name_edges([("no words", ""), ("one word", "")]) == ("", "the edges")


def test_where_and_what_is_said_without_numbers_of_hidden_inputs(assignment):
    """Of the worked example the numbers are told; of hidden inputs no more than students' own messages tell."""
    exercise = assignment.exercises["double"]
    found = described(exercise, lambda x: 2 * x + 1)
    assert found["where"] == "Wrong: the worked example, unseen inputs. Right: the edges."
    assert found["what"] == "`twice` differs in entries 0 and 1 (of 2): `twice[0]` is 5, expected 4 (two and three)."
    found = described(exercise, lambda x: 2 * x if x.shape == (2,) else 3 * x)
    assert (
        found["where"] == "Wrong: unseen inputs, the edge “large numbers”. Right: the worked example, the other edges."
    )
    assert found["what"] == "`twice` differs in every number."


ODD = [
    *(None, "Ada", True, 1 << 62, float("nan"), -np.inf, [], [[1.0], [2.0, 3.0]], ["a", ["b", None]], (1.0, "a", None)),
    *({"b": 1, "a": [2, 3]}, {"c": {"d": None}}, np.array([]), np.zeros((0, 3)), np.full((2, 3), 1e308)),
    *(np.array([np.nan, np.inf, -np.inf, 0.0]), np.array([[True, False]]), np.float32(3.5), Foreign("function")),
]


@pytest.mark.parametrize("right", [RIGHT, Answer((np.ones(3), np.ones(2))), Answer({"a": 1}), Answer("text")], ids=repr)
def test_whatever_comes_back_can_be_described(right):
    """Each value that can come out of a sandbox has traits that are plain data, and all its numbers are finite."""
    for value in ODD:
        answer = as_arrays(Answer(value), right)
        kinds, found = traits_of(answer, right)
        assert repr(kinds) == repr(traits_of(answer, right)[0])
        assert np.isfinite(found).all()
        assert json.loads(json.dumps(found)) == found


def test_errors_agree_by_type_and_by_what_did_not_meet():
    """Another wording of an error is the same; another type, or other lengths, are not."""
    said = [
        ("ValueError", "matmul: Input operand 1 has a mismatch in its core dimension 0 (size 3 is different from 2)"),
        ("ValueError", "shapes (5,2) and (3,4) not aligned: 2 (dim 1) != 3 (dim 0)"),
        ("ValueError", "shapes (5,2) and (5,4) not aligned: 2 (dim 1) != 5 (dim 0)"),
        ("TypeError", "Ada was here"),
    ]
    first, same, lengths, kind = (traits_of(Answer(error=error), RIGHT)[0] for error in said)
    assert first == same
    assert len({first, lengths, kind}) == 3
    assert "Ada" not in repr(kind)


def test_the_same_bytes_serially_and_in_parallel(classroom, assignment, submit, answered, tmp_path):
    """Two processes describe what one does, to the byte, and two spellings of one bug are one row."""
    submit("ada", answered(ONE_MORE))
    submit("ben", answered("import numpy as np\ndef double(x):\n    return np.add(np.add(x, x), 1)"))
    submit("cy", answered())
    again = ClassRoom(tmp_path / "again")
    shutil.copytree(classroom.root / "submitted", again.root / "submitted")
    list(ClassRun(classroom, [assignment], seed=7))
    list(ClassRun(again, [assignment], jobs=2, seed=7))
    for student in ("ada", "ben", "cy"):
        one, other = (room.autograded(student, CHAPTER) / "result.json" for room in (classroom, again))
        assert one.read_bytes() == other.read_bytes()
    (found,) = group_unlisted(load_results(classroom, assignment))
    assert found["students"] == ["ada", "ben"]


def test_no_student_sees_a_description(classroom, assignment, submit, answered):
    """The description is in result.json only: not in the feedback page, the marks or the graded notebook."""
    submit("ada", answered(ONE_MORE))
    list(ClassRun(classroom, [assignment], seed=7))
    path = classroom.autograded("ada", CHAPTER) / "result.json"
    data = json.loads(path.read_text())
    known = data["behaviours"]["double"]
    data["behaviours"]["double"] = known | {"where": "CANARY-WHERE", "what": "CANARY-WHAT"}
    path.write_text(json.dumps(data))
    feedback(classroom, assignment)
    for found in classroom.root.rglob("*"):
        if found.is_file() and found != path:
            content = found.read_bytes()
            assert b"CANARY-W" not in content
            assert known["kind"].encode() not in content
