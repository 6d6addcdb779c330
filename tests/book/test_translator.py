"""The Translator as readers meet it: a trained model in the published page, with no kernel and no network."""

import numpy as np
import pytest

from attention.chapters.layer_norm import add_and_norm, layer_norm
from attention.chapters.masking import causal_mask
from attention.chapters.position import add_position
from attention.chapters.scaling import scaled_scores, scaling_factor
from attention.chapters.translator import greedy_translations
from attention.models import corpus, shipped_translator
from attention.models.attention import attention_of
from attention.models.replaced import replaced

CHAPTER = "translator"
VIEW = '<script type="application/vnd.jupyter.widget-view+json">'
PLACES = "encoder", "decoder", "cross"


@pytest.fixture(scope="module")
def trained():
    """The course's translator."""
    return shipped_translator()


# --- in the page ---

TYPE = """(demo, text) => {
  const input = demo.querySelector(".field input");
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
}"""
KEYS = """(demo, text) => {  // letter by letter, without a pause, and what is shown of each beginning
  const [input, hint, words] = [".field input", ".hint", ".words"].map((one) => demo.querySelector(one));
  return [...text].map((_, i) => {
    input.value = text.slice(0, i + 1);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    return [hint.textContent, words.textContent];
  });
}"""
READ = """demo => ({
  words: [...demo.querySelectorAll(".words .word")].map((node) => node.textContent),
  heads: [...demo.querySelectorAll(".thumbnail")].map((node) => node.__data__.weights),
  weights: [...demo.querySelectorAll(".map td")].map((cell) => Number(cell.dataset.value)),
  chosen: Number(demo.querySelector(".sum").dataset.value),
  says: demo.querySelector(".says").textContent,
  help: demo.querySelector(".help").textContent,
})"""


AS_IT_COMES = """demo => {
  [...demo.querySelectorAll("button")].find((button) => button.textContent === "All on").click();
  demo.querySelectorAll(".tabs button")[2].click();
}"""


def typed(demo, sentence):
    """Type a sentence, and return what the demo then shows."""
    demo.evaluate(TYPE, sentence)
    return demo.evaluate(READ)


@pytest.fixture
def demo(opened):
    """The demo with its first sentence, at its third step, with all parts on, in a page that is shared."""
    found = come_near(opened)
    found.evaluate(AS_IT_COMES)
    typed(found, "i love you very much")
    return found


@pytest.mark.parametrize("place", PLACES)
def test_every_weight_is_the_references(demo, trained, place):
    """In each attention all heads show the weights that the reference computes for the same sentence."""
    demo.locator(f".tabs button >> nth={PLACES.index(place)}").click()
    for sentence in ("i love you very much", "the bank of the river is older than the bank in the city"):
        wanted = getattr(attention_of(trained, sentence), place)[-1]
        shown = typed(demo, sentence)
        np.testing.assert_allclose(shown["heads"], wanted, rtol=0, atol=1e-9)
        np.testing.assert_allclose(shown["weights"], wanted[2].ravel(), rtol=0, atol=1e-9)  # the page opens head 2
        assert shown["words"] == [*greedy_translations([sentence], trained.model, 24)[0].split(), "end"]


def positions_off(x):
    """Leave the positions out."""
    return x


def unscaled(query, key):
    """Divide by nothing."""
    return scaled_scores(query, key) / scaling_factor(query.shape[-1])


WITHOUT = {
    "positions": {add_position: positions_off},
    "scaling": {scaled_scores: unscaled},
    "residual": {add_and_norm: lambda x, found, gamma, beta, eps=1e-5: layer_norm(found, gamma, beta, eps)},
    "norm": {add_and_norm: lambda x, found, gamma, beta, eps=1e-5: x + found},
    "causal mask": {causal_mask: lambda n: np.ones((n, n), dtype=bool)},
}


