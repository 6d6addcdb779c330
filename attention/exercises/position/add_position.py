"""Each token with the encoding of its place added."""

import numpy as np

from attention.chapters import position as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

SENTENCE = np.array([[1, 2, 3, 4], [1, 2, 3, 4], [0, 0, 0, 0]])  # whole numbers, as anyone types them
BATCH = np.array([[[1, 2, 3, 4], [5, 6, 7, 8]], [[0, 0, 0, 0], [1, 1, 1, 1]], [[2, 0, 2, 0], [0, 3, 0, 3]]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """Fewer tokens than numbers, and more."""
    return [
        Case("more numbers than tokens", (uniform(rng, 3, 7, 10),)),
        Case("more tokens than numbers", (uniform(rng, 3, 11, 6),)),
        Case("whole numbers", (rng.integers(-9, 10, (5, 14)),)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, one clock, a batch, a batch of heads."""
    return [
        Case("one token", (uniform(rng, 3, 1, 6),)),
        Case("two numbers, one clock", (uniform(rng, 3, 5, 2),)),
        Case("a batch, with leading axes", (uniform(rng, 3, 3, 5, 6),)),
        Case("two leading axes", (uniform(rng, 3, 2, 3, 7, 10),)),
    ]


def table(n: int, d: int) -> np.ndarray:
    """Return the encoding of n positions, as the notebook's hints build it."""
    angles, pe = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d), np.zeros((n, d))
    pe[:, 0::2] = np.sin(angles)
    pe[:, 1::2] = np.cos(angles)
    return pe


@mistake(
    "The encoding was appended to the token's numbers instead of added to them. "
    "The rows are now twice as wide, but every matrix after them expects `d_model`. "
    "Add the two: same shape in, same shape out.",
)
def put_beside(x):
    n, d = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    pe = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)
    return np.concatenate([x, np.broadcast_to(pe, x.shape)], axis=-1)


@mistake(
    "Only the encoding was returned, without the tokens. "
    "Every sentence of this length would then look the same. "
    "Return x plus the encoding.",
)
def tokens_forgotten(x):
    n, d = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    pe = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)
    return np.broadcast_to(pe, x.shape) + 0.0


@mistake(
    "The tokens were multiplied by the encoding. "
    "Wherever a sine or a cosine is near 0, the token's number is lost. "
    "Add the encoding.",
)
def tokens_multiplied(x):
    n, d = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return x * np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


@mistake(
    "The positions were counted along the numbers of a token, and the clocks along the sentence. n and `d_model` are "
    "swapped. "
    "The tokens are along the second last axis: `positional_encoding(x.shape[-2], x.shape[-1])`, without a transpose.",
)
def places_along_the_numbers(x):
    n, d = x.shape[-2:]
    angles = np.arange(d)[:, None] / 10000 ** (np.arange(0, n, 2) / n)
    pe = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(d, -1)[:, :n]
    return x + pe.T


@mistake(
    "The two sizes are swapped: the encoding has `d_model` rows, each with as many numbers as there are tokens. "
    "It does not line up with x, which has a row for each token. "
    "Tokens come first: `positional_encoding(x.shape[-2], x.shape[-1])`.",
)
def sizes_exchanged(x):
    n, d = x.shape[-2:]
    angles = np.arange(d)[:, None] / 10000 ** (np.arange(0, n, 2) / n)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(d, n)


@mistake(
    "The two sizes are swapped: `positional_encoding` was asked for `d_model` rows, with a number for each token. "
    "Three tokens made a width of 3, which can't be divided into pairs, so the error comes from inside that function. "
    "That function is fine; call `positional_encoding(x.shape[-2], x.shape[-1])`.",
)
def sizes_exchanged_in_the_call(x):
    n, d = x.shape[-2:]
    return x + table(d, n).T


@mistake(
    "The positions were counted from 1. "
    "The first token is at position 0, whose row is 0, 1, 0, 1. "
    "Add the rows of `positional_encoding(n, d_model)` as they are.",
)
def first_token_at_one(x):
    n, d = x.shape[-2:]
    angles = np.arange(1, n + 1)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


@mistake(
    "The tokens were multiplied by √d_model before the encoding was added. "
    "The Transformer does that once, when it looks up its words; this function only adds. "
    "Return x + PE.",
)
def tokens_scaled_too(x):
    n, d = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return x * np.sqrt(d) + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


@mistake(
    "The encoding was added with `+=`, but x has dtype int, which can't hold fractions. "
    "Besides, `+=` changes the array that the caller still needs. "
    "Make a new array: x + pe.",
)
def added_in_place(x):
    n, d = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    x += np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)
    return x


