"""Merges modules of the package into the one file that students get beside a notebook."""

import ast
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from autograder import returned_values, step_table
from autograder.checks import (
    alive,
    compare,
    dictionaries,
    difference,
    factors,
    faults,
    finding,
    forms,
    keep,
    known_errors,
    leading_axes,
    likeness,
    occasions,
    one_by_one,
    origin,
    portability,
    raised,
    relations,
    rules,
    selfcheck,
    untouched,
    weights,
)

SELFCHECK = (
    *(step_table, returned_values, compare, difference, rules, untouched),
    *(faults, forms, likeness, dictionaries, factors, weights, leading_axes, occasions, known_errors, raised),
    *(relations, one_by_one, finding, keep, alive, origin, portability, selfcheck),
)
# It comes first: an older Python would end at the next lines, with an error that says nothing of its age.
OLDEST = """import sys

if sys.version_info < (3, 10):
    raise ImportError(
        "This notebook needs Python 3.10 or newer, and this is Python " + sys.version.split()[0] + ". "
        "Make an environment with a newer one, or open the assignment in the browser: its page has the link."
    )
"""
OLDEST_NUMPY = """
if tuple(int(part) for part in np.__version__.split(".")[:2]) < (1, 23):
    raise ImportError(
        f"This notebook needs NumPy 1.23 or newer, and this is NumPy {np.__version__}. "
        "Update it, for example with: pip install --upgrade numpy"
    )
"""


def merge_modules(modules: tuple[Any, ...], beside: tuple = ()) -> str:
    """Return modules merged into the one file that students get; it needs only NumPy and, via ``beside``, selfcheck.py.

    The last module's docstring becomes the file's. Without ``beside`` it refuses an old Python or NumPy.
    """
    parts = [split_module(Path(module.__file__).read_text(encoding="utf-8")) for module in modules]
    imports = merged_imports({line for part in parts for line in part.absolute})
    plain = [line for line in imports if "numpy" not in line]
    note = f"{origin.RELEASED} from the grader's own rules: it speaks in the same words as the grader.\n"
    names = {module.__name__.rpartition(".")[2] for module in beside}
    ours = {name for part in parts for module, name in part.relative if module in names}
    python, after = (OLDEST + "\n", OLDEST_NUMPY) if not beside else ("", "")
    after += f"\nfrom selfcheck import {', '.join(sorted(ours))}\n" if ours else ""
    head = f"{parts[-1].docstring}\n\n{note}\n{python}" + "\n".join(plain) + f"\n\nimport numpy as np\n{after}\n"
    return head + "\n\n\n".join(part.rest for part in parts) + "\n"


def merged_imports(imports: set[str]) -> list[str]:
    """Return import statements in order, one per module; NumPy's come last."""
    names: dict[str, set[str]] = {}
    for line in imports:
        module, _, wanted = line.partition(" import ")
        names.setdefault(module, set()).update(wanted.split(", ") if wanted else ())
    lines = [f"{module} import {', '.join(sorted(wanted))}" if wanted else module for module, wanted in names.items()]
    return sorted(lines, key=lambda line: ("numpy" in line, line))


class Split(NamedTuple):
    """A module in parts: docstring, absolute imports as lines, relative ones as (module, name), and the rest."""

    docstring: str
    absolute: list[str]
    relative: list[tuple[str, str]]
    rest: str


@cache
def split_module(source: str) -> Split:
    """Split a module's text; cached, because every chapter merges the same ones."""
    tree, lines = ast.parse(source), source.splitlines()
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    absolute = [ast.unparse(node) for node in imports if not getattr(node, "level", 0)]
    relative = [
        (node.module or "", name.name)
        for node in imports
        if isinstance(node, ast.ImportFrom) and node.level
        for name in node.names
    ]
    docstring = tree.body[0]
    head = imports[-1] if imports else docstring
    rest = "\n".join(lines[head.end_lineno :]).strip("\n")
    return Split("\n".join(lines[: docstring.end_lineno]), absolute, relative, rest)
