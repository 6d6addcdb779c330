"""Kernel limits for a notebook and its children, set from inside before any of its code runs."""

import base64
import ctypes
import os
import resource
import signal
from collections.abc import Callable
from typing import Any

SPARE_FILES = 64  # reserve for us, if a cell has opened as many files as it may
SET_NO_NEW_PRIVS = 38  # prctl(2)
MODE_FILTER, NEW_LISTENER = 1, 8  # seccomp(2)


def apply_limits(limits: dict[str, int]) -> None:
    """Set the kernel's limits for this process and its descendants."""
    wanted = (
        (resource.RLIMIT_AS, limits["memory_bytes"]),
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_CORE, 0),
    )
    for name, value in wanted:
        if value is not None:
            resource.setrlimit(name, (at_most(name, value),) * 2)
    files = at_most(resource.RLIMIT_NOFILE, limits["open_files"] + SPARE_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(files - SPARE_FILES, files // 2), files))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file too large is an OSError, not the end


def at_most(name: int, value: int) -> int:
    """Return a limit, or the machine's own where that is lower: the kernel lets nobody here raise it."""
    _, most = resource.getrlimit(name)
    return value if most == resource.RLIM_INFINITY else min(value, most)


def limit_step(cpu_seconds: float) -> None:
    """Limit this step's processor time, in seconds from now; the kernel then kills the process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime + cpu_seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


class Filter(ctypes.Structure):
    """A seccomp(2) program in the kernel's format."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def refuse_calls(filters: dict[str, Any], hand_over: Callable[[int | None], None]) -> None:
    """Have the kernel refuse some system calls to this process and its descendants.

    ``hand_over`` gets the descriptor through which the kernel asks about every refused call; its holder may permit
    calls. None where the kernel does not ask: before Linux 5.0, or if another program on this machine is asked already.
    The last filter refuses what that took: to send a descriptor, and to load a filter.
    """
    libc = ctypes.CDLL(None)
    libc.syscall.restype = ctypes.c_long
    if libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        os._exit(1)
    listener = load(libc, filters["call"], filters["asking"], NEW_LISTENER)
    if listener is None:
        load(libc, filters["call"], filters["refusing"])
    hand_over(listener)
    load(libc, filters["call"], filters["bounds"])


def load(libc: Any, call: int, program: str, flags: int = 0) -> int | None:
    """Load one filter and return what seccomp(2) returns; a process that cannot load it ends.

    None, rather than the end, if it cannot be loaded with these flags.
    """
    code = base64.b64decode(program)
    filtered = Filter(len(code) // 8, code)
    answer = libc.syscall(ctypes.c_long(call), MODE_FILTER, flags, ctypes.byref(filtered))
    if answer < 0 and not flags:
        os._exit(1)
    return None if answer < 0 else int(answer)
