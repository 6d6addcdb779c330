"""A statement that fails for a reason of the place costs no more than itself."""

import sys

import pytest

from autograder.sandbox import Cell, Limits
from autograder.sandbox.host.sandbox import CELLS
from tests.support.patience import LONG, brief, hurried, seconds

from .test_sandbox import ask, error

F = "\ndef f(x):\n    return x + 1"


def answer(box, *arguments):
    """Call f once and return its answer."""
    return ask(box, "f", (arguments or (3,), {})).answers[0]


FAILS = {  # what fails, and the lines of the cell that are passed over
    "an error": ("1 / 0", [1]),
    "two errors": ("len(3)\nx = 4\nfoo()", [1, 3]),
    "a stop": ("class Stop(Exception):\n    pass\nraise Stop", [3]),
    "the end of the program": ("raise SystemExit", [1]),
    "an interrupt": ("raise KeyboardInterrupt", [1]),
    "a missing file": ("w = open('weights.txt').read()", [1]),
    "what cannot be compiled": ("return 3", [1]),
    "what cannot be parsed": ("x = = 3", [1]),
    "a block that cannot be parsed": ("try:\n    x = = 3\nfinally:\n    x = 4", [1]),
    "one above a name that begins as else does": ("x = = 3\nelsewhere = 4\nassert elsewhere == 4", [1]),
    "two that cannot be parsed": ("x = = 3\ny = 4\nprint 'y'", [1, 3]),
    "a text with lines at the margin": ("x = = 3\ny = '''\ndef f(x):\n'''", [1]),
    "inside a measured cell": ("%%time\n1 / 0", [2]),
}


@pytest.mark.parametrize("what", FAILS)
def test_what_fails_above_an_answer_is_passed_over(box, what):
    """The function below it is defined, and the lines that failed are told by number."""
    source, lines = FAILS[what]
    outcome = box.run(Cell(source + F, defines="f"))
    assert [one.place.number for one in outcome.passed] == lines
    assert answer(box).value == 4


def test_where_nothing_is_to_be_defined_an_ordinary_error_ends_its_cell(box):
    """As in Jupyter; and below the definition, an error ends the cell that has to define it."""
    assert error(box.run(Cell("x = 1\n1 / 0\nx = 2"))) == ["ZeroDivisionError"]
    box.run(Cell("def f(y):\n    return x\n1 / 0\ndef f(y):\n    return 'old'", defines="f"))
    assert answer(box).value == 1


@pytest.mark.parametrize(
    "line", ["open('w.txt')", "int(input())", "import numpy.nosuch", "x = = 3", "raise OSError('style')"]
)
def test_what_may_fail_only_here_ends_no_cell(box, line):
    """A file, an answer, a module or a grammar that is not here: what follows in a cell of one's own is run."""
    assert error(box.run(Cell(line + F)))
    assert answer(box).value == 4


def test_a_statement_that_is_stopped_ends_no_cell(box):
    """A loop above a function is interrupted, the lines below it run, and the page can name the line."""
    with hurried(box):
        box.forget()
        box.start()
        outcome = box.run(Cell("x = 1\nwhile True:\n    pass\nx = 2" + F))
    (passed,) = outcome.passed
    assert (outcome.time_limit, passed.place.number, passed.seconds) == (True, 2, outcome.seconds)
    assert answer(box).value == 4


DEAF = "if True:\n    import signal\n    signal.signal(signal.SIGINT, signal.SIG_IGN)\n    while True: pass"


@pytest.mark.parametrize("line", [DEAF, "import os; os._exit(0)", "import os; os.kill(os.getpid(), 9)"])
def test_a_statement_that_costs_the_notebook_is_left_out_alone(box, line, monkeypatch):
    """What cannot be interrupted, or ends Python, goes; the statements around it are run again."""
    monkeypatch.setattr("autograder.sandbox.host.remote_process.GRACE_SECONDS", 0.1)
    with hurried(box):
        box.forget()
        box.start()
        outcome = box.run(Cell(f"y = 5\n{line}\nz = 6\ndef f(x):\n    return x + y + z", defines="f"))
    assert not outcome.completed
    assert outcome.place.number == 2
    assert answer(box).value == 14


def test_an_interrupt_of_ones_own_is_no_stop(box):
    """The seconds belong to the line that was stopped, not to one that raises KeyboardInterrupt itself."""
    with hurried(box):
        box.forget()
        box.start()
        outcome = box.run(Cell("raise KeyboardInterrupt\nwhile True: pass" + F, defines="f"))
    assert [one.seconds is None for one in outcome.passed] == [True, False]


def test_no_innocent_statement_is_left_out(box):
    """Which of very many statements ended Python is not known: then nothing of the cell is run."""
    outcome = box.run(Cell("pass\n" * 200 + "import os; os._exit(0)" + F, defines="f"))
    assert (outcome.crashed, outcome.place, box.cells[0].source) == (True, None, "")


def test_the_wait_for_a_deaf_statement_counts(box, monkeypatch):
    """A statement that does not hear the interrupt costs the moment in which it could have."""
    monkeypatch.setattr("autograder.sandbox.host.remote_process.GRACE_SECONDS", 0.7)
    with hurried(box):
        box.forget()
        box.start()
        before = box.seconds_left[CELLS]
        box.run(Cell(DEAF))
        assert before - box.seconds_left[CELLS] >= box.limits.cell_seconds + 0.6


def test_cells_share_their_time_and_what_follows_still_has_a_moment(worker):
    """When a first loop has used it up, a second one gets little, and functions below both are there."""
    worker.limits, before = Limits(**{**seconds(LONG), "cell_seconds": brief()}), worker.limits
    box = worker.start()
    box.run(Cell("while True: pass"))
    second = box.run(Cell("while True: pass" + F, defines="f"))
    worker.limits = before
    assert [one.seconds for one in second.passed] == [Limits().late_seconds]
    assert answer(box).value == 4


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python can parse it")
def test_a_newer_pythons_grammar_is_passed_over(box):
    """Outside the function, Python 3.12's type parameters and quotes in f-strings cost nothing."""
    source = 'def first[T](items: list[T]) -> T:\n    return items[0]\nprint(f"{d["a"]}")\n'
    assert len(box.run(Cell(source + F, defines="f")).passed) == 2
    assert answer(box).value == 4


def test_annotations_are_not_evaluated(box):
    """A name that is defined further down, or nowhere, may stand in them, as in Python 3.14."""
    outcome = box.run(Cell("def f(x: Matrix) -> 'also'[0:1]:\n    return x"))
    assert (error(outcome), answer(box).value) == ([], 3)


def test_what_the_last_line_gives_is_shown(box):
    """The last expression of a cell, or every one where the notebook asks for that."""

    def shown(source):
        return [one["data"]["text/plain"] for one in box.run(Cell(source)).outputs]

    assert shown("1\n2") == ["2"]
    assert shown("get_ipython().ast_node_interactivity = 'all'") == []
    assert shown("3\n4") == ["3", "4"]
