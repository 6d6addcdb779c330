"""Checks of chapter 4: query, key, value."""

import numpy as np

from autograder.reference import lion
from autograder.reference import query_key_value as reference
from autograder.reference.context import softmax

from .exercise import Case, Exercise, mistake

A, B = [1.0, 0.0], [0.0, 1.0]
SEQUENCE = np.array([A, A, B, A])  # Note 4
QUERY = np.array([[2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
KEY = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
VALUE = np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0], [20.0, 0.0], [0.0, 0.0]])


def within(rng, bound, *shape):
    """Draw numbers evenly between -bound and bound, so that scores stay within ±4 and softmax never saturates."""
    return rng.uniform(-bound, bound, shape)


def directions(rng, n, d):
    """Draw n vectors of length one in d dimensions."""
    drawn = rng.normal(size=(n, d))
    return drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)


def far_apart(rng, n_q, n_k, d):
    """Draw queries and keys whose scores lie between -1500 and 1500: exp of the largest overflows in every row."""
    query = directions(rng, n_q, d)
    return 1500 * query, np.concatenate([directions(rng, n_k - n_q, d), query])


OVERFLOW = (
    "Right for ordinary scores, NaN for large ones: exp(1000) is inf, and inf / inf is NaN. "
    "Subtracting one number from every score of a row changes no weight. "
    "Subtract the row's largest score before you take exp."
)


# soft_lookup


def lookup_cases(rng):
    """Sizes prime and unequal; bases both sides of e."""
    return [
        Case("five keys", (within(rng, 0.7, 7), within(rng, 0.7, 5, 7), within(rng, 3, 5, 3))),
        Case("base 3", (within(rng, 0.7, 5), within(rng, 0.7, 7, 5), within(rng, 3, 7, 2)), {"base": 3}),
        Case("base 1.5", (within(rng, 1, 3), within(rng, 1, 11, 3), within(rng, 3, 11, 5), 1.5)),
    ]


def lookup_edges(rng):
    """Scores that overflow base ** score, and a dictionary with one entry."""
    query, keys = far_apart(rng, 1, 5, 3)
    return [
        Case("scores of a thousand", (query[0], keys, within(rng, 3, 5, 2))),
        Case("one key", (within(rng, 1, 3), within(rng, 1, 1, 3), within(rng, 3, 1, 2))),
    ]


@mistake(
    "The key with the largest score gets weight 1 and all others get 0. "
    "That is an ordinary dictionary: the other values are lost, and a small change of the query changes nothing. "
    "Give every key the weight base ** score, divided by the sum of them all."
)
def hard_argmax(query, keys, values, base=np.e):
    weights = np.zeros(len(keys))
    weights[np.argmax(keys @ query)] = 1.0
    return weights @ values, weights


@mistake(
    "The weights are those of base e, whatever `base` says. "
    "With base 3 the note's example has weights 1/6, 1/6, 1/2, 1/6. "
    "Use the argument: base ** score instead of np.exp(score)."
)
def base_ignored(query, keys, values, base=np.e):
    weights = softmax(keys @ query)
    return weights @ values, weights


@mistake(
    "The weights are right, but the values went through softmax as well. "
    "Values are what gets mixed, so they must stay as they are. "
    "Only scores become weights: output = weights @ values."
)
def softmax_over_values(query, keys, values, base=np.e):
    weights = softmax(keys @ query * np.log(base))
    return weights @ softmax(values * np.log(base)), weights


@mistake(
    "Each score was divided by the sum of the scores. "
    "With scores 0, 0, 1, 0 that leaves nothing for the zeros, and negative scores give negative weights. "
    "Raise base to each score first, then divide by the sum."
)
def shares_of_the_sum(query, keys, values, base=np.e):
    scores = keys @ query
    weights = scores / scores.sum()
    return weights @ values, weights


@mistake(
    "The powers were used as weights as they are, and they do not sum to one. "
    "A mixture shares out one whole, so the weights of all keys together must be 1. "
    "Divide each power by the sum of them all."
)
def not_divided(query, keys, values, base=np.e):
    powers = float(base) ** (keys @ query)
    return powers @ values, powers


