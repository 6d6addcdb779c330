"""Stores a trained model in eight bits a number: small enough for a page, and the same wherever it runs."""

import base64
from collections.abc import Mapping

import numpy as np
from jaxtyping import Float, Int

from attention.chapters.transformer import Model

LARGEST = 127


def quantise(matrix: Float[np.ndarray, "rows columns"]) -> tuple[Int[np.ndarray, "rows columns"], list[float]]:
    """Round a matrix to whole numbers from -127 to 127, with one scale for each row.

    matrix_ij ≈ scale_i number_ij,   scale_i = max_j |matrix_ij| / 127, to seven digits

    Shapes: (rows, columns) -> int8 (rows, columns), and as many scales as rows; a row of zeros has the scale 0.
    No number moves by more than half its row's scale.
    Source: Jacob et al. (2018), Quantization and training of neural networks, section 2.1, without a zero point.
    """
    scales = [float(f"{scale:.7g}") for scale in np.abs(matrix).max(axis=-1) / LARGEST]
    divisors = np.array([scale or 1.0 for scale in scales])[:, None]
    return np.clip(np.rint(matrix / divisors), -LARGEST, LARGEST).astype(np.int8), scales


def packed(model: Model) -> dict:
    """Return a model as JSON data, which ``unpacked`` reads here and in ``transformer.js``.

    {h, layers, source: words, target: words, parameters: name -> {data: base64 of int8, scales} or {vector}}
    """
    return {
        "h": model.h,
        "layers": model.layers,
        "source": sorted(model.source_vocabulary, key=model.source_vocabulary.get),  # type: ignore[arg-type]
        "target": sorted(model.target_vocabulary, key=model.target_vocabulary.get),  # type: ignore[arg-type]
        "parameters": {name: _packed(array) for name, array in model.parameters.items()},
    }


def _packed(array: np.ndarray) -> dict:
    """Pack one parameter; a vector is short, and stays unquantised except for its last digits."""
    if array.ndim == 1:
        return {"vector": [float(f"{number:.6g}") for number in array.tolist()]}
    numbers, scales = quantise(array)
    return {"data": base64.b64encode(numbers.tobytes()).decode(), "scales": scales}


def unpacked(entry: Mapping) -> Model:
    """Return the model that ``packed`` stored, with its numbers rounded to eight bits."""
    parameters = {name: _unpacked(parameter) for name, parameter in entry["parameters"].items()}
    source, target = ({word: i for i, word in enumerate(entry[side])} for side in ("source", "target"))
    return Model(parameters, source, target, entry["h"], entry["layers"])


def _unpacked(entry: Mapping) -> np.ndarray:
    """Return one parameter."""
    if "vector" in entry:
        return np.array(entry["vector"])
    scales = np.array(entry["scales"])[:, None]
    return np.frombuffer(base64.b64decode(entry["data"]), dtype=np.int8).reshape(len(scales), -1) * scales
