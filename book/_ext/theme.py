"""Furo with what neither it nor Jupyter Book 1.0 does: toggles, pictures that tell their size, HTML repaired."""

import re
from functools import cache
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

from docutils import nodes
from docutils.parsers.rst import directives
from PIL import Image
from sphinx.util.docutils import SphinxDirective

from autograder.pages.look import SHEET

TEMPLATES = Path(__file__).parents[1] / "_templates"  # Jupyter Book has no setting for this folder
IMAGE = re.compile(r"<img\b([^>]*?)\s*/?>")
SOURCE = re.compile(r'\bsrc="([^"]+)"')
PIXELS_PER_POINT = 1.6  # a figure of style.WIDTH is then as wide as the text
CAPTION = re.compile(r'<p class="caption" role="heading">')
# HTML by Docutils and sphinxcontrib-bibtex that a screen reader stumbles over, and what replaces it.
REPAIRS = (
    (re.compile(r'<th class="head">(?=\s*(?:<p>\s*</p>)?\s*</th>)'), '<th class="head" role="cell">'),
    (re.compile(r'<summary aria-label="Toggle hidden content">'), "<summary>"),
    (re.compile(r'<div role="list" class="citation-list">'), '<div class="citation-list">'),
    (re.compile(r'(<div class="citation"[^>]*?) role="doc-biblioentry"'), r"\1"),
)
# For extensions that we do not have, and for cells, which course.css styles in a tenth of the bytes.
UNUSED_STYLES = re.compile(r"_static/(styles/furo-extensions|mystnb\.\w+)\.css")


class toggle(nodes.General, nodes.Element):
    """A part of a page that is folded until a reader opens it."""


class toggle_title(nodes.General, nodes.TextElement):
    """The line of a toggle that is always there."""


class Toggle(SphinxDirective):
    """``:::{dropdown} Title`` becomes a ``details`` element."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"class": directives.class_option}  # noqa: RUF012

    def run(self):
        """Return the element with its title and its content."""
        words, messages = self.state.inline_text(self.arguments[0], self.lineno)
        folded = toggle("", toggle_title("", "", *words), classes=["toggle", *self.options.get("class", [])])
        self.set_source_info(folded)
        self.state.nested_parse(self.content, self.content_offset, folded)
        return [folded, *messages]


def element(tag):
    """Return the two functions that write a node's start and end as an HTML element."""

    def open_tag(writer, node):
        writer.body.append(writer.starttag(node, tag))

    def close_tag(writer, node):
        writer.body.append(f"</{tag}>\n")

    return open_tag, close_tag


@cache
def picture_size(path):
    """Return (width, height) of a picture in CSS pixels, or None if it does not tell."""
    if path.suffix != ".svg":
        with Image.open(path) as picture:
            return picture.size
    root = next(ElementTree.iterparse(path, events=("start",)))[1]
    sides = [re.fullmatch(r"([\d.]+)(px|pt)?", root.get(name, "")) for name in ("width", "height")]
    if all(sides):
        return tuple(round(float(side[1]) * (PIXELS_PER_POINT if side[2] == "pt" else 1)) for side in sides)
    box = root.get("viewBox", "").split()
    return (round(float(box[2])), round(float(box[3]))) if len(box) == 4 else None


def give_size(image, files):
    """Return an ``img`` tag with its width and height, so that nothing moves when the picture arrives.

    One above the page's first section is on the first screen: it is fetched at once.
    """
    attributes = image[1]
    source = SOURCE.search(attributes)
    file = files.get(Path(unescape(source[1])).name) if source else None
    if file and not re.search(r"\b(width|height|style)=", attributes) and (size := picture_size(file)):
        attributes += f' width="{size[0]}" height="{size[1]}"'
    later = ' loading="lazy"' if "<h2" in image.string[: image.start()] else ""
    return f'<img{attributes}{later} decoding="async">'


