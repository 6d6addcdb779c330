"""Several beginnings at once."""

import numpy as np

from autograder.reference import inference as reference

from ...step_table import StepTable
from ..draw import language
from ..exercise import Case, Exercise, mistake
from . import EOS, FIRST_TO_END, LOUD, PUSHED_OUT, SHORT_OR_LONG, SOS, TREE, step_of


def log_softmax(logits):
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


def surprising(rng, words, max_length, width):
    """Draw a language in which greedy, a best child for each beam, and a look at everything find other sentences."""
    others = (chosen_greedily, best_child_of_each_beam, stops_at_the_first_end, finished_set_aside, logits_added)
    for _ in range(300):
        step = language(rng, words)
        args = (step, 0, 1, max_length, width)
        right = reference.beam_search(*args)[0]
        if right[-1] == 1 and len(right) > 3 and all(other.wrong(*args)[0] != right for other in others[:3]):
            return args
    raise RuntimeError("expected a language in which searches differ within 300 draws, got none: draw wider logits")


def without_end(step):
    """Return a language in which EOS is hardly ever said."""
    return StepTable(step.endings, tuple((row[0], -9.0, *row[2:]) for row in step.rows))


def ahead_of_the_finished(rng, words, max_length, width):
    """Draw a language in which a sentence that is cut off is likelier than one that has ended."""
    for _ in range(300):
        args = (language(rng, words), 0, 1, max_length, width)
        if finished_preferred.wrong(*args)[0] != reference.beam_search(*args)[0]:
            return args
    raise RuntimeError("expected a sentence ahead of a finished one within 300 draws, got none: draw wider logits")


def unseen(rng):
    """Languages in which it matters how the beams are chosen."""
    return [
        Case(f"width {width}, {words} words", surprising(rng, words, 9, width))
        for words, width in ((5, 2), (7, 3), (6, 2))
    ]


def edges(rng):
    """A width of 1, more beams than words, limits that cut off, large logits, sentences too long for a product."""
    endless, even = (without_end(language(rng, words, 2, bound)) for words, bound in ((5, 2.5), (53, 0.3)))
    return [
        Case("width 1", (language(rng, 5), 0, 1, 7, 1)),
        Case("more beams than words", (language(rng, 3), 0, 1, 4, 11)),
        Case("cut off", (endless, 0, 1, 3, 2)),
        Case("cut off, ahead of a finished one", ahead_of_the_finished(rng, 5, 3, 4)),
        Case("logits of two thousand", (LOUD, 0, 1, 5, 2)),
        Case("three hundred tokens", (even, 0, 1, 300, 2)),
    ]


@mistake(
    "Each beam keeps its own best child only. "
    "All children of all beams compete for the places, and two of them may come from one parent. "
    "Collect all candidates first, then keep the best `width`.",
    sees="`[0, 3, 4, 1]` with −1.8326, which is *B x*, and not `[0, 2, 5, 1]` with −1.597",
)
def best_child_of_each_beam(step, sos, eos, max_length, width):
    beams = grown(step, [(0.0, [sos])], eos)[:width]
    for _ in range(max_length - 1):
        beams = [grown(step, [beam], eos)[0] for beam in beams]
    total, tokens = max(beams, key=lambda beam: beam[0])
    return tokens, total


@mistake(
    "This is the greedy sentence, and width was not used. "
    "A word that is likely now may lead where nothing likely follows. "
    "Keep the best `width` candidates at every length.",
    sees="`[0, 2, 4, 1]` with −2.0794, which is *A x*, and not `[0, 2, 5, 1]` with −1.597",
)
def chosen_greedily(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:1]
    return beams[0][1], beams[0][0]


