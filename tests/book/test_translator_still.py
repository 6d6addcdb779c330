"""The still of the Translator on the book's first page: what the live page opens with, drawn in the build."""

import pytest

from autograder.models import model
from autograder.models.attention import attention_of

CHAPTER = "translator"
STILL = """figure => ({
  words: [...figure.querySelectorAll(".word, .end")].map((node) => node.textContent),
  sure: [...figure.querySelectorAll(".sure")].map((node) => node.textContent),
  source: [...figure.querySelectorAll(".source")].map((node) => node.textContent),
  weights: [...figure.querySelectorAll(".weight")].map((node) => node.textContent),
})"""
LIVE = """demo => ({
  words: [...demo.querySelectorAll(".words .word")].map((node) => node.textContent),
  sure: [...demo.querySelectorAll(".words small")].map((node) => node.textContent),
  source: [...demo.querySelectorAll(".map thead th:not([role]) span")].map((node) => node.textContent),
  weights: [...demo.querySelectorAll(".map td")].map((node) => node.textContent),
})"""
OVERLAPS = """figure => {
  const boxes = [...figure.querySelectorAll(".word, .end, .sure, .weight")].map((node) => node.getBoundingClientRect());
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(
    (b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
}"""


@pytest.fixture
def first_page(warm, book):
    """Open the book's first page, ``first_page(width=375)``, and return the visit and its still."""

    def open_page(width=1280, height=900):
        here = warm(has_touch=True)  # another page than the chapter's
        here.page.set_viewport_size({"width": width, "height": height})
        here.goto(f"{book}/index.html")
        return here, here.page.locator(".translator-still")

    return open_page


def test_it_shows_what_the_live_page_opens_with(first_page, chapter):
    """Words, how sure each is, the source and all weights are those of the demo, and a click leads to it."""
    here, still = first_page()
    shown = still.evaluate(STILL)
    demo = chapter.demo("translator")
    demo.locator(".map td").first.wait_for()
    assert shown == demo.evaluate(LIVE)
    still.locator("a").click()
    here.page.wait_for_url("**/translator.html")


def test_it_is_told_in_words(first_page):
    """The link's name is the sentence, its translation and the strongest weights, then the line below."""
    trained = model("translator")
    looks = attention_of(trained, "i love you very much")
    name = " ".join(first_page()[1].locator("a").inner_text().split())
    assert "“i love you very much” becomes “ti amo molto”" in name
    for word, row in zip(looks.target[:-1], looks.cross[0][0], strict=False):
        assert f"before “{word}”" in name
        assert f"most at “{looks.source[row.argmax()]}” with {row.max():.3f}" in name
    assert name.endswith("By the end of this course you will have written this yourself.")


@pytest.mark.parametrize("width", [1280, 375])
def test_it_fits_and_nothing_fails(first_page, width):
    """On a desk and on a telephone the page is no wider than the screen, and no two labels touch."""
    here, still = first_page(width=width)
    assert here.page.evaluate("document.documentElement.scrollWidth") <= width
    assert still.evaluate(OVERLAPS) == 0
    assert (here.errors, here.foreign) == ([], [])


@pytest.mark.parametrize("width", [1280, 375])
def test_the_first_page_begins_with_something_alive(first_page, width):
    """A demo's drawing stands on the first screen of a desk and of a telephone, and two buttons lead on."""
    here, _ = first_page(width=width, height=740)
    drawing = here.page.locator(".gravity svg").first.bounding_box()
    assert drawing["y"] < 300
    for name, page in (("Straight to attention", "03_context"), ("Begin at the beginning", "01_before_attention")):
        here.page.get_by_role("link", name=name, exact=True).click()
        here.page.wait_for_url(f"**/{page}.html")
        here.page.go_back()
