# ruff: noqa
# A cell, not a module: it prints each trace that somebody before could have left, and nothing that varies by itself.
import builtins
import ctypes
import glob
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
    space = os.statvfs(folder)
    return space.f_bfree  # not f_ffree: the kernel gives an ended process's last inode back a moment later


def rows(path):
    return len(open(path).read().splitlines())


def mail(name):
    found = libc.mq_open(name, os.O_RDONLY)
    return found, ctypes.get_errno()


def status(*wanted):
    return [line.split() for line in open("/proc/self/status") if line.startswith(wanted)]


def kinds_of_files():
    links = (
        os.readlink(f"/proc/self/fd/{fd}")
        for fd in os.listdir("/proc/self/fd")
        if os.path.lexists(f"/proc/self/fd/{fd}")
    )
    return sorted(re.sub(r"\d+", "", link) for link in links)


def left_in_memory():
    mark = b"WATERMARK" + b"-OF-"
    found = set()
    for line in open("/proc/self/maps"):
        start, end = (int(part, 16) for part in line.split()[0].split("-"))
        if line.split()[1][:2] != "rw" or end - start > 1 << 28:
            continue
        memory = (ctypes.c_char * (end - start)).from_address(start)
        found.update(re.findall(mark + rb"\w+", memory))
    return sorted(found)


def foreign_code():
    functions = [np.allclose, np.array_equal, np.testing.assert_allclose, np.asarray, type(get_ipython()).run_cell]
    return [getattr(function, "__module__", "") for function in functions], [f() for f in (dict, list)], all([0])


for folder in ("/tmp", "/dev/shm"):
    show(folder, lambda: listing(folder))
    show(f"free {folder}", lambda: free(folder))
for kind in ("shm", "sem", "msg"):
    show(f"sysv {kind}", lambda: rows(f"/proc/sysvipc/{kind}"))
show("mail", lambda: mail(b"/hostile"))
show("sockets", lambda: re.findall(r"@\S+", open("/proc/net/unix").read()))
show("names", lambda: sorted(open(path).read() for path in glob.glob("/proc/[0-9]*/comm")))
show("nice", lambda: [os.getpriority(os.PRIO_PROCESS, pid) for pid in (0, 1)])
show("cores", lambda: [os.sched_getaffinity(pid) for pid in (0, 1)])
show("policy", lambda: [os.sched_getscheduler(pid) for pid in (0, 1)])
IOPRIO_GET = 31 if os.uname().machine == "aarch64" else 252
show("disk class", lambda: [libc.syscall(IOPRIO_GET, 1, pid) for pid in (0, 1)])
show("out of memory", lambda: [open(f"/proc/{pid}/oom_score_adj").read() for pid in ("self", 1)])
show("limits", lambda: [resource.getrlimit(kind) for kind in range(16)])
show(
    "masks",
    lambda: (
        os.umask(0o22),
        status("SigB", "SigI", "SigC", "SigP", "Shd", "Threads", "Seccomp", "NoNew", "Cap", "Uid", "Gid"),
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
show("memory", left_in_memory)
