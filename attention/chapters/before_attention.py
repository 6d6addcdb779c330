"""Chapter 1, what came before: convolution sees neighbours, recurrence carries a state."""

import autograd.numpy as np
from jaxtyping import Float, Num

from .shapes import Array, require_at_least, require_axes, require_same_size


def conv1d(x: Num[Array, "*batch n"], kernel: Num[Array, "k"], padding: str = "valid") -> Num[Array, "*batch n_out"]:
    """Slide ``kernel`` along ``x`` and take the dot product at each stop.

    out_i = Σ_j x_{i+j} kernel_j, over the stops that fit ("valid"), or with zeros around x so that n stays n ("same")

    Shapes: x (..., n), kernel (k,) -> (..., n - k + 1) or (..., n). An even kernel's extra zero goes to the right.
    Errors: ValueError for another padding, an empty input, or a kernel longer than x where none may stick out.
    Source: Goodfellow, Bengio and Courville (2016), Deep Learning, equation 9.6: cross-correlation, which every
    deep-learning library calls convolution. ``np.convolve`` flips the kernel first.
    """
    require_axes("x", x, "(..., n)")
    require_axes("kernel", kernel, "(k,)")
    k = len(kernel)
    if padding not in ("valid", "same"):
        raise ValueError(f'expected padding "valid" or "same", got {padding!r}: pass one of the two')
    if padding == "same":
        around = [(0, 0)] * (x.ndim - 1) + [((k - 1) // 2, k // 2)]
        x = np.pad(x, around, mode="constant")  # (..., n + k - 1)
    n_out = x.shape[-1] - k + 1
    if n_out < 1:
        raise ValueError(f'expected at most {x.shape[-1]} numbers in the kernel, got {k}: shorten it or pad "same"')
    windows = x[..., np.arange(n_out)[:, None] + np.arange(k)]  # (..., n_out, k)
    return windows @ kernel


def receptive_field(kernel_size: int, layers: int, dilation: int = 1) -> int:
    """Count the tokens that one output of a stack of convolutions can see.

    1 + layers · (kernel_size - 1) · dilation

    Shapes: whole numbers in, tokens out; every layer has the same kernel size and dilation.
    Errors: ValueError for a kernel or dilation below 1, or fewer than 0 layers.
    Source: Yu and Koltun (2016), Multi-scale context aggregation by dilated convolutions, section 2.
    """
    require_at_least("kernel_size", kernel_size, 1, "a kernel sees at least its own token")
    require_at_least("layers", layers, 0, "count the layers from input to output")
    require_at_least("dilation", dilation, 1, "1 means neighbours without a gap")
    return 1 + layers * (kernel_size - 1) * dilation


def rnn(
    x: Num[Array, "*batch n d_x"],
    w_hx: Num[Array, "d_x d_h"],
    w_hh: Num[Array, "d_h d_h"],
    w_hy: Num[Array, "d_h d_y"],
    b_h: Num[Array, "d_h"],
    b_y: Num[Array, "d_y"],
    h0: Num[Array, "*batch d_h"] | None = None,
) -> tuple[Float[Array, "*batch n d_h"], Float[Array, "*batch n d_y"]]:
    """Read a sentence word by word, carrying one state along.

    h_t = tanh(x_t w_hx + h_{t-1} w_hh + b_h),   y_t = h_t w_hy + b_y

    Shapes: x (..., n, d_x), w_hx (d_x, d_h), w_hh (d_h, d_h), w_hy (d_h, d_y), h0 (..., d_h), zeros if not given
    -> h (..., n, d_h), h_1 … h_n without h_0, and y (..., n, d_y).
    Errors: ValueError for widths that do not fit, or an empty sentence.
    Source: Elman (1990), Finding structure in time. Note 1 writes columns, W_hh h_{t-1}.
    """
    require_axes("x", x, "(..., n, d_x)")
    require_same_size("x", x, -1, "w_hx", w_hx, -2, "w_hx takes one row for each number in a token")
    for name, w in (("w_hh", w_hh), ("w_hy", w_hy)):
        require_same_size("w_hx", w_hx, -1, name, w, -2, f"{name} takes one row for each number in the state")
    require_same_size("w_hh", w_hh, -2, "w_hh", w_hh, -1, "a state leads to a state of the same width")
    state = np.zeros((*x.shape[:-2], w_hh.shape[-1])) if h0 is None else h0  # (..., d_h)
    inputs = x @ w_hx + b_h  # (..., n, d_h)
    states = []
    for t in range(x.shape[-2]):
        state = np.tanh(inputs[..., t, :] + state @ w_hh)  # (..., d_h)
        states.append(state)
    h = np.stack(states, axis=-2)  # (..., n, d_h)
    return h, h @ w_hy + b_y


def gradient_through_time(w_hh: Num[Array, "d_h d_h"], h: Num[Array, "*batch n d_h"]) -> Float[Array, "*batch d_h d_h"]:
    """Say how much the last state would move if the state before the first word moved.

    ∂h_T/∂h_0 = J_T ⋯ J_2 J_1   with   J_t = ∂h_t/∂h_{t-1} = diag(1 - h_t²) w_hhᵀ

    Shapes: w_hh (d_h, d_h), h (..., T, d_h), the states h_1 … h_T -> (..., d_h, d_h), where [i, j] is ∂h_T,i / ∂h_0,j.
    Errors: ValueError for widths that do not fit, or no states.
    Source: Pascanu, Mikolov and Bengio (2013), On the difficulty of training recurrent neural networks, equation 5,
    in columns: there J_t = W_recᵀ diag(σ′) is the transpose.
    """
    require_axes("h", h, "(..., T, d_h)")
    require_same_size("w_hh", w_hh, -1, "h", h, -1, "pass the states that this w_hh has made")
    require_same_size("w_hh", w_hh, -2, "w_hh", w_hh, -1, "a state leads to a state of the same width")
    slopes = 1 - h**2  # (..., T, d_h): tanh′ at the state
    gradient = np.eye(h.shape[-1])
    for t in range(h.shape[-2]):
        gradient = (slopes[..., t, :, None] * w_hh.T) @ gradient  # (..., d_h, d_h)
    return gradient


def class_probabilities(logits: Num[Array, "*batch neurons"]) -> Float[Array, "*batch classes"]:
    """Turn a network's last layer into probabilities: N neurons for N classes, or a single one for two.

    N neurons: p_c = exp(z_c) / Σ_k exp(z_k);   one neuron: P(class 1) = 1 / (1 + exp(-z)), P(class 0) = 1 - P(class 1)

    Shapes: logits (..., N) -> (..., N); logits (..., 1) -> (..., 2), class 0 first. Logits are pure numbers.
    One neuron is like two, the first fixed at 0, because e^z / (e^0 + e^z) is the sigmoid.
    Errors: ValueError where there is no neuron.
    Source: Bishop (2006), Pattern recognition and machine learning, section 4.3. Chapter 3 calls this softmax.
    """
    require_axes("logits", logits, "(..., N)")
    if logits.shape[-1] == 1:
        logits = np.concatenate([np.zeros_like(logits), logits], axis=-1)  # (..., 2)
    exponentials = np.exp(logits - np.max(logits, axis=-1, keepdims=True))  # the largest is e^0: nothing overflows
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)
