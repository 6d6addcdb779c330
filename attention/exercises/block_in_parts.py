"""A block of GPT-2 made of parts, for texts and for one new token, and the slips that may be made in each part."""

import math
from itertools import permutations
from typing import Any

import numpy as np

from autograder.diagnosis import in_part

from .given_functions import causal_mask, layer_norm, masked_softmax, merge_heads, softmax, split_heads


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def think(rows, p, bend=gelu):
    """Return what the neurons make of rows."""
    return bend(rows @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def output_of(found, p, h):
    """Return attention's output, of the heads side by side."""
    return found @ p["w_o"] + p["b_o"]


PARTS: dict[str, Any] = {
    "changes": (),  # of the parameters, one after the other
    "norm1": layer_norm,
    "norm2": layer_norm,
    "product": lambda rows, p, name: rows @ p[f"w_{name}"] + p[f"b_{name}"],
    "plain": "",  # which of q, k, v are made of the rows as they are
    "split": split_heads,
    "merge": lambda found, h: merge_heads(found),
    "compared": lambda q, k: (q, k),
    "divisor": lambda q, k, h: np.sqrt(q.shape[-1]),
    "mask": causal_mask,  # for n tokens; for one new token after others, its last row
    "weigh": masked_softmax,
    "mixed": lambda q, k, v: v,
    "output": output_of,
    "first": lambda x, seen, attended, p: x + attended,
    "reads": lambda x, seen, attended, middle: middle,
    "think": think,
    "end": lambda x, middle, read, said, p: middle + said,
}


def block(x, parameters, h, kept=None, join=None, **wrong):
    """Return a block's rows, (..., n, d_model), and the keys and values; with ``kept`` ones, of new tokens alone."""
    part, p = PARTS | wrong, parameters
    for change in part["changes"]:
        p = change(p, h)
    seen = part["norm1"](x, p["gamma1"], p["beta1"])
    made = (part["product"](x if name in part["plain"] else seen, p, name) for name in "qkv")
    q, k, v = (part["split"](one, h) for one in made)
    if kept is not None:
        k, v = (join(old, new) for old, new in zip(kept, (k, v), strict=True))
    mask = part["mask"](k.shape[-2])[-q.shape[-2] :]
    asking, asked = part["compared"](q, k)
    weights = part["weigh"](asking @ np.swapaxes(asked, -1, -2) / part["divisor"](q, k, h), mask)
    attended = part["output"](part["merge"](weights @ part["mixed"](q, k, v), h), p, h)
    middle = part["first"](x, seen, attended, p)
    read = part["norm2"](part["reads"](x, seen, attended, middle), p["gamma2"], p["beta2"])
    return part["end"](x, middle, read, part["think"](read, p), p), k, v


def rows_of(x, parameters, h, **wrong):
    """Return the rows alone, as ``gpt_block`` does."""
    return block(x, parameters, h, **wrong)[0]


def behind(kept, new):
    """Put new keys or values behind the kept ones."""
    return np.concatenate([kept, new], axis=1)


def in_order(row, keys, values):
    """Return the results of a step."""
    return row, keys, values


def step(x, parameters, h, keys, values, join=behind, returned=lambda given, longer: longer, answer=in_order, **wrong):
    """Return the row of one new token, and the longer keys and values, as ``step_with_cache`` does."""
    rows, *longer = block(x[None], parameters, h, (keys, values), join, **wrong)
    return answer(rows[0], *(returned(*pair) for pair in zip((keys, values), longer, strict=True)))


def set_to(value, *names):
    """Return a part: parameters of these names hold one number everywhere."""
    return {"changes": (lambda p, h: p | {name: np.full_like(p[name], value, dtype=float) for name in names},)}


def times(factor, *names):
    """Return a part: parameters of these names are multiplied by a number."""
    return {"changes": (lambda p, h: p | {name: factor * p[name] for name in names},)}


def turned(*names):
    """Return a part: matrices of these names are transposed."""
    return {"changes": (lambda p, h: p | {name: p[name].T for name in names},)}


def in_place_of(**others):
    """Return a part: parameters that are used in place of others, by the names of these."""
    return {"changes": (lambda p, h: p | {name: p[other] for name, other in others.items()},)}


def unit(*names):
    """Return a part: matrices of these names leave rows as they are."""
    return {"changes": (lambda p, h: p | {name: np.eye(len(p[name])) for name in names},)}


def normed(centre=True, ddof=0, axis=-1, eps=1e-5, divisor=lambda var, eps: np.sqrt(var + eps)):
    """Return a layer norm of one's own."""

    def norm(x, gamma, beta):
        less = x - x.mean(axis=axis, keepdims=True) if centre else x
        var = x.var(axis=axis, keepdims=True, ddof=ddof) if centre else (x**2).mean(axis=axis, keepdims=True)
        return gamma * less / divisor(var, eps) + beta

    return norm


def on_deviation(var, eps):
    """Return the deviation plus eps, where eps belongs under the root."""
    return np.sqrt(var) + eps


def of_own_numbers(*names):
    """Return a part: each head makes its own numbers of its own numbers alone, with a block of the matrix."""

    def blocks(p, h):
        inside = {name: np.kron(np.eye(h), np.ones((len(p[name]) // h,) * 2)) for name in names}
        return p | {name: p[name] * inside[name] for name in names}

    return {"changes": (blocks,)}


def one_head(which):
    """Return a way to put heads side by side that leaves 0 in place of all but one."""

    def merge(found, h):
        return merge_heads(found * (np.arange(h) == which % h)[:, None, None])

    return merge


NORMS = (
    ("divides by the deviation with n − 1 (`ddof=1`)", normed(ddof=1)),
    ("does not subtract the mean, as in an RMS norm", normed(centre=False)),
    ("subtracts the mean but divides by nothing", normed(divisor=lambda var, eps: 1.0)),
    ("divides by the variance instead of its root", normed(divisor=lambda var, eps: var + eps)),
    ("goes over the tokens (the last axis but one) instead of each token's numbers", normed(axis=-2)),
    ("multiplies by gamma after adding beta", lambda x, gamma, beta: gamma * (layer_norm(x, 1.0, 0.0) + beta)),
)


def in_each_norm(words, form):
    """Return a slip in both norms, in the first, and in the second."""
    places = (("the layer norm", ("norm1", "norm2")), ("the first norm", ("norm1",)), ("the second norm", ("norm2",)))
    return tuple((f"{which} {words}", dict.fromkeys(names, form)) for which, names in places)


NORM_SLIPS = tuple(slip for norm in NORMS for slip in in_each_norm(*norm))
WITHOUT_EPS = tuple(
    slip
    for form in (normed(ddof=1, divisor=on_deviation), normed(ddof=1, eps=0.0))
    for slip in in_each_norm("divides by the deviation with n − 1 (`ddof=1`)", form)
)

NO_NORM = {"norm1": lambda x, gamma, beta: x}, {"norm2": lambda x, gamma, beta: x}

PARAMETER_SLIPS = (
    *((f"`{name}` is not used", set_to(0.0, name)) for name in ("b_q", "b_v", "b_o", "b1", "b2")),
    *((f"`{name}` is added twice", times(2.0, name)) for name in ("b_q", "b_v", "b_o", "b2")),
    *((f"`{name}` is transposed (`.T`)", turned(name)) for name in ("w_q", "w_k", "w_v", "w_o")),
    ("`w_q`, `w_k` and `w_v` are transposed (`.T`)", turned("w_q", "w_k", "w_v")),
    ("`w_q`, `w_k`, `w_v` and `w_o` are transposed (`.T`)", turned("w_q", "w_k", "w_v", "w_o")),
    *((f"the product with `{name}` is missing", unit(name)) for name in ("w_q", "w_k", "w_v", "w_o")),
    *(
        (f"`{name}` is not used", set_to(1.0 if "gamma" in name else 0.0, name))
        for name in ("gamma1", "beta1", "gamma2", "beta2")
    ),
    ("`beta1` and `beta2` are not used", set_to(0.0, "beta1", "beta2")),
    ("`gamma1` and `gamma2` are not used", set_to(1.0, "gamma1", "gamma2")),
    *(
        (
            f"`gamma{k}` and `beta{k}` are not used",
            {"changes": (*set_to(1.0, f"gamma{k}")["changes"], *set_to(0.0, f"beta{k}")["changes"])},
        )
        for k in (1, 2)
    ),
    (
        "no gamma and no beta is used",
        {"changes": (*set_to(1.0, "gamma1", "gamma2")["changes"], *set_to(0.0, "beta1", "beta2")["changes"])},
    ),
)


def one_in_place(kind, one, name):
    """Return the slip in which a matrix or a bias is used in place of another."""
    return f"`{kind}_{one}` is used in place of `{kind}_{name}`", in_place_of(**{f"{kind}_{name}": f"{kind}_{one}"})


def both_in_place(one, name):
    """Return the slip in which a matrix and its bias are used in place of others."""
    return (
        f"`w_{one}` and `b_{one}` are used in place of `w_{name}` and `b_{name}`",
        in_place_of(**{f"w_{name}": f"w_{one}", f"b_{name}": f"b_{one}"}),
    )


MISTAKEN_SLIPS = (
    ("gamma1 and beta1 are used in both norms", in_place_of(gamma2="gamma1", beta2="beta1")),
    ("gamma2 and beta2 are used in both norms", in_place_of(gamma1="gamma2", beta1="beta2")),
    (
        "gamma2 and beta2 are used in the first norm, gamma1 and beta1 in the second",
        in_place_of(gamma1="gamma2", beta1="beta2", gamma2="gamma1", beta2="beta1"),
    ),
    *(
        (f"gamma{k} and beta{k} have changed places", in_place_of(**{f"gamma{k}": f"beta{k}", f"beta{k}": f"gamma{k}"}))
        for k in (1, 2)
    ),
    *(both_in_place(one, name) for one, name in (("v", "q"), ("q", "v"))),
    *(one_in_place(kind, one, name) for kind in "wb" for one, name in permutations("qkv", 2) if name != "k"),
    *(
        (f"`w_{one}` is used for queries, keys and values", in_place_of(**{f"w_{name}": f"w_{one}" for name in "qkv"}))
        for one in "qkv"
    ),
    *(
        (
            f"`w_{one}` and `b_{one}` are used for queries, keys and values",
            in_place_of(**{f"{kind}_{name}": f"{kind}_{one}" for name in "qkv" for kind in "wb"}),
        )
        for one in "qkv"
    ),
    (
        "the biases are added before the products with w_q, w_k and w_v, not after them",
        {"product": lambda rows, p, name: (rows + p[f"b_{name}"]) @ p[f"w_{name}"]},
    ),
    ("`w_o` and `w_q` have changed places", in_place_of(w_o="w_q", w_q="w_o")),
    ("`w_v` is used in place of `w_o`", in_place_of(w_o="w_v")),
    ("`b_o` is used in place of `b2`", in_place_of(b2="b_o")),
    ("`b2` is used in place of `b_o`", in_place_of(b_o="b2")),
)

PLAIN_SLIPS = tuple(
    (f"{words} made of the rows as they are, not of the normalised ones", {"plain": names})
    for words, names in (
        ("queries are", "q"),
        ("keys are", "k"),
        ("values are", "v"),
        ("queries and keys are", "qk"),
        ("queries and values are", "qv"),
        ("keys and values are", "kv"),
    )
)


def dealt_out(x, h):
    """Give the numbers of each row to the heads in turn: (..., n, d) -> (..., h, n, d_k)."""
    return np.moveaxis(x.reshape(*x.shape[:-1], -1, h), -1, -3)


def collected(found, h):
    """Put back what ``dealt_out`` has dealt: (..., h, n, d_k) -> (..., n, d)."""
    back = np.moveaxis(found, -3, -1)
    return back.reshape(*back.shape[:-2], -1)


def reshaped(x, h):
    """Cut rows into heads without swapping axes."""
    return x.reshape(*x.shape[:-2], h, x.shape[-2], x.shape[-1] // h)


def back_reshaped(found, h):
    """Put heads side by side without swapping axes."""
    *lead, _, n, d_k = found.shape
    return found.reshape(*lead, n, h * d_k)


DEALT = "the numbers of a row are dealt out to the heads in turn, where each head has neighbours,"
HEAD_SLIPS = (
    (f"{DEALT} and collected in the same way", {"split": dealt_out, "merge": collected}),
    (f"{DEALT} and the heads are put side by side again", {"split": dealt_out}),
    ("the last head alone is used, the others are overwritten", {"merge": one_head(-1)}),
    ("the first head alone is used", {"merge": one_head(0)}),
    (
        "the row is cut into heads before the products, and each head sees its own numbers alone",
        of_own_numbers("w_q", "w_k", "w_v"),
    ),
    ("the heads' results are interleaved, number by number, where they lie side by side", {"merge": collected}),
)

DIVISOR_SLIPS = tuple(
    (f"the scores are {words}", {"divisor": form})
    for words, form in (
        ("not divided by √d_k", lambda q, k, h: 1.0),
        ("divided by d_k in all: twice by its root, or without the root", lambda q, k, h: q.shape[-1]),
        ("divided by √d_model instead of √d_k", lambda q, k, h: np.sqrt(h * q.shape[-1])),
        ("divided by d_model instead of √d_k", lambda q, k, h: h * q.shape[-1]),
        ("divided by √h instead of √d_k", lambda q, k, h: np.sqrt(h)),
        ("divided by h instead of √d_k", lambda q, k, h: h),
        ("divided by the root of the number of tokens instead of √d_k", lambda q, k, h: np.sqrt(k.shape[-2])),
        ("divided by the number of tokens instead of √d_k", lambda q, k, h: k.shape[-2]),
        ("multiplied by √d_k instead of divided", lambda q, k, h: 1 / np.sqrt(q.shape[-1])),
    )
)


def powers_alone(scores, mask):
    """Return e to the power of each permitted score."""
    return np.where(mask, np.exp(scores), 0.0)


def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -500, 500)))


WEIGH_SLIPS = in_part("weigh",
        ("softmax is applied down the columns, over the queries (axis −2)",
         lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=-2)),
        ("softmax is applied over the heads (axis −3)",
         lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=-3)),
        ("the scores are used as weights, without softmax", lambda scores, mask: np.where(mask, scores, 0.0)),
        ("e to the power of the scores is not divided by its sum", powers_alone),
        ("the scores are divided by their sum, without `np.exp`",
         lambda scores, mask: np.where(mask, scores, 0.0)
         / np.where(mask, scores, 0.0).sum(axis=-1, keepdims=True)),
        ("softmax is applied twice", lambda scores, mask: masked_softmax(masked_softmax(scores, mask), mask)),
        ("a sigmoid takes the place of softmax", lambda scores, mask: np.where(mask, sigmoid(scores), 0.0)),
        ("the scores have the opposite sign", lambda scores, mask: masked_softmax(-scores, mask)),
        ("each token takes the plain mean of what it may see", lambda scores, mask: masked_softmax(0 * scores, mask)),
        ("each token takes the key with the largest score alone",
         lambda scores, mask: np.eye(scores.shape[-1])[np.where(mask, scores, -np.inf).argmax(axis=-1)]),
    )  # fmt: skip


def unguarded(scores, mask):
    """Return softmax as one writes it without chapter 9: NaN where nothing is permitted."""
    left = np.where(mask, scores, -np.inf)
    powers = np.exp(left - left.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


MASKED_SLIPS = in_part("weigh",
        ("forbidden weights are set to 0 after softmax, so that a row has less than 1",
         lambda scores, mask: np.where(mask, softmax(scores), 0.0)),
        ("forbidden scores are 0 instead of −∞, and softmax still gives them weight",
         lambda scores, mask: softmax(np.where(mask, scores, 0.0))),
        ("the mask is added to the scores as 1 and 0, not as 0 and −∞", lambda scores, mask: softmax(scores + mask)),
        ("forbidden scores are −1 instead of −∞", lambda scores, mask: softmax(np.where(mask, scores, -1.0))),
        ("forbidden scores are 1 instead of −∞", lambda scores, mask: softmax(np.where(mask, scores, 1.0))),
        ("forbidden scores are −10 instead of −∞", lambda scores, mask: softmax(np.where(mask, scores, -10.0))),
        ("a large number is subtracted from the permitted scores instead of the forbidden ones",
         lambda scores, mask: softmax(scores - 1e9 * mask)),
    )  # fmt: skip
MASK_SLIPS = in_part("mask",
        ("there is no mask, and every token sees the later ones", lambda n: np.ones((n, n), dtype=bool)),
        ("the mask is turned round: each token sees itself and the later ones", lambda n: causal_mask(n).T),
        ("True means forbidden in the mask, as in PyTorch: each token sees the later ones alone",
         lambda n: ~causal_mask(n)),
        ("the mask leaves out the diagonal, and no token sees itself", lambda n: np.tri(n, k=-1, dtype=bool)),
        ("the mask lets each token see the next one, too", lambda n: np.tri(n, k=1, dtype=bool)),
        ("each token sees itself alone", lambda n: np.eye(n, dtype=bool)),
        ("each token sees all tokens but itself", lambda n: ~np.eye(n, dtype=bool)),
        ("each token sees only itself and the one before it", lambda n: causal_mask(n) & ~np.tri(n, k=-2, dtype=bool)),
        ("each token sees the first one alone", lambda n: np.arange(n) * np.ones((n, 1)) == 0),
    )  # fmt: skip
MASK_SLIPS += tuple(
    (f"{words}; one that sees none becomes NaN", {**parts, "weigh": unguarded})
    for words, parts in MASK_SLIPS
    if not parts["mask"](3).any(axis=-1).all()
)


def exact_gelu(x):
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / np.sqrt(2)))


