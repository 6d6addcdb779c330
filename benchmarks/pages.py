"""What a page weighs and how soon it is there on a telephone, beside what a reader may be asked to wait for.

    python benchmarks/pages.py [PAGE…]

Opens every page of the built book in Chromium, throttled, with an empty cache, served gzipped; then each once more
after another one, to see what the next page costs. Medians of three visits are printed. A demo is there when it and its
controls have been painted; to one that waits until it is seen the reader goes at once, in visits of their own.
"""

import functools
import importlib.util
import shutil
import statistics
import sys
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlparse

from playwright.sync_api import TimeoutError as TooSlow
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build/html"
SCREEN = {"viewport": {"width": 375, "height": 740}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
CPU = 4  # times slower
LINK = {"offline": False, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8, "latency": 150}  # bytes/s, ms
COLUMNS = ("first kB", "next kB", "requests", "paint s", "demo s", "shift", "messages")
HEAD = f"{'page':20} " + " ".join(f"{name:>8}" for name in COLUMNS)
AIMS = f"{'aims':20} {120:8} {60:8} {25:8} {1.2:8} {1.8:8} {0.01:8} {0:8}"
LONGEST = 30  # seconds that a page is waited for
VISITS = 3
OBSERVE = """
window.seen = { paint: 0, shift: 0, demo: 0 };
new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.paint = entry.startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
const wait = () => {
  const place = window.going && document.querySelector(".demo, .demo-waits");
  if (place) { place.scrollIntoView(); window.going = false; }
  const there = document.querySelector(".demo :is(button, input, select, [tabindex='0'])");
  if (there) setTimeout(() => { seen.demo = performance.now(); }); // behind the frame that paints it
  else requestAnimationFrame(wait);
};
wait();
"""
GOING = "window.going = true;"
WIDGET = 'script[type="application/vnd.jupyter.widget-view+json"]'
WAITS = "!seen.demo && document.querySelector('.demo, .demo-waits')?.matches('.demo-waits')"
STARTED = f"seen.demo || !document.querySelector('{WIDGET}') || ({WAITS})"


def handler():
    """Return the handler of ``make serve``, which gzips."""
    spec = importlib.util.spec_from_file_location("serve", ROOT / "book/serve.py")
    serve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)

    class Cached(serve.Pages):
        protocol_version = "HTTP/1.1"

        def end_headers(self):
            self.send_header("Cache-Control", "max-age=600")  # as most hosts of static pages say
            super().end_headers()

    return functools.partial(Cached, directory=str(SITE))


class Visit:
    """A telephone with an empty cache, and what it has received since the last page."""

    def __init__(self, browser, going=False):
        self.context = browser.new_context(**SCREEN)
        self.context.set_default_timeout(LONGEST * 1000)
        self.page = self.context.new_page()
        self.started = "seen.demo" if going else STARTED
        if going:
            self.page.add_init_script(GOING)
        self.page.add_init_script(OBSERVE)
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.wire = self.context.new_cdp_session(self.page)
        self.wire.on("Network.requestWillBeSent", lambda event: self.asked.update({event["requestId"]: event}))
        self.wire.on("Network.requestServedFromCache", lambda event: self.asked.pop(event["requestId"], None))
        self.wire.on("Network.responseReceived", self.drop_cached)
        self.wire.on("Network.loadingFinished", self.receive)
        self.wire.send("Network.enable")
        self.wire.send("Network.emulateNetworkConditions", LINK)
        self.wire.send("Emulation.setCPUThrottlingRate", {"rate": CPU})

    def drop_cached(self, event):
        """Forget a request that the browser answered itself."""
        response = event["response"]
        if response.get("fromDiskCache") or response["url"].startswith("data:"):
            self.asked.pop(event["requestId"], None)

    def receive(self, event):
        """Note how many bytes a request has brought."""
        if event["requestId"] in self.asked:
            address = self.asked[event["requestId"]]["request"]["url"]
            self.received[urlparse(address).path] = int(event["encodedDataLength"])

    def open(self, url):
        """Open a page; return what it took: bytes, requests, seconds, layout shift; 0 for what is not there in time."""
        self.asked, self.received, self.said = {}, {}, []
        try:
            self.page.goto(url, wait_until="load")
            self.page.wait_for_function(self.started)
            self.page.wait_for_load_state("networkidle")
        except TooSlow:
            self.said.append(f"not there after {LONGEST} s")
        seen = self.page.evaluate("seen")
        model = sum(size for path, size in self.received.items() if "/demo_data/" in path)
        return {
            "kB": (sum(self.received.values()) - model) / 1000,
            "requests": len(self.received),
            "paint": seen["paint"] / 1000,
            "demo": seen["demo"] / 1000,
            "waits": self.page.evaluate(WAITS),
            "shift": seen["shift"],
            "said": self.said,
            "parts": dict(self.received),
        }


def opened(browser, *urls, going=False):
    """Return what the last of some pages took that are opened one behind the other."""
    visit = Visit(browser, going)
    results = [visit.open(url) for url in urls]
    visit.context.close()
    return results[-1]


def measured(browser, address, page, before):
    """Open one page first, three times, and then behind the page before it; return medians of seconds."""
    url = f"{address}/{page}.html"
    firsts = [opened(browser, url) for _ in range(VISITS)]
    gone = [opened(browser, url, going=True) for _ in range(VISITS)] if firsts[0]["waits"] else firsts
    result = firsts[0] | {"said": [said for one in firsts + gone for said in one["said"]]}
    result["paint"] = statistics.median(one["paint"] for one in firsts)
    result["demo"] = statistics.median(one["demo"] for one in gone)
    result["next"] = opened(browser, f"{address}/{before}.html", url)["kB"]
    return result


def row(page, one):
    """Return one line of the table."""
    demo = f"{one['demo']:8.2f}" if one["demo"] else "       –"
    return (
        f"{page:20} {one['kB']:8.1f} {one['next']:8.1f} {one['requests']:8} {one['paint']:8.2f} {demo} "
        f"{one['shift']:8.4f} {len(one['said']):8}"
    )


def main():
    """Print the table."""
    every = sorted(path.stem for path in (ROOT / "book").glob("*.md"))
    pages = sys.argv[1:] or every
    with ThreadingHTTPServer(("127.0.0.1", 0), handler()) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        executable = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        rate = LINK["downloadThroughput"] * 8 / 1e6
        print(f"processor {CPU} × slower, {rate} Mbit/s, {LINK['latency']} ms, 375 × 740 pixels")
        print(HEAD, AIMS, sep="\n")
        for page in pages:
            before = every[every.index(page) - 1]
            address = f"http://127.0.0.1:{server.server_port}"
            print(row(page, measured(browser, address, page, before)), flush=True)
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
