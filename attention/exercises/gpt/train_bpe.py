"""Merges learned from a text: subwords."""

import re
from collections.abc import Callable
from itertools import combinations

import numpy as np

from attention.chapters import gpt as reference
from autograder.diagnosis import Case, Exercise, Slips, in_part, mistake

LOW = "low lower lowest"


def unseen(rng: np.random.Generator) -> list[Case]:
    """Words of few letters, some of them often, so that pairs tie, overlap and merge several times."""
    return [
        Case("short words", (babble(rng, "abe", 7, 23), 7)),
        Case("three letters", (babble(rng, "oxy", 5, 19), 5)),
        Case("more letters", (babble(rng, "aknost", 11, 31), 13)),
        Case("few merges", (babble(rng, "elt", 5, 17), 2)),
    ]


def babble(rng: np.random.Generator, letters: str, kinds: int, n: int) -> str:
    """Draw n words of some kinds, of two to six letters; one is a letter three to five times, one has capitals."""
    words = ["".join(rng.choice(list(letters), rng.integers(2, 7))) for _ in range(kinds)]
    words += [str(rng.choice(list(letters))) * int(rng.integers(3, 6)), words[0].capitalize()]
    return " ".join(rng.permutation([*words, *rng.choice(words, n - len(words))]))


def edges(rng: np.random.Generator) -> list[Case]:
    """More merges than there are pairs, none, no text, spaces in a row, a line break, and pairs that occur once."""
    word = "".join(rng.permutation(list("bcdfg")))
    return [
        Case("more merges than there are pairs", (babble(rng, "ab", 2, 5), 97)),
        Case("no merges", (babble(rng, "abe", 5, 11), 0)),
        Case("an empty text", ("", 5)),
        Case("one letter", ("a", 3)),
        Case("spaces in a row and at the ends", (f"  {word}   {word[::-1]} {word}  ", 5)),
        Case("a line break is a letter like any other", (f"{word}\n{word} {word}\n", 7)),
        Case("each pair occurs once", (word, 3)),
        Case("commas and full stops", (f"{word}, {word}. {word[::-1]}, {word[1:]},", 7)),
    ]


def letters_of(text):
    """Cut a text before each space, and every piece into letters."""
    first, *others = text.split(" ")
    return [list(first), *(list(" " + word) for word in others)]


def merged(symbols, pair):
    """Write a pair as one symbol wherever it occurs, from left to right."""
    found, i = [], 0
    while i < len(symbols):
        step = 2 if tuple(symbols[i : i + 2]) == pair else 1
        found.append("".join(symbols[i : i + step]))
        i += step
    return found


def pairs_of(word):
    """Return the pairs of neighbours."""
    return [(word[i], word[i + 1]) for i in range(len(word) - 1)]


def counts_of(words, counted=pairs_of):
    """Return how often each pair occurs, in the order in which the text shows them."""
    counts = {}
    for pair in (pair for word in words for pair in counted(word)):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def most_frequent(counts):
    """Return the first of the most frequent pairs."""
    return max(counts, key=lambda pair: counts[pair])


def learned(words, count, counted=pairs_of, merge=merged, chosen=most_frequent, counts_in=counts_of):
    """Learn merges from words, with one step done in another way."""
    merges = []
    while len(merges) < count:
        counts = counts_in(words, counted)
        if not counts:
            break
        merges.append(chosen(counts))
        words = [merge(word, merges[-1]) for word in words]
    return merges


@mistake(
    "The pairs were counted across the spaces, in the text as one long word. "
    "Then the end of one word would grow together with the space and the word after it, and a symbol could be two "
    "words. "
    "Cut the text in front of each space first, and count inside each piece.",
)
def across_spaces(text, count):
    return learned([list(text)], count)


@mistake(
    "The spaces were left out, or became pieces of their own, so no merge contains one. "
    "Symbols put together must give the text again, and a word at the beginning of a text differs from one after a "
    "space. "
    "Keep each space as the first letter of the word after it.",
)
def spaces_left_out(text, count):
    return learned([list(word) for word in text.split()], count)


