"""Where a link leads on a page, and where a page is opened again, though its parts get their heights later."""

import pytest

from .test_pages import CHAPTERS

# A telephone has a bar of 64 pixels there, behind which a line or two may have grown.
AT_THE_TOP = """id => {
    const { top } = document.getElementById(id).getBoundingClientRect();
    return top > -2 && top < 140;
}"""
# Holds a text at a height for half a second, while what comes near is laid out.
HOLD = """async ([selector, height]) => {
    for (const end = performance.now() + 500; performance.now() < end; await new Promise(requestAnimationFrame)) {
        scrollBy(0, document.querySelector(selector).getBoundingClientRect().top - height);
    }
}"""
IS_AT = """([selector, height]) =>
    history.scrollRestoration === "auto"
    && Math.abs(document.querySelector(selector).getBoundingClientRect().top - height) < 3"""


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_link_to_a_section_leads_there(book, warm, chapter, width):
    """Its heading is at the top of the screen, from elsewhere and on the page, though what is above has grown since."""
    reader = warm(width=width, has_touch=True)
    reader.goto(f"{book}/{chapter}.html#where-people-slip")
    reader.page.wait_for_function(AT_THE_TOP, arg="where-people-slip")
    sections = reader.page.locator("article > section > section[id]").evaluate_all("all => all.map(one => one.id)")
    for section in sections[1], sections[-3]:
        reader.page.evaluate("id => { location.hash = id; }", section)
        reader.page.wait_for_function(AT_THE_TOP, arg=section)


def test_a_link_to_a_term_leads_there(book, warm):
    """A term far down the glossary is at the top of the screen."""
    reader = warm(width=375, has_touch=True)
    reader.goto(f"{book}/glossary.html#term-loss")
    reader.page.wait_for_function(AT_THE_TOP, arg="term-loss")


@pytest.mark.parametrize("width", [1280, 375])
def test_a_page_that_is_opened_again_shows_the_same_text(book, visit, width):
    """By Reload and by Back, whatever has got another height since; the toggle that was read in is open again."""
    reader = visit(width=width)
    page = reader.page
    reader.goto(f"{book}/{CHAPTERS[-1]}.html")
    page.evaluate(HOLD, heading := ["#where-people-slip", 200])
    page.reload()
    page.wait_for_function(IS_AT, arg=heading)
    page.evaluate("() => { document.querySelector('details:has([id^=slip-])').open = true; }")
    page.evaluate(HOLD, slip := ["tr:has([id^=slip-])", 150])
    page.goto(f"{book}/{CHAPTERS[0]}.html")
    page.go_back()
    page.wait_for_function(IS_AT, arg=slip)
    assert reader.errors == []
