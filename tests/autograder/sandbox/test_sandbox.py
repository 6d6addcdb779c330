"""Start, run, stop: each way of ending is a separate fact, and costs one step alone."""

import ast
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest

from autograder.errors import InfrastructureError, SandboxUnavailable
from autograder.sandbox import Calls, Cell, Limits, Sandbox, level
from autograder.sandbox.host import bubblewrap
from autograder.sandbox.host.outcome import ERRORS
from autograder.step_table import StepTable
from tests.support.patience import LONG, brief, hurried, seconds

LIMITS = Limits(**seconds(LONG), output_bytes=200_000)


@pytest.fixture(scope="module")
def worker():
    """One warm worker for all notebooks of this module: every test leaves it usable."""
    with Sandbox(LIMITS, files={"note.txt": "the hungry lion"}, warm=["import json\nwarm = 1"]) as worker:
        yield worker


@pytest.fixture
def box(worker):
    """A new notebook in that worker."""
    return worker.start()


@pytest.fixture
def grace(monkeypatch):
    """Long seconds for an interrupted cell to say where it hung."""
    monkeypatch.setattr("autograder.sandbox.host.remote_process.GRACE_SECONDS", LONG)


def text(outcome):
    """What a cell printed."""
    return "".join(output["text"] for output in outcome.outputs if output["output_type"] == "stream")


def ask(box, name, *calls):
    """Hold the notebook as it is, and call a function of it."""
    assert box.run(Cell("", checkpoint=True)).completed
    return box.run(Calls(name, list(calls), sum(cell.checkpoint for cell in box.cells) - 1, alone=True))


def test_a_text_of_numpy_comes_back_as_a_text(box):
    """np.where returns an array with one text: the judge sees the text."""
    box.run(Cell("import numpy as np\ndef f(x):\n    return np.where(x > 0, 'up', 'down')"))
    assert [answer.value for answer in ask(box, "f", ((1,), {}), ((-1,), {})).answers] == ["up", "down"]


def error(outcome):
    """The name of the error that a cell ended with."""
    return [output["ename"] for output in outcome.outputs if output["output_type"] == "error"]


def test_cells_share_a_notebook(box):
    """What one cell defines, the next one sees; the last value and prints are kept in order."""
    assert box.run(Cell("lion = 3")).completed
    outcome = box.run(Cell("print('grass')\nlion + 4"))
    assert [output["output_type"] for output in outcome.outputs] == ["stream", "execute_result"]
    assert (text(outcome), outcome.outputs[1]["data"]["text/plain"]) == ("grass\n", "7")


def test_files_are_there(box):
    """Files given at the start are in the working folder."""
    assert text(box.run(Cell("print(open('note.txt').read())"))) == "the hungry lion\n"


def test_an_error_keeps_its_traceback(box):
    """A cell that raises has completed; the error is among its outputs, without colours."""
    outcome = box.run(Cell("def tall():\n    return 1 / 0\ntall()"))
    assert outcome.completed
    assert error(outcome) == ["ZeroDivisionError"]
    assert "----> 2     return 1 / 0" in "\n".join(outcome.outputs[0]["traceback"])
    assert "\x1b" not in str(outcome.outputs)


