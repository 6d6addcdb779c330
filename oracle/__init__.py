"""What `make oracle` runs: scripts that compare the course with PyTorch and its libraries, and store small results.

Each module in this folder is a script: its function ``run()`` compares and returns an ``Outcome``. A module whose name
begins with an underscore is none. Results go to ``oracle/stored/<script>.json``, where pages and tests read them:
neither of them needs PyTorch.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

STORED = Path(__file__).parent / "stored"


class Outcome(NamedTuple):
    """What a script has found.

    ``differences``: what was compared -> the largest difference, and the largest that is allowed
    ``results``: what is stored, as JSON can hold it
    """

    differences: Mapping[str, tuple[float, float]]
    results: Any


def stored(script: str) -> Any:
    """Return what a script has stored. Errors: FileNotFoundError where it never ran."""
    return json.loads((STORED / f"{script}.json").read_text(encoding="utf-8"))["results"]
