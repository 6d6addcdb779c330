"""Runs an action on files that students made in a child process with little time and memory."""

import math
import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path

from autograder.errors import CourseError, NoRoom
from autograder.files import FULL, describe_os_error

SECONDS, WALL_SECONDS, MEMORY_BYTES = 30, 120, 1 << 30  # of processor time; of waiting; on top of what is in use
SAID = 2000
NO_ROOM = 2  # the exit code for a full disk


def run_limited(action: Callable, seconds: int | None = None) -> None:
    """Run an action in a limited child process, for so many seconds at most (default SECONDS).

    Only the files that it writes remain. Load what it needs beforehand: modules loaded in the child are lost with it.
    Errors: CourseError, in one sentence, if it fails or exceeds a limit; NoRoom among them.
    """
    start_limited(action, seconds)()


def start_limited(action: Callable, seconds: int | None = None) -> Callable[[], None]:
    """Start an action as ``run_limited`` does, and return what waits for its end, with the same errors."""
    reader, writer = os.pipe()
    copy = os.fork()
    if copy == 0:
        os._exit(perform(action, writer, seconds or SECONDS))
    os.close(writer)

    def wait() -> None:
        with open(reader, encoding="utf-8", errors="replace") as file:  # noqa: PTH123 - a descriptor
            said = file.read()
        _, status = os.waitpid(copy, 0)
        if status:
            kind = NoRoom if os.waitstatus_to_exitcode(status) == NO_ROOM else CourseError
            raise kind(said or "it exceeds its time or memory")

    return wait


def renew_limits(seconds: int) -> None:
    """Let the limits of a limited child begin anew: so many seconds more of processor time, and time to wait."""
    used, most = resource.getrusage(resource.RUSAGE_SELF), resource.getrlimit(resource.RLIMIT_CPU)[1]
    limit = math.ceil(used.ru_utime + used.ru_stime) + seconds
    limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, most))
    signal.alarm(max(WALL_SECONDS, 4 * seconds))


def perform(action: Callable, writer: int, seconds: int) -> int:
    """Run the action within its limits; report an error and return an exit code."""
    try:
        in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        lower_limit(resource.RLIMIT_AS, in_use + MEMORY_BYTES)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        renew_limits(seconds)
        action()
    except MemoryError:
        return 1
    except OSError as error:
        os.write(writer, describe_os_error(error).encode(errors="replace")[:SAID])
        return NO_ROOM if error.errno in FULL else 1
    except BaseException as error:
        os.write(writer, f"{type(error).__name__}: {error}".encode(errors="replace")[:SAID])
        return 1
    return 0


def lower_limit(kind: int, most: int) -> None:
    """Set one of this process's limits, unless a lower one holds already: no process may raise its own."""
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))
