"""Simple transformations that turn a right answer into a common wrong one, each with its description."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .difference import plural


def softened(scores: np.ndarray) -> np.ndarray:
    """Turn the last axis into weights; what the course calls softmax, for what is shown here alone."""
    powers = np.power(np.e, scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def diagonal(right: Any) -> Any:
    """Return a mask of the diagonal of the last two axes."""
    return np.eye(right.shape[-2], right.shape[-1], dtype=bool) if right.ndim > 1 else None


def rolled(shift: Any, axis: int, is_table: bool) -> Callable:
    """Return a form that moves the rows, the columns, or the numbers of a vector along by one place."""
    return lambda r, s: np.roll(r, shift, axis) if r.ndim and (r.ndim > 1) is is_table and r.shape[axis] > 2 else None


def only(keep: Any) -> Callable:
    """Return a form that puts zeros where ``keep`` is False in a table."""
    return lambda r, s: np.where(keep(r), r, 0.0) if r.ndim > 1 else None


def table(form: Callable) -> Callable:
    """Return a form for tables alone."""
    return lambda r, s: form(r) if r.ndim > 1 else None


def last_zero(count: Any) -> Callable:
    """Return a form that puts zeros in the last rows of a table."""
    return table(lambda r: np.concatenate([r[..., :-count, :], np.zeros_like(r[..., -count:, :])], axis=-2))


def only_first(axis: int) -> Callable:
    """Return a form that puts zeros everywhere but in the first place of an axis."""
    return lambda r, s: np.where(np.indices(r.shape)[axis] == 0, r, 0.0) if r.ndim >= -axis else None


# What the answer is, what to look at, and what makes it of the right answer. The more specific come first.
ENDED_EARLY = "If a `return` is inside a loop, it ends the loop in the first iteration."
OVERWRITTEN = "A loop that overwrites its result keeps the last one only: collect them all."

FORMS = (
    ("right except for the decimals: each number is truncated to a whole one",
     "An array of whole numbers (`zeros_like`, `astype(int)`, `dtype=int`), `int` and `//` keep no fraction.",
     lambda r, s: np.trunc(r)),
    ("right except for the decimals: each number is rounded down to a whole one",
     "`//` and `np.floor` do that; `/` keeps the fraction.",
     lambda r, s: np.floor(r)),
    *((f"the right answer rounded to {plural(digits, 'decimal') if digits else 'a whole number'}",
       "Return the number as it is: do not round.",
       lambda r, s, digits=digits: np.round(r, digits)) for digits in range(7)),
    ("the right answer in half precision (float16)", "Leave out astype, or compute in float64.",
     lambda r, s: r.astype(np.float16)),
    ("transposed: rows and columns are swapped",
     "Look for a missing or superfluous transpose, or for factors in the wrong order.",
     table(lambda r: np.swapaxes(r, -1, -2))),
    ("right except for the diagonal, which is 0", "Include each one's pair with itself.",
     lambda r, s: np.where(diagonal(r), 0.0, r) if r.ndim > 1 and r.shape[-1] == r.shape[-2] else None),
    ("right except for the diagonal, which is twice what it should be", "The diagonal is counted twice.",
     lambda r, s: np.where(diagonal(r), 2 * r, r) if r.ndim > 1 and r.shape[-1] == r.shape[-2] else None),
    ("right on the diagonal only, and 0 everywhere else", "The entries off the diagonal are wanted too.",
     only(diagonal)),
    ("right on and below the diagonal only, and 0 above it", "Let both loops run over all rows.",
     only(lambda r: np.tri(*r.shape[-2:], dtype=bool))),
    ("right below the diagonal only, and 0 elsewhere", "Let both loops run over all rows.",
     only(lambda r: np.tril(np.ones(r.shape[-2:], dtype=bool), -1))),
    ("right on and above the diagonal only, and 0 below it", "Let both loops run over all rows.",
     only(lambda r: ~np.tril(np.ones(r.shape[-2:], dtype=bool), -1))),
    ("right above the diagonal only, and 0 elsewhere", "Let both loops run over all rows.",
     only(lambda r: ~np.tri(*r.shape[-2:], dtype=bool))),
    ("right except for its sign", "Look for a missing or superfluous minus.", lambda r, s: -r),
    ("right except for the signs: what should be negative came out positive",
     "Look for abs, or for a square and its root.", lambda r, s: np.abs(r)),
    ("right where it is positive, and 0 where it should be negative",
     "Negative numbers are right answers here: look for a maximum with 0, or a search that starts at 0.",
     lambda r, s: np.maximum(r, 0)),
    ("right where it is negative, and 0 where it should be positive",
     "Positive numbers are right answers here: find those that were left at 0.",
     lambda r, s: np.minimum(r, 0)),
    ("right except for the last row, which was left at 0",
     "Let the loop run to the end: `range(n)`, not `range(n - 1)`.",
     last_zero(1)),
    ("right except for the last two rows, which were left at 0", "Let the loop run to the end: it stops too early.",
     last_zero(2)),
    ("the average of the right answer and its transpose",
     "The two halves answer different questions: do not make the table symmetric.",
     table(lambda r: (r + np.swapaxes(r, -1, -2)) / 2)),
    ("right, but all its numbers are in one row", "Give them the shape of the question again.",
     table(np.ravel)),
    ("right except for an axis of length 1 at the end", "Leave `keepdims=True` out of the last sum, or drop the axis.",
     lambda r, s: r[..., None]),
    ("right except for a superfluous axis of length 1",
     "It was inserted for the computation; remove it before you return.",
     lambda r, s: r[..., None, :]),
    ("right except for an axis of length 1 in front", "It was inserted for the computation; remove it again.",
     lambda r, s: r[None]),
    ("right except for its axes of length 1, which are missing",
     "`np.squeeze` removes every such axis, even one that belongs to the result.",
     lambda r, s: np.squeeze(r)),
    ("only the first row of the right answer", ENDED_EARLY,
     table(lambda r: r[..., 0, :])),
    ("only the first row of the right answer", ENDED_EARLY,
     table(lambda r: r[..., :1, :])),
    ("only the last row of the right answer", OVERWRITTEN,
     table(lambda r: r[..., -1, :])),
    ("only the last row of the right answer", OVERWRITTEN,
     table(lambda r: r[..., -1:, :])),
    ("only the first of the right numbers", ENDED_EARLY,
     lambda r, s: r[..., 0]),
    ("only the last of the right numbers", OVERWRITTEN,
     lambda r, s: r[..., -1]),
    ("the sum of all right numbers, as one number", "A sum without an axis adds up everything: name the axis.",
     lambda r, s: r.sum()),
    *(("the sum of the right rows", "One sum too many: keep the rows separate.",
       table(lambda r, keep=keep: r.sum(axis=-2, keepdims=keep))) for keep in (False, True)),
    ("right except for one row of zeros too many at the end", "The loop runs once too often.",
     table(lambda r: np.concatenate([r, np.zeros_like(r[..., :1, :])], axis=-2))),
    ("the sum of each right row", "One sum too many.", lambda r, s: r.sum(axis=-1)),
    ("softmax of the right answer", "Softmax was applied once too often.",
     lambda r, s: softened(r) if r.ndim else None),
    ("the natural logarithm of the right answer", "Look for a superfluous logarithm, or a missing `np.exp`.",
     lambda r, s: np.log(r)),
    ("e to the power of the right answer", "Take the logarithm of what you have, or leave `np.exp` out.",
     lambda r, s: np.power(np.e, r)),
    ("ln(1 + e^β), where β is the right answer", "`np.log1p` adds 1 to its argument: use `np.log`.",
     lambda r, s: np.logaddexp(0, r) if r.ndim == 0 else None),
    ("the logarithm of e^β truncated to a whole number, where β is the right answer",
     "Look for `//` or int inside the logarithm.",
     lambda r, s: np.log(np.floor(np.power(np.e, r) * (1 + 1e-12))) if r.ndim == 0 else None),
    ("one over the right answer", "The fraction is inverted.", lambda r, s: 1 / r),
    ("the square of the right answer", "Look for a superfluous square, or a missing root.", lambda r, s: r**2),
    ("the square root of the right answer", "Look for a superfluous root, or a missing square.",
     lambda r, s: np.sqrt(r)),
    ("one minus the right answer", "Look for `1 -` where it does not belong.", lambda r, s: 1 - r),
    *((f"the right answer {word} 1, everywhere", "Look for a count that begins at the wrong number.",
       lambda r, s, step=step: r + step) for word, step in (("plus", 1), ("minus", -1))),
    ("the running sum of the right rows, from the top", "A sum is not reset to 0 before the next row.",
     table(lambda r: np.cumsum(r, axis=-2))),
    ("the right answer with each row's largest number subtracted",
     "That is a step inside softmax; return the numbers before it.",
     lambda r, s: r - r.max(axis=-1, keepdims=True)),
    ("the right answer minus its own mean, divided by its own standard deviation",
     "That depends on the other inputs in the batch: leave mean and std out.",
     lambda r, s: (r - r.mean()) / r.std() if r.ndim > 1 else None),
    ("the right answer divided by its own standard deviation",
     "That depends on the other inputs in the batch: leave std out.",
     lambda r, s: r / r.std() if r.ndim > 1 else None),
    ("the right answer with each row divided by its sum", "Remove that division.",
     lambda r, s: r / r.sum(axis=-1, keepdims=True)),
    ("the right answer with each row divided by its length", "Remove that division.",
     lambda r, s: r / np.linalg.norm(r, axis=-1, keepdims=True) if r.ndim else None),
    ("the right answer with the numbers of each row sorted",
     "Sorting loses the order of the numbers: use `max` if only the largest is needed.",
     lambda r, s: np.sort(r, axis=-1)),
    ("the right answer with its rows in reverse order", "Look for `[::-1]`, or a loop that runs backwards.",
     table(lambda r: r[..., ::-1, :])),
    ("the right answer with each row in reverse order", "Look for `[::-1]`, or a loop that runs backwards.",
     table(lambda r: r[..., ::-1])),
    ("the right answer with its numbers in reverse order", "Look for `[::-1]`, or a loop that runs backwards.",
     lambda r, s: r[::-1] if r.ndim == 1 else None),
    *((f"the right answer with its {word} shifted by one place", "An index is off by one.", rolled(shift, *which))
      for shift in (1, -1)
      for word, which in (("columns", (-1, True)), ("rows", (-2, True)), ("numbers", (-1, False)))),
)  # fmt: skip
