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
from .untouched import changed_argument
from .verdict import Criterion, Verdict

NOT_EARNED_YET = "Counts once the answers are right."
DIFFERENT_ERRORS = ("an error", "not always the same error on the same line")


def judge(exercise: Exercise, seed: int, replies: Sequence[Reply]) -> Verdict:
    """Judge the replies to ``exercise.questions(seed)``, in the same order.

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
    criteria = [criterion_of(name, answered, problems) for name in ("example", "unseen", "edges")]
    return [*criteria, unchanged(answered, agrees=criteria[1].passed)]


def share_earned(criteria: list[Criterion]) -> float:
    """Return the share of the points that these criteria earn."""
    passed = {criterion.name: criterion.passed for criterion in criteria}
    earned = sum(SHARES[name] for name in SHARES if passed[CRITERIA[name]]) if passed[CRITERIA["unseen"]] else 0.0
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
    return [replace(reply, is_right=wrong is None) for reply, wrong in zip(replies, problems, strict=True)]


def shown_by(exercise: Exercise, mistake: Mistake) -> list[Answer]:
    """Return a mistake's answers to the worked examples: all ordinary ones, then up to the first that shows it.

    So a student with a second mistake, at a later edge, still hears of the first.
    """
    pairs = [
        [answer_to(case, function) for function in (mistake.wrong, exercise.reference)] for case in exercise.examples
    ]
    ordinary = sum(not case.edge for case in exercise.examples)
    first = next((place for place, pair in enumerate(pairs) if not counts_as(*pair)), len(pairs))
    return [wrong for wrong, _ in pairs[: max(ordinary, first + 1)]]


def seen_by_students(exercise: Exercise, mistake: Mistake) -> str:
    """Return what a student sees of a mistake: the problem with its answer to the first worked example that shows it.

    For a mistake that no worked example shows, its ``sees``.
    """
    for case in exercise.examples:
        right = answer_to(case, exercise.reference)
        answer = as_arrays(answer_to(case, mistake.wrong), right)
        wrong = problem(answer, right, case.args, exercise.rule, exercise.returns, visible=True)
        if wrong and not mistake.edge:
            return sentence(wrong)
    return mistake.sees


def as_shown(answered: Sequence[AnsweredQuestion]) -> list[Answer]:
    """Return the answers with errors as students may see them.

    On unseen inputs the type and line of an error raised on purpose could leak them: they are named only if
    all failing calls raise the same error on the same line.
    """
    errors = [
        (one.answer.error[0], one.reply.error_words)
        if one.answer.error and not counts_as(one.answer, one.right)
        else None
        for one in answered
    ]
    hidden = {error for one, error in zip(answered, errors, strict=True) if error and not one.is_example}
    if len(hidden) > 1:
        errors = [
            error and (error if one.is_example else DIFFERENT_ERRORS)
            for one, error in zip(answered, errors, strict=True)
        ]
    return [
        Answer(error=error, raised=one.answer.raised) if error else one.answer
        for one, error in zip(answered, errors, strict=True)
    ]


def conclude(exercise: Exercise, answered: Sequence[AnsweredQuestion], criteria: list[Criterion]) -> Verdict:
    """Turn criteria into a score, a status and a message."""
    passed = {criterion.name: criterion.passed for criterion in criteria}
    failed = next((name for name in SHARES if not passed[CRITERIA[name]]), None)
    faults: list[Fault] = []
    diagnosis = GradersDiagnosis(exercise, answered, failed or "", faults)
    cause = first_cause(diagnosis, faults) if failed in ("example", "unseen", "edges") else None
    first = next((criterion.message for criterion in criteria if not criterion.passed), "Right.")
    raised = any(one.answer.error for one in answered if one.counts_for == failed)
    return Verdict(
        name=exercise.name,
        status="error" if raised and not passed[CRITERIA["unseen"]] else "graded",
        score=round(exercise.points * share_earned(criteria), 2),
        points=float(exercise.points),
        mistake=cause.mistake if cause else None,
        message=cause.words if cause else first,
        criteria=tuple(criteria),
        told_by=cause.told_by if cause else "criterion",
        faults=tuple(dict.fromkeys(faults)),
    )


def not_attempted(replies: Sequence[Reply]) -> bool:
    """Say whether the function is still the released stub."""
    return bool(replies) and all((reply.answer.error or ("",))[0] == "NotImplementedError" for reply in replies)


def unanswered(exercise: Exercise, status: str, message: str) -> Verdict:
    """Return the verdict on an exercise without answers to judge."""
    criteria = tuple(Criterion(name, False, message) for name in CRITERIA.values())
    return Verdict(exercise.name, status, 0.0, float(exercise.points), None, message, criteria, told_by="status")


def criterion_of(name: str, answered: Sequence[AnsweredQuestion], problems: list[str | None]) -> Criterion:
    """Judge one criterion by its first problem."""
    for one, wrong in zip(answered, problems, strict=True):
        if one.counts_for == name and wrong:
            place = {"example": f"example: {one.case.label}", "edges": f"edge: {one.case.label}"}.get(name, "")
            return Criterion(CRITERIA[name], False, sentence(wrong, place))
    return Criterion(CRITERIA[name], True)


def unchanged(answered: Sequence[AnsweredQuestion], agrees: bool) -> Criterion:
    """Judge whether every argument came back unchanged. Not earned if the answers are wrong anyway."""
    if not agrees:
        return Criterion(CRITERIA["unchanged"], False, NOT_EARNED_YET)
    for one in answered:
        args, after = one.case.args, one.reply.arguments or ()
        after = after if len(after) == len(args) else (None,) * len(args)
        if changed := changed_argument(args, after):
            kind, look = changed
            said = f"The function changes {kind} that it was given, which its caller may still need. Look for {look}."
            return Criterion(CRITERIA["unchanged"], False, said)
    return Criterion(CRITERIA["unchanged"], True)