@pytest.mark.parametrize("part", WITHOUT)
def test_a_part_that_is_off_is_off_in_the_reference(demo, trained, part):
    """With a part switched off, sentences become what they become in Python without it, and the sentence says so."""
    switch = demo.locator(".switches").get_by_label(part)
    switch.uncheck()
    sentences = ["i love you very much", "the dog sees the cat", *(source for source, _ in corpus().held_out[7:500:99])]
    with replaced(WITHOUT[part]):
        wanted = greedy_translations(sentences, trained.model, 24)
    for sentence, translation in zip(sentences, wanted, strict=True):
        shown = typed(demo, sentence)
        assert [word for word in shown["words"] if word != "end"] == translation.split()
        assert shown["says"].startswith(f"Without {part} “{sentence}”")
    demo.get_by_role("button", name="All on").click()
    assert switch.is_checked()


@pytest.mark.parametrize(("place", "matrix"), [("encoder", "encoder.0.w_o"), ("cross", "decoder.0.cross_w_o")])
def test_a_silenced_head_is_as_if_its_rows_of_w_o_were_zero(demo, trained, place, matrix):
    """A head that is switched off hands over nothing, in its own attention alone."""
    sentence = "the bank of the river is older than the bank in the city"
    typed(demo, sentence)
    demo.locator(f".tabs button >> nth={PLACES.index(place)}").click()
    demo.get_by_label("Head 1 is on").uncheck()
    silenced = trained.model.parameters[matrix].copy()
    silenced[16:32] = 0
    changed = trained.model._replace(parameters={**trained.model.parameters, matrix: silenced})
    shown = demo.evaluate(READ)
    assert " ".join(shown["words"][:-1]) == greedy_translations([sentence], changed, 24)[0]
    assert "Without head 1 of" in shown["says"]


def test_a_word_that_it_has_never_seen_is_refused_with_its_neighbours(demo):
    """The sentence before stays, and is named; known words that are spelt like it are buttons, one puts it right."""
    before = typed(demo, "the dog sees the cat")
    shown = typed(demo, "the dog sees the cab")
    field = demo.locator(".field input")
    assert shown["words"] == before["words"]
    assert shown["help"] == (
        "The model does not know “cab”. Spelt like it: cat The old sentence is still shown: “the dog sees the cat”."
    )
    assert (field.get_attribute("aria-invalid"), field.input_value()) == ("true", "the dog sees the cab")
    demo.locator(".help").get_by_role("button", name="cat", exact=True).click()
    assert (field.get_attribute("aria-invalid"), field.input_value()) == (None, "the dog sees the cat")
    assert demo.evaluate(READ)["help"] == ""
    assert typed(demo, "The dog sees the CAT, yesterday!")["help"] == ""
    assert "Type a sentence" in typed(demo, " ")["help"]
    assert "up to 18 words" in typed(demo, " ".join(["cat"] * 19))["help"]


def test_a_sentence_is_taken_when_it_is_finished(demo):
    """While keys are pressed nothing is translated, and it is said what Enter does; a pause takes a known sentence."""
    before = typed(demo, "the dog sees the cat")["words"]
    sentence = "the cat sees the black dog"
    seen = demo.evaluate(KEYS, sentence)
    assert len({words for _, words in seen}) == 1
    assert seen[len("the cat") - 1][0] == "Enter translates"
    assert seen[len("the cat sees the bla") - 1][0] == "“bla” is not known yet"
    demo.locator(".words").get_by_text("cane", exact=True).wait_for()
    demo.locator(".words").get_by_text("nero", exact=True).wait_for()
    demo.evaluate(KEYS, "the dog sees the cat")
    demo.locator(".field input").evaluate("input => { input.focus(); input.blur(); }")
    demo.locator(".words").get_by_text("nero", exact=True).wait_for(state="detached")
    assert demo.evaluate(READ)["words"] == before


def test_a_word_of_the_list_is_added_to_the_field(demo):
    """All English words that it knows are there, in the order of the alphabet; each is a button."""
    demo.locator(".known .opener").click()
    words = demo.locator(".known .list button").all_inner_texts()
    assert sorted(words) == sorted(word for word in shipped_translator().model.source_vocabulary if word[0] != "<")
    assert [word.strip("'") for word in words] == sorted(word.strip("'") for word in words)
    demo.get_by_role("button", name="Empty the field").click()
    for word in ("the", "dogs", "do", "not", "find", "us"):
        demo.locator(".known .list").get_by_role("button", name=word, exact=True).click()
    assert demo.locator(".field input").input_value() == "the dogs do not find us"
    demo.locator(".words").get_by_text("non", exact=True).wait_for()
    demo.locator(".known .opener").click()


