"""The host hears of every refused system call, counts it, and never permits one."""

import ast
import select
import stat
from dataclasses import replace

import pytest

from autograder.sandbox import Calls, Cell, Limits
from autograder.sandbox.host import syscalls
from autograder.sandbox.host.refusals import MAX_REFUSALS
from autograder.sandbox.host.sandbox import Sandbox
from tests.support.patience import LONG, seconds

LIMITS = Limits(**seconds(LONG))
# To try a call without doing anything: the kernel would answer -1 as a descriptor or process with another error.
TRY = f"""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def refused(name, times=1):
    number = {{"ptrace": {syscalls.number_of("ptrace")}, "mount": {syscalls.number_of("mount")}}}[name]
    for _ in range(times):
        ctypes.set_errno(0)
        libc.syscall(number, *[ctypes.c_long(-1)] * 5)
    return ctypes.get_errno()
"""
EPERM, ENOSYS = 1, 38


@pytest.fixture
def box():
    """A sandbox that has started, and a notebook in it that can try refused calls."""
    with Sandbox(LIMITS) as box:
        box.start().run(Cell(TRY))
        yield box


def printed(box, source):
    """Run a cell and return what it printed."""
    outcome = box.run(Cell(source))
    assert outcome.completed, outcome
    return "".join(output.get("text", "") for output in outcome.outputs).strip()


def test_refused_calls_are_counted_by_name(box):
    """Those of a cell, of a process that it starts, and of a function."""
    assert printed(box, "print(refused('ptrace', 3))") == str(EPERM)
    printed(box, "if os.fork() == 0:\n    refused('mount', 2)\n    os._exit(0)\nos.wait()")
    box.run(Cell("", checkpoint=True))
    (answer,) = box.run(Calls("refused", [(("mount",), {})], 0)).answers
    assert answer.value == EPERM
    assert box.refused == {"ptrace": 3, "mount": 3}


def test_a_new_notebook_starts_at_nothing(box):
    """Nobody answers for the calls of another."""
    printed(box, "refused('mount')")
    assert box.refused
    assert box.start().refused == {}


def test_honest_work_is_refused_nothing(box):
    """Files and their copies, arrays, a figure and a process with a pipe get along with the list."""
    printed(
        box, "import numpy as np, matplotlib.pyplot as plt\nnp.save('x.npy', np.eye(3))\nplt.plot(np.load('x.npy'))"
    )
    printed(
        box, "import multiprocessing as m\nwith m.get_context('fork').Pool(2) as p:\n    print(p.map(abs, [-2, 3]))"
    )
    printed(box, "import shutil\nshutil.copy2('x.npy', 'y.npy')\nshutil.copytree('.', '/tmp/copy')")
    assert box.refused == {}


def test_a_flood_is_cut_off(box):
    """After so many, the kernel refuses without asking, still refuses, and the notebook goes on."""
    assert printed(box, f"print(refused('ptrace', {MAX_REFUSALS + 7}))") == str(ENOSYS)
    assert box.refused == {"ptrace": MAX_REFUSALS}
    assert printed(box, "print(6 * 7)") == "42"


def test_a_cell_that_costs_the_notebook_keeps_its_count(box):
    """The other cells run again, which doubles nothing."""
    printed(box, "refused('mount', 2)")
    assert box.run(Cell("refused('ptrace')\nos._exit(3)")).crashed
    assert printed(box, "print(5)") == "5"
    assert box.refused == {"mount": 2, "ptrace": 1}


def test_what_waits_for_an_answer_can_be_ended(box):
    """A process that asks while nobody listens waits, and ends with its notebook."""
    printed(box, "if os.fork() == 0:\n    import time\n    time.sleep(0.2)\n    refused('mount')\n    time.sleep(600)")
    (refusals,) = box.refusals
    assert select.select([refusals.listener], [], [], LONG)[0]  # it asks, and waits
    assert box.start().run(Cell("print(7)")).completed


def test_no_notebook_holds_what_decides(box):
    """A process with the descriptor could permit its own calls: no process inside has it."""
    kinds = printed(
        box,
        "import stat\ndef kind(n):\n    try:\n        return stat.S_IFMT(os.fstat(n).st_mode)\n"
        "    except OSError:\n        pass\nprint({kind(n) for n in range(256)} - {None})",
    )
    assert ast.literal_eval(kinds) == {stat.S_IFCHR, stat.S_IFSOCK}  # the kernel's own, such as that one, are none


def test_a_notebook_cannot_listen_to_itself(box):
    """The notebook's own filter, which would ask the notebook about its calls, is refused."""
    number = syscalls.number_of("seccomp")
    assert printed(box, f"print(libc.syscall({number}, 1, 8, None), ctypes.get_errno())") == f"-1 {EPERM}"
    assert box.refused == {"seccomp": 1}


def test_a_kernel_that_asks_nobody_refuses_all_the_same(monkeypatch):
    """Where somebody else is asked already, or the kernel is old, calls are refused, and nobody knows how many."""
    unloadable = replace(syscalls.filters(), asking="")
    monkeypatch.setattr(syscalls, "filters", lambda: unloadable)
    with Sandbox(LIMITS) as box:
        box.start().run(Cell(TRY))
        assert printed(box, "print(refused('ptrace'))") == str(EPERM)
        assert box.refused is None
