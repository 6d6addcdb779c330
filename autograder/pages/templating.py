"""The template environment of all HTML pages. Everything is escaped."""

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from autograder.course.course import Assignment
from autograder.diagnosis import finding
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


def without_translated_code(page: Markup) -> Markup:
    """Return a page whose code stays as it is when the browser translates the rest. Text never holds a ``<``."""
    return Markup(str(page).replace("<code>", '<code translate="no">').replace("<pre", '<pre translate="no"'))


PAGES.filters["marked_up"] = lambda text: Markup(finding.marked_up(text))
PAGES.filters["without_translated_code"] = without_translated_code


def title_of(assignment: Assignment) -> str:
    """Return the notebook's title."""
    return assignment.notebook.cells[0].source.splitlines()[0].lstrip("# ")
