"""The map of the Transformer: one drawing from one description, on every chapter's page with its own part lit."""

import re
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)


class Part(NamedTuple):
    """A part of the drawing; a place is x, y, width, height in pixels of the drawing's own."""

    name: str
    label: str  # a bar ends a line where the box is high
    stem: str | None  # the chapter that teaches it; None where there is nothing to teach
    wide: tuple  # its place where the page is wide
    narrow: tuple | None = None  # its place on a telephone, if it is another


ENCODER, DECODER = (7, 126), (169, 165)  # x and width of the two stacks
ROWS = (22, 50, 78, 109, 153, 197, 244, 272)
SIZES = {"wide": (688, 294), "narrow": (341, 394)}


def box(stack, row):
    """Return the place of a box of a stack."""
    return stack[0], ROWS[row], stack[1], 20


def strip(stack, row):
    """Return the place of the strip right below a box."""
    return stack[0], ROWS[row] + 20, stack[1], 15


PARTS = (
    Part("words_in", "words in", None, box(ENCODER, 0)),
    Part("encoder_vectors", "word vectors", "embeddings", box(ENCODER, 1)),
    Part("encoder_position", "+ position", "position", box(ENCODER, 2)),
    Part("self_attention", "self-attention", "context", box(ENCODER, 3)),
    Part("encoder_norm_1", "add & norm", "layer_norm", strip(ENCODER, 3)),
    Part("encoder_feed_forward", "feed-forward", "layer_norm", box(ENCODER, 4)),
    Part("encoder_norm_2", "add & norm", "layer_norm", strip(ENCODER, 4)),
    Part("shifted", "words, shifted right", "training", box(DECODER, 0)),
    Part("decoder_vectors", "word vectors", "embeddings", box(DECODER, 1)),
    Part("decoder_position", "+ position", "position", box(DECODER, 2)),
    Part("masked_self_attention", "masked self-attention", "masking", box(DECODER, 3)),
    Part("decoder_norm_1", "add & norm", "layer_norm", strip(DECODER, 3)),
    Part("cross_attention", "cross-attention", "masking", box(DECODER, 4)),
    Part("decoder_norm_2", "add & norm", "layer_norm", strip(DECODER, 4)),
    Part("decoder_feed_forward", "feed-forward", "layer_norm", box(DECODER, 5)),
    Part("decoder_norm_3", "add & norm", "layer_norm", strip(DECODER, 5)),
    Part("linear_softmax", "linear + softmax", "training", box(DECODER, 6)),
    Part("next_word", "next word", "inference", box(DECODER, 7)),
    Part("x", "x", None, (377, 22, 303, 20), (7, 322, 12, 64)),
    Part("query_key_value", "query,|key,|value", "query_key_value", (377, 66, 303, 24), (30, 322, 50, 64)),
    Part("scores", "scores|÷ √dₖ", "scaling", (377, 115, 190, 24), (91, 322, 52, 48)),
    Part("mask", "mask", "masking", (377, 164, 190, 24), (154, 322, 42, 48)),
    Part("mix", "softmax,|mix of|values", "context", (377, 213, 303, 24), (207, 322, 62, 64)),
    Part("heads", "heads|side by|side", "multi_head", (377, 262, 303, 24), (280, 322, 54, 64)),
    Part("before", "CNN, RNN", "before_attention", (7, 226, 126, 20)),
    Part("backwards", "gradients", "gradients", box(ENCODER, 7)),
)
# The chapters that the drawing shows, in reading order, as their pages are numbered.
_DRAWN = {part.stem for part in PARTS}
_PAGES = sorted(path.stem for path in Path(__file__).parents[1].glob("[0-9][0-9]_*.md"))
STEMS = tuple(page[3:] for page in _PAGES if page[3:] in _DRAWN)
FLOWS = (
    "words_in encoder_vectors encoder_position self_attention encoder_norm_1 encoder_feed_forward encoder_norm_2",
    "encoder_norm_2 cross_attention",
    "shifted decoder_vectors decoder_position masked_self_attention decoder_norm_1 cross_attention decoder_norm_2",
    "decoder_norm_2 decoder_feed_forward decoder_norm_3 linear_softmax next_word",
    "x query_key_value scores mask mix heads",
    "query_key_value mix",
)
CONNECTIONS = tuple(pair for flow in FLOWS for pair in pairwise(flow.split()))
# What is written at a line, and where on the two boxes' common side: in the middle by default.
MARKS = {("query_key_value", "scores"): ("Q, K", 0.5), ("query_key_value", "mix"): ("V", 0.84)}
FRAMES = (("self_attention", "encoder_norm_2"), ("masked_self_attention", "decoder_norm_3"), ("x", "heads"))
CAPTIONS = {
    "words_in": "encoder",
    "shifted": "decoder",
    "x": "inside every attention",
    "before": "what came before",
    "backwards": "how it learns",
}


