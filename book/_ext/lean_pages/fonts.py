"""Fonts cut to what is drawn: KaTeX's to the characters of all formulas, the others to what the style sheet writes.

A font that lacks a character draws an empty box or another font's letter and reports nothing, so an icon that no font
holds ends the build, and what is not surely known is kept: a formula's text counts for every face that one of the
elements around it may choose.
"""

import base64
import hashlib
import logging
import re
from functools import cache
from html import unescape
from io import BytesIO
from itertools import product
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from sphinx.errors import ExtensionError

logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells each table that it cuts
FACE = re.compile(r"@font-face\s*\{[^}]*\}")
FILE = re.compile(r"""url\(["']?([^"')]+\.woff2)["']?\)""")
FORMULA = re.compile(r'<span class="katex-html"')
PIECE = re.compile(r"<svg.*?</svg>|<(/?)(\w+)([^>]*)>|([^<]+)", re.S)
CLASS = re.compile(r'class="([^"]*)"')
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
MAIN = "KaTeX_Main"
WEIGHTS = {"normal": "400", "bold": "700"}
STRING = re.compile(r"""(?:content|--[\w-]+)\s*:\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""")
ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)")
PRIVATE = range(0xE000, 0xF900)  # where icons stand
EMBEDDED = 4_000  # bytes; a smaller font stands in the style sheet, since a request costs more


def declared(block, name, default=""):
    """Return the value of a property in a block of CSS."""
    found = re.search(rf"(?:^|[;{{])\s*{name}\s*:\s*([^;}}]+)", block)
    return found[1].strip().strip("\"'") if found else default


def face_of(block):
    """Return family, weight and style of a ``@font-face``."""
    weight = declared(block, "font-weight", "400")
    family = declared(block, "font-family").replace("\\", "")
    return family, WEIGHTS.get(weight, weight), declared(block, "font-style", "normal")


def is_of_formulas(face):
    """Say whether a face is one of KaTeX's."""
    return face[0].startswith("KaTeX_")


def choices_of(css):
    """Return what each class of KaTeX's style sheet chooses: class -> [(family, weight, style, surely)].

    What a class does not choose is None; ``surely`` says that it chooses wherever it stands inside a formula.
    """
    choices = {}
    for selectors, block in RULE.findall(FACE.sub("", css)):
        family = re.search(r"KaTeX_\w+", block)
        weight, style = declared(block, "font-weight"), declared(block, "font-style")
        if not (family or weight or style):
            continue
        chosen = (family and family[0], WEIGHTS.get(weight, weight) or None, style or None)
        for selector in selectors.split(","):
            if "katex" in selector and (classes := re.findall(r"\.([\w-]+)", selector)):
                surely = re.fullmatch(r"\s*\.katex\s+\.[\w-]+\s*", selector) is not None
                choices.setdefault(classes[-1], []).append((*chosen, surely))
    return choices


def faces_for(around, choices):
    """Return every face that a text may have inside elements of these classes, the innermost last.

    The innermost class that surely chooses a family decides; where there is none, each that may choose one counts.
    """
    for name in around[-1] if around else ():
        for family, weight, style, surely in choices.get(name, ()):
            if family and surely:
                return {(family, weight or "400", style or "normal")}
    chosen = [choice for names in around for name in names for choice in choices.get(name, ())]
    weights = {"400", *(weight for family, weight, *_ in chosen if weight and not family)}
    styles = {"normal", *(style for family, _, style, _ in chosen if style and not family)}
    faces = set(product((MAIN,), weights, styles))
    for family, weight, style, _ in chosen:
        if family:
            faces |= set(product((family,), {weight} if weight else weights, {style} if style else styles))
    return faces


def texts_of(html, start):
    """Yield each text of the formula that begins at ``start``, with the classes of all elements around it."""
    around = []
    for piece in PIECE.finditer(html, start):
        closing, tag, attributes, text = piece.groups()
        if closing:
            around.pop()
        elif tag:
            found = CLASS.search(attributes)
            around.append(tuple(found[1].split()) if found else ())
        elif text:
            yield tuple(around), unescape(text)
        if not around:
            return


