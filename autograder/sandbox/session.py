"""Start, run, stop: the sandbox, seen from the host."""

import builtins
import math
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unicodedata
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path

from autograder.errors import InfrastructureError

from . import bubblewrap, tree, wire

LONGEST_LISTING = 200  # lines; a number beyond it is a message, not a place
BROKEN_SECONDS = 15.0  # for an order to the worker, which runs no student code; it needs a second or two of them
GRACE_SECONDS = 1.0  # between asking a cell to stop (SIGINT shows the student where it hung) and ending it
UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # Unicode's control, format, surrogate and line-ending characters
OUTPUT_TYPES = {"stream", "display_data", "execute_result", "error"}


@dataclass(frozen=True)
class Limits:
    """What one notebook may use: wall seconds per step, and in total for its cells and for its calls; bytes and counts.

    ``output_bytes`` is for one cell, ``notebook_output_bytes`` for all of them.
    """

    step_seconds: float = 10.0
    start_seconds: float = 60.0
    total_seconds: float = 120.0
    cpu_seconds: int = 60
    memory_bytes: int = 2 << 30
    file_bytes: int = 16 << 20
    tmp_bytes: int = 64 << 20
    open_files: int = 128
    processes: int = 96
    output_bytes: int = 1 << 20
    notebook_output_bytes: int = 4 << 20


@dataclass(frozen=True)
class Outcome:
    """What happened in one step. Each way of ending is a fact of its own; ``completed`` is none of the others."""

    completed: bool = False
    time_limit: bool = False
    memory_limit: bool = False
    output_limit: bool = False
    crashed: bool = False
    missing: bool = False
    detail: str = ""
    seconds: float = 0.0
    outputs: tuple[dict, ...] = ()
    answers: tuple["CallAnswer", ...] = ()


@dataclass(frozen=True)
class CallAnswer:
    """One call's result: a value or an error ``(type, message)``, the arguments afterwards, the student's own line.

    ``line`` reads like ``line 3, `weights = ...` `` and is taken from the source on this side; ``cell`` is that cell's
    number among those that were run, or -1.
    """

    value: object = None
    error: tuple[str, str] | None = None
    arguments: tuple = ()
    line: str = ""
    cell: int = -1


@dataclass(frozen=True)
class Cell:
    """A step: run this source as a notebook cell."""

    source: str


@dataclass(frozen=True)
class Hold:
    """A step: remember what every name stands for now, so that it can be asked later. The first one held is number 0.

    An object that a later cell changes in place is changed there too.
    """


@dataclass(frozen=True)
class Calls:
    """A step: call the function of this name on each ``(args, kwargs)``, in a notebook that was held.

    What a call is asked can reach no cell, and no notebook that was held apart.
    """

    name: str
    calls: list[tuple[tuple, dict]] = field(default_factory=list)
    held: int = 0

    @cached_property
    def encoded(self):
        """The calls as plain data."""
        return [
            {
                "args": [wire.encode(arg) for arg in args],
                "kwargs": {name: wire.encode(value) for name, value in kwargs.items()},
            }
            for args, kwargs in self.calls
        ]


