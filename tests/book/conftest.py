"""The built book on a local address, and a browser that may talk to nobody else."""

import contextlib
import fcntl
import functools
import http.server
import json
import os
import re
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlparse

import numpy as np
import pytest
from playwright.sync_api import Page

from autograder.course.course import Course
from autograder.errors import NotTaught
from tests.support.one_chapter import NOT_TAUGHT
from tests.support.patience import LONG
from tests.support.root import ROOT
from tests.support.watched import watched

from .small_book import built_once

SITE = ROOT / "_build/html"
LITE = SITE / "lite"
SOURCES = [*(ROOT / name for name in ("book", "_config.yml", "_toc.yml")), *watched()]


def newest(paths):
    """Return the time of the newest file among the paths; 0 where there is none."""
    files = (file for path in paths for file in ([path] if path.is_file() else path.rglob("*")))
    times = (file.stat().st_mtime for file in files if file.is_file() and "__pycache__" not in file.parts)
    return max(times, default=0)


def build_book():
    """Build the book unless it is newer than everything that it is made from."""
    if SITE.is_dir() and newest(path for path in SITE.iterdir() if path != LITE) > newest(SOURCES):
        return
    binaries = Path(sys.executable).parent
    options = "build book --config _config.yml --toc _toc.yml --path-output ."
    path = f"{binaries}{os.pathsep}{os.environ['PATH']}"  # formulas are rendered by the venv's node
    command = [binaries / "jupyter-book", *options.split()]
    built = subprocess.run(command, cwd=ROOT, env=os.environ | {"PATH": path}, capture_output=True, text=True)
    if built.returncode:
        pytest.fail(f"the book did not build:\n{built.stdout[-2000:]}\n{built.stderr[-2000:]}", pytrace=False)
    (SITE / ".built").touch()  # Sphinx leaves the pages that did not change as old as they were


def build_lite():
    """Build the place where assignments run in the browser, unless it is up to date."""
    built = subprocess.run([sys.executable, ROOT / "book/lite/lite_build.py"], capture_output=True, text=True)
    if built.returncode:
        pytest.fail(built.stderr, pytrace=False)


changes = []  # what turns a page's HTML into another; each is asked for by its place in this list


asked = []  # addresses that the server does not have


def names_left_out(path):
    """Say whether a path is that of a page which the book has and _toc.yml does not list."""
    name = Path(urlparse(str(path)).path).stem
    return (ROOT / f"book/{name}.md").exists() and not Course(ROOT).is_listed(name)


def require_page(name):
    """Errors: NotTaught for a page that _toc.yml does not list; the test that asks is then skipped."""
    if names_left_out(f"{name}.html"):
        raise NotTaught(f"_toc.yml does not list {name}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Skip a test that fails because it asks for a page that _toc.yml does not list."""
    report = yield
    error = call.excinfo and call.excinfo.value
    from_disk = re.findall(r"file://(\S+\.html)", str(error))
    wanted = [*asked, *from_disk, getattr(error, "filename", None) or ""]
    asked.clear()
    if report.failed and any(map(names_left_out, wanted)):
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, NOT_TAUGHT)
    return report


class _Files(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # one connection for the forty files of a page

    def do_GET(self):
        """Send a file; a page that is asked for with ``?change=3`` goes through that change first."""
        path, _, number = self.path.partition("?change=")
        if not number:
            return super().do_GET()
        html = changes[int(number)](Path(self.translate_path(path)).read_text(encoding="utf-8")).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(html)))
        self.end_headers()
        self.wfile.write(html)

    def send_error(self, code, *words):
        """Remember which pages were asked for that are not there."""
        asked.append(self.path)
        super().send_error(code, *words)

    def log_message(self, *_):
        """Say nothing: the tests' output is about the tests."""

    def copyfile(self, source, outputfile):
        """Send a file to a browser that may have left the page already."""
        with contextlib.suppress(ConnectionError):
            super().copyfile(source, outputfile)


