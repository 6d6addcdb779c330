"""The grammar of *Which bank?*, which says the same thing in English and in Italian.

Six English words have two meanings, and Italian has a word for each: a river bank is *un argine*, a bank in the city
*una banca*. Another word decides, somewhere in the sentence, and only for its own noun: what stands before the noun or
behind it, or the verb whose object it is. Other words stand around it that decide nothing.

A sentence is drawn as a tree, which is then said twice, by ``in_english`` and by ``in_italian``. What Italian does and
English does not:

============================  ==================================================================================
gender, number                the white bank in the city → la banca bianca in città
article before a vowel        the river bank → l' argine del fiume, the banks → gli argini
preposition and article       in the forest → nella foresta, near the lake → vicino al lago; but in città, in banca
place of the adjective        the black seals → le foche nere, the old seals → le vecchie foche
noun before a noun            the clock spring → la molla dell' orologio
owners                        the boy 's doctor 's clock spring → la molla dell' orologio del medico del ragazzo
comparison                    older than the banks → più vecchio degli argini
verb and its subject          the boys that the girl sees read → i ragazzi che la ragazza vede leggono
past                          they did not find → non hanno trovato
tense told by the time alone  yesterday they read → ieri hanno letto, every day they read → ogni giorno leggono
pronouns                      she does not love me → lei non mi ama; i, you, we and they hide in the verb's ending
turned round                  the girl likes the seals → le foche piacciono alla ragazza
============================  ==================================================================================
"""

from collections.abc import Sequence
from typing import NamedTuple


class Noun(NamedTuple):
    """A noun for one and for many in both languages; ``in_alone`` if Italian says *in* before it without an article."""

    english: tuple[str, str]
    italian: tuple[str, str]
    gender: str
    in_alone: bool = False


class Verb(NamedTuple):
    """A verb's English forms, its Italian ones for io, tu, lui or lei, noi, loro, and its participle, "" for none."""

    english: tuple[str, str, str]
    italian: tuple[str, ...]
    participle: str = ""


class Place(NamedTuple):
    """A preposition and a noun, such as in the forest."""

    preposition: str
    noun: Noun


class Meaning(NamedTuple):
    """One of a word's two meanings: its noun, and the nouns, places and verbs that tell it."""

    noun: Noun
    before: Sequence[Noun]
    of: Sequence[Noun]
    at: Sequence[Place]
    done: Sequence[Verb]


class Pronoun(NamedTuple):
    """A pronoun as subject and as object, which Italian puts before the verb, and the form of its verb."""

    english: tuple[str, str]
    italian: tuple[str, str]
    form: int


NOBODY = Pronoun(("", ""), ("", ""), 2)


class Phrase(NamedTuple):
    """A noun with its article, and all that is said about it."""

    noun: Noun
    many: bool = False
    adjective: str = ""
    owners: tuple[Noun, ...] = ()  # the boy 's doctor 's: the last one owns it
    before: Noun | None = None  # another noun that stands before it in English: the river bank
    of: Noun | None = None  # the same behind it: the bank of the river
    place: Place | None = None
    clause: "Clause | None" = None

    @property
    def form(self) -> int:
        """Return the form of a verb whose subject this is."""
        return 4 if self.many else 2


class Clause(NamedTuple):
    """What somebody does. NOBODY stands for the noun before a clause, and where a verb takes no object."""

    subject: Phrase | Pronoun
    verb: Verb
    object: Phrase | Pronoun = NOBODY
    past: bool = False
    negated: bool = False
    place: Place | None = None
    time: str = ""
    very_much: bool = False


class Comparison(NamedTuple):
    """One thing is older, or bigger, than another."""

    first: Phrase
    adjective: str
    second: Phrase


class Liking(NamedTuple):
    """Somebody likes or misses something, of which Italian makes the subject."""

    who: Phrase | Pronoun
    verb: str
    what: Phrase


Tree = Clause | Comparison | Liking


def _noun(forms: str, in_alone: bool = False) -> Noun:
    """Read a noun, such as "bank banks argine argini m"."""
    one, many, uno, molti, gender = forms.split()
    return Noun((one, many), (uno, molti), gender, in_alone)


