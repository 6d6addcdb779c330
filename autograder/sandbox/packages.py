"""Which host files a notebook needs: the interpreter, its standard library, and a white list of packages."""

import importlib.metadata
import re
import sys
import sysconfig
from functools import cache
from pathlib import Path

from packaging.requirements import Requirement

STUDENT_PACKAGES = ("numpy", "matplotlib", "ipython", "matplotlib-inline")
SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")


def distributions(names):
    """Return the installed distributions of these names and of all that they need."""
    found, waiting = {}, list(names)
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
def package_paths():
    """Return every top-level file and folder of the student packages, as ``{name below site-packages: host path}``."""
    paths = {}
    for distribution in distributions(STUDENT_PACKAGES).values():
        for top in top_names(distribution) - {"..", "__pycache__"} - paths.keys():
            paths[top] = Path(distribution.locate_file(top))
    return {name: path for name, path in sorted(paths.items()) if path.exists()}


def top_names(distribution):
    """Return the names that a distribution's files and folders have at the top. Its list is long: no Path for each."""
    listed = distribution.read_text("RECORD")
    if listed:
        return {line.lstrip('"').split("/", 1)[0].split(",", 1)[0] for line in listed.splitlines() if line}
    return {file.parts[0] for file in distribution.files or ()}


@cache
def interpreter_paths():
    """Return the host paths of the interpreter's binary, its standard library and its shared library, if any."""
    binary = Path(sys.executable).resolve()
    library = Path(sysconfig.get_path("stdlib")).resolve()
    shared = Path(sysconfig.get_config_var("LIBDIR") or "/usr/lib") / str(sysconfig.get_config_var("INSTSONAME"))
    return binary, library, [shared] if shared.suffix != ".a" and shared.exists() else []


def system_paths():
    """Return the folders of the C libraries that the interpreter and NumPy are linked with."""
    return [Path(path) for path in SYSTEM_LIBRARIES if Path(path).exists()]
