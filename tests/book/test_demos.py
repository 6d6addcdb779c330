"""The demos of chapter 4 as readers meet them: in the published page, in Chromium, with no kernel and no network."""

import json
import re

import demos.demo
import numpy as np
import pytest
from demos import RowByRow, SoftDictionary
from traitlets import TraitError

from autograder.reference.context import softmax
from autograder.reference.query_key_value import attention, project, soft_lookup
from autograder.reference.scaling import scaled_dot_product_attention

CHAPTER = "/04_query_key_value.html"
STAGES = ["query", "key", "value", "scores", "weights", "output"]
EMBEDDINGS = {"A": [1.0, 0.0], "B": [0.0, 1.0]}
BASES = {"3": 3.0, "e": np.e}


# --- reading a page ---


def shown(locator):
    """Return the full-precision numbers of all elements that the locator finds."""
    return np.array(locator.evaluate_all("nodes => nodes.map(node => Number(node.dataset.value))"))


def soft_dictionary(page):
    """Return the first soft dictionary of the page, drawn."""
    demo = page.locator(".soft-dictionary").first
    demo.wait_for()
    return demo


def row_by_row(page):
    """Return the first row-by-row demo of the page, drawn."""
    demo = page.locator(".row-by-row").first
    demo.wait_for()
    return demo


def matrices(page):
    """Return what the row-by-row demo of the page was given, from the state saved in the page."""
    state = json.loads(page.locator('script[type$="widget-state+json"]').text_content())["state"]
    given = next(entry["state"] for entry in state.values() if "w_q" in entry["state"])
    return given["words"], *(np.array(given[name]) for name in ("x", "w_q", "w_k", "w_v"))


def stages(x, w_q, w_k, w_v, scaled):
    """Compute every stage with the reference."""
    query, key, value = project(x, w_q, w_k, w_v)
    output, weights = (scaled_dot_product_attention if scaled else attention)(query, key, value)
    scores = query @ key.T / (np.sqrt(query.shape[1]) if scaled else 1)
    return dict(zip(STAGES, (query, key, value, scores, weights, output), strict=True))


# --- in Python ---

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
        ({"column": 2}, "column from 0 to 1, got 2: the weights matrix has 2 columns"),
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


def test_a_missing_bundle_says_how_to_build_it(monkeypatch, tmp_path):
    """Without the drawn half there is one message, and it names the command."""
    monkeypatch.setattr(demos.demo, "STATIC", tmp_path)
    with pytest.raises(ImportError, match="run `make course`"):
        demos.demo.bundle("soft_dictionary.js")


# --- the soft dictionary ---


def set_tokens(demo, wanted):
    """Click until the sequence is the one that is wanted."""
    tokens = demo.get_by_role("button", name=re.compile("^Token "))
    while tokens.count() < len(wanted):
        demo.get_by_role("button", name="Add a token").click()
    while tokens.count() > len(wanted):
        demo.get_by_role("button", name="Remove the last token").click()
    for i, token in enumerate(wanted):
        if tokens.nth(i).inner_text() != token:
            tokens.nth(i).click()


def assert_looks_up(demo, tokens, query, booster, base):
    """Compare every number that the demo shows with the reference."""
    keys = np.array([EMBEDDINGS[token] for token in tokens])
    scores = booster * keys @ EMBEDDINGS[query]
    output, weights = soft_lookup(booster * np.array(EMBEDDINGS[query]), keys, keys, base=BASES[base])
    powers = BASES[base] ** scores
    for selector, wanted in {
        "tbody .score": scores,
        "tbody .power": powers,
        "tfoot .sum": [powers.sum()],
        ".weight .number": weights,
        ".share": output,
        "output": [booster],
    }.items():
        np.testing.assert_allclose(shown(demo.locator(selector)), wanted, rtol=1e-9, atol=1e-9, err_msg=selector)


