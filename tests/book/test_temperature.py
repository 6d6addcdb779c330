"""The demo Temperature as readers meet it: in the published page, in Chromium, with no kernel and no network."""

import numpy as np
import pytest
from demos.temperature import moment as moment_of
from demos.temperature import moments_of

from attention.chapters.context import softmax
from attention.chapters.inference import sample, translation_step
from attention.chapters.transformer import SOS
from attention.models.moments import translator_at
from attention.models.writer import step_of, writer

CHAPTER = "12_inference"
DEMO = "temperature"
ASKED = [
    ("i love you very much", 1),
    ("yesterday the girl found the seal near the river", 4),
    ("the bat in the forest is older than the bat of the school", 0),
]
STEP = 654  # of the translator's training
BEGINNINGS = ("la ragazza", "il gatto", "non", "")  # in chapter 13
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


@pytest.fixture(scope="module")
def given():
    """The moments of the page, made once more."""
    return moments_of(ASKED, translator_at(STEP))


def percentages(logits):
    """Return the shares as the demo and the cards of a model print them."""
    return [f"{100 * share:.2f}%" for share in softmax(np.array(logits))]


def test_rounded_logits_give_the_models_own_percentages(given):
    """Two demos on one page show one probability: no rounding may come between them."""
    translator = translator_at(STEP)
    for moment, (sentence, written) in zip(given, ASKED, strict=True):
        said = moment["said"].split()[:written]
        tokens = [translator.target_vocabulary[word] for word in [SOS, *said]]
        assert percentages(moment["logits"]) == percentages(translation_step(sentence, translator)(tokens))
    gpt = writer()
    for said in BEGINNINGS:
        tokens = [gpt.target_vocabulary[word] for word in [SOS, *said.split()]]
        exact = step_of(gpt)(tokens)
        assert percentages(moment_of(step_of(gpt), tokens, gpt)["logits"]) == percentages(exact)


def test_shares_and_draws_are_the_references(walked, given):
    """In every state the bars sum to 1, and the twenty draws are those of the function ``sample``."""
    for (place, temperature), shown in walked:
        moment = given[place]
        wanted = sample(np.array(moment["logits"]), temperature, U)
        assert shown["draws"] == [moment["words"][word] for word in wanted]
        assert sum(shown["shares"]) == pytest.approx(1, abs=1e-9)
        largest = np.exp(
            np.array(moment["logits"]) / (temperature or 1e-3) - max(moment["logits"]) / (temperature or 1e-3)
        )
        assert shown["shares"][0] == pytest.approx(1 / largest.sum(), abs=1e-9)


def test_what_the_chapter_asks_is_seen(demo, walk):
    """At 0 all draws are amo; at 4 amo is rare."""
    greedy, wild = walk(demo, (0, 0), (0, 4))
    assert set(greedy["draws"]) == {"amo"}
    assert greedy["says"] == "Temperature 0, greedy: amo has 100.00%, and 20 of 20 draws are amo."
    assert wild["draws"].count("amo") < 10
    assert len(set(wild["draws"])) > 8


def test_an_address_leads_to_a_demo_far_down_the_page(book, visit):
    """The second demo of a page is on the screen, set as the address says."""
    page = visit().page
    page.goto(f"{book}/{CHAPTER}.html#demo=temperature&place=1&temperature=2.5")
    says = page.locator(".temperature .says").filter(has_text="Temperature 2.5, bolder than the model")
    says.wait_for()
    page.wait_for_function("document.querySelector('.temperature').getBoundingClientRect().top < innerHeight / 2")
