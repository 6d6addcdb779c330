"""Processes, settings or memory are left for the next submission in the same worker, or taken from the one before.

These are graded one after the other; each is followed by an honest student and by one who looks for traces (snoop.py).
"""

from autograder.sandbox.host.syscalls import number_of

from .corpus import OWN_MEMORY, Hostile, each

SMALL = ("graded", "error", "crashed", "time_limit", "memory_limit")
SYSTEM_V = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
for key in range(4711, 4716):
    segment = libc.shmget(key, 1 << 16, 0o1666)
    at = libc.shmat(segment, None, 0)
    if segment >= 0 and at:
        ctypes.memmove(at, b"left behind", 11)
    print(segment, libc.semget(key, 5, 0o1666), libc.msgget(key, 0o1666))
"""
MAIL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for name in (b"/hostile", b"/left", b"/numpy"):
    print(libc.mq_open(name, os.O_CREAT | os.O_RDWR, 0o666, None))
for number in range(20):
    libc.sem_open(b"/left%d" % number, os.O_CREAT, 0o666, 1)
"""
DAEMON = """
import os, signal, time
def daemon(work):
    if os.fork():
        return
    os.setsid()
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    if os.fork():
        os._exit(0)
    os.closerange(0, 128)
    while True:
        try:
            work()
        except BaseException:
            pass
        time.sleep(0.001)
"""
REWRITER = """
def rewrite():
    open("/tmp/work/selfcheck.py", "w").write("def check(*names): print('owned')")
    open("/tmp/work/numpy.py", "w").write("1 / 0")
for _ in range(3):
    daemon(rewrite)
"""
KILLER = """
def kill():
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
        for pid in (-1, 1):
            os.kill(pid, number)
    for pid in range(os.getpid() - 40, os.getpid() + 40):
        if pid > 1 and pid != os.getpid():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
daemon(kill)
"""
LISTENER = """
import socket
def listen():
    server = socket.socket(socket.AF_UNIX)
    server.bind("\\0hostile")
    server.listen()
    server.accept()[0].send(b"the answer")
daemon(listen)
"""
LEASES = """
import fcntl
kept = [open(path, "rb") for path in ("/tmp/work/selfcheck.py", "/tmp/work/examples.json")]
for file in kept:
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        print(error.strerror)
os.closerange = lambda *ends: None
signal.signal(signal.SIGIO, signal.SIG_IGN)
daemon(lambda: time.sleep(60))
"""
ATTACHED = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def attach():
    for pid in range(1, 400):
        for request in (0x4206, 16):  # PTRACE_SEIZE, PTRACE_ATTACH
            libc.ptrace(request, pid, None, None)
        libc.process_vm_writev(pid, None, 0, None, 0, 0)
        libc.syscall(438, libc.syscall(434, pid, 0), 0, 0)  # pidfd_open, pidfd_getfd
daemon(attach)
"""
SCHEDULER = each(
    *(
        f"import os; os.{call}"
        for call in (
            "setpriority(os.PRIO_USER, 0, 19)",
            "setpriority(os.PRIO_USER, 1000, 19)",
            "setpriority(os.PRIO_PROCESS, 1, 19)",
            "setpriority(os.PRIO_PGRP, os.getpgid(1), 19)",
            "setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
            "sched_setaffinity(1, {0})",
            "sched_setaffinity(os.getppid(), {0})",
            "sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))",
            "sched_setscheduler(os.getppid(), os.SCHED_BATCH, os.sched_param(0))",
        )
    ),
    f"import ctypes; print(ctypes.CDLL(None).syscall({number_of('ioprio_set')}, 1, 1, 3 << 13))",
    f"import ctypes; print(ctypes.CDLL(None).syscall({number_of('ioprio_set')}, 3, 1000, 3 << 13))",
    "open('/proc/1/oom_score_adj', 'w').write('1000')",
    "open(f'/proc/{os.getppid()}/oom_score_adj', 'w').write('1000')",
    "open('/proc/1/timerslack_ns', 'w').write('999999999')",
    "open('/proc/1/coredump_filter', 'w').write('0')",
    "open('/proc/1/comm', 'w').write('owned')",
    "open('/proc/1/autogroup', 'w').write('19')",
)
LIMITS = each(
    *(
        f"import os, resource; resource.prlimit({pid}, {kind}, ({value}, {value}))"
        for pid in ("1", "os.getppid()", "0")
        for kind, value in (("resource.RLIMIT_NOFILE", 20), ("resource.RLIMIT_FSIZE", 0), ("resource.RLIMIT_CPU", 1))
    ),
)
SIGNALS = """
import os, signal
for number in range(64, 0, -1):
    for pid in (1, os.getppid(), -1):
        try:
            os.kill(pid, number)
        except (OSError, ValueError):
            pass
"""
MODULES = """
import builtins, gc, sys, ctypes
for name in list(sys.modules):
    if name not in ("builtins", "sys"):
        module = sys.modules[name]
        for key in ("check", "send", "receive", "fork", "dot", "add", "array", "run", "loads", "dumps", "sleep"):
            if hasattr(module, key):
                try:
                    setattr(module, key, lambda *args, **kwargs: None)
                except (AttributeError, TypeError):
                    pass