@mistake(
    "Finished beams keep growing. "
    "EOS ends a sentence: it stays as it is, keeps its log-probability, and competes with the others. "
    "Carry a beam that ends in eos over to the candidates unchanged.",
    sees="`[0, 2, 5, 1, 1, 1]` and not `[0, 2, 5, 1]`",
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
    "The probability is returned, and its logarithm was asked for. "
    "Probabilities of long sentences are rounded to 0. "
    "Add log-probabilities, and return their sum as it is.",
    sees=".2025 and not −1.597",
)
def probability_returned(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    return beams[0][1], np.exp(beams[0][0])


@mistake(
    "The search stopped when the first beam had ended. "
    "A longer sentence may be likelier than the one that ends first. "
    "Go on until all beams have ended, or max_length is reached.",
    sees="right on the tree, then `[0, 1]` with −.9163 and not `[0, 2, 4, 1]` with −.6162",
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
    "Finished sentences were set aside, where nothing can push them out any more. "
    "Many systems do that; here a finished beam keeps its place among the `width` only as long as it is good enough. "
    "Let finished beams compete with all candidates, at every length.",
    sees="right, until `[0, 1]` with −1.3863 stays, though two beams have passed it",
)
def finished_set_aside(step, sos, eos, max_length, width):
    beams, finished = [(0.0, [sos])], []
    for _ in range(max_length):
        best = grown(step, beams, eos)[:width]
        finished += [beam for beam in best if beam[1][-1] == eos]
        beams = [beam for beam in best if beam[1][-1] != eos]
        if not beams:
            break
    total, tokens = max(finished or beams, key=lambda beam: beam[0])
    return tokens, total


@mistake(
    "Logits were added up, without softmax. "
    "They are comparable within one row only: each row may be larger or smaller as a whole. "
    "Take the logarithm of softmax of each row before you add.",
    sees="4.403 and not −1.597",
)
def logits_added(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos, of_softmax=False)[:width]
    return beams[0][1], float(beams[0][0])


@mistake(
    "width plays no part: every candidate was kept. "
    "Their number is multiplied by the number of words with each token, which no machine holds for long. "
    "Keep the best `width` after every token.",
    sees="right with two beams, and with one `[0, 2, 5, 1]` and not `[0, 2, 4, 1]`",
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
    sees="right on the tree, then `[0, 2, 4, 1]` with −1.273 and not `[0, 1]` with −1.204",
)
def compared_per_token(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = grown(step, beams, eos)
        beams = sorted(candidates, key=lambda beam: -beam[0] / (len(beam[1]) - 1))[:width]
    return beams[0][1], beams[0][0]


@mistake(
    "EOS is missing from the tokens. "
    "It is a token that the model said, and it tells a complete sentence from one that was cut off. "
    "Return the tokens as they are.",
    sees="`[0, 2, 5]` and not `[0, 2, 5, 1]`",
)
def eos_taken_off(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    return [token for token in beams[0][1] if token != eos], beams[0][0]


@mistake(
    "SOS is missing from the tokens. "
    "sequence_log_probability begins with it, and so does the next step. "
    "Return the tokens as they are, SOS first.",
    sees="`[2, 5, 1]` and not `[0, 2, 5, 1]`",
)
def sos_dropped(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    return beams[0][1][1:], beams[0][0]


@mistake(
    "The log-probability is that of the last token alone. "
    "A beam is as likely as all its tokens together. "
    "Add what a token costs to the total of its beam.",
    sees="−.1054 and not −1.597",
)
def last_token_alone(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        ended = [beam for beam in beams if beam[1][-1] == eos]
        alone = [grown(step, [(0.0, tokens)], eos) for _, tokens in beams if tokens[-1] != eos]
        beams = sorted(sum(alone, ended), key=lambda beam: -beam[0])[:width]
    return beams[0][1], float(beams[0][0])


@mistake(
    "SOS was counted among the max_length tokens. "
    "SOS is given, and max_length counts what is said after it. "
    "Go round the loop max_length times.",
    sees="right, until a sentence is cut off one token too early: `[0, 2, 4]` and not `[0, 2, 4, 1]`",
)
def one_token_too_few(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length - 1):
        beams = grown(step, beams, eos)[:width]
    return beams[0][1], beams[0][0]


@mistake(
    "Probabilities were added, and they are multiplied. "
    "Only their logarithms are added: ln(a · b) is ln a + ln b. "
    "Take the logarithm of softmax of each row before you add.",
    sees="1.85 and not −1.597",
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
    "The least likely beams were kept. "
    "sorted puts the smallest first, and of log-probabilities that is the least likely. "
    "Sort by falling totals, with key=lambda beam: -beam[0].",
    sees="`[0, 4, 0, 4, 0, 0]` with −210 and not `[0, 2, 5, 1]` with −1.597",
)
def worst_kept(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = sorted(grown(step, beams, eos), key=lambda beam: beam[0])[:width]
    return beams[0][1], float(beams[0][0])


@mistake(
    "Finished beams were left out. "
    "A sentence that has ended is a candidate like the others, and it may be the best of all. "
    "Carry a beam that ends in eos over to the candidates unchanged.",
    sees="right on the tree, then `[0, 2, 4, 0, 2, 4]` with −43.2324 and not `[0, 2, 4, 1]` with −.6162",
)
def finished_left_out(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        growing = [beam for beam in beams if beam[1][-1] != eos]
        if not growing:
            break
        beams = grown(step, growing, eos)[:width]
    return beams[0][1], float(beams[0][0])


@mistake(
    "One token more than max_length was allowed. "
    "max_length counts the tokens after SOS, and the first turn says the first of them. "
    "Go round the loop max_length times.",
    sees="right, until a sentence is cut off: it is one token too long",
    edge=True,
)
def one_turn_too_many(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length + 1):
        beams = grown(step, beams, eos)[:width]
    return beams[0][1], beams[0][0]


@mistake(
    "Only finished sentences were allowed to win. "
    "A beam that max_length has cut off counts like any other, and it may be the likeliest. "
    "Return the best of all beams that are left.",
    sees="right, until a beam that was cut off is likelier than the finished ones",
    edge=True,
)
def finished_preferred(step, sos, eos, max_length, width):
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        beams = grown(step, beams, eos)[:width]
    total, tokens = max(beams, key=lambda beam: (beam[1][-1] == eos, beam[0]))
    return tokens, total


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
)
