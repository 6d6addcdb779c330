"""What a site shows that links to a page: its title, a sentence and a picture, as Open Graph and others read them.

A picture's address is relative unless ``html: baseurl`` says where the book is published; nothing is invented.
"""

import base64
import re
from html import escape, unescape
from pathlib import Path

from card_picture import SIZE, picture
from docutils import nodes
from page_notebooks import results_of

FOLDER = "_static/cards"
SHORTEST, LONGEST = 40, 200  # letters of a paragraph that describes, of a description
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“])")
FORMULA = "\0"


def words_of(node):
    """Return the text of a part of a page, with a sign for each formula, which has no words."""
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.math):
        return FORMULA
    return "" if isinstance(node, nodes.raw) else "".join(map(words_of, node.children))


def shortened(text):
    """Return the first sentences of a text, as many as are short and have no formula; of a long one its first words."""
    first, said = SENTENCE.split(text)[0], ""
    for sentence in SENTENCE.split(text):
        if FORMULA in sentence or len(said) + len(sentence) > LONGEST:
            break
        said = f"{said} {sentence}".strip()
    if said or FORMULA in first or len(first) <= LONGEST:
        return said
    return f"{first[: first.rindex(' ', 0, LONGEST)]} …"


def description(doctree):
    """Say in a sentence or two what a page is about: its question, else its first paragraph that says enough."""
    boxes = [box for box in doctree.findall(nodes.container) if "question" in box["classes"]]
    texts = [" ".join(words_of(text).split()) for text in (boxes or [doctree])[0].findall(nodes.paragraph)]
    if boxes:
        return shortened(" ".join(texts))
    return next((said for text in texts if len(said := shortened(text)) >= SHORTEST), "")


def first_figure(app, page):
    """Return the first figure of a page as a PNG, as its cells have drawn it; None where it has none."""
    if app.env.metadata[page].get("file_format") != "mystnb":
        return None
    try:
        results = results_of(app, Path(app.env.doc2path(page)).read_text(encoding="utf-8"))
    except KeyError:  # an instructor's own text on the page has cells
        return None
    found = (output.get("data", {}).get("image/png") for outputs in results.values() for output in outputs)
    return next((base64.b64decode(figure) for figure in found if figure), None)


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
    said, figure = description(doctree), first_figure(app, page)
    drawn = picture(title, figure, book, Path(app.outdir).parent / "cards")
    shown = "a figure of the page" if figure else "attention among the words of the title"
    path = Path(app.outdir, FOLDER, f"{page}.png")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(drawn)
    root = f"{app.config.html_baseurl.rstrip('/')}/" if app.config.html_baseurl else ""
    up = root or "../" * page.count("/")
    context["metatags"] = context.get("metatags", "") + tags(
        {
            "description": said,
            "og:type": "article",
            "og:site_name": book,
            "og:title": title,
            "og:description": said,
            "og:url": root and f"{root}{app.builder.get_target_uri(page)}",
            "og:image": f"{up}{FOLDER}/{page}.png",
            "og:image:width": str(SIZE[0]),
            "og:image:height": str(SIZE[1]),
            "og:image:alt": f"{title}, beside {shown}",
            "twitter:card": "summary_large_image",
        }
    )


def setup(app):
    """Register with Sphinx."""
    app.connect("html-page-context", add_tags)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
