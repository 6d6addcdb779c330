"""The inside of the sandbox: a warm interpreter that forks. Knows no answer, no exercise, no host file.

The first process loads the shell once, and from then on only obeys the host's orders: begin, again, signal, end, tidy.
It never runs a line of a notebook and never sees a question, so a copy of it knows nothing of the notebooks before.
The kernel shields it from every signal that is sent in here.

A notebook is one such copy, and speaks with the host through a socket of its own. Where it is *held*, it remembers what
all names stand for; a *probe* is a copy of it, in which functions are called with the names as they were held.

Started by warm_worker.py as a script, with wire.py beside it.
"""

import base64
import ctypes
import gc
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

END_SECONDS, DYING_SECONDS = 2.0, 0.2  # what has stopped to answer may be dying on its own, and then says why
SPARE_FILES = 64  # for us, where a cell has used up all that it may open
LIMITS = sorted(value for name, value in vars(resource).items() if name.startswith("RLIMIT_"))
SET_DUMPABLE, SET_SECCOMP, SET_CHILD_SUBREAPER, SET_NO_NEW_PRIVS, MODE_FILTER = 4, 22, 36, 38, 2  # prctl(2)
WRITABLE = ("/tmp", "/dev/shm")
WORK = "/tmp/work"
DEPTH = 5  # of folders that a notebook may leave behind
LEFTOVERS = 500  # files in a folder; after a notebook that leaves more behind the worker is replaced


def main():
    """Load the shell and what notebooks import, then obey until the host hangs up."""
    host = socket.socket(fileno=os.dup(0))
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    prctl = ctypes.CDLL(None).prctl
    prctl(SET_DUMPABLE, 0, 0, 0, 0)  # no process here may look into another
    prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # whatever loses its parent is ours to reap
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = wire.receive(host.fileno())
    write_files(settings["files"])
    shell = start_shell(settings["limits"]["output_bytes"])
    warm_up(shell, settings["warm"])
    gc.collect()
    gc.freeze()  # the collector would write to every object, and each write after a fork copies a page
    gc.set_threshold(100_000)
    wire.send(host.fileno(), {"ready": True})
    Worker(host, shell, settings).obey()
    os._exit(0)  # the first process is gone, and with it everything in here


def write_files(files):
    """Write the companions of a notebook into the working folder."""
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")


def start_shell(output_bytes):
    """Load IPython and NumPy once; each fork inherits them."""
    import notebook_shell

    return notebook_shell.NotebookShell.create(output_bytes)


def warm_up(shell, sources):
    """Run some cells and a call once, so that no notebook has to load and prepare what they use; forget their names."""
    names = dict(shell.user_ns)
    for source in sources:
        shell.run(source, "warm")
    answer(wire.decode, [wire.encode(list(names))], {})
    shell.outputs.clear()
    shell.execution_count = 1
    shell.user_ns.clear()
    shell.user_ns.update(names)


