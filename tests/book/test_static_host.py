"""Both demos in a page without a kernel: the host that mounts them, telephones, light and dark, screen readers."""

import json
import re
from urllib.parse import parse_qs, urlparse
from urllib.request import urlopen

import numpy as np
import pytest
from demos.shared.demo import bundle

from .conftest import ROOT, TELEPHONE, Chapter

CHAPTER = "04_query_key_value"
DEMO_FIRST = "translator"  # a page whose demo stands before its first section
WITH_DEMOS = sorted(path.stem for path in (ROOT / "book").glob("*.md") if "\nfrom demos import " in path.read_text())


def test_a_missing_bundle_says_how_to_build_it(monkeypatch, tmp_path):
    """Without the drawn half there is one message, and it names the command."""
    monkeypatch.setattr("demos.shared.demo.STATIC", tmp_path)
    with pytest.raises(ImportError, match="run `make course`"):
        bundle("soft_dictionary.js")


# --- both demos ---


def test_a_telephone_works_both_demos_by_touch_and_scrolls_only_downwards(open_chapter):
    """A tap flips a token, opens a step, chooses a cell; with 12 tokens and at every step the page is not too wide."""
    chapter = open_chapter(**TELEPHONE)
    tokens = chapter.demo("soft-dictionary").get_by_role("button", name=re.compile("^Token "))
    tokens.nth(0).tap()
    assert tokens.nth(0).inner_text() == "B"
    for _ in range(8):
        chapter.demo("soft-dictionary").get_by_role("button", name="Add a token").press("Enter")
    chapter.demo("soft-dictionary").get_by_role("slider").fill("12")
    demo = chapter.demo("row-by-row")
    for step in demo.locator(".marks button").all():
        step.tap()
        assert chapter.page.evaluate("document.documentElement.scrollWidth") <= 375
    demo.locator(".marks button", has_text="compare").tap()
    demo.locator(".tiles rect[data-at='scores 2 3']").tap()
    assert demo.locator("g.name").nth(2).get_attribute("aria-checked") == "true"


def test_every_control_has_a_name(chapter):
    """Nothing that can be worked is nameless to a screen reader."""
    for demo in (chapter.demo("soft-dictionary"), chapter.demo("row-by-row")):
        for line in demo.aria_snapshot().splitlines():
            if re.match(r"\s*- (button|radio|slider|checkbox|tab|gridcell|grid|group)\b", line):
                assert re.search(r'"[^"]+"', line), line


# --- the host ---

SORRY = "This demo could not start in your browser"


def test_a_broken_demo_says_so_and_the_others_run(open_chapter):
    """A model whose code fails leaves one plain sentence in its place; its neighbour is alive."""
    chapter = open_chapter(lambda html: html.replace('"demo": "soft_dictionary"', '"demo": "no_such_demo"'), drawn=0)
    chapter.page.locator(".demo-waits").nth(1).wait_for()
    chapter.wake()
    chapter.page.get_by_text(SORRY).wait_for()
    chapter.page.locator(".demo").wait_for()
    assert chapter.page.locator(".demo").count() == 1
    assert chapter.page.locator(".demo [aria-live]").inner_text()


def test_a_view_without_a_state_says_so(open_chapter):
    """A view whose model is not in the page leaves the sentence too."""
    chapter = open_chapter(lambda html: re.sub(r'("model_id": ")\w{4}', r"\1gone", html, count=1), drawn=1)
    chapter.page.get_by_text(SORRY).wait_for()
    assert chapter.page.locator(".demo").count() == 1


def test_two_views_of_one_model_follow_each_other(open_chapter):
    """A model shown twice is one model: its code is loaded once, and a click in one view shows in the other."""
    view = re.compile(r'<script type="application/vnd.jupyter.widget-view\+json">.*?</script>')
    chapter = open_chapter(lambda html: view.sub(lambda found: found[0] * 2, html, count=1), drawn=3)
    first, second = chapter.page.locator(".soft-dictionary").all()
    first.get_by_role("slider").fill("4")
    np.testing.assert_array_equal(chapter.numbers(second, "output"), [4])
    sources = chapter.page.eval_on_selector_all("script[src*='/demos/']", "all => all.map(script => script.src)")
    assert len(sources) == len(set(sources)) == 3  # two demos, and what they share


