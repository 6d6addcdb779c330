"""Chapter 10's experiment: a transformer learns the Italian of *Which bank?*, in NumPy, in a minute or two."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import autograd
import numpy as np
from autograd.extend import SparseObject, defvjp, primitive, vspace
from jaxtyping import Bool, Float, Int

from .corpus import Corpus, Pair
from .embeddings import token_ids, vocabulary
from .gradients import adam_step
from .inference import beam_search, translation_step
from .masking import padding_mask
from .shapes import Array, Parameters, require_at_least
from .training import cross_entropy, learning_rate, log_softmax, shift_right
from .transformer import EOS, PAD, SOS, Model, attention_maps, decode, encode, initialise, transformer

SEED = 2017  # the year of "Attention is all you need": of the corpus, and of the translator that is shipped
EPS = 1e-7  # once almost all is learned, gradients are so small that Adam's 1e-9 would make strides of noise


class Settings(NamedTuple):
    """How large the model is, and how long it learns."""

    d_model: int = 64
    d_ff: int = 160
    h: int = 4
    layers: int = 1
    batch: int = 48
    steps: int = 2000
    warmup: int = 400
    rate: float = 0.6  # of the paper's learning rate, which shakes so small a model
    averaged: float = 0.2  # the share of the steps, the last ones, over which parameters are averaged
    checkpoints: int = 8
    longest: int = 24  # tokens of a translation, EOS included


SETTINGS = Settings()


def number_pairs(pairs: Sequence[Pair], model: Model) -> tuple[Int[np.ndarray, "N S"], Int[np.ndarray, "N T"]]:
    """Turn sentence pairs into token numbers, PAD behind the shorter ones, EOS behind every target.

    Errors: KeyError for a word that is in neither vocabulary; ValueError where there is no pair.
    """
    return (
        _padded([source for source, _ in pairs], model.source_vocabulary),
        _padded([f"{target} {EOS}" for _, target in pairs], model.target_vocabulary),
    )


def _padded(sentences: Sequence[str], vocab: dict[str, int]) -> np.ndarray:
    """Number the words of each sentence, and make all as long as the longest."""
    rows = [token_ids(sentence.split(), vocab) for sentence in sentences]
    require_at_least("the number of sentences", len(rows), 1, "pass at least one")
    padded = np.full((len(rows), max(map(len, rows))), vocab[PAD])
    for row, tokens in zip(padded, rows, strict=True):
        row[: len(tokens)] = tokens
    return padded


def flatten(parameters: Parameters) -> Float[np.ndarray, "size"]:
    """Put all parameters into one vector, name after name."""
    return np.concatenate([array.ravel() for array in parameters.values()])


def unflatten(flat: Float[Array, "size"], like: Parameters) -> dict:
    """Cut a vector into parameters of the names and shapes of ``like``. Inverse of ``flatten``.

    autograd follows one vector in slices faster than a dictionary: there, each use of a name costs a pass over all.
    """
    ends = np.cumsum([array.size for array in like.values()])
    return {
        name: _piece(flat, end - array.size, end, array.shape)
        for (name, array), end in zip(like.items(), ends, strict=True)
    }


@primitive
def _piece(flat: Array, start: int | np.integer, end: int | np.integer, shape: tuple[int, ...]) -> Array:
    """Return one parameter of a vector."""
    return flat[start:end].reshape(shape)


def _piece_vjp(
    _: object, flat: Array, start: int | np.integer, end: int | np.integer, shape: tuple[int, ...]
) -> Callable:
    """Tell autograd to add a parameter's gradient in its place, and leave the rest of the vector alone."""

    def slope(g: Array) -> SparseObject:
        def add(total: Array) -> Array:
            total[start:end] += g.ravel()
            return total

        return SparseObject(vspace(flat), add)

    return slope


defvjp(_piece, _piece_vjp)


