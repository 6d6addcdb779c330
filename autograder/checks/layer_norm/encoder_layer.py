"""One layer of the encoder, put together."""

import numpy as np

from autograder.reference import layer_norm as reference
from autograder.reference.multi_head import multi_head_attention

from ..draw import within
from ..exercise import Case, Exercise, mistake

X = np.array([[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0], [2.0, 0.0, 1.0, 1.0]])
PARAMETERS = {
    "w_q": np.eye(4),
    "w_k": np.eye(4) / 2,
    "w_v": np.eye(4)[::-1],
    "w_o": np.eye(4) + np.eye(4, k=1),
    "gamma1": np.array([1.0, 2.0, 1.0, 2.0]),
    "beta1": np.array([0.0, 0.0, 1.0, 1.0]),
    "w1": np.eye(4, 5) - np.eye(4, 5, k=1),
    "b1": np.array([0.0, 0.0, 0.0, 0.0, 1.0]),
    "w2": np.eye(5, 4),
    "b2": np.array([0.0, 0.0, 0.0, 0.5]),
    "gamma2": np.array([1.0, 1.0, 2.0, 1.0]),
    "beta2": np.array([0.0, 1.0, 0.0, 0.0]),
}
LOOKING_BACK = np.tril(np.ones((3, 3), dtype=bool))
BATCH = np.stack([X, X[::-1] - 1])


def drawn(rng, shape, d_ff):
    """Draw tokens of this shape, and parameters under which scores stay small and each norm is one of its own."""
    sizes = {"d_model": shape[-1], "d_ff": d_ff}
    parameters = {
        name: within(rng, 0.6, *(sizes[axis] for axis in axes)) + (1.0 if "gamma" in name else 0.0)
        for name, axes in reference.ENCODER_LAYER.items()
    }
    return within(rng, 1.5, *shape), parameters


def unseen(rng):
    """Heads of two and of three numbers, one head, and a mask."""
    mask = rng.random((5, 5)) < 0.6
    mask[np.arange(5), np.arange(5)] = True  # each sees itself
    return [
        Case("three tokens of four, two heads", (*drawn(rng, (3, 4), 7), 2)),
        Case("seven tokens of six, three heads", (*drawn(rng, (7, 6), 5), 3)),
        Case("five tokens of four, a mask", (*drawn(rng, (5, 4), 11), 2, mask)),
    ]


def edges(rng):
    """One token, one head, and leading axes, with a mask by name for each sentence."""
    lengths = np.array([5, 2])[:, None, None]
    return [
        Case("one token", (*drawn(rng, (1, 4), 7), 2)),
        Case("one head", (*drawn(rng, (5, 3), 7), 1)),
        Case("a batch, with axes in front", (*drawn(rng, (2, 3, 5, 4), 7), 2)),
        Case("a batch with padding", (*drawn(rng, (2, 5, 6), 7), 2), {"mask": np.arange(5) < lengths}),
    ]


