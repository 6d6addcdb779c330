"""Start, run, stop: the sandbox, seen from the host."""

import math
import signal
import socket
import time
from dataclasses import replace

from autograder.errors import InfrastructureError

from . import wire
from .lent import Memory
from .outcome import Outcome, calls_outcome, cell_outcome, ended_early, read
from .steps import Calls, Cell, Limits
from .warm_worker import WarmWorker

GRACE_SECONDS = 1.0  # between asking a cell to stop (SIGINT shows the student where it hung) and ending it


class Sandbox:
    """A warm interpreter behind walls, which runs one notebook after another.

    Use it as a context manager, so that nothing is left running. ``files`` (name -> text) lie in the working folder of
    every notebook; ``warm`` are cells that run once before all of them, for what they load: nothing else of them stays.
    ``share`` is the bytes that all processes of a notebook may hold together, at most and unless given
    ``limits.memory_bytes``, which is for each of them.
    """

    def __init__(self, limits: Limits | None = None, protected: bool = True, files=None, warm=(), share=None):
        self.limits = limits or Limits()
        self.share = min(share or self.limits.memory_bytes, self.limits.memory_bytes)
        self.protected = protected
        self.files, self.warm = dict(files or {}), list(warm)
        self.worker = self.notebook = self.probes = self.asked = None
        self.over = Outcome(crashed=True, detail="no notebook was started")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()

    def start(self):
        """Start an empty notebook, of which nothing before is in reach; the walls are set up where they do not stand.

        Errors: SandboxUnavailable where the machine gives no walls; InfrastructureError where it fails to start.
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

    def forget(self):
        """Let go of the last notebook."""
        for inmate in (self.notebook, *(self.probes or {}).values()):
            if inmate:
                inmate.close()
        self.notebook = self.probes = self.asked = self.over = None
        self.cells = []
        self.seconds_left = dict.fromkeys((Cell, Calls), self.limits.total_seconds)
        self.output_left = self.limits.notebook_output_bytes

    def begin(self):
        """Ask the worker for a new notebook; say whether it gave one. It does not where the last left too much."""
        try:
            forked = self.worker.fork("begin")
        except InfrastructureError:
            return False
        self.notebook = Inmate(*forked) if forked else None
        return forked is not None

    def run(self, step: Cell | Calls) -> Outcome:
        """Run one step and say what happened. Cells come first; once a function has been called, no cell is run.

        Errors: InfrastructureError where the sandbox itself fails.
        """
        if self.over:
            return self.over
        kind = type(step)
        seconds = min(self.limits.step_seconds, self.seconds_left[kind])
        if seconds <= 0:
            if kind is Cell and step.hold and self.notebook:
                self.run_cell(Cell("", hold=True), GRACE_SECONDS)
            return Outcome(time_limit=True, detail="no time left for such steps together")
        started = time.monotonic()
        try:
            outcome = self.run_cell(step, seconds) if kind is Cell else self.call(step, seconds)
        except InfrastructureError:
            if not self.stop():
                raise
            outcome = self.over = Outcome(memory_limit=True, detail="all memory of the sandbox was used up")
        self.seconds_left[kind] -= time.monotonic() - started
        return outcome

    def run_cell(self, step, seconds):
        """Run a cell. One that hangs for good or ends the notebook is dropped, as if it had not been there."""
        if self.probes is not None:
            raise ValueError("expected no cell after a call: start a new notebook")
        self.restore()
        if self.notebook is None:
            return Outcome(time_limit=True, detail="no time left to run the earlier cells again")
        self.cells.append(step)
        frame, late, taken = self.perform_cell(len(self.cells) - 1, seconds)
        if frame is None:
            return ended_early(self.drop(len(self.cells) - 1), late, taken, self.worker.tree.ran_out_of_memory())
        return self.within_budget(read(cell_outcome, frame, late, taken))

    def perform_cell(self, number, seconds):
        """Have the notebook run a cell: its reply or None, whether it was late, and the seconds it took."""
        label, cpu = str(number), math.ceil(seconds) + 1
        cell = self.cells[number]
        request = {"do": "cell", "source": cell.source, "label": label, "cpu_seconds": cpu, "hold": cell.hold}
        # SIGINT shows the student where it hung.
        return self.notebook.perform(
            request, seconds, lambda: self.worker.order("signal", pid=self.notebook.pid, sign=signal.SIGINT)
        )

    def drop(self, number):
        """Let the notebook go that a cell has ended or hung, and say how it had ended."""
        self.cells[number] = replace(self.cells[number], source="")
        ended, self.notebook = self.end(self.notebook), None
        self.worker.order("tidy", keep=[])
        return ended

    def end(self, inmate):
        """End a process, and say how it had ended."""
        inmate.close()
        return int(self.worker.order("end", pid=inmate.pid)["ended"])

    def restore(self):
        """Where a cell has cost us the notebook, run all the others again in a new one."""
        while self.notebook is None and self.seconds_left[Cell] > 0:
            self.notebook = Inmate(*self.worker.fork("again"))
            for number in range(len(self.cells)):
                started = time.monotonic()
                frame, _, _ = self.perform_cell(number, self.limits.step_seconds)
                self.seconds_left[Cell] -= time.monotonic() - started
                if frame is None or self.seconds_left[Cell] <= 0:
                    self.drop(number)
                    break

    def call(self, step, seconds):
        """Put calls to a probe. From the first one on, no cell runs, and what cells left running has ended."""
        if self.probes is None:
            self.settle()
        place = step.held if step.alone else None
        if place not in self.probes:
            self.probes[place] = self.probe(seconds) or self.probe_with_room(seconds)
        probe = self.probes[place]
        if probe is None:
            late = self.seconds_left[Cell] <= 0
            return Outcome(time_limit=late, crashed=not late, detail="there is no notebook to ask")
        if probe.gone or not self.cleared_for(probe):
            return probe.gone or Outcome(crashed=True, detail="what another copy left behind cannot be removed")
        cpu = math.ceil(seconds) + 1
        calls, content = step.laid_out
        request = {"do": "calls", "name": step.name, "held": step.held, "calls": calls, "cpu_seconds": cpu}
        with Memory(content) as memory:
            frame, late, taken = probe.perform(request, seconds, end=memory)
            after = memory.now()
        if frame is None:
            probe.gone = ended_early(self.end_probe(probe), late, taken, self.worker.tree.ran_out_of_memory())
            return probe.gone
        return read(calls_outcome, frame, step, after, taken, [cell.source for cell in self.cells])

    def cleared_for(self, probe):
        """Before another copy is asked than the last time, remove all that was written and left running."""
        if probe is not self.asked:
            alive = [self.notebook, *(other for other in self.probes.values() if other and not other.gone)]
            if not self.worker.order("sweep", keep=[inmate.pid for inmate in alive])["swept"]:
                return False
            self.asked = probe
        return True

    def end_probe(self, probe):
        """End a probe, a child of the notebook, and say how it had ended; 1 where the notebook does not tell."""
        probe.close()
        frame, _, _ = self.notebook.perform({"do": "end", "pid": probe.pid}, GRACE_SECONDS)
        self.worker.order("signal", pid=probe.pid, sign=signal.SIGKILL)
        ended = frame.get("ended") if isinstance(frame, dict) else None
        return ended if type(ended) is int else 1

    def settle(self):
        """End the cells' part, with all that they left running."""
        self.restore()
        self.probes = {}
        self.worker.order("tidy", keep=[self.notebook.pid] if self.notebook else [])

    def probe(self, seconds):
        """Have the notebook fork a copy that can be asked; None where it does not."""
        if self.notebook is None:
            return None
        ours, theirs = socket.socketpair()
        with theirs:
            frame, _, _ = self.notebook.perform({"do": "probe"}, seconds, end=theirs)
        pid = frame.get("pid") if isinstance(frame, dict) else None
        if type(pid) is int and 1 < pid < 1 << 22:
            return Inmate(pid, ours)
        ours.close()
        return None

    def probe_with_room(self, seconds):
        """Try once more without what calls left running, which may take up all the room."""
        if self.notebook is None:
            return None
        alive = [self.notebook, *(probe for probe in self.probes.values() if probe)]
        self.worker.order("tidy", keep=[inmate.pid for inmate in alive])
        return self.probe(seconds)

    def within_budget(self, outcome):
        """Leave the outputs out once the notebook has shown more than all of it may."""
        self.output_left -= len(str(outcome.outputs))
        if self.output_left >= 0:
            return outcome
        return replace(outcome, completed=False, output_limit=not outcome.time_limit, outputs=())

    def stop(self):
        """End the sandbox and everything in it."""
        self.forget()
        worker, self.worker = self.worker, None
        return worker.stop() if worker else False


class Inmate:
    """A process of a notebook, seen from the host: its number inside, and the socket to speak with it."""

    def __init__(self, pid, channel):
        self.pid, self.channel = pid, channel
        self.channel.setblocking(False)
        self.gone = None

    def perform(self, request, seconds, interrupt=None, end=None):
        """Let it do one step: its reply or None where it gave none, whether it was late, and the seconds it took.

        A late step is interrupted where that can be done, and has a moment more to say where it was.
        """
        started, late = time.monotonic(), False
        try:
            wire.send(self.channel.fileno(), request, started + seconds)
            if end is not None:
                socket.send_fds(self.channel, [b"s"], [end.fileno()])
            try:
                reply = wire.receive(self.channel.fileno(), time.monotonic() + seconds)
            except wire.Deadline:
                late, reply = True, None
                if interrupt:
                    interrupt()
                    reply = wire.receive(self.channel.fileno(), time.monotonic() + GRACE_SECONDS)
        except wire.Deadline:
            late, reply = True, None
        except (OSError, wire.WireError):
            reply = None
        return reply, late, time.monotonic() - started

    def close(self):
        """Hang up."""
        self.channel.close()
