"""The requests that the sandbox accepts, one step at a time, and a notebook's limits."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from autograder.step_table import StepTable

from . import wire
from .shared_arrays import lay_out


@dataclass(frozen=True)
class Limits:
    """What one notebook may use: seconds, bytes and counts.

    A cell, and each call, may compute for ``step_seconds`` of processor time, and may wait for ``waiting_seconds`` for
    something else than a processor. ``total_seconds`` are of both, for all cells and again for all calls.
    ``output_bytes`` is for one cell, ``notebook_output_bytes`` for all of them.
    """

    step_seconds: float = 2.5
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
    first checkpoint is number 0. If a later cell changes an object in place, it is changed there, too. Of a cell that
    hangs for good or ends Python, nothing is saved, but all names from before it are.
    """

    source: str
    checkpoint: bool = False


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
                return {"step": wire.encode(value.as_lists())}  # a function; it is rebuilt inside
            return lay_out(value, content) if isinstance(value, np.ndarray) else wire.encode(value)

        calls = [
            {"args": [encoded(arg) for arg in args], "kwargs": {name: wire.encode(kwargs[name]) for name in kwargs}}
            for args, kwargs in self.calls
        ]
        return calls, bytes(content)
