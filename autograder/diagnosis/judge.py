"""Turns answers into a verdict: criteria, points, and why answers are wrong. Runs on the trusted side only."""

from collections.abc import Sequence
from dataclasses import replace

from .as_arrays import as_arrays
from .causes import GradersDiagnosis
from .compare import Answer, counts_as
from .exercise import CRITERIA, SHARES, Exercise, Mistake
from .faults import Fault
from .message import first_cause
from .questions import AnsweredQuestion, Question, Reply, answer_to, questions_of
from .rules import problem, sentence
from .verdict import Criterion, Verdict

NOT_EARNED_YET = "Counts once the answers are right."
DIFFERENT_ERRORS = ("an error", "not always the same error on the same line")
BY_ANSWERS = ("example", "unseen", "edges")  # the keys of the criteria that answers decide; arguments decide the last


def judge(exercise: Exercise, seed: int, replies: Sequence[Reply]) -> Verdict:
    """Judge the replies to ``questions_of(exercise, seed)``, in the same order.

    Errors: ValueError if the replies are not as many as the questions.
    """
    return judge_replies(exercise, questions_of(exercise, seed), replies)


def judge_replies(exercise: Exercise, questions: Sequence[Question], replies: Sequence[Reply]) -> Verdict:
    """Judge the replies to these questions, in the same order. Errors: ValueError, as of ``judge``."""
    if len(replies) != len(questions):
        raise ValueError(
            f"expected {len(questions)} replies for {exercise.name}, got {len(replies)}: ask every question once"
        )
    answered = [question.answered(reply) for question, reply in zip(questions, replies, strict=True)]
    if not_attempted(replies):
        return unanswered(
            exercise,
            "not_attempted",
            "Not attempted yet: the function still raises NotImplementedError, or calls one that does.",
        )
    return conclude(exercise, answered, criteria_of(exercise, answered))


def criteria_of(exercise: Exercise, answered: Sequence[AnsweredQuestion]) -> list[Criterion]:
    """Return the four criteria, each with its problem."""
    problems = problems_with(exercise, answered)
    criteria = {key: criterion_of(key, answered, problems) for key in BY_ANSWERS}
    return [*criteria.values(), criterion_of_arguments(answered, agrees=criteria["unseen"].passed)]


def passed_by_key(criteria: list[Criterion]) -> dict[str, bool]:
    """Return which criteria are passed, by their keys in CRITERIA; a Criterion itself bears the sentence."""
    passed = {criterion.name: criterion.passed for criterion in criteria}
    return {key: passed[name] for key, name in CRITERIA.items()}


def share_earned(criteria: list[Criterion]) -> float:
    """Return the share of the points that these criteria earn."""
    passed = passed_by_key(criteria)
    earned = sum(SHARES[key] for key in SHARES if passed[key]) if passed["unseen"] else 0.0
    return round(earned, 9)  # tenths do not add up to one exactly


def problems_with(exercise: Exercise, answered: Sequence[AnsweredQuestion]) -> list[str | None]:
    """Return the problem with each answer, or None for a right one."""
    return [
        None
        if one.reply.is_right
        else problem(answer, one.right, one.case.args, exercise.rule, exercise.returns, visible=one.is_example)
        for one, answer in zip(answered, as_shown(answered), strict=True)
    ]


def mark_right_replies(exercise: Exercise, questions: Sequence[Question], replies: Sequence[Reply]) -> list[Reply]:
    """Return the replies to these questions, with the right ones marked."""
    answered = [question.answered(reply) for question, reply in zip(questions, replies, strict=True)]
    problems = problems_with(exercise, answered)
    return [replace(reply, is_right=text is None) for reply, text in zip(replies, problems, strict=True)]


def shown_by(exercise: Exercise, mistake: Mistake) -> list[Answer]:
    """Return a mistake's answers to the worked examples: all ordinary ones, then up to the first that shows it.

    So a student with a second mistake, at a later edge, still hears of the first.
    """
    pairs = [
        [answer_to(case, function) for function in (mistake.wrong, exercise.reference)] for case in exercise.examples
    ]
    ordinary = sum(not case.edge for case in exercise.examples)
    shows_it = next((number for number, pair in enumerate(pairs) if not counts_as(*pair)), len(pairs))
    return [answer for answer, _ in pairs[: max(ordinary, shows_it + 1)]]


