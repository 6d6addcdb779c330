"""What makes a page lean, part by part: which scripts it needs, which characters a font keeps, what is too much."""

import random
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont
from lean_pages import budget, fonts, page, pictures, stand_ins
from lean_pages import bundle as bundling
from lean_pages.lean import Book
from sphinx.errors import ExtensionError

ROOT = Path(__file__).parents[2]
KATEX = ROOT / "node_modules/katex/dist"
# What the theme writes around an article, shortened.
STOCK = """<!DOCTYPE html>
<html lang="en" data-content_root="./">
  <head>
    <title>Two words</title>
    <script data-cfasync="false">
      document.documentElement.dataset.mode = localStorage.getItem("mode") || "auto";
    </script>
    <link href="_static/first.css?digest=1" rel="stylesheet" />
    <link rel="stylesheet" type="text/css" href="_static/second.css?v=2" />
    <link rel="preload" as="script" href="_static/scripts/bootstrap.js" />
    <link rel="next" href="b.html" />
    <script src="_static/doctools.js?v=3"></script>
    <script src="_static/togglebutton.js"></script>
    <script>let toggleHintShow = 'Click to show';</script>
    <script type="application/ld+json">{"name": "kept"}</script>
    <script>window.own = 1;</script>
    <script src="_static/static_demos.js"></script>
    <script type="application/vnd.jupyter.widget-state+json">{"state": {
      "n": {"state": {"_code": {"demo": "e", "files": ["shared-1", "e-3"]}}},
      "m": {"state": {"_code": {"demo": "d", "files": ["shared-1", "d-2"]}}}}}</script>
    <script src="_static/searchtools.js"></script>
  </head>
  <body>
    <button data-bs-title="Color mode" data-bs-toggle="tooltip"></button>
    <main><article class="bd-article"><section><section><p class="used" style="width: var(--inline)">text</p>
    <img alt="a" src="_images/a.svg"/>
    <script type="application/vnd.jupyter.widget-view+json">{"model_id": "m"}</script>
    <script type="application/vnd.jupyter.widget-view+json">{"model_id": "n"}</script>
    <script>inside()</script></section></section></article></main>
    <script defer src="_static/scripts/bootstrap.js"></script>
  </body>
</html>
"""


