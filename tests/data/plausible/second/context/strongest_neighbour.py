"""Plausible wrong answers to strongest_neighbour."""

import numpy as np

from attention.chapters.context import self_attention, similarity_scores, softmax


def best_score_is_kept_from_the_token_before(x):
    """The best score is not reset for the next token, so a token has to beat the scores of those before it."""
    scores = similarity_scores(x)
    found = np.zeros(x.shape[:-1], dtype=int)
    for sentence in np.ndindex(*x.shape[:-2]):
        best = -np.inf
        for i, row in enumerate(scores[sentence]):
            for j, score in enumerate(row):
                if score > best:
                    best = score
                    found[(*sentence, i)] = j
    return found


def column_one_of_argwhere(x):
    """Column 1 of np.argwhere is the key of one sentence, but in a batch it is the number of the query."""
    scores = similarity_scores(x)
    return np.argwhere(scores == scores.max(axis=-1, keepdims=True))[:, 1]


def nearest_token_by_distance(x):
    """The nearest token by distance is looked for, and this is always the token itself."""
    distance = np.linalg.norm(x[..., :, None, :] - x[..., None, :, :], axis=-1)
    return distance.argmin(axis=-1)


def counted_from_one(x):
    """The index counts from 1 and not from 0."""
    return np.argmax(similarity_scores(x), axis=-1) + 1


def strongest_feature_of_the_new_token(x):
    """The largest number inside each new token is looked for, so the index names a feature and no token."""
    return np.argmax(self_attention(x), axis=-1)


def most_popular_token_of_all(x):
    """The attention is added up over all queries first, so one token comes out for the whole sentence."""
    received = softmax(similarity_scores(x)).sum(axis=-2)
    return received.argmax(axis=-1)


def size_of_the_score_without_its_sign(x):
    """The largest absolute score wins, so a token of strong opposite direction counts as attended to."""
    scores = np.einsum("...id,...jd->...ij", x, x)
    return np.argmax(np.abs(scores), axis=-1)


def weights_that_overflow(x):
    """The weights are made without subtracting the maximum, so large scores give NaN, and argmax stops at a NaN."""
    powers = np.exp(np.einsum("...id,...jd->...ij", x, x))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    return weights.argmax(axis=-1)


def argmax_along_the_first_axis(x):
    """The scores are symmetric, so axis 0 does no harm in one sentence, but in a batch it is the sentences."""
    scores = np.einsum("...id,...jd->...ij", x, x)
    return scores.argmax(axis=0)


def weight_in_place_of_the_index(x):
    """What comes back is the largest weight itself and not the place where it stands."""
    return softmax(similarity_scores(x)).max(axis=-1)


def a_token_is_not_its_own_neighbour(x):
    """The loop leaves out the token itself, though a token may attend most to itself."""
    scores = similarity_scores(x)
    found = np.zeros(x.shape[:-1], dtype=int)
    for index in np.ndindex(*x.shape[:-1]):
        others = [j for j in range(x.shape[-2]) if j != index[-1]]
        found[index] = max(others, key=lambda j, row=scores[index]: row[j], default=0)
    return found
