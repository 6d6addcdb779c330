"""What all demos have in common: what they refuse, keyboard, touch, a telephone that is turned, legible text."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

import demos
import numpy as np
import pytest
from demos.beam_tree import small_tree
from traitlets import TraitError

from attention.models import shipped_translator
from attention.models.quantised import packed
from attention.models.writer import writer

from .conftest import TELEPHONE, Chapter
from .test_pages import SOURCES

SCRIPT = Path(__file__).with_name("every_demo.js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Demo:
    """What the suite has to know of a demo: the name of its folder, and where it differs from most."""

    stem: str
    refused: tuple = ()  # what it cannot be given, with a word of the message where that is not the trait's name
    right: object = dict  # makes the traits that it can be given
    texts: int = 15  # fewer than it shows
    touch: int = 44  # pixels that a finger can hit
    is_steady: bool = True  # whether its height stays in every state
    per: str = ""  # the control whose every value may have another height
    states: int = 12  # to look at
    css: str = ""  # its class, where that is another demo's

    @cached_property
    def kind(self):
        """The Python class."""
        return getattr(demos, self.stem.title().replace("_", ""))

    @cached_property
    def name(self):
        """The first page that shows it, by which the tests of one chapter are chosen."""
        imports = re.compile(rf"^from demos import .*\b{self.kind.__name__}\b", re.MULTILINE)
        return next(page.stem for page in SOURCES if imports.search(page.read_text(encoding="utf-8")))

    @property
    def selector(self):
        """Where it is on its page."""
        return f".{self.css or self.stem.replace('_', '-')}"


TREE = small_tree()
N_TREE = len(TREE["words"])
LINES = {name: [[1, 1.0], [2, 0.5]] for name in ("no_norm", "no_residual", "post", "pre")}
MOMENT = {"said": "ti …", "words": ["amo", "chiamo"], "logits": [1.0, 0.0]}
MODEL_ROW = {"name": "a", "changed": "", "chapter": 1, "link": "", "loss": 1, "right": 1, "shares": [1], "line": []}


def zeros(*shapes):
    """Return a matrix of zeros of each shape."""
    return [np.zeros(shape) for shape in shapes]


def sentence(**others):
    """Return two words with matrices that fit them."""
    x, w_q, w_k, w_v = zeros((2, 3), (3, 5), (3, 5), (3, 2))
    return {"words": ["hungry", "lion"], "x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v} | others


def two_heads():
    """Return three words, and matrices for two heads."""
    x, w_q, w_k, w_v, w_o = zeros((3, 5), (5, 4), (5, 4), (5, 6), (6, 3))
    return {"words": [*"abc"], "x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o, "names": ["left", "right"]}


def padded():
    """Return six words, of which two are padding, and others to put in their places."""
    return {"words": [*"abcdef"], "x": np.zeros((6, 4)), "other": np.zeros((6, 4)), "length": 4}


def trained():
    """Return the translator and a sentence that it knows."""
    return {"trained": packed(shipped_translator().model), "examples": ["i see you"]}


# A demo a line; those that refuse more than a number out of its range have a few.
DEMOS = (
    Demo("average_meaning", ({"fruit": 10_001},), touch=40),
    Demo(
        "beam_tree",
        (
            {"trees": []},
            {"trees": [{"name": "a"}]},
            ({"trees": [TREE | {"log_p": [1.0] * N_TREE}]}, "log-probabilities"),
            ({"trees": [TREE | {"parents": [5] * N_TREE}]}, "parents"),
            {"which": 2},
            {"width": 0},
            {"width": 5},
        ),
        lambda: {"trees": [TREE, TREE | {"name": "again"}]},
    ),
    Demo(
        "clock_hands",
        ({"position": 41}, {"offset": 24}, {"d_model": 6}, {"d_model": 1}, {"d_model": 32}),
        texts=20, per=".d_model input:checked",
    ),
    Demo("counting_words", ({"chosen": 3},), texts=40, touch=40),
    Demo("every_number", ({"tour": 12},), trained, texts=30),
    Demo(
        "gpt_numbers",
        (({"examples": ["la zebra"]}, "zebra"),),
        lambda: {"trained": packed(writer()), "examples": ["la ragazza"]},
        texts=30, css="every-number",
    ),
    Demo(
        "gradient_through_time",
        (
            ({"rotation": 2 * np.eye(2)}, "orthogonal"),
            ({"rotation": np.eye(3)[:2]}, "orthogonal"),
            ({"inputs": np.zeros((5, 3))}, "columns"),
            ({"inputs": np.zeros((101, 2))}, "101 rows"),
            ({"inputs": np.zeros((1, 2)), "length": 1}, "1 rows"),
            {"radius": 0.4},
            {"length": 0},
            {"length": 8},
        ),
        lambda: {"rotation": np.eye(2), "inputs": np.zeros((7, 2)), "length": 5},
        touch=40,
    ),
    Demo(
        "gravity",
        ({"bank": [3.01, 0]}, {"sentence": "bank"}, {"steps": 51}, {"guests": [["loan"]]}),
        texts=25, touch=40,
    ),
    Demo(
        "heads",
        (
            ({"words": ["a", "b"]}, "rows of x"),
            {"words": ["a"] * 13},
            ({"names": ["all"]}, "heads"),
            ({"names": ["a", "b", "c"]}, "columns of w_q"),
            ({"w_v": np.ones((5, 5)), "w_o": np.ones((5, 3))}, "columns of w_v"),
            {"w_k": np.ones((5, 2))},
            {"w_o": np.ones((4, 3))},
            {"w_q": np.ones((4, 4))},
            {"w_o": np.ones((6, 5))},
            {"x": [[0, np.nan]] * 3},
            {"head": 2},
            {"row": 3},
            {"silent": [0, 2]},
        ),
        two_heads,
        texts=60,
    ),
    Demo(
        "laboratory",
        ({"chosen": ["b"]}, {"chosen": ["a"] * 5}, {"order": "width"}, {"sentence": 1}),
        lambda: {"models": [MODEL_ROW], "sentences": [{"source": "x", "wanted": "y"}]},
        texts=60, touch=40,
    ),
    Demo(
        "mask_editor",
        (
            ({"words": ["a", "b"]}, "rows of x"),
            ({"words": ["a"], "x": np.zeros((1, 4)), "other": np.zeros((1, 4))}, "words"),
            {"other": np.zeros((6, 3))},
            {"length": 7},
            {"mask": np.ones((5, 5), dtype=bool)},
            {"preset": "future"},
            {"changed": 7},
        ),
        padded,
        texts=25,
    ),
    Demo(
        "normalise",
        (
            {"x": np.ones((1, 3))},
            {"x": np.ones((2, 9))},
            ({"words": ["a", "b", "c"]}, "word"),
            {"affine": np.ones((2, 4))},
            {"token": 2},
            {"stage": "normed"},
            {"over": "batch"},
        ),
        lambda: {"words": ["a", "b"], "x": np.ones((2, 3)), "affine": np.ones((2, 3))},
        texts=30,
    ),
    Demo(
        "reach",
        (
            {"words": ["a", "b"]},
            {"words": ["a"] * 13},
            {"architecture": "lstm"},
            {"depth": 0},
            {"depth": 12},
            {"token": 11},
        ),
        texts=25, touch=40,
    ),
    Demo(
        "row_by_row",
        (
            {"x": np.eye(3)},
            {"w_q": np.ones((4, 5))},
            {"w_v": np.ones((4, 2))},
            {"w_k": np.ones((3, 4))},
            {"stage": "softmax"},
            {"row": 2},
            {"column": 2},
            ({"stage": "query", "column": 5}, "column"),
            {"order": [2, 1, 0]},
            {"mask": np.ones((3, 3), dtype=bool)},
        ),
        sentence,
        texts=40, touch=28,
    ),
    Demo(
        "saturation",
        (
            {"query": np.ones((3, 8))},
            ({"query": np.ones((3, 48)), "key": np.ones((2, 48))}, "power of two"),
            ({"query": np.ones((3, 2048)), "key": np.ones((2, 2048))}, "up to 1024"),
            {"key": np.ones((1, 16))},
            {"key": np.ones((13, 16))},
            {"d_k": 3},
            {"d_k": 32},
            {"row": 3},
        ),
        lambda: {"query": np.ones((3, 16)), "key": np.ones((5, 16)), "d_k": 16},
        texts=40, touch=40,
    ),
    Demo(
        "soft_dictionary",
        ({"tokens": "ABC"}, {"query": "C"}, {"booster": -1}, {"base": 3}),
        touch=40,
    ),
    Demo(
        "temperature",
        (({"moments": [MOMENT | {"logits": [1.0]}]}, "logits"), {"place": 1}, {"temperature": 5}),
        lambda: {"moments": [MOMENT]},
        texts=20,
    ),
    Demo(
        "towers",
        ({"depth": 3}, {"size": {"post": LINES["post"]}}, {"measure": "spread"}),
        lambda: dict.fromkeys(("size", "difference", "gradient"), LINES),
    ),
    Demo(
        "training_replay",
        ({"moment": 12}, {"sentence": 3}, {"head": 4}, {"record": {"loss": []}}, {"record": [1]}),
        lambda: {"record": shipped_translator().record},
        texts=40,
    ),
    Demo(
        "thread",
        ({"run": {"source": []}}, {"examples": []}),
        lambda: {"examples": ["i see"], "run": {"source": ["i"], "written": [], "cross": []}, "address": "a.html"},
        texts=10, css="thread-demo",
    ),
    Demo(
        "translator",
        (
            ({"examples": ["i love pizza"]}, "pizza"),
            ({"sentence": ""}, "words"),
            ({"sentence": " ".join("i" * 19)}, "words"),
            ({"off": ["cross.0.4"]}, "head"),
            {"off": "mask"},
            {"view": "think"},
            {"trained": {"h": 4}},
        ),
        trained,
        texts=60, states=3,
    ),
)  # fmt: skip


@pytest.fixture(scope="module", params=sorted(DEMOS, key=lambda demo: demo.name), ids=lambda demo: demo.stem)
def facts(request):
    """What is known of a demo; those of one page follow one another, so that each page is opened once."""
    return request.param


def test_every_demo_is_here():
    """A new demo has its line."""
    assert sorted(demo.kind.__name__ for demo in DEMOS) == sorted(demos.__all__)


def test_what_it_cannot_show_is_refused(facts):
    """One message says what was expected and what came, and names the trait, or what does not fit."""
    facts.kind(**facts.right())
    for entry in facts.refused:
        wrong, word = entry if isinstance(entry, tuple) else (entry, None)
        with pytest.raises(TraitError, match=rf"expected (.*\b)?{word or next(iter(wrong))}\b|got .*{word}"):
            facts.kind(**facts.right() | wrong)


# --- in the page ---


class Opened(Chapter):
    """A demo on its page."""

    def __init__(self, visit, facts, book):
        super().__init__(visit)
        self.address = f"{book}/{facts.name}.html"
        if self.page.url.partition("#")[0] != self.address:  # a demo writes its state behind it
            self.visit.goto(self.address)
            self.wake()
        self.found = self.page.locator(facts.selector).first
        self.found.wait_for()
        self.found.evaluate("demo => demo.querySelectorAll('.numbers').forEach((one) => { one.open = true; })")

    def ask(self, function, *given):
        """Call a function of every_demo.js."""
        return self.found.evaluate(f"(demo, given) => {{ {SCRIPT} return {function}(given); }}", *given)

    def assert_fits(self, facts, width):
        """In all states the page is no wider than the screen, the demo equally high, and numbers are 0.5, not .5."""
        seen = self.ask("walk", {"states": facts.states, "group": facts.per})
        assert max(shown["wide"] for shown in seen) <= width
        assert not [shown["text"] for shown in seen if re.search(r"(?<!\d)\.\d", shown["text"])]
        heights = sorted((shown["group"] or "", shown["height"]) for shown in seen)
        if facts.is_steady:
            for _, same in groupby(heights, key=lambda one: one[0]):
                assert np.ptp([height for _, height in same]) <= 1  # a pixel is rounding

    def assert_nothing_failed(self):
        """Nothing was reported, and nothing asked of another host."""
        assert (self.visit.errors, self.visit.foreign) == ([], [])


@pytest.fixture
def desk(warm, facts, book):
    """The demo at a desk."""
    here = Opened(warm(), facts, book)
    yield here
    here.assert_nothing_failed()


@pytest.fixture
def phone(warm, facts, book):
    """The demo on a telephone."""
    here = Opened(warm(**TELEPHONE), facts, book)
    yield here
    here.assert_nothing_failed()
    here.page.goto("about:blank")  # a page that was turned holds what is read for a while, whoever works it


KEYS = {"range": ("ArrowRight", "ArrowLeft"), "select-one": ("ArrowDown", "ArrowUp")}
KEYS |= {"radio": ("ArrowRight", "ArrowRight"), "checkbox": ("Space", "Space")}


def test_the_keyboard_alone_works_it(desk, facts):
    """Tab reaches every control and rings it; an arrow or the space bar sets it, and the demo shows something else."""
    desk.enter_from_above(desk.found)
    reached = 0
    for _ in range(80):
        desk.press("Tab")
        before = desk.ask("focus")
        if before is None:
            break
        reached += before["isNative"]
        assert before["isRinged"] or not before["isNative"]
        if before["isNative"] and before["kind"] in KEYS:
            desk.press(KEYS[before["kind"]][before["isLast"]])
            after = desk.ask("focus")
            assert after["state"] != before["state"]
            assert after["text"] != before["text"]
    assert reached >= desk.ask("stops")  # a switch may have taken some away


def test_the_sentence_below_is_spoken(desk):
    """What is seen is heard, as soon as the controls are at rest."""
    says = desk.found.locator(".says").first.text_content()
    assert says
    desk.page.wait_for_function(
        "([demo, says]) => [...demo.querySelectorAll('[aria-live]')].some((one) => one.textContent === says)",
        arg=[desk.found.element_handle(), says],
    )


def test_it_can_be_read_in_every_state(desk, facts):
    """Text has a contrast of 4.5 to 1 in light and dark; no state is too wide or jumps."""
    desk.assert_well_read(desk.found, facts.texts)
    desk.assert_fits(facts, 1280)
    desk.assert_well_read(desk.found, facts.texts)


def test_numbers_fit_their_cells_on_a_wide_screen(desk):
    """Where the letters of the page are larger, so are the cells."""
    desk.page.set_viewport_size({"width": 1920, "height": 1000})
    assert desk.ask("crowded") == []


def test_a_telephone_works_it_by_touch(phone, facts):
    """What is touched is high enough, taps set it, and the page scrolls only downwards, turned too."""
    assert phone.ask("low", facts.touch) == []
    for options in phone.found.locator("fieldset.choice:visible").all():
        options.locator(".option").last.tap(force=True)
        assert options.locator("input").last.is_checked()
    for slider in phone.found.locator("input[type=range]:visible").all():
        slider.tap(position={"x": slider.bounding_box()["width"] - 2, "y": 20})
        assert slider.evaluate("node => node.value === node.max")
    for switch in phone.found.locator("label:visible:has([type=checkbox])").all()[:2]:
        before = switch.locator("input").is_checked()
        switch.tap()
        assert switch.locator("input").is_checked() != before
    phone.assert_fits(facts, 375)
    phone.page.set_viewport_size({"width": 740, "height": 375})
    phone.page.wait_for_function("document.documentElement.scrollWidth <= 740")
