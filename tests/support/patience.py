"""How long a test waits: long where time is not its subject, briefly for what never ends."""

import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace

LONG = 60.0  # seconds for a step that ends by itself


def brief():
    """Return seconds that surely suffice for a small step: twenty times what starting Python takes at this moment."""
    started = time.monotonic()
    subprocess.run([sys.executable, "-I", "-S", "-c", ""], check=True)
    return max(0.5, 20 * (time.monotonic() - started))


def seconds(number):
    """Return the limits of a step that may compute for so many seconds, and wait for as many."""
    return {"cell_seconds": number, "call_seconds": number, "waiting_seconds": number}


@contextmanager
def hurried(box, at_least=0.0):
    """Give each step of a sandbox a brief time while this lasts: for a step that never ends."""
    patient, box.limits = box.limits, replace(box.limits, **seconds(max(at_least, brief())))
    yield
    box.limits = patient
