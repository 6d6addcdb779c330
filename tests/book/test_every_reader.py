"""Pages for readers with few colours on their whole screen, who enlarge them four times, or have them translated."""

import pytest

from .conftest import Chapter
from .test_pages import SOURCES

WITH_DEMOS = [source.stem for source in SOURCES if "from demos import" in source.read_text(encoding="utf-8")]
CHOICES = ".demo :is(input[type=radio], [role=tab], [aria-pressed])"  # a demo of sliders and buttons has none
# What looks alike though one of it is chosen: of options, tabs and buttons that stay pressed, in ground, edge and ring.
ALIKE = """() => {
  const look = (node) => {
    const { backgroundColor, borderBottomColor, outlineStyle } = getComputedStyle(node);
    return [backgroundColor, borderBottomColor, outlineStyle].join();
  };
  const sets = [
    ["input[type=radio]:checked + .option", "input[type=radio]:not(:checked) + .option", "fieldset"],
    ["[role=tab][aria-selected=true]", "[role=tab][aria-selected=false]", "[role=tablist]"],
    [".card:has(:checked)", ".card:not(:has(:checked))", "fieldset"],
    ["[aria-pressed=true]", "[aria-pressed=false]", ".demo"],
  ];
  const chosen = sets.flatMap(([on, off, within]) => [...document.querySelectorAll(`.demo ${on}`)].map((node) =>
    [node, node.closest(within).querySelector(off)]));
  const pairs = chosen.filter(([node, other]) => other && node.checkVisibility() && other.checkVisibility());
  return [pairs.length, pairs.filter(([node, other]) => look(node) === look(other)).map(([node]) => node.textContent)];
}"""


@pytest.fixture(scope="module", params=WITH_DEMOS)
def few_colours(request, warm, book):
    """A page whose demos are all drawn, for a reader who has chosen white on black, whatever it would rather show."""
    here = Chapter(warm(color_scheme="dark", forced_colors="active"))
    here.visit.goto(f"{book}/{request.param}.html")
    here.wake()
    return here


def test_demos_are_seen_in_a_readers_own_colours(few_colours):
    """What is chosen looks different, and text has contrast, in a light page on a dark screen, too."""
    here = few_colours
    for theme in "dark", "light":
        here.page.evaluate("theme => { document.body.dataset.theme = theme; }", theme)
        chosen, alike = here.page.evaluate(ALIKE)
        assert bool(chosen) == (here.page.locator(CHOICES).count() > 0), "nothing on the page looks chosen"
        assert alike == []
        texts = [one for demo in here.page.locator(".demo").all() for one in here.contrasts(demo)]
        assert len(texts) > 5
        assert [(ratio, text) for ratio, text in texts if ratio < 4.5] == []


# What reaches beyond its demo's right edge, except drawings, what is only spoken, and what scrolls by itself.
BEYOND = """() => [...document.querySelectorAll(".demo")].flatMap((demo) => {
  const right = demo.getBoundingClientRect().right + 1;
  const scrolls = (node) =>
    node !== demo && (getComputedStyle(node).overflowX !== "visible" || scrolls(node.parentElement));
  return [...demo.querySelectorAll("*")].filter((node) => node.checkVisibility() && !node.closest("svg, .unseen"))
    .filter((node) => node.getBoundingClientRect().right > right && !scrolls(node))
    .map((node) => `${node.tagName} ${node.className}`);
})"""


def test_a_page_enlarged_four_times_cuts_nothing_off(few_colours):
    """1280 pixels at 400% are 320 (WCAG 2.2, 1.4.10): a demo fits, or scrolls inside."""
    page = few_colours.page
    page.set_viewport_size({"width": 320, "height": 800})
    page.evaluate("document.querySelectorAll('.demo details').forEach((one) => { one.open = true; })")
    page.wait_for_function(f"!({BEYOND})().length")  # a demo is drawn anew a frame after the width has changed


def test_code_and_formulas_are_left_alone_when_a_browser_translates(book, page):
    """They are the same in every language."""
    page.goto(f"{book}/{WITH_DEMOS[0]}.html")
    parts = page.locator("article :is(.katex, pre, code)")
    assert parts.count() > 50
    assert (
        parts.evaluate_all("all => all.filter((one) => !one.closest('.notranslate')).map((one) => one.outerHTML)") == []
    )
