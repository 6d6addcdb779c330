"""Whether a page shows the body of an exercise: as it is written, or because it gives the exercise's answers.

A *run* is some consecutive statements of a visible cell, and what the last of them comes to. It gives an exercise away

*  if its statements are those of the exercise's solution, whatever the variables are called, or
*  if it is right on all worked examples, once its own inputs are the exercise's arguments, by name or in any order.

What has two operations or fewer is a use that nobody can avoid: ``weights @ x`` of ``mix``, ``1 / np.sqrt(d)`` of
``scaling_factor``, a call of a function of the course. So is all that calls the exercise's own function.
"""

import ast
import builtins
import contextlib
import inspect
import io
import re
import warnings
from dataclasses import dataclass
from itertools import permutations
from math import perm

import numpy as np

import attention
from autograder.course.trial import Endless, reply_in_time, solutions
from autograder.diagnosis.questions import questions_of
from autograder.diagnosis.rules import problem

CELL = re.compile(r"^```\{code-cell\}[^\n]*\n((?::[^\n]*\n)*)(.*?)\n```$", re.MULTILINE | re.DOTALL)
OPERATIONS = (ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Subscript)
SIMPLE = (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)
USE = 2  # operations: see above
LONGEST, MOST_ORDERS, SECONDS = 12, 400, 0.3  # of a run: its statements, the orders of its inputs, processor time


def visible_cells(text):
    """Yield (line, code) of each cell of a page that shows its code."""
    for cell in CELL.finditer(text):
        if "remove-input" not in cell[1] and "remove-cell" not in cell[1]:
            yield text.count("\n", 0, cell.start(2)) + 1, cell[2]


@np.printoptions()  # as they were, whatever a cell sets
def given_away(assignment, text):
    """Return what a page gives away of its assignment: (line, exercise, statements)."""
    bodies = {name: body_of(source, name) for name, source in solutions(assignment).items()}
    bodies = {name: body for name, body in bodies.items() if operations(*body) > USE}
    known, found = {"np": np, **{name: getattr(attention, name) for name in attention.__all__}}, set()
    for line, code in visible_cells(text):
        tree = read(code, known)
        for block in blocks_of(tree):
            for name, body in bodies.items():
                for run in (*written(block, body), *answering(block, assignment.exercises[name], known)):
                    found.add((line + run[0].lineno - 1, name, "\n".join(map(ast.unparse, run))))
    return sorted(found)


def operations(*nodes):
    """Count what is done: calls, operators and subscripts; to print is not one."""
    done = [node for root in nodes for node in ast.walk(root) if isinstance(node, OPERATIONS)]
    return len(done) - sum(isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print" for node in done)


def body_of(source, name):
    """Return the statements of a function, its docstring left out."""
    function = next(node for node in ast.parse(source).body if getattr(node, "name", "") == name)
    return function.body[1:] if ast.get_docstring(function) else function.body


def read(code, known):
    """Return a cell's syntax tree, and add what its statements define to what is known; one that fails adds nothing.

    ``bank.x``, of a module of the course that holds data, is the name ``bank__x`` there: an argument is a name, too.
    """
    tree = ast.parse(code)
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "attention.chapters"]
    modules = {alias.asname or alias.name for node in imports for alias in node.names}

    class WithNames(ast.NodeTransformer):
        def visit_Attribute(self, node):
            if getattr(node.value, "id", "") in modules:
                return ast.copy_location(ast.Name(f"{node.value.id}__{node.attr}", node.ctx), node)
            return self.generic_visit(node)

    tree = WithNames().visit(tree)
    for statement in tree.body:
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(ast.Module([statement], []), "cell", "exec"), known)
        for module in modules & known.keys():
            known.update({f"{module}__{name}": value for name, value in vars(known[module]).items()})
    return tree


def blocks_of(tree):
    """Yield the lists of statements of a cell: its own, and those in its functions and loops. Imports are left out."""
    for node in ast.walk(tree):
        for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(block, list):
                yield [one for one in block if not isinstance(one, ast.Import | ast.ImportFrom)]


def names(*nodes, context=ast.Load):
    """Return the names that are read or, with ast.Store, given a value, in order."""
    every = (node for root in nodes for node in ast.walk(root) if isinstance(node, ast.Name))
    return list(dict.fromkeys(node.id for node in every if isinstance(node.ctx, context)))


def called(*nodes):
    """Return the names of the functions and methods that are called."""
    functions = (node.func for root in nodes for node in ast.walk(root) if isinstance(node, ast.Call))
    return {getattr(function, "id", getattr(function, "attr", "")) for function in functions}


# As it is written.


def written(block, body):
    """Yield the runs of a block that are a solution's statements."""
    wanted, size = as_written(body), len(body)
    runs = (block[first : first + size] for first in range(len(block) - size + 1))
    yield from (run for run in runs if as_written(run) == wanted)


