"""Searches for translations with a trained model: by beam, with a cache, and with multiplications counted."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from attention.chapters.corpus import Pair
from attention.chapters.embeddings import token_ids
from attention.chapters.inference import Step, beam_search, translation_step
from attention.chapters.layer_norm import add_and_norm, feed_forward
from attention.chapters.multi_head import merge_heads, split_heads
from attention.chapters.position import positional_encoding
from attention.chapters.scaling import scaled_dot_product_attention
from attention.chapters.transformer import EOS, SOS, Model, encode, layer_parameters
from attention.chapters.translator import SETTINGS

from .moments import translator_at
from .store import corpus

EXAMINED = 300


def found_by(step: Step, trained: Model, width: int) -> tuple[str, float, int]:
    """Return the best beam as words, its log-probability, and the number of tokens generated, EOS included."""
    words, vocabulary = list(trained.target_vocabulary), trained.target_vocabulary
    tokens, total = beam_search(step, vocabulary[SOS], vocabulary[EOS], SETTINGS.longest, width)
    return " ".join(words[t] for t in tokens if words[t] not in (SOS, EOS)), total, len(tokens) - 1


@cache
def searched(step: int, width: int) -> tuple[tuple[Pair, str, float], ...]:
    """Return, for each of the first EXAMINED held-out sentences, the pair, the best beam, and its log-probability.

    The model is the translator as it was after a step of its training, one of ``moments``.
    """
    found = [found_by(one, translator_at(step), width) for one in _steps(step)]
    return tuple((pair, said, total) for pair, (said, total, _) in zip(_examined(), found, strict=True))


def _examined() -> list[Pair]:
    """Return the sentences that are searched for."""
    return corpus().held_out[:EXAMINED]


@cache
def _steps(step: int) -> list[Step]:
    """Return for each examined sentence a step that caches its answers: searches ask the same."""
    return [_remembering(translation_step(source, translator_at(step))) for source, _ in _examined()]


def _remembering(step: Step) -> Step:
    """Return a step that computes each answer once."""
    remembered = cache(lambda tokens: step(list(tokens)))
    return lambda tokens: remembered(tuple(tokens))


def right(results: Sequence[tuple[Pair, str, float]]) -> int:
    """Count the sentences that were translated exactly."""
    return sum(said == pair[1] for pair, said, _ in results)


def cached_step(sentence: str, trained: Model) -> Step:
    """Return a step like ``translation_step``'s that caches keys and values, and computes one new row per token.

    It must be called for one sentence as it grows, a token at a time.
    """
    parameters, source_vocabulary, _, h, layers = trained
    memory = encode(token_ids(sentence.split(), source_vocabulary), parameters, h, layers)  # (S, d_model)
    each = [layer_parameters(parameters, f"decoder.{i}.") for i in range(layers)]
    across = [[split_heads(memory @ p[f"cross_w_{name}"], h) for name in "kv"] for p in each]  # once for all tokens
    kept: list = [None] * layers  # per layer: keys and values so far, (h, t, d_k)
    table = parameters["target_embedding"]
    asked = 0

    def step(tokens: Sequence[int]) -> np.ndarray:
        nonlocal asked
        if len(tokens) != asked + 1:
            raise ValueError(f"expected {asked + 1} tokens, got {len(tokens)}: ask about one sentence as it grows")
        asked += 1
        width = table.shape[-1]
        x = np.sqrt(width) * table[tokens[-1:]] + positional_encoding(asked, width)[-1:]  # (1, d_model)
        for i, p in enumerate(each):
            new = [split_heads(x @ p[f"w_{name}"], h) for name in "kv"]  # (h, 1, d_k)
            kept[i] = new if asked == 1 else [np.concatenate([kept[i][k], new[k]], axis=-2) for k in (0, 1)]
            x = _attend(x, p, "", *kept[i], h, "1")
            x = _attend(x, p, "cross_", *across[i], h, "2")  # type: ignore[arg-type]
            x = add_and_norm(x, feed_forward(x, p["w1"], p["b1"], p["w2"], p["b2"]), p["gamma3"], p["beta3"])
        return (x @ parameters["w_out"] + parameters["b_out"])[-1]

    return step


def _attend(
    x: np.ndarray, p: Mapping, kind: str, keys: np.ndarray, values: np.ndarray, h: int, place: str
) -> np.ndarray:
    """Let the one new row attend to all keys, and add & norm."""
    found, _ = scaled_dot_product_attention(split_heads(x @ p[f"{kind}w_q"], h), keys, values)
    return add_and_norm(x, merge_heads(found) @ p[f"{kind}w_o"], p[f"gamma{place}"], p[f"beta{place}"])


class _Counted(np.ndarray):
    """An array that counts the multiplications of every matrix product in which it, or a result of it, takes part."""

    total = 0

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: tuple | None = None, **settings: Any
    ) -> Any:
        plain = [item.view(np.ndarray) if isinstance(item, _Counted) else item for item in inputs]
        if out is not None:
            settings["out"] = tuple(item.view(np.ndarray) if isinstance(item, _Counted) else item for item in out)
        result = getattr(ufunc, method)(*plain, **settings)
        if ufunc is np.matmul:
            _Counted.total += result.size * np.shape(inputs[0])[-1]
        return result.view(_Counted) if isinstance(result, np.ndarray) else result


@contextmanager
def counting(trained: Model) -> Iterator[tuple[Model, Callable[[], int]]]:
    """Return a model that counts, and a function that returns its multiplications so far."""
    _Counted.total = 0
    counted = {name: array.view(_Counted) for name, array in trained.parameters.items()}
    yield trained._replace(parameters=counted), lambda: _Counted.total


def cost_per_token(trained: Model, sentence: str, most: int, step_of: Callable[[str, Model], Step]) -> list[int]:
    """Return the multiplications for each of ``most`` tokens, of a sentence that continues even after EOS."""
    with counting(trained) as (counted, so_far):
        step, tokens, costs = step_of(sentence, counted), [trained.target_vocabulary[SOS]], []
        for _ in range(most):
            before = so_far()
            tokens = [*tokens, int(np.argmax(step(tokens)))]
            costs.append(so_far() - before)
    return costs
