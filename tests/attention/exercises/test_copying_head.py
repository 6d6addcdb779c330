"""The exercise ``copying_head``: which models it asks, that heads are renumbered, and that other right ways pass."""

import json

import numpy as np
import pytest

from attention.exercises import exercises_of
from attention.exercises.gpt.copying_head import HIDDEN, MODELS, SHOWN, looks_of, renumbered
from attention.trained import read_trained
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of
from tests.support.root import ROOT

EXERCISE = exercises_of("gpt")["copying_head"]


def cases(seed, kind):
    """Return the cases of one kind that are drawn for a seed."""
    return [case for criterion, case in EXERCISE.questions(seed) if criterion == kind]


def by_largest_weight(weights, tokens):
    """Count the rows whose largest weight, the token itself aside, is on a follower; return a list."""
    weights = np.array(weights)
    counts = np.zeros(weights.shape[:2])
    for layer, head, t in np.ndindex(weights.shape[:3]):
        earlier = [s + 1 for s in range(t) if tokens[s] == tokens[t]]
        if earlier:
            counts[layer, head] += weights[layer, head, t].argmax() in earlier
    return list(np.argwhere(counts == counts.max())[0])


def by_what_stands_there(weights, tokens):
    """Add up the weights on each place in front of which the row's own symbol stands."""
    follows = np.zeros((len(tokens), len(tokens)))
    follows[:, 1:] = tokens[:, None] == tokens[:-1]
    totals = np.einsum("lhts,ts->lh", weights, np.tril(follows))
    return divmod(totals.argmax(), weights.shape[1])


@pytest.mark.parametrize("other_way", [by_largest_weight, by_what_stands_there])
def test_another_right_way_gets_full_marks(other_way):
    """No limit between two measures that anybody would choose decides."""
    for seed in range(5):
        verdict = judge(EXERCISE, seed, [reply_of(other_way, case) for _, case in EXERCISE.questions(seed)])
        assert verdict.message == "Right."


def test_no_head_is_right_for_every_model():
    """Three different answers at least."""
    for seed in range(20):
        right = [EXERCISE.reference(*case.args) for case in cases(seed, "unseen")]
        assert len(right) == 6
        assert len(set(right)) >= 3


def test_every_grading_asks_models_of_every_size_and_none_that_is_shown():
    """Six different models, with two, three and four heads; the notebook and the worked examples show two others."""
    assert not {look.model for look in HIDDEN} & set(SHOWN)
    for seed in range(20):
        weights = [case.args[0] for case in cases(seed, "unseen")]
        assert {one.shape[:2] for one in weights} == {(2, 2), (2, 3), (2, 4)}
        assert len({np.sort(one.sum(axis=(-2, -1)).ravel()).tobytes() for one in weights}) == 6


def test_heads_are_renumbered_within_their_layers(rng):
    """The copying head comes under every number, and stays in its layer; which symbols are alike stays as it was."""
    look = looks_of(next(number for number, model in enumerate(MODELS) if model["h"] == 4))[0]
    heads = set()
    for _ in range(40):
        weights, tokens = renumbered(rng, look)
        assert np.array_equal(tokens[:, None] == tokens, look.args[1][:, None] == look.args[1])
        layer, head = EXERCISE.reference(weights, tokens)
        assert layer == EXERCISE.reference(*look.args)[0]
        heads.add(head)
    assert heads == {0, 1, 2, 3}


def test_each_wrong_head_of_the_first_example_is_what_a_mistake_finds():
    """Eight heads by hand do one thing each: all but the one that copies are the answer of a listed mistake."""
    example = EXERCISE.examples[0]
    named = {mistake.wrong(*example.args) for mistake in EXERCISE.mistakes}
    assert {(layer, head) for layer in range(2) for head in range(4)} - {EXERCISE.reference(*example.args)} <= named


def test_the_notebook_says_what_the_models_do():
    """Its map is the shown model's second row, in tenths; its percentages are the file's."""
    notebook = json.loads((ROOT / "solutions/13_gpt/13_gpt.ipynb").read_text(encoding="utf-8"))
    text = {cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"]) for cell in notebook["cells"]}
    namespace = {"np": np}
    exec(text["heads"], namespace)
    weights, tokens = looks_of(SHOWN[0])[1].args
    assert np.abs(namespace["weights"] - weights).max() <= 0.1
    assert np.array_equal(namespace["tokens"][:, None] == namespace["tokens"], tokens[:, None] == tokens)
    assert EXERCISE.reference(namespace["weights"], namespace["tokens"]) == (1, 3)
    said, one_head = text["about_copying_head"], [np.array(model["without"]) for model in MODELS]
    copying = [int(np.argmax(model["shares"][1])) for model in MODELS]
    alone = np.mean([without[1, head] for without, head in zip(one_head, copying, strict=True)])
    others = np.concatenate([np.delete(without[1], head) for without, head in zip(one_head, copying, strict=True)])
    every = read_trained("copying")["models"]
    assert " | ".join(f"{100 * share:.0f} %" for share in one_head[SHOWN[0]].ravel()) in said
    assert f"it is right there {100 * MODELS[SHOWN[0]]['right']:.1f} % of the time" in said
    assert f"We trained {len(every)} such models" in said
    assert f"{sum(model['right'] >= 0.95 for model in every)} of them copy, {len(MODELS)} with one" in said
    assert f"{len(MODELS)} with one such head: without it, {100 * alone:.0f} % is right" in said
    assert f"without any other head of its layer {100 * others.mean():.1f} %." in said