def test_an_anywidget_of_others_brings_its_code_along(open_chapter):
    """A widget that the course's build does not know is imported from the state, with its style."""
    state = {
        "_model_module": "anywidget",
        "_esm": "const render = ({ model, el }) => { el.innerHTML = `<b class=other>${model.get('word')}</b>`; };"
        "export default { render };",
        "_css": ".other { color: rgb(1, 2, 3); }",
        "word": "alien",
    }
    widget = re.compile(r'(?<=widget-state\+json">).*?(?=</script>)', re.DOTALL)

    def changed(html):
        saved = json.loads(widget.search(html)[0])
        name = next(name for name, entry in saved["state"].items() if "w_q" in entry["state"])
        saved["state"][name]["state"] = state
        return widget.sub(lambda _: json.dumps(saved).replace("</", "<\\/"), html)

    chapter = open_chapter(changed, drawn=1)
    other = chapter.page.locator("b.other")
    other.wait_for()
    assert other.inner_text() == "alien"
    assert other.evaluate("node => getComputedStyle(node).color") == "rgb(1, 2, 3)"


def test_without_javascript_a_sentence_says_what_is_missing(open_chapter):
    """With JavaScript off each demo is replaced by what it would show."""
    chapter = open_chapter(java_script_enabled=False, drawn=0)
    first, second = chapter.page.locator("noscript p").all()
    assert first.inner_text().startswith("Soft dictionary: a sequence of A and B")
    assert second.inner_text().startswith("Row by row: the matrices of attention")
    assert first.is_visible()
    assert second.is_visible()
    assert not chapter.page.locator("[type='application/vnd.jupyter.widget-view+json']").first.is_visible()  # no gap


def test_a_demo_on_the_first_screen_is_drawn_before_the_rest_of_the_page_is_there(visit, book):
    """On a slow line a reader plays with it while the text below still comes: here it never does."""
    host = re.compile(r".*?static_demos\.js[^>]*></script>", re.DOTALL)
    here = visit()
    here.goto(f"{book}/{DEMO_FIRST}.html", lambda html: host.match(html)[0], drawn=1)
    assert here.page.locator(".demo").first.get_by_role("button").count() > 0
    assert here.page.locator("#what-each-head-looks-at").count() == 0


def test_a_demo_further_down_is_loaded_when_it_is_about_to_be_seen(visit, address):
    """Until then the page loads none of its code, and says that it is coming."""
    here = visit()
    here.goto(address)
    code = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/_static/demos/')).length"
    here.page.wait_for_load_state("networkidle")
    assert (here.page.evaluate(code), here.page.locator(".demo-waits").count()) == (0, 2)
    here.page.locator(".demo-waits").first.evaluate("place => place.scrollIntoView()")
    here.page.locator(".soft-dictionary").wait_for()
    assert here.page.evaluate(code) > 0


def test_a_page_without_demos_carries_no_code_of_demos(book):
    """What a demo needs is on the pages that have one and on no other."""
    with urlopen(f"{book}/glossary.html") as page:
        assert not re.search(rb"static_demos|lean/demos|_static/demos/|widget-state", page.read())


def test_the_state_of_a_demo_is_slim(book):
    """A page holds a demo's traits and the names of its files; its code and what only notebooks need are not there."""
    with urlopen(f"{book}/{CHAPTER}.html") as page:
        html = page.read().decode()
    states = json.loads(re.search(r'widget-state\+json">(.*?)</script>', html, re.DOTALL)[1])["state"]
    assert {entry["state"]["_code"]["demo"] for entry in states.values()} == {"soft_dictionary", "row_by_row"}
    for entry in states.values():
        assert {name for name in entry["state"] if name.startswith("_")} == {"_code"}
        assert not {"layout", "tooltip", "summary"} & set(entry["state"])


def test_the_demos_live_in_a_page_opened_from_disk(page, site):
    """The book works from a folder too, without any server."""
    page.goto((site / "04_query_key_value.html").as_uri())
    page.locator(".demo-waits").first.evaluate("place => place.scrollIntoView()")
    page.locator(".soft-dictionary").get_by_role("slider").fill("3")
    assert page.locator(".soft-dictionary output").inner_text() == "3"


# --- states in addresses, and the whole window ---


def test_a_link_in_the_text_sets_the_demo(open_chapter):
    """A number that a reader is told to try sets the demo that shows it."""
    chapter = open_chapter()
    demo = chapter.demo("soft-dictionary")
    link = chapter.page.locator("a.try[href*='demo=soft_dictionary'][href*='tokens=']").first
    link.evaluate("node => node.closest('details')?.setAttribute('open', '')")
    asked = parse_qs(urlparse(link.get_attribute("href")).fragment)["tokens"][0]
    letters = demo.get_by_role("button", name=re.compile("^Token "))
    assert "".join(letters.all_inner_texts()) != asked
    link.click()
    letters.nth(len(asked) - 1).wait_for()
    assert "".join(letters.all_inner_texts()) == asked