class Worker:
    """The first process: forks notebooks, ends processes, and says whether the place is as it was at the start."""

    def __init__(self, host, shell, settings):
        self.host, self.shell, self.settings = host, shell, settings
        self.alone = os.getpid() == 1  # every other process in sight comes from a notebook
        self.at_start = standing()
        self.used = False

    def obey(self):
        """Obey one order after another until the host closes its end."""
        orders = {"begin": self.begin, "again": self.again, "signal": self.signal, "end": self.end, "tidy": self.tidy}
        while (order := wire.receive(self.host.fileno())) is not None:
            wire.send(self.host.fileno(), orders[order.pop("do")](**order))

    def begin(self):
        """Clear away all that the last notebook left, and fork a new one; ``pid`` is None where that is in doubt."""
        channel = receive_socket(self.host)
        sound = self.restored() if self.settings["reusable"] else not self.used
        self.used = True
        if sound:
            return self.fork(channel)
        channel.close()
        return {"pid": None}

    def restored(self):
        """Make the place what it was at the start; False where that fails."""
        if not self.tidy(())["gone"] or standing() != self.at_start or not emptied(WRITABLE):
            return False
        Path(WORK).mkdir()
        os.chdir(WORK)
        write_files(self.settings["files"])
        return True

    def again(self):
        """Fork the same notebook once more, in the folder as it is: a cell has cost the last copy."""
        return self.fork(receive_socket(self.host))

    def fork(self, channel):
        """Fork a notebook that speaks through ``channel``."""
        pid = os.fork()
        if pid:
            channel.close()
            return {"pid": pid}
        self.host.close()
        os.setpgid(0, 0)
        apply_limits(self.settings["limits"])
        if "filter" in self.settings:
            refuse_calls(self.settings["filter"])
        Notebook(self.shell, channel).serve()

    def signal(self, pid, sign):
        """Signal one process of the notebook."""
        with suppress(ProcessLookupError, PermissionError, OverflowError):
            if pid > 1:
                os.kill(pid, sign)
        return {}

    def end(self, pid):
        """End one notebook and say how it had ended."""
        return {"ended": ended(pid)}

    def tidy(self, keep):
        """End every process but this one and those to keep; say whether they are gone.

        Only where all processes in sight are the notebook's.
        """
        until = time.monotonic() + END_SECONDS
        while self.alone and time.monotonic() < until:
            found = {int(name) for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208 - many Paths for few
            # What has ended but is the child of one that is kept can be reaped by that one alone.
            strays = [pid for pid in found - {1, *keep} if not keep or is_alive(pid)]
            if not strays:
                break
            for pid in strays:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            time.sleep(0.0002)
        else:
            return {"gone": not self.alone}
        return {"gone": True}


def is_alive(pid):
    """Say whether a process still runs; one that only waits to be reaped by its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] not in "ZX"
    except (OSError, IndexError):
        return False


def standing():
    """Return what a notebook might change about the first process, and every later notebook would inherit."""
    return (
        os.getpriority(os.PRIO_PROCESS, 0),
        os.sched_getaffinity(0),
        os.sched_getscheduler(0),
        Path("/proc/self/oom_score_adj").read_text(),
        [resource.getrlimit(limit) for limit in LIMITS],
    )


def emptied(folders):
    """Remove what lies in the writable folders; False where it is more, or stranger, than a class leaves behind."""
    os.chdir("/")
    try:
        for folder in folders:
            empty(Path(folder), DEPTH)
            os.utime(folder, (0, 0))  # nor may its time stamp carry a word
    except OSError:
        return False
    return True


def empty(folder, depth):
    """Remove everything in a folder. Errors: OSError where it is nested deeper, or holds very much."""
    if depth == 0:
        raise OSError("nested too deeply")
    folder.chmod(0o700)
    for count, entry in enumerate(os.scandir(folder)):
        path = Path(entry.path)
        if count == LEFTOVERS:
            raise OSError("too many files")
        if entry.is_dir(follow_symlinks=False):
            empty(path, depth - 1)
            path.rmdir()
        else:
            path.unlink()


def apply_limits(limits):
    """Set what the kernel enforces for this process and all that come from it."""
    wanted = (
        (resource.RLIMIT_AS, limits["memory_bytes"]),
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_CORE, 0),
    )
    for name, value in wanted:
        if value is not None:
            resource.setrlimit(name, (value, value))
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits["open_files"], limits["open_files"] + SPARE_FILES))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a file too large is an OSError, not the end


def ended(pid):
    """End a child process and say how it had ended: exit code, or minus the signal that killed it; 1 for no child."""
    started, killed = time.monotonic(), False
    while time.monotonic() < started + END_SECONDS:
        try:
            found, status = os.waitpid(pid, os.WNOHANG)
        except (ChildProcessError, OverflowError):
            return 1
        if found:
            return os.waitstatus_to_exitcode(status)
        if not killed and time.monotonic() > started + DYING_SECONDS:
            os.kill(pid, signal.SIGKILL)
            killed = True
        time.sleep(0.001)
    return 1


class Filter(ctypes.Structure):
    """A program for seccomp(2), as the kernel reads it."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def refuse_calls(program):
    """Have the kernel refuse some system calls to this process and all that come from it."""
    code = base64.b64decode(program)
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong]
    filtered = Filter(len(code) // 8, code)  # it has to live until the kernel has read it
    if prctl(SET_NO_NEW_PRIVS, 1, None, 0, 0) or prctl(SET_SECCOMP, MODE_FILTER, ctypes.addressof(filtered), 0, 0):
        os._exit(1)


def receive_socket(channel):
    """Receive a socket that the host sends along."""
    message, descriptors, _, _ = socket.recv_fds(channel, 1, 1)
    if not message:
        os._exit(0)
    return socket.socket(fileno=descriptors[0])


class Notebook:
    """One notebook: runs its cells one after another; a copy of it, a probe, calls its functions."""

    def __init__(self, shell, channel):
        self.shell, self.channel = shell, channel
        self.held = []

    def serve(self):
        """Do one step after another until the host closes its end. Never returns."""
        steps = {"cell": self.cell, "probe": self.probe, "calls": self.calls, "end": self.end}
        while (request := wire.receive(self.channel.fileno())) is not None:
            wire.send(self.channel.fileno(), steps[request.pop("do")](**request))
        os._exit(0)

    def cell(self, source, label, cpu_seconds, hold):
        """Run one cell as Jupyter would, and return its outputs as plain data. Where asked, remember all names then."""
        reply = self.run(source, label, cpu_seconds) if source else {"outputs": [], "exceeded": False}
        if hold:
            self.held.append(dict(self.shell.user_ns))
        return reply

    def run(self, source, label, cpu_seconds):
        """Run a cell, which may take its time, be interrupted, or fork."""
        own = os.getpid()
        limit_step(cpu_seconds)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        reply = self.shell.run(source, label)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if os.getpid() != own:
            os._exit(0)  # a process that the student's code forked has no say here
        return reply

    def probe(self):
        """Fork a copy that waits to be asked; its process id, or None where there is no room for it."""
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

    def end(self, pid):
        """End one probe and say how it had ended."""
        return {"ended": ended(pid)}

    def go_back_to(self, held):
        """Let every name stand for what it stood for then: in place, for functions look their names up in this dict."""
        names, then = self.shell.user_ns, self.held[held]
        for name in names.keys() - then.keys():
            del names[name]
        names.update(then)

    def calls(self, name, held, calls, cpu_seconds):
        """Call one function, as it was held, on each list of arguments, on fresh copies every time."""
        own = os.getpid()
        limit_step(cpu_seconds)
        self.go_back_to(held)
        try:
            function = self.shell.user_ns[name]
        except KeyError:
            return {"missing": True, "answers": []}
        answers = []
        for call in calls:
            arguments = [wire.decode(argument) for argument in call["args"]]
            keywords = {key: wire.decode(value) for key, value in call["kwargs"].items()}
            given = answer(function, arguments, keywords)
            after = [wire.encode(argument) for argument in arguments]
            answers.append(given if after == call["args"] else {**given, "arguments": after})
        if os.getpid() != own:
            os._exit(0)
        return {"missing": False, "answers": answers}


def limit_step(cpu_seconds):
    """Give this step so many seconds of processor time from now on; the kernel ends the process after them."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(used.ru_utime + used.ru_stime + cpu_seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


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
