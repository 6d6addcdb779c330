"""The demos alive in the published page: no kernel, no network, and a sentence for readers without JavaScript.

myst-nb leaves in the page what each widget's state is (one script of JSON) and where each widget stands (one script
each). This extension adds the small host ``static_demos.js`` to the pages that have widgets, and to no other.
A demo's code is a file of its own, beside one with what most demos need, so that a reader loads neither twice; what
stays in the page is its traits.
What is large among these, such as a trained model, goes to a file, too, which the host loads when its demo comes into
view, or at once where that is the page's first; the ``_parts`` of a dictionary go to a file each, which the host loads
when the demo asks for one.
"""

import gzip
import hashlib
import json
import re
import sys
from html import escape
from importlib import import_module
from pathlib import Path

from docutils import nodes
from myst_nb.core.render import WIDGET_STATE_MIMETYPE, WIDGET_VIEW_MIMETYPE
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole
from sphinx.util.osutil import ensuredir

from attention.exercises.in_translator import address_of
from attention.models import shipped_translator

sys.path.append(str(Path(__file__).parents[1]))  # where the package of the demos is
logger = logging.getLogger(__name__)
HOST = Path(__file__).with_suffix(".js")
BUNDLES = Path(__file__).parents[1] / "demos" / "static" / "page"  # written by `make demos`
SHARED = "shared"
LARGE = 20_000  # letters; what a demo draws with stays below, and a trained model does not
CODE, DATA = "demos", "demo_data"
AT_ONCE = 20_000  # bytes as sent of data that come with the first demo: a recording does, a trained model does not
OF_WIDGETS = {"layout", "summary", "tabbable", "tooltip"}  # what no demo draws
EXPECTED = "try: expected words <demo&trait=value> with a demo and traits of the course, got %s"
VIEW = f'<script type="{WIDGET_VIEW_MIMETYPE}">'
FIRST_VIEW = re.compile(re.escape(VIEW) + r".*?</noscript>", re.DOTALL)


def widget_states(env, page):
    """Return the widgets of a page: model id -> state; empty where there are none."""
    _, script = NbMetadataCollector.get_js_files(env, page).get("ipywidgets_state", (None, {"body": "{}"}))
    return {model: entry["state"] for model, entry in json.loads(script["body"]).get("state", {}).items()}


def shown_widgets(doctree):
    """Yield what shows a widget on a page, in reading order: (node, model id)."""
    for place in list(doctree.findall(nodes.raw)):
        if place.astext().startswith(VIEW):
            yield place, json.loads(place.astext().removeprefix(VIEW).removesuffix("</script>"))["model_id"]


def set_apart(app, doctree, page):
    """Leave only traits in the states of a page, before it is written, and of these only what is small."""
    entry = NbMetadataCollector.get_js_files(app.env, page).get("ipywidgets_state")
    if app.builder.format != "html" or entry is None:
        return
    body = json.loads(entry[1]["body"])
    body["state"] = {name: model for name, model in body["state"].items() if model.get("model_name") != "LayoutModel"}
    for model in body["state"].values():
        model["state"] = _slim(app, model["state"])
        for value in model["state"].values():
            if isinstance(value, dict) and "_parts" in value:
                value["_parts"] = {name: _own_file(app, part) for name, part in value["_parts"].items()}
        later = {trait: _own_file(app, value) for trait, value in model["state"].items() if _is_large(trait, value)}
        if later:
            kept = {trait: value for trait, value in model["state"].items() if trait not in later}
            model["state"] = {**kept, "_later": {**kept.get("_later", {}), **later}}
    entry[1]["body"] = json.dumps(body).replace("</", "<\\/")


def _slim(app, state):
    """Return what a demo of the course says of itself, its code named by file; any other widget as it is."""
    stem = str(state.get("_anywidget_id")).rpartition(".")[0].rpartition(".")[2]
    if not (BUNDLES / f"{stem}.js").is_file():
        return state
    files = [_code_file(app, name) for name in (SHARED, stem)]
    return {"_code": {"demo": stem, "files": files}} | {
        trait: value for trait, value in state.items() if not trait.startswith("_") and trait not in OF_WIDGETS
    }


