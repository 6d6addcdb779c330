"""What the figures of attention and of training draw: lines, numbers and names, counted in Matplotlib's own objects."""

import numpy as np
import pytest

SOURCE, TARGET = ["he", "knows", "the", "cat", "well"], ["lui", "conosce", "bene", "il", "gatto"]
LONG = [
    "The",
    "hungry",
    "lion",
    "attacked",
    "the",
    "slow",
    "zebra",
    "in",
    "the",
    "tall",
    "grass",
    "beside",
    "the",
    "river",
]


@pytest.fixture
def maps(root, monkeypatch):
    """The module of figures; nothing is shown."""
    import matplotlib as mpl

    mpl.use("agg")
    monkeypatch.syspath_prepend(root / "book")
    import matplotlib.pyplot as plt
    from figures import attention_maps

    monkeypatch.setattr(plt, "show", lambda: None)
    with mpl.rc_context():
        yield attention_maps
    plt.close("all")


def drawn(words):
    """Return the lines and the words of the current figure, and check that all words lie inside of it."""
    import matplotlib.pyplot as plt

    figure = plt.gcf()
    figure.canvas.draw()
    (ax,) = figure.axes
    whole = figure.get_window_extent()
    for text in ax.texts:
        box = text.get_window_extent()
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1
    assert [text.get_text() for text in ax.texts] == words
    return ax.patches, ax.texts


@pytest.mark.parametrize("words", [SOURCE, LONG])
def test_lines_are_as_thick_as_weights(maps, words):
    """A line for each weight of 0.05 or more, the thickest last; short sentences lie, long ones stand, none overlap."""
    n = len(words)
    weights = np.eye(n) * 0.9
    weights[0, -1], weights[1, 0] = 0.05, 0.04
    maps.arcs(weights, words)
    lines, texts = drawn(words + words)
    assert [line.get_linewidth() for line in lines] == pytest.approx([0.35] + [6.3] * n)
    boxes = [text.get_window_extent() for text in texts]
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])
    assert (texts[0].get_position()[1] == texts[1].get_position()[1]) == (words is SOURCE)


def test_marked_words_stand_out(maps):
    """Lines of the marked words, and the words they look at, have another colour."""
    maps.arcs(np.eye(5)[::-1], SOURCE, TARGET, mark=("bene",))
    lines, texts = drawn(TARGET + SOURCE)
    assert len({line.get_edgecolor() for line in lines}) == 2
    assert [text.get_text() for text in texts if text.get_color() == maps.ORANGE] == ["bene"]