@mistake(
    "The spaces were removed before the pairs were counted, so the text became one long word. "
    "Then the last letter of a word makes a pair with the first of the next. "
    "Cut the text in front of each space, and keep the space as the first letter of its piece.",
)
def one_word_without_spaces(text, count):
    return learned([list(text.replace(" ", ""))], count)


@mistake(
    "A sign for the end of a word was put behind each word. "
    "The first paper does so; here the space in front of a word says where it begins, and no sign is added. "
    "Cut in front of each space, and leave the pieces as they are.",
)
def sign_behind_each_word(text, count):
    return learned([[*word, "</w>"] for word in text.split()], count)


@mistake(
    "Each space belongs to the word before it. "
    "The same word would have two forms, one inside the text and one at its end. "
    "Cut in front of a space, not after it.",
)
def space_after_the_word(text, count):
    *others, last = text.split(" ")
    return learned([*(list(word + " ") for word in others), list(last)], count)


@mistake(
    "Every word begins with a space, the first one too, in front of which the text has none. "
    "Only a word after a space has one. "
    "Cut the text in front of each space, and take its beginning as it is.",
)
def space_before_the_first_word(text, count):
    return learned([list(" " + word) for word in text.split(" ")], count)


@mistake(
    "Of pairs that occur equally often, the first in the alphabet was merged. "
    "Sorting is one way to decide a tie, but here the text decides. "
    "Take the pair that comes first when you read the text from its beginning.",
)
def tie_by_the_alphabet(text, count):
    return learned(letters_of(text), count, chosen=lambda counts: min(counts, key=lambda pair: (-counts[pair], pair)))


@mistake(
    "Of pairs that occur equally often, the last in the alphabet was merged. "
    "`max` over (number, pair) compares the pairs, too, where the numbers are equal. "
    "Compare the numbers only, and of equal ones take the pair that the text shows first.",
)
def tie_by_the_end_of_the_alphabet(text, count):
    return learned(letters_of(text), count, chosen=lambda counts: max(counts, key=lambda pair: (counts[pair], pair)))


@mistake(
    "Of pairs that occur equally often, the one that the text shows last was merged. "
    "`>=` lets a later pair take the place of an earlier one, and so does a sort that is turned round. "
    "Replace the best pair only by one that occurs more often.",
)
def tie_by_the_last_seen(text, count):
    return learned(letters_of(text), count, chosen=lambda counts: max(reversed(counts), key=lambda pair: counts[pair]))


@mistake(
    "Of pairs that occur equally often, the one was merged whose letters `text.find` meets first. "
    "These letters may stand there in other symbols, or on both sides of a word's end. "
    "Take the pair that comes first when you count: a dictionary keeps that order.",
)
def tie_by_letters_in_the_text(text, count):
    return learned(
        letters_of(text),
        count,
        chosen=lambda counts: min(counts, key=lambda pair: (-counts[pair], text.find("".join(pair)))),
    )


@mistake(
    "Each different word was counted once, however often the text has it. "
    "A pair in a frequent word deserves its symbol sooner. "
    "Count the pairs in each occurrence of a word.",
)
def words_counted_once(text, count):
    pieces = dict.fromkeys(map(tuple, letters_of(text)))
    return learned([list(piece) for piece in pieces], count)


@mistake(
    "A pair was counted once in each word, although a word can have it twice. "
    "*banana* has (a, n) twice. "
    "Count every place where the pair occurs.",
)
def once_in_each_word(text, count):
    return learned(letters_of(text), count, counted=lambda word: list(dict.fromkeys(pairs_of(word))))


@mistake(
    "The letters were paired two by two: (0, 1), (2, 3), and so on. "
    "Every symbol makes a pair with the one after it, so *low* has two pairs. "
    "Step by one symbol, not by two.",
)
def two_at_a_time(text, count):
    return learned(letters_of(text), count, counted=lambda word: pairs_of(word)[::2])


def without_overlap(word):
    """Return the pairs, without one whose first symbol was the second of an equal one."""
    kept, free = [], 0
    for i, pair in enumerate(pairs_of(word)):
        if i >= free or pair != kept[-1]:
            kept.append(pair)
            free = i + 2
    return kept


