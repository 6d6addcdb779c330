"""Worked examples with leading axes, taken apart into sentences."""

import numpy as np
import pytest

from autograder.diagnosis.compare import Answer, same
from autograder.diagnosis.one_by_one import MOST_SENTENCES, one_by_one

MASKED = {
    "arguments": [["scores", "*batch n_q n_k", None], ["mask", "...", None], ["scale", "", 1.0]],
    "results": ["*batch n_q n_k"],
}
SCORES = np.arange(2 * 3 * 5 * 7).reshape(2, 3, 5, 7)


def test_each_sentence_has_its_own_arguments_and_its_part_of_the_answer():
    """Sentence (0, 1) of scores (2, 3, 5, 7) is scores[0, 1]; what has no leading axes goes to all."""
    parts = list(one_by_one(MASKED, (SCORES, np.ones((5, 7), dtype=bool)), {"scale": 2.0}, Answer(value=2 * SCORES)))
    (scores, mask), kwargs, right = parts[1]
    assert np.array_equal(scores, SCORES[0, 1])
    assert mask.shape == (5, 7)
    assert kwargs == {"scale": 2.0}
    assert same(right.value, 2 * SCORES[0, 1])
    assert len(parts) == MOST_SENTENCES < 6


@pytest.mark.parametrize(("shape", "alone"), [((2, 1, 1, 7), (1, 7)), ((3, 1, 7), (1, 7)), ((1, 1, 5, 7), (5, 7))])
def test_a_mask_of_any_shape_is_shared_out_as_numpy_broadcasts_it(shape, alone):
    """The last two axes are queries and keys, one of which may be 1; those in front are sentences."""
    mask = np.arange(np.prod(shape)).reshape(shape) % 2 == 0
    parts = list(one_by_one(MASKED, (SCORES, mask), {}, Answer(value=SCORES)))
    assert all(args[1].shape == alone for args, _, _ in parts)
    assert np.array_equal(parts[1][0][1], np.broadcast_to(mask, (2, 3, *alone))[0, 1])


def test_arguments_are_copies():
    """A function that writes into what it is given changes neither the batch nor another sentence."""
    batch = SCORES.copy()
    for (scores, _), _, _ in one_by_one(MASKED, (batch, np.ones((5, 7), dtype=bool)), {}, Answer(value=SCORES)):
        scores[:] = -1
    assert np.array_equal(batch, SCORES)


@pytest.mark.parametrize(
    ("signature", "args", "right"),
    [
        (MASKED, (SCORES[0, 0], np.ones((5, 7), dtype=bool)), SCORES[0, 0]),  # one sentence
        ({"arguments": [["scores", "*axes", None]], "results": ["*axes"]}, (SCORES,), SCORES),  # any axis may count
        ({"arguments": [["logits", "*batch n words", None]], "results": [""]}, (SCORES,), np.array(3.0)),  # one number
        ({"arguments": [["a", "*batch n d", None], ["b", "*batch m d", None]], "results": ["*batch n m"]},
         (SCORES, SCORES[0]), SCORES),  # two kinds of leading axes
    ],
)  # fmt: skip
def test_what_does_not_share_its_leading_axes_stays_whole(signature, args, right):
    """Nothing is yielded unless arguments and results have the same leading axes."""
    assert list(one_by_one(signature, args, {}, Answer(value=right))) == []
