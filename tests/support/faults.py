"""A part of the checks that raises costs a sentence and no mark: in tests, none may do so unseen."""

from autograder.diagnosis.faults import Fault

RECORDED: list[Fault] = []


def record():
    """Record every fault from now on, in whichever test it is made."""
    made = Fault.__init__

    def recorded(self, *args, **kwargs):
        made(self, *args, **kwargs)
        RECORDED.append(self)

    Fault.__init__ = recorded


def take():
    """Return what was recorded, and forget it."""
    found = RECORDED[:]
    RECORDED.clear()
    return found