@mistake(
    "In a row of equal letters, pairs that overlap were not counted: *aaa* has (a, a) twice, at its first and at its "
    "second letter. "
    "Only merging must not use a letter twice. "
    "Count each symbol with the one after it.",
)
def overlapping_pairs_left_out(text, count):
    return learned(letters_of(text), count, counted=without_overlap)


def merged_with_overlap(symbols, pair):
    """Write a pair as one symbol, and use its second symbol again."""
    found, used = [], False
    for i, symbol in enumerate(symbols):
        here = tuple(symbols[i : i + 2]) == pair
        if here:
            found.append("".join(pair))
        elif not used:
            found.append(symbol)
        used = here
    return found


@mistake(
    "In a row of equal letters, one letter became part of two symbols: *aaa* was written as aa, aa. "
    "Then the symbols put together have more letters than the text. "
    "After a merge, go on behind its second symbol: aa, a.",
)
def merged_twice(text, count):
    return learned(letters_of(text), count, merge=merged_with_overlap)


def merged_at_first(symbols, pair):
    """Write a pair as one symbol where it occurs first."""
    places = [i for i, here in enumerate(pairs_of(symbols)) if here == pair]
    return [*symbols[: places[0]], "".join(pair), *symbols[places[0] + 2 :]] if places else symbols


@mistake(
    "In each word, a pair was merged only where it occurs first. "
    "From then on, the same two letters would be one symbol here and two there. "
    "Go on to the end of the word after a merge.",
)
def merged_where_it_occurs_first(text, count):
    return learned(letters_of(text), count, merge=merged_at_first)


@mistake(
    "A pair was merged only where the text has it first, and in no other word. "
    "A merge is a rule for the whole text. "
    "Merge the pair in every word.",
)
def merged_in_one_word(text, count):
    words, merges = letters_of(text), []
    while len(merges) < count and any(len(word) > 1 for word in words):
        merges.append(most_frequent(counts_of(words)))
        first = next(i for i, word in enumerate(words) if merges[-1] in pairs_of(word))
        words[first] = merged_at_first(words[first], merges[-1])
    return merges


def merged_from_the_right(symbols, pair):
    """Write a pair as one symbol wherever it occurs, from right to left."""
    found = merged([symbol[::-1] for symbol in symbols[::-1]], (pair[1][::-1], pair[0][::-1]))
    return [symbol[::-1] for symbol in found[::-1]]


@mistake(
    "In a row of equal letters, the merge began at the right: *aaa* became a, aa. "
    "We read from left to right, and get aa, a. "
    "Go through the word from its beginning.",
)
def merged_backwards(text, count):
    return learned(letters_of(text), count, merge=merged_from_the_right)


def without_the_last(symbols, pair):
    """Write a pair as one symbol, and stop before a last symbol that is in no pair."""
    found, i = [], 0
    while i < len(symbols) - 1:
        step = 2 if (symbols[i], symbols[i + 1]) == pair else 1
        found.append("".join(symbols[i : i + step]))
        i += step
    return found


@mistake(
    "The last symbol of a word was lost in every merge where it was in no pair. "
    "A loop that looks at `symbols[i + 1]` ends one step early, and nothing copies what is left. "
    "Keep the last symbol when it is not merged.",
)
def last_symbol_lost(text, count):
    return learned(letters_of(text), count, merge=without_the_last)


@mistake(
    "The merges were returned as the symbols that they make. "
    "From *low* alone nobody knows whether l and ow or lo and w were merged. "
    "Return pairs: both symbols, separately.",
)
def symbols_returned(text, count):
    return [left + right for left, right in learned(letters_of(text), count)]


@mistake(
    "The letters were counted once, and the most frequent pairs of letters returned. "
    "After a merge, the new symbol makes new pairs, and pairs that used its parts are rarer. "
    "Merge the pair in all words before you count for the next.",
)
def counted_only_once(text, count):
    counts = counts_of(letters_of(text))
    return sorted(counts, key=lambda pair: -counts[pair])[:count]


