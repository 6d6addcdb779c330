"""When shapes and types that the reference's signatures promise are checked: always, but where it would be waste."""

from contextlib import contextmanager

from jaxtyping import config

# Here a judge asks the reference thousands of times what it makes of inputs of which no signature promises anything.
JUDGING = ("hostile", "odd", "plausible", "course")
JUDGING += ("grading", "classroom", "gradebook", "results", "runs", "pages", "delivery")
JUDGING += ("test_cli", "test_nbgrader", "test_any_folder")
JUDGING += ("checks/test_relations", "checks/test_strange_answers", "checks/test_tolerance")
# And here tiny models are trained and run, as in tests/reference/ where the same functions are checked.
JUDGING += ("models/test_store", "models/test_build", "models/test_consequences", "models/test_readers")


def check(wanted=True):
    """Check signatures from now on, or let a wrong shape reach the function itself, as it does outside of tests."""
    config.update("jaxtyping_disable", not wanted)


@contextmanager
def unchecked():
    """Check nothing while this lasts: for what calls the same functions a thousand times, with the same shapes."""
    before = config.jaxtyping_disable
    check(False)
    try:
        yield
    finally:
        check(not before)