@mistake(OVERFLOW)
def lookup_overflow(query, keys, values, base=np.e):
    powers = float(base) ** (keys @ query)
    weights = powers / powers.sum()
    return weights @ values, weights


SOFT_LOOKUP = Exercise(
    name="soft_lookup",
    points=4,
    reference=reference.soft_lookup,
    returns=("output", "weights"),
    examples=(
        Case("AABA, base 3", (np.array(B), SEQUENCE, SEQUENCE, 3)),
        Case("AABA, base e", (np.array(B), SEQUENCE, SEQUENCE)),
        Case("three keys", (np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]), KEY[:3])),
    ),
    unseen=lookup_cases,
    edges=lookup_edges,
    mistakes=(hard_argmax, base_ignored, softmax_over_values, shares_of_the_sum, not_divided, lookup_overflow),
)


# booster


def booster_cases(rng):
    """Sentences of unequal length, targets away from .5."""
    spans = ((5, (0.6, 0.9)), (23, (0.2, 0.45)), (101, (0.9, 0.99)))
    return [Case(f"{n} tokens", (n, float(rng.uniform(*span)))) for n, span in spans]


def booster_edges(rng):
    """The shortest sentence, a target below the even share, and one close to certainty."""
    return [
        Case("two tokens", (2, float(rng.uniform(0.6, 0.9)))),
        Case("less than an even share", (7, float(rng.uniform(0.01, 0.1)))),
        Case("almost certain", (3, 1 - 1e-9)),
    ]


@mistake(
    "This is ln(p / (1 − p)), which is right when there is one other token. "
    "Here n − 1 tokens share what is left, so the match has to beat all of them. "
    "Start from e^β / (e^β + n − 1) = p and solve for β."
)
def one_other_token(n, target):
    return np.log(target / (1 - target))


@mistake(
    "The match is counted among its own rivals: the sum holds n where n − 1 belongs. "
    "Of n tokens one is the match, which leaves n − 1 others with e^0 = 1 each. "
    "Write the sum in the denominator out for n = 4."
)
def n_instead_of_n_minus_1(n, target):
    return np.log(n * target / (1 - target))


@mistake(
    "This is e^β, not β. "
    "The factor multiplies the score, and softmax raises e to it. "
    "Take the logarithm of what you have."
)
def no_logarithm(n, target):
    return (n - 1) * target / (1 - target)


@mistake(
    "The weight p was used where p / (1 − p) belongs. "
    "Solving e^β = p (e^β + n − 1) collects e^β on the left, and 1 − p remains as a divisor. "
    "Do that step once more on paper."
)
def odds_forgotten(n, target):
    return np.log((n - 1) * target)


BOOSTER = Exercise(
    name="booster",
    points=2,
    reference=reference.booster,
    returns=("beta",),
    examples=(Case("4 tokens, target .9999", (4, 0.9999)), Case("4 tokens, target .5", (4, 0.5))),
    unseen=booster_cases,
    edges=booster_edges,
    mistakes=(one_other_token, n_instead_of_n_minus_1, no_logarithm, odds_forgotten),
)


# project


def project_cases(rng):
    """Tokens, widths and counts all different, so that no product of the wrong way round fits."""
    return [
        Case("five tokens", projection(rng, (5, 7), 3, 2)),
        Case("values wider than keys", projection(rng, (3, 5), 2, 11)),
    ]


def project_edges(rng):
    """One token, and a batch of sentences with heads."""
    return [Case("one token", projection(rng, (1, 5), 3, 2)), Case("batch axes", projection(rng, (2, 3, 5, 7), 11, 13))]


def projection(rng, shape, d_k, d_v):
    """Draw tokens of this shape, and matrices that fit them."""
    return within(rng, 2, *shape), *(within(rng, 2, shape[-1], width) for width in (d_k, d_k, d_v))


