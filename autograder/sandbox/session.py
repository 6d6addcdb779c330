"""The sandbox as the host sees it: start, run, stop."""

import errno
import math
import signal
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from autograder.errors import InfrastructureError

from . import wire
from .outcome import ERRORS, Outcome, calls_outcome, cell_outcome, ended_early, parse_reply
from .refusals import Refusals, times_refused
from .shared_arrays import SharedMemory
from .steps import Calls, Cell, Limits
from .time_limit import TimeLimit
from .warm_worker import WarmWorker

GRACE_SECONDS = 1.0  # between asking a cell to stop (SIGINT shows the student where it hung) and ending it
SHORT_REPLY = 1 << 10  # bytes, in which a number fits
MACHINE_IS_FULL = {errno.ETOOMANYREFS, errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}  # not its fault
HOARD = 4  # a process out of time that holds a quarter of the memory was about to take all of it
Performed = tuple[dict[str, Any] | None, TimeLimit]  # a step's reply, None if it gave none, and its time limit


class Sandbox:
    """A warm, sandboxed interpreter that runs one notebook after another.

    Use it as a context manager, so that nothing is left running. ``files`` (name -> text) are in every notebook's
    working folder; ``warm`` are cells that run once before all of them, to load modules: nothing else of them stays.
    ``in_doubt`` says that a step of this notebook waited too long, perhaps because the machine was busy.
    ``share`` is the bytes that all processes of a notebook may hold together, by default ``limits.memory_bytes``, which
    also limits each of them.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        protected: bool = True,
        files: dict[str, str] | None = None,
        warm: Iterable[str] = (),
        share: int | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.share = min(share or self.limits.memory_bytes, self.limits.memory_bytes)
        self.protected = protected
        self.files, self.warm = dict(files or {}), list(warm)
        self.worker: Any = None
        self.notebook: Any = None
        self.probes: Any = None
        self.asked: Any = None
        self.refusals: list[Refusals] = []
        self.over: Outcome | None = Outcome(crashed=True)
        self.in_doubt = False

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.stop()

    def start(self) -> "Sandbox":
        """Start an empty notebook, without files and processes of earlier ones; start the sandbox if necessary.

        Errors: SandboxUnavailable if the machine cannot sandbox it; InfrastructureError if it fails to start.
        """
        self.forget()
        if self.worker and not self.begin():
            self.stop()
        if not self.worker:
            self.worker = WarmWorker(self.limits, self.protected, self.files, self.warm, self.share)
            if not self.begin():
                self.stop()
                raise InfrastructureError("the sandbox ended before it was ready")
        return self

    def forget(self) -> None:
        """Drop the last notebook."""
        for process in (self.notebook, *(self.probes or {}).values()):
            if process:
                process.close()
        for refusals in self.refusals:
            refusals.close()
        self.notebook = self.probes = self.asked = self.over = None
        self.cells, self.refusals, self.in_doubt = [], [], False
        self.seconds_left = dict.fromkeys((Cell, Calls), self.limits.total_seconds)
        self.output_left = self.limits.notebook_output_bytes

    def begin(self) -> bool:
        """Ask the worker for a new notebook; say whether it made one. It declines if the last one left too much."""
        try:
            forked = self.worker.fork("begin")
        except InfrastructureError:
            return False
        self.notebook = self.opened(*forked) if forked else None
        return forked is not None

    def opened(self, pid: int, channel: socket.socket, refusals: Refusals) -> "RemoteProcess":
        """Return the notebook that the worker has forked."""
        self.refusals.append(refusals)
        return RemoteProcess(pid, channel, refusals)

    @property
    def refused(self) -> dict[str, int] | None:
        """Return how often which system call was refused to this notebook, by name; None where nobody counts."""
        return times_refused(self.refusals)

    def run(self, step: Any) -> Outcome:
        """Run one step and return its outcome. Cells come first; once a function has been called, no cell is run.

        Errors: InfrastructureError if the sandbox itself fails.
        """
        if self.over:
            return self.over
        is_cell = isinstance(step, Cell)
        try:
            if self.seconds_left[type(step)] > 0:
                return self.run_cell(step) if is_cell else self.call(step)
            if is_cell and step.checkpoint and self.notebook:
                self.run_cell(Cell("", checkpoint=True))
        except InfrastructureError:
            if not self.stop():
                raise
            self.over = Outcome(memory_limit=True)
            return self.over
        return Outcome(time_limit=True, seconds=self.limits.total_seconds)

    def perform(self, process: "RemoteProcess", kind: type, request: dict[str, Any], **details: Any) -> Performed:
        """Have a process perform a step within a time limit: its reply or None, and the limit."""
        left = max(self.seconds_left[kind], GRACE_SECONDS)
        allowed = self.limits.step_seconds, self.limits.waiting_seconds, left
        watch = TimeLimit(lambda: self.worker.order("use", pid=process.pid), *allowed)
        reply = process.perform(request, watch, self.longest_reply(request["do"]), **details)
        watch.end()
        self.seconds_left[kind] -= watch.spent
        return reply, watch

    def longest_reply(self, verb: str) -> int:
        """Return the size in bytes of the largest honest reply to a request."""
        cell = (self.limits.output_bytes + ERRORS) * wire.LONGEST_LETTER
        return min(wire.FRAME_BYTES, {"cell": cell, "calls": wire.FRAME_BYTES}.get(verb, SHORT_REPLY))

    def ending(self, watch: TimeLimit) -> tuple[str, float]:
        """Return the limit that a step hit, "" for none, and its seconds."""
        self.in_doubt |= not watch.is_certain
        seconds = {"computing": self.limits.step_seconds, "waiting": self.limits.waiting_seconds}
        hit = "time_limit" if watch.over else ""
        if watch.over == "computing" and watch.used["resident"] * HOARD > self.limits.memory_bytes:
            hit = "memory_limit"
        return hit, seconds.get(watch.over, watch.spent)

    def run_cell(self, step: Cell) -> Outcome:
        """Run a cell. One that hangs for good or ends the notebook is dropped, as if it had not been there."""
        if self.probes is not None:
            raise ValueError("expected no cell after a call: start a new notebook")
        self.restore()
        if self.notebook is None:
            return Outcome(time_limit=True)
        self.cells.append(step)
        frame, watch = self.perform_cell(len(self.cells) - 1)
        if frame is None:
            ended = self.drop(len(self.cells) - 1, watch)
            return ended_early(ended, self.worker.tree.ran_out_of_memory(), *self.ending(watch))
        most = self.limits.output_bytes + ERRORS
        return self.within_budget(parse_reply(cell_outcome, frame, most, *self.ending(watch)))

    def perform_cell(self, number: int) -> Performed:
        """Have the notebook run a cell: its reply or None, and the time limit."""
        cell = self.cells[number]
        request = {"do": "cell", "source": cell.source, "label": str(number), "checkpoint": cell.checkpoint}
        # SIGINT shows the student where it hung.
        return self.perform(
            self.notebook,
            Cell,
            {**request, "cpu_seconds": self.cpu_seconds},
            interrupt=lambda: self.worker.order("signal", pid=self.notebook.pid, sign=signal.SIGINT),
        )

    @property
    def cpu_seconds(self) -> int:
        """Return the processor time after which the kernel ends a step, in case nobody here does."""
        return math.ceil(self.limits.step_seconds) + 1

    def drop(self, number: int, watch: TimeLimit) -> int:
        """Abandon a notebook that a cell ended or hung, and return how it ended.

        The cell is emptied; if it was empty, the last non-empty one before it, which must have caused the end.
        """
        guilty = next((earlier for earlier in range(number, 0, -1) if self.cells[earlier].source), 0)
        self.cells[guilty] = replace(self.cells[guilty], source="")
        self.hang_up(self.notebook, watch)
        began = time.monotonic()
        ended, self.notebook = int(self.worker.order("end", pid=self.notebook.pid)["ended"]), None
        self.seconds_left[Cell] -= time.monotonic() - began  # a process that has hung up may end slowly
        self.worker.order("tidy", keep=[])
        return ended

    def hang_up(self, process: "RemoteProcess", watch: TimeLimit) -> None:
        """Close the connection to a process; end it if its time is over, else it may be dying, and say of what."""
        process.close()
        if watch.over:
            self.worker.order("signal", pid=process.pid, sign=signal.SIGKILL)

    def restore(self) -> None:
        """After a cell has cost us the notebook, run all the others again in a new one."""
        while self.notebook is None and self.seconds_left[Cell] > 0:
            self.notebook = self.opened(*self.worker.fork("again"))
            for number in range(len(self.cells)):
                frame, watch = self.perform_cell(number)
                if frame is None or self.seconds_left[Cell] <= 0:
                    self.drop(number, watch)
                    break

    def call(self, step: Calls) -> Outcome:
        """Send calls to a probe. From the first one on, no cell runs, and what cells left running has ended."""
        if self.probes is None:
            self.settle()
        place = step.checkpoint if step.alone else None
        probe = self.probes.get(place)
        if place not in self.probes or (probe and probe.gone and not step.alone):
            probe = self.probes[place] = self.probe() or self.probe_with_room()
        if probe is None:
            late = self.seconds_left[Cell] <= 0
            return Outcome(time_limit=late, crashed=not late)
        if probe.gone or not self.cleared_for(probe):
            return probe.gone or Outcome(crashed=True)
        calls, content = step.laid_out
        request = {"do": "calls", "name": step.name, "checkpoint": step.checkpoint, "calls": calls}
        with SharedMemory(content) as memory:
            frame, watch = self.perform(probe, Calls, {**request, "cpu_seconds": self.cpu_seconds}, end=memory)
            after = memory.now()
        if frame is None:
            ended = self.end_probe(probe, watch)
            outcome = ended_early(ended, self.worker.tree.ran_out_of_memory(), *self.ending(watch))
            probe.gone = replace(outcome, waited=outcome.time_limit and watch.over == "waiting")
            return probe.gone
        return parse_reply(calls_outcome, frame, step, after, watch.spent, [cell.source for cell in self.cells])

    def cleared_for(self, probe: "RemoteProcess") -> bool:
        """Before another copy is asked, remove all files that were written and end everything left running.

        All copies share what cells have opened, such as a pipe or a deleted file: through it one can learn what another
        was asked. So a caller must ask nothing that must stay secret.
        """
        if probe is not self.asked:
            alive = [self.notebook, *(other for other in self.probes.values() if other and not other.gone)]
            if not self.worker.order("sweep", keep=[process.pid for process in alive])["swept"]:
                return False
            self.asked = probe
        return True

    def end_probe(self, probe: "RemoteProcess", watch: TimeLimit) -> int:
        """End a probe and return how it ended; 1 if the notebook does not tell."""
        self.hang_up(probe, watch)
        began = time.monotonic()
        goes_on = self.worker.order("stop", pid=probe.pid)["goes_on"]
        self.seconds_left[Calls] -= time.monotonic() - began
        frame, _ = self.perform(self.notebook, Calls, {"do": "end", "pid": probe.pid})
        ended = frame.get("ended") if isinstance(frame, dict) else None
        return ended if type(ended) is int and not goes_on else 1

    def settle(self) -> None:
        """Finish the part with cells, and end everything they left running."""
        self.restore()
        self.probes = {}
        self.worker.order("tidy", keep=[self.notebook.pid] if self.notebook else [])

    def probe(self) -> "RemoteProcess | None":
        """Have the notebook fork a copy that can be asked; None if it does not."""
        if self.notebook is None:
            return None
        ours, theirs = socket.socketpair()
        with theirs:
            frame, _ = self.perform(self.notebook, Calls, {"do": "probe"}, end=theirs)
        pid = frame.get("pid") if isinstance(frame, dict) else None
        if type(pid) is int and 1 < pid < 1 << 22:
            return RemoteProcess(pid, ours, self.notebook.refusals)
        ours.close()
        return None

    def probe_with_room(self) -> "RemoteProcess | None":
        """Try once more after ending what calls left running, which may take up all the room."""
        if self.notebook is None:
            return None
        alive = [self.notebook, *(probe for probe in self.probes.values() if probe)]
        self.worker.order("tidy", keep=[process.pid for process in alive])
        return self.probe()

    def within_budget(self, outcome: Outcome) -> Outcome:
        """Leave the outputs out once the notebook has exceeded its total."""
        self.output_left -= len(str(outcome.outputs))
        if self.output_left >= 0:
            return outcome
        return replace(outcome, completed=False, output_limit=not outcome.time_limit, outputs=())

    def stop(self) -> bool:
        """End the sandbox and everything in it."""
        self.forget()
        worker, self.worker = self.worker, None
        return worker.stop() if worker else False


class RemoteProcess:
    """A notebook's process, seen from the host: its number inside, and its socket."""

    def __init__(self, pid: int, channel: socket.socket, refusals: Refusals) -> None:
        self.pid, self.channel, self.refusals = pid, channel, refusals
        self.channel.setblocking(False)
        self.gone: Outcome | None = None

    def perform(
        self,
        request: dict[str, Any],
        watch: TimeLimit,
        most: int,
        interrupt: Callable | None = None,
        end: SharedMemory | socket.socket | None = None,
    ) -> dict[str, Any] | None:
        """Send one step, within a time limit; return its reply, or None if there is no valid one.

        A step whose time is over is interrupted if possible, and has a moment more to say where it was.
        Errors: InfrastructureError if this machine has no room for the message.
        """
        try:
            wire.send(self.channel.fileno(), request, self.refusals.also(watch.wait))
            if end is not None:
                socket.send_fds(self.channel, [b"s"], [end.fileno()])
            return self.hear(watch, most, len(request.get("calls", ())))
        except wire.Deadline:
            if not interrupt:
                return None
        except (OSError, wire.WireError) as error:
            if isinstance(error, OSError) and error.errno in MACHINE_IS_FULL:
                raise InfrastructureError(f"no room for a message to the sandbox ({error.strerror})") from error
            return None
        interrupt()
        try:
            return self.hear(TimeLimit(watch.measure, GRACE_SECONDS, GRACE_SECONDS), most)
        except (wire.Deadline, OSError, wire.WireError):
            return None

    def hear(self, watch: TimeLimit, most: int, calls: int = 0) -> dict[str, Any]:
        """Receive the whole reply, up to a number of bytes. After each answered call, the next one's time starts.

        Errors: Deadline if the time is over.
        """
        while True:
            reply = wire.receive(self.channel.fileno(), self.refusals.also(watch.wait), most)
            if not (calls and isinstance(reply, dict) and "answered" in reply):
                return reply
            calls -= 1
            watch.end()
            watch.begin()

    def close(self) -> None:
        """Close the connection."""
        self.channel.close()
