"""Handles what a notebook uses and the sandbox lacks: packages, a shell, files' rights and times.

Such a line is skipped with a note and costs nothing else. Runs inside the sandbox.
"""

import ast
import builtins
import importlib
import os
import sys
from _sitebuiltins import _Helper as Helper
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

SHELLS = {"bash", "sh", "script", "cmd", "system", "sx", "!", "perl", "ruby", "pypy", "python", "python2", "python3"}
INSTALLERS = {"pip", "conda", "mamba", "micromamba", "uv"}
MEASURES = {"time", "prun"}  # how long it takes is of no interest here, only what they run
MODULES = "a notebook is graded alone, with NumPy, Matplotlib and Python's own modules: write what else it needs"
USES = (
    *("call", "iter", "len", "enter", "array", "contains", "setitem", "mro_entries", "float", "int", "index"),
    *("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "matmul", "rmatmul", "pow", "rpow", "neg"),
    *("lt", "le", "gt", "ge"),
)


class StandIn:
    """Replaces a name that could not be imported: it can be mentioned, also in annotations, and raises when used."""

    def __init__(self, name: str, why: Any = MODULES) -> None:
        self._stands_for, self._why = name, why

    def __getattr__(self, attribute: Any) -> Any:
        if attribute.startswith("_") and attribute != "__version__":
            raise AttributeError(attribute)
        return StandIn(f"{self._stands_for}.{attribute}", self._why)

    def __getitem__(self, index: int) -> Any:
        return self

    __or__ = __ror__ = __getitem__

    def __instancecheck__(self, instance: Any) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<{self._stands_for}, which is missing here>"


def refuse(self: Any, *args: Any, **kwargs: Any) -> None:
    """Raise the error that the import would have raised. Errors: ModuleNotFoundError."""
    raise ModuleNotFoundError(f"`{self._stands_for}` is missing here: {self._why}")


for use in USES:
    setattr(StandIn, f"__{use}__", refuse)


class Nothing(nullcontext):
    """What a missing package's decorator or context manager is replaced by: as the one it changes nothing."""

    def __call__(self, function: Any) -> Any:
        """Return what is decorated."""
        return function


class Missing(ast.NodeTransformer):
    """Lets code do without packages that are missing, unless it handles their absence itself.

    A failing import binds a stand-in; decorators and context managers that are one do nothing.
    """

    planned = in_class = False

    def visit_within(self, node: Any, planned: Any) -> Any:
        """Visit everything below a node, knowing whether a missing package is handled there."""
        before, self.planned = self.planned, planned
        node = self.generic_visit(node)
        self.planned = before
        return node

    def visit_Try(self, node: Any) -> ast.AST:
        """Leave the body of a ``try`` alone if its handlers cover a missing package."""
        planned = self.planned or any(covers(handler.type) for handler in node.handlers)
        body = self.visit_within(ast.Module(node.body, []), planned).body
        node.body = []
        self.generic_visit(node)
        node.body = body
        return node

    visit_TryStar = visit_Try

    def visit_With(self, node: Any) -> ast.AST:
        """Leave the body of ``with suppress(ImportError)`` alone."""
        planned = any(covers(kind) for item in node.items for kind in suppressed(item.context_expr))
        for item in node.items:
            item.context_expr = without_missing(item.context_expr)
        return self.visit_within(node, self.planned or planned)

    def visit_FunctionDef(self, node: Any) -> ast.AST:
        """A function runs later, so what surrounds its definition does not handle its errors."""
        node.decorator_list = list(map(without_missing, node.decorator_list))
        if not self.in_class:  # whose names a lambda would not see
            node.args.defaults = list(map(or_stand_in, node.args.defaults))
            node.args.kw_defaults = [default and or_stand_in(default) for default in node.args.kw_defaults]
        self.in_class, outside = False, self.in_class
        node = self.visit_within(node, False)
        self.in_class = outside
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Guard a class's decorators."""
        node.decorator_list = list(map(without_missing, node.decorator_list))
        self.in_class, outside = True, self.in_class
        node = self.visit_within(node, self.planned)
        self.in_class = outside
        return node

    def visit_Import(self, node: ast.Import) -> Any:
        """Guard each imported module by itself."""
        if self.planned:
            return node
        return [
            with_stand_in(node, ast.Import([name]), [(name.asname or name.name.partition(".")[0], name.name)])
            for name in node.names
        ]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        """Guard a line that imports names from a module."""
        if self.planned or node.level or node.module == "__future__":
            return node
        return with_stand_in(
            node, node, [(name.asname or name.name, f"{node.module}.{name.name}") for name in node.names]
        )


def covers(kind: ast.expr | None) -> bool:
    """Say whether an ``except`` clause covers a missing package; assume so if its name does not tell."""
    if isinstance(kind, ast.Tuple):
        return any(map(covers, kind.elts))
    known = getattr(builtins, kind.id, None) if isinstance(kind, ast.Name) else None
    return not isinstance(known, type) or issubclass(ModuleNotFoundError, known)


def suppressed(context: Any) -> Any:
    """Return what ``suppress(…)`` names; nothing for every other ``with``."""
    name = getattr(context.func, "attr", getattr(context.func, "id", "")) if isinstance(context, ast.Call) else ""
    return context.args if name == "suppress" else []


def without_missing(used: ast.expr) -> ast.expr:
    """Return ``nothing or used`` for what belongs to a name: it does nothing if the name is of a missing package."""
    root: Any = used
    while isinstance(root, (ast.Attribute, ast.Call, ast.Subscript)):
        root = root.func if isinstance(root, ast.Call) else root.value
    if not isinstance(root, ast.Name):
        return used
    guard = ast.parse(f"get_ipython().nothing_if_missing({root.id})", mode="eval").body
    for part in ast.walk(guard):
        ast.copy_location(part, used)
    return ast.copy_location(ast.BoolOp(ast.Or(), [guard, used]), used)


def or_stand_in(default: ast.expr) -> ast.expr:
    """Return what gives a parameter's default, or a stand-in, if it is computed by a call."""
    if not any(isinstance(part, ast.Call) for part in ast.walk(default)):
        return default
    guarded: Any = ast.parse("get_ipython().or_stand_in(lambda: 0)", mode="eval").body
    for part in ast.walk(guarded):
        ast.copy_location(part, default)
    guarded.args[0].body = default
    return guarded


def with_stand_in(place: Any, line: Any, names: Any) -> Any:
    """Return ``try: line`` that binds stand-ins, ``(name, what it replaces)``, if the module or the name is missing."""
    bind = [f"{name} = get_ipython().stand_in({whole!r}, {name!r})" for name, whole in names if name != "*"]
    missing = ast.parse("\n".join(bind or [f"get_ipython().stand_in({names[0][1]!r}, '')"])).body
    for node in missing:
        for part in ast.walk(node):
            ast.copy_location(part, place)
    handler = ast.ExceptHandler(ast.Name("ImportError", ast.Load()), None, missing)
    guarded = ast.Try([ast.copy_location(line, place)], [ast.copy_location(handler, place)], [], [])
    return ast.fix_missing_locations(ast.copy_location(guarded, place))


def do_nothing(*args: Any, **kwargs: Any) -> None:
    """Replace ``os.chmod`` and ``os.utime``, which the kernel refuses here."""


def leave_rights_and_times() -> None:
    """Have this process's files keep the rights and times that they have, so that Python can copy them.

    For a notebook alone: the worker needs both to clear its files away.
    """
    for name in ("chmod", "utime"):
        setattr(os, name, do_nothing)


def once(magic_name: str, line: str) -> str:
    """Let ``timeit`` run its line once, not for seconds, unless the line says how often."""
    if magic_name == "timeit":
        line = "".join(f"{often}1 " for often in ("-n", "-r") if f" {often}" not in f" {line}") + line
    return line


class Forgiving:
    """A shell's handling of missing things; comes before IPython's own shell among a class's bases."""

    def prepare(self) -> None:
        """Install the stand-ins, once."""
        self.source = ""  # of the running cell
        builtins.help = Helper()  # from Python's site, which is not loaded here
        self.said = set()
        self.lacks_packages = False

    # What the shell behind this class provides.
    find_line_magic: Any
    find_cell_magic: Any
    run_cell: Any
    user_ns: dict[str, Any]

    def say(self, text: str) -> None:
        """Print a note, once."""
        if text not in self.said:
            self.said.add(text)
            print(f"({text})", file=sys.stderr)

    def stand_in(self, whole: str, name: str) -> Any:
        """Return what an import that failed binds to a name: a stand-in for what is missing.

        Errors: ModuleNotFoundError for a part of a package that exists, and keeps its name.
        """
        error: Any = sys.exc_info()[1]
        root, missing = whole.partition(".")[0], getattr(error, "name", None)
        module, _, part = whole.rpartition(".")
        if not isinstance(error, ModuleNotFoundError) and module in sys.modules:  # it lacks one of its names
            with_part = importlib.import_module(module)
            if hasattr(with_part, part):
                return getattr(with_part, part)
            missing, why = whole, f"{version_of(root)} does not have it"
        elif name == root and root in sys.modules:
            raise
        elif self.is_bound(name):
            self.say(f"`{whole}` is not here: `{name}` stays what it was")
            return self.user_ns[name]
        elif not isinstance(error, ModuleNotFoundError):
            missing, why = whole, f"it cannot be imported here ({error})"
        else:
            why = MODULES
        self.lacks_packages = True
        self.say(f"`{missing}` is not here: {why}")
        return StandIn(whole, why)

    def is_bound(self, name: str) -> bool:
        """Say whether a name means something already, as `np` does where another package's `numpy` is missing."""
        return name in self.user_ns and not isinstance(self.user_ns[name], StandIn)

    def or_stand_in(self, make: Callable[[], Any]) -> Any:
        """Return the value of a parameter's default; a stand-in if it needs what is missing."""
        try:
            return make()
        except ModuleNotFoundError as error:
            return StandIn("a parameter's default", error)

    def nothing_if_missing(self, used: Any) -> Nothing | None:
        """Return what does nothing in place of a stand-in, as a decorator or in a ``with``; None for anything else."""
        return Nothing() if isinstance(used, StandIn) else None

    def bind_stand_ins(self, node: ast.AST, error: BaseException, names: dict[str, Any]) -> None:
        """Bind the names that a failed assignment would have bound, if it failed because something is missing."""
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(error, ModuleNotFoundError):
            for part in ast.walk(node):
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                    names.setdefault(part.id, StandIn(part.id, error))

    def transform_ast(self, node: Any) -> Any:
        """Guard a cell's imports and uses, if it has any: the walk costs as much as everything else about a cell."""
        if "import" in self.source or self.lacks_packages:
            node = ast.fix_missing_locations(Missing().visit(node))
        return super().transform_ast(node)  # type: ignore[misc]  # IPython's, by the order of the bases

    def system(self, command: str) -> None:
        """Run no shell; print a note."""
        self.say(f"no shell here: `{command[:80]}` was skipped")

    system_raw = system_piped = system

    def getoutput(self, command: str, split: bool = True, depth: int = 0) -> Any:
        """Run no shell, and return a stand-in for its output."""
        self.system(command)
        return StandIn(f"!{command[:80]}", "there is no shell")

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
        """Run a magic that is available here."""
        if magic_name in SHELLS | INSTALLERS or self.find_line_magic(magic_name) is None:
            return self.say(f"no `%{magic_name}` here: its line was skipped")
        return super().run_line_magic(magic_name, once(magic_name, line), _stack_depth + 1)  # type: ignore[misc]

    def run_cell_magic(self, magic_name: str, line: str, cell: Any) -> Any:
        """Run a magic that is available here and needs no shell."""
        if magic_name in SHELLS or self.find_cell_magic(magic_name) is None:
            return self.say(f"no `%%{magic_name}` here: its cell was skipped")
        if magic_name in MEASURES:
            self.run_cell(f"#\n{cell}")  # with as many lines, so that the line of an error is found
            return None
        return super().run_cell_magic(magic_name, once(magic_name, line), cell)  # type: ignore[misc]

    def enable_matplotlib(self, gui: Any = None) -> Any:
        """Draw into the notebook, whatever backend was requested."""
        return super().enable_matplotlib("inline")  # type: ignore[misc]


def version_of(root: str) -> str:
    """Return a package's name and version; Python's for one of its own."""
    own = getattr(sys.modules.get(root), "__version__", None)
    return f"{root} {own}" if own else f"Python {sys.version_info[0]}.{sys.version_info[1]}"
