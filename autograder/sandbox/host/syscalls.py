"""The system calls that the kernel permits to a notebook, and the arguments that it refuses.

A list of what is permitted: a call that a future kernel adds is refused until somebody has reviewed it. The names come
from tracing the sandbox while it graded a class; the odd notebooks and the hostile corpus need no others. No filter of
calls keeps two notebooks of one kernel from passing a message: the page for instructors says what remains.
"""

import base64
import fcntl
import mmap
import signal
import socket
import tempfile
import termios
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

EPERM = 1
# What Python, NumPy, Matplotlib, IPython and the C library use. Names that an architecture lacks are skipped there.
# Not on the list: the kernel's timers and queues, which one function could leave for another to find; calls that change
# a file's rights, times or attributes, since the grader may own files that are visible inside, such as /dev/null;
# memfd_create, since nobody can see which processes hold such memory; and what tells of the machine or of another
# notebook: sysinfo (its load and memory), statfs (how full its disks are), openat2 (which names it has looked up).
FILES = (
    *("access", "chdir", "close", "close_range", "copy_file_range", "dup", "dup2", "dup3", "faccessat"),
    *("faccessat2", "fchdir", "fcntl", "fdatasync", "fgetxattr", "flistxattr", "fstat", "fsync", "ftruncate"),
    *("getcwd", "getdents", "getdents64", "getxattr", "ioctl", "lgetxattr", "link", "linkat", "listxattr"),
    *("llistxattr", "lseek", "lstat", "mkdir", "mkdirat", "newfstatat", "open", "openat", "pipe", "pipe2"),
    *("pread64", "preadv", "preadv2", "pwrite64", "pwritev", "pwritev2", "read", "readlink", "readlinkat", "readv"),
    *("rename", "renameat", "renameat2", "rmdir", "sendfile", "stat", "statx", "symlink", "symlinkat", "truncate"),
    *("umask", "unlink", "unlinkat", "write", "writev"),
)
MEMORY = (
    *("brk", "get_mempolicy", "madvise", "map_shadow_stack", "membarrier", "mmap", "mprotect", "mremap", "msync"),
    *("munmap",),
)
PROCESSES = (
    *("arch_prctl", "clone", "clone3", "execve", "exit", "exit_group", "fork", "futex", "futex_requeue"),
    *("futex_wait", "futex_waitv", "futex_wake", "get_robust_list", "get_thread_area", "getcpu", "getegid"),
    *("geteuid", "getgid", "getgroups", "getpgid", "getpgrp", "getpid", "getppid", "getpriority", "getresgid"),
    *("getresuid", "getrlimit", "getrusage", "getsid", "gettid", "getuid", "kill", "pidfd_open", "prctl"),
    *("prlimit64", "restart_syscall", "rseq", "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn"),
    *("rt_sigsuspend", "rt_sigtimedwait", "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity"),
    *("sched_getattr", "sched_getparam", "sched_getscheduler", "sched_rr_get_interval", "sched_setaffinity"),
    *("sched_yield", "set_robust_list", "set_tid_address", "setpgid", "setrlimit", "setsid", "sigaltstack"),
    *("tgkill", "times", "tkill", "uname", "vfork", "wait4", "waitid"),
)
TIME = (
    *("alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday", "nanosleep"),
    *("pause", "setitimer", "time"),
)
WAITING_AND_TALKING = (
    *("accept", "accept4", "bind", "connect", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait"),
    *("epoll_pwait2", "epoll_wait", "eventfd", "eventfd2", "getpeername", "getrandom", "getsockname", "getsockopt"),
    *("listen", "poll", "ppoll", "pselect6", "recvfrom", "recvmmsg", "recvmsg", "select", "sendto", "setsockopt"),
    *("shutdown", "socket", "socketpair"),
)
# What the worker still needs between the two filters, and no notebook: to give the host a descriptor, and to load the
# second one. The kernel counts the descriptors that are in flight for all sandboxes of a user together.
FOR_THE_WORKER = ("seccomp", "sendmsg")
PERMITTED = frozenset(FILES + MEMORY + PROCESSES + TIME + WAITING_AND_TALKING + FOR_THE_WORKER)
PR_SET_DUMPABLE = 4
# Of prctl(2): the signal when a parent ends, whether one may be inspected (nobody can), names of threads and memory;
# and whether there are some rights and parts of the processor.
PR_GET_AND_SET = (1, 2, 3, PR_SET_DUMPABLE, 15, 16, 0x53564D41, 23, 39, 51, 56)
TCGETS2, FICLONE = 0x802C542A, 0x40049409  # which newer C libraries ask of every file, and newer Pythons before a copy
GUARDS = (102, 103)  # MADV_GUARD_INSTALL and _REMOVE: newer C libraries guard a thread's stack so
# Calls in which a number chooses what to do: {name: (which argument it is, the numbers that are permitted)}. Not on the
# list: filters and line disciplines, which are programs and modules that the kernel loads; all sockets except those
# between processes; signals and notices that the kernel sends by itself; larger buffers, which nobody counts; reading
# only what is in the kernel's page cache, or taking pages out of it; and the number that the kernel gives to a socket.
PERMITTED_NUMBERS = {
    "fcntl": (
        1,
        (
            *(fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL),
            fcntl.F_GETPIPE_SZ,
        ),
    ),
    "getsockopt": (
        2,
        (
            *(socket.SO_REUSEADDR, socket.SO_TYPE, socket.SO_ERROR, socket.SO_SNDBUF, socket.SO_RCVBUF),
            *(socket.SO_KEEPALIVE, socket.SO_LINGER, socket.SO_PASSCRED, socket.SO_PEERCRED, socket.SO_RCVTIMEO),
            *(socket.SO_SNDTIMEO, socket.SO_ACCEPTCONN, socket.SO_PROTOCOL, socket.SO_DOMAIN),
        ),
    ),
    "ioctl": (
        1,
        (
            *(termios.TCGETS, TCGETS2, termios.TIOCGWINSZ, termios.FIONREAD, termios.FIONBIO),
            *(termios.FIOCLEX, termios.FIONCLEX, FICLONE),
        ),
    ),
    "madvise": (
        2,
        (
            *(mmap.MADV_NORMAL, mmap.MADV_RANDOM, mmap.MADV_SEQUENTIAL, mmap.MADV_WILLNEED, mmap.MADV_DONTNEED),
            *(mmap.MADV_FREE, mmap.MADV_DONTFORK, mmap.MADV_DOFORK, mmap.MADV_HUGEPAGE, mmap.MADV_NOHUGEPAGE),
            *(mmap.MADV_DONTDUMP, mmap.MADV_DODUMP, *GUARDS),
        ),
    ),
    "prctl": (0, PR_GET_AND_SET),
    "preadv2": (5, (0,)),
    "seccomp": (1, (0,)),
    "pwritev2": (5, (0,)),
    "setsockopt": (
        2,
        (
            *(socket.SO_REUSEADDR, socket.SO_KEEPALIVE, socket.SO_LINGER, socket.SO_PASSCRED),
            *(socket.SO_RCVTIMEO, socket.SO_SNDTIMEO),
        ),
    ),
    "socket": (0, (socket.AF_UNIX,)),
    "socketpair": (0, (socket.AF_UNIX,)),
}
# Locks: the kernel says that they are granted, and takes none. On a library's file, which all notebooks of this machine
# see, they would carry a message, and an error would stop an honest library. To ask about a lock (F_GETLK) is refused.
GRANTED = (
    ("flock", None),
    *(("fcntl", number) for number in (fcntl.F_SETLK, fcntl.F_SETLKW, fcntl.F_OFD_SETLK, fcntl.F_OFD_SETLKW)),
)
# Of mmap's flags: what kind of mapping it is, and that it takes of the machine's store of large pages.
KIND_OF_MAPPING, SHARED_WITHOUT_FILE, LARGE_PAGES = 0x2F, 0x21, 0x40000


@dataclass(frozen=True)
class Filters:
    """What the kernel loads for a notebook, as BPF programs in base64: one of the other two, then ``bounds``.

    The kernel takes the stricter answer. With ``asking``, it asks the host about every call that is not on the list;
    with ``refusing``, it refuses them by itself. ``call`` is the number of seccomp(2) on this machine.
    """

    bounds: str
    asking: str
    refusing: str
    call: int


@cache
def filters() -> Filters | None:
    """Return the filters, or None without libseccomp."""
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError):
        return None
    refusing = permitting(pyseccomp.ERRNO(EPERM))
    try:
        asking = permitting(pyseccomp.NOTIFY)
    except (OSError, ValueError):  # libseccomp before 2.5
        asking = refusing
    return Filters(program(bounds()), asking, refusing, number_of("seccomp"))


