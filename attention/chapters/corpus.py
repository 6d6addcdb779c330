"""The corpus of *Which bank?*: sentences are drawn as trees, said in both languages, and shared out.

Two nouns with two meanings may stand in one sentence, each with its own sign, near it or far away, among words that
are a sign for the other noun or for none.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from .which_bank import (
    ACTIONS,
    ADJECTIVES,
    ALIVE,
    ANIMALS,
    ARGINE,
    BANCA,
    BE,
    BOOK,
    CAT,
    COMPARED,
    DOCTOR,
    DOG,
    FIND,
    FLOW,
    GROW,
    I_ME,
    LIKING,
    LOVE,
    MEANINGS,
    MONEY,
    NOBODY,
    PEOPLE,
    PLACES,
    PRONOUNS,
    READ,
    RIVER,
    SEE,
    TIMES,
    WE,
    YOU,
    Clause,
    Comparison,
    Liking,
    Noun,
    Phrase,
    Place,
    Pronoun,
    Tree,
    in_english,
    in_italian,
)

T = TypeVar("T")
Pair = tuple[str, str]  # an English sentence and its Italian translation


class Corpus(NamedTuple):
    """Sentence pairs to learn from, and others, never shown in training, to be examined on."""

    training: list[Pair]
    held_out: list[Pair]


LONGEST = 18  # English words of a sentence
PROMISED = [  # always held out: the course's running sentence, and those that its pages look at
    ("i love you very much", "ti amo molto"),
    (
        "the bank of the river is older than the bank in the city",
        "l' argine del fiume è più vecchio della banca in città",
    ),
    (
        "the girl that saw the bat in the forest misses the bat that the boys repaired",
        "la mazza che i ragazzi hanno riparato manca alla ragazza che ha visto il pipistrello nella foresta",
    ),
    (
        "the bank in the city is older than the bank of the river",
        "la banca in città è più vecchia dell' argine del fiume",
    ),
    ("the money grows in the bank", "il denaro cresce in banca"),
    ("the river flows along the bank", "il fiume scorre lungo l' argine"),
    (
        "yesterday the girls that the doctor loves read the books",
        "ieri le ragazze che il medico ama hanno letto i libri",
    ),
    (
        "every day the girls that the doctor loves read the books",
        "ogni giorno le ragazze che il medico ama leggono i libri",
    ),
]
COUPLES = 20  # always held out, too: sentences with another of the same words


def draw_sentence(rng: np.random.Generator) -> Tree:
    """Draw a sentence of at most LONGEST English words."""
    while True:
        tree = KINDS[rng.choice(len(KINDS), p=SHARES)](rng)
        if len(in_english(tree).split()) <= LONGEST:
            return tree


def _comparison(rng: np.random.Generator) -> Tree:
    """Draw: the old river bank is older than the bank in the city."""
    return Comparison(_thing(rng), _one_of(rng, list(COMPARED)), _thing(rng))


def _liking(rng: np.random.Generator) -> Tree:
    """Draw: the girl that found the book likes the bats in the forest.

    Italian turns it round; so that it does not become top-heavy, only somebody with a clause likes something with one.
    """
    verb = _one_of(rng, list(LIKING))
    if _happens(rng, 0.2):
        return Liking(_one_of(rng, [I_ME, YOU, WE]), verb, _thing(rng))
    who = _someone(rng, clause=0.6)
    clause = 0.5 if who.clause else 0.0
    return Liking(who, verb, _thing(rng, clause) if _happens(rng, 0.75) else _someone(rng, clause))


def _action(rng: np.random.Generator) -> Tree:
    """Draw: yesterday the girl that is near the river did not open the bank."""
    time = _one_of(rng, list(TIMES))
    past = time == "yesterday" or (not time and _happens(rng, 0.3))
    negated = time != "every day" and _happens(rng, 0.2)
    kind = _one_of(rng, ["any", "any", "any", "deciding", "read"])
    if kind == "read":
        time = time or "every day"
        past, negated = time == "yesterday", negated and time == "yesterday"
        return Clause(
            _someone(rng, clause=0.15, place=0.3, nouns=PEOPLE),
            READ,
            _described(rng, _number(rng, BOOK)),
            past,
            negated,
            time=time,
        )
    if kind == "deciding":
        meaning = _one_of(rng, [meaning for meaning in MEANINGS if meaning.done])
        object_ = _described(rng, _number(rng, meaning.noun))
        subject = _someone(rng, clause=0.15, place=0.3, nouns=PEOPLE)
        return Clause(subject, _one_of(rng, meaning.done), object_, past, negated, time=time)
    subject = _someone(rng, clause=0.15, place=0.25)
    object_ = _thing(rng) if _happens(rng, 0.4) else _someone(rng, clause=0.15, place=0.25)
    return Clause(subject, _one_of(rng, ACTIONS[past:]), object_, past, negated, time=time)


def _with_pronouns(rng: np.random.Generator) -> Tree:
    """Draw: i love you very much; every day the girl that is in the forest sees them."""
    time, negated = ("every day", False) if _happens(rng, 0.4) else ("", _happens(rng, 0.25))
    subjects: list[Phrase | Pronoun] = [*PRONOUNS, _someone(rng, place=0.3)]
    subject, object_ = _one_of(rng, subjects), _one_of(rng, PRONOUNS)
    if isinstance(subject, Pronoun) and (
        subject.form % 3 == object_.form % 3 != 2 or subject.form == object_.form == 4
    ):
        return _with_pronouns(rng)
    verb = _one_of(rng, [LOVE, FIND] if object_ is WE else ACTIONS)
    return Clause(
        subject, verb, object_, negated=negated, time=time, very_much=verb is LOVE and not time and _happens(rng, 0.5)
    )


def _grows(rng: np.random.Generator) -> Tree:
    """Draw: the money grows in the bank; every day the old river that the girl saw flows along the bank."""
    time, negated = ("every day", False) if _happens(rng, 0.4) else ("", _happens(rng, 0.2))
    is_money = _happens(rng, 0.5)
    verb, place = (GROW, Place("in", BANCA)) if is_money else (FLOW, Place("along", ARGINE))
    subject = Phrase(MONEY) if is_money else _described(rng, Phrase(RIVER))
    if _happens(rng, 0.6):
        past = _happens(rng, 0.5)
        who = _number(rng, _one_of(rng, PEOPLE))
        subject = subject._replace(clause=Clause(who, _one_of(rng, ACTIONS[past:]), past=past))
    elif is_money and _happens(rng, 0.7):
        subject = subject._replace(owners=_owners(rng))
    return Clause(subject, verb, negated=negated, place=place, time=time)


def _thing(rng: np.random.Generator, clause: float = 0.4) -> Phrase:
    """Draw a noun with two meanings, and one of what decides it: the river bank, the bank that the girls open."""
    meaning = _one_of(rng, MEANINGS)
    phrase = _described(rng, _number(rng, meaning.noun))
    if (meaning.done or meaning.at) and _happens(rng, clause):
        who, past, verb, place = _number(rng, _one_of(rng, PEOPLE)), _happens(rng, 0.5), SEE, None
        if meaning.at and (not meaning.done or _happens(rng, 0.5)):
            place = _one_of(rng, meaning.at)
        else:
            verb = _one_of(rng, meaning.done)
        return phrase._replace(clause=Clause(who, verb, past=past, place=place))
    signs = (("before", meaning.before), ("of", meaning.of), ("place", meaning.at))
    kind, options = _one_of(rng, [sign for sign in signs if sign[1]])
    if kind == "before" and _happens(rng, 0.75):
        phrase = phrase._replace(owners=_owners(rng))
    return phrase._replace(**{kind: _one_of(rng, options)})  # type: ignore[arg-type]


def _someone(
    rng: np.random.Generator, clause: float = 0.0, place: float = 0.0, nouns: Sequence[Noun] = (*PEOPLE, *ANIMALS)
) -> Phrase:
    """Draw somebody: the doctor 's cat, the girls that are in the valley, the boy that sees the queens.

    Where two could be the subject of the Italian clause, the verb's number has to tell which: they are one and many.
    """
    phrase = _number(rng, _one_of(rng, nouns))
    if phrase.noun in ANIMALS:
        phrase = _described(rng, phrase)
    if _happens(rng, place):
        return phrase._replace(clause=Clause(NOBODY, BE, place=_one_of(rng, PLACES)))
    if not _happens(rng, clause):
        if phrase.noun in (CAT, DOG, DOCTOR) and _happens(rng, 0.65):
            return phrase._replace(owners=_owners(rng, phrase.noun))
        return phrase
    past = _happens(rng, 0.5)
    verb = _one_of(rng, ACTIONS[past:])
    if _happens(rng, 0.5):
        meaning = _one_of(rng, MEANINGS)
        if phrase.noun in PEOPLE and meaning.done and _happens(rng, 0.5):
            verb, object_ = _one_of(rng, meaning.done), _described(rng, _number(rng, meaning.noun))
        else:
            object_ = _thing(rng, 0.0)
        if object_.noun.italian[0] in ALIVE:
            object_ = object_._replace(many=not phrase.many)
        return phrase._replace(clause=Clause(NOBODY, verb, object_, past))
    other = _number(rng, _one_of(rng, [noun for noun in (*PEOPLE, *ANIMALS) if noun != phrase.noun]))
    if _happens(rng, 0.5):
        return phrase._replace(clause=Clause(other, verb, past=past))
    return phrase._replace(clause=Clause(NOBODY, verb, other._replace(many=not phrase.many), past))


def _owners(rng: np.random.Generator, noun: Noun | None = None) -> tuple[Noun, ...]:
    """Draw one owner, or two: the queen 's, the boy 's doctor 's."""
    if noun is not DOCTOR and _happens(rng, 0.6):
        return _one_of(rng, [one for one in PEOPLE if one is not DOCTOR]), DOCTOR
    return (_one_of(rng, [one for one in PEOPLE if one != noun]),)


