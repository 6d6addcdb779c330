"""Chapter 3's softmax against SciPy's and by hand."""

import numpy as np
import pytest
import scipy.special

from autograder.reference.context import softmax


def test_softmax_agrees_with_scipy_along_every_axis(rng):
    """SciPy's softmax is an independent oracle for any axis."""
    scores = rng.normal(size=(2, 3, 5), scale=4)
    for axis in (0, 1, 2, -1):
        np.testing.assert_allclose(softmax(scores, axis), scipy.special.softmax(scores, axis), rtol=0, atol=1e-15)


def test_softmax_of_note_4_is_done_by_hand():
    """With scores 0, 0, 1, 0 the weights are 1, 1, e, 1 over 3 + e."""
    expected = np.array([1, 1, np.e, 1]) / (3 + np.e)
    np.testing.assert_allclose(softmax(np.array([0.0, 0, 1, 0])), expected, rtol=1e-15)


@pytest.mark.parametrize("shift", [-1e4, -700.0, 700.0, 1e4])
def test_softmax_does_not_notice_a_shift(rng, shift):
    """Adding one number to all scores changes no weight, even where exp alone would overflow."""
    scores = rng.normal(size=(5, 7))
    np.testing.assert_allclose(softmax(scores + shift), softmax(scores), atol=1e-11)


def test_naive_softmax_fails_where_ours_holds():
    """The formula as it stands gives NaN at a score of 1000; ours gives 1."""
    scores = np.array([1000.0, 0.0])
    with np.errstate(over="ignore", invalid="ignore"):
        naive = np.exp(scores) / np.exp(scores).sum()
    assert np.isnan(naive).any()
    np.testing.assert_array_equal(softmax(scores), [1.0, 0.0])


def test_a_row_that_may_see_nothing_gets_zeros():
    """Scores of -inf get weight 0; a row of nothing else is zeros and not NaN."""
    scores = np.array([[-np.inf, -np.inf, -np.inf], [0.0, -np.inf, 0.0]])
    np.testing.assert_array_equal(softmax(scores), [[0, 0, 0], [0.5, 0, 0.5]])


def test_nan_stays_in_its_row(rng):
    """A NaN spoils the row that holds it and no other."""
    scores = rng.normal(size=(3, 5))
    scores[1, 2] = np.nan
    bad = np.isnan(softmax(scores)).all(axis=-1)
    np.testing.assert_array_equal(bad, [False, True, False])


@pytest.mark.parametrize("scores", [np.zeros((3, 0)), np.float64(1.0)])
def test_nothing_to_share_among_is_an_error(unchecked, scores):
    """An empty axis, or no axis, is a ValueError that says what was expected."""
    with pytest.raises(ValueError, match=r"expected at least one score along axis -1, got shape"):
        softmax(scores)
