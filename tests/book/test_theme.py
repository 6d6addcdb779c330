"""What surrounds a chapter's text: light and dark, search, sidebar, copied code, toggles, and a page's weight."""

import gzip
import re
from functools import cache
from pathlib import Path
from urllib.parse import urlparse

import pytest

from autograder.course.which_course import find_course

from .conftest import ROOT, TELEPHONE, require_page

CHAPTER = "04_query_key_value"
FIRST, NEXT, REQUESTS = 120_000, 60_000, 25  # bytes as sent when a page is the first one, when it is the next
MODEL = 50_000  # bytes of a trained model, which comes when its demo is seen: it is no part of the page
FACES = "/_static/fonts/"  # come while the page is read already, and once: they have a bound of their own
PACKED = {".woff2", ".png", ".jpg"}  # gzip does nothing for them
PAGES = sorted(path.stem for path in (ROOT / "book").glob("*.md"))
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
WHITE, NIGHT = "rgb(255, 255, 255)", "rgb(20, 23, 29)"


@pytest.fixture(scope="module")
def opened(context, book):
    """The chapter, opened once for all tests that leave it as they found it."""
    page = context().new_page()
    page.goto(f"{book}/{CHAPTER}.html")
    page.evaluate("async () => { await document.fonts.ready; }")
    yield page
    page.close()


def weight(path):
    """Return how many bytes a server that gzips sends of a file."""
    data = path.read_bytes()
    return len(data) if path.suffix in PACKED else len(gzip.compress(data, 6))


def loaded_by(page, site, address):
    """Open a page; return the files that it loads with it, the page among them."""
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.evaluate("async () => { await document.fonts.ready; }")
    names = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    paths = [urlparse(name).path for name in (address, *names) if not name.startswith(("data:", "blob:"))]
    sizes = {path: weight(Path(site, path.lstrip("/"))) for path in paths}
    counted = {path: size for path, size in sizes.items() if not path.startswith(FACES)}
    return {path: size for path, size in counted.items() if "/demo_data/" not in path or size < MODEL}


@pytest.fixture(scope="module")
def loaded(context, site, book):
    """Return the files that a page loads on a telephone, and their bytes, by the page's name; each is opened once."""
    page = context(**TELEPHONE).new_page()
    yield cache(lambda name: loaded_by(page, site, f"{book}/{name}.html"))
    page.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_light(loaded, name):
    """On a telephone each page stays within the bytes and requests that it may cost, as the first and as the next."""
    first, known = loaded(name), loaded("index" if name != "index" else CHAPTER)
    new = {path: size for path, size in first.items() if path not in known}
    assert len(first) <= REQUESTS, sorted(first)
    assert sum(first.values()) <= FIRST, first
    assert sum(new.values()) <= NEXT, new


def test_the_faces_are_light(site):
    """Text and titles have a face each, and both together weigh no more than a picture."""
    faces = list((site / "_static/fonts").glob("*.woff2"))
    assert len(faces) == 2
    assert sum(path.stat().st_size for path in faces) <= 45_000


def test_nobody_talks_to_the_console(book, visit):
    """Pages print nothing there and ask no other host."""
    reader = visit()
    printed = []
    reader.page.on("console", lambda message: printed.append(message.text))
    for name in (CHAPTER, "index", "search", "translator"):
        reader.goto(f"{book}/{name}.html", drawn=0)
        reader.page.wait_for_load_state("networkidle")
    assert (printed, reader.errors, reader.foreign) == ([], [], [])


@pytest.mark.parametrize(
    ("kept", "system", "colour"), [(None, "dark", NIGHT), (None, "light", WHITE), ("light", "dark", WHITE)]
)
def test_colours_are_right_before_any_script_is_loaded(book, visit, kept, system, colour):
    """What a reader chose, else what the system wants, holds although no script file arrives."""
    page = visit().page
    page.route("**/*.js*", lambda route: route.abort())
    page.emulate_media(color_scheme=system)
    if kept:
        page.add_init_script(f"localStorage.setItem('theme', '{kept}')")
    page.goto(f"{book}/{CHAPTER}.html")
    assert page.evaluate(BACKGROUND) == colour


@pytest.mark.parametrize(
    ("kept", "system", "turned"),
    [(None, "light", False), (None, "dark", True), ("dark", "light", True), ("light", "dark", False)],
)
def test_figures_are_white_by_day_and_dark_by_night(book, visit, kept, system, turned):
    """Their lightness is inverted where the page is dark, and nowhere else; on paper they stay white."""
    page = visit().page
    page.emulate_media(color_scheme=system)
    if kept:
        page.add_init_script(f"localStorage.setItem('theme', '{kept}')")
    page.goto(f"{book}/06_multi_head.html")
    picture = page.locator("div.cell_output img[src$='.svg']").first
    assert (picture.evaluate("picture => getComputedStyle(picture).filter") != "none") == turned
    page.emulate_media(media="print", color_scheme=system)
    assert picture.evaluate("picture => getComputedStyle(picture).filter") == "none"


