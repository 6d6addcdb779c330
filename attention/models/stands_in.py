"""Where an exercise's function is used in the translator, and how to replace it there.

Each entry of ``STANDS_IN`` takes a version of the exercise's function, right or wrong, and returns what ``replaced``
takes. With the right version, every translation stays as it is.
"""

from collections.abc import Callable

import numpy as np

from attention.chapters.context import mix, softmax_in_place
from attention.chapters.layer_norm import add_and_norm, encoder_layer, feed_forward, layer_norm
from attention.chapters.masking import causal_mask, cross_attention, decoder_layer, padding_mask
from attention.chapters.multi_head import merge_heads, multi_head_attention, split_heads
from attention.chapters.position import add_position, positional_encoding
from attention.chapters.scaling import scaled_scores, scaling_factor
from attention.chapters.transformer import decode, encode

FILLED = 3  # the number of PAD added to a source sentence; PAD is word 0 of every vocabulary


def in_softmax(version: Callable) -> dict[Callable, Callable]:
    """Replace every softmax; masked scores are -inf by then."""

    inside = False

    def softmax(scores, mask=None, axis=-1) -> np.ndarray:
        nonlocal inside
        if inside:  # a version that calls chapter 3's softmax is given the right one
            return softmax_in_place(scores, mask, axis)
        inside = True
        try:
            return version(scores if mask is None else np.where(mask, scores, -np.inf))
        finally:
            inside = False

    return {softmax_in_place: softmax}


def in_mix(version: Callable) -> dict[Callable, Callable]:
    """Replace every weighted sum of values."""
    return {mix: version}


def in_scores(version: Callable) -> dict[Callable, Callable]:
    """Replace every comparison of queries with keys."""
    return {scaled_scores: version}


def in_project(version: Callable) -> dict[Callable, Callable]:
    """Replace every projection to queries, keys and values, each from its own tokens."""

    def multi_head(query, key, value, w_q, w_k, w_v, w_o, h, mask=None) -> tuple[np.ndarray, np.ndarray]:
        matrices = w_q, w_k, w_v
        made = [version(tokens, *matrices)[place] for place, tokens in enumerate((query, key, value))]
        as_they_are = [np.eye(w.shape[-1]) for w in matrices]
        return multi_head_attention(*made, *as_they_are, w_o, h, mask)

    return {multi_head_attention: multi_head}


def in_unmasked_heads(version: Callable) -> dict[Callable, Callable]:
    """Replace the attention of all heads that have no mask: in the encoder, and from the decoder to it.

    The decoder's self-attention keeps the right function, which takes a mask.
    """

    def multi_head(query, key, value, w_q, w_k, w_v, w_o, h, mask=None) -> tuple[np.ndarray, np.ndarray]:
        if mask is not None:
            return multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h, mask)
        output, weights = version(*(split_heads(x @ w, h) for x, w in ((query, w_q), (key, w_k), (value, w_v))))
        return merge_heads(output) @ w_o, weights

    return {multi_head_attention: multi_head}


def in_unmasked_heads_scaled(version: Callable) -> dict[Callable, Callable]:
    """As ``in_unmasked_heads``, for attention that does not scale: its queries are divided by √d_k beforehand."""
    return in_unmasked_heads(lambda query, key, value: version(query * scaling_factor(query.shape[-1]), key, value))


def in_split_heads(version: Callable) -> dict[Callable, Callable]:
    """Replace every split into heads."""
    return {split_heads: version}


def in_merge_heads(version: Callable) -> dict[Callable, Callable]:
    """Replace every merge of heads."""
    return {merge_heads: version}


def in_unmasked_attention(version: Callable) -> dict[Callable, Callable]:
    """Replace multi-head attention without a mask: in the encoder, and from the decoder to it.

    The decoder's self-attention keeps the right function, which takes a mask.
    """

    def multi_head(query, key, value, w_q, w_k, w_v, w_o, h, mask=None) -> tuple[np.ndarray, np.ndarray]:
        if mask is not None:
            return multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h, mask)
        return version(query, key, value, w_q, w_k, w_v, w_o, h)

    return {multi_head_attention: multi_head}


