"""The first card on the book's first page: what the page of all numbers opens with, without a script."""

import pytest

from autograder.course.course import Course

from .conftest import require_page

CHAPTER = "translator"
ROWS = """card => [...card.querySelectorAll("tbody tr")].map((row) =>
  [...row.querySelectorAll("th, td:nth-child(2), td:last-child")].map((cell) => cell.innerText.trim()).join(" "))"""


@pytest.fixture
def first_page(warm, book):
    """Open the book's first page, ``first_page(width=375)``, and return the visit and its card."""

    require_page("translator")  # without it the first page has no card

    def open_page(width=1280, height=900, **settings):
        here = warm(has_touch=True, **settings)  # another page than the chapter's
        here.page.set_viewport_size({"width": width, "height": height})
        here.goto(f"{book}/index.html")
        return here, here.page.locator(".first-card")

    return open_page


@pytest.mark.parametrize("turn", [0, 2])
def test_a_card_says_what_the_live_page_says(first_page, chapter, turn):
    """Words, how sure each is, the question, the value and the largest terms are those of the demo."""
    _, first = first_page()
    first.locator("label").nth(turn).click()
    card, live = first.locator(".card:visible"), chapter.demo("every-number")
    live.locator(".words button").nth(turn).click()
    assert card.count() == 1
    words = [" ".join(label.split()) for label in first.locator("label").all_inner_texts()]
    assert words == [" ".join(button.split()) for button in live.locator(".words button").all_inner_texts()]
    for part in (".asked", ".rule"):
        assert card.locator(part).inner_text() == live.locator(part).inner_text()
    assert live.locator(".value").inner_text().startswith(card.locator(".value").inner_text())
    shown, wanted = (" | ".join(box.evaluate(ROWS)) for box in (card, live.locator(".card")))
    assert shown.split(" | ")[:5] == wanted.split(" | ")[:5]
    assert shown.split(" | ")[-2:] == wanted.split(" | ")[-2:]


def test_the_quotient_that_is_shown_gives_the_probability_that_is_shown(first_page):
    """A reader who divides the two printed numbers gets the third, to its last digit."""
    _, first = first_page()
    for turn in range(first.locator("label").count()):
        first.locator("label").nth(turn).click()
        line = first.locator(".card:visible tr.total").last
        top, total = (float(part) for part in line.locator("th").inner_text().split(" ÷ "))
        assert f"{top / total:.4f}" == line.locator("td").last.inner_text()


def test_a_number_opens_on_the_page_of_all_numbers(first_page):
    """A click leads to that number's card, with the way there."""
    require_page("translator")
    here, first = first_page()
    logit = first.locator(".card:visible td a").nth(1).inner_text()
    first.locator(".card:visible td a").nth(1).click()
    here.page.wait_for_url("**/translator.html#**")
    opened = here.page.locator(".every-number .value")
    opened.filter(has_text=logit).wait_for()
    assert here.page.locator(".every-number .trail button").count() == 2


def test_arrow_keys_choose_a_word(first_page):
    """The words are radio buttons: one stop of Tab, then arrows."""
    here, first = first_page()
    first.locator("input:checked").focus()
    assert first.locator(".card:visible .asked").inner_text() == "How likely is “amo” as word 2?"  # the least sure
    here.page.keyboard.press("ArrowRight")
    assert first.locator(".card:visible .asked").inner_text() == "How likely is “molto” as word 3?"


@pytest.mark.parametrize("width", [1280, 375])
def test_it_fits_and_nothing_fails(first_page, width):
    """On a desk and on a telephone the page is no wider than the screen, and the card is on its first screen."""
    here, first = first_page(width=width, height=740)
    assert here.page.evaluate("document.documentElement.scrollWidth") <= width
    assert first.locator(".card:visible .value").bounding_box()["y"] < 500
    assert (here.errors, here.foreign) == ([], [])


def test_two_buttons_lead_on(first_page, root):
    """One to the first chapter, one straight to attention where another chapter comes before it."""
    here, _ = first_page()
    chapters = Course(root).chapters()
    buttons = {"Begin at the beginning": chapters[0]}
    straight = next((name for name in chapters if name in ("03_context", "04_query_key_value")), chapters[0])
    if straight != chapters[0]:
        buttons["Straight to attention"] = straight
    for name, page in buttons.items():
        here.page.get_by_role("link", name=name, exact=True).click()
        here.page.wait_for_url(f"**/{page}.html")
        here.page.go_back()
