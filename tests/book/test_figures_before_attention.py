"""What the figures of the first page and of chapter 1 draw, counted in Matplotlib's own objects."""

import itertools

import numpy as np
import pytest

from attention.chapters.before_attention import receptive_field

WORDS = ["The", "keys", "to", "the", "old", "cabinet", "are", "lost"]


@pytest.fixture
def figures(root, monkeypatch):
    """The module of chapter 1's figures; nothing is shown."""
    import matplotlib as mpl

    mpl.use("agg")
    monkeypatch.syspath_prepend(root / "book")
    import matplotlib.pyplot as plt
    from figures import before_attention

    monkeypatch.setattr(plt, "show", lambda: None)
    with mpl.rc_context():
        yield before_attention
    plt.close("all")


def texts():
    """Return the texts of the current figure, and check that all lie inside of it and no two overlap."""
    import matplotlib.pyplot as plt

    figure = plt.gcf()
    figure.canvas.draw()
    whole, found = figure.get_window_extent(), figure.axes[0].texts
    boxes = [text.get_window_extent() for text in found]
    assert all(whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0 and box.y1 <= whole.y1 for box in boxes)
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    return [text.get_text() for text in found]


def test_the_words_in_between_are_counted(figures):
    """The bracket says how many words a fact has to cross."""
    figures.agreement(WORDS, 1, 6)
    assert texts() == [*WORDS, "more than one", "four words in between"]


@pytest.mark.parametrize("asks", [None, 5])
def test_both_halves_have_their_words(figures, asks):
    """With attention, a line leads to each of the encoder's states, as thick as its share; words can have notes."""
    import matplotlib.pyplot as plt

    shares = [0.1, 0.7, 0.1, 0.1]
    notes = None if asks is None else {1: "how many"}
    figures.bottleneck(WORDS[:4], WORDS[2:], asks, shares, notes)
    assert {*WORDS[:4], *WORDS[2:], "encoder", "decoder", *(notes or {}).values()} <= {*texts()}
    widths = [line.get_linewidth() for line in plt.gcf().axes[0].lines]
    assert widths == ([] if asks is None else pytest.approx([1 + 9 * share for share in shares]))


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_what_is_seen_is_the_receptive_field(figures, layers):
    """The words that stand out are those that one output sees."""
    import matplotlib.pyplot as plt

    figures.field(WORDS, 4, layers)
    assert texts()[: len(WORDS)] == WORDS
    seen = [text for text in plt.gcf().axes[0].texts if text.get_color() == figures.INK]
    assert len(seen) == receptive_field(3, layers)


def test_every_state_has_its_number(figures):
    """Inputs and states are written where they belong."""
    figures.unrolled(WORDS[:3], [0, 1, 0], [0.0, 0.7616, 0.3634])
    said = texts()
    assert [said.count(number) for number in ("0.76", "0.36", "1", "0")] == [1, 1, 1, 3]


def test_slopes_are_multiplied(figures):
    """What arrives is the product of the slopes."""
    figures.chain(["a", "b", "c"], [0.5, 0.25])
    assert texts() == ["a", "b", "c", "× 0.50", "× 0.25", "nudge: 1", "arrives: 0.12"]


def test_a_kernel_is_under_its_first_window(figures):
    """Minus signs are minus signs."""
    figures.window(["a", "b", "c", "d"], [1, 2, 3, 4], [1, 0, -1], [-2, -2])
    assert texts().count("−2") == 2


def test_the_five_minutes_name_their_steps(figures):
    """Every step of the way, and what the word that asks takes from the others."""
    from figures import five_minutes

    features = ["money", "water", "kind", "verb"]
    five_minutes.way_of(["a", "b", "c"], np.eye(4)[:3], features, [0.89, 0.06, 0.05], [0.08, 1.92, 0, 0], asks=1)
    said = texts()
    assert {"words", "vectors", "+ position", "look at\none another", "think alone", "next word", "× N"} <= {*said}
    assert {"0.89", "0.05", "0.08", "1.92", *features} <= {*said}
    assert "0.06" not in said