builtins.print = lambda *args, **kwargs: None
np.asarray(2).setflags
ctypes.memset(id(True) + 24, 0, 1)
"""
SLEEPERS = """
import os, signal, time
try:
    while True:
        if os.fork() == 0:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            os.setpgid(0, 0)
            time.sleep(60)
except BlockingIOError as error:
    print(error.strerror)
"""
PIPES = """
import fcntl, os, signal, socket, termios
for descriptor in range(128):
    for work in (
        lambda: fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND | os.O_ASYNC),
        lambda: fcntl.fcntl(descriptor, 1031, 4096),  # F_SETPIPE_SZ
        lambda: fcntl.fcntl(descriptor, fcntl.F_SETOWN, 1),
        lambda: os.lseek(descriptor, 0, os.SEEK_END),
        lambda: os.ftruncate(descriptor, 0),
        lambda: socket.socket(fileno=os.dup(descriptor)).shutdown(socket.SHUT_RDWR),
    ):
        try:
            work()
        except (OSError, ValueError):
            pass
os.closerange(0, 128)
"""
LATE = """
import atexit, os, signal, sys, threading, time
def owned(*args):
    open("/tmp/work/selfcheck.py", "w").write("def check(*names): print('owned')")
atexit.register(owned)
class Last:
    __del__ = owned
sys.last = Last()
def late():
    while True:
        time.sleep(0.01)
        owned()
threading.Thread(target=late).start()
os.register_at_fork(before=owned, after_in_child=owned, after_in_parent=owned)
signal.signal(signal.SIGALRM, owned)
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
"""
FOSTER = """
import ctypes, signal
libc = ctypes.CDLL(None)
libc.prctl(36, 1, 0, 0, 0)  # a subreaper: orphans would come here and not to the first process
libc.prctl(1, 0, 0, 0, 0)
libc.prctl(38, 1, 0, 0, 0)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
daemon(lambda: None)
"""
SAME_SEED = """
import base64, functools, re
@functools.cache
def answers():
    pattern = rb'"value": ?{[^{}]*"data": ?"([A-Za-z0-9+/=]+)"'
    return [data for memory in own_memory() for data in re.findall(pattern, memory)]
def double(x):
    sent = np.ascontiguousarray(x).tobytes()
    mine = base64.b64encode(sent)
    right = [data for data in answers() if data != mine and len(data) == len(mine)]
    return np.frombuffer(base64.b64decode(right[0])).reshape(x.shape)
"""
COUNTER = """
calls = []
def double(x):
    calls.append(x.copy())
    open("/dev/shm/calls", "a").write(".")
    np.doubled = getattr(np, "doubled", 0) + 1
    return calls[0] + calls[-1] if len(calls) % 2 else calls[0]
"""
SERVER = """
import os, threading
to_server, from_client = os.pipe()
shared = []
def serve():
    while True:
        shared.append(os.read(to_server, 1 << 16))
threading.Thread(target=serve, daemon=True).start()
def double(x):
    os.write(from_client, x.tobytes())
    return np.frombuffer(shared[0]) if shared else x
"""

ENTRIES = (
    Hostile(
        "same_seed",
        "the answers that somebody before gave are searched for in memory",
        OWN_MEMORY + SAME_SEED,
        "",
        status=("error",),
    ),
    Hostile("system_v", "shared memory, semaphores and messages that outlive their maker", SYSTEM_V),
    Hostile("mail", "message queues and named semaphores", MAIL),
    Hostile("rewriter", "daemons that rewrite the self-check a thousand times a second", DAEMON + REWRITER),
    Hostile("killer", "a daemon that stops and kills everything", DAEMON + KILLER, status=SMALL),
    Hostile("listener", "a daemon that listens under an abstract name", DAEMON + LISTENER),
    Hostile("leases", "a daemon that holds locks and leases on the self-check", DAEMON + LEASES),
    Hostile("attached", "a daemon that attaches itself to whatever comes", DAEMON + ATTACHED),
    Hostile("foster", "orphans come to the student's process; all signals are blocked", DAEMON + FOSTER, status=SMALL),
    Hostile("scheduler", "the first process is made to wait for everybody else", SCHEDULER),
    Hostile("limits", "the first process gets limits of its own", LIMITS, status=("graded", "error", "time_limit")),
    Hostile("signals", "every signal to the first process, to the parent and to all", SIGNALS, status=SMALL),
    Hostile("modules", "every module that is loaded is broken", MODULES, status=SMALL),
    Hostile("sleepers", "not a process is left to start", SLEEPERS, status=SMALL),
    Hostile("pipes", "all that is open is made useless, then closed", PIPES, status=SMALL),
    Hostile("late", "what runs at exit, in a thread, at a fork and at an alarm", LATE, status=SMALL),
    Hostile("counter", "calls are counted and earlier arguments kept", COUNTER, ""),
    Hostile("server", "a thread of an earlier cell remembers for the function", SERVER, "", status=SMALL),
)
