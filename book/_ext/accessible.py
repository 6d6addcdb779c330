"""What Sphinx and its themes write that a screen reader stumbles over, put right in every page's HTML."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "_templates"  # Jupyter Book has no setting for this folder
REPAIRS = (
    # The corner above row headings heads nothing.
    (re.compile(r'<th class="head">(?=\s*(?:<p>\s*</p>)?\s*</th>)'), '<th class="head" role="cell">'),
    # A summary is called what is written on it.
    (re.compile(r'<summary aria-label="Toggle hidden content">'), "<summary>"),
    # doc-biblioentry is no role of ARIA any more, and without it the list has no items.
    (re.compile(r'<div role="list" class="citation-list">'), '<div class="citation-list">'),
    (re.compile(r'(<div class="citation"[^>]*?) role="doc-biblioentry"'), r"\1"),
)


def repair(app, pagename, templatename, context, doctree):
    """Put the page's own part right; what stands around it is in book/_templates."""
    for wrong, right in REPAIRS:
        context["body"] = wrong.sub(right, context.get("body", ""))


def setup(app):
    """Register with Sphinx, after all others have had their say."""
    app.connect("config-inited", lambda _, config: config.templates_path.insert(0, str(TEMPLATES)))
    app.connect("html-page-context", repair, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