@pytest.fixture
def stock_book(tmp_path):
    """A book of one page with two style sheets and a few scripts, as the theme leaves it."""
    outdir, stock = tmp_path / "html", tmp_path / "stock"
    for folder in (outdir / "_static/scripts", outdir / "_static/demos", outdir / "_images", stock):
        folder.mkdir(parents=True)
    (outdir / "_static/first.css").write_text(".used { color: red } .unused { color: tan } .made { color: teal }")
    (outdir / "_static/second.css").write_text(
        "img[src$='.svg'] { color: navy } .used { color: blue; margin: var(--read) }"
        ":root { --read: var(--deep); --deep: 1px; --never: 2px; --inline: 3px; --scripted: 4px }"
    )
    (outdir / "_static/doctools.js").write_text(
        "console.log('chatter'); /* unused */ const kept = ['made', '--scripted'];"
    )
    (outdir / "_static/static_demos.js").write_text("mount()")
    for name in ("favicon.svg", "logo.svg", "demos/shared-1.js", "demos/d-2.js", "demos/e-3.js", "searchtools.js"):
        (outdir / "_static" / name).write_text("")
    (outdir / "_images/a.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="36.3pt"/>')
    (stock / "a.html").write_text(STOCK)
    return Book(outdir, stock, tmp_path / "cache")


def made(book, limits=None):
    """Make the book; return its page, its style sheet and its script."""
    book.make(limits or {})
    folder = book.outdir / "_static/lean"
    texts = [(folder / name).read_text() for name in (book.style, book.codes["page"])]
    return (book.outdir / "a.html").read_text(), *texts


# --- a page ---


def test_a_page_has_one_style_sheet_and_one_script(stock_book):
    """The theme's links and scripts give way to one of each; what is no script of a page stays where it is."""
    html, _, code = made(stock_book)
    assert html.count('rel="stylesheet"') == 1
    assert re.findall(r'<script defer src="_static/lean/page\.\w+\.js">', html)
    assert len(re.findall(r'<script(?![^>]* defer)[^>]* src=|src="_static/(?!lean|demos)', html)) == 0
    assert "mount()" not in code
    assert "toggleHint" not in html
    for kept in ('{"name": "kept"}', "window.own = 1", "inside()", 'rel="next"', 'title="Color mode"'):
        assert kept in html


def test_the_state_of_demos_follows_the_text(stock_book):
    """It stands behind the article's last paragraph."""
    html, _, _ = made(stock_book)
    assert html.index("inside()") < html.index("widget-state") < html.index("</article>")


def test_the_first_demo_comes_before_the_rest(stock_book):
    """Its code, then what mounts demos, then the page's script, then what later demos need, all behind the text."""
    html, _, _ = made(stock_book)
    text, _, behind = html.partition("</main>")
    scripts = re.findall(r'<script defer src="([^"]*)"', behind)
    assert [re.sub(r"\.\w{10}\.", ".", address) for address in scripts] == [
        *("_static/demos/shared-1.js", "_static/demos/d-2.js", "_static/lean/demos.js", "_static/lean/page.js")
    ]
    last = '<link rel="preload" as="script" fetchpriority="low" href="_static/demos/e-3.js" />'
    assert last in behind.rpartition("</script>")[2]
    assert not re.search("defer|preload", text)


def test_the_code_of_a_later_demo_waits_with_its_data():
    """A demo that loads data when it is seen has its code loaded then, unless it is the page's first."""
    first_waits, second_waits = (
        STOCK.replace(f'{{"_code": {{"demo": "{demo}"', f'{{"_later": {{"x": "y"}}, "_code": {{"demo": "{demo}"')
        for demo in "de"
    )
    assert (page.next_files(STOCK), page.next_files(second_waits)) == (["e-3"], [])
    assert page.first_files(first_waits) == page.first_files(STOCK) == ["shared-1", "d-2"]


def test_small_data_come_with_the_first_demo(stock_book):
    """What is as light as a demo's code stands behind it; what is heavier waits until it is seen."""
    data = stock_book.outdir / "_static/demo_data"
    data.mkdir()
    (data / "light.js").write_text("(globalThis.demoData ??= {}).light = 1")
    (data / "heavy.js").write_text(random.Random(7).randbytes(20_011).hex())
    later = STOCK.replace('{"_code": {"demo": "d"', '{"_later": {"x": "light", "y": "heavy"}, "_code": {"demo": "d"')
    (stock_book.stock / "a.html").write_text(later)
    html, _, _ = made(Book(stock_book.outdir, stock_book.stock, stock_book.cache))
    assert re.findall(r'<script defer src="_static/(demo\w*/[\w-]+)\.js"', html) == [
        *("demos/shared-1", "demos/d-2", "demo_data/light")
    ]


def test_a_page_without_demos_has_nothing_that_mounts_one(stock_book):
    """Neither a demo's code nor the script that would look for one."""
    bare = page.STATE.sub("", STOCK)
    (stock_book.stock / "a.html").write_text(bare)
    book = Book(stock_book.outdir, stock_book.stock, stock_book.cache)
    html, _, _ = made(book)
    assert re.findall(r"_static/(\w+/\w+)[^\"]*\.js", html) == ["lean/page"]


def test_a_theme_that_has_changed_is_not_cut_blindly(tmp_path):
    """Where the call that ours stands in for is not found, the build ends and says where to look."""
    theme = tmp_path / "pydata-sphinx-theme.js"
    theme.write_text('run();"complete"===document.readyState?I():window.addEventListener("load",I)')
    cut = stand_ins.stand_in(theme, tmp_path / "cache").read_text()
    assert cut.startswith("run();void 0\n")
    assert "overflows" in cut
    theme.write_text("run()")
    with pytest.raises(ExtensionError, match=r"expected one call in pydata-sphinx-theme\.js.*got 0.*mend EXCHANGED"):
        stand_ins.stand_in(theme, tmp_path / "cache")


def test_a_picture_has_its_size_and_comes_when_it_is_near(stock_book):
    """72 × 36.3 points are 96 × 48 pixels."""
    html, _, _ = made(stock_book)
    assert '<img alt="a" src="_images/a.svg" width="96" height="48" loading="lazy" decoding="async" />' in html


def test_an_icon_is_not_read_out_and_no_heading_is_empty():
    """An icon's letter is no part of a button's name, and a page without a title prints no heading."""
    stock = STOCK.replace("<main>", '<h1></h1><button title="Menu"><i class="fa-solid fa-bars"></i></button><main>')
    html = page.made_lean(stock, "s.css", [], lambda _: None)
    assert '<button title="Menu"><i aria-hidden="true" class="fa-solid fa-bars"></i></button>' in html
    assert "<h1>" not in html


def test_the_style_sheet_keeps_order_and_what_is_used(stock_book):
    """A rule stays where a page or a word of a script can match it; what a comment says does not count."""
    _, css, _ = made(stock_book)
    assert ".unused" not in css
    assert ".made{color:teal}" in css
    assert css.index(".used{color:red}") < css.index(".used{color:#00f") < css.index("content-visibility")
    assert '[src$=".svg"]' in css.replace("'", '"')


def test_a_variable_stays_where_anything_names_it(stock_book):
    """Whether a style, another variable, a page or a script names it; the others are gone."""
    _, css, _ = made(stock_book)
    assert set(re.findall(r"(--[a-z]+):", css)) == {"--read", "--deep", "--inline", "--scripted"}


def test_a_script_says_nothing_to_the_console(stock_book):
    """What a script of the theme tells only the console is gone; what it does is left."""
    _, _, code = made(stock_book)
    assert "chatter" not in code
    assert "kept" in code


def test_the_stock_page_comes_back(stock_book):
    """Where lean pages are switched off, each page is the theme's own again."""
    made(stock_book)
    stock_book.restore()
    assert (stock_book.outdir / "a.html").read_text() == STOCK


def test_the_same_input_is_made_once(stock_book, monkeypatch):
    """A second build of the same pages asks Node for nothing and writes the same."""
    first = made(stock_book)
    monkeypatch.setattr(bundling, "_run", lambda job: pytest.fail("Node was asked again"))
    assert made(Book(stock_book.outdir, stock_book.stock, stock_book.cache)) == first


@pytest.mark.parametrize(
    ("script", "html", "needed"),
    [
        ("_static/scripts/fontawesome.js", '<i class="fa-solid">', False),
        ("_static/scripts/bootstrap.js", 'data-bs-toggle="tooltip"', False),
        ("_static/scripts/bootstrap.js", 'data-bs-toggle="dropdown"', True),
        ("_static/togglebutton.js", '<button class="sidebar-toggle btn">', False),
        ("_static/togglebutton.js", '<div class="admonition note dropdown">', True),
        ("_static/togglebutton.js", '<div class="toggle docutils">', True),
        ("_static/design-tabs.js", '<div class="sd-tab-set docutils">', True),
        ("_static/design-tabs.js", "<p>sd-tab-set</p>", False),
        ("_static/of_another_extension.js", "", True),
    ],
)
def test_a_script_of_the_theme_stays_where_a_page_needs_it(script, html, needed):
    """What an extension adds stays, unless it is known to be for something that the page does not have."""
    assert page.is_needed(script, html) is needed


DRAWING = """<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" width="346.79952pt" height="382pt">
 <metadata><creator>somebody</creator></metadata>
 <path d="M 70.728672 320.994588
L -339.59952 0.00412
z" style="stroke-width: 0.123456"/>
 <path id="letter" d="M 3513 2113 Q 5 .25 1 2" transform="translate(1.005001 2) scale(0.015625 -0.015625)"/>
</svg>
"""


def test_a_drawing_is_rounded_to_a_hundredth():
    """Coordinates lose digits that nobody sees; scales, widths of lines and the letters' own outlines keep theirs."""
    slim = pictures.slim(DRAWING)
    assert 'd="M 70.73 320.99 L -339.6 0 z" style="stroke-width: 0.123456"' in slim
    assert 'd="M 3513 2113 Q 5 .25 1 2" transform="translate(1.01 2) scale(0.015625 -0.015625)"' in slim
    assert 'width="346.8pt"' in slim
    assert "somebody" not in slim
    assert pictures.slim(slim) == slim
    before, after = (ElementTree.fromstring(text) for text in (DRAWING, slim))
    assert [node.tag for node in before.iter() if "metadata" not in node.tag and "creator" not in node.tag] == [
        node.tag for node in after.iter()
    ]


# --- fonts ---


def test_a_text_counts_for_every_face_that_it_may_have():
    """The innermost class that surely chooses decides; a class that only leans keeps the main font in play."""
    choices = fonts.choices_of((KATEX / "katex.min.css").read_text())
    assert fonts.faces_for([("katex-html",), ("mord", "mathnormal")], choices) == {("KaTeX_Math", "400", "italic")}
    assert fonts.faces_for([("katex-html",), ("mord", "mathbf")], choices) == {("KaTeX_Main", "700", "normal")}
    assert fonts.faces_for([("katex-html",), ("mord",)], choices) == {("KaTeX_Main", "400", "normal")}
    large = fonts.faces_for([("katex-html",), ("mop", "op-symbol", "large-op")], choices)
    assert ("KaTeX_Size2", "400", "normal") in large


def test_the_characters_of_a_formula_are_found():
    """What stands behind a formula, and its hidden MathML, count for none of its fonts."""
    choices = fonts.choices_of((KATEX / "katex.min.css").read_text())
    html = (
        '<span class="katex"><span class="katex-mathml"><math><mi>z</mi></math></span><span class="katex-html">'
        '<span class="base"><span class="mord mathnormal">x</span><span class="mbin">&lt;</span></span></span></span> y'
    )
    found = fonts.drawn_in(html, choices)
    assert found == {("KaTeX_Math", "400", "italic"): {"x"}, ("KaTeX_Main", "400", "normal"): {"<"}}


def test_a_cut_font_draws_the_same_letters(tmp_path):
    """Outlines and widths of what is kept are those of the whole font; the rest is gone."""
    whole = KATEX / "fonts/KaTeX_Main-Regular.woff2"
    small = tmp_path / "small.woff2"
    small.write_bytes(fonts.cut(whole, set("ab√"), tmp_path / "cache"))
    before, after = TTFont(whole), TTFont(small)
    assert {chr(code) for code in after.getBestCmap()} == set("ab√ ") & fonts.letters_of(whole)
    for letter in "ab":
        names = [font.getBestCmap()[ord(letter)] for font in (before, after)]
        outlines = [
            font["glyf"][name].getCoordinates(font["glyf"]) for font, name in zip((before, after), names, strict=True)
        ]
        assert list(outlines[0][0]) == list(outlines[1][0])
        assert before["hmtx"][names[0]] == after["hmtx"][names[1]]
    assert small.stat().st_size < whole.stat().st_size / 10


def test_an_icon_that_no_font_holds_ends_the_build(tmp_path):
    """The message names its code, since a browser would draw an empty box and say nothing."""
    css = '@font-face{font-family:F;src:url(f.woff2)}.lost:before{content:"\\ee99"}'
    (tmp_path / "f.woff2").write_bytes((KATEX / "fonts/KaTeX_Size1-Regular.woff2").read_bytes())
    with pytest.raises(ExtensionError, match=r"found none that holds U\+EE99: name a font that has it"):
        fonts.cut_all(css, tmp_path, {}, tmp_path / "cache")


def test_a_face_that_nothing_draws_with_stays_whole(tmp_path):
    """It is not asked for, and is right where a script should need it."""
    css = "@font-face{font-family:KaTeX_Size1;src:url(f.woff2)}"
    (tmp_path / "f.woff2").write_bytes((KATEX / "fonts/KaTeX_Size1-Regular.woff2").read_bytes())
    assert fonts.cut_all(css, tmp_path, {}, tmp_path / "cache") == (css, {})


# --- weight ---

PARTS = [
    budget.Part("page.html", 61, known=False),
    budget.Part("course.css", 43, True),
    budget.Part("demo.js", 7, False),
]


def test_a_page_over_its_budget_is_named_with_its_largest_parts():
    """61 + 43 + 7 bytes are 111; a page read before has brought 43 of them."""
    first, later, requests = budget.excess("03_context", PARTS, {"first": 110, "next": 67, "requests": 2})
    assert first == (
        "03_context: expected at most 110 bytes when it is opened first, got 111; "
        "the largest: page.html 61, course.css 43, demo.js 7"
    )
    assert "at most 67 bytes when another page was read before, got 68; the largest: page.html 61, demo.js 7" in later
    assert "at most 2 requests, got 3" in requests
    assert budget.excess("03_context", PARTS, {"first": 111, "next": 68, "requests": 3}) == []


def test_a_book_over_its_budget_is_not_built(stock_book):
    """The build ends with the page's name."""
    with pytest.raises(ExtensionError, match=r"a: expected at most 10 bytes when it is opened first, got [\d,]+;"):
        made(stock_book, {"first": 10})


def test_a_broken_style_sheet_ends_the_build(stock_book):
    """Node's own message is shown, with the file."""
    (stock_book.outdir / "_static/first.css").write_text("@import './gone.css';")
    with pytest.raises(ExtensionError, match=r"expected Node to bundle styles and scripts, got[\s\S]*gone\.css"):
        made(stock_book)


def test_node_is_the_one_of_the_course():
    """The bundler runs where no other Node is installed."""
    assert subprocess.run([bundling.NODE, "--version"], capture_output=True, check=True).stdout.startswith(b"v24.")
