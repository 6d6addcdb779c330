"""The question at the prompt: why a word rather than another one."""

import pytest

from attention.models import shipped_translator
from attention.models.explain_translator import numbers_of
from attention.models.why import why

RIVER = "the bank of the river is older than the bank in the city"
CITY = "the bank of the city is older than the bank in the city"
CAT, GIRL = "the cat sees the dog", "the girl sees the dog"


def logit(numbers, turn, word):
    """Return a word's logit in the row that writes a word."""
    return numbers.arrays[f"d{turn}.l"][turn, numbers.target_words.index(word)]


def ahead(numbers, turn, word, other):
    """Return how far a word's logit is ahead of another's."""
    return logit(numbers, turn, word) - logit(numbers, turn, other)


def test_from_two_logits_down_to_river():
    """The first line is the two logits on both sides, the last is river's vector, and each step has what led to it."""
    answer = why(RIVER, "l'", "la", against=CITY)
    now = numbers_of(shipped_translator(), RIVER)
    was = numbers_of(shipped_translator(), CITY, now.tokens[1:])
    first, *_, last = answer.steps
    assert first.now == pytest.approx(ahead(now, 0, "l'", "la"))
    assert first.was == pytest.approx(ahead(was, 0, "l'", "la"))
    assert [step.most for step in answer.steps[2:]] == [
        *("head 1", "bank", "feed-forward", "the row that it is made from", "self-attention", "head 2", "river"),
        *("learned vector", ""),
    ]
    assert last.asked == "the learned vector of “river” (was “city”)"
    assert all(step.most for step in answer.steps[:-1])


def test_it_prints_as_a_table():
    """The question, both sides, a head, a line a step, and below it what most comes in with."""
    answer = why(CAT, "il", "la", against=GIRL)
    question, now, was, empty, head, *lines = str(answer).split("\n")
    assert repr(answer) == str(answer)
    assert question == "Why “il” rather than “la”, as word 1?"
    assert (now, was, empty) == (f"now: {CAT}", f"was: {GIRL}", "")
    steps, most = lines[::2], lines[1::2]
    assert len(steps) == len(answer.steps) == len(most) + 1
    start, end = max(len(step.asked) for step in answer.steps), head.index("change") + len("change")
    for line, step in zip(steps, answer.steps, strict=True):
        assert line[:start].rstrip() == step.asked
        assert line[start:end].split() == [f"{step.was:.2f}", f"{step.now:.2f}", f"{step.now - step.was:+.2f}"]
    for line, step in zip(most, answer.steps, strict=False):
        assert line.split() == f"{step.share:+.2f} with {step.most}".split()


def test_without_a_part_the_other_side_lacks_it():
    """Without head 2 of the encoder, it found nothing; without positions, the two logits are those of such a run."""
    answer = why(RIVER, "l'", "la", without="encoder.0.2")
    (found,) = (step for step in answer.steps if step.asked == "what head 2 of the encoder finds for “bank”")
    assert found.was == 0
    assert answer.was == "the same without encoder.0.2"
    now = numbers_of(shipped_translator(), RIVER)
    placeless = numbers_of(shipped_translator(), RIVER, now.tokens[1:], "positions")
    assert why(RIVER, "l'", "la", without="positions").steps[0].was == pytest.approx(ahead(placeless, 0, "l'", "la"))


def test_one_sentence_alone_is_followed_by_its_largest_part():
    """There is no other side; the way goes on to what was learned."""
    answer = why(CAT, "il", "la")
    assert answer.was is None
    assert all(step.was is None for step in answer.steps)
    assert answer.steps[-1].asked == "the learned vector of “cat”"
    assert "was" not in str(answer)


def test_the_rival_is_the_runner_up_unless_it_is_named():
    """The likeliest other word, which is the model's choice where another word is asked about."""
    now = numbers_of(shipped_translator(), CAT)
    by_logit = [now.target_words[token] for token in now.arrays["d0.l"][0].argsort()[::-1]]
    assert by_logit[0] == "il"
    assert why(CAT, "il").question == f"Why “il” rather than “{by_logit[1]}”, as word 1?"
    assert why(CAT, "la", place=0).question == "Why “la” rather than “il”, as word 1?"
    assert why(CAT, "la", place=0).steps[0].now == pytest.approx(ahead(now, 0, "la", "il"))


def test_the_place_is_where_the_word_is_first_written():
    """Il gatto vede il cane: the first il, unless the fourth word is asked for."""
    now = numbers_of(shipped_translator(), CAT)
    assert [now.target_words[token] for token in now.tokens[1:]][3] == "il"
    assert why(CAT, "il", "la").steps[0].now == pytest.approx(ahead(now, 0, "il", "la"))
    assert why(CAT, "il", "la", place=3).steps[0].now == pytest.approx(ahead(now, 3, "il", "la"))


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        (("the zebra sees the dog", "il"), KeyError, "expected words that the model knows, got 'zebra': the nearest"),
        ((CAT, "gattto"), KeyError, "expected words that the model knows, got 'gattto': the nearest are gatto"),
        ((CAT, "il", "lla"), KeyError, "got 'lla': the nearest are"),
        ((CAT, "banca"), ValueError, "expected a word of the translation, il gatto .* got 'banca': choose one of them"),
        ((CAT, "il", "il"), ValueError, "expected two words, got 'il' twice"),
        (("", "il"), ValueError, "expected an English sentence, got ''"),
        ((["the", "cat"], "il"), ValueError, "expected an English sentence, got"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked, error, message):
    """The message says what was expected, what came, and what to do."""
    with pytest.raises(error, match=message):
        why(*asked)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"place": 9}, ValueError, "expected a place from 0 to 5, got 9: count the translation's words"),
        ({"place": -1}, ValueError, "expected a place from 0 to 5, got -1"),
        ({"without": "cross.1.0"}, ValueError, r"got 'cross\.1\.0': choose from scaling, positions"),
        ({"against": "the zebra"}, KeyError, "got 'zebra'"),
        ({"against": ""}, ValueError, "expected an English sentence, got ''"),
        ({"against": CAT}, ValueError, "expected another sentence than .*: change a word"),
        ({"against": GIRL, "without": "mask"}, ValueError, "expected one of against and without, got both"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, error, message):
    """A place that there is not, a part that the model does not have, and an other side that is none."""
    with pytest.raises(error, match=message):
        why(CAT, "il", **options)
