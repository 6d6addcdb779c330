"""How long a demo takes to follow its reader, beside the 16.7 milliseconds that a screen gives it.

    python benchmarks/demos.py

Works each demo of the built book in Chromium, at its largest, and measures from the event to the finished layout.
"""

import functools
import http.server
import shutil
import statistics
import threading
from pathlib import Path

from playwright.sync_api import sync_playwright

SITE = Path(__file__).parents[1] / "_build/html"
FRAME = 1000 / 60  # milliseconds
TIMES = 200
# Page, demo, and how its state changes at its largest: a selector, and what is done to it at even and odd turns.
# A click would be measured with what the book's theme does at every click.
SLIDE = "node.value = {}; node.dispatchEvent(new Event('input', {{ bubbles: true }}))"
PRESS = "node.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{}', bubbles: true }}))"
RADIO = (  # at the most layers
    "const demo = node.closest('.demo'); const slider = demo.querySelector('[type=range]'); slider.value = 11;"
    "slider.dispatchEvent(new Event('input', {{ bubbles: true }}));"
    "const one = demo.querySelectorAll('.architecture input')[{}]; one.checked = true;"
    "one.dispatchEvent(new Event('change', {{ bubbles: true }}))"
)
PICK = (
    "const one = node.closest('.demo').querySelectorAll('.d_model input')[{}]; one.checked = true;"
    "one.dispatchEvent(new Event('change', {{ bubbles: true }}));"
)
WIDE = PICK.format(2)
NORMALISE = (
    "const one = node.closest('.demo').querySelectorAll('.stage input')[{}]; one.checked = true;"
    "one.dispatchEvent(new Event('change', {{ bubbles: true }}))"
)
SWITCH = "node.checked = !node.checked; node.dispatchEvent(new Event('change', { bubbles: true }))"
TYPE = "node.value = '{}'; node.dispatchEvent(new Event('input', {{ bubbles: true }}))"
FULL = " ".join("abcdefghijkl")  # as many words as count
DEMOS = {
    "Reach": ("01_before_attention", ".reach .architecture input", RADIO.format(2), RADIO.format(0)),
    "Gradient through time": (
        "01_before_attention",
        ".gradient-through-time .length input",
        SLIDE.format(99),
        SLIDE.format(100),
    ),
    "Counting words": ("02_embeddings", ".counting-words input", TYPE.format(FULL), TYPE.format(FULL[::-1])),
    "Average meaning": ("02_embeddings", ".average-meaning input", SLIDE.format(9000), SLIDE.format(1000)),
    "Gravity": ("03_context", ".gravity .word", PRESS.format("ArrowLeft"), PRESS.format("ArrowRight")),
    "Gravity again": ("03_context", ".gravity button", "node.click()", "node.nextSibling.click()"),
    "Heads": ("06_multi_head", ".heads .reshaped input", SWITCH, SWITCH),
    "Soft dictionary": ("04_query_key_value", ".soft-dictionary input[type=range]", SLIDE.format(3), SLIDE.format(4)),
    "Row by row": ("04_query_key_value", ".row-by-row input[type=checkbox]", SWITCH, SWITCH),
    "Row by row, W_Q": ("04_query_key_value", ".row-by-row .entries", PRESS.format("+"), PRESS.format("-")),
    "Translator": ("translator", ".translator .switches input", SWITCH, SWITCH),
    "Every number": ("translator", ".every-number .italian button", "node.click()", "node.nextSibling.click()"),
    "Laboratory": ("laboratory", ".laboratory tbody input", SWITCH, SWITCH),
    "Normalise": ("08_layer_norm", ".normalise .stage input", NORMALISE.format(3), NORMALISE.format(0)),
    "Towers": ("08_layer_norm", ".towers input[type=range]", SLIDE.format(24), SLIDE.format(23)),
    "Temperature": ("12_inference", ".temperature input[type=range]", SLIDE.format(4), SLIDE.format(1)),
    "Mask editor": ("09_masking", ".mask-editor .seen td", PRESS.format(" "), PRESS.format(" ")),
    "Training replay": (
        "10_training",
        ".training-replay .slider input",
        SLIDE.format(5),
        SLIDE.format(11),
    ),
    "Beam tree": ("12_inference", ".beam-tree .width input", SLIDE.format(1), SLIDE.format(4)),
    "Saturation": ("05_scaling", ".saturation input[type=range]", SLIDE.format(9), SLIDE.format(10)),
    "Clock hands": ("07_position", ".clock-hands .position input", WIDE + SLIDE.format(20), SLIDE.format(40)),
    "Clock hands, numbers": ("07_position", ".clock-hands .d_model input", PICK.format(2), PICK.format(1)),
}
MEASURE = """([selector, even, odd, times]) => {
  const node = document.querySelector(selector);
  const demo = node.closest(".demo");
  const turns = [new Function("node", even), new Function("node", odd)];
  return Array.from({ length: times }, (_, i) => {
    const start = performance.now();
    turns[i % 2](node);
    demo.getBoundingClientRect();
    return performance.now() - start;
  });
}"""
# Data may come only when the demo is seen.
SEEN = """(wanted) => {
  if (document.querySelector(wanted)) return true;
  document.querySelector(".demo-waits")?.scrollIntoView();
}"""
ADD_TOKENS = """() => {
  const add = document.querySelector(".soft-dictionary .count button");
  for (let tokens = 4; add && tokens < 12; tokens++) add.click();
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_):
        """Say nothing."""


def main():
    """Print one line for each demo."""
    handler = functools.partial(Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        executable = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        # Without motion a demo draws at once what it would draw in a frame.
        page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        print(f"{'demo':16} {'median':>8} {'slowest':>8} ms   of a frame of {FRAME:.1f} ms")
        for name, (chapter, *work) in DEMOS.items():
            page.goto(f"http://127.0.0.1:{server.server_port}/{chapter}.html")
            page.wait_for_function(SEEN, arg=work[0], polling=100)
            page.evaluate(ADD_TOKENS)
            took = page.evaluate(MEASURE, [*work, TIMES])
            median = statistics.median(took)
            print(f"{name:16} {median:8.2f} {max(took):8.2f}      {median / FRAME:.2f}")
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
