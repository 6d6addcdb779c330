"""What a notebook's check says of a wrong answer, from what the released examples hold."""

import json
from dataclasses import replace

import numpy as np
import pytest

from attention.chapters.context import softmax
from attention.chapters.multi_head import merge_heads, split_heads
from attention.chapters.scaling import scaled_dot_product_attention
from attention.exercises import exercises_of
from autograder.course.examples import plain, told_formulas
from autograder.diagnosis.exercise import Case, Exercise
from autograder.diagnosis.selfcheck import decode, finding


def test_a_dictionary_is_shown_beside_the_wanted_one(stored):
    """A notebook shows results that are no numbers, too: as Python writes them, if they are of one kind."""
    exercise = stored["embeddings"]["vocabulary"]
    (one,) = finding("vocabulary", exercise, lambda sentences: {"cat": 0, "mat": 1, "rat": 2}).differences
    assert (one.got, one.wanted) == ("{'cat': 0, 'mat': 1, 'rat': 2}", "{'mat': 0, 'cat': 1, 'rat': 2}")
    assert finding("vocabulary", exercise, lambda sentences: ["mat", "cat", "rat"]).differences == ()


def test_an_answer_that_keeps_what_it_computed_is_told_so(stored):
    """A list that is made once, as a default, grows from call to call, and the notebook asks twice."""

    def causal_mask(n, rows=[]):  # noqa: B006 - the mistake
        rows += [[j <= i for j in range(n)] for i in range(n)]
        return np.array([row[:n] for row in rows if len(row) >= n])

    said = finding("causal_mask", stored["masking"]["causal_mask"], causal_mask).said
    assert said.startswith("not right yet. Two calls with the same arguments give different answers.")


def test_a_return_inside_the_loop_is_named_by_a_single_example(stored):
    """A loop that a batch stops leaves one worked example to judge by, and zeros below the first row tell enough."""

    def scaled_scores(query, key):
        scores = np.zeros((query.shape[-2], key.shape[-2]))
        for i in range(query.shape[-2]):
            scores[i] = key @ query[i] / np.sqrt(key.shape[-1])
            return scores

    said = finding("scaled_scores", stored["scaling"]["scaled_scores"], scaled_scores).said
    assert "`scores` is right in the first row, and 0 in the others." in said


def test_a_factor_that_many_sizes_explain_is_given_as_a_number(stored):
    """1/16 is 1/warmup², warmup/d_model and more where d_model is 64 and warmup 4: none is named."""

    def learning_rate(step, d_model, warmup):
        return (
            d_model**-1 / 2 * min(step**-0.5, step * warmup**-1.5)
        )  # -1/2 without brackets, and 1/16 of the right rate

    said = finding("learning_rate", stored["training"]["learning_rate"], learning_rate).said
    assert "is the right answer times 1/16. Look" in said


def test_a_batch_is_not_blamed_for_what_is_wrong_in_one_of_its_sentences(stored):
    """The largest score in size is right in the single sentences, and wrong in one of the batch, also by itself."""
    said = finding(
        "strongest_neighbour",
        stored["context"]["strongest_neighbour"],
        lambda x: np.argmax(np.abs(x @ np.swapaxes(x, -1, -2)), axis=-1),
    ).said
    assert "Right elsewhere" not in said


@pytest.mark.parametrize("answer", [lambda x: x.sum, lambda x: map(sum, x), lambda x: (row for row in x)])
def test_what_holds_no_numbers_is_not_called_random(stored, answer):
    """Two methods, two maps or two generators are never equal, and that says nothing of the function."""
    said = finding("similarity_scores", stored["context"]["similarity_scores"], answer).said
    assert "different answers" not in said


def squared_keys(query, key, value):
    """Return attention to squared keys, which are the keys themselves where they hold 0 and 1 alone."""
    return scaled_dot_product_attention(query, key**2, value)


def always_causal(query, key, value, mask):
    """Return attention with a causal mask in place of any with a row for each query, as in the first example."""
    seen = np.tri(*mask.shape[-2:], dtype=bool) if mask.shape[-2] > 1 else mask
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])
    weights = softmax(np.where(seen, scores, -np.inf))
    return weights @ value, weights


