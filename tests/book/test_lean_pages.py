"""The lean pages in a browser, beside the theme's own pages that they were made of: nothing is lost."""

import contextlib
import json
import re
from urllib.request import urlopen

import pytest

from .conftest import ROOT, TELEPHONE

CHAPTER = "04_query_key_value"
PAGES = [*sorted(path.stem for path in (ROOT / "book").glob("*.md")), "search", "genindex"]
# Of every element outside the demos: what it looks like, and what stands before and behind it. Sections are laid out
# wherever they are, and icons are left out: the theme draws them by script.
LOOK = """() => {
  const names = ["color", "background-color", "font-family", "font-size", "font-weight", "font-style", "line-height",
    "display", "visibility", "position", "text-align", "text-decoration-line", "white-space", "list-style-type",
    "border-top-width", "border-left-width", "border-left-color", "border-radius", "padding-top", "padding-left",
    "margin-top", "margin-left", "box-shadow", "opacity", "cursor", "fill", "stroke", "filter", "overflow-x"];
  const left = "script, noscript, .demo, .demo-waits, dialog, .fa-solid, .svg-inline--fa, .tooltip, math";
  const told = (style) => names.map((name) => style.getPropertyValue(name)).join(" | ");
  const called = (node) => `${node.tagName}.${node.className.baseVal ?? node.className}`;
  const beside = (node, name) => {
    const style = getComputedStyle(node, name);
    return style.content === "none" ? "" : `${style.content} ${style.color} ${style.display}`;
  };
  const found = {};
  const visit = (node, above) => {
    if (node.matches(left)) return;
    const chain = `${above}${called(node)}`;
    const looks = `${told(getComputedStyle(node))} ${beside(node, "::before")} ${beside(node, "::after")}`;
    (found[chain] ??= new Set()).add(looks);
    for (const child of node.children) visit(child, `${chain} > `);
  };
  for (const child of document.body.children) visit(child, "");
  return Object.fromEntries(Object.entries(found).map(([name, looks]) => [name, [...looks].sort()]));
}"""
# A section that is skipped while it is far keeps the space around its heading itself: that is measured elsewhere.
ALIKE = """
article > section > section { content-visibility: visible !important; margin: 0 !important; padding: 0 !important }
article > section > section { display: block !important }
article > section > section > h2 { margin-top: 0 !important }
*, ::before, ::after { transition: none !important }
"""


@pytest.fixture(scope="module")
def opened(context, book):
    """The chapter, opened once for all tests that leave it as they found it."""
    page = context().new_page()
    page.goto(f"{book}/{CHAPTER}.html")
    page.evaluate("async () => { await document.fonts.ready; }")
    yield page
    page.close()


@pytest.fixture(scope="module")
def pair(context, book):
    """Open the theme's own page and the lean one, ``pair(name)``, each once."""
    pages = {}

    def both(name):
        for address in (f"{book}/stock/{name}.html", f"{book}/{name}.html"):
            if address not in pages:
                pages[address] = context().new_page()
                pages[address].goto(address)
                pages[address].wait_for_load_state("networkidle")
        return pages[f"{book}/stock/{name}.html"], pages[f"{book}/{name}.html"]

    yield both
    for page in pages.values():
        page.close()


@contextlib.contextmanager
def drawn(page, css, width):
    """Add styles to a page for a while; a section out of sight has its new layout a frame later."""
    page.set_viewport_size({"width": width, "height": 900})
    style = page.add_style_tag(content=css)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
    yield
    style.evaluate("style => style.remove()")


def look(page, theme, width):
    """Return what every kind of element of a page looks like: chain of elements -> looks."""
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    with drawn(page, ALIKE, width):
        return page.evaluate(LOOK)


@pytest.mark.parametrize(
    ("name", "theme", "width"), [(CHAPTER, "light", 1280), (CHAPTER, "dark", 375), ("index", "dark", 1280)]
)
def test_every_element_looks_as_on_the_stock_page(pair, name, theme, width):
    """Colours, letters, borders and distances are the theme's, in light and dark, at a desk and on a telephone."""
    stock, lean = (look(page, theme, width) for page in pair(name))
    lost = {kind: (stock[kind], lean.get(kind)) for kind in stock if lean.get(kind) != stock[kind]}
    assert len(stock) > 100
    assert lost == {}


