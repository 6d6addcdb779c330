"""Runs the code of the page on PyTorch, block by block: what the course's side shows, and what PyTorch's side shows.

A block of ``book/pytorch.md`` is marked ``{beside}``. Its two sides are separated by a line ``---``: the course's, then
PyTorch's; both must print the same. A block without that line is PyTorch's alone. All blocks share one namespace, as
the cells of a notebook do. The page's own function ``show`` prints arrays; what it is given is compared in full.
"""

import io
import re
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

from attention.chapters.transformer import transformer
from attention.models import corpus, shipped_translator

from . import Outcome

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "book/pytorch.md"
FOLDER = ROOT / "exercises/12_inference"  # where the page's reader works: it holds the trained translator
BLOCK = re.compile(r"^```\{beside\}\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ALLOWED = 1e-6


def blocks(page: str) -> list[tuple[str, str]]:
    """Return the two sides of each block of a page; the course's is empty where PyTorch stands alone."""
    found = []
    for content in BLOCK.findall(page):
        first, line, second = content.rstrip("\n").partition("\n---\n")
        found.append((first, second) if line else ("", first))
    return found


def run_side(code: str, namespace: dict) -> tuple[str, list[np.ndarray]]:
    """Run one side. Return what it printed, and what was given to ``show``."""
    printed, shown = io.StringIO(), []
    page_show = namespace.get("show")
    if page_show:
        namespace["show"] = recording(page_show, shown)
    with redirect_stdout(printed):
        exec(compile(code, "<a block of the page>", "exec"), namespace)
    if page_show:
        namespace["show"] = page_show
    return printed.getvalue(), shown


def recording(show: Callable, shown: list[np.ndarray]) -> Callable:
    """Return ``show`` with a list that keeps what it is given."""

    def show_and_keep(numbers: Any) -> None:
        shown.append(np.asarray(numbers, dtype=float))
        show(numbers)

    return show_and_keep


def run() -> Outcome:
    """Run every block; compare the two sides of each, and the translator on all its held-out sentences."""
    sys.path.insert(0, str(FOLDER))
    namespace: dict = {"__name__": "__main__"}
    differences, ran = {}, []
    for number, (course, pytorch) in enumerate(blocks(PAGE.read_text(encoding="utf-8")), 1):
        ours, theirs = run_side(course, namespace), run_side(pytorch, namespace)
        if course:
            what = f"{number:2} {pytorch.splitlines()[0]}"[:60]
            differences[what] = difference(ours, theirs), ALLOWED
        shown = [array.round(10).tolist() for array in theirs[1]]
        ran.append({"course": course, "pytorch": pytorch, "prints": theirs[0], "shown": shown})
    differences |= translator_differences(namespace["translator"])
    return Outcome(differences, {"blocks": ran, "held-out": len(corpus().held_out)})


def difference(ours: tuple[str, list[np.ndarray]], theirs: tuple[str, list[np.ndarray]]) -> float:
    """Return the largest difference of two sides' numbers; infinity if they print or show different things."""
    if ours[0] != theirs[0] or len(ours[1]) != len(theirs[1]):
        print(f"expected the same from both sides, got\n{ours[0]}and\n{theirs[0]}")
        return np.inf
    return max((farthest(a, b) for a, b in zip(ours[1], theirs[1], strict=True)), default=0.0)


def farthest(a: np.ndarray, b: np.ndarray) -> float:
    """Return the largest difference of two arrays; where both are the same infinity, there is none."""
    with np.errstate(invalid="ignore"):
        return float(np.where(a == b, 0.0, np.abs(a - b)).max())


def translator_differences(translator: Callable) -> dict[str, tuple[float, float]]:
    """Compare the page's ``translator`` with the course's, on what ours makes of each held-out sentence.

    Its greedy translation is the same if after every prefix of ours the same word has the largest logit.
    """
    import torch

    shipped = shipped_translator()
    model, sources = shipped.model, [source for source, _ in corpus().held_out]
    largest, otherwise = 0.0, 0
    for source, italian in zip(sources, shipped.translations(sources), strict=True):
        read = np.array([model.source_vocabulary[word] for word in source.split()])
        said = np.array([model.target_vocabulary[word] for word in f"<sos> {italian} <eos>".split()])
        ours = transformer(read, said, model.parameters, model.h, model.layers)  # (T, words)
        with torch.no_grad():
            theirs = translator(torch.tensor(read)[None], torch.tensor(said)[None])[0].numpy()
        largest = max(largest, farthest(ours, theirs))
        otherwise += (theirs[:-1].argmax(axis=-1) != said[1:]).any()
    return {
        f"all logits, {len(sources)} held-out sentences": (largest, ALLOWED),
        "sentences translated otherwise": (float(otherwise), 0.0),
    }
