"""What never ends: each costs its own time and nobody else's. Each entry costs the corpus seconds, so they are few."""

from .corpus import Hostile

CAUGHT = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    try:
        while True: pass
    except BaseException:
        continue
"""
DEADLOCK = """
import threading
lock = threading.Lock()
lock.acquire()
lock.acquire()
"""
REPR = """
class Endless(Exception):
    def __str__(self):
        while True: pass
    __repr__ = __str__
def double(x):
    import sys
    if sys._getframe(1).f_code.co_name != "ask":  # not in the self-check: once is enough
        raise Endless
"""
TIME = ("time_limit",)

ENTRIES = (
    Hostile("cell", "a loop in the cell", "while True: pass", "", status=TIME, words="never ends"),
    Hostile("cells", "six loops in the cell, each of which is passed over", "while True: pass\n" * 6),
    Hostile("caught", "a loop that catches every signal and every exception", CAUGHT, "", status=TIME),
    Hostile("deadlock", "a lock that nobody opens", DEADLOCK, "", status=TIME),
    Hostile("message", "an error whose message never ends", REPR, "", status=TIME),
)
