"""The card beside a link to a page: its picture, drawn without a browser, and its sentence."""

import io

import card_picture
import cards
import numpy as np
import pytest
from docutils import nodes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

BOOK = "Attention, Row by Row"


@pytest.fixture
def axes():
    """An empty card."""
    figure = Figure(figsize=(12, 6.3), dpi=card_picture.DPI)
    FigureCanvasAgg(figure)
    return figure.add_axes((0, 0, 1, 1), xlim=(0, 1200), ylim=(630, 0))


def written(axes):
    """Return what is written on a card, in one line."""
    return " ".join(text.get_text() for text in axes.texts)


def test_the_first_pages_card_has_its_title_once(axes):
    """It is the book's name, too."""
    card_picture.write_title(axes, BOOK, BOOK)
    assert written(axes) == BOOK


TITLES = ["Glossary", "A term by zips: Moodle, Canvas, folders", "Row " * 14, "Unbreakable" * 3]


@pytest.mark.parametrize("title", TITLES)
def test_a_title_keeps_its_words_and_its_place(axes, title):
    """However long, it is left of the drawing and above the edge, except a word that no line holds."""
    card_picture.write_title(axes, title, BOOK)
    assert sorted(written(axes).split()) == sorted(f"{title} {BOOK}".split())
    if title.startswith("Unbreakable"):
        return
    boxes = [text.get_window_extent() for text in axes.texts]
    assert max(box.x1 for box in boxes) < card_picture.PANEL[0]
    assert min(box.y0 for box in boxes) > 0


def test_words_look_at_each_other_by_their_letters():
    """The scores of ab and b are 2, 1 and 1, 1: the weights of the first are e : 1."""
    share = np.e / (1 + np.e)
    np.testing.assert_allclose(card_picture.weights_of(["ab", "b"]), [[share, 1 - share], [0.5, 0.5]])


@pytest.mark.parametrize(
    ("title", "tokens"),
    [("5. Why divide by √dₖ", ["Why", "divide", "by", "dₖ"]), ("Glossary", list("Glossary")), ("√", ["√"])],
)
def test_a_title_is_taken_apart_into_words(title, tokens):
    """Numbers of chapters are none, and of a single word its letters are taken."""
    assert card_picture.tokens_of(title) == tokens


def test_a_card_shows_the_pages_figure():
    """A red figure makes the middle of the panel red, and a card with another figure is another card."""
    red = io.BytesIO()
    Image.new("RGBA", (640, 400), "red").save(red, "PNG")
    card = card_picture.draw("Words", red.getvalue(), BOOK)
    assert card == card_picture.draw("Words", red.getvalue(), BOOK)
    with Image.open(io.BytesIO(card)) as picture:
        left, top, wide, high = card_picture.PANEL
        colours = [picture.convert("RGB").getpixel(place) for place in ((left + wide // 2, top + high // 2), (5, 5))]
    assert colours[0] == (255, 0, 0) != colours[1]


def page_of(*paragraphs, question=()):
    """Return a page with such paragraphs, and before them those of its question."""
    page = nodes.section()
    if question:
        page += nodes.container("", *(nodes.paragraph("", "", *parts) for parts in question), classes=["question"])
    page += [nodes.paragraph("", text) for text in paragraphs]
    return page


LONG = "This sentence has as many words as it takes to fill the first line of a card and a bit more than half of it."


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (page_of("Short.", f"{LONG} {LONG}"), LONG),
        (page_of(f"{LONG} {LONG}", question=[[nodes.Text("Is it 3.5? Move it.")]]), "Is it 3.5? Move it."),
        (page_of(question=[[nodes.Text("Keys do. Is "), nodes.math("", r"\sqrt d"), nodes.Text(" so?")]]), "Keys do."),
        (page_of("word " * 60), "word " * 39 + "word …"),
        (page_of("Short."), ""),
    ],
)
def test_a_description_ends_with_a_sentence(page, said):
    """It is the page's question or first long paragraph, up to a formula; a sentence that is too long is cut."""
    assert cards.description(page) == said
