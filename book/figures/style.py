"""One look for all figures: the page's face and colours, sharp at every size, the same bytes at every build."""

import hashlib
import os
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.font_manager import fontManager
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib_inline.backend_inline import set_matplotlib_formats

from autograder.pages.look import LIGHT

FACE, TITLES = (Path(__file__).parents[1] / f"_static/fonts/{name}.woff2" for name in ("inter", "fraunces"))
INK, MUTED, PALE = LIGHT["ink"], LIGHT["quiet"], "#a8b1bf"
QUERY, KEY, VALUE, PARAMETER, WEIGHT = (LIGHT[name] for name in ("query", "key", "value", "parameter", "weight"))
BLUE, ORANGE = LIGHT["one"], LIGHT["other"]  # of two that are compared
# White to a light tint of a weight's colour: black numbers have a contrast of 8 to 1 on all of it.
SHADES = LinearSegmentedColormap.from_list("shades", ["white", "#a3afd0"])
WIDTH = 6.4  # inches; the page stretches a figure to the width of its text


def install_face(face=FACE, weights=(400, 700)):
    """Make a face of the pages known to Matplotlib, which reads no variable font, as plain ones; return its name."""
    digest = hashlib.sha256(face.read_bytes()).hexdigest()[:12]
    for weight in weights:
        path = Path(mpl.get_cachedir(), f"{face.stem}-{digest}-{weight}.ttf")
        if not path.exists():
            partial = path.with_suffix(f".{os.getpid()}")  # two kernels may begin at once
            font = instantiateVariableFont(TTFont(face), {"wght": weight})
            font.flavor = None
            font["name"].setName(
                f"{face.stem}-{weight}", 6, 3, 1, 0x409
            )  # else SVGs draw one weight with the other's glyphs
            font.save(partial)
            partial.replace(path)
        fontManager.addfont(path)
    return fontManager.ttflist[-1].name


def use_house_style():
    """Set Matplotlib up once, when a chapter imports its figures.

    A page shows each figure as SVG; as PNG it is in the page's notebook and on its card.
    """
    set_matplotlib_formats("svg", "png", metadata={"Date": None})
    plt.rcParams.update(
        {
            "svg.hashsalt": "row by row",  # the same ids at every build
            "font.family": [install_face(), "DejaVu Sans"],  # the second for signs that the first does not have
            "figure.facecolor": "none",  # the page's own ground, by day and by night
            "axes.facecolor": "none",
            "savefig.facecolor": "none",
            "figure.constrained_layout.use": True,
            "font.size": 11.5,
            "text.color": INK,
            "axes.labelcolor": MUTED,
            "axes.edgecolor": MUTED,
            "axes.linewidth": 0.8,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.titlesize": 12,
            "axes.titlelocation": "left",
            "axes.titleweight": "bold",
            "lines.solid_capstyle": "round",
            "xtick.color": MUTED,
            "ytick.color": MUTED,
            "xtick.labelcolor": INK,
            "ytick.labelcolor": INK,
        }
    )


def cells(ax, left, middle, numbers, colour=INK, size=(0.36, 0.5)):
    """Draw a vector as a row of cells, from ``left`` on and around the height ``middle``; the larger, the darker.

    ``size`` is the width and the height of a cell in the units of the axes. Returns where the row ends.
    """
    wide, high = size
    most = max(1e-9, *(abs(number) for number in numbers))
    for k, number in enumerate(numbers):
        shade = Rectangle((left + k * wide, middle - high / 2), wide, high, facecolor=colour, edgecolor="none")
        shade.set_alpha(0.28 * abs(number) / most)
        ax.add_patch(shade)
        frame = Rectangle((left + k * wide, middle - high / 2), wide, high, fill=False, edgecolor=colour, linewidth=1.2)
        ax.add_patch(frame)
        text = two_decimals(number).removesuffix(".00") if float(number).is_integer() else two_decimals(number)
        ax.text(left + (k + 0.5) * wide, middle, text, ha="center", va="center", fontsize=11)
    return left + len(numbers) * wide


def write(ax, x, y, text, colour=INK, size=None, **look):
    """Write a text around a point; ``size`` in points."""
    ax.text(x, y, text, color=colour, fontsize=size, **{"ha": "center", "va": "center", **look})


def arrow(ax, start, end, colour=MUTED, width=1.2, size=None, bend=0.0, head="-|>"):
    """Draw an arrow that begins and ends exactly there; ``size`` is that of its head, larger for a wider line."""
    look = {"arrowstyle": head, "mutation_scale": size or 8 + 3 * width, "shrinkA": 0, "shrinkB": 0, "linewidth": width}
    ax.add_patch(FancyArrowPatch(start, end, color=colour, connectionstyle=f"arc3,rad={bend}", **look))


def two_decimals(number):
    """Write a number with two decimals, and with a minus sign that is one."""
    return f"{number:.2f}".replace("-", "−")