def test_calls_answer_with_data(box):
    """Values, errors and changed arguments come back; our arrays do not change."""
    box.run(Cell("count = 0\ndef f(x, n=1):\n    global count\n    count += 1\n    x *= n\n    return x.sum(), count"))
    x = np.arange(6.0).reshape(2, 3)
    outcome = ask(box, "f", ((x,), {"n": 2}), ((x,), {}), ((7,), {}))
    first, second, third = outcome.answers
    assert (first.value, second.value) == ((30.0, 1), (15.0, 2))
    np.testing.assert_array_equal(first.arguments[0], 2 * np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(x, np.arange(6.0).reshape(2, 3))
    assert third.error[0] == "AttributeError"
    assert (third.place.number, third.place.text) == (6, "return x.sum(), count")


def test_a_step_is_rebuilt_from_its_table(box):
    """A function crosses as data, answers inside as it does here, and is no changed argument whatever is done to it."""
    step = StepTable(((), (2,), (2, 3)), ((0.0, 1.0), (2.5, -np.inf), (5.0, 7.0)))
    lines = "    object.__setattr__(step, 'rows', ())\n    tokens.append(7)\n    return rows"
    box.run(Cell(f"def f(step, tokens):\n    rows = [step(tokens[:n]) for n in range(4)]\n{lines}"))
    (answer,) = ask(box, "f", ((step, [2, 3, 2]), {})).answers
    np.testing.assert_array_equal(answer.value, [[0, 1], [2.5, -np.inf], [5, 7], [2.5, -np.inf]])
    assert answer.arguments == (step, [2, 3, 2, 7])


def test_a_missing_function_is_said_to_be_missing(box):
    """Asking for a name that no cell defined is neither an error nor a crash."""
    outcome = ask(box, "zebra", ((1,), {}))
    assert outcome.completed
    assert outcome.missing


@pytest.mark.parametrize(
    ("source", "fact"),
    [
        ("while True: pass", "time_limit"),
        (
            "import time\nwhile True:\n    try:\n        time.sleep(60)\n    except BaseException:\n        pass",
            "time_limit",
        ),
        ("import numpy as np\nlarge = np.ones((10**6, 10**5))", "memory_limit"),
        ("while True: print('grass ' * 1000)", "output_limit"),
        ("import os\nos._exit(0)", "crashed"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)", "crashed"),
        ("import ctypes\nctypes.string_at(0)", "crashed"),
    ],
    ids=["loop", "deaf to interrupts", "memory", "output", "exit", "signal", "segmentation fault"],
)
def test_a_bad_cell_costs_itself_alone(box, source, fact):
    """Each end has its own fact, exactly one, and the notebook goes on as if the cell had not been there."""
    box.run(Cell("kept = 'still here'"))
    with hurried(box) if fact == "time_limit" else nullcontext():
        outcome = box.run(Cell(source))
    facts = {
        name
        for name in ("completed", "time_limit", "memory_limit", "output_limit", "crashed")
        if getattr(outcome, name)
    }
    assert facts == {fact}
    assert text(box.run(Cell("print(kept)"))) == "still here\n"


def test_a_cell_that_prepares_the_end_of_later_ones_is_found(box):
    """Where a cell has the next one end Python, both are taken out, and the notebook goes on with what came before."""
    box.run(Cell("kept = 'still here'"))
    box.run(Cell("import os, protocol\nprotocol.send = lambda *message: os._exit(3)"))
    assert box.run(Cell("kept = 'changed'")).crashed
    assert text(box.run(Cell("print(kept)"))) == "still here\n"


def test_an_interrupted_cell_shows_where_it_hung(box, grace):
    """The student sees the line of the loop that did not end."""
    with hurried(box):
        outcome = box.run(Cell("while True:\n    forever = 1"))
    assert error(outcome) == ["KeyboardInterrupt"]


def test_a_call_that_never_returns_is_a_time_limit(box):
    """An endless function costs what was held with it, and no other."""
    box.run(Cell("def f(x):\n    while True: pass\ndef g(x): return x"))
    box.run(Cell("", checkpoint=True))
    with hurried(box):
        assert ask(box, "f", ((1,), {})).time_limit
        assert box.run(Calls("f", [((1,), {})], 1, alone=True)).time_limit
    assert box.run(Calls("g", [((1,), {})], 0)).answers[0].value == 1


def test_a_fork_bomb_is_held(box):
    """Processes multiply up to the limit and no further; the next cell still runs."""
    with hurried(box):  # those that end make room for others: it may take long
        box.run(Cell("import os\nfor _ in range(1000): os.fork()"))
    assert text(box.run(Cell("print('quiet again')"))) == "quiet again\n"


def test_a_forked_cell_answers_once(box):
    """A child that the student's code leaves running has no voice."""
    outcome = box.run(Cell("import os\nif os.fork() == 0:\n    print('child')\nelse:\n    print('parent')"))
    assert text(outcome) in ("child\n", "parent\n")
    assert text(box.run(Cell("print('next')"))) == "next\n"


def test_a_held_notebook_stays_as_it_was(box):
    """A function is asked as it was when the notebook was held, whatever later cells do to it."""
    box.run(Cell("def h(): return 'then'"))
    box.run(Cell("", checkpoint=True))
    box.run(Cell("def h(): return 'now'"))
    box.run(Cell("import os; os._exit(0)"))
    assert text(box.run(Cell("print(h())"))) == "now\n"
    assert box.run(Calls("h", [((), {})])).answers[0].value == "then"


def test_a_hundred_cells_are_no_trouble(box):
    """A notebook may have more cells than the sandbox may have processes."""
    for number in range(LIMITS.processes + 4):
        assert box.run(Cell(f"many = {number}")).completed
    assert text(box.run(Cell("print(many)"))) == f"{LIMITS.processes + 3}\n"


def test_what_a_function_was_asked_reaches_no_one(box):
    """Neither a file nor a made-up error, type or source line carries a call's argument out, but as its answer."""
    source = """
import linecache, sys
def leak(x):
    linecache.cache['<cell-0>'] = (1, None, ['secret %s' % x] * 999, '<cell-0>')
    raise type('Secret%d' % x, (Exception,), {'__module__': 'builtins'})
class Named: pass
def named(x):
    return type('Secret%d' % x, (), {})()
"""
    box.run(Cell(source))
    box.run(Cell("", checkpoint=True))
    (raised,) = ask(box, "leak", ((4711,), {})).answers
    assert "4711" not in raised.error[0] + raised.place.text
    (value,) = box.run(Calls("named", [((4711,), {})], 0)).answers
    assert value.value.kind == "object that is not an array"


WRITERS = """
import os, socket, subprocess, sys, threading
PLACES = ("/tmp/kept", "/dev/shm/kept", "kept", "/tmp/matplotlib/kept", "/tmp/a/b/c/d/e/f/g/kept")
def keep(x):
    for path in PLACES:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        open(path, "w").write(str(x))
    if os.fork() == 0:
        os.setsid()
        while True:
            open("/tmp/again", "w").write(str(x))
    while not os.path.exists("/tmp/again"):
        pass
    return x
def find(x):
    found = []
    for top in ("/tmp", "/dev/shm"):
        for place, _, names in os.walk(top):
            found += [os.path.join(place, name) for name in names]
    return len(found), len(os.listdir(".")), os.path.exists("note.txt"), os.getcwd() == "/tmp/work"
"""


@pytest.mark.parametrize("alone", [(True, True), (False, True), (True, False)])
def test_a_copy_finds_no_file_that_another_wrote(box, alone):
    """What a function writes into a file, or leaves running, is gone before another copy of the notebook is asked."""
    for _ in alone:
        box.run(Cell(WRITERS, checkpoint=True))
    first, second = alone
    assert box.run(Calls("keep", [((4711,), {})], 0, first)).answers[0].value == 4711
    assert box.run(Calls("find", [((1,), {})], 1, second)).answers[0].value == (1, 1, True, True)
    assert box.run(Calls("find", [((1,), {})], 0, first)).answers[0].value == (1, 1, True, True)


OPEN_SINCE_A_CELL = """
import mmap, os
reader, writer = os.pipe()
kept = open("/tmp/kept", "w+b")
os.truncate(kept.fileno(), 8)
shared = mmap.mmap(kept.fileno(), 8)
def keep(x):
    os.write(writer, b"%d" % x)
    shared[:4] = b"%d" % x
def find(x):
    return os.read(reader, 4).decode(), shared[:4].decode()
"""


def test_what_a_cell_has_opened_every_copy_shares(box):
    """A copy has what its notebook had open: what it is asked can reach another one there, and no other notebook."""
    for _ in range(2):
        box.run(Cell(OPEN_SINCE_A_CELL, checkpoint=True))
    box.run(Calls("keep", [((4711,), {})], 1, alone=True))
    assert box.run(Calls("find", [((1,), {})], 1)).answers[0].value == ("4711", "4711")
    box.start()
    found = box.run(Cell("import os\nprint('reader' in dir(), 'shared' in dir(), os.path.exists('/tmp/kept'))"))
    assert text(found) == "False False False\n"


FORGED = """
import os, protocol
def send(descriptor, message, *rest):
    body = b'{{"outputs": [{output}], "exceeded": false, "passed": [], "noted": []}}' % (b"\\x7f" * {size})
    frame = memoryview(protocol.HEADER.pack(len(body)) + body)
    while frame:
        frame = frame[os.write(descriptor, frame):]
protocol.send = send
"""
OUTPUTS = {
    "stream": '{"output_type": "stream", "name": "stdout", "text": "%s"}',
    "error": '{"output_type": "error", "ename": "", "evalue": "", "traceback": ["%s"]}',
    "display_data": '{"output_type": "display_data", "data": {"text/plain": "%s"}}',
}


@pytest.mark.parametrize("kind", OUTPUTS)
def test_a_forged_reply_is_cut_before_it_is_cleaned(box, monkeypatch, kind):
    """A reply that is longer than any honest one costs no more than the longest honest one."""
    cleaned = []
    monkeypatch.setattr("autograder.sandbox.host.outcome.clean", lambda text: cleaned.append(len(text)) or "")
    box.run(Cell(FORGED.format(output=OUTPUTS[kind], size=5_000_000)))
    assert box.run(Cell("1")).completed
    assert sum(cleaned) == LIMITS.output_bytes + ERRORS


def test_a_reply_has_the_size_that_its_verb_may_need(box):
    """A cell's reply that no budget of outputs can fill is not read; nor is a number of many bytes."""
    box.run(Cell(FORGED.format(output=OUTPUTS["stream"], size=12_000_000)))
    assert box.run(Cell("1")).crashed
    box.run(
        Cell(
            "import protocol\nhonest = protocol.send\n"
            "protocol.send = lambda to, said: honest(to, {**said, 'more': 'x' * 9999})"
        )
    )
    assert not ask(box, "len", (("lion",), {})).completed


def test_files_of_cells_are_gone_when_functions_are_asked(box):
    """A function finds the companions and no file else, whichever copy is asked."""
    box.run(Cell(WRITERS + "keep(1)", checkpoint=True))
    assert ask(box, "find", ((1,), {})).answers[0].value == (1, 1, True, True)


CHILDREN = """
import os, time
def hoard(count, megabytes):
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            held = bytearray(megabytes << 20)
            held[::4096] = bytes([1]) * len(held[::4096])
            time.sleep(2.0)
            os._exit(0)
        children.append(child)
    return sum(os.waitpid(child, 0)[1] == 0 for child in children)
"""


@pytest.mark.parametrize("controllers", [True, False])
def test_all_processes_of_a_notebook_share_one_memory(controllers, monkeypatch):
    """Children that together hold more than the share are ended, with control groups or without; few may stay."""
    if not controllers:
        monkeypatch.setattr("autograder.sandbox.host.control_groups.groups", dict)
    with Sandbox(LIMITS, share=300 << 20) as box:
        box.start()
        box.run(Cell(CHILDREN))
        alone = ask(box, "hoard", ((1, 100), {}))
        assert alone.answers[0].value == 1
        together = box.run(Calls("hoard", [((4, 100), {})], 0, alone=True))
        assert together.memory_limit or together.answers[0].value < 4
        assert box.start().run(Cell("print(3)")).completed


SOCKETS = """
import os, socket, time
def fill(children, seconds):
    for _ in range(children):
        if os.fork() == 0:
            kept = []
            try:
                while True:
                    kept += socket.socketpair()
                    kept[-1].setblocking(False)
                    try:
                        while True:
                            kept[-1].send(bytes(1 << 16))
                    except BlockingIOError:
                        pass
            except OSError:  # no more files
                time.sleep(seconds)
            os._exit(0)
    return sum(os.wait()[1] == 0 for _ in range(children))
"""


def test_a_notebook_that_is_killed_beside_its_children_is_not_waited_for(box):
    """They hold its end of the connection, so nothing tells that it is gone but its state."""
    source = "import os, signal, time\nif os.fork() == 0:\n    time.sleep(60)\ntime.sleep(0.3)\n"
    source += "os.kill(os.getpid(), signal.SIGKILL)"
    outcome = box.run(Cell(source))
    assert not outcome.completed
    assert not outcome.time_limit
    assert outcome.seconds < LIMITS.waiting_seconds
    assert text(box.run(Cell("print(3)"))) == "3\n"


MAPPINGS = """
import ctypes, mmap, os, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
def divide(children, seconds):
    place = libc.mmap(None, ctypes.c_size_t(64_000 * 4096), 3, 0x22, -1, ctypes.c_long(0))
    for page in range(0, 64_000, 2):  # every second page may only be read
        libc.mprotect(ctypes.c_void_p(place + page * 4096), ctypes.c_size_t(4096), 1)
    waits, closed_when_all_are_there = os.pipe()
    for _ in range(children):
        if os.fork() == 0:
            os.close(closed_when_all_are_there)
            os.read(waits, 1)
            os._exit(0)
    time.sleep(seconds)
    os.close(closed_when_all_are_there)
    return sum(os.wait()[1] == 0 for _ in range(children))
"""


def test_what_the_kernel_keeps_of_mappings_counts_as_memory(monkeypatch):
    """Where it does not count them itself: 64,000 mappings are 13 MB for each process, and twenty may not stay."""
    monkeypatch.setattr("autograder.sandbox.host.control_groups.groups", dict)
    with Sandbox(LIMITS, share=200 << 20) as box:
        box.start()
        box.run(Cell(MAPPINGS))
        assert ask(box, "divide", ((2, 0.2), {})).answers[0].value == 2
        together = box.run(Calls("divide", [((20, 0.5), {})], 0, alone=True))
        assert together.memory_limit or together.answers[0].value < 20
        assert box.start().run(Cell("print(3)")).completed


def test_what_waits_in_sockets_counts_as_memory(monkeypatch):
    """Where the kernel does not count it: of children with 128 MB in sockets each, one may stay, four may not."""
    monkeypatch.setattr("autograder.sandbox.host.control_groups.groups", dict)
    with Sandbox(replace(LIMITS, open_files=512), share=200 << 20) as box:
        box.start()
        box.run(Cell(SOCKETS))
        assert ask(box, "fill", ((1, 0.2), {})).answers[0].value == 1
        together = box.run(Calls("fill", [((4, 2.0), {})], 0, alone=True))
        assert together.memory_limit or together.answers[0].value < 4
        assert box.start().run(Cell("print(3)")).completed


def test_what_the_kernel_keeps_of_files_counts_as_memory(monkeypatch):
    """Where it does not count them itself, empty files do not stay without a limit, and the next notebook is whole."""
    monkeypatch.setattr("autograder.sandbox.host.control_groups.groups", dict)
    source = "for n in range(COUNT):\n    open(f'/tmp/{n}', 'w').close()\nimport time\ntime.sleep(0.5)"
    with Sandbox(LIMITS, share=100 << 20) as box:
        box.start()
        assert box.run(Cell(source.replace("COUNT", "7_000"))).completed
        assert box.run(Cell(source.replace("COUNT", "130_000"))).memory_limit
        assert box.start().run(Cell("print(3)")).completed


def test_a_socket_cannot_be_made_larger(box):
    """Its buffer stays as large as the memory's guard takes it to be."""
    source = "import socket\na, b = socket.socketpair()\na.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)"
    assert error(box.run(Cell(source))) == ["PermissionError"]


def test_the_kernel_ends_what_is_in_here_first(box):
    """Where the machine runs out of memory, processes in here go before any other, and cannot change that."""
    assert Path(f"/proc/{box.worker.process.pid}/oom_score_adj").read_text().strip() == "1000"
    for score in ("/proc/self/oom_score_adj", "/processes/proc/self/oom_score_adj"):
        assert error(box.run(Cell(f"open({score!r}, 'w').write('0')")))


def test_all_cells_together_have_an_output_budget():
    """A notebook that prints a bearable amount in each of many cells is cut off all the same."""
    with Sandbox(Limits(notebook_output_bytes=50_000)) as box:
        box.start()
        outcomes = [box.run(Cell("print('x' * 20_000)")) for _ in range(4)]
    assert [outcome.output_limit for outcome in outcomes] == [False, False, True, True]
    assert outcomes[-1].outputs == ()


def test_all_cells_together_have_a_time_budget(grace):
    """When the time for all cells is used up the next ones are not run; functions can still be asked."""
    short = brief()
    limits = {**seconds(LONG), "waiting_seconds": short, "cell_seconds": short, "late_seconds": 0.0}
    with Sandbox(Limits(**limits)) as box:
        box.start()
        box.run(Cell("import time\ndef f(): return 'asked'\ntime.sleep(999)"))
        assert box.run(Cell("1", checkpoint=True)).time_limit
        assert box.run(Calls("f", [((), {})])).answers[0].value == "asked"


ABANDONED = """
import os, time
def f():
    if os.fork() == 0:
        if os.fork() == 0:
            os.setsid()
            time.sleep(999)
        os._exit(0)
"""


def test_nothing_of_a_notebook_runs_on_after_its_end(box):
    """What a call has forked and abandoned ends with the notebook, not when the next one begins."""
    ours = psutil.Process()
    box.end()
    idle = len(ours.children(recursive=True))
    box.start().run(Cell(ABANDONED))
    ask(box, "f", ((), {}))
    assert len(ours.children(recursive=True)) > idle + 1
    box.end()
    assert len(ours.children(recursive=True)) == idle


def test_a_notebook_that_does_not_listen_is_ended(box):
    """A notebook that neither reads nor answers is ended in time, and goes on without the cell that made it deaf."""
    box.run(Cell("import sys, time, protocol\nprotocol.receive = lambda *_: time.sleep(99)"))
    with hurried(box):
        assert box.run(Cell("x = '" + "y" * 2_000_000 + "'")).time_limit


def test_used_up_descriptors_cost_no_later_cell(box):
    """A cell that opens all files that it may, and keeps them, leaves the next cell and every probe enough to start."""
    box.run(
        Cell("kept = []\ntry:\n    while True: kept.append(open('note.txt'))\nexcept OSError:\n    full = len(kept)")
    )
    assert box.run(Cell("full")).completed
    assert ask(box, "len", (("lion",), {})).missing


@pytest.mark.parametrize("pid", ["1", "-1", "2**80", "float('inf')", "'x'", "None"])
def test_a_notebook_that_lies_about_itself_costs_itself(worker, pid):
    """Whatever process a hijacked notebook claims to have forked, the worker lives on and takes the next one."""
    hijack = (
        "import protocol\nhonest = protocol.send\ndef send(descriptor, message, *rest):\n"
        f"    honest(descriptor, {{'pid': {pid}}} if 'pid' in message else message)\nprotocol.send = send"
    )
    box = worker.start()
    process = box.worker.process.pid
    box.run(Cell(hijack))
    box.run(Cell("def f(): return 'there'"))
    box.run(Cell("", checkpoint=True))
    assert not box.run(Calls("f", [((), {})])).answers
    assert text(worker.start().run(Cell("print('next')"))) == "next\n"
    assert worker.worker.process.pid == process


def test_nothing_outlives_the_sandbox():
    """A process that a cell leaves behind, in a new session, ends with the sandbox."""
    import os

    mark = f"left-behind-{os.getpid()}"
    with Sandbox(LIMITS) as box:
        box.start()
        box.run(
            Cell(
                "import os, sys, time\nreader, writer = os.pipe()\nif os.fork() == 0:\n    os.setsid()\n"
                "    import ctypes\n    ctypes.CDLL(None).prctl(1, 0)\n"
                f"    ctypes.CDLL(None).prctl(15, b'{mark[:15]}')\n    os.write(writer, b'.')\n    time.sleep(60)\n"
                "os.read(reader, 1)"
            )
        )
        assert mark[:15] in names_of_processes(Path("/proc"))
    assert mark[:15] not in names_of_processes(Path("/proc"))


def names_of_processes(proc):
    """Return the names of all processes of this machine."""
    names = set()
    for path in proc.glob("[0-9]*/comm"):
        try:
            names.add(path.read_text().strip())
        except OSError:
            continue
    return names


def test_figures_come_back_as_images(box):
    """A plot is a PNG among the outputs, with no screen in sight."""
    outcome = box.run(Cell("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"))
    assert [sorted(output["data"]) for output in outcome.outputs] == [["image/png", "text/plain"]]


def test_only_text_and_images_come_back(box):
    """HTML, SVG and scripts stay inside, and control characters are gone from text."""
    source = "from IPython.display import HTML, display\ndisplay(HTML('<script>alert(1)</script>'))"
    outcome = box.run(Cell(source + "\nprint('\\x1b]0;title\\x07red')"))
    assert "script" not in str(outcome.outputs)
    assert text(outcome) == "]0;titlered\n"


@pytest.mark.parametrize(
    "source",
    [
        "__import__('autograder')",
        "__import__('nbgrader')",
        "__import__('pytest')",
        "import os\nos.listdir('/srv')",
        "import os\nos.listdir('/home')",
        "open('/etc/passwd')",
        "open('/sandbox/worker.py', 'w')",
        "open('/packages/numpy/evil.py', 'w')",
        "import socket\nsocket.socket(socket.AF_INET)",
        "import subprocess\nsubprocess.run(['/bin/ls'], check=True)",
        "import os\nos.kill(1, 9); os.readlink('/proc/1/root/home')",
        "open('/proc/1/environ').read()",
        "open('/proc/1/mem', 'r+b')",
        "open('/proc/sys/vm/overcommit_memory', 'w')",
        "open('/dev/file', 'w')",
        "import resource\nresource.prlimit(1, resource.RLIMIT_NOFILE, (3, 3))",
        "import ctypes\nif ctypes.CDLL(None).prctl(4, 1, 0, 0, 0): raise PermissionError",
        "open('/dev/shm/file', 'wb').write(b'x' * (65 << 20))",
        "open('/tmp/file', 'wb').write(b'x' * (65 << 20))",
        "open(f'/proc/{__import__(\"os\").getppid()}/mem', 'rb')",
        "import ctypes\nif ctypes.CDLL(None).unshare(0x10000000): raise PermissionError",
    ],
)
def test_nothing_of_the_host_is_in_reach(box, source):
    """No reference, no file, no network, no program, no other process: each try is an error in the cell."""
    outcome = box.run(Cell(source))
    assert error(outcome), source


def test_of_the_hosts_programs_and_libraries_only_what_is_needed_is_there(box):
    """The interpreter, the packages and the libraries that they are linked with, and of the host's folders no other."""
    source = """
import os
print(sorted(os.listdir("/")))
libraries = [name for top in ("/lib", "/lib64", "/usr") for _, _, names in os.walk(top) for name in names]
print([name for name in libraries if not name.startswith(("ld-", "LC_", "SYS_LC"))])
print([name for name in os.listdir("/python/lib") if ".so" not in name and name[:9] != "python3.1"])
import bz2, ctypes, decimal, hashlib, lzma, readline, sqlite3, ssl, zlib, PIL.Image, matplotlib.pyplot
"""
    outcome = box.run(Cell(source))
    assert error(outcome) == []
    names, elsewhere, beside = map(ast.literal_eval, text(outcome).splitlines())
    assert set(names) <= {"dev", "lib", "lib64", "packages", "processes", "python", "sandbox", "tmp", "usr"}
    assert (elsewhere, beside) == ([], [])


def test_the_environment_is_empty_of_the_hosts(box, monkeypatch):
    """No variable of the host is seen, nor its name or user."""
    shown = text(box.run(Cell("import os, socket\nprint(sorted(os.environ), os.getuid(), socket.gethostname())")))
    assert "1000 notebook" in shown
    assert not {"USER", "SHELL", "PYTEST_CURRENT_TEST"} & set(shown.replace("'", " ").replace(",", " ").split())


def test_the_next_sandbox_knows_nothing_of_the_last():
    """Files and names of one notebook are gone for the next."""
    with Sandbox(LIMITS) as first:
        first.start()
        first.run(Cell("open('left.txt', 'w').write('behind')\nleft = 1"))
    with Sandbox(LIMITS) as second:
        second.start()
        assert text(second.run(Cell("import os\nprint(os.listdir('.'), 'left' in globals())"))) == "[] False\n"


def test_no_bubblewrap_is_one_clear_line(monkeypatch):
    """Without bwrap nothing runs, and the message says what to install."""
    monkeypatch.setenv("PATH", "/nowhere")
    bubblewrap.level.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match=r"bubblewrap is missing.*apt-get install bubblewrap"):
            Sandbox(LIMITS).start()
    finally:
        monkeypatch.undo()
        bubblewrap.level.cache_clear()