@pytest.mark.parametrize("width", [1280, 375])
def test_headings_stand_as_far_from_the_text_before(book, page, width):
    """Though margins no longer fall together, the space above each heading is the theme's."""
    above = """() => [...document.querySelectorAll("article > section > section > h2")].slice(1).map((heading) => {
      const ends = [...heading.parentElement.previousElementSibling.querySelectorAll("p, pre, table, details, img")];
      const bottom = Math.max(...ends.map((end) => end.getBoundingClientRect().bottom));
      return Math.round(heading.getBoundingClientRect().top - bottom);
    })"""
    page.set_viewport_size({"width": width, "height": 900})
    gaps = []
    for address, alike in ((f"{book}/stock/{CHAPTER}.html", ""), (f"{book}/{CHAPTER}.html", "contain: layout;")):
        page.goto(address)
        page.add_style_tag(content=f"article > section > section {{ content-visibility: visible !important; {alike} }}")
        gaps.append(page.evaluate(above))
    assert len(gaps[0]) > 5
    assert gaps[1] == pytest.approx(gaps[0], abs=2)


def letters_by_font(page):
    """Return which font draws how many glyphs of each kind of text in a formula, as the browser says."""
    wire = page.context.new_cdp_session(page)
    wire.send("DOM.enable")
    wire.send("CSS.enable")
    root = wire.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    kinds = page.evaluate(
        """() => {
          const seen = new Map();
          document.querySelectorAll(".katex-html *").forEach((node, i) => {
            const text = [...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data).join("");
            const kind = `${node.parentElement.className} > ${node.className}: ${text}`;
            if (text && !seen.has(kind)) { seen.set(kind, i); node.dataset.asked = seen.size; }
          });
          return [...seen.keys()];
        }"""
    )
    asked = wire.send("DOM.querySelectorAll", {"nodeId": root, "selector": "[data-asked]"})["nodeIds"]
    drawn = {}
    for kind, node in zip(kinds, asked, strict=True):
        fonts = wire.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        drawn[kind] = sorted((font["familyName"], font["isCustomFont"], font["glyphCount"]) for font in fonts)
    wire.detach()
    return drawn


@pytest.mark.parametrize("name", ["02_embeddings", "05_scaling", "notation"])
def test_every_letter_of_a_formula_has_its_font(book, page, name):
    """The cut fonts draw what the whole ones draw: the browser takes no other font's letter for any of them."""
    drawn = []
    for address in (f"{book}/stock/{name}.html", f"{book}/{name}.html"):
        page.goto(address)
        page.add_style_tag(content=ALIKE)
        page.evaluate("async () => { await document.fonts.ready; }")
        drawn.append(letters_by_font(page))
    assert len(drawn[0]) > 10
    assert drawn[0] == drawn[1]


def test_every_icon_is_drawn_by_the_icon_font(opened):
    """Each icon writes a character that the font in the style sheet holds: it is as wide as the theme draws it."""
    icons = opened.locator("i.fa-solid, span.fa-solid")
    written = icons.evaluate_all("all => all.map(icon => getComputedStyle(icon, '::before').content)")
    assert len(written) >= 10
    assert all(re.fullmatch('"[\\ue000-\\uf8ff]"', text) for text in written)
    loaded = "[...document.fonts].filter(f => f.family.includes('Awesome') && f.status === 'loaded').map(f => f.weight)"
    assert opened.evaluate(loaded) == ["900"]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_one_style_sheet_and_one_script(site, name):
    """What some pages need comes besides: demos their code, the search its index, the page with a button its script."""
    html = (site / f"{name}.html").read_text(encoding="utf-8")
    assert len(re.findall(r'<link[^>]*rel="stylesheet"', html)) == 1
    scripts = [source.rpartition("/")[2] for source in re.findall(r'<script[^>]* src="([^"]+)"', html)]
    demos = [r"shared-\w+\.js", r"\w+-\w+\.js(?: \w{16}\.js)?", r"demos\.\w+\.js"] if "widget-view" in html else []
    more = {"search": [r"search\.\w+\.js", r"searchindex\.js"]}.get(name, [])
    button = [r"offline_keep\.js"] if name == "about" else []
    assert re.fullmatch(" ".join([*button, *demos, r"page\.\w+\.js", *more]), " ".join(scripts))
    assert not re.search(r"fontawesome|bootstrap\.js|togglebutton", html)


def test_nobody_talks_to_the_console(book, visit):
    """Pages say nothing at all there, no more than they ask another host."""
    reader = visit()
    said = []
    reader.page.on("console", lambda message: said.append(message.text))
    for name in (CHAPTER, "index", "search", "translator"):
        reader.goto(f"{book}/{name}.html", drawn=0)
        reader.page.wait_for_load_state("networkidle")
    assert (said, reader.errors, reader.foreign) == ([], [], [])