def test_a_copied_link_shows_the_same_state_to_another_reader(open_chapter, visit, address):
    """What was changed is in the address that *Copy link* gives, and a fresh page begins there."""
    chapter = open_chapter()
    chapter.demo("soft-dictionary").get_by_role("slider").fill("7.5")
    chapter.page.locator(".demo-tools").first.get_by_role("button", name="Copy link").click()
    chapter.page.wait_for_function("location.hash.includes('booster')")
    copied = chapter.page.url
    assert copied == f"{address}#demo=soft_dictionary&booster=7.5"
    fresh = visit().page
    fresh.goto(copied)
    fresh.wait_for_function("document.querySelector('.soft-dictionary output')?.textContent === '7.5'")


def test_the_address_follows_what_a_reader_does(visit, address):
    """A link that sets a demo stays in the address as it was followed; a change by hand is there soon after."""
    page, link = visit().page, f"{address}#demo=soft_dictionary&booster=7.5&tokens=AABA"
    page.goto(link)
    page.wait_for_function("document.querySelector('.soft-dictionary output')?.textContent === '7.5'")
    page.wait_for_timeout(800)  # twice as long as a change takes to get there
    assert page.url == link  # though it names tokens that the demo has anyway
    page.locator(".soft-dictionary").get_by_role("slider").press("ArrowRight")
    page.wait_for_function("!location.hash.includes('tokens') && !location.hash.includes('booster=7.5')")


def test_a_typed_address_is_followed_though_a_change_was_to_be_noted(open_chapter):
    """What a reader did a moment ago goes into the address of that moment, never over the one that was typed since."""
    chapter = open_chapter()
    page, slider = chapter.page, chapter.demo("soft-dictionary").get_by_role("slider")
    slider.evaluate(WORKED_THEN_TYPED, "demo=soft_dictionary&booster=7.5")
    page.wait_for_function("document.querySelector('.soft-dictionary output').textContent === '7.5'")
    assert page.url.endswith("#demo=soft_dictionary&booster=7.5")


# The change falls due before the address is typed, and is noted after it.
WORKED_THEN_TYPED = """async (slider, typed) => {
  slider.value = "3";
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  await null;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => { location.hash = typed; };
  port2.postMessage(null);
  const now = performance.now();
  while (performance.now() < now + 1000);
}"""


def test_a_link_loads_its_demo_though_the_page_has_moved_on(visit, address):
    """What is laid out above it may push a demo out of view again; it is there when the page leads the reader back."""
    page = visit().page
    page.add_init_script("Element.prototype.scrollIntoView = () => {};")
    page.goto(f"{address}#demo=soft_dictionary&booster=7.5")
    page.wait_for_function("document.querySelector('.soft-dictionary output')?.textContent === '7.5'")


@pytest.mark.parametrize("hostile", ["booster=<img>", "booster=[1]", "tokens=<b>A", "_code={}", "nothing=3"])
def test_an_address_gives_no_value_of_another_kind(warm, address, hostile):
    """A value of the wrong kind, with markup, or of a trait that the demo lacks is left out."""
    here = warm()
    here.goto(f"{address}#demo=soft_dictionary&{hostile}", drawn=1)
    page = here.page
    page.locator(".soft-dictionary output").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.locator(".soft-dictionary output").inner_text() == "1"
    letters = page.locator(".soft-dictionary").get_by_role("button", name=re.compile("^Token "))
    assert "".join(letters.all_inner_texts()) == "AABA"


@pytest.mark.parametrize("damaged", ["tokens=xyz&booster=3", "booster=3&tokens=xyz", "booster=1e309"])
def test_a_link_that_cannot_be_shown_changes_nothing(warm, address, damaged):
    """A damaged link, or one to an older demo, leaves the demo as it was, and alive; nothing is reported."""
    here = warm()
    here.goto(f"{address}#demo=soft_dictionary&{damaged}", drawn=1)
    page = here.page
    page.locator(".soft-dictionary output").wait_for()
    page.wait_for_load_state("networkidle")
    demo = page.locator(".soft-dictionary")
    assert demo.locator("output").inner_text() == "1"
    assert "".join(demo.get_by_role("button", name=re.compile("^Token ")).all_inner_texts()) == "AABA"
    demo.get_by_role("slider").fill("3")
    assert demo.locator("output").inner_text() == "3"
    assert here.errors == []


