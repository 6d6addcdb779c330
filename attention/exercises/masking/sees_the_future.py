"""Does a mask let anyone look ahead?"""

import numpy as np

from attention.chapters import masking as reference
from autograder.diagnosis import Case, Exercise, mistake

CAUSAL = np.tril(np.ones((3, 3), dtype=bool))


def with_cell(mask: np.ndarray, i: int, j: int) -> np.ndarray:
    """Return a mask in which query i may look at key j, too."""
    other = mask.copy()
    other[..., i, j] = True
    return other


def unseen(rng: np.random.Generator) -> list[Case]:
    """Masks below the diagonal with holes, without a leak, with one at the next token, and with one further ahead."""
    near, far = int(rng.integers(1, 6)), int(rng.integers(2, 5))
    return [
        Case("holes in the past", (holes(rng, 7),)),
        Case("one leak, to the next token", (with_cell(holes(rng, 7), near, near + 1),)),
        Case("one leak, further ahead", (with_cell(holes(rng, 11), far, far + 3),)),
        Case("the past without the present", (np.tril(np.ones((5, 5), dtype=bool), -1),)),
        Case("only themselves", (np.eye(5, dtype=bool),)),
    ]


def holes(rng: np.random.Generator, n: int) -> np.ndarray:
    """Draw a mask that hides some of the past, and never the first token from the last."""
    mask = np.tril(rng.random((n, n)) < 0.7)
    mask[-1, 0] = mask[0, 0] = True
    mask[-2, 0] = False
    return mask


def edges(rng: np.random.Generator) -> list[Case]:
    """Nothing seen at all, one token, a leak in the corner, and a batch of which one sentence leaks."""
    batch = np.tril(np.ones((2, 3, 5, 5), dtype=bool))
    batch[1, 2, int(rng.integers(1, 4)), 4] = True
    return [
        Case("nothing at all", (np.zeros((5, 5), dtype=bool),)),
        Case("one token", (np.ones((1, 1), dtype=bool),)),
        Case("a leak in the corner", (with_cell(np.tril(np.ones((7, 7), dtype=bool)), 0, 6),)),
        Case("a batch, of which one leaks", (batch,)),
        Case("a batch, of which none leaks", (np.tril(np.ones((3, 5, 5), dtype=bool)),)),
    ]


@mistake(
    "The diagonal was counted as the future. "
    "Cell (i, i) is token i looking at itself, in the present. "
    "The future begins one to the right of it: `np.triu(mask, 1)`.",
)
def diagonal_counted(mask):
    return bool(np.triu(mask).any())


@mistake(
    "The past was checked instead of the future. "
    "Row i is token i, and the tokens after it are to the right, above the diagonal. "
    "`np.triu` keeps that part, `np.tril` the other.",
)
def past_looked_at(mask):
    return bool(np.tril(mask, -1).any())


@mistake(
    "The answer is inverted: True where nobody looks ahead. "
    "The function is called `sees_the_future`, so a leak is True. "
    "Leave out `not`.",
)
def answer_turned_round(mask):
    return not np.triu(mask, 1).any()


@mistake(
    "Every True in the mask was counted, wherever it is. "
    "Then any mask that lets a query see something would be a leak. "
    "Look only above the diagonal: `np.triu(mask, 1)`.",
)
def anything_counted(mask):
    return bool(mask.any())


@mistake(
    "The answer is always False. "
    "A single cell is a leak, but `np.all` asks for all of them, including the zeros below the diagonal; and a "
    "`return` in each round of a loop ends it at the first cell. "
    "Use any, or return False only after the loop.",
)
def all_instead_of_any(mask):
    return bool(np.triu(mask, 1).all())


@mistake(
    "Only one cell was checked, the first query and the second key. "
    "A `return` in each round of a loop ends it at the first cell. "
    "Return True if a cell leaks, and False only after the loop; or use `np.triu(mask, 1).any()`.",
)
def first_cell_alone(mask):
    n = len(mask)
    for i in range(n):
        for j in range(i + 1, n):
            return bool(mask[i, j])
    return False


@mistake(
    "Every mask except the causal one counts as a leak. "
    "A mask may hide more than that, such as padding, and still nobody looks ahead. "
    "Check only whether a cell above the diagonal is True.",
)
def anything_but_causal(mask):
    n = mask.shape[-1]
    return not np.array_equal(np.broadcast_to(np.tril(np.ones((n, n), dtype=bool)), mask.shape), mask)


@mistake(
    "Right for the next token, but a query may look further ahead. "
    "Everything above the diagonal is the future, not only the line next to it. "
    "`np.triu(mask, 1)` keeps the whole triangle.",
)
def next_token_only(mask):
    return bool(np.diagonal(mask, 1, -2, -1).any())


@mistake(
    "Only the first query was checked. "
    "It has the most future, but any other query may leak. "
    "Check all rows: `np.triu(mask, 1).any()`.",
)
def first_query_only(mask):
    return bool(mask[..., 0, 1:].any())


@mistake(
    "There is an answer for each sentence of a batch; return one for all of them. "
    "A single leak spoils training, wherever it is. "
    "Call .any() without an axis.",
)
def one_answer_each(mask):
    return np.triu(mask, 1).any(axis=(-1, -2))


EXERCISE = Exercise(
    name="sees_the_future",
    reference=reference.sees_the_future,
    returns=("leaks",),
    examples=(
        Case("the causal mask of three tokens", (CAUSAL,)),
        Case("the same, and the second query sees the third key", (with_cell(CAUSAL, 1, 2),)),
        Case("the same, and the first query sees the third key", (with_cell(CAUSAL, 0, 2),)),
        Case("the same, and the first query sees the second key", (with_cell(CAUSAL, 0, 1),)),
        Case("each token sees only itself", (np.eye(3, dtype=bool),)),
        Case("each token sees only the previous one", (np.eye(3, k=-1, dtype=bool),)),
        Case("a batch, of which the second leaks", (np.stack([CAUSAL, with_cell(CAUSAL, 1, 2)]),), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
