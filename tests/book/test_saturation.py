"""The saturation demo as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest
from demos import Saturation
from traitlets import TraitError

from autograder.reference.query_key_value import attention
from autograder.reference.scaling import entropy, scaled_dot_product_attention, scaled_scores, softmax_jacobian

CHAPTER = "05_scaling"
WIDTHS = [2**i for i in range(11)]
N_Q, N_K = 7, 5


@pytest.fixture
def drawn(rng):
    """Queries and keys of the test's own, so that nothing depends on what the chapter draws."""
    return rng.normal(size=(N_Q, 1024)), rng.normal(size=(N_K, 1024))


# --- in Python ---


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"query": np.ones((3, 8))}, "query and key equally wide, got 8 and 16 columns: change both"),
        ({"query": np.ones((3, 48)), "key": np.ones((2, 48))}, r"power of two up to 1024, got 48 .*query\[:, :32\]"),
        ({"query": np.ones((3, 2048)), "key": np.ones((2, 2048))}, r"up to 1024, got 2048 .*key\[:, :1024\]"),
        ({"key": np.ones((1, 16))}, "2 to 12 keys, got 1: each row of key is one key"),
        ({"key": np.ones((13, 16))}, "2 to 12 keys, got 13"),
        ({"query": np.ones(16)}, r"query as a matrix .*got an array of shape \(16,\)"),
        ({"key": np.ones((2, 5, 16))}, r"key as a matrix .*got an array of shape \(2, 5, 16\)"),
        ({"key": [[0, np.nan]] * 5}, "key as finite numbers only, got nan in row 0, column 1: replace NaN"),
        ({"d_k": 3}, "d_k as a power of two from 1 to 1024, got 3: write d_k=64"),
        ({"d_k": 0}, "d_k as a power of two"),
        ({"d_k": 4.0}, "d_k as a power of two from 1 to 1024, got 4.0"),
        ({"d_k": True}, "d_k as a power of two"),
        ({"d_k": 2048}, "d_k as a power of two from 1 to 1024"),
        ({"d_k": 32}, "d_k from 1 to 16, got 32: query and key have 16 columns, so write d_k=16"),
        ({"row": 3}, "row from 0 to 2, got 3: query has 3 rows, counted from 0"),
        ({"row": -1}, "row as a whole number from 0"),
        ({"scaled": "no"}, "scaled as True or False, got 'no'"),
    ],
)
def test_saturation_refuses_what_it_cannot_show(wrong, message):
    """A wrong shape, number, width or row is told what was expected, what came, and what to do."""
    with pytest.raises(TraitError, match=message):
        Saturation(**{"query": np.ones((3, 16)), "key": np.ones((5, 16)), "d_k": 16} | wrong)


def test_the_page_is_given_the_unscaled_scores_of_every_width(drawn):
    """Row i holds the scores of the first 2^i columns, query after query, before any scaling."""
    query, key = drawn
    demo = Saturation(query, key)
    for d, row in zip(WIDTHS, demo.scores, strict=True):
        np.testing.assert_allclose(row, unscaled(query, key, d).ravel(), rtol=1e-9, atol=1e-9)
    assert (demo.n_k, demo.d_k, demo.scaled, demo.row) == (N_K, 64, False, 0)


def test_other_queries_and_keys_give_other_scores_and_leave_nothing_outside(drawn):
    """With fewer queries and narrower keys, scores follow, and d_k and the row move to the last that exist."""
    query, key = drawn
    demo = Saturation(query, key, d_k=256, row=6)
    with demo.hold_trait_notifications():
        demo.query, demo.key = query[:2, :16], key[:3, :16]
    assert (demo.n_k, demo.d_k, demo.row) == (3, 16, 1)
    assert np.shape(demo.scores) == (5, 6)
    np.testing.assert_allclose(demo.scores[4], unscaled(query[:2], key[:3], 16).ravel(), rtol=1e-9)


def unscaled(query, key, d):
    """Return the scores of the first d columns, from the reference's scaled ones."""
    return scaled_scores(query[:, :d], key[:, :d]) * np.sqrt(d)


# --- the numbers on the page ---


def with_state_of(demo):
    """Return what puts this demo's numbers into a page in place of its own."""
    given = demo.get_state(["scores", "n_k", "d_k", "scaled", "row"])

    def change(html):
        before, saved, after = re.split(r'(?<=widget-state\+json">)(.*?)(?=</script>)', html, maxsplit=1, flags=re.S)
        saved = json.loads(saved)
        next(entry for entry in saved["state"].values() if "scores" in entry["state"])["state"] |= given
        return before + json.dumps(saved).replace("</", "<\\/") + after

    return change


