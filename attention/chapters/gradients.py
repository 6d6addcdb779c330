"""Chapter 11, gradients: which way each number should move, how far, and a head that learns by it."""

import numpy as np
from jaxtyping import Bool, Float, Int, Num

from .masking import masked_attention, masked_softmax
from .scaling import scaled_scores, scaling_factor
from .shapes import Array, require_at_least, require_same_size
from .training import cross_entropy, log_softmax, mark_wanted

NO_PAD = -1  # no target is padding
EPS = 1e-2  # a gradient of nearly 0 makes no full stride: rows of one letter have many of them


def cross_entropy_gradient(
    logits: Num[Array, "*batch n words"], targets: Int[np.ndarray, "*batch n"], pad: int
) -> Float[Array, "*batch n words"]:
    """Return the slope of the loss with respect to each logit: the prediction minus the right answer.

    ∂loss/∂logits_t = (softmax(logits_t) - onehot(target_t)) / N, and 0 where the target is PAD

    Shapes: logits (..., n, words), targets (..., n) -> (..., n, words); each row sums to 0.
    Errors: as ``cross_entropy``.
    Source: Goodfellow, Bengio and Courville (2016), section 6.2.2.3: from ln p_i = z_i - ln Σ_j exp z_j,
    ∂(-ln p_i)/∂z_j = p_j - δ_ij.
    """
    wanted, count = mark_wanted(logits, targets, pad)
    real = wanted.any(axis=-1, keepdims=True)  # (..., n, 1)
    return np.where(real, np.exp(log_softmax(logits)) - wanted, 0.0) / count


def attention_gradient(
    query: Num[Array, "*batch n_q d_k"],
    key: Num[Array, "*batch n_k d_k"],
    value: Num[Array, "*batch n_k d_v"],
    mask: Bool[np.ndarray, "..."] | None,
    output_gradient: Num[Array, "*batch n_q d_v"],
) -> tuple[Float[Array, "*batch n_q d_k"], Float[Array, "*batch n_k d_k"], Float[Array, "*batch n_k d_v"]]:
    """Carry a gradient back through ``masked_attention``, from its output to query, key and value.

    With P = masked_softmax(query keyᵀ / √d_k, mask), output = P value and G = ∂loss/∂output:
    d_value = Pᵀ G,   dP = G valueᵀ,   dS_i = P_i ∘ (dP_i - P_i · dP_i) row by row (chapter 5's Jacobian),
    d_query = dS key / √d_k,   d_key = dSᵀ query / √d_k

    Shapes: those of ``masked_attention``, output_gradient (..., n_q, d_v) -> the shapes of query, key and value.
    If the mask is None, every query may attend to every key.
    Errors: ValueError for shapes that do not fit, or a mask that is not boolean.
    Source: Dao et al. (2022), FlashAttention, appendix B.2.
    """
    require_same_size("key", key, -2, "value", value, -2, "each key needs one value")
    require_same_size("query", query, -2, "output_gradient", output_gradient, -2, "each query has one output")
    require_same_size("value", value, -1, "output_gradient", output_gradient, -1, "outputs are as wide as values")
    weights = masked_softmax(scaled_scores(query, key), mask)  # (..., n_q, n_k)
    d_value = np.swapaxes(weights, -1, -2) @ output_gradient  # (..., n_k, d_v)
    d_weights = output_gradient @ np.swapaxes(value, -1, -2)  # (..., n_q, n_k)
    d_scores = weights * (d_weights - np.sum(weights * d_weights, axis=-1, keepdims=True))
    d_scores = d_scores * scaling_factor(query.shape[-1])
    return d_scores @ key, np.swapaxes(d_scores, -1, -2) @ query, d_value


