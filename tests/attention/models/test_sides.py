"""Questions with two sides: the largest change leads to the word that makes it, in Python and in the page alike."""

import numpy as np
import pytest

from attention.models import shipped_translator
from attention.models.explain_translator import numbers_of, parts_of
from attention.models.explain_writer import numbers_of_writer
from attention.models.sides import Sides
from attention.models.writer import writer
from tests.support.fuzz import tries
from tests.support.two_sides import PARTS, Contrast, ask_the_page, one_word_apart

RIVER = "the bank of the river is older than the bank in the city"
CITY = "the bank of the city is older than the bank in the city"
CAT, GIRL = "the cat sees the dog", "the girl sees the dog"
CONTRASTS = [
    *(Contrast(RIVER, CITY), Contrast(CAT, GIRL), Contrast(CAT, RIVER), Contrast(RIVER), Contrast(CAT)),
    *(Contrast(RIVER, None, part) for part in PARTS),
]


def logits(numbers, word, other, turn=0):
    """Name the difference of two words' logits."""
    one, two = (numbers.target_words.index(spelt) for spelt in (word, other))
    return f"d{turn}.l:{turn}:{one}-{two}"


def asked_of(numbers):
    """Name for each of the first words that are written how far it is ahead of the runner-up, and how likely it is."""
    for turn, token in enumerate(numbers.tokens[1 : 1 + tries(3)]):
        runner_up = [one for one in numbers.arrays[f"d{turn}.l"][-1].argsort()[-2:] if one != token][-1]
        yield from (f"d{turn}.l:{turn}:{token}-{runner_up}", f"d{turn}.p:{turn}:{token}")


def agree(sides, node, steps):
    """The way down, the values on it and the shares are those of the page."""
    way = sides.follow(node)
    assert [(pair.now.node, pair.was and pair.was.node) for pair in way] == [(s["node"], s["other"]) for s in steps]
    for pair, step in zip(way, steps, strict=True):
        made = sides.explain(pair)
        assert made.now.value == pytest.approx(step["now"], abs=1e-9), pair
        assert made.was is None or made.was.value == pytest.approx(step["was"], abs=1e-9), pair
        np.testing.assert_allclose([one.value for one in made.shares], step["shares"], atol=1e-9, err_msg=str(pair))


def test_python_and_the_page_go_the_same_way():
    """For sentences that differ in a word, one sentence alone, and each part switched off."""
    contrasts = [*CONTRASTS, *(Contrast(*pair) for pair in one_word_apart(12))]
    every = [(contrast, sides, list(asked_of(sides.now))) for contrast in contrasts for sides in [contrast.sides()]]
    answers = ask_the_page([contrast.asked(follow=nodes) for contrast, _, nodes in every])["answers"]
    for (_, sides, nodes), ways in zip(every, answers, strict=True):
        for node, steps in zip(nodes, ways, strict=True):
            agree(sides, node, steps)


def test_python_and_the_page_go_the_same_way_in_a_small_gpt():
    """From the logits of two words, of texts that differ in words and in length, and of one alone."""
    texts = [("la ragazza", "il ragazzo"), ("la ragazza vede", "il gatto"), ("il gatto vede la", None)]
    every, asked = [], []
    for text, other in texts:
        numbers = numbers_of_writer(text)
        row, (second, first) = len(numbers.tokens) - 1, numbers.arrays["g.l"][-1].argsort()[-2:]
        nodes = [f"g.l:{row}:{first}-{second}", f"g.p:{row}:{first}", f"g1.s.0:{row}:1", f"g0.h:{row}:7"]
        every.append((Sides(numbers, numbers_of_writer(other) if other else None), nodes))
        asked.append({"sentence": text, "against": other, "follow": nodes})
    answers = ask_the_page(asked, writer())["answers"]
    for (sides, nodes), ways in zip(every, answers, strict=True):
        for node, steps in zip(nodes, ways, strict=True):
            agree(sides, node, steps)


