"""The book without a network: its zip opened from a disk, and the service worker that keeps it in a browser."""

import importlib
import io
import re
import zipfile
from urllib.parse import urlparse

import pytest

from autograder.course.course import Course

from .conftest import require_page

offline = importlib.import_module("offline")  # of book/_ext
NAME = "attention-row-by-row"
WITHOUT = ("lite", "_static/cards")


@pytest.fixture(scope="module")
def unpacked(site, tmp_path_factory):
    """The zip, unpacked."""
    folder = tmp_path_factory.mktemp("zip")
    with zipfile.ZipFile(site / f"downloads/{NAME}.zip") as archive:
        archive.extractall(folder)
    return folder / NAME


def test_the_zip_holds_every_page_and_what_pages_show(site, unpacked, root):
    """No page is missing, and neither is a file that a page loads or offers; JupyterLite is not offered there."""
    pages = {path.name for path in site.glob("*.html")}
    assert {path.name for path in unpacked.glob("*.html")} == pages
    for page in pages:
        html = (unpacked / page).read_text(encoding="utf-8")
        html = re.sub(r'<a class="[^"]*\bfrom-a-server"[^>]*>', "", html)  # taken away where a page comes from a disk
        named = re.findall(r'(?:href|src)="([^"#?:]+)[#?]?[^":]*"', html)
        missing = {name for name in named if not (unpacked / name).exists()} - {urlparse(Course(root).book_url).path}
        assert missing <= {f"downloads/{NAME}.zip", f"downloads/{NAME}.pdf"}


def test_the_zip_is_small_and_always_the_same(site):
    """It has no source map and no folder that is left out on purpose; the same book gives the same bytes."""
    before = (site / f"downloads/{NAME}.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(before)) as archive:
        names = archive.namelist()
    assert not [name for name in names if name.endswith((".map", ".ttf")) or name.split("/")[1] == "lite"]
    packed = io.BytesIO()
    offline.write_zip(packed, NAME, site, offline.kept_files(site, WITHOUT))
    assert packed.getvalue() == before


def test_a_file_that_no_page_names_is_left_out(tmp_path):
    """Kept are the pages, what they name, and what that names in turn; hashes may be named without their ending."""
    long = "a" * 16
    for name, text in {
        "index.html": f'<link href="_static/a.css?v=3"> "{long}"', "_static/a.css": "url(b.woff2)", "b.woff2": "",
        "_static/other.ttf": "", f"data/{long}.js": "", "lite/index.html": "a.css", "_static/a.css.map": "a.css",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    kept = {path.relative_to(tmp_path).as_posix() for path in offline.kept_files(tmp_path, WITHOUT)}
    assert kept == {"index.html", "_static/a.css", "b.woff2", f"data/{long}.js"}


def test_the_unpacked_book_lives_without_a_server(unpacked, visit):
    """A chapter opened from the disk has its demos alive, and its search knows a function."""
    require_page("05_scaling")
    here = visit()
    here.page.goto((unpacked / "04_query_key_value.html").as_uri())
    here.page.locator(".demo-waits").first.evaluate("place => place.scrollIntoView()")
    here.page.locator(".soft-dictionary").get_by_role("slider").fill("3")
    assert here.page.locator(".soft-dictionary output").inner_text() == "3"
    assert here.page.locator(".from-a-server, [href^='lite/']").count() == 0
    assert here.errors == []
    here.page.goto((unpacked / "search.html").as_uri() + "?q=softmax_jacobian")
    here.page.locator("#search-results li a[href*='05_scaling']").first.wait_for()


def test_a_copy_on_a_disk_offers_nothing_to_take_along(unpacked, page):
    """There the links to the zip would lead nowhere."""
    page.goto((unpacked / "about.html").as_uri())
    page.get_by_text("it needs no network").wait_for()
    assert page.locator(".offline a, .offline button").count() == 0


def test_kept_for_the_train_every_page_opens_without_a_network(book, browser):
    """After *Keep for the train* all pages come from the browser, demos and all; forgotten, none does."""
    for name in ("translator", "05_scaling"):
        require_page(name)
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{book}/about.html")
    page.get_by_role("button", name="Keep for the train").click()
    page.get_by_text("opens every page without a network").wait_for()
    context.set_offline(True)
    for address in ("", "05_scaling.html", "search.html?q=booster"):
        assert page.goto(f"{book}/{address}").from_service_worker
    page.locator("#search-results li a").first.wait_for()
    page.goto(f"{book}/05_scaling.html")
    page.locator(".demo-waits").first.evaluate("place => place.scrollIntoView()")
    page.locator(".saturation").first.wait_for()
    page.goto(f"{book}/translator.html")
    page.locator(".every-number .italian button").first.wait_for()
    page.goto(f"{book}/about.html")
    page.get_by_role("button", name="Forget it").click()
    page.get_by_text("Forgotten.").wait_for()
    assert page.evaluate("caches.keys()") == []
    context.close()


def test_a_book_that_cannot_be_kept_says_so(book, context):
    """Where the browser refuses, a sentence says why and what to do, and the button can be pressed again."""
    page = context().new_page()
    page.add_init_script("navigator.serviceWorker.register = () => Promise.reject(new Error('no room'))")
    page.goto(f"{book}/about.html")
    page.get_by_role("button", name="Keep for the train").click()
    page.get_by_text("It could not be kept (no room).").wait_for()
    assert page.get_by_role("button", name="Keep for the train").is_enabled()
    page.close()