@pytest.mark.parametrize("tokens", ["AABA", "B", "AAA", "ABABBBABABBA"])
def test_soft_dictionary_shows_what_the_reference_computes(page, book, tokens):
    """Whatever is clicked, each number on show equals the reference's."""
    page.goto(book + CHAPTER)
    demo = soft_dictionary(page)
    set_tokens(demo, tokens)
    for query in "AB":
        demo.get_by_role("radio", name=query, exact=True).check()
        for base in BASES:
            demo.get_by_role("radio", name=base, exact=True).check()
            for booster in (0, 1, 2.3, 12):
                demo.get_by_role("slider").fill(str(booster))
                assert_looks_up(demo, tokens, query, booster, base)


def test_soft_dictionary_reads_as_the_note_does(page, book):
    """With base 3 the page shows the note's sixths, and its half and half."""
    page.goto(book + CHAPTER)
    demo = soft_dictionary(page)
    demo.get_by_role("radio", name="3", exact=True).check()
    np.testing.assert_allclose(shown(demo.locator(".weight .number")), [1 / 6, 1 / 6, 1 / 2, 1 / 6], atol=1e-9)
    assert demo.locator(".weight .number").all_inner_texts() == ["0.1667", "0.1667", "0.5000", "0.1667"]


def test_soft_dictionary_keeps_between_1_and_12_tokens(page, book):
    """At either end the button says that it is off, and does nothing."""
    page.goto(book + CHAPTER)
    demo = soft_dictionary(page)
    for name, count in (("Add a token", 12), ("Remove the last token", 1)):
        button = demo.get_by_role("button", name=name)
        for _ in range(13):
            button.click(force=True)
        assert demo.get_by_role("button", name=re.compile("^Token ")).count() == count
        assert button.get_attribute("aria-disabled") == "true"


# --- row by row ---


@pytest.mark.parametrize("scaled", [True, False])
def test_row_by_row_shows_what_the_reference_computes(page, book, scaled):
    """Every cell of every stage equals the reference's, scaled or not."""
    page.goto(book + CHAPTER)
    demo = row_by_row(page)
    demo.get_by_role("checkbox").set_checked(scaled)
    _, *given = matrices(page)
    for stage, wanted in stages(*given, scaled).items():
        demo.get_by_role("tab", name=re.compile(tab_name(stage))).click()
        cells = shown(demo.get_by_role("gridcell")).reshape(wanted.shape)
        np.testing.assert_allclose(cells, wanted, rtol=1e-9, atol=1e-9, err_msg=stage)


def tab_name(stage):
    """Return how the tab of a stage ends: Q, K, V, or the word itself."""
    return {"query": "Q", "key": "K", "value": "V"}.get(stage, stage) + "$"


@pytest.mark.parametrize("stage", STAGES)
def test_row_by_row_accounts_for_the_chosen_cell(page, book, stage):
    """The cell's value stands in the explanation, with the row and the column that made it lit."""
    page.goto(book + CHAPTER)
    demo = row_by_row(page)
    demo.get_by_role("checkbox").set_checked(True)
    _, x, w_q, w_k, w_v = matrices(page)
    wanted = stages(x, w_q, w_k, w_v, scaled=True)
    sides = {"query": (x, w_q), "key": (x, w_k), "value": (x, w_v), "scores": (wanted["query"], wanted["key"].T)}
    sides["output"] = (wanted["weights"], wanted["value"])
    demo.get_by_role("tab", name=re.compile(tab_name(stage))).click()
    for row, column in ((1, 0), (2, 1), (10, 1)):
        demo.get_by_role("row").filter(has=page.get_by_role("gridcell")).nth(row).get_by_role("gridcell").nth(
            column
        ).click()
        np.testing.assert_allclose(shown(demo.locator(".title strong")), [wanted[stage][row, column]], atol=1e-9)
        if stage == "weights":
            assert_share_of_row(demo, wanted["scores"][row], column)
        else:
            left, above = sides[stage]
            np.testing.assert_allclose(shown(demo.locator(".left tr.on td")), left[row], atol=1e-9)
            np.testing.assert_allclose(shown(demo.locator(".above td.on")), above[:, column], atol=1e-9)


