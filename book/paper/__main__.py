"""Print the built book as one PDF with page numbers: ``python book/paper`` after ``make book``, or ``make pdf``."""

import argparse
import functools
import shutil
import sys
import threading
import time
from contextlib import contextmanager
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path

import yaml
from playwright.sync_api import sync_playwright
from pypdf import PdfReader

from autograder.course.which_course import find_course

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SITE, TARGET = ROOT / "_build/html", ROOT / "_build/attention-row-by-row.pdf"
SHELL = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style id="paper">{css}</style></head><body data-theme="light"></body></html>"""
AT_ONCE = """globalThis.IntersectionObserver = class {
  constructor(told) { this.told = told; }
  observe(target) { this.told([{ isIntersecting: true, target }]); }
  unobserve() {}
  disconnect() {}
};"""  # a demo that waits until it is seen would wait forever
WIDTH = 713  # CSS pixels between the margins of paper.css at the scale below
SCALE = 0.9
ALL_DRAWN = "document.querySelectorAll('.demo').length >= document.querySelectorAll('script[type*=widget-view]').length"
QUIET = ("--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")


class CannotPrint(Exception):
    """What is missing, and what to do."""


def pages_in(toc):
    """Return the pages of a table of contents, in its order."""
    inner = [entry for key in ("parts", "chapters", "sections", "entries") for entry in toc.get(key, ())]
    own = [toc[key] for key in ("root", "file") if key in toc]
    return own + [page for entry in inner for page in pages_in(entry)]


def pages_of(root, site):
    """Return the pages of a built book: those that _toc.yml lists, then those that are built without being listed."""
    listed = pages_in(yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8")))
    built = sorted(path.stem for path in (root / "book").glob("*.md") if (site / f"{path.stem}.html").exists())
    return listed + [page for page in built if page not in listed]


def imprint(root=ROOT):
    """Return the lines of the cover, from CITATION.cff and _config.yml."""
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    version = f"Version {citation['version']}, {citation['date-released']}"
    return {"author": config["author"], "version": version, "licence": f"© {config['copyright']}"}


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Say nothing."""


@contextmanager
def served(site):
    """Serve a folder on a free port of this machine, and yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Files, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def chromium():
    """Yield the system's Chromium. Errors: CannotPrint where there is none."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        raise CannotPrint("expected the command chromium, found none: install the package chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


def assemble(browser, address, pages, lines):
    """Open one page that holds all pages of the book, with their demos drawn; nothing is wider than the paper."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 1000})
    title = escape(find_course(ROOT).settings.title or "Attention, Row by Row")
    shell = SHELL.format(title=title, css=(HERE / "paper.css").read_text(encoding="utf-8"))
    page.route("**/paper.html", lambda route: route.fulfill(body=shell, content_type="text/html; charset=utf-8"))
    page.emulate_media(media="print", color_scheme="light")
    page.add_init_script(AT_ONCE)
    page.goto(f"{address}/paper.html")
    page.add_script_tag(path=HERE / "assemble.js")
    page.evaluate("([pages, lines]) => assembleBook(pages, lines)", [pages, lines])
    page.add_script_tag(url=f"{address}/_static/static_demos.js")
    page.wait_for_function(ALL_DRAWN)
    page.evaluate("Promise.all([...document.images].map((image) => image.decode()))")
    page.evaluate("fitToPage()")
    return page


def printed(page):
    """Return the PDF of the page as bytes."""
    return page.pdf(prefer_css_page_size=True, scale=SCALE, print_background=True, tagged=True, outline=True)


def numbers_in(pdf):
    """Return ``{place: number of its page}`` for all places to which a PDF has links, and how many pages there are."""
    reader = PdfReader(BytesIO(pdf))
    named = reader.named_destinations.items()  # as names, with their stroke
    found = {name.lstrip("/"): reader.get_destination_page_number(place) + 1 for name, place in named}
    return found, len(reader.pages)


def settled(page):
    """Return the PDF and how many sheets it has: printed again until the numbers in it are right."""
    numbers = None
    for _ in range(4):
        pdf = printed(page)
        found, sheets = numbers_in(pdf)
        if found == numbers:
            return pdf, sheets
        numbers = found
        page.evaluate("numbers => writeNumbers(numbers)", numbers)
    raise CannotPrint("expected the page numbers to settle, found them changing: give .page-number more room")


def print_book(site, pages, lines):
    """Return the PDF of these pages of a built book, and how many sheets it has."""
    with served(site) as address, chromium() as browser:
        return settled(assemble(browser, address, pages, lines))


def main():
    """Print the book and say where it is."""
    parser = argparse.ArgumentParser(prog="book/paper", description=__doc__)
    parser.add_argument("--to", type=Path, default=TARGET)
    parser.add_argument("pages", nargs="*", help="some pages alone, such as index 05_scaling")
    asked = parser.parse_args()
    start = time.monotonic()
    try:
        if not (SITE / "index.html").exists():
            raise CannotPrint("there is no book yet: run `make book` first")
        pdf, sheets = print_book(SITE, asked.pages or pages_of(ROOT, SITE), imprint())
    except CannotPrint as error:
        print(f"pdf: {error}", file=sys.stderr)
        sys.exit(2)
    asked.to.write_bytes(pdf)
    print(f"pdf: {asked.to}, {sheets} pages, {len(pdf) / 1e6:.1f} MB, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
