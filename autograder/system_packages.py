"""The packages of the operating system that each make command needs, and how they are installed.

``python3 autograder/system_packages.py COMMAND`` installs what COMMAND lacks where this user may, and otherwise names
all of it in one line. It runs before anything else is installed: it imports nothing but Python's standard library.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from ctypes.util import find_library
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import NamedTuple

CHROMIUM = ("chromium", "chromium-browser")  # the names of its command
_VENV = "python{}.{}-venv".format(*sys.version_info)


class _Package(NamedTuple):
    """A package: its name for Debian's package manager and for Fedora's, and whether what it brings is here."""

    debian: str
    fedora: str
    is_here: Callable[[], bool]


PACKAGES = {
    "venv": _Package(_VENV, "python3", lambda: bool(find_spec("ensurepip")) or Path(".venv/bin/pip").exists()),
    "bubblewrap": _Package("bubblewrap", "bubblewrap", lambda: which("bwrap") is not None),
    "libseccomp": _Package("libseccomp2", "libseccomp", lambda: find_library("seccomp") is not None),
    "chromium": _Package("chromium", "chromium", lambda: any(map(which, CHROMIUM))),
    "postgresql": _Package("postgresql", "postgresql-server", lambda: any(map(which, ("initdb", "pg_lsclusters")))),
}
_GRADING = ("venv", "bubblewrap", "libseccomp")
NEEDED = {
    "course": _GRADING,
    "test": (*_GRADING, "chromium"),
    "test-postgresql": (*_GRADING, "postgresql"),
    "pdf": ("venv", "chromium"),
    "hub": (*_GRADING, "chromium"),
    "bench": (*_GRADING, "chromium"),
}


def install_command(names: Iterable[str]) -> list[str]:
    """Return the command that installs these of PACKAGES here, as Debian's package manager or Fedora's wants it."""
    if which("dnf") and not which("apt-get"):
        return ["dnf", "install", *(PACKAGES[name].fedora for name in names)]
    return ["apt-get", "install", *(PACKAGES[name].debian for name in names)]


def how_to_install(*names: str) -> str:
    """Return the line to type that installs these of PACKAGES."""
    return f"sudo {' '.join(install_command(names))}"


def missing(names: Iterable[str]) -> list[str]:
    """Return those of PACKAGES that are not here."""
    return [name for name in names if not PACKAGES[name].is_here()]


def install(names: list[str]) -> None:
    """Install these of PACKAGES, if this user may; whether that worked, ``missing`` says."""
    manager, *words = install_command(names)
    if not which(manager):
        return
    print(f"installing: {' '.join((manager, *words))}", flush=True)
    as_root = [manager] if os.geteuid() == 0 else ["sudo", "-n", manager]
    quick = ["--no-install-recommends"] if manager == "apt-get" else []
    if not _runs([*as_root, *words, "-y", *quick]) and manager == "apt-get" and _runs([*as_root, "update"]):
        _runs([*as_root, *words, "-y", *quick])


def _runs(command: list[str]) -> bool:
    """Run a command in silence, and say whether it succeeded."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        return not subprocess.run(command, env=quiet, check=False, capture_output=True).returncode
    except OSError:  # no sudo
        return False


def main(command: str) -> None:
    """Install what a make command needs; exit with 1, and one line, if something is still missing."""
    if lacking := missing(NEEDED[command]):
        install(lacking)
    if lacking := missing(NEEDED[command]):
        sys.exit(
            f"missing, and could not be installed from here: {', '.join(lacking)}. Run `{how_to_install(*lacking)}`, "
            f"then `make {command}` again"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
