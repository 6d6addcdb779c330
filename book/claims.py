"""Numbers and claims about trained models, computed on the page that states them.

``numbers(right=297)`` lets the page say {glue:text}`right`; alt texts write it as ``{right}``.
``claim("no two heads agree", …)`` ends the build where the words beside it are no longer true.
"""

from myst_nb import glue


class Untrue(AssertionError):
    """A sentence of the page that no longer holds for the shipped models."""


def numbers(**values: object) -> None:
    """Hand values to the page by name, whole numbers and texts as they are; a share needs a format in the text."""
    for name, value in values.items():
        glue(name, value.item() if hasattr(value, "item") else value, display=False)


def claim(words: str, holds: object) -> None:
    """Back a sentence of the page. Errors: Untrue where it does not hold."""
    if not holds:
        raise Untrue(f"the page says {words!r}, which the shipped models no longer bear out: rewrite that sentence")
