"""Why answers are wrong, as the grader knows it: from all cases, with the listed mistakes and the right function.

In which order these causes are asked for is written in message.py.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, wraps
from itertools import chain

import numpy as np

from .compare import Answer, counts_as, same_answer
from .exercise import SHARES, Exercise, Mistake
from .faults import Fault, attempt
from .message import Cause, Diagnosis
from .questions import AnsweredQuestion, answer_to
from .raised import raised_at
from .relations import relation, seen_from
from .right_if_altered import as_if, as_if_times, step_returned
from .untouched import identical


class GradersDiagnosis(Diagnosis):
    """The causes of the answers to all questions; ``failed`` is the first criterion that they fail.

    Whatever raises an error while they are looked for is added to ``faults``.
    """

    def __init__(
        self, exercise: Exercise, answered: Sequence[AnsweredQuestion], failed: str, faults: list[Fault]
    ) -> None:
        self.exercise, self.answered, self.failed, self.faults = exercise, answered, failed, faults

    def listed_mistake(self) -> Cause | None:
        """Return the listed mistake that gives the same answers."""
        mistake = listed_mistake(self.exercise, self.answered, self.failed, self.faults)
        return Cause(mistake.message, "list", mistake.id) if mistake else None

    def related(self) -> Cause | None:
        """Describe how the answers relate to the right ones over all cases."""
        words = related(self.exercise, self.answered, self.faults)
        return Cause(words) if words else None

    def raised_in(self) -> str:
        """Say where the first wrong worked example's error was raised, if it is an error."""
        for one in self.answered:
            if one.is_example and not counts_as(one.answer, one.right):
                return raised_at(one.reply.error_place if one.answer.error else "")
        return ""


@lru_cache(maxsize=1024)  # enough for the mistakes of a chapter or two
def answers_to_examples(exercise: Exercise, mistake: Mistake) -> list:
    """Return a mistake's answers to the worked examples, which never change."""
    return [answer_to(case, mistake.wrong) for case in exercise.examples if not case.edge]


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
