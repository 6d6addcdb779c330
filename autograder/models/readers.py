"""Ways to read a row of A and B, each trained to answer at its end for what stood anywhere in it.

``read_by(name)`` says how well a recurrent network, a convolution or one attention layer learned two games at growing
lengths, and how much its answer would move with each token.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import autograd
import autograd.numpy as np
import numpy
from jaxtyping import Float, Int

from autograder.reference.position import positional_encoding
from autograder.reference.scaling import scaled_dot_product_attention
from autograder.reference.shapes import Array, Parameters
from autograder.reference.training import adam_step, cross_entropy
from autograder.reference.translator import EPS, SEED, flatten, unflatten

from . import shipped

KERNEL, LAYERS = 3, 4  # the convolution's
NO_PAD = -1  # no token is filling


class Settings(NamedTuple):
    """How the games are learned: ``runs`` readers side by side, each with its own first weights and its own rows."""

    lengths: tuple[int, ...] = (4, 8, 16, 32, 64)
    runs: int = 5
    steps: int = 200
    batch: int = 32
    examined: int = 1000
    rate: float = 0.005


SETTINGS = Settings()


def any_b(
    rng: numpy.random.Generator, *shape: int
) -> tuple[Int[numpy.ndarray, "*rows n"], Int[numpy.ndarray, "*rows"]]:
    """Draw Note 4's game: rows of A (0), of which half have one B (1) somewhere; the answer says which half."""
    *rows, n = shape
    answers = rng.integers(2, size=rows)
    place = rng.integers(n, size=rows)
    return (np.arange(n) == place[..., None]) * answers[..., None], answers


def first_token(
    rng: numpy.random.Generator, *shape: int
) -> tuple[Int[numpy.ndarray, "*rows n"], Int[numpy.ndarray, "*rows"]]:
    """Draw rows of A (0) and B (1) at random; the answer is their first token."""
    tokens = rng.integers(2, size=shape)
    return tokens, tokens[..., 0]


GAMES = {"any B": any_b, "first token": first_token}


def recurrent(x, w_hx, w_hh):
    """Return the last state of chapter 1's ``rnn``, begun with zeros, of several runs side by side.

    There is no b_h: one of the two numbers of a token is always 1, so w_hx has room for it.
    """
    inputs = np.swapaxes(x, 1, 2)  # (runs, n, batch, 2)
    state = np.zeros((*x.shape[:2], w_hh.shape[-1]))
    for t in range(x.shape[2]):
        state = np.tanh(inputs[:, t] @ w_hx + state @ w_hh)  # (runs, batch, d)
    return state


def convolved(x, embedding, *kernels):
    """Return the last place of stacked convolutions, zeros standing before the first token.

    Only the tokens that this place can see are looked at, since no others take part in it.
    """
    seen = 1 + LAYERS * (KERNEL - 1)
    before = np.zeros((*x.shape[:2], max(0, seen - x.shape[2]), x.shape[3]))
    x = _projected(np.concatenate([before, x], axis=2)[:, :, -seen:], embedding)
    for kernel, bias in zip(kernels[::2], kernels[1::2], strict=True):
        n = x.shape[2] - KERNEL + 1
        windows = np.concatenate([x[:, :, j : j + n] for j in range(KERNEL)], axis=-1)  # (runs, batch, n, 3 d)
        x = np.tanh(_projected(windows, kernel) + bias[:, None])
    return x[:, :, 0]


def attending(x, embedding, w_q, w_k, w_v):
    """Return the last token and what it takes from all of them, by one attention; positions are added."""
    x = _projected(x, embedding)
    return _attended(x + positional_encoding(*x.shape[2:]), w_q, w_k, w_v)


def attending_without_positions(x, embedding, w_q, w_k, w_v):
    """Return what ``attending`` does where no token knows its place."""
    return _attended(_projected(x, embedding), w_q, w_k, w_v)


def _attended(x, w_q, w_k, w_v):
    """Let the last token attend to all, and add what it takes."""
    last = x[:, :, -1:]
    output, _ = scaled_dot_product_attention(_projected(last, w_q), _projected(x, w_k), _projected(x, w_v))
    return last[:, :, 0] + output[:, :, 0]


def _projected(x, w):
    """Multiply each run's tokens by its own matrix: (runs, batch, n, d) and (runs, d, d') -> (runs, batch, n, d')."""
    runs, batch, n, d = x.shape
    return np.reshape(np.reshape(x, (runs, batch * n, d)) @ w, (runs, batch, n, w.shape[-1]))


class Reader(NamedTuple):
    """A way to read: in words, the function, its width, the shapes of its arrays, and the games that it plays.

    An array with one row is a bias and begins as zeros.
    """

    words: str
    read: Callable
    width: int
    shapes: tuple[tuple[int, int], ...]
    games: tuple[str, ...] = tuple(GAMES)


