"""Where people slip, a page beside each chapter: what it holds, what leads there, and what the build makes of it."""

import re
from types import SimpleNamespace

import pytest
import slips_pages

from autograder.course.course import Course

from .conftest import TELEPHONE, require_page
from .test_pages import CHAPTERS


def mistakes_of(root, chapter):
    """Return the anchors of a chapter's listed mistakes."""
    exercises = Course(root).assignment(chapter).exercises.values()
    return [f"slip-{mistake.id.replace('_', '-')}" for exercise in exercises for mistake in exercise.mistakes]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_chapter_leads_to_its_slips_and_back(site, root, chapter):
    """The page has a row for each listed mistake; the chapter has none, and a link in its assignment."""
    require_page(chapter)
    page, slips = (
        (site / f"{folder}{chapter}.html").read_text(encoding="utf-8").split("<article", 1)[1]
        for folder in ("", "slips/")
    )
    assert re.findall(r'id="(slip-[\w-]+)"', slips) == mistakes_of(root, chapter)
    assert f'href="../{chapter}.html"' in slips
    assert f'href="../{chapter}.html#assignment"' in slips
    assert "slip-" not in page.replace("people-slip", "")
    assert f'href="slips/{chapter}.html"' in page.split('class="assignment"', 1)[1]


def test_every_chapter_with_exercises_has_such_a_page(site, root):
    """And no other."""
    assert sorted(path.stem for path in site.glob("slips/*.html")) == Course(root).chapters()


@pytest.fixture(params=[{}, TELEPHONE], ids=["desk", "telephone"])
def reader(request, warm):
    """A page at a desk and on a telephone."""
    return warm(**request.param)


@pytest.mark.parametrize("chapter", CHAPTERS[2:4])
def test_an_old_link_to_a_slip_leads_to_its_row(book, reader, root, chapter):
    """A fragment never reaches a server: the chapter's page leads on, and the row's list is open."""
    last = mistakes_of(root, chapter)[-1]
    reader.goto(f"{book}/{chapter}.html#{last}", drawn=0)
    reader.page.wait_for_url(f"**/slips/{chapter}.html#{last}")
    reader.page.locator(f"tr:has(#{last})").wait_for(state="visible")
    assert reader.page.locator("details[open]:has([id^=slip-])").count() == 1
    reader.goto(f"{book}/{chapter}.html#where-people-slip", drawn=0)
    reader.page.wait_for_url(f"**/slips/{chapter}.html")


def test_a_link_to_a_slip_opens_its_list(book, reader, root):
    """The lists are folded; a reader who follows a link to a row sees that row."""
    first = mistakes_of(root, CHAPTERS[2])[0]
    reader.goto(f"{book}/slips/{CHAPTERS[2]}.html")
    reader.page.locator(f"tr:has(#{first})").wait_for(state="hidden")
    reader.page.evaluate("id => { location.hash = id; }", first)
    reader.page.locator(f"tr:has(#{first})").wait_for(state="visible")


@pytest.fixture
def app(tmp_path, monkeypatch):
    """A book of one chapter with an assignment and one without, before it is built."""
    texts = {"01_doubling": "# 1. Doubling\n\n```{assignment} 01_doubling\n```\n", "02_halving": "# 2. Halving\n"}
    for chapter, text in texts.items():
        (tmp_path / f"solutions/{chapter}").mkdir(parents=True)
        (tmp_path / f"solutions/{chapter}/{chapter}.ipynb").touch()
        (tmp_path / "book").mkdir(exist_ok=True)
        (tmp_path / f"book/{chapter}.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(slips_pages, "course_of", lambda app: Course(tmp_path))
    return SimpleNamespace(srcdir=tmp_path / "book")


def test_the_build_writes_what_has_changed_and_removes_what_is_left_out(app):
    """A chapter without an assignment has no page; one that is up to date keeps its time, and is not read anew."""
    config = SimpleNamespace(external_site_map={"01_doubling", "02_halving"}, exclude_patterns=["slips/a.md", "b.md"])
    slips_pages.write_pages(app, config)
    assert config.exclude_patterns == ["b.md"]
    (page,) = (app.srcdir / "slips").iterdir()
    assert "# Where people slip: Doubling\n" in page.read_text(encoding="utf-8")
    before = page.stat().st_mtime_ns
    slips_pages.write_pages(app, config)
    assert page.stat().st_mtime_ns == before
    slips_pages.write_pages(app, SimpleNamespace(external_site_map={"02_halving"}, exclude_patterns=[]))
    assert list((app.srcdir / "slips").iterdir()) == []


def test_no_link_leads_to_the_source_of_such_a_page():
    """No repository has what the build writes."""
    context = {"page_source_suffix": ".md"}
    slips_pages.has_no_source(None, "slips/01_doubling", "page.html", context, None)
    assert not context["page_source_suffix"]