@mistake(
    "The counts were never set back: those of earlier turns were added to the new ones. "
    "Pairs that are merged by now stay the most frequent, and new pairs come too late. "
    "Begin each turn with an empty dictionary.",
)
def counts_kept_from_turn_to_turn(text, count):
    kept = {}

    def added(words, counted):
        for pair in (pair for word in words for pair in counted(word)):
            kept[pair] = kept.get(pair, 0) + 1
        return kept

    return learned(letters_of(text), count, counts_in=added)


@mistake(
    "The pairs were counted as letters in the text, as `text.count(a + b)` does. "
    "That also counts letters that are in other symbols by now, or on both sides of a word's end, and in a row of "
    "equal letters only every second pair. "
    "Count the places where the two symbols stand side by side in a piece.",
)
def letters_counted_in_the_text(text, count):
    def in_text(words, counted):
        return {pair: text.count("".join(pair)) for pair in counts_of(words, counted)}

    return learned(letters_of(text), count, counts_in=in_text)


@mistake(
    "The same pair was found again and again, because each turn began with the letters. "
    "A merge changes the words for all turns after it. "
    "Keep the merged words: assign them to the name that the next turn reads.",
)
def began_with_letters_again(text, count):
    counts = counts_of(letters_of(text))
    return [most_frequent(counts)] * count if counts else []


@mistake(
    "The rarest pair was merged, not the most frequent. "
    "A symbol is worth its place if it is used often. "
    "Take the largest number.",
)
def rarest_pair(text, count):
    return learned(letters_of(text), count, chosen=lambda counts: min(counts, key=lambda pair: counts[pair]))


@mistake(
    "It stopped when no pair occurred twice. "
    "That may be sensible, but here `count` alone decides: a pair that occurs once can be merged like any other. "
    "Stop only when no pair is left.",
)
def stopped_at_single_pairs(text, count):
    words, merges = letters_of(text), []
    while len(merges) < count:
        counts = counts_of(words)
        if not counts or max(counts.values()) < 2:
            break
        merges.append(most_frequent(counts))
        words = [merged(word, merges[-1]) for word in words]
    return merges


@mistake(
    "Right, until no pair is left: then looking for the largest of nothing is an error. "
    "A text of short words runs out of pairs before `count` merges are learned. "
    "Return the merges that there are.",
)
def error_without_pairs(text, count):
    words, merges = letters_of(text), []
    for _ in range(count):
        counts = counts_of(words)
        merges.append(max(counts, key=lambda pair: counts[pair]))
        words = [merged(word, merges[-1]) for word in words]
    return merges


@mistake(
    "Capital letters were made small. "
    "Symbols put together must give the text again, with its capitals. "
    "Count the letters as they are.",
)
def lower_case(text, count):
    return learned(letters_of(text.lower()), count)


@mistake(
    "One merge too many was learned. `count` says how many there are in the end. Stop when the list has `count` pairs.",
)
def one_too_many(text, count):
    return learned(letters_of(text), count + 1)


@mistake(
    "One merge is missing. "
    "`count` says how many there are in the end, if the text has enough pairs. "
    "Stop when the list has `count` pairs.",
)
def one_too_few(text, count):
    return learned(letters_of(text), count - 1)


@mistake(
    "The pairs are right, but each came with its number. "
    "`encode_bpe` needs the pairs alone; their order says which was more frequent. "
    "Return a list of pairs.",
)
def with_their_numbers(text, count):
    found = []
    learned(letters_of(text), count, chosen=lambda counts: found.append(most_frequent(counts)) or found[-1])
    words, numbered = letters_of(text), []
    for pair in found:
        numbered.append((pair, sum(pairs_of(word).count(pair) for word in words)))
        words = [merged(word, pair) for word in words]
    return numbered


@mistake(
    "The symbols of the text were returned instead of the merges. "
    "`encode_bpe` will cut any text, also one that was never seen, and needs the rules. "
    "Collect the merged pair of each turn, and return that list.",
)
def text_returned(text, count):
    words = letters_of(text)
    for pair in learned(words, count):
        words = [merged(word, pair) for word in words]
    return [symbol for word in words for symbol in word]


