"""Which files of the course a module's work depends on, found by reading ``import`` statements, without running any."""

import ast
import hashlib
import importlib.util
import inspect
import textwrap
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

KEPT = 512  # files of which it is remembered what they import and do: chapters have most of theirs in common
WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def sources_of(*modules: str) -> list[Path]:
    """Return the files of the named modules and of all that these import, directly or through others, sorted.

    Followed are imports from ``autograder`` and from the packages that ``modules`` themselves belong to, wherever in a
    file they stand; a package's ``__init__.py`` counts with everything in it. What is imported by a name that is put
    together while the program runs is not seen.
    Errors: ModuleNotFoundError for a name in ``modules`` that is no module.
    """
    ours = {name.partition(".")[0] for name in ("autograder", *modules)}
    found, waiting = {}, list(modules)
    for name in modules:
        if file_of(name) is None:
            raise ModuleNotFoundError(f"expected a module's full name, got {name!r}: write it as after `import`")
    while waiting:
        name = waiting.pop()
        path = file_of(name) if name.partition(".")[0] in ours and name not in found else None
        if path:
            found[name] = path
            waiting += [name.rpartition(".")[0], *imports_of(path, name)]  # a module runs its package's __init__.py
    return sorted(set(found.values()))


def file_of(name: str) -> Path | None:
    """Return the file of a module, ``__init__.py`` for a package, or None where there is no such file."""
    top, *below = name.split(".")
    spec = importlib.util.find_spec(top) if top else None  # the topmost package is looked for, never run
    if spec is None or spec.origin is None:
        return None
    if not below:
        return Path(spec.origin)
    if not spec.submodule_search_locations:
        return None
    place = Path(spec.origin).parent.joinpath(*below)
    return next((path for path in (place / "__init__.py", place.with_name(f"{place.name}.py")) if path.is_file()), None)


def imports_of(path: Path, name: str) -> set[str]:
    """Return the full names that a module's file imports; of ``from a import b``, both ``a`` and ``a.b``."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return set(imports_in(path.read_text(encoding="utf-8"), package))


@lru_cache(maxsize=KEPT)
def imports_in(code: str, package: str) -> frozenset[str]:
    """Return the full names that code of a package imports."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def digest_of(paths: Iterable[Path]) -> str:
    """Return one hash of what the files do: comments, docstrings and line breaks play no part."""
    total = hashlib.sha256()
    for path in paths:
        total.update(hashlib.sha256(without_words(path.read_text(encoding="utf-8")).encode()).digest())
    return total.hexdigest()


@lru_cache(maxsize=KEPT)
def without_words(code: str) -> str:
    """Return Python code without its comments and docstrings, laid out in one way."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def code_of(function: Callable) -> str:
    """Return a function's code without its comments, its docstring and its decorators."""
    (tree,) = ast.parse(without_words(textwrap.dedent(inspect.getsource(function)))).body
    tree.decorator_list = []
    return ast.unparse(tree)
