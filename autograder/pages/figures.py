"""The figures of the class report, each as SVG for light and dark paper, with a text alternative."""

import base64
import io
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .look import DARK, LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BINS = 10


def histogram(scores: list[float], max_score: float) -> dict[str, Any]:
    """Draw the distribution of scores; ``alt`` gives the counts."""
    edges = MaxNLocator(BINS, steps=(1, 2, 5, 10), integer=True).tick_values(min(0, *scores), max(max_score, *scores))
    counts, _ = np.histogram(scores, edges)

    def paint(axes: "Axes", colour: dict[str, str]) -> None:
        bars = axes.bar(
            edges[:-1], counts, np.diff(edges), align="edge", color=colour["one"], edgecolor=colour["paper"]
        )
        axes.bar_label(bars, [f"{count}" if count else "" for count in counts], color=colour["ink"])
        axes.set_xticks(edges)
        axes.set_yticks([])
        axes.set_xlabel("points")
        axes.margins(x=0.01, y=0.12)

    bins = zip(pairwise(edges), counts, strict=True)
    told = [f"{low:g} to under {high:g} points: {count}" for (low, high), count in bins]
    told[-1] = told[-1].replace(" under", "")  # the last one holds its upper edge too
    return drawn(paint, 3.0, f"Histogram of {len(scores)} scores. {', '.join(told)}.")


def share_figure(exercises: list[dict[str, Any]]) -> dict[str, str]:
    """Draw each exercise's mean share of points and share of full points; ``alt`` gives both."""

    def paint(axes: "Axes", colour: dict[str, str]) -> None:
        rows = exercises[::-1]  # bars are stacked from below
        names = [row["name"] for row in rows]
        axes.barh(names, [100 * row["mean"] for row in rows], 0.55, color=colour["one"], label="mean share of points")
        dots: dict[str, Any] = {
            "color": colour["paper"],
            "markeredgecolor": colour["ink"],
            "markersize": 8,
            "markeredgewidth": 1.6,
        }
        axes.plot([100 * row["full"] for row in rows], names, "D", **dots, clip_on=False, label="reached full points")
        axes.set_xlim(0, 100)
        axes.set_xticks(range(0, 101, 25), [f"{share}%" for share in range(0, 101, 25)])
        axes.figure.legend(loc="outside upper left", ncols=2, frameon=False, labelcolor=colour["ink"], handlelength=1.2)

    told = [f"{row['name']} {100 * row['mean']:.0f}% and {100 * row['full']:.0f}%" for row in exercises]
    alt = f"Exercises, hardest first, with mean share of points and share who reached full points: {', '.join(told)}."
    return drawn(paint, 1.1 + 0.36 * len(exercises), alt)


def trend_figure(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Draw the shares of points over the chapters: median and interquartile range."""

    def paint(axes: "Axes", colour: dict[str, str]) -> None:
        places = range(len(rows))
        low, high = ([100 * row[name] for row in rows] for name in ("low", "high"))
        axes.vlines(places, low, high, color=colour["one"], linewidth=7, alpha=0.45, label="middle half of the class")
        dots: dict[str, Any] = {
            "color": colour["one"],
            "markeredgecolor": colour["paper"],
            "markersize": 8,
            "linewidth": 1.6,
        }
        axes.plot(places, [100 * row["median"] for row in rows], "o-", **dots, clip_on=False, label="median")
        axes.set_xticks(places, [f"{row['number']}\n{row['count']}" for row in rows])
        axes.set_xlabel("chapter, and how many handed it in")
        axes.set_ylim(0, 100)
        axes.set_yticks(range(0, 101, 25), [f"{share}%" for share in range(0, 101, 25)])
        axes.set_xlim(-0.4, len(rows) - 0.6)
        axes.figure.legend(loc="outside upper left", ncols=2, frameon=False, labelcolor=colour["ink"], handlelength=1.2)

    told = [
        f"chapter {row['number']} median {100 * row['median']:.0f}%, middle half {100 * row['low']:.0f} to "
        f"{100 * row['high']:.0f}%, {row['count']} handed in"
        for row in rows
    ]
    return drawn(paint, 2.9, f"Shares of the points, chapter by chapter: {'; '.join(told)}.")


def drawn(paint: Callable, height: float, alt: str) -> dict[str, str]:
    """Return a figure as two SVG images, for light and dark paper, and its text alternative."""
    return {"light": svg(paint, height, LIGHT), "dark": svg(paint, height, DARK), "alt": alt}


def svg(paint: Callable, height: float, colour: dict[str, str]) -> str:
    """Return what ``paint`` draws as a data URI, byte-identical every time. Narrow enough for a phone."""
    figure = Figure(figsize=(4.7, height), layout="constrained")
    axes = figure.subplots()
    paint(axes, colour)
    axes.tick_params(colors=colour["quiet"], labelcolor=colour["ink"], length=0)
    axes.xaxis.label.set_color(colour["ink"])
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(colour["quiet"])
    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "report", "font.size": 10.5}):
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return "data:image/svg+xml;base64," + base64.b64encode(file.getvalue()).decode()