def test_the_switch_goes_through_light_dark_and_auto(opened):
    """Each press changes the mode; the third leaves it to the system again."""
    opened.emulate_media(color_scheme="light")
    switch = opened.locator(".theme-toggle-content .theme-toggle")
    modes = []
    for _ in range(3):
        switch.click()
        modes.append(opened.evaluate("document.body.dataset.theme"))
    assert sorted(modes) == ["auto", "dark", "light"]
    opened.emulate_media(color_scheme="null")


def test_the_search_finds(book, page):
    """Enter in the sidebar's field leads to the results, and these name the page."""
    page.goto(f"{book}/index.html")
    page.locator(".sidebar-search").fill("saturation")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=saturation*")
    page.get_by_role("link", name=re.compile("Why divide")).first.wait_for()


@pytest.mark.skipif(find_course(ROOT).settings.language != "en", reason="Sphinx has its own sentences there")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("gradient saturation", r"Pages found: \d+\."),
        ("qwertz asdfgh", "No page has all of these words"),
        ("qwertz", "No page has this word"),
    ],
)
def test_a_search_says_in_a_few_words_what_came_of_it(book, page, words, said):
    """With results and without, the sentence is short and fits this book."""
    page.goto(f"{book}/search.html?q={words}")
    page.locator("#search-results p.search-summary", has_text=re.compile(said)).wait_for()


def test_a_formula_in_the_results_can_be_read(book, page):
    """What Sphinx takes of a page has each formula once, as one types it, and no LaTeX."""
    page.goto(f"{book}/search.html?q=why+divide")
    page.locator("#search-results p.context").first.wait_for()
    read = "async () => Search.htmlToText(await (await fetch('05_scaling.html')).text(), '')"
    text = page.evaluate(read)
    assert "√d_k" in text
    assert "\\sqrt" not in text
    assert [text for text in page.locator("p.context").all_inner_texts() if "\\" in text] == []


def test_lines_and_cells_do_not_run_together_in_the_results(book, page):
    """What is apart on a page is apart in an excerpt."""
    page.goto(f"{book}/search.html")
    cells = "<table><tr><td>three</td><td>four</td></tr></table>"
    html = f'<div role="main"><p>one<br>two</p>{cells}<ul><li>five</li></ul>six</div>'
    text = page.evaluate("html => Search.htmlToText(html, '')", html)
    assert text.split() == ["one", "two", "three", "four", "five", "six"]


def test_words_that_were_searched_are_marked(book, page):
    """A link from the results marks the words on the page."""
    page.goto(f"{book}/05_scaling.html?highlight=variance")
    page.locator("article p span.highlighted").first.wait_for()


@pytest.mark.parametrize("clipboard", [True, False])
def test_a_button_copies_a_cell(opened, clipboard):
    """Code goes to the clipboard, with the browser's own and without, and the button says so."""
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not clipboard:
        opened.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('none')); }")
    cell = opened.locator("div.highlight").nth(int(clipboard))  # no button that has said so before
    cell.hover()
    cell.locator("button.copybtn").click()
    cell.get_by_role("button", name="Copied").wait_for()
    assert opened.evaluate("navigator.clipboard.readText()").strip() == cell.locator("pre").inner_text().strip()
    opened.evaluate("delete navigator.clipboard.writeText")


def test_a_telephone_opens_the_sidebar_and_the_contents(book, warm):
    """Each slides in at a touch and leaves at the next one beside it."""
    here = warm(**TELEPHONE)
    here.goto(f"{book}/{CHAPTER}.html", drawn=0)
    for button, drawer, uncovered in (("nav", "sidebar", 370), ("toc", "toc", 5)):
        here.page.locator(f".{button}-overlay-icon:visible").first.tap()
        here.page.locator(f".{drawer}-drawer a:visible").first.wait_for()
        here.page.locator(f".{drawer}-overlay").tap(position={"x": uncovered, "y": 400})


def test_the_contents_follow_the_reader(book, context):
    """The entry of the section at the top of the window is marked."""
    page = context(width=1600).new_page()
    page.goto(f"{book}/{CHAPTER}.html")
    place = page.locator(".toc-tree a").nth(3).get_attribute("href")
    page.evaluate("place => document.querySelector(place).scrollIntoView()", place)
    page.locator(f".toc-tree .scroll-current > a[href='{place}']").wait_for()
    page.close()


COUNT_PLACES = """
const { get } = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "offsetTop");
window.asked = 0;
Object.defineProperty(HTMLElement.prototype, "offsetTop", { get() { asked += 1; return get.call(this); } });
"""


@pytest.mark.parametrize(("width", "asks"), [(375, False), (1600, True)])
def test_headings_are_asked_for_their_places_only_for_contents_that_are_shown(book, context, width, asks):
    """Each answer lays out what is far below, which a telephone does before it shows its first demo."""
    page = context(width=width).new_page()
    page.add_init_script(COUNT_PLACES)
    page.goto(f"{book}/{CHAPTER}.html")
    assert (page.evaluate("asked") > 0) is asks
    assert page.locator(".toc-scroll").count() == 1
    page.close()


