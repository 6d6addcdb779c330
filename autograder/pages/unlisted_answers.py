"""Groups the wrong answers that no list names by their behaviour on shared inputs."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.classroom.results.load import SavedResult
from autograder.classroom.results.records import SavedBehaviour
from autograder.diagnosis.exercise import CRITERIA
from autograder.diagnosis.verdict import Verdict
from autograder.grading.fingerprint import ABSOLUTE, RELATIVE

MAX_MESSAGE = 300  # characters of what students were told
NOT_WRONG = ("not_attempted", "time_limit", "memory_limit", "crashed", "output_limit")  # shown elsewhere


def group_unlisted(results: dict[str, SavedResult]) -> list[dict]:
    """Return all unlisted wrong answers, grouped by behaviour, most common first.

    Each group has its ``exercise``, ``students``, the most common message (``told``), and a description of ``where`` it
    is wrong and ``what`` is wrong, which quotes no student. ``results`` is ``{student: result}``.
    """
    together = {}
    for student, result in results.items():
        for exercise in filter(lost_points_unlisted, result["exercises"]):
            known = result.get("behaviours", {}).get(exercise.name)
            together.setdefault(key_of(exercise, known), []).append((student, exercise, known))
    found = [describe_group(members) for same_kind in together.values() for members in groups_alike(same_kind)]
    return sorted(found, key=lambda one: (-len(one["students"]), one["exercise"], one["students"]))


def lost_points_unlisted(exercise: Verdict) -> bool:
    """Say whether an exercise lost automatic points with an unlisted wrong answer of its own."""
    return is_wrong(exercise) and not exercise.mistake and not exercise.above


def is_wrong(exercise: Verdict) -> bool:
    """Say whether something came back that is wrong."""
    return exercise.status not in NOT_WRONG and not all(criterion.passed for criterion in exercise.criteria)


def consequences(results: dict[str, SavedResult]) -> int:
    """Count the unlisted wrong answers that call a wrong function above, which has a row of its own."""
    exercises = [exercise for result in results.values() for exercise in result["exercises"]]
    return sum(is_wrong(exercise) and not exercise.mistake and bool(exercise.above) for exercise in exercises)


def key_of(exercise: Verdict, known: SavedBehaviour | None) -> tuple:
    """Return a key that answers of the same behaviour share exactly.

    If there is no behaviour, as for a function that does not exist, the criteria and the student's message are the key.
    """
    criteria = tuple(criterion.passed for criterion in exercise.criteria)
    if known:
        return exercise.name, known["kind"], len(known["numbers"])
    return exercise.name, criteria, exercise.message


def groups_alike(
    members: list[tuple[str, Verdict, SavedBehaviour]],
) -> Iterator[list[tuple[str, Verdict, SavedBehaviour]]]:
    """Yield groups of ``(student, exercise, behaviour)`` with the same numbers up to rounding.

    They are sorted by their mean, so that each is compared with few others.
    """
    if not (members[0][2] and members[0][2]["numbers"]):
        yield members
        return
    rows = np.array([known["numbers"] for _, _, known in members]).reshape(len(members), -1, 2)
    means = rows.mean(axis=(1, 2))
    order = np.argsort(means, kind="stable")
    left = np.ones(len(members), dtype=bool)
    for place, first in enumerate(order):
        if not left[first]:
            continue
        near = ABSOLUTE + RELATIVE * np.abs(rows[first, :, 1:])  # of each array, by its largest number
        end = np.searchsorted(means[order], means[first] + np.mean(near), side="right")
        nearby = order[place:end]
        same = nearby[left[nearby] & (np.abs(rows[nearby] - rows[first]) <= near).all(axis=(1, 2))]
        left[same] = False
        yield [members[index] for index in np.sort(same)]


def describe_group(
    members: list[tuple[str, Verdict, SavedBehaviour]],
) -> dict[str, Any]:
    """Return one cluster as the page shows it."""
    students, known = [student for student, _, _ in members], members[0][2] or {}
    told = Counter(one.message for _, one, _ in members).most_common(1)[0][0]
    exercise = next(one for _, one, _ in members if one.message == told)
    return {
        "exercise": exercise.name,
        "students": students,
        "where": known.get("where") or by_criteria(exercise),
        "what": known.get("what", ""),
        "told": told if len(told) <= MAX_MESSAGE else f"{told[:MAX_MESSAGE].rsplit(' ', 1)[0]} …",
        "hint": is_hint(exercise),
    }


def by_criteria(exercise: Verdict) -> str:
    """Say which criteria hold, if nothing more is known."""
    passed = {criterion.name: criterion.passed for criterion in exercise.criteria}
    held = [name for name in CRITERIA.values() if passed.get(name)]
    if passed.get(CRITERIA["unseen"]) and passed.get(CRITERIA["edges"]) and passed.get(CRITERIA["example"]):
        return "Right, but it changes its inputs."
    return f"These criteria hold: {', '.join(held)}." if held else "No criterion holds."


def is_hint(exercise: Verdict) -> bool:
    """Say whether the message describes how the answer relates to the right one, not what one criterion says.

    A relation's sentence is the course's own; a criterion's may quote a student's error or text.
    """
    return exercise.told_by == "relation"
