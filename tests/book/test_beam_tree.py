"""Beam tree as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
import math
import re

import pytest
from demos.beam_tree import WORDS, recorded, small_tree, tree_step

from attention.chapters.inference import beam_search, translation_step
from attention.models.moments import translator_at
from attention.models.searches import found_by

from .conftest import TELEPHONE

CHAPTER = "12_inference"
STEP = 654  # of the translator's training
TREES = [small_tree(), small_tree() | {"name": "again"}]

READ = """demo => ({
    rows: [...demo.querySelectorAll("tbody tr")].map((row) => ({
        word: row.querySelector("th").textContent,
        state: row.className,
        total: Number(row.querySelector(".total span").dataset.value),
    })),
    says: demo.querySelector(".says").textContent,
    button: demo.querySelector(".next").textContent,
    wide: document.documentElement.scrollWidth,
})"""


@pytest.fixture
def demo(book, warm):
    """The chapter's demo, at a desk."""
    seen = warm()
    seen.goto(f"{book}/{CHAPTER}.html", drawn=1)
    yield seen.page.locator(".beam-tree").first
    assert seen.errors == []
    assert seen.foreign == []


def slide(demo, trait, value):
    """Move a slider."""
    demo.locator(f".{trait} input").evaluate(
        "(node, value) => { node.value = value; node.dispatchEvent(new Event('input', { bubbles: true })); }", value
    )


def test_a_recorded_tree_holds_every_search(book):
    """What a search of width 1 to 4 finds with the model is found in the recorded tree, to six decimals."""
    trained = translator_at(STEP)
    for sentence in ("yesterday the girl found the seal near the river", "i love you very much"):
        tree = recorded(sentence, trained)
        sums = {}
        for node, (parent, word, log_p) in enumerate(zip(tree["parents"], tree["words"], tree["log_p"], strict=True)):
            path, total = sums.get(parent, ("", 0.0)) if node else ("", 0.0)
            sums[node] = (f"{path} {word}".strip() if node else "", total + log_p)
        totals = dict(sums.values())
        for width in (1, 2, 3, 4):
            said, total, _ = found_by(translation_step(sentence, trained), trained, width)
            assert totals[f"{said} <eos>"] == pytest.approx(total, abs=2e-5)


def test_every_width_ends_where_the_reference_ends(demo):
    """For widths 1 to 4 the best of the last beams has the reference's log-probability, and the sentence names it."""
    for width in (1, 2, 3, 4):
        tokens, total = beam_search(tree_step, 0, 1, 5, width)
        slide(demo, "width", width)
        slide(demo, "turn", 5)
        seen = demo.evaluate(READ)
        assert max(row["total"] for row in seen["rows"] if row["state"] == "kept") == pytest.approx(total, abs=1e-5)
        words = " ".join({"<eos>": "end"}.get(WORDS[t], WORDS[t]) for t in tokens[1:])
        assert f"Width {width} ends with “{words}” with {math.exp(total):.4f}" in seen["says"]


def test_as_it_opens_b_is_left_behind(demo):
    """With two beams, after two words, A x and A y are kept, B is left behind, and what was dropped is named."""
    seen = demo.evaluate(READ)
    kept = [row["word"] for row in seen["rows"] if row["state"] == "kept"]
    assert kept == ["x", "y"]
    assert [row["word"] for row in seen["rows"] if row["state"] == "left"] == ["B"]
    assert "the best of them “B x” with 0.1600" in seen["says"]


def test_a_click_on_a_dropped_word_keeps_it(demo):
    """The beam becomes as wide as it takes, at that word's turn; a click on the beginning goes back to it."""
    demo.locator(".node.dropped", has_text="x").click()
    assert [demo.locator(f".{trait} output").inner_text() for trait in ("width", "turn")] == ["3", "2"]
    assert demo.locator(".node.kept").count() == 3
    demo.locator(".node", has_text="start").click()
    assert demo.locator(".turn output").inner_text() == "0"


def test_it_works_from_the_keyboard(demo):
    """Arrow keys move both sliders, and Enter on the button goes on, and begins again at the end."""
    demo.locator(".width input").focus()
    demo.page.keyboard.press("ArrowLeft")
    assert demo.locator(".width output").text_content() == "1"
    button = demo.locator(".next")
    button.focus()
    demo.page.keyboard.press("Enter")
    seen = demo.evaluate(READ)
    assert "Width 1 ends with “A x end” with 0.1250" in seen["says"]
    assert seen["button"] == "Begin again"
    demo.page.keyboard.press("Enter")
    assert demo.evaluate(READ)["says"].startswith("Nothing is said yet")


def test_the_models_sentences_can_be_searched(demo):
    """Of a seal near the river greedy makes a sigillo, and a beam of two a foca."""
    demo.locator(".picker label").nth(2).click()
    slide(demo, "width", 1)
    slide(demo, "turn", 12)
    assert "ha trovato il sigillo vicino al fiume" in demo.evaluate(READ)["says"]
    slide(demo, "width", 2)
    slide(demo, "turn", 12)
    assert "ha trovato la foca vicino al fiume" in demo.evaluate(READ)["says"]


def test_a_telephone_shows_all_of_it(book, warm):
    """At 375 pixels nothing runs out of the page, in any tree, and what is touched is 44 pixels high."""
    seen = warm(**TELEPHONE)
    seen.goto(f"{book}/{CHAPTER}.html", drawn=1)
    demo = seen.page.locator(".beam-tree").first
    for which in range(4):
        demo.locator(".picker label").nth(which).tap()
        slide(demo, "width", 4)
        slide(demo, "turn", 12)
        assert demo.evaluate(READ)["wide"] <= 375
        cut = "demo => [...demo.querySelectorAll('tbody th')].filter((n) => n.scrollWidth > n.clientWidth).length"
        assert demo.evaluate(cut) == 0
    heights = demo.locator(".option, .next, input[type=range]").evaluate_all("all => all.map((n) => n.offsetHeight)")
    assert min(heights) >= 44


def test_the_state_is_small():
    """Four trees weigh less than fifty kilobytes, so that the page carries them itself."""
    assert len(json.dumps(TREES)) < 4_000
    assert re.fullmatch(r"<sos>", TREES[0]["words"][0])
