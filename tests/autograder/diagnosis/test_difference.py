"""How an answer differs, in words that a learner can use."""

import numpy as np
import pytest

from autograder.diagnosis.compare import Answer, same
from autograder.diagnosis.difference import OF_A_NEGATIVE, several, told_apart, written
from autograder.diagnosis.rules import problem
from autograder.sandbox.inside.protocol import Foreign


@pytest.mark.parametrize(
    ("value", "unseen", "shown"),
    [
        (None, "returns nothing: is a `return` missing?", "returns nothing: is a `return` missing?"),
        (np.zeros((5, 3)), "gives one result, expected 2: return `output, weights`, in this order", "gives one result"),
        ((np.zeros(3),), "gives fewer than the 2 results that are expected", "gives 1 result, expected 2"),
        (tuple(np.zeros((86, 3))), "gives more than the 2 results that are expected", "gives 86 results, expected 2"),
        (
            (np.zeros((3, 5)), np.zeros((5, 7))),
            "`output` has the right number of axes, but not all of the right length",
            "`output` has shape `(3, 5)`, expected shape `(5, 3)`",
        ),
        (
            (np.zeros((86, 75, 87, 0)), np.zeros((5, 7))),
            "`output` has too many axes: follow the shapes line by line",
            "`output` has shape `(86, 75, 87, 0)`",
        ),
        (
            (np.ones((5, 3)), 2.0),
            "`weights` has too few axes",
            "`weights` has shape `()`, expected shape `(5, 7)`: a sum,",
        ),
        (
            (np.ones((5, 3)), "weights"),
            "`weights` is a str, expected numbers",
            "`weights` is a str, expected shape `(5, 7)`",
        ),
        (
            (np.ones((5, 3)), np.ones((5, 7), dtype=bool)),
            "`weights` holds True and False, expected numbers",
            "`weights` holds True and False, expected numbers",
        ),
        (
            (np.ones((5, 3)), np.full((5, 7), np.nan)),
            "`weights` holds NaN: look for",
            "`weights` holds NaN in rows 0, 1, 2, 3 and 1 more (of 5): look for",
        ),
        (
            (np.full((5, 7), 0.123456), np.ones((5, 3))),
            "gives the right results in the wrong order",
            "gives the right results in the wrong order",
        ),
        (
            (np.ones((5, 3)) + 1e-4, np.full((5, 7), 0.123456)),
            "`output` is right only to a few decimals: look for rounding",
            "`output` is right only to a few decimals: look for rounding",
        ),
        (
            (np.ones((5, 3)), np.eye(5, 7)),
            "`weights` differs in every number",
            "`weights` differs in rows 0, 1, 2, 3 and 1 more (of 5)",
        ),
        (
            (np.ones((5, 3)) * np.array([1, 2, 1]), np.full((5, 7), 0.123456)),
            "`output` differs in some of its numbers",
            "`output` differs in rows 0, 1, 2, 3 and 1 more (of 5)",
        ),
    ],
)
def test_a_problem_names_shapes_and_places_of_worked_examples_alone(value, unseen, shown):
    """Of unseen inputs only fixed words are said: no number, shape, count or place that an answer chooses."""
    expected = Answer(value=(np.ones((5, 3)), np.full((5, 7), 0.123456)))
    said = problem(Answer(value=value), expected, (), "equals", ("output", "weights"))
    assert said.startswith(unseen)
    assert "0.123" not in said
    visible = problem(Answer(value=value), expected, (), "equals", ("output", "weights"), visible=True)
    assert visible.startswith(shown)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (np.array(["1", "2"]), "an array of text"),
        (np.array([1, None]), "an array of objects"),
        (np.array([1, 2], dtype="datetime64[D]"), "an array of objects"),
        ([1, "2"], "a list"),
    ],
)
def test_what_holds_no_real_numbers_is_named(value, kind):
    """It is said what the answer is, and what is wanted instead."""
    said = problem(Answer(value=value), Answer(value=np.ones(2)), (), "equals", ("x",), visible=True)
    assert said == f"`x` is {kind}, expected shape `(2,)`: return real numbers that NumPy can hold"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (np.array([1, 2 + 1j]), "an array of complex numbers"),
        (2 + 1j, "a complex number"),
        (np.complex64(1j), "a complex number"),
        (Foreign("complex"), "a complex number"),
    ],
)
def test_what_is_complex_is_told_where_it_comes_from(value, kind):
    """Nearly always, it is a power of a negative number."""
    said = problem(Answer(value=value), Answer(value=np.ones(2)), (), "equals", ("x",), visible=True)
    assert said == f"`x` is {kind}, expected shape `(2,)`: {OF_A_NEGATIVE}"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("yes", "`x` is a str, expected True or False: return True or False, without quotation marks"),
        ([None], "`x` is a list, expected True or False: return True or False"),
        (
            np.array([True, False]),
            "`x` has shape `(2,)`, expected True or False: return one True or False, not an array",
        ),
        (1.0, "`x` is a number, expected True or False"),
    ],
)
def test_what_is_neither_true_nor_false_is_named(value, said):
    """Where True or False is wanted, no number is asked for."""
    assert problem(Answer(value=value), Answer(value=True), (), "equals", ("x",), visible=True) == said


