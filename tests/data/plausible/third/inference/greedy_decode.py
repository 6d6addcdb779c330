"""Plausible wrong answers to greedy_decode."""

import numpy as np

from attention.chapters.context import softmax


def sos_cut_off(step, sos, eos, max_length):
    """SOS is cut off from the answer, which should begin with it."""
    tokens = [sos]
    for _ in range(max_length):
        tokens.append(int(np.argmax(step(tokens))))
        if tokens[-1] == eos:
            break
    return tokens[1:]


def eos_put_at_the_end_anyway(step, sos, eos, max_length):
    """EOS is put at the end also where the model did not say it."""
    tokens = [sos]
    for _ in range(max_length):
        tokens.append(int(np.argmax(step(tokens))))
        if tokens[-1] == eos:
            return tokens
    return [*tokens, eos]


def last_token_alone_asked(step, sos, eos, max_length):
    """step is given the last token alone, and not the whole list so far."""
    tokens = [sos]
    for _ in range(max_length):
        tokens.append(int(np.argmax(step(tokens[-1:]))))
        if tokens[-1] == eos:
            break
    return tokens


def first_logits_for_ever(step, sos, eos, max_length):
    """step is asked once before the loop, so the same token comes each time."""
    tokens = [sos]
    logits = step(tokens)
    for _ in range(max_length):
        tokens.append(int(np.argmax(logits)))
        if tokens[-1] == eos:
            break
    return tokens


def least_likely(step, sos, eos, max_length):
    """np.argsort(...)[0] is the least likely token and not the likeliest."""
    tokens = [sos]
    for _ in range(max_length):
        tokens.append(int(np.argsort(step(tokens))[0]))
        if tokens[-1] == eos:
            break
    return tokens


def last_of_equals(step, sos, eos, max_length):
    """np.argsort(...)[-1] takes the largest number where several tokens are equally likely."""
    tokens = [sos]
    for _ in range(max_length):
        tokens.append(int(np.argsort(step(tokens), kind="stable")[-1]))
        if tokens[-1] == eos:
            break
    return tokens


def probability_in_place_of_the_token(step, sos, eos, max_length):
    """np.max in place of np.argmax appends the probability and not the token."""
    tokens = [sos]
    for _ in range(max_length):
        tokens.append(float(np.max(softmax(step(tokens)))))
        if tokens[-1] == eos:
            break
    return tokens


def drawn_at_random(step, sos, eos, max_length):
    """The next token is drawn at random from the probabilities, and is not always the likeliest."""
    rng, tokens = np.random.default_rng(0), [sos]
    for _ in range(max_length):
        p = softmax(step(tokens))
        tokens.append(int(rng.choice(len(p), p=p)))
        if tokens[-1] == eos:
            break
    return tokens


def eos_one_before_the_end_missed(step, sos, eos, max_length):
    """Looks for EOS before asking, so after EOS one token more is asked for."""
    tokens = [sos]
    for _ in range(max_length):
        over = tokens[-1] == eos
        tokens.append(int(np.argmax(step(tokens))))
        if over:
            break
    return tokens


def eos_taken_for_one(step, sos, eos, max_length):
    """EOS is taken to have the number 1, as in the example."""
    tokens = [sos]
    for _ in range(max_length):
        tokens.append(int(np.argmax(step(tokens))))
        if tokens[-1] == 1:
            break
    return tokens


def begins_with_zero(step, sos, eos, max_length):
    """SOS is taken to have the number 0, as in the example."""
    tokens = [0]
    for _ in range(max_length):
        tokens.append(int(np.argmax(step(tokens))))
        if tokens[-1] == eos:
            break
    return tokens


def sos_and_eos_never_said(step, sos, eos, max_length):
    """SOS may not be said again: its logit is set to -inf, also where it is the likeliest."""
    tokens = [sos]
    for _ in range(max_length):
        logits = np.array(step(tokens), dtype=float)
        logits[sos] = -np.inf
        tokens.append(int(np.argmax(logits)))
        if tokens[-1] == eos:
            break
    return tokens


def joined_by_the_array(step, sos, eos, max_length):
    """The sentence is returned as an array with the log-probability, where only the list is asked for."""
    tokens, total = [sos], 0.0
    for _ in range(max_length):
        p = softmax(step(tokens))
        tokens.append(int(np.argmax(p)))
        total += np.log(p[tokens[-1]])
        if tokens[-1] == eos:
            break
    return tokens, total
