"""A smaller course by one file: _toc.yml lists some of the chapters, and everything else follows."""

import importlib
import re
import shutil
import zipfile
from html.parser import HTMLParser
from types import SimpleNamespace

import nbformat
import pytest
import yaml

from autograder.course.release import release
from autograder.course.settings import read_settings
from autograder.course.which_course import find_course
from autograder.grading.grade import Grader
from tests.support.mini_class import LIMITS

from .small_book import build

adapted_book = importlib.import_module("adapted_book")  # of book/_ext
LOOK_UP = ["notation", "glossary", "corrections", "references"]
SUBSETS = {
    "five": [
        "03_context",
        "04_query_key_value",
        "05_scaling",
        "06_multi_head",
        "09_masking",
        "translator",
        "laboratory",
        "instructors",
        "make_it_your_own",  # which links to pages left out
    ],
    "last": ["02_embeddings", "12_inference", "whole_transformer", "term_hub"],  # and no page to look things up
}
SETTINGS = """title = "Attention & <context>, from $5 to $6"
whole_course = "https://whole.example/course"
language = "fr"
"""
LINKED = (
    "attention",
    "autograder",
    "exercises",
    "node_modules",
    "oracle",
    "CITATION.cff",
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
)


class Links(HTMLParser):
    """A page's links, and its text without scripts and drawings."""

    def __init__(self, html):
        """Read a page."""
        super().__init__()
        self.links, self.text, self.silent = [], "", 0
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        """Note a link."""
        self.silent += tag in ("script", "style", "svg")
        self.links += [value for name, value in attributes if tag == "a" and name == "href" and value]

    def handle_endtag(self, tag):
        """Leave a script or a drawing."""
        self.silent -= tag in ("script", "style", "svg")

    def handle_data(self, data):
        """Note a text."""
        self.text += "" if self.silent else data