def test_the_way_leads_to_the_word_that_differs():
    """Why l' and not la: over one head of cross-attention to bank, over another one of the encoder to river."""
    sides = Contrast(RIVER, CITY).sides()
    way = [pair.now.node for pair in sides.follow(logits(sides.now, "l'", "la"))]
    river = shipped_translator().model.source_vocabulary["river"]
    assert way[3:] == [
        *("~d0.co.1:0", "~e.n2:1", "~e.f:1", "~e.n1:1", "~e.a:1", "~e.o.2:1", "~e.x:4"),
        f"~L.source_embedding:{river}",
    ]


def test_a_trail_is_resolved_as_far_as_it_goes():
    """A row only below what it is of; a name that this run does not have ends the trail."""
    sides = Contrast(CAT, GIRL).sides()
    way = [pair.now.node for pair in sides.follow(logits(sides.now, "il", "la"))]
    assert [pair.now.node for pair in sides.resolve([*way, "d99.l:0:0", "e.x:0:0"])] == way
    assert sides.resolve(way[1:]) == []
    alone = Contrast(CAT).sides()
    way = [pair.now.node for pair in alone.follow("d0.p:0:3")]
    assert [pair.now.node for pair in alone.resolve(way)] == way


def test_a_number_is_the_difference_of_its_whole_rows(rng):
    """Each row that stands for a number has its difference; the two rows of a score share it."""
    sides = Contrast(RIVER, CITY).sides()
    for array in ("d1.q.0", "d1.ck.2", "d1.o.1", "d1.a", "d1.n2", "d1.l", "e.v.3", "e.x", "e.h", "e.f", "e.r1"):
        rows, columns = sides.now.arrays[array].shape
        pair = sides.pair(f"{array}:{rows - 1}:{rng.integers(columns)}")
        (row,) = sides.wholes(pair)
        assert row.now.value - row.was.value == pytest.approx(sides.explain(pair).difference)
    pair = sides.pair("e.s.2:1:4")
    assert [row.now.node for row in sides.wholes(pair)] == ["~e.x:1", "~e.x:4"]
    changes = [row.now.value - row.was.value for row in sides.wholes(pair)]
    assert sum(changes) == pytest.approx(sides.explain(pair).difference)


def test_a_network_is_followed_through_its_neurons():
    """What a feed-forward network says along a direction changes as much as the row that it read, through slopes."""
    sides = Contrast(RIVER, CITY).sides()
    (pair,) = (one for one in sides.follow(logits(sides.now, "l'", "la")) if one.now.node == "~e.f:1")
    (row,) = sides.wholes(pair)
    assert row.now.node == "~e.n1:1"
    assert row.now.value - row.was.value == pytest.approx(pair.now.value - pair.was.value)


def test_the_decoder_is_shown_what_was_said():
    """Words or their numbers; it writes as many, and each row is that of the words before."""
    said = ["la", "ragazza"]
    numbers = numbers_of(shipped_translator(), CAT, said)
    assert [numbers.target_words[token] for token in numbers.tokens] == ["<sos>", *said]
    assert numbers.words("d1.x") == ["<sos>", "la"]
    assert not numbers.has("d2.x:0:0")
    same = numbers_of(shipped_translator(), CAT, numbers.tokens[1:])
    np.testing.assert_array_equal(same.arrays["d1.p"], numbers.arrays["d1.p"])


def test_what_does_not_exist_is_refused():
    """Words, parts, and names of rows and pairs where there are none."""
    trained = shipped_translator()
    assert parts_of(trained) == PARTS
    with pytest.raises(KeyError, match="expected words that the model knows, got 'gatt': the nearest are gatto"):
        numbers_of(trained, CAT, ["il", "gatt"])
    with pytest.raises(ValueError, match="expected words, at least one, got 'il gatto': split the sentence first"):
        numbers_of(trained, CAT, "il gatto")
    with pytest.raises(ValueError, match=r"expected a part that can be switched off, got 'cross\.0\.4': choose"):
        numbers_of(trained, CAT, without="cross.0.4")
    numbers = numbers_of(trained, CAT)
    for node in ("~e.x:0", "e.x:0:1-2", "e.x:0:-1", "e.x:5:0", "d0.l:0:1-9999", "e.x"):
        with pytest.raises(KeyError, match="expected array:row:column such as"):
            numbers.value(node)
    with pytest.raises(KeyError, match=r"expected an array with a vector in each row, got 'd0\.p'"):
        numbers.along("d0.p", 0, np.ones(len(numbers.target_words)))
