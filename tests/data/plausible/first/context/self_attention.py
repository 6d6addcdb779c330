"""Wrong answers to self_attention(x)."""

import numpy as np

from attention.chapters.context import mix, similarity_scores, softmax


def one_token_after_the_other(x):
    """Each new token is put in place before the next is worked out, so later tokens look at changed ones."""
    tokens = np.array(x, dtype=float)
    for i in range(tokens.shape[-2]):
        scores = (tokens * tokens[..., i : i + 1, :]).sum(axis=-1)
        tokens[..., i, :] = (softmax(scores)[..., None] * tokens).sum(axis=-2)
    return tokens


def all_sentences_in_one_row(x):
    """The batch is laid out as one long sentence, so tokens look into sentences that are not their own."""
    flat = x.reshape(-1, x.shape[-1])
    new = mix(softmax(similarity_scores(flat)), flat)
    return new.reshape(x.shape)


def own_score_taken_for_the_largest(x):
    """A token's own score is subtracted in place of its largest, so a much longer neighbour makes NaN."""
    scores = similarity_scores(x)
    own = (x**2).sum(axis=-1)[..., None]
    powers = np.exp(scores - own)
    return powers @ x / powers.sum(axis=-1, keepdims=True)


def nobody_looks_at_himself(x):
    """The diagonal is forbidden, so a token looks at the others only, and a single token at nothing."""
    scores = similarity_scores(x).astype(float)
    scores[..., np.eye(x.shape[-2], dtype=bool)] = -np.inf
    return mix(softmax(scores), x)


def mixes_the_scores(x):
    """The weights mix the rows of scores and not the tokens."""
    scores = similarity_scores(x)
    weights = softmax(scores)
    return mix(weights, scores)


def result_stands_on_its_side(x):
    """The tokens are turned round for the product and the result is not turned back, so its columns are tokens."""
    weights = softmax(similarity_scores(x))
    return np.swapaxes(x, -1, -2) @ np.swapaxes(weights, -1, -2)


def cosines_as_scores(x):
    """The tokens are brought to length one before they are compared, so long tokens lose their pull."""
    unit = x / np.linalg.norm(x, axis=-1, keepdims=True)
    weights = softmax(similarity_scores(unit))
    return mix(weights, x)


def softmax_down_the_columns(x):
    """Softmax runs along the columns of the scores, so the shares of one token add up to one over all readers."""
    return mix(softmax(similarity_scores(x), axis=-2), x)


def only_what_came_before(x):
    """A mask hides later tokens, as in a decoder, although every token looks at all tokens."""
    n = x.shape[-2]
    future = np.triu(np.ones((n, n), dtype=bool), k=1)
    scores = np.where(future, -np.inf, similarity_scores(x))
    return softmax(scores) @ x
