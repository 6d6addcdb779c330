"""`autograder release`."""

from argparse import ArgumentParser, Namespace

from autograder.terminal import print_results

from .arguments import add_course
from .exit_codes import EXIT_OK
from .setting import announce, assignments

HELP = "write exercises/ from solutions/"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("chapters", nargs="*", metavar="CHAPTER", help="by name or number (default: all)")
    add_course(command)


def run(options: Namespace) -> int:
    """Write the exercises."""
    from autograder.course.instructor_changes import refuse_unknown_names
    from autograder.course.release import release
    from autograder.course.which_course import find_course

    course = announce(find_course(options.course))
    refuse_unknown_names(course.root, course.every_chapter(), course.settings.points)
    for assignment in assignments(course, options.chapters):
        print_results(f"released {release(assignment, print_results)}")
    return EXIT_OK
