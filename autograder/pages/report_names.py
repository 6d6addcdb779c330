"""Decides how a report refers to students: by name with links to their pages and code, or anonymously."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import quote

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results.load import load_cells
from autograder.course.course import Assignment

from .feedback import page_path
from .tokens import MAX_CODE, all_names, nameless

COMPARED_STUDENTS = 40  # students of a cluster whose code is compared for length
MAX_LINES, MAX_COLUMNS = 30, 110  # of an example


@dataclass(frozen=True)
class ReportNames:
    """The students of a class as one report shows them: by name, or ``nameless``."""

    classroom: ClassRoom
    assignment: Assignment
    nameless: bool = False
    answers: dict[str, dict[str, str]] = field(default_factory=dict, compare=False)  # what has been read of them

    def links(self, students: list[str], exercise: str = "") -> list[tuple[str, str]]:
        """Return ``(name, address)`` of students' own pages, at an exercise; none without names."""
        return [] if self.nameless else [(self.name(student), self.link(student, exercise)) for student in students]

    def name(self, student: str) -> str:
        """Return a login with the roster's name before it, if there is one."""
        enrolled = self.classroom.class_file.roster.find(student)
        return f"{enrolled.name} · {student}" if enrolled and enrolled.name else student

    def link(self, student: str, exercise: str = "") -> str:
        """Return the relative address of a student's page; "" if it was not written."""
        path = page_path(self.classroom, self.assignment, student)
        if self.nameless or not path.exists():
            return ""
        return quote(path.relative_to(self.classroom.root).as_posix()) + (f"#{exercise}" if exercise else "")

    def shown(self, cluster: dict[str, Any]) -> dict[str, Any]:
        """Return a cluster with its students and their shortest code; nameless, with nothing of theirs verbatim.

        Messages may quote a student; nameless, a message is shown only if it is a hint in the course's own words.
        """
        students, exercise = cluster["students"], cluster["exercise"]
        told = cluster["told"] if cluster["hint"] or not self.nameless else ""
        shown = {"count": len(students), "told": told, "people": self.links(students, exercise)}
        return cluster | shown | {"students": None, "code": self.shortest(students, exercise)}

    def shortest(self, students: list[str], exercise: str) -> str:
        """Return the shortest code among students for an exercise, cut; "" if there is none."""
        sources = [self.code(student, exercise) for student in students[:COMPARED_STUDENTS]]
        source = min(filter(None, sources), key=lambda text: (len(text), text), default="")
        return cut(nameless(source, self.known) if self.nameless else source.strip("\n"))

    def code(self, student: str, exercise: str) -> str:
        """Return what a student wrote into an exercise's cell, up to a limit. A record is read once."""
        if student not in self.answers:
            cells = load_cells(self.classroom, student, self.assignment.chapter)
            self.answers[student] = {
                cell["id"]: cell["source"][:MAX_CODE] for cell in cells if cell["kind"] == "answer"
            }
        return self.answers[student].get(exercise, "")

    @cached_property
    def known(self) -> set[str]:
        """The names in the released notebook."""
        return all_names(self.assignment.read_released_code())


def cut(text: str, most: int = MAX_LINES) -> str:
    """Return the first lines of a text, each shortened."""
    lines = [line if len(line) <= MAX_COLUMNS else f"{line[:MAX_COLUMNS]} …" for line in text.splitlines()]
    more = [f"… {len(lines) - most} more lines"] if len(lines) > most else []
    return "\n".join([*lines[:most], *more])
