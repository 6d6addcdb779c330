"""Describes what an unlisted wrong answer does, in a short form that can be compared across a class.

Unseen inputs differ between students, so such an answer is called once more, after everything that counts, with inputs
that are the same for all. They need not be secret: no mark, status or message depends on the outcome, and no student is
shown any of it. They come from a fixed seed, so answers graded today can be compared with those graded before.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.course.course import Assignment
from autograder.diagnosis.compare import MOST_RESULTS, Answer, mismatch, numbers
from autograder.diagnosis.difference import kind_of
from autograder.diagnosis.exercise import CRITERIA, Exercise
from autograder.diagnosis.faults import Fault
from autograder.diagnosis.questions import AnsweredQuestion, Question, Reply, questions_of
from autograder.diagnosis.rules import problem, sentence
from autograder.diagnosis.verdict import Verdict
from autograder.errors import InfrastructureError
from autograder.plain import join_first
from autograder.sandbox import Calls
from autograder.sandbox.host.sandbox import Sandbox

SEED = int.from_bytes(b"alike")
MAX_NUMBER = 1e100  # of a number: sums of larger ones overflow
DIGITS = 6  # that are kept of a number
LABELS = 4  # edges that are named
EXERCISES_KEPT = 32  # whose shared questions are kept: a chapter has seven
# The largest difference that rounding can explain: float32 has relative steps of 1.2e-7, and
# sums accumulate them. Twice the judge's tolerance, because here both sides may be rounded.
ABSOLUTE, RELATIVE = 5e-7, 1e-5


def behaviours(
    box: Sandbox, assignment: Assignment, verdicts: list[Verdict], faults: dict[str, list[Fault]]
) -> dict[str, dict]:
    """Describe each wrong answer that no list names; return ``{exercise: description}``.

    No mark may depend on this: if something fails here, the answer has no description, and ``faults`` names the error.
    After one timeout no more questions are put, so the whole costs at most one time limit.
    """
    found = {}
    for checkpoint, verdict in enumerate(verdicts):
        if is_unnamed(verdict):
            exercise = assignment.exercises[verdict.name]
            try:
                outcome = box.run(shared_questions(exercise, checkpoint)[0])
                if not outcome.completed:
                    return found
                if not outcome.missing:
                    found[verdict.name] = behaviour(exercise, checkpoint, outcome.answers)
            except InfrastructureError:
                return found
            except Exception as error:
                faults[verdict.name].append(Fault("behaviour", type(error).__name__))
    return found


def is_unnamed(verdict: Verdict) -> bool:
    """Say whether an answer is wrong and no listed mistake explains it."""
    if verdict.mistake or verdict.status not in ("graded", "error"):
        return False
    return any(not criterion.passed for criterion in verdict.criteria if criterion.name != CRITERIA["unchanged"])


@lru_cache(maxsize=EXERCISES_KEPT)
def shared_questions(exercise: Exercise, checkpoint: int) -> tuple[Calls, tuple[Question, ...]]:
    """Return what every student is asked, as calls and as questions."""
    questions = questions_of(exercise, SEED)
    calls = [(question.case.args, question.case.kwargs) for question in questions]
    return Calls(exercise.name, calls, checkpoint, alone=True), questions


def behaviour(exercise: Exercise, checkpoint: int, answers: Sequence[Any]) -> dict[str, Any]:
    """Describe an answer to the shared questions.

    ``kind`` is a hash of everything exact: errors, shapes, texts, the places of NaN. ``numbers`` holds two per array, a
    weighted mean and the largest; they agree for answers that differ only by rounding. The rest is words.
    """
    _, questions = shared_questions(exercise, checkpoint)
    answered = [question.answered(Reply(answer)) for question, answer in zip(questions, answers, strict=True)]
    traits = [traits_of(one.answer, one.right) for one in answered]
    if exercise.rule != "equals":  # many answers are right, many wrong in the same way: compare the message
        traits = [(sentence_about(exercise, one), []) for one in answered]
    exact = [kinds for kinds, _ in traits]
    return {
        "kind": hashlib.sha256(repr(exact).encode()).hexdigest()[:12],
        "numbers": [float(f"{number:.{DIGITS}g}") for _, found in traits for number in found],
        **describe_behaviour(exercise, answered),
    }


def traits_of(answer: Answer, right: Answer) -> tuple[Any, list[float]]:
    """Return the exact traits of one answer, and its numbers."""
    if answer.error:
        return ("raises", answer.error[0], mismatch(answer.error)), []
    several = isinstance(right.value, tuple) and isinstance(answer.value, (tuple, list))
    parts = answer.value[:MOST_RESULTS] if several else [answer.value]
    found = [traits_of_part(part) for part in parts]
    return [len(answer.value) if several else 1, *(kind for kind, _ in found)], [n for _, some in found for n in some]


def traits_of_part(part: Any) -> tuple[Any, list[float]]:
    """Return the exact traits of one result, and its numbers."""
    if isinstance(part, dict):
        keys = sorted(part, key=repr)
        kind, found = traits_of_part([part[key] for key in keys])
        return ("dictionary", hash_of_data(keys), kind), found
    array = numbers(part)
    if array is None:
        return (kind_of(part), hash_of_data(part) if isinstance(part, (str, list, tuple)) else ""), []
    if array.dtype.kind == "b":
        return ("truths", array.shape, hashlib.sha256(array.tobytes()).hexdigest()), []
    array = array.astype(float)
    finite = np.isfinite(array)
    special = np.isnan(array) + 2 * np.isposinf(array) + 3 * np.isneginf(array)
    special = "" if finite.all() else hashlib.sha256(special.tobytes()).hexdigest()
    return ("numbers", array.shape, special), two_numbers(np.where(finite, array, 0.0))


def two_numbers(array: np.ndarray) -> list[float]:
    """Return a weighted mean of an array, with a different weight for each place, and its largest absolute number."""
    if not array.size:
        return [0.0, 0.0]
    flat = np.clip(array.ravel(), -MAX_NUMBER, MAX_NUMBER)
    weights = 0.5 + np.arange(1, flat.size + 1) * (np.sqrt(5) - 1) / 2 % 1  # from the golden ratio: no two are equal
    return [float(np.mean(weights * flat)), float(np.abs(flat).max())]


def hash_of_data(value: Any) -> str:
    """Return a hash of plain data."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:12]


