"""The built pages: they load, stay on this host, show their formulas, and lead nowhere that does not exist."""

import os
import re
import zipfile
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlparse
from urllib.request import urlopen

import nbformat
import pytest

from autograder.course.course import Course
from tests.support.root import ROOT

SOURCES = sorted((ROOT / "book").glob("*.md"))
CHAPTERS = Course(ROOT).every_chapter()
SLIPS = [f"slips/{chapter}" for chapter in CHAPTERS]
PAGES = [source.stem for source in SOURCES] + SLIPS[3:5]  # they are alike
# What makes a browser load something by itself; an <a href> to another host is a link, and is allowed.
LOADS = re.compile(
    r"""<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=["'](?:https?:)?//|"""
    r"""<link\b(?![^>]*\brel="canonical")[^>]*\bhref=["'](?:https?:)?//"""  # a canonical address is not loaded
)


class Reader(HTMLParser):
    """Collects the ids of a page and where its links lead."""

    def __init__(self, html):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        """Note the id of any element, and the target of a link or of something that is loaded."""
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.add(attrs["id"])
        for name in ("href", "src"):
            if attrs.get(name):
                self.links.append(attrs[name])


@cache
def fetch(url):
    """Return the bytes at ``url``; an HTTP error fails the test."""
    with urlopen(url) as answer:
        return answer.read()


@cache
def read(url):
    """Return the ids and links of the page at ``url``."""
    return Reader(fetch(url).decode())


# At a desk and on a telephone, light and dark: each page is opened, and read by axe, in one of these.
SCREENS = [("light", 1280), ("dark", 375), ("light", 375), ("dark", 1280)]


def screen_of(name):
    """Return the theme and the width in which a page is looked at."""
    return SCREENS[PAGES.index(name) % len(SCREENS)]


@pytest.fixture(scope="module", params=PAGES)
def read_on(request, book, warm):
    """A page of the book, opened once for all tests of this file, with its demos and letters drawn."""
    reader = warm(width=screen_of(request.param)[1], has_touch=True)
    reader.goto(f"{book}/{request.param}.html")
    reader.page.evaluate("async () => { await document.fonts.ready; }")
    return reader


@pytest.fixture
def opened(read_on):
    """That page."""
    return read_on.page


def name_of(page):
    """Return the name of the page that is open."""
    return urlparse(page.url).path.removeprefix("/").removesuffix(".html")


def test_a_page_is_quiet_and_stays_on_its_host(read_on):
    """Every page loads without an error in the console and without a request to another host."""
    assert (read_on.errors, read_on.foreign) == ([], [])


def test_formulas_are_rendered(opened):
    """Every formula was rendered when the book was built: no delimiter and no KaTeX error is left in the text.

    A course's own title is plain text and may hold a $.
    """
    assert opened.locator(".katex-error").count() == 0
    assert opened.locator("span.math:not(:has(.katex)), div.math:not(:has(.katex))").count() == 0
    text = opened.evaluate(
        """() => {
            const copy = document.querySelector("article").cloneNode(true);
            copy.querySelectorAll("h1, pre, code, script, .katex").forEach((node) => node.remove());
            return copy.textContent;
        }"""
    )
    assert not re.search(r"\\\(|\\\[|\$", text)


def test_images_say_what_they_show(opened):
    """Every image has an alternative text, and a figure's is a sentence at least."""
    alternatives = opened.eval_on_selector_all("img", "images => images.map(image => image.alt)")
    assert all(alternatives)
    figures = opened.eval_on_selector_all(".cell_output img", "images => images.map(image => image.alt)")
    assert all(len(text) > 60 for text in figures)


CONTROLS = {"button", "checkbox", "combobox", "grid", "image", "link", "radio", "slider", "tab", "textbox"}


