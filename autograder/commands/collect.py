"""`autograder collect`."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from autograder.terminal import print_notes, print_results

from .arguments import add_course, add_root
from .exit_codes import EXIT_OK, EXIT_USE
from .setting import course_and_class

HELP = "fill submitted/ from what Moodle, Canvas or plain folders export"


def add_arguments(command: ArgumentParser) -> None:
    """Add the command's arguments."""
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a zip, a folder, or Moodle's worksheet")
    command.add_argument("--chapter", default="", metavar="CHAPTER", help="only notebooks of this chapter")
    add_root(command)
    add_course(command)
    command.add_argument("--roster", type=Path, metavar="CSV", help="the roster, or the gradebook that Canvas exports")
    command.add_argument("--login", default="", metavar="LOGIN", help="everything in FILE belongs to this student")
    command.add_argument("--yes", action="store_true", help="replace existing work, even later work")
    command.add_argument("--dry-run", action="store_true", help="print what would be done, and write nothing")


def run(options: Namespace) -> int:
    """Fill submitted/, and explain everything that was not collected."""
    from autograder.classroom.class_file import read_class
    from autograder.lms.collect import Collector
    from autograder.lms.people import read_people

    course, classroom = course_and_class(options)
    chapter = course.meant_by(options.chapter).chapter if options.chapter else ""
    about = read_class(classroom.root, course.chapters())
    people = read_people(options.roster) if options.roster else about.roster.students
    how = {"write_changes": options.yes, "dry": options.dry_run, "zone": about.timezone if about.path else None}
    outcome = Collector(course, classroom, people, chapter, options.login, **how).collect(options.files)
    for name in outcome.chapters():
        counts = [f"{len(logins.get(name, ()))} {kind}" for kind, logins in outcome.by_kind().items()]
        print_results(f"{name}: {', '.join(counts)}: {classroom.root / 'submitted'}")
    print_notes(*outcome.told)
    for line in outcome.left:
        print_notes(f"not collected: {line}")
    if options.dry_run:
        print_notes("nothing was written: --dry-run")
    return EXIT_OK if outcome.chapters() and not outcome.is_cut_short else EXIT_USE
