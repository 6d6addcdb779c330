"""Plausible wrong answers to beam_search."""

import numpy as np

from attention.chapters.context import softmax


def _log_p(logits):
    moved = logits - logits.max()
    return moved - np.log(np.exp(moved).sum())


def _best(candidates, width):
    return sorted(candidates, key=lambda beam: -beam[0])[:width]


def finished_beams_grow_on(step, sos, eos, max_length, width):
    """Beams that end in EOS are not set apart and go on growing."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = []
        for total, tokens in beams:
            log_p = _log_p(step(tokens))
            candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
    return beams[0][1], float(beams[0][0])


def finished_beams_dropped(step, sos, eos, max_length, width):
    """A finished beam is skipped in the next turn, and so is lost."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = []
        for total, tokens in beams:
            if tokens[-1] == eos:
                continue
            log_p = _log_p(step(tokens))
            candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        if not candidates:
            break
        beams = _best(candidates, width)
    return beams[0][1], float(beams[0][0])


def each_beam_its_own_best_child(step, sos, eos, max_length, width):
    """Each beam keeps its own best child, in place of all children competing for the places."""
    log_p = _log_p(step([sos]))
    beams = _best([(log_p[w], [sos, w]) for w in range(len(log_p))], width)
    for _ in range(max_length - 1):
        grown = []
        for total, tokens in beams:
            if tokens[-1] == eos:
                grown.append((total, tokens))
                continue
            log_p = _log_p(step(tokens))
            word = int(np.argmax(log_p))
            grown.append((total + log_p[word], [*tokens, word]))
        beams = grown
    best = _best(beams, 1)[0]
    return best[1], float(best[0])


def search_ends_with_the_first_finished(step, sos, eos, max_length, width):
    """The search ends as soon as one beam is finished, and returns it though others could be likelier."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = []
        for total, tokens in beams:
            log_p = _log_p(step(tokens))
            candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
        for total, tokens in beams:
            if tokens[-1] == eos:
                return tokens, float(total)
    return beams[0][1], float(beams[0][0])


def finished_set_aside(step, sos, eos, max_length, width):
    """Finished sentences are set aside on a list of their own and no longer compete, so none is pushed out."""
    beams, finished = [(0.0, [sos])], []
    for _ in range(max_length):
        candidates = []
        for total, tokens in beams:
            log_p = _log_p(step(tokens))
            candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        chosen = _best(candidates, width)
        finished += [beam for beam in chosen if beam[1][-1] == eos]
        beams = [beam for beam in chosen if beam[1][-1] != eos]
        if not beams:
            break
    best = _best(finished + beams, 1)[0]
    return best[1], float(best[0])


def only_finished_may_win(step, sos, eos, max_length, width):
    """At the end only finished beams are compared, where one that was cut off counts like any other."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = []
        for total, tokens in beams:
            if tokens[-1] == eos:
                candidates.append((total, tokens))
                continue
            log_p = _log_p(step(tokens))
            candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
    done = [beam for beam in beams if beam[1][-1] == eos] or beams
    return done[0][1], float(done[0][0])


def divided_by_the_length(step, sos, eos, max_length, width):
    """The best beam is chosen by its log-probability per token, and not by the sum."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = []
        for total, tokens in beams:
            if tokens[-1] == eos:
                candidates.append((total, tokens))
                continue
            log_p = _log_p(step(tokens))
            candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
    best = max(beams, key=lambda beam: beam[0] / (len(beam[1]) - 1))
    return best[1], float(best[0])


def probability_returned(step, sos, eos, max_length, width):
    """The probability is returned, and not its logarithm."""
    beams = [(1.0, [sos])]
    for _ in range(max_length):
        candidates = []
        for total, tokens in beams:
            if tokens[-1] == eos:
                candidates.append((total, tokens))
                continue
            p = softmax(step(tokens))
            candidates += [(total * p[w], [*tokens, w]) for w in range(len(p))]
        beams = _best(candidates, width)
    return beams[0][1], float(beams[0][0])


def tokens_alone(step, sos, eos, max_length, width):
    """Only the tokens are returned, and not their log-probability."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for total, tokens in beams:
            if tokens[-1] != eos:
                log_p = _log_p(step(tokens))
                candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
    return beams[0][1]


