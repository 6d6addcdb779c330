"""The figures of chapter 9."""

import matplotlib.pyplot as plt
import numpy as np

from .blocks import draw_layer
from .style import MUTED, SHADES, WIDTH, two_decimals, use_house_style

use_house_style()
HIDDEN = "#eceff3"


def masked_matrix(words, scores, weights, mask):
    """Draw the scores of a sentence with itself, −∞ where the mask hides, and below them the weights."""
    _, axes = plt.subplots(2, 1, figsize=(WIDTH, 6.4))
    panels = ("scores, −∞ where hidden", scores, None), ("weights: softmax of each row", weights, SHADES)
    for ax, (title, numbers, shades) in zip(axes, panels, strict=True):
        image = np.where(mask, numbers if shades else 0, np.nan)
        ax.set_facecolor(HIDDEN)
        ax.imshow(image, cmap=shades or "Greys", vmin=0, vmax=1, aspect="auto")
        ax.set_xticks(range(len(words)), words)
        ax.set_yticks(range(len(words)), words)
        ax.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
        ax.set_ylabel("query")
        ax.set_title(title, pad=10)
        ax.spines[:].set_visible(False)
        for i, j in np.ndindex(mask.shape):
            text = _written(numbers[i, j]) if mask[i, j] else "0" if shades else "−∞"
            ax.text(j, i, text, ha="center", va="center", fontsize=11, color="black" if mask[i, j] else MUTED)
    plt.show()


def _written(number):
    """Write a number with two decimals and a true minus sign; 1 as it is."""
    text = "1" if number == 1 else two_decimals(abs(number))
    return f"−{text}" if number < 0 else text


def decoder_block(t, s, d_model):
    """Draw the decoder layer: three sublayers, each with a residual connection around it, then add & norm."""
    draw_layer(
        rows=[
            (0.0, f"x ({t}, {d_model}): the translation so far", False),
            (1.4, "masked self-attention", True),
            (2.4, "add & norm", True),
            (3.8, "cross-attention", True),
            (4.8, "add & norm", True),
            (6.2, "feed-forward", True),
            (7.2, "add & norm", True),
            (8.3, f"output ({t}, {d_model})", False),
        ],
        residuals=((0.7, 2.4), (3.1, 4.8), (5.5, 7.2)),
        beside=(
            (1.4, f"causal mask\n({t}, {t})", ""),
            (3.8, f"memory ({s}, {d_model})\nfrom the encoder", "K, V"),
        ),
    )
