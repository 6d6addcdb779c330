"""Questions that take an answer: what an author may write, what the build refuses, what a reader is told."""

import gzip
import re

import pytest
import questions
from questions import CannotBeAsked, as_text, number_of, tolerance_of

from .small_book import build, write
from .test_pages import AXE, FAULTS

GOOD = """---
file_format: mystnb
kernelspec: {name: python3, display_name: Python 3}
---
# Asking

```{code-cell}
:tags: [remove-cell]
from myst_nb import glue
glue("share", 0.1554, display=False)
```

::::{predict}
How large is $\\tfrac{1}{2} \\cdot 0.32$ of {glue:text}`share:.2f`? See [the other page](other.md).

:answer: share:.2f
:tolerance: 0.01

- 1/3: That is $a: b$, an equal
  share of {glue:text}`share:.4f`.
- -0.16: The sign is turned round, [as there](other.md).

:::{dropdown} Answer
It is {glue:text}`share:.2f`.
:::
::::

::::{predict}
More, or less?

- [ ] less: The other way round.
- [x] more than `a: b`
- [ ] as much

:::{dropdown} Answer
More.
:::
::::

```{code-cell}
:tags: [remove-input, in-answer]
print("as the figure shows")
```

:::::{predict}
How many per cent?
:answer: 25 %

::::{dropdown} Answer
A quarter.
::::
:::::
"""
ANSWER = "\n:::{dropdown} Answer\nSo it is.\n:::\n"
FAULTY = [
    (f"How many?\n{ANSWER}", "has no answer: write a line `:answer: 0.16`"),
    (f":answer: 2\n{ANSWER}", "asks nothing: write the question"),
    ("How many?\n:answer: 2\n", "has no answer to open"),
    (f"How many?\n:answer: 0.16\n- 0.164: So.\n{ANSWER}", "the wrong answer 0.164 is right: it is within 0.005"),
    (f"How many?\n:answer: 2\n- three\n{ANSWER}", "a wrong number, a colon and a sentence, got 'three'"),
    (f"How many?\n:answer: 2\n- three: So.\n{ANSWER}", "expected a name that claims.computed gives, got 'three'"),
    (f"How many?\n:answer: ten to two\n{ANSWER}", "expected a number, such as 0.16, −2, 1/3 or 16 %"),
    (f"How many?\n:answer: 1/3\n{ANSWER}", "how near to 1/3 is near enough?"),
    (f"Which?\n- [ ] this\n- [ ] that\n{ANSWER}", "expected one choice marked [x]"),
    (f"Which?\n- [x] this\n- [x] that\n{ANSWER}", "expected one choice marked [x]"),
]


