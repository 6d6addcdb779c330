"""Shares of a difference: worked by hand, and adding up for every kind of number, in Python and in the page."""

import numpy as np
import pytest

from attention.models import corpus, shipped_translator
from attention.models.division import division, of_product
from attention.models.explain_translator import numbers_of
from attention.models.explain_writer import numbers_of_writer
from attention.models.graph import recompute
from attention.models.made import Explained, Factor, Term
from attention.models.sides import Sides, operands
from attention.models.writer import writer
from tests.support.fuzz import tries
from tests.support.nodes import drawn
from tests.support.two_sides import PARTS, Contrast, ask_the_page

LONG, SHORT = "the bank of the river is older than the white bank in the city", "the cat sees the dog"


def made(rule, *terms, value, **more):
    """Explain a number by terms, each given by its factors."""
    terms = [
        Term(f"no. {i}", tuple(Factor(f"x:0:{i}", one) for one in factors), float(np.prod(factors)), at=i)
        for i, factors in enumerate(terms)
    ]
    return Explained(node="y:0:0", value=value, rule=rule, terms=terms, **more)


def parts(now, was):
    """Return the share of each factor of each term."""
    return [one.parts for one in division(now, was)]


def test_a_product_by_hand():
    """Δ(ab) = ā Δb + b̄ Δa; three factors: the mean of the six orders."""
    np.testing.assert_allclose(of_product(np.array([3.0, 5]), np.array([1.0, 2])), [2 * 3.5, 3 * 2])
    orders = [  # of 2 · 3 · 5 and 1 · 1 · 1: what a, b, c change in the order abc, acb, bac, bca, cab, cba
        *([1, 4, 24], [1, 20, 8], [3, 2, 24], [15, 2, 12], [5, 20, 4], [15, 10, 4]),
    ]
    np.testing.assert_allclose(of_product(np.array([2.0, 3, 5]), np.ones(3)), np.mean(orders, axis=0))
    np.testing.assert_array_equal(of_product(np.array([4.0, 7]), np.array([4.0, 7])), [0, 0])


def test_a_sum_by_hand():
    """Each term by its factors; a term that one side lacks was 0, and a divisor takes its own part."""
    assert parts(made("sum", [3, 5], [2], value=17), made("sum", [1, 2], value=2)) == [(7, 6), (2,)]
    one, two = made("sum", [6], value=3, divisor=2), made("sum", [4], value=4)
    (share,) = division(one, two)
    assert (share.parts, share.scaled) == ((2 * 0.75,), -0.5 * 5)  # Δ of 4 · 1 and 6 · ½
    assert share.value == one.value - two.value == -1


def test_a_mean_a_spread_and_a_neuron_by_hand():
    """A neuron that wakes up gives its terms the slope (4 - 0) / (4 - -2); one that sleeps on both sides gives 0."""
    assert parts(made("mean", [4], [2], value=3), made("mean", [1], [1], value=1)) == [(1.5,), (0.5,)]
    np.testing.assert_allclose(
        parts(made("neuron", [3], [1], value=4), made("neuron", [-3], [1], value=0)), [(6 * 4 / 6,), (0,)]
    )
    assert parts(made("neuron", [-1], value=0), made("neuron", [-3], value=0)) == [(0,)]
    spread = parts(made("spread", [16], [2], value=3), made("spread", [0], [2], value=1))
    np.testing.assert_allclose(spread, [(2,), (0,)])


def test_a_softmax_by_hand():
    """Two words: from even shares, log-odds of ln 3; the own score rose by ln 2, the other fell by ln 1.5."""
    scores = [np.log([1.0, 1.0]), np.log([2.0, 2 / 3])]
    was, now = (
        Explained(
            node="w:0:0",
            value=float(np.exp(s[0]) / np.exp(s).sum()),
            rule="softmax",
            terms=[Term("w", (Factor(f"s:0:{j}", float(x)),), float(np.exp(x)), at=j) for j, x in enumerate(s)],
        )
        for s in scores
    )
    slope = 0.25 / np.log(3)
    np.testing.assert_allclose(parts(now, was), [(slope * np.log(2),), (slope * np.log(1.5),)])


