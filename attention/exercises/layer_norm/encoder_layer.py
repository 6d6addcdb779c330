"""One layer of the encoder, put together."""

import numpy as np

from attention.chapters import layer_norm as reference
from attention.chapters.multi_head import multi_head_attention
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import uniform

X = np.array([[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0], [2.0, 0.0, 1.0, 1.0]])
PARAMETERS = {
    "w_q": np.eye(4),
    "w_k": np.eye(4) / 2 - np.eye(4, k=-1),
    "w_v": np.eye(4)[::-1],
    "w_o": np.eye(4) + np.eye(4, k=1),
    "gamma1": np.array([1.0, 2.0, 1.0, 2.0]),
    "beta1": np.array([0.0, 0.0, 1.0, 1.0]),
    "w1": np.eye(4, 5) - np.eye(4, 5, k=1),
    "b1": np.array([0.0, 0.0, 0.0, 0.0, 1.0]),
    "w2": np.eye(5, 4),
    "b2": np.array([0.0, 0.0, 0.0, 0.5]),
    "gamma2": np.array([1.0, 1.0, 2.0, 1.0]),
    "beta2": np.array([0.0, 1.0, 0.0, 0.0]),
}
LOOKING_BACK = np.tril(np.ones((3, 3), dtype=bool))
BATCH = np.stack([X, X[::-1] - 1])


def drawn(rng: np.random.Generator, shape: tuple[int, ...], d_ff: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Draw tokens of this shape, and parameters under which scores stay small and each norm is one of its own."""
    sizes = {"d_model": shape[-1], "d_ff": d_ff}
    parameters = {
        name: uniform(rng, 0.6, *(sizes[axis] for axis in axes)) + (1.0 if "gamma" in name else 0.0)
        for name, axes in reference.ENCODER_LAYER.items()
    }
    return uniform(rng, 1.5, *shape), parameters


def unseen(rng: np.random.Generator) -> list[Case]:
    """Heads of two and of three numbers, one head, and a mask."""
    mask = rng.random((5, 5)) < 0.6
    mask[np.arange(5), np.arange(5)] = True  # each sees itself
    return [
        Case("three tokens of four, two heads", (*drawn(rng, (3, 4), 7), 2)),
        Case("seven tokens of six, three heads", (*drawn(rng, (7, 6), 5), 3)),
        Case("five tokens of four, a mask", (*drawn(rng, (5, 4), 11), 2, mask)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, one head, and leading axes, with a mask by name for each sentence."""
    lengths = np.array([5, 2])[:, None, None]
    return [
        Case("one token", (*drawn(rng, (1, 4), 7), 2)),
        Case("one head", (*drawn(rng, (5, 3), 7), 1)),
        Case("a batch, with leading axes", (*drawn(rng, (2, 3, 5, 4), 7), 2)),
        Case("a batch with padding", (*drawn(rng, (2, 5, 6), 7), 2), {"mask": np.arange(5) < lengths}),
    ]


def norm(x, p, k):
    centred = x - x.mean(axis=-1, keepdims=True)
    return p[f"gamma{k}"] * centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) + p[f"beta{k}"]


def attend(x, p, h, mask):
    return multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)[0]


