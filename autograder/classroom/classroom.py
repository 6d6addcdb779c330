"""A class's folder: where its files are, what its class file says, and which gradebook it uses."""

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.course.course import COURSE_ID
from autograder.errors import UsageError

from .class_file import ClassFile, read_class
from .which_gradebook import which_gradebook

FOLDERS = 2  # of a submission's path, the student's and the chapter's


@dataclass(frozen=True)
class ClassRoom:
    """A class: ``submitted/``, ``autograded/``, ``feedback/`` and the gradebook below ``root``.

    ``chapters`` are the course's; if given, class.toml may name no others. ``course_id`` is nbgrader's.
    """

    root: Path
    db_url: str = ""
    chapters: tuple[str, ...] = ()
    course_id: str = COURSE_ID

    @cached_property
    def class_file(self) -> ClassFile:
        """The class's ``class.toml``, read once. Errors: CourseError if it cannot be used."""
        return read_class(self.root, self.chapters)

    @cached_property
    def database(self) -> str:
        """The gradebook's URL: the one given, the class's, the one it was graded into, or the default gradebook.db.

        Errors: UsageError if the one given is not the class's; CourseError.
        """
        return which_gradebook(self.root, self.db_url, self.class_file.gradebook)

    def refuse_wrong_settings(self) -> None:
        """Refuse a class.toml or a gradebook's address that cannot be used, before anything is done.

        Errors: as for ``class_file`` and ``database``.
        """
        which_gradebook(self.root, self.db_url, self.class_file.gradebook)

    def submitted(self, student: str, chapter: str) -> Path:
        """The folder of a student's submission."""
        return self.root / "submitted" / student / chapter

    def notebook(self, student: str, chapter: str) -> Path:
        """The notebook that a student handed in, if there is one."""
        return self.submitted(student, chapter) / f"{chapter}.ipynb"

    def autograded(self, student: str, chapter: str) -> Path:
        """The folder of the graded notebook."""
        return self.root / "autograded" / student / chapter

    def feedback(self, student: str, chapter: str) -> Path:
        """The folder of a student's feedback page."""
        return self.root / "feedback" / student / chapter

    def students(self, chapter: str) -> list[str]:
        """Return the names in this chapter's folders, sorted, including links and files in their place.

        Errors: UsageError if there are none.
        """
        folder = self.root / "submitted"
        entries = folder.iterdir() if folder.is_dir() else ()
        found = sorted(entry.name for entry in entries if entry.is_symlink() or os.path.lexists(entry / chapter))
        if not found:
            raise UsageError(
                f"no submission of {chapter} in {folder}: expected {folder}/<student>/{chapter}/{chapter}.ipynb"
            )
        return found


def class_here() -> Path | None:
    """Return the folder that one is in, if it is a class's: it holds class.toml or submitted/."""
    here = Path.cwd()
    return here if (here / "class.toml").exists() or (here / "submitted").is_dir() else None
