"""Draws the unseen inputs, anew for every run.

Large scores come out the same in single precision: either the inputs lie on a grid of 64ths, whose dot products float32
holds exactly, or the largest score of a row is so far ahead that no other counts.
"""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.diagnosis import StepTable

# One sentence with two heads, three queries, five keys of width four: the unit vectors, and a key of zeros.
TWO_HEADS = (
    np.array([[[[0.0, 0, 0, 0], [2, 0, 0, 0], [0, 2, 0, 0]], [[0, 0, 0, 0], [0, 0, 0, 2], [0, 0, 4, 0]]]]),
    np.array([[np.eye(5, 4), np.eye(5, 4)[::-1]]]),
    np.array([[[[10.0], [20], [30], [40], [50]], [[1], [2], [3], [4], [5]]]]),
)

CLOSE = 0.95  # the cosine from which two directions are too close to be told apart by large scores in float32
CLEAR = 1e-3  # the lead of the largest score, so that float32 finds the same one


def uniform(rng: np.random.Generator, bound: float, *shape: Any) -> np.ndarray:
    """Draw numbers uniformly between -bound and bound, so that scores stay within ±4 and softmax never saturates."""
    return rng.uniform(-bound, bound, shape)


def on_grid(x: np.ndarray) -> np.ndarray:
    """Round numbers below 64 to 64ths: float32 holds their products, and sums of these up to 4096, exactly."""
    return np.round(64 * x) / 64


def directions(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Draw n unit vectors in d dimensions."""
    drawn = rng.normal(size=(n, d))
    return drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)


def directions_apart(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Draw n unit vectors in d dimensions, no two of them close."""
    while True:
        drawn = directions(rng, n, d)
        if (np.triu(drawn @ drawn.T, 1) < CLOSE).all():
            return drawn


def far_apart(rng: np.random.Generator, n_q: int, n_k: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw queries and keys with scores between -1500 and 1500: exp of the largest overflows in every row.

    Divided by √d, a score overflows exp up to d = 3 only.
    """
    key = directions_apart(rng, n_k, d)
    return 1500 * key[n_k - n_q :], key


def one_loud_query(rng: np.random.Generator, n_q: int, n_k: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw queries and keys; the first query scores so high that exp of another row minus its maximum is 0."""
    query, key = uniform(rng, 1.2, n_q, d), directions_apart(rng, n_k, d)
    query[0] = 5000 * key[0]
    return query, key


def far_out(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Draw tokens whose scores are all near 1600 but differ as usual; the longest token comes last."""
    x = on_grid(uniform(rng, 1.2, n, d))
    x[:, 0] = 40.0
    return x[np.argsort(np.linalg.norm(x, axis=-1))]


def without_ties(draw: Callable) -> np.ndarray:
    """Draw tokens until the largest score of each is clearly ahead of the others."""
    while True:
        x = draw()
        best = np.sort(x @ np.swapaxes(x, -1, -2), axis=-1)
        if best.shape[-1] == 1 or (best[..., -1] - best[..., -2]).min() > CLEAR:
            return x


def made_up(rng: np.random.Generator, n: int) -> list[str]:
    """Draw n different lower-case words of three syllables, none of them part of another."""
    syllables = np.array([c + v for c in "bdfgklmnprstvz" for v in "aeiou"])
    words = {}
    while len(words) < n:
        words["".join(rng.choice(syllables, 3))] = None
    return list(words)


def text(rng: np.random.Generator, words: list[str], *lengths: Any) -> list[Any]:
    """Draw sentences of these lengths; together they use every word, some of them capitalised."""
    drawn = rng.permutation([*words, *rng.choice(words, sum(lengths) - len(words))])
    spelled = [rng.choice([word, word.capitalize(), word.upper()], p=[0.6, 0.3, 0.1]) for word in drawn]
    ends = np.cumsum(lengths)
    return [" ".join(spelled[end - length : end]) for end, length in zip(ends, lengths, strict=True)]


def language(rng: np.random.Generator, words: int, reach: int = 3, bound: float = 2.5) -> StepTable:
    """Draw a made-up language: logits of the next word that depend on the last ``reach`` words. 0 is SOS, 1 is EOS.

    SOS never comes again, and EOS is a word like any other.
    """
    endings = [ending for n in range(reach) for ending in itertools.product(range(words), repeat=n)]
    endings += [(0, *ending) for ending in itertools.product(range(words), repeat=reach - 1)]
    rows = rng.uniform(-bound, bound, (len(endings), words))
    rows[:, 0] = -4.0
    return StepTable(tuple(endings), tuple(map(tuple, rows.tolist())))
