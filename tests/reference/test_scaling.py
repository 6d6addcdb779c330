"""Chapter 5's attention against worked numbers."""

import numpy as np
import scipy.special

from autograder.reference.query_key_value import attention
from autograder.reference.scaling import scaled_dot_product_attention


def test_worked_example_of_chapter_5():
    """Query [2,0,0,0] sees keys 0 and 2 alike, so its output is 20; the second row is 25.3716."""
    query = np.array([[2.0, 0, 0, 0], [1, 1, 1, 1]])
    key = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]])
    output, _ = scaled_dot_product_attention(query, key, np.array([[10.0], [20.0], [30.0]]))
    np.testing.assert_allclose(output, [[20.0], [25.3716]], atol=5e-5)


def test_scores_are_divided_by_the_width_of_a_key(rng):
    """SciPy's softmax of the scores over √7 gives the weights; n_q, n_k and d_v play no part."""
    query, key, value = rng.normal(size=(2, 5, 7)), rng.normal(size=(2, 3, 7)), rng.normal(size=(2, 3, 11))
    _, weights = scaled_dot_product_attention(query, key, value)
    scores = np.einsum("bic,bjc->bij", query, key)
    np.testing.assert_allclose(weights, scipy.special.softmax(scores / np.sqrt(7), axis=-1), atol=1e-14)


def test_width_one_needs_no_scaling(rng):
    """For d_k = 1 the divisor is 1, so both attentions agree."""
    query, key, value = rng.normal(size=(5, 1)), rng.normal(size=(3, 1)), rng.normal(size=(3, 2))
    np.testing.assert_array_equal(scaled_dot_product_attention(query, key, value)[0], attention(query, key, value)[0])
