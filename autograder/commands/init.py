"""`autograder init`."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from autograder.terminal import print_results

from .exit_codes import EXIT_OK

HELP = "write a small working course of your own into a new folder"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("folder", type=Path, metavar="FOLDER")


def run(options: Namespace) -> int:
    """Write a small working course."""
    from autograder.course.new_course import start_course

    folder = start_course(options.folder)
    print_results(f"{folder} holds a course with two exercises; its README.md says what to type there")
    return EXIT_OK
