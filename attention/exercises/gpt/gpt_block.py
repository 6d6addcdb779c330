"""One block of GPT-2, put together."""

import numpy as np

from attention.chapters import gpt as reference
from autograder.diagnosis import Case, Exercise, Slips, mistake

from ..block_in_parts import BLOCK_SLIPS, RARE_BLOCK_SLIPS, rows_of
from ..draw import uniform
from ..given_functions import causal_mask, layer_norm, masked_attention, merge_heads, softmax, split_heads

X = np.array([[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0], [2.0, 0.0, 1.0, 1.0]])
PARAMETERS = {
    "w_q": np.eye(4) + np.eye(4, k=2),
    "b_q": np.array([0.5, 0.0, 0.0, 1.0]),
    "w_k": np.eye(4) / 2 - np.eye(4, k=-1),
    "b_k": np.array([0.0, 1.0, -0.5, 0.0]),
    "w_v": np.eye(4)[::-1],
    "b_v": np.array([0.0, 0.5, 0.0, -1.0]),
    "w_o": np.eye(4) + np.eye(4, k=1),
    "b_o": np.array([0.5, 0.0, -0.5, 0.0]),
    "gamma1": np.array([1.0, 0.5, 1.0, 2.0]),
    "beta1": np.array([0.0, 0.0, 0.5, 0.5]),
    "w1": np.eye(4, 5) - np.eye(4, 5, k=1),
    "b1": np.array([0.0, 0.5, 0.0, 0.0, 1.0]),
    "w2": np.eye(5, 4) + np.eye(5, 4, k=-1),
    "b2": np.array([0.0, -0.5, 0.0, 0.5]),
    "gamma2": np.array([1.0, 1.0, 2.0, 1.0]),
    "beta2": np.array([0.0, 1.0, 0.0, -0.5]),
}
BATCH = np.stack([X, X[::-1] - 1])


