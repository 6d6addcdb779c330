"""The ablations: the translator with one thing changed, what that is, and why it is of interest."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import autograd.numpy as np

from attention.chapters.gradients import adam_step
from attention.chapters.layer_norm import add_and_norm, encoder_layer, feed_forward, layer_norm
from attention.chapters.masking import causal_mask, cross_attention, decoder_sublayers
from attention.chapters.multi_head import multi_head_attention
from attention.chapters.position import add_position
from attention.chapters.scaling import scaled_scores
from attention.chapters.shapes import Array, Parameters
from attention.chapters.training import cross_entropy, learning_rate, shift_right
from attention.chapters.transformer import decode, embed, encode, layer_parameters
from attention.chapters.translator import SETTINGS, Settings
from autograder.sources import code_of

from .replaced import replaced


class Ablation(NamedTuple):
    """One change to the translator: its description, its settings, and its functions, for training and running.

    ``instead`` maps functions of the reference to their replacements, everywhere.
    """

    words: str
    settings: Mapping[str, Any] = {}
    instead: Mapping[Any, Callable] = {}

    def put_in(self) -> AbstractContextManager:
        """Replace functions of the reference within the context."""
        return replaced(self.instead)

    def sizes(self) -> Settings:
        """Return the changed settings; during training, ablated models are not examined."""
        changed = self.settings or self.instead
        return SETTINGS._replace(**({"checkpoints": 2} if changed else {}) | self.settings)  # type: ignore[operator]

    def source(self) -> str:
        """Return everything that is changed, as text, for the provenance hash."""
        functions = [(old.__name__, code_of(new)) for old, new in self.instead.items()]
        return repr((self.sizes(), functions))


def encoder_layer_alone(x: Array, parameters: Parameters, h: int, mask: Array | None = None) -> Array:
    """Let every source token attend only to itself."""
    return encoder_layer(x, parameters, h, np.eye(x.shape[-2], dtype=bool))


def queries_from_keys(
    query: Array,
    key: Array,
    value: Array,
    w_q: Array,
    w_k: Array,
    w_v: Array,
    w_o: Array,
    h: int,
    mask: Array | None = None,
) -> tuple[Array, Array]:
    """Use the keys' matrix for the queries."""
    return multi_head_attention(query, key, value, w_k, w_k, w_v, w_o, h, mask)


def unscaled_scores(query: Array, key: Array) -> Array:
    """Compare every query with every key, without scaling."""
    return query @ np.swapaxes(key, -1, -2)


def even_scores(query: Array, key: Array) -> Array:
    """Give every key the same score."""
    return 0 * scaled_scores(query, key)


def no_position(x: Array) -> Array:
    """Leave every token as it is, wherever it is."""
    return x


def sum_alone(x: Array, sublayer: Array, gamma: Array, beta: Array, eps: float = 1e-5) -> Array:
    """Add the sublayer's output, without normalising."""
    return x + sublayer


def norm_alone(x: Array, sublayer: Array, gamma: Array, beta: Array, eps: float = 1e-5) -> Array:
    """Normalise the sublayer's output, without the residual connection."""
    return layer_norm(sublayer, gamma, beta, eps)


def pre_norm_encoder_layer(x: Array, parameters: Parameters, h: int, mask: Array | None = None) -> Array:
    """Normalise the input of each sublayer, and add its output to the residual stream."""
    p, seen = parameters, layer_norm(x, parameters["gamma1"], parameters["beta1"])
    x = x + multi_head_attention(seen, seen, seen, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)[0]
    return x + feed_forward(layer_norm(x, p["gamma2"], p["beta2"]), p["w1"], p["b1"], p["w2"], p["b2"])


