"""Numbers of a translation in words."""

import pytest

from attention.models.number_words import describe
from tests.support.nodes import drawn
from tests.support.two_sides import Contrast

RIVER = "the bank of the river is older than the bank in the city"
SIDES = Contrast(RIVER, RIVER.replace("river", "city")).sides()


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ("d0.p:0:81", "how likely “l'” is"),
        ("d0.l:0:81", "the logit of “l'”"),
        ("d0.l:0:81-19", "the logit of “l'” less that of “la”"),
        ("e.x:4:0", "the vector of “river” (was “city”) with its position, number 1"),
        ("e.w.2:1:4", "the weight of “river” (was “city”) for “bank” in head 2 of the encoder"),
        ("d1.w.0:1:0", "the weight of the start for the row for writing “argine” in head 0 of the decoder"),
        ("d0.cs.1:0:1", "the score of “bank” for the row for writing “l'” in head 1 of cross-attention"),
        ("d0.ck.1:1:2", "the key of “bank” in head 1 of cross-attention, number 3"),
        ("d1.cq.1:1:2", "the query of the row for writing “argine” in head 1 of cross-attention, number 3"),
        ("d1.v.1:1:2", "the value of “l'” in head 1 of the decoder, number 3"),
        ("d0.co.1:0:0", "what head 1 of cross-attention finds for the row for writing “l'”, number 1"),
        ("e.a:1:0", "what self-attention adds to “bank”, number 1"),
        ("d0.ca:0:0", "what cross-attention adds to the row for writing “l'”, number 1"),
        ("e.h:1:0", "the neurons for “bank”, number 1"),
        ("e.n2:1:0", "“bank” after feed-forward and its norm, number 1"),
        ("d0.r2:0:0", "the row for writing “l'” after adding cross-attention, number 1"),
        ("e.d1:1:0", "the spread of “bank” after adding self-attention"),
        ("e.m2:1:0", "the mean of “bank” after adding feed-forward"),
        ("pos:3:0", "position 3, number 1"),
        ("L.encoder.0.w_q:2:6", "row 3 of the learned encoder.0.w_q, number 7"),
        ("L.encoder.0.b1:0:6", "the learned encoder.0.b1, number 7"),
        ("L.source_embedding:40:0", "the learned vector of “river”, number 1"),
    ],
)
def test_a_number_says_what_it_is(node, words):
    """Its word, its head and its place; where the other side has another word, both."""
    assert describe(SIDES.pair(node), SIDES.now, SIDES.was) == words


def test_rows_have_words_too():
    """On the way to river's vector; of a learned vector, the other side's is another one."""
    way = SIDES.follow("d0.l:0:81-19")
    words = [describe(pair, SIDES.now, SIDES.was) for pair in way]
    assert words[1] == "the row for writing “l'” after cross-attention and its norm"
    assert words[-2:] == [
        "the vector of “river” (was “city”) with its position",
        "the learned vector of “river” (was “city”)",
    ]


def test_every_number_has_words(rng):
    """Of each kind, in one run and in two, and the rows that they are of."""
    for node in drawn(SIDES.now, rng, 3):
        pair = SIDES.pair(node)
        for one in (pair, *SIDES.wholes(pair)):
            assert describe(one, SIDES.now, SIDES.was)
            assert "was" not in describe(one, SIDES.now)
