"""The picture beside a link to a page: its title, and its first figure or the attention among the title's own words."""

import hashlib
import io
import re
import sys
from functools import cache
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image

from attention.chapters.context import softmax
from autograder.pages.look import LIGHT

sys.path.append(str(Path(__file__).parents[1]))  # where the package of the figures is
from figures import style

SIZE = (1200, 630)  # pixels; what the sites that show such pictures ask for
DPI = 100
TITLE = (60, 110, 430)  # left, top and width of the title
SPACING = 1.2  # of its lines, in letters' heights
PANEL = (520, 0, 680, 630)  # left, top, width and height of the ground of the drawing
EDGE = 30  # pixels around the drawing
LARGEST, SMALLEST = 62, 30  # sizes of the title's letters
LINES = 5
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
WORD = re.compile(r"[^\W_]+")


@cache
def faces():
    """Return the names of the faces for titles and for text, each with those that have what it lacks."""
    text = [style.install_face(), "DejaVu Sans"]
    return [style.install_face(style.TITLES, (700,)), *text], text


def digest(title, figure, book):
    """Return what a picture depends on, as one digest: its words, its figure, and the code that draws it."""
    code = b"".join(Path(file).read_bytes() for file in (__file__, style.__file__))
    return hashlib.sha256(repr((title, book)).encode() + (figure or b"") + code).hexdigest()[:20]


def lines_of(words, fits):
    """Break a title into lines that fit, each as long as it can be; None where a word does not fit."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if fits(longer) else [*lines, word]
    return lines if all(map(fits, lines)) else None


def write_title(axes, title, book):
    """Write the title as large as it fits, and the book's name above it, unless that is the title."""
    left, top, wide = TITLE
    renderer = axes.figure.canvas.get_renderer()
    style_of = {"family": faces()[0], "weight": 700, "color": LIGHT["ink"]}
    probe = axes.text(0, 0, "", **style_of)

    def fits(line):
        probe.set_text(line)
        return probe.get_window_extent(renderer).width <= wide

    for size in range(LARGEST, SMALLEST - 1, -2):
        probe.set_size(points(size))
        lines = lines_of(title.split(), fits)
        if lines and len(lines) <= LINES:
            break
    probe.remove()
    for place, line in enumerate(lines or title.split(), 1):
        axes.text(left, top + SPACING * place * size, line, size=points(size), **style_of)
    if book != title:
        axes.text(left, 90, book, family=faces()[1], size=17, color=LIGHT["quiet"])


def points(pixels):
    """Return a size of letters as Matplotlib wants it."""
    return pixels * 72 / DPI


def tokens_of(title):
    """Return a title's words; of one word, its letters."""
    words = [word for word in WORD.findall(title) if not word.isdigit()] or [title]
    return words if len(words) > 1 else list(words[0])


def weights_of(tokens):
    """Return how much each token looks at each, by the letters that they share: softmax(X Xᵀ), as in chapter 3."""
    x = np.array([[token.lower().count(letter) for letter in LETTERS] for token in tokens], dtype=float)  # (n, 36)
    return softmax(x @ x.T)  # (n, n)


def draw_attention(axes, tokens):
    """Draw the attention among the tokens as tiles, a row for each."""
    left, top, wide, high = PANEL
    count, names = len(tokens), 40 + 11 * max(map(len, tokens))
    side = min((wide - names - 2 * EDGE) / count, (high - 2 * EDGE) / count, 110)
    x0, y0 = left + (wide - count * side + names - EDGE) / 2, top + (high - count * side) / 2
    written = {"family": faces()[1], "color": LIGHT["ink"], "va": "center"}
    for i, (token, weights) in enumerate(zip(tokens, weights_of(tokens), strict=True)):
        y = y0 + i * side
        axes.text(x0 - 14, y + side / 2, token, size=min(18, side / 2), ha="right", **written)
        for j, weight in enumerate(weights):
            x = x0 + j * side
            axes.add_patch(Rectangle((x, y), side - 4, side - 4, color=style.SHADES(weight), lw=0))
            number, size = style.two_decimals(weight), min(18, 0.3 * side)
            axes.text(x + side / 2 - 2, y + side / 2 - 2, number, size=size, ha="center", **written)


def draw_figure(axes, figure):
    """Draw a page's figure in the panel, as large as it fits."""
    left, top, wide, high = PANEL
    picture = Image.open(io.BytesIO(figure)).convert("RGBA")
    ratio = min((wide - 2 * EDGE) / picture.width, (high - 2 * EDGE) / picture.height)
    width, height = picture.width * ratio, picture.height * ratio
    x, y = left + (wide - width) / 2, top + (high - height) / 2
    axes.imshow(picture, extent=(x, x + width, y + height, y), interpolation="antialiased", zorder=2)


def draw(title, figure, book):
    """Return the picture as a PNG of few colours."""
    drawing = Figure(figsize=(SIZE[0] / DPI, SIZE[1] / DPI), dpi=DPI, facecolor=LIGHT["panel"])
    canvas = FigureCanvasAgg(drawing)
    axes = drawing.add_axes((0, 0, 1, 1))
    left, top, wide, high = PANEL
    axes.add_patch(Rectangle((left, top), wide, high, color=LIGHT["paper"], lw=0))
    write_title(axes, title, book)
    if figure:
        draw_figure(axes, figure)
    else:
        draw_attention(axes, tokens_of(title))
    axes.set(xlim=(0, SIZE[0]), ylim=(SIZE[1], 0), aspect="auto")
    axes.axis("off")
    written = io.BytesIO()
    canvas.print_png(written, metadata={"Software": None})
    few = Image.open(written).convert("RGB").quantize(32, dither=Image.Dither.NONE)
    packed = io.BytesIO()
    few.save(packed, "PNG", optimize=True)
    return packed.getvalue()


def picture(title, figure, book, cache):
    """Return the picture, drawn once for the same words, the same figure and the same code.

    ``figure`` is a PNG, or None.
    """
    kept = Path(cache, f"{digest(title, figure, book)}.png")
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(draw(title, figure, book))
    return kept.read_bytes()
