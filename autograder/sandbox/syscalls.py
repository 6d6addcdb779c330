"""The system calls that the kernel permits in the sandbox, and what it refuses of them to notebooks.

A list of what is permitted: a call of a kernel to come is refused until somebody has looked at it. The names come from
tracing the sandbox while it graded a class; the odd notebooks and the hostile corpus run within them.
"""

import signal
import tempfile
from contextlib import suppress
from functools import cache
from typing import Any

EPERM = 1
# What Python, NumPy, Matplotlib, IPython and the C library use. Names that an architecture lacks are skipped there.
FILES = (
    *("access", "chdir", "chmod", "chown", "close", "close_range", "copy_file_range", "creat", "dup", "dup2", "dup3"),
    *("faccessat", "faccessat2", "fadvise64", "fallocate", "fchdir", "fchmod", "fchmodat", "fchmodat2", "fchown"),
    *("fchownat", "fcntl", "fdatasync", "fgetxattr", "flistxattr", "flock", "fremovexattr", "fsetxattr", "fstat"),
    *("fstatfs", "fsync", "ftruncate", "futimesat", "getcwd", "getdents", "getdents64", "getxattr", "ioctl", "lchown"),
    *("lgetxattr", "link", "linkat", "listxattr", "llistxattr", "lremovexattr", "lseek", "lsetxattr", "lstat"),
    *("memfd_create", "mkdir", "mkdirat", "mknod", "mknodat", "newfstatat", "open", "openat", "openat2", "pipe"),
    *("pipe2", "pread64", "preadv", "preadv2", "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readlink"),
    *("readlinkat", "readv", "removexattr", "rename", "renameat", "renameat2", "rmdir", "sendfile", "setxattr"),
    *("splice", "stat", "statfs", "statx", "symlink", "symlinkat", "sync_file_range", "tee", "truncate", "umask"),
    *("unlink", "unlinkat", "utime", "utimensat", "utimes", "vmsplice", "write", "writev"),
)
MEMORY = (
    *("brk", "get_mempolicy", "madvise", "map_shadow_stack", "mbind", "membarrier", "mincore", "mlock", "mlock2"),
    *("mlockall", "mmap", "mprotect", "mremap", "msync", "munlock", "munlockall", "munmap", "pkey_alloc", "pkey_free"),
    *("pkey_mprotect", "set_mempolicy"),
)
PROCESSES = (
    *("arch_prctl", "capget", "clone", "clone3", "execve", "execveat", "exit", "exit_group", "fork", "futex"),
    *("futex_requeue", "futex_wait", "futex_waitv", "futex_wake", "get_robust_list", "get_thread_area", "getcpu"),
    *("getegid", "geteuid", "getgid", "getgroups", "getpgid", "getpgrp", "getpid", "getppid", "getpriority"),
    *("getresgid", "getresuid", "getrlimit", "getrusage", "getsid", "gettid", "getuid", "kill", "pidfd_open"),
    *("pidfd_send_signal", "prctl", "prlimit64", "restart_syscall", "rseq", "rt_sigaction"),
    *("rt_sigpending", "rt_sigprocmask", "rt_sigqueueinfo", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait"),
    *("rt_tgsigqueueinfo", "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr"),
    *("sched_getparam", "sched_getscheduler", "sched_rr_get_interval", "sched_setaffinity", "sched_yield", "seccomp"),
    *("set_robust_list", "set_tid_address", "setpgid", "setrlimit", "setsid", "sigaltstack", "sysinfo", "tgkill"),
    *("times", "tkill", "uname", "vfork", "wait4", "waitid"),
)
TIME = (
    *("alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday", "nanosleep", "pause"),
    *("setitimer", "time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime", "timer_settime"),
    *("timerfd_create", "timerfd_gettime", "timerfd_settime"),
)
WAITING_AND_TALKING = (
    *("accept", "accept4", "bind", "connect", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait"),
    *("epoll_pwait2", "epoll_wait", "eventfd", "eventfd2", "getpeername", "getrandom", "getsockname", "getsockopt"),
    *("inotify_add_watch", "inotify_init", "inotify_init1", "inotify_rm_watch", "listen", "poll", "ppoll", "pselect6"),
    *("recvfrom", "recvmmsg", "recvmsg", "select", "sendmmsg", "sendmsg", "sendto", "setsockopt", "shutdown"),
    *("signalfd", "signalfd4", "socket", "socketpair"),
)
PERMITTED = frozenset(FILES + MEMORY + PROCESSES + TIME + WAITING_AND_TALKING)
# The grader may own files that the sandbox exposes, such as the machine's /dev/null.
DENIED_NOTEBOOKS = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat"),
    *("memfd_create", "memfd_secret"),
)
TIOCSTI, TIOCLINUX, AF_UNIX, PR_SET_DUMPABLE, F_SETLEASE = 0x5412, 0x541C, 1, 4, 1024
SOL_SOCKET, SO_SNDBUF, SO_SNDBUFFORCE = 1, 7, 32
KIND_OF_MAPPING, SHARED_WITHOUT_FILE = 0x2F, 0x21  # of mmap's flags


@cache
def for_all() -> tuple[bytes, ...]:
    """Return the two filters for everything in the sandbox as BPF programs, or () without libseccomp.

    The first permits the calls of a list and refuses all others, the second bounds the arguments of some: the kernel
    takes the stricter answer. A process that calls through another architecture's numbers, such as 32-bit ones, ends.
    """
    rules = filter_with("ERRNO")
    if rules is None:
        return ()
    import pyseccomp

    rules.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)
    for name in sorted(PERMITTED):
        with suppress(OSError, ValueError):  # a call that this architecture does not have
            rules.add_rule(pyseccomp.ALLOW, name)
    return program(rules), program(bounds())


