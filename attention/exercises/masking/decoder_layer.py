"""The decoder layer: look back at the translation, look at the source, think."""

from collections.abc import Callable
from typing import Any

import numpy as np

from attention.chapters import masking as reference
from attention.chapters.masking import DECODER_LAYER
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import on_grid, uniform
from ..given_functions import add_and_norm, feed_forward, multi_head_attention
from .masked_softmax import some_of


def parameters_of(draw: Callable, d_model: int, d_ff: int) -> dict[str, np.ndarray]:
    """Return every parameter of a decoder layer; ``draw`` takes a shape. A factor γ is near 1."""
    sizes = {"d_model": d_model, "d_ff": d_ff}
    shapes = {name: [sizes[axis] for axis in axes] for name, axes in DECODER_LAYER.items()}
    return {name: draw(shape) + (1.0 if "gamma" in name else 0.0) for name, shape in shapes.items()}


def by_hand(seed: int) -> Callable:
    """Return a draw of halves, few digits to print: from −1 to 1."""
    rng = np.random.default_rng(seed)
    return lambda shape: rng.integers(-2, 3, shape) / 2


X = np.array([[1.0, 0, 0, -1], [0, 2, -1, 0], [0, 0, 1, 1]])  # (3, 4)
MEMORY = np.array([[2.0, 0, 0, 0], [0, 1, 0, -1]])  # (2, 4)
CAUSAL = np.tril(np.ones((3, 3), dtype=bool))
BATCH = np.stack([X, X[::-1]]), np.stack([MEMORY, MEMORY[::-1]])
HALVES = parameters_of(by_hand(8), 4, 5)


def layer(rng: np.random.Generator, t: int, s: int, d_model: int, d_ff: int, h: int, *batch) -> tuple[Any, ...]:
    """Draw the arguments of a decoder layer, without memory_mask; numbers that float32 holds exactly."""
    parameters = parameters_of(lambda shape: on_grid(uniform(rng, 0.6, *shape)), d_model, d_ff)
    x, memory = (on_grid(uniform(rng, 1.5, *batch, n, d_model)) for n in (t, s))
    return x, memory, parameters, h, np.tril(np.ones((t, t), dtype=bool))


