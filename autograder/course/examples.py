"""Writes examples.json: each exercise's worked examples, and what listed mistakes and wrong formulas answer to them."""

import json
from typing import Any

import numpy as np

from autograder.diagnosis import compare
from autograder.diagnosis.compare import Answer, ask, numbers, same_answer
from autograder.diagnosis.exercise import Case, Exercise, Mistake
from autograder.diagnosis.judge import shown_by
from autograder.diagnosis.likeness import values_of
from autograder.diagnosis.one_by_one import one_by_one
from autograder.diagnosis.questions import answer_to, copied
from autograder.diagnosis.relations import by_name
from autograder.errors import CourseError
from autograder.step_table import StepTable

OF_WRONG = 7  # decimals of a wrong answer, which is only compared: off by a quarter of ABSOLUTE_TOLERANCE at most


def examples(exercises: dict[str, Exercise]) -> str:
    """Return examples.json: each exercise's worked examples, and what known wrong versions answer to them.

    Errors: CourseError, which names the exercise whose examples, or whose mistakes' answers to them, are no plain data.
    """
    entries = []
    for name, exercise in exercises.items():
        try:
            entries.append(f"{json.dumps(name)}: {example_entry(exercise)}")
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            raise CourseError(
                f"{name}: its examples and its mistakes' answers to them cannot be stored: {said}"
            ) from error
    return "{\n" + ",\n".join(entries) + "\n}\n"


def example_entry(exercise: Exercise) -> str:
    """Write one exercise, with each case, mistake and wrong formula in a line."""
    by_value = exercise.rule == "equals"  # an answer judged by effect is not given away
    cases = [
        {
            "label": case.label,
            "args": [plain(arg) for arg in case.args],
            "kwargs": {name: plain(value) for name, value in case.kwargs.items()},
            "answer": plain_answer(ask(exercise.reference, case.args, case.kwargs) if by_value else Answer()),
            **({"apart": True} if by_value and comes_apart(exercise, case) else {}),
        }
        for case in exercise.examples
    ]
    mistakes = [
        {"id": mistake.id, "message": mistake.message, "answers": wrong_ones(exercise, shown_by(exercise, mistake))}
        for mistake in exercise.mistakes
        if shows_in_examples(exercise, mistake)
    ]
    formulas = [
        {"words": words, "answers": wrong_ones(exercise, answers)} for words, answers in told_formulas(exercise).items()
    ]
    rows = {
        name: ",\n    ".join(json.dumps(row, allow_nan=False, separators=(",", ":")) for row in items)
        for name, items in (("cases", cases), ("mistakes", mistakes), ("formulas", formulas))
    }
    return (
        f'{{\n  "signature": {json.dumps({name: plain(value) for name, value in exercise.signature.items()})},\n'
        f'  "returns": {json.dumps(exercise.returns)},\n  "rule": {json.dumps(exercise.rule)},\n'
        f'  "cases": [\n    {rows["cases"]}\n  ],\n  "mistakes": [\n    {rows["mistakes"]}\n  ],\n'
        f'  "formulas": [\n    {rows["formulas"]}\n  ]\n}}'
    )


def wrong_ones(exercise: Exercise, answers: list[Answer]) -> list[dict[str, Any]]:
    """Return a wrong version's answers to the first worked examples as plain data, {} for what is right."""
    if exercise.rule != "equals":
        return [plain_answer(answer, decimals=OF_WRONG) for answer in answers]
    return [what_is_wrong(*pair) for pair in zip(answers, right_ones(exercise), strict=False)]


def what_is_wrong(answer: Answer, right: Answer) -> dict[str, Any]:
    """Return an answer as plain data; in place of it, or of one of several results, {} says that it is right."""
    if same_answer(answer, right):
        return {}
    both = answer.value, right.value
    if not all(isinstance(value, tuple) for value in both) or len(answer.value) != len(right.value):
        return plain_answer(answer, decimals=OF_WRONG)
    results = [{} if compare.same(*pair) else plain(pair[0], decimals=OF_WRONG) for pair in zip(*both, strict=True)]
    return {"value": {"tuple": results}}


