"""The requests that the sandbox accepts, one step at a time, and a notebook's limits."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from autograder.step_table import StepTable

from ..inside import protocol
from ..inside.shared_arrays import lay_out

LATE_STEPS = 20  # statements that may begin, each with late_seconds, after the time of all cells is used up
GRACE_SECONDS = 1.0  # between asking a step to stop (SIGINT shows the student where it hung) and ending its process
BY_THE_KERNEL = 7  # seconds later than we do, the kernel ends a step


@dataclass(frozen=True)
class Limits:
    """What one notebook may use: seconds, bytes and counts.

    All cells share ``cell_seconds``, of processor time and of waiting. When they are used up, each statement that
    follows still has ``late_seconds``, a limited number of times. A call may compute for ``call_seconds`` of processor
    time, and all calls may take ``total_seconds``. A statement, and a call, may wait for ``waiting_seconds`` for
    something else than a processor; a new process may take ``start_seconds`` to begin. Whatever else is measured, the
    kernel ends a process after ``cpu_seconds`` of processor time. ``output_bytes`` is for one cell,
    ``notebook_output_bytes`` for all of them.
    """

    cell_seconds: float = 20.0
    late_seconds: float = 0.25
    call_seconds: float = 5.0
    waiting_seconds: float = 5.0
    start_seconds: float = 60.0
    total_seconds: float = 120.0
    cpu_seconds: int = 60
    memory_bytes: int = 2 << 30
    file_bytes: int = 16 << 20
    tmp_bytes: int = 64 << 20
    open_files: int = 128
    processes: int = 96
    output_bytes: int = 1 << 20
    notebook_output_bytes: int = 4 << 20


@dataclass(frozen=True)
class Cell:
    """A step: run this source as a notebook cell.

    With ``checkpoint``, save the values of all names afterwards, so that functions can be called with them later; the
    first checkpoint is number 0. If a later cell changes an object in place, it is changed there, too. Until the cell
    has defined the function ``defines``, a statement that fails is passed over. The statements ``left_out`` are not
    run: each has hung for good or ended Python. Where that cannot be told, nothing of the cell is run.
    """

    source: str
    checkpoint: bool = False
    defines: str = ""
    left_out: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Calls:
    """A step: call the function of this name on each ``(args, kwargs)``, with all names as they were at a checkpoint.

    Calls go to one copy of the notebook, or, ``alone``, to a copy for this checkpoint only. What a call is asked can
    reach no cell, and a later call only in the same copy, or through what a cell has opened and kept open.
    """

    name: str
    calls: list[tuple[tuple, dict]] = field(default_factory=list)
    checkpoint: int = 0
    alone: bool = False

    @cached_property
    def laid_out(self) -> tuple[list[dict[str, Any]], bytes]:
        """The calls as plain data, and the content of the memory with their arrays."""
        content = bytearray()

        def encoded(value: Any) -> Any:
            if isinstance(value, StepTable):
                return {"step": protocol.encode(value.as_lists())}  # a function; it is rebuilt inside
            return lay_out(value, content) if isinstance(value, np.ndarray) else protocol.encode(value)

        calls = [
            {"args": [encoded(arg) for arg in args], "kwargs": {name: protocol.encode(kwargs[name]) for name in kwargs}}
            for args, kwargs in self.calls
        ]
        return calls, bytes(content)
