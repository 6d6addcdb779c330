"""The demo Gradient through time as readers meet it: in the published page, in Chromium, with no kernel."""

import json
import re

import numpy as np
import pytest
from demos import GradientThroughTime
from traitlets import TraitError

from attention.chapters.before_attention import gradient_through_time, rnn

CHAPTER = "01_before_attention"
DEMO = "gradient-through-time"
TURN = np.array([[0.6, 0.8], [-0.8, 0.6]])
RADII, LENGTHS = [0.5, 0.9, 1, 1.1, 1.5], [1, 2, 7, 50, 100]
STATES = [(radius, length) for radius in RADII for length in LENGTHS]


# --- in Python ---


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rotation": 2 * TURN}, r"orthogonal matrix, got one of shape \(2, 2\) that is not: pass np\.linalg\.qr"),
        ({"rotation": np.eye(3)[:2]}, r"orthogonal matrix, got one of shape \(2, 3\)"),
        ({"inputs": np.zeros((5, 3))}, "2 to 100 rows and 2 columns, as wide as rotation, got 5 rows and 3 columns"),
        ({"inputs": np.zeros((101, 2))}, "got 101 rows and 2 columns: draw others"),
        ({"inputs": np.zeros((1, 2)), "length": 1}, "got 1 rows"),
        ({"radius": 0.4}, r"radius as a number from 0\.5 to 1\.5, got 0\.4"),
        ({"length": 0}, "expected length from 1 to 7, got 0: there are 7 inputs"),
        ({"length": 8}, "expected length from 1 to 7, got 8"),
    ],
)
def test_what_it_cannot_draw_is_refused(wrong, message):
    """Wrong values raise one sentence: expected, got, remedy."""
    good = {"rotation": TURN, "inputs": np.zeros((7, 2)), "length": 5}
    with pytest.raises(TraitError, match=message):
        GradientThroughTime(**good | wrong)


# --- in the page ---


# States are radius, length.
WALK = """(demo, states) => JSON.stringify(states.map(([radius, length]) => {
  for (const [name, value] of [["radius", radius], ["length", length]]) {
    const slider = demo.querySelector(`.${name} input`);
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const value = (selector) => Number(demo.querySelector(selector).dataset.value);
  return {
    straight: value(".string.straight strong"),
    bent: value(".string.bent strong"),
    lines: [...demo.querySelectorAll("path.line")].map((path) => path.getAttribute("d")),
    label: demo.querySelector(".plot").getAttribute("aria-label"),
    says: demo.querySelector(".says").textContent,
    height: demo.offsetHeight,
    wide: document.documentElement.scrollWidth,
  };
}))"""


@pytest.fixture(scope="module")
def given(site):
    """The rotation and the inputs that the chapter's page holds."""
    html = (site / f"{CHAPTER}.html").read_text(encoding="utf-8")
    saved = json.loads(re.search(r'widget-state\+json">(.*?)</script>', html, re.DOTALL)[1])
    state = next(entry["state"] for entry in saved["state"].values() if "rotation" in entry["state"])
    return np.array(state["rotation"]), np.array(state["inputs"])


def size(gradient):
    """The root mean square by which a matrix stretches."""
    return np.linalg.norm(gradient) / np.sqrt(len(gradient))


def states_of(given, radius, length):
    """Return w_hh and the states of the reference's network."""
    rotation, inputs = given
    d = len(rotation)
    h, _ = rnn(inputs[:length], np.eye(d), radius * rotation, np.eye(d), np.zeros(d), np.zeros(d))
    return radius * rotation, h


def test_every_number_is_the_references(walked, given):
    """In each state what is left is the size of gradient_through_time, with tanh and with states of 0."""
    for (radius, length), shown in walked:
        w_hh, h = states_of(given, radius, length)
        assert shown["bent"] == pytest.approx(size(gradient_through_time(w_hh, h)), rel=1e-9)
        assert shown["straight"] == pytest.approx(size(gradient_through_time(w_hh, 0 * h)), rel=1e-9)
        assert shown["straight"] == pytest.approx(radius**length, rel=1e-5)


def test_the_curriculums_two_numbers(walked):
    """Fifty steps leave 0.00515 at 0.9 and make it 117.4 times as large at 1.1."""
    shown = {state: seen["straight"] for state, seen in walked}
    assert shown[0.9, 50] == pytest.approx(0.00515, abs=5e-6)
    assert shown[1.1, 50] == pytest.approx(117.4, abs=0.05)


