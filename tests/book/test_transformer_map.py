"""The map of the Transformer: its description, and a tiny book of three chapters that shows it, opened from disk."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
import transformer_map as course_map

from tests.support.root import ROOT

from .sphinx_builds import Sphinx

CURRICULUM = list(course_map.STEMS)
ARRANGEMENTS = list(course_map.SIZES)
PAGES = {
    "index": "# A course\n\n```{map}\n```\n\n```{toctree}\n:glob:\n0*\nmore/*\n```\n",
    "03_context": "# 3. From static to contextual\n\n```{map} context\n```\n",
    "05_scaling": "# 5. Why *divide* by √dₖ & more\n\n```{map} scaling\n```\n",
    "08_layer_norm": "# 8. Add & norm\n\n```{map} layer_norm\n```\n",
    "more/both": "# Two maps\n\n```{map} scaling\n```\n\n```{map} layer_norm\n```\n",
}
CONF = """
import sys
sys.path.insert(0, {root!r} + "/book/_ext")
extensions = ["myst_parser", "transformer_map"]
html_theme = {theme!r}
html_context = {{"default_mode": "auto"}}
html_static_path = [{root!r} + "/book/_static", {root!r} + "/autograder/pages/templates/look.css"]
html_css_files = ["look.css", "course.css"]
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Write the pages of a tiny book, build it as a command does, and return what that said, and its exit code."""

    def write_and_build(folder, pages, *options, theme="basic"):
        (folder / "conf.py").write_text(CONF.format(root=str(ROOT), theme=theme))
        for name, text in pages.items():
            page = folder / f"{name}.md"
            page.parent.mkdir(exist_ok=True)
            page.write_text(text)
        return sphinx("-q", "-b", "html", *options, folder, folder / "out")

    with Sphinx(tmp_path_factory.mktemp("sphinx")) as sphinx:
        yield write_and_build


# --- the description ---


def test_every_part_belongs_to_a_page(root):
    """No stem is misspelt, and the chapters that the drawing shows are the book's first ones."""
    assert {part.stem for part in course_map.PARTS} == {None, *CURRICULUM}
    pages = sorted(path.stem for path in (root / "book").glob("[0-9]*.md"))
    assert pages[: len(CURRICULUM)] == [f"{number:02}_{stem}" for number, stem in enumerate(CURRICULUM, 1)]


def test_every_connection_joins_two_parts():
    """Names are unique, and connections, frames, captions and marks name parts that exist."""
    names = [part.name for part in course_map.PARTS]
    assert len(set(names)) == len(names)
    assert {name for pair in course_map.CONNECTIONS for name in pair} | {"before", "backwards"} == set(names)
    assert {name for pair in course_map.FRAMES for name in pair} | {*course_map.CAPTIONS} <= set(names)
    assert set(course_map.MARKS) <= set(course_map.CONNECTIONS)


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_boxes_lie_apart_inside_the_drawing(arrangement):
    """No two boxes overlap, and none leaves the drawing: in both arrangements."""
    width, height = course_map.SIZES[arrangement]
    places = course_map.places(arrangement)
    assert all(x >= 1 and y >= 1 and x + w <= width - 1 and y + h <= height - 1 for x, y, w, h in places.values())
    for (a, (ax, ay, aw, ah)), (b, (bx, by, bw, bh)) in combinations(places.items(), 2):
        assert ax + aw <= bx or bx + bw <= ax or ay + ah <= by or by + bh <= ay, (a, b)


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_no_line_runs_through_a_box(arrangement):
    """A line starts at one box, ends at the other, and crosses none: else the drawing would say what is not so."""
    places = course_map.places(arrangement)
    for a, b in course_map.CONNECTIONS:
        _, along = course_map.MARKS.get((a, b), ("", 0.5))
        for (x0, y0), (x1, y1) in pairwise(course_map.route(places[a], places[b], along)):
            assert x1 >= x0  # onward; the one bend upward leads from the encoder to the decoder
            assert y1 >= y0 or (a, b) == ("encoder_norm_2", "cross_attention")
            for name, (x, y, w, h) in places.items():
                inside = max(x0, x1) > x and min(x0, x1) < x + w and max(y0, y1) > y and min(y0, y1) < y + h
                assert not inside, (a, b, name)


# --- the directive ---


def test_an_unknown_stem_is_one_line_with_its_place(build, tmp_path):
    """The warning names page and line, what was expected, what came, and what to do; it stops a strict build."""
    said, code = build(tmp_path, {"index": "# A course\n\n```{map} scalling\n```\n"}, "-W")
    (warning,) = [line for line in said.splitlines() if "map:" in line]
    assert code != 0
    assert re.search(r"index\.md:3: ?map: expected one of before_att.*, inference; got scalling: write the", warning)