def batch_loss(
    flat: Float[Array, "size"], source: Int[np.ndarray, "B S"], target: Int[np.ndarray, "B T"], model: Model
) -> Float[Array, ""] | float:
    """Return the cross-entropy of a batch under teacher forcing: every next word of every sentence, in one pass.

    Shapes: flat as ``flatten`` makes it, source (B, S), target (B, T) that ends in EOS and PAD -> nats per token.
    """
    vocab, parameters = model.target_vocabulary, unflatten(flat, model.parameters)
    shown = shift_right(target, vocab[SOS])  # (B, T)
    logits = transformer(source, shown, parameters, model.h, model.layers, source_mask(source, model))
    return cross_entropy(logits, target, vocab[PAD])


def source_mask(source: Int[np.ndarray, "B S"], model: Model) -> Bool[np.ndarray, "B 1 S"]:
    """Return the ``padding_mask`` of padded source sentences: (B, S) -> (B, 1, S)."""
    return padding_mask((source != model.source_vocabulary[PAD]).sum(axis=-1), source.shape[-1])


def untrained(corpus: Corpus, rng: np.random.Generator, settings: Settings) -> Model:
    """Make a model that knows the training sentences' words, and nothing of what they mean."""
    source = vocabulary([PAD, *(pair[0] for pair in corpus.training)])
    target = vocabulary([f"{PAD} {SOS} {EOS}", *(pair[1] for pair in corpus.training)])
    sizes = (settings.d_model, settings.d_ff, settings.layers)
    return Model(initialise(rng, len(source), len(target), *sizes), source, target, settings.h, settings.layers)


