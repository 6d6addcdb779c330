"""The broken runs of chapter 10's exercise: each shows its cause far from every border, and can be made again."""

import numpy as np
import pytest

from attention.chapters.reading import diagnose
from attention.models.broken import EXAMPLES, FRESH, LINES, LOOKS, Run, broken_runs, learn, questions, sizes_of


def ends(run):
    """Return the two last losses, as shares of an even guess's."""
    return np.array([run.losses[-1], run.held_out[-1]]) / np.log(run.words)


def test_every_line_has_its_runs_and_the_worked_examples_come_first():
    """One run of each cause, then as many fresh ones of every line; the file is small."""
    runs = broken_runs()
    assert [(run.cause, run.line) for run in runs] == [(broken.cause, broken.line) for broken, _, _ in questions()]
    assert len(runs) == EXAMPLES + FRESH * len(LINES)
    assert len({run.cause for run in runs[:EXAMPLES]}) == EXAMPLES == len({run.cause for run in runs})
    assert all(len(run.losses) == len(run.held_out) == LOOKS for run in runs)
    assert len({seed for _, seed, _ in questions()}) == len(runs)


@pytest.mark.parametrize("run", broken_runs(), ids=lambda run: run.cause)
def test_a_run_is_clear_of_every_border(run):
    """By factors: no limit between two causes that anybody would choose decides."""
    seen, new = ends(run)
    begins, lowest = run.losses[0] / np.log(run.words), min(run.held_out) / np.log(run.words)
    assert 1 < begins < 1.6
    if run.cause == "steps too long":
        assert np.isnan([seen, new]).all() or min(seen, new) > 10
    elif run.cause == "too few pairs":
        assert seen < 0.001
        assert new > 2
        assert new > 2 * lowest
    elif run.cause == "source unseen":
        assert 0.7 < seen < 0.85
        assert 0.97 < new / seen < 1.03
    else:
        assert max(seen, new) < 0.04
        assert new < 2 * seen
    assert run.right == (run.cause == "nothing")
    assert diagnose(np.array(run.losses), np.array(run.held_out), run.right, run.words) == run.cause


@pytest.mark.parametrize("number", [1, 2])
def test_a_run_can_be_made_again(number):
    """On any processor it begins with the same losses, and ends where its cause does."""
    kept, made = broken_runs()[number], learn(*questions()[number])
    np.testing.assert_allclose(made.losses[:3], kept.losses[:3], rtol=0.01)
    assert (made.cause, made.right, made.words) == (kept.cause, kept.right, kept.words)
    assert diagnose(np.array(made.losses), np.array(made.held_out), made.right, made.words) == made.cause


def test_a_run_that_overflows_is_kept():
    """NaN stays NaN, and writes nothing right."""
    sizes = sizes_of(3)._replace(steps=40)
    run = learn(LINES[-1], 3, sizes)
    assert isinstance(run, Run)
    assert np.isnan(run.losses[-1])
    assert run.right == 0
