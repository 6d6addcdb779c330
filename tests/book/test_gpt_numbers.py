"""Every number of the small GPT: the page's engine against Python's, and the demo by mouse, touch and keyboard."""

import json
from urllib.parse import quote

import numpy as np
import pytest
from demos import GptNumbers
from traitlets import TraitError

from attention.models.explain_writer import numbers_of_writer
from attention.models.graph import recompute
from attention.models.quantised import packed
from attention.models.writer import step_of, writer, written

from .test_every_number import asked_of_the_page, title

CHAPTER = "13_gpt"
BEGINNING = "la ragazza"
TEXTS = [BEGINNING, "il gatto vede la", "lo", *(one.sentence for one in written(1.0, 5, seed=29))]
PER_ARRAY = 3


def drawn(numbers, rng):
    """Draw nodes of each array of a text."""
    for name, array in numbers.arrays.items():
        rows, columns = min(len(array), len(numbers.tokens)) if name == "pos" else len(array), array.shape[1]
        yield from (f"{name}:{rng.integers(rows)}:{rng.integers(columns)}" for _ in range(PER_ARRAY))


def test_every_number_is_pythons_and_comes_out_of_its_operands():
    """For each text, three nodes of each array: page = Python within 1e-9, and = its own operands, in both."""
    rng = np.random.default_rng(31)
    every = {text: numbers_of_writer(text) for text in TEXTS}
    asked = [{"sentence": text, "off": [], "nodes": list(drawn(numbers, rng))} for text, numbers in every.items()]
    for one, answer in zip(asked, asked_of_the_page(asked, writer()), strict=True):
        assert len(answer["values"]) == len(one["nodes"])
        for node, value, again, terms in answer["values"]:
            made = every[one["sentence"]].explain(node)
            assert value == pytest.approx(made.value, abs=1e-9), (one["sentence"], node)
            assert again is None or again == pytest.approx(value, abs=1e-9), (one["sentence"], node)
            assert recompute(made) is None or recompute(made) == pytest.approx(made.value, abs=1e-9), node
            assert terms == len(made.terms), node


@pytest.mark.parametrize("text", TEXTS[:5])
def test_the_logits_are_those_of_the_model(text):
    """What the graph ends with is what the reference's decoder-only model says of the next word."""
    numbers = numbers_of_writer(text)
    np.testing.assert_allclose(numbers.arrays["g.l"][-1], step_of(writer())(numbers.tokens), atol=1e-12)


def test_a_name_that_does_not_exist_is_refused():
    """The message shows a name that does, and how long the text is."""
    with pytest.raises(KeyError, match=r"such as g1\.w\.0:0:0, got 'g2\.w\.0:0:0': this text has 3 rows"):
        numbers_of_writer(BEGINNING).explain("g2.w.0:0:0")
    with pytest.raises(KeyError, match="zebra"):
        numbers_of_writer("la zebra")
    with pytest.raises(TraitError, match="words that the model knows, got 'zebra'"):
        GptNumbers(packed(writer()), ["la zebra"])


# --- in the page ---


def in_view(here):
    """Scroll to the demo, which waits for that, and return it."""
    here.page.evaluate("document.querySelector('#every-number-of-this-model').scrollIntoView()")
    here.page.locator(".every-number .card").wait_for()
    return here.demo("every-number")


@pytest.fixture
def demo(opened):
    """The demo with its first text, at its first card."""
    here = in_view(opened)
    opened.page.locator("a.try", has_text="this one").click()  # a link of the page sets the text
    here.locator(".source", has_text=BEGINNING).wait_for()
    here.locator(".words button").first.click()
    return here


def offered(demo):
    """Return the next words that are offered, each with its share in percent."""
    return [one.split("\n") for one in demo.locator(".words button").all_inner_texts()]


def test_the_offered_words_are_the_models_likeliest(demo):
    """Five words with their probabilities, most likely first."""
    assert demo.locator(".source").inner_text() == f"{BEGINNING} →"
    shares = numbers_of_writer(BEGINNING).arrays["g.p"][-1]
    words = list(writer().target_vocabulary)
    best = shares.argsort()[::-1][:5]
    assert offered(demo) == [[words[i], f"{100 * shares[i]:.2f}%"] for i in best]


