"""Small changes to the solutions, one at a time: does the grader notice each one that matters?

    python tests/course/mutants.py        prints, for each chapter, how many were rejected and which survived

Written here because the known mutation testers run a test suite for every mutant, which would take hours, and change
neither axes nor argument order, which is where answers on attention go wrong.
"""

import argparse
import ast
import copy
import signal
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from autograder.checks.as_arrays import as_arrays
from autograder.checks.judge import criteria_of, reply_of, right_answers, share_earned
from autograder.checks.rules import problem
from autograder.course.course import Course
from autograder.course.tasks import SOLUTION_MARKS
from autograder.sandbox import Limits

ROOT = Path(__file__).parents[2]
SEEDS = (5, 7)

OTHER_OPERATORS = {
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
OTHER_FUNCTIONS = {
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
    """One changed solution: of which exercise, what was changed, and the whole function."""

    name: str
    change: str
    source: str


def solutions(assignment):
    """Return each exercise's solution as students would have written it, in the notebook's order."""
    return {name: SOLUTION_MARKS.sub("", assignment.cells[name].cell.source) for name in assignment.exercises}


def mutants_of(name, source):
    """Return every version of a solution with one change in it, each once."""
    tree = ast.parse(source)
    function, whole = tree.body[0], ast.unparse(tree)
    parameters = [argument.arg for argument in function.args.args]
    start = 1 if ast.get_docstring(function) else 0
    found = {}
    for node, put in list(places(tree)):
        if getattr(node, "lineno", 0) < function.body[start].lineno:
            continue
        for other in variants(node, parameters):
            put(other)
            text = ast.unparse(tree)
            put(node)
            if text != whole:
                found.setdefault(text, f"{ast.unparse(node)} → {ast.unparse(other)}")
    return [Mutant(name, change, text) for text, change in found.items()]


def places(tree):
    """Yield every node below a tree, level by level as ``ast.walk``, and a function that puts another in its place."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                yield value, partial(setattr, parent, field)
            for index, item in enumerate(value) if isinstance(value, list) else ():
                if isinstance(item, ast.AST):
                    yield item, partial(value.__setitem__, index)


def variants(node, parameters):
    """Return what may replace a node, by its kind."""
    kind = next((kind for kind in CHANGES if isinstance(node, kind)), None)
    return CHANGES[kind](node, parameters) if kind else []


def altered(node, **fields):
    """Return a copy of a node with some fields changed."""
    other = copy.deepcopy(node)
    for field, value in fields.items():
        setattr(other, field, value)
    return other


def of_operation(node, _):
    """Another operator, one operand for both, and the operands exchanged where that makes a difference."""
    others = [altered(node, op=other()) for other in OTHER_OPERATORS.get(type(node.op), ())]
    exchanged = [altered(node, left=node.right, right=node.left)]
    return [*others, node.left, node.right, *([] if isinstance(node.op, ast.Add | ast.Mult) else exchanged)]


def of_comparison(node, _):
    """Another comparison."""
    return [altered(node, ops=[other()]) for other in OTHER_OPERATORS.get(type(node.ops[0]), ())]


def of_sign(node, _):
    """The sign, or the `not`, left out."""
    return [node.operand]


def of_constant(node, _):
    """Another number; the other truth value."""
    if isinstance(node.value, bool):
        return [ast.Constant(not node.value)]
    if isinstance(node.value, int | float):
        others = dict.fromkeys((0, 1, node.value + 1, node.value - 1))  # 1 and 1.0 are one
        return [ast.Constant(value) for value in others if value != node.value]
    return []


def of_call(node, _):
    """An argument dropped, two exchanged, another function, or the call left out."""
    keywords = [altered(node, keywords=[k for k in node.keywords if k is not one]) for one in node.keywords]
    pairs = range(len(node.args) - 1)
    swapped = [altered(node, args=[*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]) for i in pairs]
    shorter = [altered(node, args=node.args[:-1])] if len(node.args) > 1 else []
    names = OTHER_FUNCTIONS.get(getattr(node.func, "attr", ""), ())
    others = [altered(node, func=altered(node.func, attr=name)) for name in names]
    receiver = getattr(node.func, "value", None)
    inner = node.args[:1] or ([receiver] if receiver and ast.unparse(receiver) != "np" else [])
    inner = [one for one in inner if not isinstance(one, ast.Starred)]  # it stands for several, not for a value
    return [*keywords, *swapped, *shorter, *others, *inner]


def of_name(node, parameters):
    """Another argument of the function in place of this one."""
    if node.id not in parameters or not isinstance(node.ctx, ast.Load):
        return []
    return [ast.Name(other, ast.Load()) for other in parameters if other != node.id]


def of_attribute(node, _):
    """``.T`` left out."""
    return [node.value] if node.attr == "T" else []


def of_slice(node, _):
    """A bound left out."""
    return [altered(node, **{field: None}) for field in ("lower", "upper", "step") if getattr(node, field)]


def of_return(node, _):
    """Nothing returned, the results exchanged, or one of them for all."""
    results = node.value.elts if isinstance(node.value, ast.Tuple) else []
    exchanged = [ast.Return(ast.Tuple(results[::-1], ast.Load()))] if results else []
    return [ast.Return(ast.Constant(None)), *exchanged, *(ast.Return(result) for result in results)]


def of_condition(node, _):
    """The other branch."""
    return [altered(node, test=ast.Constant(True)), altered(node, test=ast.Constant(False))]


def of_statement(node, _):
    """The statement dropped."""
    return [ast.Pass()]


CHANGES = {
    ast.Return: of_return,
    ast.If: of_condition,
    ast.IfExp: of_condition,
    ast.stmt: of_statement,
    ast.BinOp: of_operation,
    ast.Compare: of_comparison,
    ast.UnaryOp: of_sign,
    ast.Constant: of_constant,
    ast.Call: of_call,
    ast.Name: of_name,
    ast.Attribute: of_attribute,
    ast.Slice: of_slice,
}


def survivors(assignment):
    """Return how many mutants a chapter has, and those that get full marks."""
    right = solutions(assignment)
    everything = [mutant for name, source in right.items() for mutant in mutants_of(name, source)]
    codes = [compile(source, name, "exec") for name, source in right.items()]
    return len(everything), [
        mutant
        for mutant in everything
        if not rejected(assignment.exercises[mutant.name], assignment.given, codes, mutant)
    ]


def rejected(exercise, given, right, mutant):
    """Say whether a mutant, among what a notebook gives and code that is right, loses points for every seed."""
    namespace = {"np": np, **given}
    for code in (*right, mutant.source):
        exec(code, namespace)
    try:
        return all(loses_points(exercise, namespace[mutant.name], seed) for seed in SEEDS)
    except _Endless:
        return True  # as the grader does


def loses_points(exercise, function, seed):
    """Say whether a function loses points; after its first wrong answer, nothing more is asked. Errors: _Endless."""
    replies = []
    for (_, case), right in zip(exercise.questions(seed), right_answers(exercise, seed), strict=True):
        replies.append(timely(function, case))
        answer = as_arrays(replies[-1].answer, right)
        if problem(answer, right, case.args, exercise.rule, exercise.returns):
            return True
    return share_earned(criteria_of(exercise, seed, replies)) < 1


class _Endless(BaseException):
    """A call has computed for longer than the sandbox allows; no answer catches this."""


def timely(function, case):
    """Put one case to a function, as long as the sandbox would let it compute. Errors: _Endless after that."""

    def end(*_):
        raise _Endless

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, Limits().step_seconds)
    try:
        return reply_of(function, case)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def main():
    """Print the survivors of the chapters that are named, or of all."""
    course = Course(ROOT)
    parser = argparse.ArgumentParser(description="Change the solutions in small ways, and print which changes survive.")
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="such as 04_query_key_value; all, if none")
    chosen = parser.parse_args().chapters or course.chapters()
    if unknown := set(chosen) - set(course.chapters()):
        parser.error(f"unknown chapter {min(unknown)}: expected one of {', '.join(course.chapters())}")
    for chapter in chosen:
        count, left = survivors(course.assignment(chapter))
        print(f"{chapter}: {count - len(left)} of {count} mutants rejected")
        for mutant in left:
            print(f"  {mutant.name}: {mutant.change}")


if __name__ == "__main__":
    main()
