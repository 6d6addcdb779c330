"""``{predict}``: a question in the page that takes an answer, a number or one of several choices.

The page numbers its questions. Wrong answers that somebody may well give have a sentence each; the right one opens the
toggle that ends the question. What a reader types is compared in the page, by ``questions.js``, and stored nowhere.

A cell that follows a question and is tagged ``in-answer`` shows its output at the end of that toggle: a figure that
would give the answer away.
"""

import re
from pathlib import Path

from computed_alts import filled
from docutils import nodes
from myst_nb.ext.glue.crossref import read_glue_cache
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import copyfile, ensuredir
from theme import toggle

logger = logging.getLogger(__name__)
SCRIPT = Path(__file__).with_suffix(".js")
SETTING = re.compile(r"^:(answer|tolerance):\s*(.+?)\s*$")
ITEM = re.compile(r"^[-*] (?:\[(?P<mark>[ xX])\] +)?(?P<text>\S.*)$")
# What is before the first colon that ends a word, outside of formulas, code and roles, and what is after it.
SAID_OF = re.compile(r"(?P<answer>(?:\{[\w:]+\}`[^`]*`|`[^`]*`|\$[^$]*\$|:(?!\s)|[^:`$])+):\s+(?P<said>.+)", re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*(?::\S*)?")  # of a value that the page computes, with its format
NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:/([1-9]\d*))? ?(%?)", re.IGNORECASE)
DECIMAL = re.compile(r"[-+−]?[\d,]*(?:\.(\d{1,6}))? ?(%?)")
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
IN_ANSWER = "tag_in-answer"  # a cell's class, by MyST-NB
SLOP = 1e-9  # in floating point 0.1 + 0.2 is not 0.3
BLOCK = re.compile(r"^(?P<fence>:{3,}|`{3,})\{predict\} *\n(?P<content>(?:.*\n)*?)(?P=fence) *$", re.MULTILINE)
NUMBER_FIELD = (
    '<label>Your answer <input type="text" name="answer" size="8" autocapitalize="off" spellcheck="false"></label>'
)
CONTROLS = '<p class="answering">{field} <button>Check</button></p>\n<p class="told" role="status"></p>\n'


class CannotBeAsked(ValueError):
    """What a question lacks, and what to write."""


class predict(nodes.General, nodes.Element):
    """A question; its ``answer``, ``tolerance`` and replies are as written until the whole page has been read."""


class choice(nodes.General, nodes.TextElement):
    """The words of one of several answers."""


class controls(nodes.General, nodes.Element):
    """What takes the answer, and where the page says how it was."""


class reply(nodes.General, nodes.TextElement):
    """What is said of an answer; it is hidden until that answer is given."""


def taken_apart(lines):
    """Return what a question's lines hold: (how many ask it, its settings, its items, where the rest begins).

    An item is (line, mark, text), the mark None where it is no choice; it goes on in lines that are indented.
    """
    settings, items, first = {}, [], None
    for place, line in enumerate(lines):
        item, setting = ITEM.match(line), SETTING.match(line)
        if setting:
            settings[setting[1]] = setting[2]
        elif item and (item["mark"] or "answer" in settings):
            items.append((place, item["mark"], item["text"]))
        elif items and line.startswith(" "):
            items[-1] = (*items[-1][:2], f"{items[-1][2]} {line.strip()}")
        elif line.strip() and first is not None:
            return first, settings, items, place
        first = place if first is None and (setting or items) else first
    return len(lines) if first is None else first, settings, items, len(lines)


def number_of(text):
    """Return the number that an author writes as −0.5, 1/3, 16 % or 1,024.

    Errors: CannotBeAsked.
    """
    found = NUMBER.fullmatch(THOUSANDS.sub("", text).replace("−", "-"))
    if not found:
        raise CannotBeAsked(f"expected a number, such as 0.16, −2, 1/3 or 16 %, or a computed value, got {text!r}")
    return float(found[1]) / float(found[2] or 1) / (100 if found[3] else 1)


