"""Chapter 12, inference: a translation word by word, and the search for a likely one."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float, Int, Num

from .context import softmax
from .embeddings import token_ids
from .shapes import require_at_least
from .training import log_softmax
from .transformer import EOS, SOS, Model, decode, encode

# Tokens so far, SOS first -> logits of the next token, (words,).
Step = Callable[[list[int]], Num[np.ndarray, "words"]]


def greedy_decode(step: Step, sos: int, eos: int, max_length: int) -> list[int]:
    """Take the likeliest next token until it is EOS.

    token_t = argmax step(tokens before t), the first one in a tie

    Shapes: ``step(tokens)`` gives the logits (words,) of the next token
    -> the tokens, SOS first, EOS last unless max_length tokens came before it.
    Errors: ValueError for a max_length below 1.
    Source: Sutskever, Vinyals and Le (2014), Sequence to sequence learning, section 3.2, with a beam of 1.
    """
    require_at_least("max_length", max_length, 1, "count the tokens after SOS")
    tokens = [sos]
    for _ in range(max_length):
        tokens = [*tokens, int(np.argmax(step(tokens)))]
        if tokens[-1] == eos:
            break
    return tokens


def beam_search(step: Step, sos: int, eos: int, max_length: int, width: int) -> tuple[list[int], float]:
    """Keep the ``width`` likeliest beginnings at every length, and return the likeliest sentence among the last.

    candidates = finished beams as they are, and every unfinished one with each next token; the best ``width`` stay

    Shapes: ``step`` as in ``greedy_decode`` -> (tokens, log-probability in nats); tokens as in ``greedy_decode``.
    All children of all beams compete: two beams may come from one parent. Log-probabilities are added, since products
    of many probabilities round to 0.
    Errors: ValueError for a max_length or width below 1.
    Source: Sutskever, Vinyals and Le (2014), section 3.2; Graves (2012), Sequence transduction, section 2.5.
    """
    require_at_least("max_length", max_length, 1, "count the tokens after SOS")
    require_at_least("width", width, 1, "width 1 is greedy")
    beams = [(0.0, [sos], False)]  # log-probability, tokens, finished
    for _ in range(max_length):
        candidates = [beam for beam in beams if beam[2]]
        for total, tokens, _ in (beam for beam in beams if not beam[2]):
            log_p = log_softmax(step(tokens))  # (words,)
            best = np.argsort(-log_p, kind="stable")[:width]  # no other child can be among the best
            candidates += [(total + float(log_p[i]), [*tokens, int(i)], i == eos) for i in best]
        beams = sorted(candidates, key=lambda beam: -beam[0])[:width]
        if all(finished for _, _, finished in beams):
            break
    total, tokens, _ = beams[0]
    return tokens, total


def sequence_log_probability(step: Step, tokens: list[int]) -> float:
    """Return the log-probability of a whole sentence, EOS included.

    Σ_t ln P(token_t | the tokens before), t = 1 … n - 1: SOS is given, not predicted

    Shapes: tokens, SOS first, as ``greedy_decode`` returns them -> one number, in nats, 0 at most.
    Errors: ValueError where there is no token after SOS.
    Source: Sutskever, Vinyals and Le (2014), equation 1.
    """
    if len(tokens) < 2:
        raise ValueError(f"expected SOS and at least one token more, got {tokens}: pass the sentence with its EOS")
    return float(sum(log_softmax(step(list(tokens[:t])))[tokens[t]] for t in range(1, len(tokens))))


def length_normalised(log_probability: float | int, length: int, alpha: float | int) -> float:
    """Make long and short sentences comparable: every further token makes a sentence less likely.

    log_probability / length^α: α = 0 leaves it alone, α = 1 gives nats per token

    Shapes: ``length`` counts the predicted tokens, EOS included, SOS not -> one number.
    Errors: ValueError for a length below 1.
    Source: Wu et al. (2016), Google's neural machine translation system, section 7, which first tries length^α and
    then divides by (5 + length)^α / 6^α.
    """
    require_at_least("length", length, 1, "count the tokens after SOS")
    return log_probability / length**alpha


def sample(
    logits: Num[np.ndarray, "words"], temperature: float | int, u: Float[np.ndarray, "*draws"] | float
) -> Int[np.ndarray, "*draws"] | np.integer:
    """Draw words with the probabilities softmax(logits / temperature).

    word = the first whose probability, added to those of all words before it, exceeds u

    Shapes: logits (words,), u (...), drawn evenly from 0 to 1 -> whole numbers (...). At temperature 0 every draw is
    the likeliest word, the first in a tie: the limit of small temperatures. Chapter 4's booster is 1 / temperature.
    Errors: ValueError for a temperature below 0.
    Source: Ackley, Hinton and Sejnowski (1985), A learning algorithm for Boltzmann machines, section 2.
    """
    if temperature < 0:
        raise ValueError(f"expected a temperature of 0 or more, got {temperature}: 0 is greedy")
    if temperature == 0:
        return np.full(np.shape(u), np.argmax(logits))[()]
    ends = np.cumsum(softmax(logits / temperature))
    return np.searchsorted(ends[:-1], u, side="right")


def translation_step(sentence: str, model: Model) -> Step:
    """Encode a sentence once, and return the ``step`` with which it can be translated by any search.

    Errors: KeyError for a word that is not in the model's source vocabulary; ValueError for an empty sentence.
    """
    parameters, source_vocabulary, _, h, layers = model
    memory = encode(token_ids(sentence.split(), source_vocabulary), parameters, h, layers)  # (S, d_model)

    def step(tokens: list[int]) -> Float[np.ndarray, "words"]:
        """Return the logits of the token after ``tokens``."""
        return decode(np.array(tokens), memory, parameters, h, layers)[-1]

    return step


def translate(sentence: str, model: Model) -> str:
    """Translate a sentence with a trained model, taking the likeliest word each time.

    Shapes: words in, words out; at most 50 words more than went in.
    Errors: KeyError for a word that is not in the model's source vocabulary; ValueError for an empty sentence.
    Source: Vaswani et al. (2017), section 6.1, whose limit of 50 more it shares; theirs is a beam of 4.
    """
    words = {number: word for word, number in model.target_vocabulary.items()}
    sos, eos = model.target_vocabulary[SOS], model.target_vocabulary[EOS]
    tokens = greedy_decode(translation_step(sentence, model), sos, eos, len(sentence.split()) + 50)
    return " ".join(words[token] for token in tokens if token not in (sos, eos))