@mistake(
    "The matrix stands on the left: w @ x. "
    "Rows are tokens here, so the shapes (n, d_model) and (d_model, d_k) meet with x on the left. "
    "The note's W e is the same product written for columns; with rows it reads x @ w."
)
def weights_on_the_left(x, w_q, w_k, w_v):
    return w_q @ x, w_k @ x, w_v @ x


@mistake(
    "The matrix was transposed: x @ w.T. "
    "It already has one row for each number in a token, so d_model meets d_model as it stands. "
    "Write the shapes under the product: (n, d_model) @ (d_model, d_k)."
)
def weights_transposed(x, w_q, w_k, w_v):
    return x @ w_q.T, x @ w_k.T, x @ w_v.T


@mistake(
    "Query and key are exchanged: the first result was made with w_k, the second with w_q. "
    "What a word looks for is not what it offers, so every later score would be transposed. "
    "Return x @ w_q first, then x @ w_k, then x @ w_v."
)
def query_and_key_swapped(x, w_q, w_k, w_v):
    return x @ w_k, x @ w_q, x @ w_v


@mistake(
    "Key was made with w_q, like query. "
    "A word would then look for exactly what it offers, and scores would be symmetric. "
    "Each of the three results has a matrix of its own."
)
def one_matrix_for_two(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_q, x @ w_v


PROJECT = Exercise(
    name="project",
    points=2,
    reference=reference.project,
    returns=("query", "key", "value"),
    examples=(Case("the lion", (lion.x, lion.w_q, lion.w_k, lion.w_v)),),
    unseen=project_cases,
    edges=project_edges,
    mistakes=(weights_on_the_left, weights_transposed, query_and_key_swapped, one_matrix_for_two),
)


# attention


def attention_cases(rng):
    """n_q, n_k, d_k, d_v all different primes."""
    return [
        Case("three queries, five keys", (within(rng, 0.7, 3, 7), within(rng, 0.7, 5, 7), within(rng, 3, 5, 2))),
        Case("more queries than keys", (within(rng, 0.8, 7, 5), within(rng, 0.8, 3, 5), within(rng, 3, 3, 11))),
        Case("keys of width two", (within(rng, 1.4, 5, 2), within(rng, 1.4, 11, 2), within(rng, 3, 11, 3))),
    ]


def attention_edges(rng):
    """Scores that overflow exp, a single token, and leading axes."""
    return [
        Case("scores of a thousand", (*far_apart(rng, 3, 7, 5), within(rng, 3, 7, 2))),
        Case("one token", (within(rng, 1, 1, 3), within(rng, 1, 1, 3), within(rng, 3, 1, 2))),
        Case("batch axes", (within(rng, 0.6, 2, 3, 5, 11), within(rng, 0.6, 2, 3, 7, 11), within(rng, 3, 2, 3, 7, 13))),
    ]


@mistake(
    "The product query @ key was taken without turning key round. "
    "A score compares one row of query with one row of key, and @ pairs rows with columns. "
    "Swap the last two axes of key first: np.swapaxes(key, -1, -2)."
)
def key_not_transposed(query, key, value):
    weights = softmax(query @ key)
    return weights @ value, weights


@mistake(
    "Softmax ran down the columns: each column of the weights sums to one, and the rows do not. "
    "Every query shares out its own attention, so it is each row that must sum to one. "
    "Take the sum over the keys, the last axis, with keepdims=True."
)
def softmax_over_queries(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2), axis=-2)
    return weights @ value, weights


@mistake(
    "The weights are right, but they are all that comes back. "
    "They say where to look; the output is what was found there. "
    "Return both: weights @ value, and then the weights."
)
def weights_only(query, key, value):
    return softmax(query @ np.swapaxes(key, -1, -2))


@mistake(
    "Both results are right, in the wrong order. "
    "Whoever calls this takes the first one for the output. "
    "Return the output first, then the weights."
)
def weights_first(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2))
    return weights, weights @ value


