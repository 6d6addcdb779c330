"""A test that goes through many cases says which of them failed."""

from contextlib import contextmanager


@contextmanager
def about(*case):
    """Name the case in whatever fails meanwhile."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"about {', '.join(map(str, case))}")
        raise
