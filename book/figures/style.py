"""One look for all figures: sharp at every size, the same bytes at every build, readable in black and white."""

import matplotlib.pyplot as plt
from matplotlib_inline.backend_inline import set_matplotlib_formats

INK, MUTED, BLUE, ORANGE, PALE = "#1d2733", "#5c6773", "#1f5aa6", "#c8511b", "#93a9c4"


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
