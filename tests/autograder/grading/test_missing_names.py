"""A message names the line that a failure comes from."""

import re
import sys
from dataclasses import replace
from time import process_time

import nbformat
import pytest

from attention.exercises.query_key_value.attention import EXERCISE
from autograder.diagnosis.judge import unanswered
from autograder.grading import missing_names
from autograder.grading.rebuild import Rebuilt, RebuiltCell
from autograder.grading.result import Ran
from tests.support.hand_in import RIGHT, cell_of
from tests.support.patience import LONG, brief

CALLS_HELPER = "def double(x):\n    return helper(x)"
HELPER = "def helper(x):\n    return x + x"


def words(result):
    """Return the message on the one exercise."""
    return result.verdicts[0].message


def with_cell(notebook, source, place=2):
    """Put a cell of the student's own somewhere, and return the notebook."""
    notebook.cells.insert(place, nbformat.v4.new_code_cell(source))
    return notebook


@pytest.mark.parametrize("answer", [CALLS_HELPER, "double = helper"])
def test_a_name_that_a_stopped_cell_would_have_defined_names_the_cell(grade, answered, answer, monkeypatch):
    """The cell, its line and why it was stopped are beside Python's message."""
    monkeypatch.setattr("autograder.sandbox.host.remote_process.GRACE_SECONDS", LONG)
    seconds = brief()
    result = grade(with_cell(answered(answer), "n = 1\nhelper = max(0 for n in iter(int, 1))"), step_seconds=seconds)
    assert "name 'helper' is not defined" in words(result)
    assert re.search(r"code cell 2, which defines it, was stopped after [\d.]+ s at `helper = max\(", words(result))


def test_a_name_that_a_failed_cell_would_have_defined_names_the_line(grade, answered):
    """The line on which the cell stops, and its error."""
    result = grade(with_cell(answered(CALLS_HELPER), f"1 / 0\n{HELPER}"))
    assert "code cell 2, which defines it, stops at `1 / 0` with ZeroDivisionError: division by zero" in words(result)


def test_a_line_lost_from_the_setup_cell_is_named(grade, answered):
    """A locked cell is put back; where its lost import is missed, the message quotes it."""
    notebook = answered("def double(x):\n    return math.floor(2) * x")
    cell_of(notebook, "setup").source += "\nimport math"
    result = grade(notebook)
    assert result.tampered == ("setup: text changed, without your `import math`",)
    assert "`import math` was in the cell `setup`, which is locked and was restored" in words(result)


def test_a_name_that_nothing_defines_is_called_one(grade, answered):
    """It was in the kernel's memory alone, and the remedy shows the student the same."""
    message = words(grade(with_cell(answered(CALLS_HELPER), "1 / 0")))
    assert "no cell defines it: restart the kernel" in message


def test_a_name_that_is_defined_below_names_the_cell(grade, answered):
    """It exists once all cells have run, and not yet where the test is."""
    notebook = with_cell(answered(CALLS_HELPER), HELPER, place=5)
    number = [cell.source for cell in notebook.cells if cell.cell_type == "code"].index(HELPER) + 1
    assert f"code cell {number} defines it, below" in words(grade(notebook))


def test_a_line_of_another_cell_is_told_as_such(grade, answered):
    """An error that a helper raises has the helper's line, and the answer's cell has other lines."""
    message = words(grade(with_cell(answered(CALLS_HELPER), "def helper(x):\n    return {}['zebra']")))
    assert message.endswith("The error is raised in line 2 of another cell, `return {}['zebra']`.")


def test_a_definition_below_the_test_is_told(grade, answered):
    """The one above is graded; where that costs points, the message says that there is another."""
    notebook = with_cell(answered("def double(x):\n    return x"), RIGHT, place=4)
    assert words(grade(notebook)).endswith(
        "There is another definition of `double` below its test; the one above the test was graded."
    )
    assert words(grade(with_cell(answered(), "def double(x): return None", place=4))) == "Right."
    only = words(grade(with_cell(answered(""), RIGHT, place=4)))
    assert only.endswith("no cell defines it. `double` is defined only below its test: move that above the test.")