def tolerance_of(written, answer):
    """Return how far from the answer is near enough: half a unit of its last decimal place, unless it is written.

    Errors: CannotBeAsked where it has to be: a fraction has no last place, and a computed value too many.
    """
    if written is not None:
        return number_of(written)
    decimal = DECIMAL.fullmatch(answer)
    if not decimal:
        raise CannotBeAsked(f"how near to {answer} is near enough? Write a line `:tolerance: 0.01`")
    return 0.5 / 10 ** len(decimal[1]) / (100 if decimal[2] else 1) if decimal[1] else 0.0


class Predict(SphinxDirective):
    """``{predict}``: a question, its answer or its choices, and the toggle with the answer."""

    has_content = True  # and no options: the answer comes below the question

    def run(self):
        """Return the question; warn in one line where it cannot be asked."""
        try:
            return self.question()
        except CannotBeAsked as error:
            logger.warning("{predict}: %s", error, location=self.get_location())
            return []

    def question(self):
        """Read the question. Errors: CannotBeAsked."""
        asked_to, settings, items, rest = taken_apart(self.content)
        if not asked_to:
            raise CannotBeAsked("asks nothing: write the question, then its answer or its choices")
        found = predict(percent="%" in settings.get("answer", ""), **settings)
        self.set_source_info(found)
        found += (asked := nodes.container())
        self.state.nested_parse(self.content[:asked_to], self.content_offset, asked)
        found += self.choices(found, items) if any(mark for _, mark, _ in items) else self.numbers(found, items)
        self.state.nested_parse(self.content[rest:], self.content_offset + rest, found)
        if not any(isinstance(child, toggle) for child in found.children):
            raise CannotBeAsked("has no answer to open: end it with a `:::{dropdown} Answer`")
        return [found]

    def choices(self, found, items):
        """Return the list of choices, and what is said of each."""
        right = [place for place, (_, mark, _) in enumerate(items) if mark in ("x", "X")]
        if len(right) != 1 or not all(mark for _, mark, _ in items) or "answer" in found:
            raise CannotBeAsked(f"expected one choice marked [x], and [ ] before each other, got {len(right)} marked")
        found["answer"], found["tolerance"] = str(right[0]), "0"
        rows, replies = nodes.bullet_list(classes=["choices"]), []
        for place, (line, _, text) in enumerate(items):
            parts = SAID_OF.fullmatch(text)
            words = choice(value=place)
            words += self.inline(parts["answer"] if parts else text, line)
            rows += nodes.list_item("", words)
            replies += [self.said(str(place), parts["said"], line)] if parts else []
        return [rows, controls(), *replies]

    def numbers(self, found, items):
        """Return the field for a number, and what is said of each wrong one."""
        if "answer" not in found:
            raise CannotBeAsked("has no answer: write a line `:answer: 0.16`, or choices `- [x] more`, `- [ ] less`")
        replies = []
        for line, _, text in items:
            if not (parts := SAID_OF.fullmatch(text)):
                raise CannotBeAsked(f"expected a wrong number, a colon and a sentence, got {text!r}")
            replies.append(self.said(parts["answer"], parts["said"], line))
        return [controls(field=NUMBER_FIELD), *replies]

    def said(self, answer, text, line):
        """Return what is said of one answer."""
        words = reply(answer=answer)
        words += self.inline(text, line)
        return words

    def inline(self, text, line):
        """Read a line of text."""
        return self.state.inline_text(text, self.lineno + line)[0]


def number_questions(app, doctree):
    """Number the questions of a page that was just read, and find the numbers that answer them."""
    read_glue_cache.cache_clear()  # the page may have been run again since
    for number, question in enumerate(doctree.findall(predict), 1):
        question["number"], question["ids"] = number, [f"question-{number}"]
        question[0]["ids"] = [f"question-{number}-text"]
        try:
            find_numbers(question, app.env)
        except CannotBeAsked as error:
            logger.warning("{predict}: %s", error, location=question)


