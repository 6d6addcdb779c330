"""Takes a worked example with leading axes apart, so that a function can be asked for each sentence alone."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from .compare import Answer
from .likeness import Signature, values_of

MOST_SENTENCES = 4  # of one example


def one_by_one(
    signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any], right: Answer
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any], Answer]]:
    """Yield the arguments for each of the first sentences, and the part of the right answer that belongs to it.

    Nothing if there are no leading axes, or if arguments and results do not share them.
    """
    dims = {name: axes for name, axes, _ in signature["arguments"]}
    by_place = dict(zip(dims, args, strict=False))
    given = by_place | kwargs
    tables = {name: value for name, value in given.items() if isinstance(value, np.ndarray) and dims[name]}
    fronts = {name: leading_shape(value, dims[name]) for name, value in tables.items() if dims[name] != "..."}
    front = max(fronts.values(), key=len, default=())
    results = zip(values_of(right.value), signature["results"], strict=True)
    if right.error or not front or {*fronts.values()} - {front, ()}:
        return
    if any(leading_shape(value, axes) != front for value, axes in results):
        return
    for name, mask in tables.items():
        if name not in fronts:  # a mask is of any shape
            given[name] = np.broadcast_to(mask, (*front, *mask.shape[-2:]))
    shared = [name for name in tables if name not in fronts or fronts[name]]
    for place in islice(np.ndindex(front), MOST_SENTENCES):
        alone = {**given, **{name: given[name][place].copy() for name in shared}}
        parts = tuple(value[place] for value in values_of(right.value))
        yield (
            tuple(alone[name] for name in by_place),
            {name: alone[name] for name in kwargs},
            Answer(value=parts if len(parts) > 1 else parts[0]),
        )


def leading_shape(value: Any, axes: str) -> tuple[int, ...]:
    """Return the lengths of the axes before those that are named; () where there are none, or any (``*axes``)."""
    named = [axis for axis in axes.split() if not axis.startswith("*")]
    is_open = axes.startswith("*batch") or not axes
    return np.shape(value)[: np.ndim(value) - len(named)] if is_open else ()