def _number(rng: np.random.Generator, noun: Noun) -> Phrase:
    """Draw one or many."""
    return Phrase(noun, _happens(rng, 0.4))


def _described(rng: np.random.Generator, phrase: Phrase) -> Phrase:
    """Perhaps draw an adjective."""
    return phrase._replace(adjective=_one_of(rng, list(ADJECTIVES))) if _happens(rng, 0.3) else phrase


def _one_of(rng: np.random.Generator, options: Sequence[T]) -> T:
    """Draw one."""
    return options[int(rng.integers(len(options)))]


def _happens(rng: np.random.Generator, probability: float) -> bool:
    """Draw whether something happens."""
    return bool(rng.random() < probability)


KINDS = (_comparison, _liking, _action, _with_pronouns, _grows)
SHARES = (0.16, 0.49, 0.25, 0.06, 0.04)


def exchanged(tree: Tree) -> Clause | None:
    """Let somebody who does something, and whom it is done to, change places; None where that changes the words."""
    if not (isinstance(tree, Clause) and isinstance(tree.subject, Phrase) and isinstance(tree.object, Phrase)):
        return None
    subject, object_ = tree.subject, tree.object
    same_words = {subject.noun, object_.noun} <= {*PEOPLE, *ANIMALS} and subject.many == object_.many
    return tree._replace(subject=object_, object=subject) if same_words and subject != object_ else None