def _code_file(app, name):
    """Copy a bundle to the book, named by what is in it, so that it may be cached forever; return its name."""
    code = (BUNDLES / f"{name}.js").read_bytes()
    named = f"{name}-{hashlib.sha256(code).hexdigest()[:10]}"
    path = Path(app.outdir, "_static", CODE, f"{named}.js")
    ensuredir(path.parent)
    path.write_bytes(code)
    return named


def _is_large(trait, value):
    """Say whether a value is data and large; the code of a demo is started with, so it stays."""
    return not trait.startswith("_") and len(json.dumps(value)) > LARGE


def _own_file(app, value):
    """Write a value as a script, which a page opened from disk may load, too; return its name."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = Path(app.outdir, "_static", DATA, f"{name}.js")
    ensuredir(path.parent)
    path.write_text(f'(globalThis.demoData ??= {{}})["{name}"] = {text};\n', encoding="utf-8")
    return name


def say_what_is_missing(app, doctree, page):
    """Put after each widget the sentence that replaces it where JavaScript is off."""
    if app.builder.format != "html":
        return
    states = widget_states(app.env, page)
    for place, model in shown_widgets(doctree):
        summary = states.get(model, {}).get("summary", "A demo stands here.")
        sentence = f"<noscript><p>{escape(summary)} It needs JavaScript to be played with.</p></noscript>"
        place.parent.insert(place.parent.index(place) + 1, nodes.raw("", sentence, format="html"))


def copy_host(app):
    """Put the host beside the page's other scripts."""
    if app.builder.format == "html":
        ensuredir(app.outdir / "_static")
        code = re.sub(r"^ *//.*\n", "", HOST.read_text(encoding="utf-8"), flags=re.MULTILINE)  # no page needs comments
        Path(app.outdir, "_static", HOST.name).write_text(code, encoding="utf-8")


def add_host(app, page, template, context, doctree):
    """Run the host where the page's first demo stands, after its state.

    Where that is before the page's first section, its code and data come along: a browser draws the demo before it
    reads the rest of the page. Further down, it is loaded when it is about to be seen.
    """
    states = widget_states(app.env, page) if doctree is not None else {}
    if not states:
        return
    first = states.get(next(model for _, model in shown_widgets(doctree)), {})
    if "<h2" in context["body"][: FIRST_VIEW.search(context["body"]).start()]:
        first = {}
    names = [f"{CODE}/{name}.js" for name in first.get("_code", {}).get("files", ())]
    data = [f"{DATA}/{name}.js" for name in first.get("_later", {}).values()]
    names += [name for name in data if is_small(app, name)]
    addresses = {name: static_address(name, context["pathto"]) for name in (*names, *data, HOST.name)}
    saved = next(
        one for one in context["script_files"] if getattr(one, "attributes", {}).get("type") == WIDGET_STATE_MIMETYPE
    )
    context["script_files"] = [one for one in context["script_files"] if one is not saved]
    # Classic scripts, not modules: browsers refuse modules to a page opened from disk.
    scripts = "".join(f'<script src="{addresses[name]}"></script>\n' for name in (*names, HOST.name))
    state = f'<script type="{WIDGET_STATE_MIMETYPE}">{saved.attributes["body"]}</script>\n'
    context["body"] = FIRST_VIEW.sub(lambda view: f"{view[0]}\n{state}{scripts}", context["body"], count=1)
    for name in data:
        if name not in names:  # fetched while the page is drawn, so that the demo need not wait when it is seen
            context["metatags"] += f'\n<link rel="preload" as="script" fetchpriority="low" href="{addresses[name]}"/>'


def static_address(name, pathto):
    """Return the address of a static file; the host's has a version, as its name has none."""
    version = f"?v={hashlib.sha256(HOST.read_bytes()).hexdigest()[:8]}" if name == HOST.name else ""
    return escape(pathto(f"_static/{name}", resource=True)) + version


