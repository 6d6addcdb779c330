"""Changes a solution in small ways, one at a time: wrong answers that no list holds.

Written here because the known mutation testers run a test suite for every mutant, which would take hours, and change
neither axes nor argument order, which is where answers on arrays go wrong.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

_OTHER_OPERATORS = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt,),
}
_OTHER_FUNCTIONS = {
    "max": ("min", "mean"),
    "sum": ("mean", "max"),
    "argmax": ("argmin",),
    "exp": ("exp2", "expm1"),
    "log": ("log2", "log1p"),
    "sqrt": ("square", "cbrt"),
    "diag": ("diagflat",),
    "eye": ("ones",),
}


@dataclass(frozen=True)
class Mutant:
    """One changed solution: of which exercise, what was changed and in which line, and the whole function."""

    name: str
    change: str
    source: str
    line: int


def mutants_of(name: str, source: str) -> list[Mutant]:
    """Return every version of a solution, a function of this name, with one change in it, each once.

    Errors: SyntaxError if the source is not Python.
    """
    tree = ast.parse(source)
    function = next((node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name), None)
    if function is None:
        return []
    whole, parameters = ast.unparse(tree), [argument.arg for argument in function.args.args]
    body = function.body[1:] if ast.get_docstring(function) else function.body
    found: dict[str, tuple[str, int]] = {}
    for node, put in list(_places(function)):
        if not body or getattr(node, "lineno", 0) < body[0].lineno:
            continue
        for other in _variants(node, parameters):
            put(other)
            text = ast.unparse(tree)
            put(node)
            if text != whole:
                found.setdefault(text, (f"{ast.unparse(node)} → {ast.unparse(other)}", node.lineno))
    return [Mutant(name, change, text, line) for text, (change, line) in found.items()]


def _places(tree: ast.AST) -> Iterator[tuple[Any, Callable]]:
    """Yield every node below a tree, level by level as ``ast.walk``, and a function that puts another in its place."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                yield value, partial(setattr, parent, field)
            for index, item in enumerate(value) if isinstance(value, list) else ():
                if isinstance(item, ast.AST):
                    yield item, partial(value.__setitem__, index)


def _variants(node: Any, parameters: list[str]) -> list[Any]:
    """Return what may replace a node, by its kind."""
    kind = next((kind for kind in _CHANGES if isinstance(node, kind)), None)
    return _CHANGES[kind](node, parameters) if kind else []


def _altered(node: Any, **fields: Any) -> Any:
    """Return a copy of a node with some fields changed."""
    other = copy.deepcopy(node)
    for field, value in fields.items():
        setattr(other, field, value)
    return other


def _of_operation(node: Any, _: list[str]) -> list[Any]:
    """Another operator, one operand for both, and the operands exchanged where that makes a difference."""
    others = [_altered(node, op=other()) for other in _OTHER_OPERATORS.get(type(node.op), ())]
    exchanged = [_altered(node, left=node.right, right=node.left)]
    return [*others, node.left, node.right, *([] if isinstance(node.op, ast.Add | ast.Mult) else exchanged)]


def _of_comparison(node: Any, _: list[str]) -> list[Any]:
    """Another comparison."""
    return [_altered(node, ops=[other()]) for other in _OTHER_OPERATORS.get(type(node.ops[0]), ())]


def _of_sign(node: Any, _: list[str]) -> list[Any]:
    """The sign, or the `not`, left out."""
    return [node.operand]


def _of_constant(node: Any, _: list[str]) -> list[Any]:
    """Another number; the other truth value."""
    if isinstance(node.value, bool):
        return [ast.Constant(not node.value)]
    if isinstance(node.value, int | float):
        others = dict.fromkeys((0, 1, node.value + 1, node.value - 1))  # 1 and 1.0 are one
        return [ast.Constant(value) for value in others if value != node.value]
    return []


def _of_call(node: Any, _: list[str]) -> list[Any]:
    """An argument dropped, two exchanged, another function, or the call left out."""
    keywords = [_altered(node, keywords=[k for k in node.keywords if k is not one]) for one in node.keywords]
    pairs = range(len(node.args) - 1)
    swapped = [
        _altered(node, args=[*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]) for i in pairs
    ]
    shorter = [_altered(node, args=node.args[:-1])] if len(node.args) > 1 else []
    names = _OTHER_FUNCTIONS.get(getattr(node.func, "attr", ""), ())
    others = [_altered(node, func=_altered(node.func, attr=name)) for name in names]
    receiver = getattr(node.func, "value", None)
    inner = node.args[:1] or ([receiver] if receiver and ast.unparse(receiver) != "np" else [])
    inner = [one for one in inner if not isinstance(one, ast.Starred)]  # it stands for several, not for a value
    return [*keywords, *swapped, *shorter, *others, *inner]


def _of_name(node: Any, parameters: list[str]) -> list[Any]:
    """Another argument of the function in place of this one."""
    if node.id not in parameters or not isinstance(node.ctx, ast.Load):
        return []
    return [ast.Name(other, ast.Load()) for other in parameters if other != node.id]


def _of_attribute(node: Any, _: list[str]) -> list[Any]:
    """``.T`` left out."""
    return [node.value] if node.attr == "T" else []


def _of_slice(node: Any, _: list[str]) -> list[Any]:
    """A bound left out."""
    return [_altered(node, **{field: None}) for field in ("lower", "upper", "step") if getattr(node, field)]


def _of_return(node: Any, _: list[str]) -> list[Any]:
    """Nothing returned, the results exchanged, or one of them for all."""
    results = node.value.elts if isinstance(node.value, ast.Tuple) else []
    exchanged = [ast.Return(ast.Tuple(results[::-1], ast.Load()))] if results else []
    return [ast.Return(ast.Constant(None)), *exchanged, *(ast.Return(result) for result in results)]


def _of_condition(node: Any, _: list[str]) -> list[Any]:
    """The other branch."""
    return [_altered(node, test=ast.Constant(True)), _altered(node, test=ast.Constant(False))]


def _of_statement(node: Any, _: list[str]) -> list[Any]:
    """The statement dropped."""
    return [ast.Pass()]


_CHANGES: dict[type, Callable] = {
    ast.Return: _of_return,
    ast.If: _of_condition,
    ast.IfExp: _of_condition,
    ast.stmt: _of_statement,
    ast.BinOp: _of_operation,
    ast.Compare: _of_comparison,
    ast.UnaryOp: _of_sign,
    ast.Constant: _of_constant,
    ast.Call: _of_call,
    ast.Name: _of_name,
    ast.Attribute: _of_attribute,
    ast.Slice: _of_slice,
}
