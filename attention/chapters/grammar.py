"""A small grammar that says the same thing in English and in Italian: the corpus that the translator learns from.

==========  =========================================================  ==================================
language    order of a sentence                                        example
==========  =========================================================  ==================================
English     subject [do not | adverb] verb object [adverb]             he does not know the white cat well
Italian     [subject] [non] [pronoun] verb [adverb] [object]           lui non conosce bene il gatto bianco
==========  =========================================================  ==================================

Copying word for word fails: Italian verbs agree with their subject, articles and colours with their noun; pronouns
move before the verb, adverbs behind it; "i", "you", "we" and "they" hide in the verb's ending, while "he" and "she"
are written, because one ending serves both. Never is non … mai. "lo amo" serves for "l'amo", too: both are correct.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

Pair = tuple[str, str]  # an English sentence and its Italian translation


class Corpus(NamedTuple):
    """Sentence pairs to learn from, and others, never shown in training, to be examined on."""

    training: list[Pair]
    held_out: list[Pair]


class Phrase(NamedTuple):
    """Who does something, or to whom: words of both languages as subject and as object, and the verb's form."""

    subject: Any  # a Pair, None for what is never a subject
    object: Pair
    form: int  # 0 … 5: io, tu, lui or lei, noi, voi, loro
    kind: str  # person, animal or thing
    clitic: bool  # an object that Italian puts before the verb


class Verb(NamedTuple):
    """A verb's English forms, its six Italian ones, the adverbs that suit it, and the kinds of objects it takes."""

    english: str
    english_s: str
    italian: list[str]
    adverbs: list[str]
    takes: str


PRONOUNS = [
    Phrase(("i", ""), ("me", "mi"), 0, "person", True),
    Phrase(("you", ""), ("you", "ti"), 1, "person", True),
    Phrase(("he", "lui"), ("him", "lo"), 2, "person", True),
    Phrase(("she", "lei"), ("her", "la"), 2, "person", True),
    Phrase(("we", ""), ("us", "ci"), 3, "person", True),
    Phrase(("you all", ""), ("you all", "vi"), 4, "person", True),
    Phrase(("they", ""), ("them", "li"), 5, "person", True),
]
NOUNS = [
    ("boy", "il ragazzo", "person"),
    ("girl", "la ragazza", "person"),
    ("cat", "il gatto", "animal"),
    ("dog", "il cane", "animal"),
    ("house", "la casa", "thing"),
    ("book", "il libro", "thing"),
]
COLOURS = {"black": "ner", "white": "bianc"}  # -o beside il, -a beside la
BEFORE_THE_VERB = {"always": "sempre", "often": "spesso", "never": "mai"}
AT_THE_END = {"very much": "molto", "well": "bene", "now": "ora", "here": "qui"}
ANYTHING, ANYONE, SOMEBODY = "person animal thing", "person animal", "person"
VERBS = [
    Verb(english, english_s, italian.split(), adverbs.split(", "), takes)
    for english, english_s, italian, adverbs, takes in (
        ("love", "loves", "amo ami ama amiamo amate amano", "very much, always", ANYTHING),
        ("help", "helps", "aiuto aiuti aiuta aiutiamo aiutate aiutano", "very much, always, often, now", ANYONE),
        ("see", "sees", "vedo vedi vede vediamo vedete vedono", "well, often, never, now, here", ANYTHING),
        ("know", "knows", "conosco conosci conosce conosciamo conoscete conoscono", "well", ANYONE),
        ("hear", "hears", "sento senti sente sentiamo sentite sentono", "well, often, never, now", ANYONE),
        ("call", "calls", "chiamo chiami chiama chiamiamo chiamate chiamano", "always, often, never, now", ANYONE),
        ("understand", "understands", "capisco capisci capisce capiamo capite capiscono", "well, always", SOMEBODY),
        ("look for", "looks for", "cerco cerchi cerca cerchiamo cercate cercano", "always, often, here", ANYTHING),
        ("wait for", "waits for", "aspetto aspetti aspetta aspettiamo aspettate aspettano", "always, here", ANYONE),
    )
]
PROMISED = [  # always held out: the course's running sentence, and two in which more has to move
    ("i love you very much", "ti amo molto"),
    ("the girl never sees me", "la ragazza non mi vede mai"),
    ("he does not know the white cat well", "lui non conosce bene il gatto bianco"),
]
COUPLES = 45  # always held out, too: sentences with another of the same words


