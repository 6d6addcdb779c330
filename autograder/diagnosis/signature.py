"""Reads a reference's signature: its arguments, and the names of all axes."""

import inspect
import typing
from collections.abc import Callable
from typing import Any

import numpy as np

from .likeness import Signature

PLAIN = (bool, int, float, str, list, tuple, dict, np.ndarray, np.generic)
WRITTEN = {
    "v": "|V|",
    "documents": "N",
    "h_d_k": "h·d_k",
    "h_d_v": "h·d_v",
}  # axis names that are not Python identifiers


def signature_of(function: Callable, count: int) -> Signature:
    """Return the arguments of a function, ``[name, dims, default]`` each, its results' dims, and what is optional.

    ``dims`` is "" if no axes are annotated, ``default`` is None if there is none, or if it is no plain value but, say,
    a function; if it is None itself, the name is optional.
    There are always dims of ``count`` results: an annotation of another number of results says nothing about them.
    """
    signature = inspect.signature(function)
    given = signature.return_annotation
    results = typing.get_args(given) if typing.get_origin(given) is tuple else (given,)
    results = results if len(results) == count else (None,) * count
    return {
        "arguments": [
            [name, dims_of(found.annotation), found.default if isinstance(found.default, PLAIN) else None]
            for name, found in signature.parameters.items()
        ],
        "results": [dims_of(result) for result in results],
        "optional": [name for name, found in signature.parameters.items() if found.default is None],
    }


def exponentiates(function: Callable, met: tuple[str, ...] = ()) -> bool:
    """Say whether a function, or one it calls, uses exp: if none does, no message mentions np.exp."""
    function = inspect.unwrap(function)
    if not inspect.isfunction(function):  # it is not written in Python, or is an object: nothing is known of it
        return False
    names, known = names_in(function.__code__), function.__globals__
    if any(name == "exp" or "softmax" in name for name in names):
        return True
    called = [known[name] for name in names if inspect.isfunction(known.get(name)) and name not in met]
    return any(exponentiates(one, (*met, *names)) for one in called)


def names_in(code: Any) -> tuple[str, ...]:
    """Return the names that a function's code uses, also within its comprehensions and its own functions."""
    inner = [names_in(const) for const in code.co_consts if inspect.iscode(const)]
    return sum(inner, code.co_names)


def dims_of(annotation: Any) -> str:
    """Return the axes that an annotation names (for a union, those of its first member); "" for none."""
    kinds = (annotation, *typing.get_args(annotation))
    dims = next((kind.dim_str for kind in kinds if hasattr(kind, "dim_str")), "")
    return " ".join(WRITTEN.get(axis, axis) for axis in dims.split())
