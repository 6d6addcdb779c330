"""Training in miniature: the loss falls, the gradient is right, the run repeats itself, and files are as promised."""

import itertools
import json

import autograd
import numpy as np
import pytest

from attention.chapters import translator
from attention.chapters.corpus import PROMISED, Corpus, make_corpus
from attention.chapters.gradients import adam_step
from attention.chapters.inference import translate
from attention.chapters.training import cross_entropy, shift_right
from attention.chapters.transformer import EOS, PAD, SOS, transformer
from attention.chapters.translator import (
    SETTINGS,
    Settings,
    batch_loss,
    batches,
    beam_translations,
    checkpoint,
    checkpoint_steps,
    exact_match,
    flatten,
    greedy_translations,
    number_pairs,
    train,
    unflatten,
    untrained,
)
from tests.support.signatures import unchecked

PAIRS = [
    ("i see you", "ti vedo"),
    ("you see me", "mi vedi"),
    ("i do not see the white cat", "non vedo il gatto bianco"),
    ("you see the cat well", "vedi bene il gatto"),
    ("i hear you well", "ti sento bene"),
]
SMALL = Corpus(PAIRS, [("you hear me", "mi senti"), ("i see the cat", "vedo il gatto")])
SMALL.training.append(("you hear the cat", "senti il gatto"))
TINY = Settings(d_model=12, d_ff=10, h=3, layers=2, batch=4, steps=60, warmup=20, checkpoints=4, longest=7)
BRIEF = TINY._replace(steps=5)


@pytest.fixture(scope="module")
def trained():
    """A tiny model that has learned six sentences by heart, and its record."""
    with unchecked():  # other tests train for some steps with their signatures checked
        return train(SMALL, np.random.default_rng(5), TINY, watched=SMALL.held_out[:1])


@pytest.fixture
def model(rng):
    """A tiny model that knows the six sentences' words."""
    return untrained(SMALL, rng, TINY)


@pytest.fixture(scope="module")
def full_size():
    """The book's corpus and an untrained model of the book's size."""
    rng = np.random.default_rng(2017)
    corpus = make_corpus(rng)
    return corpus, untrained(corpus, rng, SETTINGS)


def test_sentences_become_numbers(model):
    """Shorter sentences are filled up with PAD, and every target ends in EOS before its padding."""
    source, target = number_pairs(PAIRS[:3], model)
    assert (source.shape, target.shape) == ((3, 7), (3, 6))
    words = list(model.target_vocabulary)
    assert [words[i] for i in target[0]] == ["ti", "vedo", EOS, PAD, PAD, PAD]
    assert (source[0, 3:] == model.source_vocabulary[PAD]).all()


def test_every_sentence_once_an_epoch(model):
    """Batches of four from six sentences: all six come before any comes again, cut to the longest of the batch."""
    source, target = number_pairs(SMALL.training, model)
    supply = batches(np.random.default_rng(3), source, target, model, 4)
    epoch = [next(supply) for _ in range(2)]
    assert sorted(len(part) for part, _ in epoch) == [2, 4]
    rows = [tuple(row[row != 0]) for part, _ in epoch for row in part]
    assert sorted(rows) == sorted(tuple(row[row != 0]) for row in source)
    assert all((part != 0).any(axis=0).all() for pair in epoch for part in pair)


def test_a_batch_holds_sentences_of_about_one_length(full_size):
    """No sentence of a batch is longer, both languages together, than the shortest one of a longer batch."""
    corpus, model = full_size
    source, target = number_pairs(corpus.training[:480], model)
    supply = batches(np.random.default_rng(3), source, target, model, 48)
    lengths = [sorted(sum((part != 0).sum(axis=-1) for part in next(supply))) for _ in range(10)]
    assert lengths != sorted(lengths)  # batches come in any order
    ranges = sorted((one[0], one[-1]) for one in lengths)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(ranges))


def test_one_vector_holds_all_parameters(model):
    """Flattening and unflattening gives the same names, shapes and numbers back."""
    back = unflatten(flatten(model.parameters), model.parameters)
    assert back.keys() == model.parameters.keys()
    for name, array in back.items():
        np.testing.assert_array_equal(array, model.parameters[name])


def test_a_batch_weighs_its_real_words_alike(model):
    """Padding plays no part: a batch's loss is the mean over all words of its sentences, taken one by one."""
    flat, total, count = flatten(model.parameters), 0.0, 0
    for pair in PAIRS:
        source, target = number_pairs([pair], model)
        shown = shift_right(target, model.target_vocabulary[SOS])
        logits = transformer(source, shown, model.parameters, model.h, model.layers)
        total += cross_entropy(logits, target, model.target_vocabulary[PAD]) * target.size
        count += target.size
    assert batch_loss(flat, *number_pairs(PAIRS, model), model) == pytest.approx(total / count, abs=1e-12)


