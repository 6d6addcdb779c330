"""The gravity demo as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from demos import Gravity
from scipy.spatial.distance import pdist
from traitlets import TraitError

from attention.chapters.context import self_attention, similarity_scores, softmax

CHAPTER = "03_context"
SENTENCES = {"money": ["money", "bank", "grows"], "river": ["river", "bank", "flows"]}
SCRIPT = Path(__file__).with_name("gravity_page.js").read_text()
START = {"money": [2, 0], "bank": [1, 1], "grows": [1, 0], "river": [0, 2], "flows": [0, 1]}


# --- in Python ---


def test_gravity_takes_any_pair_of_numbers():
    """Lists, tuples and arrays are vectors, whole numbers and the border included, and start is what was given."""
    demo = Gravity(money=np.array([3, -1]), bank=(np.float32(0.5), 1), steps=np.int64(50))
    assert (demo.money, demo.bank, demo.grows, demo.steps) == ([3.0, -1.0], [0.5, 1.0], [1.0, 0.0], 50)
    demo.money = [0, 0]
    assert demo.start == START | {"money": [3, -1], "bank": [0.5, 1]}


@pytest.mark.parametrize(
    "guests", [[["loan", "river", 1, 0], ["loan", "money", 1, 0]], [["bank", "money", 1, 0]], [["fish", "sea", 1, 0]]]
)
def test_a_word_joins_one_sentence_from_the_tray(guests):
    """Each word of the tray may be in one place, in one of the two sentences."""
    with pytest.raises(TraitError, match="guests"):
        Gravity(guests=guests)


# --- one page for all tests ---


ELSEWHERE = {"bank": [0.5, 0.25], "flows": [-1, 3]}


def changed(html):
    """Put a second demo behind the chapter's, one that begins after two steps."""
    widget = re.compile(r'(?<=widget-state\+json">).*?(?=</script>)', re.DOTALL)
    saved = json.loads(widget.search(html)[0])
    name, entry = next((name, entry) for name, entry in saved["state"].items() if "flows" in entry["state"])
    given = Gravity(sentence="river", steps=2, **ELSEWHERE).get_state(["sentence", "steps", *START, "start"])
    saved["state"]["second"] = entry | {"state": entry["state"] | given}
    view = re.search(rf'<script type="application/vnd.jupyter.widget-view\+json">[^<]*{name}[^<]*</script>', html)[0]
    html = html.replace(view, view + view.replace(name, "second"))
    return widget.sub(lambda _: json.dumps(saved).replace("</", "<\\/"), html)


def in_page(demo, function, *given):
    """Call one of the functions that test_gravity.py has inside the page."""
    return demo.evaluate(f"(demo, given) => {{ {SCRIPT} return {function}(demo, given); }}", *given)


@pytest.fixture
def chapter(opened):
    """The chapter with the demo in its first state, at a desk, without motion; nothing fails or is requested."""
    if opened.page.viewport_size["width"] != 1280:
        resize(opened, 1280, 900)
    opened.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    opened.page.mouse.move(0, 0)
    opened.demo("gravity").evaluate("demo => { demo.querySelector('.drawer').open = true; }")
    in_page(opened.demo("gravity"), "reset")
    yield opened
    assert (opened.visit.errors, opened.visit.foreign) == ([], [])


# --- what a reader does ---


def choose(demo, sentence):
    """Choose the sentence whose weights are shown."""
    demo.locator(f".sentence input[value='{sentence}']").dispatch_event("click")


def axes(demo):
    """Return where the axes cross on the screen, and the pixels from there to [1, 1]."""
    box = "lines => lines.map(line => line.getBoundingClientRect().toJSON())"
    level, upright = demo.locator(".axes line").evaluate_all(box)
    assert upright["height"] == pytest.approx(level["width"])  # equal scales
    unit = level["width"] / 4
    return np.array([upright["x"], level["y"]]), np.array([unit, -unit])


def spot(demo, vector):
    """Return where a vector is on the screen."""
    origin, unit = axes(demo)
    return origin + unit * vector


def word(demo, name):
    """Return the disc of a word; after a step, both discs of bank."""
    return demo.get_by_role("slider", name=name, exact=True)


def carry(chapter, start, end):
    """Press the mouse at one place of the screen and let it go at another."""
    mouse = chapter.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=2)
    mouse.up()


