"""Comparisons in which NaN fails, and errors that are recognised in every version's words."""

import numpy as np
import pytest

from autograder.diagnosis.compare import Answer, ask, close, recognise, same


def test_nan_and_infinity_pass_only_as_they_should():
    """NaN agrees with nothing, infinity with itself alone."""
    answer, expected = np.array([np.nan, 1, np.inf, -np.inf, 1]), np.array([np.nan, np.nan, np.inf, np.inf, np.inf])
    np.testing.assert_array_equal(close(answer, expected), [False, False, True, False, False])


def test_a_wrong_answer_may_be_named_by_its_nan():
    """When a mistake is looked for, NaN agrees with NaN."""
    assert close(np.array([np.nan]), np.array([np.nan]), nan_equal=True).all()


@pytest.mark.parametrize(
    ("answer", "expected", "agree"),
    [
        (np.array([1.0, 2.0]) * (1 + 1e-7), np.array([1.0, 2.0]), True),
        (np.array([1.0, 2.0]) * (1 + 1e-5), np.array([1.0, 2.0]), False),
        (np.array([1.0, 1e-6]), np.array([1.0, 0.0]), True),
        (np.array([1.0, 1e-5]), np.array([1.0, 0.0]), False),
        (np.array([np.inf, 1e-5]), np.array([np.inf, 0.0]), False),
        (np.float32(0.1), np.array(0.1), True),
        ([1.0, 2.0], np.array([1.0, 2.0]), True),
        (np.array([1, 2]), np.array([1.0, 2.0]), True),
        (np.array([[1.0, 2.0]]), np.array([1.0, 2.0]), False),
        (np.array([True, False]), np.array([1.0, 0.0]), False),
        (np.array(["1", "2"]), np.array([1.0, 2.0]), False),
        (np.array([1.0, None]), np.array([1.0, 2.0]), False),
        ([[1.0], [2.0, 3.0]], np.array([1.0, 2.0]), False),
        (np.array([1 + 0j, 2]), np.array([1.0, 2.0]), True),
        (np.array([1 + 1j, 2]), np.array([1.0, 2.0]), False),
        ([np.zeros(2), 1.0], (np.zeros(2), 1.0), True),
        (np.zeros((2, 3)), (np.zeros(3), np.zeros(3)), False),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, True),
        ({"b": 2, "a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 2, "b": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([("a", 1), ("b", 2)], {"a": 1, "b": 2}, False),
        (["a", "b"], ("a", "b"), True),
        (["a"], ["b"], False),
        (True, 1.0, False),
        (["text"] * 3, np.zeros(3), False),
        ([2**70], np.zeros(1), False),
        (None, 0.0, False),
        ("yes", "yes", True),
    ],
)
def test_values_agree_in_structure_shape_and_number(answer, expected, agree):
    """Lists count as arrays, booleans and text do not count as numbers, and shapes are never stretched."""
    assert same(answer, expected) is agree


class Always(np.ndarray):
    """An array that says yes to every question."""

    def __eq__(self, other):
        return np.True_

    def __array_function__(self, function, types, args, kwargs):
        return True


def test_errors_are_recognised_by_type_and_words():
    """Two answers are the same error when type and message agree."""
    left = ask(lambda x, w: w @ x, (np.zeros((5, 7)), np.zeros((7, 3))), {})
    assert recognise([left], [("a", [Answer(error=("ValueError", "other"))]), ("b", [left])]) == "b"
    assert recognise([left], [("a", [Answer(value=np.zeros(3))])]) is None


@pytest.mark.parametrize(
    ("here", "there"),
    [
        (("ValueError", "too many values to unpack (expected 2)"), "too many values to unpack (expected 2, got 3)"),
        (("ZeroDivisionError", "0.0 cannot be raised to a negative power"), "zero to a negative power"),
        (("TypeError", "Cannot cast from dtype('int64')"), "Cannot cast from dtype('int32')"),
    ],
)
def test_an_error_is_recognised_in_another_pythons_words(here, there):
    """Python 3.14 words some errors otherwise, and whole numbers of 32 bits some more; other errors stay others."""
    known = [("it", [Answer(error=here)])]
    assert recognise([Answer(error=(here[0], there))], known) == "it"
    assert recognise([Answer(error=("KeyError", there))], known) is None
    assert recognise([Answer(error=("ValueError", "too many values to unpack (expected 3, got 4)"))], known) is None


@pytest.mark.parametrize(
    ("here", "in_numpy_1"),
    [
        (
            ("ValueError", "Shape of weights must be consistent with shape of a along specified axis."),
            ("TypeError", "1D weights expected when shapes of a and weights differ."),
        ),
        (
            (
                "IndexError",
                "boolean index did not match indexed array along axis 1; size of axis is 2 but size of corresponding "
                "boolean axis is 1",
            ),
            (
                "IndexError",
                "boolean index did not match indexed array along dimension 1; dimension is 2 but corresponding boolean "
                "dimension is 1",
            ),
        ),
    ],
)
def test_an_error_is_recognised_in_the_words_of_numpy_1(here, in_numpy_1):
    """NumPy 2 says it in other words, once with another type; other lengths are another error."""
    known = [("it", [Answer(error=here)])]
    assert recognise([Answer(error=in_numpy_1)], known) == "it"
    assert recognise([Answer(error=(in_numpy_1[0], in_numpy_1[1].replace("1", "3")))], known) is None