def assert_share_of_row(demo, scores, column):
    """Compare what stands above the weights, and the sum that they are shares of, with the reference."""
    powers = np.exp(scores - scores.max())
    np.testing.assert_allclose(shown(demo.locator(".above td")), [*scores, *powers], atol=1e-9)
    np.testing.assert_allclose(shown(demo.locator(".row-sum")), [powers.sum()], atol=1e-9)
    np.testing.assert_allclose(shown(demo.locator(".title strong")), [softmax(scores)[column]], atol=1e-9)


def test_row_by_row_writes_the_sum_in_numbers(page, book):
    """A score is written out as the products that it is the sum of."""
    page.goto(book + CHAPTER)
    demo = row_by_row(page)
    demo.get_by_role("checkbox").set_checked(False)
    demo.get_by_role("tab", name=re.compile("scores")).click()
    demo.get_by_role("gridcell", name=re.compile("^hungry, lion")).click()
    assert demo.locator(".explanation .sum").inner_text() == "2 · 8 + 0 · 0 + 0 · 0 = 16"


def test_the_mouse_looks_and_the_click_chooses(page, book):
    """A hovered cell is explained while the mouse is over it; leaving goes back to the chosen one."""
    page.goto(book + CHAPTER)
    demo = row_by_row(page)
    title = demo.locator(".title")
    chosen = title.inner_text()
    demo.get_by_role("gridcell").nth(0).hover()
    assert title.inner_text() != chosen
    demo.get_by_role("button", name="Next cell").hover()
    assert title.inner_text() == chosen
    demo.get_by_role("gridcell").nth(0).click()
    demo.get_by_role("button", name="Next cell").hover()
    assert title.inner_text() != chosen


# --- keyboard, touch, screen reader ---


def focused(page):
    """Return what the keyboard is on, as role or tag and name."""
    return page.evaluate(
        "() => { const e = document.activeElement; return `${e.getAttribute('role') ?? e.type ?? e.tagName} "
        "${e.getAttribute('aria-label') ?? e.value ?? ''} ${e.textContent}`; }"
    )


def tab_to(page, pattern):
    """Press Tab until the focus is on what is wanted."""
    for _ in range(30):
        page.keyboard.press("Tab")
        if re.search(pattern, focused(page)):
            return
    pytest.fail(f"Tab never came to {pattern}; it is on {focused(page)}")


def enter_from_above(page, demo):
    """Put the focus just before the demo, without touching it."""
    demo.evaluate(
        "e => { e.before(Object.assign(document.createElement('a'), {href: '#', id: 'start'})); start.focus(); }"
    )


def test_keyboard_alone_moves_the_soft_dictionary(page, book):
    """Tab reaches each control in order, and arrows, space and Enter work it."""
    page.goto(book + CHAPTER)
    demo = soft_dictionary(page)
    enter_from_above(page, demo)
    tab_to(page, r"^radio B")
    page.keyboard.press("ArrowLeft")
    tab_to(page, "^range")
    page.keyboard.press("Home")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    tab_to(page, "^radio")
    page.keyboard.press("ArrowRight")
    base = demo.locator(".base input:checked").input_value()
    tab_to(page, "Token 1 ")
    page.keyboard.press("Space")
    assert "Token 1 is B" in focused(page)
    tab_to(page, "Add a token")
    page.keyboard.press("Enter")
    tab_to(page, "Remove the last token")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert_looks_up(demo, "BAB", "A", 0.5, base)


