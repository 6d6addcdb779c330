"""Says what an answer that is right here uses and the grader lacks: packages, files beside the notebook, old NumPy.

Names that NumPy has moved need no word: the grader knows them (sandbox/inside/moved_names.py).
"""

import ast
import inspect
import linecache
import re
import sys
import textwrap
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any, NamedTuple

import numpy as np

from .compare import Answer, ask, counts_as
from .whose_function import is_released, names_in, plain_function

GRADERS_NUMPY = "NumPy 2.4"
AT_THE_GRADER = {"numpy", "matplotlib", "mpl_toolkits", "PIL", "IPython", "tqdm", "__main__", *sys.stdlib_module_names}
_WITHOUT_PACKAGES = "a notebook is graded with NumPy, Matplotlib and Python's own modules alone"
_GONE_METHODS = {  # of arrays, and what to write for them
    "ptp": "np.ptp({array}{arguments})",
    "itemset": "{array}[index] = value",
    "newbyteorder": "{array}.view({array}.dtype.newbyteorder())",
    "tostring": "{array}.tobytes()",
}
_GONE_NAMES = {"array_api", "compat", "geterrobj", "set_numeric_ops", "set_string_function", "seterrobj"}
_REFUSED_SINCE = {  # NumPy's warning before it was an error, and what to write
    "Conversion of an array with ndim > 0 to a scalar": "takes an array for a number. Take the number out of it first, "
    "as in `x[0]` or `x.item()`",
    "Calling nonzero on 0d arrays": "calls nonzero on a single number. Write `np.atleast_1d(x)` for it",
    "NumPy will stop allowing conversion of out-of-bound": "puts a number into an array whose type cannot hold it",
}
Question = tuple[tuple[Any, ...], dict[str, Any]]  # arguments by position and by name


class _Missing(types.ModuleType):
    """Replaces what the grader lacks: it can be mentioned, as there, and raises when it is called."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __instancecheck__(self, instance: Any) -> bool:
        return False

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Refuse. Errors: ModuleNotFoundError."""
        raise ModuleNotFoundError(self.__name__)


class _Foreign(NamedTuple):
    """A name that an answer uses, the module that it comes from, and where the name is looked up."""

    name: str
    module: str
    space: dict[str, Any]


def not_portable(function: Callable, questions: Callable[[], list[Question]]) -> str:
    """Say what a right answer uses that the grader lacks, and what to do; "" if nothing was seen.

    ``questions`` returns what the answer is right on, anew each time.
    """
    own = _own_function(function)
    if _is_foreign(_home_of(own)):
        return _said_of_foreign(_Foreign(getattr(own, "__name__", _home_of(own)), _home_of(own), {}))
    reached = list(_reached_from(own))
    foreign = [one for each in reached for one in _foreign_in(each)]
    if foreign and not _is_right_without(foreign, (function, own), questions):  # own: without its decorators
        return _said_of_foreign(foreign[0])
    return next((said for each in reached for said in _gone_in(each)), "")


def _own_function(value: Any) -> Any:
    """Return a function without what surrounds it, also without what Numba made of it."""
    return plain_function(getattr(value, "py_func", value))


def _reached_from(function: Any) -> Iterator[types.FunctionType]:
    """Yield a function and those of the notebook that it calls, by global name or as a part of its own."""
    waiting, met = [function], set()
    while waiting:
        value = _own_function(waiting.pop())
        if not isinstance(value, types.FunctionType) or value in met:
            continue
        met.add(value)
        yield value
        values = _values_used(value).values()
        waiting += [one for one in values if not _is_foreign(_home_of(one)) and callable(one)]
        waiting += [part for one in values if isinstance(one, type) for part in vars(one).values()]


def _values_used(function: types.FunctionType) -> dict[str, Any]:
    """Return what the global names of a function's code, and the names around it, stand for."""
    known = function.__globals__
    around = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    held = {name: cell.cell_contents for name, cell in around if cell != types.CellType()}
    return {name: known[name] for name in names_in(function.__code__)[0] if name in known} | held


def _home_of(value: Any) -> str:
    """Return the module that a value comes from; "" if it does not say."""
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, np.ufunc):  # does not say, not even SciPy's
        return next((name for name, module in [*sys.modules.items()] if _has(module, value)), "")
    owner = getattr(value, "__self__", None)
    homes = [getattr(one, "__module__", None) for one in (value, owner, type(owner), type(value))]
    return next((home for home in homes if isinstance(home, str) and home != "builtins"), "")


def _has(module: Any, value: Any) -> bool:
    """Say whether a loaded module has a value under the value's own name."""
    return getattr(module, "__dict__", {}).get(value.__name__) is value


