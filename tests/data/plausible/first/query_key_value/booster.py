"""Wrong answers to booster(n, target)."""

import numpy as np


def floor_division_in_the_odds(n, target):
    """The double slash cuts the odds down to a whole number before the logarithm is taken."""
    return np.log(target * (n - 1) // (1 - target))


def never_below_zero(n, target):
    """A negative factor is raised to 0, although a target below 1/n needs one."""
    beta = np.log(n - 1) + np.log(target) - np.log(1 - target)
    return max(beta, 0.0)


def logarithm_of_the_target_only(n, target):
    """The parenthesis closes too early, so the logarithm is taken of the target and not of the whole fraction."""
    return np.log(target) * (n - 1) / (1 - target)


def others_on_the_wrong_side(n, target):
    """The number of the other tokens is divided by, where it should be a factor."""
    odds = target / (1 - target)
    others = n - 1
    return np.log(odds / others)


def climbs_in_small_steps(n, target):
    """The factor climbs in steps of a tenth until the target is passed, so it overshoots by up to one step."""
    beta = 0.0
    while np.exp(beta) / (np.exp(beta) + n - 1) < target:
        beta += 0.1
    return beta


def three_others_for_ever(n, target):
    """The three other tokens of the example are written into the formula, whatever n is."""
    return np.log(3 * target / (1 - target))


def logarithm_of_one_plus(n, target):
    """np.log1p adds 1 to the odds before the logarithm is taken."""
    return np.log1p(target * (n - 1) / (1 - target))


def search_from_zero_to_twenty(n, target):
    """The search halves the range from 0 to 20 only, so it cannot find a negative factor or a larger one."""
    low, high = 0.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        weight = 1 / (1 + (n - 1) * np.exp(-middle))
        if weight < target:
            low = middle
        else:
            high = middle
    return middle
