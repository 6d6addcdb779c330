"""The gravity demo as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import re
from itertools import combinations

import numpy as np
import pytest
from demos import Gravity
from traitlets import TraitError

from autograder.reference.context import self_attention, similarity_scores, softmax

CHAPTER = "03_context"
SENTENCES = {"money": ["money", "bank", "grows"], "river": ["river", "bank", "flows"]}
START = {"money": [2, 0], "bank": [1, 1], "grows": [1, 0], "river": [0, 2], "flows": [0, 1]}


# --- in Python ---


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"money": [1, 2, 3]}, r"money as two numbers from -3 to 3, got \[1, 2, 3\]: write money=\[2, 0\]"),
        ({"bank": [[1, 1], [1, 1]]}, r"bank as two numbers from -3 to 3, got \[\[1, 1\], \[1, 1\]\]: write bank="),
        ({"grows": np.ones(5)}, "grows as two numbers"),
        ({"river": np.array(2.0)}, r"river as two numbers from -3 to 3, got 2\.0"),
        ({"flows": 1}, "flows as two numbers"),
        ({"flows": None}, "flows as two numbers"),
        ({"money": (float("nan"), 0)}, r"got \(nan, 0\)"),
        ({"money": np.array([0, np.inf])}, r"got \[0\.0, inf\]"),
        ({"bank": [0, -3.01]}, r"from -3 to 3, got \[0, -3\.01\]"),
        ({"bank": (np.int8(-128), 0)}, "bank as two numbers"),
        ({"grows": "10"}, "got '10'"),
        ({"grows": ["1", "0"]}, r"got \['1', '0'\]"),
        ({"river": [True, False]}, r"got \[True, False\]"),
        ({"river": np.array([True, False])}, r"got \[True, False\]"),
        ({"sentence": "bank"}, 'sentence as one word of "money" or "river", got \'bank\''),
        ({"chosen": 3}, "chosen from 0 to 2, got 3: a sentence has three words"),
        ({"chosen": -1}, "chosen as a whole number from 0"),
    ],
)
def test_gravity_refuses_what_it_cannot_show(wrong, message):
    """A wrong vector, sentence or word is told what was expected, what came, and what to write."""
    with pytest.raises(TraitError, match=message):
        Gravity(**wrong)


def test_gravity_takes_any_pair_of_numbers():
    """Lists, tuples and arrays are vectors, whole numbers and the border included, and start is what was given."""
    demo = Gravity(money=np.array([3, -3]), bank=(np.float32(0.5), 1))
    assert (demo.money, demo.bank, demo.grows) == ([3.0, -3.0], [0.5, 1.0], [1.0, 0.0])
    demo.money = [0, 0]
    assert demo.start == START | {"money": [3, -3], "bank": [0.5, 1]}


# --- what a reader does ---


def choose(demo, trait, value):
    """Choose a sentence, or the word whose pull is drawn."""
    demo.locator(f".{trait} input[value='{value}']").dispatch_event("click")


def axes(demo):
    """Bring the plane into sight; return where its axes cross on the screen, and the pixels from there to [1, 1]."""
    demo.locator("svg").scroll_into_view_if_needed()
    box = "lines => lines.map(line => line.getBoundingClientRect().toJSON())"
    upright, level = demo.locator(".axes .zero").evaluate_all(box)
    assert upright["height"] == pytest.approx(level["width"])  # equal scales
    unit = level["width"] / 6
    return np.array([upright["x"], level["y"]]), np.array([unit, -unit])


def spot(demo, vector):
    """Return where a vector is on the screen."""
    origin, unit = axes(demo)
    return origin + unit * vector


def word(demo, name):
    """Return the dot of a word."""
    return demo.get_by_role("slider", name=name, exact=True)


def drag(chapter, start, end):
    """Press the mouse at one vector and let it go at another."""
    mouse, demo = chapter.page.mouse, chapter.demo("gravity")
    mouse.move(*spot(demo, start))
    mouse.down()
    mouse.move(*spot(demo, end), steps=2)
    mouse.up()


def vectors(chapter):
    """Return the vectors of the three words, as the demo shows them."""
    return chapter.numbers(chapter.demo("gravity"), ".old td").reshape(3, 2).tolist()


# --- the numbers ---


def assert_attends(chapter, x, chosen):
    """Compare every number that the demo shows with the reference, and the picture with the numbers."""
    demo, x = chapter.demo("gravity"), np.array(x, dtype=float)
    weights, output = softmax(similarity_scores(x)), self_attention(x)
    wanted = {
        ".old td": x,
        ".scores td": similarity_scores(x),
        ".weights td": weights,
        ".output td": output,
        ".labels .weight": weights[chosen],
    }
    for selector, shown in zip(wanted, chapter.numbers(demo, *wanted), strict=True):
        np.testing.assert_allclose(shown, wanted[selector].ravel(), rtol=1e-9, atol=1e-9, err_msg=selector)
    thickness = demo.locator(".pulls line").evaluate_all("lines => lines.map(l => parseFloat(l.style.strokeWidth))")
    np.testing.assert_allclose(thickness, 16 * weights[chosen], rtol=1e-4, atol=1e-4)
    assert_arrows(demo, x, output)


def assert_arrows(demo, x, output):
    """Compare the triangle and the ends of the arrows with where the old and the new vectors belong."""
    outlines = demo.locator(".arrows path").evaluate_all("paths => paths.map(path => path.getAttribute('d'))")
    origin, unit = axes(demo)
    corner = demo.locator("svg").bounding_box()
    ends = origin + unit * np.stack([x, output], axis=1) - (corner["x"], corner["y"])  # (3 words, old and new, 2)
    triangle = demo.locator(".pulls polygon").get_attribute("points").split(",")
    np.testing.assert_allclose(np.array(triangle, dtype=float), ends[:, 0].ravel(), atol=0.1)
    for outline, (old, new) in zip(outlines, ends, strict=True):
        numbers = [float(number) for number in re.findall(r"[-.\d]+", outline)]
        if np.hypot(*(new - old)) > 1:
            np.testing.assert_allclose([numbers[:2], numbers[4:6]], [old, new], atol=0.1)


PLACES = (
    ([-3, 3], [2.35, -1.6], [0, 0]),
    ([3, 0.05], [-0.75, -0.7], [1.1, 3]),
    ([0, 0], [-3, -3], [3, -3]),
    ([1.5, 0.5], [1.5, 1], [-0.2, 2.65]),
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_number_is_the_references(chapter, sentence):
    """Wherever the words are dragged, each number on show equals the reference's, and so do arrows and lines."""
    demo = chapter.demo("gravity")
    choose(demo, "sentence", sentence)
    x = [START[name] for name in SENTENCES[sentence]]
    assert_attends(chapter, x, 1)
    for places in PLACES:
        for i, place in enumerate(places):
            drag(chapter, x[i], place)
            x[i] = place
            choose(demo, "chosen", i)
            assert_attends(chapter, x, i)