# --- Back and Forward ---

ASKED = ".every-number .body > .card .asked"
STEPS = "JSON.parse(new URLSearchParams(location.hash.slice(1)).get('trail') ?? '[0]').length"


def walked_down(page, address):
    """Open a page, open three numbers one below the other, and return what the four cards ask."""
    page.goto(address)
    asked = [page.locator(ASKED).inner_text()]
    for number in (".number", ".number", ".learned"):
        page.locator(f".every-number .body > .card {number}").first.click()
        asked.append(page.locator(ASKED).inner_text())
    assert len(set(asked)) == 4
    return asked


def assert_asks(page, question):
    """Wait for a card."""
    page.locator(ASKED).get_by_text(question, exact=True).wait_for()


@pytest.mark.parametrize("where", ["served", "from disk"])
def test_back_and_forward_go_number_by_number(visit, book, site, where):
    """Each number that was opened is an entry of the browser's history; the page stays in its place."""
    page = visit().page
    address = f"{book}/translator.html" if where == "served" else (site / "translator.html").as_uri()
    asked = walked_down(page, address)
    page.evaluate("scrollBy({ top: 200, behavior: 'instant' })")
    place = page.evaluate("scrollY")
    for question in asked[-2::-1]:
        page.evaluate("history.back()")
        assert_asks(page, question)
        assert page.evaluate("scrollY") == pytest.approx(place, abs=2)
    assert page.url == address
    for question in asked[1:]:
        page.evaluate("history.forward()")
        assert_asks(page, question)
        assert page.evaluate("scrollY") == pytest.approx(place, abs=2)


def test_back_restores_all_of_a_state(visit, book):
    """What was switched off or unfolded at a number is so again, and is not where it was not."""
    page = visit().page
    walked_down(page, f"{book}/translator.html")
    page.locator(".every-number .ruler button:visible").first.click()
    page.locator(".every-number .unfold").click()
    rows = "document.querySelectorAll('.every-number .body > .card tr').length"
    unfolded = page.evaluate(rows)
    page.locator(".every-number .body > .card .number").first.click()
    page.evaluate("history.back()")
    page.wait_for_function(f"{rows} === {unfolded}")
    page.evaluate("history.back()")
    page.locator(ASKED, has_text="Learned: ").wait_for()
    page.evaluate("history.go(-3)")
    page.wait_for_function("!location.hash")
    assert_asks(page, "How likely is “ti” as word 1?")


def test_each_step_of_a_walk_is_an_entry(visit, book):
    """Back in the middle of a walk goes one step back, and the walk stops."""
    page = visit().page
    page.goto(f"{book}/translator.html")
    before = page.evaluate("history.length")
    page.get_by_role("button", name="Follow the largest").click()
    page.wait_for_function(f"{STEPS} === 5 && (history.back(), true)")
    page.wait_for_function(f"{STEPS} === 4")
    page.wait_for_timeout(2500)  # twice as long as a step takes
    assert page.evaluate(STEPS) == 4
    assert page.evaluate("history.length") == before + 4


def test_back_undoes_a_link_and_a_reload_keeps_the_way(visit, book):
    """A link in the text sets a demo in an entry of its own; after a reload the entries are still there."""
    page = visit().page
    asked = walked_down(page, f"{book}/translator.html")
    page.locator("a.try", has_text="Why “il” rather than “la”?").click()
    assert_asks(page, "Why “il” rather than “la”, as word 1?")
    page.evaluate("history.back()")
    assert_asks(page, asked[-1])
    page.reload()
    assert_asks(page, asked[-1])
    page.evaluate("history.back()")
    assert_asks(page, asked[-2])
    page.evaluate("history.go(2)")
    assert_asks(page, "Why “il” rather than “la”, as word 1?")


def test_what_is_no_step_of_a_trail_makes_no_entry(visit, book):
    """A part that is switched off is in the address, and Back leads to where it was not, not through each change."""
    page = visit().page
    page.goto(f"{book}/translator.html")
    page.locator(ASKED).wait_for()
    before = page.evaluate("history.length")
    for part in ("positions", "scaling"):
        page.get_by_label("without which part").select_option(part)
    page.wait_for_function("location.hash.includes('scaling')")
    assert page.evaluate("history.length") == before
    page.locator(".every-number .body > .card .number").first.click()
    page.evaluate("history.back()")
    page.wait_for_function(f"{STEPS} === 1")
    assert page.get_by_label("without which part").input_value() == "scaling"