def test_old_pages_follow_the_other_chapters(build, tmp_path):
    """A chapter that comes into the book, or gets another title, is on every map after the next build."""
    build(tmp_path, {name: PAGES[name] for name in ("index", "03_context", "05_scaling")})
    build(tmp_path, {"05_scaling": "# 5. Another title\n", "08_layer_norm": PAGES["08_layer_norm"]})
    html = (tmp_path / "out/03_context.html").read_text()
    assert "Chapter 5, Another title: scores" in html
    assert 'href="08_layer_norm.html"><title>Chapter 8, Add &amp; norm: ' in html


# --- the page ---

CHAPTERS = {
    "03_context": "Chapter 3, From static to contextual: self-attention; softmax, mix of values",
    "05_scaling": "Chapter 5, Why divide by √dₖ & more: scores ÷ √dₖ",
    "08_layer_norm": "Chapter 8, Add & norm: add & norm; feed-forward",
}
LIT = {"03_context": {"3"}, "05_scaling": {"5"}, "08_layer_norm": {"8"}, "more/both": {"5", "8"}, "index": set()}


@pytest.fixture(scope="module")
def tiny(build, tmp_path_factory):
    """The folder of the tiny book in the course's own look, built without a warning."""
    folder = tmp_path_factory.mktemp("tiny")
    said, code = build(folder, PAGES, "-W", "--keep-going", theme="furo")
    assert code == 0, said
    return folder / "out"


def maps_on(tiny, page):
    """Return a page's maps as trees."""
    html = (tiny / f"{page}.html").read_text()
    return [ElementTree.fromstring(found) for found in re.findall(r"<figure class=.transformer-map.*?</figure>", html)]


@pytest.mark.parametrize("page", PAGES)
def test_the_lit_part_is_no_link_and_the_others_lead_to_their_chapters(tiny, page):
    """From every page, all chapters except the lit one are linked under the titles of their pages."""
    lit = set()
    for tree in maps_on(tiny, page):
        for svg in tree.iter("svg"):
            here = {node.text for node in svg.findall("g[@class='lit']//text[@class='number']")}
            links = {((tiny / page).parent / a.get("href")).resolve(): a.find("title").text for a in svg.iter("a")}
            expected = {tiny / f"{stem}.html": name for stem, name in CHAPTERS.items() if not LIT[stem] & here}
            assert list(links.items()) == list(expected.items())  # in reading order, too
            lit |= here
    assert lit == LIT[page]


def test_a_chapter_that_is_not_taught_is_said_to_be_none(tiny):
    """Its parts have a tooltip and no link, and the drawing's alternative text names its number."""
    (tree,) = maps_on(tiny, "05_scaling")
    coming = [number for number in range(1, 13) if number not in (3, 5, 8)]
    for svg in tree.iter("svg"):
        said = [node.text for node in svg.findall("g[@class='to-come']/title")]
        assert said == [f"Chapter {number} is not part of this course" for number in coming]
    text = tree.find("p").text
    assert "Lit, as the subject of this chapter: scores ÷ √dₖ." in text
    assert text.endswith(f"not part of this course: {', '.join(map(str, coming))}.")


def test_two_maps_on_a_page_share_no_id(tiny):
    """A map has no id at all, so a page may have any number of them."""
    both = maps_on(tiny, "more/both")
    assert len(both) == 2
    assert {node.get("id") for tree in both for node in tree.iter()} == {None}


# --- in Chromium ---


@pytest.fixture(scope="module")
def address(tiny):
    """The page that ``open_chapter`` opens here: a file on the disk."""
    return (tiny / "05_scaling.html").as_uri()


# Each text that is seen: its size on the screen, and how far it reaches out of its box.
LETTERING = """map => [...map.querySelectorAll("text")].filter(text => text.checkVisibility()).map(text => {
  const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
  const [inner, outer] = [text, text.closest(".part, .strip")?.querySelector("rect") ?? text.ownerSVGElement]
    .map((node) => node.getBoundingClientRect());
  const over = Math.max(outer.left - inner.left, inner.right - outer.right);
  return [text.textContent, size, over];
})"""
TOUCHING = """map => [...map.querySelectorAll(".number")].filter(text => text.checkVisibility()).filter((number) => {
  const [a, b] = [number, number.nextElementSibling].map((node) => node.getBoundingClientRect());
  return a.bottom - 4 > b.top && b.bottom - 4 > a.top && a.right > b.left;
}).map(number => number.parentElement.textContent)"""


