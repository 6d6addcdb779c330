"""Tells whether an Italian sentence is one that the grammar of *Which bank?* can say.

The sentence is read as every tree that it might be, without a look at agreement or articles. It can be said if one of
these trees, said in Italian, is the sentence, and tells the meaning of each of its nouns.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, product

from attention.chapters.which_bank import (
    ACTIONS,
    ADJECTIVES,
    ALONG_RIVER,
    ANIMALS,
    ARGINE,
    BANCA,
    BE,
    BOOK,
    COMPARED,
    FLOW,
    GROW,
    HAVE,
    I_ME,
    LIKING,
    MEANINGS,
    MONEY,
    NOBODY,
    PEOPLE,
    PLACES,
    PRONOUNS,
    READ,
    RIVER,
    TIMES,
    WE,
    YOU,
    Clause,
    Comparison,
    Liking,
    Phrase,
    Place,
    Pronoun,
    Tree,
    Verb,
    in_italian,
)

OF_NOUN = {meaning.noun: meaning for meaning in MEANINGS}
SIGNS = [noun for meaning in MEANINGS for noun in (*meaning.before, *meaning.of)]
NOUNS = {*PEOPLE, *ANIMALS, BOOK, MONEY, RIVER, *OF_NOUN, *SIGNS}
VERBS = {*ACTIONS, READ, BE, GROW, FLOW, *chain.from_iterable(meaning.done for meaning in MEANINGS)}
ARTICLES = {
    *("il", "la", "l'", "i", "gli", "le"),
    *(stem + rest for stem in ("de", "a", "ne") for rest in ("l", "lla", "ll'", "i", "gli", "lle")),
}
SOMEWHERE = [*PLACES, ALONG_RIVER, Place("in", BANCA), Place("along", ARGINE)]
FORMS = defaultdict(list)  # Italian form -> nouns, and whether it is that of many
for noun, many in product(NOUNS, (False, True)):
    FORMS[noun.italian[many]].append((noun, many))
END = "."  # behind the last word

Found = Iterator[tuple]  # a part of a tree, and the number of the word behind it


def can_be_said(sentence: str) -> bool:
    """Say whether the grammar can say an Italian sentence."""
    return any(in_italian(tree) == sentence and _is_told(tree) for tree in _trees([*sentence.split(), END]))


def _trees(words: list[str]) -> Iterator[Tree]:
    """Yield every tree that a sentence might be."""
    for tree, i in chain(_comparisons(words), _likings(words), _main_clauses(words)):
        if words[i:] == [END]:
            yield tree


def _comparisons(words: list[str]) -> Found:
    """Read: l' argine è più vecchio della banca."""
    for first, i in _phrases(words, 0):
        if words[i] in ("è", "sono") and words[i + 1] == "più":
            for adjective in [name for name, forms in COMPARED.items() if words[i + 2] in forms]:
                for second, k in _phrases(words, i + 3):
                    yield Comparison(first, adjective, second), k


def _likings(words: list[str]) -> Found:
    """Read: mi piace la foca; la foca piace al medico."""
    for verb, (_, *forms) in LIKING.items():
        for who in [pronoun for pronoun in (I_ME, YOU, WE) if pronoun.italian[1] == words[0] and words[1] in forms]:
            yield from ((Liking(who, verb, what), k) for what, k in _phrases(words, 2))
        for what, i in _phrases(words, 0):
            if words[i] in forms:
                yield from ((Liking(who, verb, what), k) for who, k in _phrases(words, i + 1))


def _main_clauses(words: list[str]) -> Found:
    """Read: ogni giorno lui non la ama; il denaro cresce in banca."""
    time, i = next(
        (time, len(said.split())) for time, said in TIMES.items() if words[: len(said.split())] == said.split()
    )
    hidden = [pronoun for pronoun in PRONOUNS if pronoun.italian[0] in ("", words[i])]
    subjects = [(pronoun, i + bool(pronoun.italian[0])) for pronoun in hidden]
    for subject, j in chain(subjects, _phrases(words, i)):
        negated = words[j] == "non"
        for clitic, verb, past, k in _verbs(words, j + negated):
            much = words[k] == "molto"
            objects = [(clitic or NOBODY, k + much)] if clitic or verb in (GROW, FLOW) else _phrases(words, k)
            for object_, m in objects:
                for place, n in _places(words, m):
                    yield Clause(subject, verb, object_, past, negated, place, time, much), n


