"""`autograder grade`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from typing import TYPE_CHECKING

from autograder.classroom.gradebook_url import masked
from autograder.plain import plural
from autograder.terminal import print_notes

from .arguments import add_class, add_jobs, add_json_lines, add_protection, add_yes
from .exit_codes import EXIT_INFRASTRUCTURE, EXIT_OK, EXIT_WAITS
from .printing import print_as_json
from .setting import assignments, course_and_class, is_protected

if TYPE_CHECKING:
    from autograder.runs.class_run import ClassRun

HELP = "grade submitted/<student>/<chapter>/ into the gradebook"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class(command)
    add_jobs(command)
    only = "only this student's submissions; may be repeated"
    command.add_argument("--student", action="append", default=[], metavar="NAME", help=only)
    command.add_argument("--scheduler", default="", metavar="ADDRESS", help="grade on the Dask cluster at this address")
    add_yes(command)
    add_json_lines(command)
    command.add_argument("--exit-code", action="store_true", help="exit with 4 if changes wait for --yes")
    add_protection(command)


def run(options: Namespace) -> int:
    """Grade the class and print where the marks are."""
    if options.jobs > 1 and not options.scheduler:
        from autograder.runs import fork_server

        fork_server.start()  # before everything else is loaded, which takes as long
    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters)
    from autograder.runs.class_run import ClassRun
    from autograder.runs.scheduler_address import in_the_open

    print_notes(*in_the_open(options.scheduler))
    for path in (assignment.ledger_path for assignment in chosen if not assignment.ledger_path.exists()):
        print_notes(f"no {path}: earlier releases are unknown; `autograder release` creates it")
    settings = {"write_changes": options.yes, "scheduler": options.scheduler, "only": options.student}
    run = ClassRun(classroom, chosen, options.jobs, is_protected(options), **settings)
    statuses: Counter[str] = Counter()
    for student, result in run:
        statuses[result.status] += 1
        if options.json:
            print_as_json(run, student, result)
    print_summary(run, statuses)
    if options.exit_code and run.changes and not options.yes:
        return EXIT_WAITS
    return EXIT_INFRASTRUCTURE if statuses["infrastructure"] else EXIT_OK


def print_summary(run: ClassRun, statuses: Counter[str]) -> None:
    """Print what became of all submissions, what is notable, what changes or waits, and where the marks are."""
    from autograder.classroom.results.changes import describe_changes

    counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    print_notes(f"{plural(statuses.total(), 'submission')}: {counts}")
    print_notes(*run.notes, *run.failures(), *run.describe_faults())
    print_notes(*describe_changes(run.changes))
    if run.changes and not run.write_changes:
        print_notes(f"changes not written: {len(run.changes)}; to write them, add --yes")
    print_notes(f"marks: {masked(run.classroom.database)}")
