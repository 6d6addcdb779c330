"""The gravity demo as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from demos import Gravity
from scipy.spatial.distance import pdist

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
    upright, level = demo.locator(".axes .zero").evaluate_all(box)
    assert upright["height"] == pytest.approx(level["width"])  # equal scales
    unit = level["width"] / 4
    return np.array([upright["x"], level["y"]]), np.array([unit, -unit])


def spot(demo, vector):
    """Return where a vector is on the screen."""
    origin, unit = axes(demo)
    return origin + unit * vector


def word(demo, name):
    """Return the dot of a word; after a step, both dots of bank."""
    return demo.get_by_role("slider", name=name, exact=True)


def drag(chapter, start, end):
    """Press the mouse at one vector and let it go at another."""
    mouse, demo = chapter.page.mouse, chapter.demo("gravity")
    mouse.move(*spot(demo, start))
    mouse.down()
    mouse.move(*spot(demo, end), steps=2)
    mouse.up()


def vectors(demo):
    """Return the static vectors of the five words, as a screen reader hears them."""
    texts = demo.get_by_role("slider").evaluate_all("all => all.map(node => [node.ariaLabel, node.ariaValueText])")
    numbers = {name: re.findall(r"−?[\d.]+", text) for name, text in texts}
    return {name: [float(number.replace("−", "-")) for number in pair] for name, pair in numbers.items()}


def steps(demo):
    """Return how often attention was applied."""
    return int(demo.locator(".count").get_attribute("data-value"))


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
    """Compare all that the demo shows with the reference: its numbers, and where it draws dots, arrows and lines."""
    both = {name: after(np.array([places[w] for w in words], float), times) for name, words in SENTENCES.items()}
    x = both[sentence]
    weights = softmax(similarity_scores(x))
    np.testing.assert_allclose(shown["weights"], weights.ravel(), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(shown["thickness"], 16 * weights[1], rtol=1e-4, atol=1e-4)
    mass, pull = np.reshape(shown["masses"], (2, 3))
    np.testing.assert_allclose(mass, np.exp((x**2).sum(axis=1) / 2), rtol=1e-9)
    np.testing.assert_allclose(mass * pull / (mass @ pull), weights[1], rtol=1e-9, atol=1e-9)
    assert shown["count"] == times
    assert_drawn(shown, both)


def pixels(shown, x):
    """Return where vectors belong in the picture."""
    upright, level = shown["zeros"]
    unit = (level[2] - level[0]) / 4
    return np.array([upright[0], level[1]]) + [unit, -unit] * x


def assert_drawn(shown, both):
    """Compare dots, triangles and the ends of the arrows with where the old and the new vectors belong."""
    for i, (name, x) in enumerate(both.items()):
        old, new = pixels(shown, x), pixels(shown, self_attention(x))
        np.testing.assert_allclose(sorted(shown["dots"][i]), sorted(old.tolist()), atol=0.01)
        np.testing.assert_allclose(shown["triangles"][i], old.ravel(), atol=0.01)
        arrows = [numbers for of, numbers in shown["arrows"] if of == name]
        for numbers, start, end in zip(arrows, old, new, strict=True):
            if np.hypot(*(end - start)) > 1:
                np.testing.assert_allclose([numbers[:2], numbers[4:6]], [start, end], atol=0.01)


def test_every_number_is_the_references_step_after_step(chapter, rng):
    """Wherever the words are, and after every step, each number and line of either sentence is the reference's."""
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


def test_a_demo_begins_after_the_steps_that_it_is_given(opened):
    """What Python set is what the page opens with: the sentence, the vectors, and places after so many steps."""
    second = opened.page.locator(".gravity").nth(1)
    assert_attends(in_page(second, "read"), START | ELSEWHERE, 2, "river")


def test_one_static_bank_has_two_contextual_ones(chapter):
    """The worked numbers: beside money the new bank is [1.4223, 0.4223], beside the river it is [0.4223, 1.4223]."""
    shown = in_page(chapter.demo("gravity"), "read")
    assert shown["labels"][:2] == [["money bank", "[1.42, 0.422]"], ["river bank", "[0.422, 1.42]"]]
    assert says(chapter.demo("gravity")) == (
        "“bank” takes 42.2% from “money”, 42.2% from itself and 15.5% from “grows”, and moves to [1.4223, 0.4223], "
        "towards “money”. In “river bank flows” the same vector moves to [0.4223, 1.4223], towards “river”. "
        "The words of “money bank grows” are up to 1.4142 apart."
    )


