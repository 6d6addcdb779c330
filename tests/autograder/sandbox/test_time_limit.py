"""What a step has used is counted in the notebook's own time, whatever else the machine is doing."""

import platform
from types import SimpleNamespace

import pytest

from autograder.sandbox import Calls, Cell, Limits, Sandbox
from autograder.sandbox.host import time_limit
from autograder.sandbox.host.sandbox import AGAIN, CALLS
from autograder.sandbox.host.time_limit import FIRST_SECONDS, TimeLimit
from autograder.sandbox.inside.processes import DYING_SECONDS
from tests.support.patience import LONG, hurried, seconds

BURN = """
from time import process_time
def burn(x):
    end = process_time() + 0.7
    while process_time() < end: pass
"""
PARENT = """
import os
def parent(x):
    if os.fork() == 0:
        while True: pass
    os.wait()
"""
# Twenty children, one after the other, compute for 0.3 seconds each; how each is had, and how nobody waits for it.
CHILDREN = """
import ctypes, os, signal, time
def clone(flags):
    return ctypes.CDLL(None).syscall({clone}, flags, 0, 0, 0, 0)
def burn():
    end = time.process_time() + 0.3
    while time.process_time() < end: pass
    os.write(writer, b".")
    os._exit(0)
def children(x):
    global writer
    burnt = 0
    for _ in range(20):
        reader, writer = os.pipe()
        {start}
        os.close(writer)
        burnt += len(os.read(reader, 1))  # until every child's end is closed
        os.close(reader)
    return burnt
"""
STARTS = {
    "ignored": "signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.fork() or burn()",
    "ignored by one who ends": "os.fork() or (signal.signal(signal.SIGCHLD, signal.SIG_IGN), os.fork() or burn())",
    "orphaned": "os.fork() or (os.fork() or burn(), os._exit(0))",
    "silent": "clone(0) or burn()",
    "a brother": "clone(0x8000 | signal.SIGCHLD) or burn()",
}
CLONE = {"x86_64": 56, "aarch64": 220}
# The header of each frame at once; its body late, or never.
POOL = """
from concurrent.futures import ThreadPoolExecutor
pool = ThreadPoolExecutor(2)
assert list(pool.map(abs, (-2, 3))) == [2, 3]
def f(x):
    return list(pool.map(abs, (x,)))
"""
LATE = """
import os, time, protocol
honest = protocol.send
def send(descriptor, message, *rest):
    if "answers" not in message:
        return honest(descriptor, message, *rest)
    for body in (b'{"answered": 1}', b'{"answered": 2}', None):
        os.write(descriptor, protocol.HEADER.pack(15))
        time.sleep(2.0 if body else 999)
        os.write(descriptor, body)
protocol.send = send
def f(x): return x
"""


@pytest.fixture
def looks(monkeypatch):
    """Have a step looked at that uses ``(computed, queued, waited)`` between looks; how often it may go on."""

    def count(computed, queued, waited, is_certain=True):
        now = SimpleNamespace(value=0.0)
        used = {"computed": 5.0, "occupied": 7.0, "is_certain": is_certain, "ended": False}
        monkeypatch.setattr(time_limit, "time", SimpleNamespace(monotonic=lambda: now.value))
        own = TimeLimit(lambda: dict(used), computing=3.0, waiting=11.0)
        times = 0
        while own.look():
            times += 1
            now.value += computed + queued + waited
            used["computed"] += computed
            used["occupied"] += computed + queued
        own.end()
        return times, own

    return count


@pytest.mark.parametrize(
    ("used", "over", "times", "spent"),
    [
        ((0.5, 0.0, 0.0), "computing", 6, 3.0),
        ((0.5, 97.0, 0.0), "computing", 6, 3.0),
        ((0.0, 0.0, 1.0), "waiting", 11, 11.0),
        ((0.0, 97.0, 1.0), "waiting", 11, 11.0),
        ((0.5, 0.0, 1.0), "computing", 6, 9.0),
    ],
    ids=["a loop", "a loop on a busy machine", "a sleeper", "a sleeper on a busy machine", "both"],
)
def test_time_in_which_others_had_the_processor_is_nobodys(looks, used, over, times, spent):
    """A step may compute for 3 seconds and wait for 11, however long it waited for a processor."""
    looked, own = looks(*used)
    assert (looked, own.over) == (times, over)
    assert own.spent == pytest.approx(FIRST_SECONDS + spent)


def test_only_a_wait_can_be_in_doubt(looks):
    """Processor time is counted for sure; a wait that the kernel does not explain may be somebody else's doing."""
    assert looks(0.0, 0.0, 1.0, is_certain=False)[1].is_certain is False
    assert looks(1.0, 0.0, 0.0, is_certain=False)[1].is_certain is True


@pytest.fixture(scope="module")
def worker():
    """A worker whose notebooks may compute for a second in a step, and wait for long."""
    with Sandbox(Limits(cell_seconds=LONG, call_seconds=1.0, waiting_seconds=LONG)) as worker:
        yield worker