class Sandbox:
    """A warm interpreter behind walls, which runs one notebook after another.

    Use it as a context manager, so that nothing is left running. ``files`` (name -> text) lie in the working folder of
    every notebook; ``warm`` are cells that run once before all of them, for what they load: nothing else of them stays.
    """

    def __init__(self, limits: Limits | None = None, protected: bool = True, files=None, warm=()):
        self.limits = limits or Limits()
        self.protected = protected
        self.files, self.warm = dict(files or {}), list(warm)
        self.process = self.folder = self.notebook = self.probes = None
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
        if self.process is not None and not self.begin():
            self.stop()
        if self.process is None:
            self.set_up()
            if not self.begin():
                self.stop()
                raise InfrastructureError("the sandbox ended before it was ready")
        return self

    def forget(self):
        """Let go of the last notebook."""
        for process in (self.notebook, *(self.probes or ())):
            if process:
                process.close()
        self.notebook = self.probes = self.over = None
        self.cells, self.dropped, self.holds = [], set(), []
        self.seconds_left = dict.fromkeys((Cell, Hold, Calls), self.limits.total_seconds)
        self.output_left = self.limits.notebook_output_bytes

    def begin(self):
        """Ask the worker for a new notebook; say whether it gave one. It does not where the last left too much."""
        try:
            self.notebook = self.forked("begin")
        except InfrastructureError:
            return False
        return self.notebook is not None

    def forked(self, order):
        """Have the worker fork a notebook, and return it; None where the worker declines."""
        ours, theirs = socket.socketpair()
        with theirs:
            pid = self.order(order, theirs)["pid"]
        if pid is None:
            ours.close()
            return None
        return Inmate(pid, ours)

    def order(self, order, end=None, **details):
        """Have the worker do one thing and return its answer.

        Errors: InfrastructureError where it does not; a worker runs no student code, so that is our failure.
        """
        deadline = time.monotonic() + BROKEN_SECONDS
        try:
            wire.send(self.control.fileno(), {"do": order, **details}, deadline)
            if end is not None:
                socket.send_fds(self.control, [b"s"], [end.fileno()])
            answer = wire.receive(self.control.fileno(), deadline)
        except (OSError, wire.WireError, wire.Deadline) as error:
            answer, why = None, f" ({type(error).__name__})"
        else:
            why = ""
        if answer is None:
            starved = self.tree.out_of_memory()
            self.stop()
            self.over = Outcome(memory_limit=True, detail="all memory was used up") if starved else None
            raise InfrastructureError(f"the sandbox ended in the middle of its work{why}")
        return answer

    def set_up(self):
        """Set the walls up and load the interpreter."""
        self.tree = tree.Tree(self.limits)
        self.control, theirs = socket.socketpair()
        self.control.setblocking(False)
        with theirs:
            if self.protected:
                bubblewrap.level()
                self.launch_protected(theirs)
            else:
                self.folder = tempfile.TemporaryDirectory(prefix="unprotected-")
                worker = Path(__file__).with_name("worker.py")
                self.launch([sys.executable, str(worker)], theirs, env=bubblewrap.ENVIRONMENT, cwd=self.folder.name)
        self.greet()

    def launch_protected(self, theirs):
        """Start bubblewrap, with the system-call filter where there is one."""
        args, program = bubblewrap.arguments(self.limits.tmp_bytes), bubblewrap.filter_program()
        if program is None:
            self.launch([*args, *bubblewrap.command()], theirs, env={})
            return
        with os.fdopen(os.memfd_create("seccomp"), "r+b") as file:
            file.write(program)
            file.seek(0)
            descriptor = file.fileno()
            command = [*args, "--seccomp", str(descriptor), *bubblewrap.command()]
            self.launch(command, theirs, env={}, pass_fds=(descriptor,))

    def launch(self, args, theirs, **where):
        """Start the process and put it under the limits for the tree."""
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115 - of bwrap, and of Python before the worker is there
        try:
            self.process = subprocess.Popen(
                args,
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=self.complaints,
                start_new_session=True,
                preexec_fn=self.tree.join,
                **where,
            )
        except (OSError, subprocess.SubprocessError) as error:
            self.control.close()
            self.tree.remove()
            raise InfrastructureError(f"the sandbox did not start: {error}") from error

    def greet(self):
        """Send the limits and files, and wait until the interpreter is there."""
        limits = asdict(self.limits)
        if not self.protected or not bubblewrap.counts_processes_inside():
            limits["processes"] = None  # it would count the user's own programs too
        settings = {"limits": limits, "files": self.files, "warm": self.warm, "reusable": self.is_reusable()}
        deadline = time.monotonic() + self.limits.start_seconds
        try:
            wire.send(self.control.fileno(), settings, deadline)
            ready = wire.receive(self.control.fileno(), deadline)
        except (OSError, wire.WireError, wire.Deadline) as error:
            ready, why = None, str(error) or type(error).__name__
        else:
            why = "it ended before it was ready"
        if not ready:
            self.stop()
            self.complaints.seek(0)
            said = self.complaints.read().decode(errors="replace").strip().splitlines()
            raise InfrastructureError(f"the sandbox did not start: {said[-1] if said else why}")

    def is_reusable(self):
        """Say whether one worker may serve several notebooks: only where the filter keeps it out of their reach."""
        return self.protected and bubblewrap.filter_program() is not None

    def run(self, step: Cell | Hold | Calls) -> Outcome:
        """Run one step and say what happened. Cells come first; once a function has been called, no cell is run.

        Errors: InfrastructureError where the sandbox itself fails.
        """
        if self.over:
            return self.over
        kind = type(step)
        seconds = min(self.limits.step_seconds, self.seconds_left[kind])
        if seconds <= 0:
            return Outcome(time_limit=True, detail="no time left for such steps together")
        started = time.monotonic()
        try:
            outcome = {Cell: self.run_cell, Hold: self.hold, Calls: self.call}[kind](step, seconds)
        except InfrastructureError:
            if self.over is None:
                raise
            return self.over
        self.seconds_left[kind] -= time.monotonic() - started
        return outcome

    def run_cell(self, step, seconds):
        """Run a cell. One that hangs for good or ends the notebook is dropped, as if it had not been there."""
        if self.probes is not None:
            raise ValueError("expected no cell after a call: start a new notebook")
        self.restore()
        if self.notebook is None:
            return Outcome(time_limit=True, detail="no time left to run the earlier cells again")
        self.cells.append(step.source)
        frame, late, taken = self.perform_cell(len(self.cells) - 1, seconds)
        if frame is None:
            return ended_early(self.drop(len(self.cells) - 1), late, taken)
        return self.within_budget(read(cell_outcome, frame, late, taken))

    def perform_cell(self, number, seconds):
        """Have the notebook run a cell: its reply or None, whether it was late, and the seconds it took."""
        label, cpu = str(number), math.ceil(seconds) + 1
        request = {"do": "cell", "source": self.cells[number], "label": label, "cpu_seconds": cpu}
        # SIGINT shows the student where it hung.
        return self.notebook.perform(
            request, seconds, lambda: self.order("signal", pid=self.notebook.pid, sign=signal.SIGINT)
        )

    def drop(self, number):
        """Let the notebook go that a cell has ended or hung, and say how it had ended."""
        self.dropped.add(number)
        ended, self.notebook = self.end(self.notebook), None
        self.order("tidy", keep=[])
        return ended

    def end(self, inmate):
        """End a process, and say how it had ended."""
        inmate.close()
        return int(self.order("end", pid=inmate.pid)["ended"])

    def restore(self):
        """Where a cell has cost us the notebook, run all the others again in a new one."""
        while self.notebook is None and self.seconds_left[Cell] > 0:
            self.notebook = self.forked("again")
            for number in range(len(self.cells)):
                started = time.monotonic()
                frame = self.repeat(number)
                self.seconds_left[Cell] -= time.monotonic() - started
                if frame is None or self.seconds_left[Cell] <= 0:
                    self.drop(number)
                    break

    def repeat(self, number):
        """Run a cell once more where it is not dropped, and hold where it was held; None where that fails."""
        frame = {} if number in self.dropped else self.perform_cell(number, self.limits.step_seconds)[0]
        for _ in range(self.holds.count(number + 1) if frame is not None else 0):
            frame = self.notebook.perform({"do": "hold"}, self.limits.step_seconds)[0]
        return frame

    def hold(self, step, seconds):
        """Keep the notebook as it is now."""
        self.restore()
        self.holds.append(len(self.cells))
        frame = self.notebook.perform({"do": "hold"}, seconds)[0] if self.notebook else None
        return Outcome(completed=frame is not None, crashed=frame is None)

    def call(self, step, seconds):
        """Put calls to a held notebook. From the first one on, everything but the probes has ended."""
        if self.probes is None:
            self.settle(seconds)
        probe = self.probes[step.held] if step.held < len(self.probes) else None
        if probe is None or probe.gone:
            return probe.gone if probe else Outcome(crashed=True, detail="it could not be held")
        request = {"do": "calls", "name": step.name, "calls": step.encoded, "cpu_seconds": math.ceil(seconds) + 1}
        frame, late, taken = probe.perform(request, seconds)
        if frame is None:
            probe.gone = ended_early(self.end(probe), late, taken)
            return probe.gone
        return read(calls_outcome, frame, step, taken, self.cells)

    def settle(self, seconds):
        """End the cells' part: fork a probe for everything held, and end the notebook with all that it left running."""
        self.restore()
        self.probes = []
        if self.notebook:
            self.order("tidy", keep=[self.notebook.pid])  # what cells left running may take up all the room
            for held in range(len(self.holds)):
                self.probes.append(self.probe(held, seconds))
            self.notebook.close()
        self.notebook = None
        self.order("tidy", keep=[probe.pid for probe in self.probes if probe])

    def probe(self, held, seconds):
        """Have the notebook fork a copy as it was held; None where it does not."""
        ours, theirs = socket.socketpair()
        with theirs:
            frame, _, _ = self.notebook.perform({"do": "probe", "held": held}, seconds, end=theirs)
        pid = frame.get("pid") if isinstance(frame, dict) else None
        if type(pid) is int and 1 < pid < 1 << 22:
            return Inmate(pid, ours)
        ours.close()
        return None

    def within_budget(self, outcome):
        """Leave the outputs out once the notebook has shown more than all of it may."""
        self.output_left -= len(str(outcome.outputs))
        if self.output_left >= 0:
            return outcome
        return replace(outcome, completed=False, output_limit=not outcome.time_limit, outputs=())

    def stop(self):
        """End the sandbox and everything in it."""
        self.forget()
        process, self.process = self.process, None
        if process is None:
            return
        self.control.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(1.0)  # a sound worker leaves when its socket closes, and all of the sandbox ends before it
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.tree.remove()
        if self.folder:
            self.folder.cleanup()


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