def test_a_word_is_written_and_taken_back(demo):
    """The chosen word joins the text, and the next ones follow; at the end of a sentence nothing can be written."""
    demo.locator(".words button", has_text="ha").click()
    assert title(demo) == "How likely is “ha” after “la ragazza”?"
    demo.get_by_role("button", name="Write “ha”").click()
    assert demo.locator(".source").inner_text() == f"{BEGINNING} ha →"
    assert title(demo).endswith("after “la ragazza ha”?")
    write = demo.get_by_role("button", name="Write")
    while write.get_attribute("aria-disabled") != "true":
        write.click()
    text = demo.locator(".source").inner_text()
    write.click(force=True)
    assert demo.locator(".source").inner_text() == text
    demo.get_by_role("button", name="Take a word back").click()
    assert demo.locator(".source").inner_text() == f"{text.rsplit(maxsplit=2)[0]} →"


def test_from_a_probability_down_to_a_learned_number(opened, demo):
    """Follow the largest passes both layers and a rotation; the keyboard leads back."""
    opened.page.emulate_media(reduced_motion="reduce")
    demo.get_by_role("button", name="Follow the largest").click()
    assert title(demo).startswith("How much does the learned vector of “")
    assert demo.locator(".ruler .passed").count() > 4
    opened.press("Home")
    assert title(demo) == "How likely is “che” after “la ragazza”?"
    opened.page.emulate_media(reduced_motion="no-preference")


def test_a_link_opens_a_text_and_a_card(book, visit):
    """What the page's questions link to; a text with an unknown word changes nothing."""
    page = visit().page
    trail = quote(json.dumps(["g0.q.0:2:0"]))
    page.goto(f"{book}/{CHAPTER}.html#demo=gpt_numbers&sentence=la%20ragazza&trail={trail}")
    card = page.locator(".every-number .card .asked")
    card.filter(has_text="The query of “ragazza” in head 0 of layer 1, number 1").wait_for()
    page.goto("about:blank")
    page.goto(f"{book}/{CHAPTER}.html#demo=gpt_numbers&sentence=la%20zebra&trail=[]")
    card.filter(has_text="How likely is “che” after “la ragazza”?").wait_for()


def test_a_text_is_compared_with_another(opened, demo):
    """The answers' link exchanges an article, and shows what the probability was; what is written is not compared."""
    before, after = (
        numbers_of_writer(f"il gatto vede {article}").arrays["g.p"][-1][writer().target_vocabulary["ragazza"]]
        for article in ("la", "il")
    )
    opened.page.locator("details", has=opened.page.locator("a.try", has_text="il in place of la")).evaluate(
        "folded => { folded.open = true; }"
    )
    opened.page.locator("a.try", has_text="il in place of la").click()
    value = demo.locator(".value").filter(has_text=f"after “il gatto vede la” {before:.4f}")
    value.wait_for()
    assert value.inner_text().startswith(f"{after:.4f}")
    demo.get_by_role("button", name="Take a word back").click()
    assert "after “" not in demo.locator(".value").inner_text()


def test_another_beginning_is_typed(demo):
    """A word that the model has never seen is refused with its nearest; a known text is read."""
    field = demo.locator(".chooser input")
    field.fill("il gato")
    demo.locator(".help button", has_text="gatto").click()
    assert demo.locator(".source").inner_text() == "il gatto →"
    field.fill("")
    field.press("Enter")
    assert demo.locator(".help").inner_text().startswith("Type a sentence, such as “la ragazza”.")
    field.fill(BEGINNING)
    field.press("Enter")
    demo.locator(".source", has_text=BEGINNING).wait_for()


@pytest.mark.parametrize("meanwhile", ["#demo=gpt_numbers&sentence=il%20gatto", ""])
def test_a_link_is_followed_while_the_address_lags_behind(opened, demo, meanwhile):
    """The address follows a demo with a delay: it may change just after a click, or still be that of the link."""
    link = opened.page.locator("a.try", has_text="this one")
    demo.locator(".chooser input").fill("il gatto")
    demo.locator(".chooser input").press("Enter")
    demo.locator(".source", has_text="il gatto").wait_for()
    link.evaluate("(link, to) => { link.click(); if (to) history.replaceState(null, '', to); }", meanwhile)
    demo.locator(".source", has_text=BEGINNING).wait_for()
