"""Arguments that several commands share."""

import os
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path


def add_class(command: ArgumentParser, how_many: str | None = "+") -> None:
    """Add the arguments for a class and its chapters."""
    default = " (default: all that are graded)" if how_many == "*" else ""
    name = "chapters" if how_many else "chapter"
    command.add_argument(name, nargs=how_many, metavar="CHAPTER", help=f"by name or number{default}")
    add_root(command)
    add_course(command)
    command.add_argument("--db", default="", metavar="URL", help="the gradebook (default: the class's own)")


def add_root(command: ArgumentParser) -> None:
    """Add the class's folder."""
    default = "this one if it is a class, or else the course's own"
    command.add_argument("--root", type=Path, metavar="DIR", help=f"the class's folder (default: {default})")


def add_course(command: ArgumentParser) -> None:
    """Add the course's folder."""
    default = "this one, or else the installed one"
    command.add_argument("--course", type=Path, metavar="DIR", help=f"the course's folder (default: {default})")


def add_jobs(command: ArgumentParser) -> None:
    """Add the number of parallel processes."""
    command.add_argument(
        "--jobs", type=positive, default=os.cpu_count(), metavar="N", help="processes (default: one per core)"
    )


def add_json_lines(command: ArgumentParser) -> None:
    """Add the switch that prints results for another program."""
    command.add_argument("--json", action="store_true", help="print a JSON line for each submission as it is finished")


def add_yes(command: ArgumentParser) -> None:
    """Add the switch that accepts changed marks."""
    command.add_argument("--yes", action="store_true", help="write marks that differ from those given before")


def add_protection(command: ArgumentParser) -> None:
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
        raise ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return number
