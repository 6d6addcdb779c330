"""Processes inside the sandbox: how they end, and how they get a socket."""

import os
import signal
import socket
import time
from pathlib import Path

END_SECONDS, DYING_SECONDS = 2.0, 0.2  # what has stopped to answer may be dying on its own, and then says why


def is_alive(pid):
    """Say whether a process still runs; one that only waits to be reaped by its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


def ended(pid):
    """End a child process and say how it had ended: exit code, or minus the signal that killed it; 1 for no child."""
    started, killed = time.monotonic(), False
    while time.monotonic() < started + END_SECONDS:
        try:
            found, status = os.waitpid(pid, os.WNOHANG)
        except (ChildProcessError, OverflowError):
            return 1
        if found:
            return os.waitstatus_to_exitcode(status)
        if not killed and time.monotonic() > started + DYING_SECONDS:
            os.kill(pid, signal.SIGKILL)
            killed = True
        time.sleep(0.001)
    return 1


def receive_descriptor(channel):
    """Receive a descriptor that the host sends along."""
    message, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
    if not message:
        os._exit(0)
    return descriptors[0]


def receive_socket(channel):
    """Receive a socket that the host sends along."""
    return socket.socket(fileno=receive_descriptor(channel))
