"""Put computed numbers into the text alternatives of a page's figures: ``{name}`` is what ``claims.computed`` gave.

MyST-NB's glue does it for text; an image's alt text is a setting of the cell, which glue does not reach.
"""

import re

from docutils import nodes
from myst_nb.core.variables import format_plain_text
from myst_nb.ext.glue.crossref import read_glue_cache

PLACE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
ROLE = re.compile(r"\{glue:text\}`(\w+)(?::([^`]*))?`")


def filled(text, env, page, pattern=PLACE):
    """Return text with each place of a number filled. Errors: KeyError for a name that the page does not compute."""
    folder = str(env.mystnb_config.output_folder)

    def value(found):
        glued = read_glue_cache(folder, page)
        if found[1] not in glued:
            raise KeyError(f"{page}: expected a name that claims.computed gives, got {found[1]!r}")
        return format_plain_text(glued[found[1]]["data"]["text/plain"], found[2] or "s")

    return pattern.sub(value, text)


def fill_alts(app, doctree):
    """Fill the alt texts of a page that was just read."""
    for image in doctree.findall(nodes.image):
        if PLACE.search(image.get("alt", "")):
            read_glue_cache.cache_clear()  # the page may have been run again since
            image["alt"] = filled(image["alt"], app.env, app.env.docname)


def setup(app):
    """Register with Sphinx."""
    app.connect("doctree-read", fill_alts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