def unseen(rng: np.random.Generator) -> list[Case]:
    """T and S unequal either way, several heads, and a mask over the source in one."""
    return [
        Case("five words, three in the source", layer(rng, 5, 3, 6, 7, 3)),
        Case("two words, seven in the source", layer(rng, 2, 7, 10, 3, 2)),
        Case("padded", (*layer(rng, 3, 5, 6, 11, 2), some_of(rng, 1, 5))),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One word each, no mask at all, and leading axes with padding by name."""
    *others, _ = layer(rng, 5, 3, 6, 7, 2)
    return [
        Case("one word each", layer(rng, 1, 1, 6, 7, 2)),
        Case("no mask at all", (*others, None)),
        Case("a batch with padding", layer(rng, 3, 5, 6, 7, 2, 2), {"memory_mask": some_of(rng, 2, 1, 5)}),
    ]


def attend(p, prefix, query, tokens, h, seen):
    """Return what the attention finds whose parameters begin with ``prefix``."""
    matrices = [p[prefix + name] for name in ("w_q", "w_k", "w_v", "w_o")]
    return multi_head_attention(query, tokens, tokens, *matrices, h, seen)[0]


def normed(p, i, x, sublayer):
    """Add and normalise with the factor and the shift of this number."""
    return add_and_norm(x, sublayer, p[f"gamma{i}"], p[f"beta{i}"])


def think(p, x):
    """Return what the feed-forward network makes of each token."""
    return feed_forward(x, p["w1"], p["b1"], p["w2"], p["b2"])


@mistake(
    "The two attentions are in the wrong order: cross-attention came before self-attention. "
    "What to look for in the source depends on what has been written, so the query must already know it. "
    "Masked self-attention comes first, then cross-attention, then the feed-forward layer.",
)
def cross_first(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "cross_", x, memory, h, memory_mask))
    x = normed(p, 2, x, attend(p, "", x, x, h, mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "The two attentions are in the wrong order: cross-attention came first, each with its own norm. "
    "What to look for in the source depends on what has been written, so the query must already know it. "
    "Masked self-attention comes first, then cross-attention, then the feed-forward layer.",
)
def cross_first_with_its_norm(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 2, x, attend(p, "cross_", x, memory, h, memory_mask))
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "The source was not used: the second attention looked at x again, without the causal mask. "
    "So nothing of the source gets into the translation, and each word sees the words after it. "
    "Give memory as key and as value: `cross_attention(x, memory, …)`.",
)
def memory_not_used(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 2, x, attend(p, "cross_", x, x, h, memory_mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "There is no cross-attention: the feed-forward layer follows self-attention directly. "
    "That is an encoder layer with a mask, and nothing of the source gets into it. "
    "Between the two, call `cross_attention(x, memory, …)`, then add and normalise with gamma2 and beta2.",
)
def cross_left_out(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "The mask was not passed on to self-attention, so each token sees the tokens after it. "
    "In training, these are the very words that it must predict. "
    "Pass mask to the first attention, and `memory_mask` to the second.",
)
def causal_mask_forgotten(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, None))
    x = normed(p, 2, x, attend(p, "cross_", x, memory, h, memory_mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "Words of the translation and of the source were confused, and their numbers differ. "
    "Either `mask` went to cross-attention, whose scores have a column for each word of the source; or memory was "
    "given as the query, and then there is no row for each word of x. "
    "Write `cross_attention(x, memory, …, h, memory_mask)`, and pass `mask` only to self-attention.",
)
def mask_over_the_source(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 2, x, attend(p, "cross_", x, memory, h, mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "Both attentions return two things, the output and the weights, and both were passed on. "
    "You can add only the output to x; the weights have another shape. "
    "Write `found, _ = cross_attention(…)`, or put `[0]` after the call; do the same for self-attention.",
)
def both_results_kept(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask))
    x = normed(p, 2, x, attend(p, "cross_", x, memory, h, memory_mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "The feed-forward layer came before cross-attention. "
    "It works on what both attentions have found, so it is the last sublayer. "
    "Swap the two, with gamma2 after cross-attention and gamma3 after the feed-forward layer.",
)
def thought_before_asking(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 2, x, think(p, x))
    return normed(p, 3, x, attend(p, "cross_", x, memory, h, memory_mask))


@mistake(
    "The feed-forward layer came before cross-attention, each with its own norm. "
    "It works on what both attentions have found, so it is the last sublayer. "
    "Swap the two, each with the norm that follows it.",
)
def thought_before_asking_with_its_norm(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 3, x, think(p, x))
    return normed(p, 2, x, attend(p, "cross_", x, memory, h, memory_mask))


@mistake(
    "There is no feed-forward layer: the decoder layer ends after cross-attention. "
    "Both attentions mix tokens; the feed-forward layer then works on each of them. "
    "Add `feed_forward(x, …)` with w1, b1, w2 and b2, and an add & norm with gamma3 and beta3.",
)
def thought_left_out(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    return normed(p, 2, x, attend(p, "cross_", x, memory, h, memory_mask))


@mistake(
    "Cross-attention used the matrices of self-attention. "
    "Each of the two has learned its own matrices, because they look for different things. "
    "Those of the second begin with cross_: cross_w_q, cross_w_k, cross_w_v, cross_w_o.",
)
def matrices_of_self_attention(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 2, x, attend(p, "", x, memory, h, memory_mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "Cross-attention used the tokens from the layer's input as queries. "
    "They don't contain what self-attention has just found in the translation so far. "
    "Assign each sublayer's result to x again, and use that.",
)
def asks_with_the_old_x(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    looked = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 2, looked, attend(p, "cross_", x, memory, h, memory_mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "The second and the third sublayer were added to the layer's input instead of the previous sublayer's result. "
    "Then most of what self-attention found is lost. "
    "Assign each result to x again, and add the next sublayer to that.",
)
def adds_to_the_old_x(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    looked = normed(p, 1, x, attend(p, "", x, x, h, mask))
    found = normed(p, 2, x, attend(p, "cross_", looked, memory, h, memory_mask))
    return normed(p, 3, x, think(p, found))


@mistake(
    "Each sublayer got normalised tokens, and its output was added without a norm after it. "
    "That is pre-norm, which most of today's models use; here it is post-norm, as in the original Transformer. "
    "Add first, then normalise: `add_and_norm` does both.",
)
def normalised_before(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    y = normed(p, 1, x, 0 * x)
    x = x + attend(p, "", y, y, h, mask)
    x = x + attend(p, "cross_", normed(p, 2, x, 0 * x), memory, h, memory_mask)
    return x + think(p, normed(p, 3, x, 0 * x))


@mistake(
    "x was added twice: before `add_and_norm`, and in it. "
    "`add_and_norm` adds its first two arguments and normalises the sum. "
    "Write `add_and_norm(x, attended, …)`, with only the sublayer's output.",
)
def adds_x_twice(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, x + attend(p, "", x, x, h, mask))
    x = normed(p, 2, x, x + attend(p, "cross_", x, memory, h, memory_mask))
    return normed(p, 3, x, x + think(p, x))


@mistake(
    "The last norm is missing: the feed-forward layer's output was added, and the sum returned as it is. "
    "Every sublayer ends with a norm, so that the next layer gets numbers at the scale it expects. "
    "Finish with `add_and_norm(x, …)`, gamma3 and beta3.",
)
def last_norm_left_out(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 2, x, attend(p, "cross_", x, memory, h, memory_mask))
    return x + think(p, x)


@mistake(
    "The last add & norm is missing: the feed-forward layer's output was returned alone. "
    "What both attentions found is then lost, except for what reached that output. "
    "Finish with `add_and_norm(x, thought, …)`, gamma3 and beta3.",
)
def thought_alone(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    return think(p, normed(p, 2, x, attend(p, "cross_", x, memory, h, memory_mask)))


@mistake(
    "The last norm used gamma2 and beta2. "
    "Each add & norm has learned its own factor and shift. "
    "Use gamma3 and beta3 after the feed-forward layer.",
)
def second_norm_again(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 2, x, attend(p, "cross_", x, memory, h, memory_mask))
    return normed(p, 2, x, think(p, x))


@mistake(
    "The norm after cross-attention used gamma1 and beta1. "
    "Each add & norm has learned its own factor and shift. "
    "Use gamma2 and beta2 after cross-attention.",
)
def first_norm_again(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 1, x, attend(p, "cross_", x, memory, h, memory_mask))
    return normed(p, 3, x, think(p, x))


@mistake(
    "All three norms used gamma1 and beta1. "
    "Each add & norm has learned its own factor and shift. "
    "Use gamma1 after self-attention, gamma2 after cross-attention and gamma3 at the end; the same for beta.",
)
def one_norm_for_all(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 1, x, attend(p, "cross_", x, memory, h, memory_mask))
    return normed(p, 1, x, think(p, x))


@mistake(
    "Right where the source has no padding, but `memory_mask` was not passed on. "
    "In a batch, shorter sources end in padding, and the translation must not look there. "
    "Pass `memory_mask` to cross-attention.",
)
def padding_of_the_source_seen(x, memory, parameters, h, mask, memory_mask=None):
    p = parameters
    x = normed(p, 1, x, attend(p, "", x, x, h, mask))
    x = normed(p, 2, x, attend(p, "cross_", x, memory, h, None))
    return normed(p, 3, x, think(p, x))


def sublayers(
    x: np.ndarray,
    memory: np.ndarray,
    parameters: dict[str, np.ndarray],
    h: int,
    mask: np.ndarray,
    memory_mask: np.ndarray | None,
    joined: Any,
    thought: Any = think,
) -> Any:
    """Return the layer with another function instead of ``normed``, which takes (p, i, x, sublayer)."""
    p = parameters
    x = joined(p, 1, x, attend(p, "", x, x, h, mask))
    x = joined(p, 2, x, attend(p, "cross_", x, memory, h, memory_mask))
    return joined(p, 3, x, thought(p, x))


def with_joined(joined: Callable, thought: Callable = think) -> Callable:
    """Return a layer that joins tokens and sublayers in another way, or thinks otherwise."""

    def layer(x, memory, parameters, h, mask, memory_mask=None):
        return sublayers(x, memory, parameters, h, mask, memory_mask, joined, thought)

    return layer


def but_for(other: Callable, *places) -> Callable:
    """Return ``normed`` with ``other`` in its place after some sublayers."""
    return with_joined(lambda p, i, x, sublayer: (other if i in places else normed)(p, i, x, sublayer))


def added(p: Any, i: int, x: np.ndarray, sublayer: Any) -> Any:
    """Add without a norm."""
    return x + sublayer


def alone(p: Any, i: int, x: np.ndarray, sublayer: Any) -> Any:
    """Normalise what the sublayer found, and add nothing."""
    return normed(p, i, 0 * x, sublayer)


def bent_nowhere(p: Any, x: np.ndarray) -> Any:
    """Return the network without its bend."""
    return (x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def last_two(
    x: np.ndarray,
    memory: np.ndarray,
    parameters: dict[str, np.ndarray],
    h: int,
    mask: np.ndarray,
    memory_mask: np.ndarray | None = None,
    thinks_of: int = 1,
    adds_to: int = 0,
) -> Any:
    """Return the layer whose network reads, and is added to, what one of the two attentions left: 0 or 1."""
    p = parameters
    looked = normed(p, 1, x, attend(p, "", x, x, h, mask))
    left = looked, normed(p, 2, looked, attend(p, "cross_", looked, memory, h, memory_mask))
    return normed(p, 3, left[adds_to], think(p, left[thinks_of]))


def added_to_the_input(
    x: np.ndarray,
    memory: np.ndarray,
    parameters: dict[str, np.ndarray],
    h: int,
    mask: np.ndarray,
    memory_mask: np.ndarray | None = None,
) -> Any:
    """Return the layer whose cross-attention is added to what came into the layer."""
    p = parameters
    looked = normed(p, 1, x, attend(p, "", x, x, h, mask))
    left = normed(p, 2, x, attend(p, "cross_", looked, memory, h, memory_mask))
    return normed(p, 3, left, think(p, left))


SUBLAYERS = {1: "self-attention", 2: "cross-attention", 3: "the feed-forward network"}
WRONG_FORMULAS = (
    *((f"the output of {name} is added without a norm after it", but_for(added, i)) for i, name in SUBLAYERS.items()),
    ("only the last sum is normalised", but_for(added, 1, 2)),
    ("nothing is normalised", but_for(added, 1, 2, 3)),
    *((f"the input of {name} is not added to its output", but_for(alone, i)) for i, name in SUBLAYERS.items()),
    ("no sublayer's input is added to its output", but_for(alone, 1, 2, 3)),
    ("the feed-forward network keeps negative numbers", with_joined(normed, bent_nowhere)),
    (
        "the output of cross-attention is added to the layer's input instead of to its own input",
        added_to_the_input,
    ),
    ("the output of the feed-forward network is added to the tokens from before cross-attention", last_two),
    (
        "the feed-forward network gets the tokens from before cross-attention",
        lambda *args, **kwargs: last_two(*args, **kwargs, thinks_of=0, adds_to=1),
    ),
    (
        "the output of cross-attention is not used after it",
        lambda *args, **kwargs: last_two(*args, **kwargs, thinks_of=0, adds_to=0),
    ),
)

EXERCISE = Exercise(
    name="decoder_layer",
    reference=reference.decoder_layer,
    returns=("output",),
    examples=(
        Case("three words, two in the source", (X, MEMORY, HALVES, 2, CAUSAL)),
        Case(
            "a batch, in the first the second word of the source is padding",
            (*BATCH, HALVES, 2, CAUSAL),
            {"memory_mask": np.array([[[True, False]], [[True, True]]])},
            edge=True,
        ),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=WRONG_FORMULAS,
)
