"""Finds the exercises of a course in its package, which has a package a chapter and a module an exercise.

Both are found by their names; nothing lists them.
"""

import importlib
import pkgutil

from .exercise import Exercise


def chapters_in(package: str) -> tuple[str, ...]:
    """Return the stems of the chapters that a package of exercises has, in alphabetical order."""
    modules = pkgutil.iter_modules(importlib.import_module(package).__path__)
    return tuple(module.name for module in modules if module.ispkg)


def exercises_in(package: str, stem: str) -> dict[str, Exercise]:
    """Return one chapter's exercises as ``{name: Exercise}``, in alphabetical order; the notebook sets their order.

    Errors: ValueError for a module whose exercise has another name, or that has none.
    """
    folder = importlib.import_module(f"{package}.{stem}")
    exercises = {}
    for known in pkgutil.iter_modules(folder.__path__):
        module = importlib.import_module(f"{folder.__name__}.{known.name}")
        exercise = getattr(module, "EXERCISE", None)
        if exercise is None or exercise.name != known.name:
            got = "none" if exercise is None else f"one named {exercise.name!r}"
            raise ValueError(f"expected an EXERCISE named {known.name!r} in {module.__name__}, got {got}: rename it")
        exercises[known.name] = exercise
    return exercises
