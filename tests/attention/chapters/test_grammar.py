"""The grammar's Italian against pairs written by hand, and the corpus against what would make it too easy."""

import numpy as np
import pytest

from attention.chapters.grammar import (
    AT_THE_END,
    BEFORE_THE_VERB,
    COUPLES,
    NOUNS,
    PROMISED,
    PRONOUNS,
    VERBS,
    make_corpus,
    pairs,
    reversible_pairs,
)

BY_HAND = {
    "i love you very much": "ti amo molto",
    "you love me": "mi ami",
    "he loves her": "lui la ama",
    "she does not love him very much": "lei non lo ama molto",
    "we always love you all": "vi amiamo sempre",
    "you all love us": "ci amate",
    "they love them": "li amano",
    "i never see them": "non li vedo mai",
    "you do not see the white house": "non vedi la casa bianca",
    "they see the black book here": "vedono qui il libro nero",
    "the boy knows the girl well": "il ragazzo conosce bene la ragazza",
    "you all know me well": "mi conoscete bene",
    "we do not hear you now": "non ti sentiamo ora",
    "the dog always waits for the boy": "il cane aspetta sempre il ragazzo",
    "she looks for the black cat here": "lei cerca qui il gatto nero",
    "you look for me": "mi cerchi",
    "they often call the white dog": "chiamano spesso il cane bianco",
    "i do not understand you well": "non ti capisco bene",
    "they do not help the girl now": "non aiutano ora la ragazza",
    "the cat never hears us": "il gatto non ci sente mai",
}
MADE_BY_HAND = sorted(BY_HAND.items())


@pytest.fixture(scope="module")
def everything():
    """All that the grammar says: English -> Italian."""
    return dict(pairs())


@pytest.fixture(scope="module")
def corpus():
    """The corpus as the book draws it."""
    return make_corpus(np.random.default_rng(2017))


@pytest.mark.parametrize(("english", "italian"), MADE_BY_HAND)
def test_agreement(everything, english, italian):
    """Verb and subject, article, colour and noun agree; pronouns, adverbs and non are where Italian wants them."""
    assert everything[english] == italian


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.english)
def test_every_verb_has_six_forms(verb):
    """Io, tu, lui, noi, voi and loro each have their own form, with the ending that regular verbs share."""
    assert len(set(verb.italian)) == 6
    endings = [("o",), ("i",), ("a", "e"), ("iamo",), ("ate", "ete", "ite"), ("ano", "ono")]
    assert all(form.endswith(ending) for form, ending in zip(verb.italian, endings, strict=True))


def test_one_translation_each():
    """The grammar says thousands of sentences, none twice, each with one translation, in lower case, without dots."""
    said = list(pairs())
    assert len({english for english, _ in said}) == len(said) > 5000
    assert all(character == " " or "a" <= character <= "z" for character in set("".join(map("".join, said))))
    assert not any(verb in english for english, _ in said for verb in ("i see us", "you love you", "she see "))


def test_what_is_held_out(corpus):
    """Of 1,650 different pairs 300 are held out, I love you very much among them, and training shows none of these."""
    assert (len(corpus.training), len(corpus.held_out)) == (1350, 300)
    assert len({*corpus.training, *corpus.held_out}) == 1650
    assert corpus.held_out[: len(PROMISED)] == PROMISED
    assert PROMISED[0] == ("i love you very much", "ti amo molto")


@pytest.mark.parametrize("seed", [2017, 1, 2])
def test_couples_are_held_out_together(everything, seed):
    """After PROMISED come 45 pairs, each with its nouns swapped in both languages; training shows neither half."""
    corpus = make_corpus(np.random.default_rng(seed))
    couples = reversible_pairs(corpus.held_out)
    assert len(couples) >= COUPLES == 45
    for one, other in couples:
        assert everything[exchanged(one[0])] == other[1]
        assert exchanged(other[0]) == one[0]
        assert everything[one[0]] == one[1] != other[1]
    behind = corpus.held_out[len(PROMISED) :][: 2 * COUPLES]
    assert [{*couple} for couple in couples[:COUPLES]] == [{*behind[i : i + 2]} for i in range(0, 2 * COUPLES, 2)]


def exchanged(english):
    """Let the first and the last noun of an English sentence change places."""
    nouns = [english_noun for english_noun, _, _ in NOUNS]
    first, last = [word for word in english.split() if word in nouns]
    return " ".join({first: last, last: first}.get(word, word) for word in english.split())


def test_every_sentence_that_can_be_reversed_is_found(everything):
    """Couples are all sentences of two different nouns that the grammar also says with these nouns exchanged."""
    found = {frozenset(pair[0] for pair in couple) for couple in reversible_pairs(everything.items())}
    nouns = {english_noun for english_noun, _, _ in NOUNS}
    about_two = [english for english in everything if len(nouns & set(english.split())) == 2]
    assert found == {frozenset((said, exchanged(said))) for said in about_two if exchanged(said) in everything}
    assert {"the cat sees the dog", "the dog sees the cat"} in found


@pytest.mark.parametrize(("training", "held_out"), [(270, 100), (1350, 300)])
def test_no_word_is_new_in_the_examination(everything, training, held_out):
    """Training shows every word of either language, however small the corpus."""
    corpus = make_corpus(np.random.default_rng(7), training, held_out)
    for side, said in enumerate((everything, everything.values())):
        taught = {word for pair in corpus.training for word in pair[side].split()}
        assert taught == set(" ".join(said).split())
    assert (len(corpus.training), len(corpus.held_out)) == (training, held_out)


def test_the_same_seed_makes_the_same_corpus(corpus):
    """The split repeats itself; another seed makes another."""
    assert make_corpus(np.random.default_rng(2017)) == corpus
    assert make_corpus(np.random.default_rng(2018)) != corpus


def test_copying_fails(corpus):
    """No held-out sentence is its own translation."""
    assert not any(english == italian for english, italian in corpus.held_out)


def by_dictionary(sentence):
    """Translate word by word, with one form of each verb and number, and nothing for words that Italian leaves out."""
    dictionary = dict.fromkeys(["i", "we", "they", "all", "do", "does", "very", "for"], "")
    dictionary |= {"the": "il", "not": "non", "much": "molto", "black": "nero", "white": "bianco"}
    dictionary |= dict(phrase.object for phrase in PRONOUNS) | {"he": "lui", "she": "lei"}
    dictionary |= {english: italian.split()[1] for english, italian, _ in NOUNS} | BEFORE_THE_VERB | AT_THE_END
    for verb in VERBS:
        dictionary |= {verb.english.split()[0]: verb.italian[0], verb.english_s.split()[0]: verb.italian[2]}
    return " ".join(filter(None, (dictionary[word] for word in sentence.split())))


def test_a_dictionary_fails(everything, corpus):
    """Word by word gets some sentences right, but less than 30% of those held out, and of all."""
    assert by_dictionary("he knows the boy") == everything["he knows the boy"]
    for examination in (corpus.held_out, everything.items()):
        assert np.mean([by_dictionary(source) == target for source, target in examination]) < 0.3


@pytest.mark.parametrize(("training", "held_out"), [(269, 300), (1350, 99), (100_000, 300)])
def test_an_impossible_size_is_an_error(training, held_out):
    """Too few pairs teach nothing or examine nothing, and the grammar cannot say more than it can."""
    with pytest.raises(ValueError, match=rf"together at most \d+, got {training} and {held_out}: fewer"):
        make_corpus(np.random.default_rng(1), training, held_out)
