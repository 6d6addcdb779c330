"""The translation looks at the source: queries from one sentence, keys and values from another."""

import numpy as np

from attention.chapters import masking as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform
from ..given_functions import multi_head_attention, softmax
from .masked_softmax import some_of

X = np.array([[2.0, 0, 0, 0], [0, 1, 0, 0]])  # (2, 4)
MEMORY = np.array([[1.0, 0, 5, 0], [0, 1, 0, 5], [0, 0, 0, 0]])  # (3, 4)
FIRST_TWO, LAST_TWO, INTO_FIRST = np.eye(4)[:, :2], np.eye(4)[:, 2:], np.eye(4)[:2]
CROSSED = np.eye(4, 2) + np.eye(4, 2, k=1)  # with its keys' matrix exchanged, other scores come out
MATRICES = (FIRST_TWO, FIRST_TWO, LAST_TWO, INTO_FIRST)
BATCH = (np.stack([X[[0, 1, 1]], X[[1, 0, 1]]]), np.stack([MEMORY[[0, 1, 2, 0, 1]], MEMORY[[2, 2, 1, 0, 0]]]))
LENGTHS = np.array([[[True, True, True, True, False]], [[True, True, True, False, False]]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """T and S unequal either way; the numbers per token, per head and of heads all different where they may be."""
    return [
        Case("three words, five in the source", (*tokens(rng, 3, 5, 6), *matrices(rng, 6, 10, 14), 2)),
        Case("seven words, two in the source", (*tokens(rng, 7, 2, 5), *matrices(rng, 5, 9, 6), 3)),
        Case("padded", (*tokens(rng, 5, 7, 6), *matrices(rng, 6, 10, 4), 2, some_of(rng, 1, 7))),
    ]


def tokens(rng: np.random.Generator, t: int, s: int, d_model: int, *batch) -> tuple[np.ndarray, np.ndarray]:
    """Draw the decoder's tokens and the encoder's."""
    return uniform(rng, 1.2, *batch, t, d_model), uniform(rng, 1.2, *batch, s, d_model)


def matrices(
    rng: np.random.Generator, d_model: int, keys: int, values: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw w_q, w_k, w_v and w_o for so many columns of keys and of values, all heads together."""
    return *(uniform(rng, 1, d_model, columns) for columns in (keys, keys, values)), uniform(rng, 1, values, d_model)


def edges(rng: np.random.Generator) -> list[Case]:
    """One word each, a source of which nothing may be seen, a single head, and leading axes with padding by name."""
    batch = (*tokens(rng, 3, 5, 6, 2), *matrices(rng, 6, 4, 10), 2)
    return [
        Case("one word each", (*tokens(rng, 1, 1, 6), *matrices(rng, 6, 4, 10), 2)),
        Case("nothing to look at", (*tokens(rng, 2, 5, 6), *matrices(rng, 6, 4, 10), 2, np.zeros((1, 5), dtype=bool))),
        Case("a single head", (*tokens(rng, 5, 3, 4), *matrices(rng, 4, 7, 2), 1)),
        Case("a batch with padding", batch, {"memory_mask": some_of(rng, 2, 1, 5)}),
    ]


@mistake(
    "The queries come from the encoder, and keys and values from the decoder. "
    "The translation asks: each of its words looks for what it needs in the source. "
    "Give `multi_head_attention` x first and memory twice.",
)
def source_asks(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(memory, x, x, w_q, w_k, w_v, w_o, h)


@mistake(
    "The decoder looked at itself: keys and values came from x, and memory was not used. "
    "That is self-attention, the previous sublayer; without looking at its source, a translation is a guess. "
    "Give memory as key and as value.",
)
def looks_at_itself(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(x, x, x, w_q, w_k, w_v, w_o, h)


@mistake(
    "The encoder looked at itself, and x was not used. "
    "You need one output for each word of the translation, with a query from that word. "
    "Give x as the query.",
)
def source_looks_at_itself(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(memory, memory, memory, w_q, w_k, w_v, w_o, h, memory_mask)


@mistake(
    "A causal mask was put over the source: word i saw no more than the first i + 1 words of it. "
    "The whole source is known from the beginning, so none of it is the future. "
    "Pass on `memory_mask`, which hides padding, and no other mask.",
)
def causal_over_the_source(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    causal = np.tril(np.ones((x.shape[-2], memory.shape[-2]), dtype=bool))
    mask = causal if memory_mask is None else causal & memory_mask
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h, mask)


@mistake(
    "All heads became one: h was not passed on. "
    "Each head has its own softmax, over its own slice of the columns. "
    "Pass h to `multi_head_attention`.",
)
def one_head_for_all(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, 1, memory_mask)


@mistake(
    "All heads became one: there are only the weights of one head, and no axis for heads. "
    "Each head has its own softmax, over its own slice of the columns. "
    "Leave that to `multi_head_attention`, and pass it h.",
)
def one_wide_head(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    query, key = x @ w_q, memory @ w_k
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1])
    weights = softmax(scores if memory_mask is None else np.where(memory_mask, scores, -np.inf))
    return weights @ (memory @ w_v) @ w_o, weights


@mistake(
    "The keys came from x, and only the values from memory. "
    "Then there is a weight for each word of the translation, but a value for each word of the source. "
    "Give memory twice, as key and as value.",
)
def keys_from_x(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(x, x, memory, w_q, w_k, w_v, w_o, h, memory_mask)


@mistake(
    "The values came from x, and only the keys from memory. "
    "The weights say how much to take of each source word, so the values must come from the source. "
    "Give memory twice, as key and as value.",
)
def values_from_x(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(x, memory, x, w_q, w_k, w_v, w_o, h, memory_mask)


@mistake(
    "h and `memory_mask` are swapped. "
    "`multi_head_attention` takes the number of heads first, then the mask. "
    "End the call with h, `memory_mask`.",
)
def mask_before_h(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, memory_mask, h)


@mistake(
    "The values were made with the keys' matrix, and the keys with the values'. "
    "A word is found by its key, and hands over its value. "
    "Pass the matrices in the order `w_q`, `w_k`, `w_v`, `w_o`.",
)
def keys_and_values_exchanged(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(x, memory, memory, w_q, w_v, w_k, w_o, h, memory_mask)


@mistake(
    "The keys were made with the queries' matrix, and the queries with the keys'. "
    "`w_q` belongs to x, which asks, and `w_k` to memory, which is asked. "
    "Pass the matrices in the order `w_q`, `w_k`, `w_v`, `w_o`.",
)
def matrices_exchanged(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(x, memory, memory, w_k, w_q, w_v, w_o, h, memory_mask)


@mistake(
    "Right where nothing is masked, but `memory_mask` was not passed on. "
    "In a batch, shorter sources end in padding, and words of the translation must not look there. "
    "Pass `memory_mask` to `multi_head_attention`.",
)
def source_mask_ignored(x, memory, w_q, w_k, w_v, w_o, h, memory_mask=None):
    return multi_head_attention(x, memory, memory, w_q, w_k, w_v, w_o, h)


EXERCISE = Exercise(
    name="cross_attention",
    reference=reference.cross_attention,
    returns=("output", "weights"),
    examples=(
        Case("two words look at three", (X, MEMORY, *MATRICES, 2)),
        Case(
            "the last word of the source is padding",
            (X, MEMORY, *MATRICES, 2),
            {"memory_mask": np.array([[True, True, False]])},
            edge=True,
        ),
        Case("a batch with padding, and one head", (*BATCH, CROSSED, *MATRICES[1:], 1, LENGTHS), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