def held(box, source):
    """Start a notebook, run a cell and hold what it defines."""
    box.start()
    assert box.run(Cell(source)).completed
    box.run(Cell("", checkpoint=True))
    return box


def test_each_call_has_its_own_time(worker):
    """Three calls of 0.7 processor seconds each are answered where one may take a second."""
    outcome = held(worker, BURN).run(Calls("burn", [((number,), {}) for number in range(3)]))
    assert (outcome.completed, len(outcome.answers)) == (True, 3)


def test_a_child_computes_in_the_name_of_its_parent(worker):
    """A call that has a child do the work, and waits for it, is over when the child has used the call's time."""
    outcome = held(worker, PARENT).run(Calls("parent", [((1,), {})]))
    assert (outcome.time_limit, outcome.seconds) == (True, worker.limits.call_seconds)


@pytest.mark.skipif(platform.machine() not in CLONE, reason="clone has another number here")
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_no_child_computes_in_secret(worker, start):
    """Whatever children compute, and whichever process waits for them, their 6 seconds are counted."""
    held(worker, CHILDREN.format(clone=CLONE[platform.machine()], start=start))
    outcome = worker.run(Calls("children", [((1,), {})]))
    assert outcome.time_limit or not outcome.answers[0].value  # None have computed at all


def test_a_sleeper_is_no_doubt(worker):
    """Who sleeps has used up the time for waiting; the kernel tells that nobody else kept it from working."""
    held(worker, "import time\ndef f(x): time.sleep(999)")
    with hurried(worker):
        outcome = worker.run(Calls("f", [((1,), {})]))
    assert (outcome.time_limit, outcome.waited) == (True, True)
    assert not worker.in_doubt


def test_threads_of_a_cell_are_not_there_in_a_call(worker):
    """A call that waits for a pool which a cell has made is stopped for waiting; a loop is stopped for computing."""
    held(worker, POOL)
    with hurried(worker):
        assert worker.run(Calls("f", [((1,), {})])).waited
    outcome = held(worker, "def f(x):\n    while True: pass").run(Calls("f", [((1,), {})]))
    assert (outcome.time_limit, outcome.waited) == (True, False)


def test_a_frame_that_comes_late_is_waited_for_within_the_time(worker):
    """Who sends the beginning of an answer has not answered: the seconds until its end count, and are no doubt."""
    held(worker, LATE)
    before = worker.seconds_left[CALLS]
    with hurried(worker, at_least=4.0):
        assert worker.run(Calls("f", [((number,), {}) for number in range(3)])).time_limit
    assert before - worker.seconds_left[CALLS] > 6.0
    assert not worker.in_doubt


def test_who_hangs_up_and_goes_on_uses_up_time(worker):
    """A cell that closes its end and stays is waited for a moment, which is taken from the time for a new copy."""
    worker.start()
    before = worker.seconds_left[AGAIN]
    assert worker.run(Cell("import os, time\nos.closerange(3, 99)\ntime.sleep(999)")).crashed
    assert before - worker.seconds_left[AGAIN] > DYING_SECONDS


def test_who_hangs_up_and_goes_on_has_not_used_too_much_memory(monkeypatch):
    """Where the kernel does not count memory either: we end it, and nothing else did."""
    monkeypatch.setattr("autograder.sandbox.host.control_groups.groups", dict)
    with Sandbox(Limits(**seconds(LONG))) as box:
        outcome = box.start().run(Cell("import os, time\nos.closerange(3, 99)\ntime.sleep(999)"))
        assert (outcome.crashed, outcome.memory_limit) == (True, False)


def test_calls_that_are_answered_on_the_way_share_their_time():
    """Three calls of 0.7 processor seconds each do not end where all of them together may take one."""
    with Sandbox(Limits(**seconds(LONG), total_seconds=1.0)) as box:
        outcome = held(box, BURN).run(Calls("burn", [((number,), {}) for number in range(3)]))
    assert outcome.time_limit


def test_whoever_hoards_memory_until_the_time_is_over_is_told_so():
    """A loop that holds a good part of the memory is on the way to all of it."""
    hoard = "kept = bytearray(b'x') * (150 << 20)\nwhile True: pass"
    with Sandbox(Limits(**seconds(0.5), memory_bytes=400 << 20)) as box:
        box.start()
        assert box.run(Cell(hoard)).memory_limit
        box.start()
        assert box.run(Cell("while True: pass")).time_limit


def test_after_a_death_the_others_share_a_new_copy(worker):
    """A function that ends the copy of the notebook in which all are asked costs the next ones nothing."""
    held(worker, "import os\ndef f(x): os._exit(1)\ndef g(x): return x")
    assert worker.run(Calls("f", [((1,), {})])).crashed
    assert worker.run(Calls("g", [((1,), {})])).answers[0].value == 1
    assert list(worker.probes) == [None]
