"""What readers of published books expect of one: search, links to a place, code to copy, the way on, how to cite it."""

import base64
import re
import subprocess
from collections import Counter

import nbformat
import pytest
import readers_wheel
import yaml

from autograder.course.course import Course

from .conftest import require_page
from .test_readers_wheel import PAGES, visible_cells

CHAPTER = "05_scaling"
PAGE = "04_query_key_value"


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ("gravity", "03_context.html"),  # a word of the text
        ("softmax_jacobian", "05_scaling.html"),  # a function
        ("booster", "glossary.html"),  # an entry of the glossary
    ],
)
def test_search_finds_words_functions_and_entries(page_at, asked, where):
    """The search finds the place of what is typed."""
    here = page_at(f"search.html?q={asked}")
    here.locator(f"#search-results a[href^='{where}']").first.wait_for()


@pytest.mark.parametrize(
    ("asked", "term", "chapter"),
    [
        ("what is attention", "attention", "04_query_key_value"),
        ("softmax", "softmax", "03_context"),
        ("multi-head attention", "head", "06_multi_head"),
        ("positional encoding", "positional encoding", "07_position"),
        ("layer normalization", "layer norm", "08_layer_norm"),
        ("backpropagation", "gradient", "01_before_attention"),
        ("attenton", "attention", "04_query_key_value"),
        ("What is a resdiual?", "residual", "08_layer_norm"),
        ("causal mask", "causal mask", "09_masking"),
    ],
)
def test_search_answers_with_the_definition_first(page_at, root, asked, term, chapter):
    """A question, a synonym or a misspelt word gets the glossary's entry, and the chapter that teaches it, on top."""
    here = page_at(f"search.html?q={asked.replace(' ', '+')}")
    box = here.locator(".search-first")
    assert box.locator("h2").inner_text().lower().startswith(term)
    assert box.locator("a[href^='glossary.html#term-']").count() == 1
    if Course(root).is_listed(chapter):
        assert box.locator(f"a[href='{chapter}.html']").count() == 1
    here.locator("#search-results li a").first.wait_for()


def test_search_invents_no_answer(page_at):
    """A word that is no term, nor near one, gets pages alone."""
    here = page_at("search.html?q=zebra")
    here.locator("#search-results li a").first.wait_for()
    assert here.locator(".search-first").count() == 0


@pytest.mark.parametrize(
    ("asked", "section"),
    [
        ("temperature", "12_inference.html#temperature-greedy-or-wild"),
        ("layer norm", "08_layer_norm.html#what-does-layer-norm-compute"),
        ("positions", "07_position.html"),  # the chapter's title has the word
    ],
)
def test_search_leads_to_the_section_of_that_name(page_at, asked, section):
    """And to the beginning of a page whose title, or none of whose headings, has the words."""
    here = page_at(f"search.html?q={asked.replace(' ', '+')}")
    here.locator("#search-results li p.context").first.wait_for()
    links = here.locator("#search-results li > a").evaluate_all("all => all.map((one) => one.getAttribute('href'))")
    assert links[0] == section
    assert len(links) == len(set(links)) > 1
    assert f"glossary.html#term-{asked.replace(' ', '-')}" not in links


@pytest.mark.parametrize(
    ("asked", "chapter"),
    [
        ("what is attention", "04_query_key_value"),  # no chapter's title has it: the page that the glossary names
        ("embedding", "02_embeddings"),
        ("positional encodng", "07_position"),  # a title has it
        ("gradient", "11_gradients"),
        ("multihead", "06_multi_head"),  # no page has it: two words that pages have
        ("teacher forcing", "10_training"),
    ],
)
def test_search_lists_first_what_teaches_it(root, page_at, asked, chapter):
    """A misspelt word, a compound and a question lead to the chapter that they are about."""
    if not Course(root).is_listed(chapter):
        pytest.skip(f"_toc.yml does not list {chapter}")
    assert pages_found(page_at, asked)[0] == chapter


@pytest.mark.parametrize("asked", ["transformer", "teacher forcing", "attention"])
def test_search_leads_learners_to_no_page_on_teaching(page_at, asked):
    """Words of the course are on pages about grading, too, and mean something else there."""
    found = pages_found(page_at, asked)[:3]
    assert [page for page in found if page.startswith("term_") or page in ("instructors", "machines", "upgrade")] == []


def test_search_finds_pages_on_teaching_by_their_own_words(page_at):
    """Whoever asks for Moodle teaches."""
    assert pages_found(page_at, "moodle")[0] == "term_zips"


def pages_found(page_at, asked):
    """Return the names of the pages that the search lists, the first on top."""
    here = page_at(f"search.html?q={asked.replace(' ', '+')}")
    here.locator("#search-results p.search-summary", has_text=re.compile(r"\d")).wait_for()
    links = here.locator("#search-results li > a")
    here.wait_for_function("document.querySelectorAll('#search-results li p.context').length > 0")
    return [href.partition(".html")[0] for href in links.evaluate_all("all => all.map((a) => a.getAttribute('href'))")]


