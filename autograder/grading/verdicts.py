"""Turns what came of an exercise's questions into its verdict."""

from dataclasses import replace
from typing import Any

from autograder.diagnosis.exercise import Exercise
from autograder.diagnosis.faults import Fault, attempt
from autograder.diagnosis.judge import judge_replies, unanswered
from autograder.diagnosis.questions import Reply
from autograder.diagnosis.verdict import Verdict
from autograder.sandbox import Outcome
from autograder.sandbox.inside import unavailable

from .ask import Examination, Stage, as_course_error
from .missing_names import Explainer, full_error
from .result import LIMITS, failure_of
from .where import describe_place, place_to_tell

DOES_NOT_EXIST = "`{}` does not exist when its test runs"
LIMIT_MESSAGES = {  # for each of LIMITS; a time limit has three
    "time_limit": "Stopped after {seconds:.3g} seconds{place}. Is there a loop that never ends?",
    "waited": "Stopped after {seconds:.3g} seconds of waiting{place}. Does it wait for a thread or a process? Those "
    "that your cells have started are not there when a function is called: start them inside it.",
    "used_up": "Not called: other calls have used up the {seconds:.3g} seconds that all share.",
    "memory_limit": "Stopped{place} because it asked for too much memory. Is an array much larger than it should be?",
    "crashed": "Python itself ended while this ran{place}. Does the code leave Python (os._exit, ctypes, a signal)?",
    "output_limit": "Stopped{place} because it printed far too much. Is there a print inside a loop?",
}


def verdict_on(examination: Examination, explainer: Explainer) -> Verdict:
    """Return the verdict on one exercise.

    Errors: CourseError, which names the exercise, if its answers cannot be compared.
    """
    exercise, ending = examination.exercise, examination.ending
    faults: list[Fault] = []
    if ending is None:
        replies = _explained_replies(examination, explainer, faults)
        with as_course_error(exercise):
            verdict = judge_replies(exercise, examination.questions, replies)
    elif ending.missing:
        verdict = attempt("verdict_on_missing", faults, verdict_on_missing, exercise, explainer)
        verdict = verdict or unanswered(exercise, "error", f"{DOES_NOT_EXIST.format(exercise.name)}.")
    else:
        is_shown = examination.ended_at is Stage.EXAMPLES
        place = place_to_tell(ending.place, examination.own_cell, is_shown)
        message = limit_message(_reason_of(ending), ending.seconds, place)
        verdict = unanswered(exercise, failure_of(ending), message)
    return replace(verdict, faults=(*faults, *verdict.faults))


def _explained_replies(examination: Examination, explainer: Explainer, faults: list[Fault]) -> list[Reply]:
    """Return the replies, with the reason added to errors at worked examples."""
    name = examination.exercise.name
    replies = list(examination.replies)
    for number, question in enumerate(examination.questions):
        if question.is_example:
            better = attempt("explained", faults, explainer.explained, replies[number], name)
            replies[number] = better or replies[number]
    return replies


def _reason_of(ending: Outcome) -> str:
    """Name the message for the limit that ended the questions: of a time limit, there are three."""
    failure = failure_of(ending)
    if failure != "time_limit":
        return failure
    return "used_up" if ending.used_up else "waited" if ending.waited else failure


def limit_message(reason: str, seconds: float, place: str = "") -> str:
    """Say which limit was hit, and where; ``reason`` is a key of LIMIT_MESSAGES."""
    where = f", {place}" if place else ""
    if place and reason in ("memory_limit", "output_limit"):
        where += ","
    return LIMIT_MESSAGES[reason].format(seconds=seconds, place=where)


def verdict_on_missing(exercise: Exercise, explainer: Explainer) -> Verdict:
    """Return the verdict on a function that does not exist when its test cell runs."""
    if exercise.name in explainer.rebuilt.absent:
        return unanswered(exercise, "not_attempted", f"`{exercise.name}` was not in the notebook that you received.")
    own = [ran for ran in explainer.code if ran.piece.grade_id == exercise.name]
    for ran in own:
        if ran.status in LIMITS:
            place = f"in {describe_place(ran.place)}" if ran.place else ""
            return unanswered(exercise, ran.status, limit_message(ran.status, ran.seconds, place))
    errors = [output for ran in own for output in ran.outputs if output["output_type"] == "error"]
    reason = _why_missing(exercise.name, explainer, errors)
    return unanswered(exercise, "error", f"{DOES_NOT_EXIST.format(exercise.name)}: {reason}.")


def _why_missing(name: str, explainer: Explainer, errors: list[dict[str, Any]]) -> str:
    """Say why a function does not exist, whose cell has raised these errors."""
    if not errors:
        return explainer.why_missing(name) or explainer.instead(name) or "no cell defines it"
    error = explainer.error_of_definition(name, errors)
    why = explainer.why_undefined((error["ename"], error["evalue"]), name) or explainer.other_python(error)
    reason = f"a line of its cell fails with {full_error(error)}{f' ({why})' if why else ''}"
    if errors[-1]["ename"] == "ModuleNotFoundError" and unavailable.MODULES not in reason:
        reason += f": {unavailable.MODULES}"
    return reason