def drag(chapter, start, end):
    """Carry what is at one vector to another."""
    demo = chapter.demo("gravity")
    carry(chapter, spot(demo, start), spot(demo, end))


def vectors(demo):
    """Return the vectors of the words as given, as a screen reader hears them."""
    texts = demo.get_by_role("slider").evaluate_all("all => all.map(node => [node.ariaLabel, node.ariaValueText])")
    numbers = {name: re.findall(r"−?[\d.]+", text) for name, text in texts}
    return {name: [float(number.replace("−", "-")) for number in pair] for name, pair in numbers.items()}


def steps(demo):
    """Return how often attention was applied."""
    return in_page(demo, "read")["steps"]


def says(demo):
    """Return the sentence below the demo."""
    return demo.locator(".says").inner_text().replace("\u00a0", " ")


# --- the numbers ---


def after(x, times):
    """Apply the reference's self-attention to the words of one sentence so many times."""
    for _ in range(times):
        x = self_attention(x)
    return x


def are_together(places, times):
    """Tell whether after so many steps no two words of a sentence are 0.01 apart any more."""
    sentences = (np.array([places[name] for name in words], float) for words in SENTENCES.values())
    return all(pdist(after(x, times)).max() < 0.01 for x in sentences)


def assert_attends(shown, places, times, sentence):
    """Compare all that the demo shows with the reference: its numbers, and where it draws discs and new banks."""
    both = {name: after(np.array([places[w] for w in words], float), times) for name, words in SENTENCES.items()}
    x = both[sentence]
    weights = softmax(similarity_scores(x))
    np.testing.assert_allclose(shown["weights"], weights.ravel(), rtol=1e-9, atol=1e-9)
    mass, pull = np.reshape(shown["masses"], (2, 3))
    np.testing.assert_allclose(mass, np.exp((x**2).sum(axis=1) / 2), rtol=1e-9)
    np.testing.assert_allclose(mass * pull / (mass @ pull), weights[1], rtol=1e-9, atol=1e-9)
    assert shown["steps"] == times
    for shares, one in zip(shown["shares"], both.values(), strict=True):
        np.testing.assert_allclose(shares, softmax(similarity_scores(one))[1], rtol=1e-9, atol=1e-9)
    assert_drawn(shown, both, times)


def pixels(shown, x):
    """Return where vectors belong in the picture."""
    level, upright = shown["axes"]
    unit = (level[2] - level[0]) / 4
    return np.array([upright[0], level[1]]) + [unit, -unit] * x


def assert_drawn(shown, both, times):
    """Compare discs, their areas and the new banks with what the reference says of the words' vectors."""
    unit = (shown["axes"][0][2] - shown["axes"][0][0]) / 4
    for i, x in enumerate(both.values()):
        of_bank = [] if times else shown["discs"][2]  # one bank for both sentences
        discs = np.array(sorted([*shown["discs"][i], *of_bank]))
        places = pixels(shown, x)
        radius = np.minimum(unit / 16 * np.exp((x**2).sum(axis=1) / 4), 0.36 * unit)  # an area of the mass
        wanted = np.column_stack([places, radius])
        np.testing.assert_allclose(discs, wanted[np.lexsort(wanted.T[::-1])], atol=0.01)
        new = self_attention(x)[1]
        np.testing.assert_allclose(shown["tips"][i][:2], new, atol=1e-9)
        np.testing.assert_allclose(shown["tips"][i][2:], pixels(shown, new), atol=0.01)


def test_every_number_is_the_references_step_after_step(chapter, rng):
    """Wherever the words are, and after every step, each number and disc of either sentence is the reference's."""
    corners = {"money": [3, 3], "bank": [-1, 3], "grows": [0, 0], "river": [3, -1], "flows": [-1, -1]}
    anywhere = [{name: (rng.integers(-10, 31, size=2) / 10).tolist() for name in START} for _ in range(4)]
    states = [START, corners, *anywhere]
    tenths = [
        {name: np.rint(np.subtract(place, START[name]) * 10).astype(int).tolist() for name, place in state.items()}
        for state in states
    ]
    walked = in_page(chapter.demo("gravity"), "walk", [tenths, 4])
    for state, seen in zip(states, walked, strict=True):
        steps_taken = next((times for times in range(5) if are_together(state, times)), 5)
        for times, shown in enumerate(seen):
            for one, sentence in zip(shown, SENTENCES, strict=True):
                assert_attends(one, state, min(times, steps_taken), sentence)
                assert one["over"] == (times >= steps_taken)


