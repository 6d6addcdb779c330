"""Demos to play with: in a notebook, and in the published page without a kernel.

Each folder beside ``shared`` defines one, which is imported from here: ``from demos import Gravity``.
"""

from importlib import import_module
from pathlib import Path

from .shared.demo import Demo

for _path in Path(__file__).parent.glob("*/__init__.py"):
    import_module(f"{__name__}.{_path.parent.name}")

BY_FOLDER = {demo.__module__.rpartition(".")[2]: demo for demo in Demo.__subclasses__()}
__all__ = sorted(demo.__name__ for demo in BY_FOLDER.values())
globals().update((demo.__name__, demo) for demo in BY_FOLDER.values())
