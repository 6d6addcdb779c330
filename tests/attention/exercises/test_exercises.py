"""Every exercise of every chapter: the right answer passes, every listed mistake is named, for any seed."""

import builtins
import dis
import json
from types import CodeType

import numpy as np
import pytest

from attention.exercises import CHAPTERS, exercises_of, hooks
from autograder.classroom.sample_class import wrong_version
from autograder.course.course import Course, assignment_of
from autograder.diagnosis.compare import counts_as
from autograder.diagnosis.exercise import mistake as register
from autograder.diagnosis.judge import judge, seen_by_students
from autograder.diagnosis.questions import answer_to, reply_of
from autograder.sandbox.inside import protocol
from tests.support.naming import about
from tests.support.root import ROOT

SEEDS = (0, 1, 20_240_206)
ASSIGNMENTS = {
    name: assignment
    for assignment in (assignment_of(Course(ROOT), chapter) for chapter in Course(ROOT).every_chapter())
    for name in assignment.exercises
}
EXERCISES = [exercise for stem in CHAPTERS for exercise in exercises_of(stem).values()]


def verdict_on(exercise, function, seed):
    """Judge a function on the questions of one seed."""
    return judge(exercise, seed, [reply_of(function, case) for _, case in exercise.questions(seed)])


each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)


@each_exercise
def test_the_reference_gets_full_marks(exercise):
    """The right answer meets every criterion, for every seed."""
    for seed in SEEDS:
        with about("seed", seed):
            verdict = verdict_on(exercise, exercise.reference, seed)
            assert (verdict.score, verdict.mistake, verdict.message) == (exercise.points, None, "Right.")


def assert_recognised(exercise, mistake, function, seed):
    """Assert that a wrong version loses points and is told its mistake's own message."""
    with about(mistake.id, "seed", seed):
        verdict = verdict_on(exercise, function, seed)
        assert verdict.score < exercise.points
        assert (verdict.mistake, verdict.message) == (mistake.id, mistake.message)


@each_exercise
def test_every_keyword_is_in_a_worked_example(exercise):
    """What unseen cases and edges pass by name, students can see passed by name."""
    rng = np.random.default_rng(SEEDS[0])
    hidden = {name for case in (*exercise.unseen(rng), *exercise.edges(rng)) for name in case.kwargs}
    assert hidden <= {name for case in exercise.examples for name in case.kwargs}


@each_exercise
def test_every_listed_mistake_is_recognised_as_itself(exercise):
    """As a student would write it, with its answers sent through the sandbox's wire, it is told its own message."""
    for mistake in exercise.mistakes:
        assignment = ASSIGNMENTS[exercise.name]
        namespace = {"np": np, **assignment.given}
        code = compile(wrong_version(assignment, mistake, exercise.name), mistake.id, "exec")
        exec(code, namespace)
        lacking = sorted(globals_read(code) - namespace.keys() - vars(builtins).keys())
        assert not lacking, f"a notebook has no {lacking}: write it into {mistake.id}, or into a function beside it"
        assert_recognised(exercise, mistake, by_wire(namespace[exercise.name]), SEEDS[1])


