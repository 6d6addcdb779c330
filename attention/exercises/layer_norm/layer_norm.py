"""Every token brought to one scale, by itself."""

import numpy as np

from attention.chapters import layer_norm as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

ONE_TO_FOUR = np.array([[1.0, 2.0, 3.0, 4.0]])
TOKENS = np.array([[1.0, 2.0, 3.0, 4.0], [4.0, 4.0, 0.0, 0.0], [10.0, 20.0, 30.0, 40.0]])
GAMMA, BETA = np.array([1.0, 2.0, 1.0, 2.0]), np.array([0.0, 0.0, 1.0, 1.0])
EQUAL = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 5.0, 5.0, 5.0]])
BATCH = np.arange(30.0).reshape(2, 3, 5) ** 2 % 11  # a sentence with a token on every scale, twice
ONES, ZEROS = np.ones(4), np.zeros(4)


def drawn(rng: np.random.Generator, bound: float, *shape) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw tokens of this shape, a factor near 1 for each of their numbers, and a number to add."""
    return uniform(rng, bound, *shape), 1 + uniform(rng, 0.6, shape[-1]), uniform(rng, 1, shape[-1])


def unseen(rng: np.random.Generator) -> list[Case]:
    """More tokens than numbers in each, and fewer; ε as it comes, given, and given by name."""
    return [
        Case("three tokens of five", drawn(rng, 3, 3, 5)),
        Case("seven tokens of three, ε of a half", (*drawn(rng, 2, 7, 3), 0.5)),
        Case("five tokens of eleven, ε by name", drawn(rng, 2, 5, 11), {"eps": 0.2}),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, two numbers in each, numbers so small that ε counts, a token of equal numbers, leading axes."""
    flat = uniform(rng, 2, 3, 7)
    flat[1] = 2.0
    return [
        Case("one token", drawn(rng, 3, 1, 7)),
        Case("tokens of two", drawn(rng, 3, 5, 2)),
        Case("tiny numbers", drawn(rng, 0.01, 3, 5)),
        Case("a token of equal numbers", (flat, *drawn(rng, 1, 1, 7)[1:])),
        Case("a batch, with leading axes", drawn(rng, 3, 2, 3, 5, 7)),
    ]


@mistake(
    "The squares were divided by d_model − 1, as `ddof=1` and statistics books do. "
    "There the numbers are a sample of something larger; here you have all of a token's numbers. "
    "Divide by `d_model`: `np.var` and `np.std` do so by default.",
)
def one_less(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True, ddof=1) + eps) + beta


