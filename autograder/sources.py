"""Finds the files that a module's work depends on by reading ``import`` statements, without running any."""

import ast
import hashlib
import importlib.util
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

KEPT = 512  # cached files: chapters share most of theirs
WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
TYPES = frozenset({(ast.arg, "annotation"), (ast.AnnAssign, "annotation"), (ast.FunctionDef, "returns")})
SILENT = TYPES | {(ast.Raise, "exc"), (ast.Raise, "cause")}  # (node, field) pairs that change no number


def sources_of(*modules: str) -> list[Path]:
    """Return the files of the named modules and everything they import, directly or indirectly, sorted.

    It follows imports from ``autograder`` and from the packages that ``modules`` belong to, anywhere in a file; a
    package's ``__init__.py`` counts with everything in it. It does not see imports by a name computed at run time.
    Errors: ModuleNotFoundError for a name in ``modules`` that is not a module.
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
    """Return the file of a module, ``__init__.py`` for a package, or None."""
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
    """Return the full names that a module's file imports; for ``from a import b``, both ``a`` and ``a.b``."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return set(imports_in(path.read_text(encoding="utf-8"), package))


@lru_cache(maxsize=KEPT)
def imports_in(code: str, package: str) -> frozenset[str]:
    """Return the full names that code of a package imports."""
    found = set()
    for node in statements(ast.parse(code)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return frozenset(found)


def statements(block: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a module or of a compound statement, and those inside them."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(block, part, ()):
            yield node
            yield from statements(node)


def digest_of(paths: Any) -> str:
    """Return one hash of what the files do: comments, docstrings and line breaks are ignored."""
    total = hashlib.sha256()
    for path in paths:
        total.update(hashlib.sha256(without_words(path.read_text(encoding="utf-8")).encode()).digest())
    return total.hexdigest()


def digest_of_computation(path: Path) -> str:
    """Return a hash of what a file computes: annotations, their imports and error messages are ignored too."""
    return _digest_of_code(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=KEPT)
def _digest_of_code(code: str) -> str:
    return hashlib.sha256(written(computation(code), SILENT).encode()).hexdigest()


def computation(code: str) -> ast.Module:
    """Return code's syntax tree, with ``a: T = b`` as ``a = b`` and without imports that types alone use."""
    tree = _Untyped().visit(ast.parse(code))
    used = set(re.findall(r"\bid='(\w+)'", written(tree, SILENT)))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in used]
    tree.body = [node for node in tree.body if not (isinstance(node, ast.ImportFrom) and not node.names)]
    return tree


class _Untyped(ast.NodeTransformer):
    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return ast.Assign([node.target], node.value) if node.value else node


@lru_cache(maxsize=KEPT)
def without_words(code: str, leaving_out: frozenset[tuple[type, str]] = frozenset()) -> str:
    """Return code's syntax tree without comments and docstrings, the same in every version of Python."""
    return written(ast.parse(code), leaving_out)


def written(node: Any, leaving_out: frozenset[tuple[type, str]] = frozenset()) -> str:
    """Format a syntax tree without docstrings and empty fields: versions of Python differ in the latter."""
    kind = type(node)
    if kind is list:
        return f"[{', '.join([written(one, leaving_out) for one in node])}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, ast.Constant):
        return f"Constant({node.value!r})"
    told = []
    for name in kind._fields:
        value: Any = getattr(node, name, None)
        if name == "body" and isinstance(node, WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            value = value[1:]
        if kind is ast.JoinedStr:  # Python 3.12 ends some format specifications with an empty text
            value = [one for one in value if not (isinstance(one, ast.Constant) and one.value == "")]
        if value is not None and value != [] and (kind, name) not in leaving_out:
            told.append(f"{name}={written(value, leaving_out)}")
    return f"{kind.__name__}({', '.join(told)})"


@cache
def code_of(function: Callable) -> str:
    """Return a function's code without its comments, its docstring and its decorators, as a syntax tree."""
    tree: Any = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    tree.decorator_list = []
    return written(tree, TYPES)
