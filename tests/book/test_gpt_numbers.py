"""Every number of the small GPT: the page's engine against Python's, and the demo by mouse, touch and keyboard."""

import json
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from demos import GptNumbers
from traitlets import TraitError

from attention.models.explain_writer import numbers_of_own_text, numbers_of_writer
from attention.models.graph import recompute
from attention.models.quantised import packed
from attention.models.writer import step_of, writer, written

from .test_every_number import asked_of_the_page, title

CHAPTER = "13_gpt"
BEGINNING = "la ragazza"
TEXTS = [BEGINNING, "il gatto vede la", "lo", *(one.sentence for one in written(1.0, 5, seed=29))]
PER_ARRAY = 3
OWN = {  # files that own_text wrote, of 1 and 2 layers, and texts for each
    Path(__file__).parents[1] / f"data/own_text/{name}.gpt.json": texts
    for name, texts in (
        ("english", [" the queen", "\nwe like the forest", " bats that the doctor 's cats"]),
        ("italian", [" il ragazzo ha", "la regina\nogni giorno", " più"]),
    )
}


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


@pytest.mark.parametrize("file", OWN, ids=lambda file: file.stem)
def test_every_number_of_a_file_of_ones_own_is_pythons(file):
    """Of two trained files: texts cut by their merges, page = Python within 1e-9, and = its own operands."""
    rng = np.random.default_rng(37)
    every = {text: numbers_of_own_text(file, text) for text in OWN[file]}
    asked = [{"sentence": text, "off": [], "nodes": list(drawn(numbers, rng))} for text, numbers in every.items()]
    for one, answer in zip(asked, asked_of_the_page(asked, file=file.read_text(encoding="utf-8")), strict=True):
        assert len(answer["values"]) == len(one["nodes"])
        for node, value, again, terms in answer["values"]:
            made = every[one["sentence"]].explain(node)
            assert value == pytest.approx(made.value, abs=1e-9), (one["sentence"], node)
            assert again is None or again == pytest.approx(value, abs=1e-9), (one["sentence"], node)
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


# --- a file of one's own ---


@pytest.fixture
def own(opened, demo):
    """The demo with the Italian file of own_text."""
    file = list(OWN)[1]
    demo.locator("input[type=file]").set_input_files(file)
    demo.locator(".own-file p", has_text="italian.txt: 120 tokens").wait_for()
    yield demo
    if demo.get_by_role("button", name="Close it").count():
        demo.get_by_role("button", name="Close it").click()


def seen(symbol):
    """Return a token as the page shows it."""
    return symbol.replace(" ", "␣").replace("\n", "↵")


def test_a_file_of_ones_own_shows_its_numbers(own):
    """A typed text is cut by the file's merges; what may follow is what Python says, and its cards open."""
    file, text = list(OWN)[1], " il ragazzo ha"
    field = own.locator(".chooser input")
    field.fill(text)
    field.press("Enter")
    numbers = numbers_of_own_text(file, text)
    said = " ".join(map(seen, numbers.text[1:]))
    assert own.locator(".source").inner_text() == f"{said} →"
    tokens, shares = json.loads(file.read_text(encoding="utf-8"))["tokens"], numbers.arrays["g.p"][-1]
    best = shares.argsort()[::-1][:5]
    assert offered(own) == [[seen(tokens[i]), f"{100 * shares[i]:.2f}%"] for i in best]
    assert title(own) == f"How likely is “{seen(tokens[best[0]])}” after “{said}”?"
    own.locator(".card .factors button").first.click()
    assert title(own).startswith("How strongly does the model vote for")
    own.get_by_role("button", name="Write").click()
    assert own.locator(".source").inner_text() == f"{said} {seen(tokens[best[0]])} →"
    assert field.input_value() == text + tokens[best[0]].replace("\n", "↵")


def test_what_such_a_file_cannot_read_is_refused(own):
    """A letter that its text does not have, and a file that own_text did not write: what was open stays open."""
    before = own.locator(".source").inner_text()
    field = own.locator(".chooser input")
    field.fill(" il Ω")
    field.press("Enter")
    assert "“Ω” is not in the text" in own.locator(".help").inner_text()
    other = {"name": "notes.json", "mimeType": "application/json", "buffer": b"[]"}
    own.locator("input[type=file]").set_input_files(other)
    own.locator(".own-file p", has_text="no file of own_text").wait_for()
    assert own.locator(".source").inner_text() == before


def test_the_keyboard_opens_and_closes_a_file(opened, demo):
    """Enter on the button asks for a file; the focus stays; the height stays within a line; links lead to our model."""
    height = demo.evaluate("node => node.offsetHeight")
    with opened.page.expect_file_chooser() as chosen:
        demo.get_by_role("button", name="Open a file of your own").focus()
        opened.page.evaluate("0")  # the browser knows by then that a file chooser is expected
        opened.press("Enter")
    chosen.value.set_files(next(iter(OWN)))
    demo.locator(".own-file p", has_text="1 layer of 4 heads").wait_for()
    assert opened.page.evaluate("document.activeElement.textContent") == "Open a file of your own"
    assert demo.locator(".ruler .side").count() == 2
    assert demo.evaluate("node => node.offsetHeight") == pytest.approx(height, abs=24)
    demo.get_by_role("button", name="Close it").click()
    assert demo.locator(".source").inner_text() == f"{BEGINNING} →"
    demo.locator("input[type=file]").set_input_files(next(iter(OWN)))
    demo.locator(".own-file p", has_text="1 layer of 4 heads").wait_for()
    demo.locator(".own-tokens summary").click()
    assert "␣queen" in demo.locator(".own-tokens p").inner_text()
    opened.page.locator("a.try", has_text="il in place of la").evaluate("link => link.click()")
    demo.locator(".source", has_text="il gatto vede il").wait_for()


def test_on_a_telephone_its_buttons_are_large_enough(book, visit):
    """44 pixels high and wide, and nothing wider than the page."""
    page = visit(width=375, height=740).page
    page.goto(f"{book}/{CHAPTER}.html")
    page.evaluate("document.querySelector('#every-number-of-this-model').scrollIntoView()")
    page.locator(".every-number input[type=file]").set_input_files(list(OWN)[1])
    page.get_by_role("button", name="Close it").wait_for()
    for one in page.locator(".own-file button, .own-tokens summary").all():
        box = one.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
