"""Collects submissions from nbgrader's exchange as soon as they are complete."""

import os
import re
from pathlib import Path
from typing import Any

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook.database import head_revision
from autograder.classroom.gradebook.exchange import is_complete, is_settled
from autograder.classroom.gradebook.gradebook import models
from autograder.errors import CourseError, UsageError
from autograder.plain import visible_line
from autograder.safe_folder import accounts_in, why_unsafe

LEVEL = re.compile(r"^\[\w+\] ", re.MULTILINE)
REFUSED = ("not collected", "left out")
KEPT = "kept time"
TOLD = ("Collecting", "Updating", "doubtful", "without a secret", KEPT, *REFUSED)


class Inbound:
    """One chapter's submissions in the exchange that nbgrader's configuration names.

    Errors: UsageError if nothing was released there, or if others could replace it; CourseError if nbgrader cannot
    collect.
    """

    def __init__(self, nbgrader: Any, chapter: str) -> None:
        self.chapter, self.nbgrader = chapter, nbgrader
        self.folder = Path(self.nbgrader.exchange_root) / self.nbgrader.course_id / "inbound"
        if not self.folder.is_dir():
            raise UsageError(
                f"no folder {self.folder}: release the assignment to nbgrader's exchange first "
                f"(`nbgrader release_assignment {chapter}`), or watch without --collect"
            )
        if reason := why_untrusted(self.folder, nbgrader.coursedir):
            raise UsageError(reason)
        self.told: set[str] = set()
        self.seen: dict[Path, bool] = {}  # the folders at the last collection, and which were ready

    def collected(self) -> list[str]:
        """Collect if a folder has appeared or become ready; return lines for the instructor."""
        with os.scandir(self.folder) as entries:
            ours = [Path(entry.path) for entry in entries if f"+{self.chapter}+" in entry.name]
        now = {path: self.seen.get(path, False) or is_complete(path) or is_settled(path) for path in ours}
        if now == self.seen:
            return []
        said = self.nbgrader.collect(self.chapter, update=True)
        if not said["success"]:
            raise CourseError(f"nbgrader could not collect {self.chapter}: {said['error'].strip().splitlines()[-1]}")
        self.seen = now
        return self.news(LEVEL.sub("", said.get("log", "")).splitlines())

    def news(self, lines: list[str]) -> list[str]:
        """Return lines for people; a refusal is repeated on every turn but told once."""
        found = [visible_line(line) for line in lines if line.startswith(TOLD) and line not in self.told]
        self.told |= {line for line in lines if line.startswith(REFUSED)}
        return found


def why_untrusted(inbound: Path, coursedir: Any) -> str:
    """Return how a student could replace a course's folders in the exchange, and what to do, in a line; "" if none can.

    Inbound itself is a drop box, in which names that nobody else can list protect the submissions from one another.
    If nbgrader's ``groupshared`` is set, the group of the instructor's course folder is trusted.
    """
    team = accounts_in(Path(coursedir.root).stat().st_gid) if coursedir.groupshared else frozenset()
    reason = why_unsafe(inbound, team, is_drop_box=True)
    return reason and f"not collecting from {visible_line(inbound)}, which others could replace: {reason}"


def nbgrader_of(classroom: ClassRoom) -> Any:
    """Return nbgrader's API, configured for this class and its gradebook."""
    from nbgrader.apps.api import NbGraderAPI
    from nbgrader.apps.baseapp import NbGrader

    vars(models())["get_alembic_version"] = head_revision
    app, root = NbGrader(), str(classroom.root.resolve())
    app.log_level = "ERROR"  # quoted in errors
    app.load_cwd_config = False
    app.initialize([], root=root)
    app.config.CourseDirectory.root, app.config.CourseDirectory.db_url = root, classroom.database
    return NbGraderAPI(config=app.config)
