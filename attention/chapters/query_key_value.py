"""Chapter 4, query, key, value: a dictionary made soft, and every token looking up every other."""

import numpy as np
from jaxtyping import Float, Num

from .context import softmax
from .shapes import require_axes, require_same_size


def soft_lookup(
    query: Num[np.ndarray, "d_k"],
    keys: Num[np.ndarray, "n d_k"],
    values: Num[np.ndarray, "n d_v"],
    base: float | int = np.e,
) -> tuple[Float[np.ndarray, "d_v"], Float[np.ndarray, "n"]]:
    """Look ``query`` up among ``keys`` and return the mixture of ``values``, with the weights of the mixture.

    s_i = key_i · query,   weights_i = base^{s_i} / Σ_j base^{s_j},   output = Σ_i weights_i value_i

    Shapes: query (d_k,), keys (n, d_k), values (n, d_v) -> output (d_v,), weights (n,).
    Errors: ValueError for other shapes, or a base that is not positive.
    Source: Note 4, which takes base 3 so that the sum can be done by hand; everyone else takes e.
    """
    require_axes("query", query, "(d_k,)")
    require_axes("keys", keys, "(n, d_k)")
    require_axes("values", values, "(n, d_v)")
    require_same_size("keys", keys, -1, "query", query, -1, "a key is compared with the query number by number")
    require_same_size("keys", keys, -2, "values", values, -2, "each key needs one value")
    if not base > 0:
        raise ValueError(f"expected a base above 0, got {base}: pass np.e, or 3 as in the note")
    scores = keys @ query  # (n,)
    weights = softmax(scores * np.log(base))  # (n,): base^s = e^(s ln base)
    return weights @ values, weights  # (d_v,), (n,)


def booster(n: int, target: float) -> float:
    """Return the factor β on the scores that gives one match among n tokens the weight ``target``.

    The match scores β, the other n - 1 tokens score 0:
    e^β / (e^β + n - 1) = p   gives   β = ln((n - 1) p / (1 - p))

    Shapes: two numbers in, one out; p is a weight between 0 and 1.
    Errors: ValueError for n below 2, or a target outside (0, 1): weight 1 would need β = ∞.
    Source: Note 4, where the booster 10 turns 0.4754 into 0.9999.
    """
    if n < 2:
        raise ValueError(f"expected at least 2 tokens, got n = {n}: with one token the weight is always 1")
    if not 0 < target < 1:
        raise ValueError(f"expected a target between 0 and 1, got {target}: softmax never reaches either end")
    return float(np.log((n - 1) * target / (1 - target)))


def project(
    x: Num[np.ndarray, "*batch n d_model"],
    w_q: Num[np.ndarray, "d_model d_k"],
    w_k: Num[np.ndarray, "d_model d_k"],
    w_v: Num[np.ndarray, "d_model d_v"],
) -> tuple[
    Num[np.ndarray, "*batch n d_k"],
    Num[np.ndarray, "*batch n d_k"],
    Num[np.ndarray, "*batch n d_v"],
]:
    """Give every token its query, its key and its value.

    query = x w_q,   key = x w_k,   value = x w_v

    Shapes: x (..., n, d_model), w_q and w_k (d_model, d_k), w_v (d_model, d_v)
    -> (..., n, d_k), (..., n, d_k), (..., n, d_v).
    Errors: ValueError where a w does not have d_model rows.
    Source: Vaswani et al. (2017), Attention is all you need, section 3.2.2. Note 4 writes columns, k_i = W^K e_i.
    """
    for name, w in (("w_q", w_q), ("w_k", w_k), ("w_v", w_v)):
        require_same_size("x", x, -1, name, w, -2, f"{name} takes one row for each number in a token")
    return x @ w_q, x @ w_k, x @ w_v


