"""Start, run, stop: one sandbox for one notebook, seen from the host."""

import builtins
import os
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from autograder.errors import InfrastructureError

from . import bubblewrap, tree, wire

LONGEST_LISTING = 200  # lines; a number beyond it is a message, not a place
BROKEN_SECONDS = 15.0  # beyond a step's own limit; a sound worker needs a second or two of them
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
    """A step: keep the notebook as it is now. The first one held is number 0."""


@dataclass(frozen=True)
class Calls:
    """A step: call the function of this name on each ``(args, kwargs)``, in a fork of a held notebook.

    Nothing of it survives; and what a call is asked can reach no cell that ran before.
    """

    name: str
    calls: list[tuple[tuple, dict]] = field(default_factory=list)
    held: int = 0


class Sandbox:
    """One process tree behind walls. Use it as a context manager, so that nothing is left running."""

    def __init__(self, limits: Limits | None = None, protected: bool = True):
        self.limits = limits or Limits()
        self.protected = protected
        self.process = None
        self.folder = None
        self.sources = []
        self.why = Outcome(crashed=True, detail="the session was never started")

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.stop()

    def start(self, files: dict[str, str] | None = None):
        """Set the walls up and load the shell, with ``files`` (name -> text) in the working folder.

        Errors: SandboxUnavailable where the machine gives no walls; InfrastructureError where it fails to start.
        """
        self.tree = tree.Tree(self.limits)
        if self.protected:
            bubblewrap.level()
            self.launch_protected()
        else:
            self.folder = tempfile.TemporaryDirectory(prefix="unprotected-")
            worker = Path(__file__).with_name("worker.py")
            self.launch([sys.executable, str(worker)], env=bubblewrap.ENVIRONMENT, cwd=self.folder.name)
        self.greet(files or {})
        self.seconds_left = dict.fromkeys((Cell, Hold, Calls), self.limits.total_seconds)
        self.output_left = self.limits.notebook_output_bytes
        return self

    def launch_protected(self):
        """Start bubblewrap, with the system-call filter where there is one."""
        args, program = bubblewrap.arguments(self.limits.tmp_bytes), bubblewrap.filter_program()
        if program is None:
            self.launch([*args, *bubblewrap.command()], env={})
            return
        with os.fdopen(os.memfd_create("seccomp"), "r+b") as file:
            file.write(program)
            file.seek(0)
            descriptor = file.fileno()
            command = [*args, "--seccomp", str(descriptor), *bubblewrap.command()]
            self.launch(command, env={}, pass_fds=(descriptor,))

    def launch(self, args, **where):
        """Start the process and put it under the limits for the tree."""
        try:
            self.process = subprocess.Popen(
                args,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=self.tree.join,
                **where,
            )
        except (OSError, subprocess.SubprocessError) as error:
            self.tree.remove()
            raise InfrastructureError(f"the sandbox did not start: {error}") from error

    def greet(self, files):
        """Send the limits and files, and wait until the shell is there."""
        limits = asdict(self.limits)
        if not self.protected or not bubblewrap.counts_processes_inside():
            limits["processes"] = None  # it would count the user's own programs too
        deadline = time.monotonic() + self.limits.start_seconds
        try:
            wire.send(self.process.stdin.fileno(), {"limits": limits, "files": files}, deadline)
            ready = wire.receive(self.process.stdout.fileno(), deadline)
        except (OSError, wire.WireError, wire.Deadline) as error:
            self.stop()
            raise InfrastructureError(f"the sandbox did not start: {type(error).__name__} {error}") from error
        if not ready or not ready.get("ready"):
            self.stop()
            raise InfrastructureError("the sandbox ended before it was ready")

    def run(self, step: Cell | Hold | Calls) -> Outcome:
        """Run one step and say what happened. Once the session has ended, every further step ends like it did."""
        if self.process is None:
            return self.why
        kind = type(step)
        seconds = min(self.limits.step_seconds, self.seconds_left[kind])
        if seconds <= 0:
            return Outcome(time_limit=True, detail="no time left for such steps together")
        started = time.monotonic()
        outcome = self.exchange(step, seconds)
        self.seconds_left[kind] -= time.monotonic() - started
        return self.within_budget(outcome) if kind is Cell else outcome

    def exchange(self, step, seconds):
        """Send a step and read what came of it. The worker keeps the time; the deadline here is for a broken worker."""
        deadline = time.monotonic() + seconds + BROKEN_SECONDS
        try:
            wire.send(self.process.stdin.fileno(), self.request_for(step, seconds), deadline)
            frame = wire.receive(self.process.stdout.fileno(), deadline)
        except wire.Deadline:
            return self.ended(Outcome(time_limit=True, detail="the session did not answer", seconds=seconds))
        except (OSError, wire.WireError) as error:
            return self.ended(Outcome(crashed=True, detail=f"the session broke: {error}"))
        if frame is None:
            return self.ended(Outcome(crashed=True, detail="the session ended"))
        return read_outcome(frame, step, self.sources)

    def request_for(self, step, seconds):
        """Write a step down as plain data."""
        if isinstance(step, Hold):
            return {"do": "hold"}
        if isinstance(step, Cell):
            self.sources.append(step.source)
            return {"do": "cell", "source": step.source, "label": str(len(self.sources) - 1), "seconds": seconds}
        calls = [
            {
                "args": [wire.encode(arg) for arg in args],
                "kwargs": {name: wire.encode(value) for name, value in kwargs.items()},
            }
            for args, kwargs in step.calls
        ]
        return {"do": "calls", "name": step.name, "calls": calls, "held": step.held, "seconds": seconds}

    def within_budget(self, outcome):
        """Leave the outputs out once the notebook has shown more than all of it may."""
        self.output_left -= len(str(outcome.outputs))
        if self.output_left >= 0:
            return outcome
        return replace(outcome, completed=False, output_limit=not outcome.time_limit, outputs=())

    def ended(self, outcome):
        """Stop, and remember why."""
        self.stop()
        self.why = outcome
        return outcome

    def stop(self):
        """End the sandbox and everything in it."""
        process, self.process = self.process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()
        with suppress(subprocess.TimeoutExpired):
            process.wait(1.0)  # a sound worker leaves when its pipe closes, and all of the sandbox ends before it
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.tree.remove()
        if self.folder:
            self.folder.cleanup()


def read_outcome(frame, step, sources):
    """Read the worker's frame, trusting nothing in it to be well formed."""
    try:
        if isinstance(step, Hold):
            return Outcome(completed=bool(frame["held"]), crashed=not frame["held"])
        late, ended, seconds = bool(frame["late"]), frame["ended"], float(frame["seconds"])
        if ended is not None:
            return ended_early(int(ended), late, seconds)
        if isinstance(step, Cell):
            return cell_outcome(frame["reply"], late, seconds)
        return calls_outcome(frame["reply"], step, late, seconds, sources)
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


def calls_outcome(reply, step, late, seconds, sources):
    """Read the answers of calls: as many as were asked for, each a value or an error."""
    if late:
        return Outcome(time_limit=True, seconds=seconds)
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
