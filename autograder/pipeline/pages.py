"""Pages: what every HTML page of ours is made with. Everything is escaped."""

import re

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

PAGES = Environment(
    loader=PackageLoader("autograder.pipeline"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def with_code(text):
    """Return a sentence as safe HTML, with what stands between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


PAGES.filters["with_code"] = with_code


def title_of(assignment):
    """Return the notebook's title."""
    return assignment.notebook.cells[0].source.splitlines()[0].lstrip("# ")
