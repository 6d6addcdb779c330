"""A text cut into symbols, with merges that were learned before."""

import re
from collections.abc import Callable, Iterable

import numpy as np

from attention.chapters import gpt as reference
from autograder.diagnosis import Case, Exercise, Slips, in_part, mistake

from .train_bpe import babble

LEARNED = [("l", "o"), ("lo", "w"), ("e", "r")]
TWO_WAYS = [("c", "d"), ("b", "c"), ("a", "b"), ("a", "bc"), (" ", "abc")]
ROW = [("a", "a"), (" ", "aa"), ("aa", "a"), ("a", "b")]


def unseen(rng: np.random.Generator) -> list[Case]:
    """Merges learned from drawn words, and another text of the same letters."""
    return [
        Case("short words", learned_before(rng, "abe", 9)),
        Case("three letters", learned_before(rng, "oxy", 13)),
        Case("more letters", learned_before(rng, "aknost", 17)),
    ]


def learned_before(rng: np.random.Generator, letters: str, count: int) -> tuple[str, list[tuple[str, str]]]:
    """Draw a text, and merges learned from another: the first and the last matter, and no two make the same symbol."""
    while True:
        merges = reference.train_bpe(babble(rng, letters, 7, 31), count)
        text = babble(rng, letters, 11, 19)
        cut = [reference.encode_bpe(text, some) for some in (merges, merges[1:], merges[:-1])]
        if len({left + right for left, right in merges}) == count and cut[0] not in cut[1:]:
            return text, merges


def edges(rng: np.random.Generator) -> list[Case]:
    """No text, no merges, letters that were never seen, spaces in a row and at the ends, a line break."""
    _, merges = learned_before(rng, "aet", 7)
    return [
        Case("an empty text", ("", merges)),
        Case("no merges", (babble(rng, "aet", 2, 5), [])),
        Case("letters that were never seen", ("tea über äther", merges)),
        Case("spaces in a row and at the ends", ("  tea   eat tate ", merges)),
        Case("a line break is a letter like any other", ("tea\neat ate\n", merges)),
        Case("a text of one letter", ("t", merges)),
        Case("commas and full stops", ("tea, eat. tate, ta.", reference.train_bpe("tea, eat. tea, eat. eta,", 5))),
        Case("a short pair learned after a long one", late_and_short(rng)),
        Case("the same letters in another cut", cut_otherwise(rng)),
        Case("pairs that are lists", ("tea eat tate", [list(pair) for pair in merges])),
    ]


def late_and_short(rng: np.random.Generator) -> tuple[str, list[tuple[str, str]]]:
    """Draw four letters, and merges of which a longer one must come before a shorter one that it prevents."""
    a, b, c, d = rng.permutation(list("lmnopq"))[:4].tolist()
    return f"{a}{b}{c}{d} {b}{c}{d}{a}{b}", [(a, b), (a + b, c), (c, d), (d, a)]


def cut_otherwise(rng: np.random.Generator) -> tuple[str, list[tuple[str, str]]]:
    """Draw three letters, and a merge of symbols that make the same letters as two others, which are no pair."""
    a, b, c = rng.permutation(list("lmnopq"))[:3].tolist()
    return f"{a}{b}{c} {b}{c} {a}{b}", [(b, c), (a, b), (a + b, c)]


def pieces_of(text):
    """Cut a text before each space, and every piece into letters."""
    first, *others = text.split(" ")
    return [list(first), *(list(" " + word) for word in others)]


def merged(symbols, pair):
    """Write a pair as one symbol wherever it occurs, from left to right."""
    found, i = [], 0
    while i < len(symbols):
        step = 2 if tuple(symbols[i : i + 2]) == tuple(pair) else 1
        found.append("".join(symbols[i : i + step]))
        i += step
    return found


def cut(pieces, merges, merge=merged):
    """Apply the merges in their order to every piece, and return all symbols."""
    for pair in merges:
        pieces = [merge(piece, pair) for piece in pieces]
    return [symbol for piece in pieces for symbol in piece]


@mistake(
    "At each place, the longest known symbol was taken. "
    "Another pair may have been learned before: with (b, c) first, *abc* is a, bc and never ab, c. "
    "Merge in the order in which the pairs were learned.",
)
def longest_first(text, merges):
    known, found = {left + right for left, right in merges}, []
    for piece in pieces_of(text):
        word = "".join(piece)
        while word:
            size = next((n for n in range(len(word), 1, -1) if word[:n] in known), 1)
            found.append(word[:size])
            word = word[size:]
    return found