@pytest.mark.parametrize("asked", ["softmax", "transposed", "scores"])
def test_search_lists_slips_after_chapters(page_at, asked):
    """What explains a word comes before the wrong answers in which it is."""
    found = pages_found(page_at, asked)
    first = next(place for place, page in enumerate(found) if page.startswith("slips/"))
    assert [page for page in found[first:] if page[:2].isdigit()] == []


def test_search_puts_the_changelog_last(page_at):
    """What changed in the book answers no question."""
    here = page_at("search.html?q=gravity")
    here.locator("#search-results a[href='changelog.html']").wait_for()
    assert here.locator("#search-results li > a").last.get_attribute("href") == "changelog.html"


def test_search_shows_an_entry_with_its_name_and_text(page_at):
    """A part of a term finds its entry."""
    here = page_at("search.html?q=norm")
    here.locator("#search-results li p.context").first.wait_for()
    if not here.evaluate("Object.keys(Search._index.indexentries).length"):
        pytest.skip("Sphinx forgets entries when it builds what has changed alone")
    entry = here.locator("#search-results li", has=here.locator("a[href='glossary.html#term-pre-norm']"))
    entry.locator("p.context").wait_for()
    assert "Glossary > pre-norm" in entry.inner_text()
    assert "Normalising what a sublayer reads" in entry.inner_text()


def test_a_term_shows_its_definition_in_place(page_at):
    """On hover and on focus, the glossary's first sentence appears below the line."""
    here = page_at(f"{CHAPTER}.html")
    link = here.locator("article p > a[data-definition]:visible").first
    shown = "node => getComputedStyle(node, '::after').content"
    assert link.evaluate(shown) == "none"
    link.hover()
    assert len(link.evaluate(shown)) > 20
    here.mouse.move(0, 0)
    link.focus()
    here.keyboard.press("Shift+Tab")
    here.keyboard.press("Tab")
    assert len(link.evaluate(shown)) > 20


def test_no_definition_in_place_holds_a_formula(site):
    """What a term shows is plain text: the source of a formula would be read there, and the search says the same."""
    require_page("glossary")
    shown = [
        (page.name, text)
        for page in site.glob("*.html")
        for text in re.findall(r'data-definition="([^"]*)"', page.read_text())
    ]
    assert len(shown) > 10
    assert [one for one in shown if re.search(r"[\\^_{}]", one[1])] == []


@pytest.fixture
def page_at(page, book):
    """Open a page of the book."""

    def open_page(name):
        page.goto(f"{book}/{name}")
        return page

    return open_page


def test_code_has_a_button_that_copies_it(page_at, root):
    """The button beside a cell puts its code into the clipboard, without numbers and prompts."""
    here = page_at(f"{CHAPTER}.html")
    here.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cell = here.locator("div.cell_input").filter(visible=True).first
    cell.hover()
    cell.locator("button.copybtn").click()
    cell.get_by_role("button", name="Copied").wait_for()
    shown = visible_cells(root / f"book/{CHAPTER}.md")[0]
    assert here.evaluate("navigator.clipboard.readText()").strip() == shown.strip()


def test_headings_have_links_to_themselves(page_at):
    """Every heading of a chapter can be linked to, and each link has its own place."""
    here = page_at(f"{CHAPTER}.html")
    headings = here.locator("article :is(h2, h3)").count()
    links = here.eval_on_selector_all("article :is(h2, h3) > a.headerlink", "all => all.map(a => a.hash.slice(1))")
    assert headings == len(links) == len(set(links)) > 8
    assert all(here.locator(f"[id='{link}']").count() for link in links)


def test_each_page_leads_to_the_one_before_and_the_one_after(site, root):
    """Read from link to link, the book comes in the order of its table of contents."""
    order = re.findall(r"(?:root|file): (\w+)", (root / "_toc.yml").read_text(encoding="utf-8"))
    for place, name in enumerate(order):
        html = (site / f"{name}.html").read_text(encoding="utf-8")
        ways = dict(re.findall(r'class="(prev|next)-page"\s+href="(\w+)\.html"', html))
        around = {"prev": order[place - 1] if place else None, "next": (order[place + 1 :] or [None])[0]}
        assert ways == {way: page for way, page in around.items() if page}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_comes_as_a_notebook(site, page):
    """It says how to install what it needs, has the cells in order, folded as there, and Markdown without MyST."""
    require_page(page.stem)
    notebook = nbformat.read(site / f"downloads/pages/{page.stem}.ipynb", 4)
    nbformat.validate(notebook)
    assert f"`pip install {readers_wheel.wheel_name()}`" in notebook.cells[0].source
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.source for cell in code] == visible_cells(page)
    folded = page.read_text(encoding="utf-8").count(":tags: [hide-input]")
    assert sum(cell.metadata.get("jupyter") == {"source_hidden": True} for cell in code) == folded
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert not re.search(r"\{[a-z]+(:[a-z]+)?\}`|^:::|^```|\.md\)", text, re.MULTILINE)
    assert "Where people slip" not in text


