"""Where a link leads on a page, and where a page is opened again, though its parts get their heights later."""

from itertools import cycle

import pytest

from .conftest import Visit
from .test_pages import CHAPTERS

# A telephone has a bar of 64 pixels there, behind which a line or two may have grown.
AT_THE_TOP = """id => {
    const { top } = document.getElementById(id).getBoundingClientRect();
    const isAtTheEnd = scrollY + innerHeight > document.documentElement.scrollHeight - 2;
    return top > -2 && (top < 140 || isAtTheEnd);
}"""
# Holds a text at a height for half a second and until it has stayed there for ten frames, while what comes near is laid
# out and demos are drawn.
HOLD = """async ([selector, height]) => {
    let still = 0;
    for (const end = performance.now() + 500; performance.now() < end || still < 10; ) {
        const before = scrollY;
        scrollBy(0, document.querySelector(selector).getBoundingClientRect().top - height);
        still = scrollY === before ? still + 1 : 0;
        await new Promise(requestAnimationFrame);
    }
}"""
IS_AT = """([selector, height]) =>
    history.scrollRestoration === "auto"
    && Math.abs(document.querySelector(selector).getBoundingClientRect().top - height) < 3"""


# The page holds a text in its place for some seconds: for as many frames as a quiet machine draws in them.
FRAMES = "{ let times = 0; performance.now = () => 16 * ++times; }"  # it asks for the time once a frame


@pytest.fixture
def visit(visit):
    """Open pages that count frames instead of seconds, since a busy machine draws few of them."""

    def open_page(**options):
        reader = visit(**options)
        reader.page.add_init_script(FRAMES)
        return reader

    return open_page


@pytest.fixture(scope="module")
def reader(context):
    """Return such a page of a width, one for all who follow a link: to open another one takes twice as long."""
    readers = {}

    def reader_for(width):
        if width not in readers:
            readers[width] = Visit(context(width).new_page()).watch()
            readers[width].page.add_init_script(FRAMES)
        return readers[width]

    yield reader_for
    for one in readers.values():
        one.page.close()


@pytest.mark.parametrize(("chapter", "width"), list(zip(CHAPTERS, cycle([1280, 375]), strict=False)))
def test_a_link_to_a_section_leads_there(book, reader, chapter, width):
    """Its heading is at the top of the screen, or as near as the page's end permits, whatever has grown above it."""
    here = reader(width)
    here.goto(f"{book}/{chapter}.html#assignment")
    here.page.wait_for_function(AT_THE_TOP, arg="assignment")
    sections = here.page.locator("article > section > section[id]").evaluate_all("all => all.map(one => one.id)")
    for section in sections[1], sections[-3]:
        here.page.evaluate("id => { location.hash = id; }", section)
        here.page.wait_for_function(AT_THE_TOP, arg=section)


# Whether the last demo above a section has been drawn, a few frames ago.
DEMO_ABOVE = """async (id) => {
    const section = document.getElementById(id);
    const isAbove = (one) => one.compareDocumentPosition(section) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (![...document.querySelectorAll(".demo, .demo-waits")].filter(isAbove).at(-1)?.matches(".demo")) return false;
    for (let k = 0; k < 5; k++) await new Promise(requestAnimationFrame);
    return true;
}"""


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize(
    ("page", "section"), [("13_gpt", "one-layer-in-your-own-functions"), ("translator", "what-each-head-looks-at")]
)
def test_a_link_to_what_is_below_a_demo_that_waits_leads_there(book, reader, page, section, width):
    """The demo comes only now, right above the heading, which stays at the top."""
    here = reader(width)
    here.goto(f"{book}/{page}.html#{section}")
    here.page.wait_for_function(DEMO_ABOVE, arg=section)
    here.page.wait_for_function(AT_THE_TOP, arg=section)


