"""What a student wrote is text in nbgrader's feedback and formgrader, too."""

import html
import random
import re
from html.parser import HTMLParser

import pytest
from nbgrader.converters.generate_feedback import GenerateFeedback, HTMLExporter
from nbgrader.coursedir import CourseDirectory

from autograder.classroom.gradebook.comments import as_comment
from autograder.diagnosis.finding import marked_up
from autograder.runs.class_run import ClassRun
from tests.support.fuzz import tries

CHAPTER = "01_doubling"
LIVE = (
    "<script>alert(1)</script>",
    "` <img src=x onerror=alert(1)> `",
    "```\n<script>alert(1)</script>\n```",
    "# <b>\n\n<iframe src=//evil.example>\n\n- <script>",
    "[a](javascript:alert(1)) ![b](//evil.example/b.png) <javascript:alert(1)> https://evil.example",
    "costs $5 and then $7, \\(x\\) and \\[y\\] \\begin{z}1\\end{z}",
    "$$</script><script>alert(1)</script>$$ and $`<script>`$ \\(<script>\\) \\begin{a}<script>\\end{a}",
    "[evil]: javascript:alert(1)\n\n[evil]",
    "| a |\n|---|\n| <script> |",
    "\\`<script>\\` &lt;script&gt; &#60;script> \\\\(<script>\\\\) \\\\[<script>\\\\]",
    "~~~\n<script>\n~~~ *a* _b_ ~~c~~ ==d== [^1]",
)
PASSED_OVER = ("script", "noscript", "style", "textarea", "pre", "code", "title")  # MathJax 2's skipTags; the title
EXPORTER = HTMLExporter()


def markdown2html(text):
    """Return what nbgrader's page of feedback makes of a comment."""
    return EXPORTER.markdown2html({}, text)


class Tags(HTMLParser):
    """Collects tags and attributes, all text, and the text in which MathJax looks for formulas."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.said, self.open, self.pieces = [], "", [], []
        self.feed(page)

    @property
    def begins_formula(self):
        """Whether MathJax, as nbgrader's template sets it up, finds something that begins a formula."""
        return bool(re.search(r"\$|\\[(\[]|\\begin", "\0".join(self.pieces)))

    def handle_starttag(self, tag, attributes):
        """Keep a tag with the attributes that act."""
        acting = [name for name, _ in attributes if name.startswith("on") or name in ("src", "href", "style")]
        self.tags.append((tag, acting))
        self.open += [tag] if tag in PASSED_OVER else []

    def handle_endtag(self, tag):
        """Leave a tag that MathJax passes over."""
        if tag in self.open:
            self.open.remove(tag)

    def handle_data(self, data):
        """Keep the text."""
        self.said += data
        self.pieces += [] if self.open else [data]


def shown(text):
    """Return what nbgrader makes of a comment: its tags, the text that one reads, and whether formulas begin in it."""
    page = Tags(markdown2html(as_comment(text)))
    return page.tags, page.said, page.begins_formula


def letters(text):
    """Return a text without blanks, and without the backticks that become code."""
    return "".join(text.replace("`", "").split())


@pytest.mark.parametrize("text", LIVE)
def test_a_comment_is_shown_as_text(text):
    """HTML, Markdown and formulas are not live: the text reads as it was written, except for line breaks."""
    tags, said, begins_formula = shown(text)
    assert {tag for tag, _ in tags} <= {"p", "code"}
    assert not begins_formula
    assert not [acting for _, acting in tags if acting]
    assert letters(said) == letters(text)


def test_any_mixture_is_shown_as_text():
    """Hundreds of strings of the letters that Markdown, HTML and formulas know."""
    rng = random.Random(20_240_206)
    pieces = [
        *"`*_[]()<>!#-+=|~$&\\{}:. \n\t1a",
        "<script>",
        "</p>",
        "](",
        "$$",
        "\\\\(",
        "\\\\)",
        "\\\\[",
        "\\\\]",
        "```",
        "&lt;",
        "http://a.b",
    ]
    for _ in range(tries(300)):
        text = "".join(rng.choices(pieces, k=rng.randrange(1, 24)))
        tags, said, begins_formula = shown(text)
        assert {tag for tag, _ in tags} <= {"p", "code"}, text
        assert not begins_formula, text
        assert letters(said) == letters(text), text


def test_our_own_messages_stay_readable():
    """Code between backticks is code there, as on our page, and the rest reads as it was written."""
    text = "`weights` has shape (2, 3), expected shape (2, 5): is `axis=-1` meant? A score of 0 · inf is no number."
    assert as_comment(text) == text
    assert html.unescape(markdown2html(text)).strip() == f"<p>{marked_up(text)}</p>"


ANSWER = """
def double(x):
    raise ValueError("</div><script>alert(1)</script>"); "<img src=x onerror=alert(1)>"; "`<script>"
"""


def feedback_of(room, student):
    """Return the page that nbgrader writes."""
    where = CourseDirectory(root=str(room.root), db_url=room.database, assignment_id=CHAPTER, student_id=student)
    GenerateFeedback(coursedir=where).start()
    return (room.root / "feedback" / student / CHAPTER / f"{CHAPTER}.html").read_text(encoding="utf-8")


def test_nbgraders_feedback_runs_nothing_of_a_student(classroom, assignment, submit, answered):
    """The page of a hostile answer has the scripts, handlers and images of an honest one's page, and no more."""
    submit("ada", answered("def double(x):\n    raise ValueError('small')"))
    submit("mallory", answered(ANSWER))
    list(ClassRun(classroom, [assignment], seed=7))
    acting = [
        [(tag, acts) for tag, acts in Tags(feedback_of(classroom, student)).tags if acts or tag == "script"]
        for student in ("ada", "mallory")
    ]
    assert acting[0] == acting[1]


FORMULAS = """
def double(x):
    raise ValueError("it costs $5 or $7, \\\\(a\\\\) and \\\\[b\\\\]")
"""


def test_a_dollar_is_a_dollar_in_nbgraders_feedback(classroom, assignment, submit, answered):
    """On nbgrader's own page what a student's error says is there letter by letter, and MathJax finds no formula."""
    submit("ada", answered(FORMULAS))
    list(ClassRun(classroom, [assignment], seed=7))
    page = Tags(feedback_of(classroom, "ada"))
    assert "it costs $5 or $7, \\(a\\) and \\[b\\]" in page.said
    assert not page.begins_formula