def test_what_a_hidden_cell_shows_is_in_the_notebook(site):
    """Its figures are pictures with their text, and its tables are tables, as many as on the page."""
    require_page(PAGE)
    cells = nbformat.read(site / f"downloads/pages/{PAGE}.ipynb", 4).cells
    pictures = [cell for cell in cells if cell.get("attachments")]
    page = (site / f"{PAGE}.html").read_text(encoding="utf-8")
    assert len(pictures) == len(re.findall(r'src="_images/[0-9a-f]{64}\.', page)) > 0
    for cell in pictures:
        ((name, picture),) = cell.attachments.items()
        assert re.fullmatch(rf"!\[[^]]{{80,}}\]\(attachment:{re.escape(name)}\)", cell.source)
        assert base64.b64decode(picture["image/png"]).startswith(b"\x89PNG")
    assert sum("<table" in cell.source for cell in cells) == page.count('<div class="tables"') > 0


def test_no_link_of_a_downloaded_page_is_dead(site):
    """It lies among a reader's downloads: a link leads to the web, or to nothing outside the notebook."""
    for path in (site / "downloads/pages").iterdir():
        text = "\n".join(cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown")
        assert re.findall(r"\]\((?!https?:|attachment:)[^)]*\)", text) == []


def test_only_such_a_page_is_offered_as_a_notebook(site):
    """A page whose cells need the course's folder has neither the link nor the file."""
    offered = {path.stem for path in site.glob("*.html") if 'class="page-notebook"' in path.read_text(encoding="utf-8")}
    assert offered == {path.stem for path in (site / "downloads/pages").iterdir()} <= {page.stem for page in PAGES}


def test_the_box_says_how_to_cite_this_version(site, root):
    """The sentence and the entry for BibTeX name title, version and year of CITATION.cff."""
    cff = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    text = re.sub(r"<[^>]+>", "", (site / "about.html").read_text(encoding="utf-8"))
    for part in (f"({cff['date-released'][:4]})", f"Version {cff['version']}", "@misc{attention2026,", "CC BY 4.0"):
        assert part in text
    assert f"title = {{{cff['title']}}}" in text


def rows_of(site):
    """Return the table of *How this was checked* as ``{what: (how many, how)}``."""
    html = (site / "checked.html").read_text(encoding="utf-8")
    cells = re.findall(r"<td><p>(.*?)</p></td>", html, re.DOTALL)
    return {cells[i]: (int(cells[i + 1].replace(",", "")), cells[i + 2]) for i in range(0, len(cells), 3)}


def test_what_was_checked_is_counted(site, root):
    """The numbers are those that grep, git's files and the released notebooks give, not what somebody typed."""
    rows = rows_of(site)
    tests = root.glob("tests/**/test_*.py")
    found = sum(len(re.findall(r"^ *def test_", path.read_text(encoding="utf-8"), re.MULTILINE)) for path in tests)
    assert rows["test functions in Python"][0] == found
    released = [root / f"exercises/{name}/{name}.ipynb" for name in Course(root).chapters()]
    notebooks = [path.read_text(encoding="utf-8") for path in released]
    exercises = sum(text.count('"grade_id": "test_') for text in notebooks)
    assert rows[f"exercises, in {len(notebooks)} chapters"][0] == exercises
    pages = [path.read_text(encoding="utf-8") for path in site.glob("slips/*.html")]
    assert rows["listed mistakes"][0] == sum(len(set(re.findall(r'id="(slip-[\w-]+)"', text))) for text in pages)
    wrong = Counter(path.parents[1].name for path in root.glob("tests/data/plausible/*/*/*.py"))
    assert set(wrong) == {"first", "second", "third", "fourth"}
    grep = subprocess.run(
        ["grep", "-rhc", "^def ", *(f"tests/data/plausible/{name}" for name in wrong), "--include=*.py"],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert rows["plausible wrong answers"][0] == sum(map(int, grep.stdout.split()))


def test_the_translators_share_is_the_one_on_its_own_page(site):
    """Sentences right, as a share, are what the translator's page says."""
    number, how = rows_of(site)["sentences that the translator had never seen"]
    right = int(re.search(r"translates (\d+) of them", how)[1])
    text = re.sub(r"<[^>]+>", "", (site / "translator.html").read_text(encoding="utf-8"))
    assert f"gets {right / number:.1%} of {number} others exactly right" in text


def test_a_wrong_address_gets_the_books_own_page(root, site, monkeypatch):
    """The local server answers 404 with the page that says where to go."""
    import functools
    import importlib.util
    import threading
    from http.server import ThreadingHTTPServer
    from urllib.error import HTTPError
    from urllib.request import urlopen

    spec = importlib.util.spec_from_file_location("serve", root / "book/serve.py")
    serve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(serve.Pages, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(HTTPError) as said:
            urlopen(f"http://127.0.0.1:{server.server_port}/lino/lino.html")
        server.shutdown()
    assert said.value.code == 404
    assert "There is no such page" in said.value.read().decode()
