"""A page's cells run again when what they read has changed."""

import ast
import subprocess
import sys
from pathlib import Path

from tests.support.root import ROOT
from tests.support.watched import watched

from .given_away import CELL

LOADED = """
import contextlib, sys
for line in sys.stdin:
    with contextlib.suppress(ModuleNotFoundError):  # PyTorch, which a page shows and does not run
        exec(line)
files = [getattr(module, "__file__", None) for module in [*sys.modules.values()]]
print(*filter(None, files), sep="\\n")
"""


def imports_of(page):
    """Yield each import statement of a page's cells, as one line."""
    for cell in CELL.finditer(page.read_text(encoding="utf-8")):
        statements = ast.walk(ast.parse(cell[2]))
        yield from (ast.unparse(node) for node in statements if isinstance(node, ast.Import | ast.ImportFrom))


def test_all_that_cells_import_from_the_course_is_watched():
    """No page shows the numbers of yesterday's code: whatever its imports load lies in a watched folder."""
    assert all(path.exists() for path in watched())
    lines = "\n".join(line for page in sorted((ROOT / "book").glob("*.md")) for line in imports_of(page))
    command = [sys.executable, "-c", LOADED]
    ran = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, cwd=ROOT / "book")
    ours = [path for path in map(Path, ran.stdout.splitlines()) if path.is_relative_to(ROOT)]
    loaded = {path for path in ours if not path.is_relative_to(ROOT / ".venv") and path.name != "__init__.py"}
    assert ROOT / "attention/chapters/bank.py" in loaded
    assert {path for path in loaded if not any(path.is_relative_to(one) for one in watched())} == set()
