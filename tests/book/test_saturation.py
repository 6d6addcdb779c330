"""The saturation demo as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
import re

import numpy as np
import pytest
from demos import Saturation

from attention.chapters.context import softmax
from attention.chapters.query_key_value import attention
from attention.chapters.scaling import entropy, scaled_dot_product_attention, scaled_scores, softmax_jacobian

from .conftest import loaded_later

CHAPTER = "05_scaling"
WIDTHS = [2**i for i in range(11)]
N_Q, N_K = 7, 5

# Numbers of the test's own, so that nothing depends on what the chapter draws. One query is long, so that some of its
# scores leave the axis.
DRAWN = np.random.default_rng(20_240_206)
QUERY = DRAWN.normal(size=(N_Q, 1024)) * np.array([1, 1, 4, 1, 1, 1, 1])[:, None]
KEY = DRAWN.normal(size=(N_K, 1024))


def changed(html):
    """Put two demos behind the chapter's own: the test's, and one that is narrow."""
    widget = re.compile(r'(?<=widget-state\+json">).*?(?=</script>)', re.DOTALL)
    saved = json.loads(widget.search(html)[0])
    own, entry = next((name, entry) for name, entry in saved["state"].items() if "n_k" in entry["state"])
    entry["state"]["scores"] = loaded_later(entry["state"].pop("_later")["scores"])  # else it would wait to be seen
    view = re.search(rf'<script type="application/vnd.jupyter.widget-view\+json">[^<]*{own}[^<]*</script>', html)[0]
    added = {"wide": Saturation(QUERY, KEY), "narrow": Saturation(QUERY[:, :16], KEY[:, :16], d_k=2)}
    for name, demo in added.items():
        traits = demo.get_state(["scores", "n_k", "d_k", "scaled", "row"])
        saved["state"][name] = entry | {"state": entry["state"] | traits}
    html = html.replace(view, view + "".join(view.replace(own, name) for name in added))
    return widget.sub(lambda _: json.dumps(saved).replace("</", "<\\/"), html)


def the_tests(chapter):
    """Return the test's demo on a page that was changed."""
    demo = chapter.page.locator(".saturation").nth(1)
    demo.locator(".numbers").evaluate("folded => { folded.open = true; }")
    return demo


# --- in Python ---


def test_the_page_is_given_the_unscaled_scores_of_every_width():
    """Row i holds the scores of the first 2^i columns, query after query, before any scaling, with five decimals."""
    demo = Saturation(QUERY, KEY)
    for d, row in zip(WIDTHS, demo.scores, strict=True):
        np.testing.assert_allclose(row, unscaled(QUERY, KEY, d).ravel(), rtol=0, atol=5.0001e-6)
        assert max(len(str(abs(score)).partition(".")[2]) for score in row) <= 5
    assert (demo.n_k, demo.d_k, demo.scaled, demo.row) == (N_K, 64, False, 0)


def test_other_queries_and_keys_give_other_scores_and_leave_nothing_outside():
    """With fewer queries and narrower keys, scores follow, and d_k and the row move to the last that exist."""
    demo = Saturation(QUERY, KEY, d_k=256, row=6)
    with demo.hold_trait_notifications():
        demo.query, demo.key = QUERY[:2, :16], KEY[:3, :16]
    assert (demo.n_k, demo.d_k, demo.row) == (3, 16, 1)
    assert np.shape(demo.scores) == (5, 6)
    np.testing.assert_allclose(demo.scores[4], unscaled(QUERY[:2], KEY[:3], 16).ravel(), rtol=0, atol=5.0001e-5)


def unscaled(query, key, d):
    """Return the scores of the first d columns, from the reference's scaled ones."""
    return scaled_scores(query[:, :d], key[:, :d]) * np.sqrt(d)


# --- the numbers on the page ---