def describe_behaviour(exercise: Exercise, answered: Sequence[AnsweredQuestion]) -> dict[str, Any]:
    """Return ``where`` answers are wrong, and ``what`` is wrong with the first.

    A text, or an error's message, may be the student's own words, so neither is quoted; numbers come from worked
    examples only.
    """
    pairs = [(one, sentence_about(exercise, one)) for one in answered]
    groups = [
        name_questions("the worked example", [said for one, said in pairs if one.counts_for == "example"]),
        name_questions("unseen inputs", [said for one, said in pairs if one.counts_for == "unseen"]),
        name_edges([(one.case.label, said) for one, said in pairs if one.counts_for == "edges"]),
    ]
    wrong, right = ([group[side] for group in groups if group[side]] for side in (0, 1))
    if not wrong:
        return {"where": "", "what": ""}
    where = f"Wrong: {', '.join(wrong)}." + (f" Right: {', '.join(right)}." if right else "")
    first = next(one for one, said in pairs if said)
    said = sentence_about(exercise, first, visible=first.is_example and only_numbers(first.answer, first.right))
    return {"where": where, "what": sentence(said or "", "" if first.criterion == "unseen" else first.case.label)}


def sentence_about(exercise: Exercise, one: AnsweredQuestion, visible: bool = False) -> str | None:
    """Return the judge's sentence about an answer, without the message of its error; None for a right answer."""
    return problem(
        without_message(one.answer), one.right, one.case.args, exercise.rule, exercise.returns, visible=visible
    )


def without_message(answer: Answer) -> Answer:
    """Return an answer without the message of its error."""
    return Answer(error=(answer.error[0], "")) if answer.error else answer


def only_numbers(answer: Answer, right: Answer) -> bool:
    """Say whether the sentence about an answer would quote numbers only."""
    values = answer.value if isinstance(right.value, tuple) and isinstance(answer.value, tuple) else [answer.value]
    return not answer.error and not right.error and all(numbers(value) is not None for value in values)


def name_questions(where: str, found: list[str | None]) -> tuple[str, str]:
    """Name a kind of questions, as ``(wrong, right)``, by what is wrong with each; "" for none."""
    wrong = sum(map(bool, found))
    if wrong in (0, len(found)):
        return (where, "") if wrong else ("", where if found else "")
    return f"{wrong} of {len(found)} of {where}", ""


def name_edges(found: list[tuple[str, str | None]]) -> tuple[str, str]:
    """Name the edges, ``(label, what is wrong)``, as ``(wrong, right)``; one may be both shown and asked unseen."""
    wrong = list(dict.fromkeys(label for label, said in found if said))
    if not wrong or all(said for _, said in found):
        return name_questions("the edges", [said for _, said in found])
    named = join_first([f"“{label}”" for label in wrong], LABELS)
    return f"the edge{'s' if len(wrong) > 1 else ''} {named}", "the other edges"
