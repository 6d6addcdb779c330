"""One submission per outcome, on the mini course."""

import json
from dataclasses import replace

import nbformat
import pytest

from autograder.classroom.forgeries import FORGERIES, forge
from autograder.errors import InfrastructureError
from autograder.grading.result import Result
from autograder.sandbox import Calls, Sandbox
from tests.support.patience import LONG, brief

CANARIES = ("CANARY-REFERENCE", "CANARY-HIDDEN", "CANARY-UNSEEN", "CANARY-SOLUTION")

OUTCOMES = {
    "right": ("def double(x):\n    return x + x", "graded", 10, None, "Right."),
    "squared": ("def double(x):\n    return x ** 2", "graded", 0, "squared", "The number was squared."),
    "half right": ("def double(x):\n    x *= 2\n    return x", "graded", 9, None, "changes an array that it was given"),
    "unknown mistake": ("def double(x):\n    return 3 * x", "graded", 0, None, "`twice` is the right answer plus `x`"),
    "nothing": ("def double(x):\n    2 * x", "graded", 0, None, "is a `return` missing?"),
    "object": ("def double(x):\n    return object()", "graded", 0, None, "`twice` is an object"),
    "stub": ("def double(x):\n    raise NotImplementedError()", "not_attempted", 0, None, "Not attempted yet"),
    "raises": ("def double(x):\n    return x + missing", "error", 0, None, "name 'missing' is not defined (in line 2"),
    "syntax": (
        "def double(x:\n    return x",
        "error",
        0,
        None,
        "a line of its cell fails with SyntaxError: '(' was never closed (line 1).",
    ),
    "foreign package": (
        "import scipy\ndef double(x):\n    return scipy.special.exp2(1) * x",
        "error",
        0,
        None,
        "`scipy.special.exp2` is missing here",
    ),
    "foreign package that is not used": (
        "import scipy\ndef double(x):\n    return x + x",
        "graded",
        10,
        None,
        "Right.",
    ),
    "deleted": ("", "error", 0, None, "no cell defines it"),
    "renamed": ("def Double(x):\n    return x + x", "error", 0, None, "its cell defines `Double`, not `double`."),
    "written to a file": (
        "%%writefile a.py\ndef double(x):\n    return 1",
        "error",
        0,
        None,
        "begins with `%%writefile`",
    ),
    "timed": ("%%timeit\ndef double(x):\n    return x + x", "error", 0, None, "begins with `%%timeit`"),
    "taken away": (
        "def double(x):\n    return x\ndel double",
        "error",
        0,
        None,
        "line of the notebook takes it away",
    ),
    "in a class": ("class A:\n    def double(x):\n        return x + x", "error", 0, None, "defines it indented"),
    "endless call": ("def double(x):\n    while True: pass", "time_limit", 0, None, "a loop that never ends"),
    "endless cell": ("while True: pass", "time_limit", 0, None, "a loop that never ends"),
    "memory": ("def double(x):\n    return np.ones((10**6, 10**5))", "memory_limit", 0, None, "too much memory"),
    "exit": ("def double(x):\n    import os; os._exit(0)", "crashed", 0, None, "Python itself ended"),
    "flood": ("while True: print('grass' * 1000)", "output_limit", 0, None, "printed far too much"),
    "number subclass": (
        "class Yes(float):\n    __eq__ = __le__ = lambda self, other: True\ndef double(x):\n    return Yes(0)",
        "graded",
        0,
        None,
        "`twice` has shape `()`",
    ),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_each_outcome_has_its_status_points_and_words(grade, answered, name):
    """Status, points, mistake and message of one submission per outcome."""
    source, status, score, mistake, words = OUTCOMES[name]
    result = grade(answered(source), brief() if status == "time_limit" else LONG)
    (verdict,) = result.verdicts
    assert (result.status, result.score, verdict.mistake) == (status, score, mistake)
    assert words in verdict.message


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forgeries_get_nothing(grade, notebook, forgery):
    """The tricks that give full marks where tests run beside the answers give 0 here."""
    result = grade(forge(notebook, forgery))
    assert result.score == 0
    assert result.status in ("graded", "error", "tampered", "crashed")


def test_a_memorised_example_gets_nothing(grade, answered):
    """Knowing the visible answer is not knowing how."""
    assert grade(answered("def double(x):\n    return np.array([4.0, 6.0])")).score == 0


def test_tampered_work_is_graded_all_the_same(grade, answered):
    """Altered points are put back, the status says so, and the marks are those of the answer."""
    notebook = answered()
    notebook.cells[3].metadata.nbgrader.points = 1000
    result = grade(notebook)
    assert (result.status, result.score, result.max_score) == ("tampered", 10, 10)
    assert result.tampered == ("test_double: points changed",)


def test_the_function_is_asked_when_its_test_runs(grade, answered):
    """What a later cell does to the function, or to Python, comes too late."""
    notebook = answered()
    notebook.cells.append(nbformat.v4.new_code_cell("def double(x): return None\nimport os; os._exit(1)"))
    assert grade(notebook).score == 10


def test_a_crash_before_costs_only_itself(grade, answered):
    """An added cell that ends Python does not cost the answer below it."""
    notebook = answered()
    notebook.cells.insert(2, nbformat.v4.new_code_cell("import os; os._exit(1)"))
    assert grade(notebook).score == 10


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("while True: pass", "time_limit"),
        ("return np.ones((10**6, 10**5))", "memory_limit"),
        ("return 0", "graded"),
        ("return x + x", "graded"),
    ],
    ids=["loop", "memory", "wrong", "right"],
)
def test_what_used_up_its_limits_is_not_asked_again(grade, answered, monkeypatch, source, status):
    """A loop and a memory hog cost one run; a wrong answer is asked again in a separate copy, a right one is not.

    One that no list names is asked there last of all what everybody is asked.
    """
    asked = []
    run = Sandbox.run

    def recorded(box, step):
        asked.extend([step.alone] if isinstance(step, Calls) else [])
        return run(box, step)

    monkeypatch.setattr(Sandbox, "run", recorded)
    result = grade(answered(f"def double(x):\n    {source}"), brief() if status == "time_limit" else LONG)
    assert (result.status, result.ran_late) == (status, False)
    wanted = {"return 0": [False, True, True, True], "return x + x": [False, False]}
    assert asked == wanted.get(source, [False])


