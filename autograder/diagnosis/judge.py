"""Turns answers into a verdict: criteria, points, and the mistake that explains them. Runs on the trusted side only.

A grading is one list, built once for an exercise and a submission, from which everything here is computed:

    Question          the criterion that it was drawn for, its case, the right answer
    AnsweredQuestion  the same, and the reply; worked examples come first
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from itertools import chain
from typing import Any

import numpy as np

from .as_arrays import as_arrays
from .compare import Answer, ask, counts_as, same_answer
from .exercise import CRITERIA, SHARES, Case, Exercise, Mistake
from .faults import Fault, attempt
from .raised import raised_at
from .relations import relation, seen_from
from .right_if_altered import as_if, as_if_times, step_returned
from .rules import problem, sentence
from .untouched import changed_argument, copied_arguments, identical
from .verdict import Criterion, Verdict

NOT_EARNED_YET = "Counts once the answers are right."
DIFFERENT_ERRORS = ("an error", "not always the same error on the same line")


@dataclass(frozen=True)
class Reply:
    """What one case gave: the answer, and the arguments as they were after the call.

    ``error_words`` is what may be said of an error; its own text serves only to recognise mistakes. ``error_place`` is
    its line, if that may be said. ``is_right`` says that the answer was compared before, and is right.
    """

    answer: Answer
    arguments: tuple | None = None
    error_words: str = ""
    error_place: str = ""
    is_right: bool = False


@dataclass(frozen=True)
class Question:
    """One question of a grading: the criterion that it was drawn for, its case, and the right answer."""

    criterion: str
    case: Case
    right: Answer

    @property
    def is_example(self) -> bool:
        """Whether students see it: it is a worked example."""
        return self.criterion == "example"

    @property
    def counts_for(self) -> str:
        """The criterion that it counts for: a worked example of an edge counts as an edge."""
        return "edges" if self.case.edge else self.criterion

    def answered(self, reply: Reply) -> "AnsweredQuestion":
        """Return the question with a reply, whose answer is an array where the right one is."""
        reply = replace(reply, answer=as_arrays(reply.answer, self.right))
        return AnsweredQuestion(self.criterion, self.case, self.right, reply)


@dataclass(frozen=True)
class AnsweredQuestion(Question):
    """A question and the reply to it."""

    reply: Reply

    @property
    def answer(self) -> Answer:
        """The student's answer."""
        return self.reply.answer


def questions_of(exercise: Exercise, seed: int) -> tuple[Question, ...]:
    """Return all questions of one submission with their right answers, in the order of ``exercise.questions``."""
    return tuple(
        Question(criterion, case, answer_to(case, exercise.reference)) for criterion, case in exercise.questions(seed)
    )


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


@lru_cache(maxsize=1024)  # enough for the mistakes of a chapter or two
def answers_to_examples(exercise: Exercise, mistake: Mistake) -> list:
    """Return a mistake's answers to the worked examples, which never change."""
    return [answer_to(case, mistake.wrong) for case in exercise.examples if not case.edge]


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
    mistake, cause = cause_of(exercise, answered, failed, faults)
    first = next((criterion.message for criterion in criteria if not criterion.passed), "Right.")
    raised = any(one.answer.error for one in answered if one.counts_for == failed)
    return Verdict(
        name=exercise.name,
        status="error" if raised and not passed[CRITERIA["unseen"]] else "graded",
        score=round(exercise.points * share_earned(criteria), 2),
        points=float(exercise.points),
        mistake=mistake.id if mistake else None,
        message=cause or first,
        criteria=tuple(criteria),
        told_by="list" if mistake else "relation" if cause else "criterion",
        faults=tuple(dict.fromkeys(faults)),
    )


def cause_of(
    exercise: Exercise, answered: Sequence[AnsweredQuestion], failed: str | None, faults: list[Fault]
) -> tuple[Mistake | None, str | None]:
    """Return the listed mistake that explains the answers and what is told of them, or None for what is not known.

    Whatever raises an error here is added to ``faults``, and costs its sentence alone.
    """
    if failed not in ("example", "unseen", "edges"):
        return None, None
    mistake = attempt("listed_mistake", faults, listed_mistake, exercise, answered, failed, faults)
    cause = mistake.message if mistake else attempt("related", faults, related, exercise, answered, faults)
    place = attempt("raised_in", faults, raised_in, answered) if cause else None
    return mistake, f"{cause}{place or ''}" if cause else None


