"""Start, run, stop: one sandbox for one notebook, seen from the host."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from autograder.errors import InfrastructureError

from . import bubblewrap, tree, wire

OUTPUT_TYPES = {"stream", "display_data", "execute_result", "error"}


@dataclass(frozen=True)
class Limits:
    """What one notebook may use. Seconds are of wall time, per step; bytes and counts are for the whole sandbox."""

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
    """One call's result: a value or an error ``(type, message)``, the arguments afterwards, the student's own line."""

    value: object = None
    error: tuple[str, str] | None = None
    arguments: tuple = ()
    line: str = ""


@dataclass(frozen=True)
class Cell:
    """A step: run this source as a notebook cell."""

    source: str


@dataclass(frozen=True)
class Calls:
    """A step: call the function of this name on each ``(args, kwargs)``, in a fork that nothing survives."""

    name: str
    calls: list[tuple[tuple, dict]] = field(default_factory=list)


class Sandbox:
    """One process tree behind walls. Use it as a context manager, so that nothing is left running."""

    def __init__(self, limits: Limits | None = None, protected: bool = True):
        self.limits = limits or Limits()
        self.protected = protected
        self.process = None
        self.folder = None

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
            args = [*bubblewrap.arguments(self.limits.tmp_bytes)]
            pass_fds = ()
            program = bubblewrap.filter_program()
            if program:
                descriptor = os.memfd_create("seccomp")
                os.write(descriptor, program)
                os.lseek(descriptor, 0, os.SEEK_SET)
                args, pass_fds = [*args, "--seccomp", str(descriptor)], (descriptor,)
            args += bubblewrap.command()
            self.launch(args, pass_fds)
            for descriptor in pass_fds:
                os.close(descriptor)
        else:
            self.folder = tempfile.TemporaryDirectory(prefix="unprotected-")
            worker = Path(__file__).with_name("worker.py")
            self.launch([sys.executable, str(worker)], (), cwd=self.folder.name, env=bubblewrap.ENVIRONMENT)
        self.greet(files or {})
        return self

    def launch(self, args, pass_fds, **where):
        """Start the process and put it under the limits for the tree."""
        self.process = subprocess.Popen(
            args,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=pass_fds,
            start_new_session=True,
            preexec_fn=self.tree.join,
            **where,
        )
        self.ends_at = time.monotonic() + self.limits.start_seconds + self.limits.total_seconds

    def greet(self, files):
        """Send the limits and files, and wait until the shell is there."""
        limits = asdict(self.limits)
        if not self.protected or not bubblewrap.counts_processes_inside():
            limits["processes"] = None  # it would count the user's own programs too
        settings = {"limits": limits, "files": files}
        try:
            wire.send(self.process.stdin.fileno(), settings)
            ready = wire.receive(self.process.stdout.fileno(), time.monotonic() + self.limits.start_seconds)
        except (OSError, wire.WireError, wire.Deadline) as error:
            self.stop()
            raise InfrastructureError(f"the sandbox did not start: {type(error).__name__} {error}") from error
        if not ready or not ready.get("ready"):
            self.stop()
            raise InfrastructureError("the sandbox ended before it was ready")

    def run(self, step: Cell | Calls) -> Outcome:
        """Run one step and say what happened. After a crash of the session itself, every further step is a crash."""
        if self.process is None:
            return Outcome(crashed=True, detail="the session had ended before")
        seconds = min(self.limits.step_seconds, self.ends_at - time.monotonic())
        if seconds <= 0:
            self.stop()
            return Outcome(time_limit=True, detail="no time left for the notebook as a whole")
        try:
            wire.send(self.process.stdin.fileno(), request_for(step, seconds))
            # The worker ends the step itself; this later deadline is for a worker that cannot.
            frame = wire.receive(self.process.stdout.fileno(), time.monotonic() + seconds + 5)
        except wire.Deadline:
            self.stop()
            return Outcome(time_limit=True, detail="the session did not answer", seconds=seconds)
        except (OSError, wire.WireError) as error:
            self.stop()
            return Outcome(crashed=True, detail=f"the session broke: {error}")
        if frame is None:
            self.stop()
            return Outcome(crashed=True, detail="the session ended")
        return read_outcome(frame, step)

    def stop(self):
        """End the sandbox and everything in it."""
        process, self.process = self.process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                pipe.close()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.tree.remove()
        if self.folder:
            self.folder.cleanup()


def request_for(step, seconds):
    """Write a step down as plain data."""
    if isinstance(step, Cell):
        return {"do": "cell", "source": step.source, "seconds": seconds}
    calls = [
        {
            "args": [wire.encode(arg) for arg in args],
            "kwargs": {name: wire.encode(value) for name, value in kwargs.items()},
        }
        for args, kwargs in step.calls
    ]
    return {"do": "calls", "name": step.name, "calls": calls, "seconds": seconds}


def read_outcome(frame, step):
    """Read the worker's frame, trusting nothing in it to be well formed."""
    try:
        late, ended, seconds = bool(frame["late"]), frame["ended"], float(frame["seconds"])
        reply = frame["reply"] or {}
        if ended is not None:
            return ended_early(int(ended), late, seconds)
        if isinstance(step, Cell):
            return cell_outcome(reply, late, seconds)
        return calls_outcome(reply, step, late, seconds)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        return Outcome(crashed=True, detail=f"the session's answer made no sense ({type(error).__name__}: {error})")


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
            "evalue": clean(output["evalue"]),
            "traceback": trace,
        }
    data = {name: clean(output["data"][name]) for name in ("text/plain", "image/png") if name in output["data"]}
    extra = {"execution_count": None} if kind == "execute_result" else {}
    return {"output_type": kind, "data": data, "metadata": {}, **extra}


def clean(text):
    """Return text without the control characters that can drive a terminal or end a page."""
    return "".join(
        letter
        for letter in str(text).encode("utf-8", "replace").decode()
        if letter in "\n\t" or (ord(letter) >= 32 and not 127 <= ord(letter) < 160)
    )


def calls_outcome(reply, step, late, seconds):
    """Read the answers of calls: as many as were asked for, each a value or an error."""
    if late:
        return Outcome(time_limit=True, seconds=seconds)
    if reply["missing"]:
        return Outcome(completed=True, missing=True, seconds=seconds)
    answers = tuple(read_answer(answer) for answer in reply["answers"])
    if len(answers) != len(step.calls):
        raise ValueError(f"expected {len(step.calls)} answers, got {len(answers)}")
    memory = any(answer.error and answer.error[0] == "MemoryError" for answer in answers)
    return Outcome(completed=not memory, memory_limit=memory, answers=answers, seconds=seconds)


def read_answer(answer):
    """Read one answer."""
    arguments = tuple(wire.decode(argument) for argument in answer["arguments"])
    line = clean(answer.get("line", ""))[:200]
    if "error" in answer:
        kind, message = answer["error"]
        return CallAnswer(error=(clean(kind)[:100], clean(message)[:2000]), arguments=arguments, line=line)
    return CallAnswer(value=wire.decode(answer["value"]), arguments=arguments)
