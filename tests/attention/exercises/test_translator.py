"""The translator of chapter 12's notebook: its numbers, what is made of them, and the pieces that it is made of."""

import inspect
import json
import re
import sys

import numpy as np
import pytest

from attention.chapters import inference
from attention.chapters.transformer import decode, encode
from attention.exercises import translation, translator
from attention.exercises.fused import FUSED
from attention.exercises.given_functions import GIVEN
from attention.exercises.inference import translate as exercise
from attention.models import corpus
from attention.models.quantised import packed
from attention.trained import read_trained
from autograder.course.course import Course
from tests.support.root import ROOT

PIECES = {name: GIVEN[name] for name in translator.PIECES}


def translated(sentence):
    """Translate with the functions of the notebook's locked cells, and the course's pieces."""
    memory = translation.encode([translation.english[word] for word in sentence.split()])
    start, end = translation.START, translation.END
    said = inference.greedy_decode(lambda so_far: translation.next_logits(so_far, memory), start, end, 24)
    return " ".join(translation.italian[token] for token in said if token not in (start, end))


@pytest.fixture(scope="module")
def held_out():
    """Each held-out sentence with its translation, in the corpus and by the locked cells."""
    return [(source, target, translated(source)) for source, target in corpus().held_out]


def test_the_shipped_numbers_translate(held_out):
    """Of the held-out sentences, 95 of 100 are translated as in the corpus, word for word."""
    assert len(held_out) == 500
    assert sum(said == target for _, target, said in held_out) >= 0.95 * len(held_out)


def test_the_locked_cells_say_what_the_reference_says(held_out):
    """The reference, with the same numbers, gives the same sentences and, to twelve digits, the same logits."""
    model = exercise.model()
    for source, _, said in held_out[::7]:
        assert said == exercise.translate(source) == inference.translate(source, model)
    ids = np.array([translation.english[word] for word in ["you", "do", "not", "see", "the"]])
    memory = encode(ids, model.parameters, model.h, model.layers)
    np.testing.assert_allclose(translation.encode(ids), memory, atol=1e-12)
    logits = decode(np.array([translation.START, 7, 11]), memory, model.parameters, model.h, model.layers)[-1]
    np.testing.assert_allclose(translation.next_logits([translation.START, 7, 11], memory), logits, atol=1e-11)


def test_the_notebooks_numbers_are_the_shipped_models(root):
    """The exercise's file holds the model of attention/trained, and nothing of its record."""
    released = json.loads((root / "exercises/12_inference/translator.json").read_text(encoding="utf-8"))
    assert released == {"model": packed(exercise.model())} == {"model": read_trained("translator")["model"]}
    assert released["model"]["layers"] == 1  # the locked cells have one of each


def test_each_piece_is_asked_as_in_a_translation():
    """Every piece is called, with sizes that tell axes apart, and comes after the pieces that it calls."""
    calls = translator.recorded_calls()
    assert all(calls.values())
    assert calls["encoder_layer"][0][0][0].shape == (5, 64)
    assert calls["decoder_layer"][0][0][0].shape == (3, 64)
    assert list(calls) == list(translator.PIECES)
    assert set(calls) == set(FUSED)
    places = {name: place for place, name in enumerate(calls)}
    for name in calls:
        called = set(inspect.unwrap(PIECES[name]).__code__.co_names) & places.keys()
        assert all(places[other] < places[name] for other in called), name


def mine(**changed):
    """Return a notebook's names: all of the course's pieces as if a student had written them, some changed."""
    space = {"np": np}
    for function in PIECES.values():
        exec(inspect.getsource(function), space)
    return space | changed


def said(space, capsys):
    """Return what is printed about the pieces of a notebook, in lines."""
    translator.assemble(space)
    return capsys.readouterr().out.splitlines()


def test_a_whole_set_needs_nothing(capsys):
    """Sixteen right pieces are all used, and running the cell again changes nothing."""
    space = mine()
    own = space["multi_head_attention"]
    for _ in range(2):
        assert said(space, capsys) == ["16 of 16 pieces are yours."]
        assert space["multi_head_attention"].own is own


def stub(*args):
    """Stand for what is not written yet."""
    raise NotImplementedError


def fails(*args):
    """Stand for what fails."""
    raise KeyError("w_q")


def test_what_is_missing_or_fails_is_replaced_and_told(capsys):
    """The course's piece works with the student's others; it is told again when the cell runs again."""
    space = mine(layer_norm=stub, encoder_layer=fails)
    del space["softmax"]
    assert said(space, capsys) == [
        "13 of 16 pieces are yours.",
        "chapter 3, softmax: missing, the course's own is used",
        "chapter 8, layer_norm: not written yet, the course's own is used",
        "chapter 8, encoder_layer: raises KeyError: 'w_q', the course's own is used",
    ]
    assert said(space, capsys)[0] == "13 of 16 pieces are yours."


