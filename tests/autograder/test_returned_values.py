"""Numbers and text of other kinds become comparable where nothing is lost, and stay as they are elsewhere."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from autograder.returned_values import as_numeric, as_text


@pytest.mark.parametrize(
    ("value", "floats"),
    [
        (np.array([[Fraction(1, 4), 2], [0.5, Fraction(-3, 2)]], dtype=object), [[0.25, 2.0], [0.5, -1.5]]),
        (np.asarray(Decimal("0.125")), 0.125),
        (np.array([1 + 0j, -2 + 0j]), [1.0, -2.0]),
    ],
)
def test_returned_values_of_other_types_become_floats(value, floats):
    """Fractions, decimals and complex numbers without an imaginary part keep their values and their shape."""
    found = as_numeric(value)
    assert found.dtype == float
    assert found.tolist() == floats


@pytest.mark.parametrize(
    "value",
    [
        np.array([1 + 0j, 2 + 1e-9j]),
        np.array([Fraction(1, 2), 1j], dtype=object),
        np.array([Fraction(1, 2), "half"], dtype=object),
        np.array([10**30, 1], dtype=object),
        np.array([Fraction(10**400)], dtype=object),
        np.array([3, 5]),
    ],
)
def test_everything_else_stays(value):
    """An imaginary part, a text, and what no float or 64 bits can hold change nothing."""
    assert as_numeric(value) is value


@pytest.mark.parametrize(("values", "kind"), [([3, -5], "i"), ([True, False], "b"), ([True, 7], "i")])
def test_whole_numbers_and_truth_values_in_an_array_of_objects_get_their_type(values, kind):
    """They stay exact: no float is involved."""
    found = as_numeric(np.array(values, dtype=object))
    assert (found.dtype.kind, found.tolist()) == (kind, values)


@pytest.mark.parametrize("value", [np.str_("nothing"), np.where(True, "nothing", "leak"), np.array(["nothing"])[0]])
def test_a_single_text_of_numpy_is_a_text(value):
    """np.where and a list of names give such texts."""
    assert type(as_text(value)) is str
    assert as_text(value) == "nothing"


@pytest.mark.parametrize("value", [np.array(["nothing"]), np.float64(1), "nothing", None, ("nothing",)])
def test_what_is_no_single_text_of_numpy_stays(value):
    """Several texts, numbers and Python's own are left alone."""
    assert as_text(value) is value


def test_texts_of_numpy_in_a_list_become_texts():
    """So do those in its pairs; a list without them is the same list."""
    found = as_text([np.str_("lo"), (np.str_("l"), "o")])
    assert found == ["lo", ("l", "o")]
    assert [type(found[0]), type(found[1][0])] == [str, str]
    own = ["lo", ("l", "o")]
    assert as_text(own) is own
    endless = ["lo"]
    endless.append(endless)
    assert as_text(endless) is endless
