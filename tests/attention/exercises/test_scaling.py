"""The checks of chapter 5: the wrong answers give the numbers that the course names, and the scale always shows."""

import numpy as np
import pytest
import scipy  # its parts are loaded when one is used

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge, reply_of

EXERCISES = exercises_of("scaling")


def unseen(name, seed):
    """Return the arguments of each unseen case of one seed."""
    return [case.args for criterion, case in EXERCISES[name].questions(seed) if criterion == "unseen"]


@pytest.mark.parametrize(
    ("mistake", "weight"),
    [
        ("scores_unscaled", 0.9820),
        ("scores_over_width", 0.7311),
        ("scores_over_root_n_k", 0.9442),
        ("scores_over_root_n_q", 0.9097),
        ("scores_multiplied", 0.9997),
    ],
)
def test_a_wrong_scale_gives_the_first_key_another_weight(wrong_answer, mistake, weight):
    """Scores 4 and 0 of width 4 make 0.8808; each wrong divisor gives another number."""
    scores = wrong_answer("scaled_scores", mistake)
    assert scipy.special.softmax(scores[0])[0] == pytest.approx(weight, abs=5e-5)


@pytest.mark.parametrize(
    ("mistake", "output"),
    [
        ("attention_unscaled", 28.6416),
        ("attention_over_width", 22.7131),
        ("attention_over_root_n_k", 26.0796),
        ("attention_over_root_n_q", 27.0992),
        ("attention_multiplied", 29.9260),
        ("softmax_over_queries", 38.1564),
        ("weights_divided", 14.3208),
        ("output_divided", 14.3208),
        ("hard_max", 30.0),
        ("no_softmax", 75.0),
        ("one_sum_for_all", 15.8344),
    ],
)
def test_each_wrong_attention_has_its_number(wrong_answer, mistake, output):
    """The second query of the worked example gets 25.3716; these are what people get instead."""
    assert wrong_answer("scaled_dot_product_attention", mistake)[0][1, 0] == pytest.approx(output, abs=5e-5)


@pytest.mark.parametrize(
    ("name", "mistake", "example", "number"),
    [
        ("dot_product_variance", "variance_not_squared", 1, 15.0),
        ("dot_product_variance", "width_squared", 1, 225.0),
        ("dot_product_variance", "standard_deviation", 0, 8.0),
        ("dot_product_variance", "variances_added", 1, 30.0),
        ("scaling_factor", "one_over_width", 0, 0.0156),
        ("scaling_factor", "root_not_inverted", 0, 8.0),
        ("scaling_factor", "width_of_a_token", 0, 0.0442),
        ("scaling_factor", "exponent_without_brackets", 0, 0.0078),
        ("entropy", "in_bits", 1, 1.5),
        ("entropy", "share_of_the_most", 1, 0.9464),
    ],
)
def test_wrong_formulas_give_the_numbers_of_the_table(wrong_answer, name, mistake, example, number):
    """A variance of 15 for 45, a factor of 0.0442 for 0.125, an entropy of 1.5 for 1.0397."""
    assert wrong_answer(name, mistake, example) == pytest.approx(number, abs=5e-5)


def test_slopes_without_the_other_weights_do_not_balance(wrong_answer):
    """The diagonal alone is p(1 - p): 0.25, 0.21, 0.16, and nothing that the other weights lose."""
    np.testing.assert_allclose(wrong_answer("softmax_jacobian", "diagonal_only"), np.diag([0.25, 0.21, 0.16]))


@pytest.mark.parametrize("name", ["scaled_scores", "scaled_dot_product_attention"])
def test_unseen_scores_stay_where_softmax_is_alive_and_the_scale_shows(name):
    """Scaled scores are within ±4, and leaving out the scale changes some weight by 0.01 or more."""
    for seed in range(20):
        for query, key, *_ in unseen(name, seed):
            scores = query @ key.T
            scaled = scores / np.sqrt(query.shape[1])
            assert np.abs(scaled).max() <= 4
            moved = scipy.special.softmax(scores, axis=-1) - scipy.special.softmax(scaled, axis=-1)
            assert np.abs(moved).max() >= 0.01


@pytest.mark.parametrize("name", ["scaled_scores", "scaled_dot_product_attention"])
def test_unseen_sizes_are_all_different(name):
    """No two of n_q, n_k, d_k and d_v are equal, so that a scale taken from the wrong one shows."""
    for query, key, *value in unseen(name, 0):
        sizes = [len(query), *key.shape, *(array.shape[1] for array in value)]
        assert len(set(sizes)) == len(sizes)


def test_large_scores_overflow_even_when_they_are_scaled():
    """In every row of the edge case, exp of some scaled score is inf: dividing by √d_k is no remedy for that."""
    for seed in range(20):
        query, key, _ = case_at("scaled_dot_product_attention", "scores of a thousand", seed)
        with np.errstate(over="ignore"):
            powers = np.exp(query @ key.T / np.sqrt(query.shape[1]))
        assert np.isinf(powers).any(axis=-1).all()


def test_a_loud_query_silences_the_others_where_one_maximum_serves_all():
    """Less the largest score of all rows, every exp of the other rows is 0."""
    for seed in range(20):
        query, key, _ = case_at("scaled_dot_product_attention", "one loud query", seed)
        scores = query @ key.T / np.sqrt(query.shape[1])
        assert (np.exp(scores - scores.max())[1:] == 0).all()


def case_at(name, label, seed):
    """Return the arguments of the edge case with this label."""
    return next(case.args for _, case in EXERCISES[name].questions(seed) if case.label == label)


def test_rows_of_weights_are_rows_of_weights():
    """What the Jacobian and the entropy are asked about is positive and sums to one, with zeros at the edges only."""
    for name in ("softmax_jacobian", "entropy"):
        for criterion, case in EXERCISES[name].questions(3):
            (weights,) = case.args
            np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)
            assert (weights >= 0).all()
            assert criterion != "unseen" or weights.min() > 0.001


@pytest.mark.parametrize(("epsilon", "score"), [(1e-12, 1.0), (1e-9, 1.0), (1e-6, 0.0)])
def test_a_small_number_inside_the_logarithm_may_be_tiny(epsilon, score):
    """A billionth added to each weight stays below the tolerance, even for a row of entropy 0; a millionth does not."""

    def with_epsilon(weights):
        return -np.sum(weights * np.log(weights + epsilon), axis=-1)

    questions = EXERCISES["entropy"].questions(3)
    assert judge(EXERCISES["entropy"], 3, [reply_of(with_epsilon, case) for _, case in questions]).score == score


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("scaled_scores", lambda query, key: np.einsum("...id,...jd->...ij", query, key) * key.shape[-1] ** -0.5),
        ("softmax_jacobian", lambda p: np.apply_along_axis(lambda row: np.diag(row) - np.outer(row, row), -1, p)),
        ("entropy", lambda weights: scipy.stats.entropy(weights, axis=-1)),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that scales the product, stacks row by row or calls SciPy is as right as the reference."""
    for seed in range(5):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."
