"""What a published book has beside its pages, and what ends the build: seen in a small book with an address."""

import re
import xml.etree.ElementTree as ElementTree
from html import unescape
from urllib.parse import urlparse

import pytest
from PIL import Image

from autograder.course.course import Course
from tests.support.root import ROOT

from .conftest import require_page
from .small_book import HOME, PAGES

PAGES_OF_THE_BOOK = sorted(path.stem for path in (ROOT / "book").glob("*.md"))
META = re.compile(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"')
COLOURS = re.compile(r"\x1b\[[\d;]*m")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (5, "picture.png has no alternative text: say what it shows"),
        (7, "'nowhere.md'"),
        (9, "'nowhere'"),
        (11, "term not in glossary: 'lino'"),
    ],
)
def test_a_fault_ends_the_build_with_its_page_and_line(small_book, line, said):
    """A picture without words, a dead link, a dead anchor and an unknown term are named with their places."""
    _, done = small_book
    assert done.returncode != 0
    assert re.search(rf"index\.md:{line}: WARNING: .*{re.escape(said)}", COLOURS.sub("", done.stderr))


def test_nothing_else_on_the_pages_is_a_fault(small_book):
    """Neither a picture with words nor an assignment is complained of: all that is named is the first page's faults."""
    _, done = small_book
    places = re.findall(r"(\w+\.md):(\d+): WARNING", COLOURS.sub("", done.stderr))
    assert sorted(places) == sorted(("index.md", str(line)) for line in (5, 7, 9, 11))


def test_pages_have_one_address(small_book):
    """With an address, each page says which one is its own; so do its card and the site map, for every page."""
    site, _ = small_book
    for name in PAGES:
        html = (site / f"{name}.html").read_text(encoding="utf-8")
        assert re.findall(r'rel="canonical" href="([^"]*)"', html) == [f"{HOME}{name}.html"]
        assert re.findall(r'property="og:url" content="([^"]*)"', html) == [f"{HOME}{name}.html"]
    listed = ElementTree.parse(site / "sitemap.xml").iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
    assert {place.text for place in listed} == {f"{HOME}{name}.html" for name in PAGES}


def test_a_card_has_title_sentence_and_picture(small_book, root):
    """What a site shows that links to a page is the page's own, and its picture is as large as those sites ask."""
    site, _ = small_book
    html = (site / "index.html").read_text(encoding="utf-8")
    card = {name: unescape(text) for name, text in META.findall(html)}
    title = Course(root).settings.title or "A small book"
    assert re.findall(r"\w+", card["og:title"]) == re.findall(r"\w+", title)  # quotes are those of print
    assert card["og:description"].startswith("The first paragraph says")
    assert card["og:image"].startswith(HOME)
    with Image.open(site / card["og:image"].removeprefix(HOME)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
        assert picture.size == (int(card["og:image:width"]), int(card["og:image:height"]))


def test_the_page_for_wrong_addresses_works_in_any_folder(small_book):
    """It is shown for addresses of any depth, so it says where its style sheets and links begin."""
    site, _ = small_book
    html = (site / "404.html").read_text(encoding="utf-8")
    assert f'<base href="{urlparse(HOME).path}">' in html
    assert html.index("<base") < html.index('rel="stylesheet"')
    assert 'href="index.html"' in html


@pytest.mark.parametrize(("old", "new"), [("11_inference", "12_inference"), ("from_here_to_gpt", "13_gpt")])
def test_an_old_address_leads_to_the_new_page(site, page, old, new):
    """From disk, as in the unpacked zip, too; what follows the # is kept."""
    require_page(new)
    state = "demo=temperature&temperature=2.5"
    page.goto(f"{(site / f'{old}.html').as_uri()}#{state}")
    page.wait_for_url(f"{(site / f'{new}.html').as_uri()}#{state}")


def test_no_address_is_invented(site, root):
    """Without an address no page claims one, and there is no site map; the picture's is relative."""
    if Course(root).book_url:
        pytest.skip("this book has an address")
    html = (site / "index.html").read_text(encoding="utf-8")
    assert not re.search('rel="canonical"|og:url', html)
    assert 'property="og:image" content="_static/cards/index.png"' in html
    assert not (site / "sitemap.xml").exists()
    assert '<base href="/">' in (site / "404.html").read_text(encoding="utf-8")


def test_every_page_says_what_it_is_about(site):
    """Each page of the book has a description, which is whole where it is a sentence."""
    for page in (page for page in PAGES_OF_THE_BOOK if (site / f"{page}.html").exists()):
        html = (site / f"{page}.html").read_text(encoding="utf-8")
        (said,) = re.findall(r'<meta name="description" content="([^"]*)"', html)
        assert re.search(r"[.?!…]$", unescape(said)), page
        assert len(unescape(said)) <= 202, page


def test_the_cards_are_small_and_all_different(site, root):
    """Each page's picture has fewer than 40 kB, and no two are alike."""
    cards = {path.name: path.read_bytes() for path in (site / "_static/cards").glob("*.png")}
    assert {f"{chapter}.png" for chapter in Course(root).chapters()} < set(cards)
    assert max(map(len, cards.values())) < 40_000
    assert len(set(cards.values())) == len(cards)