def _verb(english: str, italian: str, participle: str = "") -> Verb:
    """Read a verb, such as "see sees saw", "vedo vedi vede vediamo vedono", "visto"."""
    base, third, past = english.split()
    return Verb((base, third, past), tuple(italian.split()), participle)


BOY, GIRL = _noun("boy boys ragazzo ragazzi m"), _noun("girl girls ragazza ragazze f")
DOCTOR, QUEEN = _noun("doctor doctors medico medici m"), _noun("queen queens regina regine f")
CAT, DOG = _noun("cat cats gatto gatti m"), _noun("dog dogs cane cani m")
PEOPLE, ANIMALS = [BOY, GIRL, DOCTOR, QUEEN], [CAT, DOG]
BOOK, MONEY, CLOCK = _noun("book books libro libri m"), _noun("money - denaro - m"), _noun("clock - orologio - m")
LETTER, SCHOOL, GLASS = _noun("letter - lettera - f"), _noun("school - scuola - f"), _noun("glass - vetro - m")
FOREST, VALLEY = _noun("forest - foresta - f"), _noun("valley - valle - f")
LAKE, RIVER = _noun("lake - lago - m"), _noun("river - fiume - m")
CITY, STATION = _noun("city - città - f", in_alone=True), _noun("station - stazione - f")
VILLAGE = _noun("village - villaggio - m")
IN_FOREST, IN_VALLEY, IN_CITY = Place("in", FOREST), Place("in", VALLEY), Place("in", CITY)
ALONG_RIVER = Place("along", RIVER)
NEAR_LAKE, NEAR_RIVER, NEAR_STATION = Place("near", LAKE), Place("near", RIVER), Place("near", STATION)
BEHIND_SCHOOL, IN_VILLAGE = Place("behind", SCHOOL), Place("in", VILLAGE)
PLACES = [IN_FOREST, IN_VALLEY, IN_CITY, IN_VILLAGE, NEAR_LAKE, NEAR_RIVER, NEAR_STATION, BEHIND_SCHOOL]

LOVE = _verb("love loves -", "amo ami ama amiamo amano")  # not in the past: Italian would say it in another tense
SEE = _verb("see sees saw", "vedo vedi vede vediamo vedono", "visto")
FIND = _verb("find finds found", "trovo trovi trova troviamo trovano", "trovato")
READ = _verb("read reads read", "leggo leggi legge leggiamo leggono", "letto")
REPAIR = _verb("repair repairs repaired", "riparo ripari ripara ripariamo riparano", "riparato")
OPEN = _verb("open opens opened", "apro apri apre apriamo aprono", "aperto")
USE = _verb("use uses used", "uso usi usa usiamo usano", "usato")
FEED = _verb("feed feeds fed", "nutro nutri nutre nutriamo nutrono", "nutrito")
CHOP = _verb("chop chops chopped", "taglio tagli taglia tagliamo tagliano", "tagliato")
DISCOVER = _verb("discover discovers discovered", "scopro scopri scopre scopriamo scoprono", "scoperto")
BE = _verb("are is -", "sono sei è siamo sono")
GROW = _verb("grow grows -", "cresco cresci cresce cresciamo crescono")
FLOW = _verb("flow flows -", "scorro scorri scorre scorriamo scorrono")
ACTIONS = [LOVE, SEE, FIND]

