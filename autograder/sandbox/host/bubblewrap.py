"""Bubblewrap's arguments, and the probe that reports what this machine supports."""

import platform
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

from autograder.errors import SandboxUnavailable
from autograder.system_packages import how_to_install

from ..inside import proc
from . import syscalls
from .packages import interpreter_paths, package_paths, shared_libraries, system_paths

INSIDE_FOLDER = Path(__file__).parents[1] / "inside"
HOME, PYTHON = "/python", "/python/bin/python"  # the interpreter's path inside, wherever it is outside
LOCALES = (Path("/usr/lib/locale/C.UTF-8"), Path("/usr/lib/locale/C.utf8"))  # older C libraries have no own
BESIDE = ("step_table.py", "returned_values.py")  # which both sides use, and so do the checks
ENVIRONMENT = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "LD_LIBRARY_PATH": "/python/lib",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "OMP_NUM_THREADS": "1",  # a thread per core would count against the limits on memory and processes
    "OPENBLAS_NUM_THREADS": "1",
    "LOGNAME": "student",  # there is no list of users
    "PATH": "/nowhere",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
}


def executable() -> str:
    """Return the path of bwrap. Errors: SandboxUnavailable if it is not installed."""
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxUnavailable(
            f"bubblewrap is missing, so student code was not run: install it ({how_to_install('bubblewrap')}), or pass "
            "--unprotected to run it with access to this machine's files"
        )
    return found


def arguments(tmp_bytes: int) -> list[str]:
    """Return bwrap's arguments: what is visible inside."""
    binary, library, shared = interpreter_paths()
    args = [executable(), "--unshare-all", "--unshare-user", "--disable-userns", "--assert-userns-disabled"]
    args += ["--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL", "--clearenv"]
    args += ["--hostname", "notebook", "--uid", "1000", "--gid", "1000"]
    for name, value in ENVIRONMENT.items():
        args += ["--setenv", name, value]
    libraries = shared_libraries() or {str(path): path for path in system_paths()}
    for name, path in libraries.items():
        args += ["--ro-bind", str(path), name if name.startswith("/") else f"{HOME}/lib/{name}"]
    for path in filter(Path.is_dir, LOCALES):
        args += ["--ro-bind", str(path), str(path)]
    for path in shared:
        args += ["--ro-bind", str(path), f"{HOME}/lib/{path.name}"]
    args += ["--ro-bind", str(library), f"{HOME}/lib/{library.name}"]
    for installed in ("site-packages", "dist-packages"):
        if (library / installed).is_dir():
            args += ["--tmpfs", f"{HOME}/lib/{library.name}/{installed}"]
            args += ["--remount-ro", f"{HOME}/lib/{library.name}/{installed}"]
    for name, path in package_paths().items():
        args += ["--ro-bind", str(path), f"/packages/{name}"]
    for path in (*sorted(INSIDE_FOLDER.glob("*.py")), *(INSIDE_FOLDER.parents[1] / name for name in BESIDE)):
        args += ["--ro-bind", str(path), f"/sandbox/{path.name}"]
    args += ["--ro-bind", str(binary), PYTHON, "--dev", "/dev"]
    args += ["--tmpfs", proc.DOOR, "--proc", str(proc.HIDDEN)]  # whose door the worker closes (proc.py)
    args += ["--remount-ro", str(proc.HIDDEN)]  # holds the kernel's settings, which root could otherwise change
    args += ["--ro-bind", "/dev/null", "/dev/zero"]  # closed: a shared mapping of it is memory without a size
    args += ["--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"]  # no terminals: nobody counts what is in their buffers
    args += ["--size", str(tmp_bytes), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    args += ["--size", str(tmp_bytes), "--tmpfs", "/tmp", "--dir", "/tmp/work", "--chdir", "/tmp/work"]
    return [*args, "--remount-ro", "/"]


def command() -> list[str]:
    """Return the command run inside: the host's interpreter, without site, with only the listed packages."""
    start = (
        "import runpy, sys; sys.path[:] = ['/sandbox', *sys.path, '/packages', '/tmp/work']; "
        "runpy.run_path('/sandbox/worker.py', run_name='__main__')"
    )
    return [PYTHON, "-I", "-S", "-c", start]


def unprotected_start() -> str:
    """Return the command that runs the worker unsandboxed, with the same modules beside it.

    As inside the sandbox, a notebook's companions in the working folder are the last to be found.
    """
    *paths, worker = (str(path) for path in (INSIDE_FOLDER, INSIDE_FOLDER.parents[1], INSIDE_FOLDER / "worker.py"))
    return (
        f"import os, runpy, sys; sys.path[:1] = {paths}; import step_table, returned_values; sys.path.pop(1); "
        f"sys.path.append(os.getcwd()); runpy.run_path({worker!r}, run_name='__main__')"
    )


@cache
def level() -> str:
    """Describe what bubblewrap isolates student code by. Errors: SandboxUnavailable if it is not installed."""
    version = subprocess.run([executable(), "--version"], capture_output=True, text=True, check=False).stdout.strip()
    seccomp = "seccomp" if syscalls.filters() else "no seccomp (libseccomp is missing)"
    return f"{version}; namespaces user, pid, net, ipc, uts, mount; {seccomp}"


def require() -> None:
    """Try the sandbox on this machine. Errors: SandboxUnavailable if bwrap is missing or does not work here."""
    trial = subprocess.run(
        [*arguments(1 << 20), PYTHON, "-I", "-S", "-c", "import math; print(math.pi)"],
        capture_output=True,
        text=True,
        env={},
        timeout=60,
        check=False,
    )
    if trial.stdout.startswith("3.14159"):
        return
    said = (trial.stderr.strip().splitlines() or ["it said nothing"])[-1]
    remedy = "0.8 or newer is needed, and user namespaces must be allowed; a container needs `--privileged`"
    if "uid map" in said or "RTM_NEWADDR" in said:
        remedy = (
            "Ubuntu's AppArmor forbids it; to allow it, run "
            "`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`"
        )
    raise SandboxUnavailable(f"bubblewrap cannot sandbox student code here ({said}): {remedy}")


def counts_processes_inside() -> bool:
    """Say whether RLIMIT_NPROC counts the sandbox alone (Linux 5.14 and newer) and not all that the user runs."""
    major, minor, *_ = re.findall(r"\d+", platform.release())
    return (int(major), int(minor)) >= (5, 14)