def test_the_keyboard_reaches_all_of_it(opened, demo):
    """Tab goes from the sentence to the words, the switches, the steps and the map; arrows move in steps and map."""
    opened.enter_from_above(demo)
    opened.tab_to("^text")
    opened.page.keyboard.insert_text("")
    opened.tab_to("Word 2")
    opened.press("Enter")
    assert demo.locator(".words [aria-pressed=true] .word").inner_text() == "amo"
    opened.tab_to("^checkbox.*")
    opened.press("Space")
    assert "Without scaling" in demo.evaluate(READ)["says"]
    opened.press("Space")
    opened.tab_to("^tab ")
    opened.press("ArrowLeft")
    assert opened.focused().endswith("2looks back")
    opened.press("End")
    assert opened.focused().endswith("4next word")
    opened.press("ArrowRight", "Home")  # there is none behind the last
    assert opened.focused().endswith("1reads")
    opened.press("ArrowRight")
    opened.tab_to("^TD ")
    opened.press("Home", "ArrowDown")
    assert opened.focused().startswith("TD molto looks at start")
    opened.press("ArrowRight", "ArrowRight")
    opened.press("ArrowRight")  # hidden by the mask: the keyboard stays where it is
    assert opened.focused().startswith("TD molto looks at amo")


def test_a_telephone_shows_the_whole_translation_and_keeps_its_height(opened, demo):
    """All words wrap into their room; no step and no part that is off changes the height for a sentence."""
    typed(demo, "the bank of the river is older than the bank in the city")
    opened.page.set_viewport_size({"width": 375, "height": 740})
    inside = """box => [...box.children].every((word) => {
      const [one, all] = [word, box].map((node) => node.getBoundingClientRect());
      return one.left >= all.left && one.right <= all.right && one.top >= all.top && one.bottom <= all.bottom;
    })"""
    assert demo.locator(".words").evaluate(inside)
    heights = []
    for step in range(4):
        demo.locator(f".tabs button >> nth={step}").click()
        heights.append(demo.bounding_box()["height"])
    demo.locator(".switches").get_by_label("positions").uncheck()
    heights.append(demo.bounding_box()["height"])
    opened.page.set_viewport_size({"width": 1280, "height": 900})
    assert np.ptp(heights) <= 20  # a line


def come_near(here):
    """Scroll to the demo, which is the second of its page and waits to be seen; return it."""
    here.page.evaluate("document.querySelector('#what-each-head-looks-at').scrollIntoView()")
    demo = here.demo("translator")
    demo.wait_for()
    return demo


def test_the_model_is_loaded_when_the_demo_comes_into_view(visit, address):
    """Far below the screen, where the page does not ask for its data ahead, it waits; its numbers are in no page."""
    here = visit()
    asked = []
    here.page.on("request", lambda request: asked.append(request.url))

    def pushed(html):
        return html.replace('rel="preload"', "").replace(VIEW, "<div style='height: 5000px'></div>" + VIEW, 1)

    here.goto(address, pushed, drawn=0)
    here.page.locator(".demo-waits").first.wait_for(state="attached")
    assert not [url for url in asked if "demo_data" in url]
    here.page.locator(".demo-waits").first.evaluate("place => place.scrollIntoView()")
    here.page.locator(".demo").first.wait_for()
    assert len([url for url in asked if "demo_data" in url]) == 1
    assert here.errors == []


def test_it_runs_in_a_page_opened_from_disk(visit, site):
    """The model is found beside the page without any server."""
    page = visit().page
    page.goto((site / "translator.html").as_uri() + "#demo=translator")
    assert page.locator(".translator .word").first.inner_text() == "l'"


def test_data_that_is_missing_is_said_in_the_page(visit, address):
    """If the file is missing, one plain sentence replaces the demo."""
    here = visit()
    here.page.route("**/demo_data/*", lambda route: route.abort())
    here.goto(address, drawn=0)
    here.page.get_by_text("This demo could not start in your browser").first.wait_for()
