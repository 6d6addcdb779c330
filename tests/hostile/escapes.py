"""Out of the sandbox: network, host files, programs, other processes, the terminal, the kernel."""

import struct

from autograder.sandbox.host.syscalls import number_of

from .corpus import Hostile, never

TRACE = "hostile-was-here"
ACL = struct.pack("<IHHIHHIHHI", 2, *(1, 6, 0xFFFFFFFF), *(4, 6, 0xFFFFFFFF), *(32, 6, 0xFFFFFFFF))  # is mode 666
ADDRESSES = ("1.1.1.1", "127.0.0.1", "169.254.169.254", "::1")
NETWORK = never(
    *(f"import socket; print(socket.create_connection(({host!r}, 80), 0.2))" for host in ADDRESSES),
    "import socket; print(socket.getaddrinfo('example.org', 80))",
    "import urllib.request; print(urllib.request.urlopen('http://example.org', timeout=0.2).read())",
    *(
        f"import socket; print(socket.socket({kind}))"
        for kind in ("2, 1", "2, 2", "2, 3, 1", "10, 1", "16, 3", "17, 3", "40, 1", "38, 5")
    ),
)
LOCAL_SOCKETS = never(
    *(
        f"import socket; socket.socket(socket.AF_UNIX).connect({path!r})"
        for path in (
            "/run/docker.sock",
            "/var/run/dbus/system_bus_socket",
            "/tmp/.X11-unix/X0",
            "/run/systemd/private",
            "\0/tmp/dbus",
        )
    ),
)
HOST_FILES = never(
    *(
        f"print(open({path!r}).read()[:80])"
        for path in (
            "/etc/passwd",
            "/etc/shadow",
            "/root/.ssh/id_rsa",
            "/proc/1/root/etc/passwd",
            "/proc/1/environ",
            "/dev/sda",
        )
    ),
    "import os; print(os.listdir('/home'), os.listdir('/root'))",
    "import os; print(os.listdir('/proc/1/cwd/..'), os.listdir('/proc/1/root'))",
)
PLACES = (
    *("/", "/sandbox", "/packages", "/packages/numpy", "/python", "/python/lib", "/usr/lib", "/lib", "/etc", "/root"),
    *("/var/tmp", "/home", "/dev", "/proc", "/sys", "/tmp/work/../..", "/proc/1/root", "/proc/self/cwd/../.."),
)
WRITES = never(
    *(f"open({folder!r} + '/{TRACE}', 'w').write('x')" for folder in PLACES),
    "open('/sandbox/worker.py', 'a')",
    "open('/sandbox/protocol.py', 'r+')",
    "import os; os.link('/packages/numpy/__init__.py', '/packages/numpy/other.py')",
    "import mmap, os; opened = os.open('/sandbox/protocol.py', os.O_RDONLY); "
    "mmap.mmap(opened, 0, mmap.MAP_SHARED, mmap.PROT_READ)[0] = 0",
)
LINKS = never(
    "import os; os.symlink('/etc/passwd', 'selfcheck.json'); print(open('selfcheck.json').read())",
    "import os; os.symlink('/proc/1/root', 'out'); print(os.listdir('out/home'))",
    "import os; os.link('/sandbox/worker.py', '/tmp/work/linked.py')",
    "import os, stat; os.mknod('/tmp/disk', stat.S_IFBLK | 0o666, os.makedev(8, 0)); open('/tmp/disk', 'rb').read(1)",
    "import os, stat; os.mknod('/tmp/mem', stat.S_IFCHR | 0o666, os.makedev(1, 1)); open('/tmp/mem', 'rb').read(1)",
    "import os; os.chroot('/tmp')",
    "import os; top = os.open('/', os.O_RDONLY); print(os.open('../../etc/passwd', os.O_RDONLY, dir_fd=top))",
)
NAMESPACES = never(
    *(f"import os; os.unshare({flag})" for flag in ("0x10000000", "0x00020000", "0x20000000", "0x40000000")),
    "import os; os.setns(os.open('/proc/1/ns/mnt', os.O_RDONLY))",
    "import os; os.setuid(0)",
    "import os; os.setgroups([0])",
    "open('/proc/self/uid_map', 'wb', buffering=0).write(b'0 0 1')",
    "import socket; socket.sethostname('owned')",
)
NEEDED_BY_NO_NOTEBOOK = (
    *("ptrace", "mount", "umount2", "pivot_root", "init_module", "kexec_load", "add_key", "keyctl", "unshare"),
    *("perf_event_open", "open_by_handle_at", "setns", "process_vm_readv", "bpf", "userfaultfd", "io_uring_setup"),
    *("fsopen", "reboot", "swapon", "iopl", "syslog", "acct", "personality", "pidfd_getfd"),
)
SYSTEM_CALLS = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
calls = { {name: number_of(name) for name in NEEDED_BY_NO_NOTEBOOK if number_of(name) >= 0} }
for name, number in calls.items():
    print(name, libc.syscall(number, 0x10000000, 1, 0, 0, 0), ctypes.get_errno())
