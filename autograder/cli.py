"""The command line: collects the commands, runs one, and reports errors in one line."""

import argparse
import gc
import os
import sys
from types import ModuleType
from typing import NoReturn

from autograder.commands import (
    check,
    collect,
    doctor,
    export,
    feedback,
    give_back,
    grade,
    init,
    release,
    report,
    sample_class,
    watch,
)
from autograder.error_handler import exit_code_of, fail

COMMANDS: dict[str, ModuleType] = {  # in the order of a term
    "release": release,
    "init": init,
    "doctor": doctor,
    "check": check,
    "sample-class": sample_class,
    "collect": collect,
    "grade": grade,
    "watch": watch,
    "feedback": feedback,
    "report": report,
    "export": export,
    "return": give_back,
}


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
    for word, module in COMMANDS.items():
        command = words.add_parser(word, help=module.HELP)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return top


if __name__ == "__main__":
    main()
