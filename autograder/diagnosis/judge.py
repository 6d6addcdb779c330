"""Turns answers into a verdict: criteria, points, and the mistake that explains them. Runs on the trusted side only."""

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache, wraps
from itertools import chain

import numpy as np

from .as_arrays import as_arrays
from .compare import Answer, ask, counts_as, same_answer
from .exercise import CRITERIA, KEPT, SHARES, Case, Exercise, Mistake
from .faults import Fault, attempt
from .raised import raised_at
from .relations import relation, seen_from
from .right_if_altered import as_if, as_if_times, step_returned
from .rules import problem, sentence
from .untouched import changed_argument, copied_arguments, identical
from .verdict import Criterion, Verdict

LATER = "Counts once the answers are right."
SEVERAL_ERRORS = ("an error", "not always the same error on the same line")


@dataclass(frozen=True)
class Reply:
    """What one case gave: the answer, and the arguments as they were after the call.

    ``shown`` is what may be said of an error; its own text serves only to recognise mistakes. ``place`` is its line, if
    that may be said. ``is_right`` says that the answer was compared before, and is right.
    """

    answer: Answer
    arguments: tuple | None = None
    shown: str = ""
    place: str = ""
    is_right: bool = False


def judge(exercise: Exercise, seed: int, replies: list[Reply]) -> Verdict:
    """Judge the replies to ``exercise.questions(seed)``, in the same order.

    Errors: ValueError if the replies are not as many as the questions.
    """
    questions = exercise.questions(seed)
    if len(replies) != len(questions):
        raise ValueError(
            f"expected {len(questions)} replies for {exercise.name}, got {len(replies)}: ask every question once"
        )
    pairs = zip(replies, right_answers(exercise, seed), strict=True)
    replies = [replace(reply, answer=as_arrays(reply.answer, right)) for reply, right in pairs]
    if not_attempted(replies):
        return unanswered(
            exercise,
            "not_attempted",
            "Not attempted yet: the function still raises NotImplementedError, or calls one that does.",
        )
    return conclude(exercise, seed, replies, criteria_of(exercise, seed, replies))


def criteria_of(exercise: Exercise, seed: int, replies: list[Reply]) -> list[Criterion]:
    """Return the four criteria, each with its problem."""
    questions = exercise.questions(seed)
    problems = [*problems_with(exercise, seed, replies, True), *problems_with(exercise, seed, replies, False)]
    criteria = [criterion_of(name, questions, problems) for name in ("example", "unseen", "edges")]
    return [*criteria, unchanged(questions, replies, agrees=criteria[1].passed)]


def share_earned(criteria: list[Criterion]) -> float:
    """Return the share of the points that these criteria earn."""
    passed = {criterion.name: criterion.passed for criterion in criteria}
    earned = sum(SHARES[name] for name in SHARES if passed[CRITERIA[name]]) if passed[CRITERIA["unseen"]] else 0.0
    return round(earned, 9)  # tenths do not add up to one exactly


def problems_with(exercise: Exercise, seed: int, replies: list[Reply], examples: bool) -> list[str | None]:
    """Return the problem with each reply, or None for a right one: worked examples or the hidden cases.

    ``replies`` are those asked for, or all.
    """
    asked = [
        (case, right)
        for (criterion, case), right in zip(exercise.questions(seed), right_answers(exercise, seed), strict=True)
        if (criterion == "example") is examples
    ]
    given = replies[: len(asked)] if examples else replies[len(replies) - len(asked) :]
    answers = as_shown(given, [right for _, right in asked], examples)
    return [
        None
        if reply.is_right
        else problem(as_arrays(answer, right), right, case.args, exercise.rule, exercise.returns, visible=examples)
        for reply, answer, (case, right) in zip(given, answers, asked, strict=True)
    ]


