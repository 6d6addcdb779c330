"""One rule says whether a recorded mark is current."""

import pytest

from autograder.classroom.results.load import load_results
from autograder.classroom.results.provenance import describe_differences, differences, is_current
from autograder.sandbox import Limits

NOW = {"submission": "a", "solution": "b", "checks": "c", "environment": "d"}


@pytest.mark.parametrize(
    ("recorded", "changed"),
    [
        (NOW, ()),
        (NOW | {"releases": None}, ()),
        (NOW | {"checks": "other", "submission": "other"}, ("submission", "checks")),
        (NOW | {"releases": "e"}, ("releases",)),
        ({"submission": "a", "solution": "b", "checks": "c"}, ("environment",)),
        (NOW | {"of another version": "f"}, ("of another version",)),
    ],
)
def test_a_mark_is_current_if_everything_recorded_is_there_now(recorded, changed):
    """Whatever differs, on either side and under whatever name, makes it stale, with a reason."""
    assert differences(recorded, NOW) == changed
    assert is_current({"bound": recorded}, NOW) == (not changed) == (describe_differences(changed) == "")
    assert not is_current(None, NOW)


def test_results_are_compared_with_the_limits_of_the_run(graded, classroom, assignment):
    """A class that is graded with other limits than the usual ones is not out of date for its own pages."""
    usual, other = load_results(classroom, assignment), load_results(classroom, assignment, limits=Limits(0.5))
    assert {result["stale"] for result in usual.values()} == {""}
    assert all(result["stale"] for result in other.values())
