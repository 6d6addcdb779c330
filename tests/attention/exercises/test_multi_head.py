"""The checks of chapter 6: a wrong width always shows."""

import numpy as np
import pytest

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("multi_head")


def cases(criterion, seed):
    """Return the arguments of each case of multi-head attention that counts for a criterion."""
    return [case.args for name, case in EXERCISES["multi_head_attention"].questions(seed) if name == criterion]


def test_unseen_scores_stay_where_softmax_is_alive_and_the_scale_shows():
    """In each head, scaled scores are within ±4, and leaving out the scale changes some weight by 0.01 or more."""
    scores_of = EXERCISES["multi_head_attention"].step.first
    for seed in range(20):
        for args in cases("unseen", seed):
            scores, d_k = scores_of(*args), args[3].shape[1] // args[-1]
            assert np.abs(scores).max() <= 4
            assert np.abs(weights_of(scores * np.sqrt(d_k)) - weights_of(scores)).max() >= 0.01


def weights_of(scores):
    """Return softmax along the last axis, of scores that are small."""
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def test_unseen_sizes_are_all_different():
    """No two of n_q, n_k, the tokens' widths, h, d_k, d_v and d_out are equal where another sentence is looked at."""
    for args in cases("unseen", 0):
        query, key, _, w_q, _, w_v, w_o, h = args
        sizes = [*query.shape, h, w_q.shape[1] // h, w_v.shape[1] // h, w_o.shape[1]]
        sizes += [] if key is query else [*key.shape]
        assert len(set(sizes)) == len(sizes), sizes


def test_loud_scores_overflow_in_one_head_and_silence_others_in_the_next():
    """Some exp is inf in every row of head 0; less the largest score of all, every other row of head 1 is all zeros."""
    exercise = EXERCISES["multi_head_attention"]
    (args,) = [case.args for _, case in exercise.questions(3) if case.label == "scores of a thousand"]
    first, second = exercise.step.first(*args)
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(first)).any(axis=-1).all()
    assert (np.exp(second - max(first.max(), second.max()))[1:] == 0).all()


def by_loop(query, key, value, w_q, w_k, w_v, w_o, h):
    """Multi-head attention as the paper writes it: each head with its own matrices, in a loop."""
    found, seen = [], []
    for q, k, v in zip(*(np.split(w, h, axis=-1) for w in (w_q, w_k, w_v)), strict=True):
        scores = np.einsum("...id,...jd->...ij", query @ q, key @ k) / np.sqrt(q.shape[-1])
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen.append(powers / powers.sum(axis=-1, keepdims=True))
        found.append(seen[-1] @ (value @ v))
    return np.concatenate(found, axis=-1) @ w_o, np.stack(seen, axis=-3)


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("split_heads", lambda x, h: np.stack(np.split(x, h, axis=-1), axis=-3)),
        ("merge_heads", lambda x: np.concatenate([x[..., i, :, :] for i in range(x.shape[-3])], axis=-1)),
        ("multi_head_attention", by_loop),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that stacks slices, or loops over heads, is as right as the reference."""
    for seed in range(5):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."
