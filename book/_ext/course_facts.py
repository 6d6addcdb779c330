"""What pages say of exercises, mistakes, minutes and chapters, from the one place where each is written.

``{exercises}``  the table of a chapter's exercises, from its solution notebook
``{slips}``      where people slip, from its checks, and what a slip does inside the translator, where it stands there
``{minutes}``    how long the page and its exercises take
``{chapters}``   all chapters of the book, in its order
"""

import re
from functools import cache
from pathlib import Path

import yaml
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from attention import trained
from attention.exercises import CHAPTERS
from attention.exercises.in_translator import NODES, consequences_of, in_lines, promised
from autograder.course.course import CHAPTER
from autograder.course.tasks import tasks
from autograder.course.which_course import course_of_book
from autograder.diagnosis.judge import seen_by_students
from autograder.errors import AutograderError

logger = logging.getLogger(__name__)
FENCE = re.compile(r"^```\{code-cell\}.*?\n((?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
# Two readers of chapters 3 and 5 took 32 minutes each, for 2,053 and 2,013 words and 61 and 67 lines of code.
WORDS_A_MINUTE, LINES_A_MINUTE = 75, 15
HOW_TO_WORK = (
    "Write each function where the notebook says `raise NotImplementedError`; NumPy is all it needs. "
    "The `check` below it runs the worked examples and explains wrong answers; hints are folded in the text. "
    "The grader then tries other inputs and edge cases."
)
NO_WORDS = (
    (re.compile(r"^---.*?^---", re.MULTILINE | re.DOTALL), ""),
    (re.compile(r"^\$\$.*?\$\$$", re.MULTILINE | re.DOTALL), "a formula of five words"),
    (re.compile(r"\$[^$]+\$"), "formula"),
    (re.compile(r"^[`:]{3,}.*$", re.MULTILINE), ""),  # directives
    (re.compile(r"\{[a-z:]+\}`([^`<]*)(<[^>]*>)?`"), r"\1"),  # roles
    (re.compile(r"\]\([^)]*\)"), "]"),  # where links lead
)


@cache
def course_at(root):
    """Return the course below a folder, read once a build."""
    return course_of_book(root)


def front_matter(text):
    """Return the text between the dashes at the head of a page."""
    return yaml.safe_load(text.split("---", 2)[1]) if text.startswith("---") else {}


def reading_minutes(text):
    """Estimate how long a page takes up to its assignment, to five minutes: its words and the code that it shows."""
    text = text.split("\n## Assignment", 1)[0]
    cells = [code for options, code in FENCE.findall(text) if not re.search("-input|remove-cell", options)]
    lines = sum(1 for code in cells for line in code.splitlines() if line.strip())
    prose = FENCE.sub("", text)
    for pattern, instead in NO_WORDS:
        prose = pattern.sub(instead, prose)
    words = len(re.findall(r"[^\W_][\w'’.,/-]*", prose))
    return 5 * max(1, round((words / WORDS_A_MINUTE + lines / LINES_A_MINUTE) / 5))


class Fact(SphinxDirective):
    """A directive that writes Markdown, which is read as part of the page."""

    def run(self):
        """Return what the Markdown says; where a fact cannot be had, warn in one line, which ends the build."""
        try:
            lines = self.markdown().splitlines()
        except AutograderError as error:
            logger.warning("{%s}: %s", self.name, error, location=self.get_location())
            return []
        box = nodes.Element()
        self.state.nested_parse(StringList(lines, self.name), self.content_offset, box)
        return box.children

    @property
    def course(self):
        """The course that the book belongs to."""
        return course_at(Path(self.env.srcdir).resolve().parent)

    def assignment(self, page=None):
        """Return a page's assignment, and have the page read at each build: checks and own files may have changed."""
        assignment = self.course.assignment(page or Path(self.env.docname).name)  # of slips/03_context, too
        self.env.note_dependency(str(assignment.solution_path.parent))  # Sphinx counts a folder as changed
        return assignment


class Exercises(Fact):
    """``{exercises}``: what is asked, for how many points and minutes, with the sums, and how to work."""

    def markdown(self):
        """Write the table."""
        found = tasks(self.assignment())
        rows = [
            f"| `{task.name}` | {task.purpose} | {task.points:g} | {task.difficulty} | {task.minutes} |"
            for task in found
        ]
        points, minutes = sum(task.points for task in found), sum(task.minutes for task in found)
        head = "| exercise | you write | points | difficulty (1–5) | minutes |\n|---|---|---|---|---|"
        total = f"| **together** | | **{points:g}** | | **{minutes}** |"
        return "\n".join(["{.stacked .exercises}", head, *rows, total, "", HOW_TO_WORK])


class Slips(Fact):
    """``{slips}``: a toggle for each exercise, in it a row for each mistake, each with an anchor."""

    def markdown(self):
        """Write the toggles, and above them what their last column is, where one has it."""
        exercises = self.assignment().exercises
        known = [one for name in exercises for one in consequences_of(name).values()][:1]
        return "\n".join([*map(self.last_column, known), *map(self.toggle, exercises.values())])

    @staticmethod
    def last_column(consequence):
        """Say how to read what a mistake does inside the translator."""
        *sentences, last = (f"({i}) *{source}* (*{right}*)" for i, (source, right) in enumerate(promised(), 1))
        return (
            f"Where the course's translator uses a function, the last column says what it makes, with a wrong one put "
            f"in its place, of {', '.join(sentences)} and {last}, if anything changes, and how many of "
            f"{consequence['sentences']} sentences that it has never seen are still right; "
            f"with the function that it was trained with, {100 * consequence['right']:.0f}% are. "
            "The column's title opens a number that the function makes there.\n"
        )

    def toggle(self, exercise):
        """Write one exercise's mistakes."""
        known = consequences_of(exercise.name)
        heads = ["what you see", "what it means"]
        if known:
            heads.append(f"{{number}}`inside the translator <{promised()[0][0]}\\|{NODES[exercise.name]}>`")
        rows = [" | ".join(heads), "|".join(["---"] * len(heads))]
        for mistake in exercise.mistakes:
            what = seen_by_students(exercise, mistake).replace("|", "\\|")
            cells = [f"[]{{#slip-{mistake.id}}}{what}", mistake.meaning]
            if known:
                told = known.get(mistake.id)  # an instructor's own mistake was not tried in the translator
                cells.append("<br>".join(in_lines(told)) if told else "")
            rows.append(" | ".join(cells))
        if known:
            self.env.note_dependency(str(trained.TRAINED / "consequences.json"))
        table = "\n".join(f"| {row} |" for row in rows)
        return f":::{{dropdown}} `{exercise.name}`\n{{.stacked .slips}}\n{table}\n:::\n"


class Minutes(Fact):
    """``{minutes}``: the line *Time* of a chapter's promise."""

    def markdown(self):
        """Write the line."""
        text = Path(self.env.doc2path(self.env.docname)).read_text(encoding="utf-8")
        minutes = sum(task.minutes for task in tasks(self.assignment()))
        return f"*Time*: about {reading_minutes(text)} minutes to read, {minutes} minutes for the exercises."


class Chapters(Fact):
    """``{chapters}``: a row for each chapter that the book holds."""

    def markdown(self):
        """Write the table; what a reader learns is in each page's own head, as ``learn``."""
        rows = [self.row(page) for page in sorted(self.env.found_docs) if CHAPTER.fullmatch(page)]
        return "\n".join(["{.stacked .chapters}", "| chapter | you learn | exercises |", "|---|---|---|", *rows])

    def row(self, page):
        """Write one chapter's row."""
        path = Path(self.env.doc2path(page))
        self.env.note_dependency(str(path))
        text = path.read_text(encoding="utf-8")
        title = re.search(r"^# (.+)$", text, re.MULTILINE)[1]
        names = (
            ", ".join(f"`{name}`" for name in self.assignment(page).exercises) if page in self.course.chapters() else ""
        )
        return f"| [{title}]({page}.md) | {front_matter(text).get('learn', '')} | {names} |"


def every_chapter_is_whole(app, env):
    """Warn where a chapter has a notebook or checks and no page; a page may do without both."""
    course = course_at(Path(env.srcdir).resolve().parent)
    pages = {page for page in env.found_docs if CHAPTER.fullmatch(page)}
    for chapter in sorted(set(course.chapters()) - pages):
        logger.warning("solutions/%s has no page: write book/%s.md and name it in _toc.yml", chapter, chapter)
    written = (CHAPTER.fullmatch(path.stem) for path in Path(env.srcdir).glob("*.md"))  # listed in _toc.yml or not
    for stem in sorted(set(CHAPTERS) - {found["stem"] for found in written if found}):
        logger.warning("attention/exercises/%s has no page: write book/NN_%s.md and name it in _toc.yml", stem, stem)


def setup(app):
    """Register with Sphinx."""
    for directive in (Exercises, Slips, Minutes, Chapters):
        app.add_directive(directive.__name__.lower(), directive)
    app.connect("env-check-consistency", every_chapter_is_whole)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