def globals_read(code):
    """Return the global names that code reads, in the functions inside it too."""
    here = {one.argval for one in dis.get_instructions(code) if one.opname == "LOAD_GLOBAL"}
    return here.union(*(globals_read(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


def by_wire(function):
    """Return a function whose values went through the sandbox's wire format."""
    return lambda *args, **kwargs: protocol.decode(json.loads(json.dumps(protocol.encode(function(*args, **kwargs)))))


@each_exercise
def test_what_a_student_sees_is_in_the_wrong_answer(exercise):
    """The sentence about a mistake is computed from its answer to a worked example; an edge's is written."""
    for mistake in exercise.mistakes:
        with about(mistake.id):
            told = seen_by_students(exercise, mistake)
            assert told == mistake.sees if mistake.edge else told.endswith((".", "?"))


def test_a_wrong_number_is_seen_beside_the_right_one():
    """Chapter 4's softmax over the raw scores: 0.3133 where 0.3790 is right, times values of 10, 20 and 30."""
    attention = exercises_of("query_key_value")["attention"]
    told = {mistake.id: seen_by_students(attention, mistake) for mistake in attention.mistakes}
    assert "is 10.2789, expected 12.0670" in told["scaled_already"]


@each_exercise
def test_only_what_needs_an_edge_passes_the_worked_examples(exercise):
    """A mistake shows on the worked examples, unless it says that it shows at an edge only."""
    right = [answer_to(case, exercise.reference) for case in exercise.examples]
    for mistake in exercise.mistakes:
        with about(mistake.id):
            wrong = [answer_to(case, mistake.wrong) for case in exercise.examples]
            assert mistake.edge == all(map(counts_as, wrong, right))


def test_examples_of_edges_come_last():
    """What is wrong already on an ordinary example is told before an edge is looked at."""
    for exercise in EXERCISES:
        edges = [case.edge for case in exercise.examples]
        assert edges == sorted(edges)
        assert not edges[0]


def test_a_mistake_that_is_only_decorated_is_known():
    """Nothing but the decorator puts a mistake on its exercise's list, in the order in which they are written."""
    source = (ROOT / "tests/mini_course/mini_checks/doubling/double.py").read_text()
    more = "\n\n@mistake('Halved. Half is not twice. Multiply.')\ndef halved(x):\n    return x / 2\n"
    namespace = {"__name__": "a_module_of_its_own"}
    exec(source + more, namespace)
    assert [mistake.id for mistake in namespace["EXERCISE"].mistakes] == ["squared", "halved"]


def test_a_mistake_needs_a_name_of_its_own_and_what_one_sees():
    """An edge without words, words that are no edge's, or a second mistake of the same name are refused by name."""

    def halved(x):
        return x / 2

    with pytest.raises(ValueError, match=r"edge=True alone: halved, got none: say where it shows"):
        register("Halved.", edge=True)(halved)
    with pytest.raises(ValueError, match=r"edge=True alone: halved, which worked examples show: leave sees= out"):
        register("Halved.", sees="1")(halved)
    register("Halved.")(halved)
    with pytest.raises(ValueError, match=r"expected one mistake halved in .*, got two: rename one"):
        register("Halved.")(halved)


def test_an_exercise_lists_three_mistakes_or_more():
    """The page of a chapter shows where people slip."""
    assert not [exercise.name for exercise in EXERCISES if len(exercise.shipped_mistakes) < 3]


def test_an_exercise_has_a_name_of_its_own_in_the_course():
    """Stock nbgrader's hidden tests find an exercise by its name alone."""
    assert len({exercise.name for exercise in EXERCISES}) == len(EXERCISES)


@pytest.mark.parametrize("stem", CHAPTERS)
def test_a_mistake_has_a_name_of_its_own_in_its_chapter(stem):
    """The name is the anchor of the mistake's row in the chapter's table."""
    ids = [mistake.id for exercise in exercises_of(stem).values() for mistake in exercise.mistakes]
    assert len(set(ids)) == len(ids)


@each_exercise
def test_unseen_sizes_hide_nothing(exercise):
    """No matrix is square but where that is the point, so that a transpose never passes unseen."""
    for _, case in exercise.questions(7):
        for place, argument in enumerate(case.args):
            if place in SQUARE_BY_NATURE.get(exercise.name, ()):
                assert argument is None or argument.shape[-1] == argument.shape[-2]
            elif isinstance(argument, np.ndarray) and argument.ndim > 1 and case.label not in SQUARE_ON_PURPOSE:
                square = argument.shape[-1] == argument.shape[-2]
                assert not square, f"{case.label}: argument {place} is square: change it, or add to SQUARE_ON_PURPOSE"


SQUARE_ON_PURPOSE = {  # the notes' own tables, small sums by hand, keys that fill their space
    *("money bank grows", "river bank flows", "one direction, two lengths"),
    *("three keys", "the four unit vectors, keys 0 and 2", "four other keys at right angles, keys 1 and 2"),
    *("rows 1, 2, 3 with a causal mask", "three tokens with a causal mask", "a query that may look at nothing"),
    *("a causal mask", "one token", "one word each"),
    *("two words and PAD", "some scores far ahead"),
    *("the previous word", "the first word", "the first word or the previous one"),
    *("four dimensions", "one query, two keys", "width one", "one word, then silence", "apple"),
}
SQUARE_BY_NATURE = {
    "copying_head": (0,),
    **{"rnn": (2,), "gradient_through_time": (0,)},  # w_hh leads from a state to a state
    **{"encoder_layer": (3,), "sees_the_future": (0,), "decoder_layer": (4,)},  # who of a sentence sees whom of it
}


@each_exercise
def test_another_seed_asks_other_questions(exercise):
    """Unseen inputs depend on the seed and on nothing else."""
    first, again, other = (
        [flat(argument) for _, case in exercise.questions(seed) for argument in case.args] for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def flat(value):
    """Return an argument with its numbers as bytes, and texts as they are."""
    if isinstance(value, dict):
        return {name: flat(one) for name, one in value.items()}
    return value.tobytes() if isinstance(value, np.ndarray) else value


def test_what_an_exercise_lacks_is_named():
    """Each one's function is exported and has a test; a name that stands nowhere lacks both."""
    assert [line for exercise in EXERCISES for line in hooks.missing(exercise.name)] == []
    assert len(hooks.missing("no_such_function")) == 2