def pre_norm_decoder_sublayers(
    x: Array, memory: Array, parameters: Parameters, h: int, mask: Array | None, memory_mask: Array | None = None
) -> tuple[Array, Array, Array]:
    """Pre-norm for a decoder layer, as ``pre_norm_encoder_layer`` for an encoder layer."""
    p, seen = parameters, layer_norm(x, parameters["gamma1"], parameters["beta1"])
    attended, weights = multi_head_attention(seen, seen, seen, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = x + attended
    matrices = (p[f"cross_{name}"] for name in ("w_q", "w_k", "w_v", "w_o"))
    found, cross = cross_attention(layer_norm(x, p["gamma2"], p["beta2"]), memory, *matrices, h, memory_mask)
    x = x + found
    thought = feed_forward(layer_norm(x, p["gamma3"], p["beta3"]), p["w1"], p["b1"], p["w2"], p["b2"])
    return x + thought, weights, cross


def pre_norm_encode(
    source: Array, parameters: Parameters, h: int, layers: int, source_mask: Array | None = None
) -> Array:
    """Normalise once more after the last layer, without γ and β."""
    x = encode(source, parameters, h, layers, source_mask)
    return layer_norm(x, np.ones(x.shape[-1]), np.zeros(x.shape[-1]))


def pre_norm_decode(
    target: Array, memory: Array, parameters: Parameters, h: int, layers: int, memory_mask: Array | None = None
) -> Array:
    """Normalise once more before the logits, without γ and β."""
    x, mask = embed(target, parameters["target_embedding"]), causal_mask(target.shape[-1])
    for i in range(layers):
        own = layer_parameters(parameters, f"decoder.{i}.")
        x, _, _ = pre_norm_decoder_sublayers(x, memory, own, h, mask, memory_mask)
    x = layer_norm(x, np.ones(x.shape[-1]), np.zeros(x.shape[-1]))
    return x @ parameters["w_out"] + parameters["b_out"]


def rate_without_warmup(step: int, d_model: int, warmup: int) -> float:
    """Start at the peak learning rate, and continue as usual after the warm-up steps."""
    return learning_rate(max(step, warmup), d_model, warmup)


PRE_NORM: dict[Callable, Callable] = {
    encoder_layer: pre_norm_encoder_layer,
    decoder_sublayers: pre_norm_decoder_sublayers,
    encode: pre_norm_encode,
    decode: pre_norm_decode,
}
TWO = {"layers": 2, "d_model": 48, "d_ff": 96, "steps": 800}
# Six layers each in encoder and decoder, as in the original Transformer; narrow, and trained for a short time.
SIX = {"layers": 6, "d_model": 32, "d_ff": 64, "batch": 32, "steps": 300, "warmup": 150}


def no_causal_mask(n: int) -> Array:
    """Let every target token see the whole target, padding included."""
    return np.ones((n, n), dtype=bool)


def not_shifted(targets: Array, sos: int) -> Array:
    """Feed the decoder the very words it has to write."""
    return targets


def padding_counted(logits: Array, targets: Array, pad: int) -> Array | float:
    """Include PAD in the loss like any word; no token has the number -1."""
    return cross_entropy(logits, targets, -1)


def uncorrected_adam_step(
    parameter: Array,
    gradient: Array,
    m: Array,
    v: Array,
    step: int,
    rate: float,
    beta1: float = 0.9,
    beta2: float = 0.98,
    eps: float = 1e-9,
) -> tuple[Array, Array, Array]:
    """Use Adam's averages without bias correction."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    return parameter - rate * m / (np.sqrt(v) + eps), m, v


BRIEF = {"steps": 368}  # one of the moments at which the translator was examined as well

ABLATIONS = {
    "translator": Ablation("nothing (the translator)"),
    "static_encoder": Ablation("encoder words see only themselves", instead={encoder_layer: encoder_layer_alone}),
    "even_weights": Ablation("all weights even", instead={scaled_scores: even_scores}),
    "one_projection": Ablation("one matrix for queries and keys", instead={multi_head_attention: queries_from_keys}),
    "one_head": Ablation("one head of 64", {"h": 1}),
    "one_head_unscaled": Ablation("one head of 64, not scaled", {"h": 1}, {scaled_scores: unscaled_scores}),
    "no_causal_mask": Ablation("no causal mask", BRIEF, {causal_mask: no_causal_mask}),
    "no_positions": Ablation("no positions", instead={add_position: no_position}),
    "no_norm": Ablation("no norm", instead={add_and_norm: sum_alone}),
    "no_residual": Ablation("no residual connection", instead={add_and_norm: norm_alone}),
    "two_layers": Ablation("two layers", TWO),
    "two_layers_no_residual": Ablation("two layers, no residual connection", TWO, {add_and_norm: norm_alone}),
    "six_post_norm": Ablation("six layers, post-norm", SIX),
    "six_no_warmup": Ablation("six layers, post-norm, no warm-up", SIX, {learning_rate: rate_without_warmup}),
    "six_pre_norm": Ablation("six layers, pre-norm", SIX, PRE_NORM),
    "six_no_norm": Ablation("six layers, no norm", SIX, {add_and_norm: sum_alone}),
    "not_shifted": Ablation("target not shifted", BRIEF, {shift_right: not_shifted}),
    "padding_counted": Ablation("padding counted in the loss", BRIEF, {cross_entropy: padding_counted}),
    "uncorrected": Ablation("Adam without bias correction", BRIEF, {adam_step: uncorrected_adam_step}),
}