READERS = {  # all of nearly one size
    "rnn": Reader("recurrent network", recurrent, 30, ((2, 30), (30, 30))),
    "cnn": Reader("four convolutions", convolved, 9, ((2, 9), *(LAYERS * ((KERNEL * 9, 9), (1, 9))))),
    "attention": Reader("one attention", attending, 18, ((2, 18), *3 * ((18, 18),))),
    "no_positions": Reader(
        "one attention, no positions", attending_without_positions, 18, ((2, 18), *3 * ((18, 18),)), ("first token",)
    ),
}


@cache
def read_by(name: str) -> dict:
    """Return what a reader learned, as it is shipped: its size and, for each game and length, a row.

    {"parameters": 1046, "games": {"any B": {64: {"right", "before", "after"}}}}: ``right`` holds each run's share of
    right answers, ``before`` and ``after`` the gradient at each token, see ``gradients``, around training.
    Errors: KeyError for a name that is not in READERS; Stale where its file is not what would be made today.
    """
    if name not in READERS:
        raise KeyError(f"expected one of {', '.join(READERS)}, got {name!r}: add a row to READERS for a new one")
    found = shipped.read(file_of(name), made_of())
    games = {game: {int(n): row for n, row in rows.items()} for game, rows in found["games"].items()}
    return {"parameters": found["parameters"], "games": games}


def file_of(name: str) -> str:
    """Return what the file of a reader is called."""
    return f"reader_{name}"


def made_of() -> shipped.Provenance:
    """Return what the readers are made of: this module's code, settings included, and all that it imports."""
    return {**shipped.training_code(), **shipped.code_in(__file__)}


def train_reader(name: str) -> dict:
    """Let a reader learn all its games at every length: the content of its file."""
    return learned_by(READERS[name], SETTINGS)


def learned_by(reader: Reader, settings: Settings) -> dict:
    """Let a reader learn all its games at every length."""
    games = {game: {n: _learned(reader, GAMES[game], n, settings) for n in settings.lengths} for game in reader.games}
    sizes = [rows * columns for rows, columns in _shapes(reader)]
    return {"parameters": sum(sizes), "games": games}


def _shapes(reader):
    """Return the shapes of a reader's arrays and, behind them, of what makes its answer."""
    return (*reader.shapes, (reader.width, 2), (1, 2))


def _learned(reader, game, n, settings):
    """Train ``runs`` readers side by side on rows of n tokens, and examine them on rows that they have not seen."""
    rng = numpy.random.default_rng([SEED, n])
    first = begun(rng, reader, settings.runs)
    flat, slope = flatten(first), autograd.grad(_loss)
    m, v = np.zeros_like(flat), np.zeros_like(flat)
    looked_at, _ = game(rng, settings.runs, settings.batch, n)
    before = gradients(reader, first, looked_at)
    for step in range(1, settings.steps + 1):
        gradient = slope(flat, first, reader, *game(rng, settings.runs, settings.batch, n))
        flat, m, v = adam_step(flat, gradient, m, v, step, settings.rate, eps=EPS)
    last = unflatten(flat, first)
    after = gradients(reader, last, looked_at)
    tokens, targets = game(rng, settings.runs, settings.examined, n)
    right = np.mean(answers(reader, last, _one_hot(tokens)).argmax(axis=-1) == targets, axis=-1)
    return {"right": right.tolist(), "before": _rounded(before), "after": _rounded(after)}


def _rounded(numbers):
    """Return numbers as a list, to four digits: the file is read more often than written."""
    return [float(f"{number:.4g}") for number in numbers]


def begun(
    rng: numpy.random.Generator, reader: Reader, runs: int
) -> dict[str, Float[numpy.ndarray, "runs rows columns"]]:
    """Draw a reader's first arrays: numbers of variance one over the rows, so that sums keep their size."""
    return {
        str(i): rng.normal(size=(runs, *shape)) / np.sqrt(shape[0]) if shape[0] > 1 else np.zeros((runs, *shape))
        for i, shape in enumerate(_shapes(reader))
    }


def answers(reader: Reader, parameters: Parameters, x: Float[Array, "runs batch n 2"]) -> Float[Array, "runs batch 2"]:
    """Return the logits of the two answers for every row, x being one-hot."""
    *own, w, b = parameters.values()
    return reader.read(x, *own) @ w + b


def _one_hot(tokens):
    """Return A as 1, 0 and B as 0, 1."""
    return np.eye(2)[tokens]


def _loss(flat, like, reader, tokens, targets):
    """Return the surprise at the right answers, on average."""
    return cross_entropy(answers(reader, unflatten(flat, like), _one_hot(tokens)), targets, NO_PAD)


def gradients(
    reader: Reader, parameters: Parameters, tokens: Int[numpy.ndarray, "runs batch n"]
) -> Float[numpy.ndarray, "n"]:
    """Return how fast the answer would move if one token turned from A to B, for each place, on average.

    The answer is the second logit less the first; its slope is taken along (-1, 1) and without its sign.
    """

    def answer(x):
        logits = answers(reader, parameters, x)
        return np.sum(logits[..., 1] - logits[..., 0])

    slopes = autograd.grad(answer)(_one_hot(tokens))  # (runs, batch, n, 2)
    return np.abs(slopes[..., 1] - slopes[..., 0]).mean(axis=(0, 1))
