"""The inside of the sandbox: runs cells and calls functions. Knows no answer, no exercise, no host file.

The first process never runs a line of a notebook. It alone talks to the host, keeps the time, and ends what is late.
Everything else is a *state*: a process that holds a notebook as it is at some moment. A state can do one thing, fork.
A cell runs in a fork of the present state. If it ends, that fork is the present state from then on; if it hangs or
dies, it is dropped, and the notebook goes on as if the cell had not been there. A state that is *held* is kept aside,
so that functions can be called later as they were at that moment, each time in a fork that nothing survives.

Started by session.py as a script, with wire.py beside it.
"""

import ctypes
import os
import resource
import signal
import socket
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path

import wire

GRACE_SECONDS = 1.0  # between asking a step to stop (SIGINT shows the student where it hung) and ending it
FORK_SECONDS = 5.0
SET_DUMPABLE, SET_CHILD_SUBREAPER = 4, 36  # prctl(2)


def main():
    """Take the pipes out of reach of ordinary prints, load the shell, and serve until the host hangs up."""
    requests, replies = os.dup(0), os.dup(1)
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    prctl = ctypes.CDLL(None).prctl
    prctl(SET_DUMPABLE, 0, 0, 0, 0)  # no process here may look into another
    prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # whatever loses its parent is ours to reap
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = wire.receive(requests)
    apply_limits(settings["limits"])
    for name, text in settings["files"].items():
        Path(name).write_text(text, encoding="utf-8")
    shell = start_shell(settings["limits"]["output_bytes"])
    first = State.first(shell, (requests, replies))
    wire.send(replies, {"ready": True})
    serve(first, requests, replies)
    os._exit(0)  # the first process is gone, and with it everything in here


def apply_limits(limits):
    """Set what the kernel enforces for this process and all that come from it."""
    wanted = (
        (resource.RLIMIT_AS, limits["memory_bytes"]),
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_CORE, 0),
    )
    for name, value in wanted:
        if value is not None:
            resource.setrlimit(name, (value, value))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file too large is an OSError, not the end


def start_shell(output_bytes):
    """Load IPython and NumPy once; each fork inherits them."""
    import notebook_shell

    return notebook_shell.NotebookShell.create(output_bytes)


def serve(present, requests, replies):
    """Answer the host's requests one by one until it closes the pipe."""
    held = []
    while (request := wire.receive(requests)) is not None:
        end_strays({state.pid for state in [present, *held] if state})
        if request["do"] == "hold":
            held.append(present.fork())
            wire.send(replies, {"held": held[-1] is not None})
            continue
        keep = request["do"] == "cell"
        state = (present if keep else held[request["held"]]) or Gone
        step = state.fork()
        reply = step.perform(request) if step else {"late": False, "ended": 1, "seconds": 0.0, "reply": None}
        reply = send_or_drop(replies, reply)
        if keep and reply["ended"] is None:
            present.end()
            present = step
        elif step:
            step.end()


def send_or_drop(replies, reply):
    """Send the host a reply and return it; one that is too large to send is dropped, as if the step had died."""
    try:
        wire.send(replies, reply)
    except wire.WireError:
        reply = {**reply, "ended": 1, "reply": None}
        wire.send(replies, reply)
    return reply


def end_strays(states):
    """End what cells left running: it would eat the limits of the next one. Only where all processes are ours."""
    if os.getpid() != 1:
        return
    for _ in range(100):
        strays = {int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()} - states - {1}
        for pid in strays:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in strays:
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        if not strays:
            return


class State:
    """A notebook at one moment, seen from the first process: a child, and the socket on which it waits to be forked."""

    def __init__(self, pid, channel):
        self.pid, self.channel = pid, channel

    @classmethod
    def first(cls, shell, host):
        """Fork the empty notebook off; the child closes the pipes to the host."""
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            ours.close()
            for descriptor in host:
                os.close(descriptor)
            wait_to_be_forked(shell, theirs)
        theirs.close()
        return cls(pid, ours)

    def fork(self):
        """Return a new state that is a copy of this one, or None where this one no longer answers."""
        ours = theirs = None
        try:
            ours, theirs = socket.socketpair()
            socket.send_fds(self.channel, [b"f"], [theirs.fileno()], socket.MSG_DONTWAIT)
            theirs.close()
            hello = wire.receive(ours.fileno(), time.monotonic() + FORK_SECONDS)
            pid = adopted(int(hello["pid"]))
        except Exception:  # a state may answer anything; whatever it is, it costs this step alone
            for end in (ours, theirs):
                if end is not None:
                    end.close()
            return None
        return State(pid, ours)

    def perform(self, request):
        """Let the state do one step. ``ended`` is None where it lives, else its exit code or minus the signal."""
        started = time.monotonic()
        late, reply, channel = False, None, self.channel.fileno()
        try:
            wire.send(channel, request, started + FORK_SECONDS)
            for patience, sign in ((request["seconds"], signal.SIGINT), (GRACE_SECONDS, signal.SIGKILL)):
                try:
                    reply = wire.receive(channel, time.monotonic() + patience)
                    break
                except wire.Deadline:
                    late = True
                    self.signal(sign)
        except (OSError, wire.WireError, wire.Deadline):
            reply = None
        ended = None if reply else self.end()
        return {"late": late, "ended": ended, "seconds": time.monotonic() - started, "reply": reply}

    def signal(self, sign):
        """Signal the state and what it started, if it is still there."""
        for send_to in (os.killpg, os.kill):
            try:
                send_to(self.pid, sign)
            except (ProcessLookupError, PermissionError):
                continue
            return

    def end(self):
        """End the state, reap it and every orphan, and say how it had ended."""
        self.channel.close()
        ended = wait_for(self.pid, 0.2)
        if ended is None:
            self.signal(signal.SIGKILL)
            ended = wait_for(self.pid, FORK_SECONDS)
        while True:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    return ended
            except ChildProcessError:
                return ended


