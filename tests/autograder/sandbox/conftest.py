"""A notebook in a warm worker, for tests to which its limits do not matter."""

import pytest

from autograder.sandbox import Limits, Sandbox
from tests.support.patience import LONG, seconds


@pytest.fixture(scope="module")
def worker():
    """One warm worker for all notebooks of a module."""
    with Sandbox(Limits(**seconds(LONG), output_bytes=1009)) as worker:
        yield worker


@pytest.fixture
def box(worker):
    """A new notebook in that worker."""
    return worker.start()
