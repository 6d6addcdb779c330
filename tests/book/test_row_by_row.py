"""The row-by-row demo as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
import re

import numpy as np
import pytest
from demos import RowByRow
from traitlets import TraitError

from autograder.reference.context import softmax
from autograder.reference.query_key_value import attention, project
from autograder.reference.scaling import scaled_dot_product_attention

CHAPTER = "04_query_key_value"
STAGES = ["query", "key", "value", "scores", "weights", "output"]
TABS = ["Q", "K", "V", "scores", "weights", "output"]
LION = {
    "words": ["hungry", "lion"],
    "x": np.eye(2, 3),
    "w_q": np.ones((3, 5)),
    "w_k": np.ones((3, 5)),
    "w_v": np.ones((3, 2)),
}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"x": np.eye(3, 3)}, "as many rows of x as words, got 3 and 2"),
        ({"w_q": np.ones((4, 5))}, "as many rows of w_q as columns of x, got 4 and 3"),
        ({"w_v": np.ones((4, 2))}, "as many rows of w_v as columns of x, got 4 and 3"),
        ({"w_k": np.ones((3, 4))}, "as many columns of w_k as columns of w_q, got 4 and 5"),
        ({"x": np.ones((2, 3, 1))}, r"x as a matrix .*got an array of shape \(2, 3, 1\)"),
        ({"x": [[1, 2], [3]]}, "x as a matrix of numbers.*equally long rows"),
        ({"w_v": [[1, np.inf]] * 3}, "finite numbers only, got inf in row 0, column 1"),
        ({"words": "ab"}, "words as a list of words, got 'ab'"),
        ({"stage": "softmax"}, "stage as one word of"),
        ({"scaled": "no"}, "scaled as True or False, got 'no'"),
        ({"row": 2}, "row from 0 to 1, got 2"),
        ({"column": 2}, "column from 0 to 1, got 2: the scores matrix has 2 columns"),
        ({"stage": "query", "column": 5}, "column from 0 to 4, got 5: the query matrix"),
        ({"row": -1}, "row as a whole number from 0"),
    ],
)
def test_row_by_row_refuses_what_it_cannot_show(wrong, message):
    """A wrong shape, number or cell is told what was expected, what came, and what to do."""
    with pytest.raises(TraitError, match=message):
        RowByRow(**LION | wrong)


def test_row_by_row_keeps_its_cell_inside_the_matrix():
    """Going to a narrower matrix, or to fewer words, moves the chosen cell to the last one that exists."""
    demo = RowByRow(**LION, stage="query", column=4)
    demo.stage = "output"
    assert demo.column == 1
    with demo.hold_trait_notifications():
        demo.words, demo.x = ["lion"], np.eye(1, 3)
    assert demo.row == 0


def test_it_opens_on_the_scores():
    """As it comes it shows a product of a row and a column, at "hungry" and "lion" where there are so many words."""
    assert (RowByRow(**LION).stage, RowByRow(**LION).row, RowByRow(**LION).column) == ("scores", 1, 1)


# --- the numbers ---


def matrices(page):
    """Return what the demo of the page was given, from the state saved in the page."""
    state = json.loads(page.locator('script[type$="widget-state+json"]').text_content())["state"]
    given = next(entry["state"] for entry in state.values() if "w_q" in entry["state"])
    return (np.array(given[name]) for name in ("x", "w_q", "w_k", "w_v"))


def stages(x, w_q, w_k, w_v, scaled):
    """Compute every stage with the reference."""
    query, key, value = project(x, w_q, w_k, w_v)
    output, weights = (scaled_dot_product_attention if scaled else attention)(query, key, value)
    scores = query @ key.T / (np.sqrt(query.shape[1]) if scaled else 1)
    return dict(zip(STAGES, (query, key, value, scores, weights, output), strict=True))


def go_to(demo, stage):
    """Open the tab of a stage."""
    demo.get_by_role("tab", name=re.compile(TABS[STAGES.index(stage)] + "$")).click()


def title(demo):
    """Return which cell is explained."""
    return re.search(r"\[(.*)\]", demo.locator(".title").inner_text())[1]


def assert_close(shown, wanted, name):
    """Compare numbers on the page with the reference's."""
    np.testing.assert_allclose(shown, wanted, rtol=1e-9, atol=1e-9, err_msg=name)


