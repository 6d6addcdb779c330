"""The soft dictionary as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import re
from io import BytesIO
from itertools import product

import numpy as np
import pytest
from PIL import Image

from attention.chapters.query_key_value import soft_lookup

CHAPTER = "04_query_key_value"
EMBEDDINGS = {"A": [1.0, 0.0], "B": [0.0, 1.0]}
BASES = {"3": 3.0, "e": np.e}


# --- a walk through many states in one visit to the page ---

# Works the controls as a reader would, and reads what they then show: one entry for each state.
WALK = """(demo, states) => {
  const all = (selector) => [...demo.querySelectorAll(selector)];
  const tokens = () => all("tbody button");
  const [add, remove] = all(".count button");
  const slider = demo.querySelector("input[type=range]");
  const numbers = (selector) => all(selector).map((node) => Number(node.dataset.value));
  return states.map((state) => {
    while (tokens().length < state.tokens.length) add.click();
    while (tokens().length > state.tokens.length) remove.click();
    tokens().forEach((button, i) => button.textContent === state.tokens[i] || button.click());
    for (const trait of ["query", "base"]) demo.querySelector(`.${trait} input[value='${state[trait]}']`).click();
    slider.value = state.slider;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    demo.getAnimations({ subtree: true }).forEach((animation) => animation.finish());
    return {
      scores: numbers("tbody .score"),
      powers: numbers("tbody .power"),
      sum: numbers("tfoot .sum"),
      weights: numbers(".weight .number"),
      output: numbers(".share"),
      booster: numbers("output"),
      parts: all(".strip span").map((part) => part.getBoundingClientRect().width),
      game: all(".game b, .verdict").map((node) => node.innerText),
      result: demo.querySelector(".game").dataset.result,
      weighed: all(".weight .number").map((node) => node.innerText),
      text: demo.innerText,
      says: demo.querySelector(".says").textContent.replaceAll("\\u00a0", " "),
    };
  });
}"""


NOTE = {"tokens": "AABA", "query": "B", "base": "e", "slider": 1}


def walk(chapter, *states):
    """Show the states, each as Note 4's example except for what it names, and return what the page shows of each."""
    return chapter.demo("soft-dictionary").evaluate(WALK, [NOTE | state for state in states])


@pytest.fixture
def chapter(opened):
    """The chapter with Note 4's example, in a page that is shared."""
    opened.page.set_viewport_size({"width": 1280, "height": 900})
    walk(opened, NOTE)
    return opened


def on_slider(step):
    """Return the booster of a step of the slider: itself, and at 1.1 the logarithm of 3."""
    return np.log(3) if step == 1.1 else step


def played(tokens, output):
    """Return what the game makes of an output: the guess, the next letter and the result, with 12 digits to tie."""
    following = "B" if "B" in tokens else "A"
    a, b = np.round(output, 12)
    guess = "none" if a == b else "AB"[int(b > a)]
    return [guess, following, "tie" if a == b else "won" if guess == following else "lost"]


def test_every_number_is_the_references(chapter):
    """Whatever is chosen, each number on show equals the reference's, and the guess follows from the larger share."""
    grid = product(("AABA", "AAA", "B", "AB", "ABABBBABABBA"), "AB", BASES, (0, 1, 1.1, 2.3, 12))
    states = [dict(zip(("tokens", "query", "base", "slider"), state, strict=True)) for state in grid]
    for state, shown in zip(states, walk(chapter, *states), strict=True):
        booster, base = on_slider(state["slider"]), BASES[state["base"]]
        keys = np.array([EMBEDDINGS[token] for token in state["tokens"]])
        scores = booster * keys @ EMBEDDINGS[state["query"]]
        output, weights = soft_lookup(booster * np.array(EMBEDDINGS[state["query"]]), keys, keys, base=base)
        wanted = {"scores": scores, "powers": base**scores, "sum": [(base**scores).sum()], "weights": weights}
        wanted |= {"output": output, "booster": [booster]}
        for name, numbers in wanted.items():
            np.testing.assert_allclose(shown[name], numbers, rtol=1e-9, atol=1e-9, err_msg=f"{name} of {state}")
        in_turn = np.concatenate([weights[keys[:, 0] == 1], weights[keys[:, 1] == 1]])  # all A, then all B
        np.testing.assert_allclose(shown["parts"], in_turn * sum(shown["parts"]), atol=0.05)
        assert [*shown["game"][:2], shown["result"]] == played(state["tokens"], output), state
        assert shown["game"][2] == shown["result"]


def test_the_game_turns_at_ln_3(chapter):
    """With e, A A B A loses at booster 1, ties at ln 3 and wins above; with base 3 it ties at 1; all A wins."""
    states = [{}, {"slider": 1.1}, {"slider": 1.2}, {"base": "3"}, {"tokens": "AAAA"}, {"query": "A"}]
    lost, tie, won, three, without, for_a = walk(chapter, *states)
    np.testing.assert_allclose(lost["output"], [0.5246, 0.4754], atol=5e-5)
    assert lost["game"] == ["A", "B", "lost"]
    assert lost["says"].endswith("The larger share guesses A, but there is a B: lost.")
    assert tie["game"] == ["none", "B", "tie"]
    assert "booster ln 3 = 1.0986: 50.0% of" in tie["says"]
    assert tie["says"].endswith("Both shares are the same: a tie, and no guess.")
    assert won["game"] == ["B", "B", "won"]
    assert won["says"].endswith("The larger share guesses B, and there is a B: won.")
    assert three["game"] == ["none", "B", "tie"]
    assert without["game"] == ["A", "A", "won"]
    assert without["says"].endswith("The larger share guesses A, and there is no B: won.")
    assert for_a["game"] == ["A", "B", "lost"]


