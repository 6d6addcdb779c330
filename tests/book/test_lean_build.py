"""Sphinx with lean pages, on a book of two small pages: built, built again, over its budget, and switched off."""

import re
from pathlib import Path

import pytest

from .sphinx_builds import Sphinx

ROOT = Path(__file__).parents[2]
CONF = f"""
import sys
sys.path.insert(0, {str(ROOT / "book/_ext")!r})
extensions = ["myst_parser", "lean_pages"]
html_theme = "sphinx_book_theme"
"""


class Small:
    """A book of two pages in a folder of its own."""

    def __init__(self, folder, sphinx):
        self.sphinx = sphinx
        self.source, self.html = folder / "book", folder / "_build/html"
        self.source.mkdir()
        (self.source / "conf.py").write_text(CONF)
        (self.source / "index.md").write_text("# First\n\n```{toctree}\nsecond\n```\n\n```python\nx = 1\n```\n")
        (self.source / "second.md").write_text("# Second\n\n## Part\n\nText.\n")

    def build(self, *options, **environment):
        """Build the book; return what was said, and the exit code."""
        folders = "-d", self.html.parent / "doctrees", self.source, self.html
        return self.sphinx("-q", *options, *folders, **environment)

    def page(self, name):
        """Return a page's HTML."""
        return (self.html / f"{name}.html").read_text(encoding="utf-8")

    def sheet(self, name):
        """Return the name of a page's only style sheet."""
        (found,) = re.findall(r'<link rel="stylesheet" href="_static/lean/([^"]+)"', self.page(name))
        assert self.page(name).count('rel="stylesheet"') == 1
        return found


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The small book, built once."""
    folder = tmp_path_factory.mktemp("small")
    with Sphinx(folder) as sphinx:
        made = Small(folder, sphinx)
        assert made.build() == ("", 0)
        yield made


def test_a_page_that_changes_is_made_lean_with_the_others(small):
    """A class that one page brings along changes the style sheet of both, though only one is written by the theme."""
    before = small.sheet("second")
    with (small.source / "index.md").open("a") as page:
        page.write("\n:::{admonition} New\nA box.\n:::\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```{note}\nA note.\n```\n")
    assert small.build() == ("", 0)
    assert small.sheet("index") == small.sheet("second") != before
    assert [path.name for path in (small.html / "_static/lean").glob("*.css")] == [small.sheet("index")]


def test_a_lost_stock_page_is_written_again(small):
    """Where somebody has removed the theme's pages, they come back, and nothing is made lean twice."""
    stock = small.html.parent / "stock/second.html"
    before = stock.read_text(encoding="utf-8")
    stock.unlink()
    assert small.build() == ("", 0)
    assert stock.read_text(encoding="utf-8") == before
    assert "_static/lean/" in small.page("second")


def test_the_switch_leaves_the_theme_s_pages(small):
    """With COURSE_PAGES=stock, or lean_pages false, the book holds the theme's own pages; without, lean ones again."""
    stock = (small.html.parent / "stock/second.html").read_text(encoding="utf-8")
    assert small.build(COURSE_PAGES="stock") == ("", 0)
    assert small.page("second") == stock
    assert small.build("-D", "lean_pages=0") == ("", 0)
    assert small.page("second") == stock
    assert small.build() == ("", 0)
    assert "_static/lean/" in small.page("second")


def test_a_page_over_the_budget_ends_the_build(small):
    """The exit code is not 0, and the message names page, bytes and the largest parts."""
    conf = small.source / "conf.py"
    conf.write_text(CONF + "lean_pages_budget = {'first': 1000}\n")
    said, code = small.build()
    conf.write_text(CONF)
    assert code != 0
    assert re.search(r"second: expected at most 1,000 bytes when it is opened first, got [\d,]+; the largest: ", said)
