"""Average meaning as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json

import numpy as np
import pytest
from demos import AverageMeaning
from traitlets import TraitError

from attention.chapters.embeddings import average_meaning, cosine_similarity

CHAPTER = "02_embeddings"
SENSES = np.eye(2)


@pytest.mark.parametrize(
    ("fruit", "message"),
    [
        (10_001, "fruit from 0 to 10000, got 10001: it counts sentences out of 10000"),
        (-1, "fruit as a whole number from 0"),
        (0.9, "fruit as a whole number from 0, got 0.9"),
        (True, "fruit as a whole number from 0"),
    ],
)
def test_average_meaning_refuses_what_it_cannot_show(fruit, message):
    """A share, a truth value, and more sentences than there are, are told what was expected."""
    with pytest.raises(TraitError, match=message):
        AverageMeaning(fruit=fruit)


WALK = """(demo, states) => {
    const slider = demo.querySelector("input");
    return JSON.stringify(states.map((fruit) => {
        slider.value = fruit;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        return {
            numbers: [...demo.querySelectorAll("td")].map((node) => Number(node.dataset.value)),
            dots: demo.querySelectorAll(".dots .fruit").length,
            at: demo.querySelector(".apple").getAttribute("transform").match(/[\\d.]+/g).map(Number),
            vector: demo.querySelector(".apple .vector").textContent,
            says: demo.querySelector(".says").textContent,
            height: demo.offsetHeight,
            wide: document.documentElement.scrollWidth,
        };
    }));
}"""
STATES = [0, 100, 2500, 5000, 6100, 9000, 9900, 10_000]


@pytest.fixture(scope="module")
def demo(opened):
    """The chapter's demo, wherever the test before has left it."""
    return opened.demo("average-meaning")


def walk(demo, states=STATES):
    """Move the slider to each state, and return what is shown there."""
    return json.loads(demo.evaluate(WALK, states))


def test_every_number_is_the_references(demo):
    """Sentences, cosines and distances are the reference's for every share, and apple is where its vector says."""
    corner, far = (walk(demo, [fruit])[0]["at"] for fruit in (0, 10_000))
    for fruit, shown in zip(STATES, walk(demo), strict=True):
        counts = np.array([fruit, 10_000 - fruit])
        apple = average_meaning(SENSES, counts)
        cosines = cosine_similarity(apple[None], SENSES)[0]
        distances = np.linalg.norm(SENSES - apple, axis=-1)
        wanted = np.stack([counts, cosines, distances], axis=-1)
        np.testing.assert_allclose(shown["numbers"], wanted.ravel(), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(shown["at"], average_meaning(np.array([far, corner]), counts), atol=1e-6)
        assert shown["dots"] == fruit / 100
        written = [float(number) for number in shown["vector"].strip("[]").split(", ")]
        np.testing.assert_allclose(written, apple, atol=1e-12)


def test_the_sentence_at_its_ends_and_between(demo):
    """One sense is right for all, two alike are right for none, and the seen sentence is the spoken one."""
    ends = {
        0: "one sense only",
        9000: "In “apple makes great phones” it is still mostly a fruit.",
        5000: "right for no sentence at all",
        1000: "still mostly a company",
        10_000: "one sense only",
    }
    for fruit, words in ends.items():
        (shown,) = walk(demo, [fruit])
        assert words in shown["says"]
    demo.locator("[aria-live=polite]").filter(has_text="10,000 sentences on the fruit").wait_for()


def test_nothing_jumps(demo):
    """In every state the demo is equally high and no wider than the screen."""
    seen = walk(demo)
    assert len({shown["height"] for shown in seen}) == 1
    assert max(shown["wide"] for shown in seen) <= 1280


def test_buttons_fly_there(opened, demo):
    """A button brings apple to its share, and is pressed then; on the way apple is between the two places."""
    walk(demo, [9000])
    button = demo.get_by_role("button", name="1,000 to 9,000")
    button.scroll_into_view_if_needed()  # what is laid out on the way moves nothing while it is clicked
    button.click()
    demo.locator("output").filter(has_text="1,000").wait_for()
    assert button.get_attribute("aria-pressed") == "true"
    demo.locator(".apple .vector").filter(has_text="[0.1, 0.9]").wait_for()


def test_the_keyboard_alone_works_it(opened, demo):
    """Tab reaches slider and buttons in order; arrows go by a hundred sentences, and Home and End to the ends."""
    opened.enter_from_above(demo)
    opened.tab_to("^range")
    opened.press("Home")
    assert demo.locator("output").inner_text() == "0"
    opened.press("ArrowRight", "ArrowRight")
    assert demo.locator("output").inner_text() == "200"
    opened.press("End", "Tab", "Enter")
    assert "9,000 to 1,000" in opened.focused()
    assert demo.locator("output").inner_text() == "9,000"


def drag(page, demo, to):
    """Drag apple to a place of the drawing, in shares of its width and height."""
    box = demo.locator("svg").bounding_box()
    dot = demo.locator(".apple .dot").bounding_box()
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + to[0] * box["width"], box["y"] + to[1] * box["height"], steps=5)
    page.mouse.up()


def test_the_mouse_drags_apple_along_its_line(opened, demo):
    """Wherever the mouse goes, apple stays between its senses, and at their ends it stops."""
    walk(demo, [9000])
    demo.scroll_into_view_if_needed()
    drag(opened.page, demo, (0.5, 0.5))
    assert 4000 < float(demo.locator("output").get_attribute("data-value")) < 6000
    drag(opened.page, demo, (0.99, 1.5))
    assert demo.locator("output").inner_text() == "10,000"
    drag(opened.page, demo, (0.0, 0.0))
    assert 0 <= float(demo.locator("output").get_attribute("data-value")) < 10_000


def test_a_telephone_works_it_by_touch(telephone):
    """Taps move the slider and press the buttons, each 40 pixels high; no state is too wide, or jumps."""
    demo = telephone.demo("average-meaning")
    slider, button = demo.get_by_role("slider"), demo.get_by_role("button", name="half and half")
    for control in (slider, button):
        assert control.bounding_box()["height"] >= 40
    slider.tap(position={"x": 2, "y": 20})
    assert demo.locator("output").inner_text() == "0"
    button.tap()
    assert demo.locator("output").inner_text() == "5,000"
    seen = walk(demo)
    assert max(shown["wide"] for shown in seen) <= 375
    assert len({shown["height"] for shown in seen}) == 1
    assert slider.bounding_box()["y"] < button.bounding_box()["y"]


def test_text_can_be_read_and_nothing_fails(opened, demo):
    """In light and dark, all text has a contrast of 4.5 to 1 or more; nothing fails and nothing is requested."""
    opened.assert_well_read(demo, texts=15)
