"""What a site shows that links to a page: its title, a sentence and a picture, as Open Graph and others read them.

A picture's address is relative unless ``html: baseurl`` says where the book is published; nothing is invented.
"""

import re
from html import escape, unescape
from pathlib import Path

from card_picture import SIZE, picture
from docutils import nodes
from sphinx.util import logging

logger = logging.getLogger(__name__)
FOLDER = "_static/cards"
NUMBERED = re.compile(r"\d\d_(?P<stem>[a-z_]+)")
LONGEST = 200  # letters of a description


def shortened(text):
    """Return a text in one line, cut between words where it is long."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: text.rindex(" ", 0, LONGEST)] + " …"


def description(metadata, doctree):
    """Say in a sentence what a page is about: what one learns there, else its first paragraph."""
    if learn := metadata.get("learn"):
        return shortened(f"You learn {learn}.")
    paragraphs = (node.astext() for node in doctree.findall(nodes.paragraph))
    return shortened(next((text for text in paragraphs if len(text) > 40), ""))


def tags(found):
    """Write ``{name: content}`` as meta elements; Open Graph's have another attribute than the others."""
    kind = {name: "property" if name.startswith("og:") else "name" for name in found}
    return "".join(
        f'\n    <meta {kind[name]}="{name}" content="{escape(content)}">' for name, content in found.items() if content
    )


def add_tags(app, page, template, context, doctree):
    """Put the card of a page into its head, and its picture beside the pages."""
    if doctree is None or app.builder.name != "html":
        return
    title, book = app.env.titles[page].astext(), unescape(app.config.html_title or app.config.project)
    said = description(app.env.metadata[page], doctree)
    numbered = NUMBERED.fullmatch(page)
    drawn = picture(title, numbered and numbered["stem"], book, Path(app.outdir).parent / "cards")
    path = Path(app.outdir, FOLDER, f"{page}.png")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(drawn)
    root = f"{app.config.html_baseurl.rstrip('/')}/" if app.config.html_baseurl else ""
    context["metatags"] = context.get("metatags", "") + tags(
        {
            "description": said,
            "og:type": "article",
            "og:site_name": book,
            "og:title": title,
            "og:description": said,
            "og:url": root and f"{root}{app.builder.get_target_uri(page)}",
            "og:image": f"{root}{FOLDER}/{page}.png",
            "og:image:width": str(SIZE[0]),
            "og:image:height": str(SIZE[1]),
            "og:image:alt": f"{title}, over a map of the Transformer",
            "twitter:card": "summary_large_image",
        }
    )


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", add_tags)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