@pytest.fixture(scope="session")
def site():
    """The folder of the built, up-to-date book."""
    (ROOT / "_build").mkdir(exist_ok=True)
    with (ROOT / "_build/.test-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two workers of one test run would build into the same folder
        build_book()
        build_lite()
    return SITE


@pytest.fixture(scope="session")
def small_book(root, tmp_path_factory):
    """A small book with faults: its folder of pages, and the command that has built it; one for all workers."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    folder = tmp_path_factory.getbasetemp().parent / f"small-{run}" if run else tmp_path_factory.mktemp("small")
    return built_once(folder, root)


@pytest.fixture(scope="session")
def book(site):
    """The address of the built book, served on a free port of this machine."""
    handler = functools.partial(_Files, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@dataclass
class Visit:
    """A page with what went wrong on it: errors in the console, requests to other hosts, which get no answer."""

    page: Page
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def watch(self):
        """Record errors and foreign requests."""
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda asked: is_foreign(asked.url) and self.foreign.append(asked.url))
        return self

    def goto(self, url, change=None, drawn=None):
        """Start the records afresh and open a page, its HTML changed where that is asked for.

        ``drawn`` demos are waited for: all of them unless told otherwise.
        """
        require_page(Path(urlparse(url).path).stem)
        self.errors.clear()
        self.foreign.clear()
        if change:
            changes.append(change)
            url = f"{url}?change={len(changes) - 1}"
        if self.page.url.partition("#")[0] == url.partition("#")[0] != url:
            self.page.goto(
                "about:blank"
            )  # else only the anchor changes, and what the last test did would still be there
        self.page.goto(url)
        if drawn is None:
            self.page.wait_for_function(ALL_DRAWN)
        elif drawn:
            self.page.locator(".demo, .demo-waits").nth(drawn - 1).wait_for()
            if "#" not in url:
                self.wake()
            self.page.locator(".demo").nth(drawn - 1).wait_for()

    def wake(self):
        """Load the demos that wait to be seen, as for a printer."""
        self.page.wait_for_function(ALL_PLACED)
        waiting = self.page.evaluate_handle("[...document.querySelectorAll('.demo-waits')]")
        self.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.page.wait_for_function("waiting => !waiting.some((one) => one.isConnected)", arg=waiting)


def is_foreign(url):
    """Say whether a URL leads to another host."""
    return urlparse(url).hostname not in ("127.0.0.1", None)


@pytest.fixture(scope="session")
def context(browser):
    """Return a browser context for its options, one for all who want the same: what is loaded once stays in its cache.

    No page finds what another one has stored.
    """
    contexts = {}

    def context_for(width=1280, height=900, **options):
        key = (width, height, *sorted(options.items()))
        if key not in contexts:
            contexts[key] = browser.new_context(viewport={"width": width, "height": height}, **options)
            contexts[key].set_default_timeout(1000 * LONG)
            contexts[key].add_init_script("try { localStorage.clear(); } catch { /* a page that may store nothing */ }")
        return contexts[key]

    yield context_for
    for made in contexts.values():
        made.close()


@pytest.fixture
def visit(context):
    """Open pages: ``visit(width=375, has_touch=True)``; leaves them closed."""
    pages = []

    def open_page(**options):
        pages.append(context(**options).new_page())
        return Visit(pages[-1]).watch()

    yield open_page
    for page in pages:
        page.close()


@pytest.fixture(scope="session")
def warm(context):
    """Return a page for its options, one for all who want the same: to open a chapter in a new one takes twice as long.

    It is put back to its size and colours, and shows what the test before has left there. Who adds scripts or routes to
    a page takes ``visit``.
    """
    visits = {}

    def warm_for(width=1280, height=900, **options):
        key = (width, height, *sorted(options.items()))
        if key not in visits:
            visits[key] = Visit(context(width, height, **options).new_page()).watch()
        page = visits[key].page
        if page.viewport_size != (size := {"width": width, "height": height}):
            page.set_viewport_size(size)
        colours = {name: options.get(name, usual) for name, usual in COLOURS.items()}
        page.emulate_media(media="null", reduced_motion="no-preference", **colours)
        page.mouse.move(0, 0)
        return visits[key]

    yield warm_for
    for visit in visits.values():
        visit.page.close()


COLOURS = {"color_scheme": "light", "forced_colors": "none"}


@pytest.fixture
def page(warm):
    """A page at a desk: wide, with mouse and keyboard."""
    return warm().page


def loaded_later(name):
    """Return a trait that has a separate file, which the page loads when the demo comes into view."""
    text = (SITE / "_static/demo_data" / f"{name}.js").read_text(encoding="utf-8")
    return json.loads(text.split(" = ", 1)[1].rstrip().removesuffix(";"))


WIDGETS = 'script[type="application/vnd.jupyter.widget-view+json"]'
# Each view has its place. A demo that waits until it is seen counts, too.
# Every demo is there or waits to be seen, and its section is laid out: from then on nothing on the page moves.
ALL_PLACED = f"!document.querySelector('{WIDGETS}:not(:has(+ div))')"
ALL_DRAWN = f"""document.querySelectorAll('.demo, .demo-waits').length >= document.querySelectorAll('{WIDGETS}').length
  && !document.querySelector('section:not([data-alive]) {WIDGETS}')"""


# Each text of a demo with its contrast to what is painted behind it, mixed by the browser itself: each mixture once.
CONTRAST = """demo => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const once = (make, known = new Map()) => (key, ...more) =>
    (known.has(key) ? known : known.set(key, make(key, ...more))).get(key);
  const paint = once((all, colors) => {
    context.clearRect(0, 0, 1, 1);
    for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); }
    return light([...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => v / 255));
  });
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const behind = once((node) =>
    (node ? [...behind(node.parentElement), getComputedStyle(node).backgroundColor] : []));
  // In a reader's own few colours the browser paints the screen's colour behind every text that does not opt out.
  const plate = matchMedia("(forced-colors: active)").matches ? getComputedStyle(document.body).backgroundColor : "";
  const hasText = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  const measure = (node) => {
    const style = getComputedStyle(node);
    const colors = plate && style.forcedColorAdjust === "auto" ? [plate] : behind(node);
    const both = [colors, [...colors, style.color]].map((all) => paint(all.join(), all));
    const ratio = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    return [ratio, `${node.tagName}.${node.className} ${node.textContent.slice(0, 30)}`];
  };
  return [...demo.querySelectorAll("*")].filter((node) => hasText(node) && node.checkVisibility()).map(measure);
}"""


# What glides to another colour has it.
SETTLED = """document.getAnimations().filter((one) => one instanceof CSSTransition).forEach((one) => one.finish())"""


class Chapter:
    """A chapter in a browser, with its demos."""

    def __init__(self, visit):
        self.visit, self.page = visit, visit.page

    def demo(self, name):
        """The first demo of this kind on the page, its folded numbers open."""
        demo = self.page.locator(f".{name}").first
        if not demo.count():
            self.wake()
        demo.evaluate("demo => demo.querySelectorAll('.numbers').forEach((folded) => { folded.open = true; })")
        return demo

    def wake(self):
        """Load all demos of the page, which wait to be seen."""
        self.visit.wake()

    @staticmethod
    def numbers(demo, *selectors):
        """Return the full-precision numbers of what each selector finds: one array, or a list of arrays."""
        read = "(demo, all) => all.map(s => [...demo.querySelectorAll(s)].map(node => Number(node.dataset.value)))"
        found = [np.array(values) for values in demo.evaluate(read, selectors)]
        return found if len(found) > 1 else found[0]

    @staticmethod
    def contrasts(demo):
        """Return each visible text of a demo as (contrast, element and text)."""
        return demo.evaluate(CONTRAST)

    def assert_well_read(self, demo, texts):
        """Assert that more than so many texts have a contrast of 4.5 to 1 in light and dark, and that nothing fails."""
        for _ in self.in_light_and_dark():
            measured = self.contrasts(demo)
            assert len(measured) > texts
            assert [(ratio, text) for ratio, text in measured if ratio < 4.5] == []
        assert (self.visit.errors, self.visit.foreign) == ([], [])

    def in_light_and_dark(self):
        """Turn the page light, then dark, and give way each time."""
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            self.page.evaluate(SETTLED)
            yield scheme

    def enter_from_above(self, demo):
        """Put the focus just before the demo, without touching it."""
        demo.evaluate(
            "e => { document.querySelector('#start')?.remove();"
            "e.before(Object.assign(document.createElement('a'), {href: '#', id: 'start'})); start.focus(); }"
        )

    def focused(self):
        """Return what the keyboard is on, as role or tag and name."""
        return self.page.evaluate(
            "() => { const e = document.activeElement; return `${e.getAttribute('role') ?? e.type ?? e.tagName} "
            "${e.getAttribute('aria-label') ?? e.value ?? ''} ${e.textContent}`; }"
        )

    def press(self, *keys):
        """Press one key after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, pattern):
        """Press Tab until the focus is on what is wanted."""
        for _ in range(30):
            self.press("Tab")
            if re.search(pattern, self.focused()):
                return
        pytest.fail(f"Tab never came to {pattern}; it is on {self.focused()}")


