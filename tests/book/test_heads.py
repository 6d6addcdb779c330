"""The demo Heads as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import itertools

import numpy as np
from demos import Heads

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


def test_who_is_looked_at_is_said_for_each_head(demo, walk):
    """Beside the switches are the words with the most weight, or that all are alike."""
    (shown,) = walk(demo, (0, 3, False, []))
    assert shown["looks"] == ["lion 0.998", "attacked 1.00", "attacked 0.500, zebra 0.500"]
    (shown,) = walk(demo, (0, 1, False, []))
    assert shown["looks"] == ["lion 0.981", "all alike, 0.091 each", "all alike, 0.091 each"]


# --- the hands ---


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


def test_a_click_on_a_word_under_the_arcs_lets_it_ask(demo, walk):
    """Of two words that are alike, too, the one that was clicked."""
    walk(demo, (0, 3, False, []))
    for row in (8, 4):
        demo.locator(".words span").nth(row).click()
        assert demo.locator(".choice.row input:checked").get_attribute("value") == str(row)


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
