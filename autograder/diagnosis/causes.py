"""Why answers are wrong, as the grader knows it: from all cases, with the listed mistakes and the right function.

In which order these causes are asked for is written in message.py.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, wraps
from itertools import chain

from .compare import Answer, counts_as, same_answer
from .exercise import SHARES, Exercise, Mistake
from .faults import Fault, attempt
from .likeness import Call, Signature
from .message import Cause, Diagnosis
from .questions import AnsweredQuestion, answer_to
from .raised import raised_at
from .relations import relation, seen_from
from .right_if_altered import as_if, as_if_times, slipped, slipped_twice, step_returned, symptom


class GradersDiagnosis(Diagnosis):
    """The causes of the answers to all questions.

    ``failed`` is the key of the first criterion that they fail, one that answers decide: never "unchanged".
    Whatever raises an error while causes are looked for is added to ``faults``.
    """

    def __init__(
        self, exercise: Exercise, answered: Sequence[AnsweredQuestion], failed: str, faults: list[Fault]
    ) -> None:
        self.exercise, self.answered, self.failed, self.faults = exercise, answered, failed, faults
        self.by_criterion: dict[str, list[AnsweredQuestion]] = {}
        for one in answered:
            self.by_criterion.setdefault(one.counts_for, []).append(one)

    def listed_mistake(self) -> Cause | None:
        """Return the listed mistake that gives the same answers."""
        mistake = self._matching_mistake()
        return Cause(mistake.message, "list", mistake.id) if mistake else None

    def related(self) -> Cause | None:
        """Describe how the answers relate to the right ones over all cases."""
        exercise = self.exercise
        if exercise.rule != "equals":
            return None
        signature = exercise.signature
        seen = [call_from(signature, one) for one in self.answered]
        several = len(exercise.returns) > 1  # of which a relation describes one
        first = [as_relation(exercise, look) for look in ((slipped, slipped_twice) if several else (slipped,))]
        between = [as_relation(exercise, look) for look in (as_if, step_returned, as_if_times, slipped_twice)]
        alone = [as_relation(exercise, as_if, only_formulas=True)]
        words = relation(seen, exercise.returns, signature, between, alone, self.faults, first)
        return Cause(words) if words else None

    def raised_in(self) -> str:
        """Say where the first wrong worked example's error was raised, if it is an error."""
        for one in self.answered:
            if one.is_example and not counts_as(one.answer, one.right):
                return raised_at(one.reply.error_place if one.answer.error else "")
        return ""

    def symptom(self) -> str:
        """Say what all wrong answers have in common, where nothing says why they are wrong; "" for nothing."""
        return attempt("symptom", self.faults, self._in_common) or ""

    def _in_common(self) -> str | None:
        """Return the exercise's sentence that holds for all wrong answers."""
        if self.exercise.rule != "equals" or not self.exercise.symptoms:
            return None
        return symptom(self.exercise, [call_from(self.exercise.signature, one) for one in self.answered])

    def _matching_mistake(self) -> Mistake | None:
        """Return the listed mistake that agrees on the first criterion that fails, and on all before it, or None.

        One that agrees on everything wins, then one that fails at an edge alone, then a slip that explains
        everything. One that agrees on the worked examples alone, and on no unseen input, is another mistake; so is
        one that would fail a criterion that was passed.
        """
        asked = [key for key in SHARES if key in self.by_criterion]
        until_failed = asked[: asked.index(self.failed) + 1]
        agreeing = [one for one in self.exercise.mistakes if self._attempt(self._agrees_on, one, until_failed)]
        on_everything = (one for one in agreeing if self._attempt(self._agrees_on, one, asked))
        on_all_unseen = (one for one in agreeing if self._attempt(self._agrees_on, one, ["example", "unseen"]))
        on_some = (one for one in agreeing if self._attempt(self._agrees_on_some_unseen, one))
        if known := next(chain(on_everything, on_all_unseen), None):
            return known
        return None if agreeing and attempt("slipped", self.faults, self._slipped) else next(on_some, None)

    def _slipped(self) -> bool:
        """Say whether a slip gives all answers: it is the cause, where a listed mistake gives some of them alone."""
        if not self.exercise.slips:
            return False
        return bool(slipped(self.exercise, [call_from(self.exercise.signature, one) for one in self.answered]))

    def _attempt(self, look: Callable, mistake: Mistake, *more: list[str]) -> bool:
        """Say what ``look`` says of a mistake; False, and a fault, if it raises an error."""
        return bool(attempt(mistake.id, self.faults, look, mistake, *more))

    def _agrees_on(self, mistake: Mistake, criteria: list[str]) -> bool:
        """Say whether a mistake gives the student's answers to all questions of these criteria."""
        return all(all(self._agreements(mistake, key)) for key in criteria)

    def _agrees_on_some_unseen(self, mistake: Mistake) -> bool:
        """Say whether a mistake gives an answer of the student's to an unseen input; errors count if all are errors."""
        unseen = self.by_criterion["unseen"]
        errors_count = all(one.answer.error for one in unseen)
        agreements = self._agreements(mistake, "unseen")
        return any(
            agrees and (errors_count or not one.answer.error) for one, agrees in zip(unseen, agreements, strict=True)
        )

    def _agreements(self, mistake: Mistake, criterion: str) -> Iterator[bool]:
        """Say of one question after another whether a mistake gives the student's answer.

        The first excludes most mistakes, so nothing is computed before it is needed.
        """
        asked = self.by_criterion[criterion]
        given: Iterable[Answer] = (answer_to(one.case, mistake.wrong) for one in asked)
        if criterion == "example":
            given = answers_to_ordinary_examples(self.exercise, mistake)
        return (agree(one.answer, answer, one.right) for one, answer in zip(asked, given, strict=True))


@lru_cache(maxsize=1024)  # enough for the mistakes of a chapter or two
def answers_to_ordinary_examples(exercise: Exercise, mistake: Mistake) -> list[Answer]:
    """Return a mistake's answers to the worked examples that count as such, which never change.

    Those of an edge count as edges (Question.counts_for).
    """
    return [answer_to(case, mistake.wrong) for case in exercise.examples if not case.edge]


def agree(answer: Answer, wrong: Answer, right: Answer) -> bool:
    """Say whether two answers are the same; if an error is right, any message will do."""
    if right.error and answer.error and wrong.error and answer.error[0] == wrong.error[0] == right.error[0]:
        return True
    return same_answer(answer, wrong)


def call_from(signature: Signature, one: AnsweredQuestion) -> Call:
    """Assemble an answered question for the relations."""
    changed = one.changed_argument is not None
    return seen_from(signature, one.case.args, one.case.kwargs, one.answer, one.right, one.is_example, changed)


def as_relation(exercise: Exercise, look: Callable, **options: bool) -> Callable:
    """Turn a search that needs the exercise into a relation, which gets the names of the results and the signature."""

    @wraps(look)
    def relation_of_exercise(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
        return look(exercise, seen, **options)

    return relation_of_exercise
