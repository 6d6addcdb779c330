"""The soft dictionary as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import re
from io import BytesIO

import numpy as np
import pytest
from demos import SoftDictionary
from PIL import Image
from traitlets import TraitError

from autograder.reference.query_key_value import soft_lookup

CHAPTER = "04_query_key_value"
EMBEDDINGS = {"A": [1.0, 0.0], "B": [0.0, 1.0]}
BASES = {"3": 3.0, "e": np.e}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tokens": "ABC"}, r'1 to 12 letters A or B, got \'ABC\': write tokens="AABA"'),
        ({"tokens": ""}, "1 to 12 letters"),
        ({"tokens": "A" * 13}, "1 to 12 letters"),
        ({"query": "C"}, 'one word of "A" or "B"'),
        ({"booster": float("nan")}, "a number from 0 to 12, got nan: write booster=1"),
        ({"booster": -1}, "a number from 0 to 12"),
        ({"booster": True}, "a number from 0 to 12"),
        ({"base": 3}, 'one word of "3" or "e", got 3'),
    ],
)
def test_soft_dictionary_refuses_what_it_cannot_show(wrong, message):
    """A wrong value is told what was expected, what came, and what to write."""
    with pytest.raises(TraitError, match=message):
        SoftDictionary(**wrong)


def set_tokens(demo, wanted):
    """Press until the sequence is the one that is wanted."""
    tokens = demo.get_by_role("button", name=re.compile("^Token "))
    for _ in range(len(wanted) - tokens.count()):
        demo.get_by_role("button", name="Add a token").press("Enter")
    for _ in range(tokens.count() - len(wanted)):
        demo.get_by_role("button", name="Remove the last token").press("Enter")
    for i, (token, now) in enumerate(zip(wanted, tokens.all_inner_texts(), strict=True)):
        if now != token:
            tokens.nth(i).press("Enter")


def choose(demo, option):
    """Choose A or B to look for, or the base."""
    demo.locator(f".choice input[value='{option}']").dispatch_event("click")


def assert_looks_up(chapter, tokens, query, booster, base):
    """Compare every number that the demo shows with the reference."""
    keys = np.array([EMBEDDINGS[token] for token in tokens])
    scores = booster * keys @ EMBEDDINGS[query]
    output, weights = soft_lookup(booster * np.array(EMBEDDINGS[query]), keys, keys, base=BASES[base])
    powers = BASES[base] ** scores
    wanted = {
        "tbody .score": scores,
        "tbody .power": powers,
        "tfoot .sum": [powers.sum()],
        ".weight .number": weights,
        ".share": output,
        "output": [booster],
    }
    for selector, shown in zip(wanted, chapter.numbers(chapter.demo("soft-dictionary"), *wanted), strict=True):
        np.testing.assert_allclose(shown, wanted[selector], rtol=1e-9, atol=1e-9, err_msg=selector)


def test_every_number_is_the_references(chapter):
    """Whatever is chosen, each number on show equals the reference's."""
    demo = chapter.demo("soft-dictionary")
    for tokens in ("AABA", "AAA", "B", "ABABBBABABBA"):
        set_tokens(demo, tokens)
        for query in "AB":
            choose(demo, query)
            for base in BASES:
                choose(demo, base)
                for booster in (0, 2.3, 12):
                    demo.get_by_role("slider").fill(str(booster))
                    assert_looks_up(chapter, tokens, query, booster, base)


def test_it_reads_as_the_note_and_the_chapter_do(chapter):
    """Base 3 shows the note's sixths; no number has a zero before its point, or claims to be exact when it is not."""
    demo = chapter.demo("soft-dictionary")
    choose(demo, "3")
    np.testing.assert_allclose(chapter.numbers(demo, ".weight .number"), [1 / 6, 1 / 6, 1 / 2, 1 / 6], atol=1e-9)
    assert demo.locator(".weight .number").all_inner_texts() == [".1667", ".1667", ".5000", ".1667"]
    says = demo.locator(".says")
    for booster, part in (("0.5", "booster .5: 36.6% of"), ("12", "more than 99.9% of the weight is on B")):
        demo.get_by_role("slider").fill(booster)
        assert part in says.inner_text()
        assert not re.search(r"\b0\.", demo.inner_text())
    assert "the output is [.0000, 1.0000]. The lookup is nearly hard" in says.inner_text().replace("\u00a0", " ")
    demo.get_by_role("slider").fill("0")
    demo.locator("[aria-live=polite]").filter(has_text="Booster 0 makes all scores equal").wait_for()


def test_it_keeps_between_1_and_12_tokens(chapter):
    """At either end the button says that it is off, and does nothing."""
    demo = chapter.demo("soft-dictionary")
    for name, count in (("Add a token", 12), ("Remove the last token", 1)):
        button = demo.get_by_role("button", name=name)
        for _ in range(13):
            button.press("Enter")
        assert demo.get_by_role("button", name=re.compile("^Token ")).count() == count
        assert button.get_attribute("aria-disabled") == "true"


def test_the_keyboard_alone_works_it(chapter):
    """Tab reaches each control in order, and arrows, space and Enter work it."""
    demo = chapter.demo("soft-dictionary")
    chapter.enter_from_above(demo)
    chapter.tab_to(r"^radio B")
    chapter.press("ArrowLeft")
    chapter.tab_to("^range")
    chapter.press("Home", *["ArrowRight"] * 5)
    chapter.tab_to("^radio")
    chapter.press("ArrowRight")
    base = demo.locator(".base input:checked").input_value()
    chapter.tab_to("Token 1 ")
    chapter.press("Space")
    assert "Token 1 is B" in chapter.focused()
    chapter.tab_to("Add a token")
    chapter.press("Enter")
    chapter.tab_to("Remove the last token")
    chapter.press("Enter", "Enter")
    assert_looks_up(chapter, "BAB", "A", 0.5, base)


@pytest.mark.parametrize("width", [1280, 375])
def test_a_focus_ring_crosses_no_words_and_is_not_covered(chapter, width):
    """The rings of the slider and of a choice stay off the captions, and no neighbour lies over them."""
    chapter.page.set_viewport_size({"width": width, "height": 900})
    demo = chapter.demo("soft-dictionary")
    chapter.enter_from_above(demo)
    chapter.tab_to("^radio")
    chapter.press("ArrowLeft")
    box = demo.locator(".query .option").first.bounding_box()
    assert bottom(demo.locator(".query legend")) <= box["y"] - 5  # a ring of 3 pixels at a distance of 2
    line = {"x": box["x"] - 8, "y": box["y"] + 20, "width": box["width"] + 16, "height": 1}
    pixels = np.asarray(Image.open(BytesIO(chapter.page.screenshot(clip=line))))[0]
    np.testing.assert_array_equal(pixels[4], pixels[-5])
    assert (pixels[4] != pixels[0]).any()
    chapter.tab_to("^range")
    box = demo.get_by_role("slider").bounding_box()
    assert bottom(demo.locator(".slider label")) <= box["y"] - 3
    assert demo.locator(".ends").bounding_box()["y"] >= box["y"] + box["height"] + 3


def bottom(locator):
    """Return where an element ends, in pixels from the top."""
    box = locator.bounding_box()
    return box["y"] + box["height"]
