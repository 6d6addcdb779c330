"""The figures of chapter 11, and the small tree that its page and its demo share."""

import matplotlib.pyplot as plt
import numpy as np

from .style import BLUE, INK, MUTED, ORANGE, PALE, WIDTH, use_house_style

use_house_style()

WORDS = ["<sos>", "<eos>", "A", "B", "x", "y"]
TREE = {  # what was said so far: the probability of each next word
    "<sos>": {"A": 0.5, "B": 0.4, "<eos>": 0.1},
    "<sos> A": {"x": 0.5, "y": 0.45, "<eos>": 0.05},
    "<sos> B": {"x": 0.4, "y": 0.3, "A": 0.3},
    "<sos> A x": {"<eos>": 0.5, "A": 0.3, "B": 0.2},
    "<sos> A y": {"<eos>": 0.9, "A": 0.1},
    "<sos> B x": {"<eos>": 1.0},
}


def tree_step(tokens):
    """Return the logits (words,) of the next token on the tree: logarithms of its probabilities, -40 for the rest."""
    said = TREE.get(" ".join(WORDS[token] for token in tokens), {"<eos>": 1.0})
    return np.array([np.log(said[word]) if word in said else -40.0 for word in WORDS])


def word_by_word(turns):
    """Draw for each turn the likeliest words: ``turns`` are (what was said, [(word, probability), …])."""
    _, axes = plt.subplots(len(turns), 1, figsize=(WIDTH, 1.15 * len(turns)), sharex=True)
    for ax, (said, likely) in zip(axes, turns, strict=True):
        names, shares = zip(*likely[::-1], strict=True)
        ax.barh(names, shares, color=[PALE] * (len(names) - 1) + [BLUE], height=0.7)
        ax.set_title(f"after “{said}”", loc="left", fontsize=10, color=MUTED)
        for place, share in enumerate(shares):
            written = f"{share:.4f}".lstrip("0")
            inside = share > 0.5
            ax.text(share + (-0.01 if inside else 0.01), place, written, va="center", fontsize=9,
                    ha="right" if inside else "left", color="white" if inside else INK)  # fmt: skip
        ax.set(xlim=(0, 1), xticks=[])
        ax.spines["bottom"].set_visible(False)
        ax.tick_params(left=False, labelsize=9)
    plt.show()


def costs(plain, cached):
    """Draw how many multiplications each token takes, computed anew and with a cache, in thousands."""
    _, ax = plt.subplots(figsize=(WIDTH, 2.8))
    turns = np.arange(1, len(plain) + 1)
    ax.plot(turns, np.array(plain) / 1000, color=ORANGE)
    ax.plot(turns, np.array(cached) / 1000, color=BLUE)
    ax.text(turns[-1], plain[-1] / 1000 * 1.02, "all rows anew", ha="right", va="bottom", color=ORANGE)
    ax.text(turns[-1], cached[-1] / 1000 + 60, "with a cache", ha="right", va="bottom", color=BLUE)
    ax.set(xlabel="token, counted from 1", ylabel="multiplications\nin thousands", ylim=(0, 1.15 * plain[-1] / 1000))
    plt.show()
