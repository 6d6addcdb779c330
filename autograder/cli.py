"""The command line: reads arguments, calls the pipeline, prints. It holds no logic of its own."""

import argparse
import gc
import json
import os
import signal
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path

from autograder.errors import AutograderError, ServiceLost, UsageError
from autograder.plain import visible
from autograder.term.gradebook_url import masked

EXIT_OK, EXIT_USE, EXIT_INFRASTRUCTURE = 0, 2, 3
EXIT_CLOSED_PIPE = 128 + signal.SIGPIPE  # as a shell has it of a program whose reader is gone


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a mistake in one line."""

    def error(self, message):
        """Say what is wrong and where help is, and exit 2."""
        self.exit(EXIT_USE, f"autograder: {masked(message)}; see `{self.prog} --help`\n")

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
    print(f"autograder: {visible(masked(' '.join(message.split())))}", file=sys.stderr)
    return code


def parser():
    """Return the parser of all commands, in the order of a term."""
    top = Parser(prog="autograder", description="Grades the course's notebooks; student code runs in a sandbox.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    add_before(commands)
    add_grading(commands)
    add_after(commands)
    return top


def add_before(commands):
    """Add what comes before a class is graded."""
    release = commands.add_parser("release", help="write exercises/ from solutions/")
    release.add_argument("chapters", nargs="*", metavar="CHAPTER", help="all chapters where none is named")
    release.set_defaults(run=run_release)

    check = commands.add_parser("check", help="grade one notebook and print the result")
    check.add_argument("notebook", type=Path)
    check.add_argument("--json", action="store_true", help="print the result as JSON")
    add_protection(check)
    check.set_defaults(run=run_check)

    sample = commands.add_parser("sample-class", help="write a synthetic class below submitted/")
    add_class(sample)
    sample.add_argument("--students", type=positive, required=True, metavar="N")
    sample.add_argument("--seed", type=int, default=0, metavar="S")
    sample.set_defaults(run=run_sample_class)

    collect = commands.add_parser("collect", help="fill submitted/ from what Moodle, Canvas or plain folders export")
    collect.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a zip, a folder, or Moodle's worksheet")
    collect.add_argument("--chapter", default="", metavar="CHAPTER", help="only notebooks of this one")
    collect.add_argument("--root", type=Path, metavar="DIR", help="the class's folder (default: the course's own)")
    collect.add_argument("--roster", type=Path, metavar="CSV", help="who is in the class, or Canvas's gradebook")
    collect.add_argument("--login", default="", metavar="LOGIN", help="all in FILE is this student's")
    collect.add_argument("--yes", action="store_true", help="replace what is there, whichever came later")
    collect.add_argument("--dry-run", action="store_true", help="say what would be done, and write nothing")
    collect.set_defaults(run=run_collect)


def add_grading(commands):
    """Add what grades a class."""
    grade = commands.add_parser("grade", help="grade submitted/<student>/<chapter>/ into the gradebook")
    add_class(grade)
    add_jobs(grade)
    grade.add_argument(
        "--student", action="append", default=[], metavar="NAME", help="only this one's submissions; may be repeated"
    )
    grade.add_argument("--scheduler", default="", metavar="ADDRESS", help="grade on the Dask cluster at this address")
    grade.add_argument("--yes", action="store_true", help="write marks that differ from those given before")
    grade.add_argument("--json", action="store_true", help="print a JSON line for each submission as it is finished")
    add_protection(grade)
    grade.set_defaults(run=run_grade)

    watch = commands.add_parser("watch", help="grade what arrives in submitted/, until Ctrl+C")
    add_class(watch)
    add_jobs(watch)
    watch.add_argument("--collect", action="store_true", help="collect from nbgrader's exchange what comes there")
    watch.add_argument("--yes", action="store_true", help="write marks that differ from those given before")
    watch.add_argument("--json", action="store_true", help="print a JSON line for each submission as it is finished")
    add_protection(watch)
    watch.set_defaults(run=run_watch)


def add_after(commands):
    """Add what makes something of the marks."""
    feedback = commands.add_parser("feedback", help="write a page for each graded student")
    add_class(feedback)
    feedback.set_defaults(run=run_feedback)

    report = commands.add_parser("report", help="write the class on one page")
    add_class(report)
    report.add_argument("--nameless", action="store_true", help="write a page that names nobody, to show to the class")
    report.set_defaults(run=run_report)

    export = commands.add_parser("export", help="write the marks to a file, for a spreadsheet, Canvas or Moodle")
    add_class(export, "*")
    export.add_argument("--to", type=Path, required=True, metavar="FILE")
    export.add_argument("--format", default="csv", metavar="FORMAT", help="csv, canvas or moodle (default: csv)")
    export.set_defaults(run=run_export)

    back = commands.add_parser("return", help="write the feedback pages as Moodle or Canvas imports them")
    add_class(back, None)
    back.add_argument("--as", dest="lms", required=True, metavar="LMS", help="moodle or canvas")
    back.add_argument("--to", type=Path, required=True, metavar="FILE.zip")
    back.add_argument("--marks", type=Path, metavar="FILE.csv", help="write the marks as well, for its gradebook")
    back.set_defaults(run=run_return)


def add_class(command, how_many="+"):
    """Add the arguments that say which chapters of which class."""
    several = "all that are graded where none is named" if how_many == "*" else None
    command.add_argument("chapters" if how_many else "chapter", nargs=how_many, metavar="CHAPTER", help=several)
    command.add_argument("--root", type=Path, metavar="DIR", help="the class's folder (default: the course's own)")
    command.add_argument("--db", default="", metavar="URL", help="the gradebook (default: the class's own)")


def add_jobs(command):
    """Add how many processes grade side by side."""
    command.add_argument(
        "--jobs", type=positive, default=os.cpu_count(), metavar="N", help="processes (default: one a core)"
    )


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
    classroom = ClassRoom(options.root or course.root, getattr(options, "db", ""), tuple(course.chapters()))
    _ = classroom.database  # whatever is wrong in class.toml, or with --db, is said before anything is done
    return course, classroom


def assignments(course, names):
    """Return the assignments of these names, or all; each name is checked before anything is done."""
    return [course.assignment(name.rstrip("/")) for name in names or course.chapters()]


def run_release(options):
    """Write the exercises."""
    from autograder.pipeline.course import find_course
    from autograder.pipeline.release import release

    for assignment in assignments(find_course(), options.chapters):
        print(f"released {release(assignment, print)}")
    return EXIT_OK


def run_check(options):
    """Grade one notebook and print it."""
    from autograder.pipeline.check import check, in_words

    result = check(options.notebook, protected=protected(options))
    print(json.dumps(result.as_dict()) if options.json else in_words(result))
    return EXIT_INFRASTRUCTURE if result.status == "infrastructure" else EXIT_OK


def run_collect(options):
    """Fill submitted/, and say of everything that is not in it why, and what to do."""
    from autograder.delivery.called import read_people
    from autograder.delivery.collect import Collector
    from autograder.term.class_file import read_class

    course, classroom = course_and_class(options)
    chapter = course.assignment(options.chapter.rstrip("/")).chapter if options.chapter else ""
    about = read_class(classroom.root, course.chapters())
    people = read_people(options.roster) if options.roster else about.roster.students
    how = {"accept": options.yes, "dry": options.dry_run, "zone": about.timezone if about.path else None}
    found = Collector(course, classroom, people, chapter, options.login, **how)
    said = found.collect(options.files)
    for name in said.chapters():
        counts = [(len(getattr(said, kind).get(name, ())), kind) for kind in ("new", "replaced", "unchanged")]
        print(f"{name}: {', '.join(f'{count} {kind}' for count, kind in counts)}: {classroom.root / 'submitted'}")
    print(*map(visible, said.told), sep="\n", end="\n" if said.told else "", file=sys.stderr)
    for line in said.left:
        print(f"not collected: {visible(line)}", file=sys.stderr)
    if options.dry_run:
        print("nothing was written: --dry-run", file=sys.stderr)
    return EXIT_OK


def run_grade(options):
    """Grade the class and say where the marks are."""
    if options.jobs > 1 and not options.scheduler:
        from autograder.pipeline import server

        server.start()  # before all else is loaded here, which takes as long
    from autograder.pipeline.changes import lines
    from autograder.pipeline.class_run import ClassRun
    from autograder.pipeline.scheduler_address import in_the_open

    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters)
    print(*in_the_open(options.scheduler), sep="\n", end="", file=sys.stderr)
    statuses = Counter()
    for path in (assignment.ledger_path for assignment in chosen if not assignment.ledger_path.exists()):
        print(f"no {path}: releases before the last are not known; `autograder release` begins it", file=sys.stderr)
    settings = {"accept": options.yes, "scheduler": options.scheduler, "only": options.student}
    run = ClassRun(classroom, chosen, options.jobs, protected(options), **settings)
    for student, result in run:
        statuses[result.status] += 1
        if options.json:
            told_as_json(run, student, result)
    counted = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    print(f"{statuses.total()} submissions: {counted}", file=sys.stderr)
    said = [*run.notes, *run.failures()]
    print(*said, sep="\n", end="\n" if said else "", file=sys.stderr)
    print(*lines(run.changes), sep="\n", end="\n" if run.changes else "", file=sys.stderr)
    if run.changes and not options.yes:
        print(f"changes not written: {len(run.changes)}; to write them, add --yes", file=sys.stderr)
    print(f"marks: {masked(classroom.database)}", file=sys.stderr)
    return EXIT_INFRASTRUCTURE if statuses["infrastructure"] else EXIT_OK


def run_watch(options):
    """Grade what arrives until somebody ends it, by Ctrl+C or a TERM."""
    from autograder.pipeline import server

    if options.jobs > 1:
        server.start()
    from autograder.delivery.watch import Watch
    from autograder.pipeline.class_run import ClassRun

    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters)
    run = ClassRun(classroom, chosen, options.jobs, protected(options), accept=options.yes)
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def finished(student, result):
        if options.json:
            told_as_json(run, student, result)

    try:
        Watch(run, say=told, finished=finished, collect=options.collect)()
    except KeyboardInterrupt:
        told("ended; what was graded until now is recorded")
    return EXIT_OK


def told(line):
    """Print a line with the time of day, for whoever watches."""
    print(f"{datetime.now():%H:%M:%S} {line}", file=sys.stderr, flush=True)


def told_as_json(run, student, result):
    """Print a result as a line of JSON, with what counts of it."""
    total = run.total(student, result)
    counts = total.as_dict() if total else {"total": None}
    print(json.dumps({"student": student, **result.as_dict(), **counts}), flush=True)


def run_feedback(options):
    """Write the feedback pages."""
    from autograder.pages.feedback import feedback

    course, classroom = course_and_class(options)
    for assignment in assignments(course, options.chapters):
        pages = feedback(classroom, assignment)
        print(f"{len(pages)} pages: {classroom.feedback('<student>', assignment.chapter) / assignment.chapter}.html")
    return EXIT_OK


def run_report(options):
    """Write the class's page."""
    from autograder.pages.report import report

    course, classroom = course_and_class(options)
    for assignment in assignments(course, options.chapters):
        print(f"report: {report(classroom, assignment, options.nameless)}")
    return EXIT_OK


def run_export(options):
    """Write the marks to a file."""
    from autograder.delivery.export import export
    from autograder.pipeline.recorded import graded_chapters

    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters or graded_chapters(course, classroom))
    written = export(classroom, chosen, options.to, options.format)
    print(f"{written.students} students, {written.marks} marks: {written.path}")
    return EXIT_OK


def run_return(options):
    """Write the feedback's zip, and the marks beside it."""
    from autograder.delivery.export import export
    from autograder.delivery.give_back import NAMES, give_back

    course, classroom = course_and_class(options)
    (assignment,) = assignments(course, [options.chapter])
    given = give_back(classroom, assignment, options.lms, options.to)
    print(f"{len(given.students)} pages for {NAMES[options.lms]}: {given.path}")
    if given.without_page:
        logins = ", ".join(given.without_page)
        print(f"no page, or an old one: {logins}; run `autograder feedback {assignment.chapter}`", file=sys.stderr)
    if given.from_elsewhere:
        print(f"not collected from {NAMES[options.lms]}: {', '.join(given.from_elsewhere)}", file=sys.stderr)
    if options.marks:
        written = export(classroom, [assignment], options.marks, options.lms)
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
