"""One look for all figures: sharp at every size, the same bytes at every build, readable in black and white."""

import matplotlib.pyplot as plt
from matplotlib.colors import LinearSegmentedColormap
from matplotlib_inline.backend_inline import set_matplotlib_formats

INK, MUTED, BLUE, ORANGE, PALE = "#1d2733", "#5c6773", "#1f5aa6", "#c8511b", "#93a9c4"
# White to a light blue: black numbers have a contrast of 10 to 1 on all of it, and, inverted in dark mode, of 6 to 1.
SHADES = LinearSegmentedColormap.from_list("shades", ["white", "#8db8e8"])
WIDTH = 4.7  # inches: a telephone shrinks it by a quarter only


def use_house_style():
    """Set Matplotlib up once, when a chapter imports its figures."""
    set_matplotlib_formats("svg", metadata={"Date": None})
    plt.rcParams.update(
        {
            "svg.hashsalt": "row by row",  # the same ids at every build
            "figure.facecolor": "white",
            "figure.constrained_layout.use": True,
            "font.size": 11,
            "text.color": INK,
            "axes.labelcolor": INK,
            "axes.edgecolor": MUTED,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.titlesize": 12,
            "xtick.color": INK,
            "ytick.color": INK,
        }
    )


def draw_for_notebooks():
    """Draw each figure as PNG, too, on a page that is offered as a notebook: notebooks hold no SVG in their text."""
    set_matplotlib_formats("svg", "png", metadata={"Date": None})


def two_decimals(number):
    """Write a number with two decimals."""
    return f"{number:.2f}"