def permitting(otherwise: Any) -> str:
    """Return the filter that permits the calls of the list; ``otherwise`` is its answer to every other one.

    A process that calls through another architecture's numbers, such as 32-bit ones, ends.
    """
    import pyseccomp

    rules = pyseccomp.SyscallFilter(otherwise)
    rules.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)
    for name in sorted(PERMITTED - PERMITTED_NUMBERS.keys()):
        with suppress(OSError, ValueError):  # a call that this architecture does not have
            rules.add_rule(pyseccomp.ALLOW, name)
    for name, (position, numbers) in PERMITTED_NUMBERS.items():
        for number in numbers:
            rules.add_rule(pyseccomp.ALLOW, name, int_is(position, number))
    for name, number in GRANTED:
        rules.add_rule(pyseccomp.ERRNO(0), name, *([] if number is None else [int_is(1, number)]))
    return program(rules)


def bounds() -> Any:
    """Return the last filter: it refuses some other arguments of calls that are permitted, and what the worker needed.

    The handling of SIGCHLD stays as it is: if a process ignored that signal, nobody would wait for its children, and
    the kernel would forget what they have used. And memory is shared in files alone, whose folders have a limited
    size: nobody can see which processes hold other shared memory.
    """
    import pyseccomp

    rules, refuse = pyseccomp.SyscallFilter(pyseccomp.ALLOW), pyseccomp.ERRNO(EPERM)
    rules.add_rule(refuse, "sendmsg")
    rules.add_rule(refuse, "seccomp", int_is(1, 0))
    # No process sets another's limits, or lets others inspect it.
    for name in ("prlimit64", "sched_setaffinity"):
        rules.add_rule(refuse, name, pyseccomp.Arg(0, pyseccomp.NE, 0))
    rules.add_rule(refuse, "prctl", int_is(0, PR_SET_DUMPABLE), pyseccomp.Arg(1, pyseccomp.NE, 0))
    rules.add_rule(refuse, "setsockopt", pyseccomp.Arg(1, pyseccomp.NE, socket.SOL_SOCKET))
    rules.add_rule(refuse, "rt_sigaction", int_is(0, signal.SIGCHLD), pyseccomp.Arg(1, pyseccomp.NE, 0))
    for mask, flags in ((KIND_OF_MAPPING, SHARED_WITHOUT_FILE), (LARGE_PAGES, LARGE_PAGES)):
        rules.add_rule(refuse, "mmap", pyseccomp.Arg(3, pyseccomp.MASKED_EQ, mask, flags))
    return rules


def int_is(position: int, value: int) -> Any:
    """Return the condition that an argument is this int: the kernel does not look at the register's upper half."""
    import pyseccomp

    return pyseccomp.Arg(position, pyseccomp.MASKED_EQ, 0xFFFFFFFF, value)


def number_of(name: str) -> int:
    """Return the number of a call on this machine; negative if it has none."""
    import pyseccomp

    return int(pyseccomp.resolve_syscall(pyseccomp.system_arch(), name))


def name_of(number: int) -> str:
    """Return the name of a call by its number on this machine."""
    import pyseccomp

    try:
        return pyseccomp.resolve_syscall(pyseccomp.system_arch(), number).decode()
    except ValueError:
        return f"call {number}"


def program(rules: Any) -> str:
    """Return a filter as BPF code, in base64."""
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return base64.b64encode(file.read()).decode()
