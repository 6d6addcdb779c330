"""The demo Temperature as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import json

import numpy as np
import pytest
from demos import Temperature
from demos.temperature import moment as moment_of
from demos.temperature import moments_of
from traitlets import TraitError

from attention.chapters.context import softmax
from attention.chapters.inference import sample, translation_step
from attention.chapters.transformer import SOS
from attention.models import model
from attention.models.writer import step_of, writer

CHAPTER = "12_inference"
ASKED = [("i love you very much", 1), ("they do not call the dog", 2), ("the girl understands them well", 0)]
BEGINNINGS = ("la ragazza", "il gatto", "non", "")  # on From here to GPT
MOMENT = {"said": "ti …", "words": ["amo", "chiamo"], "logits": [1.0, 0.0]}
STATES = [(place, temperature) for place in range(3) for temperature in (0, 0.3, 1, 2.5, 4)]
WALK = """(demo, states) => JSON.stringify(states.map(([place, temperature]) => {
  const input = demo.querySelectorAll(".place input")[place];
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  const slider = demo.querySelector("[type=range]");
  slider.value = temperature;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  return { shares: [...demo.querySelectorAll(".bar")].map((node) => Number(node.dataset.value)),
           draws: [...demo.querySelectorAll(".draws span")].map((node) => node.textContent),
           says: demo.querySelector(".says").textContent, height: demo.offsetHeight,
           wide: document.documentElement.scrollWidth };
}))"""
U = ((np.arange(20) + 1) * 0.6180339887498949) % 1


def walk(demo, states=STATES):
    """Put the demo into states (place, temperature), and return what it shows in each."""
    return json.loads(demo.evaluate(WALK, states))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"moments": [MOMENT | {"logits": [1.0]}]}, "as many logits as words"),
        ({"moments": [MOMENT], "place": 1}, "expected place from 0 to 0, got 1: so many moments are there"),
        ({"moments": [MOMENT], "temperature": 5}, "temperature as a number from 0 to 4"),
    ],
)
def test_what_it_cannot_draw_is_refused(wrong, message):
    """Wrong values raise one sentence: expected, got, remedy."""
    with pytest.raises(TraitError, match=message):
        Temperature(**wrong)


@pytest.fixture(scope="module")
def demo(opened):
    """The chapter's demo, wherever the test before has left it."""
    return opened.demo("temperature")


@pytest.fixture(scope="module")
def given():
    """The moments of the page, made once more."""
    return moments_of(ASKED, model("translator").model)


def percentages(logits):
    """Return the shares as the demo and the cards of a model print them."""
    return [f"{100 * share:.2f}%" for share in softmax(np.array(logits))]


def test_rounded_logits_give_the_models_own_percentages(given):
    """Two demos on one page show one probability: no rounding may come between them."""
    translator = model("translator").model
    for moment, (sentence, written) in zip(given, ASKED, strict=True):
        said = moment["said"].split()[:written]
        tokens = [translator.target_vocabulary[word] for word in [SOS, *said]]
        assert percentages(moment["logits"]) == percentages(translation_step(sentence, translator)(tokens))
    gpt = writer()
    for said in BEGINNINGS:
        tokens = [gpt.target_vocabulary[word] for word in [SOS, *said.split()]]
        exact = step_of(gpt)(tokens)
        assert percentages(moment_of(step_of(gpt), tokens, gpt)["logits"]) == percentages(exact)


def test_shares_and_draws_are_the_references(demo, given):
    """In every state the bars sum to 1, and the twenty draws are those of the function ``sample``."""
    for (place, temperature), shown in zip(STATES, walk(demo), strict=True):
        moment = given[place]
        wanted = sample(np.array(moment["logits"]), temperature, U)
        assert shown["draws"] == [moment["words"][word] for word in wanted]
        assert sum(shown["shares"]) == pytest.approx(1, abs=1e-9)
        largest = np.exp(
            np.array(moment["logits"]) / (temperature or 1e-3) - max(moment["logits"]) / (temperature or 1e-3)
        )
        assert shown["shares"][0] == pytest.approx(1 / largest.sum(), abs=1e-9)


def test_what_the_chapter_asks_is_seen(demo):
    """At 0 all draws are amo; at 4 amo is rare."""
    greedy, wild = walk(demo, [(0, 0), (0, 4)])
    assert set(greedy["draws"]) == {"amo"}
    assert greedy["says"] == "Temperature 0, greedy: amo has 100.00%, and 20 of 20 draws are amo."
    assert wild["draws"].count("amo") < 10
    assert len(set(wild["draws"])) > 8


def test_nothing_jumps(demo):
    """In every state the demo is equally high and no wider than the screen."""
    shown = walk(demo)
    assert np.ptp([state["height"] for state in shown]) <= 1
    assert max(state["wide"] for state in shown) <= 1280


def test_the_keyboard_alone_works_it(opened, demo):
    """The sentence follows the slider, seen and spoken."""
    walk(demo, [(0, 1)])
    opened.enter_from_above(demo)
    opened.tab_to("^range")
    opened.press("Home")
    demo.locator("[aria-live=polite]").filter(has_text="Temperature 0, greedy: amo has 100.00%").wait_for()


def test_a_telephone_works_it_by_touch(telephone):
    """Every control is 44 pixels high; nothing leaves the screen, and no state jumps."""
    demo = telephone.demo("temperature")
    for control in demo.locator(".option, input[type=range]").all():
        assert control.bounding_box()["height"] >= 44
    shown = walk(demo)
    assert max(state["wide"] for state in shown) <= 375
    assert np.ptp([state["height"] for state in shown]) <= 1
    assert (telephone.visit.errors, telephone.visit.foreign) == ([], [])


def test_text_can_be_read_and_nothing_fails(opened, demo):
    """In light and dark, all text has a contrast of 4.5 to 1 or more; nothing fails and nothing is requested."""
    opened.assert_well_read(demo, texts=20)


def test_an_address_leads_to_a_demo_far_down_the_page(book, visit):
    """The second demo of a page is on the screen, set as the address says."""
    page = visit().page
    page.goto(f"{book}/{CHAPTER}.html#demo=temperature&place=1&temperature=2.5")
    says = page.locator(".temperature .says").filter(has_text="Temperature 2.5, bolder than the model")
    says.wait_for()
    page.wait_for_function("document.querySelector('.temperature').getBoundingClientRect().top < innerHeight / 2")
