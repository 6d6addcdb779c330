"""Keeps a student's own functions in one file: each chapter's notebook saves its own, and the last one loads them."""

import ast
import builtins
import functools
import inspect
import linecache
import os
import re
import symtable
import sys
import textwrap
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .finding import WIDTH
from .selfcheck import NO_EXAMPLES, examples, finding

OWN_FILE = "my_attention.py"
HEAD = (
    "# My functions, kept here by the notebooks' last cells. Each section is replaced when its notebook is run again.\n"
)
SECTION = re.compile(r"^# ---- chapter (\d\d_[a-z_]+) ----\n", re.MULTILINE)
NOT_THESE = (
    "this notebook has none of the functions in `examples.json`. "
    "Run its cells from the top, or take the file from this notebook's download."
)
NO_CELL = (
    f"load() puts the text of {OWN_FILE} into a notebook's cell, and this is plain Python, which has no cells. "
    "Paste that text in place of load()."
)
AT_HAND = {"numpy", "matplotlib", *sys.stdlib_module_names}


class CannotKeep(Exception):
    """A section cannot be written: what, why, what to do."""


def save(chapter: str, space: dict[str, Any], given: Any = ()) -> None:
    """Save the chapter's finished functions in my_attention.py, beside the chapters' folders, and print what was saved.

    ``space`` is ``globals()``; ``given`` names what the notebook provides of other chapters, which is saved there.
    """
    if os.environ.get("NBGRADER_EXECUTION"):
        return  # nbgrader runs the notebook: no student's file is written
    exercises = examples()
    finished = [name for name in exercises if callable(space.get(name)) and not is_stub(name, space[name])]
    missing = [name for name in exercises if name not in finished]
    try:
        if not exercises:
            raise CannotKeep(NO_EXAMPLES)
        if exercises.keys().isdisjoint(space):
            raise CannotKeep(NOT_THESE)
        said = f"{chapter}: none of its functions is written yet, so {OWN_FILE} is unchanged."
        if finished:
            path = keep(chapter, section_of(finished, space, {*given, *missing}))
            wrong = [name for name in finished if finding(name, exercises[name], space[name]).status != "right"]
            rest = f". Not right yet: {', '.join(wrong)}" if wrong else ""
            rest += f". Not written yet: {', '.join(missing)}" if missing else ""
            said = f"{chapter}: saved {', '.join(finished)} in {path}{rest}."
    except CannotKeep as trouble:
        said = f"{chapter} is not kept in {OWN_FILE}: {trouble}"
    print(textwrap.fill(said, width=WIDTH, break_on_hyphens=False, break_long_words=False))


def load() -> None:
    """Put the text of my_attention.py into the calling cell, and run it; outside a notebook, say what to do instead."""
    get_shell = vars(builtins).get("get_ipython")  # IPython puts it there
    if get_shell is None:
        return print(NO_CELL)
    shell = get_shell()
    path = next((path for path in places() if path.is_file()), None)
    if os.environ.get("NBGRADER_EXECUTION") or path is None:
        return print(f"There is no {OWN_FILE} here.")
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        exec(compile(text, str(path), "exec"), shell.user_ns)
    except Exception as error:  # whatever a file may do wrong
        place = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
        print(f"{path} cannot be used: {type(error).__name__}{place}: {error}")
    else:
        shell.set_next_input(text, replace=True)
        print(f"The text of {path} was put into this cell and has run. Hand the notebook in with it.")


def places() -> tuple[Path, Path]:
    """Return where the file may be: beside the chapters' folders, or in the chapter's own."""
    return Path("..", OWN_FILE), Path(OWN_FILE)


def keep(chapter: str, section: str) -> Path:
    """Write a chapter's section into the file, and return its path. Errors: CannotKeep."""
    reasons = []
    for path in places():
        new = path.with_name(f".{OWN_FILE}.new")
        try:
            text = with_section(path.read_text(encoding="utf-8") if path.exists() else HEAD, chapter, section)
            new.write_text(text, encoding="utf-8")
            return new.replace(path)
        except (OSError, UnicodeError) as error:
            reasons.append(f"{path}: {error}")
            new.unlink(missing_ok=True) if os.access(path.parent, os.W_OK) else None
    raise CannotKeep(
        f"neither place can be written ({'; '.join(reasons)}). Make room there, or move the old file away."
    )


def with_section(text: str, chapter: str, section: str) -> str:
    """Return the file's text with a chapter's section replaced. Errors: CannotKeep."""
    head, *parts = SECTION.split(text)
    sections = dict(zip(parts[::2], parts[1::2], strict=True)) | {chapter: section}
    for other in sections.keys() - {chapter}:
        if names := conflicts(section, sections[other]):
            raise CannotKeep(
                f"`{names[0]}` means something else in chapter {other}, but the file can hold only one of them. "
                f"Rename it in one of the two notebooks, and run that notebook to its end."
            )
    kept = [f"# ---- chapter {name} ----\n\n{sections[name].strip()}\n" for name in sorted(sections)]
    return "\n\n".join([head.strip() + "\n", *kept])


def conflicts(section: str, other: str) -> list[str]:
    """Return the names that two sections bind to different things."""
    mine, theirs = bound_by(section), bound_by(other)
    return [name for name in mine if name in theirs and mine[name] != theirs[name]]