@mistake(
    "What the feed-forward layer found was normalised by itself, without what it was given. "
    "The second residual road is missing, and what attention brought is gone unless it is repeated. "
    "Call add_and_norm with x and feed_forward(x).",
    sees="the first token begins with −1.1626 and not −1.6878",
)
def thought_without_residual(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = norm(x + attended, 1)
    return norm(np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


@mistake(
    "What attention found was normalised by itself, without the tokens. "
    "Each word would be a mixture of others and would have lost itself. "
    "Call add_and_norm with x and what was attended.",
    sees="the first token begins with −.9382 and not −1.6878",
)
def attention_without_residual(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = norm(attended, 1)
    return norm(x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


@mistake(
    "Both residual roads are missing: each sublayer's output was normalised by itself. "
    "What a sublayer does not repeat is lost. "
    "Use add_and_norm with x, both times.",
    sees="the first token begins with −.6746 and not −1.6878",
)
def without_residuals(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = norm(attended, 1)
    return norm(np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


@mistake(
    "gamma2 and beta2 stand behind attention, gamma1 and beta1 behind the feed-forward layer. "
    "Each norm has learned a scale for its own place. "
    "Use 1 behind attention and 2 at the end.",
    sees="the first token begins with −1.3530 and not −1.6878",
)
def norms_exchanged(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = norm(x + attended, 2)
    return norm(x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 1)


@mistake(
    "gamma1 and beta1 were used in both places. "
    "The second norm has parameters of its own, learned for what comes out of the layer. "
    "Use gamma2 and beta2 at the end.",
    sees="the first token begins with −1.6878 and not −1.6878",
)
def first_norm_twice(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = norm(x + attended, 1)
    return norm(x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 1)


@mistake(
    "Each sublayer was given normalised tokens, and its output was added without a norm behind it. "
    "That is pre-norm, which today's models use; here it is post-norm, as in the notes and the first Transformer. "
    "Add first, then normalise.",
    sees="the first token begins with 3.8291 and not −1.6878",
)
def normalised_before(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    seen = norm(x, 1)
    attended, _ = multi_head_attention(seen, seen, seen, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = x + attended
    return x + np.maximum(0, norm(x, 2) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


@mistake(
    "The mask went nowhere, so every token sees every other. "
    "Padding, and later the future, would be looked at. "
    "Pass mask on to multi_head_attention, behind h.",
    sees="right without a mask; with it the first token begins with −1.6878 and not −1.2043",
)
def mask_not_passed(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h)
    x = norm(x + attended, 1)
    return norm(x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


@mistake(
    "h was not passed on as it is, and all numbers of a token form one head. "
    "A single head has one set of weights for everything that a word looks for. "
    "Pass h to multi_head_attention.",
    sees="the first token begins with −1.2083 and not −1.6878",
)
def one_head_only(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], 1, mask)
    x = norm(x + attended, 1)
    return norm(x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


@mistake(
    "The feed-forward layer was given the tokens as they came in, before attention. "
    "A word would think about itself without what it has just read. "
    "Give it what the first add & norm returned.",
    sees="the first token begins with −1.5862 and not −1.6878",
)
def thought_about_the_input(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    middle = norm(x + attended, 1)
    return norm(middle + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


@mistake(
    "The second sum takes the tokens as they came in, and not what the first add & norm returned. "
    "What attention found then reaches the end through the feed-forward layer alone. "
    "Add to what stands behind the first norm.",
    sees="the first token begins with −1.6377 and not −1.6878",
)
def input_added_twice(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    middle = norm(x + attended, 1)
    return norm(x + np.maximum(0, middle @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


@mistake(
    "The feed-forward layer came first, and attention second. "
    "A layer first lets tokens look at each other, so that they have something to think about. "
    "Exchange the two sublayers.",
    sees="the first token begins with −1.1348 and not −1.6878",
)
def thought_first(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    x = norm(x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 1)
    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    return norm(x + attended, 2)


@mistake(
    "The layer ends behind the first add & norm: the feed-forward layer is missing. "
    "Attention only mixes; what is made of the mixture is the other half of a layer. "
    "Call feed_forward, and add_and_norm once more.",
    sees="the first token begins with −1.7277 and not −1.6878",
)
def without_thought(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    return norm(x + attended, 1)


@mistake(
    "Attention is missing: the feed-forward layer is all there is. "
    "It works on each token alone, so no word hears of another. "
    "Begin with multi_head_attention of x, x, x.",
    sees="the first token begins with −1.0920 and not −1.6878",
)
def without_attention(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    x = norm(x, 1)
    return norm(x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


@mistake(
    "What attention found was added, and the sum was not normalised. "
    "The feed-forward layer then gets tokens of any size. "
    "Use add_and_norm behind both sublayers.",
    sees="the first token begins with −.4487 and not −1.6878",
)
def first_norm_missing(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = x + attended
    return norm(x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


@mistake(
    "What the feed-forward layer found was added, and the sum was not normalised. "
    "The next layer then gets larger numbers than this one did, and so on. "
    "Use add_and_norm behind both sublayers.",
    sees="the first token begins with −1.7277 and not −1.6878",
)
def last_norm_missing(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended, _ = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = norm(x + attended, 1)
    return x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


@mistake(
    "multi_head_attention returns two things, the output and the weights, and both together were added to x. "
    "A pair is no array, so NumPy can't add it. "
    "Take the output alone: attended, _ = multi_head_attention(…).",
    sees="`setting an array element with a sequence`",
)
def weights_kept(x, parameters, h, mask=None):
    p = parameters

    def norm(x, k):
        centred = x - x.mean(axis=-1, keepdims=True)
        return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]

    attended = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = norm(x + attended, 1)
    return norm(x + np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], 2)


EXERCISE = Exercise(
    name="encoder_layer",
    reference=reference.encoder_layer,
    returns=("output",),
    examples=(
        Case("three tokens, two heads", (X, PARAMETERS, 2)),
        Case("a mask: who looks back", (X, PARAMETERS, 2, LOOKING_BACK)),
        Case("a batch, with axes in front", (BATCH, PARAMETERS, 2), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