@mistake(
    "The token was divided by its variance instead of the square root of it. "
    "The variance is in squares: ten times the token has a hundred times the variance. "
    "Take `np.sqrt` of the variance plus ε.",
)
def over_variance(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / (x.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "The token was divided by its variance: the square root is missing, and ε, too. "
    "The variance is in squares: ten times the token has a hundred times the variance. "
    "Divide by `np.sqrt(variance + eps)`.",
)
def over_bare_variance(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / x.var(axis=-1, keepdims=True) + beta


@mistake(
    "Mean and variance were taken over the tokens, one pair for each column. "
    "Then a word's output depends on the other words, and a single token becomes 0. "
    "Take them over the token's own numbers, `axis=-1`.",
)
def over_tokens(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-2, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-2, keepdims=True) + eps) + beta


@mistake(
    "One mean and one variance were taken over all tokens together. "
    "A token with large numbers then makes the other tokens even smaller. "
    "Each token has its own: `axis=-1`, `keepdims=True`.",
)
def over_everything(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta


@mistake(
    "ε was added outside the square root, to the standard deviation. "
    "There is hardly a difference while ε is tiny, but the formula adds it to the variance. "
    "Write `np.sqrt(variance + eps)`.",
)
def epsilon_outside(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / (x.std(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "ε was squared before it was added. It is added to the variance as it is. Write `np.sqrt(variance + eps)`.",
)
def epsilon_squared(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps**2) + beta


@mistake(
    "There is no ε, so a token whose numbers are all equal becomes 0 / 0, which is NaN. "
    "Its variance is 0, and a NaN spreads to every token that looks at it. "
    "Add eps to the variance, inside the square root.",
)
def epsilon_forgotten(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True)) + beta


@mistake(
    "ε was 1e-5 (or another small number), whatever was passed in. "
    "An argument without effect is a surprise for whoever sets it. "
    "Use the name eps in the formula.",
)
def epsilon_written_in(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + beta


@mistake(
    "The mean was not subtracted: x itself was divided by its standard deviation. "
    "Then whatever all of a token's numbers have in common remains, and grows from layer to layer. "
    "Divide x − μ.",
)
def mean_kept(x, gamma, beta, eps=1e-5):
    return gamma * x / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "The token was divided by the root of the mean of its squares, and its mean was kept. "
    "That is RMSNorm, which many of today's models use; layer norm first subtracts the mean. "
    "Subtract it, and take the squares of the differences.",
)
def root_mean_square(x, gamma, beta, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "The squares were added up instead of averaged, so each token gets the length 1. "
    "Then the wider a token, the smaller its numbers. "
    "The variance is a mean: divide the sum by `d_model`.",
)
def length_one(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt((centred**2).sum(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "The differences from the mean were divided by their length, as `np.linalg.norm` computes it. "
    "That is the root of the sum of their squares, where the standard deviation is the root of the mean; and ε is "
    "missing. "
    "Divide by `np.sqrt(variance + eps)`.",
)
def over_its_length(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.linalg.norm(centred, axis=-1, keepdims=True) + beta


@mistake(
    "The token was divided by its mean absolute deviation, without squares. "
    "That is another measure of spread, and a smaller one. "
    "Square the deviations, take their mean, and then the square root.",
)
def mean_distance(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / (np.abs(centred).mean(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "Each token was scaled to the range from 0 to 1. "
    "Then only its smallest and its largest number matter, and the mean is not 0. "
    "Subtract the mean and divide by the square root of the variance.",
)
def from_zero_to_one(x, gamma, beta, eps=1e-5):
    least, most = x.min(axis=-1, keepdims=True), x.max(axis=-1, keepdims=True)
    return gamma * (x - least) / (most - least + eps) + beta


@mistake(
    "γ and β are swapped: β multiplies and γ is added. "
    "At the start of training, γ is 1 and β is 0, so every token would become all ones. "
    "Multiply by gamma, then add beta.",
)
def exchanged(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return beta * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + gamma


@mistake(
    "γ multiplies β as well: it is outside a bracket around both. "
    "The shift would then change with the factor. "
    "Multiply first, then add: `gamma * normalised + beta`.",
)
def gamma_on_both(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * (centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta)


@mistake(
    "γ and β were applied before the token was normalised. "
    "Normalising then undoes most of their effect. "
    "Normalise x, then scale and shift the result.",
)
def applied_before(x, gamma, beta, eps=1e-5):
    x = gamma * x + beta
    return (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + eps)


@mistake(
    "γ is not used. "
    "It is learned, one factor for each number, so that the model can choose another scale. "
    "Multiply the normalised token by gamma.",
)
def gamma_forgotten(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "β is not used. "
    "It is learned, one number for each place in a token, so that the mean need not stay 0. "
    "Add beta at the end.",
)
def beta_forgotten(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps)


@mistake(
    "The mean of the tokens has the shape `(n,)`, which does not line up with x of shape `(n, d_model)`. "
    "NumPy lines up shapes from the right, so it compares n with `d_model`. "
    "`keepdims=True` keeps a column, `(n, 1)`.",
)
def columns_not_kept(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(axis=-1)) / np.sqrt(x.var(axis=-1) + eps) + beta


@mistake(
    "Right for one sentence, but in a batch the first axis counts sentences and the second one tokens. "
    "With `axis=1`, or in a loop over `len(x)` with `x[i]` as a token, tokens are mixed. "
    "A token's numbers are always along the last axis: write `axis=-1`, for the mean and for the variance, without a "
    "loop.",
)
def axis_one(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=1, keepdims=True) + eps) + beta


@mistake(
    "β was subtracted. "
    "It is learned as a number to add: with the other sign, every number moves the wrong way. "
    "Write + beta at the end.",
)
def beta_subtracted(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) - beta


@mistake(
    "x was subtracted from the mean instead of the mean from x. "
    "All signs are flipped: what is above the mean ends below it. "
    "Write x − μ.",
)
def mean_less_x(x, gamma, beta, eps=1e-5):
    return gamma * (x.mean(axis=-1, keepdims=True) - x) / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "A bracket is missing: only the mean was divided by the standard deviation, and then subtracted from x. "
    "Division comes before subtraction, so x keeps its scale. "
    "Write `(x − mean) / np.sqrt(…)`.",
)
def bracket_missing(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(axis=-1, keepdims=True) / np.sqrt(x.var(axis=-1, keepdims=True) + eps)) + beta


@mistake(
    "The mean was subtracted, but the result was divided by the root of the mean of x² instead of (x − μ)². "
    "That still contains the mean, so a token far from 0 comes out too small. "
    "Take the squares of the deviations, or `np.var`.",
)
def squares_of_x(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "The square root was taken twice: ε was added to `np.std`, which already is a square root, and then the root was "
    "taken again. "
    "The scale would still differ from token to token. "
    "Put `np.var` inside the square root, with eps.",
)
def root_of_the_spread(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(x.std(axis=-1, keepdims=True) + eps) + beta


@mistake(
    "The sums were divided by 8, which is the width in the chapter's demo, not of this token. "
    "For any other width, both mean and variance are wrong. "
    "Divide by `x.shape[-1]`, or use mean and var.",
)
def eight_written_in(x, gamma, beta, eps=1e-5):
    centred = x - x.sum(axis=-1, keepdims=True) / 8
    variance = (centred**2).sum(axis=-1, keepdims=True) / 8
    return gamma * centred / np.sqrt(variance + eps) + beta


@mistake(
    "The products with γ were added up: `@` was used instead of `*`. "
    "Each number of a token has its own factor. "
    "Write `gamma * normalised + beta`.",
)
def product_with_gamma(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) @ gamma + beta


@mistake(
    "γ and β were used as columns, as if each token had its own factor and shift. "
    "They have one number for each place in a token, the same for all tokens. "
    "NumPy lines them up with the last axis as they are: leave out `[:, None]` and reshape.",
)
def one_for_each_token(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return gamma[:, None] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta[:, None]


@mistake(
    "The token was normalised, but γ and β were not used. "
    "With them, a model can choose another scale for each number, or undo the norm. "
    "Return `gamma * normalised + beta`.",
)
def neither_factor_nor_shift(x, gamma, beta, eps=1e-5):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(x.var(axis=-1, keepdims=True) + eps)


def by_mean_distance(x, gamma, beta, eps=1e-5):
    """Divide by the mean of |x − μ|."""
    apart = x - x.mean(axis=-1, keepdims=True)
    return gamma * apart / np.sqrt(np.abs(apart).mean(axis=-1, keepdims=True) ** 2 + eps) + beta


def mean_added(x, gamma, beta, eps=1e-5):
    """Add the mean."""
    return gamma * (x + x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


def times_the_spread(x, gamma, beta, eps=1e-5):
    """Multiply by the root of the variance."""
    return gamma * (x - x.mean(axis=-1, keepdims=True)) * np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


def root_first(x, gamma, beta, eps=1e-5):
    """Divide the root of the sum of squares, and not the sum, by the width."""
    apart = x - x.mean(axis=-1, keepdims=True)
    return gamma * apart / (np.sqrt((apart**2).sum(axis=-1, keepdims=True) + eps) / x.shape[-1]) + beta


def around_the_median(x, gamma, beta, eps=1e-5):
    """Subtract the median."""
    middle = np.median(x, axis=-1, keepdims=True)
    return gamma * (x - middle) / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + beta


EXERCISE = Exercise(
    name="layer_norm",
    reference=reference.layer_norm,
    returns=("output",),
    examples=(
        Case("1, 2, 3, 4", (ONE_TO_FOUR, ONES, ZEROS)),
        Case("three tokens, with γ and β", (TOKENS, GAMMA, BETA)),
        Case("ε of a tenth", (ONE_TO_FOUR, ONES, ZEROS), {"eps": 0.1}),
        Case("a token of equal numbers", (EQUAL, ONES, ZEROS), edge=True),
        Case("a batch, with leading axes", (BATCH, np.ones(5), np.zeros(5)), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("the mean is added instead of subtracted", mean_added),
        ("the spread is the mean distance from the mean", by_mean_distance),
        ("the median is used instead of the mean", around_the_median),
        (
            "x − μ is divided by γ instead of multiplied",
            lambda x, gamma, beta, eps=1e-5: reference.layer_norm(x, 1 / gamma, beta, eps),
        ),
        ("the root is taken before the division by d_model", root_first),
        ("x − μ is multiplied by the root of the variance instead of divided", times_the_spread),
        (
            "the mean is that of all tokens together, while each has its own variance",
            lambda x, gamma, beta, eps=1e-5: gamma * (x - x.mean()) / np.sqrt(x.var(-1, keepdims=True) + eps) + beta,
        ),
    ),
)