def bound_by(text: str) -> dict[str, str]:
    """Return what binds each top-level name of a text, without its layout; {} if it is not Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return {}
    return {name: ast.dump(statement) for statement in tree.body for name in names_bound(ast.unparse(statement))}


def section_of(finished: list[str], space: dict[str, Any], elsewhere: set[str]) -> str:
    """Return the source of functions with all they use, except what is saved elsewhere. Errors: CannotKeep."""
    written, waiting = {}, set(elsewhere)

    def write(name: Any, user: Any) -> None:
        if name in written or name in waiting or name not in space:
            return
        waiting.add(name)  # functions may call one another in a circle
        text = text_of(name, space[name], user)
        for needed in sorted(names_used(text)):
            write(needed, name)
        written[name] = text

    for name in finished:
        write(name, name)
    imports = [text for text in dict.fromkeys(written.values()) if text.startswith(("import ", "from "))]
    others = [text for text in dict.fromkeys(written.values()) if text not in imports]
    return "\n\n\n".join(["\n".join(sorted(imports))] * bool(imports) + others)


def text_of(name: str, value: Any, user: str) -> str:
    """Return the code that gives a name its value: an import, a constant, or its statement in a cell.

    Errors: CannotKeep if there is none.
    """
    if isinstance(value, types.ModuleType):
        return import_of(name, value.__name__, "", user)
    home = getattr(value, "__module__", None) or next((m for m in ("numpy", "math") if is_in(value, m)), "")
    if home != "__main__" and is_in(value, home):
        return import_of(name, home, getattr(value, "__name__", name), user)
    if is_plain_constant(value):
        return f"{name} = {value.item() if isinstance(value, np.generic) else value!r}"
    if code := code_of(value):
        cell = "".join(linecache.getlines(code.co_filename))
        if statement := last_binding(cell, name):
            return statement
        raise CannotKeep(f"the text of `{name}` is no longer available. Run the cell that defines it, then this one.")
    raise CannotKeep(
        f"`{user}` uses `{name}`, and a value of type {type(value).__name__} cannot be saved here. Create it "
        f"inside `{user}`, or pass it in."
    )


def is_in(value: Callable | int | np.ndarray, module: str) -> bool:
    """Say whether a loaded module has this value under the value's own name."""
    return getattr(sys.modules.get(module), getattr(value, "__name__", ""), None) is value


def import_of(name: str, module: str, part: str, user: str) -> str:
    """Return a line that imports a module or a part of one. Errors: CannotKeep if graders do not have it."""
    if module.partition(".")[0] not in AT_HAND:
        raise CannotKeep(
            f"`{user}` uses `{name}` from {module}, which is not available when a notebook is graded. Write it "
            f"with NumPy, or copy its code into a cell."
        )
    if part:
        return f"from {module} import {part}" + ("" if part == name else f" as {name}")
    return f"import {module}" + ("" if module == name else f" as {name}")


def is_plain_constant(value: Any) -> bool:
    """Say whether a value is a number, a text, or a collection of these whose repr Python can read."""
    value = value.item() if isinstance(value, np.generic) else value
    try:
        return ast.literal_eval(repr(value)) == value
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False


def code_of(value: Any) -> types.CodeType | None:
    """Return the code object of a function, or of a class's first method; None for anything else."""
    value = inspect.unwrap(value) if callable(value) else value
    if isinstance(value, functools.partial | types.BuiltinFunctionType):
        return None
    methods = vars(value).values() if isinstance(value, type) else [value]
    return next((method.__code__ for method in methods if hasattr(method, "__code__")), None)


def is_stub(name: str, value: Any) -> bool:
    """Say whether a function still ends with the released notebook's NotImplementedError."""
    code = code_of(value)
    text = last_binding("".join(linecache.getlines(code.co_filename)), name) if code else None
    lines = getattr(ast.parse(text).body[0], "body", []) if text else []
    ends = (line for line in lines if isinstance(line, ast.Return | ast.Raise))
    return "NotImplementedError" in ast.dump(getattr(next(ends, None), "exc", None) or ast.Pass())


def last_binding(cell: str, name: str) -> str | None:
    """Return the last top-level statement of a text that gives a name its value, or None."""
    try:
        body = ast.parse(cell).body
    except (SyntaxError, ValueError):
        return None
    for statement in reversed(body):
        first = min([statement.lineno, *(line.lineno for line in getattr(statement, "decorator_list", ()))])
        text = "\n".join(cell.splitlines()[first - 1 : statement.end_lineno])
        if statement.col_offset or isinstance(statement, ast.Assign | ast.Expr):
            text = ast.get_source_segment(cell, statement) or ""
        if name in names_bound(text):
            return text
    return None


def names_bound(text: str) -> set[str]:
    """Return the names that a text binds at its top level."""
    table = symtable.symtable(text, "cell", "exec")
    return {one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported()}


def names_used(text: str) -> set[str]:
    """Return the names that a text takes from its surroundings, inside functions too."""
    waiting, found = [symtable.symtable(text, "cell", "exec")], set()
    while waiting:
        table = waiting.pop()
        outside = (lambda one: one.is_referenced()) if table.get_type() == "module" else (lambda one: one.is_global())
        found |= {one.get_name() for one in table.get_symbols() if outside(one)}
        waiting += table.get_children()
    return found