@pytest.mark.parametrize(
    ("kept", "system", "theme"), [(None, "dark", "dark"), (None, "light", "light"), ("light", "dark", "light")]
)
def test_the_theme_is_set_before_paint(book, visit, kept, system, theme):
    """Light or dark stands in the page before any script is loaded: what a reader chose, else what the system wants."""
    page = visit().page
    page.route("**/page.*.js", lambda route: route.abort())
    page.emulate_media(color_scheme=system)
    if kept:
        page.add_init_script(f"localStorage.setItem('mode', '{kept}')")
    page.goto(f"{book}/{CHAPTER}.html")
    assert page.evaluate("document.documentElement.dataset.theme") == theme


def test_the_switch_goes_through_light_dark_and_auto(opened):
    """Each press changes the mode; the third one leaves it to the system again."""
    opened.emulate_media(color_scheme="light")
    opened.evaluate("localStorage.clear()")
    switch = opened.get_by_role("button", name="Color mode")
    modes = []
    for _ in range(3):
        switch.click()
        modes.append(opened.evaluate("(({ mode, theme }) => [mode, theme])({ ...document.documentElement.dataset })"))
    assert modes == [["dark", "dark"], ["light", "light"], ["auto", "light"]]
    opened.emulate_media(color_scheme="null")


def test_the_keyboard_opens_the_search_and_the_search_finds(book, page):
    """Ctrl and K open the field, Enter leads to the results, and these name the page."""
    page.goto(f"{book}/index.html")
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input").wait_for()
    page.keyboard.type("saturation")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=saturation")
    page.get_by_role("link", name=re.compile("Why divide")).first.wait_for()


def test_words_that_were_searched_are_marked(book, page):
    """A link from the results marks the words on the page."""
    page.goto(f"{book}/05_scaling.html?highlight=variance")
    page.locator("article p span.highlighted").first.wait_for()


@pytest.mark.parametrize("clipboard", [True, False])
def test_a_button_copies_a_cell(opened, clipboard):
    """Code goes to the clipboard, with the browser's own and without, and the button says so."""
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not clipboard:
        opened.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('none')); }")
    cell = opened.locator("div.highlight").nth(int(clipboard))  # no button that has said so before
    cell.hover()
    cell.locator("button.copybtn").click()
    cell.locator("button.copybtn[data-tooltip='Copied!']").wait_for()
    assert opened.evaluate("navigator.clipboard.readText()").strip() == cell.locator("pre").inner_text().strip()
    opened.evaluate("delete navigator.clipboard.writeText")


def test_a_telephone_opens_the_sidebar_and_the_contents(book, warm):
    """Both come as dialogs, and Escape closes them."""
    here = warm(**TELEPHONE)
    here.goto(f"{book}/{CHAPTER}.html", drawn=0)
    for button, dialog in (("primary", "#pst-primary-sidebar-modal"), ("secondary", "#pst-secondary-sidebar-modal")):
        here.page.locator(f".{button}-toggle").tap()
        here.page.locator(f"{dialog}[open]").wait_for()
        here.page.keyboard.press("Escape")
        here.page.locator(f"{dialog}:not([open])").wait_for(state="attached")


def test_a_desk_folds_the_sidebar(opened):
    """Where there is room, the same button hides the list of chapters and shows it again."""
    chapters = opened.locator("#pst-primary-sidebar")
    for seen in ("hidden", "visible"):
        opened.locator(".primary-toggle").click()
        chapters.wait_for(state=seen)


def test_the_contents_follow_the_reader(opened):
    """The entry of the section at the top of the window is marked, as sections come to be laid out."""
    opened.locator("#assignment h2").scroll_into_view_if_needed()
    opened.evaluate("document.querySelector('#assignment h2').scrollIntoView()")
    opened.locator("#pst-page-toc-nav a.active[href='#assignment']").wait_for()
    opened.evaluate("scrollTo(0, 0)")


def test_a_toggle_opens_by_the_keyboard(opened):
    """A list of slips and a hidden cell are details elements, which need no script."""
    details = opened.locator("details.sd-dropdown").first
    for is_open in (True, False):
        details.locator("summary").focus()
        opened.keyboard.press("Enter")
        assert details.evaluate("node => node.open") is is_open


