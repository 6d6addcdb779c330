"""The row-by-row demo as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import numpy as np
import pytest
from demos import RowByRow
from traitlets import TraitError

from attention.chapters import lion
from attention.chapters.query_key_value import attention, project
from attention.chapters.scaling import scaled_dot_product_attention

CHAPTER = "04_query_key_value"
STAGES = ["query", "key", "value", "scores", "weights", "output"]
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


def test_a_mask_has_a_place_for_every_pair_of_words():
    """Rows and columns are words; none is an empty list."""
    assert RowByRow(**LION).mask == []
    assert RowByRow(**LION, mask=np.tri(2, dtype=bool)).mask == [[True, False], [True, True]]
    with pytest.raises(TraitError, match=r"mask .*\(3, 3\)"):
        RowByRow(**LION, mask=np.tri(3, dtype=bool))


# --- in the published page ---


@pytest.fixture
def chapter(opened):
    """The chapter with the demo in its first state, at a desk, without motion; nothing fails or is requested."""
    opened.page.set_viewport_size({"width": 1280, "height": 900})
    opened.page.emulate_media(reduced_motion="reduce")
    set_to(opened, stage='"scores"', row=1, column=2, whole="false", mask="[]", paint="false", scaled="false")
    demo = opened.demo("row-by-row")
    demo.get_by_role("button", name="Put back").dispatch_event("click")
    demo.evaluate("demo => scrollTo(0, demo.getBoundingClientRect().top + scrollY - 80)")
    yield opened
    assert (opened.visit.errors, opened.visit.foreign) == ([], [])


def set_to(opened, **traits):
    """Set the demo by its address, as a link does."""
    state = "".join(f"&{name}={value}" for name, value in traits.items())
    opened.page.evaluate("state => { location.hash = ''; location.hash = state; }", f"demo=row_by_row{state}")
    for name, value in traits.items():
        if name == "stage":
            shown = f"demo => demo.querySelector('svg').classList.contains('at-{value.strip(chr(34))}')"
            opened.page.wait_for_function(shown, arg=opened.demo("row-by-row").element_handle())


def tiles(demo, name):
    """Return the numbers of a matrix by their places, and which of them are made."""
    found = demo.locator(f".tiles rect[data-at^='{name} ']").evaluate_all(
        "all => all.map(node => [...node.dataset.at.split(' ').slice(1), node.dataset.value, node.dataset.made])"
    )
    rows, columns = (1 + max(int(one[axis]) for one in found) for axis in (0, 1))
    numbers, seen = np.zeros((rows, columns)), np.zeros((rows, columns))
    for row, column, value, made in found:
        numbers[int(row), int(column)], seen[int(row), int(column)] = float(value), float(made)
    return numbers, seen


def scrub(demo, place):
    """Put the scrubber to a place."""
    demo.locator("input[type=range]").fill(str(place))


def stage_of(demo):
    """Return the step on show."""
    names = demo.locator("svg").get_attribute("class").split()
    return next(name.removeprefix("at-") for name in names if name.startswith("at-"))


def reference(order=None, w_q=lion.w_q, scaled=False):
    """Return all matrices of the lion's attention, its words in an order."""
    x = np.asarray(lion.x, float)[list(range(11)) if order is None else order]
    query, key, value = project(x, np.asarray(w_q, float), np.asarray(lion.w_k, float), np.asarray(lion.w_v, float))
    attend = scaled_dot_product_attention if scaled else attention
    output, weights = attend(query, key, value)
    scores = query @ key.T / (np.sqrt(3) if scaled else 1)
    return {"query": query, "key": key, "value": value, "scores": scores, "weights": weights, "output": output}


def last_place(demo):
    """Return the scrubber's end, at which everything is shown."""
    return int(demo.locator("input[type=range]").get_attribute("max"))


def assert_all_shown(demo, wanted):
    """Compare every matrix at the end of the scrubber with the reference."""
    scrub(demo, last_place(demo))
    for name in ("query", "key", "value", "output"):
        np.testing.assert_allclose(tiles(demo, name)[0], wanted[name], atol=1e-9)
    np.testing.assert_allclose(tiles(demo, "scores")[0], wanted["weights"], atol=1e-9)


@pytest.mark.parametrize("scaled", [False, True])
def test_every_number_is_the_references(chapter, scaled):
    """All tiles of all matrices hold what the reference computes, divided or not; the scores before softmax, too."""
    demo = chapter.demo("row-by-row")
    demo.locator(".scaled input").set_checked(scaled)
    wanted = reference(scaled=scaled)
    scrub(demo, 20)
    np.testing.assert_allclose(tiles(demo, "scores")[0], wanted["scores"], atol=1e-9)
    assert_all_shown(demo, wanted)