def batches(
    rng: np.random.Generator, source: np.ndarray, target: np.ndarray, model: Model, size: int
) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield batches without end, each sentence once before any comes again, without columns of PAD alone.

    A batch holds sentences of about one length, and batches come in any order.
    """
    sides = [(source, model.source_vocabulary[PAD]), (target, model.target_vocabulary[PAD])]
    lengths = sum((tokens != pad).sum(axis=-1) for tokens, pad in sides)
    while True:
        order = rng.permutation(len(source))
        order = order[np.argsort(lengths[order], kind="stable")]
        cut = np.split(order, range(size, len(order), size))
        for i in rng.permutation(len(cut)):
            yield tuple(tokens[cut[i]][:, (tokens[cut[i]] != pad).any(axis=0)] for tokens, pad in sides)


def train(
    corpus: Corpus,
    rng: np.random.Generator,
    settings: Settings = SETTINGS,
    watched: Sequence[Pair] = (),
) -> tuple[Model, dict]:
    """Let a model learn the corpus, and record what it can do on the way.

    flat = adam_step(flat, ∂ batch_loss / ∂ flat), once for each batch

    The model is ``flat``, and from the last fifth of the steps on the mean of what it has been since.

    ``watched`` are the pairs to follow closely
    -> the trained model, and the record that ``checkpoint`` describes, ready for JSON.
    Errors: KeyError where a held-out or watched word occurs in no training sentence.
    Source: Vaswani et al. (2017), sections 5.1 to 5.3, and 6.1 for the mean; Williams and Zipser (1989) for
    teacher forcing.
    """
    model = untrained(corpus, rng, settings)
    supply = batches(rng, *number_pairs(corpus.training, model), model, settings.batch)
    slope = autograd.value_and_grad(batch_loss)
    flat = mean = flatten(model.parameters)
    m, v, losses = np.zeros_like(flat), np.zeros_like(flat), []
    moments, alone = checkpoint_steps(settings), round((1 - settings.averaged) * settings.steps)
    record = [checkpoint(0, model, corpus, watched, settings.longest)]
    for step in range(1, settings.steps + 1):
        loss, gradient = slope(flat, *next(supply), model)
        rate = settings.rate * learning_rate(step, settings.d_model, settings.warmup)
        flat, m, v = adam_step(flat, gradient, m, v, step, rate, eps=EPS)
        mean = flat if step <= alone + 1 else mean + (flat - mean) / (step - alone)
        losses.append(round(float(loss), 4))
        if step in moments:
            model = model._replace(parameters=unflatten(mean, model.parameters))
            record.append(checkpoint(step, model, corpus, watched, settings.longest))
    return model, {"settings": settings._asdict(), "loss": losses, "checkpoints": record}


def checkpoint_steps(settings: Settings) -> list[int]:
    """Return the steps after which to look: close together at first, where most happens, and the last step."""
    shares = np.linspace(0, 1, settings.checkpoints)[1:] ** 2
    return sorted({int(np.ceil(share * settings.steps)) for share in shares})


def checkpoint(step: int, model: Model, corpus: Corpus, watched: Sequence[Pair], longest: int) -> dict:
    """Describe a model at one moment: {step, held_out: share translated exactly, watched: one ``snapshot`` each}."""
    right = exact_match(greedy_translations([source for source, _ in corpus.held_out], model, longest), corpus.held_out)
    return {"step": step, "held_out": round(right, 4), "watched": [snapshot(pair, model, longest) for pair in watched]}


def snapshot(pair: Pair, model: Model, longest: int) -> dict:
    """Show what a model makes of one sentence: its best guess, and, under teacher forcing, where it looks and errs.

    -> source (S words), shown (T words, SOS first), target (T words, EOS last), guess (a sentence),
    loss (T numbers, in nats), attention (layers × h × T × S numbers, rows sum to one)
    """
    (source,), (target,) = number_pairs([pair], model)
    shown = shift_right(target, model.target_vocabulary[SOS])  # (T,)
    sizes = (model.parameters, model.h, model.layers)
    log_p = log_softmax(transformer(source, shown, *sizes))  # (T, |V_t|)
    words = [*pair[1].split(), EOS]
    return {
        "source": pair[0].split(),
        "shown": [SOS, *words[:-1]],
        "target": words,
        "guess": greedy_translations([pair[0]], model, longest)[0],
        "loss": np.round(-log_p[np.arange(len(target)), target], 3).tolist(),
        "attention": np.round(attention_maps(source, shown, *sizes), 3).tolist(),
    }


def greedy_translations(sentences: Sequence[str], model: Model, longest: int) -> list[str]:
    """Translate many sentences side by side, the likeliest word each time: a loop over words, not over sentences.

    Errors: KeyError for an unknown word; ValueError for no sentence, or an empty one.
    """
    source, sos, eos = _padded(sentences, model.source_vocabulary), *_ends(model)
    mask, sizes = source_mask(source, model), (model.parameters, model.h, model.layers)
    memory = encode(source, *sizes, mask)  # (B, S, d_model)
    tokens, going = np.full((len(source), 1 + longest), eos), np.arange(len(source))
    tokens[:, 0] = sos
    for t in range(1, 1 + longest):
        logits = decode(tokens[going, :t], memory[going], *sizes, mask[going])[:, -1]  # (still going, |V_t|)
        tokens[going, t] = logits.argmax(axis=-1)
        going = going[tokens[going, t] != eos]
        if not going.size:
            break
    return [_sentence(row, model) for row in tokens.tolist()]


def beam_translations(sentences: Sequence[str], model: Model, longest: int, width: int) -> list[str]:
    """Translate sentences one by one with ``beam_search``."""
    searched = (beam_search(translation_step(sentence, model), *_ends(model), longest, width) for sentence in sentences)
    return [_sentence(tokens, model) for tokens, _ in searched]


def _ends(model: Model) -> tuple[int, int]:
    """Return the numbers of SOS and EOS."""
    return model.target_vocabulary[SOS], model.target_vocabulary[EOS]


def _sentence(tokens: list[int], model: Model) -> str:
    """Return the words between SOS and EOS."""
    sos, eos = _ends(model)
    words = list(model.target_vocabulary)
    end = tokens.index(eos) if eos in tokens else len(tokens)
    return " ".join(words[token] for token in tokens[:end] if token != sos)


def exact_match(translations: Sequence[str], pairs: Sequence[Pair]) -> float:
    """Return the share of translations that agree with the pairs' Italian in every word."""
    return float(np.mean([said == wanted for said, (_, wanted) in zip(translations, pairs, strict=True)]))
