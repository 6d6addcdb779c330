"""What a package of exercises may offer besides them."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Hooks:
    """What a package of exercises may offer besides them, in a module ``hooks``; each part may be missing."""

    given: dict[str, Any] = field(default_factory=dict)  # name -> function or value that locked cells define
    selfcheck: tuple[Any, ...] = ()  # modules that become a part of every student's selfcheck.py
    companions: Callable = lambda exercises: {}  # file beside the notebook -> its text, or the modules to merge
    consequence: Callable = lambda exercise, mistake: ""  # a sentence about what a mistake leads to
    example: Callable = lambda exercise: ""  # address within the book of a number that the exercise's function makes
    missing: Callable = lambda exercise: []  # what the course wants of each exercise besides, and this one lacks


@cache
def hooks_of(package: str) -> Hooks:
    """Return what a package of exercises offers in its module ``hooks``, if it has one; cached per process."""
    try:
        names = vars(importlib.import_module(f"{package}.hooks"))
    except ModuleNotFoundError as error:
        if error.name not in (package, f"{package}.hooks"):
            raise
        names = {}
    return Hooks(**{name: names[name] for name in vars(Hooks()) if name in names})