def test_the_scrubber_shows_one_cell_more_at_each_stop(chapter):
    """From the words to the outputs: of each step first the chosen row, column by column, and then all rows."""
    demo = chapter.demo("row-by-row")
    place = 0
    for stage, columns in (("query", 3), ("key", 3), ("value", 2), ("scores", 11)):
        for count in range(1, columns + 1):
            scrub(demo, place)
            assert stage_of(demo) == stage
            seen = tiles(demo, stage)[1]
            assert (seen[1].sum(), seen.sum()) == (count, count)
            place += 1
        scrub(demo, place)
        assert tiles(demo, stage)[1].all()
        place += 1
    assert last_place(demo) == place + 3 + 3 - 1


def test_softmax_makes_a_bar_of_the_row_and_then_weights(chapter):
    """First each tile of the row is as wide as its weight, together as long as before; then all are alike."""
    demo = chapter.demo("row-by-row")
    widths = "all => all.map(node => parseFloat(node.style.width))"
    row = demo.locator(".tiles rect[data-at^='scores 8 ']")
    set_to(chapter, stage='"weights"', row=8)
    demo.locator(".marks button", has_text="softmax").click()
    even = row.evaluate_all(widths)
    assert np.ptp(even) < 1e-3  # "the" asks for nothing, so that its weights are equal
    set_to(chapter, stage='"weights"', row=1)
    demo.locator(".marks button", has_text="softmax").click()
    bar = demo.locator(".tiles rect[data-at^='scores 1 ']").evaluate_all(widths)
    assert bar[2] > 10 * max(bar[:2] + bar[3:])


def test_playing_goes_on_and_can_be_paused(chapter):
    """Play moves the scrubber by itself; pressed again, or taken by hand, it stays where it is."""
    demo = chapter.demo("row-by-row")
    play, scrubber = demo.locator(".play"), demo.locator("input[type=range]")
    before = int(scrubber.input_value())
    play.click()
    chapter.page.wait_for_function(
        "([node, value]) => +node.value > value + 1", arg=[scrubber.element_handle(), before]
    )
    play.click()
    assert play.get_attribute("aria-label") == "Play"


# --- the picture ---