def test_one_static_bank_has_two_contextual_ones(chapter):
    """The worked numbers: beside money the new bank is [1.4223, .4223], beside the river it is [.4223, 1.4223]."""
    demo = chapter.demo("gravity")
    for sentence, new in (("money", [1.4223, 0.4223]), ("river", [0.4223, 1.4223])):
        choose(demo, "sentence", sentence)
        assert vectors(chapter)[1] == [1, 1]
        np.testing.assert_allclose(chapter.numbers(demo, ".output tr.on td"), new, atol=5e-5)


# --- the words ---


def test_the_sentence_says_what_happens(chapter):
    """It names weights, new vector and direction, follows a drag, and is spoken; no zero stands before a point."""
    demo = chapter.demo("gravity")
    says = demo.locator(".says")
    assert says.inner_text().replace("\u00a0", " ") == (
        "“bank” takes 42.2% from “money”, 42.2% from itself and 15.5% from “grows”, and moves to [1.4223, .4223], "
        "towards “money”. Between “river” and “flows” the same vector moves to [.4223, 1.4223], towards “river”."
    )
    drag(chapter, [2, 0], [3, 0])
    assert says.inner_text().startswith("“bank” takes 66.5% from “money”, 24.5% from itself and 9.0% from")
    drag(chapter, [1, 1], [0, 0])
    demo.locator("[aria-live=polite]").filter(has_text="its score with every word is 0, so it takes a third").wait_for()
    choose(demo, "chosen", 2)
    assert says.inner_text().startswith("“grows” takes ")
    assert not re.search(r"(?<!\d)0\.(?!\d%)", demo.inner_text())


# --- mouse and keyboard ---


def test_a_drag_outside_goes_on_along_the_border(chapter):
    """The mouse keeps the word that it took, leaves it at the border when it goes too far, and drops it anywhere."""
    mouse, demo = chapter.page.mouse, chapter.demo("gravity")
    mouse.move(*np.add(spot(demo, [2, 0]), (6, -4)))  # not quite in the middle: the word does not jump to the mouse
    mouse.down()
    assert vectors(chapter)[0] == [2, 0]
    mouse.move(1200, 2)
    assert vectors(chapter)[0] == [3, 3]
    mouse.move(*np.add(spot(demo, [-1.5, 0.5]), (6, -4)))
    assert vectors(chapter)[0] == [-1.5, 0.5]
    mouse.move(2, 890)
    mouse.up()
    mouse.move(*spot(demo, [0, 0]))
    assert vectors(chapter) == [[-3, -3], [1, 1], [1, 0]]


def test_the_nearest_word_is_taken(chapter):
    """Of two words so close that one can be pressed for the other, the one under the mouse moves and has the focus."""
    drag(chapter, [2, 0], [1.2, 1])
    drag(chapter, [1.2, 1], [1.2, 2])
    assert vectors(chapter) == [[1.2, 2], [1, 1], [1, 0]]
    assert chapter.focused().startswith("slider money")


