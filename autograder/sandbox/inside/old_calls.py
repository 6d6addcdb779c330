"""Lets calls with an argument that NumPy or Matplotlib has dropped or changed go on working. Runs inside the sandbox.

Only such calls are rewritten, in the cell's syntax tree, so that no other call pays: ``np.array(x, copy=False)``
becomes ``as_before(np.array)(x, copy=False)``. The functions themselves stay as they are.
"""

import ast
import builtins
import re
from collections.abc import Callable
from functools import partial
from types import GeneratorType
from typing import Any

HELPER = "as_before"
Change = int | str | None  # a place among the positional arguments, another name, or dropped without effect
_QUANTILE: dict[str, Change] = {"interpolation": "method"}
_NORMED: dict[str, Change] = {"normed": "density"}
_ONE_ARRAY: dict[str, Change] = {"a": 0}
_COMPARED: dict[str, Change] = {"x": 0, "y": 1}
_ARGUMENTS: dict[str, dict[str, Change]] = {
    **{f"numpy.{name}": _QUANTILE for name in ("percentile", "quantile", "nanpercentile", "nanquantile")},
    **{f"numpy.{name}": _NORMED for name in ("histogram", "histogram2d", "histogramdd")},
    **{f"numpy.testing._private.utils.assert_array_{name}": _COMPARED for name in ("equal", "almost_equal")},
    **{f"matplotlib.{place}.boxplot": {"labels": "tick_labels"} for place in ("pyplot", "axes._axes")},
    **{f"matplotlib.{place}.grid": {"b": "visible"} for place in ("pyplot", "axes._base")},
    **{f"matplotlib.{place}.stem": {"use_line_collection": None} for place in ("pyplot", "axes._axes")},
    "numpy.linalg.cholesky": _ONE_ARRAY,
    "numpy.reshape": {**_ONE_ARRAY, "newshape": "shape"},
    "numpy.array2string": {"style": None},
    "numpy.corrcoef": {"bias": None, "ddof": None},
    "numpy.save": {"fix_imports": None},
}
_KEYWORDS = {"copy"}.union(*_ARGUMENTS.values())
_MAY_HOLD = re.compile(rf"\b(?:{'|'.join(sorted(_KEYWORDS))})\s?=(?!=)")
_MAY_SUM = re.compile(r"\bsum\s?\(")
_MAY_YIELD = re.compile(r"\b(?:for|yield)\b")


def install() -> None:
    """Give rewritten calls the function that they name."""
    setattr(builtins, HELPER, as_before)


def rewrite(source: str, tree: ast.Module) -> ast.Module:
    """Return a cell's tree with the calls rewritten that may be written for an older version."""
    sums = bool(_MAY_SUM.search(source)) and bool(_MAY_YIELD.search(source)) and any(map(_yields, ast.walk(tree)))
    return _OldCalls(sums).visit(tree) if sums or _MAY_HOLD.search(source) else tree


def _yields(node: ast.AST) -> bool:
    return isinstance(node, ast.GeneratorExp | ast.Yield | ast.YieldFrom)


class _OldCalls(ast.NodeTransformer):
    """Rewrites calls with a keyword that has changed and, if asked to, all that may be sums of a generator."""

    def __init__(self, sums: bool) -> None:
        self.sums = sums

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if any(one.arg in _KEYWORDS for one in node.keywords) or (self.sums and name == "sum" and node.args):
            helper = ast.copy_location(ast.Name(HELPER, ast.Load()), node.func)
            node.func = ast.copy_location(ast.Call(helper, [node.func], []), node.func)
        return node


def as_before(function: Any) -> Any:
    """Return a function as an older version had it, if it has lost arguments; any other as it is."""
    home, name = getattr(function, "__module__", None), getattr(function, "__name__", None)
    if home == "numpy" and name in ("array", "sum"):
        return partial(_array if name == "array" else _sum, function)
    changes = _ARGUMENTS.get(f"{home}.{name}")
    return partial(_changed, function, changes) if changes else function


def _changed(function: Callable, changes: dict[str, Change], *args: Any, **kwargs: Any) -> Any:
    placed: dict[int, Any] = {}
    for name in changes.keys() & kwargs.keys():
        change, value = changes[name], kwargs.pop(name)
        if isinstance(change, str):
            kwargs[change] = value
        elif change is not None:
            placed[change] = value
    return function(*(placed[place] for place in sorted(placed)), *args, **kwargs)


def _array(function: Callable, *args: Any, copy: Any = True, **kwargs: Any) -> Any:
    return function(*args, copy=None if copy == 0 else copy, **kwargs)  # False meant: if needed, which is None now


def _sum(function: Callable, a: Any, *args: Any, **kwargs: Any) -> Any:
    return sum(a) if isinstance(a, GeneratorType) else function(a, *args, **kwargs)
