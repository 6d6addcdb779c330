"""Prints lines on the terminal. Each stays one line, whatever names and paths are in it."""

import sys

from .plain import visible_line


def print_results(*lines: str) -> None:
    """Print lines on stdout, which is for what a command was asked for."""
    for line in lines:
        print(visible_line(line))


def print_notes(*lines: str) -> None:
    """Print lines on stderr, which is for everything else, at once."""
    for line in lines:
        print(visible_line(line), file=sys.stderr, flush=True)