def think(x, p):
    return np.maximum(0, x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


@mistake(
    "The feed-forward layer's output was normalised alone, without its input. "
    "The second residual connection is missing: what attention found is lost unless it is repeated. "
    "Call `add_and_norm` with x and `feed_forward(x)`.",
)
def thought_without_residual(x, parameters, h, mask=None):
    x = norm(x + attend(x, parameters, h, mask), parameters, 1)
    return norm(think(x, parameters), parameters, 2)


@mistake(
    "The output of attention was normalised alone, without the tokens. "
    "Each word would become a mixture of others and lose itself. "
    "Call `add_and_norm` with x and the output of attention.",
)
def attention_without_residual(x, parameters, h, mask=None):
    x = norm(attend(x, parameters, h, mask), parameters, 1)
    return norm(x + think(x, parameters), parameters, 2)


@mistake(
    "Both residual connections are missing: each sublayer's output was normalised alone. "
    "Whatever a sublayer does not repeat is lost. "
    "Use `add_and_norm` with x, both times.",
)
def without_residuals(x, parameters, h, mask=None):
    x = norm(attend(x, parameters, h, mask), parameters, 1)
    return norm(think(x, parameters), parameters, 2)


@mistake(
    "gamma2 and beta2 were used after attention, gamma1 and beta1 after the feed-forward layer. "
    "Each norm has learned the scale for its own place. "
    "Use 1 after attention and 2 at the end.",
)
def norms_exchanged(x, parameters, h, mask=None):
    x = norm(x + attend(x, parameters, h, mask), parameters, 2)
    return norm(x + think(x, parameters), parameters, 1)


@mistake(
    "gamma1 and beta1 were used in both places. "
    "The second norm has its own parameters, learned for the output of the layer. "
    "Use gamma2 and beta2 at the end.",
)
def first_norm_twice(x, parameters, h, mask=None):
    x = norm(x + attend(x, parameters, h, mask), parameters, 1)
    return norm(x + think(x, parameters), parameters, 1)


@mistake(
    "Each sublayer got normalised tokens, and its output was added without a norm after it. "
    "That is pre-norm, which most of today's models use; here it is post-norm, as in the original Transformer. "
    "Add first, then normalise.",
)
def normalised_before(x, parameters, h, mask=None):
    seen = norm(x, parameters, 1)
    x = x + attend(seen, parameters, h, mask)
    return x + think(norm(x, parameters, 2), parameters)


@mistake(
    "The mask was not used, so every token sees every other. "
    "Tokens would look at padding and, later, at the future. "
    "Pass mask on to `multi_head_attention`, after h.",
)
def mask_not_passed(x, parameters, h, mask=None):
    x = norm(x + attend(x, parameters, h, None), parameters, 1)
    return norm(x + think(x, parameters), parameters, 2)


@mistake(
    "h was not passed on as it is, and all numbers of a token form one head. "
    "A single head has one set of weights for everything that a word looks for. "
    "Pass h to `multi_head_attention`.",
)
def one_head_only(x, parameters, h, mask=None):
    x = norm(x + attend(x, parameters, 1, mask), parameters, 1)
    return norm(x + think(x, parameters), parameters, 2)


@mistake(
    "The feed-forward layer got the tokens from before attention. "
    "Then it ignores what each word has just read. "
    "Give it the result of the first add & norm.",
)
def thought_about_the_input(x, parameters, h, mask=None):
    middle = norm(x + attend(x, parameters, h, mask), parameters, 1)
    return norm(middle + think(x, parameters), parameters, 2)


@mistake(
    "The second sum uses the tokens from the input instead of the result of the first add & norm. "
    "What attention found then reaches the end only through the feed-forward layer. "
    "Add to the result of the first add & norm.",
)
def input_added_twice(x, parameters, h, mask=None):
    middle = norm(x + attend(x, parameters, h, mask), parameters, 1)
    return norm(x + think(middle, parameters), parameters, 2)


@mistake(
    "The feed-forward layer came first, and attention second. "
    "In an encoder layer, tokens look at each other first, and the feed-forward layer works on the result. "
    "Swap the two sublayers.",
)
def thought_first(x, parameters, h, mask=None):
    x = norm(x + think(x, parameters), parameters, 1)
    return norm(x + attend(x, parameters, h, mask), parameters, 2)


@mistake(
    "The feed-forward layer came first, and attention second, each with its own norm. "
    "In an encoder layer, tokens look at each other first, and the feed-forward layer works on the result. "
    "Swap the two sublayers, each with the norm that follows it.",
)
def thought_first_with_its_norm(x, parameters, h, mask=None):
    x = norm(x + think(x, parameters), parameters, 2)
    return norm(x + attend(x, parameters, h, mask), parameters, 1)


@mistake(
    "The layer ends after the first add & norm: the feed-forward layer is missing. "
    "Attention only mixes; the feed-forward layer, which works on the mixture, is the other half of a layer. "
    "Call `feed_forward`, and `add_and_norm` once more.",
)
def without_thought(x, parameters, h, mask=None):
    return norm(x + attend(x, parameters, h, mask), parameters, 1)


@mistake(
    "Attention is missing: the layer consists of the feed-forward layer alone. "
    "That works on each token separately, so no word hears of another. "
    "Begin with `multi_head_attention` of x, x, x.",
)
def without_attention(x, parameters, h, mask=None):
    x = norm(x, parameters, 1)
    return norm(x + think(x, parameters), parameters, 2)


@mistake(
    "The output of attention was added, but the sum was not normalised. "
    "The feed-forward layer then gets tokens of any size. "
    "Use `add_and_norm` after both sublayers.",
)
def first_norm_missing(x, parameters, h, mask=None):
    x = x + attend(x, parameters, h, mask)
    return norm(x + think(x, parameters), parameters, 2)


@mistake(
    "The output of the feed-forward layer was added, but the sum was not normalised. "
    "The numbers would then grow from layer to layer. "
    "Use `add_and_norm` after both sublayers.",
)
def last_norm_missing(x, parameters, h, mask=None):
    x = norm(x + attend(x, parameters, h, mask), parameters, 1)
    return x + think(x, parameters)


@mistake(
    "`multi_head_attention` returns two things, the output and the weights, and both together were added to x. "
    "NumPy can't add a pair. "
    "Take only the output: `attended, _ = multi_head_attention(…)`.",
)
def weights_kept(x, parameters, h, mask=None):
    p = parameters
    attended = multi_head_attention(x, x, x, p["w_q"], p["w_k"], p["w_v"], p["w_o"], h, mask)
    x = norm(x + attended, parameters, 1)
    return norm(x + think(x, parameters), parameters, 2)


@mistake(
    "The result of the first add & norm was not used: feed-forward and the second sum both took the old x. "
    "What attention found is then gone. "
    "Write `x = add_and_norm(…)`, so that everything after it uses the new x.",
)
def first_norm_not_kept(x, parameters, h, mask=None):
    return norm(x + think(x, parameters), parameters, 2)


@mistake(
    "The output of the feed-forward layer was returned as it is. "
    "You must still add it to its input and normalise the sum. "
    "Call `add_and_norm` once more, with gamma2 and beta2.",
)
def thought_returned(x, parameters, h, mask=None):
    return think(norm(x + attend(x, parameters, h, mask), parameters, 1), parameters)


@mistake(
    "The tokens were added to a sublayer's output, and `add_and_norm` then added them once more. "
    "They would count twice. "
    "Give `add_and_norm` only the sublayer's output.",
)
def tokens_added_twice(x, parameters, h, mask=None):
    x = norm(2 * x + attend(x, parameters, h, mask), parameters, 1)
    return norm(2 * x + think(x, parameters), parameters, 2)


@mistake(
    "`w_q` and `w_k` are swapped. "
    "What a word looks for and what it is found by are learned separately. "
    "Pass `w_q`, `w_k`, `w_v`, `w_o` in this order.",
)
def query_and_key_exchanged(x, parameters, h, mask=None):
    p = {**parameters, "w_q": parameters["w_k"], "w_k": parameters["w_q"]}
    x = norm(x + attend(x, p, h, mask), p, 1)
    return norm(x + think(x, p), p, 2)


@mistake(
    "`w_o` and `w_v` are swapped. "
    "`w_v` makes the values that are mixed, and `w_o` works on the merged heads. "
    "Pass `w_q`, `w_k`, `w_v`, `w_o` in this order.",
)
def value_and_output_exchanged(x, parameters, h, mask=None):
    p = {**parameters, "w_v": parameters["w_o"], "w_o": parameters["w_v"]}
    x = norm(x + attend(x, p, h, mask), p, 1)
    return norm(x + think(x, p), p, 2)


@mistake(
    "There were always two heads, whatever h is. "
    "The number of heads belongs to the model, and only one example has two. "
    "Pass h to `multi_head_attention`.",
)
def two_heads_always(x, parameters, h, mask=None):
    x = norm(x + attend(x, parameters, 2, mask), parameters, 1)
    return norm(x + think(x, parameters), parameters, 2)


@mistake(
    "The mask was inverted: it hides the tokens that may be seen, and shows those that should be hidden. "
    "In this mask, True means *may attend*, and `multi_head_attention` expects it like that. "
    "Leave out `~` or `not`, and pass the mask as it is.",
)
def mask_turned_round(x, parameters, h, mask=None):
    found = attend(x, parameters, h, None if mask is None else ~mask)
    if mask is not None:
        found = np.where(mask.all(axis=-1)[..., None], np.nan, found)  # who saw everyone now sees no one: 0 / 0
    x = norm(x + found, parameters, 1)
    return norm(x + think(x, parameters), parameters, 2)


@mistake(
    "The feed-forward layer got the output of attention before it was added to the tokens and normalised. "
    "It would work on a mixture of the other words, without the word itself. "
    "Give it the result of the first add & norm.",
)
def thought_about_what_was_found(x, parameters, h, mask=None):
    found = attend(x, parameters, h, mask)
    middle = norm(x + found, parameters, 1)
    return norm(middle + think(found, parameters), parameters, 2)


@mistake(
    "The feed-forward layer got the sum of the tokens and what attention found, before it was normalised. "
    "The sum may have any size; the feed-forward layer has learned from normalised tokens. "
    "Give it the result of the first add & norm.",
)
def thought_about_the_sum(x, parameters, h, mask=None):
    total = x + attend(x, parameters, h, mask)
    middle = norm(total, parameters, 1)
    return norm(middle + think(total, parameters), parameters, 2)


@mistake(
    "Both sublayers got the layer's input, and one add & norm took both results. "
    "The feed-forward layer should work on what each word has just read. "
    "Call `add_and_norm` after attention, and again after `feed_forward`.",
)
def both_at_once(x, parameters, h, mask=None):
    return norm(x + attend(x, parameters, h, mask) + think(x, parameters), parameters, 2)


@mistake(
    "The layer was run h times, as if each head were a layer. "
    "The heads are side by side inside one attention, which computes them all. "
    "Leave out the loop, and pass h to `multi_head_attention`.",
)
def once_for_each_head(x, parameters, h, mask=None):
    for _ in range(h):
        x = norm(x + attend(x, parameters, h, mask), parameters, 1)
        x = norm(x + think(x, parameters), parameters, 2)
    return x


def added_alone(x, parameters, h, mask=None):
    """Add the output of attention, before add & norm, to that of the feed-forward layer."""
    found = attend(x, parameters, h, mask)
    return norm(found + think(norm(x + found, parameters, 1), parameters), parameters, 2)


def without_w_o(x, parameters, h, mask=None):
    """Leave out the last product of attention."""
    return reference.encoder_layer(x, {**parameters, "w_o": np.eye(len(parameters["w_o"]))}, h, mask)


def without_relu(x, parameters, h, mask=None):
    """Let negative sums of the first matrix through to the second."""
    p, x = parameters, norm(x + attend(x, parameters, h, mask), parameters, 1)
    return norm(x + (x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], p, 2)


EXERCISE = Exercise(
    name="encoder_layer",
    reference=reference.encoder_layer,
    returns=("output",),
    examples=(
        Case("three tokens, two heads", (X, PARAMETERS, 2)),
        Case("four heads and a mask: who looks back", (X, PARAMETERS, 4), {"mask": LOOKING_BACK}),
        Case("a batch, with leading axes", (BATCH, PARAMETERS, 2), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    wrong_formulas=(
        ("the feed-forward layer's output is added to the output of attention alone", added_alone),
        ("w_o is not used", without_w_o),
        ("the feed-forward network keeps negative numbers", without_relu),
    ),
)