@mistake(
    "The first pair in the text that is any merge was merged, and so on from left to right. "
    "Then the beginning of a word decides, and not which pair was learned first: with (b, c) before (a, b), *abc* is "
    "a, bc. "
    "Go through the merges in their order, and for each through the symbols.",
)
def in_the_order_of_the_text(text, merges):
    known, found = set(map(tuple, merges)), []
    for piece in pieces_of(text):
        i = 0
        while i + 1 < len(piece):
            if (piece[i], piece[i + 1]) in known:
                piece[i : i + 2] = [piece[i] + piece[i + 1]]
                i = 0
            else:
                i += 1
        found += piece
    return found


@mistake(
    "The text was gone through once, from left to right, and each symbol put together with the one before it where "
    "that is a merge. "
    "A pair that was learned later may so come first: with (b, c) before (a, b), *abc* is a, bc. "
    "Go through the merges in their order, and for each through the symbols.",
)
def once_from_left_to_right(text, merges):
    known, found = set(map(tuple, merges)), []
    for piece in pieces_of(text):
        symbols = []
        for letter in piece:
            if symbols and (symbols[-1], letter) in known:
                symbols[-1] += letter
            else:
                symbols.append(letter)
        found += symbols
    return found


@mistake(
    "The text was gone through once, and what a merge makes was never merged again. "
    "A later merge goes on with the symbols of the earlier ones: (lo, w) needs lo. "
    "Go through the merges in their order, and for each through all symbols that there are by then.",
)
def each_place_once(text, merges):
    known, found = set(map(tuple, merges)), []
    for piece in pieces_of(text):
        i = 0
        while i < len(piece):
            step = 2 if tuple(piece[i : i + 2]) in known else 1
            found.append("".join(piece[i : i + step]))
            i += step
    return found


@mistake(
    "Every merge began with the letters again, so only the last one shows. "
    "A later merge goes on with the symbols that the earlier ones have made. "
    "Keep the result of each merge: assign it to the name that the next one reads.",
)
def began_with_letters_for_each_merge(text, merges):
    return cut(pieces_of(text), merges[-1:])


@mistake(
    "The merges were applied from the last to the first. "
    "A late merge needs the symbols that the early ones make. "
    "Begin with the pair that was learned first.",
)
def last_merge_first(text, merges):
    return cut(pieces_of(text), merges[::-1])


@mistake(
    "In each word, a pair was merged only where it occurs first. "
    "The same two symbols would be one here and two there. "
    "Go on to the end of the word after a merge.",
)
def merged_at_its_first_place(text, merges):
    found = []
    for symbols in pieces_of(text):
        for pair in merges:
            places = [i for i in range(len(symbols) - 1) if (symbols[i], symbols[i + 1]) == tuple(pair)]
            if places:
                symbols[places[0] : places[0] + 2] = ["".join(pair)]
        found += symbols
    return found


@mistake(
    "In the whole text, a pair was merged only where it occurs first. "
    "A merge is a rule for every place. "
    "Go on to the end of the text after a merge.",
)
def merged_once_in_the_text(text, merges):
    pieces = pieces_of(text)
    for pair in merges:
        for symbols in pieces:
            places = [i for i in range(len(symbols) - 1) if (symbols[i], symbols[i + 1]) == tuple(pair)]
            if places:
                symbols[places[0] : places[0] + 2] = ["".join(pair)]
                break
    return [symbol for symbols in pieces for symbol in symbols]


@mistake(
    "Only the first merge that fits was applied to a word. "
    "A later merge goes on with the symbols that the first one made. "
    "Apply all merges, one after the other.",
)
def one_merge_a_word(text, merges):
    found = []
    for piece in pieces_of(text):
        changed = (merged(piece, pair) for pair in merges)
        found += next((symbols for symbols in changed if symbols != piece), piece)
    return found


@mistake(
    "The spaces are lost. "
    "The symbols put together must give the text again. "
    "Cut in front of each space, and keep it as the first letter of its word.",
)
def spaces_lost(text, merges):
    return cut([list(word) for word in text.split()], merges)


@mistake(
    "Each space was cut off from the word after it. "
    "The merges were learned with the space as the first letter of the word after it. "
    "Cut in front of each space, and leave it in its word.",
)
def spaces_apart(text, merges):
    first, *others = text.split(" ")
    return cut([list(first), *(piece for word in others for piece in ([" "], list(word)))], merges)


