"""Trains a small GPT on a text of your own: its tokens, its numbers, and samples of what it writes while it learns.

    python -m attention.models.own_text FILE.txt              five minutes, into FILE.gpt.json
    python -m attention.models.own_text FILE.txt --minutes 2  goes on where that ended
    python own_text.py FILE.txt --width 48                    the same beside the notebook, with NumPy alone

The demo of chapter 13's page opens FILE.gpt.json, in which a number has eight bits. FILE.gpt.npz keeps the numbers as
they are, and what learning needs to go on. The model is ``attention.chapters.decoder_only`` and the tokens are those of
``train_bpe``, computed in other ways, which are faster: the tests compare.

In the shapes, B windows of T tokens are read at once, d is the width, h counts heads, k = d / h, V counts symbols.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

VERSION = 1  # of the file that the page opens
MOST_SYMBOLS, MOST_LAYERS, MOST_WIDTH = 2000, 2, 256  # what the page can show
FEWEST_LETTERS, FEWEST_TOKENS, FEWEST_HELD_OUT = 2000, 200, 20
START = ""  # stands before each window; no symbol of a text is empty
HEADS, WINDOW, BATCH = 4, 64, 16
WARMUP, RATE = 200, 1.0  # as in chapter 10: rate · d^(-1/2) · min(step^(-1/2), step · warmup^(-3/2))
BETA1, BETA2, EPS = 0.9, 0.98, 1e-8
DECAY, MOST_DECAY = 1e5, 2.0  # of the matrices: DECAY / tokens, times the rate; short texts are not recited so soon
MINUTES, FIRST_LOOK, LONGEST_PAUSE = 5.0, 5.0, 30.0  # the last two in seconds
MOST_HELD_OUT = 128  # windows on which the loss is measured
SAMPLE, TEMPERATURE = 60, 0.7
LARGEST = 127  # of eight bits

Parameters = dict[str, np.ndarray]
Pair = tuple[str, str]


class Refused(Exception):
    """What was asked for cannot be done; the message says why in one line."""


class Settings(NamedTuple):
    """What a model is made by: with other settings it is another one, which cannot go on from the same file."""

    vocabulary: int = 500
    layers: int = 2
    width: int = 96
    seed: int = 0


# --- a text's symbols ---


def words_of(text: str) -> list[str]:
    """Cut a text before its spaces, as chapter 13 does."""
    return re.findall(" ?[^ ]+| ", text)


def learn_merges(read: list[str], other: list[str], most: int) -> tuple[list[Pair], dict[str, list[str]]]:
    """Learn merges from the words that are read, as ``train_bpe`` does, until there are ``most`` symbols.

    A word is looked at once, however often it occurs, and a merge changes the counts where it happens alone: a text of
    a megabyte takes seconds.

    -> the merges, and the symbols of each word, the ``other`` ones included.
    """
    words = Words(read, other)
    merges: list[Pair] = []
    symbols = {*words.symbols, START} - {None}
    while len(symbols) < most and (pair := words.most_frequent()):
        merges.append(pair)
        symbols.add("".join(pair))
        words.merge(pair)
    return merges, words.cuts()


class Words:
    """The symbols of distinct words, one word after the other, and where each pair of them is."""

    def __init__(self, read: list[str], other: list[str]):
        counts = Counter(read)
        self.words = list(dict.fromkeys([*read, *other]))  # those that are read come first, in the order of the text
        self.symbols: list[str | None] = [letter for word in self.words for letter in word]  # None: part of another
        self.weights = [counts[word] for word in self.words for _ in word]
        self.before, self.after = ([-1] * len(self.symbols) for _ in range(2))  # the neighbours in a word, or -1
        self.pairs: dict[Pair, int] = defaultdict(int)  # how often each occurs in what is read
        self.places: dict[Pair, set[int]] = defaultdict(set)  # and where its first symbol is
        at = 0
        for word in self.words:
            for i in range(at, at + len(word) - 1):
                self.after[i], self.before[i + 1] = i + 1, i
                self.add(i)
            at += len(word)

    def pair_at(self, i: int) -> Any:
        """Return the pair whose first symbol is at a place."""
        return self.symbols[i], self.symbols[self.after[i]]

    def add(self, i: int) -> None:
        """Count the pair at a place."""
        self.pairs[self.pair_at(i)] += self.weights[i]
        self.places[self.pair_at(i)].add(i)

    def drop(self, i: int) -> None:
        """Count the pair at a place no more."""
        pair = self.pair_at(i)
        self.pairs[pair] -= self.weights[i]
        self.places[pair].discard(i)
        if not self.places[pair]:
            del self.pairs[pair], self.places[pair]

    def most_frequent(self) -> Pair | None:
        """Return the pair that occurs most often, of equals the one that the text shows first."""
        best = max(self.pairs.values(), default=0)
        candidates = [pair for pair, count in self.pairs.items() if count == best > 0]
        return min(candidates, key=lambda pair: min(self.places[pair]), default=None)

    def merge(self, pair: Pair) -> None:
        """Write every occurrence of a pair as one symbol, from left to right."""
        for i in sorted(self.places[pair]):
            if self.symbols[i] is None or self.after[i] < 0 or self.pair_at(i) != pair:
                continue  # the place before has taken this symbol
            j = self.after[i]
            left, right = self.before[i], self.after[j]
            for place in (left, i, j if right >= 0 else -1):
                if place >= 0:
                    self.drop(place)
            self.symbols[i], self.symbols[j], self.after[i] = "".join(pair), None, right
            if right >= 0:
                self.before[right] = i
                self.add(i)
            if left >= 0:
                self.add(left)

    def cuts(self) -> dict[str, list[str]]:
        """Return the symbols of each word."""
        ends = np.cumsum([len(word) for word in self.words]).tolist()
        parts = (self.symbols[end - len(word) : end] for word, end in zip(self.words, ends, strict=True))
        return {word: [one for one in part if one] for word, part in zip(self.words, parts, strict=True)}


# --- the model, and its gradient ---


def draw_parameters(settings: Settings, symbols: int) -> Parameters:
    """Draw an untrained model, with the names and shapes of ``decoder_only``."""
    rng, d = np.random.default_rng(settings.seed), settings.width
    shapes: dict[str, tuple[int, ...]] = {"embedding": (symbols, d)}
    for i in range(settings.layers):
        square, wide = dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (d, d)), {"w1": (d, 3 * d), "w2": (3 * d, d)}
        short = {**dict.fromkeys(("gamma1", "beta1", "gamma2", "beta2", "b2"), (d,)), "b1": (3 * d,)}
        shapes |= {f"layer.{i}.{name}": shape for name, shape in {**square, **wide, **short}.items()}
    shapes |= {"gamma": (d,), "beta": (d,)}
    flat = np.zeros(sum(map(np.prod, shapes.values())), np.float32)
    parameters = cut_up(flat, shapes)
    for name, array in parameters.items():
        if array.ndim == 1:
            array[:] = "gamma" in name
        elif name == "embedding":
            array[:] = rng.normal(size=array.shape, scale=d**-0.5)
        else:
            bound = np.sqrt(6 / sum(array.shape))
            array[:] = rng.uniform(-bound, bound, array.shape)
    return parameters


def cut_up(flat: np.ndarray, shapes: dict[str, tuple[int, ...]]) -> Parameters:
    """Return views of a vector, one for each parameter."""
    ends = np.cumsum([np.prod(shape) for shape in shapes.values()])
    return {
        name: flat[end - np.prod(shape) : end].reshape(shape)
        for (name, shape), end in zip(shapes.items(), ends, strict=True)
    }


def angles(n: int, k: int) -> np.ndarray:
    """Return cos + i sin of each position's angles, (n, k / 2): a pair of numbers is rotated as a complex one."""
    return np.exp(1j * np.arange(n)[:, None] * 10000.0 ** (-np.arange(0, k, 2) / k))


