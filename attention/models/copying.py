"""Small decoder-only models that learn to copy, for ``copying_head``: symbols in which a stretch comes twice.

Two layers of attention, each added to its input, without a feed-forward network. A model says at every place what comes
next, where the stretch comes for the second time, and has other jobs besides. Without these all heads of the second
layer learn to copy together; with them, most models leave it to one head.

``models()`` are all that were trained, also those that do not copy, or do it with two heads; ``questions()`` are those
with one copying head, and have what the exercise needs.
``python -m attention.models.copying`` trains them all, in ten minutes. ``make models`` does not: they are questions
with known answers, and a question must not change where another processor or line of the training changes last digits.
"""

from functools import cache
from typing import NamedTuple

import autograd
import autograd.numpy as np
import numpy
from jaxtyping import Float, Int

from attention.chapters.gradients import adam_step
from attention.chapters.masking import causal_mask
from attention.chapters.multi_head import multi_head_attention
from attention.chapters.reading import attention_share, followers
from attention.chapters.shapes import Array, Parameters
from attention.chapters.training import cross_entropy
from attention.chapters.translator import EPS, SEED, flatten, unflatten
from attention.trained import read_trained
from autograder.sources import sources_of

from . import shipped
from .readers import NO_PAD

NAME = "copying"
JOBS = ("next", "where before", "one back", "first", "four back", "second")  # a model with h heads has the first h + 2
LAYERS, WIDTH_OF_HEAD, STEPS, BATCH, RATE = 2, 14, 1000, 64, 0.003
MODELS, EXAMINED, KEPT = 36, 400, 2  # models; new sequences that examine each; sequences of each that are kept
COPIES, AHEAD = 0.95, 3  # right often enough, and one head far enough ahead of every other


class Sizes(NamedTuple):
    """A model's heads in each layer, and its sequences: how many symbols there are, their length, the stretch's."""

    h: int
    symbols: int
    length: int
    stretch: int


class Copier(NamedTuple):
    """What became of one training.

    ``right`` is how often the model says what comes next, the second time. ``shares`` is how much weight each head
    gives to what followed the same symbol earlier, and ``without`` how often the model is right without that head.
    ``sequences`` has tokens and each head's weights, in hundredths, row by row up to the diagonal; it is empty for a
    model that does not copy with one head.
    """

    seed: int
    h: int
    symbols: int
    right: float
    shares: list[list[float]]
    without: list[list[float]]
    sequences: list[dict]


def sizes_of(seed: int) -> Sizes:
    """Draw the sizes of a model; two, three and four heads take turns."""
    rng = numpy.random.default_rng(seed)
    stretch = int(rng.choice([3, 4]))
    return Sizes(2 + seed % 3, int(rng.choice([16, 18, 21])), 2 * stretch + int(rng.choice([4, 5, 6])), stretch)


def draw(
    rng: numpy.random.Generator, rows: int, sizes: Sizes
) -> tuple[Int[numpy.ndarray, "rows n"], Int[numpy.ndarray, "rows n"]]:
    """Draw rows of symbols, in which a stretch comes twice, and what comes next where that can be known.

    The stretch's symbols differ from one another and from all others of the row, and no symbol comes twice in a row.
    """
    _, symbols, n, k = sizes
    starts = numpy.array([(a, b) for a in range(n - 2 * k + 1) for b in range(a + k, n - k + 1)])
    places = starts[rng.integers(len(starts), size=rows)][..., None] + numpy.arange(k)  # (rows, 2, stretch)
    order = rng.permuted(numpy.tile(numpy.arange(symbols), (rows, 1)), axis=1)
    stretch, others = order[:, :k], order[:, k:]
    steps = rng.integers(1, symbols - k, size=(rows, n))
    tokens = numpy.take_along_axis(others, numpy.cumsum(steps, axis=1) % (symbols - k), axis=1)
    wanted = numpy.full((rows, n), NO_PAD)
    for again in (0, 1):
        numpy.put_along_axis(tokens, places[:, again], stretch, axis=1)
    numpy.put_along_axis(wanted, places[:, 1, :-1], stretch[:, 1:], axis=1)
    return tokens, wanted


def all_jobs(
    tokens: Int[numpy.ndarray, "rows n"], wanted: Int[numpy.ndarray, "rows n"], h: int
) -> Int[numpy.ndarray, "rows n jobs"]:
    """Return what a model with h heads has to say at every place."""
    n = tokens.shape[1]
    place = numpy.arange(n)
    earlier = (tokens[:, :, None] == tokens[:, None]) & numpy.tri(n, k=-1, dtype=bool)  # (rows, n, n)
    answers = {
        "next": wanted,
        "where before": numpy.where(earlier, place, NO_PAD).max(axis=-1),
        "one back": numpy.where(place >= 1, numpy.roll(tokens, 1, axis=1), NO_PAD),
        "first": numpy.repeat(tokens[:, :1], n, axis=1),
        "four back": numpy.where(place >= 4, numpy.roll(tokens, 4, axis=1), NO_PAD),
        "second": numpy.where(place >= 1, tokens[:, 1:2], NO_PAD),
    }
    return numpy.stack([answers[job] for job in JOBS[: h + 2]], axis=-1)


def begun(rng: numpy.random.Generator, sizes: Sizes) -> dict[str, Float[numpy.ndarray, "*layers rows columns"]]:
    """Draw a model's initial matrices; those of attention hold one for each layer."""
    width = sizes.h * WIDTH_OF_HEAD
    shapes = {
        "table": (sizes.symbols, width),
        "positions": (sizes.length, width),
        **dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (LAYERS, width, width)),
        "w_out": (width, len(JOBS[: sizes.h + 2]) * sizes.symbols),
    }
    tables = ("table", "positions")
    return {
        name: rng.normal(size=shape) / np.sqrt(1 if name in tables else shape[-2]) for name, shape in shapes.items()
    }


