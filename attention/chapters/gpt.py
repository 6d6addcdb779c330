"""Chapter 13, gpt: subwords, the block of GPT-2, one step with kept keys and values, and what a writer draws from.

A *pair* is two symbols that stand side by side; a *merge* is a pair that is written as one symbol from then on.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import autograd.numpy as np
from jaxtyping import Float, Int, Num

from .layer_norm import ENCODER_LAYER, layer_norm
from .masking import causal_mask, masked_attention
from .multi_head import merge_heads, split_heads
from .shapes import Array, Parameters, require_at_least, require_names
from .training import cross_entropy

# What one block of GPT-2 learns: name -> shape. It is an encoder layer with four more biases.
GPT_BLOCK = {**ENCODER_LAYER, **dict.fromkeys(("b_q", "b_k", "b_v", "b_o"), ("d_model",))}


def train_bpe(text: str, count: int) -> list[tuple[str, str]]:
    """Learn merges from a text: again and again the pair that occurs most often becomes one symbol.

    Every letter is a symbol at first, and so is a space, which belongs to the word after it. A pair never crosses from
    one word into the next. Of pairs that occur equally often, the one that the text shows first is merged.

    Shapes: text, and how many merges are wanted -> that many pairs in the order of learning; fewer where every word
    has become one symbol.
    Errors: ValueError for a count below 0.
    Source: Sennrich, Haddow and Birch (2016), Neural machine translation of rare words with subword units, section 3.2.
    """
    require_at_least("count", count, 0, "count the merges")
    words = [list(word) for word in words_of(text)]
    merges: list[tuple[str, str]] = []
    while len(merges) < count:
        pairs = Counter(pair for word in words for pair in pairwise(word))
        if not pairs:
            break
        merges.append(max(pairs, key=pairs.__getitem__))  # the first of the most frequent
        words = [merge_pair(word, merges[-1]) for word in words]
    return merges


def encode_bpe(text: str, merges: Sequence[Sequence[str]]) -> list[str]:
    """Cut a text into symbols by merges that were learned before, in the order in which they were learned.

    Shapes: text, pairs as ``train_bpe`` returns them -> symbols, which put together give the text again.
    Source: as ``train_bpe``.
    """
    symbols = []
    for word in words_of(text):
        cut = list(word)
        for pair in merges:
            cut = merge_pair(cut, pair)
        symbols += cut
    return symbols


def words_of(text: str) -> list[str]:
    """Cut a text before its spaces: each word keeps the space in front of it, and nothing is lost."""
    return re.findall(" ?[^ ]+| ", text)


def merge_pair(symbols: list[str], pair: Sequence[str]) -> list[str]:
    """Write every occurrence of a pair as one symbol, from left to right."""
    merged: list[str] = []
    for symbol in symbols:
        if merged and (merged[-1], symbol) == tuple(pair):
            merged[-1] += symbol
        else:
            merged.append(symbol)
    return merged


def gelu(x: Num[Array, "*shape"]) -> Float[Array, "*shape"]:
    """Let large numbers pass and hold small ones back, as a ReLU does, without its corner at 0.

    x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))), nearly x times the probability that a standard normal number is below x

    Shapes: any -> the same.
    Source: Hendrycks and Gimpel (2016), Gaussian error linear units, section 2; GPT-2 computes this approximation.
    """
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def gpt_block(x: Num[Array, "*batch n d_model"], parameters: Parameters, h: int) -> Float[Array, "*batch n d_model"]:
    """Attend to earlier tokens, then feed forward; a norm comes before each, and both are added.

    x = x + attention(layer_norm(x)),   x = x + gelu(layer_norm(x) w1 + b1) w2 + b2

    Shapes: x (..., n, d_model), parameters as in ``GPT_BLOCK`` -> (..., n, d_model). No row sees a later one.
    Queries, keys, values and the heads' output have a bias each.
    Errors: KeyError for missing parameters; ValueError for an h that does not divide d_model.
    Source: Radford et al. (2019), Language models are unsupervised multitask learners, section 2.3.
    """
    require_names(parameters, GPT_BLOCK, "a block of GPT-2")
    p = parameters
    seen = layer_norm(x, p["gamma1"], p["beta1"])
    query, key, value = (split_heads(seen @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")  # (..., h, n, d_k)
    found, _ = masked_attention(query, key, value, causal_mask(x.shape[-2]))
    x = x + merge_heads(found) @ p["w_o"] + p["b_o"]  # (..., n, d_model)
    return x + neurons(layer_norm(x, p["gamma2"], p["beta2"]), p)


def neurons(x: Array, p: Parameters) -> Array:
    """Return what the feed-forward network adds: (..., n, d_model) -> the same."""
    return gelu(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def step_with_cache(
    x: Num[np.ndarray, "d_model"],
    parameters: Parameters,
    h: int,
    keys: Num[np.ndarray, "h n d_k"],
    values: Num[np.ndarray, "h n d_k"],
) -> tuple[Float[np.ndarray, "d_model"], Float[np.ndarray, "h n+1 d_k"], Float[np.ndarray, "h n+1 d_k"]]:
    """Apply a block to one new token alone: keys and values of the n tokens before it are kept, not computed again.

    The new token's key and value come after the kept ones; its query looks at all n + 1. No mask is needed, since
    nothing later is there.

    Shapes: x (d_model,), keys and values (h, n, d_k), n = 0 for the first token
    -> x (d_model,), the last row that ``gpt_block`` gives for all n + 1 tokens; keys and values (h, n + 1, d_k).
    Errors: as ``gpt_block``.
    Source: Shazeer (2019), Fast Transformer decoding, section 2.4.
    """
    require_names(parameters, GPT_BLOCK, "a block of GPT-2")
    p, row = parameters, x[None, :]  # (1, d_model)
    seen = layer_norm(row, p["gamma1"], p["beta1"])
    query, key, value = (split_heads(seen @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")  # (h, 1, d_k)
    keys, values = np.concatenate([keys, key], axis=1), np.concatenate([values, value], axis=1)  # (h, n + 1, d_k)
    found, _ = masked_attention(query, keys, values, np.full((1, keys.shape[1]), True))
    row = row + merge_heads(found) @ p["w_o"] + p["b_o"]  # (1, d_model)
    return (row + neurons(layer_norm(row, p["gamma2"], p["beta2"]), p))[0], keys, values


def nucleus(probabilities: Num[np.ndarray, "words"], p: float | int) -> Float[np.ndarray, "words"]:
    """Keep the likeliest words that together have a probability of ``p``, and let them share all of it.

    The smallest set whose sum reaches p: likeliest first, in a tie the earlier word first, the word that reaches p
    included. At least one word stays.

    Shapes: probabilities (words,), which sum to 1 -> (words,), which sum to 1, 0 for each word left out.
    Errors: ValueError for a p that is not above 0 and at most 1.
    Source: Holtzman et al. (2020), The curious case of neural text degeneration, section 3.1, called top-p since.
    """
    if not 0 < p <= 1:
        raise ValueError(f"expected p above 0 and at most 1, got {p}: it is a share of the probability")
    order = np.argsort(-probabilities, kind="stable")
    before = np.cumsum(probabilities[order]) - probabilities[order]  # what likelier words have together
    kept = np.zeros(len(probabilities))
    kept[order] = np.where(before < p, probabilities[order], 0.0)
    return kept / kept.sum()


def perplexity(logits: Num[np.ndarray, "n words"], targets: Int[np.ndarray, "n"]) -> float:
    """Say among how many equally likely words a model hesitates, on the average.

    e^(cross-entropy in nats per token) = 1 / the geometric mean of the probabilities that the right tokens got

    Shapes: logits (n, words) and the right tokens (n,) -> one number, 1 at least; as many as there are words where all
    logits are equal.
    Errors: ValueError for other shapes.
    Source: Jelinek et al. (1977), Perplexity: a measure of the difficulty of speech recognition tasks.
    """
    return float(np.exp(cross_entropy(logits, targets, pad=-1)))
