"""The checks of chapter 13: other right ways, merges that any right reader cuts alike, a cache that is the block's."""

import re
from itertools import pairwise

import numpy as np
import pytest

from attention.chapters import gpt
from attention.exercises import exercises_of
from attention.exercises.gpt.gpt_block import norm, think
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("gpt")


def cases(name, seed, kind):
    """Return the cases of one kind that are drawn for a seed."""
    return [case for criterion, case in EXERCISES[name].questions(seed) if criterion == kind]


def by_rank(text, merges):
    """Cut a text as GPT-2's own program does: of the pairs in a word, the one that was learned first is merged."""
    rank, symbols = {tuple(pair): number for number, pair in reversed([*enumerate(merges)])}, []
    for word in re.findall(r" ?[^ ]+| ", text):
        cut = list(word)
        while pairs := [pair for pair in pairwise(cut) if pair in rank]:
            cut = gpt.merge_pair(cut, min(pairs, key=rank.__getitem__))
        symbols += cut
    return symbols


def by_types(text, count):
    """Learn merges from each different word, counted as often as it occurs; return a tuple of lists."""
    words = {}
    for word in re.findall(r" ?[^ ]+| ", text):
        words[tuple(word)] = words.get(tuple(word), 0) + 1
    merges = []
    while len(merges) < count:
        counts = {}
        for word, times in words.items():
            for pair in pairwise(word):
                counts[pair] = counts.get(pair, 0) + times
        if not counts:
            break
        merges.append([*max(counts, key=counts.get)])
        words = {tuple(gpt.merge_pair([*word], merges[-1])): times for word, times in words.items()}
    return tuple(merges)


def row_by_row(x, parameters, h):
    """Compute a block with a cache, token by token, and every text of a batch by itself."""
    if x.ndim > 2:
        return np.stack([row_by_row(one, parameters, h) for one in x])
    keys = values = np.zeros((h, 0, x.shape[-1] // h))
    rows = []
    for token in x:
        row, keys, values = gpt.step_with_cache(token, parameters, h, keys, values)
        rows.append(row)
    return np.array(rows)


def with_loops(x, parameters, h, keys, values):
    """Make a step head by head, with Python's own sums."""
    p, d_k = parameters, len(x) // h
    seen = norm(x, p, 1)
    q, k, v = ((seen @ p[f"w_{name}"] + p[f"b_{name}"]).reshape(h, 1, d_k) for name in "qkv")
    keys, values = np.append(keys, k, axis=1), np.append(values, v, axis=1)
    found = []
    for head in range(h):
        scores = [sum(a * b for a, b in zip(q[head, 0], key, strict=True)) / d_k**0.5 for key in keys[head]]
        powers = np.exp(np.array(scores) - max(scores))
        found += list(powers @ values[head] / powers.sum())
    x = x + np.array(found) @ p["w_o"] + p["b_o"]
    return x + think(norm(x, p, 2), p), keys, values


def taken_one_by_one(probabilities, p):
    """Take the likeliest word that is left until there is enough."""
    kept, left = np.zeros(len(probabilities)), probabilities.copy()
    while kept.sum() < p and left.max() > 0:
        word = int(np.argmax(left))
        kept[word], left[word] = probabilities[word], 0.0
    return kept / kept.sum()


def with_powers_of_two(logits, targets):
    """Count in bits, and raise 2 to them."""
    bits = [(np.logaddexp.reduce(row) - row[word]) / np.log(2) for row, word in zip(logits, targets, strict=True)]
    return 2 ** np.mean(bits)


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("train_bpe", by_types),
        ("encode_bpe", by_rank),
        ("encode_bpe", lambda text, merges: tuple(np.array(by_rank(text, merges))) if text else ()),
        ("gelu", lambda x: x / (1 + np.exp(np.minimum(-np.sqrt(8 / np.pi) * (x + 0.044715 * x * x * x), 700)))),
        ("gpt_block", row_by_row),
        ("step_with_cache", with_loops),
        ("nucleus", taken_one_by_one),
        ("perplexity", with_powers_of_two),
    ],
)
def test_other_right_ways_get_full_marks(name, other_way):
    """Other orders, loops and formulas are as right as ours; pairs may be lists, and lists tuples."""
    exercise = EXERCISES[name].worth(1)
    for seed in range(5):
        verdict = judge(exercise, seed, [reply_of(other_way, case) for _, case in exercise.questions(seed)])
        assert verdict.score == 1, verdict


@pytest.mark.parametrize("seed", range(10))
def test_unseen_texts_need_the_first_merge_and_the_last(seed):
    """An answer that leaves one of them out is wrong on every unseen text."""
    for case in cases("encode_bpe", seed, "unseen"):
        text, merges = case.args
        right = gpt.encode_bpe(text, merges)
        assert "".join(right) == text
        assert right not in (gpt.encode_bpe(text, merges[1:]), gpt.encode_bpe(text, merges[:-1]))


@pytest.mark.parametrize("seed", range(10))
def test_unseen_scores_stay_small(seed):
    """No score of a block leaves ±4, so that softmax never saturates."""
    for case in cases("gpt_block", seed, "unseen"):
        x, p, h = case.args
        seen = norm(x, p, 1)
        query, key = (gpt.split_heads(seen @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qk")
        assert np.abs(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])).max() <= 4


@pytest.mark.parametrize("seed", range(10))
def test_no_sum_lies_on_the_border_of_unseen_words(seed):
    """The kept words have clearly more than p, and without the last clearly less: rounding decides nothing."""
    for case in cases("nucleus", seed, "unseen"):
        probabilities, p = case.args
        sums = np.cumsum(np.sort(probabilities)[::-1])
        assert np.abs(sums - p).min() > 1e-6


def test_the_third_row_of_the_block_is_that_of_the_step():
    """The notebook's fourth and fifth exercises print the same row."""
    block = EXERCISES["gpt_block"].examples[1]
    step = EXERCISES["step_with_cache"].examples[0]
    np.testing.assert_allclose(gpt.step_with_cache(*step.args)[0], gpt.gpt_block(*block.args)[2], atol=1e-12)
