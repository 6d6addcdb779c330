"""Decides whether an LMS's number may be a student's: names are whatever people typed, numbers are the LMS's own.

Two numbers for one login are two people. A number that was collected for a chapter stays its login's until ``--yes``.
"""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from .collected import HandIn
from .people import People
from .platforms import LMS_NAMES, Label


class LmsNumbers:
    """The numbers of all that is collected in one run, beside those that ``memory`` has from earlier runs."""

    def __init__(self, people: People, memory: dict[str, Any], write_changes: bool) -> None:
        self.people, self.memory, self.write_changes = people, memory, write_changes
        self.seen: dict[tuple[str, str, int], set[str]] = {}  # by login, LMS, and file on the command line
        self.holders = {
            (chapter, lms, label["id"]): login
            for chapter, entries in memory.items()
            for login, entry in entries.items()
            for lms, label in entry["labels"].items()
        }

    def see(self, login: str, label: Label | None, file: int) -> None:
        """Note that something under this label was taken for this login's."""
        if label:
            self.seen.setdefault((login, label.lms, file), set()).add(label.id)

    def of_one_person(self, chapter: str, login: str, hands: list[HandIn]) -> tuple[list[HandIn], list[str]]:
        """Return the hand-ins that may be this login's, and lines about the others."""
        lines = []
        for lms in sorted({hand.label.lms for hand in hands if hand.label}):
            right, line = self.right_number(chapter, login, lms, hands)
            hands = [hand for hand in hands if not hand.label or hand.label.lms != lms or hand.label.id == right]
            lines += [line] if line else []
        return hands, lines

    def right_number(self, chapter: str, login: str, lms: str, hands: list[HandIn]) -> tuple[str, str]:
        """Return the number whose hand-ins count, "" if none do, and a line about what does not."""
        theirs = [(hand.label.id, hand.file) for hand in hands if hand.label and hand.label.lms == lms]
        handed_in = {number for _, file in theirs for number in self.seen.get((login, lms, file), ())}
        handed_in |= {number for number, _ in theirs}
        before, name = self.number_before(chapter, login, lms), LMS_NAMES[lms]
        if before in handed_in:
            others = _joined(handed_in - {before})
            line = f"{login}: {others} in {name} has this name too and does not count: {before} does, as before"
            return before, f"{line}{self.doubt(lms, before)}. {_remedy(lms, login)}" if others else ""
        rows = (self.people.participants(login, number) for number in handed_in if lms == "moodle")
        twins = handed_in.union(*rows)
        if len(twins) > 1:
            line = f"{login}: {_joined(twins)} in {name} have this name, so none of them counts"
            return "", f"{line}. {_remedy(lms, login)}"
        (number,) = twins
        holder = self.holder(chapter, login, lms, number)
        if (before or holder) and not self.write_changes:
            was = f"{login} was {before} before" if before else f"{number} was {holder} before"
            doubt = self.doubt(lms, before or number)
            return "", f"{login}: this is {number} in {name}, but {was}{doubt}. If both are the same person, add --yes"
        return number, ""

    def addressed(self, chapter: str, login: str, hand: HandIn) -> tuple[bool, str]:
        """Say whether `return` may use the label of what the instructor gave with --login, and a line if not.

        Whose the work is, is the instructor's word; a number that is another's, or new, is not part of it.
        """
        if hand.label is None or self.write_changes:
            return True, ""
        before, number = self.number_before(chapter, login, hand.label.lms), hand.label.id
        if len(hand.label.numbers) > 1:
            return False, (
                f"{login}: {hand.where} counts, but {_joined(hand.label.numbers)} in its name may each be the "
                "student's number: `autograder return` will not use it. If the first one is, add --yes"
            )
        others = {self.holder(chapter, login, hand.label.lms, number)} - {""} or self.people.labelled(hand.label)
        if before in ("", number) and (not others or login in others):
            return True, ""
        whose = f"that of {_joined(others)}" if others and login not in others else f"not {before}, as before"
        return False, (
            f"{login}: {hand.where} counts, but its number in {LMS_NAMES[hand.label.lms]}, {number}, is {whose}: "
            "`autograder return` will not use it. If it should, add --yes"
        )

    def doubt(self, lms: str, number: str) -> str:
        """Return the part of a line that says what speaks for a number that was collected before, if that is little."""
        return (
            "" if self.people.is_proven(lms, number) else ", by its name or your --login alone, so it is disputed too"
        )

    def number_before(self, chapter: str, login: str, lms: str) -> str:
        """Return the number that was collected for a login before, or ""."""
        return self.memory.get(chapter, {}).get(login, {}).get("labels", {}).get(lms, {}).get("id", "")

    def holder(self, chapter: str, login: str, lms: str, number: str) -> str:
        """Return another login for which a number was collected before, or ""."""
        holder = self.holders.get((chapter, lms, number), login)
        return "" if holder == login else holder

    def move(self, chapter: str, login: str, label: Label) -> None:
        """Make a number this login's alone."""
        entries = self.memory.setdefault(chapter, {})
        if holder := self.holder(chapter, login, label.lms, label.id):
            del entries[holder]["labels"][label.lms]
        self.holders.pop((chapter, label.lms, self.number_before(chapter, login, label.lms)), None)
        self.holders[chapter, label.lms, label.id] = login
        entry = entries.setdefault(login, {})
        entry["labels"] = entry.get("labels", {}) | {label.lms: asdict(label)}


def proof_of(lms: str) -> str:
    """Say what to add so that more than a name says whose an LMS's number is."""
    return "put lms_id into the roster" if lms == "canvas" else "add Moodle's grading worksheet with email addresses"


def _remedy(lms: str, login: str) -> str:
    return f"Give the right one alone with --login {login}, or {proof_of(lms)}"


def _joined(names: Iterable[str]) -> str:
    return " and ".join(sorted(names))
