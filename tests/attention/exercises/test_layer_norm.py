"""The checks of chapter 8: the inputs hide no mistake."""

import numpy as np
import pytest

from attention.chapters.layer_norm import add_and_norm, layer_norm
from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("layer_norm")


def test_every_epsilon_counts_somewhere():
    """A large ε moves some number of an unseen case by 0.01 or more, and 1e-5 does so where numbers are tiny."""
    for seed in range(20):
        for criterion, case in EXERCISES["layer_norm"].questions(seed):
            x, gamma, beta, *given = case.args
            eps = [*given, case.kwargs.get("eps", 1e-5)][0]
            moved = np.abs(layer_norm(x, gamma, beta, eps) - layer_norm(x, gamma, beta, 1e-12)).max()
            if (criterion == "unseen" and eps > 1e-5) or case.label == "tiny numbers":
                assert moved > 0.01


def test_in_every_unseen_case_neurons_are_silent_and_awake():
    """Some numbers before the ReLU are negative and some positive, so that leaving it out always shows."""
    for seed in range(20):
        for criterion, case in EXERCISES["feed_forward"].questions(seed):
            x, w1, b1, *_ = case.args
            hidden = x @ w1 + b1
            assert criterion != "unseen" or hidden.min() < -0.1 < 0.1 < hidden.max()


def test_scores_of_the_encoder_layer_stay_small_and_every_token_sees_one():
    """Scores of unseen inputs are within ±4, and no mask hides everything from a token."""
    for seed in range(20):
        for criterion, case in EXERCISES["encoder_layer"].questions(seed):
            x, p, h, *given = case.args
            query, key = (np.split(x @ p[name], h, axis=-1) for name in ("w_q", "w_k"))
            pairs = zip(query, key, strict=True)
            scores = [q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]) for q, k in pairs]
            assert criterion != "unseen" or np.abs(scores).max() <= 4
            assert all(mask.any(axis=-1).all() for mask in (*given, *case.kwargs.values()))


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("layer_norm", lambda x, gamma, beta, eps=1e-5: (x - x.mean(-1, keepdims=True)) * gamma
         / np.sqrt((x**2).mean(-1, keepdims=True) - x.mean(-1, keepdims=True) ** 2 + eps) + beta),
        ("layer_norm", lambda x, gamma, beta, eps=1e-5: beta + gamma * np.apply_along_axis(
            lambda token: (token - np.mean(token)) / (np.mean((token - np.mean(token)) ** 2) + eps) ** 0.5, -1, x)),
        ("add_and_norm", lambda x, sublayer, gamma, beta, eps=1e-5: layer_norm(sublayer + x, gamma, beta, eps)),
        ("feed_forward", lambda x, w1, b1, w2, b2: ((x @ w1 + b1) * (x @ w1 + b1 > 0)) @ w2 + b2),
    ],
)  # fmt: skip
def test_another_right_way_gets_full_marks(name, other_way):
    """The mean of squares less the square of the mean, token by token, a ReLU by comparison: all are right."""
    for seed in range(5):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."


def test_a_layer_that_writes_into_its_parameters_loses_the_share_for_that():
    """Right numbers from a function that changes an array in the dictionary are not full marks."""
    exercise = EXERCISES["encoder_layer"]

    def spoils(x, parameters, h, mask=None):
        output = exercise.reference(x, parameters, h, mask)
        parameters["beta2"] += 1
        return output

    verdict = judge(exercise, 3, [reply_of(spoils, case) for _, case in exercise.questions(3)])
    assert verdict.score == pytest.approx(0.9 * exercise.points)
    assert "changes a dictionary that it was given" in verdict.message


def test_the_second_norm_hears_nothing_of_the_size_of_the_first():
    """What the encoder layer returns is layer-normalised by γ2 and β2 alone, whatever came in."""
    exercise = EXERCISES["encoder_layer"]
    x, parameters, h = exercise.examples[0].args
    out = (exercise.reference(100 * x, parameters, h) - parameters["beta2"]) / parameters["gamma2"]
    np.testing.assert_allclose(add_and_norm(out, 0 * out, np.ones(4), np.zeros(4)), out, atol=1e-4)
