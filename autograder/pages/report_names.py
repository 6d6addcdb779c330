"""How a report refers to students: by name with links to their pages and code, or anonymously."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import quote

from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Assignment
from autograder.results.load import load_cells

from .feedback import path_of
from .tokens import nameless, names_in

LOOKED_AT = 40  # students of a cluster, among whose codes the shortest is looked for
LINES, COLUMNS = 30, 110  # of an example


@dataclass(frozen=True)
class ReportNames:
    """A class as one report shows it: by their names, or ``nameless``."""

    classroom: ClassRoom
    assignment: Assignment
    nameless: bool = False

    def links(self, students: list[Any], exercise: str = "") -> list[Any]:
        """Return ``(name, address)`` of each one's own page, at an exercise; nobody where no name is to be seen."""
        return [] if self.nameless else [(self.name(student), self.link(student, exercise)) for student in students]

    def name(self, student: str) -> str:
        """Return a login with the roster's name before it; the login alone where there is none."""
        enrolled = self.classroom.class_file.roster.find(student)
        return f"{enrolled.name} · {student}" if enrolled and enrolled.name else student

    def link(self, student: str, exercise: str = "") -> str:
        """Return the address of a student's page, from the report's; "" where it was not written."""
        path = path_of(self.classroom, self.assignment, student)
        if self.nameless or not path.exists():
            return ""
        return quote(path.relative_to(self.classroom.root).as_posix()) + (f"#{exercise}" if exercise else "")

    def shown(self, cluster: Any) -> Any:
        """Return a cluster with its students and their shortest code; without names, with nothing of theirs as it is.

        What students were told may quote them; nameless, it stays only where it is a hint in the course's own words.
        """
        students, exercise = cluster["students"], cluster["exercise"]
        told = cluster["told"] if cluster["hint"] or not self.nameless else ""
        shown = {"count": len(students), "told": told, "people": self.links(students, exercise)}
        return cluster | shown | {"students": None, "code": self.shortest(students, exercise)}

    def shortest(self, students: Any, exercise: dict) -> Any:
        """Return the shortest code of some students for an exercise, cut; "" where there is none."""
        sources = [self.code(student, exercise) for student in students[:LOOKED_AT]]
        source = min(filter(None, sources), key=lambda text: (len(text), text), default="")
        return cut(nameless(source, self.known) if self.nameless else source.strip("\n"))

    def code(self, student: str, exercise: dict) -> Any:
        """Return what a student wrote into the cell of an exercise."""
        cells = load_cells(self.classroom, student, self.assignment.chapter)
        return next((cell["source"] for cell in cells if cell["id"] == exercise), "")

    @cached_property
    def known(self) -> Any:
        """The names that the released notebook holds."""
        return names_in(self.assignment.released_code())


def cut(text: str, most: Any = LINES) -> Any:
    """Return some lines of a text, none of them too long."""
    lines = [line if len(line) <= COLUMNS else f"{line[:COLUMNS]} …" for line in text.splitlines()]
    more = [f"… {len(lines) - most} more lines"] if len(lines) > most else []
    return "\n".join([*lines[:most], *more])