def is_small(app, name):
    """Say whether a demo's data, as sent, are no more than its code: the first demo then waits for nobody to see it."""
    return len(gzip.compress(Path(app.outdir, "_static", name).read_bytes())) <= AT_ONCE


class Try(SphinxRole):
    """``{try}`a booster of 10 <soft_dictionary&booster=10>` ``: a link that sets a demo of the page."""

    def run(self):
        """Return the link; warn in one line of a demo or a trait that the course does not have."""
        found = re.fullmatch(r"(.+?)\s*<(\w+)((?:&\w+=[^&>]*)+)>", self.text, re.DOTALL)
        stem = found[2] if found else ""
        names = re.findall(r"&(\w+)=", found[3]) if found else []
        if not (BUNDLES / f"{stem}.js").is_file() or not all(name in traits_of(stem) for name in names):
            logger.warning(EXPECTED, self.text, location=self.get_location())
        link = nodes.reference(
            "", "", internal=True, refuri=f"#demo={stem}{found[3] if found else ''}", classes=["try"]
        )
        link += nodes.inline("", found[1] if found else self.text)
        return [link], []


class Number(SphinxRole):
    """``{number}`0.63 <i love you very much|d0.cw.0:0:2>` ``: a link that opens a number of a model."""

    def run(self):
        """Return the link; warn in one line where no sentence and no node are given."""
        found = re.fullmatch(r"(.+?)\s*<([a-z ]+)\|([\w.]+:\d+:\d+)>", self.text, re.DOTALL)
        if not found:
            logger.warning("number: expected words <sentence|node>, got %s", self.text, location=self.get_location())
        words, sentence, node = found.groups() if found else (self.text, "", "")
        up = "../" * self.env.docname.count("/")
        link = nodes.reference("", "", internal=True, refuri=f"{up}{address_of(sentence, node)}", classes=["try"])
        link += nodes.inline("", words)
        return [link], []


class Why(SphinxRole):
    """``{why}`why il? <the cat sees the dog|il|la|the girl sees the dog>` ``: a link that asks the translator.

    Why this word rather than that one; and, if there is a fourth part, than in that sentence, or without that part.
    """

    def run(self):
        """Return the link; warn in one line where the translation has no such word."""
        found = re.fullmatch(r"(.+?)\s*<([a-z ]+)\|([^|]+)\|([^|>]+)(?:\|([\w. ]+))?>", self.text, re.DOTALL)
        words, address = self.text, ""
        try:
            words, sentence, word, other, side = found.groups()
            address = question_in_page(sentence, word, other, side or "")
        except (AttributeError, KeyError, ValueError):
            logger.warning(
                "why: expected words <sentence|word|other word|other sentence or part>, the first word one that the "
                "translator writes there, got %s",
                self.text,
                location=self.get_location(),
            )
        link = nodes.reference(
            "", "", internal=True, refuri="../" * self.env.docname.count("/") + address, classes=["try"]
        )
        link += nodes.inline("", words)
        return [link], []


def question_in_page(sentence, word, other, side=""):
    """Return the address of the card that asks why the translator writes a word rather than another one.

    Errors: KeyError for a word that it does not know; ValueError for one that it does not write there.
    """
    trained = shipped_translator()
    place = trained.translations([sentence])[0].split().index(word)
    tokens = trained.model.target_vocabulary
    part = side if side and (" " not in side and side not in trained.model.source_vocabulary) else ""
    node = f"d{place}.l:{place}:{tokens[word]}-{tokens[other]}"
    return address_of(sentence, node, against="" if part else side, off=part)


def traits_of(stem):
    """Return what a demo can be set to: its traits, by name."""
    return import_module("demos").BY_FOLDER[stem].class_traits(sync=True)


def setup(app):
    """Connect to Sphinx."""
    app.add_role("try", Try())
    app.add_role("number", Number())
    app.add_role("why", Why())
    app.connect("builder-inited", copy_host)
    app.connect("doctree-resolved", say_what_is_missing)
    app.connect("doctree-resolved", set_apart)
    app.connect("html-page-context", add_host)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
