"""The demo Clock hands as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import numpy as np
import pytest
from demos import ClockHands

from attention.chapters.position import positional_encoding, shift_matrix

CHAPTER = "07_position"
DEMO = "clock-hands"
ROWS = 64
STATES = [(d, p, k) for d in (4, 8, 16) for p in (0, 5, 20, 40) for k in (0, 1, 6, 23)]


# --- in Python ---


def test_the_ends_are_accepted():
    """The last position with the largest offset is the heat map's last row; a single clock is drawn, too."""
    demo = ClockHands(position=40, offset=23, d_model=2)
    assert (demo.position + demo.offset, demo.d_model) == (ROWS - 1, 2)


# --- the numbers on the page ---

# States are d_model, position, offset.
WALK = """(demo, states) => JSON.stringify(states.map(([d, p, k]) => {
  const set = (input, value) => { input.value = value; input.dispatchEvent(new Event("input", { bubbles: true })); };
  const numbers = (selector) => [...demo.querySelectorAll(selector)].map((node) => Number(node.dataset.value));
  const red = ({ data }) => Array.from(data).filter((_, i) => i % 4 === 0);
  const pixels = (canvas) => red(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height));
  const tip = (line) => ["x2", "y2"].map((end) => Number(line.getAttribute(end)));
  const hands = (name) => [...demo.querySelectorAll(`line.${name}`)].map(tip);
  const label = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return [left, right, top, bottom];
  };
  demo.querySelector(`.d_model input[value="${d}"]`).click();
  set(demo.querySelector(".position input"), p);
  set(demo.querySelector(".offset input"), k);
  return {
    product: numbers(".sum strong")[0],
    cosines: numbers(".clocks strong"),
    speeds: numbers(".speed"),
    bars: numbers(".bars span"),
    first: hands("first"),
    second: hands("second"),
    cells: pixels(demo.querySelector("canvas")),
    markers: [...demo.querySelectorAll(".marker")].map((marker) => marker.getBoundingClientRect().toJSON()),
    map: demo.querySelector(".cells").getBoundingClientRect().toJSON(),
    labels: [...demo.querySelectorAll(".clocks li > *:not(svg), .marker span, .under span, .sum > *")].map(label),
    says: demo.querySelector(".says").textContent,
    height: demo.offsetHeight,
    wide: document.documentElement.scrollWidth,
  };
}))"""


@pytest.fixture(scope="module")
def demo(opened):
    """The demo with its hands at rest."""
    opened.page.emulate_media(reduced_motion="reduce")
    return opened.demo(DEMO)


def test_every_number_is_the_references(walked):
    """Dot products, the part of each clock, speeds and the bars of all rows are those of the reference's table."""
    for (d, p, k), shown in walked:
        pe = positional_encoding(ROWS, d)
        parts = (pe[p] * pe[p + k]).reshape(-1, 2).sum(axis=-1)
        assert shown["product"] == pytest.approx(pe[p] @ pe[p + k], abs=1e-9)
        np.testing.assert_allclose(shown["cosines"], parts, atol=1e-9)
        np.testing.assert_allclose(shown["bars"], pe @ pe[p], atol=1e-9)
        np.testing.assert_allclose(np.sin(shown["speeds"]), pe[1, 0::2], atol=1e-9)


def test_hands_and_cells_are_drawn_to_scale(walked):
    """A tip is the sine to the right and the cosine upwards; a cell is as dark as its number is near 1."""
    for (d, p, k), shown in walked:
        pe = positional_encoding(ROWS, d)
        for name, row in (("first", pe[p]), ("second", pe[p + k])):
            np.testing.assert_allclose(shown[name], 42 * row.reshape(-1, 2) * [1, -1], atol=6e-4)
        np.testing.assert_allclose(np.reshape(shown["cells"], (ROWS, d)), 255 - 112 * (1 + pe), atol=0.51)
        height = shown["map"]["height"] / ROWS
        tops = [(marker["top"] - shown["map"]["top"]) / height for marker in shown["markers"]]
        np.testing.assert_allclose(tops, [p, p + k], atol=0.3)


def test_the_dot_product_stays_where_the_position_moves(walked):
    """For each width and offset all positions show one number, and it is the trace of the turn by half: Σ cos kω."""
    for d in (4, 8, 16):
        for k in (0, 1, 6, 23):
            products = [shown["product"] for state, shown in walked if (state[0], state[2]) == (d, k)]
            np.testing.assert_allclose(products, np.trace(shift_matrix(k, d)) / 2, atol=1e-9)


# --- the hands ---


def test_the_mouse_drags_both_rows(opened, demo, walk):
    """A press on the table moves the position there, and on the second row drags the offset; both stop at the ends."""
    (shown,) = walk(demo, (8, 5, 10))
    demo.locator(".map").scroll_into_view_if_needed()
    box = demo.locator(".cells").bounding_box()
    at = lambda row: (box["x"] + 20, box["y"] + (row + 0.5) * box["height"] / ROWS)  # noqa: E731
    mouse = opened.page.mouse
    mouse.move(*at(30))
    mouse.down()
    mouse.move(*at(12), steps=3)
    mouse.up()
    mouse.move(*at(60))
    assert demo.locator(".position output").inner_text() == "12"
    assert float(demo.locator(".sum strong").get_attribute("data-value")) == pytest.approx(shown["product"], abs=1e-9)
    mouse.move(*at(22))
    mouse.down()
    mouse.move(*at(63), steps=3)
    mouse.up()
    assert [demo.locator(f".{name} output").inner_text() for name in ("position", "offset")] == ["12", "23"]


def test_a_tap_chooses_a_row(telephone):
    """The table of all positions is worked by a finger."""
    demo = telephone.demo("clock-hands")
    cells = demo.locator(".map")
    cells.scroll_into_view_if_needed()
    cells.tap(position={"x": 20, "y": cells.bounding_box()["height"] * 30.5 / ROWS})
    assert demo.locator(".position output").inner_text() == "30"


def test_no_two_labels_touch(telephone, walk):
    """At 375 pixels, in every state, no text covers another."""
    demo = telephone.demo("clock-hands")
    for state, shown in zip(STATES, walk(demo, *STATES), strict=True):
        boxes = shown["labels"]
        assert len(boxes) > 10
        for i, (left, right, top, bottom) in enumerate(boxes):
            for a, b, c, d in boxes[:i]:
                assert not (left < b - 0.5 and a + 0.5 < right and top < d - 0.5 and c + 0.5 < bottom), state