def replaced_as_text(symbols, pair):
    """Merge in the symbols joined by a sign, where a longer symbol may end, or begin, with one of the pair."""
    return "\0".join(symbols).replace("\0".join(pair), "".join(pair)).split("\0")


@mistake(
    "A pair was merged inside longer symbols, too: the symbols were joined into one text, and text was replaced in it. "
    "Where (h, a) is merged, the end of *ah* and the beginning of *ab* would grow together as well. "
    "Compare whole symbols, one with the next.",
)
def replaced_in_joined_symbols(text, count):
    return learned(letters_of(text), count, merge=replaced_as_text)


def in_parts(
    text: str,
    count: int,
    cut: Callable = letters_of,
    counted: Callable = pairs_of,
    counts_in: Callable = lambda text: counts_of,
    chosen: Callable = lambda text: most_frequent,
    merge: Callable = merged,
    enough: Callable = lambda text, count: count,
    least: Callable = lambda count: 1,
    shown: Callable = tuple,
) -> list:
    """Learn merges, with any of the steps done in another way."""
    words, merges = cut(text), []
    choose, tally = chosen(text), counts_in(text)
    while len(merges) < enough(text, count):
        counts = tally(words, counted)
        if not counts or max(counts.values()) < least(count):
            break
        merges.append(choose(counts))
        words = [merge(word, merges[-1]) for word in words]
    return [shown(pair) for pair in merges]


def cumulative(text: str) -> Callable:
    """Return a way to count that never begins anew."""
    kept: dict = {}

    def added(words: list, counted: Callable) -> dict:
        for pair in (pair for word in words for pair in counted(word)):
            kept[pair] = kept.get(pair, 0) + 1
        return kept

    return added


def best(key: Callable, among: Callable = iter) -> Callable:
    """Return a choice by a key of pair and number."""
    return lambda text: lambda counts: max(among(counts), key=lambda pair: key(pair, counts[pair]))


def marked(text: str, sign: str) -> list[list[str]]:
    """Cut at white space, and put a sign behind each word."""
    return [[*word, sign] for word in text.split()]


def with_spaces_again(words: list[str]) -> list[list[str]]:
    """Put a space in front of each word but the first."""
    return [list(" " * (number > 0) + word) for number, word in enumerate(words)]


def second_left(symbols: list[str], pair: tuple[str, str]) -> list[str]:
    """Write a pair as one symbol, and leave its second symbol there."""
    return [
        symbol + symbols[i + 1] if (symbol, *symbols[i + 1 : i + 2]) == pair else symbol
        for i, symbol in enumerate(symbols)
    ]


def two_by_two(symbols: list[str], pair: tuple[str, str]) -> list[str]:
    """Write a pair as one symbol where it stands at an even place."""
    both = (symbols[i : i + 2] for i in range(0, len(symbols), 2))
    return [symbol for two in both for symbol in (["".join(two)] if tuple(two) == pair else two)]


def order_kept() -> Callable:
    """Return a way to count that sets numbers back to 0, and keeps the order of pairs from earlier turns."""
    kept: dict = {}

    def counted_again(words: list, counted: Callable) -> dict:
        now = counts_of(words, counted)
        kept.update(dict.fromkeys(now, 0))
        return {pair: now[pair] for pair in kept if pair in now}

    return counted_again


def found_by(pattern: str) -> Callable:
    """Return a cut into what a pattern finds."""
    return lambda text: [list(piece) for piece in re.findall(pattern, text)]


