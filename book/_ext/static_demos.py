"""The demos alive in the published page: no kernel, no network, and a sentence for readers without JavaScript.

myst-nb leaves in the page what each widget's state is (one script of JSON) and where each widget stands (one script
each). This extension adds the small host ``static_demos.js`` to the pages that have widgets, and to no other.
"""

import json
from html import escape
from pathlib import Path

from docutils import nodes
from myst_nb.core.render import WIDGET_VIEW_MIMETYPE
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.util.osutil import copyfile, ensuredir

HOST = Path(__file__).with_suffix(".js")
VIEW = f'<script type="{WIDGET_VIEW_MIMETYPE}">'


def widget_states(env, page):
    """Return the widgets of a page: model id -> state; empty where there are none."""
    _, script = NbMetadataCollector.get_js_files(env, page).get("ipywidgets_state", (None, {"body": "{}"}))
    return {model: entry["state"] for model, entry in json.loads(script["body"]).get("state", {}).items()}


def say_what_is_missing(app, doctree, page):
    """Put behind each widget the sentence that stands in for it where JavaScript is off."""
    if app.builder.format != "html":
        return
    states = widget_states(app.env, page)
    for place in list(doctree.findall(nodes.raw)):
        if place.astext().startswith(VIEW):
            view = json.loads(place.astext().removeprefix(VIEW).removesuffix("</script>"))
            summary = states.get(view["model_id"], {}).get("summary", "A demo stands here.")
            sentence = f"<noscript><p>{escape(summary)} It needs JavaScript to be played with.</p></noscript>"
            place.parent.insert(place.parent.index(place) + 1, nodes.raw("", sentence, format="html"))


def copy_host(app):
    """Put the host beside the page's other scripts."""
    if app.builder.format == "html":
        ensuredir(app.outdir / "_static")
        copyfile(HOST, app.outdir / "_static" / HOST.name)


def add_host(app, page, template, context, doctree):
    """Load the host where the page has widgets."""
    if doctree is not None and widget_states(app.env, page):
        # A deferred classic script, not a module: browsers refuse modules to a page opened from disk.
        app.add_js_file(HOST.name, loading_method="defer")


def setup(app):
    """Connect to Sphinx."""
    app.connect("builder-inited", copy_host)
    app.connect("doctree-resolved", say_what_is_missing)
    app.connect("html-page-context", add_host)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
