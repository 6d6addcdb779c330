"""What the reference calls an array, and what a wrong shape is told: expected, got, and what to do about it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from autograd.builtins import DictBox
from autograd.numpy.numpy_boxes import ArrayBox

# While autograd differentiates, a box stands in for each array that it follows; signatures let both pass.
Array: TypeAlias = np.ndarray | ArrayBox
Parameters: TypeAlias = Mapping | DictBox  # name -> array


def require_same_size(
    left_name: str, left: Array, left_axis: int, right_name: str, right: Array, right_axis: int, remedy: str
) -> None:
    """Raise ValueError unless ``left.shape[left_axis] == right.shape[right_axis]``; ``remedy`` says what to do."""
    if left.ndim < -left_axis or right.ndim < -right_axis or left.shape[left_axis] != right.shape[right_axis]:
        raise ValueError(
            f"expected axis {left_axis} of {left_name} to be as long as axis {right_axis} of {right_name}, "
            f"got shapes {left.shape} and {right.shape}: {remedy}"
        )


def require_axes(name: str, array: Array, axes: str) -> None:
    """Raise ValueError unless ``array`` has as many axes as ``axes`` names, say ``"(n, d_k)"``, none of them empty.

    Axes that begin with "..." may be preceded by any others: ``"(..., n, d_model)"``.
    """
    wanted = axes.count(",") + (",)" not in axes)
    leading = axes.startswith("(...")
    if array.ndim < wanted - leading or (array.ndim > wanted and not leading) or 0 in array.shape:
        raise ValueError(
            f"expected {name} as {axes}, each at least 1, got shape {array.shape}: reshape or slice it first"
        )


def require_at_least(name: str, number: int | float, least: int, remedy: str) -> None:
    """Raise ValueError unless ``number`` is a whole number of at least ``least``."""
    if number != int(number) or number < least:
        raise ValueError(f"expected {name} as a whole number of at least {least}, got {number}: {remedy}")


def require_mask(mask: Array, shape: Sequence[int]) -> None:
    """Raise ValueError unless ``mask`` is boolean and broadcasts to the ``shape`` of the scores."""
    if mask.dtype != bool:
        raise ValueError(
            f"expected a boolean mask, True = may attend, got dtype {mask.dtype}: compare first, as in mask > 0"
        )
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"expected a mask that broadcasts to the scores' shape {tuple(shape)}, got {mask.shape}: "
            "its last axis counts keys and the one before counts queries"
        )


def require_names(parameters: Parameters, names: Iterable[str], whose: str) -> None:
    """Raise KeyError unless ``parameters`` holds every one of ``names``."""
    missing = [name for name in names if name not in parameters]
    if missing:
        raise KeyError(
            f"expected the parameters of {whose}, {', '.join(names)}; got none named {', '.join(missing)}: "
            "start from transformer.initialise, which makes them all"
        )
