"""`autograder sample-class`."""

from argparse import ArgumentParser, Namespace

from autograder.plain import plural
from autograder.terminal import print_results

from .arguments import add_class, positive
from .exit_codes import EXIT_OK
from .setting import assignments, course_and_class

HELP = "write a synthetic class below submitted/"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class(command)
    command.add_argument("--students", type=positive, required=True, metavar="N")
    command.add_argument("--seed", type=int, default=0, metavar="S")


def run(options: Namespace) -> int:
    """Write a synthetic class."""
    from autograder.classroom.sample_class import sample_class

    course, classroom = course_and_class(options, new=True)
    for assignment in assignments(course, options.chapters):
        kinds = sample_class(assignment, classroom, options.students, options.seed)
        print_results(f"{plural(len(kinds), 'submission')}: {classroom.root / 'submitted'}")
    return EXIT_OK
