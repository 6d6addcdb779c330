"""The laboratory: every trained model in a table, sorted, compared and heard; in the published page, in Chromium."""

import json

import numpy as np

from attention.models import model
from attention.models.ablations import ABLATIONS

CHAPTER = "laboratory"
DEMO = "laboratory"


def column(demo, name):
    """Return a column of the table, from top to bottom."""
    return demo.locator(f"td.{name}").evaluate_all("cells => cells.map((cell) => Number(cell.dataset.value))")


def test_the_table_has_every_shipped_model(demo):
    """Each with its loss and its two shares."""
    shown = sorted(zip(column(demo, "loss"), column(demo, "right"), column(demo, "order"), strict=True))
    wanted = sorted((one.final_loss, one.held_out, one.reversible) for one in map(model, ABLATIONS))
    np.testing.assert_allclose(shown, wanted)


def test_a_column_sorts_by_mouse_and_keyboard(opened, demo):
    """Once upwards, once more downwards; a share begins with the largest, and the head says so."""
    head = demo.locator("th.loss")
    head.get_by_role("button").click()
    assert column(demo, "loss") == sorted(column(demo, "loss"))
    assert head.get_attribute("aria-sort") == "ascending"
    opened.press("Enter")
    assert column(demo, "loss") == sorted(column(demo, "loss"), reverse=True)
    opened.press("Tab", "Space")
    assert column(demo, "right") == sorted(column(demo, "right"), reverse=True)
    assert demo.locator("th.right").get_attribute("aria-sort") == "descending"


def choose(opened, *names):
    """Compare these models, as a link of the page does."""
    opened.page.evaluate("state => { location.hash = state; }", f"demo=laboratory&chosen={json.dumps(names)}")


def test_the_chosen_are_compared_and_translate(opened, demo):
    """A line for each, its translations, and one sentence with the numbers."""
    choose(opened, "translator", "no_causal_mask")
    demo.locator("li").nth(1).wait_for()
    assert demo.locator("path").count() == 2
    options = demo.locator("option").all_inner_texts()
    demo.locator("select").select_option("0")
    for item, name in zip(demo.locator("li .said").all(), ("translator", "no_causal_mask"), strict=True):
        assert item.inner_text()[2:] == (model(name).translations(options[:1])[0] or "(nothing)")
    assert demo.locator("li .said").first.inner_text() == "✓ ti amo molto"
    says = demo.locator(".says").inner_text()
    assert says.endswith("The lowest loss: nothing (the translator).")
    demo.locator("[aria-live=polite]").filter(has_text=says).wait_for()


def test_a_fifth_model_takes_the_place_of_the_first(opened, demo):
    """Four lines can be told apart, and no more are drawn."""
    choose(opened, "one_head", "two_heads", "translator", "eight_heads")
    demo.locator("li").nth(3).wait_for()
    demo.get_by_role("checkbox", name="no positions").check()
    assert demo.locator("path").count() == 4
    assert not demo.get_by_role("checkbox", name="one head of 64", exact=True).is_checked()
