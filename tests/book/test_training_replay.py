"""Training replay as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import copy

import numpy as np
import pytest
from demos import TrainingReplay
from traitlets import TraitError

from attention.models import shipped_translator

CHAPTER = "10_training"


@pytest.fixture(scope="module")
def record():
    """The recorded run of the course's translator."""
    return shipped_translator().record


# --- in Python ---


def test_a_record_that_does_not_fit_is_refused(record):
    """One checkpoint, nothing watched, steps that are not those of the losses."""
    one, unwatched, short = (copy.deepcopy(record) for _ in range(3))
    del one["checkpoints"][1:]
    unwatched["checkpoints"][0]["watched"] = []
    short["loss"].pop()
    for wrong, message in (
        (one, "two checkpoints or more"),
        (unwatched, "train with watched=PROMISED"),
        (short, "2000.* for 1999 losses"),
    ):
        with pytest.raises(TraitError, match=message):
            TrainingReplay(wrong)


# --- in the page ---

STATE = """(demo, [moment, sentence, head]) => {
  const slider = demo.querySelector("[type=range]");
  slider.value = moment;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  const list = demo.querySelector("select");
  list.value = sentence;
  list.dispatchEvent(new Event("change", { bubbles: true }));
  demo.querySelectorAll(".head input")[head].click();
  const texts = (selector) => [...demo.querySelectorAll(selector)].map((node) => node.textContent);
  const values = (selector) => [...demo.querySelectorAll(selector)].map((node) => Number(node.dataset.value));
  return {
    shown: texts(".forcing .shown td"), target: texts(".forcing .target td"), losses: values(".forcing .loss td"),
    given: texts(".forcing .given td"), guess: texts(".guess span").join(" "), wrong: texts(".guess .wrong"),
    weights: values(".map td"), loss: values(".legend .loss")[0], right: values(".legend .right")[0],
    says: demo.querySelector(".says").textContent, wide: document.documentElement.scrollWidth,
    height: demo.offsetHeight,
  };
}"""


@pytest.fixture
def demo(chapter):
    """The chapter's demo, loaded and drawn."""
    found = chapter.demo("training-replay")
    found.scroll_into_view_if_needed()
    found.wait_for()
    return found


def words(tokens):
    """Return tokens as the page names them."""
    return [{"<sos>": "start", "<eos>": "end"}.get(token, token) for token in tokens]


def test_every_number_is_the_records(demo, record):
    """At each moment, for each sentence and head: loss, share, guess, what is shown and guessed, losses, weights."""
    for i, moment in enumerate(record["checkpoints"]):
        for j, seen in enumerate(moment["watched"]):
            head = (i + j) % 4
            shown = demo.evaluate(STATE, [i, j, head])
            assert (shown["shown"], shown["target"]) == (words(seen["shown"]), words(seen["target"]))
            said = seen["guess"].split()[:7]  # a longer one has lost its way
            assert (shown["guess"].split(), shown["losses"]) == (said, seen["loss"])
            assert shown["weights"] == np.ravel(seen["attention"][-1][head]).tolist()
            assert shown["right"] == moment["held_out"]
            recent = record["loss"][max(0, moment["step"] - 10) : max(1, moment["step"])]
            assert shown["loss"] == pytest.approx(np.mean(recent))
            wanted = seen["target"][:-1]
            assert shown["wrong"] == [word for t, word in enumerate(said) if wanted[t : t + 1] != [word]]
            assert shown["says"].startswith(f"Step {moment['step']} of 2000")
            assert shown["wide"] <= 1280


def test_chances_are_those_of_the_losses(demo, record):
    """e to the power of minus the loss, and never written as nothing or as everything."""
    for i in (0, 4, 7):
        seen = record["checkpoints"][i]["watched"][0]
        for text, loss in zip(demo.evaluate(STATE, [i, 0, 0])["given"], seen["loss"], strict=True):
            if text[0] not in "<>":
                assert float(text.rstrip("%")) == pytest.approx(100 * np.exp(-loss), abs=0.051)
            assert text not in ("0%", "100%", "0.0%", "100.0%")


def test_play_goes_through_the_run_and_stops_at_its_end(chapter, demo):
    """From the last moment but one it comes to the last; at the end it begins again; moving the slider takes over."""
    demo.evaluate(STATE, [6, 0, 0])
    button = demo.get_by_role("button", name="Play")
    button.click()
    demo.get_by_text("Step 2000 of 2000").first.wait_for()
    button.wait_for()
    button.click()
    demo.get_by_text("Step 0 of 2000").first.wait_for()
    demo.get_by_text("Step 41 of 2000").first.wait_for()
    demo.get_by_role("slider").press("End")
    demo.get_by_role("button", name="Play").wait_for()
    assert demo.locator(".slider output").inner_text() == "2000"


def test_a_click_on_the_chart_goes_to_the_nearest_moment(demo):
    """To the last one at its right end, to the first one at its left."""
    chart = demo.locator(".run")
    box = chart.bounding_box()
    for x, step in ((box["width"] - 2, "2000"), (2, "0")):
        chart.click(position={"x": x, "y": 20})
        assert demo.locator(".slider output").inner_text() == step


def test_it_opens_before_the_first_step(demo):
    """What training does is seen from its beginning."""
    assert demo.locator(".slider output").inner_text() == "0"


def test_the_keyboard_alone_works_it(chapter, demo):
    """Tab reaches sentence, slider, Play and the heads; arrows change them."""
    chapter.enter_from_above(demo)
    chapter.tab_to("^select")
    chapter.press("ArrowDown")
    assert "the bank of the river is older than the bank in the city" in demo.locator(".says").inner_text()
    chapter.press("Tab")
    chapter.press("Home", "ArrowRight")
    assert demo.locator(".slider output").inner_text() == "41"
    chapter.press("Tab")
    assert "Play" in chapter.focused()
    chapter.tab_to("^radio")
    before = chapter.numbers(demo, ".map td")
    chapter.press("ArrowRight")
    assert not np.array_equal(before, chapter.numbers(demo, ".map td"))


def test_words_of_long_sentences_fit_their_places_on_a_telephone(telephone):
    """The table scrolls inside, and no word or number reaches beyond its cell."""
    demo = telephone.demo("training-replay")
    too_long = """demo => [...demo.querySelectorAll(".forcing :is(td, th)")]
        .filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent)"""
    for sentence in range(3):
        demo.locator("select").select_option(index=sentence)
        assert demo.evaluate(too_long) == []
    assert demo.locator(".forcing table").evaluate("table => table.offsetWidth > table.parentElement.clientWidth")
