"""Tells the course's own functions from a student's by where their code is, not by their names."""

import dis
import functools
import inspect
import linecache
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COURSE_PACKAGES = {"autograder"}  # a course adds its own: none of them is there when a notebook is graded
RELEASED = "# Made by `autograder release`"  # how a line near the beginning of each file that is handed out begins
BEGINNING = 40  # lines of a file
GRADED_ALONE = (
    "That is not there when your notebook is graded: only NumPy, Matplotlib and Python's own modules are. "
    "Write the function yourself, in a cell of this notebook."
)


def not_the_students(function: Any) -> str:
    """Return why a function is no answer: it is the course's own, or it calls one that is; "" if neither was seen.

    Its global names, its imports and those of the functions that it calls are looked up; nothing is run.
    """
    if own := course_name(function):
        return f"This is the course's own `{own}`. {GRADED_ALONE}"
    called = next(course_names_in(function), "")
    return f"It calls the course's own `{called}`. {GRADED_ALONE}" if called else ""


def course_name(value: Any) -> str:
    """Return the full name of a function that is the course's own, or handed out in a file; "" for any other value."""
    value = plain_function(value)
    module, code = getattr(value, "__module__", None), getattr(value, "__code__", None)
    if not isinstance(module, str) or not (is_course_module(module) or (code and is_released(code.co_filename))):
        return ""
    return f"{module}.{getattr(value, '__name__', type(value).__name__)}"


def course_names_in(function: Any) -> Iterator[str]:
    """Yield what a function, or one that it calls by its global name, takes from the course's packages."""
    waiting, met = [plain_function(function)], set()
    while waiting:
        code, known = getattr(waiting[0], "__code__", None), getattr(waiting.pop(0), "__globals__", {})
        if not isinstance(code, types.CodeType) or code in met:
            continue
        met.add(code)
        names, imported = names_in(code)
        yield from filter(is_course_module, imported)
        for value in (known[name] for name in names if name in known):
            module = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
            if isinstance(module, str) and is_course_module(module):
                yield module if isinstance(value, types.ModuleType) else course_name(value)
            elif isinstance(value, types.FunctionType):
                waiting.append(plain_function(value))


def names_in(code: types.CodeType) -> tuple[list[str], list[str]]:
    """Return the global names that code uses, also in its inner functions, and the modules that it imports."""
    steps = list(dis.get_instructions(code))
    names = [step.argval for step in steps if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")]
    imported = [step.argval for step in steps if step.opname == "IMPORT_NAME"]
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            more, others = names_in(inner)
            names, imported = names + more, imported + others
    return names, imported


def plain_function(value: Any) -> Any:
    """Return the function inside a decorated or partial one."""
    while isinstance(value, functools.partial):
        value = value.func
    return inspect.unwrap(value) if isinstance(value, types.FunctionType) else value


def is_course_module(name: str) -> bool:
    """Say whether a module belongs to the course's packages."""
    return name.partition(".")[0] in COURSE_PACKAGES


def is_released(file: str) -> bool:
    """Say whether a file, not a cell, is one that `autograder release` has made."""
    return Path(file).is_file() and any(line.startswith(RELEASED) for line in linecache.getlines(file)[:BEGINNING])