def test_a_map_says_its_larger_weights(maps):
    """Every weight above 0.05 is written in its cell, rows and columns carry their words."""
    import matplotlib.pyplot as plt

    maps.word_map(np.array([[0.97, 0.03], [0.25, 0.75], [1.0, 0.0]]), ["a", "b", "c"], ["d", "e"])
    ax = plt.gcf().axes[0]
    assert [text.get_text() for text in ax.texts] == ["0.97", "0.25", "0.75", "1.00"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["d", "e"]


def test_losses_stand_at_their_steps_and_are_named(maps):
    """A number is the mean of ten steps, which the axis says; a loss that was rounded to nothing stays on the axis."""
    import matplotlib.pyplot as plt

    maps.loss_curves({"falls": [2.0, 1.0, 0.0], "stays": [1.0] * 4})
    ax = plt.gcf().axes[0]
    first = ax.lines[0]
    assert first.get_xdata().tolist() == [10, 20, 30]
    np.testing.assert_allclose(first.get_ydata(), [2, 1, 1e-4])
    assert [text.get_text() for text in ax.texts] == ["falls", "stays"]
    assert "mean of 10 steps" in ax.get_ylabel()


def test_every_seed_is_a_point_and_the_mean_a_line(maps):
    """One row for each model, in the given order from above."""
    import matplotlib.pyplot as plt
    from figures import training

    training.seeds({"as it is": [0.9, 1.0], "without": [0.2, 0.4]})
    ax = plt.gcf().axes[0]
    points, means = ax.lines[::2], ax.lines[1::2]
    assert [line.get_xdata().tolist() for line in points] == [[0.9, 1.0], [0.2, 0.4]]
    assert [line.get_xdata()[0] for line in means] == pytest.approx([0.95, 0.3])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["as it is", "without"]
    assert ax.yaxis_inverted()
    assert len(ax.lines) == 4
    training.seeds({"as it is": [0.9, 1.0]}, guess=0.4)
    assert plt.gcf().axes[0].lines[-1].get_xdata() == [0.4, 0.4]
    assert [text.get_text() for text in plt.gcf().axes[0].texts] == ["best guess"]


def test_the_two_meanings_of_a_word_are_two_clouds(maps):
    """Every row is a point of its meaning's colour, in the two directions in which rows differ most."""
    import matplotlib.pyplot as plt
    from figures import context

    rows = np.array([[0.0, 0, 0], [0, 0, 8], [0, 1, 0], [0, 1, 8]])
    context.clouds({"before": rows, "after": rows + 3}, np.array([True, False, True, False]), ["one", "other"])
    for ax in plt.gcf().axes:
        one, other = (line.get_xydata() for line in ax.lines)
        assert np.ptp(np.concatenate([one, other]), axis=0) == pytest.approx([8, 1])
        assert np.abs(one[:, 0] - other[:, 0]).min() == pytest.approx(8)
    assert [text.get_text() for text in plt.gcf().axes[0].get_legend().get_texts()] == ["one", "other"]


def cells_of(ax):
    """Return the numbers in the cells of a figure, from left to right and from above."""
    placed = sorted((-text.get_position()[1], text.get_position()[0], text.get_text()) for text in ax.texts)
    return [float(text) for _, _, text in placed if text[0].isdigit()]


def test_words_of_two_sentences_point_at_one_table(maps):
    """Each word has an arrow to its row; the word of both sentences has one row and two arrows."""
    import matplotlib.pyplot as plt
    from figures import context
    from matplotlib.patches import FancyArrowPatch

    context.one_table({"a": [1, 2], "b": [3, 4], "c": [5, 6]}, [["a", "b"], ["b", "c"]], ["x", "y"])
    ax = plt.gcf().axes[0]
    assert cells_of(ax) == [1, 2, 3, 4, 5, 6]
    words = [text for text in ax.texts if text.get_text() in "abc"]
    arrows = [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    assert [text.get_text() for text in words] == ["a", "b", "b", "c"]
    assert len(arrows) == 4
    assert words[1].get_position()[1] == words[2].get_position()[1]


def test_a_mixture_is_the_sum_of_shares(maps):
    """Each row stands beside what its share leaves of it, and their sum is below."""
    import matplotlib.pyplot as plt
    from figures import context

    context.mixture(["a", "b"], np.array([[2, 0], [4, 8]]), np.array([0.25, 0.75]), 1, ["x", "y"])
    numbers = cells_of(plt.gcf().axes[0])
    assert numbers == [2, 0, 0.5, 0, 4, 8, 3, 6, 3.5, 6]


def test_a_word_goes_a_part_of_the_way_to_each_neighbour(maps):
    """The arrows of a sentence lead from the word to the mixture that its weights make."""
    import matplotlib.pyplot as plt
    from figures import context

    x, other, weights = np.array([[2.0, 0], [1, 1]]), np.array([[0, 2.0], [1, 1]]), np.array([0.25, 0.75])
    context.changes([(["a", "b"], x, weights), (["c", "b"], other, weights)], 1, ["x", "y"])
    ax = plt.gcf().axes[0]
    said = [text.get_text() for text in ax.texts]
    assert said == ["a", "0.25 of the way", "b, after a", "c", "0.25 of the way", "b, after c", "b, in the table"]
    ends = [text.xy for text in ax.texts if "after" in text.get_text()]
    np.testing.assert_allclose(ends, [weights @ x, weights @ other])


def test_names_keep_their_distance(maps):
    """Heights that are too close move apart, evenly and in order; the others stay."""
    np.testing.assert_allclose(maps.apart([3.0, 0.0, 0.1], 0.5), [3.0, -0.2, 0.3])
    moved = maps.apart([0.0, 0.0, 0.0, 0.2], 0.5)
    assert (np.diff(moved) >= 0.49).all()


def test_a_causal_mask_hides_what_each_row_must_predict(maps):
    """Beside each row is the word that it must predict; its cell, the first hidden one, is framed."""
    import matplotlib.pyplot as plt
    from figures import masking

    masking.beginnings(["a", "b", "c"], np.tri(3, dtype=bool))
    ax = plt.gcf().axes[0]
    assert [text.get_text() for text in ax.texts if text.get_position()[0] == 3.75][:3] == ["b", "c", "(the end)"]
    framed = [box.get_xy() for box in ax.patches if getattr(box, "get_width", lambda: 1)() == 0.88]
    assert [tuple(np.floor(corner)) for corner in framed] == [(1, 0), (2, 1)]


def test_a_padded_batch_shows_three_masks(maps):
    """Each sentence of the batch is written out, and each mask has a name and a square for every pair."""
    import matplotlib.pyplot as plt
    from figures import masking

    masks = {"one": np.tri(2, dtype=bool), "two": np.array([[True, False]]), "three": np.eye(2, dtype=bool)}
    masking.padded([["a", "<pad>"], ["b", "c"]], masks)
    above, below = plt.gcf().axes
    assert [text.get_text() for text in above.texts] == ["a", "<pad>", "b", "c"]
    assert len(below.patches) == 3 * 4 * 2
    assert {"one", "two", "three", "and", "="} <= {text.get_text() for text in below.texts}


def test_the_decoder_block_names_its_parts_and_no_two_touch(maps):
    """Three sublayers, an add & norm after each, and the given shapes; no text covers another."""
    import matplotlib.pyplot as plt
    from figures import masking

    masking.decoder_block(t=3, s=5, d_model=7)
    figure = plt.gcf()
    figure.canvas.draw()
    texts = [text for text in figure.axes[0].texts if text.get_text()]
    said = " ".join(text.get_text() for text in texts)
    assert said.count("add & norm") == 3
    assert all(
        part in said
        for part in ("masked self-attention", "cross-attention", "feed-forward", "(5, 7)", "(3, 3)", "(3, 5)")
    )
    boxes = [text.get_window_extent() for text in texts]
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


def test_bags_of_the_same_words_are_equal(maps):
    """Each sentence has a row a word in its order, and below them one sum; both sums are the same."""
    import matplotlib.pyplot as plt
    from figures import embeddings

    embeddings.bags(["dog bites man", "man bites dog"], {"dog": 0, "bites": 1, "man": 2})
    said = [text.get_text() for text in plt.gcf().axes[0].texts]
    first, second = said[: len(said) // 2], said[len(said) // 2 :]
    rows = [word for word in first if word in ("dog", "bites", "man")][3:]
    assert rows == [word for word in second if word in ("dog", "bites", "man")][:2:-1] == ["dog", "bites", "man"]
    assert "".join(first).endswith("sum111")
    assert "".join(second).endswith("sum111=")


def test_steps_go_to_the_right_at_every_build(maps):
    """In each panel, the mean step is to the right, whatever the signs of the plane's directions."""
    import matplotlib.pyplot as plt
    from figures import embeddings

    first = np.array([[0.0, 0, 0], [0, 5, 1], [0, 9, 0]])
    pairs, step = [("a", "A"), ("b", "B"), ("c", "C")], np.array([0, 0, 30])
    embeddings.steps({"up": (pairs, first, first + step), "down": (pairs, first, first - step)})
    for ax in plt.gcf().axes:
        places = ax.lines[0].get_xydata()
        assert np.allclose(places[3:] - places[:3], [30, 0], atol=2)


def test_neighbours_are_a_table_and_words_are_text(maps):
    """A word with its nearest and their cosines, and no word becomes a tag."""
    from figures import embeddings

    html = embeddings.neighbours({"<b>": [("near", 0.876), ("&", 0.5)]})._repr_html_()
    assert "&lt;b&gt;" in html
    assert "near 0.88, &amp; 0.50" in html
