"""The command line: reads arguments, calls the pipeline, prints. It holds no logic of its own."""

import argparse
import gc
import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from autograder.errors import AutograderError, ServiceLost, UsageError
from autograder.plain import visible

EXIT_OK, EXIT_USE, EXIT_INFRASTRUCTURE = 0, 2, 3
EXIT_CLOSED_PIPE = 128 + signal.SIGPIPE  # as a shell has it of a program whose reader is gone


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a mistake in one line."""

    def error(self, message):
        """Say what is wrong and where help is, and exit 2."""
        self.exit(EXIT_USE, f"autograder: {message}; see `{self.prog} --help`\n")

    def exit(self, status=0, message=None):
        """Print all of a help text while somebody can still see that nobody reads it."""
        sys.stdout.flush()
        super().exit(status, message)


def main(arguments=None):
    """Run one command and exit: 0 done, 2 an error of use in one line, 3 the machinery failed for some
    submissions, or went away amid a run.

    141 where what is printed goes into a pipe that nobody reads any more.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # matrices of a few rows: more threads would only wait
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal need not know every letter of a message
    try:
        options = parser().parse_args(arguments)
        code = options.run(options)
        sys.stdout.flush()
    except ServiceLost as error:
        code = fail(str(error), EXIT_INFRASTRUCTURE)
    except AutograderError as error:
        code = fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python would complain at its end
        code = EXIT_CLOSED_PIPE
    except OSError as error:
        from autograder.pipeline.files import in_words

        code = fail(in_words(error))
    except KeyboardInterrupt:
        code = fail("stopped; what was graded until now is recorded")
    gc.freeze()  # at its end Python would look at every object once more, for a third of a second
    sys.exit(code)


def fail(message, code=EXIT_USE):
    """Print one line on stderr and return the exit code for it."""
    print(f"autograder: {visible(' '.join(message.split()))}", file=sys.stderr)
    return code