def test_an_array_of_text_is_compared_with_another():
    """Two draws of text that are equal are not called random, and the comparison itself does not fail."""
    assert same(np.array(["a", "b"]), np.array(["a", "b"]))
    assert not same(np.array(["a", "b"]), np.array(["a"]))


@pytest.mark.parametrize("uncalled", [np.ones(2).sum, np.sqrt, np.sum, np.linalg.norm, len, "".join, lambda: 1, float])
def test_a_function_that_was_not_called_is_named(uncalled):
    """`return x.sum` returns the method: its parentheses are missing."""
    said = problem(Answer(value=uncalled), Answer(value=np.ones(2)), (), "equals", ("x",))
    assert said == "`x` is a function that was not called, expected numbers: are its parentheses missing?"


@pytest.mark.parametrize("kind", ["map", "zip", "generator", "range", "dict_values"])
def test_what_only_gives_numbers_one_by_one_is_named(kind):
    """What a loop would go through is no array yet; from the sandbox, its name alone arrives."""
    values = {"map": map(float, [1]), "zip": zip([1]), "range": range(2), "dict_values": {1: 2.0}.values()}
    value = values.get(kind, (number for number in [1.0]))
    for answer in (value, Foreign(kind)):
        said = problem(Answer(value=answer), Answer(value=np.ones(2)), (), "equals", ("x",))
        assert said == f"`x` is a {kind}, expected numbers: make it an array, `np.array(list(…))`"


@pytest.mark.parametrize(
    ("got", "wanted", "shown", "unseen"),
    [
        (True, False, "is True, expected False", "is not the expected answer"),
        ([[True, False]], [[True, True]], "differs in row 0 (of 1): `x[0, 1]` is False, expected True",
         "differs in some of its entries"),
        ([True, False], [False, True], "differs in entries 0 and 1 (of 2): `x[0]` is True, expected False",
         "differs in every entry"),
        (3.0, 4.0, "is 3, expected 4", "is not the expected number"),
        (1.0, True, "is a number, expected True or False", "is a number, expected True or False"),
        ([1.0, 0.0], [True, False], "holds numbers, expected True and False", "holds numbers, expected True and False"),
    ],
)  # fmt: skip
def test_true_and_false_are_not_called_numbers(got, wanted, shown, unseen):
    """A truth is named as Python names it; of a single value nothing is said but what it is."""
    said = [
        problem(Answer(value=np.array(got)), Answer(value=np.array(wanted)), (), "equals", ("x",), visible=visible)
        for visible in (True, False)
    ]
    assert said == [f"`x` {shown}", f"`x` {unseen}"]


