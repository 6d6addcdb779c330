"""`autograder feedback`."""

from argparse import ArgumentParser, Namespace
from collections import Counter

from autograder.plain import plural
from autograder.terminal import print_results

from .arguments import add_class
from .exit_codes import EXIT_OK
from .setting import assignments, course_and_class

HELP = "write a page for each graded student"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class(command)


def run(options: Namespace) -> int:
    """Write the feedback pages."""
    from autograder.classroom.gradebook.chapter_totals import sync_gradebook
    from autograder.pages.feedback import feedback
    from autograder.pages.marks_page import chapters_with_work

    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters)
    sync_gradebook(classroom, chapters_with_work(classroom, course))  # marks.html shows them all
    written = Counter(page.stem for page in feedback(classroom, *chosen))
    for chapter in (assignment.chapter for assignment in chosen):
        print_results(f"{plural(written[chapter], 'page')}: {classroom.feedback('<student>', chapter) / chapter}.html")
    return EXIT_OK
