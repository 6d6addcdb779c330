"""What each chapter has, in its order: the problem first, a demo once one knows what it shows, the assignment last."""

import re

import pytest

from .test_visible_cells import PAGES

DEMO = re.compile(r"^from demos import (.+)$", re.MULTILINE)
SHORT = 60  # words that state the problem, on a telephone's first screen


@pytest.fixture(params=PAGES)
def page(request):
    """A chapter's source: what stands above its first section, and its sections by title, in order."""
    opening, *parts = re.split(r"^## ", PAGES[request.param].read_text(encoding="utf-8"), flags=re.MULTILINE)
    return opening, dict(part.split("\n", 1) for part in parts)


def test_a_chapter_opens_with_its_problem(page):
    """In a few sentences, then a picture; the contract and the map follow before the first section."""
    opening, _ = page
    problem = re.search(r"^:::\{container\} question\n(.*?)^:::$", opening, re.MULTILINE | re.DOTALL)
    assert len(problem[1].split()) <= SHORT
    after = opening[problem.end() :]
    assert re.search(r"^:mystnb: .*image:|^!\[", after.split("{map-strip}")[0], re.MULTILINE), (
        "no picture above the map"
    )
    assert ":class: contract" in after
    assert "```{minutes}" in after


def test_a_demo_comes_once_one_knows_what_it_shows(page):
    """No demo is above the first section, and one question at least is asked in the section of each demo."""
    opening, sections = page
    names = DEMO.search(opening)
    called = re.compile(rf"^(?:{'|'.join(names[1].split(', '))})\(" if names else "(?!)", re.MULTILINE)
    assert not called.search(opening)
    assert [title for title, text in sections.items() if called.search(text) and "{predict}" not in text] == []


def test_a_chapter_ends_with_what_to_do(page):
    """What the idea cannot do, the assignment with its exercises, and where to read on."""
    _, sections = page
    *_, limits, assignment, further = sections
    assert "can't do" in limits
    assert (assignment, further) == ("Assignment", "Going further")
    assert re.search(r"^```\{assignment\}.*^```\{exercises\}", sections["Assignment"], re.MULTILINE | re.DOTALL)


def test_a_chapter_asks_and_numbers_no_question_itself(page):
    """Three questions at least take an answer; the page numbers them."""
    opening, sections = page
    text = "".join([opening, *sections.values()])
    assert len(re.findall(r"^:{3,}\{predict\}$", text, re.MULTILINE)) >= 3
    assert not re.search(r"^\*\*Question \d", text, re.MULTILINE)