def read(reader, *details):
    """Read a reply, trusting nothing in it to be well formed."""
    try:
        return reader(*details)
    except Exception as error:  # a reply is made by the student's process: how it breaks is his choice, never ours
        return Outcome(crashed=True, detail=f"the session's answer made no sense ({type(error).__name__})")


def ended_early(ended, late, seconds):
    """Say what ended a step that gave no reply: ``ended`` is its exit code, or minus the signal that killed it."""
    late = late or ended == -signal.SIGXCPU
    starved = ended == -signal.SIGKILL and not late  # nobody but the kernel's memory limit kills with this signal
    facts = {"time_limit": late, "memory_limit": starved, "crashed": not late and not starved}
    return Outcome(**facts, detail=f"the step ended with {ended}", seconds=seconds)


def cell_outcome(reply, late, seconds):
    """Read the outputs of a cell."""
    outputs = tuple(plain_output(output) for output in reply["outputs"][:1000])
    names = {output.get("ename") for output in outputs}
    facts = {"time_limit": late, "output_limit": bool(reply["exceeded"]) and not late}
    facts["memory_limit"] = "MemoryError" in names and not any(facts.values())
    return Outcome(completed=not any(facts.values()), **facts, outputs=outputs, seconds=seconds)


def plain_output(output):
    """Rebuild one output from the few fields that we know, all of them text."""
    kind = output["output_type"]
    if kind not in OUTPUT_TYPES:
        raise ValueError("an output of unknown type")
    if kind == "stream":
        return {
            "output_type": kind,
            "name": "stderr" if output["name"] == "stderr" else "stdout",
            "text": clean(output["text"]),
        }
    if kind == "error":
        trace = [clean(line) for line in output["traceback"][:200]]
        return {
            "output_type": kind,
            "ename": clean(output["ename"])[:100],
            "evalue": clean(output["evalue"])[:2000],
            "traceback": trace,
        }
    data = {name: clean(output["data"][name]) for name in ("text/plain", "image/png") if name in output["data"]}
    extra = {"execution_count": None} if kind == "execute_result" else {}
    return {"output_type": kind, "data": data, "metadata": {}, **extra}


