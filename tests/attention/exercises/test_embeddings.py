"""The checks of chapter 2: the inputs bring every mistake out."""

import numpy as np
import pytest

from attention.exercises import exercises_of
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

EXERCISES = exercises_of("embeddings")
SEEDS = range(20)


def cases(name, criterion, seed):
    """Return every case of one criterion, by its label."""
    return {case.label: case for asked, case in EXERCISES[name].questions(seed) if asked == criterion}


@pytest.mark.parametrize("seed", SEEDS)
def test_words_come_in_no_order_that_something_else_has(seed):
    """The alphabet, the frequency of words and their places in the text all give another vocabulary."""
    for case in cases("vocabulary", "unseen", seed).values():
        words = " ".join(case.args[0]).lower().split()
        right = list(dict.fromkeys(words))
        assert right != sorted(right)
        assert max(right, key=words.count) == right[-1]
        assert len(words) > len(right)
        assert any(word != word.lower() for word in " ".join(case.args[0]).split())


@pytest.mark.parametrize("seed", SEEDS)
def test_every_unknown_word_raises(seed):
    """The cases of an unknown word are those that expect a KeyError, and there is one of each kind."""
    for name in ("one_hot", "bag_of_words"):
        for label, case in cases(name, "edges", seed).items():
            if label == "an unknown word":
                with pytest.raises(KeyError):
                    EXERCISES[name].reference(*case.args)
            else:
                EXERCISES[name].reference(*case.args)


def test_counts_are_no_mirror_image():
    """Columns in the order of a dictionary that is upside down are wrong for every seed: 69 and 265 once were not."""
    for seed in (*SEEDS, 69, 265):
        case = cases("bag_of_words", "edges", seed)["a vocabulary in another order"]
        counts = EXERCISES["bag_of_words"].reference(*case.args)
        assert (counts[0] != counts[0, ::-1]).any()


@pytest.mark.parametrize("seed", SEEDS)
def test_unseen_documents_tell_mistakes_apart(seed):
    """Every document has words; one word is in all of them, and one is in a single document, more than once."""
    for case in cases("tf_idf", "unseen", seed).values():
        (counts,) = case.args
        df = (counts > 0).sum(axis=0)
        assert counts.sum(axis=1).min() > 1
        assert df.min() > 0
        assert len(counts) in df
        assert ((df == 1) & (counts.max(axis=0) > 1)).any()


@pytest.mark.parametrize("seed", SEEDS)
def test_senses_are_used_unequally(seed):
    """No two senses are used alike often, so that none can be taken for another."""
    for case in cases("average_meaning", "unseen", seed).values():
        assert len(set(case.args[1])) == len(case.args[1])


def sorted_vocabulary(sentences):
    """Return the right vocabulary, with its words in the order of the alphabet."""
    return dict(sorted(EXERCISES["vocabulary"].reference(sentences).items()))


def counted_in_lists(sentences, vocab):
    """Count with Python's own lists, and refuse what the vocabulary does not hold."""
    lines = [sentence.lower().split() for sentence in sentences]
    if unknown := {word for line in lines for word in line} - set(vocab):
        raise KeyError(f"{unknown} not in the vocabulary")
    return [[line.count(word) for word in sorted(vocab, key=vocab.get)] for line in lines]


def nan_swept_away(a, b):
    """Divide the dot products by both lengths, and put 0 for what is NaN."""
    lengths = np.linalg.norm(a, axis=-1)[..., :, None] * np.linalg.norm(b, axis=-1)[..., None, :]
    return np.nan_to_num(np.einsum("...nd,...md->...nm", a, b) / lengths)


@pytest.mark.parametrize(
    ("name", "other_way"),
    [
        ("vocabulary", sorted_vocabulary),
        ("bag_of_words", counted_in_lists),
        ("cosine_similarity", nan_swept_away),
        ("average_meaning", lambda senses, counts: np.average(senses, axis=0, weights=counts)),
    ],
)
def test_another_way_to_write_it_is_right(name, other_way):
    """A dictionary in another order, nested lists, NaN swept away and NumPy's own average are as good."""
    for seed in SEEDS[:3]:
        questions = EXERCISES[name].questions(seed)
        verdict = judge(EXERCISES[name], seed, [reply_of(other_way, case) for _, case in questions])
        assert verdict.message == "Right."