def adopted(pid):
    """Return a process id once it is a child of this process. Errors: ChildProcessError where it never becomes one."""
    until = time.monotonic() + 1.0
    while True:
        try:
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            return pid
        except ChildProcessError:
            if time.monotonic() > until:
                raise
            time.sleep(0.001)


class Gone:
    """Stands for a state that could not be held."""

    fork = staticmethod(lambda: None)


def wait_for(pid, seconds):
    """Reap one child within some seconds: its exit code, minus the signal that ended it, or None where it lives on."""
    until = time.monotonic() + seconds
    while True:
        try:
            found, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return 1
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            return None
        time.sleep(0.002)


def wait_to_be_forked(shell, channel):
    """Be a state: for every socket that comes, make a copy that does one step and is a state then. Never returns."""
    spare = os.open(os.devnull, os.O_RDONLY)  # a cell may use up all descriptors; the next step needs one
    while True:
        os.close(spare)
        message, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
        if not message:
            os._exit(0)
        # Forked twice, so that the copy has lost its parent and belongs to the first process, which reaps it.
        between = fork_patiently()
        if between == 0:
            if fork_patiently() == 0:
                channel.close()
                channel = socket.socket(fileno=descriptors[0])
                os.setpgid(0, 0)
                wire.send(channel.fileno(), {"pid": os.getpid()})
                spare = os.open(os.devnull, os.O_RDONLY)
                do_one_step(shell, channel)
                continue
            os._exit(0)
        os.close(descriptors[0])
        spare = os.open(os.devnull, os.O_RDONLY)
        os.waitpid(between, 0)


def do_one_step(shell, channel):
    """Receive a step, do it, reply. A copy that is only held receives nothing but sockets."""
    if channel.recv(1, socket.MSG_PEEK) == b"f":
        return
    request = wire.receive(channel.fileno())
    if request is None:
        os._exit(0)
    own = os.getpid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    reply = run_cell(shell, request) if request["do"] == "cell" else run_calls(shell, request)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.getpid() != own:
        os._exit(0)  # a process that the student's code forked has no say here
    wire.send(channel.fileno(), reply)


def fork_patiently():
    """Fork; where the limit on processes is reached, give what an earlier cell left behind a moment to end."""
    for _ in range(40):
        try:
            return os.fork()
        except BlockingIOError:
            time.sleep(0.05)
    return os.fork()


def run_cell(shell, request):
    """Run one cell as Jupyter would, and return its outputs as plain data."""
    return shell.run(request["source"], request["label"])


def run_calls(shell, request):
    """Call one function of the notebook on each list of arguments, on fresh copies every time."""
    try:
        function = shell.user_ns[request["name"]]
    except KeyError:
        return {"missing": True, "answers": []}
    answers = []
    for call in request["calls"]:
        arguments = [wire.decode(argument) for argument in call["args"]]
        keywords = {name: wire.decode(value) for name, value in call["kwargs"].items()}
        answers.append({**answer(function, arguments, keywords), "arguments": [wire.encode(a) for a in arguments]})
    return {"missing": False, "answers": answers}


def answer(function, arguments, keywords):
    """Return what one call gave, as plain data: a value, or an error and where in the student's cells it was raised."""
    try:
        return {"value": wire.encode(function(*arguments, **keywords))}
    except BaseException as error:
        try:
            message = str(error)
        except BaseException:
            message = "(its message could not be read)"
        # The name of Python's own error that this one is: NumPy's errors are MemoryError or ValueError too.
        kind = next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
        return {"error": [kind, message[:2000]], "place": place_in_cells(sys.exc_info()[2])}


def place_in_cells(trace):
    """Return the label and the line number of the innermost line that the student wrote, or None."""
    own = [frame for frame in traceback.extract_tb(trace) if frame.filename.startswith("<cell-")]
    return [own[-1].filename[6:-1], own[-1].lineno] if own else None


if __name__ == "__main__":
    main()
