"""The demo Mask editor as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import itertools

import numpy as np
import pytest
from demos import MaskEditor

from attention.chapters.masking import causal_mask, masked_attention, padding_mask, sees_the_future

CHAPTER = "09_masking"
DEMO = "mask-editor"
WORDS = ["your", "cat", "is", "lovely", "<pad>", "<pad>"]
N, LENGTH = len(WORDS), 4
X = np.array([[1, 0, 0, 1], [0, 2, 1, 0], [1, 1, 0, 0], [0, 1, 2, 0], [0, 0, 1, 1], [0, 0, 1, 1]])
OTHER = np.array([[0, 2, 0, 1], [1, 0, 0, 2], [0, 0, 2, 1], [2, 0, -1, 1], [1, 1, 0, 0], [2, 0, 0, 0]])
PADDING = padding_mask(np.array([LENGTH]), N)[0] & np.ones((N, 1), dtype=bool)
PRESETS = {
    "none": np.ones((N, N), dtype=bool),
    "causal": causal_mask(N),
    "padding": PADDING,
    "both": causal_mask(N) & PADDING,
}
# One cell of the preset's mask is switched, or none.
STATES = list(itertools.product(PRESETS, range(N + 1), [None, (0, 3), (2, 1), (5, 5), (4, 0)]))


# --- in Python ---


def test_mask_and_preset_follow_one_another():
    """A preset sets the mask, and a mask that is no preset is one's own."""
    demo = MaskEditor(WORDS, X, OTHER, length=LENGTH)
    for preset, mask in PRESETS.items():
        demo.preset = preset
        np.testing.assert_array_equal(demo.mask, mask)
    leak = causal_mask(N)
    leak[0, 1] = True
    demo.mask = leak
    assert demo.preset == "own"
    demo.mask = PRESETS["both"]
    assert demo.preset == "both"
    demo.length = 5
    assert demo.mask[5] == [True, True, True, True, True, False]


# --- in the page ---


# States are preset, changed word, switched cell.
WALK = """(demo, states) => JSON.stringify(states.map(([preset, changed, cell]) => {
  const check = (input) => { input.checked = true; input.dispatchEvent(new Event("change", { bubbles: true })); };
  check(demo.querySelector(`.preset input[value=${preset}]`));
  check(demo.querySelector(`.changed input[value="${changed}"]`));
  const cells = (name) => [...demo.querySelectorAll(`.${name} tbody tr`)].map((row) => [...row.querySelectorAll("td")]);
  if (cell) cells("seen")[cell[0]][cell[1]].click();
  const seen = cells("seen");
  return {
    seen: seen.map((row) => row.slice(0, -1).map((td) => td.getAttribute("aria-selected") === "true")),
    hidden: cells("scores").map((row) => row.map((td) => td.textContent === "−∞")),
    weights: cells("weights").map((row) => row.map((td) => Number(td.dataset.value))),
    moved: seen.map((row) => Number(row.at(-1).dataset.value)),
    leaks: seen.map((row) => row.at(-1).textContent.includes("leak")),
    preset: demo.querySelector(".preset input:checked")?.value ?? "own",
    says: demo.querySelector(".says").textContent,
    height: demo.offsetHeight,
    wide: document.documentElement.scrollWidth,
  };
}))"""


@pytest.fixture(scope="module")
def walked(walked):
    """What the demo shows in many states, with the mask of each: [(state, mask, shown), ...]."""
    return [(state, mask_in(state), shown) for state, shown in walked]


def mask_in(state):
    """Return the mask of a state."""
    preset, _, cell = state
    mask = PRESETS[preset].copy()
    if cell:
        mask[cell] = not mask[cell]
    return mask


def test_cells_scores_and_weights_are_those_of_the_reference(walked):
    """Ticks are the mask, scores are −∞ where it hides, and weights are masked attention's with the changed word."""
    for (_, changed, _), mask, shown in walked:
        x = X.copy()
        if changed:
            x[changed - 1] = OTHER[changed - 1]
        np.testing.assert_array_equal(shown["seen"], mask)
        np.testing.assert_array_equal(shown["hidden"], ~mask)
        np.testing.assert_allclose(shown["weights"], masked_attention(x, x, x, mask)[1], atol=1e-12)


def test_what_moves_is_what_moves_in_the_reference(walked):
    """By how far each output moved, and a leak is one that moved before the changed word."""
    for (_, changed, _), mask, shown in walked:
        there = X.copy()
        if changed:
            there[changed - 1] = OTHER[changed - 1]
        far = masked_attention(there, there, there, mask)[0] - masked_attention(X, X, X, mask)[0]
        moved = np.linalg.norm(far, axis=-1)
        np.testing.assert_allclose(shown["moved"], moved, atol=1e-9)
        leaks = (moved > 1e-9) & (np.arange(N) < changed - 1)
        np.testing.assert_array_equal(shown["leaks"], leaks)
        assert ("a leak" in shown["says"]) == leaks.any()
        assert not leaks.any() or sees_the_future(mask)


def test_a_switched_cell_makes_a_mask_of_ones_own(walked):
    """No preset is marked then, unless the switched cell makes another one of it."""
    for (preset, _, cell), mask, shown in walked:
        same = [name for name, other in PRESETS.items() if np.array_equal(mask, other)]
        assert shown["preset"] == (preset if cell is None else (same or ["own"])[0])


# --- the hands ---


def test_the_keyboard_alone_works_it(opened, demo, walk):
    """Tab reaches presets, words and the mask in order; arrows choose a cell, and the space bar switches it."""
    walk(demo, ("none", 4, None))
    opened.enter_from_above(demo)
    opened.tab_to("^radio none")
    opened.press("ArrowRight")
    assert "No leak." in demo.locator(".says").inner_text()
    opened.press("Tab", "Tab")
    cell = demo.locator(".seen td[tabindex='0']")
    label = cell.get_attribute("aria-label")
    opened.press(*["ArrowUp"] * 5, "Home", "ArrowRight", "ArrowRight", "ArrowRight", "Space")
    assert cell.get_attribute("aria-label").endswith("may look at 4 lovely")
    assert label != cell.get_attribute("aria-label")
    assert "a leak" in demo.locator(".says").inner_text()
    opened.press("Space")
    assert "No leak." in demo.locator(".says").inner_text()


def test_a_stroke_paints_what_it_passes(opened, demo, walk):
    """From an open cell on, a stroke along a row closes all that it passes, and selects no text."""
    walk(demo, ("none", 0, None))
    demo.scroll_into_view_if_needed()
    row = demo.locator(".seen tbody tr").first.locator("td:not(.moved)")
    first, last = (row.nth(i).bounding_box() for i in (1, N - 1))
    mouse = opened.page.mouse
    mouse.move(first["x"] + 10, first["y"] + 10)
    mouse.down()
    mouse.move(last["x"] + 10, last["y"] + 10, steps=12)
    mouse.up()
    assert row.evaluate_all("all => all.map((cell) => cell.ariaSelected)") == ["true", *["false"] * (N - 1)]
    assert opened.page.evaluate("String(getSelection())") == ""


def test_a_tap_switches_a_cell(telephone):
    """A cell is 44 pixels high, and one that is switched makes a mask of one's own."""
    demo = telephone.demo("mask-editor")
    cells = demo.locator(".seen td:not(.moved)")
    assert min(cells.evaluate_all("all => all.map((cell) => cell.getBoundingClientRect().height)")) >= 43.5
    demo.locator(".preset-causal").tap(force=True)
    demo.locator(".seen tbody tr:first-child td:nth-last-child(2)").tap(force=True)
    assert demo.locator(".preset input:checked").count() == 0
