"""Checks that a function leaves its arguments unchanged, and describes any change."""

import copy
from typing import Any

import numpy as np

KINDS = {
    np.ndarray: ("an array", "`+=`, `-=`, `/=`, `out=` or an assignment to a slice; work on a new array instead"),
    list: ("a list", "`append`, `pop`, `sort` or an assignment by index; make a new list instead"),
    dict: ("a dictionary", "`setdefault`, `pop`, `update` or an assignment by key; make a new dictionary instead"),
}


def copied_arguments(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return copies of arguments, safe to modify."""
    return tuple(copy.deepcopy(arg) if isinstance(arg, tuple(KINDS)) else arg for arg in args)


def identical(before: Any, after: Any) -> bool:
    """Say whether an argument is unchanged, bit for bit; a dictionary with all its contents."""
    if isinstance(before, np.ndarray):
        return (
            isinstance(after, np.ndarray)
            and (before.dtype, before.shape) == (after.dtype, after.shape)
            and before.tobytes() == after.tobytes()
        )
    if type(before) is not type(after):
        return False
    if isinstance(before, (list, tuple)):
        return len(before) == len(after) and all(map(identical, before, after))
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(identical(before[key], after[key]) for key in before)
    return before == after


def changed_argument(before: tuple, after: tuple) -> tuple[str, str] | None:
    """Return the kind of the first modified argument, and where to look; None if all are unchanged."""
    for one, other in zip(before, after, strict=True):
        if not identical(one, other):
            return next((words for kind, words in KINDS.items() if isinstance(one, kind)), KINDS[np.ndarray])
    return None