def clean(text):
    """Return text without what can drive a terminal, turn a line's direction or break an encoding."""
    plain = str(text).encode("utf-8", "replace").decode()
    return "".join(letter for letter in plain if letter in "\n\t" or unicodedata.category(letter) not in UNSAFE)


def calls_outcome(reply, step, seconds, sources):
    """Read the answers of calls: as many as were asked for, each a value or an error."""
    if reply["missing"]:
        return Outcome(completed=True, missing=True, seconds=seconds)
    answers = tuple(read_answer(answer, sources) for answer in reply["answers"][: len(step.calls) + 1])
    if len(answers) != len(step.calls):
        raise ValueError(f"expected {len(step.calls)} answers, got {len(answers)}")
    memory = any(answer.error and answer.error[0] == "MemoryError" for answer in answers)
    return Outcome(completed=not memory, memory_limit=memory, answers=answers, seconds=seconds)


def read_answer(answer, sources):
    """Read one answer."""
    arguments = tuple(wire.decode(argument) for argument in answer["arguments"][:20])
    if "error" not in answer:
        return CallAnswer(value=wire.decode(answer["value"]), arguments=arguments)
    kind, message = answer["error"]
    known = getattr(builtins, str(kind), None)
    kind = kind if isinstance(known, type) and issubclass(known, BaseException) else "Exception"
    line, cell = line_at(answer.get("place"), sources)
    return CallAnswer(error=(kind, clean(message)[:2000]), arguments=arguments, line=line, cell=cell)


def line_at(place, sources):
    """Return the line in which an error was raised, as we know it, and the number of its cell; "" and -1 for none."""
    try:
        cell, number = int(place[0]), int(place[1])
        if not 0 < number <= LONGEST_LISTING:
            return "", -1
        return f"line {number}, `{clean(sources[cell].splitlines()[number - 1]).strip()[:160]}`", cell
    except (TypeError, ValueError, IndexError, KeyError):
        return "", -1