@pytest.fixture(scope="module")
def address(request, book):
    """The address of the chapter that a test module names in its CHAPTER."""
    return f"{book}/{request.module.CHAPTER}.html"


@pytest.fixture
def open_chapter(visit, warm, address):
    """Open the module's chapter, ``open_chapter(width=375)``, with its demos drawn.

    ``change`` turns the HTML into what the page gets instead, ``script`` runs first, ``drawn`` is as in Visit.goto.
    """

    def open_page(change=None, script=None, drawn=None, **options):
        here = Chapter(visit(**options) if script else warm(**options))
        if script:
            here.page.add_init_script(script)
        here.visit.goto(address, change, drawn)
        if drawn is None:
            here.wake()
        return here

    return open_page


TELEPHONE = {"width": 375, "height": 740, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def telephone(warm, address):
    """The module's chapter on a telephone, opened once as ``opened`` is; its visit knows what went wrong."""
    here = Chapter(warm(**TELEPHONE))
    here.visit.goto(address)
    here.wake()
    return here


@pytest.fixture
def chapter(warm, address):
    """The module's chapter at a desk, in its first state: wide, with mouse and keyboard."""
    here = Chapter(warm())
    here.visit.goto(address)
    here.wake()
    return here


@pytest.fixture(scope="module")
def opened(request, warm, address):
    """The module's chapter at a desk with a touch screen, opened once for all tests that put its demo back themselves.

    The module's ``changed`` turns the HTML into what the page gets instead.
    """
    here = Chapter(warm(has_touch=True))
    here.visit.goto(address, getattr(request.module, "changed", None))
    here.wake()
    return here


@pytest.fixture(scope="module")
def demo(request, opened):
    """The demo that a test module names in its DEMO, wherever the test before has left it."""
    return opened.demo(request.module.DEMO)


@pytest.fixture(scope="module")
def walk(request):
    """Put a demo into states, ``walk(demo, *states)``, and return what it shows in each: by the module's WALK."""
    return lambda demo, *states: json.loads(demo.evaluate(request.module.WALK, states))


@pytest.fixture(scope="module")
def walked(request, demo, walk):
    """What the demo shows in all STATES of the module, read in one go: [(state, shown), ...]."""
    return list(zip(request.module.STATES, walk(demo, *request.module.STATES), strict=True))
