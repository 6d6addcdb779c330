"""Lists of texts, and of pairs: which count as right, where they differ, and what wrong ones have in common."""

import json

import pytest

from attention.exercises import exercises_of
from autograder.course.examples import examples
from autograder.diagnosis import selfcheck
from autograder.diagnosis.as_arrays import as_arrays
from autograder.diagnosis.compare import Answer, holds_texts, same
from autograder.diagnosis.difference import difference
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of
from autograder.sandbox.inside.protocol import Foreign

EXERCISES = exercises_of("gpt")
PAIRS = [("l", "o"), ("lo", "w")]


def judged(name, change):
    """Judge an answer that is a change of the right one."""
    exercise = EXERCISES[name]
    replies = [reply_of(changed(exercise, change), case) for _, case in exercise.questions(3)]
    return judge(exercise.worth(1), 3, replies)


def changed(exercise, change):
    """Return a function that answers with a change of the right answer."""
    return lambda *args: change(exercise.reference(*args))


@pytest.mark.parametrize(
    ("answer", "expected", "agree"),
    [
        ([["l", "o"], ["lo", "w"]], PAIRS, True),
        ((("l", "o"), ["lo", "w"]), PAIRS, True),
        (["lo", "low"], PAIRS, False),
        ([("l", "o")], PAIRS, False),
        (("s", "low"), ["s", "low"], True),
        ("slow", ["s", "low"], False),
        ({"s": 1, "low": 2}, ["s", "low"], False),
        ([], [], True),
        ((), [], True),
        (None, [], False),
    ],
)
def test_a_list_of_texts_may_be_a_tuple_and_a_pair_a_list(answer, expected, agree):
    """What matters is which texts come, and in which order."""
    assert same(answer, expected) is agree


def test_a_list_of_numbers_is_none_of_texts():
    """An empty list is neither."""
    assert [holds_texts(value) for value in (["a"], PAIRS, (), [], [1], ["a", 1], "a", None)] == [
        *(True, True, False, False, False, False, False, False)
    ]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([("l", "o"), ("o", "w")], "`merges[1]` is ('o', 'w'), expected ('lo', 'w')"),
        ([("l", "o")], "`merges` has 1 item, expected 2: `merges[1]` should be ('lo', 'w')"),
        ([*PAIRS, ("a", "b")], "`merges` has 3 items, expected 2: `merges[2]` is ('a', 'b')"),
        ([3, ("lo", "w")], "`merges[0]` is an int, expected ('l', 'o')"),
        ([Foreign("array of text"), ("lo", "w")], "`merges[0]` is an array of text, expected ('l', 'o')"),
        (["l" * 500], f"`merges[0]` is '{'l' * 99}…, expected ('l', 'o')"),
        ({"l": "o"}, "`merges` is a dict, expected a list"),
    ],
)
def test_the_first_item_that_differs_is_shown_at_a_worked_example(answer, said):
    """Elsewhere nothing of the expected list is."""
    assert difference(answer, PAIRS, "`merges`", visible=True) == said
    hidden = difference(answer, PAIRS, "`merges`")
    assert "lo" not in hidden
    assert "2" not in hidden


def test_an_empty_list_that_is_expected_is_no_array_of_numbers():
    """A list of texts where none should be is told so."""
    assert difference(PAIRS, [], "`merges`") == "`merges` is not the expected list"
    assert (
        difference(PAIRS, [], "`merges`", visible=True) == "`merges` has 2 items, expected 0: `merges[0]` is ('l', 'o')"
    )
    assert as_arrays(Answer(PAIRS), Answer([])).value == PAIRS


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("train_bpe", lambda right: right[::-1], "has the right items in reverse order"),
        ("train_bpe", lambda right: [pair[::-1] for pair in right], "holds pairs that are turned round"),
        (
            "train_bpe",
            lambda right: [one for pair in right for one in pair],
            "holds the texts of all pairs in one list",
        ),
        ("encode_bpe", lambda right: right[1:], "lacks its first item"),
        ("encode_bpe", lambda right: right[:-1], "lacks its last item"),
        ("encode_bpe", lambda right: [one.strip() for one in right], "has lost the spaces at the beginning"),
        ("encode_bpe", lambda right: [*dict.fromkeys(right)], "has each text once"),
        ("encode_bpe", sorted, "has the right items, but sorted"),
        ("encode_bpe", lambda right: right[:1], "has only the first of its items"),
        ("encode_bpe", lambda right: [[one] for one in right], "holds another list for each of its items"),
    ],
)
def test_what_wrong_lists_have_in_common_is_told(name, change, words):
    """By the grader, and by the notebook's check, in the same words."""
    message = judged(name, change).message
    assert message.startswith(f"`{EXERCISES[name].returns[0]}` {words}"), message
    stored = json.loads(examples({name: EXERCISES[name]}))[name]
    assert message in selfcheck.finding(name, stored, changed(EXERCISES[name], change)).said


def test_lists_that_are_wrong_in_several_ways_are_told_no_relation():
    """One call lacks its last item, another its first."""
    message = judged("encode_bpe", lambda right: right[1:] if len(right) % 2 else right[:-1]).message
    assert "expected" in message
    assert "lacks" not in message


def test_a_wrong_list_is_shown_beside_the_wanted_one():
    """Both as Python writes them."""
    stored = json.loads(examples({"encode_bpe": EXERCISES["encode_bpe"]}))["encode_bpe"]
    (shown,) = selfcheck.finding("encode_bpe", stored, lambda text, merges: text.split()).differences
    assert shown.got == "['slower', 'Low', 'lower']"
    assert shown.wanted.startswith("['s', 'low', 'er', ' ', 'L'")
