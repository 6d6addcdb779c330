"""The demo Towers as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
import re
from itertools import product

import numpy as np
import pytest
from demos import Towers
from traitlets import TraitError

CHAPTER = "08_layer_norm"
MEASURES, NAMES = ["size", "difference", "gradient"], ["no_norm", "no_residual", "post", "pre"]
STATES = list(product(MEASURES, (1, 2, 12, 23, 24)))
LINES = {name: [[1, 1.0], [2, 0.5]] for name in NAMES}
WALK = """(demo, states) => {
  const slider = demo.querySelector("[type=range]");
  return JSON.stringify(states.map(([measure, depth]) => {
    const input = demo.querySelector(`.measure input[value=${measure}]`);
    input.checked = true;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    slider.value = depth;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const read = ({ classList, style }) =>
      [classList.contains("grown"), classList.contains("above"), Number(style.getPropertyValue("--left"))];
    const swatches = [...demo.querySelectorAll(".swatches")].map((tower) => [...tower.children].map(read));
    return { numbers: [...demo.querySelectorAll(".number")].map((node) => Number(node.dataset.value)), swatches,
             says: demo.querySelector(".says").textContent, text: demo.innerText, height: demo.offsetHeight,
             wide: document.documentElement.scrollWidth };
  }));
}"""


def walk(demo, *states):
    """Put the demo into states (measure, depth), and return what it shows in each."""
    return json.loads(demo.evaluate(WALK, states))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"depth": 3}, "depth from 1 to 2, got 3: so many layers have numbers"),
        ({"size": {"post": LINES["post"]}}, "size as a dict with the names"),
        ({"measure": "spread"}, 'measure as one word of "size" or "difference" or "gradient"'),
    ],
)
def test_what_it_cannot_draw_is_refused(wrong, message):
    """Wrong values raise one sentence: expected, got, remedy."""
    with pytest.raises(TraitError, match=message):
        Towers(**dict.fromkeys(MEASURES, LINES) | wrong)


@pytest.fixture(scope="module")
def demo(opened):
    """The chapter's demo, wherever the test before has left it."""
    return opened.demo("towers")


@pytest.fixture(scope="module")
def given(opened):
    """The traits that the page was given."""
    saved = json.loads(opened.page.locator('script[type="application/vnd.jupyter.widget-state+json"]').inner_text())
    return next(entry["state"] for entry in saved["state"].values() if "difference" in entry["state"])


@pytest.fixture(scope="module")
def walked(demo):
    """What the demo shows in every state: [(state, shown), ...]."""
    return list(zip(STATES, walk(demo, *STATES), strict=True))


def test_numbers_and_swatches_are_those_of_the_depth(walked, given):
    """Under each tower is its number; a swatch is orange where it has grown, and paler the more it has shrunk."""
    for (measure, depth), shown in walked:
        lines = np.array([[value for _, value in given[measure][name]] for name in NAMES])  # (4, 24)
        np.testing.assert_allclose(shown["numbers"], lines[:, depth - 1])
        for line, tower in zip(lines, shown["swatches"], strict=True):
            grown, above, strength = np.array(tower[::-1]).T  # the first layer is the lowest
            np.testing.assert_array_equal(grown, line > 1.2)
            np.testing.assert_array_equal(above, np.arange(1, 25) > depth)
            falling = strength[line <= 1]
            assert (np.sign(np.diff(falling)) * np.sign(np.diff(line[line <= 1])) >= 0).all()


def test_what_the_chapter_asks_is_seen(walked):
    """Without the residual connection the swatches are empty from layer 4 on; without a norm they end orange."""
    shown = dict(walked)
    lost = np.array(shown["difference", 24]["swatches"][NAMES.index("no_residual")][::-1])
    assert (lost[3:, 2] == 0).all()
    grown = np.array(shown["size", 24]["swatches"][NAMES.index("no_norm")])
    assert grown[0].tolist() == [1, 0, 1]


def test_nothing_jumps_and_numbers_begin_with_a_digit(walked):
    """In every state the demo is equally high and no wider than the screen, and says 0.5 rather than .5."""
    shown = [state for _, state in walked]
    assert np.ptp([state["height"] for state in shown]) <= 1
    assert max(state["wide"] for state in shown) <= 1280
    assert not [state["text"] for state in shown if re.search(r"(?<!\d)\.\d", state["text"])]


def test_a_click_on_a_swatch_and_the_keyboard_choose_the_depth(opened, demo):
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


def test_a_telephone_works_it_by_touch(telephone):
    """Every control is 44 pixels high; nothing leaves the screen, and no state jumps."""
    demo = telephone.demo("towers")
    for control in demo.locator(".option, input[type=range]").all():
        assert control.bounding_box()["height"] >= 44
    demo.locator(".measure-gradient").tap(force=True)
    assert "a gradient of 1 at the top" in demo.locator(".says").inner_text()
    shown = walk(demo, *STATES)
    assert max(state["wide"] for state in shown) <= 375
    assert np.ptp([state["height"] for state in shown]) <= 1
    assert (telephone.visit.errors, telephone.visit.foreign) == ([], [])


def test_text_can_be_read_and_nothing_fails(opened, demo):
    """In light and dark, all text has a contrast of 4.5 to 1 or more; nothing fails and nothing is requested."""
    opened.assert_well_read(demo, texts=15)