def as_written(statements):
    """Return statements as text: variables have numbers for names, and the last is what it comes to."""
    functions, numbers = called(*statements), {}

    class Numbered(ast.NodeTransformer):
        def visit_Name(self, node):
            is_known = node.id in functions or node.id == "np" or hasattr(builtins, node.id)
            return node if is_known else ast.Name(numbers.setdefault(node.id, f"v{len(numbers)}"), node.ctx)

        def visit_AnnAssign(self, node):
            return self.visit(ast.Assign([node.target], node.value or ast.Constant(None), lineno=0))

    *before, last = [ast.parse(ast.unparse(one)) for one in statements]  # copies, without types and comments
    last = ast.Expr(last.body[0].value) if isinstance(last.body[0], SIMPLE) else last
    return "\n".join(ast.unparse(Numbered().visit(one)) for one in (*before, last))


# By its answers.


@dataclass
class Run:
    """Statements, and the expression that they lead to."""

    statements: list
    value: ast.expr

    @property
    def operations(self):
        """How many it has."""
        return operations(*self.statements, self.value)

    def inputs(self):
        """Return the names that it reads before it gives them a value, in order."""
        own, found = set(called(*self.statements, self.value)) | set(dir(builtins)) | {"np"}, []
        for part in (*self.statements, self.value):
            given = names(part, context=ast.Store)
            inside = () if isinstance(part, (*SIMPLE, ast.AugAssign)) else given  # a loop's, a comprehension's
            read_here = [*names(part), *(given if isinstance(part, ast.AugAssign) else ())]
            found += [name for name in read_here if name not in own and name not in inside and name not in found]
            own |= set(given)
        return found

    def function(self, inputs, known):
        """Return it as a function of its inputs; None if it is none, such as half of a loop."""
        arguments = ast.arguments([], [ast.arg(name) for name in inputs], None, [], [], None, [])
        body = [*self.statements, ast.Return(self.value)]
        definition = ast.FunctionDef("run", arguments, body, [], lineno=0)
        try:
            exec(ast.unparse(ast.fix_missing_locations(definition)), space := dict(known))
        except SyntaxError:
            return None
        return space["run"]


def runs_to(block, last):
    """Yield lists of runs that end with the same statement, the shortest first: one for each value that it comes to."""
    statement = block[last]
    if isinstance(statement, SIMPLE):
        values = [node for node in ast.walk(statement) if isinstance(node, (*OPERATIONS, ast.Tuple))]
        ends = [([], node) for node in values if isinstance(getattr(node, "ctx", ast.Load()), ast.Load)]
    else:
        ends = [([statement], ast.Name(name, ast.Load())) for name in names(statement, context=ast.Store)]
    filled = [node.value for node in ast.walk(statement) if isinstance(getattr(node, "ctx", None), ast.Store)
              and isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)]  # fmt: skip
    ends += [([statement], node) for node in filled]
    for first in range(last, max(-1, last - LONGEST), -1):
        yield block[first : last + 1], [Run([*block[first:last], *end], value) for end, value in ends]


def answering(block, exercise, known):
    """Yield the runs of a block that answer an exercise's worked examples: for each last statement the shortest.

    Runs that take long, such as a training, answer nothing, and neither do longer ones with the same last statement.
    """
    examples = [one for one in questions_of(exercise, 0) if one.is_example and not one.right.error]
    for last in range(len(block)):
        with contextlib.suppress(Endless):
            for statements, runs in runs_to(block, last):
                right = [run for run in runs if answers(run, exercise, examples, known)]
                if right:
                    yield from [statements] if min(run.operations for run in right) > USE else []
                    break


def answers(run, exercise, examples, known):
    """Say whether a run is right on all examples, with some of its inputs as the exercise's arguments."""
    if not examples or exercise.name in called(*run.statements, run.value):
        return False
    inputs = run.inputs()
    function = run.function(inputs, known)
    return function is not None and any(
        all(is_right(function, inputs, order, question, exercise, known) for question in examples)
        for order in orders(inputs, arguments_of(exercise, examples))
    )


def arguments_of(exercise, examples):
    """Return the arguments that examples give, and whether each is a single number, which a run may have as its own."""
    bind = inspect.signature(exercise.reference).bind
    given = [bind(*one.case.args, **one.case.kwargs).arguments for one in examples]
    every = dict.fromkeys(name for one in given for name in one)
    return {name: all(isinstance(one.get(name, 0), int | float) for one in given) for name in every}


def orders(inputs, arguments):
    """Yield {input: argument}: a name that both have is the same; the others in any order, if not in too many."""
    same = {name: name for name in arguments if name in inputs}
    free = [name for name in inputs if name not in same]
    left = [name for name in arguments if name not in same]
    for some in dict.fromkeys((tuple(left), tuple(name for name in left if not arguments[name]))):
        if (same or some) and perm(len(free), len(some)) <= MOST_ORDERS:
            for order in permutations(free, len(some)):
                yield same | dict(zip(order, some, strict=True))


def is_right(function, inputs, order, question, exercise, known):
    """Say whether a run's function answers a question, with its inputs in an order; the others are as in the cell."""
    signature = inspect.signature(exercise.reference)
    others = {name: known[name] for name in inputs if name not in order and name in known}

    def answer(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return function(**others, **{name: bound.arguments[wanted] for name, wanted in order.items()})

    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        answered = question.answered(reply_in_time(answer, question.case, SECONDS))
    return not problem(answered.answer, answered.right, answered.case.args, exercise.rule, exercise.returns)
