"""Where an answer builds on functions of other chapters, finds the first of them that is wrong."""

from dataclasses import replace

from autograder.course.course import Assignment, Course, assignment_of
from autograder.diagnosis.as_arrays import as_arrays
from autograder.diagnosis.compare import Answer
from autograder.diagnosis.exercise import Case, Exercise, Mistake, Prerequisite
from autograder.diagnosis.judge import agree, answer_to, copied
from autograder.diagnosis.rules import problem, sentence
from autograder.diagnosis.verdict import Verdict
from autograder.sandbox import Calls
from autograder.sandbox.host.sandbox import Sandbox

FIRST_DIFFERENCE = "Chapter {chapter}, `{name}`: the first of your pieces that differs from the course's."
NO_END = "It does not end."


def with_prerequisite(box: Sandbox, assignment: Assignment, verdict: Verdict, checkpoint: int) -> Verdict:
    """Return a verdict that lost points with a note about the first function it builds on that is wrong.

    ``checkpoint`` is the number of its test cell. Each function is called in its own copy of the notebook, with
    arguments that are no secret. Its answers are not shown: only its name, and what the checks say about it.
    """
    exercise = assignment.exercises[verdict.name]
    if verdict.score == verdict.points or verdict.status == "not_attempted":
        return verdict
    for piece in exercise.pieces():
        if said := wrong_with(box, piece, exercise_of(assignment.course, piece), checkpoint):
            return replace(verdict, message=f"{verdict.message} {FIRST_DIFFERENCE.format(**vars(piece))} {said}")
    return verdict


def exercise_of(course: Course, piece: Prerequisite) -> Exercise:
    """Return the exercise, in its own chapter, that asks for this function."""
    chapter = next(name for name in course.every_chapter() if int(name[:2]) == piece.chapter)  # taught or not
    return assignment_of(course, chapter).exercises[piece.name]


def wrong_with(box: Sandbox, piece: Prerequisite, exercise: Exercise, checkpoint: int) -> str:
    """Return what is wrong with a function, "" for nothing."""
    cases = [Case("", args) for args in piece.calls]
    outcome = box.run(Calls(piece.name, [(copied(case), {}) for case in cases], checkpoint, alone=True))
    if outcome.missing or not (outcome.completed or outcome.time_limit):
        return ""
    if outcome.time_limit:
        return NO_END
    right = [answer_to(case, exercise.reference) for case in cases]
    given = [Answer(answer.value, answer.error) for answer in outcome.answers]
    given = [as_arrays(answer, wanted) for answer, wanted in zip(given, right, strict=True)]
    asked = list(zip(given, right, cases, strict=True))
    found = (problem(answer, wanted, case.args, exercise.rule, exercise.returns) for answer, wanted, case in asked)
    first = next(filter(None, found), None)
    if not first:
        return ""
    mistake = next((one for one in exercise.mistakes if is_this(one, asked)), None)
    return mistake.message if mistake else sentence(first)


def is_this(mistake: Mistake, asked: list[tuple[Answer, Answer, Case]]) -> bool:
    """Say whether a listed mistake gives exactly these answers."""
    return all(agree(answer, answer_to(case, mistake.wrong), right) for answer, right, case in asked)
