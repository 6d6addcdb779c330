"""A class's folder: where its files are, what its class file says, and which gradebook it uses."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.errors import UsageError

from .class_file import ClassFile, read_class
from .which_gradebook import which_gradebook

FOLDERS = 2  # of a submission's path, the student's and the chapter's


@dataclass(frozen=True)
class ClassRoom:
    """A class: ``submitted/``, ``autograded/``, ``feedback/`` and the gradebook below ``root``.

    ``chapters`` are the course's; where they are given, class.toml may name no other.
    """

    root: Path
    db_url: str = ""
    chapters: tuple[str, ...] = ()

    @cached_property
    def class_file(self) -> ClassFile:
        """What the class's ``class.toml`` says, read once. Errors: CourseError where it cannot be used."""
        return read_class(self.root, self.chapters)

    @cached_property
    def database(self) -> str:
        """The gradebook's URL: the one given, the class's own, the one it was graded into, or gradebook.db in it.

        Errors: UsageError where the one given is another than the class's; CourseError.
        """
        return which_gradebook(self.root, self.db_url, self.class_file.gradebook)

    def submitted(self, student: str, chapter: str) -> Path:
        """The folder in which a student's submission lies."""
        return self.root / "submitted" / student / chapter

    def notebook(self, student: str, chapter: str) -> Path:
        """The notebook that a student has handed in, if it is there."""
        return self.submitted(student, chapter) / f"{chapter}.ipynb"

    def autograded(self, student: str, chapter: str) -> Path:
        """The folder in which the graded notebook is kept."""
        return self.root / "autograded" / student / chapter

    def feedback(self, student: str, chapter: str) -> Path:
        """The folder in which a student's page is kept."""
        return self.root / "feedback" / student / chapter

    def students(self, chapter: str) -> list[str]:
        """Return who has a folder for this chapter, in order, links and files in its place among them.

        Errors: UsageError where nobody has.
        """
        folder = self.root / "submitted"
        entries = folder.iterdir() if folder.is_dir() else ()
        found = sorted(entry.name for entry in entries if entry.is_symlink() or os.path.lexists(entry / chapter))
        if not found:
            raise UsageError(
                f"no submission of {chapter} in {folder}: expected {folder}/<student>/{chapter}/{chapter}.ipynb"
            )
        return found
