"""Wrong answers to diagnose, from the text of the exercise; their author had written its checks some time before."""

import numpy as np


def single_last_loss(losses, right, words):
    """The very last loss is used, not the mean of the last ten."""
    first = losses[:10].mean()
    last = losses[-1]
    if first > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def single_first_loss(losses, right, words):
    """The very first loss is used, not the mean of the first ten."""
    first, last = losses[0], losses[-10:].mean()
    if first > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def nan_by_equality(losses, right, words):
    """NaN is looked for with ==, which is never true; infinity is found."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > 2 * np.log(words) or (losses == np.nan).any() or (losses == np.inf).any():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def only_nan(losses, right, words):
    """Only NaN is looked for; an infinite loss late in the run is missed."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > 2 * np.log(words) or np.isnan(losses).any():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def log_two(losses, right, words):
    """The logarithm has base 2."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > 2 * np.log2(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > np.log2(words) / 4:
        return "frequencies only"
    return "nothing"


def leak_first(losses, right, words):
    """The leak is asked before the growing numbers."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if first > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def right_ignored(losses, right, words):
    """The share of right sentences is not used: any low loss is a leak."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def loss_ignored_for_leak(losses, right, words):
    """A leak is told from the share of right sentences alone, whatever the loss."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if right < 0.5:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def right_in_percent(losses, right, words):
    """right is taken for a percentage: compared with 50."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 50:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def factor_two_missing(losses, right, words):
    """first is compared with ln(words), without the factor 2."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def whole_run_mean(losses, right, words):
    """The mean of the whole run is used for both first and last."""
    mean = losses.mean()
    if mean > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if mean < 0.1 and right < 0.5:
        return "answer leaks"
    if mean > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def compared_first_and_last(losses, right, words):
    """Growing is taken at its word: last larger than first."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if last > first or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def divided_by_ten(losses, right, words):
    """The sums are divided by 10, so a run of fewer than ten steps has means that are too small."""
    first, last = sum(losses[:10]) / 10, sum(losses[-10:]) / 10
    if first > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > np.log(words) / 4:
        return "frequencies only"
    return "nothing"


def quarter_of_words(losses, right, words):
    """last is compared with ln(words / 4) instead of ln(words) / 4."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > np.log(words / 4):
        return "frequencies only"
    return "nothing"


def frequencies_before_leak_and_else(losses, right, words):
    """Frequencies only is said where nothing else holds: there is no fourth answer."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > 2 * np.log(words) or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    return "frequencies only"


def twenty_words(losses, right, words):
    """ln 20 of the example is used whatever words is."""
    first, last = losses[:10].mean(), losses[-10:].mean()
    if first > 2 * 2.9957 or not np.isfinite(losses).all():
        return "numbers grow"
    if last < 0.1 and right < 0.5:
        return "answer leaks"
    if last > 2.9957 / 4:
        return "frequencies only"
    return "nothing"
