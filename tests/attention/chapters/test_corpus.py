"""The sentences of *Which bank?* against the same translations made in another way, and the corpus against cheating."""

from itertools import islice

import numpy as np
import pytest

from attention.chapters.corpus import (
    COUPLES,
    LONGEST,
    PROMISED,
    draw_sentence,
    exchanged,
    make_corpus,
    pair_of,
    reversible_pairs,
)
from attention.chapters.which_bank import MEANINGS

from .which_bank_reader import read_aloud

BY_HAND = [  # a rule each
    (
        "i love you very much",
        "ti amo molto",
    ),
    (
        "she does not love him",
        "lei non lo ama",
    ),
    (
        "we love her very much",
        "la amiamo molto",
    ),
    (
        "the river banks are bigger than the old banks in the city",
        "gli argini del fiume sono più grandi delle vecchie banche in città",
    ),
    (
        "the old bank of the river is older than the white banks of the village",
        "il vecchio argine del fiume è più vecchio delle banche bianche del villaggio",
    ),
    (
        "the bank that the boys saw along the river is older than the bank near the station",
        "l' argine che i ragazzi hanno visto lungo il fiume è più vecchio della banca vicino alla stazione",
    ),
    (
        "the money does not grow in the bank",
        "il denaro non cresce in banca",
    ),
    (
        "every day the old river flows along the bank",
        "ogni giorno il vecchio fiume scorre lungo l' argine",
    ),
    (
        "i like the black seals near the lake",
        "mi piacciono le foche nere vicino al lago",
    ),
    (
        "the letter seal is bigger than the clock springs",
        "il sigillo della lettera è più grande delle molle dell' orologio",
    ),
    (
        "the boy 's doctor 's black clock spring is bigger than the queen 's letter seals",
        "la molla nera dell' orologio del medico del ragazzo è più grande dei sigilli della lettera della regina",
    ),
    (
        "the river that the girls saw flows along the bank",
        "il fiume che le ragazze hanno visto scorre lungo l' argine",
    ),
    (
        "the girls that are in the city miss the doctor 's old dog",
        "il vecchio cane del medico manca alle ragazze che sono in città",
    ),
    (
        "yesterday the queen did not open the glass plants",
        "ieri la regina non ha aperto le fabbriche del vetro",
    ),
    (
        "every day the boys read the old book",
        "ogni giorno i ragazzi leggono il vecchio libro",
    ),
    (
        "yesterday the boys read the old book",
        "ieri i ragazzi hanno letto il vecchio libro",
    ),
    (
        "you miss the trunk that the girls chopped",
        "ti manca il tronco che le ragazze hanno tagliato",
    ),
    (
        "the cat that sees the dogs likes the bat that the boy feeds",
        "il pipistrello che il ragazzo nutre piace al gatto che vede i cani",
    ),
    (
        "the trunk that the doctors opened is older than the school bats",
        "il baule che i medici hanno aperto è più vecchio delle mazze della scuola",
    ),
]


@pytest.fixture(scope="module")
def corpus():
    """A corpus of the usual size."""
    return make_corpus(np.random.default_rng(2017))


@pytest.mark.parametrize(("english", "italian"), BY_HAND)
def test_the_reader_knows_italian(english, italian):
    """The other way of translating gives what was written by hand."""
    assert read_aloud(english) == italian


def test_every_sentence_made_twice_is_the_same(corpus):
    """English alone says what the Italian is, by rules and forms that are written out a second time."""
    for english, italian in (*corpus.training, *corpus.held_out):
        assert read_aloud(english) == italian


def test_every_noun_and_place_tells_its_meaning(corpus):
    """Training shows each meaning with every noun and every place that tells it.

    That one meaning is told in every sentence, and one only, is what the reader above refuses to do without.
    """
    said = [english for english, _ in corpus.training]
    for meaning in MEANINGS:
        one, many = meaning.noun.english
        for before in meaning.before:
            assert any(f"{before.english[0]} {noun}" in one_said for one_said in said for noun in (one, many))
        for of in meaning.of:
            assert any(f"{noun} of the {of.english[0]}" in one_said for one_said in said for noun in (one, many))
        for place in meaning.at:
            behind = f"{place.preposition} the {place.noun.english[0]}"
            assert any(f"{noun} {behind}" in one_said for one_said in said for noun in (one, many))


def test_sentences_are_no_longer_than_promised(corpus):
    """No sentence has more than LONGEST words, and half have at least ten."""
    lengths = [len(english.split()) for english, _ in (*corpus.training, *corpus.held_out)]
    assert max(lengths) <= LONGEST
    assert np.median(lengths) >= 10


def test_what_is_held_out(corpus):
    """Of 12,500 different pairs 500 are held out, the promised ones first, and training shows none of these."""
    assert (len(corpus.training), len(corpus.held_out)) == (12_000, 500)
    assert len({english for english, _ in (*corpus.training, *corpus.held_out)}) == 12_500
    assert corpus.held_out[: len(PROMISED)] == PROMISED


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_word_is_new_in_the_examination(seed):
    """Training shows every word of either language, in a small corpus, too."""
    corpus = make_corpus(np.random.default_rng(seed), 2000, 500)
    for side in (0, 1):
        taught, examined = ({word for pair in part for word in pair[side].split()} for part in corpus)
        assert examined <= taught


def test_couples_are_held_out_together(corpus):
    """At least COUPLES sentences are held out with another of the same words that means something else."""
    couples = reversible_pairs(corpus.held_out)
    assert len(couples) >= COUPLES
    assert all(one[1] != other[1] for one, other in couples)


def test_exchanged_twice_is_the_same():
    """The cat sees the dog, the dog sees the cat: the same English words, another Italian sentence."""
    rng = np.random.default_rng(4)
    trees = list(islice((tree for tree in iter(lambda: draw_sentence(rng), None) if exchanged(tree)), 100))
    for tree in trees:
        assert exchanged(exchanged(tree)) == tree
        (english, italian), (other_english, other_italian) = pair_of(tree), pair_of(exchanged(tree))
        assert sorted(english.split()) == sorted(other_english.split())
        assert italian != other_italian


def test_the_same_seed_makes_the_same_corpus(corpus):
    """The draw repeats itself; another seed makes another."""
    assert make_corpus(np.random.default_rng(2017)) == corpus
    assert make_corpus(np.random.default_rng(2018)) != corpus


@pytest.mark.parametrize(("training", "held_out"), [(1999, 500), (12_000, 119)])
def test_an_impossible_size_is_an_error(training, held_out):
    """Too few pairs teach nothing or examine nothing."""
    with pytest.raises(ValueError, match=rf"got {training} and {held_out}: fewer"):
        make_corpus(np.random.default_rng(1), training, held_out)
