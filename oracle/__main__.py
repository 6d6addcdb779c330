"""Run the oracle's scripts, print each difference, and store the results: ``python -m oracle [SCRIPT…]``."""

import importlib
import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

from autograder.sources import digest_of

from . import STORED, Outcome

PACKAGES = ("numpy", "torch", "transformers", "tokenizers")  # whose versions are stored with the results
SCRIPTS = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def main(names: list[str]) -> int:
    """Run scripts by their names, all without one. Return 1 if a difference is too large, and store nothing then."""
    if unknown := set(names) - set(SCRIPTS):
        sys.exit(f"expected scripts among {SCRIPTS}, got {sorted(unknown)}: they are the modules in oracle/")
    failed = False
    for name in names or SCRIPTS:
        start = time.perf_counter()
        outcome = importlib.import_module(f"oracle.{name}").run()
        print(f"{name}: {len(outcome.differences)} comparisons in {time.perf_counter() - start:.1f} s")
        print(table(outcome))
        if all(close(*pair) for pair in outcome.differences.values()):
            store(name, outcome)
        else:
            failed = True
            print(f"{name}: nothing is stored, a difference is too large")
    return int(failed)


def close(difference: float, allowed: float) -> bool:
    """Say whether a difference is small enough; NaN is not."""
    return difference <= allowed


def table(outcome: Outcome) -> str:
    """Return one line for each comparison."""
    width = max(map(len, outcome.differences), default=0)
    return "\n".join(
        f"  {'ok' if close(difference, allowed) else 'NO'}  {what:{width}}  {difference:8.1e}  at most {allowed:.0e}"
        for what, (difference, allowed) in outcome.differences.items()
    )


def store(name: str, outcome: Outcome) -> None:
    """Write what a script found, with the versions and the script that found it."""
    entry = {
        "script": digest_of([Path(__file__).with_name(f"{name}.py")]),
        "versions": {package: version(package).partition("+")[0] for package in PACKAGES},
        "results": outcome.results,
    }
    STORED.mkdir(exist_ok=True)
    path = STORED / f"{name}.json"
    path.write_text(json.dumps(entry, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"  stored in oracle/stored/{path.name}, {path.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