def test_of_two_wrong_pieces_the_first_is_named_and_both_stay(capsys):
    """A wrong piece is used, so that one sees what it does."""
    upside_down = lambda n: np.triu(np.ones((n, n), dtype=bool))  # noqa: E731
    unscaled = lambda x, gamma, beta, eps=1e-5: gamma * (x - x.mean(axis=-1, keepdims=True)) + beta  # noqa: E731
    space = mine(causal_mask=upside_down, layer_norm=unscaled)
    first, second = said(space, capsys)
    assert first == "16 of 16 pieces are yours."
    assert second.startswith(
        "chapter 9, causal_mask: the first that differs from the course's. `output` differs in rows"
    )
    assert space["layer_norm"] is unscaled


def test_an_empty_notebook_gets_all_of_the_course(capsys):
    """Who has no file hears one line, and can translate."""
    space = {"np": np}
    assert said(space, capsys) == [
        "0 of 16 pieces are yours.",
        "They are functions of chapters 2, 3, 6, 7, 8 and 9; none of these is here, so the course's are used.",
    ]
    calls = translator.recorded_calls()["decoder_layer"]
    np.testing.assert_allclose(space["decoder_layer"](*calls[0][0]), calls[0][1].value, atol=1e-12)


def test_functions_of_other_chapters_are_not_missed(capsys):
    """Who has only what the translator does not call hears which chapters it takes functions from."""
    assert said({"np": np, "cross_entropy": stub, "adam_step": stub}, capsys) == said({"np": np}, capsys)


@pytest.mark.parametrize("chapter", Course(ROOT).every_chapter()[:-1])
def test_each_notebook_says_which_of_its_functions_translate(chapter):
    """At its end it names those that the translator calls, and no others."""
    done = Course(ROOT).assignment(chapter).cells["done"].cell.source
    named = re.findall(r"`(\w+)`", done.partition("Chapter 12 translates with ")[2])
    assert sorted(named) == sorted(name for name, number in translator.PIECES.items() if number == int(chapter[:2]))


@pytest.fixture(scope="module")
def locked_cells(root):
    """The code of the finale's locked cells that translate."""
    cells = json.loads((root / "exercises/12_inference/12_inference.ipynb").read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(one["source"]) for one in cells if "given_" in one["metadata"]["nbgrader"]["grade_id"])


def called_in(space, function):
    """Return what a function returns, and the names of all functions that were defined in a space and called by it."""
    names = set()
    sys.setprofile(lambda frame, *_: frame.f_globals is space and names.add(frame.f_code.co_name))
    try:
        return function(), names
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize(
    "missing", [*([name] for name in PIECES), list(PIECES)[::2], list(PIECES)[1::2], list(PIECES), []]
)
def test_whatever_is_missing_all_that_is_there_runs_and_the_logits_are_right(locked_cells, capsys, missing):
    """One piece, every other one, all or none is missing: the course fills the gaps, and calls the student's others."""
    space = {"np": np}
    for name in PIECES.keys() - set(missing):
        exec(inspect.getsource(PIECES[name]), space)
    assert said(space, capsys)[0] == f"{16 - len(missing)} of 16 pieces are yours."
    space["numbers"], words, so_far = translator.numbers, translator.SENTENCE.split(), [translation.START, 7, 11]

    def translate():
        exec(locked_cells, space)
        return space["next_logits"](so_far, space["encode"]([space["english"][word] for word in words]))

    logits, names = called_in(space, translate)
    right = translation.next_logits(so_far, translation.encode([translation.english[word] for word in words]))
    np.testing.assert_allclose(logits, right, atol=1e-11)
    assert names & PIECES.keys() == PIECES.keys() - set(missing)


def test_chapter_sixs_function_gets_its_mask(rng):
    """Where there is a mask, heads are split, attended and merged by the parts: one mask for all, or one each."""
    space = mine()
    translator.assemble(space)
    width, heads = translator.WIDTH, translator.HEADS
    x, memory = (rng.normal(size=(2, length, width)) for length in (3, 5))
    matrices = rng.normal(size=(4, width, width)) / np.sqrt(width)
    for mask in (None, np.tri(3, 5, 2, dtype=bool), rng.random((2, 1, 5)) < 0.7):
        both = (
            function(x, memory, memory, *matrices, heads, mask)
            for function in (space["multi_head_attention"], PIECES["multi_head_attention"])
        )
        for got, right in zip(*both, strict=True):
            np.testing.assert_allclose(got, right, atol=1e-12)


def test_unseen_sentences_are_twenty_and_new():
    """No two are alike, and the model has learned none of them; another seed draws others."""
    learned = {source for source, _ in corpus().training} | set(exercise.EXAMPLES)
    drawn = [[case.args[0] for name, case in exercise.EXERCISE.questions(seed) if name == "unseen"] for seed in (1, 2)]
    for sentences in drawn:
        assert len(set(sentences)) == len(sentences) == 20
        assert not learned & set(sentences)
    assert drawn[0] != drawn[1]