@mistake(
    "The scores were divided by √d_k. "
    "That is a good idea and the next chapter's subject; this function is asked for the plain scores. "
    "Leave the division out here."
)
def scaled_already(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2) / np.sqrt(key.shape[-1]))
    return weights @ value, weights


@mistake(
    "The scores were used as they are, without softmax. "
    "Their rows do not sum to one, so the output is no mixture of the values. "
    "Take exp of each score and divide each row by its sum."
)
def no_softmax(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2)
    return scores @ value, scores


@mistake(
    "The weights were made from the scores, but the scores themselves came back as the second result. "
    "Scores may be any number; weights are what each query shares out, and their rows sum to one. "
    "Return the output, then the weights."
)
def scores_returned(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2)
    return softmax(scores) @ value, scores


@mistake(
    "One sum was taken over the whole matrix, so all queries together share one unit of attention. "
    "Each query has one whole unit of its own, and each row must sum to one. "
    "Take the sum along the last axis, with keepdims=True."
)
def one_sum_for_all(query, key, value):
    exponentials = np.exp(query @ np.swapaxes(key, -1, -2))
    weights = exponentials / exponentials.sum()
    return weights @ value, weights


@mistake(
    "The largest score of each row has shape (n_q,), and that does not line up with scores of shape (n_q, n_k). "
    "NumPy lines shapes up from the right, so it compares n_q with n_k. "
    "keepdims=True keeps it a column, (n_q, 1), for the maximum and for the sum."
)
def keepdims_forgotten(query, key, value):
    scores = query @ np.swapaxes(key, -1, -2)
    exponentials = np.exp(scores - scores.max(axis=-1))
    weights = exponentials / exponentials.sum(axis=-1)
    return weights @ value, weights


@mistake(
    "The product is key queryᵀ, with one row for each key. "
    "A row of scores belongs to the token that asks, so query stands on the left. "
    "Write query @ np.swapaxes(key, -1, -2)."
)
def key_asks_query(query, key, value):
    weights = softmax(key @ np.swapaxes(query, -1, -2))
    return weights @ value, weights


@mistake(
    "Right for one sentence, but in a batch axis 1 is another axis. "
    "The keys are always the last one, however many axes stand before it. "
    "Use axis=-1, for the largest score and for the sum."
)
def axis_one(query, key, value):
    weights = softmax(query @ np.swapaxes(key, -1, -2), axis=1)
    return weights @ value, weights


@mistake(
    "Right for one sentence, but key.T reverses every axis of a batch, the sentences and heads too. "
    "Only the last two axes belong to the product. "
    "Swap just those: np.swapaxes(key, -1, -2)."
)
def all_axes_reversed(query, key, value):
    weights = softmax(query @ key.T)
    return weights @ value, weights


@mistake(OVERFLOW)
def attention_overflow(query, key, value):
    exponentials = np.exp(query @ np.swapaxes(key, -1, -2))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return weights @ value, weights


ATTENTION = Exercise(
    name="attention",
    points=5,
    reference=reference.attention,
    returns=("output", "weights"),
    examples=(Case("two queries, five keys", (QUERY, KEY, VALUE)),),
    unseen=attention_cases,
    edges=attention_edges,
    mistakes=(
        key_not_transposed,
        softmax_over_queries,
        weights_only,
        weights_first,
        scaled_already,
        no_softmax,
        scores_returned,
        one_sum_for_all,
        keepdims_forgotten,
        key_asks_query,
        axis_one,
        all_axes_reversed,
        attention_overflow,
    ),
)


# merged_projection


def merged_cases(rng):
    """More numbers in a token than in a key, and the reverse."""
    return [
        Case("seven numbers, keys of three", (within(rng, 2, 7, 3), within(rng, 2, 7, 3))),
        Case("three numbers, keys of five", (within(rng, 2, 3, 5), within(rng, 2, 3, 5))),
    ]


def merged_edges(rng):
    """Vectors of width one."""
    return [
        Case("keys of width one", (within(rng, 2, 5, 1), within(rng, 2, 5, 1))),
        Case("tokens of width one", (within(rng, 2, 1, 3), within(rng, 2, 1, 3))),
    ]


