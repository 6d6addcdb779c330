"""The demo Heads as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import itertools
import re

import numpy as np
import pytest
from demos import Heads
from traitlets import TraitError

from attention.chapters import lion
from attention.chapters.context import softmax
from attention.chapters.multi_head import merge_heads, multi_head_attention, split_heads

CHAPTER = "06_multi_head"
DEMO = "heads"
H, N = 3, 11
W_V = np.tile(lion.w_v, H)
W_O = np.array([[1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]])
SILENT = [list(heads) for count in range(H + 1) for heads in itertools.combinations(range(H), count)]
STATES = [
    *((head, row, reshaped, []) for head in range(H) for row in range(N) for reshaped in (False, True)),
    *((1, row, reshaped, silent) for row in (0, 3, 10) for reshaped in (False, True) for silent in SILENT),
]


# --- in Python ---


RIGHT = {
    "words": ["a", "b", "c"],
    "x": np.ones((3, 5)),
    "w_q": np.ones((5, 4)),
    "w_k": np.ones((5, 4)),
    "w_v": np.ones((5, 6)),
    "w_o": np.ones((6, 3)),
    "names": ["left", "right"],
}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"words": ["a", "b"]}, "expected as many rows of x as words, got 3 and 2"),
        ({"words": ["a"] * 13}, "expected 2 to 12 words, got 13: leave some out, or add some"),
        ({"names": ["all"]}, "expected 2 to 4 heads, got 1"),
        ({"names": ["a", "b", "c"]}, "columns of w_q that 3 heads can share, got 4: give each head as many"),
        ({"w_v": np.ones((5, 5)), "w_o": np.ones((5, 3))}, "columns of w_v that 2 heads can share, got 5"),
        ({"w_k": np.ones((5, 2))}, "as many columns of w_k as columns of w_q, got 2 and 4"),
        ({"w_o": np.ones((4, 3))}, "as many rows of w_o as columns of w_v, got 4 and 6"),
        ({"w_q": np.ones((4, 4))}, "as many rows of w_q as columns of x, got 4 and 5"),
        ({"w_o": np.ones((6, 5))}, "at most 4 columns of w_o, got 5: there is no room for more"),
        ({"x": [[0, np.nan]] * 3}, "x as finite numbers only, got nan in row 0, column 1"),
        ({"head": 2}, "expected head from 0 to 1, got 2: there are 2 heads, counted from 0"),
        ({"row": 3}, "expected row from 0 to 2, got 3: there are 3 words"),
        ({"silent": [0, 2]}, r"expected silent from 0 to 1, got \[0, 2\]: there are 2 heads"),
        ({"silent": [1, 0]}, r"silent as different whole numbers from 0, in ascending order, got \[1, 0\]"),
        ({"silent": [True]}, "silent as different whole numbers from 0"),
        ({"reshaped": 1}, "reshaped as True or False, got 1"),
    ],
)
def test_what_it_cannot_draw_is_refused(wrong, message):
    """Wrong values raise one sentence: expected, got, remedy."""
    with pytest.raises(TraitError, match=message):
        Heads(**RIGHT | wrong)


def test_fewer_words_and_heads_take_the_choices_along():
    """Word, head and what is switched off stay inside of what is left."""
    demo = Heads(**RIGHT | {"names": list("abcd"), "w_v": np.ones((5, 8)), "w_o": np.ones((8, 3))})
    demo.head, demo.row, demo.silent = 3, 2, [0, 3]
    with demo.hold_trait_notifications():
        demo.names, demo.words, demo.x = ["a", "b"], ["a", "b"], np.ones((2, 5))
    assert (demo.head, demo.row, demo.silent) == (1, 1, [0])


# --- in the page ---


# States are head, row, reshaped, silent.
WALK = """(demo, states) => JSON.stringify(states.map(([head, row, reshaped, silent]) => {
  const check = (input, on) => {
    if (input.checked === on) return;
    input.checked = on;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  check(demo.querySelector(`.choice.head input[value="${head}"]`), true);
  check(demo.querySelector(`.choice.row input[value="${row}"]`), true);
  check(demo.querySelector(".switch.reshaped input"), reshaped);
  demo.querySelectorAll(".terms input").forEach((input, i) => check(input, !silent.includes(i)));
  demo.getAnimations({ subtree: true }).forEach((animation) => animation.finish());
  const numbers = (selector) => [...demo.querySelectorAll(selector)].map((node) => Number(node.dataset.value));
  const texts = (selector) => [...demo.querySelectorAll(selector)].map((node) => node.textContent);
  return {
    all: numbers(".slices .all"), given: numbers(".slices .given"),
    query: numbers(".slices .query"), key: numbers(".slices .key"), value: numbers(".slices .value"),
    map: numbers(".map td"), found: numbers(".found span"), adds: numbers(".adds span"), sum: numbers(".sum span"),
    from: texts(".slices .from"), looks: texts(".looks"), says: texts(".says")[0],
    height: demo.offsetHeight, wide: document.documentElement.scrollWidth,
  };
}))"""


def slices_of(w, reshaped):
    """Cut x w for the heads, rightly or by a reshape alone."""
    made = lion.x @ w
    return made.reshape(H, N, -1) if reshaped else split_heads(made, H)


def expected(reshaped, silent):
    """Return slices, weights, what heads find, what they add, and the output, from the reference and NumPy alone."""
    query, key, value = (slices_of(w, reshaped) for w in (lion.w_q, lion.w_k, W_V))
    weights = softmax(query @ np.swapaxes(key, -1, -2))  # of width 1
    found = weights @ value
    heard = found * ~np.isin(np.arange(H), silent)[:, None, None]
    adds = np.stack([heard[i] @ W_O[2 * i : 2 * i + 2] for i in range(H)])
    return {"query": query, "key": key, "value": value}, weights, found, adds, merge_heads(heard) @ W_O


def test_every_number_is_the_references(walked):
    """In each state slices, weights, what heads find and add, and the output are those of NumPy."""
    for state, shown in walked:
        head, row, reshaped, silent = state
        cut, weights, found, adds, output = expected(reshaped, silent)
        for name, right in (*((name, cut[name][head]) for name in cut), ("map", weights[head]), ("sum", output[row])):
            np.testing.assert_allclose(shown[name], np.ravel(right), atol=1e-9, err_msg=f"{state} {name}")
        np.testing.assert_allclose(shown["found"], found[:, row].ravel(), atol=1e-9, err_msg=str(state))
        np.testing.assert_allclose(shown["adds"], adds[:, row].ravel(), atol=1e-9, err_msg=str(state))
        np.testing.assert_array_equal(shown["all"], (lion.x @ lion.w_q).ravel())


def test_with_all_heads_on_the_output_is_multi_head_attention(walked):
    """Cut rightly, the sum is what the function of the chapter returns."""
    output, weights = multi_head_attention(*[lion.x] * 3, lion.w_q, lion.w_k, W_V, W_O, H)
    for (head, row, reshaped, silent), shown in walked:
        if not (reshaped or silent):
            np.testing.assert_allclose(shown["sum"], output[row], atol=1e-9)
            np.testing.assert_allclose(shown["map"], weights[head].ravel(), atol=1e-9)


def test_what_is_lit_is_what_the_head_has(walked):
    """As many queries are lit as there are words, and each row says which word its numbers were cut from."""
    owner = np.repeat(np.arange(N), H)
    for (head, row, reshaped, _), shown in walked:
        places = np.arange(head * N, (head + 1) * N) if reshaped else np.arange(N) * H + head
        np.testing.assert_array_equal(shown["given"], (lion.x @ lion.w_q).ravel()[places])
        assert shown["from"] == [lion.words[i] for i in owner[places]]
        assert ("is really a piece of" in shown["says"]) == (reshaped and owner[places][row] != row)


def test_the_sentence_at_its_ends(demo, walk):
    """Seen and spoken: what a head sees, a head with nothing to ask, one that is off, and a reshape alone."""
    spoken = demo.locator("[aria-live=polite]")
    for state, says in (
        (
            (0, 3, False, []),
            "Of each word, head 0 (nouns) has slice 0. “attacked” has the query [3] there and looks at lion 0.998",
        ),
        (
            (2, 1, False, []),
            "“hungry” has the query [0] there and takes every word alike: it has no question about this word, and "
            "still adds "
            "the sentence’s average.",
        ),
        (
            (0, 3, False, [2]),
            "Without head 2 (objects), the output of “attacked” is [3.9975,\xa04.0000,\xa00,\xa04.0025]",
        ),
        (
            (0, 3, True, []),
            "Reshape only: head 0 has 3 of 11 words whole and nothing of 7 others. Its row “attacked” is",
        ),
    ):
        (shown,) = walk(demo, state)
        assert says in shown["says"]
        spoken.filter(has_text=says).wait_for()


def test_who_is_looked_at_is_said_for_each_head(demo, walk):
    """Beside the switches are the words with the most weight, or that all are alike."""
    (shown,) = walk(demo, (0, 3, False, []))
    assert shown["looks"] == ["lion 0.998", "attacked 1.00", "attacked 0.500, zebra 0.500"]
    (shown,) = walk(demo, (0, 1, False, []))
    assert shown["looks"] == ["lion 0.981", "all alike, 0.091 each", "all alike, 0.091 each"]


def test_nothing_jumps(walked):
    """In every state the demo is equally high and no wider than the screen."""
    assert len({shown["height"] for _, shown in walked}) == 1
    assert max(shown["wide"] for _, shown in walked) <= 1280


# --- the hands ---


def test_the_keyboard_alone_works_it(opened, demo, walk):
    """Tab reaches head, reshape, word and switches in order; arrows and space work them."""
    walk(demo, (0, 3, False, []))
    opened.enter_from_above(demo)
    opened.tab_to("^radio 0")
    opened.press("ArrowRight")
    assert demo.locator(".map").locator("..").inner_text().startswith("Whom head 1 looks at (verbs)")
    opened.press("Tab", "Space")
    assert demo.locator(".says").inner_text().startswith("Reshape only: head 1 has")
    opened.press("Space", "Tab", "ArrowLeft")
    assert "What each head finds for “lion”" in demo.inner_text()
    opened.press("Tab", "Tab", "Tab", "Space")
    assert demo.locator(".says").inner_text().startswith("Without head 2 (objects), the output of “lion” is")


def test_a_telephone_works_it_by_touch_and_scrolls_only_downwards(telephone, walk):
    """Taps choose head, word and switches; each is 44 pixels high and wide; no state is too wide, or jumps."""
    demo = telephone.demo("heads")
    for control in demo.locator(".option, .switch").all():
        box = control.bounding_box()
        assert min(box["height"], box["width"]) >= 44
    demo.locator(".head-2").tap(force=True)
    demo.locator(".row-6").tap(force=True)
    assert "“zebra” has the query [6] there" in demo.locator(".says").inner_text()
    demo.locator(".switch.reshaped").tap()
    assert demo.locator(".says").inner_text().startswith("Reshape only: head 2 has 3 of 11 words whole")
    demo.locator(".switch.reshaped").tap()
    demo.locator(".terms .switch").first.tap()
    assert demo.locator(".says").inner_text().startswith("Without head 0 (nouns)")
    seen = walk(demo, *STATES[::5], *STATES[-8:])
    assert max(shown["wide"] for shown in seen) <= 375
    assert len({shown["height"] for shown in seen}) == 1
    assert (telephone.visit.errors, telephone.visit.foreign) == ([], [])


def test_numbers_glide_from_where_they_were_cut_unless_the_reader_wants_rest(opened, demo, walk):
    """Each of a head's queries moves once when it is cut otherwise, and none where less motion is asked for."""
    moving = "demo => { %s; return demo.querySelector('.slices').getAnimations({ subtree: true }).length; }"
    pick = "demo.querySelector('.choice.head input[value=\"%d\"]').click()"
    walk(demo, (0, 3, False, []))
    assert demo.evaluate(moving % (pick % 1)) == N
    opened.page.emulate_media(reduced_motion="reduce")
    walk(demo, (0, 3, False, []))
    assert demo.evaluate(moving % (pick % 2)) == 0
    opened.page.emulate_media(reduced_motion="no-preference")


def test_words_do_not_touch(demo, walk):
    """No two texts in the heads of the map and the table overlap."""
    overlaps = """demo => {
      const boxes = [...demo.querySelectorAll(".map thead span, .slices thead th, .matrix tbody th")].map((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return { text: range.toString(), ...range.getBoundingClientRect().toJSON() };
      }).filter(({ text }) => text);
      const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => !apart(a, b)).map((b) => [a.text, b.text]));
    }"""
    walk(demo, (0, 3, False, []))
    assert demo.evaluate(overlaps) == []


def test_text_can_be_read_and_nothing_fails(opened, demo, walk):
    """In light and dark, all text has a contrast of 4.5 to 1 or more; nothing fails and nothing is requested."""
    walk(demo, (0, 3, True, [1]))
    opened.assert_well_read(demo, texts=60)
    assert re.search(r"really a piece", demo.locator(".says").inner_text())
