"""The demo Clock hands as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import numpy as np
import pytest
from demos import ClockHands
from traitlets import TraitError

from attention.chapters.position import positional_encoding, shift_matrix

CHAPTER = "07_position"
DEMO = "clock-hands"
ROWS = 64
STATES = [(d, p, k) for d in (4, 8, 16) for p in (0, 5, 20, 40) for k in (0, 1, 6, 23)]


# --- in Python ---


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"position": 41}, "position from 0 to 40, got 41: the heat map has 64 rows"),
        ({"offset": 24}, "offset from 0 to 23, got 24"),
        ({"position": -1}, "position as a whole number from 0"),
        ({"offset": 1.5}, "offset as a whole number from 0"),
        ({"d_model": 6}, "d_model as a power of two from 1 to 16, got 6"),
        ({"d_model": 1}, "d_model from 2, got 1: a clock takes a sine and a cosine"),
        ({"d_model": 32}, "d_model as a power of two from 1 to 16"),
    ],
)
def test_what_it_cannot_draw_is_refused(wrong, message):
    """Wrong values raise one sentence: expected, got, remedy."""
    with pytest.raises(TraitError, match=message):
        ClockHands(**wrong)


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


def test_nothing_jumps(walked):
    """With one width the demo is equally high in every state, and it is never wider than the screen."""
    for d in (4, 8, 16):
        assert len({shown["height"] for state, shown in walked if state[0] == d}) == 1
    assert max(shown["wide"] for _, shown in walked) <= 1280


# --- the words ---


def test_the_sentence_says_what_came_of_it(demo, walk):
    """Seen and spoken: a moved position leaves the product, a moved offset changes it, offset 0 is the largest."""
    spoken = demo.locator("[aria-live=polite]")
    for before, after, says in (
        ((4, 5, 1), (4, 20, 1), "Position 20: all hands have turned"),
        ((4, 20, 1), (4, 20, 6), "Offset 6: only the second hands have turned"),
        ((4, 20, 6), (4, 20, 0), "Offset 0: the hands of position 20 coincide"),
    ):
        # The last control that is set to what it was says nothing new, so the one that changes is set last.
        walk(demo, before)
        move = "position" if before[1] != after[1] else "offset"
        value = after[1] if move == "position" else after[2]
        demo.locator(f".{move} input").fill(str(value))
        assert demo.locator(".says").inner_text().startswith(says)
        spoken.filter(has_text=says).wait_for()
    demo.locator(".offset input").fill("1")
    demo.locator(".position input").fill("5")
    assert demo.locator(".says").inner_text().endswith("So PE(5) · PE(6) stays 1.5403.")


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


def test_the_keyboard_alone_works_it(opened, demo, walk):
    """Tab reaches position, offset and width in order, and arrows work them."""
    walk(demo, (8, 5, 1))
    opened.enter_from_above(demo)
    opened.tab_to("^range 5")
    opened.press("ArrowRight")
    assert demo.locator(".says").inner_text().startswith("Position 6:")
    opened.press("Tab", "End")
    assert demo.locator(".says").inner_text().startswith("Offset 23:")
    opened.press("Tab", "ArrowRight")
    assert demo.locator(".says").inner_text().startswith("16 numbers make 8 clocks")
    assert demo.locator(".clocks li").count() == 8


def test_a_telephone_works_it_by_touch_and_scrolls_only_downwards(telephone, walk):
    """Taps choose a row and a width; every control is 44 pixels high; no state is too wide, or jumps."""
    demo = telephone.demo("clock-hands")
    for control in demo.locator(".option, input[type=range]").all():
        assert control.bounding_box()["height"] >= 44
    demo.locator(".option").last.tap(force=True)
    assert demo.locator(".clocks li").count() == 8
    cells = demo.locator(".map")
    cells.scroll_into_view_if_needed()
    cells.tap(position={"x": 20, "y": cells.bounding_box()["height"] * 30.5 / ROWS})
    assert demo.locator(".position output").inner_text() == "30"
    for d in (4, 16):
        seen = walk(demo, *(state for state in STATES if state[0] == d))
        assert max(shown["wide"] for shown in seen) <= 375
        assert len({shown["height"] for shown in seen}) == 1
    assert (telephone.visit.errors, telephone.visit.foreign) == ([], [])


def test_no_two_labels_touch(telephone, walk):
    """At 375 pixels, in every state, no text covers another."""
    demo = telephone.demo("clock-hands")
    for state, shown in zip(STATES, walk(demo, *STATES), strict=True):
        boxes = shown["labels"]
        assert len(boxes) > 10
        for i, (left, right, top, bottom) in enumerate(boxes):
            for a, b, c, d in boxes[:i]:
                assert not (left < b - 0.5 and a + 0.5 < right and top < d - 0.5 and c + 0.5 < bottom), state


def test_text_can_be_read_and_nothing_fails(opened, demo):
    """In light and dark, all text has a contrast of 4.5 to 1 or more; nothing fails and nothing is requested."""
    opened.assert_well_read(demo, texts=20)