def compared(exercise: Exercise, seed: int, replies: list[Reply], examples: bool) -> list[Reply]:
    """Return the replies to the worked examples, or to all other questions, with the right ones marked."""
    found = problems_with(exercise, seed, replies, examples)
    return [replace(reply, is_right=why is None) for reply, why in zip(replies, found, strict=True)]


@lru_cache(maxsize=KEPT)
def right_answers(exercise: Exercise, seed: int) -> list[Answer]:
    """Return the reference's answers to all questions of one submission."""
    return [answer_to(case, exercise.reference) for _, case in exercise.questions(seed)]


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


def seen(exercise: Exercise, mistake: Mistake) -> str:
    """Return what a student sees of a mistake: the problem with its answer to the first worked example that shows it.

    For a mistake that no worked example shows, its ``sees``.
    """
    for case in exercise.examples:
        right = answer_to(case, exercise.reference)
        answer = as_arrays(answer_to(case, mistake.wrong), right)
        if not mistake.edge and (found := problem(answer, right, case.args, exercise.rule, exercise.returns, True)):
            return sentence(found)
    return mistake.sees


def as_shown(replies: list[Reply], right: list[Answer], examples: bool) -> list[Answer]:
    """Return the replies with errors as students may see them.

    On unseen inputs the type and line of an error raised on purpose could leak them: they are named only if
    all failing calls raise the same error on the same line.
    """
    errors = [
        (reply.answer.error[0], reply.shown) if reply.answer.error and not counts_as(reply.answer, wanted) else None
        for reply, wanted in zip(replies, right, strict=True)
    ]
    if not examples and len({*errors} - {None}) > 1:
        errors = [error and SEVERAL_ERRORS for error in errors]
    return [
        Answer(error=error, raised=reply.answer.raised) if error else reply.answer
        for error, reply in zip(errors, replies, strict=True)
    ]


def conclude(exercise: Exercise, seed: int, replies: list[Reply], criteria: list[Criterion]) -> Verdict:
    """Turn criteria into a score, a status and a message."""
    passed = {criterion.name: criterion.passed for criterion in criteria}
    failed = next((name for name in SHARES if not passed[CRITERIA[name]]), None)
    pairs = zip(exercise.questions(seed), replies, strict=True)
    failing = [reply for (name, case), reply in pairs if counts_for(name, case) == failed]
    faults: list[Fault] = []
    mistake, cause = cause_of(exercise, seed, replies, failed, faults)
    first = next((criterion.message for criterion in criteria if not criterion.passed), "Right.")
    raised = any(reply.answer.error for reply in failing)
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
    exercise: Exercise, seed: int, replies: list[Reply], failed: str | None, faults: list[Fault]
) -> tuple[Mistake | None, str | None]:
    """Return the listed mistake that explains the answers and what is told of them, or None for what is not known.

    Whatever raises an error here is added to ``faults``, and costs its sentence alone.
    """
    if failed not in ("example", "unseen", "edges"):
        return None, None
    mistake = attempt("listed_mistake", faults, listed_mistake, exercise, seed, replies, failed, faults)
    cause = mistake.message if mistake else attempt("related", faults, related, exercise, seed, replies, faults)
    place = attempt("raised_in", faults, raised_in, exercise, seed, replies) if cause else None
    return mistake, f"{cause}{place or ''}" if cause else None


def raised_in(exercise: Exercise, seed: int, replies: list[Reply]) -> str:
    """Say where the first wrong worked example's error was raised, if it is an error."""
    triples = zip(exercise.questions(seed), replies, right_answers(exercise, seed), strict=True)
    for (criterion, _), reply, right in triples:
        if criterion == "example" and not counts_as(reply.answer, right):
            return raised_at(reply.place if reply.answer.error else "")
    return ""