@pytest.mark.parametrize(("width", "kind", "highest"), [(1280, "wide", 300), (768, "wide", 300), (375, "narrow", 420)])
def test_one_arrangement_fits_the_screen(opened, width, kind, highest):
    """It is low, its smallest letters are 11 pixels, they stay in their boxes, and nothing scrolls sideways."""
    here = opened
    here.page.set_viewport_size({"width": width, "height": 900})
    here.page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
    drawn = here.page.locator(".transformer-map")
    (shown,) = [svg for svg in drawn.locator("svg").all() if svg.is_visible()]
    assert shown.get_attribute("class") == kind
    assert drawn.bounding_box()["height"] <= highest
    assert [seen for seen in drawn.evaluate(LETTERING) if seen[1] < 11 or seen[2] > 0] == []
    assert drawn.evaluate(TOUCHING) == []
    assert here.visit.errors == []
    assert here.visit.foreign == []


# CONTRAST reads color and background-color: give each text its fill, and that of the shape behind it.
AS_COLORS = """map => {
  const root = document.documentElement;
  if (getComputedStyle(root).backgroundColor === "rgba(0, 0, 0, 0)") root.style.backgroundColor = "Canvas";
  map.scrollIntoView();
  for (const text of map.querySelectorAll("text")) {
    const { x, y, width, height } = text.getBoundingClientRect();
    const behind = document.elementsFromPoint(x + width / 2, y + height / 2)
      .find((node) => node.matches(".transformer-map :is(rect, .lens)"));
    text.style.color = getComputedStyle(text).fill;
    text.style.backgroundColor = behind ? getComputedStyle(behind).fill : "transparent";
  }
}"""


def hard_to_read(here):
    """Return the texts of the drawing whose contrast to what is behind them is below 4.5."""
    drawn = here.page.locator(".transformer-map")
    drawn.evaluate(AS_COLORS)
    contrasts = here.contrasts(drawn)
    assert len(contrasts) > 50
    return [pair for pair in contrasts if pair[0] < 4.5]


RINGED = "a => [...a.querySelectorAll('.box')].every(box => parseFloat(getComputedStyle(box).strokeWidth) >= 3)"


def test_tab_goes_from_chapter_to_chapter(open_chapter):
    """Tab visits each linked chapter once, in reading order, with a ring around each of its parts; Enter opens it."""
    here = open_chapter(drawn=0)
    drawn = here.page.locator(".transformer-map")
    here.enter_from_above(drawn)
    for stem in ("03_context", "08_layer_norm"):
        here.press("Tab")
        link = drawn.locator("a:focus-visible")
        assert link.locator("title").first.text_content() == CHAPTERS[stem]
        assert link.evaluate(RINGED)
    here.press("Tab")
    assert drawn.locator("a:focus").count() == 0
    here.press("Shift+Tab", "Enter")
    here.page.wait_for_url("**/08_layer_norm.html")


def test_the_map_needs_no_javascript(open_chapter):
    """With JavaScript off the drawing is there, and a click on any part of a chapter leads to it."""
    here = open_chapter(drawn=0, java_script_enabled=False)
    assert hard_to_read(here) == []
    here.page.locator(".wide a .box").last.click()
    here.page.wait_for_url("**/08_layer_norm.html")


def test_the_map_is_one_figure_with_named_links(opened):
    """A screen reader hears the figure's name, what it shows, and the links; not the letters in the boxes."""
    opened.page.set_viewport_size({"width": 1280, "height": 900})
    drawn = opened.page.locator(".transformer-map")
    heard = [line.strip(" -") for line in drawn.aria_snapshot().splitlines()]
    assert heard[0] == 'figure "Map of the Transformer":'
    assert heard[1].startswith("paragraph: ")
    assert [line.strip("':") for line in heard if "link" in line.split()[0]] == [
        f'link "{CHAPTERS[stem]}"' for stem in ("03_context", "08_layer_norm")
    ]
    assert "masked" not in " ".join(heard[2:])


def test_everything_can_be_read_by_day_and_by_night(open_chapter):
    """Each text has a contrast of 4.5 or more to what is behind it: light, dark, and in the reader's own colours."""
    here = open_chapter(drawn=0)
    for colors in ("none", "active"):
        here.page.emulate_media(forced_colors=colors)
        for scheme in here.in_light_and_dark():
            assert hard_to_read(here) == [], (colors, scheme)
            fills = here.page.locator(".wide .box").evaluate_all("all => all.map(box => getComputedStyle(box).fill)")
            assert len(set(fills)) == 2  # what is lit, and the rest
