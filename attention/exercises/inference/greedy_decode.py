"""One word after another, always the likeliest."""

import numpy as np

from attention.chapters import inference as reference
from autograder.diagnosis import Case, Exercise, StepTable, mistake

from ..draw import language
from . import EOS, SOS, TREE, A, B, step_of

WITHOUT_END = {(): {A: 0.6, EOS: 0.4}, (A,): {B: 0.7, EOS: 0.3}}


def talkative(rng: np.random.Generator, words: int, least: int) -> StepTable:
    """Draw a language in which greedy says at least so many tokens, and then EOS, within twenty."""
    while True:
        step = language(rng, words)
        said = reference.greedy_decode(step, 0, 1, 20)
        if said[-1] == 1 and len(said) > least:
            return step


def unseen(rng: np.random.Generator) -> list[Case]:
    """Sentences that end, in languages of several sizes."""
    return [
        Case(f"{words} words", (talkative(rng, words, least), 0, 1, 20)) for words, least in ((5, 3), (7, 4), (11, 5))
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """An empty sentence, one that is cut off, one token at most, a tie, other numbers for SOS and EOS."""
    mute = StepTable(((),), (tuple(rng.uniform(-2, 0, 5) + 4 * (np.arange(5) == 1)),))
    never = StepTable(((), (2,)), ((0.0, -1.0, 2.0, 1.0), (0.0, -1.0, 1.0, 2.0)))
    tie = StepTable(((), (3,), (2,)), ((0.0, 1.0, 2.0, 2.0, 1.0), (0.0, 2.0, 1.0, 1.0, 2.0), (0.0, 3.0, 1.0, 1.0, 2.0)))
    again = StepTable(((), (2, 2)), ((0.0, 1.0, 2.0, 0.5, -1.0), (0.0, 1.0, -1.0, 0.5, 3.0)))  # says SOS, 2, once more
    turned = StepTable(((), (3,), (3, 0)), ((0.0, 1.0, 2.0, -1.0), (2.0, 1.0, 0.0, -1.0), (1.0, 2.0, 0.0, -1.0)))
    return [
        Case("EOS at once", (mute, 0, 1, 7)),
        Case("cut off", (never, 0, 1, 5)),
        Case("one token at most", (never, 0, 1, 1)),
        Case("two words tie", (tie, 0, 1, 7)),
        Case("SOS is 3 and EOS is 2", (turned, 3, 2, 7)),
        Case("SOS is 2, and said again", (again, 2, 4, 7)),
    ]


@mistake(
    "SOS is in the result twice. "
    "The tokens so far already begin with it, and they are what you return. "
    "Put sos into the list once, before the loop.",
)
def sos_twice(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        tokens.append(int(np.argmax(step(tokens))))
    return [sos, *tokens]


@mistake(
    "The loop goes on after EOS, until `max_length`. "
    "EOS says that the sentence is complete, and whatever follows means nothing. "
    "Leave the loop as soon as the token is eos.",
)
def never_stops(step, sos, eos, max_length):
    tokens = [sos]
    for _ in range(max_length):
        tokens.append(int(np.argmax(step(tokens))))
    return tokens


@mistake(
    "The tokens were drawn at random, with the probabilities of softmax. "
    "That is sampling, which gives another sentence each time; greedy decoding always takes the likeliest token. "
    "Use `np.argmax`.",
)
def samples(step, sos, eos, max_length):
    rng, tokens = np.random.default_rng(0), [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        powers = np.exp(step(tokens) - np.max(step(tokens)))
        tokens.append(int(rng.choice(len(powers), p=powers / powers.sum())))
    return tokens


@mistake(
    "SOS is missing from the result. "
    "The later functions need it, because they pass the tokens to step as they are. "
    "Return the whole list, SOS first.",
)
def sos_taken_off(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        tokens.append(int(np.argmax(step(tokens))))
    return tokens[1:]


@mistake(
    "EOS is missing from the result. "
    "The model chose it like any other token, and it tells a complete sentence from one that was cut off. "
    "Append the token first, then leave the loop.",
)
def eos_not_kept(step, sos, eos, max_length):
    tokens = [sos]
    for _ in range(max_length):
        token = int(np.argmax(step(tokens)))
        if token == eos:
            break
        tokens.append(token)
    return tokens


@mistake(
    "SOS and EOS were removed from the result. "
    "Later functions need both: "
    "SOS to ask for the first word, EOS to tell a complete sentence from one that was cut off. "
    "Return the whole list.",
)
def both_ends_taken_off(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        tokens.append(int(np.argmax(step(tokens))))
    return [token for token in tokens if token not in (sos, eos)]


@mistake(
    "EOS was added to a sentence that was cut off. "
    "The model did not choose it, and the sentence would count as complete. "
    "When `max_length` is reached, return the tokens as they are.",
)
def eos_put_at_the_end(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        tokens.append(int(np.argmax(step(tokens))))
    return tokens if tokens[-1] == eos else [*tokens, eos]


@mistake(
    "SOS was counted among the `max_length` tokens. "
    "SOS is given, and `max_length` counts only the tokens after it. "
    "Run the loop `max_length` times.",
)
def sos_counted_in(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) < max_length and tokens[-1] != eos:
        tokens.append(int(np.argmax(step(tokens))))
    return tokens


@mistake(
    "`max_length` has no effect, or one token more was allowed. "
    "A model may never choose EOS, and `max_length` counts the tokens after SOS. "
    "Run the loop `max_length` times.",
)
def one_token_too_many(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length + 1 and tokens[-1] != eos:
        tokens.append(int(np.argmax(step(tokens))))
    return tokens


@mistake(
    "step got only the last token. "
    "The next word depends on all words before it; the decoder looks back at every token. "
    "Pass the whole list.",
)
def only_the_last_token(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        tokens.append(int(np.argmax(step(tokens[-1:]))))
    return tokens


@mistake(
    "step got the tokens without SOS. "
    "The decoder was trained with SOS in front, so it has never seen such a beginning. "
    "Pass the whole list, SOS first.",
)
def without_sos(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        tokens.append(int(np.argmax(step(tokens[1:]))))
    return tokens


@mistake(
    "step got SOS alone every time, so it returns the first word again and again. "
    "Each turn must take the earlier words into account. "
    "Pass the list to which each new token was appended.",
)
def always_the_beginning(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        tokens.append(int(np.argmax(step([sos]))))
    return tokens


@mistake(
    "The loop stops after the first token. "
    "A `return` or `break` inside the loop ends it in its first turn. "
    "Break only if the token is eos, and return after the loop.",
)
def one_token_only(step, sos, eos, max_length):
    return [sos, int(np.argmax(step([sos])))]


@mistake(
    "The least likely token was taken each time. "
    "The largest logit belongs to the largest probability, and `np.argsort` puts the smallest first. "
    "Use `np.argmax`.",
)
def least_likely(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        tokens.append(int(np.argmin(step(tokens))))
    return tokens


@mistake(
    "In a tie, the last of the likeliest tokens was taken. "
    "By convention, we take the first, as `np.argmax` does. "
    "Use `np.argmax`, or sort by falling logits with a stable sort.",
    sees="right, until two words are equally likely",
    edge=True,
)
def last_of_equals(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        logits = step(tokens)
        tokens.append(int(np.flatnonzero(logits == np.max(logits))[-1]))
    return tokens


@mistake(
    "The loop stopped one token too late: it looked for EOS only before the next token, so one more turn ran. "
    "Nothing comes after EOS. "
    "After appending a token, check at once whether it is eos, and leave the loop.",
)
def one_token_after_the_end(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and eos not in tokens[:-1]:
        tokens.append(int(np.argmax(step(tokens))))
    return tokens


@mistake(
    "Probabilities or logits were appended instead of tokens. "
    "`np.max` gives the largest number, and `np.argmax` its index, which is the token. "
    "Append `int(np.argmax(step(tokens)))`.",
)
def probability_appended(step, sos, eos, max_length):
    tokens = [sos]
    while len(tokens) <= max_length and tokens[-1] != eos:
        powers = np.exp(step(tokens) - np.max(step(tokens)))
        tokens.append(float(np.max(powers / powers.sum())))
    return tokens


EXERCISE = Exercise(
    name="greedy_decode",
    reference=reference.greedy_decode,
    returns=("tokens",),
    examples=(
        Case("the tree", (step_of(TREE), SOS, EOS, 5)),
        Case("cut off after three tokens", (step_of(WITHOUT_END), SOS, EOS, 3), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