ARGINE, BANCA = _noun("bank banks argine argini m"), _noun("bank banks banca banche f", in_alone=True)
MEANINGS = [
    Meaning(ARGINE, [RIVER], [RIVER], [ALONG_RIVER], []),
    Meaning(BANCA, [CITY, VILLAGE], [CITY, VILLAGE], [IN_CITY, IN_VILLAGE, NEAR_STATION], [OPEN]),
    Meaning(_noun("bat bats pipistrello pipistrelli m"), [FOREST], [FOREST], [IN_FOREST, IN_VALLEY, NEAR_LAKE], [FEED]),
    Meaning(_noun("bat bats mazza mazze f"), [SCHOOL], [SCHOOL], [], [USE, REPAIR]),
    Meaning(_noun("plant plants pianta piante f"), [FOREST], [FOREST], [IN_FOREST], [CHOP]),
    Meaning(_noun("plant plants fabbrica fabbriche f"), [GLASS], [], [], [OPEN]),
    Meaning(
        _noun("spring springs sorgente sorgenti f"),
        [FOREST, VALLEY],
        [FOREST, VALLEY],
        [IN_FOREST, IN_VALLEY, NEAR_LAKE],
        [DISCOVER],
    ),
    Meaning(_noun("spring springs molla molle f"), [CLOCK], [CLOCK], [], [REPAIR]),
    Meaning(_noun("seal seals foca foche f"), [LAKE], [LAKE], [NEAR_LAKE, NEAR_RIVER], [FEED]),
    Meaning(_noun("seal seals sigillo sigilli m"), [LETTER], [LETTER], [], [USE, REPAIR]),
    Meaning(_noun("trunk trunks tronco tronchi m"), [FOREST], [FOREST], [IN_FOREST], [CHOP]),
    Meaning(_noun("trunk trunks baule bauli m"), [SCHOOL], [SCHOOL], [], [OPEN, USE]),
]
ALIVE = {"pipistrello", "foca"}  # of these nouns, those that may do something, too
ADJECTIVES = {
    "old": ("vecchio", "vecchia", "vecchi", "vecchie"),
    "white": ("bianco", "bianca", "bianchi", "bianche"),
    "black": ("nero", "nera", "neri", "nere"),
}
COMPARED = {"older": ADJECTIVES["old"], "bigger": ("grande", "grande", "grandi", "grandi")}
LIKING = {"like": ("likes", "piace", "piacciono"), "miss": ("misses", "manca", "mancano")}
HAVE = ("ho", "hai", "ha", "abbiamo", "hanno")
I_ME, YOU = Pronoun(("i", "me"), ("", "mi"), 0), Pronoun(("you", "you"), ("", "ti"), 1)
HE, SHE = Pronoun(("he", "him"), ("lui", "lo"), 2), Pronoun(("she", "her"), ("lei", "la"), 2)
WE, THEY = Pronoun(("we", "us"), ("", "ci"), 3), Pronoun(("they", "them"), ("", "li"), 4)
PRONOUNS = [I_ME, YOU, HE, SHE, WE, THEY]
TIMES = {"yesterday": "ieri", "every day": "ogni giorno", "": ""}


def in_english(tree: Tree) -> str:
    """Say a sentence in English."""
    if isinstance(tree, Comparison):
        are = "are" if tree.first.many else "is"
        return _join(_the(tree.first), are, tree.adjective, "than", _the(tree.second))
    if isinstance(tree, Liking):
        likes = LIKING[tree.verb][0] if tree.who.form == 2 else tree.verb
        who = tree.who.english[0] if isinstance(tree.who, Pronoun) else _the(tree.who)
        return _join(who, likes, _the(tree.what))
    return _does(tree, tree.subject.form)


def _does(clause: Clause, form: int) -> str:
    """Say what somebody does in English: in the present, only the third person singular changes the verb."""
    subject, object_ = clause.subject, clause.object
    base, third, past = clause.verb.english
    said = past if clause.past else third if form == 2 else base
    if clause.negated:
        said = _join("did" if clause.past else "does" if form == 2 else "do", "not", base)
    who = subject.english[0] if isinstance(subject, Pronoun) else _the(subject)
    whom = object_.english[1] if isinstance(object_, Pronoun) else _the(object_)
    return _join(clause.time, who, said, whom, _at(clause.place), "very much" if clause.very_much else "")


def _the(phrase: Phrase) -> str:
    """Say an English noun with all that is said about it."""
    owners = _join(*(f"{noun.english[0]} 's" for noun in phrase.owners))
    before = phrase.before.english[0] if phrase.before else ""
    of = f"of the {phrase.of.english[0]}" if phrase.of else ""
    noun, that = phrase.noun.english[phrase.many], "that" if phrase.clause else ""
    clause = _does(phrase.clause, _form_in(phrase.clause, phrase)) if phrase.clause else ""
    return _join("the", owners, phrase.adjective, before, noun, of, _at(phrase.place), that, clause)