CUTS = (
    ("pairs are counted across the spaces, in the text as one long word", lambda text: [list(text)]),
    ("the spaces are left out", lambda text: [list(word) for word in text.split()]),
    ("the spaces are left out, and the text is one long word", lambda text: [list(text.replace(" ", ""))]),
    ("each space belongs to the word before it", found_by("[^ ]* |[^ ]+")),
    ("every word begins with a space, the first one, too", lambda text: [list(" " + word) for word in text.split()]),
    (
        "the text is cut with `split()`, and each word but the first gets a space in front",
        lambda text: with_spaces_again(text.split()),
    ),
    (
        "each word is counted once, however often the text has it",
        lambda text: [*map(list, dict.fromkeys(map(tuple, letters_of(text))))],
    ),
    ("the words are sorted first", lambda text: sorted(letters_of(text))),
    ("all letters are made small", lambda text: letters_of(text.lower())),
    ("spaces at both ends are cut off", lambda text: letters_of(text.strip())),
    ("commas and other signs are cut off from words, or left out", found_by(r" ?\w+| ?[^\w ]+| ")),
    ("the sign </w> is put behind each word", lambda text: marked(text, "</w>")),
    ("the sign _ is put behind each word", lambda text: marked(text, "_")),
    (
        'the text is cut with `split(" ")`, and a space is put behind each word',
        lambda text: [[*word, " "] for word in text.split(" ")],
    ),
    ("a space is put behind each word", lambda text: marked(text, " ")),
    ("the text is cut in front of each space, and the first piece is left out", lambda text: letters_of(text)[1:]),
    ("the last piece is left out", lambda text: letters_of(text)[:-1]),
)
LEARNING = Slips(
    in_parts,
    (
        *((words, {"cut": cut}) for words, cut in CUTS),
        *in_part(
            "counted",
            ("a pair is counted once in each word", lambda word: list(dict.fromkeys(pairs_of(word)))),
            ("symbols are paired two by two: (0, 1), (2, 3) and so on", lambda word: pairs_of(word)[::2]),
            ("a symbol is paired with the next but one", lambda word: [*zip(word, word[2:], strict=False)]),
            (
                "pairs with a space are not counted",
                lambda word: [pair for pair in pairs_of(word) if " " not in "".join(pair)],
            ),
            (
                "only pairs of single letters are counted",
                lambda word: [pair for pair in pairs_of(word) if len("".join(pair)) == 2],
            ),
            ("the last pair of each word is not counted", lambda word: pairs_of(word)[:-1]),
            ("the first pair of each word is not counted", lambda word: pairs_of(word)[1:]),
            ("pairs that overlap in a row of equal letters are not counted", without_overlap),
            (
                "pairs of equal symbols are not counted",
                lambda word: [pair for pair in pairs_of(word) if pair[0] != pair[1]],
            ),
            (
                "a symbol is paired with all later ones of its word, not only with the next",
                lambda word: list(combinations(word, 2)),
            ),
            ("pairs are counted from the end of each word", lambda word: pairs_of(word)[::-1]),
        ),
        *in_part(
            "counts_in",
            ("the counts are never set back to 0", cumulative),
            (
                "of equal counts, the pair is taken that an earlier turn has met first",
                lambda text: order_kept(),
            ),
            (
                "pairs are counted across the spaces, and merged inside the words",
                lambda text: lambda words, counted: counts_of([[one for word in words for one in word]], counted),
            ),
            (
                "each different piece is counted once in every turn",
                lambda text: lambda words, counted: counts_of([*dict.fromkeys(map(tuple, words))], counted),
            ),
            (
                "pairs are counted as letters in the text, `text.count(a + b)`",
                lambda text: (
                    lambda words, counted: {pair: text.count("".join(pair)) for pair in counts_of(words, counted)}
                ),
            ),
            (
                "pairs are counted with `count` in joined symbols, where a longer symbol may end, or begin, with one",
                lambda text: (
                    lambda words, counted: {
                        pair: sum(" ".join(word).count(" ".join(pair)) for word in words)
                        for pair in counts_of(words, counted)
                    }
                ),
            ),
        ),
        *in_part(
            "chosen",
            (
                "the second most frequent pair is merged",
                lambda text: lambda counts: sorted(counts, key=lambda pair: -counts[pair])[:2][-1],
            ),
            ("the rarest pair is merged", best(lambda pair, n: -n)),
            (
                "of equal counts, the first in the alphabet is taken",
                lambda text: lambda counts: min(counts, key=lambda pair: (-counts[pair], pair)),
            ),
            ("of equal counts, the last in the alphabet is taken", best(lambda pair, n: (n, pair))),
            ("of equal counts, the one that the text shows last is taken", best(lambda pair, n: n, reversed)),
            (
                "of equal counts, the one whose letters `text.find` meets first is taken",
                lambda text: lambda counts: min(counts, key=lambda pair: (-counts[pair], text.find("".join(pair)))),
            ),
            ("of equal counts, the longest is taken", best(lambda pair, n: (n, len("".join(pair))))),
            ("of equal counts, the shortest is taken", best(lambda pair, n: (n, -len("".join(pair))))),
            ("the longest pair is merged first", best(lambda pair, n: (len("".join(pair)), n))),
            ("a pair's count is multiplied by its length", best(lambda pair, n: n * len("".join(pair)))),
        ),
        *in_part(
            "merge",
            ("a letter in a row of equal ones becomes part of two symbols", merged_with_overlap),
            ("in each word, a pair is merged only where it occurs first", merged_at_first),
            ("merging begins at the end of a word", merged_from_the_right),
            ("a pair is merged inside longer symbols, too (`replace` in joined text)", replaced_as_text),
            ("a last symbol that is in no pair is lost", without_the_last),
            ("a merged pair's second symbol stays beside it", second_left),
            ("a merge is only looked for at places 0, 2, 4 and so on", two_by_two),
            ("nothing is merged", lambda symbols, pair: symbols),
            (
                "a pair is merged at the beginning of a word alone",
                lambda symbols, pair: ["".join(pair), *symbols[2:]] if tuple(symbols[:2]) == pair else symbols,
            ),
        ),
        *in_part(
            "enough",
            ("one merge too many is learned", lambda text, count: count + 1),
            ("one merge too few is learned", lambda text, count: count - 1),
            ("`count` is not used, and merging goes on until no pair is left", lambda text, count: len(text)),
            (
                "letters count as merges, too: learning stops when there are `count` symbols",
                lambda text, count: count - len(set(text)),
            ),
        ),
        ("learning stops when no pair occurs twice", {"least": lambda count: 2}),
        (
            "`count` is taken for how often a pair must occur",
            {"least": lambda count: count, "enough": lambda text, count: len(text)},
        ),
        *in_part(
            "shown",
            ("each pair is returned as the symbol that it makes", "".join),
            ("each pair is returned as one text, with a space between", " ".join),
            ("each pair is returned with the symbol that it makes", lambda pair: (*pair, "".join(pair))),
        ),
    ),
)


