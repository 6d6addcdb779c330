"""`autograder check`."""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path

from .arguments import add_course, add_protection
from .exit_codes import EXIT_INFRASTRUCTURE, EXIT_OK
from .setting import announce, is_protected

HELP = "grade one notebook and print the result"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("notebook", type=Path)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    add_course(command)
    add_protection(command)


def run(options: Namespace) -> int:
    """Grade one notebook and print it."""
    from autograder.course.which_course import find_course
    from autograder.runs.one_notebook import check, describe_result

    course = announce(find_course(options.course))
    result = check(options.notebook, is_protected(options), course)
    print(json.dumps(result.as_dict()) if options.json else describe_result(result))
    return EXIT_INFRASTRUCTURE if result.status == "infrastructure" else EXIT_OK
