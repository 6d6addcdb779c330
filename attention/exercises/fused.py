"""The course's version of the translator's pieces, fused: no piece is a function of its own that could be handed in.

Each function takes the student's own functions by name, calls them where they belong, and computes the rest itself.
Most arrays are those of one sentence, without leading axes: n words of d_model numbers, or h heads of them.
"""

import numpy as np


def numbered(own, *, sentences):
    """Return the number of each word, where no word occurs twice, as in the list of those that the model knows."""
    return {word: number for number, word in enumerate(" ".join(sentences).split())}


def places(own, *, x=None, n=None, d_model=None, base=10000):
    """Return words with the encodings of their places; these alone for n places; or for n, who may look at whom."""
    if x is None and d_model is None:
        return np.arange(n)[:, None] >= np.arange(n)  # (n, n)
    n, d_model = (n, d_model) if x is None else x.shape
    if x is not None and "positional_encoding" in own:
        return x + own["positional_encoding"](n, d_model)
    angles = np.outer(np.arange(n), base ** (-np.arange(0, d_model, 2) / d_model))  # (n, d_model / 2)
    clocks = (1j * np.exp(-1j * angles)).view(float)  # (n, d_model): i · e^(-ia) = sin a + i cos a
    return clocks if x is None else x + clocks


def attend(own, *, scores=None, axis=-1, mask=None, query=None, key=None, value=None):
    """Return what the queries find in the values, and the weights; without values, the weights alone."""
    if value is not None and mask is not None and "masked_attention" in own:
        return own["masked_attention"](query, key, value, mask)
    if scores is None:
        scores = np.einsum("...id,...jd->...ij", query, key) / np.sqrt(key.shape[-1])  # (..., n_q, n_k)
    if mask is not None and "masked_softmax" in own:
        weights = own["masked_softmax"](scores, mask)
    else:
        seen = scores if mask is None else np.where(mask, scores, -np.inf)
        if "softmax" in own:
            weights = own["softmax"](seen)
        else:
            powers = np.exp(seen - seen.max(axis=axis, keepdims=True, initial=-1e300))
            weights = powers / np.maximum(
                powers.sum(axis=axis, keepdims=True), 1
            )  # the largest power is 1, or all are 0
    return weights if value is None else (weights @ value, weights)


def into_heads(own, *, x, h, w=None):
    """Return each head's part of the words, multiplied by a matrix if there is one: (n, d_model) -> (h, n, d)."""
    if "split_heads" in own:
        return own["split_heads"](x if w is None else x @ w, h)
    w = np.eye(x.shape[-1]) if w is None else w
    return np.einsum("nc,chd->hnd", x, w.reshape(len(w), h, -1))


def out_of_heads(own, *, x, w=None):
    """Return the heads side by side, multiplied by a matrix if there is one: (h, n, d) -> (n, d_model)."""
    if "merge_heads" in own:
        return own["merge_heads"](x) if w is None else own["merge_heads"](x) @ w
    h, _, d = x.shape
    w = np.eye(h * d) if w is None else w
    return np.einsum("hnd,hdc->nc", x, w.reshape(h, d, -1))


def look(own, *, w_q, w_k, w_v, w_o, h, query=None, key=None, value=None, mask=None, **across):
    """Return what all heads find, (n_q, d_model), and their weights: in key and value, or across, in a memory."""
    if across:
        query, key, value, mask = across["x"], across["memory"], across["memory"], across.get("memory_mask")
    if mask is None and "multi_head_attention" in own:  # chapter 6's knows no mask
        return own["multi_head_attention"](query, key, value, w_q, w_k, w_v, w_o, h)
    q, k, v = (into_heads(own, x=x, h=h, w=w) for x, w in ((query, w_q), (key, w_k), (value, w_v)))  # (h, n, d)
    hidden = None if mask is None else np.asarray(mask)[..., None, :, :]
    found, weights = attend(own, query=q, key=k, value=v, mask=hidden)  # (h, n_q, d), (h, n_q, n_k)
    return out_of_heads(own, x=found, w=w_o), weights