# Until both new banks are drawn and have hung still on their springs for ten frames.
TIPS_AT_REST = """async (demo) => {
  const tips = () => [...demo.querySelectorAll(".tips circle")].map((tip) => tip.outerHTML);
  for (let [still, before] = [0, ""]; still < 10; before = tips().join()) {
    await new Promise(requestAnimationFrame);
    still = tips().length === 2 && tips().join() === before ? still + 1 : 0;
  }
}"""


def test_a_demo_begins_after_the_steps_that_it_is_given(opened):
    """What Python set is what the page opens with: the sentence, the vectors, and places after so many steps."""
    opened.page.emulate_media(reduced_motion="reduce")
    second = opened.page.locator(".gravity").nth(1)
    second.scroll_into_view_if_needed()
    second.evaluate(TIPS_AT_REST)
    assert_attends(in_page(second, "read"), START | ELSEWHERE, 2, "river")


# --- apply again ---


def test_words_fall_together_and_then_nothing_can_be_applied(chapter):
    """Each press is counted; after three the words are together, the button rests, and all can start again."""
    demo = chapter.demo("gravity")
    for _ in range(4):
        demo.locator(".actions button").first.dispatch_event("click")
    shown = in_page(demo, "read")
    assert (shown["steps"], shown["over"]) == (3, True)
    demo.get_by_role("button", name="Start again").click()
    assert_attends(in_page(demo, "read"), START, 0, "money")


def test_the_button_goes_on_while_it_is_held(chapter):
    """Held down, it applies attention again and again, and letting it go adds nothing."""
    demo = chapter.demo("gravity")
    demo.locator(".actions button").first.hover()
    chapter.page.mouse.down()
    chapter.page.wait_for_function("demo => demo.querySelector('[data-steps=\"2\"]')", arg=demo.element_handle())
    chapter.page.mouse.up()
    held = steps(demo)
    demo.locator(".actions button").first.click()
    assert steps(demo) == min(held + 1, 3)


def test_words_that_stay_apart_end_at_the_fiftieth_step(chapter):
    """Long vectors that point apart never meet, so the button rests after fifty steps."""
    demo = chapter.demo("gravity")
    drag(chapter, [2, 0], [3, -1])
    drag(chapter, [1, 1], [-1, 3])
    in_page(demo, "applyToTheEnd")
    assert steps(demo) == 50


def test_a_word_that_is_moved_after_a_step_begins_anew(chapter):
    """It begins where it is dropped, or a nudge from where it was; the others go back, and so does the counter."""
    demo = chapter.demo("gravity")
    again = demo.locator(".actions button").first
    again.click()
    river = np.array([START[name] for name in SENTENCES["river"]], float)
    drag(chapter, self_attention(river)[0], [0.5, -0.5])
    assert (steps(demo), vectors(demo)) == (0, START | {"river": [0.5, -0.5]})
    again.click()
    word(demo, "grows").press("Shift+ArrowUp")
    assert (steps(demo), vectors(demo)) == (0, START | {"river": [0.5, -0.5], "grows": [1, 0.5]})
    assert_attends(in_page(demo, "read"), vectors(demo), 0, "money")


def test_what_flies_and_swings_comes_to_rest_where_it_belongs(chapter):
    """With motion, words glide and the new banks swing; then everything is where it is without."""
    demo = chapter.demo("gravity")
    chapter.page.emulate_media(reduced_motion="no-preference")
    demo.locator(".actions button").first.click()
    demo.locator(".actions button").first.click()
    x = np.array([START[name] for name in SENTENCES["money"]], float)
    goal = self_attention(after(x, 2))[1].tolist()
    chapter.page.wait_for_function(
        "([tip, goal]) => tip.dataset.value.split(',').every((value, i) => Math.abs(value - goal[i]) < 1e-9)",
        arg=[demo.locator(".tips circle").first.element_handle(), goal],
    )
    disc = demo.locator(".word .money").first
    numbers = pixels(in_page(demo, "read"), after(x, 2))[0].tolist()
    chapter.page.wait_for_function(
        "([disc, numbers]) => disc.getAttribute('transform').match(/-?[\\d.]+/g)"
        ".every((value, i) => Math.abs(value - numbers[i]) < 0.005)",
        arg=[disc.element_handle(), numbers],
    )
    assert_attends(in_page(demo, "read"), START, 2, "money")


