"""Describes what a listed mistake does to the course's translator; the facts are in ``trained/consequences.json``."""

from functools import cache
from typing import Any

from autograder.trained import read_trained


@cache
def _file() -> dict[str, Any]:
    """Return the whole file, read once per process."""
    return read_trained("consequences")


def promised() -> list[Any]:
    """Return the sentences used to show consequences, each with its right translation."""
    return _file()["promised"]


def consequences_of(exercise: str) -> dict[str, Any]:
    """Return each mistake's consequence for an exercise, mistake id -> consequence (see ``models.consequences``).

    Empty for an exercise whose function is not part of the translator.
    """
    return _file()["exercises"].get(exercise, {})


def describe_consequence(consequence: dict) -> str:
    """Describe a consequence in one plain sentence."""
    if consequence["stops"] == 1:
        return f"It stops with {_kind(consequence)}."
    if consequence["nan"] == 1:
        return "The result is only NaN, so there is no translation."
    if consequence["unchanged"] == 1:
        return "Every translation stays as it is."
    return f"{_example(consequence)}, and {_survivors(consequence)}."


def in_lines(consequence: dict) -> list[str]:
    """Describe a consequence in short Markdown lines: which of promised() change, by number, and how much survives."""
    if consequence["stops"] == 1:
        return [f"stops with `{_kind(consequence)}`"]
    if consequence["nan"] == 1:
        return ["nothing but `NaN`"]
    if consequence["unchanged"] == 1:
        return ["nothing changes"]
    lines = [
        f"({number}) {f'*{_shortened(said)}*' if said else 'nothing'}"
        for number, ((_, right), said) in enumerate(zip(promised(), consequence["translations"], strict=True), 1)
        if said != right
    ]
    return [*lines, _still_right(consequence)]


def _still_right(consequence: dict) -> str:
    """Say which share is still right; if it would round to the old one, count the sentences."""
    now, usual, n = consequence["survives"], consequence["right"], consequence["sentences"]
    if _percent(now) != _percent(usual):
        return f"{_percent(now)} still right"
    return f"{round(now * n)} of {n} right, before {round(usual * n)}"


def _shortened(said: str, most: int = 7) -> Any:
    """Shorten a long translation: it comes from a model that lost its way."""
    words = said.split()
    return " ".join(words[:most]) + (" …" if len(words) > most else "")


def _kind(consequence: dict[str, Any]) -> str:
    """Return an error's type without its message."""
    return consequence["error"].partition(":")[0]


def _example(consequence: dict) -> str:
    """Describe the first promised sentence that changes, or say that the first one does not."""
    now = zip(promised(), consequence["translations"], strict=True)
    changed = [(source, said) for (source, usual), said in now if said != usual]
    if not changed:
        return f"“{promised()[0][0]}” stays “{promised()[0][1]}”"
    source, said = changed[0]
    if said is None:
        return f"“{source}” has no translation any more"
    return f"“{source}” becomes {f'“{_shortened(said)}”' if said else 'an empty sentence'}"


def _survivors(consequence: dict) -> str:
    """Say how many held-out sentences are still translated."""
    now, usual = consequence["survives"], consequence["right"]
    if not now:
        return f"none of {consequence['sentences']} new sentences is translated"
    shares = [_percent(share) for share in (now, usual)]
    instead = f" instead of {shares[1]}" if shares[0] != shares[1] else ""
    return f"{shares[0]} of {consequence['sentences']} new sentences are still translated{instead}"


def _percent(share: Any) -> str:
    """Format a share: 14 %, and 0.7 % below one per cent."""
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.01 else f"{100 * share:.1f} %"