@mistake(
    "The first word got a space in front that the text does not have. "
    "The symbols put together must give the text again. "
    "Cut the text in front of each space, and take its beginning as it is.",
)
def space_in_front_of_the_first(text, merges):
    return cut([list(" " + word) for word in text.split(" ")], merges)


def merged_with_overlap(symbols, pair):
    """Write a pair as one symbol, and use its second symbol again."""
    found, used = [], False
    for i, symbol in enumerate(symbols):
        here = tuple(symbols[i : i + 2]) == tuple(pair)
        if here:
            found.append("".join(pair))
        elif not used:
            found.append(symbol)
        used = here
    return found


@mistake(
    "In a row of equal letters, one letter became part of two symbols. "
    "The symbols put together then have more letters than the text: *aaa* is aa, a. "
    "After a merge, go on behind its second symbol.",
)
def letter_used_twice(text, merges):
    return cut(pieces_of(text), merges, merged_with_overlap)


def merged_from_the_right(symbols, pair):
    """Write a pair as one symbol wherever it occurs, from right to left."""
    found, i = [], len(symbols)
    while i > 0:
        step = 2 if tuple(symbols[max(i - 2, 0) : i]) == tuple(pair) else 1
        found.insert(0, "".join(symbols[i - step : i]))
        i -= step
    return found


@mistake(
    "In a row of equal letters, the merge began at the right: *aaa* became a, aa. "
    "We read from left to right, and get aa, a. "
    "Go through the word from its beginning.",
)
def merged_from_its_end(text, merges):
    return cut(pieces_of(text), merges, merged_from_the_right)


@mistake(
    "The symbols of each word are in a list of their own. "
    "A model reads one row of symbols; the spaces at their beginnings say where words begin. "
    "Put all symbols into one list: `+=` instead of `append`.",
)
def one_list_a_word(text, merges):
    return [cut([piece], merges) for piece in pieces_of(text)]


@mistake(
    "Capital letters were made small. "
    "The symbols put together must give the text again, with its capitals. "
    "Cut the text as it is.",
)
def made_small(text, merges):
    return cut(pieces_of(text.lower()), merges)


@mistake(
    "Letters that are in no merge were left out. "
    "Such a letter stays a symbol of its own, so that every text can be cut and put together again. "
    "Keep what no merge touches.",
)
def unknown_left_out(text, merges):
    known = {letter for pair in merges for letter in "".join(pair)} | {" "}
    return cut(pieces_of("".join(letter for letter in text if letter in known)), merges)


def without_the_last(symbols, pair):
    """Write a pair as one symbol, and stop before a last symbol that is in no pair."""
    found, i = [], 0
    while i < len(symbols) - 1:
        step = 2 if tuple(symbols[i : i + 2]) == tuple(pair) else 1
        found.append("".join(symbols[i : i + step]))
        i += step
    return found


@mistake(
    "The last symbol is lost in every merge where it is in no pair. "
    "A loop that looks at `symbols[i + 1]` ends one step early, and nothing copies what is left. "
    "Keep the last symbol when it is not merged.",
)
def last_symbol_left_out(text, merges):
    return cut([list(text)], merges, without_the_last)


@mistake(
    "The merges were applied in another order: those that make the longest symbols came first. "
    "The parts of a long symbol are not there yet, so nothing is found. "
    "Apply the merges in the order in which they were learned.",
)
def longest_merges_first(text, merges):
    return cut(pieces_of(text), sorted(merges, key=lambda pair: -len("".join(pair))))


@mistake(
    "The merges were applied in another order: those that make the shortest symbols came first. "
    "Often that is the order in which they were learned, but a long one may have been learned before a short one that "
    "it prevents. "
    "Apply the merges in the order in which they were learned.",
    edge=True,
    sees="right, until a long pair was learned before a short one",
)
def shortest_merges_first(text, merges):
    return cut(pieces_of(text), sorted(merges, key=lambda pair: len("".join(pair))))


@mistake(
    "Two symbols were merged where they make the same letters as the pair, but in another cut. "
    "After (b, c) was merged, *abc* is a, bc; that is not the pair (ab, c). "
    "Compare both symbols, not what they make together.",
    edge=True,
    sees="right, until other symbols make the same letters",
)
def compared_by_letters(text, merges):
    return cut(pieces_of(text), merges, alike_in_letters)


