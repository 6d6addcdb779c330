"""A decoder-only model: against one that is written with complex numbers and loops, and what no later word may do."""

import numpy as np
import pytest

from attention.chapters.decoder_only import decoder_only, write_on

WORDS, D_MODEL, D_FF, H, LAYERS = 13, 12, 7, 3, 2  # d_k = 4


@pytest.fixture
def parameters(rng):
    """Random numbers for two layers."""
    square = dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (D_MODEL, D_MODEL))
    norms = dict.fromkeys(("gamma1", "beta1", "gamma2", "beta2"), (D_MODEL,))
    layer = square | norms | {"w1": (D_MODEL, D_FF), "b1": (D_FF,), "w2": (D_FF, D_MODEL), "b2": (D_MODEL,)}
    shapes = {f"layer.{i}.{name}": shape for i in range(LAYERS) for name, shape in layer.items()}
    shapes |= {"embedding": (WORDS, D_MODEL), "gamma": (D_MODEL,), "beta": (D_MODEL,)}
    return {name: rng.normal(size=shape) / 2 for name, shape in shapes.items()}


def normalised(row, gamma, beta):
    """One row with mean 0 and variance 1, stretched and moved."""
    return gamma * (row - row.mean()) / np.sqrt(row.var() + 1e-5) + beta


def turned(row, position):
    """Pairs of columns as complex numbers, each turned by its clock."""
    pairs = row[0::2] + 1j * row[1::2]
    return pairs * np.exp(1j * position / 10000 ** (2 * np.arange(len(pairs)) / len(row)))


def looked_up(rows, p, head, position):
    """What one head finds for one row among those up to it."""
    part = slice(head * D_MODEL // H, (head + 1) * D_MODEL // H)
    query = turned((rows[position] @ p["w_q"])[part], position)
    scores = [
        np.real(np.vdot(turned((rows[j] @ p["w_k"])[part], j), query)) / np.sqrt(D_MODEL // H)
        for j in range(position + 1)
    ]
    powers = np.exp(scores)
    return sum(w * (row @ p["w_v"])[part] for w, row in zip(powers / powers.sum(), rows, strict=False))


def slowly(tokens, parameters):
    """The logits of every next word, row by row and head by head."""
    x = [np.sqrt(D_MODEL) * parameters["embedding"][token] for token in tokens]
    for i in range(LAYERS):
        p = {name.split(".")[2]: array for name, array in parameters.items() if name.startswith(f"layer.{i}.")}
        rows = [normalised(row, p["gamma1"], p["beta1"]) for row in x]
        found = [np.concatenate([looked_up(rows, p, head, t) for head in range(H)]) for t in range(len(x))]
        x = [row + one @ p["w_o"] for row, one in zip(x, found, strict=True)]
        inner = [np.maximum(0, normalised(row, p["gamma2"], p["beta2"]) @ p["w1"] + p["b1"]) for row in x]
        x = [row + one @ p["w2"] + p["b2"] for row, one in zip(x, inner, strict=True)]
    return [parameters["embedding"] @ normalised(row, parameters["gamma"], parameters["beta"]) for row in x]


def test_it_is_what_loops_and_complex_numbers_say(parameters, rng):
    """Five tokens, three heads, two layers."""
    tokens = rng.integers(WORDS, size=5)
    np.testing.assert_allclose(decoder_only(tokens, parameters, H, LAYERS), slowly(tokens, parameters), atol=1e-12)


def test_no_row_sees_a_later_token(parameters):
    """Another third token changes the rows from there on and none before; a batch is its rows."""
    both = decoder_only(np.array([[4, 1, 7, 2], [4, 1, 11, 2]]), parameters, H, LAYERS)
    np.testing.assert_array_equal(both[0, :2], both[1, :2])
    assert np.abs(both[0, 2:] - both[1, 2:]).min(axis=-1).max() > 0
    np.testing.assert_allclose(both[0], decoder_only(np.array([4, 1, 7, 2]), parameters, H, LAYERS), atol=1e-12)


def test_what_is_missing_is_named(parameters):
    """A parameter of the model, and one of a layer."""
    for name in ("gamma", "layer.1.w2"):
        with pytest.raises(KeyError, match=name.split(".")[-1]):
            decoder_only(np.array([1]), {key: one for key, one in parameters.items() if key != name}, H, LAYERS)


def test_writing_ends_with_eos_or_with_the_draws():
    """A model that counts: the likeliest next word is the last one plus one."""

    def step(tokens):
        return np.eye(7)[(tokens[-1] + 1) % 7] * 50

    assert write_on(step, [0], 3, 0, np.zeros(6)) == [0, 1, 2, 3]
    assert write_on(step, [4, 5], 3, 1, np.full(2, 0.5)) == [4, 5, 6, 0]
