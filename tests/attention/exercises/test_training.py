"""The checks of chapter 10: wrong answers give the numbers that the course names, and padding and masks always show."""

import numpy as np
import pytest
import scipy.special

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge, reply_of

EXERCISES = exercises_of("training")
GUESSES = ["cross_entropy", "cross_entropy_gradient"]


def asked(name, criterion, seed):
    """Return the arguments of each case of one criterion."""
    return {case.label: case.args for what, case in EXERCISES[name].questions(seed) if what == criterion}


@pytest.mark.parametrize(
    ("mistake", "loss"),
    [
        ("over_padded_length", 0.6051),
        ("padding_counted", 1.4076),
        ("sum_of_surprises", 1.8152),
        ("surprise_in_bits", 1.3094),
        ("softmax_of_softmax", 1.0074),
        ("minus_left_out", -0.9076),
        ("softmax_left_out", -1.5),
    ],
)
def test_each_wrong_loss_has_its_number(wrong_answer, mistake, loss):
    """Rows 2, 1, 0 with the words 0 and 1 and a padding make 0.9076; these are what people get instead."""
    assert wrong_answer("cross_entropy", mistake) == pytest.approx(loss, abs=5e-5)


@pytest.mark.parametrize(
    ("name", "mistake", "first"),
    [
        ("shift_right", "shifted_left", 6),
        ("shift_right", "not_shifted", 5),
        ("cross_entropy_gradient", "slopes_of_the_sum", -0.3348),
        ("cross_entropy_gradient", "one_hot_less_softmax", 0.1674),
        ("learning_rate", "larger_of_the_two", 0.125),
        ("attention_gradient", "softmax_passed_over", 5),
        ("attention_gradient", "root_left_out_of_both", 2.0999),
        ("adam_step", "no_correction", 0.9293),
    ],
)
def test_wrong_answers_begin_with_the_numbers_of_the_table(wrong_answer, name, mistake, first):
    """The first number of the first result on the first worked example."""
    answer = wrong_answer(name, mistake)
    answer = answer[0] if isinstance(answer, tuple) else answer
    assert np.ravel(answer)[0] == pytest.approx(first, abs=5e-5)


@pytest.mark.parametrize("name", GUESSES)
def test_logits_stay_where_softmax_is_alive_and_every_case_has_a_word(name):
    """Unseen logits are within ±4; targets are words or PAD, and each case has a word; some have padding."""
    for seed in range(20):
        padded = 0
        for logits, targets, pad in asked(name, "unseen", seed).values():
            assert np.abs(logits).max() <= 4
            assert (targets >= 0).all()
            assert (targets < logits.shape[-1]).all()
            assert (targets != pad).any()
            padded += (targets == pad).any()
        assert padded == 2


@pytest.mark.parametrize("name", GUESSES)
def test_large_logits_round_softmax_to_zero_at_a_right_word(name):
    """In the edge case ln softmax would be -inf, or exp would overflow."""
    for seed in range(20):
        logits, targets, _ = asked(name, "edges", seed)["logits of a thousand"]
        p = scipy.special.softmax(logits, axis=-1)
        assert (np.take_along_axis(p, targets[:, None], axis=-1) == 0).any()
        with np.errstate(over="ignore"):
            assert np.isinf(np.exp(logits)).any()


@pytest.mark.parametrize("name", GUESSES)
def test_sentences_of_a_batch_are_not_equally_long(name):
    """So that the mean of the sentences' means is another number than the mean."""
    _, targets, pad = asked(name, "edges", 3)["a batch of two, with leading axes"]
    assert len(set((targets != pad).sum(axis=-1).tolist())) == 2


def test_every_query_sees_two_keys_and_some_hidden_one():
    """Unseen scores are within ±4, no two of the sizes are equal, and the mask changes the weights of each row."""
    for seed in range(20):
        for query, key, value, mask, _ in asked("attention_gradient", "unseen", seed).values():
            sizes = [*query.shape, len(key), value.shape[1]]
            assert len(set(sizes)) == 4
            assert np.abs(query @ key.T / np.sqrt(query.shape[1])).max() <= 4
            assert (mask.sum(axis=-1) == mask.shape[-1] - 1).all()


