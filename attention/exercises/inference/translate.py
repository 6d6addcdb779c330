"""A sentence translated by the student's own Transformer."""

from functools import cache
from typing import Any

import numpy as np

from attention.chapters import inference as reference
from attention.chapters.corpus import make_corpus
from attention.chapters.transformer import OUTSIDE_LAYERS, Model
from attention.chapters.translator import SEED, greedy_translations
from autograder.diagnosis import Case, Exercise, Prerequisite, mistake

from ..translation import END, START, encode, english, italian, next_logits
from ..translator import PIECES, numbers, recorded_calls

EXAMPLES = (
    "i love you very much",
    "the bank of the river is older than the bank in the city",
    "the girl that saw the bat in the forest misses the bat that the boys repaired",
)
LONGEST = 24  # tokens of a translation, END included
HELD_OUT = 20  # sentences of one grading that the model has not learned


@cache
def model() -> Model:
    """Return the translator as it is shipped as the reference takes it."""
    layers = {f"{half}.0.{name}": array for half in ("encoder", "decoder") for name, array in numbers[half].items()}
    parameters = {name: numbers[name] for name in OUTSIDE_LAYERS} | layers
    target = {word: number for number, word in enumerate(italian)}
    return Model(parameters, english, target, numbers["h"], layers=1)


@cache
def known() -> dict[str, Any]:
    """Return the reference's translations of all held-out sentences: side by side, a tenth of the time one by one."""
    sentences = [source for source, _ in pairs()[0]]
    return dict(zip(sentences, greedy_translations(sentences, model(), LONGEST), strict=True))


@cache
def translate(sentence: str) -> str:
    """Return the reference's translation, once computed for all submissions."""
    return known().get(sentence) or reference.translate(sentence, model())


@cache
def pairs() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the pairs that were held out, and those that were learned: the corpus is what training draws first."""
    corpus = make_corpus(np.random.default_rng(SEED))
    return [pair for pair in corpus.held_out if pair[0] not in EXAMPLES], list(corpus.training)


def unseen(rng: np.random.Generator) -> list[Case]:
    """Sentences that the model was not trained on."""
    drawn = rng.choice(len(pairs()[0]), HELD_OUT, replace=False)
    return [Case("a held-out sentence", (pairs()[0][number][0],)) for number in drawn]


def edges(rng: np.random.Generator) -> list[Case]:
    """One of the shortest sentences, one of the longest, and one that is longer in Italian."""
    held_out, learned = pairs()
    by_length = {}
    for source, _ in (*held_out, *learned):
        by_length.setdefault(len(source.split()), []).append(source)
    longer = [source for source, target in held_out if len(target.split()) > len(source.split())]
    found = by_length[min(by_length)], by_length[max(by_length)], longer
    labels = "one of the shortest sentences", "one of the longest", "longer in Italian"
    return [Case(label, (str(rng.choice(ones)),)) for label, ones in zip(labels, found, strict=True)]


@cache
def pieces() -> tuple[Prerequisite, ...]:
    """Return the functions of earlier chapters that the translator calls, with what they are given in one sentence."""
    found = recorded_calls().items()
    return tuple(Prerequisite(PIECES[name], name, tuple(args for args, _ in calls)) for name, calls in found)


def decoded(memory: np.ndarray, longest: int = 24) -> list:
    """Return the tokens of the sentence that greedy decoding makes of a memory."""
    tokens = [START]
    while len(tokens) <= longest and tokens[-1] != END:
        tokens.append(int(np.argmax(next_logits(tokens, memory))))
    return tokens


@mistake(
    "START and END are still in the sentence. "
    "They tell the model where a sentence begins and ends, and are not words. "
    "Leave out both when you turn the numbers into words.",
)
def start_and_end_left_in(sentence):
    tokens = decoded(encode([english[word] for word in sentence.split()]))
    return " ".join(italian[token] for token in tokens)


@mistake(
    "END is still in the sentence. "
    "The model uses it to stop, and it is not an Italian word. "
    "Leave out END as well as START.",
)
def end_left_in(sentence):
    tokens = decoded(encode([english[word] for word in sentence.split()]))
    return " ".join(italian[token] for token in tokens[1:])


@mistake(
    "START is still in the sentence. "
    "It only gives the decoder something to begin with, and is not an Italian word. "
    "Leave out START as well as END.",
)
def start_left_in(sentence):
    tokens = decoded(encode([english[word] for word in sentence.split()]))
    return " ".join(italian[token] for token in tokens if token != END)


@mistake(
    "The numbers of the words were returned. "
    "The model numbers its words, but nobody can read the numbers. "
    "Look up each number in italian, and join the words with spaces.",
)
def numbers_returned(sentence):
    tokens = decoded(encode([english[word] for word in sentence.split()]))
    return [token for token in tokens if token not in (START, END)]


@mistake(
    "The words were returned as a list. "
    "A sentence is one string, like the English one. "
    'Join the words with spaces: `" ".join(…)`.',
)
def list_of_words(sentence):
    tokens = decoded(encode([english[word] for word in sentence.split()]))
    return [italian[token] for token in tokens if token not in (START, END)]


@mistake(
    "The words were joined without spaces. join puts the string before its dot between the words, and that was empty. "
    'Write `" ".join(…)`, with a space.',
)
def without_blanks(sentence):
    tokens = decoded(encode([english[word] for word in sentence.split()]))
    return "".join(italian[token] for token in tokens if token not in (START, END))


@mistake(
    "Each word was translated separately. "
    "Which word comes next depends on the whole English sentence, and Italian may need more or fewer words. "
    "Encode the whole sentence once, and decode from that memory.",
)
def word_by_word(sentence):
    tokens = [token for word in sentence.split() for token in decoded(encode([english[word]]))]
    return " ".join(italian[token] for token in tokens if token not in (START, END))


@mistake(
    "The translation was cut off at as many tokens as the English sentence has words. "
    "Italian may need more words, and END is a token, too. "
    "Let `greedy_decode` return up to 24.",
)
def cut_at_the_source(sentence):
    source = sentence.split()
    tokens = decoded(encode([english[word] for word in source]), len(source))
    return " ".join(italian[token] for token in tokens if token not in (START, END))


@mistake(
    "The words were numbered by their places in this sentence. "
    "The model has learned one row for each word of its vocabulary, and a place says nothing about a word. "
    "Look up each word's number in english.",
)
def numbered_by_place(sentence):
    tokens = decoded(encode(list(range(len(sentence.split())))))
    return " ".join(italian[token] for token in tokens if token not in (START, END))


@mistake(
    "The last word is missing. "
    "It was removed as if it were END, which was already gone or never there. "
    "Leave out END by its number, not by its place.",
)
def last_word_missing(sentence):
    tokens = decoded(encode([english[word] for word in sentence.split()]))
    return " ".join([italian[token] for token in tokens if token not in (START, END)][:-1])


@mistake(
    "Each time, the model got START alone. "
    "So it returns the first word again and again, up to the limit. "
    "Pass `next_logits` the tokens that `greedy_decode` passes in.",
)
def only_start_asked_about(sentence):
    memory = encode([english[word] for word in sentence.split()])
    return " ".join([italian[int(np.argmax(next_logits([START], memory)))]] * 24)


EXERCISE = Exercise(
    name="translate",
    reference=translate,
    returns=("sentence",),
    examples=tuple(Case(f"*{sentence}*", (sentence,)) for sentence in EXAMPLES),
    unseen=unseen,
    edges=edges,
    pieces=pieces,
)