# Puts the demo into one state after the other, in the page itself, and reads what it shows there. It comes as one
# string, since Playwright takes longer for ten thousand numbers than the page does.
WALK = """(demo, { states, numbers, texts, boxes }) => {
    const [slider, box, button] = ["range", "checkbox", "button"].map((type) => demo.querySelector(`[type=${type}]`));
    const isRow = (row) => demo.querySelector(".head .title").textContent.startsWith(`Query ${row},`);
    const each = (selectors, read) =>
        Object.fromEntries(selectors.map((selector) => [selector, [...demo.querySelectorAll(selector)].map(read)]));
    return JSON.stringify(states.map(([d, scaled, row]) => {
        slider.value = Math.log2(d);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        if (box.checked !== scaled) box.click();
        for (let i = 0; i < 100 && !isRow(row); i++) button.click();
        demo.getAnimations({ subtree: true }).forEach((animation) => animation.finish());
        return {
            ...each(numbers, (node) => Number(node.dataset.value)),
            ...each(boxes, (node) => node.getBoundingClientRect().toJSON()),
            texts: each(texts, (node) => node.textContent),
            text: demo.innerText,
            height: demo.offsetHeight,
            wide: document.documentElement.scrollWidth,
        };
    }));
}"""
STATES = [(d, scaled, row) for scaled in (False, True) for d in WIDTHS for row in range(N_Q)]
BARS = (".bins span", ".weights .score", ".weights .number", ".weights .other")
NUMBERS = (*BARS, ".spread strong", ".measures .all", ".measures .one")
TEXTS = (".legend .band", ".beyond", ".says", ".weights .number", ".largest td", ".entropy td, .slope td")


def walk(demo, *states, numbers=(), texts=(), boxes=()):
    """Put the demo into states (d, scaled, row), and return what it shows in each, by selectors."""
    asked = {"states": states, "numbers": list(numbers), "texts": list(texts), "boxes": list(boxes)}
    return json.loads(demo.evaluate(WALK, asked))


@pytest.fixture(scope="module")
def demo(opened):
    """The demo with the test's own numbers, wherever the test before has left it."""
    return the_tests(opened)


@pytest.fixture(scope="module")
def walked(demo):
    """What the demo shows in every state, read in one go: [(state, shown), ...]."""
    return list(zip(STATES, walk(demo, *STATES, numbers=NUMBERS, texts=TEXTS), strict=True))


@pytest.fixture(scope="module")
def scores():
    """The scores that the page was given, rounded as they are: d -> (n_q, n_k)."""
    rows = Saturation(QUERY, KEY).scores
    return {d: np.reshape(row, (N_Q, N_K)) for d, row in zip(WIDTHS, rows, strict=True)}


def assert_close(shown, numbers, name, atol=1e-9):
    """Compare numbers on the page with the reference's."""
    np.testing.assert_allclose(np.ravel(shown), np.ravel(numbers), rtol=1e-9, atol=atol, err_msg=str(name))


def test_every_number_is_the_references(walked, scores):
    """In each state all scores, counts, weights of either setting and measures of all queries are the reference's."""
    for state, shown in walked:
        d, scaled, row = state
        both = scores[d], scores[d] / np.sqrt(d)
        here, there = both[::-1] if scaled else both
        weights = softmax(here)
        slopes = np.abs(softmax_jacobian(weights)).max(axis=(-2, -1))
        measures = np.stack([weights.max(axis=-1), entropy(weights), slopes], axis=-1)
        assert_close(shown[".spread strong"], here.std(), state)
        assert_close(shown[".weights .score"], here[row], state)
        assert_close(shown[".weights .number"], weights[row], state)
        assert_close(shown[".weights .other"], softmax(there)[row], state)
        assert_close(shown[".measures .one"], measures[row], state)
        assert_close(shown[".measures .all"], measures.mean(axis=0), state)
        np.testing.assert_array_equal(shown[".bins span"], np.histogram(here, np.arange(-100, 101, 4))[0], str(state))
        inside, beyond = np.count_nonzero(np.abs(here) <= 4), np.count_nonzero(np.abs(here) > 100)
        assert shown["texts"][".legend .band"] == [f"−4 to 4: {inside} scores"], state
        assert shown["texts"][".beyond"] == [f"beyond ±100: {beyond}" if beyond else ""], state


def test_the_rounded_scores_give_the_weights_of_the_exact_ones(walked):
    """No weight is off by more than 0.000025: scores are by 0.00005, and the slopes of a weight sum to ½ at most."""
    for (d, scaled, row), shown in walked:
        function = scaled_dot_product_attention if scaled else attention
        _, weights = function(QUERY[[row], :d], KEY[:, :d], np.eye(N_K))
        assert_close(shown[".weights .number"], weights, (d, scaled, row), atol=2.5e-5)


DRAWINGS = (".plot", ".plot .band", ".bins > span", ".marks span", ".plot .axis span", ".track", ".bar", ".other")


