"""Reports what this machine offers for grading and for building the book, and what to do about each thing missing."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from autograder.course.which_course import find_course
from autograder.errors import AutograderError, SandboxUnavailable
from autograder.sandbox.host import bubblewrap, control_groups, syscalls
from autograder.shape import read_json
from autograder.system_packages import CHROMIUM, how_to_install

OLDEST_PYTHON = (3, 11)
_BROWSER = Path("book/lite/pyodide-lock.json")  # in the course's folder: what the book's JupyterLite loads
ENOUGH_MEMORY = 2 << 30  # bytes: two notebooks at a time, and the grader
SIGNS = {"good": "✓", "missing": "✗", "optional": "–"}


class Finding(NamedTuple):
    """One thing to have: its state, a key of SIGNS, and what is there or what to do."""

    name: str
    state: str
    said: str

    def line(self) -> str:
        """Return the finding as a line of text."""
        return f"{SIGNS[self.state]} {self.name:15} {self.said}"


def examine() -> Iterator[Finding]:
    """Yield ten findings; without those that are ``missing``, student code cannot be graded safely."""
    yield python()
    yield memory()
    yield from sandbox()
    yield seccomp()
    yield process_groups()
    yield chromium()
    yield node()
    yield package("psycopg", "PostgreSQL", "a gradebook on a database server", "postgresql")
    yield package("distributed", "Dask", "grading on a cluster", "cluster")


def python() -> Finding:
    """Look at the interpreter, and whether it reads what students write in the book's JupyterLite."""
    version, browser = platform.python_version(), python_in_browser()
    if sys.version_info < OLDEST_PYTHON:
        return Finding("Python", "missing", f"is {version}: install 3.11 to 3.14, then `make setup PYTHON=python3.11`")
    if browser > sys.version_info[:2]:
        newer = ".".join(map(str, browser))
        said = (
            f"{version}, but the book's JupyterLite runs {newer}: notebooks from there may use syntax that this Python "
            f"cannot read. With Python {newer} installed: `rm -r .venv`, then `make setup PYTHON=python{newer}`"
        )
        return Finding("Python", "optional", said)
    return Finding("Python", "good", version)


def python_in_browser() -> tuple[int, ...]:
    """Return the version of Python in the book's JupyterLite, as (3, 14); () if the course has none."""
    try:
        version = read_json(find_course().root / _BROWSER)["info"]["python"]
        return tuple(map(int, version.split(".")[:2]))
    except (AutograderError, OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()


def memory() -> Finding:
    """Look at processors and free memory."""
    cores, free = len(os.sched_getaffinity(0)), control_groups.available_memory()
    said = f"{cores} cores" if free is None else f"{cores} cores, {free / 2**30:.1f} GB of memory free"
    if free is not None and free < ENOUGH_MEMORY:
        return Finding("machine", "optional", f"{said}: close other programs, or grade with --jobs 1")
    return Finding("machine", "good", said)


def sandbox() -> Iterator[Finding]:
    """Look for bubblewrap, then try it."""
    try:
        version, namespaces, *_ = bubblewrap.level().split("; ")
    except SandboxUnavailable:
        yield Finding("bubblewrap", "missing", f"install it: {how_to_install('bubblewrap')}")
        yield Finding("namespaces", "missing", "not tried without bubblewrap")
        return
    yield Finding("bubblewrap", "good", version)
    try:
        bubblewrap.require()
    except (SandboxUnavailable, OSError) as error:  # OSError: a Python that this user may not read
        yield Finding("namespaces", "missing", str(error))
    else:
        yield Finding("namespaces", "good", namespaces.removeprefix("namespaces "))


def require_call_filter() -> None:
    """Errors: SandboxUnavailable where no system call could be refused, because libseccomp is missing."""
    if not syscalls.filters():
        raise SandboxUnavailable(
            f"libseccomp is missing, so the sandbox could refuse no system call: install it "
            f"({how_to_install('libseccomp')}), or grade with --weaker-sandbox, which every record will say"
        )


def seccomp() -> Finding:
    """Look for libseccomp, which refuses system calls."""
    if syscalls.filters():
        return Finding("seccomp", "good", "system calls that no notebook needs are refused")
    return Finding("seccomp", "missing", f"install libseccomp: {how_to_install('libseccomp')}")


def process_groups() -> Finding:
    """Look for control groups, which limit a notebook's processes together."""
    if held := " and ".join(sorted(control_groups.groups())):
        return Finding("control groups", "good", f"for {held}")
    said = "not delegated to this user: limits hold for each process, and memory is watched"
    return Finding("control groups", "optional", said)


def chromium() -> Finding:
    """Look for Chromium, which the tests and the PDF need."""
    if found := next(filter(None, map(shutil.which, CHROMIUM)), ""):
        return Finding("Chromium", "good", found)
    return Finding("Chromium", "optional", f"only `make test` and `make pdf` need it: {how_to_install('chromium')}")


def node() -> Finding:
    """Look for Node.js, which builds the demos; it comes with the virtual environment."""
    if found := shutil.which("node"):
        return Finding("Node.js", "good", found)
    return Finding("Node.js", "optional", "only the book needs it: `make setup`, then put .venv/bin in front of PATH")


def package(module: str, name: str, purpose: str, extra: str) -> Finding:
    """Look for an optional package."""
    if find_spec(module):
        return Finding(name, "good", f"for {purpose}")
    return Finding(name, "optional", f"only {purpose} needs it: .venv/bin/pip install -e '.[{extra}]'")