def test_the_gradient_of_the_flat_vector(model):
    """Moving the first, the last, the steepest and some other numbers by 1e-5 changes the loss as autograd says."""
    batch, flat = number_pairs(PAIRS, model), flatten(model.parameters)
    slope = autograd.grad(batch_loss)(flat, *batch, model)
    places = [0, len(flat) - 1, np.abs(slope).argmax(), *np.random.default_rng(1).integers(0, len(flat), 9)]
    for place in places:
        move = np.zeros_like(flat)
        move[place] = 1e-5
        there, back = (batch_loss(flat + sign * move, *batch, model) for sign in (1, -1))
        assert slope[place] == pytest.approx((there - back) / 2e-5, rel=1e-4, abs=1e-8)


def test_six_sentences_are_learned_by_heart(trained):
    """The loss falls from about ln |V| to less than a tenth, and what was learned is said without a mistake."""
    model, record = trained
    assert record["loss"][0] == pytest.approx(np.log(len(model.target_vocabulary)), abs=1.2)
    assert np.mean(record["loss"][-3:]) < record["loss"][0] / 10
    sources = [source for source, _ in SMALL.training]
    assert exact_match(greedy_translations(sources, model, TINY.longest), SMALL.training) == 1
    assert exact_match(beam_translations(sources, model, TINY.longest, width=4), SMALL.training) == 1


def test_the_same_seed_trains_the_same_model():
    """Weights and record repeat themselves."""
    model, record = train(SMALL, np.random.default_rng(5), BRIEF, PAIRS[:1])
    again, repeated = train(SMALL, np.random.default_rng(5), BRIEF, PAIRS[:1])
    assert len(record["loss"]) == 5
    assert record == repeated
    np.testing.assert_array_equal(flatten(model.parameters), flatten(again.parameters))


def test_the_model_is_the_mean_of_its_last_steps(monkeypatch):
    """Of ten steps the last two, where a fifth is averaged; with none averaged it is what the last step made of it."""
    flats = []

    def watched(*arguments, **settings):
        flats.append(adam_step(*arguments, **settings)[0])
        return adam_step(*arguments, **settings)

    monkeypatch.setattr(translator, "adam_step", watched)
    model, _ = train(SMALL, np.random.default_rng(5), TINY._replace(steps=10))
    np.testing.assert_allclose(flatten(model.parameters), np.mean(flats[-2:], axis=0), atol=1e-12)
    model, _ = train(SMALL, np.random.default_rng(5), TINY._replace(steps=10, averaged=0.0))
    np.testing.assert_array_equal(flatten(model.parameters), flats[-1])


def test_the_record_is_what_the_replay_needs(trained):
    """Each moment has its step, its share of right translations, and for each watched sentence guess, loss and maps."""
    _, record = trained
    assert len(record["loss"]) == TINY.steps
    assert [moment["step"] for moment in record["checkpoints"]] == [0, *checkpoint_steps(TINY)] == [0, 7, 27, 60]
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    for moment in record["checkpoints"]:
        assert 0 <= moment["held_out"] <= 1
        (watched,) = moment["watched"]
        assert watched["source"] == ["you", "hear", "me"]
        assert (watched["shown"], watched["target"]) == ([SOS, "mi", "senti"], ["mi", "senti", EOS])
        assert len(watched["loss"]) == 3
        assert np.shape(watched["attention"]) == (TINY.layers, TINY.h, 3, 3)
        np.testing.assert_allclose(np.sum(watched["attention"], axis=-1), 1, atol=0.002)
        assert len(watched["guess"].split()) <= TINY.longest


def test_side_by_side_is_one_by_one(trained):
    """Many sentences translated at once, padded, come out as chapter 12 translates each, and as a beam of one."""
    model, _ = trained
    sources = [source for source, _ in SMALL.training + SMALL.held_out]
    together = greedy_translations(sources, model, TINY.longest)
    assert together == beam_translations(sources, model, TINY.longest, width=1)
    assert together == [" ".join(translate(source, model).split()[: TINY.longest]) for source in sources]


def test_exact_match_counts_whole_sentences():
    """One wrong word is a wrong sentence."""
    assert exact_match(["ti vedo", "mi vedo"], PAIRS[:2]) == 0.5


def test_a_replay_fits_in_300_kilobytes(full_size):
    """A moment of the full run, times their number, and a loss for each step."""
    corpus, model = full_size
    small = corpus._replace(held_out=corpus.held_out[:5])
    moment = len(json.dumps(checkpoint(2000, model, small, PROMISED[:3], SETTINGS.longest)))
    assert moment * SETTINGS.checkpoints + 9 * SETTINGS.steps < 300_000
    assert 8 <= len(checkpoint_steps(SETTINGS)) + 1 <= 12


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda model: number_pairs([], model), ValueError, r"the number of sentences as a whole number of at least 1"),
        (lambda model: greedy_translations(["see zebra"], model, 5), KeyError, r"got 'zebra'"),
        (lambda model: greedy_translations([""], model, 5), ValueError, r"a list of words, at least one"),
    ],
)
def test_wrong_inputs_are_told_what_was_expected(model, call, error, message):
    """No sentence, an empty one, or an unknown word is an error that says which."""
    with pytest.raises(error, match=message):
        call(model)
