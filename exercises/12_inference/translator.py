"""The trained English-to-Italian translator, assembled from a student's own functions.

    from translator import assemble, numbers
    assemble(globals())

Needs only NumPy and selfcheck.py. The learned numbers are in translator.json beside this file, eight bits each.
"""

# Made by `autograder release` from the grader's own rules: it speaks in the same words as the grader.

from pathlib import Path
from typing import Any
import base64
import json

import numpy as np

from selfcheck import Answer, ask, copied_arguments, plural, problem, sentence

TRAINED = Path(__file__).parent


def read_trained(name: str) -> Any:
    """Return the content of NAME.json beside this file. Errors: OSError, or ValueError for a damaged file."""
    return json.loads((TRAINED / f"{name}.json").read_text(encoding="utf-8"))


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


PIECES = {  # name: the chapter that it comes from; what a piece calls stands before it
    "vocabulary": 2,
    "positional_encoding": 7,
    "add_position": 7,
    "softmax": 3,
    "split_heads": 6,
    "merge_heads": 6,
    "causal_mask": 9,
    "masked_softmax": 9,
    "masked_attention": 9,
    "multi_head_attention": 6,
    "layer_norm": 8,
    "add_and_norm": 8,
    "feed_forward": 8,
    "encoder_layer": 8,
    "cross_attention": 9,
    "decoder_layer": 9,
}
SENTENCE, SAID = "i love you very much", "<sos> ti amo"


def unpacked(packed):
    """Return a packed model's arrays by name; those of the two layers are below "encoder" and "decoder"."""
    found = {**packed, "encoder": {}, "decoder": {}}
    for name, array in found.pop("parameters").items():
        half, _, short = name.partition(".0.")
        (found[half] if short else found)[short or name] = array_of(array)
    return found


def array_of(packed):
    """Return one array: a vector as it is, or a matrix of whole numbers from -127 to 127 and a scale for each row."""
    if "vector" in packed:
        return np.array(packed["vector"])
    scales = np.array(packed["scales"])[:, None]
    whole = np.frombuffer(base64.b64decode(packed["data"]), dtype=np.int8)
    return whole.reshape(len(scales), -1) * scales


numbers = unpacked(read_trained("translator")["model"])
WIDTH, HEADS = numbers["source_embedding"].shape[-1], numbers["h"]


def recorded_calls():
    """Translate the beginning of a sentence, and return each piece's calls: {name: [(args, Answer)]}.

    The pieces are the course's own.
    """
    calls, pieces = {name: [] for name in PIECES}, {}

    def watched(name, piece):
        def call(*args):
            answer = piece(*args)
            calls[name].append((args, Answer(answer)))
            return answer

        return call

    for name in PIECES:
        pieces[name] = watched(name, stand_in(name, dict(pieces), WIDTH, HEADS))  # which calls the pieces before it

    def embedded(tokens, table):
        return pieces["add_position"](np.sqrt(table.shape[-1]) * table[tokens])  # (n, d_model)

    english, italian, h = pieces["vocabulary"]([" ".join(numbers["source"])]), numbers["target"], numbers["h"]
    source = embedded([english[word] for word in SENTENCE.split()], numbers["source_embedding"])  # (S, d_model)
    target = embedded([italian.index(word) for word in SAID.split()], numbers["target_embedding"])  # (T, d_model)
    memory, mask = pieces["encoder_layer"](source, numbers["encoder"], h), pieces["causal_mask"](len(target))
    pieces["decoder_layer"](target, memory, numbers["decoder"], h, mask)
    return calls


def assemble(space):
    """Try every piece defined in ``space``, such as ``globals()``, and say which differs from the course's.

    The course's own piece replaces one that is missing or fails; a wrong one stays in use.
    """
    own, notes, differs = {}, [], ""
    for name, calls in recorded_calls().items():
        chapter, piece = f"chapter {PIECES[name]}, {name}", space.get(name)
        piece = getattr(piece, "own", piece)  # if this cell has run before
        failed, wrong = tried(piece, calls)
        if failed:
            notes.append(f"{chapter}: {failed}, the course's own is used")
        else:
            own[name] = piece
        differs = differs or (wrong and f"{chapter}: the first that differs from the course's. {wrong}")
        # Chapter 6's function knows no mask: where there is one, its parts do the same around chapter 9's attention.
        space[name] = stand_in(name, own, WIDTH, HEADS) if failed or name == "multi_head_attention" else piece
    if not own:
        *others, last = sorted(set(PIECES.values()))
        where = f"{', '.join(map(str, others))} and {last}"
        notes = [f"They are functions of chapters {where}; none of these is here, so the course's are used."]
    if differs:
        differs += " Some sentences may come out right all the same: that does not prove the pieces right."
    print("\n".join([f"{len(own)} of {plural(len(PIECES), 'piece')} are yours.", *notes, *filter(None, [differs])]))


def tried(piece, calls):
    """Return why a piece cannot be used, and what is wrong with its results; "" for nothing."""
    if not callable(piece):
        return "missing", ""
    answers = [ask(piece, copied_arguments(args), {}) for args, _ in calls]
    errors = [answer.error for answer in answers if answer.error]
    if errors:
        stub = errors[0][0] == "NotImplementedError"
        return "not written yet" if stub else f"raises {errors[0][0]}: {errors[0][1][:100]}", ""
    pairs = zip(answers, calls, strict=True)
    found = (problem(got, right, args, "equals", ("output", "weights"), visible=True) for got, (args, right) in pairs)
    return "", next((sentence(wrong) for wrong in found if wrong), "")
