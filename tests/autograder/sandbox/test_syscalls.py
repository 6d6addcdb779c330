"""The kernel permits the calls of a list and no other: every number is tried from inside."""

import json
import platform

import pyseccomp
import pytest

from autograder.sandbox import Cell, Limits
from autograder.sandbox.host import syscalls
from autograder.sandbox.host.sandbox import Sandbox
from tests.support.patience import LONG, seconds

NUMBERS = range(520)  # Linux 6.17 has calls up to 469; beyond the last one there is none to refuse
X32 = 0x40000000
# Each call in a separate process, since some of them end or stop their process. All arguments are -1.
TRY_ALL = """
import ctypes, json, os, select, signal
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
answers = {{}}
for number in {numbers}:
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        ctypes.set_errno(0)
        libc.syscall(number, *[ctypes.c_long(-1)] * 6)
        os.write(writer, bytes([ctypes.get_errno()]))
        os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], 1)
    said = os.read(reader, 1) if ready else b""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reader)
    answers[number] = said[0] if said else None
print(json.dumps(answers))
"""
FOREIGN = """
import ctypes, os
child = os.fork()
if child == 0:
    ctypes.CDLL(None).syscall({x32} | 39)
    os._exit(0)
print(os.waitpid(child, 0)[1])
"""
# A call with every number that is not permitted, and all other arguments 1: what the kernel answers to it.
TRY_NUMBERS = """
import ctypes, json
libc = ctypes.CDLL(None, use_errno=True)
answers = []
for number in {numbers}:
    arguments = [ctypes.c_long(1)] * 6  # for setsockopt, SOL_SOCKET
    arguments[{position}] = ctypes.c_long(number)
    answers.append((libc.syscall({call}, *arguments), ctypes.get_errno()))
print(json.dumps(answers))
"""
# All numbers that Linux 6.17 knows are among them; of ioctl, which has thousands, those of terminals and sockets,
# and a few that make the kernel load a module.
KNOWN = {
    "fcntl": (*range(64), *range(1024, 1060)),
    "getsockopt": range(90),
    "ioctl": (*range(0x5400, 0x5460), *range(0x8900, 0x8920), 0x8933, 0x8940, 0x8946, 0x8982, 0x89A0, 0x89F0),
    "madvise": (*range(32), *range(100, 110)),
    "seccomp": range(32),
    "prctl": (*range(80), 0x59616D61),
    "preadv2": range(1, 80),
    "pwritev2": range(1, 80),
    "setsockopt": range(90),
    "socket": range(50),
    "socketpair": range(50),
}
EPERM, ENXIO = 1, 6
# Permitted with some arguments: -1 is among those that are not.
BOUNDED = ("prlimit64", "sched_setaffinity", "mmap", *syscalls.PERMITTED_NUMBERS, *syscalls.FOR_THE_WORKER)
# Calls that the kernel's own probes make, for which it asks no filter: it ends or refuses everybody else.
PROBES = {335, 336}
# What the kernel itself answers with EPERM where a process may not do it, as to a signal for everyone.
OWN_EPERM = ("kill",)


def printed(source):
    """Run a cell in a sandbox, and return what it printed."""
    with Sandbox(Limits(**seconds(LONG))) as box:
        outcome = box.start().run(Cell(source))
        assert outcome.completed, outcome
        return "".join(output.get("text", "") for output in outcome.outputs)


@pytest.fixture(scope="module")
def answers():
    """What the kernel answers to each number: its error, 0 for none, None where the caller ended or waits."""
    return {int(number): error for number, error in json.loads(printed(TRY_ALL.format(numbers=NUMBERS))).items()}


def test_every_call_that_is_not_on_the_list_is_refused(answers):
    """From the first number to far beyond the last: EPERM, whatever the kernel would have done."""
    permitted = {syscalls.number_of(name) for name in (*syscalls.PERMITTED, "flock")}
    reached = {number: error for number, error in answers.items() if number not in permitted and error != EPERM}
    assert reached.keys() <= PROBES
    assert set(reached.values()) <= {None, ENXIO}