for number in list(calls.values()):
    libc.syscall(number | 0x40000000, 0, 0, 0, 0, 0)  # the x32 way around a filter
"""
CLONE = """
import ctypes, os, struct
libc = ctypes.CDLL(None, use_errno=True)
arguments = struct.pack("11Q", 0x10000000 | 0x00020000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
for _ in range(3):
    pid = libc.syscall(435, arguments, len(arguments))  # clone3 with a user namespace
    if pid == 0:
        print(libc.mount(b"none", b"/tmp", b"tmpfs", 0, None))
        os._exit(0)
    print(pid, ctypes.get_errno())
"""
TERMINAL = never(
    *(
        f"import fcntl, os; fcntl.ioctl(os.open({path!r}, os.O_RDWR | os.O_NOCTTY), {request}, {argument})"
        for path in ("/dev/tty", "/dev/console", "/dev/pts/0")
        for request, argument in ((0x5412, "b'x'"), (0x541C, "b'\\x03'"), (0x540E, "1"))
    ),
    "import os; os.openpty()",  # whose line disciplines are code of the kernel's, loaded on demand
    "import os; os.open('/dev/ptmx', os.O_RDWR | os.O_NOCTTY)",
    "import os, fcntl; master, slave = os.openpty(); fcntl.ioctl(slave, 0x5412, b'x')",
    "import os, fcntl; master, slave = os.openpty(); fcntl.ioctl(slave, 0x15412 << 32 | 0x5412, b'x')",
)
PROGRAMS = never(
    *(
        f"import subprocess; print(subprocess.run({command!r}, capture_output=True, check=True, timeout=0.5))"
        for command in (
            ["/bin/sh", "-c", "id"],
            ["/usr/bin/python3"],
            ["/lib64/ld-linux-x86-64.so.2", "/bin/ls"],
            ["/usr/bin/bwrap"],
        )
    ),
    f"import subprocess as s, sys; s.run([sys.executable, '-c', 'open(\"/{TRACE}\", \"w\")'], check=True, timeout=0.5)",
    "import os; program = os.memfd_create('x'); os.write(program, b'#!/bin/sh'); os.execve(program, ['x'], {})",
    "import os; os.system('id'); os.popen('id').read()",
)
SETTINGS = (
    *("/proc/sys/kernel/core_pattern", "/proc/sys/vm/overcommit_memory", "/proc/sys/vm/drop_caches", "/dev/kmsg"),
    *("/proc/sysrq-trigger", "/sys/fs/cgroup/release_agent", "/sys/fs/cgroup/cgroup.procs", "/proc/1/setgroups"),
    *("/sys/kernel/uevent_helper", "/proc/sys/kernel/ns_last_pid", "/proc/bus/pci/00/00.0"),
)
KERNEL = never(
    *(f"open({path!r}, 'r+')" for path in SETTINGS),
    "print(open('/proc/kallsyms').readline(), open('/dev/kmsg').readline())",
)
# Files that the host lends: each change is to what is there already, so that nothing breaks where it is allowed.
LENT = never(
    *(
        f"import os; {call}"
        for path in ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/tty", "/python/bin/python", "/sandbox/protocol.py")
        for call in (
            f"import posix; posix.chmod({path!r}, os.stat({path!r}).st_mode)",
            f"os.fchmod(os.open({path!r}, os.O_RDONLY), os.stat({path!r}).st_mode)",
            f"os.chown({path!r}, -1, -1)",
            f"import posix; posix.utime({path!r})",
            f"import fcntl; fcntl.fcntl(open({path!r}), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
            f"os.setxattr({path!r}, 'system.posix_acl_access', {ACL!r})",
        )
    ),
)
SHARED = never(
    "import mmap; mmap.mmap(-1, 4096)",
    "import mmap, os; mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)",
    "import os; os.memfd_create('x')",
    f"import ctypes; assert ctypes.CDLL(None).syscall({number_of('memfd_secret')}, 0) >= 0",
)
# The kernel reads an int from the lower half of a register; a filter that compares all of it lets these through.
CALL = (
    "import ctypes as c; libc = c.CDLL(None, use_errno=True); "
    "call = lambda *a: libc.syscall(*map(c.c_long, a)); up = 1 << 32; "
)
ACTION = "act = (c.c_ulong * 4)(1); "  # to ignore the signal
UPPER_HALVES = never(
    f"{CALL}assert call({number_of('prctl')}, up | 4, 1, 0, 0, 0) == 0",  # other processes may inspect this one
    f"{CALL}{ACTION}assert call({number_of('rt_sigaction')}, up | 17, c.addressof(act), 0, 8) == 0",  # SIGCHLD
    f"{CALL}import os; file = os.open('x', os.O_RDWR | os.O_CREAT); "
    f"assert call({number_of('fcntl')}, file, up | 1024, 1) == 0",  # a lease
    f"{CALL}import socket; end = socket.socketpair()[0]; size = c.c_int(1 << 20); "
    f"assert call({number_of('setsockopt')}, end.fileno(), up | 1, up | 7, c.addressof(size), 4) == 0",  # its buffer
    f"{CALL}assert call({number_of('socket')}, up | 2, 1, 0) >= 0",  # the network
)
# Where the kernel has looked at it, its answer is another one than EPERM, 1: it may have loaded a module for it.
NUMBERED = never(
    *(
        f"{CALL}assert call({number_of('socketpair')}, {family}, {kind}, 0, c.addressof((c.c_int * 2)())) == 0 "
        "or c.get_errno() != 1"
        for family, kind in ((2, 1), (2, 2), (10, 1), (16, 3), (30, 5), (40, 1))  # socketpair of networks' sockets
    ),
    "import socket; end = socket.socketpair()[0]; "
    f"{CALL}program = c.create_string_buffer(b'\\x06' + bytes(5) + b'\\xff\\xff'); "
    "end.setsockopt(1, 26, (1).to_bytes(8, 'little') + c.addressof(program).to_bytes(8, 'little'))",  # a filter
    *(
        f"{CALL}import socket; end = socket.socketpair()[0]; "
        f"assert call({number_of('ioctl')}, end.fileno(), {request}, 0) == 0 or c.get_errno() != 1"
        for request in (0x8940, 0x8982)  # ioctl: is there a bridge, is there a virtual network
    ),
    "import fcntl, os; fcntl.fcntl(os.pipe()[0], 1031, 1 << 20)",  # a larger pipe
    "import fcntl, os; fcntl.fcntl(os.open('/tmp', os.O_RDONLY), 1026, 2)",  # a signal for each change
    "import fcntl, os; fcntl.fcntl(os.pipe()[0], 8, 1)",  # signals for the first process
    f"{CALL}assert call({number_of('mmap')}, 0, 2 << 20, 3, 0x40022, -1, 0) > 0 or c.get_errno() != 1",  # large pages
)
ADVICE = "import mmap, os; mmap.mmap(os.open(os.__file__, os.O_RDONLY), 0, mmap.MAP_PRIVATE, mmap.PROT_READ).madvise"
# What another notebook has read or looked up; and the means to make the kernel forget it.
PAGE_CACHE = never(
    "import os; os.preadv(os.open(os.__file__, os.O_RDONLY), [bytearray(1)], 0, os.RWF_NOWAIT)",
    "import os; os.pwritev(os.open('x', os.O_RDWR | os.O_CREAT), [b'x'], 0, os.RWF_NOWAIT)",
    f"{CALL}import os; name = c.create_string_buffer(os.__file__.encode()); how = (c.c_ulonglong * 3)(0, 0, 0x20); "
    f"assert call({number_of('openat2')}, -100, c.addressof(name), c.addressof(how), 24) >= 0",  # RESOLVE_CACHED
    f"{ADVICE}(20)",  # MADV_COLD
    f"{ADVICE}(21)",  # MADV_PAGEOUT
    f"{CALL}assert call({number_of('mincore')}, 0, 0, 0) == 0 or c.get_errno() != 1",
    f"{CALL}assert call({number_of('cachestat')}, 0, 0, 0, 0) == 0 or c.get_errno() != 1",
    f"{CALL}assert call({number_of('fadvise64')}, 0, 0, 0, 4) == 0 or c.get_errno() != 1",
    "open('/proc/self/io').read(1)",  # how much was read from the disk
    "open('/proc/self/stat').read(1)",  # how often a page was
)
# What the whole machine counts, among it what another notebook does.
COUNTERS = never(
    *(
        f"open('/proc/{name}').read(1)"
        for name in (
            *("loadavg", "stat", "meminfo", "vmstat", "uptime", "interrupts", "softirqs", "locks", "key-users"),
            *("sys/fs/file-nr", "sys/fs/inode-nr", "sys/kernel/pty/nr", "sys/kernel/random/entropy_avail", "net/unix"),
        )
    ),
    "import os; print(os.getloadavg())",
    "import os; print(os.listdir('/proc'))",
    f"{CALL}facts = c.create_string_buffer(128); assert call({number_of('sysinfo')}, c.addressof(facts)) == 0",
    "import os; print(os.statvfs(os.__file__))",
    "import os; print(os.fstatvfs(os.open(os.__file__, os.O_RDONLY)))",
    "import socket; print(socket.socketpair()[0].getsockopt(socket.SOL_SOCKET, 57, 8))",  # SO_COOKIE
)
FOLDERS = """
import os, stat
def is_folder(number):
    try:
        return stat.S_ISDIR(os.fstat(number).st_mode)
    except OSError:
        return False
"""
HOST_PATHS = never(
    "import os; [os.open('self', os.O_RDONLY, dir_fd=number) for number in range(3, 200) if is_folder(number)][0]",
    *(
        f"open('{top}/{name}').read(1)"
        for top in ("/proc", "/proc/self", "/proc/thread-self", "/processes/proc", "/processes/proc/self")
        for name in ("mountinfo", "mounts", "mountstats", "cgroup", "cmdline", "maps")
    ),
    "import os; os.open('/processes/proc', os.O_PATH)",
    "import os; os.listdir('/processes')",
    "import os; os.chdir('/processes')",
    "import posix; posix.chmod('/processes', 0o700)",
    "import os; os.fchmod(os.open('/processes', os.O_PATH), 0o700)",
    f"{CALL}import os; name = c.create_string_buffer(b'.'); "
    f"assert call({number_of('fchmodat')}, os.open('/processes', os.O_PATH), c.addressof(name), 0o700) == 0",
    "import os; os.rename('/processes', '/tmp/processes')",
)
INHERITED = """
import array, os, socket, stat
for descriptor in range(128):
    try:
        kind = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(kind):
            print(os.listdir(descriptor), os.open("../../../etc/passwd", os.O_RDONLY, dir_fd=descriptor))
        if stat.S_ISSOCK(kind):
            end = socket.socket(fileno=os.dup(descriptor))
            end.setblocking(False)
            top = array.array("i", [os.open("/", os.O_RDONLY)])
            end.sendmsg([b"f"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, top)])
            print(end.recvmsg(4096, 4096))
    except OSError:
        pass
