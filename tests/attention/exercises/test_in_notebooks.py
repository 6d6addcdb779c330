"""A chapter's demo in its notebook: where the course is installed, and nowhere else."""

import builtins
import json
import re
import sys
from urllib.parse import parse_qs

import pytest

from attention.exercises.in_notebooks import demo
from autograder.course.which_course import find_course

CHAPTERS = find_course().chapters()


@pytest.fixture
def shown(monkeypatch, root):
    """What a notebook displays."""
    found = []
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setattr(builtins, "display", found.append, raising=False)
    monkeypatch.syspath_prepend(root / "book")
    return found


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_notebook_links_to_its_demo_and_shows_it(shown, root, chapter):
    """Every trait that the link sets is one of the demo that the notebook shows, and has the same value there."""
    text = (root / f"solutions/{chapter}/{chapter}.ipynb").read_text(encoding="utf-8")
    link = re.search(rf"html/{chapter}\.html#demo=(\w+)((?:&[^)]*)?)\)", text)
    assert link, "no link to the chapter's demo in the notebook's title"
    stem, traits = link.groups()
    demo(chapter)
    (alive,) = shown
    assert type(alive).__module__ == f"demos.{stem}"
    for name, (value,) in parse_qs(traits).items():
        wanted = getattr(alive, name)
        given = value if isinstance(wanted, str) and not value.startswith('"') else json.loads(value)
        assert given == (list(wanted) if isinstance(wanted, tuple) else wanted), name


def test_without_the_course_nothing_is_shown(shown, monkeypatch):
    """A student's own computer has NumPy alone."""
    monkeypatch.setitem(sys.modules, "demos.worked", None)
    demo("04_query_key_value")
    assert shown == []


def test_while_nbgrader_runs_the_notebook_nothing_is_shown(shown, monkeypatch):
    """A widget would only make the feedback heavy."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    demo("04_query_key_value")
    assert shown == []
