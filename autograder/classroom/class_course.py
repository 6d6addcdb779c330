"""Decides which course a class belongs to, and refuses to grade it with another."""

from pathlib import Path

from autograder.course.course import Course
from autograder.course.which_course import find_course, is_course, refuse_unsafe
from autograder.errors import UsageError

from .class_file import CLASS_FILE, course_line
from .which_gradebook import read_address_file


def course_of_class(named: Path | None, root: Path | None) -> Course:
    """Return the course for a command: the one ``named``, the one that the class in ``root`` names, or the default.

    ``root`` is the folder that --root names; None looks into no class. Errors: UsageError, CourseError.
    """
    line = _course_in_class_file(root) if root else None
    if named and line and named.resolve() != line.resolve():
        raise UsageError(
            f"--course names {named}, but {root}/{CLASS_FILE} names {line}: leave --course out, or correct it"
        )
    return find_course(named or line)


def _course_in_class_file(root: Path) -> Path | None:
    """Return the folder that a class's ``class.toml`` names as its course, or None.

    Errors: UsageError if others could have written that line.
    """
    line = course_line(root)
    if line:
        refuse_unsafe(root, root / CLASS_FILE)
    return root / line if line else None


def refuse_another_course(root: Path, course: Course) -> None:
    """Errors: UsageError if a class names another course, or was graded with another; CourseError.

    A course that was moved, or is used from another machine, is the same one.
    """
    if line := course_line(root):
        if (root / line).resolve() != course.root:
            raise UsageError(
                f"{root / CLASS_FILE} names the course {root / line}, not {course.root}: add --root {root}"
            )
        return
    graded = read_address_file(root).get("course")
    if not isinstance(graded, dict) or graded == course_identity(course):
        return
    before = Path(str(graded.get("root")))
    is_moved = graded.get("id") == course.settings.course_id and not (before != course.root and is_course(before))
    if before != course.root and not is_moved:
        raise UsageError(
            f"{root} was graded with the course in {before}, not with {course.root}: add --course {before}. Only if "
            f'the course now lies there, write `course = "{course.root}"` below [class] in {root / CLASS_FILE}'
        )


def course_identity(course: Course) -> dict[str, str]:
    """Return what a class remembers of the course that graded it."""
    return {"root": str(course.root), "id": course.settings.course_id}
