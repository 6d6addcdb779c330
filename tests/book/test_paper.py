"""The book on paper: one PDF of all pages, and what Ctrl+P prints of a page."""

import importlib.util
import re
from io import BytesIO

import pytest
import yaml
from pypdf import PdfReader

from autograder.course.course import Course

from .conftest import Chapter

LAST = "12_inference"
PAGES = ["about", LAST, "glossary"]
A4 = (595, 842)  # points
LEFT, RIGHT = 25 / 25.4 * 72, A4[0] - 22 / 25.4 * 72


@pytest.fixture(scope="module")
def paper(root):
    """The module that prints the book."""
    spec = importlib.util.spec_from_file_location("paper", root / "book/paper/__main__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_is_built_without_being_listed_comes_last(paper, tmp_path):
    """In a course that leaves the references out of _toc.yml, its chapters still cite them."""
    (tmp_path / "_toc.yml").write_text("root: index\nchapters: [{file: 05_scaling}]\n")
    (tmp_path / "book").mkdir()
    for page in ("05_scaling", "06_multi_head", "index", "references"):
        (tmp_path / "book" / f"{page}.md").touch()
    for page in ("05_scaling", "index", "references", "search"):
        (tmp_path / f"{page}.html").touch()
    assert paper.pages_of(tmp_path, tmp_path) == ["index", "05_scaling", "references"]


@pytest.fixture(scope="module")
def printed(paper, browser, book, root):
    """Three pages of the book as a PDF, and the page of the browser that it was printed from."""
    Course(root).assignment(LAST)  # or it is not taught
    page = paper.assemble(browser, book, PAGES, paper.imprint())
    pdf, _ = paper.settled(page)
    yield PdfReader(BytesIO(pdf)), page
    page.close()


@pytest.fixture(scope="module")
def texts(printed):
    """The text of each page, in one line."""
    reader, _ = printed
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def outline(reader, entries=None):
    """Yield (title, number of the page) for everything in the PDF's outline."""
    for entry in reader.outline if entries is None else entries:
        if isinstance(entry, list):
            yield from outline(reader, entry)
        else:
            yield " ".join(entry.title.split()), reader.get_destination_page_number(entry) + 1


def structure(element):
    """Yield every element of a tagged PDF's tree of structure."""
    for kid in element.get("/K", ()) if isinstance(element.get("/K"), list) else [element.get("/K")]:
        kid = kid.get_object() if kid is not None else None
        if isinstance(kid, dict) and "/S" in kid:
            yield kid
            yield from structure(kid)


def pages_of(element):
    """Return the pages that an element's content is on, as references to them."""
    own = {element.raw_get("/Pg").idnum} if "/Pg" in element and not has_elements(element) else set()
    return own.union(*(pages_of(kid) for kid in structure(element) if not has_elements(kid)))


def has_elements(element):
    """Say whether an element holds others."""
    return next(structure(element), None) is not None


def test_every_page_of_the_book_is_printed_in_its_order(paper, root):
    """The table of contents is read as the book's own builder reads it."""
    toc = (root / "_toc.yml").read_text(encoding="utf-8")
    assert paper.pages_in(yaml.safe_load(toc)) == re.findall(r"(?:root|file): (\w+)", toc)


def test_it_is_a_tagged_pdf_on_a4_with_a_title_and_a_language(printed, root):
    """Readers aloud find headings and tables, and know the language."""
    reader, _ = printed
    assert all((round(page.mediabox.width), round(page.mediabox.height)) == A4 for page in reader.pages)
    assert reader.root_object["/MarkInfo"]["/Marked"]
    assert reader.root_object["/Lang"] == "en"
    assert reader.metadata.title == (Course(root).settings.title or "Attention, Row by Row")
    kinds = {element["/S"] for element in structure(reader.root_object["/StructTreeRoot"])}
    assert kinds >= {"/H1", "/H2", "/P", "/Table", "/TR", "/Figure", "/Link"}


def test_the_contents_name_the_pages_on_which_chapters_stand(printed, texts):
    """Each number in the table of contents is the page of that heading in the PDF's own outline."""
    reader, page = printed
    rows = page.eval_on_selector_all(
        ".book-contents a", "all => all.map(a => [...a.children].map(part => part.textContent.trim()))"
    )
    found = list(outline(reader))
    assert len(rows) > 10
    for title, number in rows:
        assert (" ".join(title.split()), int(number)) in found
        assert number in texts[1]


def test_every_page_but_the_cover_has_its_number_and_its_chapter(texts):
    """The number is on the page, and the chapter's title at its head."""
    assert not re.search(r"\b1$", texts[0])
    for number, text in enumerate(texts[1:], 2):
        assert re.search(rf"(^{number} | {number}$)", text) or f" {number} " in text
    assert sum("12. Translating" in text for text in texts) > 5


def test_links_stay_inside_or_lead_to_the_web(printed):
    """A link leads to a place that is there, or to an address of the web; none to a file or to this machine."""
    reader, _ = printed
    places = set(reader.named_destinations)
    links = [note.get_object() for page in reader.pages for note in page.get("/Annots", ())]
    inside = [link["/Dest"] for link in links if "/Dest" in link]
    outside = [link["/A"]["/URI"] for link in links if "/A" in link and "/URI" in link["/A"]]
    assert len(inside) > 40
    assert set(inside) <= places
    assert outside
    assert [address for address in outside if not address.startswith("https://") or "127.0.0.1" in address] == []


def test_answers_stand_at_the_end_of_their_chapter(printed, texts, root):
    """A question says on which page its answer is; the answer is there, with the way back; nothing is left closed."""
    reader, page = printed
    assert page.locator("details:not(.demo *)").count() == 0
    there = page.locator("#\\31 2_inference .answer-at a")
    source = (root / "book/12_inference.md").read_text(encoding="utf-8")
    assert there.count() == len(re.findall(r"\{dropdown\} Answers?$", source, re.MULTILINE)) > 1
    for link in there.all():
        number = int(re.search(r"on page (\d+)", link.inner_text())[1])
        heading = page.locator(f"[id='{link.get_attribute('href')[1:]}']")
        title = " ".join(heading.evaluate("node => node.firstChild.textContent").split())
        assert any(known.startswith(title) and on == number for known, on in outline(reader))
        back = heading.locator("a")
        asked = page.locator(f"[id='{back.get_attribute('href')[1:]}']")
        assert asked.inner_text() in texts[int(back.inner_text().split()[1]) - 1]
    assert page.locator("#\\31 2_inference > section > *").last.get_attribute("class") == "answers"


def test_no_row_is_cut_and_no_small_table(printed):
    """A row of a table is on one page, and so is a table of a few rows."""
    reader, _ = printed
    every = list(structure(reader.root_object["/StructTreeRoot"]))
    rows = [element for element in every if element["/S"] == "/TR"]
    assert len(rows) > 8
    assert [row for row in rows if len(pages_of(row)) > 1] == []
    tables = [element for element in every if element["/S"] == "/Table"]
    small = [table for table in tables if sum(kid["/S"] == "/TR" for kid in structure(table)) <= 6]
    assert small
    assert [table for table in small if len(pages_of(table)) > 1] == []


def test_demos_and_figures_are_drawn_with_lines(printed):
    """Every demo is there, and no page holds a picture made of dots."""
    reader, page = printed
    assert page.locator(".demo").count() >= 1
    assert [page for page in reader.pages for one in (page.get("/Resources", {}).get("/XObject") or {}).values()
            if one.get_object().get("/Subtype") == "/Image"] == []  # fmt: skip


def test_nothing_is_wider_than_the_page(printed):
    """No line, table, formula or demo reaches past the margins."""
    _, page = printed
    wide = page.evaluate(
        """() => {
            const right = document.querySelector(".part").getBoundingClientRect().right + 1;
            const shown = [...document.querySelectorAll(".part *:not(.katex-mathml, .katex-mathml *, svg *)")];
            return shown.filter((node) => node.getBoundingClientRect().right > right && node.checkVisibility()
                && !node.closest(".visually-hidden, .unseen")).map((node) => node.outerHTML.slice(0, 120));
        }"""
    )
    assert wide == []


@pytest.mark.parametrize(("width", "zoom"), [(1000, 0.7), (1426, 0.5)])
def test_what_is_drawn_smaller_is_measured_as_drawn(printed, width, zoom):
    """The page has room for 713 pixels: a thousand of them at 0.7 fit, and twice as many as fit are halved."""
    _, page = printed
    fitted = page.evaluate(
        """width => {
            const demo = Object.assign(document.createElement("div"), { className: "demo" });
            demo.style.cssText = `box-sizing: border-box; width: ${width}px; max-width: none; zoom: .7`;
            document.querySelector(".part").append(demo);
            fitToPage();
            demo.remove();
            return Number(demo.style.zoom);
        }""",
        width,
    )
    assert fitted == zoom


def test_what_cannot_be_printed_is_said_in_one_line(paper, capsys, monkeypatch, tmp_path):
    """Without a book, the line says how to build one."""
    monkeypatch.setattr(paper, "SITE", tmp_path)
    monkeypatch.setattr("sys.argv", ["paper"])
    with pytest.raises(SystemExit, match="2"):
        paper.main()
    assert capsys.readouterr().err == "pdf: there is no book yet: run `make book` first\n"


def test_a_missing_page_is_named(paper, browser, book):
    """A page that the book lacks is named, with what to do."""
    with pytest.raises(Exception, match=r"expected the page lino\.html in the built book, found none: run `make book`"):
        paper.assemble(browser, book, ["index", "lino"], paper.imprint())


def test_a_chapter_prints_with_its_answers(visit, book):
    """On paper every toggle of a chapter is open, and what only a screen needs is gone."""
    page = visit().page
    page.goto(f"{book}/12_inference.html")
    answers = page.locator("details.toggle > :nth-child(2)")
    hidden = [not answer.is_visible() for answer in answers.all()]
    assert all(hidden)
    page.emulate_media(media="print")
    assert len(hidden) >= 3
    assert all(answer.is_visible() for answer in answers.all())
    assert page.locator("details.hide .cell_input").first.is_visible()
    for screen in (
        ".copybtn",
        ".assignment-button",
        ".sidebar-drawer",
        ".related-pages",
        "details.hide summary",
        ".skip-to-content",
    ):
        assert [place for place in page.locator(screen).all() if place.is_visible()] == []


def test_a_dark_page_is_printed_light(visit, book):
    """Paper is white, whatever the screen was."""
    page = visit(color_scheme="dark").page
    page.goto(f"{book}/notation.html")
    colours = []
    for media in "screen", "print":
        page.emulate_media(media=media)
        colours.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours == ["rgb(20, 23, 29)", "rgb(255, 255, 255)"]


@pytest.mark.parametrize("colours", ["dark", "light"])
def test_a_demo_of_a_dark_page_is_printed_dark_on_white(visit, book, colours):
    """Its words can be read on paper, whether the reader or the system has asked for the night."""
    chapter = Chapter(visit())
    chapter.visit.goto(f"{book}/{LAST}.html")
    chapter.wake()
    chapter.page.evaluate("document.body.dataset.theme = 'dark'")
    chapter.page.emulate_media(media="print", color_scheme=colours)
    demos = chapter.page.locator(".demo").all()
    measured = [text for demo in demos for text in chapter.contrasts(demo)]
    assert len(measured) > 50
    assert [(ratio, text) for ratio, text in measured if ratio < 4.5] == []
    grounds = {demo.evaluate("demo => getComputedStyle(demo).backgroundColor") for demo in demos}
    assert grounds == {"rgb(255, 255, 255)"}
