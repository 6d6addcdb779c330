"""The files of the trained models, written by ``make models``, and real word vectors; all else only reads them."""

import json
from pathlib import Path
from typing import Any

TRAINED = Path(__file__).parent


def read_trained(name: str) -> Any:
    """Return the content of NAME.json beside this file. Errors: OSError, or ValueError for a damaged file."""
    return json.loads((TRAINED / f"{name}.json").read_text(encoding="utf-8"))
