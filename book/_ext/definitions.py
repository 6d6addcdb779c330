"""Glossary terms that show their definition where they are used, and the search page's answer above its list.

Sphinx links a term to the glossary; no extension shows the definition in place without a script of its own.
"""

import json
import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.osutil import copyfile, ensuredir

logger = logging.getLogger(__name__)
LINK = re.compile(r'<a class="reference internal" href="([^"]*glossary\.html)?#(term-[^"]+)">')
SCRIPT = Path(__file__).with_name("search_first.js")
# What people type -> the glossary's word for it.
SYNONYMS = {
    "layer normalization": "layer norm",
    "layer normalisation": "layer norm",
    "batch normalization": "batch norm",
    "positional encodings": "positional encoding",
    "position encoding": "positional encoding",
    "backpropagation": "gradient",
    "backprop": "gradient",
    "skip connection": "residual connection",
    "alignment": "alignment score",
    "attention weight": "weight",
    "learned number": "parameter",
    "multi-head attention": "head",
    "multihead attention": "head",
    "attention head": "head",
    "cnn": "convolution",
    "rnn": "recurrent network",
    "rope": "rotary",
    "word embedding": "embedding",
    "word vector": "embedding",
    "tfidf": "tf-idf",
    "greedy": "greedy decoding",
    "beam": "beam search",
    "look-ahead mask": "causal mask",
}

# Where a term is taught that an earlier chapter mentions.
TAUGHT_IN = {
    "softmax": "context",
    "query": "query_key_value",
    "key": "query_key_value",
    "head": "multi_head",
    "encoder": "layer_norm",
    "decoder": "masking",
    "loss": "training",
    "Adam": "gradients",
    "attention score": "query_key_value",
    "residual connection": "layer_norm",
    "residual stream": "layer_norm",
    "checkpoint": "training",
    "checkpoint averaging": "training",
    "dropout": "training",
    "exposure bias": "training",
    "label smoothing": "training",
    "learning rate": "training",
    "overfitting": "training",
    "perplexity": "training",
    "length normalisation": "inference",
    "log-probability": "inference",
    "temperature": "inference",
}


def definitions(env):
    """Return what the glossary says: anchor -> (term, first sentence of its definition)."""
    found = {}
    if "glossary" not in env.found_docs:
        return found
    for entry in env.get_doctree("glossary").findall(nodes.definition_list_item):
        said = re.sub(r"\s+", " ", next(iter(entry.findall(nodes.definition))).astext())
        first = re.split(r"(?<=[.!?]) (?=[A-Z])", said, maxsplit=1)[0]
        for term in entry.findall(nodes.term):
            found.update({anchor: (term.astext(), first) for anchor in term["ids"]})
    return found


def parts_of(site_map):
    """Return the pages of each part of _toc.yml, in its order; the first page is in none."""

    def below(page):
        return [page, *(name for child in site_map[page].child_files() for name in below(child))]

    return [[name for page in part.files() for name in below(page)] for part in site_map.root.subtrees]


def note_uses(app, doctree, page):
    """Remember on which page each term is used: most are taught in the first chapter that uses them."""
    targets = (reference.get("refuri", "") for reference in doctree.findall(nodes.reference))
    app.env.term_uses = getattr(app.env, "term_uses", {})
    app.env.term_uses[page] = {target.partition("#")[2] for target in targets if "#term-" in target}


def show_definitions(app, page, template, context, doctree):
    """Give each link to a term its definition, and the search page all of them."""
    if app.builder.name != "html":
        return
    known = app.env.known_definitions = getattr(app.env, "known_definitions", None) or definitions(app.env)

    def with_definition(link):
        said = known.get(link[2], ("", ""))[1]
        return f'{link[0][:-1]} data-definition="{escape(said)}">' if said else link[0]

    context["body"] = LINK.sub(with_definition, context.get("body", ""))
    if page == "search":
        uses = getattr(app.env, "term_uses", {})
        chapters = sorted(name for name in uses if re.match(r"\d\d_", name))
        pages = {name[3:]: name for name in chapters}
        first = {anchor: next((name for name in chapters if anchor in uses[name]), "") for anchor in known}
        taught = {anchor: pages.get(TAUGHT_IN.get(term), first[anchor]) for anchor, (term, _) in known.items()}
        entries = [
            {"term": term, "anchor": anchor, "said": said, "page": taught[anchor],
             "title": app.env.titles[taught[anchor]].astext() if taught[anchor] else ""}
            for anchor, (term, said) in known.items()
        ]  # fmt: skip
        missing = {word for word in SYNONYMS.values() if word not in {term.lower() for term, _ in known.values()}}
        if known and missing:
            logger.warning("expected each synonym's term in the glossary, found none for %s", sorted(missing))
        known_to_search = {"entries": entries, "synonyms": SYNONYMS, "pages": parts_of(app.config.external_site_map)}
        data = json.dumps(known_to_search, ensure_ascii=False).replace("</", "<\\/")
        app.add_js_file(None, body=f"globalThis.glossary = {data};", priority=50)
        app.add_js_file(SCRIPT.name, priority=60)


def copy_script(app):
    """Put the search page's script beside the others."""
    if app.builder.name == "html":
        ensuredir(app.outdir / "_static")
        copyfile(SCRIPT, app.outdir / "_static" / SCRIPT.name)


def forget(app, env, docname):
    """Read the glossary anew when it changes."""
    env.known_definitions = None


def setup(app):
    """Register with Sphinx."""
    app.connect("builder-inited", copy_script)
    app.connect("env-purge-doc", forget)
    app.connect("doctree-resolved", note_uses)
    app.connect("html-page-context", show_definitions, priority=850)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