def test_a_query_that_sees_nothing_passes_nothing_on():
    """Its row of d_query is 0, and so is what it would have told keys and values."""
    args = asked("attention_gradient", "edges", 3)["a query that may look at nothing"]
    d_query, _, _ = EXERCISES["attention_gradient"].reference(*args)
    np.testing.assert_array_equal(d_query[1], 0)
    assert np.abs(d_query[[0, 2]]).max() > 0.01


def test_the_rate_is_asked_before_its_peak_at_it_and_after():
    """For every seed; and rates are large enough that a wrong factor shows."""
    for seed in range(20):
        before, after, at = asked("learning_rate", "unseen", seed).values()
        assert before[0] < before[2] - 1
        assert after[0] > after[2] + 1
        assert at[0] == at[2]
        assert min(EXERCISES["learning_rate"].reference(*args) for args in (before, after, at)) > 1e-3


@pytest.mark.parametrize(
    ("name", "in_place"),
    [
        ("shift_right", lambda targets, sos: moved(targets, sos)),
        ("adam_step", lambda *args, **settings: stepped(*args, **settings)),
    ],
)
def test_who_writes_over_the_arguments_loses_a_share_and_is_told(name, in_place):
    """Right numbers, but the arrays that came in are others afterwards."""
    exercise = EXERCISES[name]
    verdict = judge(exercise, 3, [reply_of(in_place, case) for _, case in exercise.questions(3)])
    assert 0 < verdict.score < exercise.points
    assert "change" in verdict.message


def moved(targets, sos):
    """Shift in place."""
    targets[..., 1:] = targets[..., :-1].copy()
    targets[..., 0] = sos
    return targets


def stepped(parameter, gradient, m, v, step, rate, beta1=0.9, beta2=0.98, eps=1e-9):
    """Take a step in place."""
    m *= beta1
    m += (1 - beta1) * gradient
    v *= beta2
    v += (1 - beta2) * gradient**2
    parameter -= rate * m / (1 - beta1**step) / (np.sqrt(v / (1 - beta2**step)) + eps)
    return parameter, m, v


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("shift_right", lambda targets, sos: np.insert(targets, 0, sos, axis=-1)[..., :-1]),
        ("cross_entropy_gradient", lambda *args: by_onehot(*args)),
        ("attention_gradient", lambda *args: by_jacobian(*args)),
        ("diagnose", lambda *args: by_select(*args)),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that inserts, builds one-hot rows, multiplies by whole Jacobians or selects is as right as the reference."""
    for seed in range(3):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."


def by_select(losses, right, words):
    """Select among texts in NumPy, which returns an array with one of them."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    grow = first > 2 * np.log(words) or not np.isfinite(losses).all()
    conditions = [grow, last < 0.1 and right < 0.5, last > np.log(words) / 4]
    return np.select(conditions, ["numbers grow", "answer leaks", "frequencies only"], "nothing")


def by_onehot(logits, targets, pad):
    """Subtract rows of the identity."""
    real = targets != pad
    slopes = scipy.special.softmax(logits, axis=-1) - np.eye(logits.shape[-1])[targets]
    slopes[~real] = 0
    return slopes / np.count_nonzero(real)


def by_jacobian(query, key, value, mask, gradient):
    """Multiply each row by diag(p) - p pᵀ."""
    scores = np.einsum("...id,...jd->...ij", query, key) / np.sqrt(key.shape[-1])
    powers = np.where(mask, np.exp(scores), 0)
    total = powers.sum(axis=-1, keepdims=True)
    p = powers / np.where(total == 0, 1, total)
    jacobian = p[..., None] * (np.eye(p.shape[-1]) - p[..., None, :])
    d_weights = np.einsum("...id,...jd->...ij", gradient, value)
    d_scores = np.einsum("...ijk,...ij->...ik", jacobian, d_weights) / np.sqrt(key.shape[-1])
    by = {"d_query": ("...ij,...jd->...id", key), "d_key": ("...ij,...id->...jd", query)}
    d_query, d_key = (np.einsum(how, d_scores, other) for how, other in by.values())
    return d_query, d_key, np.einsum("...ij,...id->...jd", p, gradient)