def drawn(rng: np.random.Generator, shape: tuple[int, ...], d_ff: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Draw tokens of this shape, and parameters under which scores stay small and each norm is one of its own."""
    sizes = {"d_model": shape[-1], "d_ff": d_ff}
    parameters = {
        name: uniform(rng, 0.4, *(sizes[axis] for axis in axes)) + (1.0 if "gamma" in name else 0.0)
        for name, axes in reference.GPT_BLOCK.items()
    }
    return uniform(rng, 1.5, *shape), parameters


def unseen(rng: np.random.Generator) -> list[Case]:
    """Heads of two and of three numbers, and one head."""
    return [
        Case("three tokens of four, two heads", (*drawn(rng, (3, 4), 7), 2)),
        Case("seven tokens of six, three heads", (*drawn(rng, (7, 6), 5), 3)),
        Case("five tokens of six, two heads", (*drawn(rng, (5, 6), 11), 2)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """One token, one head, leading axes, and tokens in the thousands, which the norms bring back."""
    x, parameters = drawn(rng, (5, 4), 7)
    return [
        Case("one token", (*drawn(rng, (1, 4), 7), 2)),
        Case("one head", (*drawn(rng, (5, 3), 7), 1)),
        Case("as many heads as numbers", (*drawn(rng, (7, 5), 3), 5)),
        Case("a batch, with leading axes", (*drawn(rng, (2, 3, 5, 4), 7), 2)),
        Case("tokens in the thousands", (1000 * x, parameters, 2)),
    ]


def norm(x, p, k):
    return layer_norm(x, p[f"gamma{k}"], p[f"beta{k}"])


def bent(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def think(x, p):
    return bent(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def attend(x, p, h):
    q, k, v = (split_heads(x @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    found, _ = masked_attention(q, k, v, causal_mask(x.shape[-2]))
    return merge_heads(found) @ p["w_o"] + p["b_o"]


def attend_under(x, p, h, mask, factor=1.0):
    """Attend under another mask, or with scores that are multiplied."""
    q, k, v = (split_heads(x @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    found, _ = masked_attention(factor * q, k, v, mask)
    return merge_heads(found) @ p["w_o"] + p["b_o"]


def without(p, *names):
    """Return the parameters with zeros in place of some."""
    return {name: 0 * array if name in names else array for name, array in p.items()}


@mistake(
    "The norms come after the sums, as in chapter 8. "
    "GPT-2 normalises what a sublayer reads, and leaves the sum as it is: so the row itself passes through all blocks "
    "unchanged, and each block only adds to it. "
    "Normalise first, then attend; add to the row from before the norm.",
)
def norms_after_the_sums(x, parameters, h):
    p = parameters
    x = norm(x + attend(x, p, h), p, 1)
    return norm(x + think(x, p), p, 2)


@mistake(
    "Each sublayer's output was normalised before it was added. "
    "The sublayers then read rows of any size. "
    "Normalise what goes into a sublayer, and add its output as it is.",
)
def outputs_normalised(x, parameters, h):
    p = parameters
    x = x + norm(attend(x, p, h), p, 1)
    return x + norm(think(x, p), p, 2)


@mistake(
    "The first norm was forgotten: attention read the rows as they are. "
    "After many blocks they are large, and so would the scores be. "
    "Give attention `layer_norm` of the rows, with gamma1 and beta1.",
)
def attention_without_norm(x, parameters, h):
    p = parameters
    x = x + attend(x, p, h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The second norm was forgotten: the neurons read the rows as they are. "
    "They have learned from normalised rows. "
    "Give them `layer_norm` of the rows, with gamma2 and beta2.",
)
def neurons_without_norm(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    return x + think(x, p)


@mistake(
    "No norm was used. "
    "The rows grow from block to block, and scores and neurons with them. "
    "Normalise what attention reads, and what the neurons read.",
)
def no_norms(x, parameters, h):
    p = parameters
    x = x + attend(x, p, h)
    return x + think(x, p)


@mistake(
    "gamma1 and beta1 were used in both places. "
    "The second norm has learned its own numbers, for what the neurons read. "
    "Use gamma2 and beta2 there.",
)
def first_gamma_twice(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    return x + think(norm(x, p, 1), p)


@mistake(
    "gamma2 and beta2 were used before attention, gamma1 and beta1 before the neurons. "
    "Each norm has learned the scale for its own place. "
    "Use 1 before attention and 2 before the neurons.",
)
def gammas_exchanged(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 2), p, h)
    return x + think(norm(x, p, 1), p)


@mistake(
    "The normalised rows were kept in x, and both sums began with them. "
    "Then nothing of a row passes a block unchanged. "
    "Give the normalised rows another name, and add to the rows from before the norm.",
)
def sums_from_normalised_rows(x, parameters, h):
    p = parameters
    x = norm(x, p, 1)
    x = x + attend(x, p, h)
    x = norm(x, p, 2)
    return x + think(x, p)


@mistake(
    "What attention found was added to the normalised rows. "
    "Then nothing of a row passes the block unchanged. "
    "Add it to the rows from before the norm.",
)
def first_sum_from_normalised_rows(x, parameters, h):
    p = parameters
    x = norm(x, p, 1)
    x = x + attend(x, p, h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The neurons' output was added to the normalised rows. "
    "Then nothing of a row passes the block unchanged. "
    "Add it to the rows from before the norm.",
)
def second_sum_from_normalised_rows(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    x = norm(x, p, 2)
    return x + think(x, p)


@mistake(
    "What attention found was not added to the rows; it took their place. A word would lose itself. Add it to x.",
)
def rows_lost_to_attention(x, parameters, h):
    p = parameters
    x = attend(norm(x, p, 1), p, h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The neurons' output was returned alone. "
    "What the row was, and what attention found, would be lost. "
    "Add the rows from before the second norm.",
)
def rows_lost_to_neurons(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    return think(norm(x, p, 2), p)


@mistake(
    "Nothing was added to the rows: attention's output took their place, and the neurons' output took its place. "
    "A word would lose itself in the first block. "
    "Add each sublayer's output to the rows that it was computed from, before their norm.",
)
def nothing_added(x, parameters, h):
    p = parameters
    return think(norm(attend(norm(x, p, 1), p, h), p, 2), p)


@mistake(
    "The biases of attention were forgotten. "
    "Chapter 6's heads have none; GPT-2's have b_q, b_k, b_v and b_o. "
    "Add each one after its own matrix.",
)
def biases_of_attention_forgotten(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), without(p, "b_q", "b_k", "b_v", "b_o"), h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The bias b_o was forgotten. "
    "After the heads are merged there is a fourth matrix, and it has its own bias. "
    "Add b_o to the product with w_o.",
)
def output_bias_forgotten(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), without(p, "b_o"), h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The biases b_q, b_k and b_v were forgotten. "
    "Each of these matrices has a bias of its own. "
    "Add each one to its product, before the heads are split.",
)
def head_biases_forgotten(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), without(p, "b_q", "b_k", "b_v"), h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The neurons' biases were forgotten. "
    "A neuron has a threshold of its own, which is what b1 gives it. "
    "Add b1 after w1, and b2 after w2.",
)
def biases_of_neurons_forgotten(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    return x + think(norm(x, p, 2), without(p, "b1", "b2"))


@mistake(
    "Every bias was forgotten. Each of the six matrices has one in GPT-2. Add each one after its own matrix.",
)
def every_bias_forgotten(x, parameters, h):
    p = without(parameters, "b_q", "b_k", "b_v", "b_o", "b1", "b2")
    x = x + attend(norm(x, p, 1), p, h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The neurons are those of chapter 8, with a ReLU. "
    "GPT-2's numbers were learned with GELU. "
    "Call your `gelu` between the two matrices.",
)
def neurons_with_relu(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    return x + np.maximum(0, norm(x, p, 2) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


@mistake(
    "Nothing is bent between the neurons' two matrices. "
    "Two products in a row are one product: such a layer can do no more than a single matrix. "
    "Call your `gelu` between them.",
)
def neurons_without_bend(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    return x + (norm(x, p, 2) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


@mistake(
    "b1 was added after `gelu`, not before it. "
    "A neuron's threshold decides where it bends, so it must be there when `gelu` is called. "
    "Put the bias inside the brackets: `gelu(rows @ w1 + b1)`.",
)
def bias_outside_gelu(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    return x + (bent(norm(x, p, 2) @ p["w1"]) + p["b1"]) @ p["w2"] + p["b2"]


@mistake(
    "`gelu` was called after the second matrix instead of the first. "
    "A neuron decides between the two whether it speaks; what it says may be negative. "
    "Bend the d_ff numbers, not the d_model ones.",
)
def bent_at_the_end(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    return x + bent((norm(x, p, 2) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"])


@mistake(
    "There is no mask: every token sees the later ones. "
    "A model that writes has no later ones, and in training it would copy the word that it is to predict. "
    "Use a causal mask.",
)
def later_tokens_seen(x, parameters, h):
    p, n = parameters, x.shape[-2]
    x = x + attend_under(norm(x, p, 1), p, h, np.ones((n, n), dtype=bool))
    return x + think(norm(x, p, 2), p)


@mistake(
    "The mask is turned round: each token sees itself and the later ones. "
    "A model that writes has no later ones. "
    "The mask is True on the diagonal and below it, where the key is not later than the query.",
)
def only_later_tokens_seen(x, parameters, h):
    p = parameters
    x = x + attend_under(norm(x, p, 1), p, h, causal_mask(x.shape[-2]).T)
    return x + think(norm(x, p, 2), p)


@mistake(
    "True means forbidden in this mask, as in PyTorch: each token sees the later ones alone, and the last sees none. "
    "Here True means that a token may look. "
    "Turn True and False round, or use `causal_mask(n)`.",
)
def true_means_forbidden(x, parameters, h):
    p = parameters
    x = x + attend_under(norm(x, p, 1), p, h, ~causal_mask(x.shape[-2]))
    return x + think(norm(x, p, 2), p)


def attend_with(x, p, h, weigh):
    """Attend with weights that are made of scores and mask in another way."""
    q, k, v = (split_heads(x @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    weights = weigh(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), causal_mask(x.shape[-2]))
    return merge_heads(weights @ v) @ p["w_o"] + p["b_o"]


@mistake(
    "The mask came after softmax: forbidden weights were set to 0, and the others have less than 1 together. "
    "Later tokens have taken their share of the sum by then. "
    "Set forbidden scores to −∞ before softmax, or use `masked_attention`.",
)
def masked_after_softmax(x, parameters, h):
    p = parameters
    x = x + attend_with(norm(x, p, 1), p, h, lambda scores, mask: np.where(mask, softmax(scores), 0.0))
    return x + think(norm(x, p, 2), p)


@mistake(
    "Forbidden scores became 0, and softmax gives a score of 0 its weight: e⁰ is 1. "
    "Multiplying scores by a mask of 1 and 0 does that, and so does `np.tril` of them. "
    "A forbidden score must be −∞; use `masked_attention`, or `np.where(mask, scores, -np.inf)`.",
)
def zeros_for_forbidden_scores(x, parameters, h):
    p = parameters
    x = x + attend_with(norm(x, p, 1), p, h, lambda scores, mask: softmax(np.where(mask, scores, 0.0)))
    return x + think(norm(x, p, 2), p)


@mistake(
    "No token sees itself: the mask leaves out the diagonal. "
    "A token may look at itself, and the first one has nothing else. "
    "Use `causal_mask(n)` as it is.",
)
def blind_to_itself(x, parameters, h):
    p, n = parameters, x.shape[-2]
    x = x + attend_under(norm(x, p, 1), p, h, np.tri(n, k=-1, dtype=bool))
    return x + think(norm(x, p, 2), p)


@mistake(
    "The scores were divided by √d_model instead of √d_k. "
    "A query has d_k = d_model / h numbers, and its dot products grow with √d_k. "
    "`masked_attention` divides already; divide nothing yourself.",
)
def divided_by_the_whole_width(x, parameters, h):
    p, n = parameters, x.shape[-2]
    x = x + attend_under(norm(x, p, 1), p, h, causal_mask(n), factor=h**-0.5)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The scores were divided by d_k: by its root twice, or without the root. "
    "`masked_attention` divides by √d_k already. "
    "Leave out your own division, or take the root.",
)
def divided_twice(x, parameters, h):
    p, n = parameters, x.shape[-2]
    x = x + attend_under(norm(x, p, 1), p, h, causal_mask(n), factor=(x.shape[-1] // h) ** -0.5)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The scores were not divided by √d_k. "
    "Then their size grows with the width of a head, and softmax takes nearly one key alone. "
    "Use `masked_attention`, or divide yourself.",
)
def not_divided(x, parameters, h):
    p, n = parameters, x.shape[-2]
    x = x + attend_under(norm(x, p, 1), p, h, causal_mask(n), factor=(x.shape[-1] // h) ** 0.5)
    return x + think(norm(x, p, 2), p)


@mistake(
    "Queries come from the normalised rows, but keys and values from the rows as they are. "
    "All three are made of the same normalised rows. "
    "Use one name for these, and all three products with it.",
)
def keys_and_values_from_plain_rows(x, parameters, h):
    p = parameters
    rows = {"q": norm(x, p, 1), "k": x, "v": x}
    q, k, v = (split_heads(rows[name] @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    found, _ = masked_attention(q, k, v, causal_mask(x.shape[-2]))
    x = x + merge_heads(found) @ p["w_o"] + p["b_o"]
    return x + think(norm(x, p, 2), p)


@mistake(
    "The values come from the rows as they are, not from the normalised ones. "
    "Queries, keys and values are all made of the same normalised rows. "
    "Use the normalised rows for the product with w_v.",
)
def values_from_plain_rows(x, parameters, h):
    p = parameters
    rows = {"q": norm(x, p, 1), "k": norm(x, p, 1), "v": x}
    q, k, v = (split_heads(rows[name] @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    found, _ = masked_attention(q, k, v, causal_mask(x.shape[-2]))
    x = x + merge_heads(found) @ p["w_o"] + p["b_o"]
    return x + think(norm(x, p, 2), p)


@mistake(
    "The neurons read the rows from before attention: both sublayers work side by side. "
    "Some later models do that; in GPT-2 the neurons work on what attention has just added. "
    "Give the neurons the norm of the new rows.",
)
def side_by_side(x, parameters, h):
    p = parameters
    return x + attend(norm(x, p, 1), p, h) + think(norm(x, p, 2), p)


@mistake(
    "The neurons' output was added to the rows from before attention. "
    "What attention found then reaches the next block only as far as the neurons repeat it. "
    "Add to the rows that attention has changed.",
)
def attention_not_kept(x, parameters, h):
    p = parameters
    middle = x + attend(norm(x, p, 1), p, h)
    return x + think(norm(middle, p, 2), p)


@mistake(
    "The neurons came first, and attention second. "
    "In a block, tokens look at each other first, and the neurons work on the result. "
    "Swap the two sublayers, each with the norm in front of it.",
)
def neurons_first(x, parameters, h):
    p = parameters
    x = x + think(norm(x, p, 2), p)
    return x + attend(norm(x, p, 1), p, h)


@mistake(
    "The block ends after attention: the neurons are missing. "
    "Attention only mixes; what a word makes of the mixture is the other half of the block. "
    "Normalise the new rows, and add what the neurons make of them.",
)
def neurons_missing(x, parameters, h):
    return x + attend(norm(x, parameters, 1), parameters, h)


@mistake(
    "The block's result was normalised once more. "
    "Pre-norm leaves the sums as they are; GPT-2 has one more norm only behind its last block. "
    "Return the last sum.",
)
def normed_once_more(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, h)
    return norm(x + think(norm(x, p, 2), p), p, 2)


@mistake(
    "All numbers of a token form one head, whatever h is. "
    "Then a token has one set of weights for everything that it looks for. "
    "Split queries, keys and values into h heads.",
)
def all_in_one_head(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, 1)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The heads were cut with `reshape` alone, which fills one head with whole tokens after another. "
    "A head is a part of every token's numbers. "
    "Use `split_heads` and `merge_heads`.",
)
def cut_with_reshape(x, parameters, h):
    p, (*lead, n, d) = parameters, x.shape
    seen = norm(x, p, 1)
    q, k, v = ((seen @ p[f"w_{name}"] + p[f"b_{name}"]).reshape(*lead, h, n, d // h) for name in "qkv")
    found, _ = masked_attention(q, k, v, causal_mask(n))
    x = x + found.reshape(*lead, n, d) @ p["w_o"] + p["b_o"]
    return x + think(norm(x, p, 2), p)


@mistake(
    "The heads were put side by side with `reshape` alone. "
    "It reads head after head and mixes tokens. "
    "Use `merge_heads`.",
)
def merged_with_reshape(x, parameters, h):
    p, seen = parameters, norm(x, parameters, 1)
    q, k, v = (split_heads(seen @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    found, _ = masked_attention(q, k, v, causal_mask(x.shape[-2]))
    x = x + found.reshape(x.shape) @ p["w_o"] + p["b_o"]
    return x + think(norm(x, p, 2), p)


@mistake(
    "`split_heads` was given d_k, the width of a head, instead of h, their number. "
    "Where both are the same, nothing shows. "
    "Pass h.",
)
def width_for_number_of_heads(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), p, x.shape[-1] // h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The bias b_o was added once for each head. "
    "The heads' results are mixed by one product with w_o, which has one bias. "
    "Add b_o once, behind the loop over heads.",
)
def output_bias_for_each_head(x, parameters, h):
    p = parameters
    x = x + attend(norm(x, p, 1), {**p, "b_o": h * p["b_o"]}, h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The four square matrices were transposed, as PyTorch's `Linear` does. "
    "Here a row is multiplied by the matrix as it is. "
    "Write `rows @ w_q`, without `.T`.",
)
def matrices_transposed(x, parameters, h):
    p = {name: array.T if name in ("w_q", "w_k", "w_v", "w_o") else array for name, array in parameters.items()}
    x = x + attend(norm(x, p, 1), p, h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The product with w_o is missing. "
    "The heads lie side by side until w_o mixes what they have found. "
    "Multiply the merged heads by w_o, and add b_o.",
)
def w_o_missing(x, parameters, h):
    p = {**parameters, "w_o": np.eye(x.shape[-1])}
    x = x + attend(norm(x, p, 1), p, h)
    return x + think(norm(x, p, 2), p)


@mistake(
    "The block was run h times, as if each head were a block. "
    "The heads are side by side inside one attention, which computes them all. "
    "Leave out the loop.",
)
def a_block_for_each_head(x, parameters, h):
    p = parameters
    for _ in range(h):
        x = x + attend(norm(x, p, 1), p, h)
        x = x + think(norm(x, p, 2), p)
    return x


@mistake(
    "`masked_attention` returns two things, the output and the weights, and both together went on. "
    "Only the output is merged. "
    "Write `found, _ = masked_attention(…)`.",
)
def weights_went_on(x, parameters, h):
    p, seen = parameters, norm(x, parameters, 1)
    q, k, v = (split_heads(seen @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    x = x + merge_heads(masked_attention(q, k, v, causal_mask(x.shape[-2]))) @ p["w_o"] + p["b_o"]
    return x + think(norm(x, p, 2), p)


@mistake(
    "Right for one text, but in a batch the mask has another size: `len(x)` counts the texts, not the tokens. "
    "The tokens are on the last axis but one, however many axes come before it. "
    "Take n from `x.shape[-2]`.",
)
def mask_as_long_as_the_batch(x, parameters, h):
    p = parameters
    x = x + attend_under(norm(x, p, 1), p, h, causal_mask(len(x)))
    return x + think(norm(x, p, 2), p)


def first_row_right(answer: np.ndarray, right: np.ndarray, x: np.ndarray, parameters: dict, h: int) -> bool:
    """Say whether the first token's row is right, and another is not."""
    return bool(np.allclose(answer[..., 0, :], right[..., 0, :], rtol=1e-6, atol=1e-6))


def first_row_wrong(answer: np.ndarray, right: np.ndarray, x: np.ndarray, parameters: dict, h: int) -> bool:
    """Say whether the first token's row is wrong."""
    return not np.isclose(answer[..., 0, :], right[..., 0, :], rtol=1e-6, atol=1e-6).any()


SYMPTOMS = (
    (
        "The first row is right, in which a token sees itself alone, and later ones are not. So the norms, the values, "
        "the sums and the neurons are right: look at queries and keys, at the scores, the mask, and softmax.",
        first_row_right,
    ),
    (
        "The first row is wrong already. Its token may see itself alone, so no score matters there: look at the norms, "
        "the values, the biases, w_o, the sums and the neurons, and whether the mask lets it see later tokens.",
        first_row_wrong,
    ),
)

EXERCISE = Exercise(
    name="gpt_block",
    reference=reference.gpt_block,
    returns=("output",),
    examples=(
        Case("three tokens, two heads", (X, PARAMETERS, 2)),
        Case("four heads", (X, PARAMETERS, 4)),
        Case("a batch, with leading axes", (BATCH, PARAMETERS, 2), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    slips=Slips(rows_of, BLOCK_SLIPS, alone=RARE_BLOCK_SLIPS),
    symptoms=SYMPTOMS,
)