@pytest.fixture(scope="module", params=SUBSETS)
def smaller(request, root, site, tmp_path_factory):
    """A copy of the course that teaches some chapters, built; the first has its own settings."""
    folder = tmp_path_factory.mktemp(request.param)
    shutil.copytree(root / "book", folder / "book", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(root / "solutions", folder / "solutions")
    for name in LINKED:
        (folder / name).symlink_to(root / name)
    for name in ("_config.yml", "nbgrader_config.py", "package.json"):
        shutil.copy(root / name, folder)
    shutil.copytree(root / "_build/.jupyter_cache", folder / "_build/.jupyter_cache")  # no cell is run again
    toc = {
        "format": "jb-book",
        "root": "index",
        "chapters": [{"file": page} for page in SUBSETS[request.param] + LOOK_UP * (request.param == "five")],
    }
    (folder / "_toc.yml").write_text(yaml.safe_dump(toc))
    if request.param == "five":
        (folder / "course.toml").write_text(SETTINGS)
    (folder / "_build/html").mkdir()
    (folder / "_build/html/08_layer_norm.html").write_text("of an earlier build")
    course = find_course(folder)
    for chapter in course.chapters():
        release(course.assignment(chapter))
    built = build(folder, "-q")
    assert built.returncode == 0, built.stderr[-3000:]
    return folder


@pytest.fixture
def pages(smaller):
    """The pages of the book by name."""
    html = {path.name: path.read_text(encoding="utf-8") for path in (smaller / "_build/html").glob("*.html")}
    return {name: Links(text) for name, text in html.items()}


def test_no_link_leads_to_what_is_not_there(smaller, pages):
    """Every link within the book leads to a file of it; the chapters are those that are listed."""
    taught = [name for name in SUBSETS[smaller.name[:-1]] if name[0].isdigit()]
    redirects = yaml.safe_load((smaller / "_config.yml").read_text())["sphinx"]["config"]["redirects"]
    old = {f"{name}.html" for name in redirects}
    assert sorted(name for name in pages.keys() - old if re.match(r"\d\d_", name)) == [
        f"{name}.html" for name in taught
    ]
    assert old & pages.keys() == {f"{name}.html" for name, new in redirects.items() if new in pages}
    assert find_course(smaller).chapters() == taught
    site = smaller / "_build/html"
    inside = {
        (name, link.partition("#")[0].partition("?")[0])
        for name, page in pages.items()
        for link in page.links
        if ":" not in link and not link.startswith("#")
    }
    built_later = ("lite/", "downloads/attention-row-by-row")
    lost = {(name, link) for name, link in inside if not (site / link).exists() and not link.startswith(built_later)}
    assert lost == set()
    slips = {path.stem: Links(path.read_text(encoding="utf-8")).links for path in site.glob("slips/*.html")}
    assert sorted(slips) == taught
    inside = {(name, link.partition("#")[0]) for name, links in slips.items() for link in links if ":" not in link}
    assert {(name, link) for name, link in inside if not (site / "slips" / link).exists()} == set()


def test_chapters_that_are_not_taught_are_said_to_be_elsewhere(smaller, pages):
    """On pages and in notebooks, a number appears alone only if the chapter is taught; with an address it is a link."""
    taught = {int(name[:2]) for name in find_course(smaller).chapters()}
    chapters = [page.text for name, page in pages.items() if name[:2].isdigit() or name == "index.html"]
    for notebook in [*smaller.glob("_build/exercises/*/*.ipynb"), *smaller.glob("_build/html/downloads/pages/*.ipynb")]:
        chapters += [cell.source for cell in nbformat.read(notebook, 4).cells if cell.cell_type == "markdown"]
    named = [found for text in chapters for found in re.findall(r"(whole course’s )?[Cc]hapter (\d+)", text)]
    assert {int(number) for elsewhere, number in named if not elsewhere} <= taught
    assert {int(number) for elsewhere, number in named if elsewhere}.isdisjoint(taught)
    assert [text for text in chapters if "whole course’s the whole" in text] == []
    leads = [link for page in pages.values() for link in page.links if link.startswith("https://whole.example/course/")]
    assert bool(leads) == (smaller / "course.toml").exists()


def test_the_map_keeps_its_parts_and_lights_what_is_taught(smaller):
    """Every chapter's part is drawn; those that are not taught have no link."""
    html = (smaller / "_build/html/index.html").read_text(encoding="utf-8")
    drawing = re.search(r'<svg class="wide".*?</svg>', html, re.DOTALL)[0]
    taught = len(find_course(smaller).chapters())
    assert (drawing.count("<a "), drawing.count("is not part of this course")) == (taught, 12 - taught)


def test_downloads_and_exercises_are_those_of_the_course(smaller):
    """A zip for each chapter taught; its released notebook links to no page that is left out."""
    course = find_course(smaller)
    zips = {path.stem for path in (smaller / "_build/html/downloads").glob("[0-9]*.zip")}
    assert zips == set(course.chapters())
    with zipfile.ZipFile(smaller / f"_build/html/downloads/{course.chapters()[0]}.zip") as archive:
        assert any(name.endswith("selfcheck.py") for name in archive.namelist())
    for chapter in course.chapters():
        notebook = nbformat.read(course.assignment(chapter).released_path, as_version=4)
        text = "".join(cell.source for cell in notebook.cells)
        assert {page for page in re.findall(r"_build/html/(\w+)\.html", text) if not course.is_listed(page)} == set()


def test_the_last_chapter_borrows_what_was_not_taught(smaller):
    """The finale's solution gets full marks where most chapters before it are left out."""
    course = find_course(smaller)
    assignment = course.assignment(course.chapters()[-1])
    with Grader(assignment, seed=11, limits=LIMITS) as grader:
        result = grader.grade(assignment.solution_path)
    assert (result.score, result.status) == (assignment.max_score, "graded")


@pytest.mark.parametrize("smaller", ["five"], indirect=True)
def test_settings_reach_the_pages(smaller):
    """The title is at the head of the first page and of every page, as plain text; labels are in the language set."""
    text = (smaller / "_build/html/05_scaling.html").read_text(encoding="utf-8")
    first = (smaller / "_build/html/index.html").read_text(encoding="utf-8")
    title = "Attention &amp; &lt;context&gt;, from $5 to $6"
    assert f"<title>5. Why divide by √dₖ - {title}</title>" in text
    assert f"<h1>{title}" in first
    assert f'<span class="sidebar-brand-text">{title}</span>' in text
    assert f'<meta property="og:site_name" content="{title}">' in text
    assert 'lang="fr"' in text.split("<head>")[0]
    assert re.search('<section lang="en" [^>]*id="why-divide', text)
    assert 'placeholder="Recherche"' in text


@pytest.mark.parametrize("smaller", ["five"], indirect=True)
def test_the_text_stays_english_under_another_languages_labels(smaller):
    """Quotation marks are English, and so are the endings that the search cuts off."""
    site = smaller / "_build/html"
    text = (site / "make_it_your_own.html").read_text(encoding="utf-8")
    assert ("“" in text, "«" in text) == (True, False)
    assert '"their"' in (site / "_static/language_data.js").read_text(encoding="utf-8").split("\n\n")[1]


def test_what_the_book_cannot_use_is_one_line(root, tmp_path):
    """A language that Sphinx does not know, and a text of one's own that is not UTF-8."""
    (tmp_path / "solutions").mkdir()
    shutil.copy(root / "nbgrader_config.py", tmp_path)
    app = SimpleNamespace(srcdir=str(tmp_path / "book"), env=SimpleNamespace(note_dependency=id))
    (tmp_path / "own/context").mkdir(parents=True)
    (tmp_path / "own/context/page.md").write_bytes("é".encode("utf-16"))
    with pytest.raises(SystemExit, match=r"cannot read .*own/context/page.md: .* Save it as UTF-8"):
        adapted_book.add_own_text(app, "03_context", ["# A page"])
    (tmp_path / "course.toml").write_text('language = "gr"')
    read_settings.cache_clear()
    with pytest.raises(SystemExit, match=r"expected language in .*course.toml as one that Sphinx knows, .*, got 'gr'"):
        adapted_book.apply_settings(app, SimpleNamespace(copyright=""))


@pytest.mark.parametrize("smaller", ["five"], indirect=True)
def test_the_search_keeps_the_languages_own_sentences(smaller, page):
    """Ours replace only English ones."""
    page.goto(f"{(smaller / '_build/html/search.html').as_uri()}?q=booster")
    page.locator("#search-results p.search-summary", has_text="Recherche terminée").wait_for()
