"""The models that copy: what they are asked, by hand, and that those which are kept have one copying head."""

import numpy as np
import pytest

from attention.chapters.reading import copying_head
from attention.exercises.gpt.copying_head import LOOKS, MODELS
from attention.models import copying
from attention.models.copying import (
    AHEAD,
    COPIES,
    KEPT,
    NO_PAD,
    Sizes,
    all_jobs,
    answers_and_weights,
    begun,
    draw,
    is_ahead,
    learn,
    models,
    questions,
    sizes_of,
    without_head,
)
from attention.trained import TRAINED

SIZES = Sizes(h=4, symbols=16, length=12, stretch=4)


def test_a_stretch_comes_twice_and_its_symbols_nowhere_else(rng):
    """The second time, what comes next is what came next the first time; no symbol comes twice in a row."""
    for tokens, wanted in zip(*draw(rng, 30, SIZES), strict=True):
        known = np.flatnonzero(wanted != NO_PAD)
        assert known.tolist() == list(range(known[0], known[0] + 3))
        stretch = tokens[known[0] : known[0] + 4]
        assert wanted[known].tolist() == stretch[1:].tolist()
        starts = [t for t in range(9) if tokens[t : t + 4].tolist() == stretch.tolist()]
        assert len(starts) == 2
        assert np.isin(tokens, stretch).sum() == 8
        assert len(set(stretch.tolist())) == 4
        assert (tokens[1:] != tokens[:-1]).all()


def test_every_job_by_hand():
    """For one row of seven symbols; a place that has nothing to say is left out."""
    tokens = np.array([[5, 8, 2, 5, 8, 5, 9]])
    wanted = np.array([[-1, -1, -1, 8, -1, -1, -1]])
    jobs = dict(zip(copying.JOBS, all_jobs(tokens, wanted, h=4)[0].T.tolist(), strict=True))
    assert jobs == {
        "next": [-1, -1, -1, 8, -1, -1, -1],
        "where before": [-1, -1, -1, 0, 1, 3, -1],
        "one back": [-1, 5, 8, 2, 5, 8, 5],
        "first": [5, 5, 5, 5, 5, 5, 5],
        "four back": [-1, -1, -1, -1, 5, 8, 2],
        "second": [-1, 8, 8, 8, 8, 8, 8],
    }
    assert all_jobs(tokens, wanted, h=2).shape == (1, 7, 4)


def test_a_row_sees_no_later_token_and_a_head_that_is_left_out_plays_no_part(rng):
    """Another last token changes the last row alone; without all heads nothing but the token itself is left."""
    parameters, (tokens, _) = begun(rng, SIZES), draw(rng, 3, SIZES)
    logits, weights = answers_and_weights(parameters, tokens, SIZES.h)
    assert logits.shape == (3, 12, 6, 16)
    assert [one.shape for one in weights] == [(3, 4, 12, 12)] * 2
    other = np.where(np.arange(12) < 11, tokens, (tokens + 1) % 16)
    assert np.allclose(answers_and_weights(parameters, other, SIZES.h)[0][:, :-1], logits[:, :-1])
    silent = parameters
    for layer, head in np.ndindex(2, 4):
        silent = without_head(silent, layer, head)
    x = parameters["table"][tokens] + parameters["positions"]
    assert np.allclose(answers_and_weights(silent, tokens, SIZES.h)[0], (x @ parameters["w_out"]).reshape(logits.shape))


def test_a_model_that_has_not_learned_is_told_and_not_asked(monkeypatch):
    """After three steps nothing is copied; its figures are kept, and no sequence."""
    monkeypatch.setattr(copying, "STEPS", 3)
    copier = learn(2019)
    assert copier.right < 0.4
    assert np.shape(copier.shares) == np.shape(copier.without) == (2, 2)
    assert copier.sequences == []


def test_models_are_kept_for_what_they_do_and_all_are_told():
    """Each training has its figures; those that copy with one head, and only those, have sequences."""
    assert [one.seed for one in models()] == list(range(copying.SEED, copying.SEED + copying.MODELS))
    assert [(one.h, one.symbols) for one in models()] == [sizes_of(one.seed)[:2] for one in models()]
    assert all(bool(one.sequences) == (one.right >= COPIES and is_ahead(one.shares)) for one in models())
    assert len(questions()) == len(MODELS) >= 12
    assert len(LOOKS) == KEPT * len(MODELS)
    assert {one.h for one in questions()} == {2, 3, 4}
    assert {int(np.argmax(one.shares[1])) for one in questions()} == {0, 1, 2, 3}
    assert (TRAINED / "copying.json").stat().st_size < 60_000


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: f"model {look.model}")
def test_a_kept_sequence_has_one_head_far_ahead(look):
    """By loops: three times as much weight on what followed as any other head; it is the head that the model needs."""
    weights, tokens = look.args
    n, model = len(tokens), questions()[look.model]
    assert np.abs(weights.sum(axis=-1) - 1).max() < 0.05
    assert (weights == np.tril(weights)).all()
    pairs = [(t, s) for t in range(n) for s in range(t) if tokens[s] == tokens[t]]
    sums = sum(weights[..., t, s + 1] for t, s in pairs)
    second, first = np.sort(sums.ravel())[-2:]
    assert first > (AHEAD - 0.1) * second
    where = tuple(int(place) for place in np.unravel_index(sums.argmax(), sums.shape))
    assert copying_head(weights, tokens) == where
    assert where[0] == 1
    without = np.array(model.without)
    assert without[where] < 0.35
    assert np.delete(without[1], where[1]).min() > 0.9
