"""A decoder-only Transformer with rotary positions, from the functions of chapters 3 to 12: the small writer's.

It has one table of words, ``embedding`` (words, d_model), layers with the parameters of ENCODER_LAYER under
``layer.{i}.{name}``, and a last norm, ``gamma`` and ``beta`` (d_model,).
"""

import autograd.numpy as np
from jaxtyping import Float, Int

from .inference import Step, sample
from .layer_norm import ENCODER_LAYER, feed_forward, layer_norm
from .masking import causal_mask, masked_attention
from .multi_head import merge_heads, split_heads
from .position import rotary
from .shapes import Array, Parameters, require_names
from .transformer import layer_parameters


def decoder_only(
    tokens: Int[np.ndarray, "*batch n"], parameters: Parameters, h: int, layers: int
) -> Float[Array, "*batch n words"]:
    """Give the logits of the next word after every prefix of a text.

    x = √d_model table[token],   then the layers,   logits = layer_norm(x) tableᵀ

    Shapes: tokens (..., n) whole numbers -> (..., n, words). No row sees a later token.
    Errors: KeyError for missing parameters; ValueError for an h that does not divide d_model, or leaves an odd d_k.
    Source: Radford et al. (2019), Language models are unsupervised multitask learners, section 2.3; Press and Wolf
    (2017), Using the output embedding to improve language models, for the one table.
    """
    require_names(parameters, ("embedding", "gamma", "beta"), "a decoder-only model")
    table = parameters["embedding"]
    x = np.sqrt(table.shape[-1]) * table[tokens]  # (..., n, d_model)
    for i in range(layers):
        x = decoder_only_layer(x, layer_parameters(parameters, f"layer.{i}."), h)
    return layer_norm(x, parameters["gamma"], parameters["beta"]) @ np.swapaxes(table, -1, -2)


def decoder_only_layer(
    x: Float[Array, "*batch n d_model"], parameters: Parameters, h: int
) -> Float[Array, "*batch n d_model"]:
    """Attend to earlier tokens with rotary queries and keys, then feed forward; a norm comes before each.

    x = x + attention(layer_norm(x)),   x = x + feed_forward(layer_norm(x))

    Shapes: x (..., n, d_model) -> the same.
    Errors: as ``decoder_only``.
    Source: Xiong et al. (2020), On layer normalization in the Transformer architecture, for the norm's place; Su et
    al. (2021), RoFormer, for the turning.
    """
    require_names(parameters, ENCODER_LAYER, "a decoder-only layer")
    p, n = parameters, x.shape[-2]
    seen = layer_norm(x, p["gamma1"], p["beta1"])
    query, key, value = (split_heads(seen @ p[name], h) for name in ("w_q", "w_k", "w_v"))  # (..., h, n, d_k)
    query, key = rotary(query, np.arange(n)), rotary(key, np.arange(n))
    found, _ = masked_attention(query, key, value, causal_mask(n))
    x = x + merge_heads(found) @ p["w_o"]
    return x + feed_forward(layer_norm(x, p["gamma2"], p["beta2"]), p["w1"], p["b1"], p["w2"], p["b2"])


def write_on(
    step: Step, tokens: list[int], eos: int, temperature: float | int, u: Float[np.ndarray, "draws"]
) -> list[int]:
    """Continue a text word by word, until EOS or until all of ``u`` is used.

    Shapes: tokens, at least one; u (longest,), drawn evenly from 0 to 1 -> the tokens and what was drawn, EOS included.
    Errors: ValueError for a temperature below 0.
    """
    for draw in u:
        tokens = [*tokens, int(sample(step(tokens), temperature, draw))]
        if tokens[-1] == eos:
            break
    return tokens
