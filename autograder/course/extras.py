"""What a package of checks may offer besides its exercises."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Extras:
    """What a package of checks may offer besides its exercises, in a module ``extras``; each part may be missing."""

    given: dict[str, Any] = field(default_factory=dict)  # name -> function or value that locked cells define
    companions: Callable = lambda exercises: {}  # file beside the notebook -> its text, or the modules to merge
    consequence: Callable = lambda exercise, mistake: ""  # a sentence about what a mistake leads to
    example: Callable = lambda exercise: ""  # address within the book of a number that the exercise's function makes


@cache
def extras_of(package: str) -> Extras:
    """Return what a package of checks offers in its module ``extras``, if it has one; cached per process."""
    try:
        found = vars(importlib.import_module(f"{package}.extras"))
    except ModuleNotFoundError as error:
        if error.name not in (package, f"{package}.extras"):
            raise
        found = {}
    return Extras(**{name: found[name] for name in vars(Extras()) if name in found})
