"""The inside of the sandbox: runs cells and calls functions. Knows no answer, no exercise, no host file.

Every step runs in a fork of its own. A cell's fork, once the cell has ended, carries on as the session, and its
parent sleeps; a fork that hangs or dies is dropped, and its parent goes on as if that cell had not been there.
So one bad cell costs itself alone. Started by session.py as a script, with wire.py beside it.
"""

import ctypes
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

import wire

GRACE_SECONDS = 1.0  # between asking a step to stop (SIGINT shows the student where it hung) and ending it


def main():
    """Take the pipes out of reach of ordinary prints, load the shell, and serve until the host hangs up."""
    requests, replies = os.dup(0), os.dup(1)
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: no process here may look into another
    settings = wire.receive(requests)
    apply_limits(settings["limits"])
    for name, text in settings["files"].items():
        Path(name).write_text(text, encoding="utf-8")
    shell = start_shell(settings["limits"]["output_bytes"])
    wire.send(replies, {"ready": True, "files": sorted(settings["files"])})
    serve(shell, requests, replies)
    os._exit(0)  # threads and exit handlers that cells left behind do not get a turn


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


def serve(shell, requests, replies):
    """Answer requests one by one until the host closes the pipe."""
    while (request := wire.receive(requests)) is not None:
        keep = request["do"] == "cell"
        work = run_cell if keep else run_calls
        reader, writer = os.pipe()
        child = fork_patiently()
        if child == 0:
            os.close(reader)
            os.setpgid(0, 0)
            own = os.getpid()
            step_reply = work(shell, request)
            if os.getpid() != own:
                os._exit(0)  # a process that the student's code forked has no say here
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            wire.send(writer, step_reply)
            os.close(writer)
            if not keep:
                os._exit(0)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            continue  # this fork is the session from here on
        os.close(writer)
        reply = outcome_of(child, reader, request["seconds"])
        os.close(reader)
        wire.send(replies, reply)
        if keep and reply["ended"] is None:
            os.waitpid(child, 0)  # the child is the session now; when it ends, so does everything
            os._exit(0)


def fork_patiently():
    """Fork; where the limit on processes is reached, give what an earlier cell left behind a moment to end."""
    for _ in range(40):
        try:
            return os.fork()
        except BlockingIOError:
            time.sleep(0.05)
    return os.fork()


def outcome_of(child, reader, seconds):
    """Wait for a fork's reply. ``ended`` is None where it lives, else how it ended."""
    started = time.monotonic()
    late = False
    for patience, sign in ((seconds, signal.SIGINT), (GRACE_SECONDS, signal.SIGKILL)):
        try:
            reply = wire.receive(reader, time.monotonic() + patience)
        except wire.Deadline:
            late = True
            signal_group(child, sign)
        except wire.WireError:
            reply = None
            signal_group(child, signal.SIGKILL)
            break
        else:
            break
    else:
        reply = None
    ended = None
    if reply is None:
        _, status = os.waitpid(child, 0)
        ended = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    return {"late": late, "ended": ended, "seconds": time.monotonic() - started, "reply": reply}


def signal_group(child, sign):
    """Signal a fork and what it started, if it is still there."""
    for send_to in (os.killpg, os.kill):
        try:
            send_to(child, sign)
        except (ProcessLookupError, PermissionError):
            continue
        return


def run_cell(shell, request):
    """Run one cell as Jupyter would, and return its outputs as plain data."""
    return shell.run(request["source"])


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
    """Return what one call gave, as plain data: a value, or an error with the student's own lines."""
    try:
        return {"value": wire.encode(function(*arguments, **keywords))}
    except KeyboardInterrupt:
        return {"error": ["KeyboardInterrupt", "stopped"], "line": lines_of(sys.exc_info()[2])}
    except BaseException as error:
        try:
            message = str(error)
        except BaseException:
            message = "(its message could not be read)"
        # The name of Python's own error that this one is: NumPy's errors are MemoryError or ValueError too, and a
        # name that a student made up carries nothing out.
        kind = next(cls.__name__ for cls in type(error).__mro__ if cls.__module__ == "builtins")
        return {"error": [kind, message[:2000]], "line": lines_of(sys.exc_info()[2])}


def lines_of(trace):
    """Return the innermost line that the student wrote, as ``line 3, `weights = ...` ``."""
    own = [frame for frame in traceback.extract_tb(trace) if "ipython-input" in frame.filename]
    return f"line {own[-1].lineno}, `{(own[-1].line or '').strip()[:160]}`" if own else ""


if __name__ == "__main__":
    main()
