"""The demo Gradient through time as readers meet it: in the published page, in Chromium, with no kernel."""

import json
import re

import numpy as np
import pytest

from attention.chapters.before_attention import gradient_through_time, rnn

CHAPTER = "01_before_attention"
DEMO = "gradient-through-time"
RADII, LENGTHS = [0.5, 0.9, 1, 1.1, 1.5], [1, 2, 7, 50, 100]
STATES = [(radius, length) for radius in RADII for length in LENGTHS]


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
    beads: [...demo.querySelectorAll(".straight i")].map(({ style }) => Number(style.getPropertyValue("--place"))),
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


def test_the_plot_has_a_name_in_words(demo, walk):
    """A screen reader hears what both lines come to."""
    (shown,) = walk(demo, (0.9, 50))
    assert shown["label"].startswith("Size of the gradient, from the last step back over 50, where it is: ")
    assert "slopes of 1, no tanh, 0.0052; with the slopes of tanh, " in shown["label"]


def test_a_bead_is_at_the_middle_of_the_scale_where_nothing_is_lost(walked):
    """One bead a state, each at its size in tens, ten half-way to a million; at a radius of 1 all are alike."""
    for (radius, length), shown in walked:
        tens = np.log10(radius) * np.arange(length, -1, -1)  # the first word is at the left
        wanted = np.sign(tens) * np.clip(np.abs(tens) / 6, 0, 1) ** (np.log(2) / np.log(6))
        np.testing.assert_allclose(shown["beads"], wanted, atol=5e-3 if radius == 1 else 6e-4)


def test_an_arrow_says_where_a_line_leaves_the_axis(demo, walk):
    """Upwards at a radius of 1.5, and none at 1."""
    walk(demo, (1.5, 50))
    assert demo.locator(".beyond .straight.up").inner_text() == "↑"
    walk(demo, (1, 50))
    assert demo.locator(".beyond span").count() == 0


def test_the_words_stand_where_the_beads_end(opened, demo, walk):
    """Whatever the length, "last word" ends with the last bead."""
    opened.page.emulate_media(reduced_motion="reduce")
    for length in (2, 5, 20, 100):
        walk(demo, (1, length))
        row, words = (demo.locator(name).first.bounding_box() for name in (".beads", ".strings .ends"))
        assert row["x"] + row["width"] == pytest.approx(words["x"] + words["width"], abs=1)
