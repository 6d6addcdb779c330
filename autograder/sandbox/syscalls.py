"""The system calls that the kernel refuses: some to all in the sandbox, a few more to notebooks."""

import signal
import tempfile
from functools import cache
from typing import Any

EPERM = 1
DENIED_CALLS = (
    *("acct", "add_key", "bpf", "delete_module", "fanotify_init", "finit_module", "fsconfig", "fsmount", "fsopen"),
    *("init_module", "io_uring_enter", "io_uring_register", "io_uring_setup", "ioperm", "iopl", "kexec_file_load"),
    *("kexec_load", "keyctl", "mount", "mount_setattr", "move_mount", "name_to_handle_at", "open_by_handle_at"),
    *("open_tree", "perf_event_open", "personality", "pidfd_getfd", "pivot_root", "process_vm_readv"),
    *("process_vm_writev", "ptrace", "quotactl", "reboot", "request_key", "setns", "swapoff", "swapon", "syslog"),
    *("umount2", "unshare", "userfaultfd", "vhangup"),
    # Calls whose effects would outlive a notebook, or reach the first process or its orders.
    *("shmget", "shmat", "semget", "msgget", "mq_open", "setpriority", "ioprio_set", "sched_setscheduler"),
    *("sched_setparam", "sched_setattr"),
)
# The grader may own files that the sandbox exposes, such as the machine's /dev/null.
DENIED_NOTEBOOKS = (
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat"),
    *("memfd_create", "memfd_secret"),
)
TIOCSTI, TIOCLINUX, AF_UNIX, PR_SET_DUMPABLE, F_SETLEASE = 0x5412, 0x541C, 1, 4, 1024
KIND_OF_MAPPING, SHARED_WITHOUT_FILE = 0x2F, 0x21  # of mmap's flags


@cache
def for_all() -> bytes | None:
    """Return the filter for everything in the sandbox as a BPF program, or None without libseccomp."""
    rules = refusing(DENIED_CALLS)
    if rules is None:
        return None
    import pyseccomp

    refuse = pyseccomp.ERRNO(EPERM)
    for request in (TIOCSTI, TIOCLINUX):
        rules.add_rule(refuse, "ioctl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, 0xFFFFFFFF, request))
    # No process sets another's limits, or lets others inspect it.
    for name in ("prlimit64", "sched_setaffinity"):
        rules.add_rule(refuse, name, pyseccomp.Arg(0, pyseccomp.NE, 0))
    dumpable = pyseccomp.Arg(0, pyseccomp.EQ, PR_SET_DUMPABLE), pyseccomp.Arg(1, pyseccomp.NE, 0)
    rules.add_rule(refuse, "prctl", *dumpable)
    rules.add_rule(refuse, "socket", pyseccomp.Arg(0, pyseccomp.NE, AF_UNIX))
    return program(rules)


@cache
def for_notebooks() -> bytes | None:
    """Return what is refused to notebooks besides, or None.

    Rights, times and leases of files stay as they are. SIGCHLD is not dealt with in another way: whoever ignores it has
    children that nobody waits for, and the kernel forgets what they have computed. And memory is shared in files alone,
    whose folders have a size: other shared memory may be held by processes that nobody can see holding it.
    """
    rules = refusing(DENIED_NOTEBOOKS)
    if rules is None:
        return None
    import pyseccomp

    refuse = pyseccomp.ERRNO(EPERM)
    rules.add_rule(refuse, "fcntl", pyseccomp.Arg(1, pyseccomp.EQ, F_SETLEASE))
    handled = pyseccomp.Arg(0, pyseccomp.EQ, signal.SIGCHLD), pyseccomp.Arg(1, pyseccomp.NE, 0)
    rules.add_rule(refuse, "rt_sigaction", *handled)
    rules.add_rule(refuse, "mmap", pyseccomp.Arg(3, pyseccomp.MASKED_EQ, KIND_OF_MAPPING, SHARED_WITHOUT_FILE))
    return program(rules)


def refusing(names: tuple[str, ...]) -> Any:
    """Return a filter that refuses some calls and allows all others, or None without libseccomp."""
    try:
        import pyseccomp
    except (ImportError, RuntimeError, OSError):
        return None
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for name in names:
        try:
            rules.add_rule(pyseccomp.ERRNO(EPERM), name)
        except (OSError, ValueError):  # a call that this kernel's headers or architecture do not know
            continue
    return rules


def program(rules: Any) -> bytes:
    """Return a filter as BPF code."""
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
