"""Wrong answers that readers wrote: the notebook and the grader tell their true cause."""

import numpy as np
import pytest

from attention.exercises import exercises_of
from attention.exercises.given_functions import (
    add_and_norm,
    cross_attention,
    feed_forward,
    layer_norm,
    multi_head_attention,
)
from autograder.diagnosis.difference import OF_A_NEGATIVE
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of
from autograder.diagnosis.selfcheck import finding

SLIPS = []


def slip(chapter, name, mistake):
    """List a wrong answer to an exercise, and the mistake that it makes."""
    return lambda answer: SLIPS.append((chapter, name, mistake, answer)) or answer


@slip("layer_norm", "layer_norm", "over_bare_variance")
def divided_by_the_variance(x, gamma, beta, eps=1e-5):
    """Read σ² in the formula, and no root."""
    mu = np.mean(x, axis=-1, keepdims=True)
    return gamma * ((x - mu) / np.var(x, axis=-1, keepdims=True)) + beta


@slip("layer_norm", "layer_norm", "over_its_length")
def made_one_long(x, gamma, beta, eps=1e-5):
    """Take the length for the standard deviation."""
    apart = x - np.mean(x, axis=-1, keepdims=True)
    return gamma * apart / np.sqrt((apart * apart).sum(axis=-1, keepdims=True)) + beta


def parts(p, h, mask, memory=None, memory_mask=None):
    """Return a layer's sublayers as functions of x, in their order, and its norms by number."""
    own, cross = ([p.get(prefix + name) for name in ("w_q", "w_k", "w_v", "w_o")] for prefix in ("", "cross_"))
    looks = [lambda x: multi_head_attention(x, x, x, *own, h, mask)[0]]
    if memory is not None:
        looks.append(lambda x: cross_attention(x, memory, *cross, h, memory_mask)[0])
    norms = {i: (p[f"gamma{i}"], p[f"beta{i}"]) for i in (1, 2, 3) if f"gamma{i}" in p}
    return [*looks, lambda x: feed_forward(x, p["w1"], p["b1"], p["w2"], p["b2"])], norms


def stacked(x, sublayers, norms):
    """Apply sublayers one after the other, with add and norm."""
    for sublayer, norm in zip(sublayers, norms, strict=True):
        x = add_and_norm(x, sublayer(x), *norm)
    return x


@slip("layer_norm", "encoder_layer", "thought_about_the_sum")
def fed_before_the_norm(x, parameters, h, mask=None):
    """Feed the feed-forward layer with the sum."""
    (look, think), norms = parts(parameters, h, mask)
    total = x + look(x)
    x = layer_norm(total, *norms[1])
    return add_and_norm(x, think(total), *norms[2])


@slip("layer_norm", "encoder_layer", "thought_first_with_its_norm")
def fed_first(x, parameters, h, mask=None):
    """Swap the sublayers, and leave each its norm."""
    (look, think), norms = parts(parameters, h, mask)
    return stacked(x, [think, look], [norms[2], norms[1]])


def decoder_of(order, numbers):
    """Return a decoder layer with its sublayers in another order, or with other norms."""

    def layer(x, memory, parameters, h, mask, memory_mask=None):
        sublayers, norms = parts(parameters, h, mask, memory, memory_mask)
        return stacked(x, [sublayers[i] for i in order], [norms[i] for i in numbers])

    return layer


slip("masking", "decoder_layer", "first_norm_again")(decoder_of((0, 1, 2), (1, 1, 3)))
slip("masking", "decoder_layer", "cross_first")(decoder_of((1, 0, 2), (1, 2, 3)))
slip("masking", "decoder_layer", "cross_first_with_its_norm")(decoder_of((1, 0, 2), (2, 1, 3)))
slip("masking", "decoder_layer", "thought_before_asking_with_its_norm")(decoder_of((0, 2, 1), (1, 3, 2)))


@slip("training", "shift_right", "rolled_round")
def rolled(targets, sos):
    """Roll, and forget SOS."""
    return np.roll(targets, 1, -1)


@slip("training", "shift_right", "rolled_through_the_batch")
def rolled_without_an_axis(targets, sos):
    """Roll the flattened batch."""
    return np.roll(targets, shift=1)


@slip("training", "shift_right", "first_sentence_overwritten")
def put_into_the_first_row(targets, sos):
    """Count the axis from the front."""
    shown = np.roll(targets, 1, axis=-1)
    shown[0] = sos
    return shown


@slip("inference", "beam_search", "ended_beams_dropped")
def skipped_when_finished(step, sos, eos, max_length, width):
    """Skip a finished beam without keeping it."""
    beams = [([sos], 0.0)]
    for _ in range(max_length):
        candidates = []
        for tokens, total in beams:
            if tokens[-1] == eos:
                continue
            logits = step(tokens)
            log_p = logits - logits.max() - np.log(np.exp(logits - logits.max()).sum())
            candidates += [([*tokens, word], total + log_p[word]) for word in range(len(log_p))]
        candidates.sort(key=lambda beam: beam[1], reverse=True)
        beams = candidates[:width]
    return beams[0]


@pytest.mark.parametrize(("chapter", "name", "mistake", "answer"), SLIPS, ids=[one[2] for one in SLIPS])
@pytest.mark.filterwarnings("ignore:invalid value encountered")
def test_a_slip_is_told_its_cause(stored, chapter, name, mistake, answer):
    """Whatever the code looks like, the grader and the notebook's check name the same listed mistake."""
    exercise = exercises_of(chapter)[name]
    verdict = judge(exercise, 0, [reply_of(answer, case) for _, case in exercise.questions(0)])
    (message,) = (one.message for one in exercise.mistakes if one.id == mistake)
    assert (verdict.mistake, verdict.message) == (mistake, message)
    assert message in finding(name, stored[chapter][name], answer).said


def test_an_array_of_whole_numbers_is_a_cause_of_zeros(stored):
    """Where all right numbers are below 1, nothing is left of them; the examples cannot tell it from other causes."""

    def shift_matrix(k, d_model, base=10000):
        turned = np.zeros((d_model, d_model), dtype=int)
        turned[:] = exercises_of("position")["shift_matrix"].reference(k, d_model, base)
        return turned

    assert "`dtype=int`" in finding("shift_matrix", stored["position"]["shift_matrix"], shift_matrix).said


def test_a_complex_score_is_told_where_it_comes_from(stored):
    """Brackets around the quotient: a root of a negative number is complex."""
    exercise = exercises_of("inference")["length_normalised"]

    def powered_in_brackets(log_probability, length, alpha):
        return (log_probability / length) ** alpha

    replies = [reply_of(powered_in_brackets, case) for _, case in exercise.questions(0)]
    assert OF_A_NEGATIVE in judge(exercise, 0, replies).message
    assert OF_A_NEGATIVE in finding(exercise.name, stored["inference"][exercise.name], powered_in_brackets).said
