"""The figures of chapter 12."""

import matplotlib.pyplot as plt

from .style import BLUE, INK, MUTED, PALE, WIDTH, use_house_style

use_house_style()


def word_by_word(turns):
    """Draw for each turn the likeliest words: ``turns`` are (what was said, [(word, probability), …])."""
    _, axes = plt.subplots(len(turns), 1, figsize=(WIDTH, 1.15 * len(turns)), sharex=True)
    for ax, (said, likely) in zip(axes, turns, strict=True):
        names, shares = zip(*likely[::-1], strict=True)
        ax.barh(names, shares, color=[PALE] * (len(names) - 1) + [BLUE], height=0.7)
        ax.set_title(f"after “{said}”", loc="left", fontsize=11, color=MUTED)
        for place, share in enumerate(shares):
            written = f"{share:.4f}"
            inside = share > 0.5
            ax.text(share + (-0.01 if inside else 0.01), place, written, va="center", fontsize=10,
                    ha="right" if inside else "left", color="white" if inside else INK)  # fmt: skip
        ax.set(xlim=(0, 1), xticks=[])
        ax.spines["bottom"].set_visible(False)
        ax.tick_params(left=False, labelsize=9)
    plt.show()