def test_a_line_that_was_passed_over_did_not_stop_its_cell(grade, answered):
    """Where the function is missing all the same, the message does not call the line the cell's end."""
    message = words(grade(answered("n = open('weights.txt')\ndef duoble(x): return x")))
    assert "a line of its cell fails with FileNotFoundError" in message


def test_a_right_answer_says_what_was_passed_over_and_what_is_left(grade, answered):
    """In its own cell, and in cells that were added; it keeps its points."""
    notebook = answered("1 / 0\n" + RIGHT.replace("return", "breakpoint(); return"))
    result = grade(with_cell(notebook, "x = 1\nexit()\nopen('weights.txt')"))
    assert result.score == 10
    message = words(result)
    assert "Line 1, `1 / 0`, failed here and was passed over (ZeroDivisionError" in message
    assert "A debugger is left in line " in message
    assert ["line 3, `open(" in note or "line 2, `exit()`" in note for note in result.notes] == [True, True]


def test_an_error_of_ones_own_keeps_its_name(grade, answered):
    """In a worked example, whose inputs everybody may see; its cause is named as NumPy or the student named it."""
    assert "LinAlgError" in words(grade(answered("def double(x):\n    return np.linalg.inv(np.zeros((2, 2)))")))
    own = "class TooSmall(Exception): pass\ndef double(x):\n    raise TooSmall"
    assert "Raises TooSmall in line 3" in words(grade(answered(own)))


def test_a_loop_in_an_answer_is_told_with_its_line(grade, answered):
    """The line at which it was stopped, in a worked example."""
    source = "def double(x):\n    n = 1\n    while True:\n        n = n"
    result = grade(answered(source), step_seconds=brief())
    assert result.verdicts[0].status == "time_limit"
    assert re.search(r"in line [34], `(while True:|n = n)`", words(result))


def test_a_name_that_this_pythons_modules_lack_names_the_version(grade, answered):
    """What a newer Python has, or none: the message says which one grades."""
    message = words(grade(answered("import math\ndef double(x):\n    return math.nosuch(x)")))
    assert f"it is graded with Python {sys.version_info[0]}.{sys.version_info[1]}" in message


def test_a_function_from_a_file_of_ones_own_is_told_as_such(grade, answered):
    """What was saved from earlier chapters is not handed in."""
    source = "from my_attention import softmax\ndef double(x):\n    return softmax(x)"
    assert "copy the function" in words(grade(answered(source)))


def test_a_newer_pythons_grammar_names_both_versions(grade, answered):
    """By what the notebook says of itself; an answer that every Python refuses gets no such sentence."""
    newer = answered("def double(x: list[int])[T]:\n    return 2 * x")
    newer.metadata["language_info"] = {"name": "python", "version": "3.99.1"}
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert f"it is graded with Python {here}, and was written with Python 3.99" in words(grade(newer))
    assert "was written with" not in words(grade(answered("def double(x:\n    return 2 * x")))


def test_a_long_line_is_looked_at_in_part():
    """What takes a name away is found in its line, and a hundred thousand characters cost the grader no minute."""
    source = "def double(x): return x\n# " + "del " * 50_000
    answer, own = RebuiltCell("answer", "code", RIGHT, "double"), RebuiltCell("own", "code", source)
    began = process_time()
    assert "takes it away" not in missing_names.Explainer(Rebuilt(()), [Ran(answer), Ran(own)]).instead("double")
    assert process_time() - began < 5
    own = RebuiltCell("own", "code", "x = 1\ndel x, double")
    assert "takes it away" in missing_names.Explainer(Rebuilt(()), [Ran(answer), Ran(own)]).instead("double")


def test_texts_put_back_are_told_and_are_not_tampering(grade, answered):
    """A text that was changed, or was not there, changes neither status nor mark."""
    notebook = answered()
    notebook.cells[0].source = "# Exercises of Ada"
    result = grade(notebook)
    assert (result.status, result.score, result.tampered) == ("graded", 10, ())
    assert result.message == "Texts of the course were restored, which changes no mark: title: text changed."


