"""What a number of a translation is, in words: as the page *Every number explained* says it."""

from collections.abc import Sequence

from attention.chapters.transformer import EOS, SOS

from .explain_translator import ADDED, Numbers
from .made import Place, parse
from .sides import Pair

PROJECTED = {"q": "query", "k": "key", "v": "value"}
SUBLAYERS = {"e": ("a", "f"), "d": ("a", "ca", "f")}  # of an encoder layer, of a decoder layer


def spoken(word: str) -> str:
    """Put a word in quotation marks."""
    return {EOS: "the end", SOS: "the start"}.get(word, f"“{word}”")


def describe(pair: Pair, now: Numbers, was: Numbers | None = None) -> str:
    """Say what a number, two logits or a row is, in one run or two; where the other one has another word, it is named.

    >>> describe(sides.pair("e.x:4:0"), now, was)
    'the vector of “river” (was “city”) with its position, number 1'
    """
    place = parse(pair.now.node)
    side, _, key = place.array.partition(".")
    if key in ("l", "p"):
        return _vote(key, place, now)
    if side == "L":
        text = _learned(key, place.row, parse(pair.was.node).row if pair.was else place.row, now)
    elif side == "pos":
        text = f"position {place.row}"
    else:
        text = _row(side, key, place, now, was if was and pair.was else now)
        if key.removeprefix("c")[0] in "wsmd":  # one number of its own, not one of a row
            return text
    return text if place.is_row else f"{text}, number {place.column + 1}"


def _both(now: Sequence[str], was: Sequence[str], row: int, other: int) -> str:
    """Return a row's word, and that of the other side if it is another one."""
    mine, theirs = spoken(now[row]), spoken(was[other])
    return mine if mine == theirs else f"{mine} (was {theirs})"


def _vote(key: str, place: Place, now: Numbers) -> str:
    """Name a probability, a logit, or two logits."""
    word = spoken(now.target_words[place.column])
    if key == "p":
        return f"how likely {word} is"
    rival = "" if place.rival is None else f" less that of {spoken(now.target_words[place.rival])}"
    return f"the logit of {word}{rival}"


def _learned(matrix: str, row: int, other: int, now: Numbers) -> str:
    """Name a row of what was learned."""
    tables = {"source_embedding": list(now.model.source_vocabulary), "target_embedding": now.target_words}
    if matrix in tables:
        return f"the learned vector of {_both(tables[matrix], tables[matrix], row, other)}"
    is_vector = now.parameters[matrix].ndim == 1
    return f"the learned {matrix}" if is_vector else f"row {row + 1} of the learned {matrix}"


def _row(side: str, key: str, place: Place, now: Numbers, was: Numbers) -> str:
    """Name a row of an array, a weight, a score, a mean or a spread."""
    name, _, head = key.partition(".")
    crosses, own = name[0] == "c", name.removeprefix("c")
    shown = [now.target_words[token] for token in now.tokens]  # the word that row t writes is shown in row t + 1

    def looked_at(row: int) -> str:
        return _both(now.source_words, was.source_words, row, row) if side == "e" or crosses else spoken(shown[row])

    of_word = side == "e" or own in ("x", "k", "v")
    owner = looked_at(place.row) if of_word else f"the row for writing {spoken(shown[place.row + 1])}"
    where = f"head {head} of {'cross-attention' if crosses else 'the encoder' if side == 'e' else 'the decoder'}"
    match own[0]:
        case "w" | "s":
            what = "weight" if own == "w" else "score"
            return f"the {what} of {looked_at(place.column)} for {owner} in {where}"
        case "q" | "k" | "v":
            return f"the {PROJECTED[own]} of {owner} in {where}"
        case "o":
            return f"what {where} finds for {owner}"
        case "a" | "f":
            return f"what {ADDED[name]} adds to {owner}"
        case "h":
            return f"the neurons for {owner}"
        case "x":
            return f"the vector of {owner}{'' if now.without == 'positions' else ' with its position'}"
    sublayer = ADDED[SUBLAYERS[side[0]][int(own[1]) - 1]]
    if own[0] == "n":
        return f"{owner} after {sublayer} and its norm"
    return {"r": "", "m": "the mean of ", "d": "the spread of "}[own[0]] + f"{owner} after adding {sublayer}"
