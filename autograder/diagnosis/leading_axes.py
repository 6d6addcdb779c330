"""Describes what happened to leading axes, such as sentences or heads in front, where they make an answer wrong."""

from collections.abc import Iterator

import numpy as np

from .compare import mismatch, numbers
from .likeness import Call, agrees


def leading_hint(calls: list[Call]) -> str:
    """Describe what happened to the leading axes, as far as it shows."""
    for call in calls:
        for got, right in results(call):
            for shows, said in LEADING_RESULTS:
                if shows(got, right, min(call.leading, right.ndim)):
                    return said
    return LEADING[next((met[0] for call in calls if call.answer.error and (met := mismatch(call.answer.error))), "")]


def first_alone(got: np.ndarray, right: np.ndarray, leading: int) -> bool:
    """Say whether an answer contains only the first sentence's, and that is right."""
    return any(right[(0,) * k].size < right.size and agrees(got, right[(0,) * k]) for k in range(1, leading + 1))


def first_right_alone(got: np.ndarray, right: np.ndarray, leading: int) -> bool:
    """Say whether an answer has the right shape, is right for the first sentence, and wrong for another."""
    place = (0,) * leading
    return leading > 0 and got.shape == right.shape and agrees(got[place], right[place]) and not agrees(got, right)


def axis_in_front(got: np.ndarray, right: np.ndarray, leading: int) -> bool:
    """Say whether an axis of the right answer moved to the front."""
    return any(agrees(got, np.moveaxis(right, axis, 0)) for axis in (-1, -2, -3) if right.ndim > -axis)


# What happened to the leading axes, by what a result is beside the right one.
LEADING_RESULTS = (
    (
        lambda got, right, leading: got.ndim > right.ndim,
        "The result has too many axes: `np.dot`, `np.inner` and `np.tensordot` pair every sentence with every other. "
        "`@` and an einsum with `...` keep sentences apart.",
    ),
    (
        lambda got, right, leading: got.ndim < right.ndim and agrees(got, np.squeeze(right)),
        "Axes of length 1 are missing: `np.squeeze` removes every such axis, even that of a batch of one.",
    ),
    (first_alone, "Only the first sentence gets an answer: there is a `return` inside a loop over the batch."),
    (
        lambda got, right, leading: got.ndim < right.ndim and got.size == right.size,
        "The number of entries is right, but there are too few axes: a reshape to a fixed number of axes merges "
        "sentences. Start the new shape with all leading axes, such as `*x.shape[:-2]`.",
    ),
    (
        first_right_alone,
        "The first sentence is right and the next one is not: either only the first is computed, as by `[0]`, "
        "or something carries over from one to the next. Are sentences merged, or is a variable not reset?",
    ),
    (
        axis_in_front,
        "An axis that belongs after the batch axis is before it. `np.array` and `np.stack` create a new first axis "
        "unless you pass `axis=-1`, `-2` or `-3`; and 0 in `np.swapaxes` or a transpose is the batch axis: count from "
        "the end.",
    ),
)


# What to look at if leading axes make the difference, by the lengths that did not match (compare.mismatch).
LEADING = {
    "product": (
        "`.T` reverses all axes, `np.swapaxes(x, -1, -2)` only the last two. Or a loop runs over the first axis, "
        "which counts sentences here, not rows: `@` needs no loop."
    ),
    "line up": (
        "A loop over the first axis, `len(x)` and `shape[0]` count sentences here, not rows. Or an axis is inserted "
        "or summed from the front: write `axis=-1`, `shape[-2]`, `[..., None]` for `axis=1`, `shape[0]`, `[:, None]`."
    ),
    "": (
        "Something works for a single sentence only. The first axis counts sentences here, not rows; `axis=1`, "
        "`shape[1]`, `len(x)`, `[:, None]`, `np.swapaxes(x, 0, 1)` and a loop over x all assume rows. Count from the "
        "end (`axis=-1`, `shape[-1]`, `[..., None]`), give an einsum its `...`, and avoid `.T`, `np.diag` and merged "
        "sentences."
    ),
}


def results(call: Call) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield ``(got, right)`` for each result of a call for which both are numbers."""
    if call.answer.error or call.right.error:
        return
    right = call.right.value if isinstance(call.right.value, tuple) else (call.right.value,)
    got = call.answer.value if isinstance(call.right.value, tuple) else (call.answer.value,)
    if not isinstance(got, (tuple, list)) or len(got) != len(right):
        return
    for one, other in zip(got, right, strict=True):
        one, other = numbers(one), numbers(other)
        if one is not None and other is not None:
            yield one.astype(float), other.astype(float)