def log_probability_first(step, sos, eos, max_length, width):
    """The beam is returned as it is kept, with the log-probability before the tokens."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for total, tokens in beams:
            if tokens[-1] != eos:
                log_p = _log_p(step(tokens))
                candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
    return float(beams[0][0]), beams[0][1]


def totals_not_added(step, sos, eos, max_length, width):
    """A candidate's number is that of its last word alone, and the beam's own is not added."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for _total, tokens in beams:
            if tokens[-1] != eos:
                log_p = _log_p(step(tokens))
                candidates += [(log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
    return beams[0][1], float(beams[0][0])


def logits_added(step, sos, eos, max_length, width):
    """The logits are added as they are, without softmax's logarithm."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for total, tokens in beams:
            if tokens[-1] != eos:
                logits = step(tokens)
                candidates += [(total + logits[w], [*tokens, w]) for w in range(len(logits))]
        beams = _best(candidates, width)
    return beams[0][1], float(beams[0][0])


def greedy_whatever_the_width(step, sos, eos, max_length, width):
    """width is not used: always one beam."""
    tokens, total = [sos], 0.0
    for _ in range(max_length):
        log_p = _log_p(step(tokens))
        word = int(np.argmax(log_p))
        tokens, total = [*tokens, word], total + log_p[word]
        if word == eos:
            break
    return tokens, float(total)


def width_of_the_example(step, sos, eos, max_length, width):
    """Two beams are kept, as in the example, whatever the width is."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for total, tokens in beams:
            if tokens[-1] != eos:
                log_p = _log_p(step(tokens))
                candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, 2)
    return beams[0][1], float(beams[0][0])


def one_turn_too_few(step, sos, eos, max_length, width):
    """SOS counts towards max_length, so there is one turn too few."""
    beams = [(0.0, [sos])]
    for _ in range(max_length - 1):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for total, tokens in beams:
            if tokens[-1] != eos:
                log_p = _log_p(step(tokens))
                candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
    return beams[0][1], float(beams[0][0])


def one_list_for_all_children(step, sos, eos, max_length, width):
    """tokens.append changes the one list that all children share."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for total, tokens in beams:
            if tokens[-1] != eos:
                log_p = _log_p(step(tokens))
                for w in np.argsort(-log_p)[:width]:
                    tokens.append(int(w))
                    candidates.append((total + log_p[w], tokens))
        beams = _best(candidates, width)
    return beams[0][1], float(beams[0][0])


def all_beams_returned(step, sos, eos, max_length, width):
    """All beams are returned, and not the best alone."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        for total, tokens in beams:
            if tokens[-1] != eos:
                log_p = _log_p(step(tokens))
                candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
    return [(tokens, float(total)) for total, tokens in beams]


def stops_when_the_best_is_finished(step, sos, eos, max_length, width):
    """The search stops as soon as any beam is finished, and returns the best of that turn."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = []
        for total, tokens in beams:
            log_p = _log_p(step(tokens))
            candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
        if any(tokens[-1] == eos for _, tokens in beams):
            break
    return beams[0][1], float(beams[0][0])


def finished_keep_their_place_beside_the_width(step, sos, eos, max_length, width):
    """Finished beams are kept beside the width and take no place among the beams."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        finished = [beam for beam in beams if beam[1][-1] == eos]
        candidates = []
        for total, tokens in beams:
            if tokens[-1] != eos:
                log_p = _log_p(step(tokens))
                candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = finished + _best(candidates, width)
    best = _best(beams, 1)[0]
    return best[1], float(best[0])


def best_words_of_all_beams_at_once(step, sos, eos, max_length, width):
    """After the first turn the best word for each beam is taken from the first beam's logits."""
    beams = [(0.0, [sos])]
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[1][-1] == eos]
        log_p = _log_p(step(beams[0][1]))
        for total, tokens in beams:
            if tokens[-1] != eos:
                candidates += [(total + log_p[w], [*tokens, w]) for w in range(len(log_p))]
        beams = _best(candidates, width)
    return beams[0][1], float(beams[0][0])


def logarithm_of_softmax(step, sos, eos, max_length, width):
    """The probabilities are multiplied and the logarithm taken at the end, so long sentences become -inf."""
    beams = [(1.0, [sos])]
    for _ in range(max_length):
        candidates = []
        for total, tokens in beams:
            if tokens[-1] == eos:
                candidates.append((total, tokens))
                continue
            p = softmax(step(tokens))
            candidates += [(total * p[w], [*tokens, w]) for w in range(len(p))]
        beams = _best(candidates, width)
    return beams[0][1], float(np.log(beams[0][0]))
