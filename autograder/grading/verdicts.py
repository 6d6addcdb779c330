"""Turns what came of an exercise's questions into its verdict."""

from dataclasses import replace

from autograder.diagnosis.exercise import Exercise
from autograder.diagnosis.faults import Fault, attempt
from autograder.diagnosis.judge import judge_replies, unanswered
from autograder.diagnosis.verdict import Verdict
from autograder.sandbox import Outcome
from autograder.sandbox.inside import unavailable

from .ask import Examination, Stage, naming
from .missing_names import Explainer, full_error
from .result import Ran, failure_of
from .where import describe_place

DOES_NOT_EXIST = "`{}` does not exist when its test runs"
LIMIT_MESSAGES = {
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
    exercise, outcome = examination.exercise, examination.failure
    faults: list[Fault] = []
    if outcome and (failure := failure_of(outcome)):
        place = _place_of_failure(examination, outcome)
        verdict = unanswered(exercise, failure, limit_message(outcome, failure, place))
    elif outcome:
        missing = attempt("undefined", faults, undefined, exercise, explainer)
        verdict = missing or unanswered(exercise, "error", f"{DOES_NOT_EXIST.format(exercise.name)}.")
    else:
        replies = list(examination.replies)
        for number, question in enumerate(examination.questions):
            if question.is_example:
                better = attempt("explained", faults, explainer.explained, replies[number], exercise.name)
                replies[number] = better or replies[number]
        with naming(exercise):
            verdict = judge_replies(exercise, examination.questions, replies)
    return replace(verdict, faults=(*faults, *verdict.faults))


def _place_of_failure(examination: Examination, outcome: Outcome) -> str:
    """Say where a limit stopped the function, if that may be told: hidden inputs could choose a line elsewhere."""
    place, own_cell = outcome.place, examination.own_cell
    if place and (examination.failed_at is Stage.EXAMPLES or place.cell == own_cell):
        return f"in {describe_place(place, own_cell)}"
    return ""


def limit_message(ended: Outcome | Ran, failure: str, place: str = "") -> str:
    """Say which limit a step hit, and where."""
    of_time = "waited" if isinstance(ended, Outcome) and ended.waited else "time_limit"
    if isinstance(ended, Outcome) and ended.used_up:
        of_time = "used_up"
    where = f", {place}," if place and failure in ("memory_limit", "output_limit") else f", {place}" if place else ""
    return LIMIT_MESSAGES[of_time if failure == "time_limit" else failure].format(seconds=ended.seconds, place=where)


def undefined(exercise: Exercise, explainer: Explainer) -> Verdict:
    """Return the verdict on a function that does not exist when its test cell runs."""
    if exercise.name in explainer.rebuilt.absent:
        return unanswered(exercise, "not_attempted", f"`{exercise.name}` was not in the notebook that you received.")
    own = [ran for ran in explainer.code if ran.piece.grade_id == exercise.name]
    for ran in own:
        if ran.status in LIMIT_MESSAGES:
            place = f"in {describe_place(ran.place)}" if ran.place else ""
            return unanswered(exercise, ran.status, limit_message(ran, ran.status, place))
    errors = [output for ran in own for output in ran.outputs if output["output_type"] == "error"]
    if errors:
        error = explainer.error_of_definition(exercise.name, errors)
        why = explainer.undefined((error["ename"], error["evalue"]), exercise.name) or explainer.other_python(error)
        reason = f"a line of its cell fails with {full_error(error)}{f' ({why})' if why else ''}"
    else:
        reason = explainer.missing(exercise.name) or explainer.instead(exercise.name) or "no cell defines it"
    if errors and errors[-1]["ename"] == "ModuleNotFoundError" and unavailable.MODULES not in reason:
        reason += f": {unavailable.MODULES}"
    return unanswered(exercise, "error", f"{DOES_NOT_EXIST.format(exercise.name)}: {reason}.")
