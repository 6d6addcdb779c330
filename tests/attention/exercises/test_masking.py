"""The checks of chapter 9: wrong answers give the numbers that the course names, and every mask hides something."""

import numpy as np
import pytest

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge, reply_of

EXERCISES = exercises_of("masking")


def cases(name, seed, *criteria):
    """Return the cases of one seed that count for these criteria."""
    return [case for criterion, case in EXERCISES[name].questions(seed) if criterion in criteria]


@pytest.mark.parametrize(
    ("mistake", "first_row"),
    [
        ("zero_in_place", [0.5761, 0.2119, 0.2119]),
        ("masked_afterwards", [0.0900, 0, 0]),
        ("inverted", [0, 0.2689, 0.7311]),
        ("subtracted_where_seen", [0, 0.2689, 0.7311]),
        ("mask_added", [0.2119, 0.2119, 0.5761]),
        ("mask_ignored", [0.0900, 0.2447, 0.6652]),
    ],
)
def test_each_wrong_mask_has_its_row(wrong_answer, mistake, first_row):
    """The scores 1, 2, 3 of which the first may be seen make 1, 0, 0; these are what people get instead."""
    np.testing.assert_allclose(wrong_answer("masked_softmax", mistake)[0], first_row, atol=5e-5)


@pytest.mark.parametrize(
    ("mistake", "example"), [("nan_on_an_empty_row", 2), ("divided_afterwards", 1), ("zero_times_infinity", 0)]
)
def test_nan_comes_where_it_is_said_to(wrong_answer, mistake, example):
    """Nothing to look at, a hidden score far ahead, and 0 times infinity each leave NaN."""
    with np.errstate(all="ignore"):
        assert np.isnan(wrong_answer("masked_softmax", mistake, example)).any()


@pytest.mark.parametrize(
    ("mistake", "first_two"),
    [
        ("memory_not_used", [-0.6366, 2.3512]),
        ("thought_left_out", [3.9440, 0.3677]),
        ("adds_x_twice", [0.2879, 1.5392]),
        ("thought_alone", [-4.0154, 3.5740]),
        ("second_norm_again", [0.3047, 2.4372]),
        ("last_norm_left_out", [-0.0714, 3.9417]),
    ],
)
def test_each_wrong_layer_has_its_numbers(wrong_answer, mistake, first_two):
    """What a layer makes of the first token, where a sublayer, a norm or the source is missing or comes twice."""
    np.testing.assert_allclose(wrong_answer("decoder_layer", mistake)[0, :2], first_two, atol=5e-5)


def test_large_scores_tell_two_quotients_apart(wrong_answer):
    """Softmax cut afterwards is right where 800 and 801 are seen; powers without a maximum are infinite there."""
    with np.errstate(all="ignore"):
        cut, powers = (wrong_answer("masked_softmax", name, 1)[2] for name in ("divided_afterwards", "powers_cut"))
    np.testing.assert_allclose(cut, [0.2689, 0.7311, 0], atol=5e-5)
    assert np.isnan(powers[:2]).all()


def test_the_source_asks_where_it_should_answer(wrong_answer):
    """Queries from the encoder make weights of 3×2, two words and three in the source being 2×3."""
    assert wrong_answer("cross_attention", "source_asks")[1].shape == (2, 3, 2)


def test_a_causal_mask_over_the_source_shows(wrong_answer):
    """The first word of the translation is left with the first word of the source."""
    np.testing.assert_array_equal(wrong_answer("cross_attention", "causal_over_the_source")[1][:, 0], [[1, 0, 0]] * 2)


@pytest.mark.parametrize("name", ["masked_softmax", "masked_attention"])
def test_unseen_masks_hide_and_show_something_in_every_row(name):
    """No unseen mask can be ignored, inverted or taken for nothing, and scores stay where softmax is alive."""
    for seed in range(20):
        for case in cases(name, seed, "unseen"):
            *given, mask = case.args
            scores = given[0] if name == "masked_softmax" else given[0] @ given[1].T / np.sqrt(given[0].shape[1])
            assert mask.any(axis=-1).all()
            assert not mask.all(axis=-1).any()
            assert np.abs(scores).max() <= 4


def test_an_unseen_leak_stands_next_to_the_diagonal_and_far_from_it():
    """Some masks leak and some do not; leaks are one token ahead or more, and never in the first row alone."""
    for seed in range(20):
        asked = [case.args[0] for case in cases("sees_the_future", seed, "unseen")]
        ahead = [np.argwhere(np.triu(mask, 1)) for mask in asked]
        assert [len(cells) for cells in ahead] == [0, 1, 1, 0, 0]
        assert [int(cells[0, 1] - cells[0, 0]) for cells in ahead if len(cells)] == [1, 3]
        assert all(cells[0, 0] > 0 for cells in ahead if len(cells))


def test_padding_is_somewhere_and_lengths_differ():
    """In each unseen batch no two sentences are equally long, and none fills the row."""
    for seed in range(20):
        for case in cases("padding_mask", seed, "unseen"):
            lengths, n = case.args
            assert len(set(lengths.tolist())) == len(lengths)
            assert 1 <= lengths.min() <= lengths.max() < n


def test_every_step_of_the_unseen_decoder_matters():
    """Leaving the causal mask out, or the source, moves some output by 0.01 or more."""
    reference = EXERCISES["decoder_layer"].reference
    for seed in range(20):
        for case in cases("decoder_layer", seed, "unseen"):
            x, memory, parameters, h, _, *rest = case.args
            right = reference(*case.args)
            assert np.abs(reference(x, memory, parameters, h, None, *rest) - right).max() > 0.01
            assert np.abs(reference(x, -memory, parameters, h, *case.args[4:]) - right).max() > 0.01


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("causal_mask", lambda n: np.arange(n)[None, :] <= np.arange(n)[:, None]),
        ("padding_mask", lambda lengths, n: np.stack([[np.arange(n) < length] for length in lengths])),
        ("sees_the_future", lambda mask: any(m[i, i + 1 :].any() for m in squares(mask) for i in range(len(m)))),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that compares indices, stacks row by row or loops is as right as the reference."""
    for seed in range(5):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."


def squares(mask):
    """Return all matrices of a batch, one after the other."""
    return mask.reshape(-1, *mask.shape[-2:])


def test_parameters_come_back_as_they_went_in():
    """Right answers from a layer that overwrites one of its parameters lose the points for unchanged inputs."""
    exercise = EXERCISES["decoder_layer"]

    def overwrites(x, memory, parameters, *rest, **named):
        output = exercise.reference(x, memory, parameters, *rest, **named)
        parameters["b2"] += 1
        return output

    verdict = judge(exercise, 3, [reply_of(overwrites, case) for _, case in exercise.questions(3)])
    assert [criterion.passed for criterion in verdict.criteria] == [True, True, True, False]