def parser():
    """Return the parser of all commands."""
    top = Parser(prog="autograder", description="Grades the course's notebooks; student code runs in a sandbox.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    release = commands.add_parser("release", help="write exercises/ from solutions/")
    release.add_argument("chapters", nargs="*", metavar="CHAPTER", help="all chapters where none is named")
    release.set_defaults(run=run_release)

    check = commands.add_parser("check", help="grade one notebook and print the result")
    check.add_argument("notebook", type=Path)
    check.add_argument("--json", action="store_true", help="print the result as JSON")
    add_protection(check)
    check.set_defaults(run=run_check)

    grade = commands.add_parser("grade", help="grade submitted/<student>/<chapter>/ into the gradebook")
    add_class(grade)
    grade.add_argument(
        "--jobs", type=positive, default=os.cpu_count(), metavar="N", help="processes (default: one a core)"
    )
    grade.add_argument("--scheduler", default="", metavar="ADDRESS", help="grade on the Dask cluster at this address")
    grade.add_argument("--yes", action="store_true", help="write marks that differ from those given before")
    grade.add_argument("--json", action="store_true", help="print a JSON line for each submission as it is finished")
    add_protection(grade)
    grade.set_defaults(run=run_grade)

    feedback = commands.add_parser("feedback", help="write a page for each graded student")
    add_class(feedback)
    feedback.set_defaults(run=run_feedback)

    report = commands.add_parser("report", help="write the class on one page")
    add_class(report)
    report.set_defaults(run=run_report)

    export = commands.add_parser("export", help="write the marks to a file, for a spreadsheet, Canvas or Moodle")
    add_class(export, "*")
    export.add_argument("--to", type=Path, required=True, metavar="FILE")
    export.add_argument("--format", default="csv", metavar="FORMAT", help="csv, canvas or moodle (default: csv)")
    export.set_defaults(run=run_export)

    sample = commands.add_parser("sample-class", help="write a synthetic class below submitted/")
    add_class(sample)
    sample.add_argument("--students", type=positive, required=True, metavar="N")
    sample.add_argument("--seed", type=int, default=0, metavar="S")
    sample.set_defaults(run=run_sample_class)
    return top


def add_class(command, how_many="+"):
    """Add the arguments that say which chapters of which class."""
    several = "all that are graded where none is named" if how_many == "*" else None
    command.add_argument("chapters", nargs=how_many, metavar="CHAPTER", help=several)
    command.add_argument("--root", type=Path, metavar="DIR", help="the class's folder (default: the course's own)")
    command.add_argument("--db", default="", metavar="URL", help="the gradebook (default: gradebook.db in its folder)")


def add_protection(command):
    """Add the switch that does without the sandbox's walls."""
    command.add_argument(
        "--unprotected", action="store_true", help="run student code with your own rights; only for notebooks you trust"
    )


def positive(text):
    """Read a whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return number


def course_and_class(options):
    """Return the course, and the class that is named or lives in the course's folder."""
    from autograder.pipeline.course import ClassRoom, find_course

    if options.root is not None and not options.root.is_dir():
        raise UsageError(f"no folder {options.root}: expected one that holds submitted/")
    course = find_course(options.root)
    return course, ClassRoom(options.root or course.root, options.db)


def assignments(course, names):
    """Return the assignments of these names, or all; each name is checked before anything is done."""
    return [course.assignment(name.rstrip("/")) for name in names or course.chapters()]


def run_release(options):
    """Write the exercises."""
    from autograder.pipeline.course import find_course
    from autograder.pipeline.release import release

    for assignment in assignments(find_course(), options.chapters):
        print(f"released {release(assignment)}")
    return EXIT_OK


def run_check(options):
    """Grade one notebook and print it."""
    from autograder.pipeline.check import check, in_words

    result = check(options.notebook, protected=protected(options))
    print(json.dumps(result.as_dict()) if options.json else in_words(result))
    return EXIT_INFRASTRUCTURE if result.status == "infrastructure" else EXIT_OK


def run_grade(options):
    """Grade the class and say where the marks are."""
    if options.jobs > 1 and not options.scheduler:
        from autograder.pipeline import server

        server.start()  # before all else is loaded here, which takes as long
    from autograder.pipeline.class_run import ClassRun
    from autograder.pipeline.database import shown
    from autograder.pipeline.scheduler_address import in_the_open

    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters)
    print(*in_the_open(options.scheduler), sep="\n", end="", file=sys.stderr)
    statuses = Counter()
    run = ClassRun(classroom, chosen, options.jobs, protected(options), accept=options.yes, scheduler=options.scheduler)
    for student, result in run:
        statuses[result.status] += 1
        if options.json:
            print(json.dumps({"student": student, **result.as_dict()}), flush=True)
    counted = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    print(f"{statuses.total()} submissions: {counted}", file=sys.stderr)
    print(*run.changes, sep="\n", end="\n" if run.changes else "", file=sys.stderr)
    if run.changes and not options.yes:
        print(f"changes not written: {len(run.changes)}; to write them, add --yes", file=sys.stderr)
    print(f"marks: {shown(classroom.database)}", file=sys.stderr)
    return EXIT_INFRASTRUCTURE if statuses["infrastructure"] else EXIT_OK


def run_feedback(options):
    """Write the feedback pages."""
    from autograder.pipeline.feedback import feedback

    course, classroom = course_and_class(options)
    for assignment in assignments(course, options.chapters):
        pages = feedback(classroom, assignment)
        print(f"{len(pages)} pages: {classroom.feedback('<student>', assignment.chapter) / assignment.chapter}.html")
    return EXIT_OK


def run_report(options):
    """Write the class's page."""
    from autograder.pipeline.report import report

    course, classroom = course_and_class(options)
    for assignment in assignments(course, options.chapters):
        print(f"report: {report(classroom, assignment)}")
    return EXIT_OK


def run_export(options):
    """Write the marks to a file."""
    from autograder.pipeline.export import export
    from autograder.pipeline.recorded import graded_chapters

    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters or graded_chapters(course, classroom))
    written = export(classroom, chosen, options.to, options.format)
    print(f"{written.students} students, {written.marks} marks: {written.path}")
    return EXIT_OK


def run_sample_class(options):
    """Write a synthetic class."""
    from autograder.pipeline.sample_class import sample_class

    course, classroom = course_and_class(options)
    for assignment in assignments(course, options.chapters):
        kinds = sample_class(assignment, classroom, options.students, options.seed)
        print(f"{len(kinds)} submissions: {classroom.root / 'submitted'}")
    return EXIT_OK


def protected(options):
    """Say whether the walls stand; without them, say so loudly."""
    if options.unprotected:
        print("UNPROTECTED: student code runs with your rights and can read and change your files", file=sys.stderr)
    return not options.unprotected


if __name__ == "__main__":
    main()