def test_it_is_drawn_to_scale(demo, scores):
    """Band, marks and ticks are at their numbers on an axis that never changes, and bars are as long as they say."""
    for d in 1, 64, 1024:
        (shown,) = walk(demo, (d, False, 2), numbers=BARS, boxes=DRAWINGS)
        (plot,), bands, *others = (shown[selector] for selector in DRAWINGS)
        bins, marks, ticks, tracks, bars, switched = others
        pixel = plot["width"] / 200
        assert bands[0]["width"] == pytest.approx(8 * pixel, abs=0.1)
        on_axis = scores[d][2][np.abs(scores[d][2]) <= 100]
        for drawn, numbers in ((marks, on_axis), (ticks, [-100, -50, 0, 50, 100])):
            middles = [box["x"] + box["width"] / 2 - plot["x"] for box in drawn]
            np.testing.assert_allclose(middles, (np.array(numbers) + 100) * pixel, atol=0.1)
        shares = np.array(shown[".bins span"]) / scores[d].size
        full = plot["height"] - 1  # the axis is one pixel high
        np.testing.assert_allclose([box["height"] for box in bins], np.sqrt(shares) * full, atol=0.1)
        lengths = np.array(shown[".weights .number"]) * tracks[0]["width"]
        np.testing.assert_allclose([box["width"] for box in bars], lengths, atol=0.1)
        ends = tracks[0]["x"] + np.array(shown[".weights .other"]) * tracks[0]["width"]
        np.testing.assert_allclose([box["x"] + box["width"] / 2 for box in switched], ends, atol=0.1)


def test_both_settings_stand_beside_one_another_to_scale(demo, scores):
    """As they are and divided, eight bars each are as high as the reference's weights, whichever is switched on."""
    for scaled in (False, True):
        (shown,) = walk(demo, (64, scaled, 2), boxes=(".twin .weights-drawn", ".twin .weights-drawn span"))
        (plot, _), bars = shown[".twin .weights-drawn"], shown[".twin .weights-drawn span"]
        expected = np.concatenate([softmax(scores[64][2] / divisor) for divisor in (1, 8)])
        highest = max(box["height"] for box in bars) / expected.max()
        np.testing.assert_allclose([box["height"] for box in bars], expected * highest, atol=1.1)
        assert plot["height"] >= highest


# --- the words ---


def test_no_number_claims_what_is_not_so(walked):
    """However wide the keys, no weight is written as exactly 0 or 1, no gradient as 0, and none begins with a point."""
    for state, shown in walked:
        weights, largest, faded = (shown["texts"][selector] for selector in TEXTS[3:])
        assert all(re.fullmatch(r"0\.\d{4}|1\.0000", text) for text in weights + largest), state
        assert len(faded) == 4
        assert not {"0", "0.0000"} & set(faded), state
        assert not re.search(r"(?<!\d)\.\d", shown["text"]), state


# --- the hands ---


def query_shown(demo):
    """Return which query's weights are drawn."""
    return int(re.match(r"Query (\d+), ", demo.get_by_text(re.compile(r"^Query \d+, ")).inner_text())[1])


def test_the_keyboard_alone_works_it(opened, demo):
    """Tab reaches slider, switch and button in order, and arrows, End, space and Enter work them."""
    walk(demo, (64, False, 3))
    opened.enter_from_above(demo)
    opened.tab_to("^range")
    opened.press("Home", *["ArrowRight"] * 3)
    assert opened.numbers(demo, "output") == [8]
    assert demo.get_by_role("checkbox", name="divide by √8 = 2.8284").count() == 1
    opened.press("End")
    assert opened.numbers(demo, "output") == [1024]
    opened.press("Tab")
    assert opened.focused().startswith("checkbox")
    before = opened.numbers(demo, ".spread strong")
    opened.press("Space")
    assert_close(opened.numbers(demo, ".spread strong"), before / 32, "spread")
    opened.press("Tab", "Tab", "Enter", "Enter")
    assert "Another query" in opened.focused()
    assert query_shown(demo) == 5


def test_a_click_on_the_weights_of_a_setting_sets_it(demo):
    """The bars are a switch as the box is."""
    walk(demo, (64, False, 3))
    for i, is_scaled in ((1, True), (0, False)):
        demo.locator(".twin .weights-drawn").nth(i).click()
        assert demo.get_by_role("checkbox").first.is_checked() == is_scaled


def test_narrow_arrays_end_the_slider_where_they_end(opened):
    """With 16 columns, the far end of the slider is d_k = 16."""
    narrow = opened.page.locator(".saturation").nth(2)
    narrow.get_by_role("slider", name="Width of a key").press("End")
    assert narrow.locator("output").inner_text() == "16"


def test_the_chapters_own_demo_is_alive(opened):
    """The chapter's queries and keys are drawn, and their demo answers."""
    own = opened.demo("saturation")
    own.get_by_role("slider").press("End")
    assert own.locator(".says").inner_text().startswith("Keys 1024 wide")
