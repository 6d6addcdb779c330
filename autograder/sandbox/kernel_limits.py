"""Kernel limits for a notebook and its children, set from inside before any of its code runs."""

import base64
import ctypes
import os
import resource
import signal

SPARE_FILES = 64  # reserve for us, if a cell has opened as many files as it may
SET_SECCOMP, SET_NO_NEW_PRIVS, MODE_FILTER = 22, 38, 2  # prctl(2)


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
            resource.setrlimit(name, (value, value))
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits["open_files"], limits["open_files"] + SPARE_FILES))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file too large is an OSError, not the end


def limit_step(cpu_seconds: float) -> None:
    """Limit this step's processor time, in seconds from now; the kernel then kills the process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime + cpu_seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


class Filter(ctypes.Structure):
    """A seccomp(2) program in the kernel's format."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def refuse_calls(program: bytes) -> None:
    """Have the kernel refuse some system calls to this process and its descendants."""
    code = base64.b64decode(program)
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong]
    filtered = Filter(len(code) // 8, code)  # must stay alive until the kernel has read it
    if prctl(SET_NO_NEW_PRIVS, 1, None, 0, 0) or prctl(SET_SECCOMP, MODE_FILTER, ctypes.addressof(filtered), 0, 0):
        os._exit(1)
