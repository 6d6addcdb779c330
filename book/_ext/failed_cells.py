"""A cell that fails ends the build with the page, the cell and the error as the last words, and no inner stack."""

import re
import sys

from myst_nb.core.execute.base import ExecutionError
from nbclient.exceptions import CellExecutionError

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def causes(error):
    """Return an error and everything that it came from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def say_which_cell(kind, error, traceback):
    """Print a failed cell in plain words; anything else as Python would."""
    chain = list(causes(error))
    cell = next((cause for cause in chain if isinstance(cause, CellExecutionError)), None)
    page = next((cause for cause in chain if isinstance(cause, ExecutionError)), None)
    if cell is None:
        sys.__excepthook__(kind, error, traceback)
        return
    where = f"{page}: " if page else ""
    said = COLOURS.sub("", str(cell)).strip()
    print(
        f"\n{where}a cell failed, so the book was not built. Mend the cell, then build again.\n\n{said}",
        file=sys.stderr,
    )


def setup(app):
    """Jupyter Book lets the error through to Python, which asks this hook what to print; it still exits with 1."""
    sys.excepthook = say_which_cell
    return {"parallel_read_safe": True, "parallel_write_safe": True}