@pytest.mark.parametrize("scaled", [True, False])
def test_every_cell_is_the_references_and_is_accounted_for(chapter, scaled):
    """Each cell equals the reference's; the chosen one is explained by the row and the column that made it."""
    demo = chapter.demo("row-by-row")
    demo.get_by_role("checkbox").set_checked(scaled)
    x, w_q, w_k, w_v = matrices(chapter.page)
    wanted = stages(x, w_q, w_k, w_v, scaled)
    sides = {"query": (x, w_q), "key": (x, w_k), "value": (x, w_v), "scores": (wanted["query"], wanted["key"].T)}
    sides["output"] = (wanted["weights"], wanted["value"])
    for stage, numbers in wanted.items():
        go_to(demo, stage)
        assert_close(chapter.numbers(demo, ".result td").reshape(numbers.shape), numbers, stage)
        for row, column in ((1, 0), (2, 1), (10, 1)):
            demo.locator(".result td").nth(row * numbers.shape[1] + column).dispatch_event("click")
            assert_close(chapter.numbers(demo, ".title strong"), [numbers[row, column]], stage)
            if stage == "weights":
                assert_share_of_row(chapter, wanted["scores"][row], column)
            else:
                left, above = chapter.numbers(demo, ".left tr.on td", ".above td.on")
                assert_close(left, sides[stage][0][row], stage)
                assert_close(above, sides[stage][1][:, column], stage)


def assert_share_of_row(chapter, scores, column):
    """Compare what stands above the weights, and the sum that they are shares of, with the reference."""
    powers = np.exp(scores - scores.max())
    above, row_sum, share = chapter.numbers(chapter.demo("row-by-row"), ".above td", ".row-sum", ".title strong")
    assert_close(above, [*scores, *powers], "above")
    assert_close(row_sum, [powers.sum()], "sum")
    assert_close(share, [softmax(scores)[column]], "share")


# --- the words ---


def test_a_score_is_written_out_in_numbers_and_in_words(chapter):
    """It opens on the products that the score of "hungry" and "lion" is the sum of, and calls the input x."""
    demo = chapter.demo("row-by-row")
    assert title(demo) == "hungry, lion"
    assert demo.locator(".explanation .sum").inner_text() == "2 · 8 + 0 · 0 + 0 · 0 = 16"
    assert demo.locator(".says").inner_text().startswith("The query of “hungry” times the key of “lion” is 16.")
    go_to(demo, "query")
    assert demo.locator(".formula").inner_text().replace("\n", "") == "Q = x WQ"
    sentence = "Column 0 of the query of “hungry” is 2: the row of “hungry” in x times column 0 of W_Q."
    assert demo.locator(".says").inner_text() == sentence
    for stage in STAGES:
        go_to(demo, stage)
        assert not re.search(r"(?<!\d)0\.(?!\d%)", demo.inner_text())  # .4754, as the chapter writes


def test_the_sentence_follows_the_mouse_and_the_speech_the_choice(chapter):
    """A hovered cell is explained above and below while the mouse is on it; only the chosen one is spoken."""
    demo = chapter.demo("row-by-row")
    says, spoken = demo.locator(".says"), demo.locator("[aria-live=polite]")
    chosen = says.inner_text()
    demo.get_by_role("gridcell", name=re.compile("^lion, attacked")).hover()
    assert title(demo) == "lion, attacked"
    assert says.inner_text().startswith("The query of “lion” times the key of “attacked” is 38.")
    assert spoken.inner_text() == chosen
    demo.get_by_role("button", name="Next cell").hover()
    assert (title(demo), says.inner_text()) == ("hungry, lion", chosen)
    demo.get_by_role("gridcell", name=re.compile("^lion, attacked")).click()
    demo.get_by_role("button", name="Next cell").hover()
    assert title(demo) == "lion, attacked"
    spoken.filter(has_text="The query of “lion” times the key of “attacked” is 38.").wait_for()


