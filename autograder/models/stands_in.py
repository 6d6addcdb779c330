"""Where the function of an exercise stands in the translator, and how another version is put there.

Each entry of ``STANDS_IN`` takes a version of the exercise's function, right or wrong, and returns what ``replaced``
takes. With the right version, every translation stays as it is.
"""

import numpy as np

from autograder.reference.context import mix, softmax_in_place
from autograder.reference.layer_norm import add_and_norm, encoder_layer, feed_forward, layer_norm
from autograder.reference.masking import causal_mask, cross_attention, decoder_layer, padding_mask
from autograder.reference.multi_head import merge_heads, multi_head_attention, split_heads
from autograder.reference.position import add_position, positional_encoding
from autograder.reference.scaling import scaled_scores, scaling_factor
from autograder.reference.transformer import decode, encode

FILLED = 3  # how many PAD stand behind a source sentence that is padded here; PAD is word 0 of every vocabulary


def in_softmax(version):
    """Turn all scores into weights, those that a mask hides being -inf by then."""

    inside = False

    def softmax(scores, mask=None, axis=-1):
        nonlocal inside
        if inside:  # a version that calls chapter 3's softmax is given the right one
            return softmax_in_place(scores, mask, axis)
        inside = True
        try:
            return version(scores if mask is None else np.where(mask, scores, -np.inf))
        finally:
            inside = False

    return {softmax_in_place: softmax}


def in_mix(version):
    """Mix all values."""
    return {mix: version}


def in_scores(version):
    """Compare all queries with all keys."""
    return {scaled_scores: version}


def in_project(version):
    """Make all queries, keys and values, each out of its own tokens."""

    def multi_head(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):
        matrices = w_q, w_k, w_v
        made = [version(tokens, *matrices)[place] for place, tokens in enumerate((query, key, value))]
        as_they_are = [np.eye(w.shape[-1]) for w in matrices]
        return multi_head_attention(*made, *as_they_are, w_o, h, mask)

    return {multi_head_attention: multi_head}


def in_unmasked_heads(version):
    """Attend in every head at once, where everyone sees everyone: in the encoder, and from the decoder to it.

    The decoder looks back at its own words with the right attention, which takes a mask.
    """

    def multi_head(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):
        if mask is not None:
            return multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h, mask)
        output, weights = version(*(split_heads(x @ w, h) for x, w in ((query, w_q), (key, w_k), (value, w_v))))
        return merge_heads(output) @ w_o, weights

    return {multi_head_attention: multi_head}


def in_unmasked_heads_scaled(version):
    """As ``in_unmasked_heads``, for attention that does not scale: its queries come divided by √d_k."""
    return in_unmasked_heads(lambda query, key, value: version(query * scaling_factor(query.shape[-1]), key, value))


def in_split_heads(version):
    """Cut all queries, keys and values into heads."""
    return {split_heads: version}


def in_merge_heads(version):
    """Put together what all heads have found."""
    return {merge_heads: version}


def in_unmasked_attention(version):
    """Attend with all heads where everyone sees everyone: in the encoder, and from the decoder to it.

    The decoder looks back at its own words with the right attention, which takes a mask.
    """

    def multi_head(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):
        if mask is not None:
            return multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h, mask)
        return version(query, key, value, w_q, w_k, w_v, w_o, h)

    return {multi_head_attention: multi_head}


def in_position(version):
    """Make the table of positions, for the encoder and for the decoder."""
    return {positional_encoding: version}


def in_embedding(version):
    """Add its place to every word, right after it was looked up."""
    return {add_position: version}


def in_layer_norm(version):
    """Normalise everything."""
    return {layer_norm: version}


def in_add_and_norm(version):
    """Add and normalise behind every sublayer."""
    return {add_and_norm: version}


def in_feed_forward(version):
    """Think about each token, in the encoder and in the decoder."""
    return {feed_forward: version}


def in_encoder(version):
    """Be a layer of the encoder."""
    return {encoder_layer: version}


def with_padding(hide=padding_mask):
    """Read each source sentence as in a batch with longer ones: padded, and the padding hidden by ``hide``.

    The decoder looks at the padded memory; whoever asks for the memory gets the words' rows of it.
    """
    latest = {}

    def mask_of(words):
        return hide(np.array([words]), words + FILLED)[0]

    def padded_encode(source, parameters, h, layers, source_mask=None):
        words = source.shape[-1]
        padded = np.concatenate([source, np.zeros(FILLED, dtype=source.dtype)])
        latest["memory"] = encode(padded, parameters, h, layers, mask_of(words))
        return latest["memory"][:words]

    def padded_decode(target, memory, parameters, h, layers, memory_mask=None):
        return decode(target, latest["memory"], parameters, h, layers, mask_of(len(memory)))

    return {encode: padded_encode, decode: padded_decode}


def in_masked_softmax(version):
    """Turn all scores into weights wherever a mask hides some: the words to come, and padding."""

    def softmax(scores, mask=None, axis=-1):
        return softmax_in_place(scores, mask, axis) if mask is None else version(scores, mask)

    return {softmax_in_place: softmax, **with_padding()}


def in_masked_heads(version):
    """Attend in every head at once wherever a mask hides some: the words to come, and padding."""

    def multi_head(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):
        if mask is None:
            return multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h)
        heads = (split_heads(x @ w, h) for x, w in ((query, w_q), (key, w_k), (value, w_v)))
        output, weights = version(*heads, np.atleast_2d(mask)[..., None, :, :])
        return merge_heads(output) @ w_o, weights

    return {multi_head_attention: multi_head, **with_padding()}


def in_causal_mask(version):
    """Say what the decoder's words may see of one another."""
    return {causal_mask: version}


def in_cross_attention(version):
    """Look from the translation at the source, which is padded."""
    return {cross_attention: version, **with_padding()}


def in_decoder_layer(version):
    """Be the decoder's layer; the source is padded."""
    return {decoder_layer: version, **with_padding()}


STANDS_IN = {
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
