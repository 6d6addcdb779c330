"""Plausible wrong answers to booster."""

import numpy as np


def all_tokens_counted_as_others(n, target):
    """The match is counted among the others, so there is an n where n − 1 belongs."""
    odds = target / (1 - target)
    return np.log(n * odds)


def odds_upside_down(n, target):
    """The odds are upside down: the target belongs above the line and 1 − target below."""
    return np.log((n - 1) * (1 - target) / target)


def gradient_steps_that_stop_too_early(n, target):
    """The search makes a fixed number of steps and stops before it has arrived at a large β."""
    beta = 0.0
    for _ in range(1000):
        weight = np.exp(beta) / (np.exp(beta) + n - 1)
        beta += target - weight
    return beta


def first_point_of_a_grid(n, target):
    """The grid has steps of .01 between 0 and 10, so the answer is coarse, and no β outside can be found."""
    betas = np.arange(0, 10, 0.01)
    for beta in betas:
        if np.exp(beta) / (np.exp(beta) + n - 1) >= target:
            return beta
    return betas[-1]


def power_of_the_match_not_brought_over(n, target):
    """The term p · e^β on the right is taken for p, so e^β is not brought to one side."""
    return np.log(target * (n - 1) + target)


def floor_division_of_the_odds(n, target):
    """Two strokes divide and round down, so the odds lose everything behind the point before the logarithm."""
    return np.log((n - 1) * target // (1 - target))


def three_others_of_the_example(n, target):
    """The 3 is n − 1 of the example, and stays 3 for every n."""
    return np.log(3 * target / (1 - target))


def boost_is_never_negative(n, target):
    """The factor is cut off at 0, though a target below 1/n needs a negative one."""
    return max(0.0, np.log((n - 1) * target / (1 - target)))


def common_logarithm(n, target):
    """The logarithm has base 10, but the softmax has base e."""
    return np.log10(target * (n - 1) / (1 - target))