def places(arrangement):
    """Return where each part is in the wide or the narrow arrangement: name -> (x, y, width, height)."""
    return {part.name: getattr(part, arrangement) or part.wide for part in PARTS}


def route(a, b, along=0.5):
    """Return the corners of the line from box a to box b: straight where they face each other, else with two bends."""
    left, right = max(a[0], b[0]), min(a[0] + a[2], b[0] + b[2])
    top, bottom = max(a[1], b[1]), min(a[1] + a[3], b[1] + b[3])
    if left < right:
        x = left + along * (right - left)
        return [(x, a[1] + a[3]), (x, b[1])]
    if top < bottom:
        y = top + along * (bottom - top)
        return [(a[0] + a[2], y), (b[0], y)]
    turn, start, end = (a[0] + a[2] + b[0]) / 2, a[1] + a[3] / 2, b[1] + b[3] / 2
    return [(a[0] + a[2], start), (turn, start), (turn, end), (b[0], end)]


def arrow(a, b, mark="", along=0.5):
    """Draw the arrow from box a to box b, and beside a long one what flows there; nothing where they touch."""
    corners = route(a, b, along)
    (x0, y0), (x, y) = corners[-2:]
    if (x0, y0) == (x, y):
        return ""
    head = f"M{x:g} {y:g}l-3.5-5h7z" if x0 == x else f"M{x:g} {y:g}l-5-3.5v7z"
    line = " ".join(f"{x:g},{y:g}" for x, y in corners)
    beside = f'<text class="mark" x="{x + 7:g}" y="{y0 + 12:g}">{mark}</text>' if mark and y - y0 > 20 else ""
    return f'<polyline points="{line}"/><path class="head" d="{head}"/>{beside}'


def around(first, last):
    """Return the frame around two boxes and what is between them."""
    x, y = first[0] - 6, first[1] - 6
    return x, y, last[0] + last[2] + 6 - x, last[1] + last[3] + 6 - y


def rectangle(place, kind):
    """Draw a rectangle with round corners."""
    x, y, width, height = place
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>'


def lens(attention, inside):
    """Draw the rays from an attention box to the frame at its right that magnifies it; none to one below."""
    (x, y, width, height), (far, top, _, tall) = attention, inside
    if far < x + width:
        return ""
    return f'<path class="lens" d="M{x + width} {y}L{far} {top + 4}V{top + tall - 4}L{x + width} {y + height}z"/>'


def background(place):
    """Draw what is behind the boxes: frames, rays, arrows and captions."""
    frames = [around(place[first], place[last]) for first, last in FRAMES]
    arrows = (arrow(place[a], place[b], *MARKS.get((a, b), ())) for a, b in CONNECTIONS)
    captions = (
        f'<text class="caption" x="{place[name][0]}" y="{place[name][1] - 10}">{caption}</text>'
        for name, caption in CAPTIONS.items()
    )
    rays = lens(place["masked_self_attention"], frames[-1])
    shapes = [*(rectangle(frame, "frame") for frame in frames), rays, *arrows, *captions]
    return f'<g aria-hidden="true">{"".join(shapes)}</g>'


