"""Ends processes inside the sandbox, measures them, and receives their sockets."""

import os
import resource
import signal
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import proc

END_SECONDS = 2.0
DYING_SECONDS = 0.2  # a process that stopped answering may be dying on its own, and its exit code says why
EXITING = 0x4  # PF_EXITING, among the flags in a process's stat
GONE = "0ZX"  # states in a process's stat: none, a zombie, dead
TICKS = os.sysconf("SC_CLK_TCK")  # the kernel's unit of processor time


def is_alive(pid: int) -> bool:
    """Say whether a process is still running, not just waiting to be reaped."""
    return stat_fields(pid)[0] not in GONE


def used(pid: int, everybody: Iterable[int]) -> dict[str, Any]:
    """Return what a process has used: the processor time of ``everybody``, and the time on or waiting for a processor.

    ``is_certain`` says whether the rest is surely its own waiting: not if the kernel does not tell, a disk is waited
    for, or other threads are at work. ``resident`` are its bytes in memory, and ``ended`` says whether it is gone.
    """
    computed = sum(sum(map(int, stat_fields(other)[11:15])) for other in everybody) / TICKS
    own = stat_fields(pid)
    try:
        ran, queued = map(int, proc.read(f"{pid}/schedstat").split()[:2])
    except (OSError, ValueError):
        ran, queued = sum(map(int, own[11:13])) * 10**9 / TICKS, None
    return {
        "computed": computed + sum(os.times()[2:4]),  # and of those that have ended
        "occupied": (ran + (queued or 0)) / 1e9,
        "is_certain": queued is not None and own[0] != "D" and own[17] == "1",
        "resident": int(own[21]) * resource.getpagesize(),
        "ended": own[0] in GONE,
    }


def stat_fields(pid: int) -> list[str]:
    """Return the fields of a process's ``stat`` after its name; zeros if it is gone."""
    try:
        return proc.read(f"{pid}/stat").decode(errors="replace").rpartition(")")[2].split()
    except OSError:
        return ["0"] * 50


def stop(pid: int) -> bool:
    """Kill a process unless it is about to end by itself; say whether it would have gone on."""
    until = time.monotonic() + DYING_SECONDS
    while time.monotonic() < until:
        if not is_alive(pid):
            return False
        time.sleep(0.001)
    goes_on = not is_exiting(pid)
    with suppress(ProcessLookupError, PermissionError, OverflowError):
        os.kill(pid, signal.SIGKILL)
    return goes_on


def exit_code(pid: int) -> int:
    """Wait until a child process has ended: its exit code, or minus the signal that killed it; 1 for no child."""
    until = time.monotonic() + END_SECONDS
    while time.monotonic() < until:
        try:
            child, status = os.waitpid(pid, os.WNOHANG)
        except (ChildProcessError, OverflowError):
            return 1
        if child:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    return 1


def is_exiting(pid: int) -> bool:
    """Say whether a process is on its way out, killed or not: it may have much memory to give back."""
    return bool(int(stat_fields(pid)[6]) & EXITING)


def receive_descriptor(channel: socket.socket) -> int:
    """Receive a descriptor from the host."""
    message, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
    if not message:
        os._exit(0)
    return descriptors[0]


def receive_socket(channel: socket.socket) -> socket.socket:
    """Receive a socket from the host."""
    return socket.socket(fileno=receive_descriptor(channel))