def test_a_norm_by_hand():
    """γ (x - mean) / spread + β: of 2 · (5 - 1) / 4 + 1 and 2 · (3 - 1) / 2 + 0, only the sum's parts are not 0."""
    now = made("norm", [5], [1], [4], [2], [1], value=3)
    was = made("norm", [3], [1], [2], [2], [0], value=2)
    number, over = 2 * 2 * (1 / 4 + 1 / 2) / 2, 2 * (4 + 2) / 2 * (1 / 4 - 1 / 2)
    np.testing.assert_allclose(parts(now, was), [(number,), (0,), (over,), (0,), (1,)], atol=1e-12)
    off = made("sum", [3], value=3)
    assert sum(one.value for one in division(now, off)) == pytest.approx(0)
    assert sum(one.value for one in division(off, was)) == pytest.approx(1)


def walk(sides, node, rng):
    """Yield the pairs of a random way down, each explained."""
    pair = sides.pair(node)
    for _ in range(30):
        compared = sides.explain(pair)
        yield pair, compared
        below = [one for one, _ in operands(compared.shares)] + sides.wholes(pair)
        if not below:
            return
        pair = below[rng.integers(len(below))]


def check(pair, compared):
    """Shares make the difference, parts make a share, and terms make the number or the row."""
    now, was = compared.now, compared.was
    size = max(1.0, sum(abs(one.value) for one in compared.shares))
    if now.terms or was.terms:
        assert sum(one.value for one in compared.shares) == pytest.approx(compared.difference, abs=1e-9 * size), pair
    for one in compared.shares:
        assert sum(one.parts) + one.scaled == pytest.approx(one.value, abs=1e-9 * size), pair
    again = recompute(now)
    assert again is None or again == pytest.approx(now.value, abs=1e-9 * max(1.0, abs(now.value))), pair


EVERY = [Contrast(LONG, SHORT), Contrast(SHORT, LONG), *(Contrast(LONG, None, part) for part in PARTS)]


@pytest.mark.parametrize("contrast", EVERY, ids=str)
def test_shares_make_the_difference_in_python(contrast, rng):
    """For each kind of number, down a random way, also where one side has more words, or not a part."""
    sides = contrast.sides()
    for node in drawn(sides.now, rng, tries(2)):
        for pair, compared in walk(sides, node, rng):
            check(pair, compared)


TEXT, OTHER = "la ragazza vede", "il gatto"  # for the small GPT


def drawn_of_text(numbers, rng, per_array):
    """Draw numbers of each array of a text."""
    for name, array in numbers.arrays.items():
        rows = min(len(array), len(numbers.tokens)) if name == "pos" else len(array)
        for _ in range(per_array):
            yield f"{name}:{rng.integers(rows)}:{rng.integers(array.shape[1])}"


def test_shares_make_the_difference_in_a_small_gpt(rng):
    """In two layers with rotated queries and keys, of texts of different lengths: in Python and in the page."""
    numbers = numbers_of_writer(TEXT)
    sides = Sides(numbers, numbers_of_writer(OTHER))
    for node in drawn_of_text(numbers, rng, tries(2)):
        for pair, compared in walk(sides, node, rng):
            check(pair, compared)
    asked = {"sentence": TEXT, "against": OTHER, "walk": list(drawn_of_text(numbers, rng, 20))}
    seen = ask_the_page([asked], writer())["seen"]
    assert seen["count"] > 5_000
    assert {kind: worst for kind, worst in seen["worst"].items() if not worst[0] < 1e-9} == {}


def test_shares_make_the_difference_in_the_page(rng):
    """100,000 numbers and rows of held-out sentences beside others, and with each part switched off."""
    held_out = [source for source, _ in corpus().held_out]
    drawn_pairs = [Contrast(*(held_out[i] for i in rng.integers(len(held_out), size=2))) for _ in range(8)]
    off = [Contrast(held_out[rng.integers(len(held_out))], None, part) for part in PARTS]
    asked = []
    for contrast in (*drawn_pairs, *off):
        numbers = numbers_of(shipped_translator(), contrast.sentence)
        words = rng.integers(len(numbers.target_words), size=(20, 2))
        turns = rng.integers(len(numbers.tokens) - 1, size=20)
        pairs = [f"d{t}.l:{t}:{one}-{other}" for t, (one, other) in zip(turns, words, strict=True)]
        asked.append(contrast.asked(walk=[*drawn(numbers, rng, 16), *pairs]))
    seen = ask_the_page(asked)["seen"]
    assert seen["count"] >= 100_000
    assert {kind: worst for kind, worst in seen["worst"].items() if not worst[0] < 1e-9} == {}
    assert len(seen["worst"]) > 100  # kinds: of numbers and rows, on both sides and on one alone
