"""What the book's cells read: the files and folders whose change makes them run again."""

import yaml

from .root import ROOT


def watched():
    """Return the paths that _config.yml lists as ``fresh_cells_watch``."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    return [(ROOT / "book" / name).resolve() for name in config["sphinx"]["config"]["fresh_cells_watch"]]