# --- the cell that is looked at ---


def test_a_walk_through_all_steps_comes_back_to_the_same_cell(chapter):
    """The chosen word outlives V, which has two columns, and the chosen number outlives the scores."""
    demo = chapter.demo("row-by-row")
    for stage, cell in (
        ("query", "hungry, 0"),
        ("value", "hungry, 0"),
        ("scores", "hungry, lion"),
        ("weights", "hungry, lion"),
        ("output", "hungry, 0"),
    ):
        go_to(demo, stage)
        assert title(demo) == cell
    go_to(demo, "query")
    demo.get_by_role("gridcell", name=re.compile("^zebra, column 2")).click()
    for stage, cell in (("value", "zebra, 1"), ("weights", "zebra, lion"), ("key", "zebra, 2")):
        go_to(demo, stage)
        assert title(demo) == cell


def test_the_column_that_python_chooses_wins(open_chapter):
    """A stage and a column that came with the page are shown, and the column is found again after other steps."""
    given = re.compile(r'"column": 2, (.*?)"stage": "scores"')
    chapter = open_chapter(change=lambda html: given.sub(r'"column": 7, \1"stage": "weights"', html, count=1))
    demo = chapter.demo("row-by-row")
    assert title(demo) == "hungry, in"
    go_to(demo, "value")
    go_to(demo, "scores")
    assert title(demo) == "hungry, in"


def test_the_keyboard_alone_works_it(chapter):
    """Tabs and grid are one stop each; arrows move inside, the focus ring goes along."""
    demo = chapter.demo("row-by-row")
    chapter.enter_from_above(demo)
    chapter.tab_to("^tab ")
    chapter.press("Home")
    assert demo.get_by_role("tab", selected=True).inner_text().endswith("Q")
    chapter.press(*["ArrowRight"] * 3)
    assert demo.get_by_role("tab", selected=True).inner_text().endswith("scores")
    chapter.press("Tab", "Home", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowRight", "ArrowRight")
    assert chapter.focused().startswith("TD hungry, lion")
    assert chapter.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    chapter.tab_to("Next cell")
    chapter.press("Enter")
    assert title(demo) == "hungry, attacked"
    chapter.tab_to("^checkbox")
    before = chapter.numbers(demo, ".title strong")
    chapter.press("Space")
    assert chapter.numbers(demo, ".title strong") != before


# --- a telephone ---


def test_a_telephone_shows_both_factors_and_the_cell_at_once(open_chapter):
    """At 375 pixels the chosen row, the column and their cell are in sight, on lines that match, without scrolling."""
    demo = open_chapter(width=375, height=740, has_touch=True, is_mobile=True).demo("row-by-row")
    for stage in STAGES:
        go_to(demo, stage)
        demo.locator(".explanation").evaluate("e => scrollTo(0, e.getBoundingClientRect().top + scrollY - 60)")
        left, above, (chosen,) = (boxes(demo, s) for s in (".left tr.on td", ".above td.on", "td[tabindex='0']"))
        frame = boxes(demo, ".scroller")[0]
        for box in (*left, *above, chosen):
            assert frame["left"] <= box["left"] < box["right"] <= frame["right"], stage
            assert 60 < box["top"] < box["bottom"] <= 740, stage
        assert (chosen["left"], chosen["right"]) == pytest.approx((above[0]["left"], above[0]["right"]), abs=1)
        if stage != "weights":
            assert [box["top"] for box in left] == pytest.approx([box["top"] for box in above], abs=1)
            assert all(one["right"] < other["left"] for one, other in zip(left, above, strict=True))


def boxes(demo, selector):
    """Return where the elements are on the screen."""
    found = demo.locator(selector).evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect().toJSON())")
    return [box for box in found if box["width"]]
