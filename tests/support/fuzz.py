"""How much is tried at random: the same each time, so that a failure is found again; `FUZZ=10000` tries new ones."""

import os

from hypothesis import settings

UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # what drives a terminal, turns a line's direction or begins a new line
IS_ASKED_FOR = "FUZZ" in os.environ


def tries(usual):
    """Return how many are tried."""
    return int(os.environ.get("FUZZ", usual))


def a_third(values, turn):
    """Return every third value, others at each turn, so that three turns try all; all of them if `FUZZ` is set."""
    values = list(values)
    return values if IS_ASKED_FOR else values[turn % 3 :: 3]


fuzzed = settings(max_examples=tries(100), derandomize=not IS_ASKED_FOR, database=None, deadline=None, print_blob=True)
