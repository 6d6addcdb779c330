"""Wrong parts of an answer, one or two at once; what wrong answers have in common; and special texts and lengths."""

from functools import partial

import numpy as np
import pytest

from attention.chapters import gpt
from attention.exercises import exercises_of
from autograder.diagnosis import Case, Exercise, Slips, in_part
from autograder.diagnosis.exercise import Mistake
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

GPT = exercises_of("gpt")
SLIPPED = [name for name, exercise in GPT.items() if exercise.slips]


def told(exercise, function, seed=0):
    """Return what an answer to an exercise is told."""
    return judge(exercise, seed, [reply_of(function, case) for _, case in exercise.questions(seed)]).message


def line(x, factor=2.0, offset=1.0, bend=np.asarray):
    """Return a line, or what wrong parts make of it."""
    return bend(factor * x) + offset


def case(rng, n):
    """Return a case with so many numbers."""
    return Case(f"{n} numbers", (rng.uniform(-3, 3, n),))


LINE = Exercise(
    name="line",
    reference=lambda x: line(x),
    returns=("y",),
    examples=(Case("three numbers", (np.array([1.0, -2.0, 0.5]),)),),
    unseen=lambda rng: [case(rng, 5), case(rng, 7)],
    edges=lambda rng: [case(rng, 1)],
    slips=Slips(
        line,
        (
            *in_part("factor", ("the factor is 3", 3.0), ("the factor is 5", 5.0)),
            *in_part("offset", ("7 is added", 7.0)),
        ),
        alone=in_part("bend", ("the sine is taken", np.sin)),
    ),
    symptoms=(("Every number is too large.", lambda answer, right, x: (answer > right).all()),),
)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"factor": 3.0}, "The answer is what you get when the factor is 3. "),
        ({"bend": np.sin}, "when the sine is taken. "),
        (
            {"factor": 5.0, "offset": 7.0},
            "Two things at once: the answer is what you get when the factor is 5, and 7 is added.",
        ),
    ],
)
def test_one_slip_or_two_at_once_are_named(parts, words):
    """By the grader, which has all cases."""
    assert words in told(LINE, partial(line, **parts))


def test_rare_slips_are_not_looked_for_two_at_once():
    """Too many pairs would explain something by chance."""
    assert "Two things" not in told(LINE, partial(line, bend=np.sin, offset=7.0))
    assert [words for words, _ in LINE.slips.pairs()] == [
        "the factor is 3, and 7 is added",
        "the factor is 5, and 7 is added",
    ]


def test_two_slips_may_change_the_same_things_one_after_the_other():
    """Parts called changes are tuples, which are put together; other parts are never replaced twice."""
    slips = Slips(lambda x, changes=(): changes, (("a", {"changes": (1,)}), ("b", {"changes": (2,)})))
    ((words, both),) = slips.pairs()
    assert (words, both(0)) == ("a, and b", (1, 2))


def test_a_slip_that_explains_all_goes_before_a_mistake_that_explains_a_part(monkeypatch):
    """A listed mistake that agrees with the examples and one unseen answer is another mistake then."""
    often_three = Mistake(lambda x: line(x, factor=2.0 if len(x) == 7 else 3.0), "Often 3. Not always. Look.")
    monkeypatch.setattr(Exercise, "mistakes", (often_three,))
    assert " when the factor is 3. " in told(LINE, partial(line, factor=3.0))
    assert told(LINE, lambda x: line(x, factor=3.0 if len(x) != 7 else 4.0)) == "Often 3. Not always. Look."


def test_what_wrong_answers_have_in_common_follows_the_difference():
    """Where no cause is known; and nothing follows where one answer is otherwise."""
    larger = told(LINE, lambda x: line(x) + np.exp(x) + 1)
    assert "`y` differs in" in larger
    assert larger.endswith(" Every number is too large.")
    assert "too large" not in told(LINE, lambda x: line(x) + np.exp(x) * (1 if len(x) > 3 else -1))


@pytest.mark.parametrize("name", SLIPPED)
def test_each_slip_of_an_exercise_is_told_as_itself(name):
    """In its own words, or a listed mistake says more; its answer without wrong parts is the right one."""
    exercise = GPT[name].worth(1)
    assert told(exercise, exercise.slips.answer) == "Right."
    listed = {mistake.message for mistake in exercise.mistakes}
    for words, wrong in exercise.slips.formulas():
        said = told(exercise, wrong)
        assert f" when {words}. " in said or said in listed, f"{words}: {said}"


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("train_bpe", lambda text, count: gpt.train_bpe(text, count) if text else text[0], "where `text` is empty"),
        ("encode_bpe", lambda text, merges: gpt.encode_bpe(text, merges) if text else text[0], "where `text` is empty"),
        (
            "encode_bpe",
            lambda text, merges: gpt.encode_bpe(text, merges) if merges else merges[0],
            "where `merges` is empty",
        ),
        (
            "train_bpe",
            lambda text, count: gpt.train_bpe(text.replace("\n", "|"), count),
            "where a text holds a line break",
        ),
        (
            "encode_bpe",
            lambda text, merges: [one.encode("ascii", "ignore").decode() for one in gpt.encode_bpe(text, merges)],
            "where a text holds letters beyond a to z",
        ),
        (
            "gpt_block",
            lambda x, parameters, h: gpt.gpt_block(x, parameters, h) if x.ndim < 4 else [][0],
            "where there is more than one leading axis",
        ),
        (
            "step_with_cache",
            lambda x, p, h, k, v: gpt.step_with_cache(x, p, h, k, v) if k.shape[1] else (x, k, v),
            "where n = 0",
        ),
    ],
)
def test_the_one_occasion_on_which_an_answer_is_wrong_is_told(name, wrong, words):
    """An empty text or list, special characters, a second leading axis, no tokens."""
    assert f"Right elsewhere, but wrong {words}" in told(GPT[name], wrong)


def test_rows_to_which_little_is_added_are_not_called_nearly_right(monkeypatch):
    """A block adds little to its rows: what it adds may be off by a twentieth in an answer that is close."""
    monkeypatch.setattr(Exercise, "mistakes", ())
    exercise = GPT["gpt_block"]

    def other_share(x, parameters, h):
        out = gpt.gpt_block(x, parameters, h)
        return x + (out - x) * (1 + 0.05 * np.sin(7 * out))

    assert "close to the right numbers" not in told(exercise, other_share)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda k: np.concatenate([k, k[:, :1]], axis=-1), "Arrays that are put together along one axis"),
        (lambda k: k.append(k), "An array does not grow."),
        (lambda k: np.flatnonzero(k > 1e9)[0], "The first or the last of nothing is asked for."),
    ],
)
def test_errors_of_arrays_are_explained(wrong, words):
    """In words that say what to look at."""
    assert words in told(GPT["step_with_cache"], lambda x, p, h, k, v: (x, wrong(np.ones((3, 5, 2))), v))
