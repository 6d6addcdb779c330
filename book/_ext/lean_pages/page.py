"""One page of the book, made lean: one style sheet, one script, the theme's mode before paint, pictures with a size."""

import json
import re
from html import escape, unescape
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image

HERE = Path(__file__).parent
MODE = (HERE / "mode.js").read_text(encoding="utf-8")
LINK = re.compile(r"[ \t]*<link\b[^>]*>\n?")
SCRIPT = re.compile(r"[ \t]*<script\b([^>]*)>(.*?)</script>\n?", re.DOTALL)
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
ICON = re.compile(r'<(i|span) class="([^"]*\bfa-solid\b[^"]*)"')  # its letter would be read as a name
UNTITLED = re.compile(r"<h1>\s*</h1>")  # at the head of a printed page that has no title
IMAGE = re.compile(r"<img\b([^>]*?)\s*/?>")
STATE = re.compile(r'[ \t]*<script type="application/vnd\.jupyter\.widget-state\+json">.*?</script>\n?', re.DOTALL)
VIEW = re.compile(r'<script type="application/vnd\.jupyter\.widget-view\+json">(.*?)</script>', re.DOTALL)
# What a page needs each of these scripts for; none needs the first, since the style sheet draws the same icons.
NEEDED_FOR = {
    "scripts/fontawesome.js": r"(?!)",
    "scripts/bootstrap.js": r'data-bs-toggle="(?!tooltip")|id="pst-collapse-sidebar-button"',
    "togglebutton.js": r'class="(?:[^"]* )?(?:toggle[ "]|admonition[^"]* dropdown[ "])',
    "design-tabs.js": r'class="(?:[^"]* )?sd-tab-set[ "]',
    "clipboard.min.js": r'<div class="highlight"',
    "copybutton.js": r'<div class="highlight"',
}
ONLY_FOR_SEARCH = ("searchtools.js", "language_data.js", "searchindex.js")
ONLY_FOR_DEMOS = ("static_demos.js",)
# Inline scripts of the theme: its mode, which ours sets; hints of toggles; what only a search while one types reads.
REPLACED = re.compile(r"dataset\.mode|toggleHint|toggleOpenOnPrint|togglebuttonSelector|DOCUMENTATION_OPTIONS\.\w+ =")
EMPTY = re.compile(r"(?m)^[ \t]+|\n[ \t]*(?=\n)|<!--.*?-->")
CHATTER = re.compile(r"[ \t]*console\.(?:log|debug|info)\([^;\n]*\);\n?")


def attributes_of(tag):
    """Return the attributes of a tag."""
    return {name: unescape(value) for name, value in ATTRIBUTE.findall(tag)}


def local(address):
    """Return the path of an address in the book without its query, or None for another host's or a page's own."""
    return None if re.match(r"[a-z]+:|//|#", address) else address.partition("?")[0]


def styles_of(html):
    """Return the style sheets of a page, in order, as its links name them."""
    links = (attributes_of(link) for link in LINK.findall(html))
    return [path for link in links if link.get("rel") == "stylesheet" and (path := local(link["href"]))]


def scripts_of(html):
    """Return the scripts of a page, in order, as its tags name them."""
    found = (attributes_of(tag).get("src") for tag, _ in SCRIPT.findall(outside_article(html)))
    return [path for source in found if source and (path := local(source))]


def outside_article(html):
    """Return a page without its main part, whose scripts stay where they are."""
    start, end = html.find("<main"), html.rfind("</main>")
    return html[:start] + html[end:] if 0 <= start < end else html


def is_needed(path, html):
    """Say whether a page has what one of the theme's scripts is for."""
    rule = next((rule for name, rule in NEEDED_FOR.items() if path.endswith(f"_static/{name}")), "")
    return re.search(rule, html) is not None