def _is_foreign(module: str) -> bool:
    """Say whether a loaded module is missing at the grader: a package, or a file that is not handed out."""
    top = module.partition(".")[0]
    loaded = sys.modules.get(top)
    return top not in AT_THE_GRADER and loaded is not None and not is_released(getattr(loaded, "__file__", "") or "")


def _foreign_in(function: types.FunctionType) -> Iterator[_Foreign]:
    """Yield what a function uses by name, or imports itself, that the grader lacks."""
    for name, value in _values_used(function).items():
        if _is_foreign(home := _home_of(plain_function(value))):
            yield _Foreign(name, home, function.__globals__ if name in function.__globals__ else {})
    for module in names_in(function.__code__)[1]:
        if _is_foreign(module):
            yield _Foreign(module, module, {})


def _is_right_without(
    foreign: list[_Foreign], functions: tuple[Callable, ...], questions: Callable[[], list[Question]]
) -> bool:
    """Say whether one of these functions answers as ever if it cannot use foreign names; what it prints is not shown.

    An import of them may fail, or bind what cannot be used: the grader does either, by where the import is.
    """
    with redirect_stdout(StringIO()):
        return any(
            all(map(counts_as, _answers_without(foreign, absent, function, questions()), answers))
            for function in functions
            for answers in [[ask(function, *one) for one in questions()]]
            for absent in (None, _Missing)
        )


def _answers_without(
    foreign: list[_Foreign], absent: Callable | None, function: Callable, asked: list[Question]
) -> list[Answer]:
    """Return a function's answers where ``absent`` makes what an import of foreign modules binds; None: it fails."""
    tops = {one.module.partition(".")[0] for one in foreign}
    paths = {path for path in sys.modules if path.partition(".")[0] in tops} | tops
    modules, values = {path: sys.modules.get(path) for path in paths}, [one.space.get(one.name) for one in foreign]
    try:
        sys.modules.update({path: absent and absent(path) for path in paths})  # type: ignore[misc]
        for one in foreign:
            one.space[one.name] = _Missing(one.name)
        return [ask(function, *one) for one in asked]
    finally:
        for one, value in zip(foreign, values, strict=True):
            one.space[one.name] = value
        for path, module in modules.items():
            if module is None:
                del sys.modules[path]
            else:
                sys.modules[path] = module


def _said_of_foreign(one: _Foreign) -> str:
    """Say where a name comes from, and what to do about it."""
    top = one.module.partition(".")[0]
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    if file and "-packages" not in file:
        return (
            f"It uses `{one.name}` from `{top}.py`, and a notebook is handed in alone: copy the function into a cell."
        )
    origin = "" if one.name.partition(".")[0] == top else f" of the package `{top}`"
    return f"It uses `{one.name}`{origin}, and {_WITHOUT_PACKAGES}: write it with NumPy."


def _gone_in(function: types.FunctionType) -> Iterator[str]:
    """Yield what is said of each method of arrays, or name of NumPy's, that a function uses and NumPy has dropped."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute) and (said := _said_of_call(call, call.func, function.__globals__)):
            yield f"{said}, which {GRADERS_NUMPY} at the grader no longer has."


def _said_of_call(call: ast.Call, called: ast.Attribute, known: dict[str, Any]) -> str:
    """Return the beginning of what is said of a call that NumPy has dropped; "" for any other."""
    array, name = ast.unparse(called.value), called.attr
    if known.get(array) is np:
        return f"It calls `{array}.{name}`" if name in _GONE_NAMES and hasattr(np, name) else ""
    if name not in _GONE_METHODS or not hasattr(np.ndarray, name):
        return ""
    arguments = "".join(f", {ast.unparse(one)}" for one in (*call.args, *call.keywords))
    instead = _GONE_METHODS[name].format(array=array, arguments=arguments)
    return f"Write `{instead}` for `{ast.unparse(call)}`"


@contextmanager
def noting_refused() -> Iterator[list[str]]:
    """Collect what is to be said of NumPy's warnings about what it refuses by now; show all others as ever."""
    said, show = [], warnings.showwarning

    def note(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
        known = [advice for words, advice in _REFUSED_SINCE.items() if str(message).startswith(words)]
        if not known:
            return show(message, category, filename, lineno, file, line)
        place = linecache.getline(filename, lineno).strip()
        said.append(f"Line {lineno}, `{place[:160]}`, {known[0]}: with {GRADERS_NUMPY}, which grades, it is an error.")

    with warnings.catch_warnings():
        for words in _REFUSED_SINCE:
            warnings.filterwarnings("always", re.escape(words), DeprecationWarning)
        warnings.showwarning = note
        yield said
