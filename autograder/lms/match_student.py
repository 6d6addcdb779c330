"""Decides which student a file belongs to, from its names in an LMS or a folder, or says why that is unknown."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.roster import wrong_login
from autograder.errors import UsageError
from autograder.plain import join_first

from .collected import MAX_NAMED, MAX_REASON, short_path
from .people import People
from .platforms import LMS_NAMES, Label, bare, label_of
from .scan import Item


@dataclass(frozen=True)
class Owned:
    """Items under one name, an LMS's label if it has one, and the logins it may mean: exactly one if all is well."""

    name: str
    label: Label | None
    logins: frozenset[str]
    items: list


class StudentMatcher:
    """Matches items to students. Without a roster, folder names are logins."""

    def __init__(self, people: People, chapters: list[str], login: str = "") -> None:
        self.people, self.chapters, self.login = people, chapters, login

    def owned(self, items: list[Item], path: Path) -> list[Owned]:
        """Return the items of a file as Owned: by its own name, or by the names of the hand-ins in it.

        A single folder that holds all of them may come between. Anything deeper, and whatever is in an archive inside,
        was chosen by a student and says nothing.
        """
        if self.login:
            return [Owned(self.login, given_label(items, path), frozenset([self.login]), items)]
        return list(self.owned_at(0, items))

    def owned_at(self, depth: int, items: list[Item]) -> Iterator[Owned]:
        """Yield the items as Owned by the names at this depth of their paths, or below."""
        groups: dict[str, list[Item]] = {}
        for item in items:
            groups.setdefault(item.parts[depth], []).append(item)
        for name, group in groups.items():
            label, logins = self.named(name, group, depth, is_alone=len(groups) == 1)
            is_folder = all(item.outside > depth + 1 for item in group)
            if depth < 2 and len(groups) == 1 and is_folder and label is None and not logins:
                yield from self.owned_at(depth + 1, group)
            else:
                yield Owned(name, label, frozenset(logins), group)

    def named(self, name: str, group: list[Item], depth: int, is_alone: bool) -> tuple[Label | None, set[str]]:
        """Return an LMS's label, and the logins that a name may mean."""
        if label := label_of(name):
            return label, self.people.labelled(label)
        if self.people.students:
            return None, self.people.called(name) or self.people.called(bare(name, self.chapters))
        is_folder = all(len(item.parts) > depth + 1 for item in group)
        holds_chapters = all(len(item.parts) > depth + 2 and item.parts[depth + 1] in self.chapters for item in group)
        login = bare(name, self.chapters) if name.lower().endswith(".zip") else name
        is_login = is_folder and login not in self.chapters and not wrong_login(login)
        return None, {login} if is_login and (holds_chapters or not is_alone) else set()

    def unknown(self, owned: Owned) -> str:
        """Say why an item's student is unknown, and what to do; "" for what is not a hand-in.

        Errors: UsageError if an LMS named it and there is no roster.
        """
        label, logins = owned.label, sorted(owned.logins)
        if label and not self.people.students:
            raise UsageError(
                f"{short_path([owned.name])} is what {LMS_NAMES[label.lms]} calls it; no table says which login "
                "that is: name a roster with --roster, a CSV with the columns login, name, email, lms_id"
            )
        notebooks = [item for item in owned.items if item.chapter]
        is_beside = all(len(item.parts) > 1 and item.parts[-1] == owned.name for item in owned.items)
        if is_beside and not label and not notebooks and not any(item.reason for item in owned.items):
            return ""  # a readme beside the folders
        why = "no folder name says whose it is" if not self.people.students else "nobody in the roster has that name"
        if label and len(label.numbers) > 1:
            why = f"{join_first(sorted(label.numbers), MAX_NAMED)} in its name may each be the student's number"
        elif logins:
            why = f"{' and '.join(logins)} both have that name in the roster"
        reasons = sorted({item.reason[:MAX_REASON] for item in owned.items if item.reason and not notebooks})
        text = "; ".join(filter(None, [why, join_first(reasons, MAX_NAMED)]))
        return f"{short_path([owned.name])}: {text}. {self.advice(label, logins)}"

    def advice(self, label: Label | None, logins: list[str]) -> str:
        """Say what to do if an item's student is unknown."""
        if not self.people.students:
            return "Name a roster with --roster, or give the file alone with --login LOGIN"
        if label and len(label.numbers) > 1:
            return "Look at Canvas whose it is, and give the file alone with --login LOGIN"
        if label and label.lms == "canvas" and label.id.isdigit():
            return f"Put lms_id {label.id} into their row of the roster, or give the file alone with --login LOGIN"
        if label and logins and label.id not in self.people.rows:
            return "Add Moodle's grading worksheet to the command, or unpack it and give the folder with --login LOGIN"
        return "Correct the roster, or give the file alone with --login LOGIN"


def given_label(items: list[Item], path: Path) -> Label | None:
    """Return the LMS's label of what the instructor gave to one login, if the first names that are labels agree.

    They are the folder that the file is in, the file itself, and the entries in it.
    """
    levels = [{path.resolve().parent.name}]
    levels += [{item.parts[depth] for item in items if item.outside > depth} for depth in range(2)]
    for names in levels:
        labels = {(label.lms, label.id): label for name in names if (label := label_of(name))}
        if labels:
            return next(iter(labels.values())) if len(labels) == 1 else None
    return None