def spoken(page):
    """Return what a screen reader gets of a page, in its order: role, name, the group it is in."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    parents = {node["nodeId"]: node.get("parentId") for node in nodes}
    roles = {node["nodeId"]: node.get("role", {}).get("value") for node in nodes}
    for node in nodes:
        group = node["nodeId"]
        while group and roles.get(group) not in ("group", "radiogroup"):
            group = parents.get(group)
        if not node["ignored"]:
            yield roles[node["nodeId"]], node.get("name", {}).get("value", ""), group


def test_who_listens_is_told_names_and_values(opened):
    """Controls, pictures and grids have names of words, sliders values, and the options of a choice different names."""
    told = list(spoken(opened))
    assert [(role, name) for role, name, *_ in told if role in CONTROLS and not re.search(r"\w", name)] == []
    assert [name for _, name, _ in told if re.search("[\ue000-\uf8ff]", name)] == []  # an icon's letter
    wordless = "all => all.filter(one => !one.ariaValueText).map(one => one.outerHTML.slice(0, 120))"
    assert (
        opened.eval_on_selector_all("[role=slider], input[type=range]", wordless) == []
    )  # Chromium 156 tells no words
    options = Counter((group, name) for role, name, group in told if role == "radio")
    assert [name for (_, name), count in options.items() if count > 1] == []


@pytest.mark.parametrize(("theme", "width"), [("light", 320), ("dark", 375)])
def test_nothing_scrolls_sideways_on_a_phone(opened, theme, width):
    """The page is as wide as a telephone, or as a wide screen at four times the size; wide tables scroll inside."""
    opened.set_viewport_size({"width": width, "height": 800})
    opened.evaluate("theme => document.body.dataset.theme = theme", theme)
    # A frame after the turn a section out of sight may still have its old layout, so this waits for the new one.
    opened.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)


def test_formulas_are_drawn_in_their_own_fonts(opened):
    """Fonts are cut to what the book draws: no character of a formula is left to another font of the machine."""
    layout = opened.add_style_tag(content="* { content-visibility: visible !important; }")
    folded = opened.evaluate_handle("[...document.querySelectorAll('details:not([open])')]")
    folded.evaluate("all => all.forEach((one) => { one.open = true; })")
    opened.evaluate("async () => { document.body.offsetTop; await document.fonts.ready; }")  # after a layout
    chrome = opened.context.new_cdp_session(opened)
    for domain in ("DOM", "CSS"):
        chrome.send(f"{domain}.enable")
    root = chrome.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    leaves = chrome.send("DOM.querySelectorAll", {"nodeId": root, "selector": ".katex-html span:not(:has(*))"})
    used = [
        (font["familyName"], font["isCustomFont"])
        for leaf in leaves["nodeIds"]
        for font in chrome.send("CSS.getPlatformFontsForNode", {"nodeId": leaf})["fonts"]
    ]
    chrome.detach()
    folded.evaluate("all => all.forEach((one) => { one.open = false; })")
    layout.evaluate("style => style.remove()")
    assert [family for family, own in used if not own] == []
    assert used or not opened.locator(".katex").count()


AXE = (ROOT / "node_modules/axe-core/axe.min.js").read_text()
FAULTS = Path(__file__).with_name("faults.js").read_text()
# A moment after the width has changed the page lets the keyboard into what scrolls; a demo is drawn when it is near.
SETTLED = """() => {
  const boxes = [...document.querySelectorAll("article :is(pre, .cell_output > .output, .table-wrapper)")];
  const fits = (box) => box.scrollWidth < box.clientWidth + 10 && box.scrollHeight < box.clientHeight + 10;
  const isNear = ({ top, bottom }) => bottom > -400 && top < innerHeight + 400;
  const waiting = [...document.querySelectorAll(".demo-waits")];
  return boxes.every((box) => box.tabIndex === 0 || fits(box) || !box.checkVisibility()) &&
    !waiting.some((demo) => isNear(demo.getBoundingClientRect()));
}"""


def faults(page, theme, width):
    """Return what axe finds on a page in a theme and at a width, down to its last demo."""
    if page.viewport_size["width"] != width:
        page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("theme => document.body.dataset.theme = theme", theme)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # what waits to be seen is drawn
    page.wait_for_function(SETTLED, polling=100)
    return [f"{theme} {width} {fault}" for fault in page.evaluate(FAULTS)]


def with_axe(page):
    """Return the page with axe loaded, no colour half way, and all sections laid out where they are seen."""
    page.evaluate(AXE)
    page.add_style_tag(content="*, ::before, ::after { transition: none !important; }")
    page.add_style_tag(content="* { content-visibility: visible !important; }")
    return page


def test_axe_finds_no_fault(opened):
    """The rules for who reads by ear, by keyboard or with weak eyes hold: in one screen, with AXE=all in each.

    This is the last test of a page, since less is left of it.
    """
    screens = SCREENS if os.environ.get("AXE") == "all" else [screen_of(name_of(opened))]
    page = with_axe(opened)
    assert [fault for screen in screens for fault in faults(page, *screen)] == []


PLANTED = """() => {
  const [paragraph] = document.querySelectorAll("article p");
  const isWord = (node) => node.children.length === 0 && /^[a-z]{3,}$/i.test(node.textContent);
  const words = [...document.querySelectorAll("article .katex-html *")].filter(isWord);
  const [pale, onGrey] = [words[0], words.at(-1)];
  paragraph.insertAdjacentHTML("beforebegin", `<button id="nameless"></button>
    <p id="pale" style="color: #aaa">pale</p> <p id="faint" style="opacity: 0.3">faint</p>
    <p style="background: #666">grey <em id="on-grey">word</em></p>
    <ul id="no-list"><p>no item</p></ul> <div id="unheard" aria-hidden="true"><a href="#">link</a></div>`);
  Object.assign(pale, { id: "pale-word" }).style.color = "#ccc";
  Object.assign(onGrey, { id: "word-on-grey" }).closest(".katex").style.background = "#777";
}"""


def test_axe_finds_what_is_planted(book, page):
    """Though few of many like texts are measured, faults are found: pale or faint words, on grey, in formulas, too."""
    page.goto(f"{book}/glossary.html")
    with_axe(page).evaluate(PLANTED)
    found = faults(page, "light", 1280)
    for rule, names in {
        "color-contrast": ("pale", "faint", "on-grey", "pale-word", "word-on-grey"),
        "button-name": ("nameless",),
        "list": ("no-list",),
        "aria-hidden-focus": ("unheard",),
    }.items():
        for name in names:
            assert any(f" {rule}: " in fault and f'id="{name}"' in fault for fault in found), name


def test_the_glossary_is_in_alphabetical_order(book, page):
    """A term is where a reader looks for it, whatever its capitals."""
    page.goto(f"{book}/glossary.html")
    terms = [
        term.lower()
        for term in page.evaluate("[...document.querySelectorAll('dt')].map((e) => e.firstChild.textContent)")
    ]
    assert terms == sorted(terms)
    assert len(terms) > 50


@pytest.mark.parametrize("name", sorted({*PAGES, *SLIPS}))
def test_links_and_anchors_resolve(book, name):
    """Every link inside the book leads to a file, and every anchor to an element of it."""
    here = f"{book}/{name}.html"
    broken = []
    for link in read(here).links:
        target, anchor = urldefrag(urljoin(here, link))
        if not target.startswith(f"{book}/"):
            continue
        if anchor.startswith("demo="):  # sets a demo of that page
            stem = anchor.partition("&")[0].removeprefix("demo=")
            broken += [] if f'"demo": "{stem}"' in fetch(target).decode() else [f"{link}: no such demo"]
            continue
        try:
            fetch(target)
        except OSError as error:
            broken.append(f"{link}: {error}")
            continue
        if anchor and target.endswith(".html") and unquote(anchor) not in read(target).ids:
            broken.append(f"{link}: no such anchor")
    assert broken == []


@pytest.mark.parametrize("name", PAGES)
def test_source_loads_nothing_from_elsewhere(book, name):
    """No script, style, font or image is named by another host, in the page or in its style sheets."""
    html = fetch(f"{book}/{name}.html").decode()
    assert LOADS.findall(html) == []
    assert not re.search(r"mathjax[^_]|require\.min\.js|unpkg|//cdn\.jsdelivr|cdnjs", html, re.IGNORECASE)
    for link in Reader(html).links:
        if ".css" in link:
            css = fetch(urljoin(f"{book}/{name}.html", link)).decode()
            assert not re.search(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""", css)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_download_is_the_assignment(book, chapter):
    """The page's zip holds the chapter's exercises, byte for byte, but for the notebook's link to the build."""
    with zipfile.ZipFile(BytesIO(fetch(f"{book}/downloads/{chapter}.zip"))) as archive:
        packed = {entry: archive.read(entry) for entry in archive.namelist()}
    folder = Course(ROOT).exercises_folder / chapter
    files = (path for path in folder.rglob("*") if path.is_file() and ".ipynb_checkpoints" not in path.parts)
    released = {path.relative_to(folder.parent).as_posix(): path.read_bytes() for path in files}
    here, there = (nbformat.reads(them.pop(f"{chapter}/{chapter}.ipynb"), 4) for them in (packed, released))
    assert packed == released
    to_the_build = re.compile(r"\[([^]]*)\]\(\.\./\.\./_build/[^)]*\)")
    assert [cell.source for cell in here.cells] == [to_the_build.sub(r"\1", cell.source) for cell in there.cells]


@pytest.mark.parametrize("chapter", [*CHAPTERS, "13_gpt"])
def test_cells_stay_short(chapter):
    """Below its imports, a cell that readers see is 18 lines at most; it fits the page's width. One glance reads it."""
    text = (ROOT / "book" / f"{chapter}.md").read_text(encoding="utf-8")
    cells = re.findall(r"^```\{code-cell\}\n((?::[^\n]*\n)*)(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert cells
    begins = re.compile(r"^(import .*|from .*|np\.set_printoptions\(.*|)\n", re.MULTILINE)
    assert all(begins.sub("", code).count("\n") <= 18 for options, code in cells if "remove-" not in options)
    shown = [line for options, code in cells if not re.search("-(input|cell)", options) for line in code.splitlines()]
    assert [line for line in shown if len(line) > 78] == []
