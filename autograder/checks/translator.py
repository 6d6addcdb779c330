"""The trained English-to-Italian translator, assembled from a student's own functions.

    from translator import assemble, numbers
    assemble(globals())

Needs only NumPy and selfcheck.py. The learned numbers are in translator.json beside this file, eight bits each.
"""

import base64
import builtins
from types import FunctionType

import numpy as np

from ..trained import read_trained
from .compare import Answer, ask
from .difference import plural
from .given import GIVEN, add_position, causal_mask, decoder_layer, encoder_layer, vocabulary
from .rules import problem, sentence
from .untouched import copied_arguments

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
english = vocabulary([" ".join(numbers["source"])])  # word -> its number
italian = numbers["target"]  # the words by their numbers
START, END = italian.index("<sos>"), italian.index("<eos>")


def embed(tokens, table):
    """Return the learned row of each token, with its position added: (n,) -> (n, d_model)."""
    d_model = table.shape[-1]
    return add_position(np.sqrt(d_model) * table[tokens])  # (n, d_model)


def encode(source):
    """Return the encoder's output for the numbers of the English words: the memory, (S, d_model)."""
    x = embed(source, numbers["source_embedding"])  # (S, d_model)
    return encoder_layer(x, numbers["encoder"], numbers["h"])  # (S, d_model)


def next_logits(tokens, memory):
    """Return the logits of the next Italian word (words,) from the tokens so far, START first."""
    x = embed(tokens, numbers["target_embedding"])  # (T, d_model)
    mask = causal_mask(len(tokens))  # (T, T)
    x = decoder_layer(x, memory, numbers["decoder"], numbers["h"], mask)  # (T, d_model)
    return x[-1] @ numbers["w_out"] + numbers["b_out"]  # (words,)


def with_mask(own, space):
    """Extend chapter 6's function, which knows no mask, by using its own parts around chapter 9's attention."""

    def multi_head_attention(query, key, value, w_q, w_k, w_v, w_o, h, mask=None):
        if mask is None:
            return own(query, key, value, w_q, w_k, w_v, w_o, h)
        q, k, v = (space["split_heads"](x, h) for x in (query @ w_q, key @ w_k, value @ w_v))  # (..., h, n, d)
        heads, weights = space["masked_attention"](q, k, v, np.asarray(mask)[..., None, :, :])
        return space["merge_heads"](heads) @ w_o, weights

    vars(multi_head_attention)["own"] = own
    return multi_head_attention


def at_home_in(space, function):
    """Return a function of this file that looks up its globals elsewhere."""
    here = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
    vars(here)["stands_in"] = True
    return here


def recorded_calls():
    """Translate the beginning of a sentence, and return each piece's calls: {name: [(args, Answer)]}.

    The pieces are the course's own.
    """
    calls = {name: [] for name in PIECES}
    space = {"np": np, "numbers": numbers, "__builtins__": builtins}

    def watched(name, function):
        def call(*args):
            answer = function(*args)
            calls[name].append((args, Answer(answer)))
            return answer

        return call

    for name, function in {**GIVEN, **{used.__name__: used for used in (embed, encode, next_logits)}}.items():
        here = at_home_in(space, function)
        here = with_mask(here, space) if name == "multi_head_attention" else here
        space[name] = watched(name, here) if name in PIECES else here
    known = space["vocabulary"]([" ".join(numbers["source"])])
    memory = space["encode"]([known[word] for word in SENTENCE.split()])
    space["next_logits"]([italian.index(word) for word in SAID.split()], memory)
    heads = calls["multi_head_attention"]
    calls["multi_head_attention"] = [(args[:8], answer) for args, answer in heads if args[8] is None]
    return calls


def assemble(space):
    """Try every piece defined in ``space``, such as ``globals()``, and say which differs from the course's.

    The course's own piece replaces one that is missing or fails; a wrong one stays in use.
    """
    own, notes, differs = 0, [], ""
    for name, calls in recorded_calls().items():
        chapter, piece = f"chapter {PIECES[name]}, {name}", space.get(name)
        piece = getattr(piece, "own", piece)  # if this cell has run before
        failed, wrong = tried(None if hasattr(piece, "stands_in") else piece, calls)
        if failed:
            notes.append(f"{chapter}: {failed}, the course's own is used")
            piece = at_home_in(space, GIVEN[name])
        own += not failed
        differs = differs or (wrong and f"{chapter}: the first that differs from the course's. {wrong}")
        space[name] = with_mask(piece, space) if name == "multi_head_attention" else piece
    if not own:
        notes = ["None of your own functions is here: the course's are used for all of them."]
    if differs:
        differs += " Some sentences may come out right all the same: that does not prove the pieces right."
    print("\n".join([f"{own} of {plural(len(PIECES), 'piece')} are yours.", *notes, *filter(None, [differs])]))


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
