"""`autograder export`."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from .arguments import add_class
from .exit_codes import EXIT_OK
from .printing import print_export
from .setting import assignments, course_and_class

HELP = "write the marks to a file, for a spreadsheet, Canvas or Moodle"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class(command, "*")
    command.add_argument("--to", type=Path, required=True, metavar="FILE")
    command.add_argument("--format", default="csv", metavar="FORMAT", help="csv, canvas or moodle (default: csv)")


def run(options: Namespace) -> int:
    """Write the marks to a file."""
    from autograder.classroom.gradebook.chapter_totals import sync_gradebook
    from autograder.classroom.results.load import graded_chapters
    from autograder.lms.export import export, require_csv, require_format

    require_format(options.format)  # before anything is looked for
    require_csv(options.to)
    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters or graded_chapters(course, classroom))
    sync_gradebook(classroom, chosen)
    print_export(export(classroom, chosen, options.to, options.format))
    return EXIT_OK
