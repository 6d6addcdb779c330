"""Lean pages: when the book is built, each page gets one style sheet and one script, cut to what the book uses.

The theme's own pages are kept beside the book in ``stock``, so that a build of one page knows what the others use.
``COURSE_PAGES=stock`` in the environment, or ``lean_pages: false`` in the configuration, leaves the theme's pages.
"""

import os
from pathlib import Path

from .lean import Book


def folders(app):
    """Return where the theme's pages are kept, and what was made of the same input before."""
    build = Path(app.outdir).parent
    return build / "stock", build / ".lean_cache"


def is_on(app):
    """Say whether pages are to be made lean."""
    return app.config.lean_pages and os.environ.get("COURSE_PAGES") != "stock"


def pages_to_write_again(app, env, added, changed, removed):
    """Write a page again where the theme's own is not kept."""
    stock, _ = folders(app)
    lost = (page for page in env.found_docs if not (stock / f"{page}.html").exists())
    return sorted(lost) if app.builder.format == "html" else []


def note_written(app, page, template, context, doctree):
    """Remember that the theme has written a page."""
    app.pages_of_theme = {*getattr(app, "pages_of_theme", ()), page}


def make_lean(app, exception):
    """Keep the theme's pages, and make lean ones of them."""
    if exception is not None or app.builder.name != "html":
        return
    stock, cache = folders(app)
    outdir = Path(app.outdir)
    for page in getattr(app, "pages_of_theme", ()):
        kept = stock / f"{page}.html"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes((outdir / f"{page}.html").read_bytes())
    for kept in stock.rglob("*.html"):
        if not (outdir / kept.relative_to(stock)).exists():
            kept.unlink()
    book = Book(outdir, stock, cache)
    if is_on(app):
        book.make(app.config.lean_pages_budget)
    else:
        book.restore()


def setup(app):
    """Register with Sphinx, behind every extension that still writes to a page."""
    app.add_config_value("lean_pages", True, "")
    app.add_config_value("lean_pages_budget", {}, "")
    app.connect("env-get-outdated", pages_to_write_again)
    app.connect("html-page-context", note_written)
    app.connect("build-finished", make_lean, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