def test_an_unreadable_file_is_a_result(grade):
    """A broken file is an invalid submission with a reason, not an exception."""
    result = grade(b'{"cells": [')
    assert (result.status, result.score, result.verdicts) == ("invalid_submission", 0, ())
    assert "broken JSON" in result.message


def test_our_own_failure_is_never_a_zero(grade, answered, monkeypatch):
    """When the sandbox fails twice, the result says infrastructure; when it fails once, nobody notices."""
    starts = []
    start = Sandbox.start

    def failing(times):
        def run(self):
            starts.append(1)
            if len(starts) <= times:
                raise InfrastructureError("no memory for a sandbox")
            return start(self)

        return run

    monkeypatch.setattr(Sandbox, "start", failing(1))
    assert grade(answered()).score == 10
    starts.clear()
    monkeypatch.setattr(Sandbox, "start", failing(2))
    result = grade(answered())
    assert (result.status, result.message) == ("infrastructure", "no memory for a sandbox")


def test_json_has_the_promised_shape(grade, answered):
    """The fields that other programs read, and nothing hidden in them."""
    data = json.loads(json.dumps(grade(answered(OUTCOMES["squared"][0])).as_dict()))
    assert set(data) == {"assignment", "status", "score", "max_score", "tampered", "message", "notes", "exercises"}
    (exercise,) = data["exercises"]
    assert set(exercise) == {"name", "status", "score", "points", "mistake", "message", "criteria", "told_by", "above"}
    assert set(exercise["criteria"][0]) == {"name", "passed", "message"}
    assert not [canary for canary in CANARIES if canary in json.dumps(data)]


def test_a_saved_result_is_rebuilt(grade, answered):
    """What is written as JSON and read again gives the same JSON, with every field in place."""
    result = grade(answered(OUTCOMES["squared"][0]))
    record = json.loads(json.dumps(result.as_record()))
    again = Result.from_dict(record)
    assert again.as_record() == record
    assert [replace(verdict, faults=()) for verdict in result.verdicts] == list(again.verdicts)


HUNT = """
import gc, glob, os, sys
seen = [str(gc.get_objects())[:2_000_000], str(dict(os.environ)), str(sys.argv), str(sys.modules)]
for path in [path for place in ('/sandbox', '/tmp/work', '/proc/[0-9]*') for path in glob.glob(place + '/*')]:
    try:
        seen.append(open(path, errors='replace').read(1_000_000))
    except OSError:
        pass
frame = sys._getframe()
while frame:
    seen.append(str(frame.f_locals)[:100_000])
    frame = frame.f_back
words = 'REFERENCE', 'HIDDEN', 'UNSEEN', 'SOLUTION'
found = [word for word in words if any('CANARY-' + word in text for text in seen)]
print('found', found)
def double(x):
    return x + x
"""


def test_hunting_finds_nothing_hidden(grade, answered):
    """Memory, frames, files, processes and environment hold none of the canaries of the hidden side."""
    result = grade(answered(HUNT))
    printed = "".join(output.get("text", "") for ran in result.cells for output in ran.outputs)
    assert "found []" in printed


def test_what_was_asked_cannot_be_shown(grade, answered):
    """A shape made of an unseen input is not repeated."""
    source = (
        "def double(x):\n    if x.ndim == 1 or not x.size: return x + x\n"
        "    return np.zeros((0, abs(int(x.ravel()[0] * 1e6)) + 1000, 7))"
    )
    verdict = grade(answered(source)).verdicts[0]
    (unseen,) = [criterion for criterion in verdict.criteria if criterion.name == "agrees on unseen inputs"]
    assert unseen.message == "`twice` has too many axes: follow the shapes line by line."
