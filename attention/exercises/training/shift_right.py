"""What the decoder is shown: the words to be written, one place later."""

import numpy as np

from attention.chapters import training as reference
from autograder.diagnosis import Case, Exercise, mistake

# PAD is 0, SOS 1, EOS 2, as in the translator: "ti amo molto", and a shorter sentence in the same batch.
ONE = np.array([5, 6, 7, 2])
TWO = np.array([[5, 6, 7, 2], [8, 2, 0, 0]])
HEADS = np.array([[[3, 4, 2, 0, 0]], [[9, 5, 3, 7, 2]]])  # (2, 1, 5)


def unseen(rng: np.random.Generator) -> list[Case]:
    """Sentences of several lengths, EOS and PAD after the shorter ones, and another number for SOS each time."""
    return [
        Case("one sentence", (sentences(rng, 7)[0], int(rng.integers(51, 97)))),
        Case("three sentences", (sentences(rng, 5, 2, 3), int(rng.integers(51, 97)))),
        Case("five sentences", (sentences(rng, 11, 3, 7, 11, 2), int(rng.integers(51, 97)))),
    ]


def sentences(rng: np.random.Generator, *lengths) -> np.ndarray:
    """Draw a sentence of each length, EOS (2) last, filled up with PAD (0) to the longest."""
    rows = np.zeros((len(lengths), max(lengths)), dtype=int)
    for row, length in zip(rows, lengths, strict=True):
        row[:length] = [*rng.integers(3, 50, length - 1), 2]
    return rows


def edges(rng: np.random.Generator) -> list[Case]:
    """A sentence of EOS alone, two of them, and more axes in front."""
    return [
        Case("an empty sentence", (np.array([2]), int(rng.integers(51, 97)))),
        Case("EOS and padding", (np.array([[2, 0, 0], [2, 0, 0]]), int(rng.integers(51, 97)))),
        Case("more leading axes", (sentences(rng, 7, 3, 5, 2, 7, 5).reshape(3, 2, 7), int(rng.integers(51, 97)))),
    ]


@mistake(
    "The words went the wrong way: each is one place earlier, and SOS is at the end. "
    "So the decoder sees the word after the one that it must predict, and never the one before. "
    "SOS comes first, and every word one place later.",
)
def shifted_left(targets, sos):
    return np.concatenate([targets[..., 1:], np.full_like(targets[..., :1], sos)], axis=-1)


@mistake(
    "The input is the target itself. "
    "At each place, the decoder then sees the very word that it must predict, and learns to copy it. "
    "Put SOS in front and drop the last token.",
)
def not_shifted(targets, sos):
    return targets + 0


@mistake(
    "SOS was put in front, but nothing was dropped, so the input is one token longer than the target. "
    "Each place of the input needs a word to predict; nothing follows the last token. "
    "Leave out the last column: `targets[..., :-1]`.",
)
def nothing_dropped(targets, sos):
    return np.concatenate([np.full_like(targets[..., :1], sos), targets], axis=-1)


@mistake(
    "SOS overwrote the first word, and the others stayed in their places. "
    "The decoder still sees the word that it must predict, everywhere except at the start. "
    "Shift every token one place to the right first.",
)
def first_overwritten(targets, sos):
    return np.concatenate([np.full_like(targets[..., :1], sos), targets[..., 1:]], axis=-1)


@mistake(
    "The tokens were rotated: the last one came to the front. "
    "The first word is then predicted from EOS, or from padding, and a translation never begins with either. "
    "After `np.roll`, put SOS into column 0.",
)
def rolled_round(targets, sos):
    return np.roll(targets, 1, axis=-1)


@mistake(
    "The tokens of the whole batch were rotated in one line: the last token of each sentence came to the front of the "
    "next. "
    "Without an axis, `np.roll` flattens the array first, and the first column is not SOS. "
    "Use `np.roll(targets, 1, axis=-1)`, then put SOS into the first column, `[..., 0]`.",
)
def rolled_through_the_batch(targets, sos):
    return np.roll(targets, 1)


@mistake(
    "Right for one sentence, but in a batch `shown[0]` is the whole first sentence, which became SOS everywhere. "
    "The other sentences keep their last token in front. "
    "The first column is `shown[..., 0]`.",
)
def first_sentence_overwritten(targets, sos):
    shown = np.roll(targets, 1, axis=-1)
    shown[0] = sos
    return shown


@mistake(
    "A 0 was put in front instead of SOS. 0 is the number of another token, here of padding, but a translation "
    "begins with SOS. "
    "Fill the first column with sos.",
)
def zero_in_front(targets, sos):
    return np.concatenate([np.zeros_like(targets[..., :1]), targets[..., :-1]], axis=-1)


@mistake(
    "Right for one sentence, but in a batch whole sentences were shifted instead of the words in them. "
    "`targets[:-1]` leaves out the last sentence. "
    "Words are along the last axis: use `targets[..., :-1]`, and concatenate with `axis=-1`.",
)
def sentences_moved(targets, sos):
    return np.concatenate([np.full_like(targets[:1], sos), targets[:-1]], axis=0)


EXERCISE = Exercise(
    name="shift_right",
    reference=reference.shift_right,
    returns=("shown",),
    examples=(
        Case("ti amo molto", (ONE, 1)),
        Case("two sentences, one padded", (TWO, 1)),
        Case("more leading axes", (HEADS, 1), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
