"""Plausible wrong answers to encoder_layer."""

import numpy as np


def _multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):  # as the notebook hands it out
    def split(x):
        return np.swapaxes(x.reshape(*x.shape[:-1], h, -1), -3, -2)

    query, key, value = split(query @ w_q), split(key @ w_k), split(value @ w_v)
    scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    heads = np.swapaxes(weights @ value, -3, -2)
    return heads.reshape(*heads.shape[:-2], -1) @ w_o, weights


def _layer_norm(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


def _add_and_norm(x, sublayer, gamma, beta, eps=1e-5):
    return _layer_norm(x + sublayer, gamma, beta, eps)


def _feed_forward(x, w1, b1, w2, b2):
    return np.maximum(0, x @ w1 + b1) @ w2 + b2


def _attend(x, p, h, mask=None):
    return _multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)[0]


def _think(x, p):
    return _feed_forward(x, p["w1"], p["b1"], p["w2"], p["b2"])


def norm_in_front_of_each_sublayer(x, parameters, h, mask=None):
    """What goes into each sublayer is normalised, and not the sums: pre-norm."""
    p = parameters
    x = x + _attend(_layer_norm(x, p["gamma1"], p["beta1"]), p, h, mask)
    return x + _think(_layer_norm(x, p["gamma2"], p["beta2"]), p)


def second_road_from_the_beginning(x, parameters, h, mask=None):
    """The second add & norm adds the tokens of the beginning, and not what the first one returned."""
    p = parameters
    middle = _add_and_norm(x, _attend(x, p, h, mask), p["gamma1"], p["beta1"])
    return _add_and_norm(x, _think(middle, p), p["gamma2"], p["beta2"])


def neurons_given_the_first_tokens(x, parameters, h, mask=None):
    """feed_forward is given the tokens of the beginning, and not what the first add & norm returned."""
    p = parameters
    middle = _add_and_norm(x, _attend(x, p, h, mask), p["gamma1"], p["beta1"])
    return _add_and_norm(middle, _think(x, p), p["gamma2"], p["beta2"])


def neurons_given_what_attention_found(x, parameters, h, mask=None):
    """feed_forward is given what attention found, before add & norm."""
    p = parameters
    attended = _attend(x, p, h, mask)
    middle = _add_and_norm(x, attended, p["gamma1"], p["beta1"])
    return _add_and_norm(middle, _think(attended, p), p["gamma2"], p["beta2"])


def mask_not_handed_on(x, parameters, h, mask=None):
    """The mask is not handed on, so everyone sees everyone."""
    p = parameters
    x = _add_and_norm(x, _attend(x, p, h), p["gamma1"], p["beta1"])
    return _add_and_norm(x, _think(x, p), p["gamma2"], p["beta2"])


def mask_turned_round(x, parameters, h, mask=None):
    """The mask is turned round, as if True meant hidden."""
    p = parameters
    mask = None if mask is None else ~mask
    x = _add_and_norm(x, _attend(x, p, h, mask), p["gamma1"], p["beta1"])
    return _add_and_norm(x, _think(x, p), p["gamma2"], p["beta2"])


def first_pair_used_twice(x, parameters, h, mask=None):
    """gamma1 and beta1 are used in the second add & norm, too."""
    p = parameters
    for sublayer in lambda x: _attend(x, p, h, mask), lambda x: _think(x, p):
        x = _add_and_norm(x, sublayer(x), p["gamma1"], p["beta1"])
    return x


def pairs_exchanged(x, parameters, h, mask=None):
    """The two pairs of γ and β are exchanged."""
    p = parameters
    x = _add_and_norm(x, _attend(x, p, h, mask), p["gamma2"], p["beta2"])
    return _add_and_norm(x, _think(x, p), p["gamma1"], p["beta1"])


def nothing_added(x, parameters, h, mask=None):
    """Both residual roads are missing: each sublayer's result is normalised alone."""
    p = parameters
    x = _layer_norm(_attend(x, p, h, mask), p["gamma1"], p["beta1"])
    return _layer_norm(_think(x, p), p["gamma2"], p["beta2"])


def second_road_missing(x, parameters, h, mask=None):
    """Behind feed_forward nothing is added, its result is normalised alone."""
    p = parameters
    x = _add_and_norm(x, _attend(x, p, h, mask), p["gamma1"], p["beta1"])
    return _layer_norm(_think(x, p), p["gamma2"], p["beta2"])


def output_and_weights_not_parted(x, parameters, h, mask=None):
    """What attention returns, the output and the weights, is used as if it were one array."""
    p = parameters
    attended = _multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = _add_and_norm(x, attended, p["gamma1"], p["beta1"])
    return _add_and_norm(x, _think(x, p), p["gamma2"], p["beta2"])


def weights_returned_as_well(x, parameters, h, mask=None):
    """The weights are returned beside the output."""
    p = parameters
    attended, weights = _multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = _add_and_norm(x, attended, p["gamma1"], p["beta1"])
    return _add_and_norm(x, _think(x, p), p["gamma2"], p["beta2"]), weights


def second_norm_missing(x, parameters, h, mask=None):
    """The second sum is not normalised."""
    p = parameters
    x = _add_and_norm(x, _attend(x, p, h, mask), p["gamma1"], p["beta1"])
    return x + _think(x, p)


def ends_behind_attention(x, parameters, h, mask=None):
    """The layer ends behind attention's add & norm, and feed_forward is missing."""
    p = parameters
    return _add_and_norm(x, _attend(x, p, h, mask), p["gamma1"], p["beta1"])


def once_for_each_head(x, parameters, h, mask=None):
    """The layer runs h times, as if each head were a layer of its own."""
    p = parameters
    for _ in range(h):
        x = _add_and_norm(x, _attend(x, p, h, mask), p["gamma1"], p["beta1"])
        x = _add_and_norm(x, _think(x, p), p["gamma2"], p["beta2"])
    return x


def neurons_first(x, parameters, h, mask=None):
    """feed_forward comes first and attention behind it."""
    p = parameters
    x = _add_and_norm(x, _think(x, p), p["gamma1"], p["beta1"])
    return _add_and_norm(x, _attend(x, p, h, mask), p["gamma2"], p["beta2"])


def both_sublayers_side_by_side(x, parameters, h, mask=None):
    """Both sublayers are given the first tokens and added at once, in one add & norm."""
    p = parameters
    return _add_and_norm(x, _attend(x, p, h, mask) + _think(x, p), p["gamma2"], p["beta2"])


def queries_and_keys_exchanged(x, parameters, h, mask=None):
    """w_k makes the queries and w_q the keys."""
    p = parameters
    attended, _ = _multi_head_attention(x, x, x, p["w_k"], p["w_q"], p["w_v"], p["w_o"], h, mask)
    x = _add_and_norm(x, attended, p["gamma1"], p["beta1"])
    return _add_and_norm(x, _think(x, p), p["gamma2"], p["beta2"])


def two_heads_always(x, parameters, h, mask=None):
    """Two heads are written into the call, so h changes nothing."""
    p = parameters
    x = _add_and_norm(x, _attend(x, p, 2, mask), p["gamma1"], p["beta1"])
    return _add_and_norm(x, _think(x, p), p["gamma2"], p["beta2"])
