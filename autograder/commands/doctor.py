"""`autograder doctor`."""

from argparse import ArgumentParser, Namespace

from autograder.terminal import print_results

from .exit_codes import EXIT_INFRASTRUCTURE, EXIT_OK

HELP = "say what this machine offers, and what to do about what is missing"


def add_arguments(_: ArgumentParser) -> None:
    """Add nothing: the command takes no arguments."""


def run(_: Namespace) -> int:
    """Print what this machine offers."""
    from autograder.doctor import examine

    findings = list(examine())
    print_results(*(one.line() for one in findings))
    return EXIT_INFRASTRUCTURE if any(one.state == "missing" for one in findings) else EXIT_OK
