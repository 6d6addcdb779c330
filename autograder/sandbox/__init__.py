"""The sandbox, where untrusted code runs. It has three verbs: start, run, stop.

It knows nothing of attention, exercises or nbgrader. What student code can reach is decided here and nowhere else.
"""

from .host import bubblewrap, control_groups
from .host.control_groups import share_of_memory
from .host.outcome import CallAnswer, Outcome
from .host.sandbox import Sandbox
from .host.steps import Calls, Cell, Limits
from .inside.protocol import Foreign

__all__ = ["CallAnswer", "Calls", "Cell", "Foreign", "Limits", "Outcome", "Sandbox", "level", "require"]
__all__ += ["share_of_memory"]


def level(protected: bool = True) -> str:
    """Describe what isolates student code on this machine; recorded with every grade.

    Errors: SandboxUnavailable if the program for it is missing.
    """
    if not protected:
        return "UNPROTECTED: student code runs with the rights of the person who grades"
    return f"{bubblewrap.level()}; {control_groups.level()}"


def require(protected: bool = True) -> None:
    """Try the sandbox before anything is graded. Errors: SandboxUnavailable if the machine cannot isolate anything."""
    if protected:
        bubblewrap.require()