def turned(x: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Rotate each pair of columns: (B, h, T, k) -> the same."""
    return (np.ascontiguousarray(x).view(by.dtype) * by).view(x.dtype)


def norm(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each row with mean 0 and spread 1, and 1 / its spread."""
    centred = x - x.mean(-1, keepdims=True)
    over = 1 / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
    return centred * over, over


def norm_back(slope: np.ndarray, z: np.ndarray, over: np.ndarray) -> np.ndarray:
    """Carry a gradient back through ``norm``."""
    return over * (slope - slope.mean(-1, keepdims=True) - z * (slope * z).mean(-1, keepdims=True))


def apart(x: np.ndarray, batch: int) -> np.ndarray:
    """Cut rows into heads: (B·T, d) -> (B, h, T, k)."""
    return x.reshape(batch, -1, HEADS, x.shape[-1] // HEADS).swapaxes(1, 2)


def together(heads: np.ndarray) -> np.ndarray:
    """Put heads side by side: (B, h, T, k) -> (B·T, d)."""
    return heads.swapaxes(1, 2).reshape(-1, heads.shape[1] * heads.shape[3])


def forward(tokens: np.ndarray, parameters: Parameters, layers: int) -> tuple[np.ndarray, list[tuple], tuple]:
    """Give the logits of the next token after every beginning of windows.

    Shapes: tokens (B, T) -> logits (B·T, V), and of each layer, and of the last norm, what the way back needs.
    """
    p, (batch, n) = parameters, tokens.shape
    table = p["embedding"]
    x = np.sqrt(table.shape[1], dtype=table.dtype) * table[tokens.ravel()]  # (B·T, d)
    by = angles(n, table.shape[1] // HEADS).astype(np.result_type(table, np.complex64))
    hidden = np.triu(np.full((n, n), -np.inf, table.dtype), 1)  # no token sees a later one
    kept = []
    for i in range(layers):
        q = {name.removeprefix(f"layer.{i}."): array for name, array in p.items()}
        z1, over1 = norm(x)
        seen = z1 * q["gamma1"] + q["beta1"]
        query, key = (turned(apart(seen @ q[name], batch), by) for name in ("w_q", "w_k"))
        value = apart(seen @ q["w_v"], batch)
        scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1], dtype=x.dtype) + hidden  # (B, h, T, T)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        found = together(weights @ value)
        x = x + found @ q["w_o"]
        z2, over2 = norm(x)
        read = z2 * q["gamma2"] + q["beta2"]
        awake = np.maximum(0, read @ q["w1"] + q["b1"])  # (B·T, 3 d)
        x = x + awake @ q["w2"] + q["b2"]
        kept.append((q, z1, over1, seen, query, key, value, weights, found, z2, over2, read, awake))
    z, over = norm(x)
    last = z * p["gamma"] + p["beta"]
    return last @ table.T, kept, (z, over, last, by)


def loss_of(logits: np.ndarray, wanted: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the cross-entropy in nats per token, and the probabilities: (N, V), wanted (N,)."""
    shares = np.exp(logits - logits.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    return float(-np.log(np.maximum(shares[np.arange(len(wanted)), wanted], 1e-30)).mean()), shares


def loss_and_gradient(
    tokens: np.ndarray, wanted: np.ndarray, parameters: Parameters, layers: int, slopes: Parameters
) -> float:
    """Return the loss of some windows, and write its slope with respect to each parameter into ``slopes``.

    Shapes: tokens and wanted, the token after each of them, (B, T).
    """
    p, g, batch = parameters, slopes, len(tokens)
    logits, kept, (z, over, last, by) = forward(tokens, p, layers)
    loss, d_logits = loss_of(logits, wanted.ravel())
    d_logits[np.arange(wanted.size), wanted.ravel()] -= 1
    d_logits /= wanted.size
    d_last = d_logits @ p["embedding"]
    g["embedding"][:] = d_logits.T @ last
    g["gamma"][:], g["beta"][:] = (d_last * z).sum(0), d_last.sum(0)
    d_x = norm_back(d_last * p["gamma"], z, over)
    for i in reversed(range(layers)):
        q, z1, over1, seen, query, key, value, weights, found, z2, over2, read, awake = kept[i]
        own = {name.removeprefix(f"layer.{i}."): array for name, array in g.items()}
        own["w2"][:], own["b2"][:] = awake.T @ d_x, d_x.sum(0)
        d_awake = (d_x @ q["w2"].T) * (awake > 0)
        own["w1"][:], own["b1"][:] = read.T @ d_awake, d_awake.sum(0)
        d_read = d_awake @ q["w1"].T
        own["gamma2"][:], own["beta2"][:] = (d_read * z2).sum(0), d_read.sum(0)
        d_x = d_x + norm_back(d_read * q["gamma2"], z2, over2)
        own["w_o"][:] = found.T @ d_x
        d_found = apart(d_x @ q["w_o"].T, batch)
        d_value = weights.swapaxes(-1, -2) @ d_found
        d_weights = d_found @ value.swapaxes(-1, -2)
        d_scores = weights * (d_weights - (weights * d_weights).sum(-1, keepdims=True))
        d_scores /= np.sqrt(query.shape[-1], dtype=d_x.dtype)
        d_query = together(turned(d_scores @ key, by.conj()))
        d_key = together(turned(d_scores.swapaxes(-1, -2) @ query, by.conj()))
        d_seen = np.zeros_like(seen)
        for name, slope in (("w_q", d_query), ("w_k", d_key), ("w_v", together(d_value))):
            own[name][:] = seen.T @ slope
            d_seen += slope @ q[name].T
        own["gamma1"][:], own["beta1"][:] = (d_seen * z1).sum(0), d_seen.sum(0)
        d_x = d_x + norm_back(d_seen * q["gamma1"], z1, over1)
    np.add.at(g["embedding"], tokens.ravel(), np.sqrt(d_x.shape[1], dtype=d_x.dtype) * d_x)
    return loss


# --- learning ---


class Text(NamedTuple):
    """A text in tokens: what is read, what is held out, all symbols (START first), the merges, and four beginnings."""

    read: np.ndarray
    held_out: np.ndarray
    symbols: list[str]
    merges: list[Pair]
    examples: list[str]


def cut_text(text: str, vocabulary: int) -> Text:
    """Cut a text into tokens. Its last tenth is held out, and merges are learned from what is before.

    Errors: Refused for a text that is too short, or has more letters than the vocabulary has room for.
    """
    if len(text) < FEWEST_LETTERS:
        raise Refused(f"expected a text of {FEWEST_LETTERS:,} letters or more, got {len(text):,}: choose a longer one")
    letters = sorted(set(text))
    if len(letters) >= vocabulary:
        wanted = f"--vocabulary {len(letters) + 1} or more" if len(letters) < MOST_SYMBOLS else "a text with fewer"
        raise Refused(f"this text has {len(letters):,} different letters, and {vocabulary} symbols: choose {wanted}")
    tenth = 9 * len(text) // 10
    end = max(text.rfind(" ", 0, tenth), 0) or tenth
    read, other = words_of(text[:end]), words_of(text[end:])
    merges, cuts = learn_merges(read, other, vocabulary)
    symbols = [START, *dict.fromkeys([*letters, *map("".join, merges)])]
    numbers = {symbol: i for i, symbol in enumerate(symbols)}
    parts = [np.array([numbers[symbol] for word in part for symbol in cuts[word]]) for part in (read, other)]
    if len(parts[0]) < FEWEST_TOKENS or len(parts[1]) < FEWEST_HELD_OUT:
        sizes = f"{len(parts[0])} and {len(parts[1])} of these {len(symbols)} symbols"
        raise Refused(f"this text is {sizes}, too few to learn from: choose a longer one, or a smaller --vocabulary")
    beginnings = ["".join(other[at : at + 3]) for at in range(0, len(other), max(1, len(other) // 4))]
    return Text(*parts, symbols, merges, [one for one in dict.fromkeys(beginnings) if len(one) <= WINDOW // 2][:4])


class Learner:
    """A model while it learns: its numbers and their mean, Adam's two averages, and how far it has come."""

    def __init__(self, text: Text, settings: Settings):
        self.text, self.settings = text, settings
        drawn = draw_parameters(settings, len(text.symbols))
        self.shapes = {name: array.shape for name, array in drawn.items()}
        self.flat = np.concatenate([array.ravel() for array in drawn.values()])
        self.mean = self.flat.copy()
        self.m, self.v = np.zeros_like(self.flat), np.zeros_like(self.flat)
        self.slope = np.zeros_like(self.flat)
        decay = min(MOST_DECAY, DECAY / len(text.read))
        self.decay = np.concatenate([np.full(array.size, decay * (array.ndim > 1), "f") for array in drawn.values()])
        self.step, self.seconds, self.loss = 0, 0.0, float(np.log(len(text.symbols)))

    def learn(self) -> None:
        """Take one step of Adam on windows from anywhere in the text, which the seed and the step choose.

        Source: Loshchilov and Hutter (2019), Decoupled weight decay regularization, algorithm 2.
        """
        rng, tokens = np.random.default_rng([self.settings.seed, self.step]), self.text.read
        shown, wanted = windows(tokens, rng.integers(len(tokens) - WINDOW + 1, size=BATCH), WINDOW)
        own, slopes = cut_up(self.flat, self.shapes), cut_up(self.slope, self.shapes)
        loss = loss_and_gradient(shown, wanted, own, self.settings.layers, slopes)
        self.step += 1
        rate = RATE * self.settings.width**-0.5 * min(self.step**-0.5, self.step * WARMUP**-1.5)
        self.m += (1 - BETA1) * (self.slope - self.m)
        self.v += (1 - BETA2) * (self.slope**2 - self.v)
        root = np.sqrt(self.v / (1 - BETA2**self.step)) + EPS
        self.flat -= rate * (self.m / (1 - BETA1**self.step) / root + self.decay * self.flat)
        self.mean += 9 / (self.step + 8) * (self.flat - self.mean)
        self.loss += max(1 / self.step, 0.02) * (loss - self.loss)

    def parameters(self) -> Parameters:
        """Return the numbers that are kept: a mean over about the last ninth of the steps."""
        return cut_up(self.mean, self.shapes)

    def held_out_loss(self) -> float:
        """Return the loss on the tenth that is held out, in nats per token."""
        tokens = self.text.held_out
        size = min(WINDOW, len(tokens))
        starts = np.arange(0, len(tokens) - size + 1, size)
        shown, wanted = windows(tokens, starts[:: -(-len(starts) // MOST_HELD_OUT)], size)
        logits = forward(shown, self.parameters(), self.settings.layers)[0]
        return loss_of(logits, wanted.ravel())[0]

    def write(self, count: int, seed: int = 0) -> str:
        """Write ``count`` tokens from nothing, each drawn at ``TEMPERATURE`` after the last of what is there."""
        own, tokens = self.parameters(), [0]
        for u in np.random.default_rng([self.settings.seed, seed]).random(count):
            shown = np.array([[0, *tokens[1:][1 - WINDOW :]]])
            logits = forward(shown, own, self.settings.layers)[0][-1].astype(float) / TEMPERATURE
            logits[0] = -np.inf  # the start comes once
            ends = np.cumsum(np.exp(logits - logits.max()))
            tokens.append(min(int(np.searchsorted(ends, u * ends[-1], side="right")), len(ends) - 1))
        return "".join(self.text.symbols[token] for token in tokens)


def windows(tokens: np.ndarray, starts: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what windows that begin at such places show, START first, and what is wanted after each: (B, T) each."""
    wanted = tokens[starts[:, None] + np.arange(size)]
    return np.concatenate([np.zeros_like(wanted[:, :1]), wanted[:, :-1]], axis=1), wanted


# --- the two files ---


def page_file(learner: Learner, name: str) -> dict[str, Any]:
    """Return what the page opens: symbols, merges, and the numbers as ``quantised.packed`` packs them."""
    return {
        "own_text": VERSION,
        "name": name,
        "window": WINDOW,
        "examples": learner.text.examples,
        "step": learner.step,
        "tokens": learner.text.symbols,
        "merges": learner.text.merges,
        "h": HEADS,
        "layers": learner.settings.layers,
        "parameters": {key: packed(array) for key, array in learner.parameters().items()},
    }


def packed(array: np.ndarray) -> dict[str, Any]:
    """Pack a vector with six digits, or a matrix in eight bits a number, with one scale for each row."""
    if array.ndim == 1:
        return {"vector": [float(f"{number:.6g}") for number in array.tolist()]}
    scales = [float(f"{scale:.7g}") for scale in (np.abs(array).max(axis=-1) / LARGEST).tolist()]
    divisors = np.array([scale or 1.0 for scale in scales])[:, None]
    numbers = np.clip(np.rint(array / divisors), -LARGEST, LARGEST).astype(np.int8)
    return {"data": base64.b64encode(numbers.tobytes()).decode(), "scales": scales}


KEPT = ("flat", "mean", "m", "v", "step", "seconds", "loss")  # of a learner


def made_from(text: str, settings: Settings) -> dict[str, str]:
    """Return what a file must be made from to be gone on with."""
    return {"text": hashlib.sha256(text.encode()).hexdigest(), "settings": json.dumps(settings._asdict())}


def save(learner: Learner, out: Path, name: str, made: dict[str, str]) -> None:
    """Write both files, each whole or not at all: first under another name, which then takes the file's place."""
    state = out.with_suffix(".npz")
    new = state.with_name(state.name + ".new")
    kept = {key: np.asarray(value) for key, value in (made | {key: getattr(learner, key) for key in KEPT}).items()}
    with new.open("wb") as file:
        np.savez(file, **kept)
    new.replace(state)
    new = out.with_name(out.name + ".new")
    new.write_text(json.dumps(page_file(learner, name), ensure_ascii=False) + "\n", encoding="utf-8")
    new.replace(out)


def resume(learner: Learner, out: Path, made: dict[str, str]) -> None:
    """Let a learner go on from its file, if there is one.

    Errors: Refused for a file that was made from something else, or by something else.
    """
    state, other = out.with_suffix(".npz"), "choose another --out, or delete it"
    if not state.exists():
        if out.exists():
            raise Refused(f"{out} is there, but not {state.name}, from which it could go on: {other}")
        return
    try:
        with np.load(state) as file:
            kept = {key: file[key] for key in (*KEPT, *made)}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise Refused(f"{state} is no file that this command has written: {other}") from None
    if kept["text"].item() != made["text"]:
        raise Refused(f"{state} has learned from another text: {other}")
    if kept["settings"].item() != made["settings"]:
        old, new = (json.loads(str(one)) for one in (kept["settings"], made["settings"]))
        wanted = " ".join(f"--{key} {value}" for key, value in old.items() if value != new[key])
        raise Refused(f"{state} was made with {wanted}: say so to go on, or {other}")
    for key in KEPT:
        setattr(learner, key, kept[key] if kept[key].ndim else kept[key].item())


# --- the command ---


def train(learner: Learner, steps: int | None, seconds: float, look: Any) -> None:
    """Learn until so many steps are done in all, or so many seconds are over; ``look`` is called now and then."""
    began, before, pause = time.perf_counter(), learner.seconds, FIRST_LOOK
    due = pause
    while steps is None or learner.step < steps:
        learner.learn()
        gone = time.perf_counter() - began
        learner.seconds = before + gone
        if gone >= seconds:
            break
        if gone >= due:
            look()
            pause = min(LONGEST_PAUSE, 1.5 * pause)
            due = time.perf_counter() - began + pause


def report(learner: Learner) -> str:
    """Say how far a learner is, and let it write."""
    minutes, seconds = divmod(round(learner.seconds), 60)
    held_out = learner.held_out_loss()
    losses = [f"{loss:.2f} nats per token, perplexity {np.exp(loss):,.1f}" for loss in (learner.loss, held_out)]
    line = f"{minutes}:{seconds:02}  step {learner.step:,}  loss {losses[0]}  held out {losses[1]}"
    written = learner.write(SAMPLE, learner.step).strip("\n")
    return "\n".join([line, *(f"    {row}" for row in written.splitlines())])


def say(text: str) -> None:
    """Print, with ? for letters that the terminal does not have."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


class OneLine(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse what was typed."""
        raise Refused(message)


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line. Errors: Refused for what is out of range."""
    usual = Settings()
    parser = OneLine(
        prog="own_text", description="Train a small GPT on a text of your own. Ctrl-C keeps what there is."
    )
    parser.add_argument("file", type=Path, help="a text in UTF-8")
    parser.add_argument("--vocabulary", type=int, default=usual.vocabulary, help=f"symbols, at most {MOST_SYMBOLS}")
    parser.add_argument("--layers", type=int, default=usual.layers, help=f"1 or {MOST_LAYERS}")
    parser.add_argument("--width", type=int, default=usual.width, help=f"a multiple of 8, at most {MOST_WIDTH}")
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--steps", type=int, help="how many in all, earlier runs included")
    parser.add_argument("--minutes", type=float, help=f"how long this time: {MINUTES:g} unless --steps are given")
    parser.add_argument("--out", type=Path, metavar="FILE.json", help="where the page's file is written")
    asked = parser.parse_args(given)
    asked.out = asked.out or asked.file.with_suffix(".gpt.json")
    if asked.minutes is None:
        asked.minutes = MINUTES if asked.steps is None else np.inf
    if not asked.vocabulary <= MOST_SYMBOLS:
        raise Refused(f"expected --vocabulary {MOST_SYMBOLS} or less, got {asked.vocabulary}: the page shows no more")
    if not 1 <= asked.layers <= MOST_LAYERS:
        raise Refused(f"expected --layers 1 or {MOST_LAYERS}, got {asked.layers}: the page shows no more")
    if asked.width % 8 or not 8 <= asked.width <= MOST_WIDTH:
        raise Refused(f"expected --width as a multiple of 8 up to {MOST_WIDTH}, got {asked.width}")
    if asked.seed < 0 or not asked.minutes > 0 or (asked.steps is not None and asked.steps < 1):
        raise Refused("expected --seed 0 or more, and --steps and --minutes above 0")
    if asked.out.suffix != ".json" or asked.out == asked.file or not asked.out.parent.is_dir():
        raise Refused(f"expected --out as another file that ends in .json, in a folder that is there, got {asked.out}")
    return asked


def read_text(file: Path) -> str:
    """Return a file's text as it is, newlines included. Errors: Refused where there is none."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise Refused(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Refused(f"{file} is no text in UTF-8: byte {error.object[error.start]:#04x} at {error.start:,}") from None


def run(asked: argparse.Namespace) -> None:
    """Cut the text, learn, and keep what was learned."""
    text, settings = read_text(asked.file), Settings(asked.vocabulary, asked.layers, asked.width, asked.seed)
    made, name = made_from(text, settings), asked.file.name
    cut = cut_text(text, settings.vocabulary)
    learner = Learner(cut, settings)
    resume(learner, asked.out, made)
    tokens, symbols = len(cut.read) + len(cut.held_out), len(cut.symbols)
    say(f"{name}: {len(text):,} letters, {tokens:,} tokens of {symbols} symbols; the last tenth is held out.")
    say(f"The model has {learner.flat.size:,} numbers; an even guess costs {np.log(symbols):.2f} nats per token.")
    if learner.step:
        say(f"It goes on after step {learner.step:,}, from {asked.out}.")

    def look() -> None:
        say(report(learner))
        save(learner, asked.out, name, made)

    try:
        train(learner, asked.steps, 60 * asked.minutes, look)
        ended = "Finished"
    except KeyboardInterrupt:
        ended = "Stopped"
    look()
    say(f"{ended}: {asked.out} is for the page's button *Open a file of your own*. The same command goes on from here.")


def main(given: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code: 2 for what it refuses, said in one line."""
    try:
        run(arguments(given))
    except Refused as refused:
        print(f"own_text: {refused}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"own_text: cannot write {error.filename or 'the file'}: {error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("own_text: stopped; what was written before is whole", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__" and (code := main()):
    sys.exit(code)