@pytest.mark.parametrize(
    ("stem", "wrong"), [("scaling", squared_keys), ("masking", always_causal)], ids=["one query", "a blind query"]
)
def test_what_an_example_is_by_chance_is_not_blamed(stored, stem, wrong):
    """Of few examples, the wrong ones may share a single query, or one that may look at nothing, by chance."""
    name = {"scaling": "scaled_dot_product_attention", "masking": "masked_attention"}[stem]
    said = finding(name, stored[stem][name], wrong).said
    assert "Right elsewhere" not in said


def test_a_table_of_places_is_no_mask(stored):
    """A sum over the heads is not put down to a query that may look at nothing, which only masks hide from all keys."""

    def attention_share(weights, places):
        return (weights * places).sum(axis=1)[..., places.any(axis=-1)].mean(axis=-1)

    said = finding("attention_share", stored["multi_head"]["attention_share"], attention_share).said
    assert "look at nothing" not in said


def test_sentences_show_that_an_answer_fails_in_batches_alone(stored):
    """`project` has one single sentence among its examples; those of the batch, one by one, are right as well."""
    said = finding(
        "project",
        stored["query_key_value"]["project"],
        lambda x, w_q, w_k, w_v: tuple((w.T @ x.T).T for w in (w_q, w_k, w_v)),
    ).said
    assert "Right elsewhere, but wrong where there are leading axes" in said


def test_rows_that_do_not_line_up_are_not_heads_in_the_wrong_place(stored):
    """A sum without keepdims fails with the lengths that heads before tokens fail with, in another operation."""

    def multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h):
        q, k, v = (split_heads(x @ w, h) for x, w in ((query, w_q), (key, w_k), (value, w_v)))
        powers = np.exp(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]))
        weights = powers / powers.sum(axis=-1)
        return merge_heads(weights @ v) @ w_o, weights

    said = finding("multi_head_attention", stored["multi_head"]["multi_head_attention"], multi_head_attention).said
    assert said.startswith("not right yet. Two arrays do not line up")


def test_what_an_answer_prints_is_shown_once_for_each_example(stored, capsys):
    """Who looks for the mistake with print sees no more calls than there are examples."""
    exercise = stored["scaling"]["scaling_factor"]
    finding("scaling_factor", exercise, lambda d_k: print("called") or 0.3)
    assert capsys.readouterr().out.count("called") == len(exercise["cases"])


def test_a_chapter_that_was_released_before_is_checked(stored):
    """All chapters share one selfcheck.py: it may be newer than a chapter's examples, which then lack the formulas."""
    older = {key: value for key, value in stored["scaling"]["entropy"].items() if key != "formulas"}
    squares = dict(exercises_of("scaling")["entropy"].wrong_formulas)["the logarithm is missing: the sum of −p²"]
    assert "logarithm is missing" in finding("entropy", stored["scaling"]["entropy"], squares).said
    assert finding("entropy", older, squares).said.startswith("not right yet. `entropy` ")


def test_formulas_with_the_same_answers_are_not_released():
    """Of two that the worked examples cannot tell apart neither is named, nor is one that is right on them.

    Nor is one that gives a few whole numbers alone: another may give the same by chance.
    """
    double, same, right = (("twice", lambda x: 2 * x), ("added", lambda x: x + x), ("kept", lambda x: x))
    whole = ("rounded down", np.floor)
    case = Case("two numbers", (np.array([0.3, 5.7]),))
    given = {"name": "keep", "reference": lambda x: x, "returns": ("x",), "examples": (case,)}
    exercise = Exercise(**given, unseen=lambda rng: [case], edges=lambda rng: [])
    assert list(told_formulas(replace(exercise, wrong_formulas=(double, right, whole)))) == ["twice"]
    assert told_formulas(replace(exercise, wrong_formulas=(double, right, same))) == {}


def test_what_examples_hold_comes_back_as_it_was():
    """Dictionaries keep their keys, whole numbers and the words *array* and *tuple* among them, and their order."""
    for value in ({"array": 0, "tuple": 1, "dict": 2}, {3: "b", 1: ["a", (2, "c")]}, [{"x": []}, {}], []):
        back = decode(json.loads(json.dumps(plain(value))))
        assert (back, repr(back)) == (value, repr(value))