def told_formulas(exercise: Exercise) -> dict[str, list[Answer]]:
    """Return what formulas with one thing wrong answer to the worked examples, by their words.

    Without those that the examples cannot tell from the right one, or from another, and those that give a few whole
    numbers or truths alone, which other formulas may give by chance.
    """
    found = {
        words: [ask(formula, (), by_name(exercise.signature, copied(case), case.kwargs)) for case in exercise.examples]
        for words, formula in exercise.wrong_formulas
    }
    others = [right_ones(exercise), *found.values()]
    return {
        words: answers
        for words, answers in found.items()
        if sum(all(map(same_answer, answers, other)) for other in others) == 1  # itself
        and any(map(tells_much, answers))
    }


def tells_much(answer: Answer) -> bool:
    """Say whether an answer holds a number that is not whole, or a table of numbers, or is a list of texts."""
    if compare.holds_texts(answer.value):
        return True
    found = [one for value in values_of(answer.value) if (one := numbers(value)) is not None and one.dtype.kind != "b"]
    return any(one.ndim > 1 or bool((one % 1 != 0).any()) for one in found)


def right_ones(exercise: Exercise) -> list[Answer]:
    """Return the right answers to the worked examples."""
    return [answer_to(case, exercise.reference) for case in exercise.examples]


def comes_apart(exercise: Exercise, case: Case) -> bool:
    """Say whether the right answer to an example with leading axes holds those to each of its sentences alone."""
    right = answer_to(case, exercise.reference)
    alone = list(one_by_one(exercise.signature, copied(case), case.kwargs, right))
    return bool(alone) and all(
        compare.counts_as(ask(exercise.reference, args, kwargs), part) for args, kwargs, part in alone
    )


def shows_in_examples(exercise: Exercise, mistake: Mistake) -> bool:
    """Say whether a mistake gives a wrong answer to some worked example; others show only on unseen inputs."""
    return any(
        not compare.counts_as(answer_to(case, mistake.wrong), answer_to(case, exercise.reference))
        for case in exercise.examples
    )


def plain_answer(answer: Answer, decimals: int = 12) -> dict[str, Any]:
    """Convert an Answer to plain data."""
    return {"error": list(answer.error)} if answer.error else {"value": plain(answer.value, decimals)}


def plain(value: Any, decimals: int = 12) -> Any:
    """Convert a value to plain data that selfcheck.decode reads.

    Twelve decimals: the last bits differ between machines, but the released file must not.
    """
    if isinstance(value, np.ndarray | np.generic):
        rounded = np.round(value, decimals) + 0 if value.dtype.kind == "f" else value
        kind = {} if value.dtype == float else {"dtype": str(value.dtype)}
        shape = {} if value.size else {"shape": list(value.shape)}  # otherwise its lists say it
        return {"array": finite(rounded.tolist()), **kind, **shape}
    if isinstance(value, float):
        return round(value, decimals) if np.isfinite(value) else plain(np.float64(value))
    if isinstance(value, StepTable):
        return {"step": value.as_lists()}
    if isinstance(value, tuple):
        return {"tuple": [plain(item, decimals) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[key, plain(item, decimals)] for key, item in value.items()]}
    return [plain(item, decimals) for item in value] if isinstance(value, list) else value


def finite(numbers: bool | float | list[Any]) -> Any:
    """Write NaN and infinity as words that NumPy reads: JSON has no such numbers. Whole floats lose their `.0`."""
    if isinstance(numbers, list):
        return [finite(number) for number in numbers]
    if abs(numbers) < 1e15 and numbers == int(numbers) and not isinstance(numbers, bool):
        return int(numbers)
    return numbers if np.isfinite(numbers) else str(numbers)