def bounds() -> Any:
    """Return the filter that refuses some arguments of calls that are permitted."""
    import pyseccomp

    rules, refuse = filter_with("ALLOW"), pyseccomp.ERRNO(EPERM)
    for request in (TIOCSTI, TIOCLINUX):
        rules.add_rule(refuse, "ioctl", int_is(1, request))
    # No process sets another's limits, or lets others inspect it.
    for name in ("prlimit64", "sched_setaffinity"):
        rules.add_rule(refuse, name, pyseccomp.Arg(0, pyseccomp.NE, 0))
    rules.add_rule(refuse, "prctl", int_is(0, PR_SET_DUMPABLE), pyseccomp.Arg(1, pyseccomp.NE, 0))
    rules.add_rule(refuse, "socket", pyseccomp.Arg(0, pyseccomp.NE, AF_UNIX))
    for option in (SO_SNDBUF, SO_SNDBUFFORCE):  # so that memory.py knows how much a socket holds at most
        rules.add_rule(refuse, "setsockopt", int_is(1, SOL_SOCKET), int_is(2, option))
    return rules


def int_is(position: int, value: int) -> Any:
    """Return the condition that an argument is this int: the kernel does not look at the register's upper half."""
    import pyseccomp

    return pyseccomp.Arg(position, pyseccomp.MASKED_EQ, 0xFFFFFFFF, value)


@cache
def for_notebooks() -> bytes | None:
    """Return what is refused to notebooks besides, or None.

    Rights, times and leases of files stay as they are. SIGCHLD is not dealt with in another way: whoever ignores it has
    children that nobody waits for, and the kernel forgets what they have computed. And memory is shared in files alone,
    whose folders have a size: other shared memory may be held by processes that nobody can see holding it.
    """
    rules = filter_with("ALLOW")
    if rules is None:
        return None
    import pyseccomp

    refuse = pyseccomp.ERRNO(EPERM)
    for name in DENIED_NOTEBOOKS:
        with suppress(OSError, ValueError):  # a call that this architecture does not have
            rules.add_rule(refuse, name)
    rules.add_rule(refuse, "fcntl", int_is(1, F_SETLEASE))
    rules.add_rule(refuse, "rt_sigaction", int_is(0, signal.SIGCHLD), pyseccomp.Arg(1, pyseccomp.NE, 0))
    rules.add_rule(refuse, "mmap", pyseccomp.Arg(3, pyseccomp.MASKED_EQ, KIND_OF_MAPPING, SHARED_WITHOUT_FILE))
    return program(rules)


def filter_with(default: str) -> Any:
    """Return an empty filter whose answer to every call is "ERRNO" or "ALLOW", or None without libseccomp."""
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError):
        return None
    return pyseccomp.SyscallFilter(pyseccomp.ALLOW if default == "ALLOW" else pyseccomp.ERRNO(EPERM))


def program(rules: Any) -> bytes:
    """Return a filter as BPF code."""
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
