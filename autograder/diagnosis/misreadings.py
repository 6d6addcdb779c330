"""Alters questions as people misread them: masks inverted or ignored, parameters swapped."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .likeness import Call

MASKS = (  # where True means "may attend"
    ("with True and False swapped", np.logical_not),
    ("with True everywhere", np.ones_like),
    (
        "as a causal mask every time",
        lambda mask: np.tri(*mask.shape[-2:], dtype=bool) if mask.ndim > 1 and mask.shape[-2] > 1 else None,
    ),
)


def is_mask(value: Any) -> bool:
    """Say whether a value is an array of True and False."""
    return isinstance(value, np.ndarray) and value.dtype.kind == "b"


def with_mask(found: Callable, call: Call, name: str, form: Callable) -> Any:
    """Ask with a mask altered by a form; None if there is no mask, or the form does not apply."""
    mask = form(call.given[name]) if is_mask(call.given.get(name)) else None
    return None if mask is None else found(**{**call.given, name: mask})


def masks_mistaken(found: Callable, name: str) -> Iterator:
    """Yield alterations for a mask that is read differently, or ignored."""
    for words, form in MASKS:
        yield f"`{name}` {words}", lambda call, form=form: with_mask(found, call, name, form)


def entries_mistaken(found: Callable, entries: dict[str, Any], name: str) -> Iterator:
    """Yield alterations for arrays of a dictionary, such as parameters, that replace others."""

    def asked(call: Call, places: dict[str, str]) -> Any:
        known = call.given[name]
        return found(**{**call.given, name: {**known, **{place: known[other] for place, other in places.items()}}})

    for places in mistaken_for(entries):
        wanted, taken = (" and ".join(f"`{key}`" for key in keys) for keys in (places, places.values()))
        back = {other: place for place, other in places.items()}
        yield f"{taken} in place of {wanted}", lambda call, places=places: asked(call, places)
        yield f"{taken} swapped with {wanted}", lambda call, places=places | back: asked(call, places)


def mistaken_for(entries: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Yield ``{name: name of the replacement}`` for arrays of one shape: single ones, and whole families.

    Names that differ as two others do belong to one family: gamma1 and gamma2 with beta1 and beta2.
    """
    shapes = {key: np.shape(value) for key, value in entries.items() if isinstance(value, np.ndarray)}
    families = {}
    for a, b in ((a, b) for a in shapes for b in shapes if a != b and shapes[a] == shapes[b]):
        yield {a: b}
        front, end = shared_letters(a, b), shared_letters(a[::-1], b[::-1])
        for ends in ((a[front:], b[front:]), (a[: len(a) - end], b[: len(b) - end])):
            families.setdefault(ends, {})[a] = b
    yield from (family for family in families.values() if len(family) > 1)


def shared_letters(a: str, b: str) -> int:
    """Return the length of two names' common prefix."""
    return next((i for i, (one, other) in enumerate(zip(a, b, strict=False)) if one != other), min(len(a), len(b)))