def test_it_reads_as_the_note_and_the_chapter_do(chapter):
    """Base 3 shows the note's sixths; no number begins with a point, or claims to be exact when it is not."""
    states = walk(chapter, {"base": "3"}, {"base": "3", "slider": 0.5}, {"slider": 12}, {"slider": 0})
    note, half, hard, even = states
    np.testing.assert_allclose(note["weights"], [1 / 6, 1 / 6, 1 / 2, 1 / 6], atol=1e-9)
    assert note["weighed"] == ["0.1667", "0.1667", "0.5000", "0.1667"]
    assert "booster 0.5: 36.6% of" in half["says"]
    assert (
        "more than 99.9% of the weight is on B, so the output is [0.0000, 1.0000]. The lookup is nearly" in hard["says"]
    )
    assert "Booster 0 makes all scores equal" in even["says"]
    assert not any(re.search(r"(?<!\d)\.\d", state["text"]) for state in states)


def test_it_keeps_between_1_and_12_tokens(chapter):
    """At either end the button says that it is off, and does nothing."""
    demo = chapter.demo("soft-dictionary")
    for name, count in (("Add a token", 12), ("Remove the last token", 1)):
        button = demo.get_by_role("button", name=name)
        button.evaluate("button => { for (let times = 0; times < 13; times++) button.click(); }")
        assert demo.get_by_role("button", name=re.compile("^Token ")).count() == count
        assert button.get_attribute("aria-disabled") == "true"


def test_the_keyboard_alone_works_it(chapter):
    """Tab reaches each control in order; arrows, space and Enter work it, to ln 3 exactly; the outcome is spoken."""
    demo = chapter.demo("soft-dictionary")
    chapter.enter_from_above(demo)
    chapter.tab_to(r"^radio B")
    chapter.press("ArrowLeft", "ArrowRight")
    chapter.tab_to("^range")
    chapter.press("ArrowRight")
    np.testing.assert_allclose(chapter.numbers(demo, "output"), [np.log(3)], rtol=1e-15)
    assert demo.get_by_role("slider").get_attribute("aria-valuetext") == "ln 3 = 1.0986"
    demo.locator("[aria-live=polite]").filter(has_text="a tie, and no guess").wait_for()
    chapter.press("Home", *["ArrowRight"] * 12)
    np.testing.assert_allclose(chapter.numbers(demo, "output"), [1.2])
    chapter.tab_to("^radio")
    chapter.press("ArrowLeft")
    assert demo.locator(".base input:checked").input_value() == "3"
    chapter.tab_to("Token 1 ")
    chapter.press("Space")
    assert "Token 1 is B" in chapter.focused()
    chapter.tab_to("Add a token")
    chapter.press("Enter")
    chapter.tab_to("Remove the last token")
    chapter.press("Enter", "Enter")
    keys = np.array([EMBEDDINGS[token] for token in "BAB"])
    output, _ = soft_lookup(np.array([0, 1.2]), keys, keys, base=3)
    np.testing.assert_allclose(chapter.numbers(demo, ".share"), output)


def test_the_outcome_can_be_read_on_a_telephone(telephone):
    """Lost, tie and won each fit 375 pixels on one line, with a contrast of 4.5 to 1 in light and dark."""
    demo = telephone.demo("soft-dictionary")
    for _ in telephone.in_light_and_dark():
        for step, result in ((1, "lost"), (1.1, "tie"), (1.2, "won")):
            demo.get_by_role("slider").fill(str(step))
            boxes = "nodes => nodes.map(node => node.getBoundingClientRect().toJSON())"
            *letters, verdict = demo.locator(".game b, .verdict").evaluate_all(boxes)
            assert verdict["right"] <= 375 - 16
            assert all(verdict["top"] <= letter["top"] <= verdict["bottom"] for letter in letters), result
            assert [(ratio, text) for ratio, text in telephone.contrasts(demo.locator(".game")) if ratio < 4.5] == []


def test_a_focus_ring_crosses_no_words_and_is_not_covered(chapter):
    """The rings of the slider and of a choice stay off the captions, and no neighbour covers them."""
    demo = chapter.demo("soft-dictionary")
    demo.locator(".query input").last.focus()
    chapter.press("ArrowLeft")
    for width in (1280, 375):
        chapter.page.set_viewport_size({"width": width, "height": 900})
        caption, option = edges(demo, ".query legend", ".query .option")
        assert caption["bottom"] <= option["top"] - 5  # a ring of 3 pixels at a distance of 2
        pixels = np.asarray(Image.open(BytesIO(demo.screenshot())))[round(option["top"]) + 20]
        around = pixels[round(option["left"]) - 8 : round(option["right"]) + 8]
        np.testing.assert_array_equal(around[4], around[-5])
        assert (around[4] != around[0]).any()
        chapter.tab_to("^range")
        caption, slider, ends = edges(demo, ".slider label", "input[type=range]", ".ends")
        assert caption["bottom"] <= slider["top"] - 3
        assert ends["top"] >= slider["bottom"] + 3
        chapter.press("Shift+Tab")


def edges(demo, *selectors):
    """Return where the first of each is, in pixels from the demo's corner, all at one moment: a page may still move."""
    return demo.evaluate(
        """(demo, selectors) => {
            const { left, top } = demo.getBoundingClientRect();
            return selectors.map((selector) => {
                const box = demo.querySelector(selector).getBoundingClientRect();
                return { left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top };
            });
        }""",
        selectors,
    )
