"""Plausible wrong answers to self_attention."""

import numpy as np

from attention.chapters.context import mix, similarity_scores, softmax


def columns_of_the_weights_mix(x):
    """The rows of the weights sum to one, but einsum mixes with the columns."""
    weights = softmax(similarity_scores(x))
    return np.einsum("...ij,...id->...jd", weights, x)


def every_token_is_left_out_of_its_own_mixture(x):
    """The diagonal is set to −inf, so no token looks at itself."""
    n = x.shape[-2]
    scores = np.where(np.eye(n, dtype=bool), -np.inf, similarity_scores(x))
    return mix(softmax(scores), x)


def loop_over_the_tokens_read_so_far(x):
    """Each token looks only at itself and the ones before it, because the loop takes the tokens up to i."""
    new = []
    for i in range(x.shape[-2]):
        seen = x[..., : i + 1, :]
        scores = np.einsum("...d,...jd->...j", x[..., i, :], seen)
        new.append(np.einsum("...j,...jd->...d", softmax(scores), seen))
    return np.stack(new, axis=-2)


def tokens_change_while_others_still_look(x):
    """A new token replaces the old one at once, so the next token already looks at changed tokens."""
    tokens = np.array(x, dtype=float)
    for i in range(tokens.shape[-2]):
        scores = np.einsum("...d,...jd->...j", tokens[..., i, :], tokens)
        weights = softmax(scores)
        tokens[..., i, :] = np.einsum("...j,...jd->...d", weights, tokens)
    return tokens


def kernel_regression_with_gaussian_weights(x):
    """The weights come from squared distances, as in kernel regression, and not from dot products."""
    difference = x[..., :, None, :] - x[..., None, :, :]
    weights = softmax(-0.5 * np.sum(difference**2, axis=-1))
    return mix(weights, x)


def raw_scores_serve_as_weights(x):
    """The scores are divided by their sum without the exponential, so softmax is missing."""
    scores = similarity_scores(x)
    total = scores.sum(axis=-1, keepdims=True)
    return mix(scores / total, x)


def softmax_of_the_softmax(x):
    """Softmax is taken of weights that softmax has made already, which flattens them."""
    weights = softmax(similarity_scores(x))
    return mix(softmax(weights), x)


def one_maximum_for_the_whole_sentence(x):
    """One maximum is subtracted from the whole sentence, so a row that lies far below it becomes 0 divided by 0."""
    scores = np.einsum("...id,...jd->...ij", x, x)
    powers = np.exp(scores - scores.max(axis=(-2, -1), keepdims=True))
    return np.einsum("...ij,...jd->...id", powers / powers.sum(axis=-1, keepdims=True), x)


def return_inside_the_loop_over_sentences(x):
    """The return stands inside the loop over the batch, so only the first sentence comes back."""
    if x.ndim > 2:
        for sentence in x:
            return return_inside_the_loop_over_sentences(sentence)
    return softmax(x @ x.T) @ x


def new_tokens_stored_as_whole_numbers(x):
    """The new tokens are stored in an array like x, so those of whole-number tokens are cut to whole numbers."""
    new = np.empty_like(x)
    weights = softmax(similarity_scores(x))
    for i in range(x.shape[-2]):
        new[..., i, :] = np.einsum("...j,...jd->...d", weights[..., i, :], x)
    return new


def mixture_of_the_scores(x):
    """The weights mix the rows of scores and not the tokens."""
    scores = similarity_scores(x)
    return mix(softmax(scores), scores)
