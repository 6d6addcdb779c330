"""The checks of chapter 9: every mask hides something."""

import numpy as np
import pytest

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("masking")


def cases(name, seed, *criteria):
    """Return the cases of one seed that count for these criteria."""
    return [case for criterion, case in EXERCISES[name].questions(seed) if criterion in criteria]


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
