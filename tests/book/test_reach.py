"""The demo Reach as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import numpy as np
from demos import Reach

from attention.chapters.before_attention import conv1d, receptive_field, rnn
from attention.chapters.context import self_attention

CHAPTER = "01_before_attention"
DEMO = "reach"
N = 11
ARCHITECTURES = ["cnn", "rnn", "attention"]
STATES = [(kind, depth, token) for kind in ARCHITECTURES for depth in (1, 2, 3, 7, N) for token in range(N)]


# --- in Python ---


def test_fewer_words_take_depth_and_token_along():
    """Both stay inside of a sentence that becomes shorter."""
    demo = Reach(depth=9, token=10)
    demo.words = ["a", "b", "c", "d", "e"]
    assert (demo.depth, demo.token) == (5, 4)


# --- in the page ---


# States are architecture, depth, token.
WALK = """(demo, states) => JSON.stringify(states.map(([kind, depth, token]) => {
  const set = (input, event) => input.dispatchEvent(new Event(event, { bubbles: true }));
  const check = (input) => { input.checked = true; set(input, "change"); };
  check(demo.querySelector(`.architecture input[value=${kind}]`));
  const slider = demo.querySelector("[type=range]");
  slider.value = depth;
  set(slider, "input");
  check(demo.querySelector(`.token input[value="${token}"]`));
  return {
    hops: [...demo.querySelectorAll(".hops li")].map((item) => Number(item.dataset.value)),
    heard: [...demo.querySelectorAll(".hops li")].map((item) => item.textContent),
    lit: demo.querySelector("path.lit").getAttribute("d").split("M").length - 1,
    says: demo.querySelector(".says").textContent,
    height: demo.offsetHeight,
    wide: document.documentElement.scrollWidth,
  };
}))"""


def moved(kind, depth, token):
    """Return which outputs move in the reference when one token does: convolutions, a recurrence, self-attention."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(N, 2)) / 3
    pushed = x + 0.1 * (np.arange(N) == token)[:, None]

    def outputs(rows):
        if kind == "rnn":
            w = rng_weights()
            return np.where(np.arange(N)[:, None] < depth, rnn(rows, *w)[0], 0)
        for _ in range(depth):
            rows = self_attention(rows) if kind == "attention" else conv1d(rows.T, np.ones(3), "same").T
        return rows

    return (outputs(x) != outputs(pushed)).any(axis=-1)


def rng_weights():
    """Draw the matrices of a recurrent network that forgets slowly."""
    rng = np.random.default_rng(5)
    return [rng.normal(size=size) / 2 for size in ((2, 3), (3, 3), (3, 2), (3,), (2,))]


def test_what_is_reached_is_what_moves_in_the_reference(walked):
    """An output has a number exactly where it moves with the word, in each state."""
    for state, shown in walked:
        np.testing.assert_array_equal(np.array(shown["hops"]) > 0, moved(*state), str(state))


def test_hops_are_the_first_depth_at_which_it_gets_there(walked):
    """With convolutions and attention a number says at how many layers the output began to move."""
    for (kind, depth, token), shown in walked:
        if kind != "rnn" and depth == 7:
            first = [next((d for d in range(1, 8) if moved(kind, d, token)[j]), 0) for j in range(N)]
            assert shown["hops"] == first, (kind, token)


def test_a_recurrent_network_counts_its_steps(walked):
    """One hop into the state, and one for each word that is read after it."""
    for (kind, depth, token), shown in walked:
        if kind == "rnn":
            assert shown["hops"] == [1 + j - token if token <= j < depth else 0 for j in range(N)]


def test_the_middle_of_a_stack_reaches_its_receptive_field(walked):
    """As many outputs hear the sixth word as the reference counts, until the sentence ends."""
    for (kind, depth, token), shown in walked:
        if kind == "cnn" and token == 5:
            assert np.count_nonzero(shown["hops"]) == min(N, receptive_field(3, depth))


def test_a_screen_reader_hears_every_number(demo, walk):
    """Each number has its word, and what is not reached is said to be so."""
    (shown,) = walk(demo, ("cnn", 2, 2))
    assert shown["heard"][0] == "2 hops to “The”"
    assert shown["heard"][10] == "… “grass” is not reached yet"
    (shown,) = walk(demo, ("rnn", 3, 2))
    assert shown["heard"][0] == "– “The” is never reached"
    assert shown["heard"][10] == "… “grass” is not reached yet"


def test_nothing_jumps(walked):
    """In every state the demo is equally high and no wider than the screen, and lines are lit where a word is heard."""
    assert len({shown["height"] for _, shown in walked}) == 1
    assert max(shown["wide"] for _, shown in walked) <= 1280
    assert all((shown["lit"] > 0) == (sum(shown["hops"]) > 0) for _, shown in walked)


# --- the hands ---


def test_a_click_on_the_picture_follows_the_word_of_its_column(demo, walk):
    """Wherever in the column, as the strip below does."""
    walk(demo, ("cnn", 3, 2))
    net = demo.locator(".net")
    box = net.bounding_box()
    for column, height in ((7, 0.9), (0, 0.2)):
        net.click(position={"x": (column + 0.5) * box["width"] / N, "y": height * box["height"]})
        assert demo.locator(".token input:checked").get_attribute("value") == str(column)


def test_it_moves_unless_the_reader_wants_rest(opened, demo, walk):
    """The lit lines flow once after a change and then rest, and never where less motion is asked for."""
    running = "demo => demo.querySelector('path.lit').getAnimations().length"
    walk(demo, ("cnn", 2, 2), ("cnn", 3, 2))
    opened.page.wait_for_function("!document.querySelector('.reach path.lit').getAnimations().length")
    pick = "(demo) => demo.querySelector('.token input[value=\"4\"]').click()"
    change = f"demo => {{ ({pick})(demo); return ({running})(demo); }}"
    assert demo.evaluate(change) == 1
    opened.page.emulate_media(reduced_motion="reduce")
    assert demo.evaluate(change.replace("4", "5")) == 0
    opened.page.emulate_media(reduced_motion="no-preference")