def test_the_lines_are_drawn_to_scale(walked, given):
    """Each point is at its step back, from the right, and at its size in tens; a line ends where it leaves."""
    for (radius, length), shown in walked:
        if length not in (7, 50):
            continue
        w_hh, h = states_of(given, radius, length)
        for line, states in zip(shown["lines"], (0 * h, h), strict=True):
            later = [states[length - back :] for back in range(1, length + 1)]
            sizes = np.array([1.0, *(size(gradient_through_time(w_hh, part)) for part in later)])
            heights = (np.log10(sizes) + 6) / 12
            wanted = np.stack([100 - 100 * np.arange(length + 1) / length, 100 - 100 * heights], axis=-1)
            wanted = wanted[np.abs(heights - 0.5) <= 0.5]
            drawn = np.array([float(n) for n in re.findall(r"[\d.]+", line)]).reshape(-1, 2)
            np.testing.assert_allclose(drawn[: len(wanted)], wanted, atol=0.006)
            assert np.isin(drawn[len(wanted) :, 1], (0, 100)).all()
            assert len(drawn) - len(wanted) == (len(wanted) <= length)


def test_the_sentence_at_its_ends(demo, walk):
    """Seen and spoken: gone, heard, and held back."""
    spoken = demo.locator("[aria-live=polite]")
    for state, starts, ends in (
        ((0.5, 100), "100 steps back, spectral radius 0.5: 0.5 to the power of 100 is less than 1e−12", "vanishes."),
        (
            (0.9, 1),
            "1 step back, spectral radius 0.9: 0.9 to the power of 1 is 0.9000",
            "The first word can still be heard.",
        ),
        (
            (1.5, 50),
            "50 steps back, spectral radius 1.5: 1.5 to the power of 50 is 6.376e8",
            "its slopes hold it back.",
        ),
    ):
        (shown,) = walk(demo, state)
        assert shown["says"].startswith(starts)
        assert shown["says"].endswith(ends)
        spoken.filter(has_text=starts).wait_for()


def test_the_plot_has_a_name_in_words(demo, walk):
    """A screen reader hears what both lines come to."""
    (shown,) = walk(demo, (0.9, 50))
    assert shown["label"].startswith("Size of the gradient, from the last step back over 50, where it is: ")
    assert "slopes of 1, no tanh, 0.0052; with the slopes of tanh, " in shown["label"]


def test_nothing_jumps(walked):
    """In every state the demo is equally high and no wider than the screen."""
    assert len({shown["height"] for _, shown in walked}) == 1
    assert max(shown["wide"] for _, shown in walked) <= 1280


def test_the_keyboard_alone_works_it(opened, demo, walk):
    """Tab reaches both sliders, and arrows, Home and End move them."""
    walk(demo, (0.9, 50))
    opened.enter_from_above(demo)
    opened.tab_to("^range")
    opened.press("ArrowRight")
    assert opened.numbers(demo, "output").tolist() == [0.91, 50]
    opened.press("Tab", "End")
    assert opened.numbers(demo, "output").tolist() == [0.91, 100]
    opened.press("Home")
    assert opened.numbers(demo, "output").tolist() == [0.91, 1]


def test_a_telephone_works_it_by_touch_and_scrolls_only_downwards(telephone, walk):
    """Taps move both sliders, each 40 pixels high; no state is too wide, or jumps."""
    demo = telephone.demo("gradient-through-time")
    for slider, end in zip(demo.get_by_role("slider").all(), ("1.5", "100"), strict=True):
        box = slider.bounding_box()
        assert box["height"] >= 40
        slider.tap(position={"x": box["width"] - 2, "y": 20})
        assert end in demo.locator("output").all_inner_texts()
    seen = walk(demo, *STATES)
    assert max(shown["wide"] for shown in seen) <= 375
    assert len({shown["height"] for shown in seen}) == 1
    assert (telephone.visit.errors, telephone.visit.foreign) == ([], [])


def test_nothing_moves_by_itself(opened, demo, walk):
    """Nothing moves until a reader moves a slider, and an arrow says where a line leaves the axis."""
    walk(demo, (1.5, 50))
    assert demo.evaluate("demo => demo.getAnimations({ subtree: true }).length") == 0
    assert demo.locator(".beyond .straight.up").inner_text() == "↑"
    walk(demo, (1, 50))
    assert demo.locator(".beyond span").count() == 0


def test_text_can_be_read_and_nothing_fails(opened, demo):
    """In light and dark, all text has a contrast of 4.5 to 1 or more; nothing fails and nothing is requested."""
    opened.assert_well_read(demo, texts=15)
