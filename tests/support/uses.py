"""What a module uses without naming its type, and what a class offers: how a circle that hides behind Any is seen."""

import ast
from collections.abc import Iterator

SAY_NOTHING = {"Any", "Callable", "object"}  # annotations that name no type


def untyped_uses(tree: ast.Module) -> Iterator[tuple[str, set[str]]]:
    """Yield ``(where, attributes)`` for each parameter or field without a type: those that are read or called of it.

    A parameter that a method keeps, as in ``self.run = run``, is followed through its class.
    """
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for name in _untyped_parameters(function):
                yield f"{function.name}({name})", _attributes(function, name)
    for owner in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for name in _untyped_fields(owner):
            yield f"{owner.name}.{name}", _attributes(owner, f"self.{name}")


def offers(tree: ast.Module) -> dict[str, set[str]]:
    """Return what each class of a module has: methods, fields, and what its methods set."""
    return {node.name: _members(node) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _says_nothing(annotation: ast.expr | None) -> bool:
    return annotation is None or ast.unparse(annotation).rpartition(".")[2] in SAY_NOTHING


def _untyped_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return [one.arg for one in arguments if one.arg not in ("self", "cls", "_") and _says_nothing(one.annotation)]


def _untyped_fields(owner: ast.ClassDef) -> set[str]:
    fields = {
        node.target.id
        for node in owner.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and _says_nothing(node.annotation)
    }
    for method in (node for node in owner.body if isinstance(node, ast.FunctionDef)):
        untyped = _untyped_parameters(method)
        fields |= {target.removeprefix("self.") for target, value in _assigned(method) if value in untyped}
    return fields


def _assigned(method: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield ``("self.name", value)`` for everything that a method sets, tuples taken apart."""
    for node in ast.walk(method):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        for target in targets:
            are_tuples = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            pairs = zip(target.elts, value.elts, strict=False) if are_tuples else [(target, value)]
            for left, right in pairs:
                if isinstance(left, ast.Attribute) and _is_called(left.value, "self"):
                    yield ast.unparse(left), ast.unparse(right) if right else ""


def _attributes(node: ast.AST, name: str) -> set[str]:
    reads = (one for one in ast.walk(node) if isinstance(one, ast.Attribute) and not one.attr.startswith("__"))
    return {one.attr for one in reads if _is_called(one.value, name)}


def _is_called(node: ast.expr, name: str) -> bool:
    """Say whether an expression is a name, or an attribute of self."""
    if name.startswith("self."):
        return isinstance(node, ast.Attribute) and _is_called(node.value, "self") and node.attr == name[5:]
    return isinstance(node, ast.Name) and node.id == name


def _members(owner: ast.ClassDef) -> set[str]:
    names = {node.name for node in owner.body if isinstance(node, ast.FunctionDef)}
    names |= {node.target.id for node in owner.body if isinstance(node, ast.AnnAssign)}
    return names | {target.removeprefix("self.") for target, _ in _assigned(owner)}
