"""The template environment of all HTML pages. Everything is escaped."""

import re

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from autograder.course.course import Assignment
from autograder.plain import visible


def readable(value: object) -> object:
    """Return a value as a page shows it: without characters that act on other text."""
    if isinstance(value, Markup):
        return Markup(visible(value))
    return visible(value) if isinstance(value, str) else value


PAGES = Environment(
    loader=PackageLoader("autograder.pages"),
    autoescape=True,
    finalize=readable,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def with_code(text: str) -> str:
    """Return a sentence as safe HTML, with text between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


PAGES.filters["with_code"] = with_code


def title_of(assignment: Assignment) -> str:
    """Return the notebook's title."""
    return assignment.notebook.cells[0].source.splitlines()[0].lstrip("# ")