def drawn_in(html, choices):
    """Return the characters of a page's formulas: face -> characters."""
    drawn, known = {}, {}
    for formula in FORMULA.finditer(html):
        for classes, text in texts_of(html, formula.start()):
            if classes not in known:
                known[classes] = faces_for(classes, choices)
            for face in known[classes]:
                drawn.setdefault(face, set()).update(text)
    return drawn


def written_by(css):
    """Return the icons that a style sheet writes, by ``content`` or by a variable that may come to stand there."""
    texts = (double or single for double, single in STRING.findall(css))
    letters = {letter for text in texts for letter in ESCAPE.sub(lambda code: _unescaped(*code.groups()), text)}
    return {letter for letter in letters if ord(letter) in PRIVATE}


def _unescaped(code, letter):
    return chr(int(code, 16)) if code else letter


@cache
def letters_of(path):
    """Return the characters that a font file can draw."""
    return {chr(code) for code in TTFont(path, lazy=True).getBestCmap()}


def cut(path, letters, cache_folder):
    """Return the font with these characters only, as the bytes of a woff2 file; made once for the same input."""
    source = path.read_bytes()
    wanted = "".join(sorted((letters | {" "}) & letters_of(path)))  # a browser draws what has no width as a space
    key = hashlib.sha256(source + b"\0" + wanted.encode()).hexdigest()[:16]
    kept = cache_folder / f"{key}.woff2"
    if not kept.exists():
        options = Options(flavor="woff2", hinting=False, notdef_outline=True, recalc_timestamp=False)
        font, made = TTFont(BytesIO(source), recalcTimestamp=False), BytesIO()
        subsetter = Subsetter(options)
        subsetter.populate(text=wanted)
        subsetter.subset(font)
        font.save(made)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(made.getvalue())
    return kept.read_bytes()


def cut_all(css, folder, drawn, cache_folder):
    """Cut every font of a style sheet in ``folder``; return the new style sheet and face -> file name or None.

    An icon is cut from the first face that holds it, which is the one that the theme draws it with. A face that has
    nothing to draw stays whole: nothing asks for it. None stands for a font inside the style sheet.
    """
    icons, made = written_by(css), {}
    require_icons(css, folder, icons)

    def cut_one(block):
        face, file = face_of(block[0]), FILE.search(block[0])
        if not file:
            return block[0]
        path = (folder / file[1]).resolve()
        letters = drawn.get(face, set()) if is_of_formulas(face) else icons & letters_of(path)
        icons.difference_update(letters)
        if not letters:
            return block[0]
        font = cut(path, letters, cache_folder)
        address, made[face] = placed(font, Path(file[1]).stem, folder)
        source = f'src:url({address})format("woff2")'
        return re.sub(r"src:[^;}]*(?:;charset[^;}]*)?", source, block[0], count=1)

    return FACE.sub(cut_one, css), made


def placed(font, stem, folder):
    """Put a font into ``folder`` or, where it is small, into its own address; return address and file name or None."""
    if len(font) <= EMBEDDED:
        return f"data:font/woff2;base64,{base64.b64encode(font).decode()}", None
    name = f"{stem}.{hashlib.sha256(font).hexdigest()[:10]}.woff2"
    (folder / name).write_bytes(font)
    return name, name


def require_icons(css, folder, icons):
    """Refuse an icon that no font of the style sheet holds: the page would show an empty box."""
    files = [FILE.search(block) for block in FACE.findall(css)]
    held = set().union(*(letters_of((folder / file[1]).resolve()) for file in files if file))
    lost = sorted(f"U+{ord(letter):04X}" for letter in icons - held)
    if lost:
        raise ExtensionError(
            f"lean_pages: expected every icon of the style sheet in one of its fonts, found none that holds "
            f"{', '.join(lost)}: name a font that has it, or take the rule out"
        )