def _form_in(clause: Clause, head: Phrase) -> int:
    """Return the form of the verb in a clause behind a noun, which may be its subject."""
    return head.form if clause.subject is NOBODY else clause.subject.form


def _at(place: Place | None) -> str:
    """Say an English place."""
    return f"{place.preposition} the {place.noun.english[0]}" if place else ""


def in_italian(tree: Tree) -> str:
    """Say a sentence in Italian."""
    if isinstance(tree, Comparison):
        are, bigger = "sono" if tree.first.many else "è", _agreeing(COMPARED[tree.adjective], tree.first)
        return _join(_il(tree.first), are, "più", bigger, _il(tree.second, "di"))
    if isinstance(tree, Liking):
        likes = LIKING[tree.verb][1 + tree.what.many]
        if isinstance(tree.who, Pronoun):
            return _join(tree.who.italian[1], likes, _il(tree.what))
        return _join(_il(tree.what), likes, _il(tree.who, "a"))
    return _fa(tree, tree.subject.form)


def _fa(clause: Clause, form: int) -> str:
    """Say what somebody does in Italian: a pronoun and non stand before the verb."""
    subject, object_ = clause.subject, clause.object
    who = subject.italian[0] if isinstance(subject, Pronoun) else _il(subject)
    clitic, whom = (object_.italian[1], "") if isinstance(object_, Pronoun) else ("", _il(object_))
    said = f"{HAVE[form]} {clause.verb.participle}" if clause.past else clause.verb.italian[form]
    non, molto = "non" if clause.negated else "", "molto" if clause.very_much else ""
    return _join(TIMES[clause.time], who, non, clitic, said, molto, whom, _dove(clause.place))


def _il(phrase: Phrase, preposition: str = "") -> str:
    """Say an Italian noun with all that is said about it, behind a preposition if there is one."""
    adjective = _agreeing(ADJECTIVES[phrase.adjective], phrase) if phrase.adjective else ""
    words = (adjective, phrase.noun.italian[phrase.many])
    said = _join(*(words if phrase.adjective == "old" else words[::-1]))
    chain = [noun for noun in (phrase.before, phrase.of, *phrase.owners[::-1]) if noun]
    of = [_with_article(noun, noun.italian[0], False, "di") for noun in chain]
    che = f"che {_fa(phrase.clause, _form_in(phrase.clause, phrase))}" if phrase.clause else ""
    return _join(_with_article(phrase.noun, said, phrase.many, preposition), *of, _dove(phrase.place), che)


def _dove(place: Place | None) -> str:
    """Say an Italian place: in, vicino a, dietro, lungo."""
    if place is None:
        return ""
    noun, said = place.noun, place.noun.italian[0]
    if place.preposition == "in":
        return f"in {said}" if noun.in_alone else _with_article(noun, said, False, "in")
    if place.preposition == "near":
        return f"vicino {_with_article(noun, said, False, 'a')}"
    return _join({"behind": "dietro", "along": "lungo"}[place.preposition], _with_article(noun, said, False))


def _with_article(noun: Noun, said: str, many: bool, preposition: str = "") -> str:
    """Put a noun's article before what is said of it, melted with di, a or in: di + il is del."""
    article = {"m": ("il", "i"), "f": ("la", "le")}[noun.gender][many]
    if said[0] in "aeiou":
        article = {"il": "l'", "la": "l'", "i": "gli", "le": "le"}[article]
    if preposition:
        stem = {"di": "de", "a": "a", "in": "ne"}[preposition]
        article = stem + {"il": "l", "la": "lla", "l'": "ll'", "le": "lle"}.get(article, article)
    return f"{article} {said}"


def _agreeing(forms: Sequence[str], phrase: Phrase) -> str:
    """Return the form of an adjective that agrees with a noun."""
    return forms[(phrase.noun.gender == "f") + 2 * phrase.many]


def _join(*words: str) -> str:
    """Put the words that are there side by side."""
    return " ".join(word for word in words if word)
