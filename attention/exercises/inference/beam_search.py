"""Several beginnings at once."""

from typing import Any

import numpy as np

from attention.chapters import inference as reference
from autograder.diagnosis import Case, Exercise, StepTable, mistake

from ..draw import language
from . import EOS, FIRST_TO_END, LOUD, PUSHED_OUT, SHORT_OR_LONG, SOS, TREE, A, B, X, step_of


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Return the logarithms of softmax, for logits of any size."""
    shifted = logits - np.max(logits)
    return shifted - np.log(np.sum(np.exp(shifted)))


def grown(step, beams, eos, of_softmax=True):
    """Return all candidates, best first: each beam is (total, tokens); a finished one stays as it is."""
    candidates = [beam for beam in beams if beam[1][-1] == eos]
    for total, tokens in (beam for beam in beams if beam[1][-1] != eos):
        logits = step(tokens)
        if of_softmax:
            logits = logits - np.max(logits) - np.log(np.sum(np.exp(logits - np.max(logits))))
        candidates += [(total + value, [*tokens, i]) for i, value in enumerate(logits)]
    return sorted(candidates, key=lambda beam: -beam[0])


DRAWS = 10_000  # one in 30 to 50 will do: 300 were too few for one notebook in 250


def surprising(rng: np.random.Generator, words: int, max_length: int, width: int) -> tuple[StepTable | int, ...]:
    """Draw a language in which greedy, a best child for each beam, and a look at everything find other sentences."""
    others = (chosen_greedily, best_child_of_each_beam, stops_at_the_first_end, finished_set_aside, logits_added)
    for _ in range(DRAWS):
        step = language(rng, words)
        args = (step, 0, 1, max_length, width)
        right = reference.beam_search(*args)[0]
        if right[-1] == 1 and len(right) > 3 and all(other.wrong(*args)[0] != right for other in others[:3]):
            return args
    raise RuntimeError(f"expected a language in which searches differ in {DRAWS} draws, got none: draw wider logits")


def without_end(step: StepTable) -> StepTable:
    """Return a language in which EOS is hardly ever said."""
    return StepTable(step.endings, tuple((row[0], -9.0, *row[2:]) for row in step.rows))


# After two tokens A x is likelier than the sentence that has ended, 0.56 to 0.3, and it is not over.
UNFINISHED = {(): {A: 0.7, EOS: 0.3}, (A,): {X: 0.8, B: 0.2}, (X,): {EOS: 1}}


def unseen(rng: np.random.Generator) -> list[Case]:
    """Languages in which it matters how the beams are chosen."""
    return [
        Case(f"width {width}, {words} words", surprising(rng, words, 9, width))
        for words, width in ((5, 2), (7, 3), (6, 2))
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """A width of 1, more beams than words, limits that cut off, large logits, sentences too long for a product."""
    endless, even = (without_end(language(rng, words, 2, bound)) for words, bound in ((5, 2.5), (53, 0.3)))
    return [
        Case("width 1", (language(rng, 5), 0, 1, 7, 1)),
        Case("more beams than words", (language(rng, 3), 0, 1, 4, 11)),
        Case("cut off", (endless, 0, 1, 3, 2)),
        Case("cut off, and likelier than the finished one", (step_of(UNFINISHED), SOS, EOS, 2, 2)),
        Case("logits of two thousand", (LOUD, 0, 1, 5, 2)),
        Case("three hundred tokens", (even, 0, 1, 300, 2)),
    ]


@mistake(
    "Each beam kept only its own best child. "
    "All children of all beams compete for the places, and two of them may have the same parent. "
    "Collect all candidates first, then keep the best `width`.",
)
def best_child_of_each_beam(step, sos, eos, max_length, width):
    beams = grown(step, [(0.0, [sos])], eos)[:width]
    for _ in range(max_length - 1):
        beams = [grown(step, [beam], eos)[0] for beam in beams]
    total, tokens = max(beams, key=lambda beam: beam[0])
    return tokens, total


@mistake(
    "This is the greedy sentence: width was not used, or only the best beam was extended. "
    "A word that is likely now may lead where nothing likely follows. "
    "Keep the best `width` candidates at every length.",
)
def chosen_greedily(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:1]
    return beams[0][1], beams[0][0]


@mistake(
    "SOS and EOS were removed from the returned tokens. "
    "Later functions need both: "
    "SOS to ask for the first word, EOS to tell a complete sentence from one that was cut off. "
    "Return the whole list.",
)
def ends_taken_off(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    return [token for token in beams[0][1] if token not in (sos, eos)], beams[0][0]


@mistake(
    "Finished beams keep growing. "
    "EOS ends a sentence: a finished beam stays as it is, keeps its log-probability, and competes with the others. "
    "Add a beam that ends in eos to the candidates unchanged.",
)
def finished_beams_grow(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, None)[:width]
    return beams[0][1], beams[0][0]


@mistake(
    "Probabilities were multiplied, and the logarithm was taken at the end. "
    "A product of hundreds of them is rounded to 0: then all beams tie and the answer is −inf. "
    "Add log-probabilities from the beginning.",
    sees="right, until a long sentence gives `-inf`",
    edge=True,
)
def multiplied_until_underflow(step, sos, eos, max_length, width):
    beams = [(1.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for p, tokens in (beam for beam in beams if beam[1][-1] != eos):
            powers = np.exp(log_softmax(step(tokens)))
            candidates += [(p * power, [*tokens, i]) for i, power in enumerate(powers)]
        beams = sorted(candidates, key=lambda beam: -beam[0])[:width]
    return beams[0][1], np.log(beams[0][0])


@mistake(
    "The probability was returned instead of its logarithm. "
    "Probabilities of long sentences are rounded to 0. "
    "Add log-probabilities, and return their sum as it is.",
)
def probability_returned(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    return beams[0][1], np.exp(beams[0][0])


@mistake(
    "The search stopped when the first beam had ended. "
    "A longer sentence may be likelier than the one that ends first. "
    "Go on until all beams have ended, or `max_length` is reached.",
)
def stops_at_the_first_end(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
        if any(tokens[-1] == eos for _, tokens in beams):
            beams = [beam for beam in beams if beam[1][-1] == eos]
            break
    return beams[0][1], beams[0][0]


@mistake(
    "Finished sentences were set aside, where nothing can push them out. "
    "Many systems do that; here a finished beam keeps its place among the `width` only as long as it is good enough. "
    "Let finished beams compete with all candidates, at every length.",
)
def finished_set_aside(step, sos, eos, max_length, width):
    beams, finished = [(0.0, [sos])], []
    for _ in range(max_length):
        best = grown(step, beams, eos)[:width]
        finished += [beam for beam in best if beam[1][-1] == eos]
        beams = [beam for beam in best if beam[1][-1] != eos]
        if not beams:
            break
    total, tokens = max(finished + beams, key=lambda beam: beam[0])
    return tokens, total


@mistake(
    "Logits were added up, without softmax. "
    "They are comparable only within one row: each row may be larger or smaller as a whole. "
    "Take the logarithm of softmax of each row before you add.",
)
def logits_added(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos, of_softmax=False)[:width]
    return beams[0][1], float(beams[0][0])


@mistake(
    "More beams were kept than `width`: every candidate, or always the same number. "
    "If you keep them all, you soon run out of memory, and a width of 1 should give greedy decoding. "
    "Keep the best `width` after every token.",
)
def everything_kept(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[: width + 10]
    return beams[0][1], beams[0][0]


@mistake(
    "The beams were compared by their log-probability per token. "
    "That prefers long sentences; it is exercise 4, and not asked for here. "
    "Compare the sums themselves.",
)
def compared_per_token(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = grown(step, beams, eos)
        beams = sorted(candidates, key=lambda beam: -beam[0] / (len(beam[1]) - 1))[:width]
    return beams[0][1], beams[0][0]


@mistake(
    "EOS is missing from the tokens. "
    "The model chose it like any other token, and it tells a complete sentence from one that was cut off. "
    "Return the tokens as they are.",
)
def eos_taken_off(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    return [token for token in beams[0][1] if token != eos], beams[0][0]


@mistake(
    "SOS is missing from the tokens. "
    "`sequence_log_probability` expects it first, and so does the next call of step. "
    "Return the tokens as they are, SOS first.",
)
def sos_dropped(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    return beams[0][1][1:], beams[0][0]


@mistake(
    "The log-probability is that of the last token alone. "
    "A beam is as likely as all its tokens together. "
    "Add the token's log-probability to the total of its beam.",
)
def last_token_alone(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        ended = [beam for beam in beams if beam[1][-1] == eos]
        alone = [grown(step, [(0.0, tokens)], eos) for _, tokens in beams if tokens[-1] != eos]
        beams = sorted(sum(alone, ended), key=lambda beam: -beam[0])[:width]
    return beams[0][1], float(beams[0][0])


@mistake(
    "SOS was counted among the `max_length` tokens. "
    "SOS is given, and `max_length` counts only the tokens after it. "
    "Run the loop `max_length` times.",
)
def one_token_too_few(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length - 1):
        beams = grown(step, beams, eos)[:width]
    return beams[0][1], beams[0][0]


@mistake(
    "Probabilities were added; they must be multiplied. "
    "You may only add their logarithms: ln(a · b) is ln a + ln b. "
    "Take the logarithm of softmax of each row before you add.",
)
def probabilities_added(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for total, tokens in (beam for beam in beams if beam[1][-1] != eos):
            powers = np.exp(log_softmax(step(tokens)))
            candidates += [(total + power, [*tokens, i]) for i, power in enumerate(powers)]
        beams = sorted(candidates, key=lambda beam: -beam[0])[:width]
    return beams[0][1], float(beams[0][0])


@mistake(
    "One token more than `max_length` was allowed. "
    "`max_length` counts the tokens after SOS, and the first turn adds the first of them. "
    "Run the loop `max_length` times.",
    sees="right, until a sentence is cut off: it is one token too long",
    edge=True,
)
def one_turn_too_many(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length + 1):
        beams = grown(step, beams, eos)[:width]
    return beams[0][1], float(beams[0][0])


@mistake(
    "Only finished beams were compared at the end, or a beam that was cut off lost to them. "
    "A beam that `max_length` has cut off counts like any other, and the likeliest is the answer. "
    "Return the first of the sorted beams.",
    sees="right, until a sentence that was cut off is likelier than one that ended",
    edge=True,
)
def finished_alone_compared(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    total, tokens = ([beam for beam in beams if beam[1][-1] == eos] or beams)[0]
    return tokens, total


@mistake(
    "A beam that had ended was lost with the next token: it was not extended, and was no candidate either. "
    "EOS ends a sentence; it does not remove it from the search. "
    "Add a beam that ends in eos to the candidates unchanged.",
)
def finished_beams_lost(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        going = [beam for beam in beams if beam[1][-1] != eos]
        beams = grown(step, going, eos)[:width] if going else beams
    return beams[0][1], beams[0][0]


@mistake(
    "No beam was left: those that had ended were dropped, and in the end all had. "
    "EOS ends a sentence; it does not remove it from the search. "
    "Add a beam that ends in eos to the candidates unchanged.",
)
def ended_beams_dropped(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, [beam for beam in beams if beam[1][-1] != eos], eos)[:width]
    return beams[0][1], beams[0][0]


@mistake(
    "The likeliest candidates were dropped, and the least likely kept. sorted puts the smallest first, and "
    "log-probabilities are negative. "
    "Sort by `-beam[0]`, or with reverse=True, and keep the first `width`.",
)
def least_likely_kept(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = sorted(grown(step, beams, eos), key=lambda beam: beam[0])[:width]
    return beams[0][1], beams[0][0]


@mistake(
    "The search is right, but the last of the beams was returned instead of the best. "
    "The answer is the likeliest of the beams that are kept. "
    "Check which end of the sorted list you take.",
)
def last_of_the_beams(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    return beams[-1][1], beams[-1][0]


@mistake(
    "Only the tokens were returned, without their log-probability. "
    "Both are needed to compare two sentences. "
    "Return `tokens, log_probability`.",
)
def tokens_alone(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    return beams[0][1]


def set_aside_and_preferred(step: Any, sos: int, eos: int, max_length: int, width: int) -> Any:
    """Set finished beams aside, and prefer them to those that were cut off."""
    beams, finished = [(0.0, [sos])], []
    while beams and max_length:
        best = grown(step, beams, eos)[:width]
        finished += [beam for beam in best if beam[1][-1] == eos]
        beams, max_length = [beam for beam in best if beam[1][-1] != eos], max_length - 1
    total, tokens = max(finished or beams, key=lambda beam: beam[0])
    return tokens, total


def stopped_at_the_first_end(step: Any, sos: int, eos: int, max_length: int, width: int) -> Any:
    """Stop with the first beam that ends, and return the best of that turn."""
    beams = [(0.0, [sos])]
    while max_length and not any(tokens[-1] == eos for _, tokens in beams):
        beams, max_length = grown(step, beams, eos)[:width], max_length - 1
    return beams[0][1], beams[0][0]


def best_per_token_at_the_end(step: Any, sos: int, eos: int, max_length: int, width: int) -> Any:
    """Search rightly, and choose the best beam by its log-probability per token."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    total, tokens = max(beams, key=lambda beam: beam[0] / (len(beam[1]) - 1))
    return tokens, total