def ties_alone(answer: list, right: list, text: str, count: int) -> bool:
    """Say whether each merged pair is one of the most frequent at its turn."""
    words = letters_of(text)
    for pair in map(tuple, answer):
        counts = counts_of(words)
        if counts.get(pair, 0) < max(counts.values(), default=1):
            return False
        words = [merged(word, pair) for word in words]
    return len(answer) == len(right)


SYMPTOMS = (
    (
        "Each pair is one of the most frequent at its turn, but of pairs that occur equally often, another was "
        "taken than the one that the text shows first. Look at how a tie is decided: "
        "in which order pairs are counted, and what `max` or a sort does with equal numbers.",
        ties_alone,
    ),
    (
        "The first merges are right, and there are too few. Look at what ends the loop.",
        lambda answer, right, text, count: [*map(tuple, answer)] == right[: len(answer)],
    ),
    (
        "The merges are right, but there are too many. Look at what ends the loop.",
        lambda answer, right, text, count: [*map(tuple, answer)][: len(right)] == right,
    ),
    (
        "The first merge is right, and a later one is not: the letters are counted rightly. Look at how a pair becomes "
        "one symbol in all pieces, and at what is counted after that.",
        lambda answer, right, text, count: tuple(answer[0]) == right[0],
    ),
)

EXERCISE = Exercise(
    name="train_bpe",
    reference=reference.train_bpe,
    returns=("merges",),
    examples=(
        Case("low lower lowest", (LOW, 4)),
        Case("a tie in every turn", ("no on no on", 3)),
        Case("hahahaha ahah Haha", ("hahahaha ahah Haha", 5)),
        Case("aaaaa ab ab ab", ("aaaaa ab ab ab", 4)),
        Case("every pair merged", ("to be to be", 9), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    slips=LEARNING,
    symptoms=SYMPTOMS,
)
