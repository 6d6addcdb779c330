# ruff: noqa
# A cell, not a module: it prints each trace that somebody before could have left, and nothing that varies by itself.
import builtins
import ctypes
import hashlib
import os
import re
import resource
import signal
import socket
import stat
import sys
import threading

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)


def show(name, look):
    try:
        print(f"{name}: {look()}")
    except BaseException as error:
        print(f"{name}: {type(error).__name__}")


def listing(folder):
    found = []
    for place, folders, files in os.walk(folder):
        for path in [place, *(os.path.join(place, name) for name in folders + files)]:
            facts = os.lstat(path)
            text = open(path, "rb").read(1 << 20) if stat.S_ISREG(facts.st_mode) else b""
            found.append((path, oct(facts.st_mode), facts.st_uid, hashlib.sha256(text).hexdigest()[:8]))
    return sorted(set(found))


def free(folder):
    names = [f"{folder}/{number}" for number in range(100)]
    for name in names:
        try:
            with open(name, "wb", buffering=0) as file:
                file.write(bytes(1 << 20))
        except OSError:
            break
    sizes = [os.stat(name).st_size for name in names if os.path.exists(name)]
    for name in names[: len(sizes)]:
        os.unlink(name)
    return sum(sizes) >> 20  # in whole megabytes: the kernel gives an ended process's last page back a moment later


def mail(name):
    found = libc.mq_open(name, os.O_RDONLY)
    return found, ctypes.get_errno()


def is_there(work, *arguments):
    try:
        return work(*arguments) or True
    except OSError:
        return False


def kinds_of_files():
    return [stat.S_IFMT(os.fstat(fd).st_mode) for fd in range(256) if is_there(os.fstat, fd)]


def in_memory(marks):
    return sorted({found for memory in own_memory() for found in re.findall(marks, memory)})


def foreign_code():
    functions = [np.allclose, np.array_equal, np.testing.assert_allclose, np.asarray, type(get_ipython()).run_cell]
    return [getattr(function, "__module__", "") for function in functions], [f() for f in (dict, list)], all([0])


for folder in ("/tmp", "/dev/shm"):
    show(folder, lambda: listing(folder))
    show(f"free {folder}", lambda: free(folder))
show("sysv", lambda: [libc.shmget(key, 0, 0) for key in range(4711, 4716)])
show("mail", lambda: mail(b"/hostile"))
show("sockets", lambda: socket.socket(socket.AF_UNIX).connect("\0hostile"))
show("processes", lambda: [pid for pid in range(1, 1 << 13) if pid != os.getpid() and is_there(os.kill, pid, 0)])
show("nice", lambda: [os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, 1)])
show("cores", lambda: [os.sched_getaffinity(pid) for pid in (0, 1)])
show("policy", lambda: [os.sched_getscheduler(pid) for pid in (0, 1)])
IOPRIO_GET = 31 if os.uname().machine == "aarch64" else 252
show("disk class", lambda: [libc.syscall(IOPRIO_GET, 1, pid) for pid in (0, 1)])
show("limits", lambda: [resource.getrlimit(kind) for kind in range(16)])
show(
    "masks",
    lambda: (
        os.umask(0o22),
        signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        signal.sigpending(),
        [signal.getsignal(number) for number in signal.valid_signals()],
        (os.getresuid(), os.getresgid(), os.getgroups(), libc.prctl(39)),
    ),
)
show("alarm", lambda: signal.getitimer(signal.ITIMER_REAL))
show("environment", lambda: (sorted(os.environ.items()), sys.argv, sys.path, os.getcwd(), socket.gethostname()))
show("files", kinds_of_files)
show("threads", threading.active_count)
show(
    "hooks",
    lambda: [sys.gettrace(), sys.getprofile(), len(sys.meta_path), len(sys.path_hooks), sys.getrecursionlimit()],
)
show(
    "modules",
    lambda: sorted((name, len(vars(module))) for name, module in sys.modules.items() if name not in ("numpy", "re")),
)
show("names in Python", lambda: (sorted(vars(builtins)), sorted(get_ipython().user_ns)))
show("code", foreign_code)
show("numbers", lambda: (np.geterr(), sorted(np.get_printoptions().items())))
found = in_memory(rb"WATER(?:PROOF|MARK-OF-\w+)")
show("searched", lambda: b"WATERPROOF" in found)  # this very line
show("memory", lambda: sorted({*found} - {b"WATERPROOF"}))
