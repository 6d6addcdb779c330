"""What is handed out with an assignment answers no exercise of another: asked of the judge, not of a list."""

import ast
import inspect
import json
import re
import runpy
import sys

import numpy as np
import pytest

from attention.exercises import fused, translator
from attention.exercises.given_functions import GIVEN
from autograder.diagnosis.judge import judge
from autograder.diagnosis.questions import reply_of

SEED = 11
PUBLIC = re.compile(r"\(public\)=\n(.*?)\n## ", re.DOTALL)  # what the page for instructors says first
HANDED_OUT = re.compile(r"chapter (\d+) (?:contains )?((?:`\w+`(?:, | and )?)+)")


@pytest.fixture(scope="module")
def exercises(published):
    """Every exercise of the course by name."""
    assignments = [published.assignment(chapter) for chapter in published.chapters()]
    return {name: exercise for assignment in assignments for name, exercise in assignment.exercises.items()}


@pytest.fixture(scope="module")
def chapter_of(published):
    """The chapter of every exercise, by the exercise's name."""
    return {name: chapter for chapter in published.chapters() for name in published.assignment(chapter).exercises}


def functions_in(text):
    """Return all functions of a text, inner ones and lambdas too."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.Lambda))]


def name_of(function):
    """Return a function's name."""
    return getattr(function, "name", "a lambda")


def arguments_of(function):
    """Return the names of a function's arguments."""
    return [one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)]


def pasted(function, name, around):
    """Return what a function becomes when its text is pasted under another name, among what is around."""
    if isinstance(function, ast.Lambda):
        text = f"{name} = {ast.unparse(function)}"
    else:
        text = ast.unparse(ast.FunctionDef(**{**vars(function), "name": name, "decorator_list": []}))
    space = dict(around)
    exec(f"from __future__ import annotations\n{text}", space)
    return space[name]


def points(exercise, function):
    """Return the points that a function gets; none, without another look, where every example ends with an error."""
    if all(reply_of(function, case).answer.error for case in exercise.examples):
        return 0
    return judge(exercise, SEED, [reply_of(function, case) for _, case in exercise.questions(SEED)]).score


def answered(text, around, exercises):
    """Return what the functions of a text earn points for under an exercise's name: {(function, exercise)}."""
    return {
        (name_of(function), name)
        for function in functions_in(text)
        for name, exercise in exercises.items()
        if points(exercise, pasted(function, name, around))
    }


@pytest.mark.parametrize(
    "file", ["12_inference/translator.py", "12_inference/writer.py", "13_gpt/gpt2.py", "13_gpt/own_text.py"]
)
def test_no_function_beside_a_notebook_earns_a_point_under_another_name(root, exercises, monkeypatch, file):
    """Pasted alone, and with everything else of its file at hand, none is an answer of any exercise."""
    path = root / "exercises" / file
    monkeypatch.syspath_prepend(path.parent)
    monkeypatch.delitem(sys.modules, "selfcheck", raising=False)
    text = path.read_text(encoding="utf-8")
    for around in ({"np": np}, runpy.run_path(str(path), run_name=path.stem)):
        assert answered(text, around, exercises) == set()


SHORT = {"softmax", "masked_softmax", "causal_mask"}  # three lines each, of which the page says so


def test_what_stands_in_for_a_piece_is_no_answer_elsewhere(exercises):
    """The functions that the file makes, where the first argument fits: they know one model's widths and heads."""
    earned = set()
    for piece, (_, names) in fused.FUSED.items():
        function = fused.stand_in(piece, {}, translator.WIDTH, translator.HEADS)
        first = names.split()[0]
        fitting = [one for one in exercises.values() if one.signature["arguments"][0][0] == first]
        earned |= {one.name for one in fitting if points(one, function)}
    assert earned <= SHORT


def test_no_file_beside_a_notebook_has_a_function_of_an_exercises_name_or_arguments(root, exercises):
    """Two arguments or more of the same names would be the exercise's own interface."""
    interfaces = {name: [name for name, *_ in one.signature["arguments"]] for name, one in exercises.items()}
    files = sorted({path.resolve() for path in root.glob("exercises/*/*.py")})
    assert {path.name for path in files} == {"gpt2.py", "own_text.py", "selfcheck.py", "translator.py", "writer.py"}
    functions = [one for path in files for one in functions_in(path.read_text(encoding="utf-8"))]
    assert not {name_of(one) for one in functions} & interfaces.keys()
    lists = [names for names in interfaces.values() if len(names) > 1]
    assert [name_of(one) for one in functions if arguments_of(one) in lists] == []


@pytest.mark.parametrize("written", ["{source}", "def outer():\n    pass\n    {inner}", "TABLE = {{'a': {short}}}"])
def test_an_answer_is_seen_under_any_name_wherever_it_is_defined(exercises, written):
    """On the top level, in another function, as a lambda in a table: the judge finds it."""
    source = inspect.getsource(GIVEN["feed_forward"]).replace("feed_forward", "think")
    inner = source.replace("\n", "\n    ")
    short = "lambda a, b, c, d, e: np.maximum(0.0, a @ b + c) @ d + e"
    text = written.format(source=source, inner=inner, short=short)
    assert {exercise for _, exercise in answered(text, {"np": np}, exercises)} == {"feed_forward"}


def test_a_notebook_hands_out_earlier_chapters_functions_alone_and_the_page_names_them(root, exercises, chapter_of):
    """What locked cells define answers at most exercises of chapters before; instructors.md has exactly these."""
    given = {}
    for path in sorted(root.glob("exercises/*/*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code" and not cell["metadata"]["nbgrader"]["solution"]]
        texts = ["".join(cell["source"]) for cell in code]
        around = {"np": np} | {name: GIVEN[name] for text in texts for name in GIVEN if f"def {name}(" in text}
        names = {name for text in texts for _, name in answered(text, around, exercises)}
        assert all(chapter_of[name] < path.stem for name in names)
        given |= {path.stem[:2]: names} if names else {}
    (said,) = PUBLIC.findall((root / "book/instructors.md").read_text(encoding="utf-8"))
    named = {f"{int(number):02}": set(re.findall(r"`(\w+)`", names)) for number, names in HANDED_OUT.findall(said)}
    assert named == given
