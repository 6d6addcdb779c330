"""When shapes and types that the reference's signatures promise are checked: always, but where it would be waste."""

from contextlib import contextmanager

import jaxtyping
from jaxtyping import config

from .root import ENGINE_FOLDERS

# Here a judge asks the reference thousands of times what it makes of inputs of which no signature promises anything.
JUDGING = (
    "hostile",
    "odd",
    "plausible",
    "test_nbgrader",
    "test_any_folder",
    "attention/exercises",
)
JUDGING += tuple(f"autograder/{name}" for name in sorted(ENGINE_FOLDERS - {"diagnosis"}))
JUDGING += ("autograder/test_cli", "autograder/test_grading_alone")
JUDGING += tuple(f"autograder/diagnosis/test_{name}" for name in ("relations", "slips", "tolerance"))
JUDGING += ("book/test_visible_cells",)
# And here models are trained and run, as in tests/attention/chapters/ where the same functions are checked.
JUDGING += ("attention/models",)
JUDGING += ("attention/chapters/test_corpus",)  # sentences have no shapes, and there are thousands


def install():
    """Let the reference's modules, when they are loaded, check their signatures.

    A function inside another one stays as it is: its check would be compiled at each call of the outer one.
    """
    original = jaxtyping.jaxtyped

    def jaxtyped(**options):
        check_one = original(**options)
        return lambda function: function if "<locals>" in function.__qualname__ else check_one(function)

    jaxtyping.jaxtyped = jaxtyped
    jaxtyping.install_import_hook("attention.chapters", "beartype.beartype")


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
