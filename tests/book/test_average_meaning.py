"""Average meaning as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import numpy as np

from attention.chapters.embeddings import average_meaning, cosine_similarity

CHAPTER = "02_embeddings"
DEMO = "average-meaning"
SENSES = np.eye(2)


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


def test_every_number_is_the_references(demo, walked, walk):
    """Sentences, cosines and distances are the reference's for every share, and apple is where its vector says."""
    corner, far = (walk(demo, fruit)[0]["at"] for fruit in (0, 10_000))
    for fruit, shown in walked:
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


def test_buttons_fly_there(opened, demo, walk):
    """A button brings apple to its share, and is pressed then; on the way apple is between the two places."""
    walk(demo, 9000)
    button = demo.get_by_role("button", name="1,000 to 9,000")
    button.scroll_into_view_if_needed()  # what is laid out on the way moves nothing while it is clicked
    button.click()
    demo.locator("output").filter(has_text="1,000").wait_for()
    assert button.get_attribute("aria-pressed") == "true"
    demo.locator(".apple .vector").filter(has_text="[0.1, 0.9]").wait_for()


def drag(page, demo, to):
    """Drag apple to a place of the drawing, in shares of its width and height."""
    box = demo.locator("svg").bounding_box()
    dot = demo.locator(".apple .dot").bounding_box()
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + to[0] * box["width"], box["y"] + to[1] * box["height"], steps=5)
    page.mouse.up()


def test_the_mouse_drags_apple_along_its_line(opened, demo, walk):
    """Wherever the mouse goes, apple stays between its senses, and at their ends it stops."""
    walk(demo, 9000)
    demo.scroll_into_view_if_needed()
    drag(opened.page, demo, (0.5, 0.5))
    assert 4000 < float(demo.locator("output").get_attribute("data-value")) < 6000
    drag(opened.page, demo, (0.99, 1.5))
    assert demo.locator("output").inner_text() == "10,000"
    drag(opened.page, demo, (0.0, 0.0))
    assert 0 <= float(demo.locator("output").get_attribute("data-value")) < 10_000
