"""The picture beside a link to a page: its title over the map of the Transformer, its own parts lit."""

import hashlib
import io
from pathlib import Path

import transformer_map as chart
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Polygon
from PIL import Image

SIZE = (1200, 630)  # pixels; what the sites that show such pictures ask for
LEFT, TOP, ZOOM = 86, 180, 1.5  # where the map is, and how many pixels one of its units is
INK, QUIET, BLUE, ORANGE, GROUND = "#1f2328", "#57606a", "#1f5aa6", "#d0651b", "#f3f4f5"
LIT = "#fbe3d0"


def digest(title, stem):
    """Return what a picture depends on, as one digest: its words, and the code that draws it."""
    code = b"".join(Path(file).read_bytes() for file in (__file__, chart.__file__))
    return hashlib.sha256(repr((title, stem)).encode() + code).hexdigest()[:20]


def on_card(place):
    """Return the place of a box of the map on the card."""
    x, y, width, height = place
    return LEFT + ZOOM * x, TOP + ZOOM * y, ZOOM * width, ZOOM * height


def draw_box(axes, place, face, edge, width=1.5):
    """Draw one box of the map."""
    x, y, wide, high = on_card(place)
    shape = FancyBboxPatch((x, y), wide, high, boxstyle="round,pad=0,rounding_size=5", fc=face, ec=edge, lw=width)
    axes.add_patch(shape)


def draw_map(axes, stem):
    """Draw the wide map, the parts of one chapter lit."""
    place = chart.places("wide")
    for first, last in chart.FRAMES:
        draw_box(axes, chart.around(place[first], place[last]), GROUND, "none")
    for a, b in chart.CONNECTIONS:
        along = chart.MARKS.get((a, b), ("", 0.5))[1]
        corners = [on_card((*corner, 0, 0))[:2] for corner in chart.route(place[a], place[b], along)]
        axes.plot(*zip(*corners, strict=True), color=QUIET, lw=1.3, zorder=1)
        (x0, y0), (x, y) = corners[-2:]
        if (x0, y0) != (x, y):
            back = ((x - 5, y - 9), (x + 5, y - 9)) if x0 == x else ((x - 9, y - 5), (x - 9, y + 5))
            axes.add_patch(Polygon([(x, y), *back], color=QUIET, lw=0))
    for part in chart.PARTS:
        lit = part.stem == stem and stem is not None
        if part.stem:
            draw_box(axes, place[part.name], LIT if lit else "white", ORANGE if lit else BLUE, 3 if lit else 1.5)
        x, y, wide, high = on_card(place[part.name])
        label = part.label.replace("|", " ")
        axes.text(x + wide / 2, y + high / 2, label, ha="center", va="center", size=15, color=INK if lit else QUIET)


def draw(title, stem, book):
    """Return the picture as a PNG of few colours; no chapter's parts are lit where ``stem`` is None."""
    figure = Figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, SIZE[0]), ylim=(SIZE[1], 0))
    axes.axis("off")
    axes.text(LEFT, 36, book, size=20, color=QUIET, va="top")
    canvas = FigureCanvasAgg(figure)
    line = axes.text(LEFT, 76, title, size=40, weight="bold", color=INK, va="top")
    wide = line.get_window_extent(canvas.get_renderer()).width
    line.set_size(min(40, 40 * (SIZE[0] - 2 * LEFT) / wide))
    draw_map(axes, stem)
    written = io.BytesIO()
    canvas.print_png(written, metadata={"Software": None})
    few = Image.open(written).convert("RGB").quantize(32, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    few.save(packed, "PNG", optimize=True)
    return packed.getvalue()


def picture(title, stem, book, cache):
    """Return the picture, drawn once for the same words and the same code."""
    kept = Path(cache, f"{digest((title, book), stem)}.png")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(draw(title, stem, book))
    return kept.read_bytes()
