"""The checks of chapter 10: padding always shows."""

import json

import numpy as np
import pytest
import scipy.special

from attention.exercises import exercises_of
from attention.exercises.training import diagnose
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("training")
GUESSES = {
    "cross_entropy": EXERCISES["cross_entropy"],
    "cross_entropy_gradient": exercises_of("gradients")["cross_entropy_gradient"],
}


def asked(exercise, criterion, seed):
    """Return the arguments of each case of one criterion."""
    return {case.label: case.args for what, case in exercise.questions(seed) if what == criterion}


@pytest.mark.parametrize("name", GUESSES)
def test_logits_stay_where_softmax_is_alive_and_every_case_has_a_word(name):
    """Unseen logits are within ±4; targets are words or PAD, and each case has a word; some have padding."""
    for seed in range(20):
        padded = 0
        for logits, targets, pad in asked(GUESSES[name], "unseen", seed).values():
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
        logits, targets, _ = asked(GUESSES[name], "edges", seed)["logits of a thousand"]
        p = scipy.special.softmax(logits, axis=-1)
        assert (np.take_along_axis(p, targets[:, None], axis=-1) == 0).any()
        with np.errstate(over="ignore"):
            assert np.isinf(np.exp(logits)).any()


@pytest.mark.parametrize("name", GUESSES)
def test_sentences_of_a_batch_are_not_equally_long(name):
    """So that the mean of the sentences' means is another number than the mean."""
    _, targets, pad = asked(GUESSES[name], "edges", 3)["a batch of two, with leading axes"]
    assert len(set((targets != pad).sum(axis=-1).tolist())) == 2


def test_the_rate_is_asked_before_its_peak_at_it_and_after():
    """For every seed; and rates are large enough that a wrong factor shows."""
    for seed in range(20):
        before, after, at = asked(EXERCISES["learning_rate"], "unseen", seed).values()
        assert before[0] < before[2] - 1
        assert after[0] > after[2] + 1
        assert at[0] == at[2]
        assert min(EXERCISES["learning_rate"].reference(*args) for args in (before, after, at)) > 1e-3


def test_who_writes_over_the_arguments_loses_a_share_and_is_told():
    """Right numbers, but the arrays that came in are others afterwards."""
    exercise = EXERCISES["shift_right"]
    verdict = judge(exercise, 3, [reply_of(moved, case) for _, case in exercise.questions(3)])
    assert 0 < verdict.score < exercise.points
    assert "change" in verdict.message


def moved(targets, sos):
    """Shift in place."""
    targets[..., 1:] = targets[..., :-1].copy()
    targets[..., 0] = sos
    return targets


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("shift_right", lambda targets, sos: np.insert(targets, 0, sos, axis=-1)[..., :-1]),
        ("diagnose", lambda *args: by_select(*args)),
    ],
)
def test_another_right_way_gets_full_marks(name, other_way):
    """Code that inserts or selects is as right as the reference."""
    for seed in range(3):
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."


def by_select(losses, held_out, right, words):
    """Select among texts in NumPy, which returns an array with one of them; other signs, and limits of their own."""
    grows = not np.isfinite(losses).all() or losses[-1] > 3 * losses[0]
    by_heart = held_out[-1] - losses[-1] > 1 and held_out[-1] > 1.5 * held_out.min()
    conditions = [grows, by_heart, right > 0.9, losses[-1] < 0.2]
    return np.select(conditions, ["steps too long", "too few pairs", "nothing", "answer leaks"], "source unseen")


def test_every_grading_asks_each_cause_twice_and_from_both_lines():
    """No run twice, none of the worked examples, and NaN only at the edge."""
    exercise, lines = EXERCISES["diagnose"], {id(run.args): run.line for run in diagnose.RUNS}
    for seed in range(20):
        cases = {
            what: [case for kind, case in exercise.questions(seed) if kind == what] for what in ("unseen", "edges")
        }
        names = [exercise.reference(*case.args) for case in cases["unseen"]]
        assert sorted(names) == sorted(2 * diagnose.CAUSES)
        asked = [id(case.args) for every in cases.values() for case in every]
        assert len(set(asked)) == len(asked)
        assert not set(asked) & {id(run.args) for run in diagnose.SHOWN}
        assert all(np.isfinite(case.args[0]).all() for case in cases["unseen"])
        assert all(np.isnan(case.args[0][-1]) for case in cases["edges"])
        for cause in ("answer leaks", "source unseen"):
            of_cause = [case for case, name in zip(cases["unseen"], names, strict=True) if name == cause]
            assert len({lines[id(case.args)] for case in of_cause}) == 2


def test_the_notebook_prints_the_worked_runs(root):
    """The arrays in its cell are those of the file."""
    cells = json.loads((root / "solutions/10_training/10_training.ipynb").read_text(encoding="utf-8"))["cells"]
    space = {"np": np}
    exec("".join(next(cell for cell in cells if cell["id"] == "runs")["source"]), space)
    for run, shown in zip(diagnose.SHOWN, space["runs"].values(), strict=True):
        for ours, printed in zip(run.args, shown, strict=True):
            np.testing.assert_array_equal(printed, ours)