def test_the_two_banks_are_told_apart_without_colour(chapter):
    """Both arrows are named where they end, and one of them is dashed, as it is beside its sentence."""
    demo = chapter.demo("gravity")
    dashes = "paths => paths.map(path => getComputedStyle(path).strokeDasharray)"
    assert demo.locator(".arrows .on").evaluate_all(dashes) == ["none", "5px, 3px"]
    swatch = "all => all.map(option => getComputedStyle(option, '::before').borderTopStyle)"
    assert demo.locator(".option").evaluate_all(swatch) == ["solid", "dashed"]


# --- apply again ---


def test_words_fall_together_and_then_nothing_can_be_applied(chapter):
    """Each press is counted and said; after three the words are together, the button rests, and all can start again."""
    demo = chapter.demo("gravity")
    again = demo.get_by_role("button", name="Apply again")
    said = []
    for _ in range(4):
        again.dispatch_event("click")
        said.append(says(demo))
    assert "After 1 step “bank” is at [1.4223, 0.4223] in “money bank grows” and at [0.4223, 1.4223] in" in said[0]
    assert "up to 0.4824 apart. Next, “bank” moves to [1.6194, 0.2273]" in said[0]
    assert said[2].endswith("In each sentence the words have fallen together: they are less than 0.01 apart.")
    assert (said[3], steps(demo), again.get_attribute("aria-disabled")) == (said[2], 3, "true")
    shown = in_page(demo, "read")
    assert [name for name, _ in shown["labels"]] == ["money bank grows", "river bank flows"]
    demo.get_by_role("button", name="Start again").click()
    assert (steps(demo), again.get_attribute("aria-disabled")) == (0, "false")
    assert_attends(in_page(demo, "read"), START, 0, "money")


def test_words_that_stay_apart_end_at_the_fiftieth_step(chapter):
    """Long vectors that point apart never meet, so the button rests after fifty steps, and the sentence says so."""
    demo = chapter.demo("gravity")
    drag(chapter, [2, 0], [3, -1])
    drag(chapter, [1, 1], [-1, 3])
    in_page(demo, "applyToTheEnd")
    assert steps(demo) == 50
    assert re.search(r"up to [3-5]\.\d+ apart\. This demo goes no further than 50 steps\.$", says(demo))


def test_a_word_that_is_moved_after_a_step_begins_anew(chapter):
    """It begins where it is dropped, or a nudge from where it was; the others go back, and so does the counter."""
    demo = chapter.demo("gravity")
    again = demo.get_by_role("button", name="Apply again")
    again.click()
    assert demo.get_by_text("Moving a word puts the others back and starts again at 0.").is_visible()
    drag(chapter, self_attention(np.array([START[name] for name in SENTENCES["river"]], float))[1], [0.5, -0.5])
    assert (steps(demo), vectors(demo)) == (0, START | {"bank": [0.5, -0.5]})
    again.click()
    word(demo, "grows").press("Shift+ArrowUp")
    assert (steps(demo), vectors(demo)) == (0, START | {"bank": [0.5, -0.5], "grows": [1, 0.5]})
    assert_attends(in_page(demo, "read"), vectors(demo), 0, "money")


def assert_flies(shown, x):
    """Compare the words of the first sentence with where they are on their way."""
    np.testing.assert_allclose(shown["triangles"][0], pixels(shown, x).ravel(), atol=0.01)


def test_words_fly_and_every_flight_ends_cleanly(chapter):
    """In 300 ms words go from old places to new; a further step goes on from there; a restart or a move ends it."""
    demo = chapter.demo("gravity")
    chapter.page.emulate_media(reduced_motion="no-preference")
    seen = in_page(demo, "fly")
    x = np.array([START[name] for name in SENTENCES["money"]], float)
    for shown, share in zip(seen["whole"], (0, 7 / 8, 1), strict=True):  # half of the time: 1 - (1/2)³ of the way
        assert_flies(shown, x + share * (after(x, 1) - x))
        assert shown["count"] == 1
    between = after(x, 1) + 7 / 8 * (after(x, 2) - after(x, 1))
    for shown, wanted in zip(seen["twice"], (after(x, 1), between, between, after(x, 3)), strict=True):
        assert_flies(shown, wanted)
    for shown in seen["stopped"][2:]:
        assert_attends(shown, START, 0, "money")
    for shown in seen["moved"][2:]:
        assert_attends(shown, START | {"money": [2.1, 0]}, 0, "money")
    assert seen["left"] == 0


# --- the words ---


def test_the_sentence_follows_and_is_spoken(chapter):
    """It follows a drag and the choice of a sentence, a screen reader hears it, and numbers have a 0 in front."""
    demo = chapter.demo("gravity")
    drag(chapter, [2, 0], [3, 0])
    assert says(demo).startswith("“bank” takes 66.5% from “money”, 24.5% from itself and 9.0% from")
    choose(demo, "river")
    assert says(demo).startswith("“bank” takes 42.2% from “river”")
    drag(chapter, [1, 1], [0, 0])
    demo.locator("[aria-live=polite]").filter(has_text="its score with every word is 0, so it takes a third").wait_for()
    assert not re.search(r"(?<!\d)\.\d", demo.inner_text())