def test_every_number_of_a_call_that_is_not_on_the_list_is_refused():
    """Such as another kind of socket, for which the kernel would load a module, or a filter for one."""
    with Sandbox(Limits(**seconds(LONG))) as box:
        for name, (position, permitted) in syscalls.PERMITTED_NUMBERS.items():
            numbers = [
                number for number in KNOWN[name] if number not in permitted and (name, number) not in syscalls.GRANTED
            ]
            numbers += [number | 1 << 32 for number in numbers]  # of which the kernel reads the lower half
            tried = TRY_NUMBERS.format(call=syscalls.number_of(name), position=position, numbers=numbers)
            (output,) = box.start().run(Cell(tried)).outputs
            assert {tuple(answer) for answer in json.loads(output["text"])} == {(-1, EPERM)}, name
            assert box.refused == {name: len(numbers)}


HONEST = """
import errno, fcntl, multiprocessing, socket, tempfile
from multiprocessing.connection import Client, Listener
def asked(file, request):
    try:
        fcntl.ioctl(file, request, bytes(44) if request >> 31 else 0)
    except OSError as error:
        return errno.errorcode[error.errno]
with tempfile.TemporaryFile("w+") as file:
    print(file.isatty(), asked(file, 0x802C542A), asked(file, 0x40049409))  # TCGETS2, FICLONE
    fcntl.lockf(file, fcntl.LOCK_EX)
with Listener(family="AF_UNIX") as listener, Client(listener.address) as ours, listener.accept() as theirs:
    ours.send([1, 2, 3])
    print(theirs.recv())
one, other = socket.socketpair()
one.settimeout(0.5)
other.send(b"grass")
print(one.recv(5), multiprocessing.get_context("fork").Pool(2).map(abs, [-1, -2]))
"""


def test_what_python_and_its_libraries_do_with_these_calls_is_permitted():
    """Also what C libraries and Pythons newer than this one ask of every file."""
    lines = printed(HONEST).splitlines()
    assert lines[0] in ("False ENOTTY EOPNOTSUPP", "False ENOTTY EXDEV")  # the kernel's own answers
    assert lines[1:] == ["[1, 2, 3]", "b'grass' [1, 2]"]


def test_a_call_that_is_added_is_seen(monkeypatch):
    """With one name more on the list, the kernel answers to its number itself: the test above would fail."""
    number = syscalls.number_of("quotactl")
    try_it = TRY_ALL.format(numbers=[number])
    assert json.loads(printed(try_it)) == {str(number): EPERM}
    monkeypatch.setattr(syscalls, "PERMITTED", syscalls.PERMITTED | {"quotactl"})
    syscalls.filters.cache_clear()
    try:
        assert json.loads(printed(try_it)) != {str(number): EPERM}
    finally:
        syscalls.filters.cache_clear()


def test_what_is_on_the_list_is_permitted(answers):
    """A call of the list does its work or says what is wrong with its arguments."""
    refused = {syscalls.number_of(name) for name in (*BOUNDED, *OWN_EPERM)}
    permitted = {syscalls.number_of(name) for name in syscalls.PERMITTED} - refused
    assert {number for number in permitted if answers.get(number) == EPERM} == set()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="x32 is a second set of numbers on x86-64 alone")
def test_another_architectures_numbers_end_the_process():
    """A call by the numbers of x32 is no way around the list: the process ends by SIGSYS, 31."""
    assert int(printed(FOREIGN.format(x32=X32))) & 127 == 31


@pytest.mark.parametrize("architecture", ["X86_64", "AARCH64"])
def test_both_architectures_have_most_names(architecture):
    """A name that is misspelt, or another system's, would be one that neither has."""
    here = getattr(pyseccomp.Arch, architecture)
    assert sum(pyseccomp.resolve_syscall(here, name) > -1 for name in syscalls.PERMITTED) > 150
