"""The command line: parses arguments, runs one command, and reports errors in one line."""

import argparse
import gc
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from autograder import commands
from autograder.error_handler import exit_code_of, fail

ROOT_HELP = "the class's folder (default: this one if it is a class, or else the course's own)"


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a mistake in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the error and where to find help, and exit with 2."""
        self.exit(fail(f"{message}; see `{self.prog} --help`"))

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Flush a help text before exiting, so that a closed pipe is noticed."""
        sys.stdout.flush()
        super().exit(status, message)


def main(arguments: list[str] | None = None) -> None:
    """Run one command and exit: 0 done; 2 an error of use, in one line; 3 our machinery failed; 4 changes need --yes.

    141 if the output goes to a pipe that has been closed.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: more threads would only wait
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # the terminal may not support every character
    code = exit_code_of(lambda: run(arguments))
    gc.freeze()  # the final garbage collection would take a third of a second
    sys.exit(code)


def run(arguments: list[str] | None) -> int:
    """Run one command and return its exit code. Errors: whatever the command raises."""
    options = parser().parse_args(arguments)
    code = options.run(options)
    if sys.stdout:  # None where it was closed before the start
        sys.stdout.flush()
    return code


def parser() -> Parser:
    """Return the parser of all commands, in the order of a term."""
    top = Parser(prog="autograder", description="Grades the course's notebooks; student code runs in a sandbox.")
    words = top.add_subparsers(required=True, metavar="COMMAND")
    add_before(words)
    add_grading(words)
    add_after(words)
    return top


def add_before(words: Any) -> None:
    """Add the commands used before grading."""
    release = words.add_parser("release", help="write exercises/ from solutions/")
    release.add_argument("chapters", nargs="*", metavar="CHAPTER", help="by name or number (default: all)")
    add_course(release)
    release.set_defaults(run=commands.run_release)

    init = words.add_parser("init", help="write a small working course of your own into a new folder")
    init.add_argument("folder", type=Path, metavar="FOLDER")
    init.set_defaults(run=commands.run_init)

    doctor = words.add_parser("doctor", help="say what this machine offers, and what to do about what is missing")
    doctor.set_defaults(run=commands.run_doctor)

    check = words.add_parser("check", help="grade one notebook and print the result")
    check.add_argument("notebook", type=Path)
    check.add_argument("--json", action="store_true", help="print the result as JSON")
    add_course(check)
    add_protection(check)
    check.set_defaults(run=commands.run_check)

    sample = words.add_parser("sample-class", help="write a synthetic class below submitted/")
    add_class(sample)
    sample.add_argument("--students", type=positive, required=True, metavar="N")
    sample.add_argument("--seed", type=int, default=0, metavar="S")
    sample.set_defaults(run=commands.run_sample_class)

    collect = words.add_parser("collect", help="fill submitted/ from what Moodle, Canvas or plain folders export")
    collect.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a zip, a folder, or Moodle's worksheet")
    collect.add_argument("--chapter", default="", metavar="CHAPTER", help="only notebooks of this chapter")
    collect.add_argument("--root", type=Path, metavar="DIR", help=ROOT_HELP)
    add_course(collect)
    collect.add_argument("--roster", type=Path, metavar="CSV", help="the roster, or the gradebook that Canvas exports")
    collect.add_argument("--login", default="", metavar="LOGIN", help="everything in FILE belongs to this student")
    collect.add_argument("--yes", action="store_true", help="replace existing work, even later work")
    collect.add_argument("--dry-run", action="store_true", help="print what would be done, and write nothing")
    collect.set_defaults(run=commands.run_collect)


def add_grading(words: Any) -> None:
    """Add the commands that grade."""
    grade = words.add_parser("grade", help="grade submitted/<student>/<chapter>/ into the gradebook")
    add_class(grade)
    add_jobs(grade)
    grade.add_argument(
        "--student",
        action="append",
        default=[],
        metavar="NAME",
        help="only this student's submissions; may be repeated",
    )
    grade.add_argument("--scheduler", default="", metavar="ADDRESS", help="grade on the Dask cluster at this address")
    grade.add_argument("--yes", action="store_true", help="write marks that differ from those given before")
    grade.add_argument("--json", action="store_true", help="print a JSON line for each submission as it is finished")
    grade.add_argument("--exit-code", action="store_true", help="exit with 4 if changes wait for --yes")
    add_protection(grade)
    grade.set_defaults(run=commands.run_grade)

    watch = words.add_parser("watch", help="grade what arrives in submitted/, until Ctrl+C")
    add_class(watch)
    add_jobs(watch)
    watch.add_argument("--collect", action="store_true", help="also collect what arrives in nbgrader's exchange")
    watch.add_argument("--yes", action="store_true", help="write marks that differ from those given before")
    watch.add_argument("--json", action="store_true", help="print a JSON line for each submission as it is finished")
    add_protection(watch)
    watch.set_defaults(run=commands.run_watch)


def add_after(words: Any) -> None:
    """Add the commands that use the marks."""
    feedback = words.add_parser("feedback", help="write a page for each graded student")
    add_class(feedback)
    feedback.set_defaults(run=commands.run_feedback)

    report = words.add_parser("report", help="write the class report, on one page")
    add_class(report)
    report.add_argument("--nameless", action="store_true", help="write a page without names, for the class")
    report.set_defaults(run=commands.run_report)

    export = words.add_parser("export", help="write the marks to a file, for a spreadsheet, Canvas or Moodle")
    add_class(export, "*")
    export.add_argument("--to", type=Path, required=True, metavar="FILE")
    export.add_argument("--format", default="csv", metavar="FORMAT", help="csv, canvas or moodle (default: csv)")
    export.set_defaults(run=commands.run_export)

    back = words.add_parser("return", help="write the feedback pages as Moodle or Canvas imports them")
    add_class(back, None)
    back.add_argument("--as", dest="lms", required=True, metavar="LMS", help="moodle or canvas")
    back.add_argument("--to", type=Path, required=True, metavar="FILE.zip")
    back.add_argument("--marks", type=Path, metavar="FILE.csv", help="write the marks as well, for its gradebook")
    back.set_defaults(run=commands.run_return)


def add_class(command: Parser, how_many: str | None = "+") -> None:
    """Add the arguments for a class and its chapters."""
    default = " (default: all that are graded)" if how_many == "*" else ""
    name = "chapters" if how_many else "chapter"
    command.add_argument(name, nargs=how_many, metavar="CHAPTER", help=f"by name or number{default}")
    command.add_argument("--root", type=Path, metavar="DIR", help=ROOT_HELP)
    add_course(command)
    command.add_argument("--db", default="", metavar="URL", help="the gradebook (default: the class's own)")


def add_course(command: Parser) -> None:
    """Add the course's folder."""
    command.add_argument(
        "--course", type=Path, metavar="DIR", help="the course's folder (default: this one, or else the installed one)"
    )


def add_jobs(command: Parser) -> None:
    """Add the number of parallel processes."""
    command.add_argument(
        "--jobs", type=positive, default=os.cpu_count(), metavar="N", help="processes (default: one per core)"
    )


def add_protection(command: Parser) -> None:
    """Add the switches that turn the sandbox off, or let it be weaker."""
    command.add_argument(
        "--weaker-sandbox", action="store_true", help="grade without libseccomp, where it cannot be installed"
    )
    command.add_argument(
        "--unprotected", action="store_true", help="run student code with your own rights; only for notebooks you trust"
    )


def positive(text: str) -> int:
    """Parse a whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return number


if __name__ == "__main__":
    main()