@mistake(
    "The merges ended with the first one that the text does not have. "
    "Later merges may still fit: they need other symbols. "
    "Go on to the last merge, whether or not one is found: `continue`, not `break`.",
)
def ended_at_a_merge_not_found(text, merges):
    pieces = pieces_of(text)
    for pair in merges:
        changed = [merged(piece, pair) for piece in pieces]
        if changed == pieces:
            break
        pieces = changed
    return [symbol for piece in pieces for symbol in piece]


@mistake(
    "Nothing is merged where the pairs are lists. "
    "A tuple never equals a list, so `(a, b) == pair` and `pair in merges` are False, whatever they hold. "
    "Take both symbols out first, `a, b = pair`, or compare with `tuple(pair)`.",
)
def tuples_compared_with_lists(text, merges):
    return cut(pieces_of(text), [pair for pair in merges if isinstance(pair, tuple)])


@mistake(
    "Spaces at the ends, or several in a row, are lost: `split()` drops them, and one space was put in front of each "
    "word again. "
    "The symbols put together must give the text, with every space. "
    "Cut in front of each space instead.",
)
def spaces_lost_with_split(text, merges):
    words = text.split()
    return cut([list(" " * (i > 0) + word) for i, word in enumerate(words)], merges)


@mistake(
    "Only the words were cut apart; no merge was undone or applied. "
    "A word that was never seen must be cut into symbols that were. "
    "Cut each word into letters first, then apply the merges.",
)
def whole_words(text, merges):
    return ["".join(piece) for piece in pieces_of(text)]


@mistake(
    "The text was cut into letters, and no merge was applied. "
    "Then a sentence has as many symbols as letters. "
    "Apply each merge to every word, and keep the result: assign it to the name that the next merge reads.",
)
def letters_alone(text, merges):
    return list(text)


def replaced_in_text(symbols, pair):
    """Merge in the symbols joined by a sign, where a longer symbol may end, or begin, with one of the pair."""
    return "\0".join(symbols).replace("\0".join(pair), "".join(pair)).split("\0")


@mistake(
    "A pair was merged inside longer symbols, too: the symbols were joined into one text, and text was replaced in it. "
    "Then (b, c) also joins *ab* and *cd*, which are other symbols. "
    "Compare whole symbols, one with the next.",
)
def merged_inside_symbols(text, merges):
    return cut(pieces_of(text), merges, replaced_in_text)


def in_parts(
    text: str,
    merges: list,
    pieces: Callable = pieces_of,
    ordered: Callable = iter,
    merge: Callable = merged,
    applied: Callable | None = None,
    shown: Callable = lambda found, merges: found,
    instead: Callable | None = None,
) -> list:
    """Cut a text, with any of the steps done in another way."""
    if instead:
        return instead(text, merges)
    found = (applied or applied_in_order)([[*piece] for piece in pieces(text)], [*ordered(merges)], merge)
    return shown([symbol for piece in found for symbol in piece], merges)


def applied_in_order(pieces: list, merges: list, merge: Callable) -> list:
    """Apply each merge to all pieces, one after the other."""
    for pair in merges:
        pieces = [merge(piece, pair) for piece in pieces]
    return pieces


def ended_early(pieces: list, merges: list, merge: Callable) -> list:
    """Apply merges up to the first one that changes nothing."""
    for pair in merges:
        changed = [merge(piece, pair) for piece in pieces]
        if changed == pieces:
            break
        pieces = changed
    return pieces


def ended_after_one(pieces: list, merges: list, merge: Callable) -> list:
    """Apply the first merge that changes something."""
    return next((new for pair in merges if (new := [merge(piece, pair) for piece in pieces]) != pieces), pieces)


def in_each(apply: Callable) -> Callable:
    """Return a way that treats each piece alone."""
    return lambda pieces, merges, merge: [symbols for piece in pieces for symbols in apply([piece], merges, merge)]


def at_first(symbols: list, pair: Iterable) -> list:
    """Write a pair as one symbol where it occurs first."""
    places = [i for i in range(len(symbols) - 1) if (symbols[i], symbols[i + 1]) == tuple(pair)][:1]
    return [*symbols[: places[0]], "".join(pair), *symbols[places[0] + 2 :]] if places else symbols


def letters_in(merges: list) -> set[str]:
    """Return all letters of merges."""
    return {letter for pair in merges for letter in "".join(pair)}