@mistake(
    "This is W_Qᵀ W_K, with the narrow side outside: a matrix of d_k × d_k. "
    "Between x and xᵀ there must stand d_model × d_model. "
    "Write (x w_q)(x w_k)ᵀ out; the transpose of a product reverses its factors."
)
def merged_in_columns(w_q, w_k):
    return w_q.T @ w_k


@mistake(
    "This is W_K W_Qᵀ, the transpose of what is asked: x W xᵀ gives the scores with rows and columns exchanged. "
    "Row i must hold the scores of query i. "
    "The matrix next to the left x is the one that makes queries."
)
def query_and_key_exchanged(w_q, w_k):
    return w_k @ w_q.T


@mistake(
    "This is W_Kᵀ W_Q, the note's formula, which is made for tokens that are columns. "
    "With rows the wide sides belong outside: d_model × d_model between x and xᵀ. "
    "Write (x w_q)(x w_k)ᵀ out; the transpose of a product reverses its factors."
)
def the_notes_formula(w_q, w_k):
    return w_k.T @ w_q


@mistake(
    "Neither matrix was turned round, and (d_model, d_k) does not meet (d_model, d_k). "
    "The second one comes from keyᵀ = (x w_k)ᵀ. "
    "Its transpose is w_kᵀ xᵀ: that is where the ᵀ comes from."
)
def not_transposed(w_q, w_k):
    return w_q @ w_k


MERGED_PROJECTION = Exercise(
    name="merged_projection",
    points=2,
    reference=reference.merged_projection,
    returns=("W",),
    examples=(Case("the lion's matrices", (lion.w_q, lion.w_k)),),
    unseen=merged_cases,
    edges=merged_edges,
    mistakes=(merged_in_columns, query_and_key_exchanged, the_notes_formula, not_transposed),
)


# luong_context


def luong_cases(rng):
    """One decoder state, encoder states of unequal number and width."""
    return [
        Case("five encoder states", (within(rng, 0.7, 7), within(rng, 0.7, 5, 7))),
        Case("eleven encoder states", (within(rng, 1, 3), within(rng, 1, 11, 3))),
    ]


def luong_edges(rng):
    """Scores that overflow exp, and a sentence of one word."""
    state, encoder_states = far_apart(rng, 1, 5, 3)
    return [
        Case("scores of a thousand", (state[0], encoder_states)),
        Case("one encoder state", (within(rng, 1, 3), within(rng, 1, 1, 3))),
    ]


@mistake(
    "Every encoder state counts the same, whatever the decoder's state is. "
    "That is the plain average, which attention was invented to replace. "
    "Score each encoder state against `state`, and weigh it by softmax of the scores."
)
def plain_average(state, encoder_states):
    n = len(encoder_states)
    return encoder_states.mean(axis=0), np.full(n, 1 / n)


@mistake(
    "The weights are right, but the context is the plain average of the encoder states and does not use them. "
    "The decoder would read the same sentence at every step. "
    "Mix with the weights: context = Σ α_j h_j."
)
def alpha_not_used(state, encoder_states):
    return encoder_states.mean(axis=0), softmax(encoder_states @ state)


@mistake(
    "The scores e_j were used as weights without softmax. "
    "They may be negative and need not sum to one, so the context is no mixture. "
    "Turn them into weights first: exp of each, divided by the sum."
)
def scores_as_weights(state, encoder_states):
    scores = encoder_states @ state
    return scores @ encoder_states, scores


@mistake(
    "Each encoder state was weighed, and then they were not added up. "
    "The context is one vector, as wide as a state. "
    "Sum over the encoder states, the first axis."
)
def states_not_mixed(state, encoder_states):
    alpha = softmax(encoder_states @ state)
    return alpha[:, None] * encoder_states, alpha


@mistake(
    "The encoder state with the largest score is the whole context. "
    "The decoder may need a bit of several words, and the others are lost. "
    "Weigh every state by softmax of the scores."
)
def best_state_only(state, encoder_states):
    alpha = np.zeros(len(encoder_states))
    alpha[np.argmax(encoder_states @ state)] = 1.0
    return alpha @ encoder_states, alpha