# --- the tray ---


def test_a_word_from_the_tray_joins_the_chosen_sentence_and_leaves_it(chapter):
    """By a click, by the keyboard, and carried to where it is wanted; carried out of the plane it is gone."""
    demo = chapter.demo("gravity")
    demo.evaluate("demo => { demo.querySelector('.drawer').open = false; }")  # it lies over the tray
    chip = demo.get_by_role("button", name="boat", exact=True)
    chip.click()
    assert vectors(demo)["boat"] == [0.25, 1.75]
    x = np.array([[2, 0], [1, 1], [1, 0], [0.25, 1.75]])
    np.testing.assert_allclose(in_page(demo, "read")["shares"][0], softmax(similarity_scores(x))[1], rtol=1e-9)
    chip.press("Enter")
    assert vectors(demo) == START
    middle = "e => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }"
    carry(chapter, chip.evaluate(middle), spot(demo, [2, 2]))
    assert vectors(demo)["boat"] == [2, 2]
    carry(chapter, spot(demo, [2, 2]), chip.evaluate(middle))
    assert vectors(demo) == START


def test_a_word_that_joins_has_the_hue_of_its_sentence(chapter):
    """Dropped into the money sentence, "boat" looks like "money", and every part of the bar is named."""
    demo = chapter.demo("gravity")
    for name in ("loan", "boat"):
        demo.get_by_role("button", name=name, exact=True).click()
    hue = "node => getComputedStyle(node).getPropertyValue('--tone')"
    assert word(demo, "boat").locator("g").evaluate(hue) == word(demo, "money").locator("g").evaluate(hue)
    named = demo.locator(".card.money .names small").all_inner_texts()
    assert [text.split()[0] for text in named] == ["money", "bank", "grows", "loan", "boat"]


def test_the_field_is_of_the_words_that_pull(chapter):
    """Each other word of the chosen sentence has a halo, the stronger the more bank takes of it."""
    demo = chapter.demo("gravity")
    halos = demo.locator(".halos circle").evaluate_all("all => all.map(node => +node.style.opacity)")
    share, _, grows = softmax(similarity_scores(np.array([START[name] for name in SENTENCES["money"]], float)))[1]
    assert halos[0] / halos[1] == pytest.approx(share / grows, rel=1e-3)
    texts = demo.locator(".labels .below").all_text_contents()
    assert [text for text in texts if text] == ["keeps 0.42", "takes 0.42", "0.16"]


def test_the_tray_says_which_sentence_a_word_joins(chapter):
    """It names the chosen one, in its hue."""
    demo = chapter.demo("gravity")
    tray = demo.locator(".tray > span").first
    assert tray.inner_text() == "Drop a word into money bank grows:"
    choose(demo, "river")
    assert tray.inner_text() == "Drop a word into river bank flows:"


def test_a_spring_under_the_mouse_says_where_it_leads(chapter):
    """Half way from bank to its new place."""
    demo = chapter.demo("gravity")
    chapter.page.mouse.move(*spot(demo, [1.2, 0.8]))
    told = "This spring leads to the new bank of “money bank grows”, [1.4223, 0.4223]."
    assert demo.locator(".probe").inner_text().replace("\u00a0", " ") == told


def test_the_axes_have_numbers(chapter):
    """Each whole number stands where it belongs, on both axes."""
    demo = chapter.demo("gravity")
    boxes = "all => all.map(node => [node.textContent, node.getBoundingClientRect().toJSON()])"
    ticks = [(text, box) for text, box in demo.locator(".axes text").evaluate_all(boxes) if "→" not in text]
    assert [text for text, _ in ticks] == [text for text in ["−1", "0", "1", "2", "3"] for _ in range(2)]
    for value, ((_, below), (_, beside)) in zip(range(-1, 4), zip(ticks[::2], ticks[1::2], strict=True), strict=True):
        x, y = spot(demo, [value, value])
        assert below["x"] + below["width"] / 2 == pytest.approx(x, abs=2)
        assert beside["y"] + beside["height"] / 2 == pytest.approx(y, abs=3)


