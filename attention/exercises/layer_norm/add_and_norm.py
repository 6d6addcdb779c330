"""What a sublayer found, added to what it was given, and normalised."""

import numpy as np

from attention.chapters import layer_norm as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

X, SUBLAYER = np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[3.0, 0.0, 0.0, 1.0]])
TOKENS = np.array([[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0], [2.0, 0.0, 1.0, 1.0]])
FOUND = np.array([[3.0, 0.0, 0.0, 1.0], [0.0, 3.0, 0.0, 0.0], [0.0, 1.0, 1.0, 2.0]])
GAMMA, BETA = np.array([1.0, 2.0, 1.0, 2.0]), np.array([0.0, 0.0, 1.0, 1.0])
BATCH = np.arange(30.0).reshape(2, 3, 5) ** 2 % 11, np.arange(30.0).reshape(2, 3, 5) ** 3 % 7
ONES, ZEROS = np.ones(4), np.zeros(4)


def drawn(rng: np.random.Generator, *shape) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw tokens of this shape, what a sublayer made of them, a factor for each number, and a number to add."""
    return *(uniform(rng, 2, *shape) for _ in range(2)), 1 + uniform(rng, 0.6, shape[-1]), uniform(rng, 1, shape[-1])


def unseen(rng: np.random.Generator) -> list[Case]:
    """More tokens than numbers in each, and fewer; ε as it comes, given, and given by name."""
    return [
        Case("three tokens of five", drawn(rng, 3, 5)),
        Case("seven tokens of three, ε of a half", (*drawn(rng, 7, 3), 0.5)),
        Case("five tokens of eleven, ε by name", drawn(rng, 5, 11), {"eps": 0.2}),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token; a sublayer that takes away all that was there, which leaves equal numbers; leading axes."""
    x, _, gamma, beta = drawn(rng, 3, 7)
    return [
        Case("one token", drawn(rng, 1, 7)),
        Case("nothing is left of a sum", (x, -x, gamma, beta)),
        Case("a batch, with leading axes", drawn(rng, 2, 3, 5, 7)),
    ]