def test_the_keyboard_alone_works_it(chapter):
    """Tab reaches sentence, pull, each word in order and the button; arrows move a word, with Shift in larger steps."""
    demo = chapter.demo("gravity")
    chapter.enter_from_above(demo)
    chapter.tab_to("^radio money")
    chapter.press("ArrowRight", "Tab", "ArrowRight", "Tab")
    assert chapter.focused().startswith("slider river")
    scrolled = chapter.page.evaluate("scrollY")
    chapter.press("ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowUp", "ArrowUp", "ArrowUp", "Shift+ArrowUp")
    assert chapter.page.evaluate("scrollY") == scrolled
    ring = "getComputedStyle(document.activeElement.querySelector('.ring')).stroke"
    assert chapter.page.evaluate(ring) != "none"
    assert word(demo, "river").get_attribute("aria-valuetext") == "money .3, water 3"
    chapter.press("Tab")
    assert chapter.focused().startswith("slider bank")
    chapter.press("Shift+ArrowLeft", "ArrowLeft")
    chapter.press("Tab", "ArrowDown")
    assert chapter.focused().startswith("slider flows")
    assert_attends(chapter, [[0.3, 3], [0.4, 1], [0, 0.9]], 2)
    chapter.tab_to("Start again")
    chapter.press("Enter")
    assert_attends(chapter, [[0, 2], [1, 1], [0, 1]], 2)


def test_start_again_puts_all_five_vectors_back(chapter):
    """Words of both sentences return to where they began; the sentence stays."""
    demo = chapter.demo("gravity")
    drag(chapter, [2, 0], [2, 2])
    drag(chapter, [1, 0], [-1, 1])
    choose(demo, "sentence", "river")
    drag(chapter, [1, 1], [1, -1])
    demo.get_by_role("button", name="Start again").click()
    assert vectors(chapter) == [START[name] for name in SENTENCES["river"]]
    choose(demo, "sentence", "money")
    assert vectors(chapter) == [START[name] for name in SENTENCES["money"]]


def test_every_control_has_a_name(chapter):
    """Nothing that can be worked is nameless to a screen reader."""
    controls = re.findall(r"- (button|radio|slider|group)\b(.*)", chapter.demo("gravity").aria_snapshot())
    assert len(controls) == 5 + 3 + 1 + 3  # choices, words, a button, and the groups of choices and plane
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


def test_a_finger_drags_a_word_and_scrolls_beside_it(open_chapter):
    """On a telephone a word follows the finger while the page stands still; the empty plane scrolls the page."""
    chapter = open_chapter(width=375, height=700, has_touch=True, is_mobile=True)
    demo = chapter.demo("gravity")
    for box in (word(demo, "bank").bounding_box(), demo.get_by_role("button", name="Start again").bounding_box()):
        assert min(box["width"], box["height"]) >= 40
    demo.evaluate("e => scrollTo(0, e.getBoundingClientRect().top + scrollY - 60)")
    before = chapter.page.evaluate("scrollY")
    swipe(chapter, spot(demo, [1, 1]), spot(demo, [-2, -2.5]))
    assert vectors(chapter)[1] == [-2, -2.5]
    assert chapter.page.evaluate("scrollY") == before
    swipe(chapter, spot(demo, [-2, 0.5]), spot(demo, [-2, 2.5]))
    chapter.page.wait_for_function(f"scrollY > {before} + 20")
    assert vectors(chapter) == [[2, 0], [-2, -2.5], [1, 0]]
    assert chapter.page.evaluate("document.documentElement.scrollWidth") <= 375


def test_the_plane_fits_where_it_is_and_no_label_covers_another(chapter):
    """A page that becomes narrow gets a smaller plane; as it opens, no word or weight is written over another."""
    demo = chapter.demo("gravity")
    for width in (1280, 375):
        chapter.page.set_viewport_size({"width": width, "height": 900})
        chapter.page.wait_for_function(
            "(e => e.clientWidth === e.firstChild.clientWidth)(document.querySelector('.plane'))"
        )
        assert chapter.page.evaluate("document.documentElement.scrollWidth") <= width
        for sentence in SENTENCES:
            choose(demo, "sentence", sentence)
            rectangles = "nodes => nodes.map(node => node.getBoundingClientRect().toJSON())"
            labels = demo.locator("svg text").evaluate_all(rectangles)
            for one, other in combinations(labels, 2):
                apart = one["right"] <= other["left"] or other["right"] <= one["left"]
                assert apart or one["bottom"] <= other["top"] + 3 or other["bottom"] <= one["top"] + 3


def test_text_can_be_read_and_nothing_fails(open_chapter):
    """In light and dark all text stands out by 4.5 to 1 or more; the console stays clean and the network alone."""
    chapter = open_chapter()
    demo = chapter.demo("gravity")
    drag(chapter, [1, 1], [-3, -3])  # nearly all of its weight on itself: the darkest cell
    for _ in chapter.in_light_and_dark():
        measured = chapter.contrasts(demo)
        assert len(measured) > 60
        assert [(ratio, text) for ratio, text in measured if ratio < 4.5] == []
    assert (chapter.visit.errors, chapter.visit.foreign) == ([], [])
