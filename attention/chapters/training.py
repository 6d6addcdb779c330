"""Chapter 10, training: what the decoder is shown, how wrong it was, and which way is better."""

from typing import Any

import autograd.numpy as np
from jaxtyping import Bool, Float, Int, Num

from .masking import masked_softmax
from .scaling import scaled_scores, scaling_factor
from .shapes import Array, require_at_least, require_axes, require_same_size


def shift_right(targets: Int[np.ndarray, "*batch n"], sos: int) -> Int[np.ndarray, "*batch n"]:
    """Return the decoder's input for ``targets``: SOS first, then every token one place later, the last one dropped.

    input_0 = SOS,   input_t = target_{t-1}: each place sees all tokens before the one it must predict

    Shapes: targets (..., n) whole numbers -> (..., n). The targets keep their EOS: only the input goes without.
    Errors: ValueError where there is no token.
    Source: Vaswani et al. (2017), section 3.1, "the output embeddings are offset by one position".
    """
    require_axes("targets", targets, "(..., n)")
    first = np.full_like(targets[..., :1], sos)  # (..., 1)
    return np.concatenate([first, targets[..., :-1]], axis=-1)


def log_softmax(logits: Num[Array, "*batch words"]) -> Float[Array, "*batch words"]:
    """Return ln softmax(logits) along the last axis, without taking the logarithm of a rounded 0.

    ln p_i = z_i - max z - ln Σ_j exp(z_j - max z)

    Shapes: (..., words) -> (..., words), in nats.
    Errors: ValueError where there are no logits.
    Source: Blanchard, Higham and Higham (2021), Accurately computing the log-sum-exp and softmax functions.
    """
    require_axes("logits", logits, "(..., words)")
    shifted = logits - np.max(logits, axis=-1, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True))


def _wanted(logits: Array, targets: Array, pad: int) -> tuple[Array, Any]:
    """Mark the one logit of each real token that should be high, and count the real tokens."""
    require_axes("logits", logits, "(..., n, words)")
    if logits.shape[:-1] != targets.shape:
        raise ValueError(
            f"expected one target for each row of logits, got shapes {logits.shape} and {targets.shape}: "
            "targets has the shape of logits without its last axis"
        )
    real = targets != pad  # (..., n)
    words = logits.shape[-1]
    if not real.any() or targets[real].min() < 0 or targets[real].max() >= words:
        raise ValueError(
            f"expected targets from 0 to {words - 1}, at least one that is not pad = {pad}, got {targets}: "
            "number them with the vocabulary that the logits are for"
        )
    return (np.arange(words) == targets[..., None]) & real[..., None], real.sum()


def cross_entropy(
    logits: Num[Array, "*batch n words"], targets: Int[np.ndarray, "*batch n"], pad: int
) -> Float[Array, ""] | float:
    """Measure how surprised the model is by the right next word, on average over the real tokens.

    loss = -1/N Σ ln softmax(logits_t)[target_t], over the N tokens that are not PAD

    Shapes: logits (..., n, words), targets (..., n) whole numbers -> one number, in nats per token.
    Logits where the target is PAD have no influence, even if NaN.
    Errors: ValueError for shapes that do not fit, targets that are no word, or nothing but PAD.
    Source: Goodfellow, Bengio and Courville (2016), Deep Learning, section 5.5.
    """
    wanted, count = _wanted(logits, targets, pad)
    return -np.sum(np.where(wanted, log_softmax(logits), 0.0)) / count


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
    wanted, count = _wanted(logits, targets, pad)
    real = wanted.any(axis=-1, keepdims=True)  # (..., n, 1)
    return np.where(real, np.exp(log_softmax(logits)) - wanted, 0.0) / count


def attention_gradient(
    query: Num[Array, "*batch n_q d_k"],
    key: Num[Array, "*batch n_k d_k"],
    value: Num[Array, "*batch n_k d_v"],
    mask: Bool[np.ndarray, "..."],
    output_gradient: Num[Array, "*batch n_q d_v"],
) -> tuple[Float[Array, "*batch n_q d_k"], Float[Array, "*batch n_k d_k"], Float[Array, "*batch n_k d_v"]]:
    """Carry a gradient back through ``masked_attention``, from its output to query, key and value.

    With P = masked_softmax(query keyᵀ / √d_k, mask), output = P value and G = ∂loss/∂output:
    d_value = Pᵀ G,   dP = G valueᵀ,   dS_i = P_i ∘ (dP_i - P_i · dP_i) row by row (chapter 5's Jacobian),
    d_query = dS key / √d_k,   d_key = dSᵀ query / √d_k

    Shapes: those of ``masked_attention``, output_gradient (..., n_q, d_v) -> the shapes of query, key and value.
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


def learning_rate(step: int, d_model: int, warmup: int) -> float:
    """Return the rate of one step: rising evenly for ``warmup`` steps, then falling like 1/√step.

    rate = d_model^(-1/2) · min(step^(-1/2), step · warmup^(-3/2))

    Shapes: whole numbers in, a pure number out. The two meet at step = warmup, where the rate is highest.
    Errors: ValueError for step 0 (steps count from 1), or sizes below 1.
    Source: Vaswani et al. (2017), equation 3.
    """
    require_at_least("step", step, 1, "count steps from 1: at 0, step^(-1/2) is infinite")
    require_at_least("d_model", d_model, 1, "d_model counts the numbers in a token")
    require_at_least("warmup", warmup, 1, "warmup counts the steps of the rise")
    return float(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


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