def test_a_link_leads_there_where_nothing_may_be_stored(book, visit):
    """A browser that refuses storage holds the heading all the same."""
    reader = visit(width=375)
    reader.page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    reader.goto(f"{book}/translator.html#what-each-head-looks-at")
    reader.page.wait_for_function(DEMO_ABOVE, arg="what-each-head-looks-at")
    reader.page.wait_for_function(AT_THE_TOP, arg="what-each-head-looks-at")


def test_a_link_to_a_term_leads_there(book, reader):
    """A term far down the glossary is at the top of the screen."""
    here = reader(375)
    here.goto(f"{book}/glossary.html#term-loss")
    here.page.wait_for_function(AT_THE_TOP, arg="term-loss")


@pytest.mark.parametrize("width", [1280, 375])
def test_a_page_that_is_opened_again_shows_the_same_text(book, visit, width):
    """By Reload and by Back, whatever has got another height since; the toggle that was read in is open again."""
    reader = visit(width=width)
    page = reader.page
    reader.goto(f"{book}/{CHAPTERS[-1]}.html")
    page.evaluate(HOLD, heading := ["#assignment", 200])
    page.reload()
    page.wait_for_function(IS_AT, arg=heading)
    page.evaluate("() => { document.querySelector('details.toggle:not(.contract)').open = true; }")
    line = page.evaluate("innerHeight / 4")  # what stands here is what is read
    page.evaluate(HOLD, answer := ["details.toggle:not(.contract) > p", line - 9])
    page.goto(f"{book}/{CHAPTERS[0]}.html")
    page.go_back()
    page.wait_for_function(IS_AT, arg=answer)
    assert reader.errors == []


@pytest.mark.parametrize("name", ["translator", "13_gpt", "laboratory"])
def test_a_text_behind_demos_that_wait_is_shown_again(book, visit, name):
    """Before and after the demos above it have come, it is the same text."""
    page = visit(width=375).page
    page.goto(f"{book}/{name}.html")
    section = page.locator("article > section > section[id]").evaluate_all("all => all.at(-1).id")
    heading = page.locator(f"#{section} h2")
    page.evaluate(HOLD, [f"#{section} h2", 200])
    height = heading.bounding_box()["y"]  # a short section can't be further up
    for _ in range(2):
        page.reload()
        page.wait_for_function(IS_AT, arg=[f"#{section} h2", height])


# Until the page has noted what is read: its timer began before this one.
NOTED = "() => new Promise(requestAnimationFrame).then(() => new Promise((resolve) => setTimeout(resolve, 400)))"


@pytest.mark.parametrize("chapter", CHAPTERS[::6])
def test_a_telephone_that_is_turned_shows_the_same_text(book, visit, chapter):
    """At the same share of the screen's height, though everything above has other lines and margins now."""
    page = visit(width=375).page
    page.set_viewport_size({"width": 375, "height": 740})
    page.goto(f"{book}/{chapter}.html")
    heading = "#assignment h2"
    page.evaluate(HOLD, [heading, 740 / 5])
    for width, height in (740, 375), (1280, 800), (375, 740):
        page.evaluate(NOTED)
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(IS_AT, arg=[heading, height / 5])


def test_a_reader_who_goes_on_at_once_is_not_held(book, visit):
    """Who turns a telephone and goes back to the beginning stays there; who turns it there stays there too."""
    page = visit(width=375).page
    page.goto(f"{book}/{CHAPTERS[3]}.html")
    page.evaluate("scrollTo(0, 5000)")
    page.evaluate(NOTED)
    page.set_viewport_size({"width": 740, "height": 375})
    page.evaluate("new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))")  # it is held now
    page.keyboard.press("Home")
    page.wait_for_function("scrollY < innerHeight")  # sections above may grow on the way
    page.evaluate("async () => { for (let k = 0; k < 99; k++) await new Promise(requestAnimationFrame); }")
    assert page.evaluate("scrollY < innerHeight")  # after more frames than a text is held
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(NOTED)
    page.set_viewport_size({"width": 375, "height": 740})
    page.evaluate(NOTED)
    assert page.evaluate("scrollY") == 0