def adam_step(
    parameter: Float[np.ndarray, "*axes"],
    gradient: Float[np.ndarray, "*axes"],
    m: Float[np.ndarray, "*axes"],
    v: Float[np.ndarray, "*axes"],
    step: int,
    rate: float | int,
    beta1: float | int = 0.9,
    beta2: float | int = 0.98,
    eps: float | int = 1e-9,
) -> tuple[Float[np.ndarray, "*axes"], Float[np.ndarray, "*axes"], Float[np.ndarray, "*axes"]]:
    """Take one step of Adam: against the averaged gradient, scaled by the gradient's own size.

    m = β₁ m + (1 - β₁) g,   v = β₂ v + (1 - β₂) g²,   m̂ = m / (1 - β₁^step),   v̂ = v / (1 - β₂^step),
    parameter = parameter - rate · m̂ / (√v̂ + ε)

    Shapes: four arrays of one shape -> new (parameter, m, v) of that shape; m and v begin as zeros, step as 1.
    Errors: ValueError for arrays of different shapes, or step 0 (1 - β⁰ is 0).
    Source: Kingma and Ba (2015), Adam, algorithm 1; β₂ = 0.98 and ε = 1e-9 from Vaswani et al. (2017), section 5.3.
    """
    require_at_least("step", step, 1, "count steps from 1: the corrections divide by 1 - β^step")
    shapes = [np.shape(array) for array in (parameter, gradient, m, v)]
    if len(set(shapes)) > 1:
        raise ValueError(f"expected parameter, gradient, m and v of one shape, got {shapes}: start m and v as zeros")
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_hat, v_hat = m / (1 - beta1**step), v / (1 - beta2**step)
    return parameter - rate * m_hat / (np.sqrt(v_hat) + eps), m, v


def train_head(
    x: Float[np.ndarray, "steps batch n letters"],
    targets: Int[np.ndarray, "steps batch"],
    w_q: Float[np.ndarray, "letters d_k"],
    w_k: Float[np.ndarray, "letters d_k"],
    w_v: Float[np.ndarray, "letters d_v"],
    w_out: Float[np.ndarray, "d_v classes"],
    rate: float | int,
) -> tuple[
    Float[np.ndarray, "steps"],
    Float[np.ndarray, "letters d_k"],
    Float[np.ndarray, "letters d_k"],
    Float[np.ndarray, "letters d_v"],
    Float[np.ndarray, "d_v classes"],
]:
    """Train a head that asks from the last letter of a row, with one batch of rows for each step.

    logits = attention(x_n W_Q, x W_K, x W_V) W_out, with no mask; a step of Adam for each matrix, ε = 0.01, m and v
    from 0

    Shapes: x (steps, batch, n, letters), targets (steps, batch), w_q and w_k (letters, d_k), w_v (letters, d_v),
    w_out (d_v, classes) -> the loss of each batch before its step (steps,), and the four matrices after the last.
    Errors: ValueError where there are not as many batches of targets as of rows.
    Source: Kingma and Ba (2015), Adam; Dao et al. (2022), appendix B.2, for the gradient.
    """
    require_same_size("x", x, 0, "targets", targets, 0, "each batch of rows needs its targets")
    matrices = [w_q, w_k, w_v, w_out]
    averages = [(np.zeros_like(matrix), np.zeros_like(matrix)) for matrix in matrices]
    losses = []
    for step, (rows, right) in enumerate(zip(x, targets, strict=True), 1):
        loss, gradients = loss_and_gradients(rows, right, *matrices)
        losses.append(loss)
        moved = [
            adam_step(matrix, gradient, m, v, step, rate, eps=EPS)
            for matrix, gradient, (m, v) in zip(matrices, gradients, averages, strict=True)
        ]
        matrices, averages = [one for one, _, _ in moved], [(m, v) for _, m, v in moved]
    return np.array(losses), *matrices


def loss_and_gradients(
    rows: Array, right: Array, w_q: Array, w_k: Array, w_v: Array, w_out: Array
) -> tuple[Array | float, list[Array]]:
    """Return the loss of a batch, and its gradients with respect to the four matrices."""
    last = rows[:, -1:]  # (batch, 1, letters)
    query, key, value = last @ w_q, rows @ w_k, rows @ w_v
    found = masked_attention(query, key, value, None)[0][:, 0]  # (batch, d_v)
    logits = found @ w_out  # (batch, classes)
    d_logits = cross_entropy_gradient(logits, right, NO_PAD)
    d_query, d_key, d_value = attention_gradient(query, key, value, None, (d_logits @ w_out.T)[:, None])
    inward = ((last, d_query), (rows, d_key), (rows, d_value))
    gradients = [np.einsum("bnl,bnd->ld", rows_in, slopes) for rows_in, slopes in inward]
    return cross_entropy(logits, right, NO_PAD), [*gradients, found.T @ d_logits]
