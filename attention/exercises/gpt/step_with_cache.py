"""One new token through a block, with the keys and values of the tokens before it."""

import numpy as np

from attention.chapters import gpt as reference
from autograder.diagnosis import Case, Exercise, Slips, mistake

from ..block_in_parts import RARE_STEP_SLIPS, STEP_SLIPS, step
from ..draw import uniform
from ..given_functions import causal_mask, layer_norm, masked_attention, merge_heads, softmax, split_heads
from .gpt_block import PARAMETERS, X, drawn

NONE = np.zeros((2, 0, 2))


def kept(tokens, parameters, h):
    """Return the keys and values of tokens that were read before, one after another."""
    d_model = len(parameters["b_o"])
    keys = values = np.zeros((h, 0, d_model // h))
    for token in tokens:
        _, keys, values = reference.step_with_cache(token, parameters, h, keys, values)
    return keys, values


def after(rng: np.random.Generator, n: int, d_model: int, d_ff: int, h: int) -> tuple:
    """Draw a token after n others, whose keys and values are kept."""
    x, parameters = drawn(rng, (n + 1, d_model), d_ff)
    return x[-1], parameters, h, *kept(x[:-1], parameters, h)


def unseen(rng: np.random.Generator) -> list[Case]:
    """A few tokens before it, heads of two and three numbers, one head."""
    return [
        Case("three tokens before it", after(rng, 3, 4, 7, 2)),
        Case("seven tokens before it, three heads", after(rng, 7, 6, 5, 3)),
        Case("five tokens before it, two heads", after(rng, 5, 6, 11, 2)),
    ]


def edges(rng: np.random.Generator) -> list[Case]:
    """The first token, the second, many, one head, and kept numbers that no token of this block made."""
    other = uniform(rng, 1.5, 3, 5, 2), uniform(rng, 2, 3, 5, 2)
    return [
        Case("the first token", after(rng, 0, 6, 7, 3)),
        Case("the second token", after(rng, 1, 6, 5, 2)),
        Case("many tokens before it", after(rng, 53, 4, 3, 2)),
        Case("one head", after(rng, 5, 3, 7, 1)),
        Case("kept by another model", (*after(rng, 0, 6, 7, 3)[:3], *other)),
    ]


def norm(x, p, k):
    return layer_norm(x, p[f"gamma{k}"], p[f"beta{k}"])


def bent(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def think(x, p):
    return bent(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def new(x, p, h):
    """Return the new token's query, key and value: (h, 1, d_k) each."""
    row = norm(x[None], p, 1)
    return [split_heads(row @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv"]


def found_in(q, keys, values, mask=None):
    """Return what a query finds, its heads side by side: (d_model,)."""
    return merge_heads(masked_attention(q, keys, values, mask)[0])[0]


def finished(x, found, p):
    """Add what was found, and what the neurons make of it."""
    x = x + found @ p["w_o"] + p["b_o"]
    return x + think(norm(x, p, 2), p)


@mistake(
    "The new key and value were put in front of the kept ones. "
    "The cache then holds the tokens in another order than the text, and nobody could cut off its end. "
    "Put them last.",
)
def new_ones_in_front(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([k, keys], axis=1), np.concatenate([v, values], axis=1)
    return finished(x, found_in(q, keys, values), parameters), keys, values


@mistake(
    "The keys and values came back as they were given. "
    "The next token must find this one's, too. "
    "Return the longer arrays, n + 1 tokens.",
)
def cache_not_longer(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    longer = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, *longer), parameters), keys, values


@mistake(
    "Only the new key and value were returned. "
    "The next token must find those of all tokens before it. "
    "Return the kept ones with the new ones behind them.",
)
def only_the_new_ones_returned(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    longer = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, *longer), parameters), k, v


@mistake(
    "The new key was put behind the kept ones, but the new value was not. "
    "There is a weight for each of the n + 1 tokens then, and a value for n. "
    "Put both behind, and attend to both.",
)
def new_value_forgotten(x, parameters, h, keys, values):
    q, k, _ = new(x, parameters, h)
    keys = np.concatenate([keys, k], axis=1)
    return finished(x, found_in(q, keys, values), parameters), keys, values


@mistake(
    "The query looked at the kept keys alone. "
    "A token sees itself as well; the first one has nothing else to see. "
    "Add the new key and value first, then attend to all n + 1.",
)
def itself_not_seen(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    found = found_in(q, keys, values)
    longer = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found, parameters), *longer


@mistake(
    "The query looked at the new token alone. "
    "The kept keys and values are there so that it finds what came before. "
    "Attend to all n + 1.",
)
def only_itself_seen(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    longer = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, k, v), parameters), *longer


@mistake(
    "The mask lets the query see the first token alone: it is the first row of a causal mask. "
    "The new token is the last one, and may see all. "
    "Leave the mask out, or take its last row.",
)
def first_row_of_the_mask(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, keys, values, causal_mask(keys.shape[1])[:1]), parameters), keys, values


@mistake(
    "A causal mask of n + 1 rows was used, and there is one query: each of the rows got an answer. "
    "The new token is the last one, and may see all. "
    "Leave the mask out, or take its last row.",
)
def whole_mask(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    found, _ = masked_attention(q, keys, values, causal_mask(keys.shape[1]))
    return finished(x[None], merge_heads(found), parameters), keys, values


@mistake(
    "The new value comes from the row as it is, not from the normalised one. "
    "The kept ones were made of normalised rows, as in `gpt_block`. "
    "Normalise first; query, key and value all come from that row.",
)
def value_from_the_plain_row(x, parameters, h, keys, values):
    p, (q, k, _) = parameters, new(x, parameters, h)
    v = split_heads(x[None] @ p["w_v"] + p["b_v"], h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, keys, values), p), keys, values


@mistake(
    "The new key and value come from the row as it is, not from the normalised one. "
    "The kept ones were made of normalised rows, as in `gpt_block`. "
    "Normalise first; query, key and value all come from that row.",
)
def key_and_value_from_the_plain_row(x, parameters, h, keys, values):
    p, (q, _, _) = parameters, new(x, parameters, h)
    k, v = (split_heads(x[None] @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "kv")
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, keys, values), p), keys, values


@mistake(
    "Query, key and value come from the row as it is, not from the normalised one. "
    "The kept ones were made of normalised rows, as in `gpt_block`. "
    "Normalise first, with gamma1 and beta1.",
)
def first_norm_left_out(x, parameters, h, keys, values):
    p = parameters
    q, k, v = (split_heads(x[None] @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, keys, values), p), keys, values


@mistake(
    "What was found was added to the normalised row. "
    "The row itself must pass the block unchanged. "
    "Add to x, from before the norm.",
)
def added_to_the_normalised_row(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(norm(x, parameters, 1), found_in(q, keys, values), parameters), keys, values


@mistake(
    "The second norm was left out: the neurons read the row as it is. "
    "They have learned from normalised rows. "
    "Give them `layer_norm` of the row, with gamma2 and beta2.",
)
def second_norm_left_out(x, parameters, h, keys, values):
    p, (q, k, v) = parameters, new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    x = x + found_in(q, keys, values) @ p["w_o"] + p["b_o"]
    return x + think(x, p), keys, values


@mistake(
    "gamma1 and beta1 were used in both places. "
    "The second norm has learned its own numbers. "
    "Use gamma2 and beta2 before the neurons.",
)
def first_gamma_in_both_places(x, parameters, h, keys, values):
    p, (q, k, v) = parameters, new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    x = x + found_in(q, keys, values) @ p["w_o"] + p["b_o"]
    return x + think(norm(x, p, 1), p), keys, values


@mistake(
    "The biases of attention were left out. "
    "The kept keys and values were made with them. "
    "Add b_q, b_k, b_v and b_o, each after its own matrix.",
)
def attention_without_biases(x, parameters, h, keys, values):
    p, row = parameters, norm(x[None], parameters, 1)
    q, k, v = (split_heads(row @ p[f"w_{name}"], h) for name in "qkv")
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    x = x + found_in(q, keys, values) @ p["w_o"]
    return x + think(norm(x, p, 2), p), keys, values


@mistake(
    "The new key and value lack their biases, b_k and b_v. "
    "The kept ones were made with them, as in `gpt_block`. "
    "Add each one after its own matrix, before the heads are split.",
)
def new_key_and_value_without_bias(x, parameters, h, keys, values):
    q, k, v = new(x, {**parameters, **{name: 0 * parameters[name] for name in ("b_k", "b_v")}}, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, keys, values), parameters), keys, values


@mistake(
    "The neurons are those of chapter 8, with a ReLU. "
    "GPT-2's numbers were learned with GELU. "
    "Call your `gelu` between the two matrices.",
)
def step_with_relu(x, parameters, h, keys, values):
    p, (q, k, v) = parameters, new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    x = x + found_in(q, keys, values) @ p["w_o"] + p["b_o"]
    return x + np.maximum(0, norm(x, p, 2) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"], keys, values


@mistake(
    "The step ends after attention: the neurons are missing. "
    "A step is the whole block for one token. "
    "Normalise the new row, and add what the neurons make of it.",
)
def neurons_left_out(x, parameters, h, keys, values):
    p, (q, k, v) = parameters, new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return x + found_in(q, keys, values) @ p["w_o"] + p["b_o"], keys, values


@mistake(
    "The scores were not divided by √d_k. "
    "The weights would differ from those of `gpt_block`. "
    "Use `masked_attention`, or divide yourself.",
)
def step_not_divided(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    found = merge_heads(softmax(q @ np.swapaxes(keys, -1, -2)) @ values)[0]
    return finished(x, found, parameters), keys, values


@mistake(
    "The scores were divided by √d_model instead of √d_k. "
    "A query has d_k = d_model / h numbers. "
    "Use `masked_attention`, or divide by the root of a key's length.",
)
def step_divided_by_the_whole_width(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    found = merge_heads(softmax(q @ np.swapaxes(keys, -1, -2) / np.sqrt(len(x))) @ values)[0]
    return finished(x, found, parameters), keys, values


@mistake(
    "The scores were divided by the root of the number of tokens. "
    "√d_k is meant, the root of how many numbers a key has, which is the last axis; `keys.shape[1]` counts tokens. "
    "Use `masked_attention`, or `keys.shape[-1]`.",
)
def divided_by_the_root_of_the_tokens(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    found = merge_heads(softmax(q @ np.swapaxes(keys, -1, -2) / np.sqrt(keys.shape[1])) @ values)[0]
    return finished(x, found, parameters), keys, values


@mistake(
    "Softmax was taken over the heads: at each token, the weights of all heads sum to 1. "
    "Each head shares its own weight among the tokens. "
    "Use the axis of the tokens, the last one.",
)
def softmax_over_the_heads(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    scores = q @ np.swapaxes(keys, -1, -2) / np.sqrt(q.shape[-1])
    return finished(x, merge_heads(softmax(scores, axis=0) @ values)[0], parameters), keys, values


@mistake(
    "Right, except for the first token, for which attention was left out. "
    "Nothing is kept then, but a token sees itself: its own value goes through w_o and is added. "
    "Leave the case out: with no kept keys, the new one is all there is.",
)
def first_token_without_attention(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    if keys.shape[1] == 1:
        return x + think(norm(x, parameters, 2), parameters), keys, values
    return finished(x, found_in(q, keys, values), parameters), keys, values


@mistake(
    "The row came back inside a table of one row. "
    "x has the shape (d_model,), and so must the result, which is the next block's x. "
    "Take the first row.",
)
def row_in_a_table(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, keys, values), parameters)[None], keys, values


@mistake(
    "Keys and values were exchanged. "
    "Keys are compared with the query; values are what is mixed. "
    "Attend to keys and values in this order, and return them so.",
)
def keys_and_values_exchanged(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, v], axis=1), np.concatenate([values, k], axis=1)
    return finished(x, found_in(q, keys, values), parameters), keys, values


@mistake(
    "The new key was kept among the values as well. "
    "What is compared and what is mixed are made by two matrices. "
    "Put the new value behind the kept values.",
)
def key_kept_twice(x, parameters, h, keys, values):
    q, k, _ = new(x, parameters, h)
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, k], axis=1)
    return finished(x, found_in(q, keys, values), parameters), keys, values


@mistake(
    "The new key and value were put on another axis: as if they were more heads, not one more token. "
    "The axes are heads, tokens, numbers. "
    "Put them together along the axis of tokens.",
)
def put_among_the_heads(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys, k]), np.concatenate([values, v])
    return finished(x, found_in(q, keys, values), parameters), keys, values


@mistake(
    "The new key and value were appended without an axis. "
    "`np.append` then makes one long row of all numbers, and `reshape` cuts it elsewhere: the heads are mixed. "
    "Put them together along the axis of tokens, `axis=1`.",
)
def appended_without_axis(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = (np.append(*both).reshape(h, -1, k.shape[-1]) for both in ((keys, k), (values, v)))
    return finished(x, found_in(q, keys, values), parameters), keys, values


@mistake(
    "The new key and value were written into the last place of the kept ones, where the token before is. "
    "No place is kept free, so n + 1 tokens do not fit; and the arrays are the caller's. "
    "Make longer arrays: `np.concatenate` along the axis of tokens.",
)
def written_over_the_last_token(x, parameters, h, keys, values):
    q, k, v = new(x, parameters, h)
    keys, values = np.concatenate([keys[:, :-1], k], axis=1), np.concatenate([values[:, :-1], v], axis=1)
    return finished(x, found_in(q, keys, values), parameters), keys, values


def dealt(row, h):
    """Give the numbers of a row to the heads in turn: (d_model,) -> (h, 1, d_k)."""
    return row.reshape(-1, h).T[:, None]


@mistake(
    "The numbers were dealt out to the heads in turn: number 0 to head 0, number 1 to head 1 and so on. "
    "A head has d_k numbers that stand side by side. "
    "Use `split_heads`, or `reshape(h, 1, d_k)`.",
)
def dealt_out_in_turn(x, parameters, h, keys, values):
    p, row = parameters, norm(x, parameters, 1)
    q, k, v = (dealt(row @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    found = masked_attention(q, keys, values, None)[0][:, 0].T.reshape(-1)
    return finished(x, found, p), keys, values


@mistake(
    "The heads were cut with `reshape(1, h, d_k)`, which puts tokens first and heads second. "
    "The kept arrays have heads first: (h, n, d_k). "
    "Use `split_heads`, or swap the first two axes.",
)
def heads_second(x, parameters, h, keys, values):
    p, row = parameters, norm(x, parameters, 1)
    q, k, v = ((row @ p[f"w_{name}"] + p[f"b_{name}"]).reshape(1, h, -1) for name in "qkv")
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, keys, values), p), keys, values


@mistake(
    "x was used like a table of tokens, but it is one row, (d_model,). "
    "`split_heads` needs an axis of tokens, and so do the kept keys. "
    "Make it a table of one row first, `x[None]`, and take the row out again at the end.",
)
def row_used_like_a_table(x, parameters, h, keys, values):
    p, seen = parameters, norm(x, parameters, 1)
    q, k, v = (split_heads(seen @ p[f"w_{name}"] + p[f"b_{name}"], h) for name in "qkv")
    keys, values = np.concatenate([keys, k], axis=1), np.concatenate([values, v], axis=1)
    return finished(x, found_in(q, keys, values), p), keys, values


def alike(answer, right):
    """Say whether two arrays are the same, as far as single precision goes."""
    return np.shape(answer) == np.shape(right) and np.allclose(answer, right, rtol=1e-5, atol=1e-6)


SYMPTOMS = (
    (
        "The row is right, but not what is kept. Return the keys, then the values, with the new token's behind the "
        "others.",
        lambda answer, right, **given: alike(answer[0], right[0]),
    ),
    (
        "Keys and values are right, and the row is not: the first norm and the cut into heads are right. Look at the "
        "query, at what it is compared with, at w_o, the sums, the second norm and the neurons.",
        lambda answer, right, **given: alike(answer[1], right[1]) and alike(answer[2], right[2]),
    ),
)

EXERCISE = Exercise(
    name="step_with_cache",
    reference=reference.step_with_cache,
    returns=("row", "keys", "values"),
    examples=(
        Case("the third token, four heads", (X[2], PARAMETERS, 4, *kept(X[:2], PARAMETERS, 4))),
        Case("the second token, two heads", (X[1], PARAMETERS, 2, *kept(X[:1], PARAMETERS, 2))),
        Case("the first token", (X[0], PARAMETERS, 2, NONE, NONE), edge=True),
    ),
    unseen=unseen,
    edges=edges,
    slips=Slips(step, STEP_SLIPS, alone=RARE_STEP_SLIPS),
    symptoms=SYMPTOMS,
)
