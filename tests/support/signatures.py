"""When shapes and types that the reference's signatures promise are checked: always, but where it would be waste."""

from contextlib import contextmanager

from jaxtyping import config

# Here a judge asks the reference thousands of times what it makes of inputs of which no signature promises anything.
JUDGING = (
    "hostile",
    "odd",
    "plausible",
    "test_nbgrader",
    "test_any_folder",
    "attention/exercises/test_strange_answers",
)
JUDGING += tuple(
    f"autograder/{name}" for name in ("course", "grading", "classroom", "runs", "pages", "lms", "test_cli")
)
JUDGING += tuple(f"autograder/diagnosis/test_{name}" for name in ("relations", "tolerance"))
# And here tiny models are trained and run, as in tests/attention/chapters/ where the same functions are checked.
JUDGING += tuple(f"attention/models/test_{name}" for name in ("store", "build", "consequences", "readers"))


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
