"""Wrong answers to strongest_neighbour(x)."""

import numpy as np

from attention.chapters.context import similarity_scores, softmax


def largest_score_in_size(x):
    """The sign of the scores is dropped, so a token that points the other way can win."""
    return np.argmax(np.abs(similarity_scores(x)), axis=-1)


def longest_token_for_everyone(x):
    """The longest token is named for all, although a long token at a wrong angle scores little."""
    lengths = np.linalg.norm(x, axis=-1)
    winner = lengths.argmax(axis=-1)
    return np.broadcast_to(np.expand_dims(winner, -1), lengths.shape).copy()


def overflowing_powers(x):
    """The powers are taken of the scores as they are, so several large ones are infinite and the first of them wins."""
    powers = np.exp(similarity_scores(x))
    return np.argmax(powers, axis=-1)


def scores_cut_to_whole_numbers(x):
    """The scores are cut to whole numbers first, which makes ties, and the first of a tie wins."""
    scores = similarity_scores(x).astype(int)
    return scores.argmax(axis=-1)


def most_attentive_reader(x):
    """The maximum runs down a column of weights: it tells who looks most at a token, not where the token looks."""
    weights = softmax(similarity_scores(x))
    return np.argmax(weights, axis=-2)


def axis_one(x):
    """Axis 1 is the axis of the neighbours for one sentence only; in a batch with heads it is not."""
    scores = np.einsum("...id,...jd->...ij", x, x)
    return np.argmax(scores, axis=1)


def second_in_the_order(x):
    """The largest score is skipped in the belief that it is the token's own, so the second largest is named."""
    order = np.argsort(similarity_scores(x), axis=-1)
    if order.shape[-1] == 1:
        return order[..., 0]
    return order[..., -2]


def answer_of_the_first_token(x):
    """The return stands inside the loop, so only the first token gets an answer."""
    scores = similarity_scores(x)
    for i in range(scores.shape[-2]):
        return np.argmax(scores[..., i, :], axis=-1)


def the_neighbour_itself(x):
    """The neighbour's vector is returned, and not its index."""
    places = np.argmax(similarity_scores(x), axis=-1)
    return np.take_along_axis(x, places[..., None], axis=-2)


def largest_entry_of_the_token(x):
    """The place of the largest entry within each token is returned, and no token is compared with another."""
    return np.array(x).argmax(axis=-1)
