"""What a command works on: the course, the class, the assignments, and whether the sandbox is on."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.errors import UsageError
from autograder.terminal import print_notes

if TYPE_CHECKING:
    from autograder.classroom.classroom import ClassRoom
    from autograder.course.course import Assignment, Course


def course_and_class(options: Namespace, new: bool = False) -> tuple[Course, ClassRoom]:
    """Return the course, and the class that is named, or in this folder, or in the course's; a new one may be missing.

    A new class is never taken to be in this folder, where a real one may be.
    Errors: UsageError if the class's folder is missing, or is a file; CourseError if class.toml cannot be used.
    """
    from autograder.classroom.class_course import course_of_class, refuse_another_course
    from autograder.classroom.classroom import ClassRoom, class_here

    if options.root is not None and not options.root.is_dir() and not (new and not options.root.exists()):
        raise UsageError(f"no folder {options.root}: expected one that holds submitted/")
    course = announce(course_of_class(options.course, options.root))
    place = options.root or (class_here() if not new else None) or course.root
    refuse_another_course(place, course)
    chapters = tuple(course.chapters())
    classroom = ClassRoom(place, getattr(options, "db", ""), chapters, course.settings.course_id)
    classroom.refuse_wrong_settings()
    return course, classroom


def announce(course: Course) -> Course:
    """Return a course; print where it is, unless that is the current folder."""
    if course.root != Path.cwd():
        print_notes(f"course: {course.root}")
    return course


def assignments(course: Course, names: list[str]) -> list[Assignment]:
    """Return the assignments of these names, or all; every name is checked first."""
    wanted = names or course.chapters()
    if not wanted:
        known = ", ".join(course.every_chapter()) or "none"
        raise UsageError(f"{course.root / '_toc.yml'} lists no chapter: expected some of {known}")
    return [course.meant_by(name) for name in wanted]


def is_protected(options: Namespace) -> bool:
    """Say whether the sandbox is on; warn loudly if it is off.

    Errors: SandboxUnavailable if it would be weaker than usual and nobody said that it may.
    """
    from autograder.doctor import require_call_filter

    if options.unprotected:
        print_notes("UNPROTECTED: student code runs with your rights and can read and change your files")
    elif not options.weaker_sandbox:
        require_call_filter()
    return not options.unprotected