def _phrases(words: list[str], i: int, clauses: bool = True) -> Found:
    """Read: la vecchia molla dell' orologio del medico; il ragazzo che vede il cane."""
    if words[i] not in ARTICLES:
        return
    i += 1
    adjective = _adjective(words[i])
    i += bool(adjective)
    for noun, many in FORMS.get(words[i], ()):
        j = i + 1
        described = adjective or _adjective(words[j])
        j += bool(described) and not adjective
        owned = []
        while words[j] in ARTICLES and words[j].startswith("de") and words[j + 1] in FORMS:
            owned.append(FORMS[words[j + 1]][0][0])
            j += 2
        of = owned.pop(0) if owned and noun in OF_NOUN and owned[0] not in PEOPLE else None
        phrase = Phrase(noun, many, described, tuple(owned[::-1]), of=of)
        yield from ((phrase._replace(place=place), k) for place, k in _places(words, j))
        if clauses and words[j] == "che":
            yield from ((phrase._replace(clause=clause), k) for clause, k in _clauses(words, j + 1))


def _clauses(words: list[str], i: int) -> Found:
    """Read what stands behind che: il medico vede; vede il medico; è nella foresta."""
    for subject, j in chain([(NOBODY, i)], _phrases(words, i, clauses=False)):
        for clitic, verb, past, k in _verbs(words, j):
            needs_one = subject is NOBODY and not clitic and verb is not BE
            for object_, m in _phrases(words, k, clauses=False) if needs_one else [(NOBODY, k)]:
                for place, n in _places(words, m):
                    yield Clause(subject, verb, object_, past, place=place), n


def _verbs(words: list[str], i: int) -> Found:
    """Read a verb, with a pronoun before it: lo vede, ha visto. Yields the pronoun, too, and whether it is past."""
    clitic = next((pronoun for pronoun in PRONOUNS if pronoun.italian[1] == words[i]), None)
    i += clitic is not None
    yield from ((clitic, verb, False, i + 1) for verb in VERBS if words[i] in verb.italian)
    if words[i] in HAVE:
        yield from ((clitic, verb, True, i + 2) for verb in VERBS if words[i + 1] == verb.participle)


def _places(words: list[str], i: int) -> Found:
    """Read a place, or none."""
    yield None, i
    for place in SOMEWHERE:
        said = in_italian(Clause(NOBODY, BE, place=place)).split()[1:]
        if words[i : i + len(said)] == said:
            yield place, i + len(said)


def _adjective(word: str) -> str:
    """Return the English adjective of an Italian form; "" for another word."""
    return next((name for name, forms in ADJECTIVES.items() if word in forms), "")


def _is_told(tree: Tree) -> bool:
    """Say whether each noun has, does and suffers what the grammar lets it, so that its meaning is told."""
    if isinstance(tree, Clause) and (tree.place or tree.verb in (BE, GROW, FLOW)):
        subject = tree.subject.noun if isinstance(tree.subject, Phrase) else None
        if (subject, tree.verb, tree.place) not in ((MONEY, GROW, SOMEWHERE[-2]), (RIVER, FLOW, SOMEWHERE[-1])):
            return False
    return all(_has_its_own(*one) for one in _parts(tree))


def _parts(tree: Tree) -> Iterator[tuple[Phrase, bool, list[tuple[Verb, Place | None]]]]:
    """Yield each noun of a sentence, whether it does anything, and what is done to it and where."""
    if isinstance(tree, Comparison):
        phrases = [(tree.first, False, []), (tree.second, False, [])]
    elif isinstance(tree, Liking):
        phrases = [(tree.who, True, []), (tree.what, False, [])]
    else:
        acts = tree.verb not in (GROW, FLOW)
        phrases = [(tree.subject, acts, []), (tree.object, False, [(tree.verb, tree.place)])]
    for phrase, acts, done in phrases:
        if isinstance(phrase, Pronoun):
            continue
        clause = phrase.clause
        if clause is None:
            yield phrase, acts, done
        elif clause.subject is NOBODY:
            yield phrase, True, done
            yield from _parts(clause._replace(place=None))
        else:
            yield phrase, acts, [*done, (clause.verb, clause.place)]
            yield from _parts(clause._replace(place=None))


def _has_its_own(phrase: Phrase, acts: bool, done: list[tuple[Verb, Place | None]]) -> bool:
    """Say whether a noun has the owners, signs and verbs that the grammar lets it have."""
    meaning, verbs = OF_NOUN.get(phrase.noun), {*ACTIONS, *([READ] if phrase.noun == BOOK else ())}
    if not all(owner in PEOPLE for owner in phrase.owners) or (acts and phrase.noun not in (*PEOPLE, *ANIMALS)):
        return False
    if meaning is None:
        return not (phrase.of or phrase.place) and all(verb in verbs and not place for verb, place in done)
    signs = [phrase.of in (*meaning.before, *meaning.of), phrase.place in meaning.at]
    signs += [verb in meaning.done or place in meaning.at for verb, place in done]
    return any(signs) and all(verb in verbs | {*meaning.done} for verb, _ in done)