def test_the_tiles_at_work_show_their_numbers(chapter):
    """Of "attacked" and "zebra" both factors of every product can be read in the picture, and the score."""
    demo = chapter.demo("row-by-row")
    set_to(chapter, stage='"scores"', row=3, column=6)
    chapter.page.wait_for_function(
        "demo => demo.querySelectorAll('.slides text').length === 3", arg=demo.element_handle()
    )
    assert demo.locator(".slides text").all_text_contents() == ["3", "5", "5"]
    figures = demo.locator(".figures text").all_text_contents()
    assert figures[:3] == ["3", "5", "5"]
    assert {"2", "9", "51"} <= set(figures[3:])
    sizes = demo.locator(":is(.figures, .slides) text").evaluate_all(
        "all => all.map(node => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min(sizes) >= 10


def test_what_a_hand_may_change_shows_its_number(chapter):
    """In the step "ask" each number of W_Q but 0 can be read, beside those of "hungry" and its query."""
    demo = chapter.demo("row-by-row")
    demo.locator(".marks button", has_text="ask").click()
    w_q = np.array(lion.w_q)
    wanted = [*w_q[w_q != 0], 2, 2]
    figures = demo.locator(".figures text")
    chapter.page.wait_for_function(
        "([demo, count]) => demo.querySelectorAll('.figures text').length === count",
        arg=[demo.element_handle(), len(wanted)],
    )
    assert sorted(map(float, figures.all_text_contents())) == sorted(wanted)


def test_the_row_rests_inside_the_column_that_it_meets(chapter):
    """Each number of the query lies straight above the number of the key that it is multiplied with."""
    demo = chapter.demo("row-by-row")
    strip = [one.bounding_box() for one in demo.locator("rect.strip").all()]
    key = [demo.locator(f".tiles rect[data-at='key 2 {k}']").bounding_box() for k in range(3)]
    for above, below in zip(strip, key, strict=True):
        middle = below["x"] + below["width"] / 2
        assert above["x"] < middle < above["x"] + above["width"]
        assert above["x"] + above["width"] / 2 == pytest.approx(middle, abs=1.5)
        assert 0 <= below["y"] - above["y"] < 40
        assert above["width"] > 30


def test_the_number_under_the_mouse_is_beside_it(chapter):
    """A tile that the mouse is over says its number, with four decimals; one that is not made yet says nothing."""
    demo = chapter.demo("row-by-row")
    scrub(demo, last_place(demo))
    chapter.page.mouse.move(*middle(demo, "output", 10, 1))
    bubble = demo.locator(".bubble text")
    assert float(bubble.text_content()) == pytest.approx(reference()["output"][10, 1], abs=5e-5)
    assert demo.locator(".lit rect").count() == 4  # its row and its column, the row of weights, the column of V
    scrub(demo, 0)
    chapter.page.mouse.move(*middle(demo, "query", 10, 1))
    assert (bubble.count(), demo.locator(".lit rect").count()) == (0, 0)
    assert demo.locator(".sum").inner_text().startswith("Q of hungry:")


def test_q_k_and_v_travel_from_one_picture_to_the_other(chapter):
    """Between "give" and "compare" the tiles of a key are never gone, and the drawing keeps its size."""
    demo = chapter.demo("row-by-row")
    scrub(demo, 10)
    before = demo.locator("svg").bounding_box()
    tile = demo.locator(".tiles rect[data-at='key 3 1']").element_handle()
    chapter.page.emulate_media(reduced_motion="no-preference")
    start = tile.bounding_box()
    scrub(demo, 11)
    assert tile.evaluate("node => node.isConnected && node.dataset.at") == "key 3 1"
    assert demo.locator("svg").bounding_box() == before
    demo.evaluate("demo => demo.getAnimations({ subtree: true }).forEach((one) => one.finish())")
    assert tile.bounding_box()["y"] < start["y"] - 100
    demo.locator(".flying, .leaving").first.wait_for(state="detached")


def test_it_opens_where_the_state_is_and_goes_on_once_when_it_is_seen(opened):
    """At rest "hungry" has met "lion"; with motion its row goes on to the end, and softmax makes a bar of it."""
    page = opened.page
    page.emulate_media(reduced_motion="no-preference")
    address = page.url.partition("#")[0]  # a demo writes its state behind it
    page.goto("about:blank")
    page.goto(address)
    page.evaluate(SEEN_SUMS)
    opened.wake()
    demo = opened.demo("row-by-row")
    demo.locator(".sum", has_text="hungry · lion: 2 × 8 = 16").wait_for()
    assert (tiles(demo, "scores")[1].sum(), demo.locator("rect.strip").count()) == (3, 3)
    assert demo.locator(".slides text").all_text_contents() == ["2"]
    demo.evaluate("demo => scrollTo(0, demo.getBoundingClientRect().top + scrollY - 80)")
    demo.locator(".sum", has_text="the row as one bar").wait_for()
    assert stage_of(demo) == "weights"
    assert page.evaluate("seenSums.filter((text) => /hungry · (The|hungry):/.test(text))") == []
    assert "column" not in page.url
    demo.locator(".sum").click()  # a hand takes it up where it is
    assert (stage_of(demo), "the row as one bar" in demo.locator(".sum").inner_text()) == ("weights", True)


SEEN_SUMS = """() => {
  window.seenSums = [];
  const watch = () => {
    const line = document.querySelector(".row-by-row .sum");
    if (line) seenSums.push(line.textContent);
    requestAnimationFrame(watch);
  };
  watch();
}"""


# --- the hand ---


def middle(demo, name, row, column):
    """Return the middle of a tile on the screen."""
    box = demo.locator(f".tiles rect[data-at='{name} {row} {column}']").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry(chapter, start, end):
    """Press the mouse at one place and let it go at another."""
    mouse = chapter.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=4)
    mouse.up()


def chosen(demo):
    """Return the chosen word's place, and what the line of numbers ends with while the mouse is elsewhere."""
    demo.page.mouse.move(0, 0)
    places = demo.locator("g.name").evaluate_all("all => all.findIndex(node => node.ariaChecked === 'true')")
    return places, float(demo.locator(".sum b").get_attribute("data-value"))


def test_a_row_is_carried_along_the_keys(chapter):
    """Taken from Q and carried to the right, the row stops at the column below the hand, and its score is told."""
    demo = chapter.demo("row-by-row")
    start = middle(demo, "query", 3, 1)
    carry(chapter, start, (middle(demo, "key", 6, 0)[0], start[1]))
    assert chosen(demo) == (3, 51)  # attacked · zebra = [3, 5, 5] · [2, 0, 9]


def test_a_tile_that_is_pressed_is_explained(chapter):
    """A press on a score chooses its row and its column."""
    demo = chapter.demo("row-by-row")
    demo.locator(".marks button", has_text="compare").click()
    chapter.page.mouse.click(*middle(demo, "scores", 2, 3))
    assert chosen(demo) == (2, reference()["scores"][2, 3])


