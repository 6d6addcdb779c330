"""The checks: how each answer is judged.

One package per chapter, one module per exercise. Both are found by their names; nothing lists them.
"""

import importlib
import pkgutil

from autograder.checks.exercise import Exercise


def chapters(package: str = __name__) -> tuple[str, ...]:
    """Return the stems of the chapters that have checks, in alphabetical order."""
    found = pkgutil.iter_modules(importlib.import_module(package).__path__)
    return tuple(module.name for module in found if module.ispkg)


def exercises_of(stem: str, package: str = __name__) -> dict[str, Exercise]:
    """Return one chapter's exercises as ``{name: Exercise}``, in alphabetical order; the notebook sets their order.

    Errors: ValueError for a module whose exercise has another name, or that has none.
    """
    folder = importlib.import_module(f"{package}.{stem}")
    exercises = {}
    for found in pkgutil.iter_modules(folder.__path__):
        module = importlib.import_module(f"{folder.__name__}.{found.name}")
        exercise = getattr(module, "EXERCISE", None)
        if exercise is None or exercise.name != found.name:
            got = "none" if exercise is None else f"one named {exercise.name!r}"
            raise ValueError(f"expected an EXERCISE named {found.name!r} in {module.__name__}, got {got}: rename it")
        exercises[found.name] = exercise
    return exercises


CHAPTERS = chapters()
