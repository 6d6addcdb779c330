"""A notebook as a process inside the sandbox: it runs cells, and a copy of it, a *probe*, calls functions.

It talks to the host through its own socket. At a *checkpoint* it saves the values of all names, and a probe calls
functions with those values.
"""

import mmap
import os
import resource
import socket
import sys
import traceback
from collections.abc import Callable
from time import process_time
from types import TracebackType
from typing import Any

import harmless
import interrupts
import numpy as np
import protocol
from kernel_limits import limit_step
from processes import exit_code, receive_descriptor, receive_socket
from returned_values import as_numeric, as_text
from shared_arrays import array_in, borrowed, is_shared_array, is_step
from step_table import table_from

MOST_TOLD = 150  # statements of a cell
TELL_SECONDS = 0.1  # of processor time, after which the host hears how many calls are done


class Notebook:
    """One notebook: runs its cells in order; a copy of it, a probe, calls its functions."""

    def __init__(self, shell: Any, channel: socket.socket) -> None:
        self.shell, self.channel = shell, channel
        self.checkpoints = []

    def serve(self) -> None:
        """Perform one step after another until the host closes its end. Never returns."""
        steps: dict[str, Any] = {"cell": self.cell, "probe": self.probe, "calls": self.calls, "end": self.end}
        while (request := protocol.receive(self.channel.fileno())) is not None:
            protocol.send(self.channel.fileno(), steps[request.pop("do")](**request))
        os._exit(0)

    def cell(
        self, source: str, label: str, cpu_seconds: float, checkpoint: int, defines: str, left_out: list[int]
    ) -> dict[str, Any]:
        """Run one cell as Jupyter would, and return its outputs as plain data. If asked, save a checkpoint."""
        nothing: dict[str, Any] = {"outputs": [], "exceeded": False, "passed": [], "noted": []}
        reply = self.run(source, label, cpu_seconds, defines, left_out) if source else nothing
        if checkpoint:
            self.checkpoints.append(dict(self.shell.user_ns))
        return reply

    def run(self, source: str, label: str, cpu_seconds: float, defines: str, left_out: list[int]) -> dict[str, Any]:
        """Run a cell, which may take long, be interrupted, or fork.

        Tell the host which statement comes next where it has to know: in a cell that defines a function, and after an
        interrupt, with which the next statement's time begins.
        """
        own = os.getpid()
        limit_step(cpu_seconds)

        def tell(number: int, line: int, is_all: bool) -> None:
            has_to_know = (defines and not is_all) or self.shell.was_interrupted
            if os.getpid() == own and number <= MOST_TOLD and has_to_know:
                place = [number, line] if number < MOST_TOLD else [-1, 0]  # from then on, nobody knows
                protocol.send(self.channel.fileno(), {"statement": place})

        self.shell.tell = tell
        interrupts.listen()
        reply = self.shell.run(source, label, defines, left_out)
        interrupts.ignore()
        if os.getpid() != own:
            os._exit(0)  # ignore processes that the student's code forked
        return {**reply, "noted": take_notes()}

    def probe(self) -> dict[str, int | None]:
        """Fork a copy that waits for calls; return its process id, or None if there is no room for it."""
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        channel = receive_socket(self.channel)
        try:
            pid = os.fork()
        except OSError:
            pid = None
        if pid == 0:
            self.channel.close()
            self.channel = channel
            os.setpgid(0, 0)
            self.serve()
        channel.close()
        return {"pid": pid}

    def end(self, pid: int) -> dict[str, int]:
        """Wait for the end of one probe, which the worker has stopped, and return how it ended."""
        return {"ended": exit_code(pid)}

    def restore(self, checkpoint: int) -> None:
        """Restore every name to its value at a checkpoint: in place, because functions look names up in this dict."""
        names, then = self.shell.user_ns, self.checkpoints[checkpoint]
        for name in names.keys() - then.keys():
            del names[name]
        names.update(then)

    def calls(self, name: str, checkpoint: int, calls: list[dict[str, Any]], cpu_seconds: float) -> dict[str, Any]:
        """Call one function, as of a checkpoint, on each list of arguments, with fresh copies every time."""
        own, last_told = os.getpid(), process_time()
        memory = borrowed(receive_descriptor(self.channel))
        self.restore(checkpoint)
        try:
            function = self.shell.user_ns[name]
        except KeyError:
            return {"missing": True, "answers": [], "noted": []}
        answers: list[dict[str, Any]] = []
        interrupts.listen()
        for call in calls:
            if process_time() > last_told + TELL_SECONDS:  # each call has its own time
                protocol.send(self.channel.fileno(), {"answered": len(answers)})
                last_told = process_time()
            limit_step(cpu_seconds)
            arguments = [given(arg, memory) for arg in call["args"]]
            keywords = {key: protocol.decode(value) for key, value in call["kwargs"].items()}
            stopped = interrupts.interrupt.times
            found = answer(function, arguments, keywords)
            if stopped < interrupts.interrupt.times:
                protocol.send(self.channel.fileno(), {"answered": len(answers), "stopped": found.get("place")})
            after = [after_call(argument, before) for argument, before in zip(arguments, call["args"], strict=True)]
            answers.append(found if after == call["args"] else {**found, "arguments": after})
        interrupts.ignore()
        if os.getpid() != own:
            os._exit(0)
        return {"missing": False, "answers": answers, "noted": take_notes()}


def given(argument: Any, memory: mmap.mmap) -> Any:
    """Return an argument for the function: a shared array, a step rebuilt from its table, or a value."""
    if is_step(argument):
        return table_from(protocol.decode(argument["step"]))
    return array_in(memory, argument) if is_shared_array(argument) else protocol.decode(argument)


def after_call(argument: Any, before: Any) -> Any:
    """Return an argument after the call as plain data; of an array, all but its numbers, which the host can see.

    A step is built anew for every call, so changes to it reach nobody.
    """
    if is_step(before):
        return before
    if not is_shared_array(before):
        return protocol.encode(argument)
    return {**before, "dtype": argument.dtype.str, "shape": list(argument.shape)}


def answer(function: Callable, arguments: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
    """Return one call's result as plain data: a value, or an error and where in the student's cells it was raised."""
    try:
        with np.errstate(all="ignore"):  # as in the self-check: NaN and infinity are judged, not warned about
            return {"value": protocol.encode(as_text(function(*arguments, **keywords)), as_numeric)}
    except BaseException as error:
        try:
            message = str(error)
        except BaseException:
            message = "(its message could not be read)"
        # The name of Python's own error that this one is: NumPy's errors are MemoryError or ValueError too.
        kind = next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
        return {"error": [kind, message[:2000], type(error).__name__], "place": place_in_cells(sys.exc_info()[2])}


def take_notes() -> list[list[Any]]:
    """Return what the notebook has left, ``[what, place]``, once."""
    found, harmless.noted[:] = harmless.noted[:], []
    return found


def place_in_cells(trace: TracebackType | None) -> list | None:
    """Return the label and line number of the innermost line that the student wrote, or None."""
    own = [frame for frame in traceback.extract_tb(trace) if frame.filename.startswith("<cell-")]
    return [own[-1].filename[6:-1], own[-1].lineno] if own else None
