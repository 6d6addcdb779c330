"""Small readers of rows of A and B: each is trained to answer at the end for something anywhere in the row.

``read_by(name)`` says how well a recurrent network, a convolution or one attention layer learned two games at growing
lengths, and how much its answer would change with each token.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

import autograd
import autograd.numpy as np
import numpy
from jaxtyping import Float, Int

from attention.chapters.gradients import adam_step
from attention.chapters.position import positional_encoding
from attention.chapters.scaling import scaled_dot_product_attention
from attention.chapters.shapes import Array, Parameters
from attention.chapters.training import cross_entropy
from attention.chapters.translator import EPS, SEED, flatten, unflatten

from . import shipped

KERNEL, LAYERS = 3, 4  # the convolution's
NO_PAD = -1  # no padding


class Settings(NamedTuple):
    """How the games are learned: ``runs`` readers in parallel, each with its own initial weights and rows."""

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
    """Draw Note 4's game: rows of A (0), half of which have one B (1) somewhere; the answer says whether they do."""
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


def recurrent(x: Array, w_hx: Array, w_hh: Array) -> Array:
    """Return the last state of chapter 1's ``rnn``, starting from zeros, of several runs in parallel.

    There is no b_h: one of a token's two numbers is always 1, so w_hx can hold a bias.
    """
    inputs = np.swapaxes(x, 1, 2)  # (runs, n, batch, 2)
    state = np.zeros((*x.shape[:2], w_hh.shape[-1]))
    for t in range(x.shape[2]):
        state = np.tanh(inputs[:, t] @ w_hx + state @ w_hh)  # (runs, batch, d)
    return state


def convolved(x: Array, embedding: Array, *kernels: Array) -> Array:
    """Return the last position of stacked convolutions, with zeros before the first token.

    Only the tokens that this position can see are computed, since no others affect it.
    """
    seen = 1 + LAYERS * (KERNEL - 1)
    before = np.zeros((*x.shape[:2], max(0, seen - x.shape[2]), x.shape[3]))
    x = _projected(np.concatenate([before, x], axis=2)[:, :, -seen:], embedding)
    for kernel, bias in zip(kernels[::2], kernels[1::2], strict=True):
        n = x.shape[2] - KERNEL + 1
        windows = np.concatenate([x[:, :, j : j + n] for j in range(KERNEL)], axis=-1)  # (runs, batch, n, 3 d)
        x = np.tanh(_projected(windows, kernel) + bias[:, None])
    return x[:, :, 0]


def attending(x: Array, embedding: Array, w_q: Array, w_k: Array, w_v: Array) -> Array:
    """Return the last token plus what it reads from all of them, by one attention; positions are added."""
    x = _projected(x, embedding)
    return _attended(x + positional_encoding(*x.shape[2:]), w_q, w_k, w_v)


def attending_without_positions(x: Array, embedding: Array, w_q: Array, w_k: Array, w_v: Array) -> Array:
    """Return ``attending`` without positions."""
    return _attended(_projected(x, embedding), w_q, w_k, w_v)


def _attended(x: Array, w_q: Array, w_k: Array, w_v: Array) -> Array:
    """Let the last token attend to all, and add the result."""
    last = x[:, :, -1:]
    output, _ = scaled_dot_product_attention(_projected(last, w_q), _projected(x, w_k), _projected(x, w_v))
    return last[:, :, 0] + output[:, :, 0]


def _projected(x: Array, w: Array) -> Array:
    """Multiply each run's tokens by its own matrix: (runs, batch, n, d) and (runs, d, d') -> (runs, batch, n, d')."""
    runs, batch, n, d = x.shape
    return np.reshape(np.reshape(x, (runs, batch * n, d)) @ w, (runs, batch, n, w.shape[-1]))


