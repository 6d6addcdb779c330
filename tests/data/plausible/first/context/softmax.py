"""Wrong answers to softmax(scores, axis=-1)."""

import numpy as np


def forgets_to_move_axis_back(scores, axis=-1):
    """The chosen axis is moved to the end and never moved back, so the result is transposed for other axes."""
    s = np.moveaxis(np.asarray(scores, dtype=float), axis, -1)
    top = s.max(axis=-1, keepdims=True)
    top = np.where(np.isinf(top), 0.0, top)
    e = np.exp(s - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1.0, total)


def minus_infinity_becomes_a_billion_below(scores, axis=-1):
    """Minus infinity is replaced by -1e9, so a row that has nothing else shares its weight evenly."""
    finite = np.where(np.isneginf(scores), -1e9, scores)
    finite = finite - finite.max(axis=axis, keepdims=True)
    powers = np.exp(finite)
    return powers / powers.sum(axis=axis, keepdims=True)


def forbidden_scores_set_to_zero(scores, axis=-1):
    """A score of minus infinity is replaced by 0, which still gets a weight, because e to the 0 is 1."""
    scores = np.where(np.isfinite(scores), scores, 0.0)
    scores = scores - np.max(scores, axis=axis, keepdims=True)
    return np.exp(scores) / np.sum(np.exp(scores), axis=axis, keepdims=True)


def one_forbidden_score_empties_the_row(scores, axis=-1):
    """The test for an empty row asks for any minus infinity and not for all, so one is enough for zeros."""

    def one_row(row):
        if np.any(row == -np.inf):
            return np.zeros(len(row))
        powers = np.exp(row - row.max())
        return powers / powers.sum()

    return np.apply_along_axis(one_row, axis, scores)


def largest_size_subtracted(scores, axis=-1):
    """The largest absolute value is subtracted, so a row of large negative scores vanishes altogether."""
    biggest = np.abs(scores).max(axis=axis, keepdims=True)
    biggest = np.where(np.isfinite(biggest), biggest, 0.0)
    powers = np.exp(scores - biggest)
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)


def scores_cut_off_at_seven_hundred(scores, axis=-1):
    """The scores are clipped against overflow, so all scores beyond the limit get equal weights."""
    safe = np.clip(scores, -700, 700)
    powers = np.exp(safe) * (scores > -np.inf)
    total = powers.sum(axis=axis, keepdims=True)
    total[total == 0] = 1
    return powers / total


def powers_kept_in_a_copy_of_scores(scores, axis=-1):
    """The powers are stored in an array of the scores' own type, where whole numbers cut them down to 0 or 1."""
    powers = np.zeros_like(scores)
    top = scores.max(axis=axis, keepdims=True)
    powers[...] = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total > 0, total, 1)


def sum_always_along_rows(scores, axis=-1):
    """The maximum is taken along the named axis, but the sum always along the last one."""
    top = scores.max(axis=axis, keepdims=True)
    top = np.where(top == -np.inf, 0, top)
    powers = np.exp(scores - top)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total)


def small_number_below_the_line(scores, axis=-1):
    """A small number is added to every sum to avoid 0 / 0, so no weights sum to one any more."""
    top = np.nan_to_num(scores.max(axis=axis, keepdims=True), neginf=0.0)
    powers = np.exp(scores - top)
    return powers / (powers.sum(axis=axis, keepdims=True) + 1e-4)


def top_score_of_the_whole_array(scores, axis=-1):
    """One maximum is taken for the whole array and not one for each row, so rows far below it come out as zeros."""
    top = scores[np.isfinite(scores)].max() if np.isfinite(scores).any() else 0.0
    powers = np.exp(scores - top)
    total = powers.sum(axis=axis, keepdims=True)
    return np.divide(powers, total, out=np.zeros_like(powers), where=total > 0)


def logarithm_of_the_weights(scores, axis=-1):
    """This is the logarithm of softmax: the scores less the logarithm of the sum, without a last np.exp."""
    top = scores.max(axis=axis, keepdims=True)
    log_total = top + np.log(np.exp(scores - top).sum(axis=axis, keepdims=True))
    return scores - log_total
