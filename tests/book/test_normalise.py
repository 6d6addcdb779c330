"""The demo Normalise as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
from itertools import pairwise, product

import numpy as np
import pytest
from demos import Normalise

from attention.chapters.layer_norm import layer_norm

CHAPTER = "08_layer_norm"
DEMO = "normalise"
N = 6  # words
STAGES, OVER = ["given", "centred", "divided", "stretched"], ["token", "column"]
STATES = list(product(range(N), STAGES, OVER, [False, True]))
X, AFFINE = np.arange(6.0).reshape(2, 3), np.ones((2, 3))


# --- in Python ---


def test_fewer_words_take_the_token_along():
    """It stays inside of what there is."""
    demo = Normalise(["a", "b", "c"], np.ones((3, 3)), AFFINE, token=2)
    with demo.hold_trait_notifications():
        demo.words, demo.x = ["a", "b"], X
    assert demo.token == 1


# --- in the page ---


WALK = """(demo, states) => {
  const set = (input, event) => input.dispatchEvent(new Event(event, { bubbles: true }));
  const check = (selector) => { const i = demo.querySelector(selector); i.checked = true; set(i, "change"); };
  const values = (selector) => [...demo.querySelectorAll(selector)].map((node) => Number(node.dataset.value));
  const box = demo.querySelector("[type=checkbox]");
  return JSON.stringify(states.map(([token, stage, over, loud]) => {
    check(`.token input[value="${token}"]`);
    check(`.stage input[value=${stage}]`);
    check(`.over input[value=${over}]`);
    if (box.checked !== loud) box.click();
    demo.getAnimations({ subtree: true }).forEach((animation) => animation.finish());
    const rects = (s) => [...demo.querySelectorAll(s)].map((node) => node.getBoundingClientRect().toJSON());
    return { numbers: values(".place .number"), bars: rects(".bar-up"), tracks: rects(".place .track"),
             labels: rects(".place .number"), bands: rects(".place .band"), text: demo.innerText,
             says: demo.querySelector(".says").textContent, height: demo.offsetHeight,
             wide: document.documentElement.scrollWidth };
  }));
}"""


@pytest.fixture(scope="module")
def given(opened):
    """The traits that the page was given."""
    saved = json.loads(opened.page.locator('script[type="application/vnd.jupyter.widget-state+json"]').inner_text())
    return next(entry["state"] for entry in saved["state"].values() if "affine" in entry["state"])


def wanted(given, token, stage, over, loud):
    """Return a token's numbers after a step, by the reference where there is a function for it."""
    x, (gamma, beta) = np.array(given["x"]), np.array(given["affine"])
    if loud:
        x[(token + 1) % N] *= 10
    table = x if over == "token" else x.T
    flat = np.ones(table.shape[1]), np.zeros(table.shape[1])
    divided = layer_norm(table, *flat)
    done = {"given": table, "centred": table - table.mean(axis=-1, keepdims=True), "divided": divided}
    rows = done.get(stage, divided)
    rows = (rows if over == "token" else rows.T)[token]
    return gamma * rows + beta if stage == "stretched" else rows


def test_every_number_of_a_token_is_the_references(walked, given):
    """After each step, over rows and over columns, with a loud neighbour and without."""
    for state, shown in walked:
        np.testing.assert_allclose(shown["numbers"], wanted(given, *state), atol=1e-9, err_msg=str(state))


def test_only_columns_notice_a_loud_neighbour(walked):
    """The numbers that a reader sees change with the switch over columns, and stay over the token; so it is said."""
    shown = dict(walked)
    for token, stage in product(range(N), STAGES[1:]):
        quiet, loud = (shown[token, stage, "token", louder] for louder in (False, True))
        assert quiet["numbers"] == loud["numbers"]
        assert loud["says"].endswith("none of these numbers has noticed.")
        quiet, loud = (shown[token, stage, "column", louder] for louder in (False, True))
        assert all(a != b for a, b in zip(quiet["numbers"], loud["numbers"], strict=True))
        assert loud["says"].endswith("every number here has changed with it.")


def test_bars_are_drawn_to_scale_and_labels_do_not_touch(walked, given):
    """Each bar reaches from the middle to its number on an axis that never changes, or to the end of it."""
    limit = max(4, int(np.ceil(np.abs(given["x"]).max())))
    for state, shown in walked:
        for number, bar, track in zip(shown["numbers"], shown["bars"], shown["tracks"], strict=True):
            length = min(abs(number), limit) / limit * track["height"] / 2
            assert bar["height"] == pytest.approx(length, abs=0.1), state
            middle = track["y"] + track["height"] / 2
            assert (bar["y"] if number < 0 else bar["bottom"]) == pytest.approx(middle, abs=0.1), state
        if state[1] == "divided":
            heights = [band["height"] for band in shown["bands"]]
            np.testing.assert_allclose(heights, shown["tracks"][0]["height"] / limit, atol=0.1)


# --- the hands ---


def test_nothing_leaves_the_demo_on_a_telephone_and_labels_do_not_overlap(telephone, walk):
    """In the last of all states, with a loud neighbour."""
    demo = telephone.demo("normalise")
    walk(demo, STATES[-1])
    edge = demo.bounding_box()
    for option in demo.locator(".option").all():
        box = option.bounding_box()
        assert box["x"] + box["width"] <= edge["x"] + edge["width"] - 8
    overlap = demo.evaluate("""demo => [...demo.querySelectorAll('.place .number')].map((node) => {
        const range = document.createRange(); range.selectNodeContents(node);
        const box = range.getBoundingClientRect(); return [box.left, box.right]; })""")
    assert all(left - right >= 1.5 for (_, right), (left, _) in pairwise(overlap))