def go_to(demo, d, scaled):
    """Move the slider to a width, and set the switch."""
    demo.get_by_role("slider").fill(str(WIDTHS.index(d)))
    if demo.get_by_role("checkbox").is_checked() != scaled:
        demo.get_by_role("checkbox").press("Space")


def wanted(query, key, d, scaled):
    """Compute with the reference what a state shows: all scores, all weights, and how decided each row is."""
    query, key = query[:, :d], key[:, :d]
    scores = scaled_scores(query, key) if scaled else unscaled(query, key, d)
    _, weights = (scaled_dot_product_attention if scaled else attention)(query, key, np.eye(N_K))
    slopes = np.abs(softmax_jacobian(weights)).max(axis=(-2, -1))
    return scores, weights, np.stack([weights.max(axis=-1), entropy(weights), slopes], axis=-1)


def assert_close(shown, numbers, name):
    """Compare numbers on the page with the reference's."""
    np.testing.assert_allclose(shown, numbers, rtol=1e-9, atol=1e-9, err_msg=name)


def test_every_number_is_the_references(open_chapter, drawn):
    """At each width, scaled and not, all scores, counts, weights and measures of all queries are the reference's."""
    chapter = open_chapter(with_state_of(Saturation(*drawn)))
    demo = chapter.demo("saturation")
    for scaled in (False, True):
        for d in WIDTHS:
            go_to(demo, d, scaled)
            state = f"d_k={d} scaled={scaled}"
            scores, weights, measures = wanted(*drawn, d, scaled)
            spread, counts, mean = chapter.numbers(demo, ".spread strong", ".bins span", ".measures .all td")
            assert_close(spread, [scores.std()], state)
            assert_close(mean, measures.mean(axis=0), state)
            np.testing.assert_array_equal(counts, np.histogram(scores, edges(demo))[0], state)
            inside = np.count_nonzero(np.abs(scores) <= 4)
            assert demo.locator(".legend .band").inner_text() == f"from −4 to 4: {inside} scores", state
            for shown, numbers in zip(walk(demo), (scores, weights, measures), strict=True):
                assert_close(shown, numbers, state)
            assert demo.get_by_text(f"Query 0, {N_K} keys").count() == 1  # all the way round


def walk(demo):
    """Return the scores, weights and measures that are shown while "Another query" is pressed N_Q times."""
    rows = demo.evaluate(
        """(demo, n) => Array.from({ length: n }, () => {
            const numbers = (selector) => [...demo.querySelectorAll(selector)].map((node) => +node.dataset.value);
            const shown = [".weights .score", ".weights .number", ".measures .one td"].map(numbers);
            demo.querySelector("button").click();
            return shown;
        })""",
        N_Q,
    )
    return (np.array(column) for column in zip(*rows, strict=True))


def edges(demo):
    """Return where the histogram's bins begin, and where the last one ends."""
    ends = demo.locator(".bins span").evaluate_all("bins => bins.map(b => [+b.dataset.from, +b.dataset.to])")
    assert all(left[1] == right[0] for left, right in pairwise(ends))
    return [ends[0][0], *(to for _, to in ends)]


def test_it_is_drawn_to_scale(chapter):
    """Band, marks and ticks stand at their numbers on the axis, a bin is as high as its count, a bar as its weight."""
    demo = chapter.demo("saturation")
    demo.get_by_role("button", name="Another query").click()
    for d in (1, 64, 1024):
        go_to(demo, d, False)
        demo.locator(".bar").evaluate_all("bars => bars.forEach(bar => bar.getAnimations().forEach(a => a.finish()))")
        limit, plot = edges(demo)[-1], boxes(demo, ".plot")[0]
        on_axis = plot["width"] / (2 * limit)
        assert boxes(demo, ".plot .band")[0]["width"] == pytest.approx(8 * on_axis, abs=0.1)
        counts, weights, scores = chapter.numbers(demo, ".bins span", ".weights .number", ".weights .score")
        ticks = [float(text.replace("−", "-")) for text in demo.locator(".axis span").all_inner_texts()]
        for selector, numbers in ((".plot .marks span", scores), (".axis span", ticks)):
            middles = [box["x"] + box["width"] / 2 - plot["x"] for box in boxes(demo, selector)]
            np.testing.assert_allclose(middles, (np.array(numbers) + limit) * on_axis, atol=0.1)
        heights = np.array([box["height"] for box in boxes(demo, ".bins span")])
        np.testing.assert_allclose(heights, counts / counts.max() * heights.max(), atol=0.1)
        widths = [box["width"] for box in boxes(demo, ".bar")]
        np.testing.assert_allclose(widths, weights * boxes(demo, ".track")[0]["width"], atol=0.1)


def boxes(demo, selector):
    """Return where the elements are drawn."""
    return demo.locator(selector).evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect().toJSON())")


# --- the words ---