def test_an_entry_of_w_q_is_changed_by_hand_and_by_keyboard_and_put_back(chapter):
    """Dragged upwards it grows, plus and minus change it by one, never beyond 9; everything behind it follows."""
    demo = chapter.demo("row-by-row")
    scrub(demo, 0)
    x, y = middle(demo, "w_q", 1, 1)
    carry(chapter, (x, y), (x, y - 15))
    entry = demo.locator(".entries")
    entry.press("+")
    w_q = np.array(lion.w_q, float)
    w_q[1, 1] = 2
    assert_all_shown(demo, reference(w_q=w_q))
    scrub(demo, 1)
    for _ in range(12):
        entry.press("-")
    assert entry.get_attribute("aria-valuenow") == "-9"
    demo.get_by_role("button", name="Put back").click()
    assert_all_shown(demo, reference())


def test_two_words_change_places(chapter):
    """Carried, or moved with Shift and an arrow, a word takes its rows along; nothing else changes."""
    demo = chapter.demo("row-by-row")
    box = [demo.locator("g.name").nth(i).bounding_box() for i in (1, 3)]
    carry(chapter, *((one["x"] + 20, one["y"] + one["height"] / 2) for one in box))
    order = [0, 2, 3, 1, *range(4, 11)]  # past one word after the other
    assert_all_shown(demo, reference(order))
    np.testing.assert_allclose(tiles(demo, "output")[0], reference()["output"][order], atol=1e-9)
    demo.locator("g.name").nth(3).press("Shift+ArrowUp")
    assert_all_shown(demo, reference([0, 2, 1, 3, *range(4, 11)]))
    demo.get_by_role("button", name="Put back").click()
    assert_all_shown(demo, reference())


def test_a_mask_is_painted_on_the_scores(chapter):
    """Where a demo lets its mask be painted, one stroke hides what it passes, and another shows it again."""
    demo = chapter.demo("row-by-row")
    set_to(chapter, stage='"scores"', whole="true", paint="true")
    stroke = middle(demo, "scores", 1, 2), middle(demo, "scores", 1, 4)
    carry(chapter, *stroke)
    scrub(demo, last_place(demo))
    weights = tiles(demo, "scores")[0]
    scores = reference()["scores"][1]
    open_ = np.ones(11, bool)
    open_[2:5] = False
    powers = np.where(open_, np.exp(scores - scores[open_].max()), 0)
    np.testing.assert_allclose(weights[1], powers / powers.sum(), atol=1e-9)
    np.testing.assert_allclose(weights[2], reference()["weights"][2], atol=1e-9)
    set_to(chapter, stage='"scores"')
    carry(chapter, *stroke)
    scrub(demo, last_place(demo))
    np.testing.assert_allclose(tiles(demo, "scores")[0], reference()["weights"], atol=1e-9)


def test_a_painted_mask_is_put_back(chapter):
    """*Put back* shows again what a stroke has hidden."""
    demo = chapter.demo("row-by-row")
    set_to(chapter, stage='"scores"', whole="true", paint="true")
    carry(chapter, middle(demo, "scores", 1, 2), middle(demo, "scores", 1, 4))
    demo.get_by_role("button", name="Put back").click()
    scrub(demo, last_place(demo))
    np.testing.assert_allclose(tiles(demo, "scores")[0], reference()["weights"], atol=1e-9)


# --- the keyboard ---


def test_the_keyboard_alone_works_it(chapter):
    """Tab reaches the words, the switch and the scrubber; arrows choose a word and move the scrubber."""
    demo = chapter.demo("row-by-row")
    demo.locator("g.name").nth(1).press("ArrowDown")
    assert chosen(demo)[0] == 2
    chapter.page.keyboard.press("End")
    assert chosen(demo)[0] == 10
    before = int(demo.locator("input[type=range]").input_value())
    demo.locator("input[type=range]").press("ArrowRight")
    assert int(demo.locator("input[type=range]").input_value()) == before + 1


def test_every_control_has_a_name(chapter):
    """Nothing that can be worked is nameless to a screen reader, and the two "the" are told apart."""
    demo = chapter.demo("row-by-row")
    names = demo.locator("[role=radio]").evaluate_all("all => all.map(node => node.ariaLabel)")
    assert len(set(names)) == 11
    unnamed = demo.locator("button, input, [tabindex='0']").evaluate_all(
        "all => all.filter(node => !(node.ariaLabel || node.textContent.trim() || node.labels?.length)).length"
    )
    assert unnamed == 0