# --- mouse and keyboard ---


def test_a_drag_outside_goes_on_along_the_border(chapter):
    """The mouse keeps the word that it took, leaves it at the border when it goes too far, and drops it anywhere."""
    mouse, demo = chapter.page.mouse, chapter.demo("gravity")
    mouse.move(*np.add(spot(demo, [2, 0]), (6, -4)))  # not quite in the middle: the word does not jump to the mouse
    mouse.down()
    assert vectors(demo) == START
    mouse.move(1270, 2)
    assert vectors(demo)["money"] == [3, 3]
    mouse.move(*np.add(spot(demo, [-0.5, 0.5]), (6, -4)))
    assert vectors(demo)["money"] == [-0.5, 0.5]
    mouse.move(2, 890)
    mouse.up()
    mouse.move(*spot(demo, [0, 0]))
    assert vectors(demo) == START | {"money": [-1, -1]}


def test_the_nearest_word_is_taken(chapter):
    """Of two words so close that one can be pressed for the other, the one under the mouse moves and has the focus."""
    drag(chapter, [2, 0], [1.1, 1])
    drag(chapter, [1.1, 1], [1.2, 2])
    assert vectors(chapter.demo("gravity")) == START | {"money": [1.2, 2]}
    assert chapter.focused().startswith("slider money")


def test_the_keyboard_alone_works_it(chapter):
    """Tab reaches each word, the buttons and the sentences; arrows move a word, with Shift in larger steps."""
    demo = chapter.demo("gravity")
    chapter.enter_from_above(demo)
    for name in START:
        chapter.press("Tab")
        assert chapter.focused().startswith(f"slider {name}")
        ring = "getComputedStyle(document.activeElement.querySelector('.ring')).stroke"
        assert chapter.page.evaluate(ring) != "none"
        scrolled = chapter.page.evaluate("scrollY")
        chapter.press("ArrowRight", "ArrowRight", "Shift+ArrowUp", "ArrowDown")
        assert chapter.page.evaluate("scrollY") == scrolled
    moved = {name: [round(x + 0.2, 1), round(min(y + 0.5, 3) - 0.1, 1)] for name, (x, y) in START.items()}
    assert vectors(demo) == moved
    chapter.press("Tab", "Enter", "Enter")
    assert "Apply again" in chapter.focused()
    assert_attends(in_page(demo, "read"), moved, 2, "money")
    chapter.press("Tab", "Tab", "ArrowDown")
    assert_attends(in_page(demo, "read"), moved, 2, "river")
    chapter.press("Shift+Tab", "Enter")
    assert_attends(in_page(demo, "read"), START, 0, "river")


def test_every_control_has_a_name(chapter):
    """Nothing that can be worked is nameless to a screen reader."""
    controls = re.findall(r"- '?(button|radio|slider|group)\b(.*)", chapter.demo("gravity").aria_snapshot())
    assert len(controls) == 5 + 2 + 2 + 3  # words, buttons, sentences, and the groups: demo, plane, sentences
    assert all(re.search(r'"[^"]+"', rest) for _, rest in controls)


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
    assert axes(demo)[1][0] > 1.5 * usual
    drag(chapter, [2, 0], [0.5, 1.5])
    chapter.press("Escape")
    assert vectors(demo) == START | {"money": [0.5, 1.5]}


def test_a_finger_drags_a_word_and_scrolls_beside_it(chapter):
    """On a phone, a word follows the finger while the page stays; the empty plane scrolls the page."""
    demo = chapter.demo("gravity")
    resize(chapter, 375, 700)
    chapter.press("Shift")  # a reader at work: what was read before the turn is held no longer
    for control in (word(demo, "bank"), *demo.get_by_role("button").all(), *demo.get_by_role("radio").all()):
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 40
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
    for width, tallest in ((1280, 600), (375, 960)):
        resize(chapter, width, 900)
        assert chapter.page.evaluate("document.documentElement.scrollWidth") <= width
        assert demo.bounding_box()["height"] <= tallest
        tops = "demo => [demo.querySelector('svg'), demo].map((each) => each.getBoundingClientRect().top)"
        plane, top = demo.evaluate(tops)
        assert plane < top + 20
        for labels, box in in_page(demo, "labels"):
            assert all(box["left"] - 16 <= label["left"] and label["right"] <= box["right"] + 16 for label in labels)
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
        assert len(measured) > 80
        assert [(ratio, text) for ratio, text in measured if ratio < 4.5] == []
        in_page(demo, "reset")
