"""An instructor's own modules, loaded for one test and forgotten after it."""

import contextlib
import json
import sys

import nbformat

from autograder.diagnosis.exercise import registered

HALVE = '''
import numpy as np
from autograder.diagnosis.exercise import Case, Exercise, mistake

def halve(x):
    """Return half of x."""
    return x / 2

@mistake("The number was halved twice.")
def quartered(x):
    return x / 4

EXERCISE = Exercise(
    name="halve", reference=halve, returns=("half",),
    examples=(Case("three", (np.array([3.0, 5.0]),)),),
    unseen=lambda rng: [Case("drawn", (rng.normal(size=(3, 5)),))],
    edges=lambda rng: [Case("nothing", (np.zeros((2, 0)),))],
)
'''
TRIPLED = """
from autograder.diagnosis.exercise import mistake

@mistake("The number was added three times.")
def tripled(x):
    return x + x + x
"""


def own_cells(path):
    """Write the three cells of the exercise `halve`, made from those of `double`."""
    notebook = nbformat.read(path, as_version=4)
    text = json.dumps([cell for cell in notebook.cells if "double" in cell.metadata.nbgrader.grade_id])
    cells = json.loads(text.replace("double", "halve").replace("x + x", "x / 2"))
    return nbformat.from_dict({**notebook, "cells": cells})


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