def test_an_address_with_a_lone_percent_sign_stops_no_script(visit, address):
    """What names nothing costs the page none of its buttons."""
    page, failed = visit().page, []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.goto(f"{address}#100%")
    page.reload()
    page.locator("button.copybtn").first.wait_for(state="attached")
    assert failed == []


def test_a_demo_fills_the_window_and_goes_back(open_chapter):
    """For a lecture hall it is enlarged, and answers to mouse and keyboard there; Escape brings the page back."""
    chapter = open_chapter()
    demo, tools = chapter.demo("soft-dictionary"), chapter.page.locator(".demo-tools").first
    before = demo.locator("output").bounding_box()["height"]
    tools.get_by_role("button", name="Whole window").click()
    assert demo.locator("..").bounding_box()["width"] == 1280
    chapter.page.wait_for_function(f"{SCALE} > 1.2")
    assert demo.locator("output").bounding_box()["height"] > 1.2 * before
    slider = demo.get_by_role("slider").bounding_box()
    chapter.page.mouse.click(slider["x"] + slider["width"] - 1, slider["y"] + slider["height"] / 2)
    assert demo.get_by_role("slider").evaluate("slider => slider.value === slider.max")
    tools.get_by_role("button", name="Back to the page").focus()
    for _ in range(2):
        chapter.press("Tab")  # past the copied link, into the demo
    assert demo.locator(":focus").count() == 1
    chapter.press("Escape")
    assert demo.locator("output").bounding_box()["height"] == pytest.approx(before)


LARGE = "document.querySelector('.demo-large')"
SCALE = f"(({LARGE} && new DOMMatrix(getComputedStyle({LARGE}.querySelector('.demo')).transform).a) ?? 0)"
# Scrolls to a demo's tools, and returns where the demo is once what comes near is laid out.
COMES_TO_REST = """async (tools) => {
  tools.scrollIntoView({ block: "end", behavior: "instant" });
  const top = () => tools.parentElement.getBoundingClientRect().top;
  for (let [still, before] = [0, NaN]; still < 10; still = top() === before ? still + 1 : 0, before = top())
    await new Promise(requestAnimationFrame);
  return top();
}"""
# All of it is to be seen, and a larger one would not be; one that is too high for the window as it is may scroll.
FITS = f"""() => {{
  const [window, demo] = [{LARGE}, {LARGE}.querySelector(".demo")];
  const {{ left, top, right, bottom }} = demo.getBoundingClientRect();
  if (demo.offsetHeight > innerHeight - demo.offsetTop - 8) return {SCALE} === 1;
  const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  const scrolls = window.scrollHeight > window.clientHeight || window.scrollWidth > window.clientWidth;
  return isInside && !scrolls && (left < 30 || bottom > innerHeight - 30);
}}"""


@pytest.mark.parametrize("name", WITH_DEMOS)
def test_all_of_a_demo_is_to_be_seen_in_the_whole_window(book, warm, name):
    """At each size of the window, and when it changes: nothing scrolls that could fit. Back is where one came from."""
    chapter = Chapter(warm(width=1440))
    chapter.visit.goto(f"{book}/{name}.html")
    chapter.wake()
    for tools in chapter.page.locator(".demo-tools").all():
        place = tools.evaluate(COMES_TO_REST)
        tools.get_by_role("button", name="Whole window").click()
        for width, height in ((1440, 900), (1920, 1080), (1280, 720)):
            chapter.page.set_viewport_size({"width": width, "height": height})
            chapter.page.wait_for_function(FITS)
        chapter.press("Escape")
        there = [tools.locator("..").element_handle(), place]
        chapter.page.wait_for_function("([node, y]) => Math.abs(node.getBoundingClientRect().y - y) <= 2", arg=there)


def test_a_large_model_of_the_first_demo_is_fetched_while_the_page_is_drawn(book, visit):
    """The page asks for its file, not only the demo that needs it, and it is loaded once."""
    page = visit().page
    page.goto(f"{book}/translator.html")
    page.locator(".every-number .value").first.wait_for()
    loads = page.evaluate(
        "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/demo_data/'))"
        ".map(({ name, initiatorType }) => [name, initiatorType])"
    )
    address = page.locator("link[rel=preload][as=script]").evaluate("link => link.href")
    assert [asked for name, asked in loads if name == address] == ["link"]
    assert page.locator("script").evaluate_all("all => all.map((one) => one.src)").count(address) == 1
