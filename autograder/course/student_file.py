"""Merges modules of the package into the one file that students get beside a notebook."""

import ast
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from autograder import returned_values, step_table
from autograder.diagnosis import (
    altered_answers,
    compare,
    dictionaries,
    difference,
    factors,
    faults,
    finding,
    known_errors,
    leading_axes,
    likeness,
    message,
    occasions,
    one_by_one,
    portability,
    raised,
    relations,
    rules,
    saved_functions,
    selfcheck,
    softmax_weights,
    texts,
    untouched,
    whose_function,
)

from .hooks import Hooks

# What selfcheck.py is merged from, in order; between these and the last a course may put its own.
_ENGINE = (
    *(step_table, returned_values, compare, difference, rules, untouched),
    *(
        faults,
        message,
        altered_answers,
        likeness,
        dictionaries,
        texts,
        factors,
        softmax_weights,
        leading_axes,
        occasions,
        known_errors,
        raised,
    ),
    *(relations, one_by_one, finding, saved_functions, whose_function, portability),
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


def selfcheck_modules(hooks: Hooks) -> tuple[ModuleType, ...]:
    """Return the modules that become selfcheck.py, with those that a course adds."""
    return (*_ENGINE, *hooks.selfcheck, selfcheck)


def merge_modules(modules: tuple[ModuleType, ...], beside: tuple[ModuleType, ...] = ()) -> str:
    """Return modules merged into the one file that students get; it needs NumPy and, with ``beside``, selfcheck.py.

    The last module's docstring becomes the file's. Without ``beside`` it refuses an old Python or NumPy.
    """
    packages = frozenset({"autograder", *(module.__name__.partition(".")[0] for module in modules)})
    parts = [split_module(Path(str(module.__file__)).read_text(encoding="utf-8"), packages) for module in modules]
    imports = merged_imports({line for part in parts for line in part.foreign})
    plain = [line for line in imports if "numpy" not in line]
    note = f"{whose_function.RELEASED} from the grader's own rules: it speaks in the same words as the grader.\n"
    merged = {module.__name__.rpartition(".")[2] for module in modules}
    from_beside = {name for part in parts for module, name in part.ours if beside and module not in merged}
    python, after = (OLDEST + "\n", OLDEST_NUMPY) if not beside else ("", "")
    after += f"\nfrom selfcheck import {', '.join(sorted(from_beside))}\n" if from_beside else ""
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
    """A module in parts: docstring, others' imports as lines, imports of ours as (module, name), and the rest."""

    docstring: str
    foreign: list[str]
    ours: list[tuple[str, str]]
    rest: str


@cache
def split_module(source: str, packages: frozenset[str]) -> Split:
    """Split a module's text; cached, because every chapter merges the same ones.

    What is imported from ``packages``, or relatively, is ours.
    """
    tree, lines = ast.parse(source), source.splitlines()
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    ours = [
        node
        for node in imports
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").partition(".")[0] in packages)
    ]
    foreign = [ast.unparse(node) for node in imports if node not in ours]
    names = [((node.module or "").rpartition(".")[2], name.name) for node in ours for name in node.names]
    docstring = tree.body[0]
    head = imports[-1] if imports else docstring
    rest = "\n".join(lines[head.end_lineno :]).strip("\n")
    return Split("\n".join(lines[: docstring.end_lineno]), foreign, names, rest)
