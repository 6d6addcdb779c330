"""The book without a network: one zip of its pages, and a service worker for readers who press *Keep for the train*.

Both hold the pages and every file that one of them names, and nothing else: no source maps, no fonts of other formats.
"""

import hashlib
import json
from pathlib import Path

from assignments import write_zip
from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import copyfile, ensuredir

HERE = Path(__file__).parent
NAME = "attention-row-by-row"
ZIP, PDF = f"downloads/{NAME}.zip", f"downloads/{NAME}.pdf"
WORKER = "sw.js"
TEXTS = {".html", ".css", ".js"}
LEFT_OUT = {".map", ".xml", ".ttf"}  # browsers take the woff2 beside a ttf
BOX = """<div class="offline"><ul>{items}</ul>
<p class="keep" hidden><button type="button">Keep for the train</button> <span role="status"></span></p>
</div><script defer src="_static/offline_keep.js"></script>"""
HASH = 16  # letters of the shortest hash that alone names a file, as in the data of a demo


def kept_files(site, without=()):
    """Return the files of the book, sorted: its pages, and whatever one of them or another such file names."""
    others = {path for path in site.rglob("*") if path.is_file() and path.suffix not in LEFT_OUT}
    hidden = {path for path in others if path.name.startswith(".")}
    others -= hidden.union(*(others & set((site / folder).rglob("*")) for folder in without))
    kept, new = set(), {path for path in others if path.parent == site and path.suffix == ".html"}
    while new:
        kept |= new
        others -= new
        said = "".join(path.read_text(encoding="utf-8") for path in new if path.suffix in TEXTS)
        new = {path for path in others if path.name in said or (len(path.stem) >= HASH and path.stem in said)}
    return sorted(kept - {site / name for name in (ZIP, PDF, WORKER)})


def write_worker(site, files):
    """Write the service worker with the list of files, and their digest, by which a browser sees a new edition."""
    digest = hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in files)).hexdigest()[:16]
    names = [path.relative_to(site).as_posix() for path in files]
    head = f"const EDITION = {json.dumps(f'{NAME} {digest}')};\nconst FILES = {json.dumps(names, indent=0)};\n"
    (site / WORKER).write_text(head + (HERE / "offline_worker.js").read_text(encoding="utf-8"), encoding="utf-8")


def take_along(app, exception):
    """Write both once all pages are there."""
    if exception is None and app.builder.name == "html":
        site = Path(app.outdir)
        printed = site.parent / Path(PDF).name
        if printed.exists():
            copyfile(printed, site / PDF)
        files = kept_files(site, app.config.offline_without)
        ensuredir(site / "downloads")
        write_zip(site / ZIP, NAME, site, files)
        write_worker(site, files)


def copy_script(app):
    """Put the button's script beside the others."""
    if app.builder.name == "html":
        ensuredir(app.outdir / "_static")
        copyfile(HERE / "offline_keep.js", app.outdir / "_static" / "offline_keep.js")


class Offline(SphinxDirective):
    """``{offline}``: the zip, the PDF where ``make pdf`` has made one, and the button *Keep for the train*."""

    def run(self):
        """Return the links and the button; the button is there where a script can work it."""
        printed = Path(self.env.app.outdir).parent / Path(PDF).name
        self.env.note_dependency(str(printed))
        links = [f'<a href="{ZIP}" download>the whole book as a zip</a>: unpack it and open <code>index.html</code>']
        if printed.exists():
            size = f"{printed.stat().st_size / 1e6:.1f} MB"
            links.append(f'<a href="{PDF}">the whole book as a PDF</a> for paper, {size}')
        items = "".join(f"<li>{link}</li>" for link in links)
        return [nodes.raw("", BOX.format(items=items), format="html")]


def setup(app):
    """Register with Sphinx; ``offline_without`` names folders of the site that nobody reads on a train."""
    app.add_config_value("offline_without", ["lite", "_static/cards"], "html")
    app.add_directive("offline", Offline)
    app.connect("builder-inited", copy_script)
    app.connect("build-finished", take_along, priority=950)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
