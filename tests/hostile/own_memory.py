# ruff: noqa
# A part of cells, not a module: finds a process's memory where no /proc lists it.
import ctypes
import gc
import itertools
import os
import sys
import tempfile


def own_memory():
    """Return all memory next to some object, as ctypes arrays: from there, outwards to what cannot be read."""
    chunk, page, write = 1 << 16, 1 << 12, ctypes.CDLL(None).pwrite
    things = [vars(module).values() for module in list(sys.modules.values())]
    seeds = [*gc.get_objects(), *itertools.chain(*things), *(bytes(1 << size) for size in range(4, 24))]
    waiting, pages = {id(thing) // chunk for thing in seeds}, set()
    seen = set(waiting)
    with tempfile.TemporaryFile() as file:

        def is_readable(at, size):
            return write(file.fileno(), ctypes.c_void_p(at), ctypes.c_size_t(size), ctypes.c_long(0)) == size

        while waiting:
            start = waiting.pop() * chunk
            here = range(start, start + chunk, page)
            here = here if is_readable(start, chunk) else [at for at in here if is_readable(at, page)]
            pages.update(here)
            beside = {start // chunk - 1, start // chunk + 1} - seen if here else set()
            seen |= beside
            waiting |= beside
    starts = sorted(at for at in pages if at - page not in pages)
    ends = sorted(at + page for at in pages if at + page not in pages)
    return [(ctypes.c_char * (end - start)).from_address(start) for start, end in zip(starts, ends)]