def made_lean(html, style, scripts, size_of, soon=()):
    """Return the page with one style sheet and these scripts, as addresses; ``size_of`` knows a picture's size.

    soon    addresses of scripts that others load when the page is idle
    """
    html = move_state(html)
    start, end = html.index("<main"), html.rindex("</main>")
    before, main, after = html[:start], html[start:end], html[end:]
    before, after = (EMPTY.sub("", LINK.sub(_kept_link, SCRIPT.sub(_kept_script, part))) for part in (before, after))
    head = f'<script>{MODE}</script>\n<link rel="stylesheet" href="{style}" />\n'
    before = before.replace("</title>", f"</title>\n{head}", 1)
    # Behind the text, so that they take no part of the line from it and from the style sheet that draws it.
    loads = "".join(f'<script defer src="{address}"></script>\n' for address in scripts)
    loads += "".join(f'<link rel="preload" as="script" fetchpriority="low" href="{address}" />\n' for address in soon)
    html = before + CHATTER.sub("", main) + after.replace("</body>", f"{loads}</body>", 1)
    html = re.sub(r'data-bs-title="([^"]*)"', r'title="\1"', html)  # Bootstrap would have shown it as a hint
    html = UNTITLED.sub("", html)
    html = ICON.sub(r'<\1 aria-hidden="true" class="\2"', html)
    return IMAGE.sub(lambda found: sized(found, size_of), html)


def move_state(html):
    """Move the demos' state to the end of the article, since the text is read first."""
    state = STATE.search(html)
    end = html.rfind("</article>")
    if not state or end < state.end():
        return html
    return html[: state.start()] + html[state.end() : end] + state[0].strip() + "\n" + html[end:]


def demos_of(html):
    """Return the states of a page's demos, in the order in which they stand on the page, a model shown twice once."""
    state = STATE.search(html)
    if not state:
        return []
    models = json.loads(re.sub(r"^[^>]*>|</script>\s*$", "", state[0]))["state"]
    shown = dict.fromkeys(json.loads(view)["model_id"] for view in VIEW.findall(html))
    return [models[name]["state"] for name in shown if name in models]


def files_of(demos):
    """Return the names of the files that hold the code of demos; a widget of others brings it along in its state."""
    return list(dict.fromkeys(name for demo in demos for name in demo.get("_code", {}).get("files", ())))


def first_files(html):
    """Return the names of the files that hold the code of a page's first demo, which is drawn at once."""
    return files_of(demos_of(html)[:1])


def first_data(html):
    """Return the names of the files that hold the data of a page's first demo."""
    return [name for demo in demos_of(html)[:1] for name in demo.get("_later", {}).values()]


def next_files(html):
    """Return those of the other demos, unless they wait for data until they are seen: their code comes then, too."""
    files = files_of(demo for demo in demos_of(html)[1:] if "_later" not in demo)
    return [name for name in files if name not in first_files(html)]


def _kept_link(link):
    attributes = attributes_of(link[0])
    replaced = attributes.get("rel") == "stylesheet" and local(attributes["href"])
    return "" if replaced or attributes.get("as") == "script" else link[0]


def _kept_script(script):
    attributes = attributes_of(script[1])
    if "src" in attributes:
        return "" if local(attributes["src"]) else script[0]
    return "" if "type" not in attributes and REPLACED.search(script[2]) else script[0]


def sized(tag, size_of):
    """Give a picture its size, so that nothing moves when it comes, and let it come when it is near."""
    attributes = attributes_of(tag[1])
    size = size_of(attributes.get("src", ""))
    added = {}
    if size and not {"width", "height", "style"} & set(attributes):
        added |= dict(zip(("width", "height"), map(str, size), strict=True))
    if "logo__image" not in attributes.get("class", "") and "loading" not in attributes:
        added |= {"loading": "lazy", "decoding": "async"}
    more = "".join(f' {name}="{escape(value)}"' for name, value in added.items())
    return f"<img{tag[1]}{more} />"


def picture_size(path):
    """Return width and height of a picture in pixels, as a browser draws it; None if it does not say."""
    if path.suffix != ".svg":
        with Image.open(path) as picture:
            return picture.size
    root = next(ElementTree.iterparse(path, events=("start",)))[1]
    sides = [re.fullmatch(r"([\d.]+)(px|pt)?", root.get(name, "")) for name in ("width", "height")]
    if all(sides):
        return tuple(round(float(side[1]) * (4 / 3 if side[2] == "pt" else 1)) for side in sides)
    box = root.get("viewBox", "").split()
    return (round(float(box[2])), round(float(box[3]))) if len(box) == 4 else None