def listed_mistake(
    exercise: Exercise, seed: int, replies: list[Reply], failed: str, faults: list[Fault]
) -> Mistake | None:
    """Return the listed mistake that agrees on the first criterion that fails, or None.

    One that agrees on everything wins. One that agrees on the worked examples alone, and on no unseen input, is another
    mistake; so is one that would fail a criterion that was passed.
    """
    asked = {}
    triples = zip(exercise.questions(seed), replies, right_answers(exercise, seed), strict=True)
    for (criterion, case), reply, right in triples:
        asked.setdefault(counts_for(criterion, case), []).append((case, reply.answer, right))

    def agreed(mistake: Mistake, criterion: str) -> Iterator[bool]:  # one at a time: the first excludes most mistakes
        wrong = (answer_to(case, mistake.wrong) for case, _, _ in asked[criterion])
        if criterion == "example":
            wrong = answers_to_examples(exercise, mistake)
        return (agree(answer, one, right) for (_, answer, right), one in zip(asked[criterion], wrong, strict=True))

    def agreed_on_all(mistake: Mistake, names: Iterable[str]) -> bool:
        return all(all(agreed(mistake, name)) for name in names)

    def agreed_on_some(mistake: Mistake) -> bool:
        computed = [not answer.error for _, answer, _ in asked["unseen"]]
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


def related(exercise: Exercise, seed: int, replies: list[Reply], faults: list[Fault]) -> str | None:
    """Describe how the answers relate to the right ones over all cases; None if nothing is known."""
    if exercise.rule != "equals":
        return None
    signature = exercise.signature
    seen = []
    for (criterion, case), right, reply in zip(
        exercise.questions(seed), right_answers(exercise, seed), replies, strict=True
    ):
        changed = not all(map(identical, case.args, reply.arguments or case.args))
        seen.append(seen_from(signature, case.args, case.kwargs, reply.answer, right, criterion == "example", changed))

    def with_the_reference(look: Callable, **options: bool) -> Callable:
        return wraps(look)(lambda calls, *_: look(exercise, calls, **options))

    between = [with_the_reference(look) for look in (as_if, step_returned, as_if_times)]
    alone = [with_the_reference(as_if, only_formulas=True)]
    return relation(seen, exercise.returns, signature, between, alone, faults)


def not_attempted(replies: list[Reply]) -> bool:
    """Say whether the function is still the released stub."""
    return bool(replies) and all((reply.answer.error or ("",))[0] == "NotImplementedError" for reply in replies)


def unanswered(exercise: Exercise, status: str, message: str) -> Verdict:
    """Return the verdict on an exercise without answers to judge."""
    criteria = tuple(Criterion(name, False, message) for name in CRITERIA.values())
    return Verdict(exercise.name, status, 0.0, float(exercise.points), None, message, criteria, told_by="status")


def counts_for(criterion: str, case: Case) -> str:
    """Return the criterion that a question counts for: a worked example of an edge counts as an edge."""
    return "edges" if case.edge else criterion


def criterion_of(name: str, questions: list[tuple[str, Case]], problems: list[str | None]) -> Criterion:
    """Judge one criterion by its first problem."""
    for (criterion, case), found in zip(questions, problems, strict=True):
        if counts_for(criterion, case) == name and found:
            place = {"example": f"example: {case.label}", "edges": f"edge: {case.label}"}.get(name, "")
            return Criterion(CRITERIA[name], False, sentence(found, place))
    return Criterion(CRITERIA[name], True)


def unchanged(questions: list[tuple[str, Case]], replies: list[Reply], agrees: bool) -> Criterion:
    """Judge whether every argument came back unchanged. Not earned if the answers are wrong anyway."""
    if not agrees:
        return Criterion(CRITERIA["unchanged"], False, LATER)
    for (_, case), reply in zip(questions, replies, strict=True):
        after = reply.arguments or ()
        after = after if len(after) == len(case.args) else (None,) * len(case.args)
        if changed := changed_argument(case.args, after):
            kind, look = changed
            said = f"The function changes {kind} that it was given, which its caller may still need. Look for {look}."
            return Criterion(CRITERIA["unchanged"], False, said)
    return Criterion(CRITERIA["unchanged"], True)


def copied(case: Case) -> tuple[np.ndarray]:
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