@mistake(
    "Right for one sentence, but `n, d_model = x.shape` fails for a batch, whose shape has three or more entries. "
    "The function must work with any leading axes. "
    "Take the last two: `x.shape[-2:]`.",
)
def two_axes_only(x):
    n, d = x.shape
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


@mistake(
    "Right for one sentence, but for a batch `len(x)` is the number of sentences. "
    "Then the table has another number of rows than a sentence has tokens. "
    "The number of tokens is `x.shape[-2]`, with any leading axes.",
)
def length_of_the_batch(x):
    return x + table(len(x), x.shape[-1])


@mistake(
    "Right for one sentence, but in a batch a loop over `len(x)` goes through sentences instead of tokens. "
    "So a whole sentence gets one row of the table, or the rows run out. "
    "You don't need a loop: x plus the table adds it to every sentence.",
)
def loop_over_the_batch(x):
    pe, placed = table(*x.shape[-2:]), np.zeros(x.shape)
    for p in range(len(x)):
        placed[p] = x[p] + pe[p]
    return placed


@mistake(
    "The sums were written into a copy of x; if x has dtype int, so does the copy, and fractions are cut off. "
    "The encoding consists of fractions. "
    "Return x + pe, which makes a new array of floats.",
)
def copy_of_whole_numbers(x):
    placed = x.copy()
    placed[...] = x + table(*x.shape[-2:])
    return placed


@mistake(
    "Right for one sentence, but in a batch the positions go on from one sentence to the next. "
    "Every sentence begins at position 0. "
    "Add the same table to all of them; NumPy repeats it along the leading axes.",
)
def counted_through_the_batch(x):
    d = x.shape[-1]
    n = x.size // d
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(x.shape)


@mistake(
    "Right for one sentence, but in a batch the positions count the sentences: the first axis was taken for the "
    "tokens. "
    "Leading axes come before it. "
    "Count from the end: `x.shape[-2]` is the number of tokens.",
)
def sentences_counted(x):
    n, d = x.shape[0], x.shape[-1]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    pe = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)
    return x + pe.reshape(n, *[1] * (x.ndim - 2), d)


@mistake(
    "Every token got the row of the last position. "
    "Then nobody can tell the tokens apart by their positions. "
    "Add the whole table, row by row; without an index, it lines up by itself.",
)
def last_place_for_all(x):
    n, d = x.shape[-2:]
    angles = (n - 1) / 10000 ** (np.arange(0, d, 2) / d)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(d)


@mistake(
    "The position itself, 0, 1, 2, …, was added to every number of the token. "
    "In a long sentence, it drowns out the words. "
    "Add the row that `positional_encoding` gives for the position.",
)
def number_of_the_place(x):
    return x + np.arange(x.shape[-2])[:, None]


@mistake(
    "The encoding was subtracted. "
    "A model could learn with that, too, but weights that were learned with a sum would not fit. "
    "Add it.",
)
def encoding_subtracted(x):
    n, d = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return x - np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


@mistake(
    "The encoding that was added has all sines first and all cosines after them. "
    "The sum is right, but the table is not: the sine and cosine of a clock must be side by side. "
    "Fix `positional_encoding` first.",
)
def sum_with_halves(x):
    n, d = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return x + np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


@mistake(
    "The encoding that was added has the cosine first in each pair. "
    "The sum is right, but the table is not: the sines belong in the even columns. "
    "Fix `positional_encoding` first.",
)
def sum_with_cosine_first(x):
    n, d = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(0, d, 2) / d)
    return x + np.stack([np.cos(angles), np.sin(angles)], axis=-1).reshape(n, d)


@mistake(
    "The encoding that was added has the exponent i / d_model instead of 2i / d_model. "
    "The sum is right, but the table is not. "
    "Fix `positional_encoding` first.",
)
def sum_with_half_the_exponent(x):
    n, d = x.shape[-2:]
    angles = np.arange(n)[:, None] / 10000 ** (np.arange(d // 2) / d)
    return x + np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


EXERCISE = Exercise(
    name="add_position",
    reference=reference.add_position,
    returns=("placed",),
    examples=(
        Case("three tokens", (SENTENCE,)),
        Case("a batch of three sentences", (BATCH,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
