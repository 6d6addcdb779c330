"""A picture without an alternative text ends the build with the page and the line; Sphinx sees to links and terms."""

from docutils import nodes
from sphinx.util import logging

logger = logging.getLogger(__name__)
SAID = "picture %s has no alternative text: say what it shows, ![here](%s), or in the cell's `image: {alt: …}`"


def placed(node):
    """Return the nearest element around a node, or itself, of which the line is known."""
    while not node.line and node.parent is not None:  # Sphinx gives pictures the line 0
        node = node.parent
    return node


def pictures_say_what_they_show(app, doctree):
    """Warn of each picture of a page that says nothing to those who cannot see it."""
    for picture in doctree.findall(nodes.image):
        if not picture.get("alt", "").strip():
            logger.warning(SAID, picture["uri"], picture["uri"], location=placed(picture), type="book", subtype="alt")


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-read", pictures_say_what_they_show)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
