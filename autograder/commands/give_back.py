"""`autograder return`."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from autograder.plain import plural
from autograder.terminal import print_notes, print_results

from .arguments import add_class
from .exit_codes import EXIT_OK
from .printing import print_export
from .setting import assignments, course_and_class

HELP = "write the feedback pages as Moodle or Canvas imports them"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class(command, None)
    command.add_argument("--as", dest="lms", required=True, metavar="LMS", help="moodle or canvas")
    command.add_argument("--to", type=Path, required=True, metavar="FILE.zip")
    command.add_argument("--marks", type=Path, metavar="FILE.csv", help="write the marks as well, for its gradebook")


def run(options: Namespace) -> int:
    """Write the feedback's zip, and the marks beside it."""
    from autograder.classroom.gradebook.chapter_totals import sync_gradebook
    from autograder.lms.export import export, require_csv
    from autograder.lms.give_back import LMS_NAMES, give_back

    if options.marks:
        require_csv(options.marks)  # before the zip is written
    course, classroom = course_and_class(options)
    (assignment,) = assignments(course, [options.chapter])
    given = give_back(classroom, assignment, options.lms, options.to)
    print_results(f"{plural(len(given.students), 'page')} for {LMS_NAMES[options.lms]}: {given.path}")
    if given.without_page:
        logins = ", ".join(given.without_page)
        print_notes(f"no page, or an old one: {logins}; run `autograder feedback {assignment.chapter}`")
    if given.from_elsewhere:
        print_notes(f"not collected from {LMS_NAMES[options.lms]}: {', '.join(given.from_elsewhere)}")
    if options.marks:
        sync_gradebook(classroom, [assignment])
        print_export(export(classroom, [assignment], options.marks, options.lms))
    return EXIT_OK
