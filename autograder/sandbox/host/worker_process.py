"""The worker process as the host sees it. The code that runs inside is worker.py."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from autograder.errors import InfrastructureError

from ..inside import protocol
from . import bubblewrap, control_groups, syscalls
from .refusals import Refusals
from .steps import Limits

BROKEN_SECONDS = 15.0  # for an order: the worker runs no student code and needs a second or two at most


class WarmWorker:
    """Starts the sandbox, loads the interpreter, and passes orders on.

    Errors: SandboxUnavailable if the machine cannot sandbox it; InfrastructureError if it fails to start.
    """

    def __init__(self, limits: Limits, protected: bool, files: dict[str, str], warm: list[str], memory: int) -> None:
        self.limits, self.protected, self.memory = limits, protected, memory
        self.filters = syscalls.filters() if protected else None
        self.folder: tempfile.TemporaryDirectory | None = None
        self.tree = control_groups.Tree(limits, memory)
        self.control, theirs = socket.socketpair()
        self.control.setblocking(False)
        with theirs:
            self.launch(theirs)
        self.greet(files, warm)

    def launch(self, theirs: socket.socket) -> None:
        """Start the worker in the sandbox, or outside it if requested."""
        if not self.protected:
            self.folder = tempfile.TemporaryDirectory(prefix="unprotected-")
            self.spawn(
                [sys.executable, "-c", bubblewrap.unprotected_start()],
                theirs,
                env=bubblewrap.ENVIRONMENT,
                cwd=self.folder.name,
            )
            return
        self.spawn([*bubblewrap.arguments(self.limits.tmp_bytes), *bubblewrap.command()], theirs, env={})

    def spawn(self, args: list[str], theirs: Any, **where: Any) -> None:
        """Start the process and apply the limits for the tree."""
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115 - from bwrap, and from Python before the worker starts
        try:
            self.process = subprocess.Popen(
                self.tree.wrapped(args),
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=self.complaints,
                start_new_session=True,
                **where,
            )
        except (OSError, subprocess.SubprocessError) as error:
            self.control.close()
            self.tree.remove()
            raise InfrastructureError(f"the sandbox did not start: {error}") from error

    def greet(self, files: dict[str, str], warm: list[str]) -> None:
        """Send the limits and files, and wait until the interpreter is ready."""
        limits = asdict(self.limits)
        if not self.protected or not bubblewrap.counts_processes_inside():
            limits["processes"] = None  # it would also count the user's own programs
        settings = {"limits": limits, "files": files, "warm": warm, "reusable": self.is_reusable()}
        if not self.tree.holds_memory:
            settings["memory"] = self.memory
        if self.filters:
            settings["filters"] = asdict(self.filters)
        wait = protocol.until(time.monotonic() + self.limits.start_seconds)
        try:
            protocol.send(self.control.fileno(), settings, wait)
            ready = protocol.receive(self.control.fileno(), wait)
        except (OSError, protocol.WireError, protocol.Deadline) as error:
            ready, why = None, str(error) or type(error).__name__
        else:
            why = "it ended before it was ready"
        if not ready:
            self.complaints.seek(0)
            said = self.complaints.read().decode(errors="replace").strip().splitlines()
            self.stop()
            if self.protected:
                bubblewrap.require()  # if none starts on this machine, it says why, and what to do
            raise InfrastructureError(f"the sandbox did not start: {said[-1] if said else why}")

    def is_reusable(self) -> bool:
        """Say whether one worker may serve several notebooks: only if the filter keeps it out of their reach."""
        return self.filters is not None

    def fork(self, order: str) -> tuple[int, socket.socket, Refusals] | None:
        """Have the worker fork a notebook, by ``begin`` or ``again``.

        Returns its number inside, our end of its socket, and what the kernel asks about its calls; None if the worker
        declines, because the last notebook has left too much behind.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            pid = self.order(order, theirs)["pid"]
        if pid is None:
            ours.close()
            return None
        return pid, ours, Refusals(self.listener(ours))

    def listener(self, ours: socket.socket) -> int | None:
        """Receive the descriptor through which the kernel asks about refused calls, before any code of a student runs.

        None where the kernel does not ask.
        Errors: InfrastructureError if it does not come, or the process has ended: only our own code runs until then.
        """
        if not self.filters:
            return None
        if protocol.ready([ours.fileno()], [], time.monotonic() + BROKEN_SECONDS):
            with suppress(ConnectionError):
                said, descriptors, _, _ = socket.recv_fds(ours, 1, 1, socket.MSG_CMSG_CLOEXEC)
                if said:
                    return descriptors[0] if descriptors else None
        raise InfrastructureError("the sandbox broke in the middle of its work (a notebook did not start)")

    def order(self, order: str, end: socket.socket | None = None, **details: Any) -> dict:
        """Send the worker an order and return its answer.

        Errors: InfrastructureError if it fails; a worker runs no student code, so that is our failure.
        """
        wait = protocol.until(time.monotonic() + BROKEN_SECONDS)
        try:
            protocol.send(self.control.fileno(), {"do": order, **details}, wait)
            if end is not None:
                socket.send_fds(self.control, [b"s"], [end.fileno()])
            answer = protocol.receive(self.control.fileno(), wait)
        except (OSError, protocol.WireError, protocol.Deadline) as error:
            raise InfrastructureError(
                f"the sandbox broke in the middle of its work ({type(error).__name__})"
            ) from error
        if answer is None:
            raise InfrastructureError("the sandbox ended in the middle of its work")
        return answer

    def stop(self) -> bool:
        """End the worker and everything in it; say whether the kernel killed a process for lack of memory."""
        self.control.close()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1.0)  # a healthy worker exits when its socket closes, after everything in the sandbox
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        starved = bool(self.tree.ran_out_of_memory())
        self.tree.remove()
        self.complaints.close()
        if self.folder:
            self.folder.cleanup()
        return starved
