"""The Transformer put together from chapters 6 to 9: two stacks of layers over one dictionary of parameters.

Parameters are a flat dictionary, name -> array, so that ``np.savez`` stores them as they are:

==============================  ==================  ============================================
name                            shape               used by
==============================  ==================  ============================================
source_embedding                (|V_s|, d_model)    one row for each source word
target_embedding                (|V_t|, d_model)    one row for each target word
encoder.{i}.{name}              ENCODER_LAYER       layer i of the encoder, i = 0, 1, …
decoder.{i}.{name}              DECODER_LAYER       layer i of the decoder
w_out, b_out                    (d_model, |V_t|)    decoder output -> logits of the next word
==============================  ==================  ============================================
"""

from collections.abc import Sequence
from typing import NamedTuple

import autograd.numpy as np
from jaxtyping import Bool, Float, Int

from .layer_norm import ENCODER_LAYER, encoder_layer
from .masking import DECODER_LAYER, causal_mask, decoder_layer, decoder_sublayers
from .position import add_position
from .shapes import Array, Parameters, require_at_least, require_names
from .slopes import affine

PAD, SOS, EOS = "<pad>", "<sos>", "<eos>"
OUTSIDE_LAYERS = {
    "source_embedding": ("source_words", "d_model"),
    "target_embedding": ("target_words", "d_model"),
    "w_out": ("d_model", "target_words"),
    "b_out": ("target_words",),
}


def transformer(
    source: Int[np.ndarray, "*batch n_s"],
    target: Int[np.ndarray, "*batch n_t"],
    parameters: Parameters,
    h: int,
    layers: int,
    source_mask: Bool[np.ndarray, "..."] | None = None,
) -> Float[Array, "*batch n_t target_words"]:
    """Read the source, and for every prefix of the target give the logits of its next word, all in one pass.

    logits = decode(target, encode(source))

    Shapes: source (..., S) and target (..., T) whole numbers, the target shifted right so that it begins with SOS;
    source_mask (..., 1, S), as ``padding_mask`` makes it -> logits (..., T, |V_t|).
    Padding at the target's end needs no mask: the causal mask keeps it from all that comes before.
    Errors: KeyError for missing parameters; ValueError for unknown word numbers, or an h that does not divide d_model.
    Source: Vaswani et al. (2017), Attention is all you need, figure 1. Three embeddings, where theirs are shared.
    """
    memory = encode(source, parameters, h, layers, source_mask)  # (..., S, d_model)
    return decode(target, memory, parameters, h, layers, source_mask)


def encode(
    source: Int[np.ndarray, "*batch n_s"],
    parameters: Parameters,
    h: int,
    layers: int,
    source_mask: Bool[np.ndarray, "..."] | None = None,
) -> Float[Array, "*batch n_s d_model"]:
    """Turn the source sentence into the memory that the decoder looks at. Shapes and errors: as ``transformer``."""
    require_names(parameters, OUTSIDE_LAYERS, "a transformer")
    x = embed(source, parameters["source_embedding"])  # (..., S, d_model)
    for i in range(layers):
        x = encoder_layer(x, layer_parameters(parameters, f"encoder.{i}."), h, source_mask)
    return x


def decode(
    target: Int[np.ndarray, "*batch n_t"],
    memory: Float[Array, "*batch n_s d_model"],
    parameters: Parameters,
    h: int,
    layers: int,
    memory_mask: Bool[np.ndarray, "..."] | None = None,
) -> Float[Array, "*batch n_t target_words"]:
    """Give the logits of every next word of the target. Shapes and errors: as ``transformer``."""
    require_names(parameters, OUTSIDE_LAYERS, "a transformer")
    x = embed(target, parameters["target_embedding"])  # (..., T, d_model)
    mask = causal_mask(target.shape[-1])
    for i in range(layers):
        x = decoder_layer(x, memory, layer_parameters(parameters, f"decoder.{i}."), h, mask, memory_mask)
    return affine(x, parameters["w_out"], parameters["b_out"])  # (..., T, |V_t|)


