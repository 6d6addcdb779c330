"""Lists the host files that a notebook needs: the interpreter, its standard library and an allow-list of packages."""

import importlib.metadata
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

STUDENT_PACKAGES = ("numpy", "matplotlib", "ipython", "matplotlib-inline")
SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")


@cache
def distributions() -> dict[str, importlib.metadata.Distribution]:
    """Return the installed distributions of the student packages and of their dependencies."""
    found, waiting = {}, list(STUDENT_PACKAGES)
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if name in found:
            continue
        found[name] = importlib.metadata.distribution(name)
        for line in found[name].requires or ():
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
    return found


@cache
def package_paths() -> dict[str, Path]:
    """Return every top-level file and folder of the student packages, ``{name below site-packages: host path}``."""
    paths = {}
    for distribution in distributions().values():
        for top in top_names(distribution) - {"..", "__pycache__"} - paths.keys():
            paths[top] = Path(str(distribution.locate_file(top)))
    return {name: path for name, path in sorted(paths.items()) if path.exists()}


def top_names(distribution: Any) -> set[str]:
    """Return the top-level names of a distribution's files. The list is long, so no Path is made for each."""
    listed = distribution.read_text("RECORD")
    if listed:
        return {line.lstrip('"').split("/", 1)[0].split(",", 1)[0] for line in listed.splitlines() if line}
    return {file.parts[0] for file in distribution.files or ()}


@cache
def interpreter_paths() -> tuple[Path, Path, list[Path]]:
    """Return the host paths of the interpreter's binary, its standard library and its shared library, if any."""
    binary = Path(sys.executable).resolve()
    library = Path(sysconfig.get_path("stdlib")).resolve()
    shared = Path(sysconfig.get_config_var("LIBDIR") or "/usr/lib") / str(sysconfig.get_config_var("INSTSONAME"))
    return binary, library, [shared] if shared.suffix != ".a" and shared.exists() else []


def extension_modules() -> list[Path]:
    """Return the host paths of all compiled modules of the standard library and the student packages."""
    found = [path for path in (interpreter_paths()[1] / "lib-dynload").glob("*.so") if "tkinter" not in path.name]
    for distribution in distributions().values():
        names = [line.split(",", 1)[0] for line in (distribution.read_text("RECORD") or "").splitlines()]
        found += [Path(str(distribution.locate_file(name))) for name in names if ".so" in name]
        if not names:  # as Debian installs them
            tops = (package_paths().get(top) for top in top_names(distribution))
            found += [path for top in tops if top and top.is_dir() for path in top.rglob("*.so*")]
    return [path for path in found if path.is_file()]


@cache
def shared_libraries() -> dict[str, Path]:
    """Return the C libraries that the interpreter and the compiled modules are linked with.

    As ``{path, or name below the interpreter's lib: host path}``: only the loader must have its outside path.
    {} if the loader does not list them, as musl's.
    """
    binary, library, shared = interpreter_paths()
    own = tuple(f"{path}/" for path in (library, *(path.resolve() for path in package_paths().values()), *shared))
    with tempfile.TemporaryDirectory() as folder:
        # What ldd does, for all of them at once: the loader names what it would load, and loads nothing.
        listed = subprocess.run(
            [binary],
            cwd=folder,
            env={"LD_TRACE_LOADED_OBJECTS": "1", "LD_PRELOAD": ":".join(plainly_named(extension_modules(), folder))},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    named = {name: path or name for name, path in re.findall(r"^\s+(\S+)(?: => (/.*\S))? \(0x", listed.stdout, re.M)}
    others = {name: path for name, path in named.items() if path.startswith("/")}
    return {name: Path(path) for name, path in others.items() if not f"{os.path.realpath(path)}/".startswith(own)}


def plainly_named(paths: list[Path], folder: str) -> Iterator[str]:
    """Return links below ``folder`` to these folders: in LD_PRELOAD, a space or a colon ends a name."""
    links = {}
    for path in paths:
        if path.parent not in links:
            links[path.parent] = f"{len(links)}"
            Path(folder, links[path.parent]).symlink_to(path.parent)
        if not re.search(r"[\s:]", path.name):
            yield f"{links[path.parent]}/{path.name}"


def system_paths() -> list[Path]:
    """Return the folders of the C libraries, for a loader that does not list them."""
    return [Path(path) for path in SYSTEM_LIBRARIES if Path(path).exists()]
