"""From replies to a verdict: shares of the points, statuses, and what may be said."""

from dataclasses import asdict, replace

import numpy as np
import pytest

from attention.exercises import exercises_of
from attention.exercises.query_key_value.attention import EXERCISE
from autograder.diagnosis.compare import Answer
from autograder.diagnosis.exercise import CRITERIA, Case
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import Reply, reply_of

ATTENTION = EXERCISE.worth(5)


def verdict_on(function, seed=5):
    """Judge a function as an answer to *attention*, 5 points."""
    return judge(ATTENTION, seed, [reply_of(function, case) for _, case in ATTENTION.questions(seed)])


def passed(verdict):
    """Return the names of the criteria that passed."""
    names = {words: name for name, words in CRITERIA.items()}
    return {names[criterion.name] for criterion in verdict.criteria if criterion.passed}


def unseen(verdict):
    """Return what is said about the answers to unseen inputs."""
    return next(criterion.message for criterion in verdict.criteria if criterion.name == CRITERIA["unseen"])


def test_a_memorised_example_earns_nothing():
    """Returning the worked example's answer, and failing on unseen inputs, earns no points."""
    output, weights = ATTENTION.reference(*ATTENTION.examples[0].args)
    verdict = verdict_on(lambda query, key, value: (output, weights))
    assert passed(verdict) == {"example"}
    assert verdict.score == 0


def test_losing_the_edges_costs_their_share():
    """Right on ordinary inputs and NaN at scores of a thousand: a fifth of the points is lost."""

    def overflows(query, key, value):
        powers = np.exp(query @ np.swapaxes(key, -1, -2))
        weights = powers / powers.sum(axis=-1, keepdims=True)
        return weights @ value, weights

    verdict = verdict_on(overflows)
    assert passed(verdict) == {"example", "unseen", "unchanged"}
    assert verdict.score == pytest.approx(0.8 * 5)


def test_an_edge_that_is_shown_counts_as_an_edge():
    """Who fails at a worked example of an edge keeps the share of the worked example."""
    shown = next(case for case in ATTENTION.examples if case.edge)

    def fails_there(query, key, value):
        output, weights = ATTENTION.reference(query, key, value)
        return output + np.array_equal(query, shown.args[0]), weights

    verdict = verdict_on(fails_there)
    assert passed(verdict) == {"example", "unseen", "unchanged"}
    assert verdict.mistake is None
    assert shown.label in next(criterion.message for criterion in verdict.criteria if not criterion.passed)


def test_changing_an_argument_costs_its_share():
    """Right answers from a function that overwrites its input lose a tenth, and are told why."""

    def overwrites(query, key, value):
        query += 0.0
        result = ATTENTION.reference(query, key, value)
        query[...] = 0.0
        return result

    verdict = verdict_on(overwrites)
    assert passed(verdict) == {"example", "unseen", "edges"}
    assert verdict.score == pytest.approx(0.9 * 5)
    assert "changes an array that it was given" in verdict.message


def test_a_list_or_a_dictionary_that_is_changed_costs_as_much():
    """The cases stay as they were, and the message names what was changed."""
    bag = exercises_of("embeddings")["bag_of_words"]

    def empties(which):
        def function(sentences, vocab):
            result = bag.reference(sentences, vocab)
            (sentences, vocab)[which].clear()
            return result

        return function

    for which, kind in enumerate(("a list", "a dictionary")):
        verdict = judge(bag, 5, [reply_of(empties(which), case) for _, case in bag.questions(5)])
        assert verdict.score == pytest.approx(0.9 * bag.points)
        assert f"changes {kind} that it was given" in verdict.message


def test_arguments_that_do_not_come_back_count_as_changed():
    """An empty list of arguments is no proof that they were left alone."""
    replies = [reply_of(ATTENTION.reference, case) for _, case in ATTENTION.questions(5)]
    verdict = judge(ATTENTION, 5, [Reply(reply.answer, ()) for reply in replies])
    assert passed(verdict) == {"example", "unseen", "edges"}


def test_a_stub_is_not_attempted():
    """NotImplementedError everywhere is no attempt, not a mistake."""

    def stub(query, key, value):
        raise NotImplementedError

    verdict = verdict_on(stub)
    assert (verdict.status, verdict.score, verdict.mistake) == ("not_attempted", 0, None)


def test_an_error_is_a_status_of_its_own():
    """A function that raises is an error with its own words; NaN everywhere is graded, and wrong."""

    def raises(query, key, value):
        raise KeyError("zebra")

    def nan(query, key, value):
        return np.full((len(query), value.shape[-1]), np.nan), np.full((len(query), len(key)), np.nan)

    assert (verdict_on(raises).status, verdict_on(raises).score) == ("error", 0)
    assert "zebra" in verdict_on(raises).message
    assert (verdict_on(nan).status, verdict_on(nan).score) == ("graded", 0)