def seen_by_students(exercise: Exercise, mistake: Mistake) -> str:
    """Return what a student sees of a mistake: the problem with its answer to the first worked example that shows it.

    For a mistake that no worked example shows (``mistake.edge``), its ``sees``.
    """
    telling = () if mistake.edge else exercise.examples
    for case in telling:
        right = answer_to(case, exercise.reference)
        answer = as_arrays(answer_to(case, mistake.wrong), right)
        text = problem(answer, right, case.args, exercise.rule, exercise.returns, visible=True)
        if text:
            return sentence(text)
    return mistake.sees


def as_shown(answered: Sequence[AnsweredQuestion]) -> list[Answer]:
    """Return the answers with errors as students may see them.

    On unseen inputs the type and line of an error raised on purpose could leak them: they are named only if
    all failing calls raise the same error on the same line.
    """
    errors = [wrong_error(one) for one in answered]
    hidden = {error for one, error in zip(answered, errors, strict=True) if error and not one.is_example}
    return [with_error(one, error, several=len(hidden) > 1) for one, error in zip(answered, errors, strict=True)]


def wrong_error(one: AnsweredQuestion) -> tuple[str, str] | None:
    """Return the type of an error that is no right answer, and what may be said of it; None for any other answer."""
    if not one.answer.error or counts_as(one.answer, one.right):
        return None
    return one.answer.error[0], one.reply.error_words


def with_error(one: AnsweredQuestion, error: tuple[str, str] | None, several: bool) -> Answer:
    """Return an answer with its wrong error as it may be shown: on unseen inputs, no single one of ``several``."""
    if not error:
        return one.answer
    return Answer(error=DIFFERENT_ERRORS if several and not one.is_example else error, raised=one.answer.raised)


def conclude(exercise: Exercise, answered: Sequence[AnsweredQuestion], criteria: list[Criterion]) -> Verdict:
    """Turn criteria into a score, a status and a message."""
    passed = passed_by_key(criteria)
    failed = next((key for key in SHARES if not passed[key]), None)
    faults: list[Fault] = []
    cause = None
    first_message = next((criterion.message for criterion in criteria if not criterion.passed), "Right.")
    if failed in BY_ANSWERS:
        diagnosis = GradersDiagnosis(exercise, answered, failed, faults)
        cause = first_cause(diagnosis, faults)
        first_message = f"{first_message} {'' if cause else diagnosis.symptom()}".rstrip()
    raised = any(one.answer.error for one in answered if one.counts_for == failed)
    return Verdict(
        name=exercise.name,
        status="error" if raised and not passed["unseen"] else "graded",
        score=round(exercise.points * share_earned(criteria), 2),
        points=float(exercise.points),
        mistake=cause.mistake if cause else None,
        message=cause.words if cause else first_message,
        criteria=tuple(criteria),
        told_by=cause.told_by if cause else "criterion",
        faults=tuple(dict.fromkeys(faults)),
    )


def not_attempted(replies: Sequence[Reply]) -> bool:
    """Say whether the function is still the released stub."""
    return bool(replies) and all((reply.answer.error or ("",))[0] == "NotImplementedError" for reply in replies)


def unanswered(exercise: Exercise, status: str, message: str) -> Verdict:
    """Return the verdict on an exercise without answers to judge."""
    return Verdict(
        name=exercise.name,
        status=status,
        score=0.0,
        points=float(exercise.points),
        mistake=None,
        message=message,
        criteria=tuple(Criterion(name, False, message) for name in CRITERIA.values()),
        told_by="status",
    )


def criterion_of(key: str, answered: Sequence[AnsweredQuestion], problems: list[str | None]) -> Criterion:
    """Judge a criterion that answers decide, by its first problem."""
    for one, text in zip(answered, problems, strict=True):
        if one.counts_for == key and text:
            where = {"example": f"example: {one.case.label}", "edges": f"edge: {one.case.label}"}.get(key, "")
            return Criterion(CRITERIA[key], False, sentence(text, where))
    return Criterion(CRITERIA[key], True)


def criterion_of_arguments(answered: Sequence[AnsweredQuestion], agrees: bool) -> Criterion:
    """Judge whether every argument came back unchanged. Not earned if the answers are wrong anyway."""
    if not agrees:
        return Criterion(CRITERIA["unchanged"], False, NOT_EARNED_YET)
    for one in answered:
        if changed := one.changed_argument:
            kind, look = changed
            text = f"The function changes {kind} that it was given, which its caller may still need. Look for {look}."
            return Criterion(CRITERIA["unchanged"], False, text)
    return Criterion(CRITERIA["unchanged"], True)