def answers_and_weights(
    parameters: Parameters, tokens: Int[numpy.ndarray, "rows n"], h: int
) -> tuple[Float[Array, "rows n jobs symbols"], list[Float[Array, "rows h n n"]]]:
    """Return the logits of every symbol, for every job, and where the heads of each layer look."""
    p, every = parameters, []
    x = p["table"][tokens] + p["positions"]
    for i in range(LAYERS):
        w_q, w_k, w_v, w_o = (p[name][i] for name in ("w_q", "w_k", "w_v", "w_o"))
        found, weights = multi_head_attention(x, x, x, w_q, w_k, w_v, w_o, h, causal_mask(tokens.shape[1]))
        x = x + found
        every.append(weights)
    return np.reshape(x @ p["w_out"], (*tokens.shape, -1, len(p["table"]))), every


def train(seed: int, sizes: Sizes) -> dict[str, Float[numpy.ndarray, "*layers rows columns"]]:
    """Train a model, and return its matrices."""
    rng = numpy.random.default_rng(seed)
    first = begun(rng, sizes)
    flat, slope = flatten(first), autograd.grad(_loss)
    m, v = np.zeros_like(flat), np.zeros_like(flat)
    for step in range(1, STEPS + 1):
        tokens, wanted = draw(rng, BATCH, sizes)
        gradient = slope(flat, first, tokens, all_jobs(tokens, wanted, sizes.h), sizes.h)
        flat, m, v = adam_step(flat, gradient, m, v, step, RATE, eps=EPS)
    return unflatten(flat, first)


def _loss(flat: Array, like: Parameters, tokens: Array, wanted: Array, h: int) -> Array:
    """Return the mean of the jobs' cross-entropies."""
    logits, _ = answers_and_weights(unflatten(flat, like), tokens, h)
    every = [cross_entropy(logits[..., job, :], wanted[..., job], NO_PAD) for job in range(wanted.shape[-1])]
    return sum(every) / len(every)


def without_head(parameters: Parameters, layer: int, head: int) -> dict:
    """Return a model in which what one head finds is multiplied by 0."""
    w_o = numpy.array(parameters["w_o"])
    w_o[layer, head * WIDTH_OF_HEAD : (head + 1) * WIDTH_OF_HEAD] = 0
    return {**parameters, "w_o": w_o}


def share_right(parameters: Parameters, tokens: Array, wanted: Array, h: int) -> float:
    """Return how often a model says what comes next, the second time."""
    logits, _ = answers_and_weights(parameters, tokens, h)
    known = wanted != NO_PAD
    return float((logits[..., 0, :].argmax(axis=-1) == wanted)[known].mean())


def learn(seed: int) -> Copier:
    """Train a model, examine it on new sequences, and keep some of those if one head copies."""
    sizes = sizes_of(seed)
    parameters, rng = train(seed, sizes), numpy.random.default_rng([seed, 1])
    tokens, wanted = draw(rng, EXAMINED, sizes)
    right = share_right(parameters, tokens, wanted, sizes.h)
    weights = numpy.stack(answers_and_weights(parameters, tokens, sizes.h)[1], axis=1)  # (rows, layers, h, n, n)
    each = numpy.array([attention_share(one, followers(row)) for one, row in zip(weights, tokens, strict=True)])
    shares = each.mean(axis=0)  # (layers, h)
    heads = [[(layer, head) for head in range(sizes.h)] for layer in range(LAYERS)]
    without = [
        [share_right(without_head(parameters, *one), tokens, wanted, sizes.h) for one in layer] for layer in heads
    ]
    clear = [row for row in range(EXAMINED) if is_ahead(each[row]) and each[row].argmax() == shares.argmax()]
    one_head_copies = right >= COPIES and is_ahead(shares)
    sequences = [_kept(tokens[row], weights[row]) for row in clear[:KEPT]] if one_head_copies else []
    return Copier(seed, sizes.h, sizes.symbols, round(right, 3), _rounded(shares), _rounded(without), sequences)


def is_ahead(shares: Float[numpy.ndarray, "layers h"]) -> bool:
    """Say whether one head's share is far ahead of every other's."""
    second, first = numpy.sort(numpy.ravel(shares))[-2:]
    return bool(first > AHEAD * second)


def _kept(tokens: Array, weights: Array) -> dict:
    """Return a sequence as the file keeps it."""
    hundredths = numpy.round(100 * weights).astype(int)
    rows = [[[row[: t + 1].tolist() for t, row in enumerate(head)] for head in layer] for layer in hundredths]
    return {"tokens": tokens.tolist(), "weights": rows}


def _rounded(shares: Array) -> list[list[float]]:
    """Return shares with three decimals."""
    return numpy.round(shares, 3).tolist()


@cache
def models() -> tuple[Copier, ...]:
    """Return all models that were trained."""
    return tuple(Copier(**one) for one in read_trained(NAME)["models"])


def questions() -> tuple[Copier, ...]:
    """Return the models that copy with one head."""
    return tuple(one for one in models() if one.sequences)


def made_of() -> shipped.Provenance:
    """Return what made the models: this module's code, and all that it imports. The file keeps it for information."""
    return {**shipped.training_code(), **shipped.code_in(*sources_of("attention.chapters.reading"), __file__)}


if __name__ == "__main__":
    made = []
    for number in range(MODELS):
        made.append(learn(SEED + number))
        print(made[-1]._replace(sequences=[]), flush=True)
    shipped.write(NAME, made_of(), {"models": [one._asdict() for one in made]})
    print(f"made {NAME}.json: {len(made)} models, {shipped.path_of(NAME).stat().st_size:,} bytes")