def test_a_disc_at_the_border_stays_on_the_ground(chapter):
    """The heaviest word in a corner does not overhang the plane."""
    demo = chapter.demo("gravity")
    ground = demo.locator(".axes rect").bounding_box()
    for start, end in (([2, 0], [3, 3]), ([3, 3], [3, -1]), ([3, -1], [-1, 3])):
        drag(chapter, start, end)
        disc = word(demo, "money").locator(".disc").bounding_box()
        assert ground["x"] <= disc["x"]
        assert ground["y"] <= disc["y"]
        assert disc["x"] + disc["width"] <= ground["x"] + ground["width"]
        assert disc["y"] + disc["height"] <= ground["y"] + ground["height"]


def test_all_numbers_cover_nothing(chapter):
    """Opened, the drawer is below the cards and the tray, and no column is cut off, with seven words, too."""
    demo = chapter.demo("gravity")
    for name in ("loan", "deposit", "boat", "fish"):
        demo.get_by_role("button", name=name, exact=True).click()
    side, drawer = (demo.locator(name).bounding_box() for name in (".side", ".drawer"))
    assert side["y"] + side["height"] <= drawer["y"]
    table = demo.locator(".weights").bounding_box()
    assert table["x"] + table["width"] <= demo.bounding_box()["x"] + demo.bounding_box()["width"]


def test_no_word_covers_the_name_of_an_axis(chapter):
    """Even in the corner where the first axis ends, its name is outside what a disc can reach."""
    demo = chapter.demo("gravity")
    for start, end in (([2, 0], [3, 0]), ([3, 0], [3, -0.5]), ([3, -0.5], [0, 3])):
        drag(chapter, start, end)
        disc = word(demo, "money").locator(".disc").bounding_box()
        for text in demo.locator(".axes text").all():
            box = text.bounding_box()
            apart = box["x"] >= disc["x"] + disc["width"] or disc["x"] >= box["x"] + box["width"]
            assert apart or box["y"] >= disc["y"] + disc["height"] or disc["y"] >= box["y"] + box["height"]


# --- the words ---


def test_the_sentence_follows_and_is_spoken(chapter):
    """It follows a drag and the choice of a sentence, and a screen reader hears it."""
    demo = chapter.demo("gravity")
    drag(chapter, [2, 0], [3, 0])
    assert "66.5%" in says(demo)
    choose(demo, "river")
    assert "42.2%" in says(demo)
    demo.locator("[aria-live=polite]").filter(has_text="42.2%").wait_for()


# --- mouse and keyboard ---


def test_a_drag_outside_goes_on_along_the_border(chapter):
    """The mouse keeps the word that it took, leaves it at the border when it goes too far, and drops it anywhere."""
    mouse, demo = chapter.page.mouse, chapter.demo("gravity")
    mouse.move(*spot(demo, [2, 0]))
    mouse.down()
    mouse.move(1270, 2)
    assert vectors(demo)["money"] == [3, 3]
    mouse.move(*spot(demo, [-0.5, 0.5]))
    assert vectors(demo)["money"] == [-0.5, 0.5]
    mouse.move(2, 890)
    mouse.up()
    mouse.move(*spot(demo, [0, 0]))
    assert vectors(demo) == START | {"money": [-1, -1]}


def test_the_keyboard_alone_works_it(chapter):
    """Tab reaches each word, the sentences and the buttons; arrows move a word, with Shift in larger steps."""
    demo = chapter.demo("gravity")
    chapter.enter_from_above(demo)
    for name in START:
        chapter.press("Tab")
        assert chapter.focused().startswith(f"slider {name}")
        chapter.press("ArrowRight", "ArrowRight", "Shift+ArrowUp", "ArrowDown")
    moved = {name: [round(x + 0.2, 1), round(min(y + 0.5, 3) - 0.1, 1)] for name, (x, y) in START.items()}
    assert vectors(demo) == moved
    chapter.press("Tab", "Enter", "Enter")
    assert_attends(in_page(demo, "read"), moved, 2, "money")
    chapter.press("Tab", "Tab", "ArrowDown")
    assert_attends(in_page(demo, "read"), moved, 2, "river")
    chapter.press("Shift+Tab", "Enter")
    assert_attends(in_page(demo, "read"), START, 0, "river")


def test_every_control_has_a_name(chapter):
    """Nothing that can be worked is nameless to a screen reader."""
    controls = re.findall(r"- '?(button|radio|slider|group)\b(.*)", chapter.demo("gravity").aria_snapshot())
    assert len(controls) >= 5 + 2 + 2 + 4 + 3  # words, sentences, buttons, the tray, groups
    assert all(re.search(r'"[^"]+"', rest) for kind, rest in controls if kind != "group")