def finish(own, *, x, sublayer=None, gamma=None, beta=None, eps=1e-5, w1=None, b1=None, w2=None, b2=None):
    """Return the sum of words and sublayer, normalised; the sublayer is made by neurons where these are given.

    Without a sublayer the words alone are normalised; without gamma the neurons' output is returned as it is.
    """
    if w1 is not None and "feed_forward" in own:
        sublayer = own["feed_forward"](x, w1, b1, w2, b2)
    elif w1 is not None:
        hidden = np.einsum("nd,df->nf", x, w1) + b1  # (n, d_ff)
        sublayer = np.where(hidden > 0, hidden, 0) @ w2 + b2
    if gamma is None:
        return sublayer
    if sublayer is not None and "add_and_norm" in own:
        return own["add_and_norm"](x, sublayer, gamma, beta)
    x = x if sublayer is None else x + sublayer
    if "layer_norm" in own:
        return own["layer_norm"](x, gamma, beta, eps)
    x = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(np.einsum("nd,nd->n", x, x) / x.shape[-1] + eps)  # (n,)
    return x / deviation[:, None] * gamma + beta


def layer(own, *, x, parameters, h, mask=None, memory=None, memory_mask=None):
    """Return the words after a layer: the encoder's, or the decoder's if there is a memory."""
    p, looks = parameters, [("", mask)] + [("cross_", memory_mask)] * (memory is not None)
    for number, (prefix, hidden) in enumerate(looks, 1):
        matrices = {name: p[prefix + name] for name in ("w_q", "w_k", "w_v", "w_o")}
        if prefix and "cross_attention" in own:
            sublayer, _ = own["cross_attention"](x, memory, *matrices.values(), h, memory_mask)
        else:
            seen = memory if prefix else x
            sublayer, _ = look(own, query=x, key=seen, value=seen, **matrices, h=h, mask=hidden)
        x = finish(own, x=x, sublayer=sublayer, gamma=p[f"gamma{number}"], beta=p[f"beta{number}"])
    last = len(looks) + 1
    neurons = {name: p[name] for name in ("w1", "b1", "w2", "b2")}
    return finish(own, x=x, **neurons, gamma=p[f"gamma{last}"], beta=p[f"beta{last}"])


MATRICES = "w_q w_k w_v w_o h"
FUSED = {  # piece: what does its work, and the names of its arguments in order
    "vocabulary": (numbered, "sentences"),
    "positional_encoding": (places, "n d_model base"),
    "add_position": (places, "x"),
    "softmax": (attend, "scores axis"),
    "split_heads": (into_heads, "x h"),
    "merge_heads": (out_of_heads, "x"),
    "causal_mask": (places, "n"),
    "masked_softmax": (attend, "scores mask"),
    "masked_attention": (attend, "query key value mask"),
    "multi_head_attention": (look, f"query key value {MATRICES} mask"),
    "layer_norm": (finish, "x gamma beta eps"),
    "add_and_norm": (finish, "x sublayer gamma beta eps"),
    "feed_forward": (finish, "x w1 b1 w2 b2"),
    "encoder_layer": (layer, "x parameters h mask"),
    "cross_attention": (look, f"x memory {MATRICES} memory_mask"),
    "decoder_layer": (layer, "x memory parameters h mask memory_mask"),
}


def stand_in(name, own, width, heads):
    """Return what does a piece's work with the student's own functions, and computes what they lack.

    It knows one model alone, whose words have ``width`` numbers, and whose layers have so many heads.
    """
    fused, names = FUSED[name][0], FUSED[name][1].split()

    def piece(*args, **kwargs):
        if len(args) > len(names):
            raise TypeError(f"{name}() takes {len(names)} arguments, and {len(args)} were given")
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        wide = [np.shape(given[name])[-1:] for name in ("x", "query", "memory") if name in given]
        wide += [(given["d_model"],)] if "d_model" in given else []
        if not set(wide) <= {(width,), (width // heads,)} or given.get("h", heads) != heads:
            raise ValueError(f"the course's {name} knows the translator's widths and heads alone: write your own")
        return fused(own, **given)

    vars(piece)["own"] = own.get(name)
    return piece
