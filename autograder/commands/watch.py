"""`autograder watch`."""

from __future__ import annotations

import signal
from argparse import ArgumentParser, Namespace
from datetime import datetime
from typing import TYPE_CHECKING

from autograder.terminal import print_notes

from .arguments import add_class, add_jobs, add_json_lines, add_protection, add_yes
from .exit_codes import EXIT_OK
from .printing import print_as_json
from .setting import assignments, course_and_class, is_protected

if TYPE_CHECKING:
    from autograder.grading.result import Result

HELP = "grade what arrives in submitted/, until Ctrl+C"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class(command)
    add_jobs(command)
    command.add_argument("--collect", action="store_true", help="also collect what arrives in nbgrader's exchange")
    add_yes(command)
    add_json_lines(command)
    add_protection(command)


def run(options: Namespace) -> int:
    """Grade what arrives until interrupted by Ctrl+C or SIGTERM."""
    if options.jobs > 1:
        from autograder.runs import fork_server

        fork_server.start()
    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters)
    from autograder.lms.watch import ArrivalWatcher
    from autograder.runs.class_run import ClassRun

    run = ClassRun(classroom, chosen, options.jobs, is_protected(options), write_changes=options.yes)
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def finished(student: str, result: Result) -> None:
        if options.json:
            print_as_json(run, student, result)

    try:
        ArrivalWatcher(run, say=print_with_time, finished=finished, collect=options.collect)()
    except KeyboardInterrupt:
        print_with_time("ended; what has been graded so far is saved")
    return EXIT_OK


def print_with_time(line: str) -> None:
    """Print a line with the time of day."""
    print_notes(f"{datetime.now():%H:%M:%S} {line}")