def test_a_machine_on_which_no_sandbox_starts_says_why(monkeypatch, tmp_path):
    """The first one that fails is followed by a trial, whose words and remedy are told."""
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "executable", lambda: str(broken))
    with pytest.raises(SandboxUnavailable, match=r"No permissions to create.*a container needs `--privileged`"):
        Sandbox(LIMITS).start()


def test_unprotected_must_be_asked_for():
    """Unprotected, the same steps run, and the level says so loudly."""
    assert level(protected=False).startswith("UNPROTECTED")
    with Sandbox(LIMITS, protected=False, files={"beside.py": "note = 'grass'"}) as box:
        box.start()
        assert text(box.run(Cell("import beside; print(beside.note)"))) == "grass\n"
        box.run(Cell("def f(step):\n    return step([7])"))
        (answer,) = ask(box, "f", ((StepTable(((),), ((3.0, 5.0),)),), {})).answers
        np.testing.assert_array_equal(answer.value, [3, 5])


LOWER = """
import resource
for name, value in ((resource.RLIMIT_NOFILE, 100), (resource.RLIMIT_FSIZE, 1 << 22), (resource.RLIMIT_AS, 3 << 29)):
    resource.setrlimit(name, (value, value))
from autograder.sandbox import Cell, Sandbox
with Sandbox() as box:
    outcome = box.start().run(Cell("import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))"))
print(outcome.completed, outcome.outputs[0]["text"].strip())
"""


def test_limits_of_the_machine_that_are_lower_stay():
    """On a server that allows little, the kernel refuses to raise a limit; notebooks run within what there is."""
    told = subprocess.run([sys.executable, "-c", LOWER], capture_output=True, text=True, check=False)
    assert told.stdout == "True (50, 100)\n", told.stderr


def test_a_notebook_that_cannot_start_is_a_failure_of_ours():
    """A process that ends before it runs anything is nobody's endless loop: here no kernel takes its limit."""
    with Sandbox(replace(LIMITS, file_bytes=1 << 70)) as box, pytest.raises(InfrastructureError, match="before it was"):
        box.start()
