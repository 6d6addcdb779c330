"""What a process holds where the kernel does not count it for us."""

import mmap
import os
from pathlib import Path

import pytest

from autograder.sandbox.inside.memory import held_by

MIB = 1 << 20


@pytest.mark.parametrize("kind", [mmap.MAP_PRIVATE, mmap.MAP_SHARED])
def test_memory_counts_whether_it_is_shared_or_not(kind):
    """What is written to counts in full, and what is only asked for does not."""
    with mmap.mmap(-1, 48 * MIB, kind | mmap.MAP_ANONYMOUS) as memory:
        before = held_by(os.getpid())
        for at in range(0, 31 * MIB, mmap.PAGESIZE):
            memory[at] = 1
        assert held_by(os.getpid()) - before == pytest.approx(31 * MIB, abs=2 * MIB)


def test_address_space_counts_as_if_every_page_were_a_mapping():
    """The kernel keeps some 210 bytes of each: 1,021 MiB may have as many as 261,376."""
    before = held_by(os.getpid())
    with mmap.mmap(-1, 1021 * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS):
        assert held_by(os.getpid()) - before == pytest.approx(261_376 * 256, abs=MIB)


def test_the_tables_of_pages_count():
    """Reading of memory that nobody wrote to takes none, but a table of 4 KiB for each 2 MiB."""
    with mmap.mmap(-1, 1021 * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        before = held_by(os.getpid())
        assert sum(memory[at] for at in range(0, 1021 * MIB, 2 * MIB)) == 0
        assert held_by(os.getpid()) - before == pytest.approx(511 * 4096, abs=64 << 10)


def test_files_do_not_count():
    """What is read through a mapping of a file is the kernel's to keep or to drop."""
    with Path(os.__file__).open("rb") as file, mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE) as source:
        before = held_by(os.getpid())
        assert len(bytes(source)) > 0
        assert held_by(os.getpid()) - before < MIB


def test_who_has_ended_holds_nothing():
    """A process that is gone, or only waits to be reaped, holds no memory."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert held_by(child) == 0
    os.waitpid(child, 0)
    assert held_by(child) == 0