BENDS = (
    ("a ReLU bends the neurons", lambda x: np.maximum(x, 0)),
    ("nothing bends the neurons", lambda x: x),
    ("the exact GELU, with the error function, bends the neurons", exact_gelu),
    ("x · sigmoid(1.702 x) bends the neurons", lambda x: x * sigmoid(1.702 * x)),
    ("x · sigmoid(x) bends the neurons", lambda x: x * sigmoid(x)),
    ("tanh bends the neurons", np.tanh),
    ("a sigmoid bends the neurons", sigmoid),
    ("softmax takes the place of `gelu`", softmax),
    ("`gelu` is applied twice", lambda x: gelu(gelu(x))),
)
THINK_SLIPS = (
    *((words, {"think": lambda rows, p, bend=bend: think(rows, p, bend)}) for words, bend in BENDS),
    *in_part(
        "think",
        (
            "`b1` is added after `gelu` instead of before it",
            lambda rows, p: (gelu(rows @ p["w1"]) + p["b1"]) @ p["w2"] + p["b2"],
        ),
        (
            "`gelu` is applied after the second matrix, before b2 is added",
            lambda rows, p: gelu((rows @ p["w1"] + p["b1"]) @ p["w2"]) + p["b2"],
        ),
        (
            "`gelu` is applied after the second matrix instead of the first",
            lambda rows, p: gelu(think(rows, p, lambda x: x)),
        ),
        ("`gelu` is applied after the second matrix, too", lambda rows, p: gelu(think(rows, p))),
        (
            "`gelu` is applied to the rows before the first matrix instead of after it",
            lambda rows, p: (gelu(rows) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"],
        ),
        ("the neurons' result is left out", lambda rows, p: 0.0),
        ("the neurons' result is subtracted", lambda rows, p: -think(rows, p)),
    ),
)

SUM_SLIPS = (
    (
        "keys are compared with keys, or w_k and b_k make the queries, too",
        {"compared": lambda q, k: (k[..., -q.shape[-2] :, :], k)},
    ),
    ("keys are mixed instead of values, or w_k and b_k make the values, too", {"mixed": lambda q, k, v: k}),
    ("`b_o` is added once for each head", {"output": lambda found, p, h: found @ p["w_o"] + h * p["b_o"]}),
    ("`gelu` is applied to attention's output", {"output": lambda found, p, h: gelu(output_of(found, p, h))}),
    (
        "the weights are divided by √d_k after softmax, instead of the scores before it",
        {"divisor": lambda q, k, h: 1.0, "mixed": lambda q, k, v: v / np.sqrt(q.shape[-1])},
    ),
    ("the heads are divided by h before w_o", {"output": lambda found, p, h: output_of(found / h, p, h)}),
    ("`b_o` is added before the product with w_o", {"output": lambda found, p, h: (found + p["b_o"]) @ p["w_o"]}),
    *(
        (f"the first sum {words}", {"first": form})
        for words, form in (
            ("is not made: what attention found is lost", lambda x, seen, attended, p: x),
            ("is not made: what attention found takes the rows' place", lambda x, seen, attended, p: attended),
            ("begins with the normalised rows", lambda x, seen, attended, p: seen + attended),
            ("subtracts what attention found", lambda x, seen, attended, p: x - attended),
            ("adds the rows twice", lambda x, seen, attended, p: 2 * x + attended),
            ("adds what attention found twice", lambda x, seen, attended, p: x + 2 * attended),
            ("holds the normalised rows besides", lambda x, seen, attended, p: x + seen + attended),
            ("is multiplied by a half", lambda x, seen, attended, p: (x + attended) / 2),
        )
    ),
    *(
        (f"the neurons read {words}", {"reads": form})
        for words, form in (
            ("the rows from before attention", lambda x, seen, attended, middle: x),
            ("what attention found alone, before it is added to the rows", lambda x, seen, attended, middle: attended),
            ("the first norm's rows, normalised once more", lambda x, seen, attended, middle: seen),
            ("what attention found plus the normalised rows", lambda x, seen, attended, middle: seen + attended),
        )
    ),
    ("the first norm is left out", NO_NORM[0]),
    ("the second norm is left out", NO_NORM[1]),
    ("both norms are left out", NO_NORM[0] | NO_NORM[1]),
    *in_part(
        "end",
        ("the neurons' result is returned alone", lambda x, middle, read, said, p: said),
        ("the neurons' result is added to the normalised rows", lambda x, middle, read, said, p: read + said),
        ("the neurons' result is added to the rows from before attention", lambda x, middle, read, said, p: x + said),
        ("the rows that came in are added once more at the end", lambda x, middle, read, said, p: x + middle + said),
        ("the neurons' result is added twice", lambda x, middle, read, said, p: middle + 2 * said),
        ("the rows after attention are added twice", lambda x, middle, read, said, p: 2 * middle + said),
        ("the normalised rows are added besides", lambda x, middle, read, said, p: middle + read + said),
        (
            "the result is normalised once more, with gamma2 and beta2",
            lambda x, middle, read, said, p: layer_norm(middle + said, p["gamma2"], p["beta2"]),
        ),
        (
            "the result is normalised once more, with gamma1 and beta1",
            lambda x, middle, read, said, p: layer_norm(middle + said, p["gamma1"], p["beta1"]),
        ),
        (
            "the result is normalised once more, without gamma and beta",
            lambda x, middle, read, said, p: layer_norm(middle + said, 1.0, 0.0),
        ),
        ("`gelu` is applied to the result", lambda x, middle, read, said, p: gelu(middle + said)),
        ("softmax is applied to the result", lambda x, middle, read, said, p: softmax(middle + said)),
    ),
    (
        "each norm comes after its sum, as in chapter 8",
        {
            **NO_NORM[0],
            **NO_NORM[1],
            "first": lambda x, seen, attended, p: layer_norm(x + attended, p["gamma1"], p["beta1"]),
            "end": lambda x, middle, read, said, p: layer_norm(middle + said, p["gamma2"], p["beta2"]),
        },
    ),
    (
        "each norm normalises what is added instead of what is read",
        {
            **NO_NORM[0],
            **NO_NORM[1],
            "first": lambda x, seen, attended, p: x + layer_norm(attended, p["gamma1"], p["beta1"]),
            "end": lambda x, middle, read, said, p: middle + layer_norm(said, p["gamma2"], p["beta2"]),
        },
    ),
)

RESHAPE_SLIPS = (
    ("`reshape` alone cuts the heads, and puts them together", {"split": reshaped, "merge": back_reshaped}),
    ("`reshape` alone cuts the heads", {"split": reshaped}),
    ("`reshape` alone puts the heads side by side, and mixes tokens", {"merge": back_reshaped}),
    ("all numbers form one head, whatever h is", {"split": lambda x, h: split_heads(x, 1)}),
    (
        "`split_heads` is given d_k, the width of a head, in place of h",
        {"split": lambda x, h: split_heads(x, x.shape[-1] // h)},
    ),
    ("queries are compared with queries, or w_q makes the keys, too", {"compared": lambda q, k: (q, q)}),
    one_in_place("w", "v", "k"),
    (
        "softmax is applied twice, the second time without the mask",
        {"weigh": lambda scores, mask: softmax(masked_softmax(scores, mask))},
    ),
)
IN_BOTH = (*SUM_SLIPS, *PARAMETER_SLIPS, *MISTAKEN_SLIPS[:3], *PLAIN_SLIPS, *HEAD_SLIPS[:2], *DIVISOR_SLIPS[:3])
IN_BOTH += (*WEIGH_SLIPS[:4], *THINK_SLIPS, *NORM_SLIPS[:3])
RARE_IN_BOTH = (
    *MISTAKEN_SLIPS[3:],
    *HEAD_SLIPS[2:],
    *DIVISOR_SLIPS[3:],
    *WEIGH_SLIPS[4:],
    *NORM_SLIPS[3:],
    *WITHOUT_EPS,
)
BLOCK_SLIPS = (*IN_BOTH, *RESHAPE_SLIPS, *MASK_SLIPS[:4], *MASKED_SLIPS[:3])
RARE_BLOCK_SLIPS = (
    *(*RARE_IN_BOTH, *MASK_SLIPS[4:], *MASKED_SLIPS[3:]),
    *in_each_norm("goes over all numbers of all texts instead of each token's", normed(axis=None)),
    *in_each_norm("goes over all numbers of a text instead of each token's", normed(axis=(-2, -1))),
)

SEEN_BY_STEP = in_part(
    "mask",
    ("the new token does not see itself", lambda n: np.tri(n, k=-1, dtype=bool)),
    ("the new token sees itself alone", lambda n: np.eye(n, dtype=bool)),
    ("the new token sees the oldest one alone", lambda n: np.arange(n) * np.ones((n, 1)) == 0),
    ("the new token does not see the oldest one", lambda n: np.arange(n) * np.ones((n, 1)) > 0),
)


def flattened(kept, new):
    """Append without an axis, which flattens both, and restore the shape."""
    return np.append(kept, new).reshape(len(kept), -1, kept.shape[-1])


JOIN_SLIPS = in_part(
    "join",
    ("the new key and value are appended without an axis, which mixes the heads", flattened),
    (
        "the new key and value are added to each kept one, number by number, instead of put behind",
        lambda kept, new: kept + new,
    ),
    ("the new key and value stand in front of the kept ones", lambda kept, new: np.concatenate([new, kept], axis=1)),
    (
        "the new key and value take the place of the last kept ones",
        lambda kept, new: np.concatenate([kept[:, :-1], new], axis=1),
    ),
    ("the oldest key and value are dropped", lambda kept, new: np.concatenate([kept[:, 1:], new], axis=1)),
    ("the new key and value are appended twice", lambda kept, new: np.concatenate([kept, new, new], axis=1)),
    ("the kept keys and values are not used", lambda kept, new: new),
    (
        "the kept keys and values are turned round, the newest first",
        lambda kept, new: np.concatenate([kept[:, ::-1], new], axis=1),
    ),
)
RETURN_SLIPS = in_part(
    "returned",
    ("keys and values come back as they were given", lambda given, longer: given),
    ("the new key and value alone are returned", lambda given, longer: longer[:, -1:]),
) + in_part(
    "answer",
    ("the values are returned before the keys", lambda row, keys, values: (row, values, keys)),
    ("the row is returned last", lambda row, keys, values: (keys, values, row)),
    ("the row is returned in a table", lambda row, keys, values: (row[None], keys, values)),
)
STEP_SLIPS = (
    ("`b_k` is not used", set_to(0.0, "b_k")),
    ("`b_k` and `b_v` are not used", set_to(0.0, "b_k", "b_v")),
    *(*IN_BOTH, *JOIN_SLIPS, *RETURN_SLIPS, *SEEN_BY_STEP),
)
RARE_STEP_SLIPS = (
    *(one_in_place(kind, one, "k") for kind in "wb" for one in "qv"),
    *(both_in_place(one, "k") for one in "qv"),
    *RARE_IN_BOTH,
)