def fold_outputs(app, doctree):
    """Put what a cell shows into the answer of the question before it, if the cell is tagged so."""
    for question in doctree.findall(predict):
        cell = question.next_node(descend=False, siblings=True)
        if cell is not None and IN_ANSWER in cell.get("classes", []):
            cell.parent.remove(cell)
            next(question.findall(toggle)).append(cell)


def find_numbers(question, env):
    """Put numbers in place of what is written in a question, computed ones among them. Errors: CannotBeAsked."""

    def written(text):
        try:
            return filled(f"{{{text}}}", env, env.docname) if NAME.fullmatch(text) else text
        except KeyError as error:
            raise CannotBeAsked(error.args[0]) from None

    answer = written(question["answer"])
    right, tolerance = number_of(answer), tolerance_of(question.get("tolerance"), answer) + SLOP
    is_choice = any(question.findall(choice))
    for one in question.findall(reply):
        one["number"] = number_of(written(one["answer"]))
        if not is_choice and abs(one["number"] - right) <= tolerance:
            raise CannotBeAsked(f"the wrong answer {one['answer']} is right: it is within {tolerance:g} of {answer}")
    question["right"], question["near"] = right, tolerance


def open_question(writer, node):
    """Begin the form."""
    data = {"data-answer": f"{node['right']:.12g}", "data-tolerance": f"{node['near']:.12g}"} if "right" in node else {}
    data |= {"data-percent": ""} if node["percent"] else {}
    writer.body.append(writer.starttag(node, "form", CLASS="predict", method="dialog", autocomplete="off", **data))
    legend = f"<legend>Question {node['number']}</legend>"
    writer.body.append(f'<fieldset aria-describedby="{node["ids"][0]}-text">\n{legend}\n')


def open_choice(writer, node):
    """Begin a choice."""
    writer.body.append(f'<label><input type="radio" name="answer" value="{node["value"]}"> <span>')


def open_reply(writer, node):
    """Begin what is said of an answer."""
    writer.body.append(f'<p hidden data-for="{node.get("number", 0):.12g}">')


def closed(tags):
    """Return what ends an element."""
    return lambda writer, node: writer.body.append(tags)


def show_controls(writer, node):
    """Write what takes the answer."""
    writer.body.append(CONTROLS.format(field=node.get("field", "")))


def as_text(text):
    """Return a page's MyST with its questions as a notebook has them: the question, its choices and its toggle."""
    numbers = iter(range(1, 1000))

    def asked(found):
        lines = found["content"].splitlines()
        asked_to, _, items, rest = taken_apart(lines)
        choices = [SAID_OF.fullmatch(text) or text for _, mark, text in items if mark]
        listed = [f"- {one if isinstance(one, str) else one['answer']}" for one in choices]
        title = f"**Question {next(numbers)}.**"
        return "\n".join([title, *lines[:asked_to], *listed, "", *lines[rest:]])

    return BLOCK.sub(asked, text)


def copy_script(app):
    """Put the script beside the others."""
    if app.builder.format == "html":
        ensuredir(app.outdir / "_static")
        copyfile(SCRIPT, app.outdir / "_static" / SCRIPT.name)


def add_script(app, page, template, context, doctree):
    """Give the script to pages that ask something, and to no other."""
    if doctree is not None and next(doctree.findall(predict), None):
        app.add_js_file(SCRIPT.name)


def setup(app):
    """Register with Sphinx."""
    app.add_node(predict, html=(open_question, closed("</fieldset>\n</form>\n")))
    app.add_node(choice, html=(open_choice, closed("</span></label>")))
    app.add_node(controls, html=(show_controls, closed("")))
    app.add_node(reply, html=(open_reply, closed("</p>\n")))
    app.add_directive("predict", Predict)
    app.connect("builder-inited", copy_script)
    app.connect("doctree-read", number_questions)
    app.connect("doctree-read", fold_outputs)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
