"""Plausible wrong answers to conv1d."""

import numpy as np


def numpy_convolve_along_the_row(x, kernel, padding="valid"):
    """np.convolve puts the odd zero of an even kernel on the left, and takes "full" and a too long kernel unasked."""
    return np.apply_along_axis(lambda row: np.convolve(row, kernel[::-1], mode=padding), -1, x)


def zeros_around_the_result(x, kernel, padding="valid"):
    """The zeros are put around the result and not around the row, so the stops at the ends are never computed."""
    k = len(kernel)
    if padding not in ("valid", "same"):
        raise ValueError(padding)
    if padding == "valid" and k > x.shape[-1]:
        raise ValueError("kernel too long")
    stops = [x[..., i : i + k] @ kernel for i in range(x.shape[-1] - k + 1)]
    out = np.stack(stops, axis=-1)
    if padding == "same":
        out = np.pad(out, [(0, 0)] * (x.ndim - 1) + [((k - 1) // 2, k // 2)])
    return out


def edge_numbers_repeated(x, kernel, padding="valid"):
    """The row is lengthened with copies of its first and last number in place of zeros."""
    k = kernel.shape[0]
    if padding == "same":
        around = [(0, 0)] * (x.ndim - 1) + [((k - 1) // 2, k // 2)]
        x = np.pad(x, around, mode="edge")
    elif padding != "valid":
        raise ValueError("padding must be valid or same")
    if k > x.shape[-1]:
        raise ValueError("the kernel does not fit")
    return np.stack([x[..., i : i + k] @ kernel for i in range(x.shape[-1] - k + 1)], axis=-1)


def zeros_on_every_axis(x, kernel, padding="valid"):
    """A single pair for np.pad puts zeros around every axis, so a batch gains rows and sentences of zeros."""
    k = len(kernel)
    if padding == "same":
        x = np.pad(x, ((k - 1) // 2, k // 2))
    elif padding != "valid":
        raise ValueError(f"unknown padding {padding}")
    n = x.shape[-1]
    if k > n:
        raise ValueError("kernel longer than row")
    return np.stack([x[..., i : i + k] @ kernel for i in range(n - k + 1)], axis=-1)


def rows_counted_as_numbers(x, kernel, padding="valid"):
    """len(x) is the length of the first axis, which in a batch is the number of rows and not the numbers of a row."""
    k = len(kernel)
    if padding not in ["valid", "same"]:
        raise ValueError("padding")
    if padding == "valid" and k > len(x):
        raise ValueError("kernel")
    length = len(x) - k + 1 if padding == "valid" else len(x)
    if padding == "same":
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [((k - 1) // 2, k // 2)])
    return np.stack([x[..., i : i + k] @ kernel for i in range(length)], axis=-1)


def long_kernel_refused_always(x, kernel, padding="valid"):
    """A kernel longer than the row is refused with "same", too, where the zeros make room for it."""
    n, k = x.shape[-1], kernel.shape[-1]
    if padding not in {"valid", "same"} or k > n:
        raise ValueError("bad padding or kernel")
    if padding == "same":
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [((k - 1) // 2, k // 2)])
    windows = np.lib.stride_tricks.sliding_window_view(x, k, axis=-1)
    return windows @ kernel


def kernel_of_the_row_length_refused(x, kernel, padding="valid"):
    """A kernel exactly as long as the row fits once, but >= refuses it."""
    k = kernel.size
    if padding == "same":
        left, right = (k - 1) // 2, k // 2
        x = np.concatenate([np.zeros((*x.shape[:-1], left)), x, np.zeros((*x.shape[:-1], right))], axis=-1)
    elif padding == "valid":
        if k >= x.shape[-1]:
            raise ValueError("kernel too long")
    else:
        raise ValueError("padding?")
    return np.stack([(x[..., i : i + k] * kernel).sum(axis=-1) for i in range(x.shape[-1] - k + 1)], axis=-1)


def whole_number_table(x, kernel, padding="valid"):
    """The result is written into an array of the row's type, so a whole-number row cuts off the fractions."""
    if padding not in ("valid", "same"):
        raise ValueError(padding)
    k = len(kernel)
    if padding == "same":
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [((k - 1) // 2, k // 2)])
    count = x.shape[-1] - k + 1
    if count < 1:
        raise ValueError("too long")
    result = np.zeros_like(x[..., :count])
    for i in range(count):
        result[..., i] = x[..., i : i + k] @ kernel
    return result


def windows_side_by_side(x, kernel, padding="valid"):
    """The kernel jumps by its own length, as pooling does, in place of one number at a time."""
    k = len(kernel)
    if padding == "same":
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [((k - 1) // 2, k // 2)])
    elif padding != "valid":
        raise ValueError
    if x.shape[-1] < k:
        raise ValueError
    return np.stack([x[..., i : i + k] @ kernel for i in range(0, x.shape[-1] - k + 1, k)], axis=-1)


def all_zeros_on_the_left(x, kernel, padding="valid"):
    """All k - 1 zeros go to the left, as in a causal convolution, in place of being shared by both sides."""
    k = len(kernel)
    if padding not in ("valid", "same"):
        raise ValueError("padding must be 'valid' or 'same'")
    if padding == "same":
        zeros = np.zeros((*x.shape[:-1], k - 1))
        x = np.concatenate((zeros, x), axis=-1)
    n = x.shape[-1]
    if k > n:
        raise ValueError("kernel is longer than the row")
    total = 0
    for j in range(k):
        total = total + kernel[j] * x[..., j : n - k + 1 + j]
    return total


def wrong_word_is_an_assertion(x, kernel, padding="valid"):
    """An assert raises an AssertionError, where the text asks for a ValueError."""
    k = len(kernel)
    assert padding in ("valid", "same"), "unknown padding"
    if padding == "same":
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [((k - 1) // 2, k // 2)])
    assert k <= x.shape[-1], "kernel too long"
    return np.lib.stride_tricks.sliding_window_view(x, k, axis=-1) @ kernel


def stops_piled_on_the_first_axis(x, kernel, padding="valid"):
    """The stops of a batch become the first axis, because a list in np.array has its own axis in front."""
    k = len(kernel)
    if padding == "same":
        x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [((k - 1) // 2, k // 2)])
    elif padding != "valid":
        raise ValueError(padding)
    if k > x.shape[-1]:
        raise ValueError("kernel too long")
    return np.array([np.dot(x[..., i : i + k], kernel) for i in range(x.shape[-1] - k + 1)])
