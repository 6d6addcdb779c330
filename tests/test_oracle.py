"""What `make oracle` has stored is what its scripts, as they are now, found with the pinned packages."""

import json

import pytest

from autograder.sources import digest_of
from oracle import STORED, Outcome
from oracle.__main__ import SCRIPTS, close, table

from .test_packages import pins_in


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_stored_its_results_since_it_was_changed(script, root):
    """A change of a script asks for `make oracle`; what it stores stays small."""
    path = STORED / f"{script}.json"
    assert path.exists(), "run `make oracle`"
    entry = json.loads(path.read_text(encoding="utf-8"))
    assert entry["script"] == digest_of([root / "oracle" / f"{script}.py"]), "run `make oracle`"
    assert entry["versions"].items() <= pins_in(root / "requirements-oracle.txt").items()
    assert path.stat().st_size < 200_000


def test_every_stored_result_has_its_script():
    """No result is left of a script that is gone."""
    assert sorted(path.stem for path in STORED.glob("*.json")) == SCRIPTS


def test_a_difference_that_is_no_number_is_too_large():
    """NaN compares with nothing, so that it is never small enough."""
    assert not close(float("nan"), 1e-6)
    assert table(Outcome({"softmax": (float("nan"), 1e-6), "mask": (0.0, 1e-6)}, {})).splitlines() == [
        "  NO  softmax       nan  at most 1e-06",
        "  ok  mask      0.0e+00  at most 1e-06",
    ]
