"""Wrong answers to diagnose, from the text of the exercise; their author had written its checks some time before."""

import numpy as np


def training_loss_only(losses, held_out, right, words):
    """The held-out loss is not looked at: a run with too few pairs has a low training loss and looks like a leak."""
    if np.isnan(losses[-1]) or losses[-1] > np.log(words):
        return "steps too long"
    if right > 0.5:
        return "nothing"
    if losses[-1] < 0.5:
        return "answer leaks"
    return "source unseen"


def held_out_only(losses, held_out, right, words):
    """The training loss is not looked at: a run with too few pairs has a high held-out loss, as long steps have."""
    if np.isnan(held_out[-1]) or held_out[-1] > np.log(words):
        return "steps too long"
    if right > 0.5:
        return "nothing"
    if held_out[-1] < 0.5:
        return "answer leaks"
    return "source unseen"


def low_is_good(losses, held_out, right, words):
    """A low loss on both is called good, whatever the model writes."""
    if not np.isfinite(losses).all() or losses[-1] > np.log(words):
        return "steps too long"
    if held_out[-1] > np.log(words):
        return "too few pairs"
    if held_out[-1] < 0.5:
        return "nothing" if right > 0.5 or losses[-1] < 0.5 else "answer leaks"
    return "source unseen"


def nothing_if_low(losses, held_out, right, words):
    """The leak is never asked for: a low held-out loss counts as sound."""
    even = np.log(words)
    if np.isnan(losses).any() or losses[-1] > even:
        return "steps too long"
    if held_out[-1] > 2 * losses[-1] and held_out[-1] > even:
        return "too few pairs"
    return "nothing" if held_out[-1] < even / 2 else "source unseen"


def leak_whenever_nothing_is_right(losses, held_out, right, words):
    """right == 0 is called a leak, although a model without its source writes nothing right either."""
    even = np.log(words)
    if not losses[-1] < even:
        return "steps too long"
    if held_out[-1] > even:
        return "too few pairs"
    if right < 0.5:
        return "answer leaks"
    if losses[-1] > 1:
        return "source unseen"
    return "nothing"


def nan_missed(losses, held_out, right, words):
    """NaN is not asked for, and no comparison with it is true."""
    even = np.log(words)
    if losses[-1] > even:
        return "steps too long"
    if held_out[-1] > even:
        return "too few pairs"
    if right > 0.5:
        return "nothing"
    if held_out[-1] < 0.5:
        return "answer leaks"
    return "source unseen"


def nan_by_equality(losses, held_out, right, words):
    """NaN is looked for with ==, which is never true."""
    even = np.log(words)
    if losses[-1] > even or (losses == np.nan).any():
        return "steps too long"
    if held_out[-1] > even:
        return "too few pairs"
    if right > 0.5:
        return "nothing"
    if losses[-1] < 0.5:
        return "answer leaks"
    return "source unseen"


def nan_called_nothing(losses, held_out, right, words):
    """Every case is asked for by a comparison, and NaN ends in the last line."""
    even = np.log(words)
    if losses[-1] > even:
        return "steps too long"
    if losses[-1] < even and held_out[-1] > even:
        return "too few pairs"
    if losses[-1] < even / 2 and right < 0.5:
        return "answer leaks"
    if losses[-1] > even / 2:
        return "source unseen"
    return "nothing"


def right_in_percent(losses, held_out, right, words):
    """right is taken for a percentage: compared with 50."""
    even = np.log(words)
    if not losses[-1] < even:
        return "steps too long"
    if held_out[-1] > even:
        return "too few pairs"
    if right > 50:
        return "nothing"
    return "answer leaks" if losses[-1] < 0.5 else "source unseen"


def any_loss_above_even(losses, held_out, right, words):
    """Steps are called too long if any loss lies above an even guess, and the first of every run does."""
    even = np.log(words)
    if not (losses < even).all():
        return "steps too long"
    if held_out[-1] > even:
        return "too few pairs"
    if right > 0.5:
        return "nothing"
    return "answer leaks" if losses[-1] < 0.5 else "source unseen"


def held_out_higher(losses, held_out, right, words):
    """Too few pairs wherever the held-out loss is higher than the training loss, by however little."""
    if not losses[-1] < np.log(words):
        return "steps too long"
    if held_out[-1] > losses[-1]:
        return "too few pairs"
    if right > 0.5:
        return "nothing"
    return "answer leaks" if losses[-1] < 0.5 else "source unseen"


def swapped(losses, held_out, right, words):
    """The names of the last two are swapped: a low loss is called a source that is not seen."""
    if not losses[-1] < np.log(words):
        return "steps too long"
    if held_out[-1] > np.log(words):
        return "too few pairs"
    if right > 0.5:
        return "nothing"
    return "source unseen" if losses[-1] < 0.5 else "answer leaks"


def log_ten(losses, held_out, right, words):
    """The logarithm has base 10, and a source that is not seen ends above log10(words)."""
    even = np.log10(words)
    if not losses[-1] < even:
        return "steps too long"
    if held_out[-1] > even:
        return "too few pairs"
    if right > 0.5:
        return "nothing"
    return "answer leaks" if losses[-1] < even / 2 else "source unseen"


def falls_at_all(losses, held_out, right, words):
    """Any run whose training loss falls is called sound."""
    if not losses[-1] < losses[0]:
        return "steps too long"
    if held_out[-1] > held_out[0]:
        return "too few pairs"
    return "nothing"


def worse_than_the_start(losses, held_out, right, words):
    """The rise of the held-out loss is looked for before the training loss: long steps are called too few pairs."""
    if held_out[-1] > held_out.min() + 1 or losses[-1] > losses[0]:
        return "too few pairs"
    if np.isnan(losses[-1]):
        return "steps too long"
    if right > 0.5:
        return "nothing"
    return "answer leaks" if losses[-1] < 0.5 else "source unseen"


def beginnings(losses, held_out, right, words):
    """The first loss is used where the last is meant, and every run begins above an even guess."""
    first, even = losses[0], np.log(words)
    if not first < even:
        return "steps too long"
    if held_out[-1] > even:
        return "too few pairs"
    if right > 0.5:
        return "nothing"
    return "answer leaks" if losses[-1] < 0.5 else "source unseen"


def words_for_even(losses, held_out, right, words):
    """The losses are compared with the number of words, without a logarithm."""
    if not losses[-1] < words:
        return "steps too long"
    if held_out[-1] > words:
        return "too few pairs"
    if right > 0.5:
        return "nothing"
    return "answer leaks" if held_out[-1] < words / 2 else "source unseen"