def test_a_toggle_opens_by_the_keyboard(opened):
    """An answer and a hidden cell are details elements, which need no script."""
    details = opened.locator("details.toggle").first
    for is_open in (True, False):
        details.locator("summary").first.focus()
        opened.keyboard.press("Enter")
        assert details.evaluate("node => node.open") is is_open


def test_pages_on_grading_are_folded_for_learners(opened):
    """The sidebar shows the page for instructors, and the five about a term only behind its arrow."""
    require_page("instructors")
    sidebar = opened.locator(".sidebar-tree")
    assert sidebar.get_by_role("link", name="For instructors").is_visible()
    assert not sidebar.get_by_role("link", name="Grading on a laptop").is_visible()


def test_pictures_keep_their_place(small_book):
    """A picture of a book that has just been built tells its size, so that nothing moves when it arrives."""
    picture = re.search(r"<img [^>]*a grey square[^>]*>", (small_book[0] / "other.html").read_text())[0]
    assert ' width="7" height="5"' in picture


def test_pictures_below_the_first_section_are_fetched_when_they_come_near(site):
    """Those above it are on the first screen, and are fetched at once."""
    article = (site / "04_query_key_value.html").read_text().partition("<article")[2]
    first, later = (re.findall(r"<img [^>]*>", part) for part in article.split("<h2", 1))
    assert [len(first) > 0, len(later) > 0] == [True, True]
    assert [picture for picture in first if 'loading="lazy"' in picture] == []
    assert [picture for picture in later if 'loading="lazy"' not in picture] == []


STOPS = """() => [...document.querySelectorAll("article :is(pre, .cell_output > .output, .table-wrapper)")]
  .filter((one) => !one.closest("details")).map((one) => [one.scrollWidth > one.clientWidth, one.tabIndex])"""


def test_the_keyboard_reaches_what_can_be_scrolled(book, page):
    """On a telephone each block that is wider than the screen has a tab stop, and no other."""
    page.set_viewport_size({"width": 375, "height": 740})
    page.goto(f"{book}/{CHAPTER}.html")
    page.add_style_tag(content="section { content-visibility: visible !important; }")  # as if all had come near
    page.wait_for_function(f"({STOPS})().every(([wide, stop]) => stop === (wide ? 0 : -1))")
    assert {wide for wide, _ in page.evaluate(STOPS)} == {True, False}


def test_the_keyboard_reaches_what_is_far_below(book, page):
    """A block that no reader has come near is not laid out, and has its tab stop all the same."""
    page.goto(f"{book}/instructors.html")
    page.wait_for_function("document.querySelectorAll('article .copybtn').length")
    stops = page.evaluate(STOPS)  # which asks for their widths, and so lays them out
    assert [stop for wide, stop in stops if wide and stop < 0] == []
    assert any(wide for wide, _ in stops)


def test_what_is_unfolded_gets_its_tab_stop(book, page):
    """A cell that was folded had no width; once it is open, the keyboard can scroll what is wider than it."""
    page.set_viewport_size({"width": 375, "height": 740})
    page.goto(f"{book}/{CHAPTER}.html")
    folded = page.locator("details:not([open]) pre").first
    folded.evaluate("pre => { pre.id = 'folded'; pre.style.whiteSpace = 'pre'; pre.textContent = 'x'.repeat(200); }")
    folded.evaluate("pre => { const toggle = pre.closest('details'); toggle.open = true; toggle.scrollIntoView(); }")
    page.wait_for_function("document.querySelector('#folded').tabIndex === 0")


def test_a_demo_on_the_first_screen_is_there_with_the_page(book, visit):
    """It is drawn and answers to the keyboard though the page's own script never arrives."""
    require_page("translator")
    page = visit().page
    page.route("**/_static/course.js*", lambda route: None)  # never answered
    page.goto(f"{book}/translator.html", wait_until="commit")
    demo = page.locator(".every-number")
    before = demo.inner_text()
    demo.get_by_role("button").nth(1).press("Enter")
    assert demo.inner_text() != before


@pytest.mark.parametrize("width", [1280, 375])
def test_tables_stay_in_their_box(book, warm, width):
    """With every toggle open, no table reaches out of the box around it."""
    seen = warm(width)
    seen.goto(f"{book}/slips/{CHAPTER}.html")
    beyond = """() => [...document.querySelectorAll("details")].map((box) => {
        box.open = true;
        const ends = [...box.querySelectorAll(".table-wrapper")].map((one) => one.getBoundingClientRect().right);
        return Math.max(...ends, 0) - box.getBoundingClientRect().right;
    }).filter((far) => far > 0)"""
    assert seen.page.locator("details .table-wrapper").count() > 5
    assert seen.page.evaluate(beyond) == []