@mistake(
    "The scores were divided by √d. "
    "Luong's score is the plain dot product; scaling is the next chapter's subject. "
    "Leave the division out here."
)
def context_scaled(state, encoder_states):
    alpha = softmax(encoder_states @ state / np.sqrt(len(state)))
    return alpha @ encoder_states, alpha


@mistake(OVERFLOW)
def context_overflow(state, encoder_states):
    exponentials = np.exp(encoder_states @ state)
    alpha = exponentials / exponentials.sum()
    return alpha @ encoder_states, alpha


LUONG_CONTEXT = Exercise(
    name="luong_context",
    points=3,
    reference=reference.luong_context,
    returns=("context", "alpha"),
    examples=(Case("three encoder states", (np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]))),),
    unseen=luong_cases,
    edges=luong_edges,
    mistakes=(
        plain_average,
        alpha_not_used,
        scores_as_weights,
        states_not_mixed,
        best_state_only,
        context_scaled,
        context_overflow,
    ),
)


# query_between


def orthonormal(rng, n, d):
    """Draw n keys of length one, at right angles to one another, in d dimensions."""
    return np.linalg.qr(rng.normal(size=(d, d)))[0][:n]


def between_cases(rng):
    """Four orthonormal keys in more dimensions than four, any two of them."""
    pairs = [[int(key) for key in rng.choice(4, size=2, replace=False)] for _ in range(3)]
    return [
        Case(f"keys of width {d}", (orthonormal(rng, 4, d), *pair)) for d, pair in zip((5, 7, 11), pairs, strict=True)
    ]


def between_edges(rng):
    """The later key named first, and no dimension to spare."""
    return [
        Case("the later key first", (orthonormal(rng, 4, 7), 3, 1)),
        Case("four dimensions", (orthonormal(rng, 4, 4), 2, 3)),
    ]


@mistake(
    "½ (k_a + k_b) points the right way and is too short: each of the two keys gets .3112, the others .1888. "
    "Both scores are only .5, and softmax of .5 against 0 is hardly a preference. "
    "Make the query longer; how much longer is what `booster` tells you."
)
def too_short(keys, a, b):
    return (keys[a] + keys[b]) / 2


@mistake(
    "k_a + k_b points the right way and is still too short: each of the two keys gets .3655. "
    "A score of 1 against 0 leaves e^0 = 1 to every other key. "
    "Multiply the sum by a factor; how large it must be is what `booster` tells you."
)
def sum_too_short(keys, a, b):
    return keys[a] + keys[b]


@mistake(
    "The query looks at the first of the two keys only. "
    "Its score with the second is 0, like that of all the others. "
    "It has to point between them: both must get the same score."
)
def only_one_key(keys, a, b):
    return keys[a]


@mistake(
    "The numbers a and b say which keys are meant, not which entries of the query. "
    "It works where the keys are unit vectors, and only there. "
    "Build the query from keys[a] and keys[b] themselves."
)
def entries_not_keys(keys, a, b):
    query = np.zeros(keys.shape[-1])
    query[[a, b]] = 10.0
    return query


TURNED = np.array([[1.0, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]) / 2  # orthonormal rows

QUERY_BETWEEN = Exercise(
    name="query_between",
    points=2,
    reference=reference.query_between,
    returns=("query",),
    examples=(
        Case("the four unit vectors, keys 0 and 2", (np.eye(4), 0, 2)),
        Case("four other keys at right angles, keys 1 and 2", (TURNED, 1, 2)),
    ),
    unseen=between_cases,
    edges=between_edges,
    mistakes=(too_short, sum_too_short, only_one_key, entries_not_keys),
    rule="attends_to_both",
)


EXERCISES = (SOFT_LOOKUP, BOOSTER, PROJECT, ATTENTION, MERGED_PROJECTION, LUONG_CONTEXT, QUERY_BETWEEN)