@pytest.mark.parametrize(
    ("line", "defines"),
    [
        ("def f(x): return g", True),
        ("async def f(): pass", True),
        ("    class f:", False),
        ("f = 1", True),
        ("a, f = 1, 2", True),
        ("(a, f) = 1, 2", True),
        ("f: int = 1", True),
        ("f += 1", True),
        ("import g as f", True),
        ("import f", True),
        ("from g import h, f", True),
        ("for f in range(3):", True),
        ("with open(g) as f:", True),
        ("f == 1", False),
        ("f(x)", False),
        ("g(f=1)", False),
        ("f.x = 1", False),
        ("f[0] = 1", False),
        ("x.f = 1", False),
        ("from f import g", False),
        ("from importlib import f", True),
        ("from fimport import g", False),
        ("ff = 1", False),
        ("x" * 300 + "; f = 1", False),
    ],
)
def test_a_line_that_defines_a_name_is_told_from_one_that_uses_it(line, defines):
    """Definitions, imports, assignments and loops define; calls, keywords, attributes and items do not."""
    assert ("f" in missing_names.names_defined({1: line})) is defines


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def attention(q):\n    return softmax(q)", True),
        ("def attention(q):\n    return np.softmax(q)", False),
        ("def attention(q):\n    return q", False),
    ],
)
def test_a_wrong_function_above_that_a_cell_calls_is_named(source, told):
    """An answer that calls a wrong function is told to fix that first; one that does not call it is not."""
    above, own = replace(unanswered(EXERCISE, "graded", "wrong"), name="softmax"), unanswered(EXERCISE, "graded", "no")
    explainer = missing_names.Explainer(Rebuilt(()), [Ran(RebuiltCell("own", "code", source, "attention"))])
    assert explainer.fault_above(own, [above]) == ("softmax" if told else "")
    assert explainer.fault_above(own, [replace(above, score=above.points)]) == ""
    assert explainer.fault_above(above, []) == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("qury", "did you mean `query`?"),
        ("sqrt", "did you mean `np.sqrt`?"),
        ("zebra", "no cell defines it: restart the kernel and run all cells"),
        ("logs", "did you mean `log`?"),
    ],
)
def test_an_undefined_name_gets_the_nearest_one(name, said):
    """A similar word of the notebook, or NumPy's function of that name, and nothing that is only an attribute."""
    own = RebuiltCell("own", "code", "def f(query):\n    log = query.zebras\n    return log")
    explainer = missing_names.Explainer(Rebuilt((own,)), [Ran(own)])
    assert explainer.why_undefined(("NameError", f"name '{name}' is not defined")) == said
    assert explainer.why_undefined(("ValueError", f"name '{name}' is not defined")) == ""


def test_each_line_is_looked_at_once_however_many_names_are_missed(monkeypatch):
    """A cell of 1009 lines that fails, asked for 307 names and for verdicts, costs 1009 looks and no more."""
    looks = []
    look = missing_names.names_given_by
    monkeypatch.setattr(missing_names, "names_given_by", lambda line: looks.append(line) or look(line))
    own = RebuiltCell("own", "code", "\n".join(f"f{number} = f" for number in range(1009)))
    cells = [Ran(own, status="error"), Ran(RebuiltCell("test", "code", "", "test_attention"))]
    explainer = missing_names.Explainer(Rebuilt((own,)), cells)
    for number in range(307):
        why = explainer.why_undefined(("NameError", f"name 'f{number}' is not defined"))
        assert why == "code cell 1, which defines it, stops"
    for _ in range(3):
        assert explainer.definition_below("attention") == ""
    assert len(looks) == 1009


def test_no_more_code_is_looked_at_than_a_student_writes(monkeypatch):
    """The lines beyond the cap are not read, whichever cell they are in."""
    monkeypatch.setattr(missing_names, "MAX_CODE", 17)
    found = missing_names.names_defined({1: "a = 1\nb = 2\n", 2: "c = 3\nd = 4\n"})
    assert found == {"a": {1: "a = 1"}, "b": {1: "b = 2"}, "c": {2: "c = 3"}}