def test_print_shows_every_section(opened):
    """On paper no section is skipped, and its pictures are there."""
    opened.emulate_media(media="print")
    seen = opened.eval_on_selector_all(
        "section section", "all => all.map(one => getComputedStyle(one).contentVisibility)"
    )
    assert set(seen) == {"visible"}
    opened.emulate_media(media="null")


def test_pictures_keep_their_place(book, page):
    """Each picture of the article says how large it is, so that nothing moves when it comes."""
    with urlopen(f"{book}/{CHAPTER}.html") as answer:
        images = re.findall(r"<img\b[^>]*_images/[^>]*>", answer.read().decode())
    assert images
    assert all(re.search(r' width="\d+" height="\d+" loading="lazy"', image) for image in images)


def test_a_section_far_below_is_skipped_unless_it_has_a_demo(book, page):
    """Neither its layout nor its pictures cost anything before it comes near; where a demo lives all is laid out."""
    page.goto(f"{book}/{CHAPTER}.html")
    page.wait_for_load_state("networkidle")
    with_demo = "section section:has(> h2):has([type='application/vnd.jupyter.widget-view+json'])"
    page.wait_for_function(f"document.querySelectorAll({json.dumps(with_demo + ':not([data-alive])')}).length === 0")
    skipped = page.eval_on_selector_all(
        "section section:has(> h2)",
        """all => all.map(one => [
          getComputedStyle(one).contentVisibility === "auto",
          one.querySelector("[type='application/vnd.jupyter.widget-view+json']") !== null,
        ])""",
    )
    assert {("auto" if skips else "visible", demo) for skips, demo in skipped} == {("auto", False), ("visible", True)}
    ends = "() => [...document.images].filter(one => !one.complete).length"
    assert page.evaluate(ends) > 0


def test_a_ring_at_the_edge_of_a_skipped_section_is_not_cut_off(opened):
    """What a section cuts off begins five pixels or more beside its text."""
    edges = opened.eval_on_selector_all(
        "section section:has(> h2)",
        """all => all.filter(one => getComputedStyle(one).contentVisibility === "auto")
          .map(one => one.querySelector("h2").getBoundingClientRect().left - one.getBoundingClientRect().left)""",
    )
    assert len(edges) > 3
    assert min(edges) > 5


# --- what the theme does as soon as a page is there, made cheaper ---

STOPS = """() => [...document.querySelectorAll("pre, .cell_output > .output, .pst-scrollable-table-container")]
  .filter((one) => !one.closest("details")).map((one) => one.getAttribute("tabindex"))"""


def test_the_keyboard_reaches_what_can_be_scrolled(book, page):
    """On a telephone each block that is wider than the screen has a tab stop, and no other: the same as the theme's."""
    page.set_viewport_size({"width": 375, "height": 740})
    stops = []
    for address in (f"{book}/stock/{CHAPTER}.html", f"{book}/{CHAPTER}.html"):
        page.goto(address)
        page.wait_for_function(f"({STOPS})().every((stop) => stop !== null)")
        stops.append(page.evaluate(STOPS))
    assert set(stops[0]) == {"0", "-1"}
    assert stops[1] == stops[0]


def test_what_is_unfolded_gets_its_tab_stop(book, page):
    """A cell that was folded had no width; once it is open, what stands out of it can be scrolled by the keyboard."""
    page.set_viewport_size({"width": 375, "height": 740})
    page.goto(f"{book}/{CHAPTER}.html")
    page.wait_for_function("document.querySelectorAll('details pre:not([tabindex])').length === 0")
    folded = page.locator("details:not([open]) pre").first
    assert folded.get_attribute("tabindex") == "-1"
    folded.evaluate("pre => { pre.id = 'folded'; pre.style.whiteSpace = 'pre'; pre.textContent = 'x'.repeat(200); }")
    folded.evaluate("pre => { pre.closest('details').open = true; }")
    page.wait_for_function("document.querySelector('#folded').tabIndex === 0")


def test_the_first_demo_is_there_with_the_page(book, visit):
    """It is drawn and answers to the keyboard before the page's own script has run, which may come late."""
    page = visit().page
    page.route("**/_static/lean/page.*.js", lambda route: None)  # never answered
    page.goto(f"{book}/{CHAPTER}.html", wait_until="commit")
    demo = page.locator(".soft-dictionary")
    before = demo.inner_text()
    demo.get_by_role("slider").press("ArrowRight")
    assert demo.inner_text() != before
    assert page.evaluate("document.readyState") == "interactive"