def embed(
    tokens: Int[np.ndarray, "*batch n"], table: Float[Array, "words d_model"]
) -> Float[Array, "*batch n d_model"]:
    """Look up each token's row, bring it to the scale of the positions, and add its position.

    x_p = √d_model table[token_p] + PE(p)

    Shapes: tokens (..., n) whole numbers, table (words, d_model) -> (..., n, d_model).
    Errors: ValueError for no token, or a number that is not a row of the table.
    Source: Vaswani et al. (2017), sections 3.4 and 3.5.
    """
    if not tokens.size or tokens.min() < 0 or tokens.max() >= len(table):
        raise ValueError(
            f"expected token numbers from 0 to {len(table) - 1}, at least one, got {tokens}: look words up in the "
            "vocabulary that the table was made for"
        )
    return add_position(np.sqrt(table.shape[-1]) * table[tokens])


def layer_parameters(parameters: Parameters, prefix: str) -> dict:
    """Return the parameters whose names begin with ``prefix``, under their names without it."""
    return {name.removeprefix(prefix): parameters[name] for name in parameters if name.startswith(prefix)}


def attention_maps(
    source: Int[np.ndarray, "*batch n_s"],
    target: Int[np.ndarray, "*batch n_t"],
    parameters: Parameters,
    h: int,
    layers: int,
    source_mask: Bool[np.ndarray, "..."] | None = None,
) -> Float[np.ndarray, "layers *batch h n_t n_s"]:
    """Return what every target token looks at in the source, in each decoder layer and head.

    Shapes: as ``transformer`` -> (layers, ..., h, T, S); each row sums to one.
    """
    memory = encode(source, parameters, h, layers, source_mask)
    x, mask, maps = embed(target, parameters["target_embedding"]), causal_mask(target.shape[-1]), []
    for i in range(layers):
        p = layer_parameters(parameters, f"decoder.{i}.")
        x, _, weights = decoder_sublayers(x, memory, p, h, mask, source_mask)
        maps.append(weights)
    return np.stack(maps)


def initialise(
    rng: np.random.Generator, source_words: int, target_words: int, d_model: int, d_ff: int, layers: int
) -> dict[str, np.ndarray]:
    """Draw the parameters of an untrained transformer.

    Matrices: even between ±√(6 / (rows + columns)); embeddings: normal with deviation 1/√d_model; γ = 1; β and b = 0

    Shapes: whole numbers in, the dictionary described above out. The number of heads leaves no trace in it.
    Errors: ValueError for sizes below 1, or an odd d_model (positions need pairs).
    Source: Glorot and Bengio (2010), Understanding the difficulty of training deep feedforward networks, equation 16.
    """
    sizes = {"source_words": source_words, "target_words": target_words, "d_model": d_model, "d_ff": d_ff}
    for name, size in {**sizes, "layers": layers}.items():
        require_at_least(name, size, 1, "count words, numbers in a token, hidden neurons and layers")
    if d_model % 2:
        raise ValueError(f"expected an even d_model, got {d_model}: each frequency takes a sine and a cosine")
    axes = dict(OUTSIDE_LAYERS)
    for i in range(layers):
        axes |= {f"encoder.{i}.{name}": shape for name, shape in ENCODER_LAYER.items()}
        axes |= {f"decoder.{i}.{name}": shape for name, shape in DECODER_LAYER.items()}
    return {name: _draw(rng, name, [sizes[axis] for axis in shape]) for name, shape in axes.items()}


def _draw(rng: np.random.Generator, name: str, shape: Sequence[int]) -> Array:
    """Draw one parameter; its name says of which kind it is."""
    if len(shape) == 1:
        return np.ones(shape) if "gamma" in name else np.zeros(shape)
    if name.endswith("embedding"):
        return rng.normal(size=shape, scale=shape[-1] ** -0.5)
    bound = np.sqrt(6 / sum(shape))
    return rng.uniform(-bound, bound, shape)


class Model(NamedTuple):
    """A translator: its parameters, its two vocabularies (word -> number, PAD, SOS and EOS included), its sizes.

    Trained on source sentences as they are, and targets that end in EOS and begin, shifted right, with SOS.
    """

    parameters: dict[str, np.ndarray]
    source_vocabulary: dict[str, int]
    target_vocabulary: dict[str, int]
    h: int
    layers: int