@pytest.fixture(scope="module")
def asking(root, tmp_path_factory):
    """A small book whose pages ask, rightly and wrongly: its folder of pages, and what the build said."""
    folder = tmp_path_factory.mktemp("asking")
    write(folder, root)
    (folder / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters: [{file: other}, {file: faulty}]\n")
    blocks = [f"::::{{predict}}\n{text}::::\n" for text, _ in FAULTY]
    pages = {"index": GOOD, "other": "# Another page\n", "faulty": "\n".join(["# Faulty\n", *blocks])}
    for name, text in pages.items():
        (folder / f"book/{name}.md").write_text(text, encoding="utf-8")
    done = build(folder, "-q")
    lines = [1 + i for i, line in enumerate(pages["faulty"].splitlines()) if "{predict}" in line]
    return folder / "_build/html", re.sub(r"\x1b\[[\d;]*m", "", done.stdout + done.stderr), lines


@pytest.mark.parametrize("place", range(len(FAULTY)))
def test_a_question_that_cannot_be_asked_is_named(asking, place):
    """The page, the line and what to write are one line."""
    _, said, lines = asking
    assert re.search(rf"faulty\.md:{lines[place]}: WARNING: \{{predict\}}: .*{re.escape(FAULTY[place][1])}", said)


def test_a_good_question_is_no_fault(asking):
    """Formulas, references and computed numbers are read in the question, its sentences and its answer."""
    site, said, _ = asking
    assert "index.md" not in said
    page = (site / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<legend>(.*)</legend>", page) == ["Question 1", "Question 2", "Question 3"]
    replies = re.findall(r'<p hidden data-for="([^"]*)">(.*?)</p>', page, re.DOTALL)
    assert [float(number) for number, _ in replies] == pytest.approx([1 / 3, -0.16, 0])
    assert "0.1554" in replies[0][1]
    assert "katex" in replies[0][1]
    assert 'href="other.html"' in replies[1][1]


def test_what_a_tagged_cell_shows_is_in_the_answer_before_it(asking):
    """A figure below the question would give it away."""
    page = (asking[0] / "index.html").read_text(encoding="utf-8")
    answers = re.findall(r"<details.*?</details>", page, re.DOTALL)
    assert ["as the figure shows" in answer for answer in answers] == [False, True, False]
    assert page.count("as the figure shows") == 1


def test_only_a_page_that_asks_loads_the_script(asking):
    """It is small, and other pages do without."""
    site, _, _ = asking
    assert "questions.js" in (site / "index.html").read_text(encoding="utf-8")
    assert "questions.js" not in (site / "other.html").read_text(encoding="utf-8")
    assert len(gzip.compress(questions.SCRIPT.read_bytes())) <= 3000


@pytest.fixture
def asked(asking, warm):
    """Open the page that asks: ``asked(width=375)``."""

    def open_page(**options):
        page = warm(**options).page
        page.goto("about:blank")
        page.goto(f"{asking[0].as_uri()}/index.html")
        return page

    return open_page


RIGHT, KNOWN, OTHER, UNREAD = "right", "known", "other", "unread"


def outcome(question):
    """Say what came of an answer: whether the toggle is open, and which kind of sentence stands there."""
    told = question.get_by_role("status")
    if question.locator("details").evaluate("toggle => toggle.open"):
        return RIGHT if told.evaluate("told => told.matches('.right')") else "open, but not right"
    hidden = question.locator("[data-for]").all_text_contents()
    if any(words in told.text_content() for words in hidden):
        return KNOWN
    return OTHER if "open the answer" in told.text_content() else UNREAD


@pytest.mark.parametrize(
    ("typed", "came"),
    [
        *((one, RIGHT) for one in ("0.16", ".16", "0,16", "16 %", "16%", " 0.155 ", "1.6e-1", "4/25", "+.16")),
        *((one, KNOWN) for one in ("0.33", "⅓", "1/3", "33 %", "−0.16", "-.16", "–0,16", "−4/25")),
        *((one, OTHER) for one in ("16", "0.5", "½", "1½", "-⅓", "1,024", "0")),
        *((one, UNREAD) for one in ("", "a lot", "1/", "--1", "1/3/3", "0.1.6", "1/0", "%")),
    ],
)
def test_a_number_is_read_as_people_write_it(asked, typed, came):
    """With point or comma, as a share of a hundred, as a fraction, with any minus sign."""
    question = asked().locator("form.predict").nth(0)
    question.get_by_label("Your answer").fill(typed)
    question.get_by_label("Your answer").press("Enter")
    assert outcome(question) == came


@pytest.mark.parametrize(("typed", "came"), [("25", RIGHT), ("25 %", RIGHT), ("0.25", RIGHT), ("2.5", OTHER)])
def test_an_answer_in_per_cent_needs_no_sign(asked, typed, came):
    """Whoever is asked how many per cent may leave the sign out."""
    question = asked().locator("form.predict").nth(2)
    question.get_by_label("Your answer").fill(typed)
    question.get_by_role("button").click()
    assert outcome(question) == came


def test_a_choice_is_made_by_the_keyboard(asked):
    """The arrows choose, Enter checks; a new choice takes back what was said of the old one."""
    page = asked()
    question = page.get_by_role("group", name="Question 2")
    question.get_by_role("button").click()
    assert outcome(question) == UNREAD
    page.keyboard.press("Shift+Tab")
    for key, came in (("Space", OTHER), ("ArrowDown", KNOWN), ("ArrowDown", RIGHT)):  # after the last comes the first
        page.keyboard.press(key)
        assert question.get_by_role("status").text_content() == ""
        page.keyboard.press("Enter")
        assert outcome(question) == came


def test_nothing_is_kept_of_what_was_typed(asked):
    """The page that is opened again has empty fields."""
    page = asked()
    page.get_by_label("Your answer").first.fill("0.5")
    page.get_by_label("Your answer").first.press("Enter")
    kept = "() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.search])"
    assert "0.5" not in page.evaluate(kept)
    page.reload()
    assert page.get_by_label("Your answer").first.input_value() == ""


@pytest.mark.parametrize("width", [1280, 375])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_questions(asked, width, scheme):
    """With an answer right, one wrong and one not given, by day and by night; and nothing scrolls sideways."""
    page = asked(width=width, color_scheme=scheme)
    for place, typed in enumerate(("1/3", None, "25")):
        question = page.locator("form.predict").nth(place)
        if typed:
            question.get_by_label("Your answer").fill(typed)
        question.get_by_role("button").click()
    page.evaluate(AXE)
    page.evaluate("document.querySelectorAll('.content-icon-container > *').forEach((one) => one.remove())")  # links
    assert page.evaluate(FAULTS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    heights = page.locator(".predict :is(button, .choices label, input[type=text])").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert min(heights) >= 36  # wide enough for a thumb


def test_without_scripts_the_question_and_its_toggle_are_there(asking, visit):
    """Nothing can be typed, the choices are a list, and no sentence on a wrong answer is seen."""
    page = visit(java_script_enabled=False).page
    page.goto(f"{asking[0].as_uri()}/index.html")
    assert page.locator(".predict :is(input, button, .told, [data-for])").filter(visible=True).count() == 0
    assert page.locator(".predict li").filter(visible=True).count() == 3
    assert page.locator(".predict summary").filter(visible=True).count() == 3


def test_on_paper_the_answer_is_open(asked):
    """And what takes an answer is not there."""
    page = asked()
    page.emulate_media(media="print")
    assert page.locator(".predict :is(input, button, [data-for])").filter(visible=True).count() == 0
    assert page.get_by_text("A quarter.").is_visible()


def test_in_a_notebook_a_question_has_its_choices_and_its_toggle():
    """The numbers, sentences and marks that only the page needs are left out."""
    text = as_text(GOOD)
    assert re.findall(r"\*\*Question \d\.\*\*", text) == [f"**Question {i}.**" for i in (1, 2, 3)]
    assert "- less\n- more than `a: b`\n- as much\n" in text
    assert not re.search(r":answer:|:tolerance:|\[x\]|\{predict\}|The other way round|1/3", text)
    assert text.count("{dropdown} Answer") == 3


@pytest.mark.parametrize(
    ("written", "number"),
    [("0.16", 0.16), ("-.5", -0.5), ("−2", -2), ("1/4", 0.25), ("16 %", 0.16), ("1,024", 1024), ("1e-3", 0.001)],
)
def test_an_author_may_write_a_number_as_in_the_text(written, number):
    """With either minus sign, as a fraction, in per cent, with a comma between thousands."""
    assert number_of(written) == pytest.approx(number)


@pytest.mark.parametrize("written", ["", "0,16", "two", "1/0", "1 / 3", "≈ 2"])
def test_other_numbers_are_refused(written):
    """The error shows what is expected."""
    with pytest.raises(CannotBeAsked, match="expected a number, such as"):
        number_of(written)


@pytest.mark.parametrize(
    ("written", "answer", "tolerance"),
    [("0.1", "2", 0.1), (None, "2", 0), (None, "0.16", 0.005), (None, "2.5 %", 0.0005), (None, "1,024", 0)],
)
def test_without_a_tolerance_the_last_place_may_be_rounded(written, answer, tolerance):
    """Whole numbers are exact; a written tolerance counts."""
    assert tolerance_of(written, answer) == pytest.approx(tolerance)
