"""Hides every package but those that are named: what PYTHONPATH finds as ``sitecustomize``."""

import importlib.metadata
import os
import re
import sys
from importlib.machinery import PathFinder

WANTED = set(os.environ["ONLY_THESE"].split())
OWNERS = importlib.metadata.packages_distributions()
HIDDEN = {
    name for name, owners in OWNERS.items() if not {re.sub(r"[-_.]+", "-", one).lower() for one in owners} & WANTED
}


class OnlyThese(PathFinder):
    """Finds what is installed as Python does, without the hidden packages."""

    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        """Return where a module is, or None."""
        return None if fullname in HIDDEN else super().find_spec(fullname, path, target)


sys.meta_path[sys.meta_path.index(PathFinder)] = OnlyThese