# --- telephone, light and dark ---


def touch(session, kind, *points):
    """Send one event of a finger, in Chromium's own way, so that the browser scrolls where it would."""
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def swipe(chapter, start, end):
    """Put a finger down at one point, move it to another, and lift it."""
    session = chapter.page.context.new_cdp_session(chapter.page)
    touch(session, "touchStart", start)
    for share in np.linspace(0, 1, 7):
        touch(session, "touchMove", tuple(np.add(np.multiply(1 - share, start), np.multiply(share, end))))
    touch(session, "touchEnd")


def await_new_size(chapter):
    """Wait until the plane is drawn as wide as its box, which happens a frame after the box has changed."""
    chapter.page.wait_for_function(
        "(e => e.clientWidth === e.firstChild.clientWidth)(document.querySelector('.gravity .plane'))"
    )


def resize(chapter, width, height):
    """Make the page so wide, and wait until the plane is drawn anew."""
    chapter.page.set_viewport_size({"width": width, "height": height})
    await_new_size(chapter)


def test_a_word_follows_the_mouse_in_the_whole_window(chapter):
    """Enlarged, the drawing's units are no longer the screen's."""
    demo = chapter.demo("gravity")
    usual = axes(demo)[1][0]
    chapter.page.get_by_role("button", name="Whole window").first.click()
    await_new_size(chapter)
    assert axes(demo)[1][0] > 1.1 * usual
    drag(chapter, [2, 0], [0.5, 1.5])
    chapter.press("Escape")
    assert vectors(demo) == START | {"money": [0.5, 1.5]}


def test_a_finger_drags_a_word_and_scrolls_beside_it(chapter):
    """On a phone, a word follows the finger while the page stays; the empty plane scrolls the page."""
    demo = chapter.demo("gravity")
    resize(chapter, 375, 700)
    chapter.press("Shift")  # a reader at work: what was read before the turn is held no longer
    demo.evaluate("e => scrollTo(0, e.getBoundingClientRect().top + scrollY - 60)")
    before = chapter.page.evaluate("scrollY")
    swipe(chapter, spot(demo, [1, 1]), spot(demo, [-0.5, 0.5]))
    assert vectors(demo)["bank"] == [-0.5, 0.5]
    assert chapter.page.evaluate("scrollY") == before
    swipe(chapter, spot(demo, [2.5, 0.5]), spot(demo, [2.5, 2]))
    chapter.page.wait_for_function(f"scrollY > {before} + 20")
    assert vectors(demo) == START | {"bank": [-0.5, 0.5]}
    # The theme sees to its tables a moment after the width has changed.
    chapter.page.wait_for_function("document.documentElement.scrollWidth <= 375")


def test_the_plane_leads_and_no_label_covers_another(chapter):
    """Wide or narrow, the demo is not too wide, the plane comes first, and from step to step all names can be read."""
    demo = chapter.demo("gravity")
    demo.evaluate("demo => { demo.querySelector('.drawer').open = false; }")
    for width, tallest in ((1280, 625), (375, 800)):
        resize(chapter, width, 900)
        assert chapter.page.evaluate("document.documentElement.scrollWidth") <= width
        assert demo.bounding_box()["height"] <= tallest
        tops = "demo => [demo.querySelector('svg'), demo].map((each) => each.getBoundingClientRect().top)"
        plane, top = demo.evaluate(tops)
        assert plane < top + 20
        for labels, box in in_page(demo, "labels"):
            assert all(box["left"] - 4 <= label["left"] and label["right"] <= box["right"] + 4 for label in labels)
            for one, other in combinations(labels, 2):
                apart = one["right"] <= other["left"] or other["right"] <= one["left"]
                assert apart or one["bottom"] <= other["top"] + 3 or other["bottom"] <= one["top"] + 3


def test_text_can_be_read_in_light_and_dark(chapter):
    """All text has a contrast of 4.5 to 1 or more, with nearly all weight in one cell, and with the button at rest."""
    demo = chapter.demo("gravity")
    drag(chapter, [1, 1], [3, 3])
    for _ in chapter.in_light_and_dark():
        measured = chapter.contrasts(demo)
        in_page(demo, "applyToTheEnd")
        measured += chapter.contrasts(demo)
        assert len(measured) > 60
        assert [(ratio, text) for ratio, text in measured if ratio < 4.5] == []
        in_page(demo, "reset")
