"""Where an answer builds on functions of other chapters, finds the first of them that is wrong."""

from dataclasses import replace

from autograder.course.course import Assignment, Course, assignment_of
from autograder.diagnosis.compare import Answer
from autograder.diagnosis.exercise import Case, Exercise, Mistake, Prerequisite
from autograder.diagnosis.judge import AnsweredQuestion, Question, Reply, agree, answer_to
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
    outcome = box.run(Calls(piece.name, [(args, {}) for args in piece.calls], checkpoint, alone=True))
    if outcome.missing or not (outcome.completed or outcome.time_limit):
        return ""
    if outcome.time_limit:
        return NO_END
    cases = [Case("", args) for args in piece.calls]
    questions = [Question("unseen", case, answer_to(case, exercise.reference)) for case in cases]
    replies = [Reply(Answer(answer.value, answer.error)) for answer in outcome.answers]
    answered = [question.answered(reply) for question, reply in zip(questions, replies, strict=True)]
    problems = (problem(one.answer, one.right, one.case.args, exercise.rule, exercise.returns) for one in answered)
    first = next(filter(None, problems), None)
    if not first:
        return ""
    mistake = next((one for one in exercise.mistakes if is_this(one, answered)), None)
    return mistake.message if mistake else sentence(first)


def is_this(mistake: Mistake, answered: list[AnsweredQuestion]) -> bool:
    """Say whether a listed mistake gives exactly these answers."""
    return all(agree(one.answer, answer_to(one.case, mistake.wrong), one.right) for one in answered)
