"""The sandbox as the host sees it: start, run, stop."""

import math
import signal
import socket
import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from autograder.errors import InfrastructureError

from ..inside import protocol
from ..inside.shared_arrays import SharedMemory
from .outcome import ERRORS, Outcome, calls_outcome, cell_outcome, ended_early, parse_reply, place_at
from .refusals import Refusals, times_refused
from .remote_process import RemoteProcess
from .steps import BY_THE_KERNEL, GRACE_SECONDS, LATE_STEPS, Calls, Cell, Limits
from .time_limit import TimeLimit
from .worker_process import WarmWorker

SHORT_REPLY = 1 << 10  # bytes, in which a number fits
CELLS, AGAIN, CALLS = "cells", "again", "calls"  # what has its own time: cells, cells run once more, and calls
MOST_LEFT_OUT = 3  # statements of one cell
HOARDING_SHARE = 1 / 4  # of the memory: a process that holds it when its time is over was about to take all of it
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
        self.worker: Any = None  # WarmWorker, once started
        self.notebook: Any = None  # RemoteProcess; None before the start, and after a cell has ended it
        self.probes: Any = None  # {checkpoint, or None for the shared one: RemoteProcess}; None while cells may run
        self.last_asked: RemoteProcess | None = None
        self.refusals: list[Refusals] = []
        self.forget()
        self.over: Outcome | None = Outcome(crashed=True)  # what every step is told; None while steps may run

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.stop()

    def start(self) -> "Sandbox":
        """Start an empty notebook, without files and processes of earlier ones; start the sandbox if necessary.

        Errors: SandboxUnavailable if the machine cannot sandbox it; InfrastructureError if it fails to start.
        """
        self.forget()
        if self.worker and not self._begin():
            self.stop()
        if not self.worker:
            self.worker = WarmWorker(self.limits, self.protected, self.files, self.warm, self.share)
            if not self._begin():
                self.stop()
                raise InfrastructureError("the sandbox ended before it was ready")
        return self

    def forget(self) -> None:
        """Forget the last notebook."""
        for process in (self.notebook, *(self.probes or {}).values()):
            if process:
                process.close()
        for refusals in self.refusals:
            refusals.close()
        self.notebook = self.probes = self.last_asked = self.over = None
        self.cells, self.refusals, self.in_doubt = [], [], False
        of_cells, of_calls = self.limits.cell_seconds, self.limits.total_seconds
        self.seconds_left = {CELLS: of_cells, AGAIN: of_cells, CALLS: of_calls}
        self.output_left = self.limits.notebook_output_bytes

    def end(self) -> None:
        """Forget the last notebook, and end every process that it has left."""
        self.forget()
        try:
            if self.worker:
                self.worker.order("tidy", keep=[])
        except InfrastructureError:
            self.stop()

    def _begin(self) -> bool:
        """Ask the worker for a new notebook; say whether it made one. It declines if the last one left too much."""
        try:
            forked = self.worker.fork("begin")
        except InfrastructureError:
            return False
        self.notebook = self._opened(*forked) if forked else None
        return forked is not None

    def _opened(self, pid: int, channel: socket.socket, refusals: Refusals) -> RemoteProcess:
        """Return the notebook that the worker has forked."""
        self.refusals.append(refusals)
        return RemoteProcess(pid, channel, refusals)

    @property
    def refused(self) -> dict[str, int] | None:
        """Return how often which system call was refused to this notebook, by name; None where nobody counts."""
        return times_refused(self.refusals)

    def run(self, step: Any) -> Outcome:
        """Run one step and return its outcome. Cells come first.

        Errors: InfrastructureError if the sandbox itself fails; ValueError for a cell after a call.
        """
        if self.over:
            return self.over
        try:
            if isinstance(step, Calls) and self.seconds_left[CALLS] > 0:
                return self._call(step)
            if isinstance(step, Cell) and self._has_time(CELLS):
                return self._run_cell(step)
            if isinstance(step, Cell) and step.checkpoint and self.notebook:
                self._run_cell(Cell("", checkpoint=True))  # what is there so far can still be asked
        except InfrastructureError:
            ran_out_of_memory = self.stop()
            if not ran_out_of_memory:
                raise
            self.over = Outcome(memory_limit=True)
            return self.over
        seconds = self.limits.total_seconds if isinstance(step, Calls) else self.limits.cell_seconds
        return Outcome(time_limit=True, used_up=True, seconds=seconds)

    def _has_time(self, kind: str) -> bool:
        """Say whether cells may go on: a little also after their time, for what follows in the notebook."""
        return self.seconds_left[kind] > -LATE_STEPS * self.limits.late_seconds

    def _perform(self, process: RemoteProcess, kind: str, request: dict[str, Any], **details: Any) -> Performed:
        """Have a process perform a step within a time limit: its reply or None, and the limit.

        If it can be interrupted where it is, that is done first.
        """
        limits, left = self.limits, max(self.seconds_left[kind], 0.0)
        computing, together, late = limits.cell_seconds, left, limits.late_seconds
        if kind == CALLS:  # a call that begins in time is not cut off at once
            computing, together, late = limits.call_seconds, max(left, GRACE_SECONDS), 0.0
        watch = TimeLimit(
            lambda: self.worker.order("use", pid=process.pid), computing, limits.waiting_seconds, together, late
        )
        if request["do"] in ("cell", "calls"):  # SIGINT shows the student where it hung
            details["interrupt"] = lambda: self.worker.order("signal", pid=process.pid, sign=signal.SIGINT)
            request["cpu_seconds"] = math.ceil(computing) + BY_THE_KERNEL
        reply = process.perform(request, watch, self._longest_reply(request["do"]), **details)
        watch.end()
        self.seconds_left[kind] -= watch.spent
        return reply, watch

    def _longest_reply(self, verb: str) -> int:
        """Return the size in bytes of the largest honest reply to a request."""
        cell = (self.limits.output_bytes + ERRORS) * protocol.LONGEST_LETTER
        return min(protocol.FRAME_BYTES, {"cell": cell, "calls": protocol.FRAME_BYTES}.get(verb, SHORT_REPLY))

    def _ending(self, watch: TimeLimit) -> tuple[str, float]:
        """Return the limit that a step hit first, "" for none, and its seconds; note if that was in doubt.

        One that ran out of time while it filled the memory counts as out of memory.
        """
        self.in_doubt |= not watch.is_certain
        over, seconds = watch.stops[0] if watch.stops else ("", watch.spent)
        hit = "time_limit" if over else ""
        if over == "computing" and watch.used["resident"] > HOARDING_SHARE * self.limits.memory_bytes:
            hit = "memory_limit"
        return hit, seconds

    def _run_cell(self, step: Cell) -> Outcome:
        """Run a cell. What hangs for good or ends the notebook is dropped, as if it had not been there."""
        if self.probes is not None:
            raise ValueError("expected no cell after a call: start a new notebook")
        self._restore()
        if self.notebook is None:
            return Outcome(time_limit=True)
        self.cells.append(step)
        frame, watch = self._perform_cell(len(self.cells) - 1, CELLS)
        sources = [cell.source for cell in self.cells]
        if frame is None:
            place = [len(self.cells) - 1, self.notebook.statement[1]]
            ended = self._abandon(len(self.cells) - 1, watch)
            outcome = ended_early(ended, self.worker.tree.ran_out_of_memory(), *self._ending(watch))
            return replace(outcome, place=place_at(place, sources))
        most = self.limits.output_bytes + ERRORS
        return self._within_budget(parse_reply(cell_outcome, frame, most, *self._ending(watch), watch.stops, sources))

    def _perform_cell(self, number: int, kind: str) -> Performed:
        """Have the notebook run a cell: its reply or None, and the time limit."""
        request = {"do": "cell", **vars(self.cells[number]), "label": str(number)}
        return self._perform(self.notebook, kind, {**request, "left_out": sorted(self.cells[number].left_out)})

    def _abandon(self, number: int, watch: TimeLimit) -> int:
        """Abandon a notebook that a cell ended or hung, and return how it ended.

        Of a cell that has to define a function, the statement that did it is left out. Any other cell is emptied; if it
        was empty, the last non-empty one before it, which must have caused the end.
        """
        guilty = next((earlier for earlier in range(number, 0, -1) if self.cells[earlier].source), 0)
        cell, statement = self.cells[guilty], self.notebook.statement[0]
        is_known = guilty == number and cell.defines and statement >= 0 and statement not in cell.left_out
        if is_known and len(cell.left_out) < MOST_LEFT_OUT:
            self.cells[guilty] = replace(cell, left_out=cell.left_out | {statement})
        else:
            self.cells[guilty] = replace(cell, source="")
        self._hang_up(self.notebook, watch)
        began = time.monotonic()
        ended, self.notebook = int(self.worker.order("end", pid=self.notebook.pid)["ended"]), None
        self.seconds_left[AGAIN] -= time.monotonic() - began  # a process that has hung up may end slowly
        self.worker.order("tidy", keep=[])
        return ended

    def _hang_up(self, process: RemoteProcess, watch: TimeLimit) -> None:
        """Close the connection to a process, and end it if its time is over.

        Otherwise it has ended, or is about to: how, the worker is asked.
        """
        process.close()
        if watch.over:
            self.worker.order("signal", pid=process.pid, sign=signal.SIGKILL)

    def _restore(self) -> None:
        """After a cell has cost us the notebook, run all the others again in a new one."""
        while self.notebook is None and self._has_time(AGAIN):
            self.notebook = self._opened(*self.worker.fork("again"))
            for number in range(len(self.cells)):
                frame, watch = self._perform_cell(number, AGAIN)
                if frame is None or not self._has_time(AGAIN):
                    self._abandon(number, watch)
                    break

    def _call(self, step: Calls) -> Outcome:
        """Send calls to a probe. From the first one on, no cell runs, and what cells left running has ended."""
        if self.probes is None:
            self._settle()
        key = step.checkpoint if step.alone else None  # all other calls share one probe
        probe = self.probes.get(key)
        is_lost = probe and probe.gone and not step.alone  # a shared copy is replaced; one asked alone is not
        if key not in self.probes or is_lost:
            probe = self.probes[key] = self._fork_probe() or self._fork_probe_with_room()
        if probe is None:
            late = not self._has_time(AGAIN)
            return Outcome(time_limit=late, crashed=not late)
        if probe.gone or not self._sweep_before(probe):
            return probe.gone or Outcome(crashed=True)
        calls, content = step.laid_out
        request = {"do": "calls", "name": step.name, "checkpoint": step.checkpoint, "calls": calls}
        with SharedMemory(content) as memory:
            frame, watch = self._perform(probe, CALLS, request, descriptor=memory)
            after = memory.now()
        sources = [cell.source for cell in self.cells]
        stopped_at = frame.get("stopped") if watch.over and isinstance(frame, dict) else None
        if frame is None or watch.over:
            ended = self._end_probe(probe, watch)
            outcome = ended_early(ended, self.worker.tree.ran_out_of_memory(), *self._ending(watch))
            waited = outcome.time_limit and watch.over == "waiting"
            probe.gone = replace(outcome, waited=waited, place=place_at(stopped_at, sources))
            return probe.gone
        return parse_reply(calls_outcome, frame, step, after, watch.spent, sources)

    def _sweep_before(self, probe: RemoteProcess) -> bool:
        """Before another copy is asked, remove all files that were written and end everything left running.

        Say whether that could be done. All copies share what cells have opened, such as a pipe or a deleted file:
        through it one can learn what another was asked. So a caller must ask nothing that must stay secret.
        """
        if probe is self.last_asked:
            return True
        alive = [self.notebook, *(other for other in self.probes.values() if other and not other.gone)]
        if not self.worker.order("sweep", keep=[process.pid for process in alive])["swept"]:
            return False
        self.last_asked = probe
        return True

    def _end_probe(self, probe: RemoteProcess, watch: TimeLimit) -> int:
        """End a probe and return how it ended; 1 if the notebook does not tell."""
        self._hang_up(probe, watch)
        began = time.monotonic()
        goes_on = self.worker.order("stop", pid=probe.pid)["goes_on"]
        self.seconds_left[CALLS] -= time.monotonic() - began
        frame, _ = self._perform(self.notebook, CALLS, {"do": "end", "pid": probe.pid})
        ended = frame.get("ended") if isinstance(frame, dict) else None
        return ended if type(ended) is int and not goes_on else 1

    def _settle(self) -> None:
        """Finish the part with cells, and end everything they left running."""
        self._restore()
        self.probes = {}
        self.worker.order("tidy", keep=[self.notebook.pid] if self.notebook else [])

    def _fork_probe(self) -> RemoteProcess | None:
        """Have the notebook fork a copy that can be asked; None if it does not."""
        if self.notebook is None:
            return None
        ours, theirs = socket.socketpair()
        with theirs:
            frame, _ = self._perform(self.notebook, CALLS, {"do": "probe"}, descriptor=theirs)
        pid = frame.get("pid") if isinstance(frame, dict) else None
        if type(pid) is int and 1 < pid < 1 << 22:
            return RemoteProcess(pid, ours, self.notebook.refusals)
        ours.close()
        return None

    def _fork_probe_with_room(self) -> RemoteProcess | None:
        """Try once more after ending what calls left running, which may take up all the room."""
        if self.notebook is None:
            return None
        alive = [self.notebook, *(probe for probe in self.probes.values() if probe)]
        self.worker.order("tidy", keep=[process.pid for process in alive])
        return self._fork_probe()

    def _within_budget(self, outcome: Outcome) -> Outcome:
        """Leave the outputs out once the notebook has exceeded its total."""
        self.output_left -= len(str(outcome.outputs))
        if self.output_left >= 0:
            return outcome
        return replace(outcome, completed=False, output_limit=not outcome.time_limit, outputs=())

    def stop(self) -> bool:
        """End the sandbox and everything in it; say whether the kernel killed a process for lack of memory."""
        self.forget()
        worker, self.worker = self.worker, None
        return worker.stop() if worker else False
