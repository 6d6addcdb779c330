"""The demo Towers as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
from itertools import product

import numpy as np
import pytest

CHAPTER = "08_layer_norm"
DEMO = "towers"
MEASURES, NAMES = ["size", "difference", "gradient"], ["no_norm", "no_residual", "post", "pre"]
STATES = list(product(MEASURES, (1, 2, 12, 23, 24)))
WALK = """(demo, states) => {
  const slider = demo.querySelector("[type=range]");
  return JSON.stringify(states.map(([measure, depth]) => {
    const input = demo.querySelector(`.measure input[value=${measure}]`);
    input.checked = true;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    slider.value = depth;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const read = ({ classList, style }) =>
      [classList.contains("above"), Number(style.getPropertyValue("--place"))];
    const swatches = [...demo.querySelectorAll(".swatches")].map((tower) => [...tower.children].map(read));
    return { numbers: [...demo.querySelectorAll(".number")].map((node) => Number(node.dataset.value)), swatches,
             says: demo.querySelector(".says").textContent, text: demo.innerText, height: demo.offsetHeight,
             wide: document.documentElement.scrollWidth };
  }));
}"""


@pytest.fixture(scope="module")
def given(opened):
    """The traits that the page was given."""
    saved = json.loads(opened.page.locator('script[type="application/vnd.jupyter.widget-state+json"]').inner_text())
    return next(entry["state"] for entry in saved["state"].values() if "difference" in entry["state"])


def test_numbers_and_swatches_are_those_of_the_depth(walked, given):
    """Under each tower is its number; a swatch's place on the scale is its number in tens, and 0 where it is 1."""
    for (measure, depth), shown in walked:
        lines = np.array([[value for _, value in given[measure][name]] for name in NAMES])  # (4, 24)
        np.testing.assert_allclose(shown["numbers"], lines[:, depth - 1])
        for line, tower in zip(lines, shown["swatches"], strict=True):
            above, place = np.array(tower[::-1]).T  # the first layer is the lowest
            np.testing.assert_array_equal(above, np.arange(1, 25) > depth)
            np.testing.assert_allclose(place, np.clip(np.log10(line) / 4, -1, 1), atol=6e-4)


def test_what_the_chapter_asks_is_seen(walked):
    """Without the residual connection nothing is left from layer 4 on; without a norm the numbers leave the scale."""
    shown = dict(walked)
    lost = np.array(shown["difference", 24]["swatches"][NAMES.index("no_residual")][::-1])
    assert (lost[3:, 1] == -1).all()
    grown = np.array(shown["size", 24]["swatches"][NAMES.index("no_norm")])
    assert grown[0].tolist() == [0, 1]


def test_a_click_on_a_swatch_and_the_keyboard_choose_the_depth(opened, demo, walk):
    """The sentence follows, seen and spoken."""
    walk(demo, ("size", 3))
    demo.locator(".swatches").first.locator("i").nth(4).click()
    assert demo.locator(".says").inner_text().startswith("After 20 untrained layers, the numbers have a spread of ")
    opened.enter_from_above(demo)
    opened.tab_to("^radio")
    opened.press("ArrowRight", "Tab", "End")
    said = demo.locator(".says").inner_text()
    assert said.startswith("After 24 untrained layers, the share of the spread that tells the words apart is <1e−12")
    demo.locator("[aria-live=polite]").filter(has_text=said).wait_for()