def test_the_sentence_at_the_two_ends(chapter):
    """Seen and spoken: narrow keys share the weight, wide ones leave it to one key, scaled ones share it again."""
    demo = chapter.demo("saturation")
    says, spoken = demo.locator(".says"), demo.locator("[aria-live=polite]")
    for d, scaled, starts, ends in (
        (1, False, "Keys 1 wide, scores as they are: ", "the weight is shared."),
        (1024, False, "Keys 1024 wide, scores as they are: ", "one key takes nearly everything."),
        (1024, True, "Keys 1024 wide, scores divided by √1024: ", "the weight is shared."),
    ):
        go_to(demo, d, scaled)
        assert says.inner_text().startswith(starts)
        assert says.inner_text().endswith(ends)
        spoken.filter(has_text=says.inner_text()).wait_for()


def test_no_number_claims_what_is_not_so(chapter):
    """However wide the keys, no weight is written as exactly 0 or 1, no gradient as 0, and no zero precedes a point."""
    demo = chapter.demo("saturation")
    for d in (1, 64, 1024):
        go_to(demo, d, False)
        for _ in range(3):
            weights = demo.locator(".weights .number, .largest").all_inner_texts()
            assert all(re.fullmatch(r"\.\d{4}|1\.0000", text) for text in weights)
            faded = demo.locator(".measures :is(.entropy, .slope)").all_inner_texts()
            assert not {"0", ".0000"} & set(faded)
            assert not re.search(r"(?<!\d)0\.\d(?!%)", demo.inner_text())
            demo.get_by_role("button", name="Another query").dispatch_event("click")


# --- the hands ---


def query_shown(demo):
    """Return which query's weights are drawn."""
    return int(re.match(r"Query (\d+), ", demo.get_by_text(re.compile(r"^Query \d+, ")).inner_text())[1])


def test_the_keyboard_alone_works_it(chapter):
    """Tab reaches slider, switch and button in order, and arrows, End, space and Enter work them."""
    demo = chapter.demo("saturation")
    chapter.enter_from_above(demo)
    chapter.tab_to("^range")
    chapter.press("Home", *["ArrowRight"] * 3)
    assert chapter.numbers(demo, "output") == [8]
    assert demo.get_by_role("checkbox", name="divide by √8 = 2.8284").count() == 1
    chapter.press("End")
    assert chapter.numbers(demo, "output") == [1024]
    chapter.press("Tab")
    assert chapter.focused().startswith("checkbox")
    before = chapter.numbers(demo, ".spread strong")
    chapter.press("Space")
    assert_close(chapter.numbers(demo, ".spread strong"), before / 32, "spread")
    row = query_shown(demo)
    chapter.press("Tab", "Enter", "Enter")
    assert "Another query" in chapter.focused()
    assert query_shown(demo) == row + 2


def test_narrow_arrays_end_the_slider_where_they_end(open_chapter, drawn):
    """With 16 columns, the far end of the slider is d_k = 16."""
    query, key = drawn
    demo = open_chapter(with_state_of(Saturation(query[:, :16], key[:, :16], d_k=2))).demo("saturation")
    demo.get_by_role("slider", name="Width of a key").press("End")
    assert demo.locator("output").inner_text() == "16"


def test_a_telephone_works_it_by_touch_and_scrolls_only_downwards(open_chapter):
    """Taps move the slider, the switch and the query; each is 40 pixels high; no state is wider than the screen."""
    chapter = open_chapter(width=375, height=700, has_touch=True, is_mobile=True)
    demo = chapter.demo("saturation")
    slider, switch, button = demo.get_by_role("slider"), demo.locator(".switch"), demo.get_by_role("button")
    for control in (slider, switch, button):
        assert control.bounding_box()["height"] >= 40
    slider.tap(position={"x": slider.bounding_box()["width"] - 2, "y": 20})
    assert demo.locator("output").inner_text() == "1024"
    row = query_shown(demo)
    button.tap()
    assert query_shown(demo) == row + 1
    for scaled in (True, False):
        switch.tap()
        assert demo.get_by_role("checkbox").is_checked() == scaled
        for position in (0, 6, 10):
            slider.fill(str(position))
            assert chapter.page.evaluate("document.documentElement.scrollWidth") <= 375


def test_text_can_be_read_and_nothing_fails(open_chapter):
    """In light and dark all text stands out by 4.5 to 1 or more; the console stays clean and the network alone."""
    chapter = open_chapter()
    demo = chapter.demo("saturation")
    for _ in chapter.in_light_and_dark():
        measured = chapter.contrasts(demo)
        assert len(measured) > 40
        assert [(ratio, text) for ratio, text in measured if ratio < 4.5] == []
    assert (chapter.visit.errors, chapter.visit.foreign) == ([], [])