class Reader(NamedTuple):
    """One kind of reader: description, function, width, shapes of its arrays, and the games it plays.

    An array with one row is a bias and starts at zero.
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
    """Return a reader's shipped results: its size and, for each game and length, a row.

    {"parameters": 1046, "games": {"any B": {64: {"right", "before", "after"}}}}: ``right`` holds each run's share of
    right answers, ``before`` and ``after`` the gradient at each token (see ``gradients``) before and after training.
    Errors: KeyError for a name that is not in READERS; Stale if its file is not what would be made today.
    """
    if name not in READERS:
        raise KeyError(f"expected one of {', '.join(READERS)}, got {name!r}: add a row to READERS for a new one")
    found = shipped.read(file_of(name), made_of())
    games = {game: {int(n): row for n, row in rows.items()} for game, rows in found["games"].items()}
    return {"parameters": found["parameters"], "games": games}


def file_of(name: str) -> str:
    """Return the name of a reader's file."""
    return f"reader_{name}"


def made_of() -> shipped.Provenance:
    """Return the readers' provenance: this module's code, settings included, and all that it imports."""
    return {**shipped.training_code(), **shipped.code_in(__file__)}


def train_reader(name: str) -> dict:
    """Train a reader on all its games at every length; return its file's content."""
    return learned_by(READERS[name], SETTINGS)


def learned_by(reader: Reader, settings: Settings) -> dict:
    """Train a reader on all its games at every length."""
    games = {game: {n: _learned(reader, GAMES[game], n, settings) for n in settings.lengths} for game in reader.games}
    sizes = [rows * columns for rows, columns in _shapes(reader)]
    return {"parameters": sum(sizes), "games": games}


def _shapes(reader: Reader) -> tuple[tuple[int, int], ...]:
    """Return the shapes of a reader's arrays, and of its read-out."""
    return (*reader.shapes, (reader.width, 2), (1, 2))


def _learned(reader: Reader, game: Callable, n: int, settings: Settings) -> dict:
    """Train ``runs`` readers in parallel on rows of n tokens, and test them on unseen rows."""
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


def _rounded(numbers: Iterable[float]) -> list[float]:
    """Return numbers as a list, rounded to four digits."""
    return [float(f"{number:.4g}") for number in numbers]


def begun(
    rng: numpy.random.Generator, reader: Reader, runs: int
) -> dict[str, Float[numpy.ndarray, "runs rows columns"]]:
    """Draw a reader's initial arrays, with a variance that preserves the size of sums."""
    return {
        str(i): rng.normal(size=(runs, *shape)) / np.sqrt(shape[0]) if shape[0] > 1 else np.zeros((runs, *shape))
        for i, shape in enumerate(_shapes(reader))
    }


def answers(reader: Reader, parameters: Parameters, x: Float[Array, "runs batch n 2"]) -> Float[Array, "runs batch 2"]:
    """Return the logits of the two answers for every row, x being one-hot."""
    *own, w, b = parameters.values()
    return reader.read(x, *own) @ w + b


def _one_hot(tokens: Array) -> Array:
    """Return A as 1, 0 and B as 0, 1."""
    return np.eye(2)[tokens]


def _loss(flat: Array, like: Parameters, reader: Reader, tokens: Array, targets: Array) -> Array:
    """Return the mean cross-entropy of the right answers."""
    return cross_entropy(answers(reader, unflatten(flat, like), _one_hot(tokens)), targets, NO_PAD)


def gradients(
    reader: Reader, parameters: Parameters, tokens: Int[numpy.ndarray, "runs batch n"]
) -> Float[numpy.ndarray, "n"]:
    """Return the mean gradient of the answer with respect to each token, as it turns from A to B.

    The answer is the second logit minus the first; its slope is taken along (-1, 1), in absolute value.
    """

    def answer(x: Array) -> Array:
        logits = answers(reader, parameters, x)
        return np.sum(logits[..., 1] - logits[..., 0])

    slopes = autograd.grad(answer)(_one_hot(tokens))  # (runs, batch, n, 2)
    return np.abs(slopes[..., 1] - slopes[..., 0]).mean(axis=(0, 1))