@mistake(
    "x was normalised first, and the sublayer's output was added to that. "
    "Then the sum has no fixed scale, and the next layer gets it like that. "
    "Add first, then normalise the sum.",
)
def norm_of_x_alone(x, sublayer, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta + sublayer


@mistake(
    "Only the sublayer's output was normalised, and x is gone. "
    "The residual connection is missing: whatever the sublayer does not repeat is lost, and so is the short path "
    "for gradients. "
    "Normalise x + sublayer.",
)
def without_residual(x, sublayer, gamma, beta, eps=1e-5):
    centred = sublayer - sublayer.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(sublayer.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "The sublayer's output was normalised, and x was added to that. "
    "Some models do that, but here the sum itself must be normalised. "
    "Add first, then normalise the sum.",
)
def norm_of_the_sublayer_alone(x, sublayer, gamma, beta, eps=1e-5):
    centred = sublayer - sublayer.mean(axis=-1, keepdims=True)
    return x + gamma * centred / np.sqrt(sublayer.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "x and the sublayer's output were normalised separately and then added. "
    "Their relative size says how strong the sublayer's output is, and that is lost. "
    "Normalise once, after the sum.",
)
def both_normalised(x, sublayer, gamma, beta, eps=1e-5):
    parts = []
    for part in (x, sublayer):
        centred = part - part.mean(axis=-1, keepdims=True)
        parts.append(gamma * centred / np.sqrt(part.var(axis=-1, keepdims=True) + eps) + beta)
    return parts[0] + parts[1]


@mistake(
    "x was normalised, and the sublayer's output was ignored. "
    "The layer would only rescale its input. "
    "Normalise x + sublayer.",
)
def sublayer_forgotten(x, sublayer, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "The two were added, but the sum was not normalised. "
    "Every layer adds something, so the numbers would grow from layer to layer. "
    "Pass the sum to `layer_norm`.",
)
def sum_not_normalised(x, sublayer, gamma, beta, eps=1e-5):
    return x + sublayer


@mistake(
    "The sublayer's output was subtracted. "
    "A model could learn to cope with that, but its weights would have the opposite sign. "
    "Write x + sublayer.",
)
def difference_normalised(x, sublayer, gamma, beta, eps=1e-5):
    rest = x - sublayer
    centred = rest - rest.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(rest.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "The two were averaged instead of added. "
    "The norm gives nearly the same for half a sum as for the sum, but ε is not halved with it. "
    "Leave out the division by 2.",
)
def average_normalised(x, sublayer, gamma, beta, eps=1e-5):
    half = (x + sublayer) / 2
    centred = half - half.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(half.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "ε was not passed on, so `layer_norm` used its own 1e-5. "
    "An argument without effect is a surprise for whoever sets it. "
    "Call `layer_norm` with eps as its fourth argument.",
)
def epsilon_not_passed(x, sublayer, gamma, beta, eps=1e-5):
    both = x + sublayer
    centred = both - both.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(both.var(axis=-1, keepdims=True) + 1e-5) + beta


@mistake(
    "γ and β were swapped in the call of `layer_norm`. "
    "A factor of 0 then makes all tokens equal. "
    "Pass gamma before beta.",
)
def gamma_and_beta_exchanged(x, sublayer, gamma, beta, eps=1e-5):
    both = x + sublayer
    centred = both - both.mean(axis=-1, keepdims=True)
    return beta * centred / np.sqrt(both.var(axis=-1, keepdims=True) + eps) + gamma


@mistake(
    "The two were multiplied instead of added. "
    "A number that the sublayer leaves at 0 would erase what was there. "
    "Write x + sublayer.",
)
def product_normalised(x, sublayer, gamma, beta, eps=1e-5):
    both = x * sublayer
    centred = both - both.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(both.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "γ and β did not reach `layer_norm`: the sum was normalised with 1 and 0 instead. "
    "They are learned, and every norm has its own. "
    "Pass gamma and beta on.",
)
def gamma_and_beta_not_passed(x, sublayer, gamma, beta, eps=1e-5):
    both = x + sublayer
    return (both - both.mean(axis=-1, keepdims=True)) / np.sqrt(both.var(axis=-1, keepdims=True) + eps)


@mistake(
    "sublayer was called like a function, as the formula writes it. "
    "Here it is the sublayer's output: an array. "
    "Write x + sublayer.",
)
def sublayer_called(x, sublayer, gamma, beta, eps=1e-5):
    return x + sublayer(x)


@mistake(
    "The sum was normalised down its columns, over the tokens of a sentence. "
    "Each token has its own mean and variance, `axis=-1`. "
    "Call `layer_norm`, which does that.",
)
def norm_over_the_tokens(x, sublayer, gamma, beta, eps=1e-5):
    both = x + sublayer
    centred = both - both.mean(axis=-2, keepdims=True)
    return gamma * centred / np.sqrt(both.var(axis=-2, keepdims=True) + eps) + beta


def normalised(x: np.ndarray, gamma: np.ndarray, beta: np.ndarray, eps: float) -> np.ndarray:
    return gamma * (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "x was normalised before the addition, and the sum once more. "
    "The residual connection passes x on unchanged. "
    "Normalise once, after the sum.",
)
def normalised_before_as_well(x, sublayer, gamma, beta, eps=1e-5):
    return normalised(normalised(x, gamma, beta, eps) + sublayer, gamma, beta, eps)


@mistake(
    "The sum was multiplied by γ and shifted by β, but never normalised. "
    "It keeps its own mean and scale, so the numbers would grow from layer to layer. "
    "Pass the sum to `layer_norm`.",
)
def sum_stretched_alone(x, sublayer, gamma, beta, eps=1e-5):
    return gamma * (x + sublayer) + beta


EXERCISE = Exercise(
    name="add_and_norm",
    reference=reference.add_and_norm,
    returns=("output",),
    examples=(
        Case("one token", (X, SUBLAYER, ONES, ZEROS)),
        Case("three tokens, with γ and β", (TOKENS, FOUND, GAMMA, BETA)),
        Case("ε of a tenth", (X, SUBLAYER, ONES, ZEROS), {"eps": 0.1}),
        Case("a batch, with leading axes", (*BATCH, np.ones(5), np.zeros(5)), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
