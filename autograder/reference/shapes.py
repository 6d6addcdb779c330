"""What a wrong shape is told: expected, got, and what to do about it."""


def require_same_size(left_name, left, left_axis, right_name, right, right_axis, remedy):
    """Raise ValueError unless ``left.shape[left_axis] == right.shape[right_axis]``; ``remedy`` says what to do."""
    if left.ndim < -left_axis or right.ndim < -right_axis or left.shape[left_axis] != right.shape[right_axis]:
        raise ValueError(
            f"expected axis {left_axis} of {left_name} to be as long as axis {right_axis} of {right_name}, "
            f"got shapes {left.shape} and {right.shape}: {remedy}"
        )


def require_axes(name, array, axes):
    """Raise ValueError unless ``array`` has as many axes as ``axes`` names, say ``"(n, d_k)"``, none of them empty."""
    wanted = axes.count(",") + (",)" not in axes)
    if array.ndim != wanted or 0 in array.shape:
        raise ValueError(
            f"expected {name} as {axes}, each at least 1, got shape {array.shape}: reshape or slice it first"
        )