def pair_of(tree: Tree) -> Pair:
    """Say a sentence in both languages."""
    return in_english(tree), in_italian(tree)


def reversible_pairs(pairs: Iterable[Pair]) -> list[tuple[Pair, Pair]]:
    """Return the pairs of sentences with the same words in another order, so that only order says who does what.

    "the cat sees the dog" and "the dog sees the cat": subject and object are swapped.
    """
    by_words = defaultdict(list)
    for pair in pairs:
        by_words[tuple(sorted(pair[0].split()))].append(pair)
    return [tuple(couple) for couple in by_words.values() if len(couple) == 2]


def make_corpus(rng: np.random.Generator, training: int = 12_000, held_out: int = 500) -> Corpus:
    """Draw different sentence pairs to learn from, and others to be examined on.

    Held out are first PROMISED, then both sentences of each of COUPLES ``reversible_pairs``, then any others.
    Training holds every word of what is held out, and no sentence of it.
    Errors: ValueError for fewer than 2,000 pairs to learn from or 120 to hold out.
    """
    if training < 2000 or held_out < 120:
        raise ValueError(
            f"expected training of at least 2000 and held_out of at least 120, got {training} and {held_out}: "
            "fewer do not teach or examine it"
        )
    examined = dict(PROMISED)
    while len(examined) < len(PROMISED) + 2 * COUPLES:
        tree = draw_sentence(rng)
        if other := exchanged(tree):
            examined |= [pair_of(tree), pair_of(other)]
    drawn: dict[str, str] = {}
    while len(drawn) < training + held_out - len(examined):
        english, italian = pair_of(draw_sentence(rng))
        if english not in examined:
            drawn[english] = italian
    first, spare, known = [], [], set()  # each word's first sentence is for training
    for pair in drawn.items():
        words = set(" ".join(pair).split())
        (spare if words <= known else first).append(pair)
        known |= words
    more = held_out - len(examined)
    return Corpus(first + spare[more:], [*examined.items(), *spare[:more]])
