"""The row-by-row demo as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from demos import RowByRow

from attention.chapters import lion
from attention.chapters.query_key_value import attention, project
from attention.chapters.scaling import scaled_dot_product_attention

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


def test_row_by_row_keeps_its_cell_inside_the_matrix():
    """Going to a narrower matrix, or to fewer words, moves the chosen cell to the last one that exists."""
    demo = RowByRow(**LION, stage="query", column=4)
    demo.stage = "output"
    assert demo.column == 1
    with demo.hold_trait_notifications():
        demo.words, demo.x = ["lion"], np.eye(1, 3)
    assert demo.row == 0


def test_row_by_row_keeps_an_order_and_a_start_that_fit():
    """Any listing of the places is an order; new words begin in turn, and a W_Q of another shape is a new start."""
    demo = RowByRow(**LION, order=np.array([1, 0]))
    assert demo.order == [1, 0]
    assert demo.start == demo.w_q
    demo.w_q = np.zeros((3, 5))
    assert demo.start == np.ones((3, 5)).tolist()
    with demo.hold_trait_notifications():
        demo.words, demo.x = ["slow", "lion", "sees"], np.eye(3)
        demo.w_q = demo.w_k = np.ones((3, 4))
    assert demo.order == [0, 1, 2]
    assert demo.start == np.ones((3, 4)).tolist()


def test_it_opens_on_the_scores():
    """As it comes it shows a product of a row and a column, at "hungry" and "lion" where there are so many words."""
    assert (RowByRow(**LION).stage, RowByRow(**LION).row, RowByRow(**LION).column) == ("scores", 1, 1)


# --- a walk through many states in one visit to the page ---

# Works the controls as a reader would, and reads what they then show: for each state, and in it for each cell.
# edits: row, column and number of entries of W_Q; swaps: a place and a word, by the place that it was given.
WALK = """(demo, states) => {
  const all = (selector) => [...demo.querySelectorAll(selector)];
  const numbers = (selector) => all(selector).map((node) => Number(node.dataset.value));
  const tell = (node, value, kind) => {
    node.value = value;
    node.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  const open = (stage) => all("[role=tab]")[stage].click();
  const click = (table, row, column) => all(`${table} tbody tr`)[row].cells[column + 1].click();
  const texts = (selector) => all(selector).map((node) => node.textContent);
  return states.map(({ scaled, edits, swaps, cells }) => {
    all(".back")[0].click();
    if (all("[type=checkbox]")[0].checked !== scaled) all("[type=checkbox]")[0].click();
    open(0);
    click(".above", 1, 0);
    for (const [row, column, value] of edits) {
      click(".above", row, column);
      tell(all("[type=number]")[0], value, "input");
    }
    for (const [place, word] of swaps) {
      all(".words button")[place].click();
      tell(all("select")[0], word, "change");
      all(".swap button")[0].click();
    }
    return cells.map(([stage, row, column]) => {
      open(stage);
      click(".result", row, column);
      return {
        matrix: numbers(".result td"),
        value: numbers(".title strong"),
        left: numbers(".left tr.on td"),
        above: numbers(stage === 4 ? ".above td" : ".above td.on"),
        rowSum: numbers(".row-sum"),
        arcs: numbers(".lines path"),
        thick: all(".lines path").map((line) => Number(line.getAttribute("stroke-width"))),
        labels: numbers(".lines span"),
        words: texts(".words button"),
        heads: texts(".result tbody th"),
        says: texts(".says")[0],
        chosen: all(".words [aria-checked=true]").map((word) => word.textContent),
        changed: texts(".above .changed"),
      };
    });
  });
}"""

PLAIN = {"scaled": False, "edits": [], "swaps": [], "cells": [[0, 1, 0], [3, 1, 2]]}


def walk(chapter, *states):
    """Show the states, each as the demo opens except for what it names, and return what the page then shows of each."""
    return chapter.demo("row-by-row").evaluate(WALK, [PLAIN | state for state in states])


@pytest.fixture
def chapter(opened):
    """The chapter with the demo as it opens, on the score of "hungry" and "lion", in a page that is shared."""
    opened.page.set_viewport_size({"width": 1280, "height": 900})
    opened.page.mouse.move(0, 0)
    walk(opened, PLAIN)
    return opened


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


EDITS = [[1, 0, -3], [2, 1, 9], [2, 2, -1]]  # what hungry, slow and tall ask, and the lion
SWAPS = [[2, 6], [0, 10], [5, 4]]  # lion and zebra, the first and the last, two neighbours


def exchanged(swaps):
    """Return which of the eleven words is then in each place."""
    order = list(range(11))
    for place, word in swaps:
        other = order.index(word)
        order[place], order[other] = order[other], order[place]
    return order


def test_every_cell_is_the_references_and_is_accounted_for(chapter):
    """Each cell equals the reference's, after edits and exchanges too; the chosen one is explained by what made it."""
    given, *_ = numbers = list(matrices(chapter.page))
    cells = [[stage, row, column] for stage in range(6) for row, column in ((2, 1), (10, 0))]
    settings = ((False, [], []), (True, [], SWAPS), (False, EDITS, SWAPS), (True, EDITS, []))
    states = [{"cells": cells} | dict(zip(("scaled", "edits", "swaps"), each, strict=True)) for each in settings]
    for state, shown in zip(states, walk(chapter, *states), strict=True):
        x, w_q, w_k, w_v = given[exchanged(state["swaps"])], *(matrix.copy() for matrix in numbers[1:])
        for row, column, value in state["edits"]:
            w_q[row, column] = value
        wanted = stages(x, w_q, w_k, w_v, state["scaled"])
        sides = {"query": (x, w_q), "key": (x, w_k), "value": (x, w_v), "scores": (wanted["query"], wanted["key"].T)}
        sides["output"] = (wanted["weights"], wanted["value"])
        for (stage, row, column), seen in zip(cells, shown, strict=True):
            assert_accounted_for(seen, STAGES[stage], row, column, wanted, sides)
            assert seen["words"] == seen["heads"] == [lion.words[place] for place in exchanged(state["swaps"])]


def assert_accounted_for(seen, stage, row, column, wanted, sides):
    """Compare all that is shown when a cell is chosen with the reference."""
    assert_close(seen["matrix"], wanted[stage].ravel(), stage)
    assert_close(seen["value"], [wanted[stage][row, column]], stage)
    assert_close(seen["arcs"], wanted["weights"][row], "arcs")
    np.testing.assert_allclose(seen["thick"], 8 * wanted["weights"][row], atol=1e-3)
    assert_close(seen["labels"], [weight for weight in wanted["weights"][row] if weight >= 0.1], "labels")
    if stage == "weights":
        powers = np.exp(wanted["scores"][row] - wanted["scores"][row].max())
        assert_close(seen["above"], [*wanted["scores"][row], *powers], "above")
        assert_close(seen["rowSum"], [powers.sum()], "sum")
    else:
        left, above = sides[stage]
        assert_close(seen["left"], left[row], stage)
        assert_close(seen["above"], above[:, column], stage)


# --- two words change places ---


def test_the_output_moves_with_the_words(chapter):
    """Lion and zebra exchanged: each row of the output is the same, in its new place, and the sentence says so."""
    output = {"cells": [[5, 6, 0]]}
    (before,), (after,), (both,) = walk(chapter, output, output | {"swaps": [[2, 6]]}, output | {"swaps": SWAPS})
    rows = np.reshape(before["matrix"], (11, 2))
    assert_close(np.reshape(after["matrix"], (11, 2)), rows[exchanged([[2, 6]])], "output")
    assert not np.allclose(np.reshape(after["matrix"], (11, 2)), rows)
    assert_close(np.reshape(both["matrix"], (11, 2)), rows[exchanged(SWAPS)], "output")
    moved = "each row of the output is the same as in the old order, in its new place."
    assert after["says"].endswith(f"“zebra” and “lion” are swapped: {moved}")
    assert both["says"].endswith(f"6 words have moved: {moved}")
    *_, edited = walk(chapter, {"swaps": [[2, 6]], "edits": EDITS[:1]})[0]
    assert edited["says"].endswith("row 1, column 0 is −3, not 1. “zebra” and “lion” are swapped.")


def test_the_chosen_words_stay_chosen(chapter):
    """The score of lion and hungry is still looked at in their new places; a second exchange undoes the first."""
    demo = chapter.demo("row-by-row")
    demo.get_by_role("gridcell", name=re.compile("^lion, hungry")).click()
    demo.get_by_label("swap lion with").select_option("7 zebra")
    demo.get_by_role("button", name="Swap").click()
    assert title(demo) == "lion, hungry"
    word = demo.get_by_role("radio", name="lion, moved from place 3 to 7")
    assert (word.get_attribute("aria-checked"), word.inner_text()) == ("true", "lion")
    assert "moved" in word.get_attribute("class")
    back = demo.get_by_role("button", name="Put back")
    assert back.get_attribute("aria-disabled") == "false"
    demo.get_by_role("button", name="Swap").click()
    assert (title(demo), back.get_attribute("aria-disabled")) == ("lion, hungry", "true")
    assert demo.locator(".words").inner_text().split() == lion.words


# --- an entry of W_Q is changed ---


def entry(demo, row, column):
    """Return the cell of W_Q."""
    return demo.locator(".entries tbody tr").nth(row).locator("td").nth(column)


def test_an_entry_is_changed_with_the_mouse(chapter):
    """A click picks an entry, minus and plus change it; the queries and the arcs follow, the change is marked, said."""
    demo = chapter.demo("row-by-row")
    go_to(demo, "query")
    entry(demo, 1, 1).click()
    assert title(demo) == "hungry, 1"
    for _ in range(3):
        demo.get_by_role("button", name="One more").click()
    entry(demo, 1, 0).click()
    demo.get_by_role("button", name="One less").click()
    assert_close(chapter.numbers(demo, ".result td").reshape(11, 3)[[1, 5, 9]], [[0, 6, 0]] * 3, "Q")
    assert_close(chapter.numbers(demo, ".lines span"), [1], "arcs")  # hungry asks as a noun does, and finds the verb
    assert demo.locator(".lines").get_attribute("aria-label") == "“hungry” looks at “attacked” 1.00"
    assert demo.locator(".changed").all_inner_texts() == ["0", "3"]
    assert entry(demo, 1, 1).get_attribute("aria-label") == "W_Q, row 1, column 1: 3, was 0"
    demo.locator("[aria-live=polite]").filter(has_text="2 entries of W_Q are changed.").wait_for()
    demo.get_by_role("button", name="Put back").click()
    assert_close(chapter.numbers(demo, ".result td").reshape(11, 3)[1], [2, 0, 0], "Q")
    assert demo.locator(".changed").count() == 0
    assert "changed" not in demo.locator(".says").inner_text()


def test_an_entry_goes_from_minus_9_to_9(chapter):
    """A number may be typed; out of range nothing happens, and at the end the button says that it is off."""
    demo = chapter.demo("row-by-row")
    go_to(demo, "query")
    number = demo.get_by_role("spinbutton")
    for typed, stays in (("-9", -9), ("-12", -9), ("", -9), ("8", 8), ("12", 8)):
        number.fill(typed)
        assert_close(chapter.numbers(demo, ".above td[aria-selected=true]"), [stays], typed)
    number.press("Tab")
    assert number.input_value() == "8"
    more = demo.get_by_role("button", name="One more")
    for _ in range(3):
        more.dispatch_event("click")
    assert (number.input_value(), more.get_attribute("aria-disabled")) == ("9", "true")
    number.press("ArrowDown")
    assert_close(chapter.numbers(demo, ".above td[aria-selected=true]"), [8], "arrow")


# --- the arcs ---


# Where words, rows, arcs and weights are, at every step and for every word that asks.
PLACES = """demo => {
  const boxes = (selector) => [...demo.querySelectorAll(selector)].map((node) => node.getBoundingClientRect().toJSON());
  const press = (selector) => (_, i) => {
    demo.querySelectorAll(selector)[i].click();
    return { words: boxes(".words button"), rows: boxes(".result tbody tr"), arcs: boxes(".lines path"),
             weights: boxes(".lines span") };
  };
  const each = (selector) => Array.from(demo.querySelectorAll(selector), press(selector));
  return { steps: each("[role=tab]"), words: each(".words button") };
}"""


def test_the_arcs_stand_where_their_words_are(chapter):
    """At every step each word is on the line of its row, arcs begin and end there, and no weight covers another."""
    demo = chapter.demo("row-by-row")
    demo.get_by_role("checkbox").check()  # softer weights, so more of them are written
    places = demo.evaluate(PLACES)
    for seen in places["steps"]:
        for edge in ("top", "bottom"):
            words, rows = ([box[edge] for box in seen[what]] for what in ("words", "rows"))
            assert words == pytest.approx(rows, abs=1)
    for asks, seen in enumerate(places["words"]):
        lines = [middle(box) for box in seen["words"]]
        for other, arc in enumerate(seen["arcs"]):
            if other != asks:
                assert [arc["top"], arc["bottom"]] == pytest.approx(sorted([lines[asks], lines[other]]), abs=1)
        weights = sorted(seen["weights"], key=middle)
        assert all(one["bottom"] <= other["top"] + 1 for one, other in pairwise(weights))


def middle(box):
    """Return the height of the middle of a box."""
    return (box["top"] + box["bottom"]) / 2


def test_a_word_that_is_pressed_or_looked_at_asks(chapter):
    """A click makes a word the one that asks, the mouse over it only looks; who asks for nothing looks at all alike."""
    demo = chapter.demo("row-by-row")
    lines = demo.locator(".lines")
    demo.get_by_role("radio", name="in", exact=True).click()
    demo.get_by_role("button", name="Put back").hover()
    assert title(demo) == "in, lion"
    assert lines.get_attribute("aria-label") == "“in” looks at “lion” 0.834, “grass” 0.113"
    demo.get_by_role("radio", name="The", exact=True).hover()
    assert lines.get_attribute("aria-label") == "“The” looks at all words alike"
    assert demo.locator(".words .asks").inner_text() == "The"
    demo.get_by_role("button", name="Put back").hover()
    assert demo.locator(".words .asks").inner_text() == "in"


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
        assert not re.search(r"(?<!\d)\.\d", demo.inner_text())  # 0.4754, as the chapter writes


def test_the_sentence_follows_the_mouse_and_the_speech_the_choice(chapter):
    """A hovered cell is explained above and below while the mouse is on it; only the chosen one is spoken."""
    demo = chapter.demo("row-by-row")
    says, spoken = demo.locator(".says"), demo.locator("[aria-live=polite]")
    chosen = says.inner_text()
    spoken.filter(has_text=chosen).wait_for()
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


def test_what_python_chooses_wins(open_chapter):
    """A stage, a column and an order that came with the page are shown, and the column is found again later."""
    given = re.compile(r'"column": 2, (.*?)"order": \[0, 1, (.*?)"stage": "scores"')
    changed = r'"column": 7, \1"order": [1, 0, \2"stage": "weights"'
    demo = open_chapter(change=lambda html: given.sub(changed, html, count=1)).demo("row-by-row")
    assert title(demo) == "The, in"
    assert demo.locator(".words").inner_text().split()[:3] == ["hungry", "The", "lion"]
    go_to(demo, "value")
    go_to(demo, "scores")
    assert title(demo) == "The, in"


def test_the_keyboard_alone_works_it(chapter):
    """Words, tabs, W_Q and grid are one stop each; arrows move inside, the focus ring goes along."""
    demo = chapter.demo("row-by-row")
    chapter.enter_from_above(demo)
    chapter.tab_to("^select-one")
    chapter.press("Home", "Tab", "Enter")
    assert demo.locator(".words").inner_text().split()[:3] == ["hungry", "The", "lion"]
    chapter.tab_to("^checkbox")
    before = chapter.numbers(demo, ".title strong")
    chapter.press("Space")
    assert chapter.numbers(demo, ".title strong") != before
    chapter.tab_to("Put back")
    chapter.press("Enter")
    chapter.tab_to("^tab ")
    chapter.press("Home")
    assert demo.get_by_role("tab", selected=True).inner_text().endswith("Q")
    chapter.tab_to("^number")
    chapter.press("ArrowUp", "ArrowUp")
    chapter.tab_to("^radio hungry")
    chapter.press("ArrowDown", "End", "ArrowUp", "Home", "ArrowDown")
    assert chapter.focused().startswith("radio hungry")
    chapter.tab_to("^TD W_Q, row 1, column 0: 3, was 1")
    chapter.press("+", "-", "-", "ArrowRight", "-")
    assert chapter.focused().startswith("TD W_Q, row 1, column 1: −1, was 0")
    assert_close(chapter.numbers(demo, ".result tr.on td"), [4, -2, 0], "Q")
    assert chapter.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    chapter.tab_to("^TD hungry, column 1")
    chapter.press("Home", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowRight", "ArrowRight")
    assert chapter.focused().startswith("TD hungry, column 2")
    assert chapter.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    demo.get_by_role("button", name="Next cell").focus()
    chapter.press("Enter")
    assert title(demo) == "lion, 0"


# --- a telephone, light and dark ---


def test_a_telephone_shows_the_arcs_first_and_is_worked_by_touch(telephone):
    """At 375 pixels the arcs come before the matrices; taps choose a word, change an entry, exchange two words."""
    demo = telephone.demo("row-by-row")
    walk(telephone, PLAIN)
    assert boxes(demo, ".arcs")[0]["bottom"] <= boxes(demo, ".tabs")[0]["top"]
    assert all(box["height"] >= 24 for box in boxes(demo, ".words button"))
    demo.get_by_role("radio", name="zebra").tap()
    assert demo.locator(".lines span").all_inner_texts() == ["0.500", "0.500"]
    demo.get_by_label("swap zebra with").select_option("3 lion")
    demo.get_by_role("button", name="Swap").tap()
    assert demo.locator(".words").inner_text().split()[2:7] == ["zebra", "attacked", "the", "slow", "lion"]
    demo.get_by_role("tab", name="Q").tap()
    entry(demo, 5, 0).tap()
    demo.get_by_role("button", name="One more").tap()
    assert_close(telephone.numbers(demo, ".result tr.on td"), [2, 0, 6], "Q")
    assert telephone.page.evaluate("document.documentElement.scrollWidth") <= 375


def test_the_arcs_go_where_there_is_room(opened):
    """A page that becomes narrow has the arcs above the tabs; one that becomes wide has them beside the rows."""
    demo = opened.demo("row-by-row")
    for width, place in ((375, ".top > .arcs"), (1280, ".cross > .arcs")):
        opened.page.set_viewport_size({"width": width, "height": 900})
        demo.locator(place).wait_for()
        assert demo.locator(".arcs").count() == 1


def test_changes_can_be_read_and_nothing_fails(telephone):
    """With words and entries changed, all text has a contrast of 4.5 to 1 or more, light and dark; nothing fails."""
    for _ in telephone.in_light_and_dark():
        walk(telephone, {"edits": EDITS, "swaps": SWAPS, "cells": [[0, 3, 0]]})
        measured = telephone.contrasts(telephone.demo("row-by-row"))
        assert [(ratio, text) for ratio, text in measured if ratio < 4.5] == []
    assert (telephone.visit.errors, telephone.visit.foreign) == ([], [])


def test_a_telephone_shows_both_factors_and_the_cell_at_once(telephone):
    """At 375 pixels the chosen row, the column and their cell are in sight, on lines that match, without scrolling."""
    demo = telephone.demo("row-by-row")
    walk(telephone, PLAIN)
    for stage, tab in zip(STAGES, demo.get_by_role("tab").all(), strict=True):
        tab.tap()
        demo.locator(".explanation").evaluate("e => scrollTo(0, e.getBoundingClientRect().top + scrollY - 60)")
        left, above, (chosen,) = (
            boxes(demo, s) for s in (".left tr.on td", ".above td.on", ".result td[tabindex='0']")
        )
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
