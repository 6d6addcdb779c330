"""An instructor's own modules, loaded for one test and forgotten after it."""

import contextlib
import sys

from autograder.checks.exercise import registered


@contextlib.contextmanager
def shipped_mistakes_only(module):
    """Give a module of checks its shipped mistakes alone; afterwards restore its mistakes, and the own modules."""
    mistakes, loaded = registered(module), own_modules()
    before = dict(mistakes)
    replace(mistakes, {id: one for id, one in before.items() if one.wrong.__module__ == module})
    try:
        yield
    finally:
        replace(mistakes, before)
        for name in own_modules():
            del sys.modules[name]
            registered(name).clear()
        sys.modules.update(loaded)


def replace(registry, mistakes):
    """Let a module's registry hold these mistakes, in this order."""
    registry.clear()
    registry.update(mistakes)


def own_modules():
    """Return what was read from the folder ``own/``, by name."""
    return {name: module for name, module in sys.modules.items() if name.startswith("own_")}
