"""Chapter 10, training: what the decoder is shown, how wrong it was, and how long each step is."""

from typing import Any

import autograd.numpy as np
from jaxtyping import Float, Int, Num

from .shapes import Array, require_at_least, require_axes


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


def mark_wanted(logits: Array, targets: Array, pad: int) -> tuple[Array, Any]:
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
    wanted, count = mark_wanted(logits, targets, pad)
    return -np.sum(np.where(wanted, log_softmax(logits), 0.0)) / count


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