def test_keyboard_alone_moves_row_by_row(page, book):
    """Tabs and grid are one stop each; arrows move inside, the focus ring goes along."""
    page.goto(book + CHAPTER)
    demo = row_by_row(page)
    enter_from_above(page, demo)
    tab_to(page, "^tab ")
    page.keyboard.press("Home")
    assert demo.get_by_role("tab", selected=True).inner_text().endswith("Q")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert demo.get_by_role("tab", selected=True).inner_text().endswith("scores")
    page.keyboard.press("Tab")
    for key in ("Home", "ArrowUp", "ArrowUp", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert focused(page).startswith("TD hungry, lion")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    tab_to(page, "Next cell")
    page.keyboard.press("Enter")
    assert "hungry, attacked" in demo.locator(".title").inner_text()
    tab_to(page, "^checkbox")
    before = shown(demo.locator(".title strong"))
    page.keyboard.press("Space")
    assert shown(demo.locator(".title strong")) != before


def test_touch_alone_works_both_demos(visit, book):
    """On a telephone a tap flips a token, opens a step, and explains a cell."""
    page = visit(width=375, height=700, has_touch=True, is_mobile=True).page
    page.goto(book + CHAPTER)
    tokens = soft_dictionary(page).get_by_role("button", name=re.compile("^Token "))
    tokens.nth(0).tap()
    assert tokens.nth(0).inner_text() == "B"
    demo = row_by_row(page)
    demo.get_by_role("tab", name=re.compile("scores")).tap()
    demo.get_by_role("gridcell", name=re.compile("^lion, attacked")).tap()
    assert "lion, attacked" in demo.locator(".title").inner_text()


def test_the_text_follows_the_state(page, book):
    """The polite live text states the new state once the change has settled."""
    page.goto(book + CHAPTER)
    says = soft_dictionary(page).locator("[aria-live=polite]")
    soft_dictionary(page).get_by_role("slider").fill("0")
    says.filter(has_text="Booster 0 makes all scores equal").wait_for()
    demo = row_by_row(page)
    demo.get_by_role("tab", name=re.compile("weights")).click()
    demo.get_by_role("gridcell", name=re.compile("^zebra, zebra")).click()
    demo.locator("[aria-live=polite]").filter(has_text="“zebra” gives").wait_for()


def test_every_control_has_a_name(page, book):
    """Nothing that can be worked is nameless to a screen reader."""
    page.goto(book + CHAPTER)
    for demo in (soft_dictionary(page), row_by_row(page)):
        for line in demo.aria_snapshot().splitlines():
            if re.match(r"\s*- (button|radio|slider|checkbox|tab|gridcell|grid|group)\b", line):
                assert re.search(r'"[^"]+"', line), line


# --- the page ---


def test_nothing_fails_and_nothing_is_asked_of_other_hosts(visit, book):
    """Opening the chapter and working both demos leaves the console clean and the network alone."""
    here = visit()
    here.page.goto(book + CHAPTER, wait_until="networkidle")
    soft_dictionary(here.page).get_by_role("slider").fill("7.5")
    for tab in row_by_row(here.page).get_by_role("tab").all():
        tab.click()
    assert here.errors == []
    assert here.foreign == []


def test_a_narrow_page_does_not_scroll_sideways(visit, book):
    """At 375 pixels, with 12 tokens and at every stage, only the matrices scroll, in their own box."""
    page = visit(width=375, height=700).page
    page.goto(book + CHAPTER)
    set_tokens(soft_dictionary(page), "ABABABABABAB")
    soft_dictionary(page).get_by_role("slider").fill("12")
    for tab in row_by_row(page).get_by_role("tab").all():
        tab.click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 375


# Each text of a demo with its contrast to what is painted behind it, mixed by the browser itself.
CONTRAST = """demo => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const paint = (colors) => {
    context.clearRect(0, 0, 1, 1);
    for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => v / 255);
  };
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = (node) => (node ? [...behind(node.parentElement), getComputedStyle(node).backgroundColor] : []);
  const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  const measure = (node) => {
    const colors = behind(node);
    const both = [light(paint(colors)), light(paint([...colors, getComputedStyle(node).color]))];
    const ratio = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    return [ratio, `${node.tagName}.${node.className} ${node.textContent.slice(0, 30)}`];
  };
  return [...demo.querySelectorAll("*")].filter((node) => hasText(node) && node.checkVisibility()).map(measure);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_light_and_dark(visit, book, scheme):
    """All text of both demos stands out from what is behind it by 4.5 to 1 or more."""
    page = visit(color_scheme=scheme).page
    page.goto(book + CHAPTER)
    faint = soft_dictionary(page).evaluate(CONTRAST)
    for tab in row_by_row(page).get_by_role("tab").all():
        tab.click()
        faint += row_by_row(page).evaluate(CONTRAST)
    assert page.locator("html").get_attribute("data-theme") == scheme
    assert len(faint) > 100
    assert [(ratio, text) for ratio, text in faint if ratio < 4.5] == []


# --- the host of the demos in a page without a kernel ---


def change_chapter(page, change):
    """Serve the chapter with its HTML changed."""

    def answer(route):
        response = route.fetch()
        route.fulfill(response=response, body=change(response.text()))

    page.route(f"**{CHAPTER}", answer)


def test_a_broken_demo_says_so_and_the_others_run(page, book):
    """A model whose code fails leaves one plain sentence in its place; its neighbour is alive."""
    change_chapter(page, lambda html: html.replace('"_esm": "', '"_esm": "throw new Error(1);', 1))
    page.goto(book + CHAPTER)
    page.get_by_text("This demo could not start in your browser").wait_for()
    assert page.locator(".demo").count() == 1
    assert page.locator(".demo [aria-live]").inner_text()


def test_a_view_without_a_state_says_so(page, book):
    """A view whose model is not in the page leaves the sentence too."""
    change_chapter(page, lambda html: re.sub(r'("model_id": ")\w{4}', r"\1gone", html, count=1))
    page.goto(book + CHAPTER)
    page.get_by_text("This demo could not start in your browser").wait_for()
    assert page.locator(".demo").count() == 1


def test_two_views_of_one_model_follow_each_other(page, book):
    """A model shown twice is one model: its code is imported once, and a click in one view shows in the other."""
    view = re.compile(r'<script type="application/vnd.jupyter.widget-view\+json">.*?</script>')
    change_chapter(page, lambda html: view.sub(lambda found: found[0] * 2, html, count=1))
    page.add_init_script(
        "const make = URL.createObjectURL; window.made = 0; URL.createObjectURL = b => (made++, make(b))"
    )
    page.goto(book + CHAPTER)
    page.locator(".demo").nth(2).wait_for()
    first, second = page.locator(".soft-dictionary").all()
    first.get_by_role("slider").fill("4")
    np.testing.assert_array_equal(shown(second.locator("output")), [4])
    assert page.evaluate("made") == 2


def test_without_javascript_a_sentence_says_what_is_missing(visit, book):
    """With JavaScript off each demo is replaced by what it would show."""
    page = visit(java_script_enabled=False).page
    page.goto(book + CHAPTER)
    first, second = page.locator("noscript p").all()
    assert first.inner_text().startswith("Soft dictionary: a sequence of A and B")
    assert second.inner_text().startswith("Row by row: the matrices of attention")
    assert first.is_visible()
    assert second.is_visible()


def test_a_page_without_demos_carries_no_host(page, book):
    """The script is on the pages that need it and on no other."""
    page.goto(f"{book}/index.html")
    assert page.locator('script[src*="static_demos"]').count() == 0


def test_the_demos_live_in_a_page_opened_from_disk(page, site):
    """The book works from a folder too, without any server."""
    page.goto((site / CHAPTER[1:]).as_uri())
    soft_dictionary(page).get_by_role("slider").fill("3")
    np.testing.assert_array_equal(shown(soft_dictionary(page).locator("output")), [3])