def raised_in(answered: Sequence[AnsweredQuestion]) -> str:
    """Say where the first wrong worked example's error was raised, if it is an error."""
    for one in answered:
        if one.is_example and not counts_as(one.answer, one.right):
            return raised_at(one.reply.error_place if one.answer.error else "")
    return ""


def listed_mistake(
    exercise: Exercise, answered: Sequence[AnsweredQuestion], failed: str, faults: list[Fault]
) -> Mistake | None:
    """Return the listed mistake that agrees on the first criterion that fails, or None.

    One that agrees on everything wins. One that agrees on the worked examples alone, and on no unseen input, is another
    mistake; so is one that would fail a criterion that was passed.
    """
    asked: dict[str, list[AnsweredQuestion]] = {}
    for one in answered:
        asked.setdefault(one.counts_for, []).append(one)

    def agreed(mistake: Mistake, criterion: str) -> Iterator[bool]:  # one at a time: the first excludes most mistakes
        wrong: Iterable[Answer] = (answer_to(one.case, mistake.wrong) for one in asked[criterion])
        if criterion == "example":
            wrong = answers_to_examples(exercise, mistake)
        return (agree(one.answer, answer, one.right) for one, answer in zip(asked[criterion], wrong, strict=True))

    def agreed_on_all(mistake: Mistake, names: Iterable[str]) -> bool:
        return all(all(agreed(mistake, name)) for name in names)

    def agreed_on_some(mistake: Mistake) -> bool:
        computed = [not one.answer.error for one in asked["unseen"]]
        counts = computed if any(computed) else [True] * len(computed)
        return any(np.logical_and([*agreed(mistake, "unseen")], counts))

    asked_for = [name for name in SHARES if name in asked]
    up_to = asked_for[: asked_for.index(failed) + 1]
    agreeing = [one for one in exercise.mistakes if attempt(one.id, faults, agreed_on_all, one, up_to)]
    on_everything = (one for one in agreeing if attempt(one.id, faults, agreed_on_all, one, asked))
    on_some = (one for one in agreeing if attempt(one.id, faults, agreed_on_some, one))
    return next(chain(on_everything, on_some), None)


def agree(answer: Answer, wrong: Answer, right: Answer) -> bool:
    """Say whether two answers are the same; if an error is right, any message will do."""
    if right.error and answer.error and wrong.error and answer.error[0] == wrong.error[0] == right.error[0]:
        return True
    return same_answer(answer, wrong)


def related(exercise: Exercise, answered: Sequence[AnsweredQuestion], faults: list[Fault]) -> str | None:
    """Describe how the answers relate to the right ones over all cases; None if nothing is known."""
    if exercise.rule != "equals":
        return None
    signature = exercise.signature
    calls = []
    for one in answered:
        args = one.case.args
        changed = not all(map(identical, args, one.reply.arguments or args))
        calls.append(seen_from(signature, args, one.case.kwargs, one.answer, one.right, one.is_example, changed))

    def with_the_reference(look: Callable, **options: bool) -> Callable:
        return wraps(look)(lambda calls, *_: look(exercise, calls, **options))

    between = [with_the_reference(look) for look in (as_if, step_returned, as_if_times)]
    alone = [with_the_reference(as_if, only_formulas=True)]
    return relation(calls, exercise.returns, signature, between, alone, faults)


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


def copied(case: Case) -> tuple[Any, ...]:
    """Return fresh copies of a case's arguments."""
    return copied_arguments(case.args)


def reply_of(function: Callable, case: Case) -> Reply:
    """Put one case to a function in this process. Only for trusted code, or code that stock nbgrader grades."""
    args = copied(case)
    answer = ask(function, args, deepcopy(case.kwargs))  # the next function gets what this one was given
    return Reply(answer, args, answer.error[1] if answer.error else "")


def answer_to(case: Case, function: Callable) -> Answer:
    """Return a function's answer to a case; the case itself stays unchanged."""
    return reply_of(function, case).answer