def attention(
    query: Num[np.ndarray, "*batch n_q d_k"],
    key: Num[np.ndarray, "*batch n_k d_k"],
    value: Num[np.ndarray, "*batch n_k d_v"],
) -> tuple[Float[np.ndarray, "*batch n_q d_v"], Float[np.ndarray, "*batch n_q n_k"]]:
    """Let every query look at every key, and mix the values accordingly. Not scaled: chapter 5 adds 1/√d_k.

    scores = query keyᵀ,   weights = softmax(scores) row by row,   output = weights value

    Shapes: query (..., n_q, d_k), key (..., n_k, d_k), value (..., n_k, d_v)
    -> output (..., n_q, d_v), weights (..., n_q, n_k).
    Errors: ValueError where a query is not as wide as a key, or keys and values are not equally many.
    Source: Luong, Pham and Manning (2015), Effective approaches to attention-based NMT, the "dot" score.
    """
    require_same_size("query", query, -1, "key", key, -1, "project both with matrices of the same width d_k")
    require_same_size("key", key, -2, "value", value, -2, "each key needs one value")
    scores = query @ np.swapaxes(key, -1, -2)  # (..., n_q, n_k)
    weights = softmax(scores)  # (..., n_q, n_k), each row sums to one
    return weights @ value, weights  # (..., n_q, d_v)


def merged_projection(
    w_q: Num[np.ndarray, "d_model d_k"], w_k: Num[np.ndarray, "d_model d_k"]
) -> Num[np.ndarray, "d_model d_model"]:
    """Merge the two projections into the one matrix W of the bilinear form, with x W xᵀ = scores.

    (x w_q)(x w_k)ᵀ = x (w_q w_kᵀ) xᵀ

    Shapes: w_q and w_k (d_model, d_k) -> W (d_model, d_model), of rank d_k at most.
    Errors: ValueError where the two differ in shape.
    Source: Note 4, in columns: s_i = (W_K e_i)ᵀ (W_Q q) = e_iᵀ (W_Kᵀ W_Q) q.
    """
    require_axes("w_q", w_q, "(d_model, d_k)")
    require_axes("w_k", w_k, "(d_model, d_k)")
    require_same_size("w_q", w_q, -2, "w_k", w_k, -2, "both read the same tokens")
    require_same_size("w_q", w_q, -1, "w_k", w_k, -1, "a query is compared with a key number by number")
    return w_q @ w_k.T


def luong_context(
    state: Num[np.ndarray, "*batch d"], encoder_states: Num[np.ndarray, "*batch n d"]
) -> tuple[Float[np.ndarray, "*batch d"], Float[np.ndarray, "*batch n"]]:
    """Let one decoder state look at all encoder states, which are both the keys and the values.

    e_j = s · h_j,   α = softmax(e),   context = Σ_j α_j h_j

    Shapes: state (..., d), encoder_states (..., n, d) -> context (..., d), alpha (..., n).
    Errors: ValueError where the two differ in width.
    Source: Luong, Pham and Manning (2015), section 3.1; Note 2's c_i = Σ α_ij h_j with e_ij = s_iᵀ h_j.
    """
    require_same_size("state", state, -1, "encoder_states", encoder_states, -1, "both come from networks of one width")
    context, alpha = attention(state[..., None, :], encoder_states, encoder_states)
    return context[..., 0, :], alpha[..., 0, :]


def query_between(keys: Num[np.ndarray, "n d_k"], a: int, b: int) -> Float[np.ndarray, "d_k"]:
    """Return a query that looks at keys a and b, half and half, and hardly at the others (n orthonormal keys).

    query = β (key_a + key_b): its score is β with both, 0 with every other key, so a long query is a sharp one.

    Shapes: keys (n, d_k) -> query (d_k,), with weights of 0.499 or more on a and on b.
    Errors: ValueError where a and b are the same key; IndexError where one of them does not exist.
    Source: Stanford CS224N, assignment on attention, where one head is asked to copy the mean of two values.
    """
    require_axes("keys", keys, "(n, d_k)")
    if a == b:
        raise ValueError(f"expected two different keys, got a = b = {a}: half and half needs two")
    return booster(len(keys), 0.999) * (keys[a] + keys[b])
