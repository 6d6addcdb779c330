"""Plausible wrong answers to shift_right."""

import numpy as np


def first_token_overwritten(targets, sos):
    """The first token is replaced by SOS and nothing is moved."""
    shown = targets.copy()
    shown[..., 0] = sos
    return shown


def rolled_over_the_whole_batch(targets, sos):
    """np.roll without an axis rolls the batch as one long row, and only its very first place becomes SOS."""
    shown = np.roll(targets, 1)
    shown.flat[0] = sos
    return shown


def moved_in_the_callers_array(targets, sos):
    """The targets themselves are overwritten, which must stay as they are."""
    targets[..., 1:] = targets[..., :-1].copy()
    targets[..., 0] = sos
    return targets


def copied_from_left_to_right(targets, sos):
    """A loop from left to right copies what it has just written, so SOS spreads over the row."""
    shown = targets.copy()
    shown[..., 0] = sos
    for t in range(1, targets.shape[-1]):
        shown[..., t] = shown[..., t - 1]
    return shown


def single_sentence_only(targets, sos):
    """[sos] and targets[:-1] are joined as one row, which a batch of two axes does not fit."""
    return np.concatenate([[sos], targets[:-1]])


def eos_taken_out(targets, sos):
    """The shift stops before EOS is dropped: padding is moved and the last two tokens are cut."""
    shown = np.concatenate([np.full_like(targets[..., :1], sos), targets[..., :-1]], axis=-1)
    shown[..., -1] = 0
    return shown


def always_number_one(targets, sos):
    """SOS is written as 1, as in the example, whatever its number is."""
    return np.concatenate([np.ones_like(targets[..., :1]), targets[..., :-1]], axis=-1)


def floats_in_a_new_table(targets, sos):
    """np.zeros without a dtype holds floats, where tokens are whole numbers."""
    shown = np.zeros(targets.shape)
    shown[..., 0] = sos
    shown[..., 1:] = targets[..., :-1]
    return shown


def padding_not_shown(targets, sos):
    """Places whose own target is padding are cleared, so EOS is never shown."""
    shown = np.concatenate([np.full_like(targets[..., :1], sos), targets[..., :-1]], axis=-1)
    return np.where(targets == 0, 0, shown)


def two_axes_counted_from_the_front(targets, sos):
    """targets[:, :-1] takes exactly two axes for granted and fails or errs with one or three."""
    column = np.full((targets.shape[0], 1), sos)
    return np.concatenate([column, targets[:, :-1]], axis=1)
