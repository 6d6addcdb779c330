"""A kernel that slides along a row of numbers."""

import numpy as np

from attention.chapters import before_attention as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

ROW = np.array([1, 3, 2, 5, 4])  # whole numbers, as anyone types them
EDGE = np.array([1, 0, -1])  # the left neighbour minus the right one
FOUR_WIDE = np.array([1.0, 0, 0, 0.5])
BATCH = np.array([[[1.0, 3, 2, 5, 4], [2, 0, 1, 1, 3]]])


def unseen(rng: np.random.Generator) -> list[Case]:
    """Odd and even kernels, each valid and same, with lengths that are all different."""
    return [
        Case("three wide, valid", (uniform(rng, 3, 11), uniform(rng, 2, 3))),
        Case("four wide, valid by name", (uniform(rng, 3, 13), uniform(rng, 2, 4)), {"padding": "valid"}),
        Case("five wide, same", (uniform(rng, 3, 7), uniform(rng, 2, 5), "same")),
        Case("two wide, same by name", (uniform(rng, 3, 11), uniform(rng, 2, 2)), {"padding": "same"}),
        Case("four wide, same", (uniform(rng, 3, 17), uniform(rng, 2, 4), "same")),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """A kernel of one, a kernel as long as the row or longer, a single number, leading axes, an unknown padding."""
    return [
        Case("a kernel of one", (uniform(rng, 3, 7), uniform(rng, 2, 1))),
        Case("a kernel as long as the row", (uniform(rng, 3, 5), uniform(rng, 2, 5))),
        Case("a kernel longer than the row, same", (uniform(rng, 3, 3), uniform(rng, 2, 7), "same")),
        Case("one number, same", (uniform(rng, 3, 1), uniform(rng, 2, 3), "same")),
        Case("a batch, with leading axes", (uniform(rng, 3, 2, 3, 11), uniform(rng, 2, 5))),
        Case("a batch, same", (uniform(rng, 3, 2, 3, 7), uniform(rng, 2, 4), "same")),
        Case("an unknown padding", (uniform(rng, 3, 7), uniform(rng, 2, 3), "full")),
        Case("a kernel longer than the row, valid", (uniform(rng, 3, 3), uniform(rng, 2, 5))),
    ]


def padded(x, padding, left, right):
    """Put zeros before and after the last axis, if padding is "same"."""
    return np.pad(x, [(0, 0)] * (x.ndim - 1) + [(left, right)]) if padding == "same" else x


def slid(x: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    """Return the dot product of the kernel with each window of the last axis."""
    n = x.shape[-1] - len(kernel) + 1
    return sum(x[..., j : j + n] * kernel[j] for j in range(len(kernel)))


@mistake(
    "The kernel was reversed before it slid along: `np.convolve` does that, and so does `kernel[::-1]`. "
    "In a neural network, the first number of the kernel multiplies the first of the window, which mathematicians "
    "call cross-correlation. "
    "Use `np.correlate`, or the dot product of each window with the kernel as it is.",
)
def kernel_turned_round(x, kernel, padding="valid"):
    if padding not in ("valid", "same") or (padding == "valid" and len(kernel) > x.shape[-1]):
        raise ValueError("padding")
    around = [(0, 0)] * (x.ndim - 1) + [((len(kernel) - 1) // 2, len(kernel) // 2)]
    x = np.pad(x, around) if padding == "same" else x
    n = x.shape[-1] - len(kernel) + 1
    return sum(x[..., j : j + n] * kernel[::-1][j] for j in range(len(kernel)))


@mistake(
    '`np.convolve` reverses the kernel, and it places the zeros of "same" differently. '
    "In a neural network, the first number of the kernel multiplies the first of the window. "
    "Take the dot product of each window with the kernel as it is.",
)
def convolve_as_it_is(x, kernel, padding="valid"):
    return np.convolve(x, kernel, padding)


@mistake(
    'Zeros were put around the row although padding is "valid". '
    "Valid means that the kernel stops only where it fits, so n numbers give n − k + 1, without added zeros. "
    'Pad only if `padding == "same"`.',
)
def always_same(x, kernel, padding="valid"):
    around = [(0, 0)] * (x.ndim - 1) + [((len(kernel) - 1) // 2, len(kernel) // 2)]
    padded, n = np.pad(x, around), x.shape[-1]
    return sum(padded[..., j : j + n] * kernel[j] for j in range(len(kernel)))


@mistake(
    "The row was never padded, whatever `padding` says. "
    'With "same", the output is as long as the input, which takes k − 1 zeros around the row. '
    "First put `(k - 1) // 2` zeros on the left and `k // 2` on the right.",
)
def never_same(x, kernel, padding="valid"):
    return slid(x, kernel)


@mistake(
    "One zero was put on each side, which is right only for a kernel of three. "
    "A kernel of k needs k − 1 zeros to keep the length. "
    "Put `(k - 1) // 2` zeros on the left and `k // 2` on the right.",
)
def one_zero_each_side(x, kernel, padding="valid"):
    return slid(padded(x, padding, 1, 1), kernel)


@mistake(
    "`k // 2` zeros were put on each side, which is one too many for an even kernel. "
    "A kernel of four needs three zeros, one on the left and two on the right. "
    "Put `(k - 1) // 2` on the left and `k // 2` on the right.",
)
def half_the_kernel_each_side(x, kernel, padding="valid"):
    return slid(padded(x, padding, len(kernel) // 2, len(kernel) // 2), kernel)


@mistake(
    "For an even kernel, the extra zero was put on the left. "
    "Either side would keep the length; this function puts it on the right, as most libraries do. "
    "Put `(k - 1) // 2` zeros on the left and `k // 2` on the right.",
)
def extra_zero_on_the_left(x, kernel, padding="valid"):
    return slid(padded(x, padding, len(kernel) // 2, (len(kernel) - 1) // 2), kernel)


@mistake(
    "All zeros were put on the left, so each stop sees only its own number and those before it. "
    'That is the causal convolution of language models; with "same", each number is in the middle of its window. '
    "Put `(k - 1) // 2` zeros on the left and `k // 2` on the right.",
)
def zeros_before_only(x, kernel, padding="valid"):
    return slid(padded(x, padding, len(kernel) - 1, 0), kernel)


@mistake(
    "The row was padded with copies of its first and last number instead of zeros. "
    "There is nothing beyond the ends of a sentence, and copies would count the ends more than once. "
    "Pad with zeros, the default of `np.pad`.",
)
def ends_repeated(x, kernel, padding="valid"):
    if padding == "same":
        around = [(0, 0)] * (x.ndim - 1) + [((len(kernel) - 1) // 2, len(kernel) // 2)]
        x = np.pad(x, around, mode="edge")
    return slid(x, kernel)


@mistake(
    "The zeros were put around the output instead of the row. "
    "Then the stops at the ends are never computed, although a window that sticks out still has a dot product. "
    "Pad x first, and let the kernel slide along the longer row.",
)
def zeros_around_the_result(x, kernel, padding="valid"):
    n = x.shape[-1] - len(kernel) + 1
    if padding not in ("valid", "same") or (padding == "valid" and n < 1):
        raise ValueError("padding")
    y = sum(x[..., j : j + n] * kernel[j] for j in range(len(kernel)))
    around = [(0, 0)] * (x.ndim - 1) + [((len(kernel) - 1) // 2, len(kernel) // 2)]
    return np.pad(y, around) if padding == "same" else y


@mistake(
    "Right for one row, but with a single pair of numbers `np.pad` adds zeros along every axis of a batch. "
    "The batch gets extra rows and sentences of zeros. "
    "Give a pair for each axis: `[(0, 0)] * (x.ndim - 1) + [(left, right)]`.",
)
def zeros_along_every_axis(x, kernel, padding="valid"):
    if padding not in ("valid", "same"):
        raise ValueError("padding")
    if padding == "same":
        x = np.pad(x, ((len(kernel) - 1) // 2, len(kernel) // 2))
    n = x.shape[-1] - len(kernel) + 1
    if n < 1:
        raise ValueError("kernel longer than x")
    return sum(x[..., j : j + n] * kernel[j] for j in range(len(kernel)))


@mistake(
    "Right for one row, but only there is `x[i + j]` a number. "
    "In a batch it is a whole row, which doesn't fit into one entry. "
    "Take `x[..., i : i + k] @ kernel`, and join the stops with `np.stack` and `axis=-1`.",
)
def loop_for_one_row(x, kernel, padding="valid"):
    if padding not in ("valid", "same"):
        raise ValueError("padding")
    if padding == "same":
        x = np.pad(x, ((len(kernel) - 1) // 2, len(kernel) // 2))
    n = x.shape[-1] - len(kernel) + 1
    if n < 1:
        raise ValueError("kernel longer than x")
    out = np.zeros(n)
    for i in range(n):
        for j in range(len(kernel)):
            out[i] += x[i + j] * kernel[j]
    return out


@mistake(
    "Right for one row, but for a batch `len(x)` is the number of rows, not of numbers in a row. "
    "The kernel slides along the last axis. "
    "Write `x.shape[-1]` instead of `len(x)`, and `x[..., i : i + k] @ kernel` for one stop.",
)
def rows_counted_by_len(x, kernel, padding="valid"):
    if padding not in ("valid", "same"):
        raise ValueError("padding")
    if padding == "same":
        x = np.pad(x, ((len(kernel) - 1) // 2, len(kernel) // 2))
    out = np.zeros(len(x) - len(kernel) + 1)
    if not len(out):
        raise ValueError("kernel longer than x")
    for i in range(len(out)):
        for j in range(len(kernel)):
            out[i] += x[i + j] * kernel[j]
    return out


@mistake(
    "The last stop is missing. "
    "A kernel of k fits n − k + 1 times: the first window begins at 0 and the last at n − k, inclusive. "
    "Add one to the range.",
)
def last_stop_missing(x, kernel, padding="valid"):
    x = padded(x, padding, (len(kernel) - 1) // 2, len(kernel) // 2)
    n = x.shape[-1] - len(kernel)
    return sum(x[..., j : j + n] * kernel[j] for j in range(len(kernel)))


@mistake(
    "The kernel moved by its own length from stop to stop. "
    "Windows overlap: each begins one number after the one before. "
    "Move the window by 1.",
)
def windows_side_by_side(x, kernel, padding="valid"):
    x = padded(x, padding, (len(kernel) - 1) // 2, len(kernel) // 2)
    k = len(kernel)
    starts = range(0, x.shape[-1] - k + 1, k)
    return np.stack([x[..., i : i + k] @ kernel for i in starts], axis=-1)


@mistake(
    "Each window was multiplied by the kernel, but the products were not added up. "
    "Each stop gives one number, the dot product. "
    "Sum over the window, or use @.",
)
def products_not_added(x, kernel, padding="valid"):
    x = padded(x, padding, (len(kernel) - 1) // 2, len(kernel) // 2)
    n = x.shape[-1] - len(kernel) + 1
    return np.stack([x[..., i : i + len(kernel)] * kernel for i in range(n)], axis=-2)


@mistake(
    "Right for one row, but `np.correlate` takes no batch. "
    "The kernel must slide along every row of a batch. "
    "Slice the last axis, `x[..., i : i + k]`, and take the dot product with the kernel.",
)
def correlate_one_row(x, kernel, padding="valid"):
    x = padded(x, padding, (len(kernel) - 1) // 2, len(kernel) // 2)
    return np.correlate(x, kernel, "valid")


@mistake(
    "The results were stored in an array of dtype int, so their fractions were cut off. "
    "`np.zeros_like(x)` and `np.empty_like(x)` take the dtype of x. "
    "Use `np.zeros`, or collect the stops in a list.",
)
def whole_numbers_only(x, kernel, padding="valid"):
    kind = x.dtype
    x = padded(x, padding, (len(kernel) - 1) // 2, len(kernel) // 2)
    n = x.shape[-1] - len(kernel) + 1
    return sum(x[..., j : j + n] * kernel[j] for j in range(len(kernel))).astype(kind)


@mistake(
    'Any padding other than "same" counts as "valid", so a typo goes unnoticed. '
    "An unknown padding should raise a ValueError that names the two valid ones. "
    'Check padding not in ("valid", "same") first.',
)
def unknown_padding_accepted(x, kernel, padding="valid"):
    x = padded(x, padding, (len(kernel) - 1) // 2, len(kernel) // 2)
    n = x.shape[-1] - len(kernel) + 1
    if n < 1:
        raise ValueError("kernel longer than x")
    return sum(x[..., j : j + n] * kernel[j] for j in range(len(kernel)))


@mistake(
    'The kernel is longer than the row and the padding is "valid", and an empty row was returned. '
    "No window fits, and later code would go on with nothing. "
    "Raise a ValueError if n − k + 1 is below 1.",
)
def empty_row_returned(x, kernel, padding="valid"):
    if padding not in ("valid", "same"):
        raise ValueError("padding")
    x = padded(x, padding, (len(kernel) - 1) // 2, len(kernel) // 2)
    n = max(0, x.shape[-1] - len(kernel) + 1)
    return sum(x[..., j : j + n] * kernel[j] for j in range(len(kernel)))


EXERCISE = Exercise(
    name="conv1d",
    reference=reference.conv1d,
    returns=("y",),
    examples=(
        Case("left minus right", (ROW, EDGE)),
        Case("the same, same length", (ROW, EDGE, "same")),
        Case("a kernel of four, same length", (ROW, FOUR_WIDE), {"padding": "same"}),
        Case("a batch, with leading axes", (BATCH, np.array([1.0, 0, -1])), edge=True),
        Case("the batch, same length", (BATCH, np.array([1.0, 0, -1]), "same"), edge=True),
        Case("an unknown padding", (ROW, EDGE, "full"), edge=True),
        Case("a kernel longer than the row", (ROW[:2], EDGE), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