def noun_phrases() -> list[Phrase]:
    """Return the nouns with their articles; things are seen and never see; animals and things may have a colour."""
    phrases = []
    for english, italian, kind in NOUNS:
        plain = (f"the {english}", italian)
        phrases.append(Phrase(None if kind == "thing" else plain, plain, 2, kind, False))
        for colour, stem in COLOURS.items() if kind != "person" else ():
            ending = "a" if italian.startswith("la ") else "o"
            pair = (f"the {colour} {english}", f"{italian} {stem}{ending}")
            phrases.append(Phrase(None, pair, 2, kind, False))
    return phrases


def pairs() -> Iterator[Pair]:
    """Yield every sentence that the grammar can say, in both languages, always in the same order."""
    phrases = PRONOUNS + noun_phrases()
    for verb, subject, object_ in itertools.product(VERBS, phrases, phrases):
        if subject.subject is None or object_.kind not in verb.takes.split() or _is_about_itself(subject, object_):
            continue
        for adverb, negated in itertools.product(["", *verb.adverbs], (False, True)):
            if not (negated and adverb in ("always", "never")):
                words = (subject, verb, object_, adverb, negated)
                yield _english(*words), _italian(*words)


def _is_about_itself(subject: Phrase, object_: Phrase) -> bool:
    """Say whether both are on the speaker's side, or on the listener's, or the same noun: "i see us" is left out."""
    if subject.clitic and object_.clitic:
        return subject.form % 3 == object_.form % 3 != 2
    return subject.object == object_.object


def _english(subject: Phrase, verb: Verb, object_: Phrase, adverb: str, negated: bool) -> str:
    """Say it in English: only the third person singular, form 2, changes the verb."""
    third = subject.form == 2
    plain = verb.english_s if third and not negated else verb.english
    before, after = ("", adverb) if adverb in AT_THE_END else (adverb, "")
    helper = ("does not" if third else "do not") if negated else ""
    return _join(subject.subject[0], helper, before, plain, object_.object[0], after)


def _italian(subject: Phrase, verb: Verb, object_: Phrase, adverb: str, negated: bool) -> str:
    """Say it in Italian: a pronoun comes before the verb, a noun after verb and adverb."""
    said = {**BEFORE_THE_VERB, **AT_THE_END, "": ""}[adverb]
    before, after = (object_.object[1], "") if object_.clitic else ("", object_.object[1])
    non = "non" if negated or adverb == "never" else ""
    return _join(subject.subject[1], non, before, verb.italian[subject.form], said, after)


def _join(*words: str) -> str:
    """Put the words that are there side by side."""
    return " ".join(word for word in words if word)


def reversible_pairs(pairs: Iterable[Pair]) -> list[tuple[Pair, Pair]]:
    """Return the pairs of sentences with the same words in another order, so that only order says who does what.

    "the cat sees the dog" and "the dog sees the cat": subject and object are swapped.
    """
    by_words = defaultdict(list)
    for pair in pairs:
        by_words[tuple(sorted(pair[0].split()))].append(pair)
    return [tuple(couple) for couple in by_words.values() if len(couple) == 2]


def make_corpus(rng: np.random.Generator, training: int = 1350, held_out: int = 300) -> Corpus:
    """Draw different sentence pairs to learn from, and others to be examined on.

    Held out are first PROMISED, then both sentences of each of COUPLES ``reversible_pairs``, then any others.
    Training holds every word of the grammar, whatever its size, and nothing that is held out.
    Errors: ValueError for fewer than 270 pairs to learn from or 100 to hold out, or more than the grammar can say.
    """
    everything = [pair for pair in pairs() if pair not in PROMISED]
    most = len(everything) + len(PROMISED)
    if training < 270 or held_out < 100 or training + held_out > most:
        raise ValueError(
            f"expected training of at least 270 and held_out of at least 100, together at most {most}, "
            f"got {training} and {held_out}: fewer do not teach or examine it, and the grammar says no more"
        )
    first, spare, known = [], [], set()  # each word's first sentence is for training
    for i in rng.permutation(len(everything)):
        words = set(" ".join(everything[i]).split())
        (spare if words <= known else first).append(everything[i])
        known |= words
    examined = [*PROMISED, *itertools.chain.from_iterable(reversible_pairs(spare)[:COUPLES])]
    others = [pair for pair in spare if pair not in set(examined)]
    more = held_out - len(examined)
    return Corpus(first + others[more : more + training - len(first)], examined + others[:more])