def lettering(part, place, number):
    """Write a part's label, on several lines in a high box, and its chapter's number in the corner."""
    x, y, width, height = place
    high = height >= 40
    lines = part.label.split("|") if high else [part.label.replace("|", " ")]
    corner = f'<text class="number" x="{x + 6}" y="{y + min(height / 2, 12):g}">{number}</text>' if number else ""
    middle = x + width / 2 + (6 if number and not high else 0)
    first = y + height / 2 + (7 if number and high else 0) - 6.5 * (len(lines) - 1)
    rows = (f'<text x="{middle:g}" y="{first + 13 * i:g}">{escape(line)}</text>' for i, line in enumerate(lines))
    return corner + "".join(rows)


def boxes(stem, place, number=""):
    """Draw all parts of one chapter, or those that no chapter teaches."""
    drawn = []
    for part in (part for part in PARTS if part.stem == stem):
        shape = rectangle(place[part.name], "box") if stem else ""
        kind = "strip" if place[part.name][3] < 20 else "part"
        drawn.append(f'<g class="{kind}">{shape}{lettering(part, place[part.name], number)}</g>')
    return "".join(drawn)


def labels(stem):
    """Say what the parts of a chapter are called, each name once."""
    return "; ".join(dict.fromkeys(part.label.replace("|", " ") for part in PARTS if part.stem == stem))


def drawing(arrangement, lit, chapters, uri):
    """Draw one arrangement: one link a chapter, in reading order, around all of its parts."""
    place, (width, height) = places(arrangement), SIZES[arrangement]
    drawn = [background(place), f'<g aria-hidden="true">{boxes(None, place)}</g>']
    for number, stem in enumerate(STEMS, 1):
        parts = boxes(stem, place, number)
        if stem == lit:
            drawn.append(f'<g class="lit" aria-hidden="true">{parts}</g>')
        elif stem in chapters:
            page, title = chapters[stem]
            name = escape(f"Chapter {number}, {title}: {labels(stem)}")
            drawn.append(f'<a href="{escape(uri(page))}"><title>{name}</title>{parts}</a>')
        else:
            said = f"<title>Chapter {number} is not part of this course</title>"
            drawn.append(f'<g class="to-come" aria-hidden="true">{said}{parts}</g>')
    if {*STEMS} - {*chapters, lit}:
        drawn.append(
            f'<text class="legend" aria-hidden="true" x="{width - 7}" y="{place["x"][1] - 10}">'
            "dashed: not in this course</text>"
        )
    return f'<svg class="{arrangement}" viewBox="0 0 {width} {height}" role="group">{"".join(drawn)}</svg>'


def description(lit, chapters):
    """Describe what the drawing shows, which part is lit, and which chapters are not taught."""
    said = [
        "A drawing of the Transformer: words go in through the encoder, the words so far through the decoder, and the "
        "next word comes out; a part of it magnifies what happens inside every attention."
    ]
    if lit:
        said.append(f"Lit, as the subject of this chapter: {labels(lit)}.")
    said.append(f"Every {'other ' if lit else ''}part is a link to its chapter.")
    if missing := [str(number) for number, stem in enumerate(STEMS, 1) if stem not in {*chapters, lit}]:
        said.append(f"Without a link, since they are not part of this course: {', '.join(missing)}.")
    return " ".join(said)


def chapters_in(env):
    """Return the chapters that the book has: stem -> (page, title without its number)."""
    pages = {stem: f"{number:02}_{stem}" for number, stem in enumerate(STEMS, 1)}
    return {
        stem: (page, re.sub(r"^\d+\.\s*", "", env.titles[page].astext()))
        for stem, page in pages.items()
        if page in env.found_docs
    }


class transformer_map(nodes.General, nodes.Element):
    """The place of a map until the page is written: only then are all titles known."""