def totals_not_added(step: Any, sos: int, eos: int, max_length: int, width: int) -> Any:
    """Judge each candidate by its last word alone."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, [(beam[0] if beam[1][-1] == eos else 0.0, beam[1]) for beam in beams], eos)[:width]
    return beams[0][1], beams[0][0]


@mistake(
    "step got only the last token of each beam. "
    "The next word depends on all words before it; the decoder looks back at every token. "
    "Pass the beam's whole list.",
)
def only_the_last_token_of_a_beam(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(lambda tokens: step(tokens[-1:]), beams, eos)[:width]
    return beams[0][1], float(beams[0][0])


WRONG_FORMULAS = (
    ("a candidate has only the log-probability of its last word, without that of its beam",
     totals_not_added),
    ("the best beam is chosen at the end by its log-probability per token instead of by the sum",
     best_per_token_at_the_end),
    ("finished sentences are set aside, so that nothing can push them out, and preferred to those cut off",
     set_aside_and_preferred),
    ("the search stops as soon as one beam has ended, before all have", stopped_at_the_first_end),
)  # fmt: skip

EXERCISE = Exercise(
    name="beam_search",
    reference=reference.beam_search,
    returns=("tokens", "log_probability"),
    examples=(
        Case("two beams on the tree", (step_of(TREE), SOS, EOS, 5, 2)),
        Case("one beam on the tree", (step_of(TREE), SOS, EOS, 5, 1)),
        Case("the first to end", (step_of(FIRST_TO_END), SOS, EOS, 5, 2)),
        Case("short or long", (step_of(SHORT_OR_LONG), SOS, EOS, 5, 2), edge=True),
        Case("a finished beam is pushed out", (step_of(PUSHED_OUT), SOS, EOS, 3, 2), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=WRONG_FORMULAS,
)
