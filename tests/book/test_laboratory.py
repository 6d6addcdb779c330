"""The laboratory: every ablation in a table, sorted, compared and read; in the published page, in Chromium."""

import json

import numpy as np

from attention.models import runs_of
from attention.models.ablations import ABLATIONS

CHAPTER = "laboratory"
DEMO = "laboratory"


def column(demo, name):
    """Return a column of the table, from top to bottom."""
    return demo.locator(f"td.{name}").evaluate_all("cells => cells.map((cell) => Number(cell.dataset.value))")


def test_the_table_has_every_ablation(demo):
    """Each with the mean of its loss and of its share, and a point for each of its seeds."""
    shown = sorted(zip(column(demo, "loss"), column(demo, "right"), strict=True))
    wanted = [
        (np.mean([run.loss for run in runs]), np.mean([run.held_out for run in runs]))
        for runs in map(runs_of, ABLATIONS)
    ]
    np.testing.assert_allclose(shown, sorted(wanted))
    assert demo.locator("td.right i").count() == 5 * len(ABLATIONS)


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
    """A line for each and for the translator, its translations, and one sentence with the numbers."""
    choose(opened, "no_causal_mask")
    demo.locator("li").nth(1).wait_for()
    assert demo.locator("path").count() == 2
    demo.locator("select").select_option("0")
    for item, name in zip(demo.locator("li .said").all(), ("translator", "no_causal_mask"), strict=True):
        assert item.inner_text()[2:] == (runs_of(name)[0].said[0] or "(nothing)")
    assert demo.locator("li .said").first.inner_text() == "✓ ti amo molto"
    says = demo.locator(".says").inner_text()
    demo.locator("[aria-live=polite]").filter(has_text=says).wait_for()


def test_a_fourth_model_takes_the_place_of_the_first_and_no_other_changes_its_line(opened, demo):
    """Beside the translator, which stays; the others keep the colour that they had."""
    choose(opened, "one_head", "no_norm", "even_weights")
    demo.locator("li").nth(3).wait_for()
    demo.get_by_role("checkbox", name="no positions").check()
    classes = demo.locator("path").evaluate_all("paths => paths.map((path) => path.getAttribute('class'))")
    assert classes == ["line-0", "line-2", "line-3", "line-1"]
    assert not demo.get_by_role("checkbox", name="one head of 64", exact=True).is_checked()
    assert demo.get_by_role("checkbox").count() == len(ABLATIONS) - 1
