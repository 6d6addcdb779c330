"""`autograder report`."""

from argparse import ArgumentParser, Namespace

from autograder.terminal import print_results

from .arguments import add_class
from .exit_codes import EXIT_OK
from .setting import assignments, course_and_class

HELP = "write the class report, on one page"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class(command)
    command.add_argument("--nameless", action="store_true", help="write a page without names, for the class")


def run(options: Namespace) -> int:
    """Write the class's page."""
    from autograder.classroom.gradebook.chapter_totals import sync_gradebook
    from autograder.pages.progress import chapters_so_far
    from autograder.pages.report import report

    course, classroom = course_and_class(options)
    for assignment in assignments(course, options.chapters):
        sync_gradebook(classroom, chapters_so_far(classroom, assignment))
        print_results(f"report: {report(classroom, assignment, options.nameless)}")
    return EXIT_OK
