"""Arrays passed to a function in memory that both sides see, so that the host can tell whether they changed.

Whatever student code does to the code around it, the host reads the memory itself. Used on both sides.
"""

import fcntl
import mmap
import os
from typing import Any

import numpy as np

ALIGNED = 64
SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW


def lay_out(array: np.ndarray, content: bytearray) -> dict[str, Any]:
    """Append an array's bytes to ``content``, a bytearray, and return its description as plain data."""
    content.extend(bytes(-len(content) % ALIGNED))
    place = {"at": len(content), "dtype": array.dtype.str, "shape": list(array.shape)}
    content.extend(array.tobytes())
    return place


def is_shared_array(data: dict[str, Any]) -> bool:
    """Say whether plain data describes an array in shared memory."""
    return isinstance(data, dict) and "at" in data


def is_step(data: dict[str, Any]) -> bool:
    """Say whether plain data describes a function that returns the next token's logits."""
    return isinstance(data, dict) and "step" in data


def array_in(memory: bytes, place: dict[str, Any]) -> np.ndarray:
    """Return the array at this place; writing to it changes the memory."""
    return np.ndarray(place["shape"], place["dtype"], memory, place["at"])


class SharedMemory:
    """Memory with this content, on the side that owns it. Use it as a context manager."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def __enter__(self) -> "SharedMemory":
        self.descriptor = os.memfd_create("lent", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.truncate(self.descriptor, max(1, len(self.content)))
        os.pwrite(self.descriptor, self.content, 0)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, SEALS)
        return self

    def __exit__(self, *exception: Any) -> None:
        os.close(self.descriptor)

    def fileno(self) -> int:
        """The descriptor to pass on."""
        return self.descriptor

    def now(self) -> bytes:
        """Return the memory's present content."""
        return os.pread(self.descriptor, len(self.content), 0)


def borrowed(descriptor: int) -> mmap.mmap:
    """Return memory that the other side owns."""
    try:
        return mmap.mmap(descriptor, 0)
    finally:
        os.close(descriptor)
