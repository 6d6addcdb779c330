"""Where an answer builds on functions of other chapters, finds the first of them that is wrong."""

from autograder.course.course import Assignment, Course, assignment_of
from autograder.diagnosis.causes import agree
from autograder.diagnosis.compare import Answer
from autograder.diagnosis.exercise import Case, Exercise, Mistake, Prerequisite
from autograder.diagnosis.questions import AnsweredQuestion, Question, Reply, answer_to
from autograder.diagnosis.rules import problem, sentence
from autograder.sandbox import Calls
from autograder.sandbox.host.sandbox import Sandbox

FIRST_DIFFERENCE = "Chapter {chapter}, `{name}`: the first of your pieces that differs from the course's."
NO_END = "It does not end."


def wrong_prerequisite(box: Sandbox, assignment: Assignment, name: str, checkpoint: int) -> str:
    """Name the first function that an answer builds on which is wrong, and what the checks say of it; "" for none.

    ``checkpoint`` is the number of its test cell. Each function is called in its own copy of the notebook, with
    arguments that are no secret. Its answers are not shown.
    """
    for piece in assignment.exercises[name].pieces():
        if said := wrong_with(box, piece, exercise_of(assignment.course, piece), checkpoint):
            return f"{FIRST_DIFFERENCE.format(**vars(piece))} {said}"
    return ""


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
