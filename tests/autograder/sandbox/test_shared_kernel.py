"""Two notebooks of one machine: what one does with the files that both see, the other does not notice."""

import errno
import os
import sysconfig
from pathlib import Path

import pytest

from autograder.errors import InfrastructureError
from autograder.sandbox import Calls, Cell, Limits
from autograder.sandbox.host import syscalls
from autograder.sandbox.host.sandbox import Sandbox
from tests.support.patience import LONG, seconds

SEEN = Path(sysconfig.get_path("stdlib"), "antigravity.py")  # which nobody reads by chance
START = f"""
import ctypes, fcntl, mmap, os, struct
path = os.path.join(os.path.dirname(os.__file__), {SEEN.name!r})
file = os.open(path, os.O_RDONLY)
NAME = path + "{os.getpid()}"
def said(work, *arguments):
    try:
        return work(*arguments)
    except OSError as error:
        return error.errno
def record(kind):
    return struct.pack("hhqqi", kind, 0, 5, 1, 0)
def looked_up(name):
    text = ctypes.create_string_buffer(name.encode())
    how = (ctypes.c_ulonglong * 3)(0, 0, 0x20)  # RESOLVE_CACHED
    arguments = {syscalls.number_of("openat2")}, -100, ctypes.addressof(text), ctypes.addressof(how), 24
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.syscall(*map(ctypes.c_long, arguments)), ctypes.get_errno()
def faults():
    return open("/proc/self/stat").read().split()[11]
def has_to_wait():
    before = faults()
    mmap.mmap(file, 0, mmap.MAP_PRIVATE, mmap.PROT_READ)[0]
    return before != faults()
"""
PAIRS = {
    "flock": ("fcntl.flock(file, fcntl.LOCK_EX)", "said(fcntl.flock, file, fcntl.LOCK_EX | fcntl.LOCK_NB)"),
    "posix_locks": ("fcntl.fcntl(file, fcntl.F_SETLK, record(0))", "said(fcntl.fcntl, file, fcntl.F_GETLK, record(1))"),
    "open_file_locks": (
        "fcntl.fcntl(file, fcntl.F_OFD_SETLK, record(0))",
        "said(fcntl.fcntl, file, fcntl.F_OFD_GETLK, record(1))",
    ),
    "page_cache": ("os.pread(file, 1, 0)", "said(os.preadv, file, [bytearray(1)], 0, os.RWF_NOWAIT)"),
    "major_faults": ("os.pread(file, 1, 0)", "said(has_to_wait)"),
    "names": ("os.path.exists(NAME)", "looked_up(NAME)"),
}


@pytest.fixture(scope="module")
def boxes():
    """Two sandboxes, side by side."""
    with Sandbox(Limits(**seconds(LONG))) as one, Sandbox(Limits(**seconds(LONG))) as other:
        yield one, other


def forget():
    """Have the kernel drop what it has read of the file, where its file system can."""
    with SEEN.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


@pytest.mark.parametrize("pair", PAIRS)
def test_one_notebook_does_not_notice_the_other(boxes, pair):
    """Whether the other, which is still there, has done something or not, the answer to who asks is the same."""
    tell, ask = PAIRS[pair]
    teller, asker = boxes
    answers = []
    for told in ("", tell):
        forget()
        outcome = teller.start().run(Cell(f"{START}{told}"))
        assert "error" not in [output["output_type"] for output in outcome.outputs], outcome
        (output,) = asker.start().run(Cell(f"{START}print({ask})")).outputs
        answers.append(output["text"])
    assert answers[0] == answers[1]


HONEST = """
import fcntl, sqlite3
with open("note", "w") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
for word in ("shell", "shore"):
    with sqlite3.connect("words.db") as book:
        book.execute("create table if not exists words (word)")
        book.execute("insert into words values (?)", (word,))
        print(book.execute("select * from words").fetchall())
import matplotlib.font_manager, os
print(len(matplotlib.font_manager._load_fontmanager(try_read_cache=False).ttflist) > 0, os.cpu_count() > 0)
"""


def test_whoever_locks_a_file_goes_on(boxes):
    """Libraries and notebooks that lock their own files: SQLite, Matplotlib's cache of fonts, a line of a student."""
    (output,) = boxes[0].start().run(Cell(HONEST)).outputs
    assert output["text"].splitlines() == ["[('shell',)]", "[('shell',), ('shore',)]", "True True"]
    assert boxes[0].refused == {}


IN_FLIGHT = """
import os, socket
a, b = socket.socketpair()
r, w = os.pipe()
def send():
    try:
        socket.send_fds(a, [b"x"], [r] * 130)
    except OSError as error:
        print(error.errno)
send()
"""


def test_a_notebook_keeps_no_other_from_starting(boxes):
    """The kernel counts the descriptors that are in flight for a user, whatever sandbox they are in."""
    teller, asker = boxes
    (output,) = teller.start().run(Cell(IN_FLIGHT)).outputs
    assert int(output["text"]) == errno.EPERM
    assert asker.start().run(Cell("print(1)")).completed


def test_a_machine_without_room_is_not_the_notebooks_fault(boxes, monkeypatch):
    """If a descriptor cannot be sent to it, nothing is said about its code."""
    box, _ = boxes
    box.start().run(Cell("def double(x): return x + x", checkpoint=True))
    full = OSError(errno.ETOOMANYREFS, os.strerror(errno.ETOOMANYREFS))
    monkeypatch.setattr(
        "autograder.sandbox.host.remote_process.socket.send_fds", lambda *_: (_ for _ in ()).throw(full)
    )
    with pytest.raises(InfrastructureError):
        box.run(Calls("double", [((1,), {})]))