"""
PARENT = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for pid in (1, os.getppid(), os.getpgid(0), os.getsid(0)):
    print(libc.ptrace(16, pid, 0, 0), libc.ptrace(0x4206, pid, 0, 0), ctypes.get_errno())
    for name in ("mem", "clear_refs", "oom_adj", "maps", "syscall", "stack"):
        try:
            os.write(os.open(f"/proc/{pid}/{name}", os.O_RDWR), b"owned")
        except OSError:
            pass
libc.prctl(4, 1, 0, 0, 0)
libc.prctl(0x59616D61, -1, 0, 0, 0)
"""
IN_FLIGHT = never(
    "import os, socket; socket.send_fds(socket.socketpair()[0], [b'x'], [os.pipe()[0]] * 130)",
    "import array, socket; a, b = socket.socketpair(); a.sendmsg([b'x'], [(1, 1, array.array('i', [0]))])",
    "import socket; a = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); a.bind('d'); a.sendmsg([b'x'], [], 0, 'd')",
)
SMALL = ("graded", "error", "crashed")

ENTRIES = (
    Hostile("network", "addresses, names and every kind of socket", NETWORK),
    Hostile("local_sockets", "the sockets of the host's services", LOCAL_SOCKETS),
    Hostile("host_files", "files of the host are read", HOST_FILES),
    Hostile("writes", "files are written wherever it could matter", WRITES),
    Hostile("links", "links, devices and a root of one's own", LINKS),
    Hostile("namespaces", "namespaces inside the namespace, and other users", NAMESPACES),
    Hostile("system_calls", "system calls that no notebook needs", SYSTEM_CALLS, status=SMALL),
    Hostile("clone", "a user namespace by the call whose arguments no filter can read", CLONE, status=SMALL),
    Hostile("terminal", "keys are typed into the terminal of whoever grades", TERMINAL),
    Hostile("programs", "programs are started", PROGRAMS),
    Hostile("kernel", "the kernel's settings are changed", KERNEL),
    Hostile("lent", "the host's devices and files get other rights, times and leases", LENT),
    Hostile("shared_memory", "memory is shared that has no size, and that nobody is seen to hold", SHARED),
    Hostile("upper_halves", "refused arguments with more bits than the kernel reads", UPPER_HALVES),
    Hostile("numbered", "sockets, filters, modules and buffers that no notebook needs", NUMBERED),
    Hostile("page_cache", "what others have read, and how to make the kernel forget it", PAGE_CACHE),
    Hostile("in_flight", "descriptors are sent, which the kernel counts for all sandboxes of a user", IN_FLIGHT),
    Hostile("counters", "load, memory, disks and sockets of the whole machine", COUNTERS),
    Hostile("host_paths", "the host's folders, as the kernel lists them", FOLDERS + HOST_PATHS),
    Hostile("inherited", "whatever is open is followed, and descriptors passed on", INHERITED, status=SMALL),
    Hostile("parent", "the processes above are traced and overwritten", PARENT, status=SMALL),
)