def finish_page(app, pagename, templatename, context, doctree):
    """Repair a page's body, give its pictures their sizes, and drop style sheets that it does not need."""
    files = {name: Path(app.srcdir) / source for source, name in app.builder.images.items()}  # copied after the pages
    body = context.get("body", "")
    for wrong, right in REPAIRS:
        body = wrong.sub(right, body)
    context["body"] = IMAGE.sub(lambda image: give_size(image, files), body)
    for script in context["script_files"]:
        if getattr(script, "filename", None):
            script.attributes.pop("defer", None)
            if doctree is not None:  # the search page's own scripts need the others at once
                script.attributes["defer"] = "defer"
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = CAPTION.sub('<p class="caption" role="heading" aria-level="2">', tree)
    names = {sheet: str(getattr(sheet, "filename", sheet)) for sheet in context["css_files"]}
    context["css_files"] = [sheet for sheet, name in names.items() if not UNUSED_STYLES.fullmatch(name)]


def mark_of(number, count):
    """Return the mark of a chapter: the columns of a matrix, the row that slides along them, and the scores it left."""

    def tile(x, y, kind, opacity=1):
        return f'<rect class="{kind}" x="{x}" y="{y}" width="10" height="10" rx="2.5" opacity="{opacity:.2g}"/>'

    def shade(i, j):
        return 0.15 + (7 * i + 5 * j) % 11 / 20  # a texture without a meaning

    keys = "".join(tile(14 * i, 14 * j, "key", shade(i, j)) for i in range(count) for j in range(2))
    scores = "".join(tile(14 * i, 31, "score", shade(i, 2) + 0.3 if i < number else 0.1) for i in range(count))
    x = 14 * (number - 1)
    behind = f'<rect class="behind" x="{x - 4}" y="-6" width="14" height="31" rx="4"/>'
    row = behind + tile(x - 2, -4, "") + tile(x - 2, 10, "", 0.6)
    size = f'viewBox="-4 -6 {14 * count + 4} 47" width="181" height="45"'
    moved = f'<g class="row" style="--from: {-x}px">{row}</g>'
    return f'<svg class="chapter-mark" aria-hidden="true" {size}>{keys}{scores}{moved}</svg>'


def mark_chapter(app, pagename, templatename, context, doctree):
    """Put its mark above the title of a chapter."""
    chapters = sorted(name for name in app.env.found_docs if re.match(r"\d\d_", name))
    if pagename in chapters and doctree is not None:
        mark = mark_of(chapters.index(pagename) + 1, len(chapters))
        context["body"] = context["body"].replace("<h1", f"{mark}<h1", 1)


def prepare(app, config):
    """Add our templates, and let ``--toc _toc.yml`` mean the working folder; Jupyter Book would look in book/."""
    config.templates_path.insert(0, str(TEMPLATES))
    toc = Path(config.external_toc_path)
    if toc.exists():
        config.external_toc_path = toc.resolve().as_posix()


def choose_dark_code(app):
    """Set the colours of code at night; Furo's setting for it is not known yet when _config.yml is read."""
    app.config.pygments_dark_style = "a11y-high-contrast-dark"


def share_colours(app):
    """Give the pages the colours that demos, figures and feedback have."""
    app.config.html_static_path.append(str(SHEET))
    app.add_css_file(SHEET.name, priority=100)  # course.css builds on it


def setup(app):
    """Register with Sphinx, before sphinx-external-toc reads the path with priority 900."""
    app.add_config_value("comments_config", {}, "env")  # set by Jupyter Book, read by sphinx_comments only
    app.add_node(toggle, html=element("details"))
    app.add_node(toggle_title, html=element("summary"))
    app.add_directive("dropdown", Toggle)
    app.connect("config-inited", prepare, priority=200)
    app.connect("builder-inited", choose_dark_code)
    app.connect("builder-inited", share_colours)
    app.connect("html-page-context", finish_page, priority=900)
    app.connect("html-page-context", mark_chapter)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