def visit_map(writer, node):
    """Write both arrangements; the style sheet shows the one that fits."""
    builder, lit = writer.builder, node["lit"]
    here, chapters = builder.current_docname, chapters_in(builder.env)
    drawings = (drawing(kind, lit, chapters, lambda page: builder.get_relative_uri(here, page)) for kind in SIZES)
    said = f'<p class="visually-hidden">{escape(description(lit, chapters))}</p>'
    writer.body.append(
        f'<figure class="transformer-map" aria-label="Map of the Transformer">{said}{"".join(drawings)}</figure>'
    )
    raise nodes.SkipNode


# The way through one layer in one line: what each chapter adds, in the order in which the numbers meet it.
STRIP = {
    "before_attention": "RNN",
    "embeddings": "vectors",
    "position": "position",
    "query_key_value": "q, k, v",
    "scaling": "÷ √dₖ",
    "masking": "mask",
    "context": "mix",
    "multi_head": "heads",
    "layer_norm": "norm",
    "training": "learn",
    "gradients": "gradients",
    "inference": "write",
}


class map_strip(nodes.General, nodes.Element):
    """The place of a strip of the map until the page is written."""


def visit_strip(writer, node):
    """Write one line of links, the present chapter's part lit, and a link to the whole map."""
    builder, here = writer.builder, writer.builder.current_docname
    chapters, lit = chapters_in(builder.env), node["lit"]
    steps = []
    for stem, label in STRIP.items():
        number = STEMS.index(stem) + 1
        text = f"<small>{number}</small> {escape(label)}"
        if stem == lit:
            steps.append(f'<li><span class="lit" aria-current="page">{text}</span></li>')
        elif stem in chapters:
            page, title = chapters[stem]
            uri, name = escape(builder.get_relative_uri(here, page)), escape(f"Chapter {number}, {title}")
            steps.append(f'<li><a href="{uri}" title="{name}">{text}</a></li>')
        else:
            steps.append(f"<li><span>{text}</span></li>")
    whole = escape(builder.get_relative_uri(here, "index") + "#whole-map")
    writer.body.append(
        f'<nav class="map-strip" aria-label="Where we are in the Transformer"><ol>{"".join(steps)}</ol>'
        f'<a class="whole" href="{whole}" title="The Transformer in one drawing">map</a></nav>'
    )
    raise nodes.SkipNode


class MapStrip(SphinxDirective):
    """``{map-strip} scaling``: the way through the Transformer in one line, with the chapter's part lit."""

    required_arguments = 1

    def run(self):
        """Return the strip, and warn in one line where no chapter has that stem."""
        if self.arguments[0] in STEMS:
            return [map_strip(lit=self.arguments[0])]
        said = "map-strip: expected one of %s; got %s: write the page's name without its number"
        logger.warning(said, ", ".join(STEMS), self.arguments[0], location=self.get_location())
        return []


class Map(SphinxDirective):
    """``{map} scaling``: the map with the parts of the chapter lit; ``{map}`` lights none."""

    optional_arguments = 1

    def run(self):
        """Return the map, and warn in one line where no chapter has that stem."""
        lit = self.arguments[0] if self.arguments else None
        if lit in (None, *STEMS):
            return [transformer_map(lit=lit)]
        said = "map: expected one of %s; got %s: write the page's name without its number"
        logger.warning(said, ", ".join(STEMS), lit, location=self.get_location())
        return []


def pages_to_write_again(app, env):
    """Write every page again where a chapter came, went or got another title: any page may have a map."""
    now = chapters_in(env)
    before, env.chapters_on_maps = getattr(env, "chapters_on_maps", now), now
    return [] if now == before else sorted(env.found_docs)


def setup(app):
    """Register with Sphinx; the style is in _static/course.css."""
    app.add_node(transformer_map, html=(visit_map, None))
    app.add_node(map_strip, html=(visit_strip, None))
    app.add_directive("map", Map)
    app.add_directive("map-strip", MapStrip)
    app.connect("env-get-updated", pages_to_write_again)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