def second_left(symbols: list, pair: Iterable) -> list:
    """Write a pair as one symbol, and leave its second symbol there."""
    return [
        symbol + symbols[i + 1] if (symbol, *symbols[i + 1 : i + 2]) == tuple(pair) else symbol
        for i, symbol in enumerate(symbols)
    ]


def two_by_two(symbols: list, pair: Iterable) -> list:
    """Write a pair as one symbol where it stands at an even place."""
    both = (symbols[i : i + 2] for i in range(0, len(symbols), 2))
    return [symbol for two in both for symbol in (["".join(two)] if tuple(two) == tuple(pair) else two)]


def alike_in_letters(symbols, pair):
    """Write two symbols as one where they make the pair's letters."""
    found, i = [], 0
    while i < len(symbols):
        step = 2 if len(symbols) > i + 1 and symbols[i] + symbols[i + 1] == "".join(pair) else 1
        found.append("".join(symbols[i : i + step]))
        i += step
    return found


def either_way(symbols: list, pair: Iterable) -> list:
    """Write a pair as one symbol, and the pair turned round, too."""
    a, b = pair
    found: list = []
    for symbol in symbols:
        if found and {(found[-1], symbol)} & {(a, b), (b, a)}:
            found[-1] += symbol
        else:
            found.append(symbol)
    return found


def by_first_index(text: str, merges: list) -> list[str]:
    """Merge each pair where the first of its left symbols stands."""
    symbols = list(text)
    for a, b in merges:
        i = symbols.index(a) if a in symbols else len(symbols)
        if symbols[i + 1 : i + 2] == [b]:
            symbols[i : i + 2] = [a + b]
    return symbols


def joined_with_spaces_and_split(text: str, merges: list) -> list[str]:
    """Merge in symbols joined by spaces, and lose the text's own."""
    joined = " ".join(text)
    for pair in merges:
        joined = joined.replace(" ".join(pair), "".join(pair))
    return joined.split()


def forward_alone(text: str, merges: list) -> list[str]:
    """Try each merge at one place, and go on to the next place where it does not fit."""
    symbols, i = list(text), 0
    for a, b in merges:
        if symbols[i : i + 2] == [a, b]:
            symbols[i : i + 2] = [a + b]
        else:
            i += 1
    return symbols


CUTTING = Slips(
    in_parts,
    (
        *in_part(
            "pieces",
            ("the spaces are left out", str.split),
            (
                "the text is cut with `split()`, and each word but the first gets a space in front",
                lambda text: [" " * (i > 0) + word for i, word in enumerate(text.split())],
            ),
            (
                "the text is cut with `split()`, and every word gets a space in front",
                lambda text: [f" {word}" for word in text.split()],
            ),
            (
                'the text is cut with `split(" ")`, and every word gets a space in front, the first one, too',
                lambda text: [f" {word}" for word in text.split(" ")],
            ),
            (
                'the text is cut with `split(" ")`, and a space is put behind each word instead of in front',
                lambda text: [f"{word} " for word in text.split(" ")],
            ),
            ("a space is put behind each word instead of in front", lambda text: [f"{word} " for word in text.split()]),
            ("each space is cut off from the word after it", lambda text: re.findall("[^ ]+| ", text)),
            ("all letters are made small", lambda text: pieces_of(text.lower())),
            ("spaces at both ends are cut off", lambda text: pieces_of(text.strip())),
            ("the sign </w> is put behind each word", lambda text: [[*word, "</w>"] for word in text.split()]),
            ("a sign _ takes the place of each space", lambda text: pieces_of(text.replace(" ", "_"))),
            ("the last word is left out", lambda text: pieces_of(text)[:-1]),
            ("the first word is left out", lambda text: pieces_of(text)[1:]),
            ("only different words are cut, each once", lambda text: list(dict.fromkeys(map(tuple, pieces_of(text))))),
        ),
        *in_part(
            "ordered",
            ("the merges are applied from the last to the first", reversed),
            ("the last merge is left out", lambda merges: merges[:-1]),
            ("the first merge is left out", lambda merges: merges[1:]),
            (
                "the merges that make the longest symbols come first",
                lambda merges: sorted(merges, key=lambda pair: -len("".join(pair))),
            ),
            ("the merges are sorted by the alphabet", sorted),
            ("each pair is taken the wrong way round", lambda merges: [pair[::-1] for pair in merges]),
        ),
        *in_part(
            "merge",
            ("a letter in a row of equal ones becomes part of two symbols", merged_with_overlap),
            ("merging begins at the end of a word", merged_from_the_right),
            ("in each word, a pair is merged only where it occurs first", at_first),
            ("a pair is merged inside longer symbols, too (`replace` in joined text)", replaced_in_text),
            ("a last symbol that is in no pair is lost", without_the_last),
            ("a pair is merged the other way round, too", either_way),
            ("a merged pair's second symbol stays beside it", second_left),
            ("a merge is only looked for at places 0, 2, 4 and so on", two_by_two),
        ),
        *in_part(
            "shown",
            (
                "symbols that are only a space are left out",
                lambda found, merges: [symbol for symbol in found if symbol != " "],
            ),
            ("symbols of one letter are left out", lambda found, merges: [one for one in found if len(one) > 1]),
            (
                "letters that are in no merge become `<unk>`",
                lambda found, merges: [one if one in letters_in(merges) or len(one) > 1 else "<unk>" for one in found],
            ),
            (
                "letters that are in no merge, but spaces, are left out",
                lambda found, merges: [one for one in found if one in letters_in(merges) | {" "} or len(one) > 1],
            ),
            (
                "letters that are in no merge are left out",
                lambda found, merges: [one for one in found if one in letters_in(merges) or len(one) > 1],
            ),
        ),
    ),
    alone=(
        *in_part(
            "applied",
            ("the merges end with the first one that the text does not have", ended_early),
            ("in each word, the merges end with the first one that it does not have", in_each(ended_early)),
        ),
        *in_part(
            "instead",
            (
                "each symbol is found with `index`, so that only its first place is looked at",
                by_first_index,
            ),
            (
                "the symbols are joined with spaces, merged with `replace` and split again, so that spaces are lost",
                joined_with_spaces_and_split,
            ),
            (
                "each merge is tried at one place after the other, and never goes back",
                forward_alone,
            ),
            (
                "a merge is looked for at places 0, 2, 4 and so on of the text",
                lambda text, merges: applied_in_order([list(text)], merges, two_by_two)[0],
            ),
        ),
        ("only the first merge is applied, as by a `return` inside the loop", {"ordered": lambda merges: merges[:1]}),
    ),
)

