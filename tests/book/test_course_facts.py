"""What pages say of exercises, mistakes, minutes and chapters comes from the one place where each is written."""

import io
import re
import sys

import pytest
from sphinx.application import Sphinx

from autograder.course.course import Course
from autograder.course.tasks import tasks
from tests.support.own_code import shipped_mistakes_only

CHAPTER = "03_context"
PAGE = """---
learn: how a word takes on the colour of its neighbours
---
# 3. A title

[A slip](#slip-whole_matrix), and [none](#slip-of_the_tongue).

```{minutes}
```

```{exercises}
```

```{slips}
```
"""
OWN_MISTAKE = """import numpy as np

from autograder.diagnosis.exercise import mistake


@mistake("Every weight is the same. Use the scores.")
def all_alike(scores, axis=-1):
    return np.full_like(scores, 1 / scores.shape[axis])
"""
INDEX = "# Index\n\n```{chapters}\n```\n\n```{toctree}\n03_context\n```\n"


@pytest.fixture(scope="module")
def extensions(root):
    """The book's own extensions, importable."""
    sys.path.insert(0, str(root / "book/_ext"))
    yield
    sys.path.remove(str(root / "book/_ext"))


@pytest.fixture(scope="module")
def build(root, extensions, tmp_path_factory):
    """Build a book of a few pages beside the real solutions; return its pages as HTML, and the warnings."""

    def make(own=None, **pages):
        folder = tmp_path_factory.mktemp("facts")
        (folder / "solutions").symlink_to(root / "solutions")
        (folder / "nbgrader_config.py").symlink_to(root / "nbgrader_config.py")
        for name, text in (own or {}).items():
            (folder / "own" / name).parent.mkdir(parents=True)
            (folder / "own" / name).write_text(text)
        (folder / "book").mkdir()
        for name, text in pages.items():
            (folder / f"book/{name.removeprefix('p')}.md").write_text(text)
        said = io.StringIO()
        config = {
            "extensions": ["myst_parser", "sphinx_design", "course_facts"],
            "myst_enable_extensions": ["attrs_block", "attrs_inline", "colon_fence", "dollarmath"],
            "exclude_patterns": [],
        }
        places = [str(folder / place) for place in ("book", "html", "doctrees")]
        app = Sphinx(places[0], None, *places[1:], "html", config, status=None, warning=said)
        app.build()
        html = {path.stem: path.read_text() for path in (folder / "html").glob("*.html")}
        return html, re.sub(r"\x1b\[\d+(;\d+)*m", "", said.getvalue())

    return make


@pytest.fixture(scope="module")
def built(build):
    """A page with all directives, and an index."""
    return build(index=INDEX, p03_context=PAGE)


def test_every_mistake_has_its_row_and_anchor(built, root):
    """The list *Where people slip* has one anchor for each mistake, with what one sees and what it means."""
    page = built[0][CHAPTER]
    mistakes = [m for exercise in Course(root).assignment(CHAPTER).exercises.values() for m in exercise.mistakes]
    assert re.findall(r'id="slip-([\w-]+)"', page) == [mistake.id.replace("_", "-") for mistake in mistakes]
    assert "The weights were transposed" in page


def test_an_own_mistake_has_a_row_where_the_translator_uses_the_function(build, root):
    """What it does inside the translator is unknown: that cell is empty."""
    softmax = Course(root).assignment(CHAPTER).exercises["softmax"]
    with shipped_mistakes_only(softmax.unseen.__module__):
        page = build({"context/mistakes_softmax.py": OWN_MISTAKE}, index=INDEX, p03_context=PAGE)[0][CHAPTER]
    row = page.split('id="slip-all-alike"')[1].split("</tr>")[0]
    assert "Every weight is the same." in row
    assert re.search(r"<td[^>]*>\s*(<p></p>)?\s*</td>\s*$", row)


def test_the_exercises_are_the_notebooks(built, root):
    """The table has every exercise with its points and minutes, and their sums."""
    page = re.sub(r"<[^>]+>|\s+", " ", built[0][CHAPTER])
    found = tasks(Course(root).assignment(CHAPTER))
    for task in found:
        row = rf"{task.name}\s+{re.escape(task.purpose)}\s+{task.points:g}\s+{task.difficulty}\s+{task.minutes}\s"
        assert re.search(row, page), task
    points, minutes = sum(task.points for task in found), sum(task.minutes for task in found)
    assert re.search(rf"together\s+{points:g}\s+{minutes}\s", page)
    assert f"{minutes} minutes for the exercises" in page


def test_the_index_lists_the_chapters_that_have_a_page(built):
    """A row has the page's own title, what one learns there, and its exercises."""
    index = built[0]["index"]
    assert (
        '<a class="reference internal" href="03_context.html"><span class="std std-doc">3. A title</span></a>' in index
    )
    assert "how a word takes on the colour of its neighbours" in index
    assert "strongest_neighbour" in index


def test_a_notebook_and_checks_without_a_page_are_named(built):
    """Each chapter of the course without a page in the book is one line that says what to write."""
    said = built[1]
    assert "solutions/05_scaling has no page: write book/05_scaling.md and name it in _toc.yml" in said
    assert "attention/exercises/scaling has no page: write book/NN_scaling.md" in said
    assert "solutions/03_context" not in said


def test_a_link_to_a_slip_that_nobody_makes_is_named(built):
    """A page may link to a slip's row; a link to no row is one line with its place."""
    html, said = built
    assert 'href="#slip-whole-matrix"' in html[CHAPTER]
    assert "whole_matrix" not in said
    assert re.search(r"03_context.md:6: WARNING: .*slip-of_the_tongue", said)


def test_a_page_without_exercises_cannot_show_them(build):
    """A chapter's page may have no solution notebook; a directive that needs one says which chapters there are."""
    _, said = build(index="# Index\n\n```{toctree}\n12_after\n```\n", p12_after="# 12. After\n\n```{slips}\n```\n")
    assert "12_after.md:3: WARNING: {slips}: unknown chapter '12_after': expected one of " in said


def test_reading_takes_as_long_as_its_words_and_lines(extensions):
    """750 words at 75 a minute and 75 lines of code at 15 a minute make 15 minutes; the assignment is not counted."""
    from course_facts import reading_minutes

    code = "```{code-cell}\n" + "x = 1\n" * 75 + "```\n"
    hidden = "".join(
        f"```{{code-cell}}\n:tags: [{tag}]\n" + "y = 2\n" * 300 + "```\n" for tag in ("hide-input", "remove-cell")
    )
    prose = (
        "---\nlearn: a\n---\n"
        + "word $x_1 + x_2 + x_3$ {term}`word <another>` [word](far-away.md) " * 187
        + "two words\n"
    )
    assert reading_minutes(prose + code + hidden + "\n## Assignment\n" + "word " * 900) == 15
