"""Sandboxes that one run lets go of and the next one takes: to start one costs half a second of a processor.

A sandbox serves one notebook after another, and nothing of one remains for the next, as the tests of the sandbox
show.
"""

from contextlib import contextmanager

import pytest

from autograder.errors import InfrastructureError
from autograder.sandbox.host import sandbox
from autograder.sandbox.host.worker_process import WarmWorker

MOST = 3  # that wait at the same time: each holds the memory of an interpreter
waiting = []  # the one that waited longest first


class Kept(WarmWorker):
    """A worker that waits for the next run with the same settings when its own lets go of it."""

    is_waited_for, settings = False, None

    def stop(self):
        """Wait, where it is as good as new; end otherwise, as any worker does."""
        if (
            not self.is_waited_for
            or self.settings is None
            or self.process.poll() is not None
            or self.tree.ran_out_of_memory()
        ):
            return super().stop()
        waiting.append(self)
        if len(waiting) > MOST:
            waiting.pop(0).end()
        return False

    def end(self):
        """End for good."""
        self.settings = None
        self.stop()

    def serves(self):
        """Say whether it gives a new notebook, as it did at first."""
        try:
            forked = self.fork("begin")
        except InfrastructureError:
            return False
        if forked:
            forked[1].close()
        return forked is not None


def worker(*settings):
    """Return a worker with these settings that waits, or a new one."""
    for found in [one for one in waiting if one.settings == settings]:
        waiting.remove(found)
        if found.serves():
            return found
        found.end()
    new = Kept(*settings)
    new.settings = settings if new.is_reusable() else None
    return new


@contextmanager
def kept_warm():
    """Take sandboxes that wait, and let them wait again, while this lasts: those of this process alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "WarmWorker", worker)
        patch.setattr(Kept, "is_waited_for", True)
        yield


def end_all():
    """End all that wait."""
    while waiting:
        waiting.pop().end()