SYMPTOMS = (
    (
        "Put together, the symbols give the text without its spaces. Keep each space, as the first letter of its word.",
        lambda answer, right, text, merges: "".join(answer) == text.replace(" ", "") != text,
    ),
    (
        "Put together, the symbols give the text, but some of its spaces are missing. Look for `split()` or `strip()`.",
        lambda answer, right, text, merges: (
            "".join(answer).replace(" ", "") == text.replace(" ", "") and len("".join(answer)) < len(text)
        ),
    ),
    (
        "Put together, the symbols have more letters than the text. Look for a letter that is used twice when a pair "
        "becomes one symbol, or for something that is put in.",
        lambda answer, right, text, merges: len("".join(answer)) > len(text),
    ),
    (
        "Put together, the symbols have fewer letters than the text. Look for a letter that is not copied when symbols "
        "are merged, at the end above all, or for one that is left out because no merge has it.",
        lambda answer, right, text, merges: len("".join(answer)) < len(text),
    ),
    (
        "Put together, the symbols give the text, but it is cut into more pieces than it should be: some pairs are not "
        "merged. Does each merge go through the whole text, with the symbols that the merges before it have made?",
        lambda answer, right, text, merges: "".join(answer) == text and len(answer) > len(right),
    ),
    (
        "Put together, the symbols give the text, but other pairs were merged, or in another order. Go through the "
        "merges in the order in which they were learned, and with each through the whole text.",
        lambda answer, right, text, merges: "".join(answer) == text,
    ),
)

EXERCISE = Exercise(
    name="encode_bpe",
    reference=reference.encode_bpe,
    returns=("symbols",),
    examples=(
        Case("slower Low lower", ("slower Low lower", LEARNED)),
        Case("two ways to cut bcd", ("bcd abc bcda", TWO_WAYS)),
        Case("a row of a's", ("aaa aaaaa aab", ROW)),
        Case("spaces at the ends and in a row", (" low  law ", LEARNED), edge=True),
        Case("pairs that are lists", ("slower", [list(pair) for pair in LEARNED]), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("the last merge is left out", lambda text, merges: reference.encode_bpe(text, merges[:-1])),
        ("the first merge is left out", lambda text, merges: reference.encode_bpe(text, merges[1:])),
    ),
    slips=CUTTING,
    symptoms=SYMPTOMS,
)
