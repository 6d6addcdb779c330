"""The checks of chapter 6: the wrong answers give the numbers that the course names, and a wrong width always shows."""

import numpy as np
import pytest

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge, reply_of

EXERCISES = exercises_of("multi_head")
ATTACKED, LION, ZEBRA = 0, 2, 6  # the first that asks, and places in the sentence


def cases(criterion, seed):
    """Return the arguments of each case of multi-head attention that counts for a criterion."""
    return [case.args for name, case in EXERCISES["multi_head_attention"].questions(seed) if name == criterion]


def test_a_reshape_alone_gives_head_0_the_first_tokens(wrong_answer):
    """Of arange(12) head 0 gets [[0, 1], [2, 3], [4, 5]] where the left halves [[0, 1], [4, 5], [8, 9]] are meant."""
    np.testing.assert_array_equal(wrong_answer("split_heads", "reshape_alone")[0], [[0, 1], [2, 3], [4, 5]])
    np.testing.assert_array_equal(wrong_answer("split_heads", "every_hth_number")[0], [[0, 2], [4, 6], [8, 10]])
    np.testing.assert_array_equal(wrong_answer("merge_heads", "no_exchange_back")[0], [0, 1, 4, 5])


@pytest.mark.parametrize(
    ("mistake", "example", "count"),
    [
        ("times_the_heads", 0, 8_388_608),
        ("w_o_not_counted", 0, 786_432),
        ("one_head_alone", 0, 131_072),
        ("w_o_of_one_head", 0, 819_200),
        ("no_bias_for_w_o", 1, 1_050_112),
    ],
)
def test_wrong_counts_are_those_of_the_table(wrong_answer, mistake, example, count):
    """1,048,576 and 1,050,624 are right."""
    assert wrong_answer("multi_head_parameters", mistake, example) == count


@pytest.mark.parametrize(
    ("mistake", "weight"),
    [("heads_unscaled", 0.9647), ("heads_over_root_d_model", 0.8343), ("heads_over_root_of_all", 0.7870)],
)
def test_a_wrong_width_gives_the_first_key_another_weight(wrong_answer, mistake, weight):
    """One head of four has 0.7870; there all heads together are as wide as one."""
    assert wrong_answer("multi_head_attention", mistake, 1)[1][0, 0, 0] == pytest.approx(weight, abs=5e-5)


@pytest.mark.parametrize(
    ("mistake", "weight"),
    [("heads_unscaled", 0.9975), ("heads_over_root_d_model", 0.8136), ("heads_over_root_of_all", 0.9668)],
)
def test_the_lion_tells_the_other_widths_apart(wrong_answer, mistake, weight):
    """With heads of one number there is nothing to divide by: attacked gives lion 0.9975."""
    assert wrong_answer("multi_head_attention", mistake)[1][0, ATTACKED, LION] == pytest.approx(weight, abs=5e-5)


def test_a_reshape_alone_makes_attacked_look_at_a_piece_of_lion(wrong_answer):
    """In head 0 the row of zebra holds the lion's first number."""
    _, weights = wrong_answer("multi_head_attention", "split_by_reshape")
    assert weights[0, ATTACKED, ZEBRA] == pytest.approx(0.9975, abs=5e-5)


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