def test_a_worked_example_shows_its_numbers():
    """What is visible anyway is compared in numbers: the entry that differs most, got and expected."""
    expected = Answer(value=np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
    answer = Answer(value=np.array([[1.0, 2.0], [3.0, 7.5], [5.0, 6.0]]))
    said = problem(answer, expected, (), "equals", ("x",), visible=True)
    assert said == "`x` differs in row 1 (of 3): `x[1, 1]` is 7.5000, expected 4.0000"
    index = problem(Answer(value=np.array([0, 1])), Answer(value=np.array([1, 1])), (), "equals", ("i",), visible=True)
    assert index == "`i` differs in entry 0 (of 2): `i[0]` is 0, expected 1"
    endless = problem(
        Answer(value=np.array([np.inf])), Answer(value=np.array([2.0])), (), "equals", ("x",), visible=True
    )
    assert endless.endswith("is inf, expected 2.0000")
    one = problem(Answer(value=np.array([2.0])), Answer(value=1.0), (), "equals", ("beta",), visible=True)
    assert one == "`beta` has shape `(1,)`, expected one number: return one number, not an array"


@pytest.mark.parametrize(
    ("got", "wanted", "said"),
    [
        ([1.00004, 0.5, 9.0], [1.0, 0.25, 9.0], "`x[1]` is 0.5000, expected 0.2500"),  # not the first, but the farthest
        ([3.0, 1.5, 0.7], [2.0, 2.5, 0.7], "`x[0]` is 3, expected 2"),  # of two equally far, the first
        ([0.3 - 0.1, 0.1 + 0.2], [0.1, 0.2], "`x[0]` is 0.2000, expected 0.1000"),  # rounding makes none the farther
        ([1.0005, 70.0, 3.0], [1.0, 70.0, 3.0], None),  # so near that "a few decimals" is said instead
        ([5.0, np.inf, -np.inf], [2.0, 4.0, 7.0], "`x[1]` is inf, expected 4.0000"),
        ([np.inf, 3.5], [-np.inf, 1.0], "`x[0]` is inf, expected -inf"),
    ],
)
def test_the_entry_that_differs_most_is_shown(got, wanted, said):
    """Of the entries of a worked example the one that tells most is named."""
    shown = problem(Answer(value=np.array(got)), Answer(value=np.array(wanted)), (), "equals", ("x",), visible=True)
    assert shown.endswith(said or "look for rounding, or for a small number that is added")


@pytest.mark.parametrize(
    ("got", "wanted", "said"),
    [
        (1.0, 2.0, ("1", "2")),
        (1.0, 1.5, ("1.0000", "1.5000")),
        (1.00001, 1.00004, ("1.000010", "1.000040")),
        (1e-9, 3e-9, ("0.0000000010", "0.0000000030")),
        (1e-30, 3e-30, ("1e-30", "3e-30")),
    ],
)
def test_two_numbers_that_differ_are_never_written_alike(got, wanted, said):
    """Decimals are added until they show the difference."""
    assert told_apart(np.float64(got), np.float64(wanted)) == said


def test_arguments_are_written_as_one_would_type_them():
    """A base of ten thousand is 10000, not 1e+04."""
    assert [written(value) for value in (10000, 1e-5, 0.123456, "mean")] == ["10000", "1e-05", "0.1235", "'mean'"]


def test_numbers_in_words():
    """One, two, several, and many."""
    assert [several(list(range(n))) for n in (1, 2, 3, 9)] == ["0", "0 and 1", "0, 1 and 2", "0, 1, 2, 3 and 5 more"]


def test_a_whole_number_is_whole_on_every_machine():
    """Rounding in the last bit of a sum does not turn 0 and -1 into 0.0000 and -1.0000."""
    assert told_apart(np.float64(0.0), np.float64(-1 + 2e-16)) == ("0", "-1")
    assert told_apart(np.float64(-1e-17), np.float64(3.0)) == ("0", "3")
    assert told_apart(np.float64(0.5), np.float64(-1 + 2e-16)) == ("0.5000", "-1.0000")


def test_a_number_where_0_is_expected_is_shown_and_not_called_rounded():
    """e^-10 at a place that a mask hides is no rounding of 0: both numbers are shown."""
    weights = np.array([[0.9999546, 0.0000454], [0.5, 0.5]])
    right = Answer(value=np.array([[1.0, 0.0], [0.5, 0.5]]))
    said = problem(Answer(value=weights), right, (), "equals", ("weights",), visible=True)
    assert said.startswith("`weights` differs in row 0 (of 2): `weights[0, 0]` is 0.999955, expected 1.000000")
