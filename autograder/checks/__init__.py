"""The checks: what each exercise is tried on, when an answer is right, and which mistakes are recognised."""

import importlib

CHAPTERS = ("context", "query_key_value", "scaling")  # reading order


def exercises_of(stem, package=__name__):
    """Return the exercises of one chapter, by its module name, as ``{name: Exercise}``."""
    module = importlib.import_module(f"{package}.{stem}")
    return {exercise.name: exercise for exercise in module.EXERCISES}
