"""Where the repository is, and which folders its engine has."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE_FOLDERS = {path.parent.name for path in (ROOT / "autograder").glob("*/__init__.py")}