def test_what_an_error_says_on_unseen_inputs_is_kept_in():
    """An error's text could carry unseen inputs out, so only what may be shown is shown."""
    secret = Answer(error=("ValueError", "the hidden query is 0.1234"))
    replies = [Reply(secret, (), "") for _ in ATTENTION.questions(5)]
    verdict = judge(ATTENTION, 5, replies)
    assert "0.1234" not in str(asdict(verdict))


@pytest.mark.parametrize("lines", [(3,), (3, 5)])
@pytest.mark.parametrize("kinds", [("ValueError",), ("ValueError", "KeyError", "IndexError")])
def test_an_error_on_unseen_inputs_is_named_where_it_is_one_error_in_one_place(lines, kinds):
    """Its type and line, chosen on purpose, could carry unseen inputs out; an honest slip has one of each."""
    replies = []
    for number, (criterion, case) in enumerate(ATTENTION.questions(5)):
        error = Answer(error=(kinds[number % len(kinds)], "zebra"))
        reply = Reply(error, case.args, f"in line {lines[number % len(lines)]}, `x`")
        replies.append(reply_of(ATTENTION.reference, case) if criterion == "example" else reply)
    verdict = judge(ATTENTION, 5, replies)
    if len(lines) == len(kinds) == 1:
        assert unseen(verdict) == "Raises ValueError in line 3, `x`."
    else:
        assert unseen(verdict) == "Raises an error: not always the same error on the same line."
        assert "Error" not in str(asdict(verdict))
        assert "in line" not in str(asdict(verdict))


def test_a_known_cause_of_an_error_has_the_line_of_a_worked_example():
    """A listed mistake that raises is told with the line, if the first wrong worked example raised it."""
    mistake = next(one for one in ATTENTION.mistakes if one.id == "key_not_transposed")
    replies = [
        replace(reply_of(mistake.wrong, case), error_place=f"in line {3 if criterion == 'example' else 5}, `q @ k`")
        for criterion, case in ATTENTION.questions(5)
    ]
    assert judge(ATTENTION, 5, replies).message == f"{mistake.message} The error is raised in line 3, `q @ k`."
    replies[0] = reply_of(lambda query, key, value: (value, value), ATTENTION.questions(5)[0][1])
    assert "raised" not in judge(ATTENTION, 5, replies).message


def test_an_error_that_is_right_says_nothing_about_one_that_is_wrong():
    """Who raises what is asked for, and fails elsewhere in one place, is told that place."""
    exercise = exercises_of("before_attention")["conv1d"]
    replies = []
    for criterion, case in exercise.questions(5):
        reply = reply_of(exercise.reference, case)
        if criterion != "example" and not reply.answer.error:
            reply = Reply(Answer(error=("IndexError", "zebra")), case.args, "in line 7, `x`")
        replies.append(reply)
    assert any(reply.answer.error and reply.answer.error[0] == "ValueError" for reply in replies)
    assert unseen(judge(exercise, 5, replies)) == "Raises IndexError in line 7, `x`."


def test_replies_must_be_complete():
    """Fewer replies than questions is an infrastructure error, never a mark."""
    with pytest.raises(ValueError, match=r"expected \d+ replies for attention, got 0"):
        judge(ATTENTION, 5, [])


def test_what_is_passed_by_name_is_passed_afresh():
    """A function that writes into an argument that came by its name leaves the next one's alone."""

    def overwrites(x, h0):
        h0[:] = 7
        return x + h0

    case = Case("by name", (np.ones(3),), {"h0": np.zeros(3)})
    assert reply_of(overwrites, case).answer.value.tolist() == [8, 8, 8]
    assert case.kwargs["h0"].tolist() == [0, 0, 0]


def test_a_right_error_in_other_words_hides_no_mistake():
    """Code that raises the required ValueError is told its mistake at another edge, whatever the error says."""

    def one_pair(x, kernel, padding="valid"):
        if padding not in ("valid", "same") or (padding == "valid" and len(kernel) > x.shape[-1]):
            raise ValueError("in words of my own")
        x = np.pad(x, ((len(kernel) - 1) // 2, len(kernel) // 2)) if padding == "same" else x
        return np.lib.stride_tricks.sliding_window_view(x, len(kernel), axis=-1) @ kernel

    exercise = exercises_of("before_attention")["conv1d"]
    verdict = judge(exercise, 5, [reply_of(one_pair, case) for _, case in exercise.questions(5)])
    assert verdict.mistake == "zeros_along_every_axis"
