"""What a demo is given in Python: each kind of trait refuses what it cannot be, and says what it expected."""

import numpy as np
import pytest
from demos.shared import traits
from demos.shared.traits import Curves
from traitlets import HasTraits, TraitError

INF, NAN = float("inf"), float("nan")
# Each kind, and what it refuses.
KINDS = [
    (traits.Choice("a", ["a", "b"]), ["c", 3, None]),
    (traits.Switch(False), ["no", 1]),
    (traits.Letters("AABA", "AB", 12), ["ABC", "", "A" * 13]),
    (traits.Number(1, 0, 12), [NAN, -1, 12.1, True, "1"]),
    (traits.Point((2, 0), -1, 3), [[1, 2, 3], [[1, 1], [1, 1]], np.ones(5), np.array(2.0), 1, None, "10", ["1", "0"]]),
    (traits.Point((2, 0), -1, 3), [(NAN, 0), np.array([0, INF]), [0, -1.01], [3.01, 0], (np.int8(-128), 0)]),
    (traits.Point((2, 0), -1, 3), [[True, False], np.array([True, False])]),
    (traits.PowerOfTwo(4, 1024), [3, 0, 4.0, True, 2048]),
    (traits.Index(0), [-1, 0.9, 1.0, True]),
    (traits.Indices([]), [[1, 0], [True], [-1], [0, 0]]),
    (traits.Permutation([0]), [[1, 1], [True, False], [0.0, 1.0], "10"]),
    (traits.Matrix(), [np.ones((2, 3, 1)), np.ones(16), [[1, 2], [3]], [[1, INF]] * 3, [[0, NAN]]]),
    (traits.Mask(), [np.ones((2, 2), dtype=int), [[True], [True, False]]]),
    (traits.Words(), ["ab", [""] * 5, []]),
    (traits.Lines(("a", "b", "c"), 3, 120), [["a", "b"], "abc", ["a", "b", 3], ["a", "b", "c" * 121]]),
]


@pytest.mark.parametrize(("trait", "wrong"), KINDS, ids=lambda value: type(value).__name__)
def test_each_kind_refuses_what_it_cannot_be(trait, wrong):
    """One message: the trait, what was expected, what came and what to write; a truth value is no number."""
    given = type("Given", (HasTraits,), {"one": trait})()
    for value in wrong:
        with pytest.raises(TraitError, match=r"^expected one as .*, got .*: "):
            given.one = value


LINES = {"scaled": [[1, 4.9], [600, 0.004]], "unscaled": [[1, 4.9], [600, 0.152]]}


class Given(HasTraits):
    """Something that is given curves."""

    curves = Curves(names=("scaled", "unscaled"), longest=400)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"scaled": LINES["scaled"]}, r'with the names "scaled" and "unscaled", got \[.scaled.\]: write curves=\{\}'),
        (LINES | {"both": LINES["scaled"]}, "got .*both"),
        ([[1, 2], [2, 1]], r"curves as a dict with the names .*, got \[\[1, 2\], \[2, 1\]\]: write curves="),
        (np.ones((2, 2)), r"a dict with the names .*, got an array of shape \(2, 2\)"),
        (0, "a dict with the names .*, got 0"),
    ],
)
def test_curves_have_the_names_that_were_agreed(wrong, message):
    """One line too few or too many, or no names at all, are told which names are expected."""
    with pytest.raises(TraitError, match=message):
        Given(curves=wrong)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ([4.9, 3.2], r'curves as pairs of numbers for "scaled", got \[4.9, 3.2\]: pass \[\[1, 4.9\]'),
        ([[1, 2], [3]], 'curves as pairs of numbers for "scaled"'),
        ([["1", "2"], ["3", "4"]], 'curves as pairs of numbers for "scaled"'),
        (None, 'curves as pairs of numbers for "scaled", got None'),
        ([[1, 2]], 'curves as 2 to 400 points for "scaled", got 1: pass more steps, or thin them out'),
        ([[i, 2] for i in range(401)], '2 to 400 points for "scaled", got 401'),
        ([[1, 2], [3, 2], [3, 1]], 'curves as steps that increase from 0 on for "scaled", got 3 in row 2: sort them'),
        ([[-1, 2], [3, 2]], "steps that increase from 0 on .*, got -1 in row 0"),
        ([[1, 2], [np.inf, 2]], "steps that increase .*, got inf in row 1"),
        ([[1, 2], [np.nan, 2]], "steps that increase .*, got nan in row 1"),
        ([[1, 2], [3, 0]], 'losses above 0 for "scaled", got 0 in row 1: leave out those that have no logarithm'),
        ([[1, np.nan], [3, 1]], "losses above 0 .*, got nan in row 0"),
        ([[1, np.inf], [3, 1]], "losses above 0 .*, got inf in row 0"),
    ],
)
def test_a_line_has_increasing_steps_and_losses_with_a_logarithm(line, message):
    """Each point that cannot be drawn is named with its row, and what to do about it."""
    with pytest.raises(TraitError, match=message):
        Given(curves=LINES | {"scaled": line})


def test_curves_are_lists_of_four_digits_or_nothing():
    """Arrays and tuples are lines too, up to 400 points; None and {} are no lines."""
    line = np.column_stack([np.arange(400), np.full(400, 0.123456)])
    given = Given(curves={"unscaled": ((0, 12345), (1, 1e-9)), "scaled": line})
    assert given.curves["scaled"][::399] == [[0, 0.1235], [399, 0.1235]]
    assert given.curves["unscaled"] == [[0, 12340], [1, 1e-9]]
    for none in (None, {}):
        given.curves = none
        assert given.curves == {}
    assert Given().curves == {}