def in_position(version: Callable) -> dict[Callable, Callable]:
    """Replace the table of positions, in the encoder and the decoder."""
    return {positional_encoding: version}


def in_embedding(version: Callable) -> dict[Callable, Callable]:
    """Replace the addition of positions to embeddings."""
    return {add_position: version}


def in_layer_norm(version: Callable) -> dict[Callable, Callable]:
    """Replace every layer norm."""
    return {layer_norm: version}


def in_add_and_norm(version: Callable) -> dict[Callable, Callable]:
    """Replace every add & norm."""
    return {add_and_norm: version}


def in_feed_forward(version: Callable) -> dict[Callable, Callable]:
    """Replace every feed-forward network."""
    return {feed_forward: version}


def in_encoder(version: Callable) -> dict[Callable, Callable]:
    """Replace the encoder layer."""
    return {encoder_layer: version}


def with_padding(hide: Callable = padding_mask) -> dict[Callable, Callable]:
    """Read each source sentence as in a batch with longer ones: padded, with the padding masked by ``hide``.

    The decoder sees the padded memory; a caller that asks for the memory gets the words' rows.
    """
    latest = {}

    def mask_of(words) -> np.ndarray:
        return hide(np.array([words]), words + FILLED)[0]

    def padded_encode(source, parameters, h, layers, source_mask=None) -> np.ndarray:
        words = source.shape[-1]
        padded = np.concatenate([source, np.zeros(FILLED, dtype=source.dtype)])
        latest["memory"] = encode(padded, parameters, h, layers, mask_of(words))
        return latest["memory"][:words]

    def padded_decode(target, memory, parameters, h, layers, memory_mask=None) -> np.ndarray:
        return decode(target, latest["memory"], parameters, h, layers, mask_of(len(memory)))

    return {encode: padded_encode, decode: padded_decode}


def in_masked_softmax(version: Callable) -> dict[Callable, Callable]:
    """Replace every masked softmax: over later words, and over padding."""

    def softmax(scores, mask=None, axis=-1) -> np.ndarray:
        return softmax_in_place(scores, mask, axis) if mask is None else version(scores, mask)

    return {softmax_in_place: softmax, **with_padding()}


def in_masked_heads(version: Callable) -> dict[Callable, Callable]:
    """Replace the masked attention of all heads: over later words, and over padding."""

    def multi_head(query, key, value, w_q, w_k, w_v, w_o, h, mask=None) -> tuple[np.ndarray, np.ndarray]:
        if mask is None:
            return multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h)
        heads = (split_heads(x @ w, h) for x, w in ((query, w_q), (key, w_k), (value, w_v)))
        output, weights = version(*heads, np.atleast_2d(mask)[..., None, :, :])
        return merge_heads(output) @ w_o, weights

    return {multi_head_attention: multi_head, **with_padding()}


def in_causal_mask(version: Callable) -> dict[Callable, Callable]:
    """Replace the decoder's causal mask."""
    return {causal_mask: version}


def in_cross_attention(version: Callable) -> dict[Callable, Callable]:
    """Replace the cross-attention from the translation to the padded source."""
    return {cross_attention: version, **with_padding()}


def in_decoder_layer(version: Callable) -> dict[Callable, Callable]:
    """Replace the decoder layer; the source is padded."""
    return {decoder_layer: version, **with_padding()}


STANDS_IN: dict[str, Callable[[Callable], dict[Callable, Callable]]] = {
    "mix": in_mix,
    "softmax": in_softmax,
    "project": in_project,
    "attention": in_unmasked_heads_scaled,
    "scaled_scores": in_scores,
    "scaled_dot_product_attention": in_unmasked_heads,
    "split_heads": in_split_heads,
    "merge_heads": in_merge_heads,
    "multi_head_attention": in_unmasked_attention,
    "positional_encoding": in_position,
    "add_position": in_embedding,
    "layer_norm": in_layer_norm,
    "add_and_norm": in_add_and_norm,
    "feed_forward": in_feed_forward,
    "encoder_layer": in_encoder,
    "causal_mask": in_causal_mask,
    "padding_mask": with_padding,
    "masked_softmax": in_masked_softmax,
    "masked_attention": in_masked_heads,
    "cross_attention": in_cross_attention,
    "decoder_layer": in_decoder_layer,
}
