"""The exercises of each chapter become a zip in the built book, and a directive offers the ways to work on them."""

import zipfile
from html import escape
from importlib.metadata import version
from pathlib import Path

import nbformat
import repository
from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from autograder.course.course import SLIPS
from autograder.course.left_out import as_downloaded
from autograder.course.which_course import course_of_book

logger = logging.getLogger(__name__)
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # one date for all, so that the same files give the same bytes
SKIPPED = {".ipynb_checkpoints", "__pycache__"}
NOTEBOOK = "lite/notebooks/index.html?path={name}/{name}.ipynb"
BOX = """<div class="assignment">
<p><a class="assignment-button from-a-server" href="{up}{notebook}">Open it in the browser</a>
<a class="assignment-button" href="{up}downloads/{name}.zip" download>Download the assignment (zip)</a></p>
<p class="from-a-server">In the browser, JupyterLite loads {here} MB from this site, then Python with NumPy, about
{there} MB, from Pyodide’s distribution at cdn.jsdelivr.net.
Nothing is installed, and what you write stays in that browser until you download the notebook.</p>
{slips}{elsewhere}
<details><summary>On your own computer</summary>
<p>With Python 3.10 or newer, unpack the assignment and run this line in its folder:</p>
{lines}
</details>
</div>"""
SLIPS_LINK = """<p>Stuck, or told that an answer is wrong?
<a class="where-people-slip" href="{up}{page}.html">Where people slip</a> shows usual wrong answers of each exercise,
and what they mean.</p>
"""
LINE = """<p>{system}:</p>
<div class="highlight notranslate"><pre>{line}</pre></div>"""
# What a click on "in the browser" loads, in MB, counted in tests/book/test_lite_kernel.py; NumPy is estimated.
HERE, THERE = 7, 20
LINES = (
    ("Linux and macOS", "python3 -m venv lab && lab/bin/pip install {packages} && lab/bin/jupyter lab {name}.ipynb"),
    ("Windows", "py -m venv lab; lab\\Scripts\\pip install {packages}; lab\\Scripts\\jupyter lab {name}.ipynb"),
)


def exercises_folder(app):
    """Return the folder that holds one folder of exercises a chapter."""
    return course_of_book(Path(app.srcdir).resolve().parent).exercises_folder


def files_of(folder):
    """List the files of one assignment in a fixed order."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if not SKIPPED & set(path.parts))


def write_zip(target, top, folder, files, read=Path.read_bytes):
    """Pack files of ``folder`` into ``target``, below a folder ``top``; the same files always give the same bytes.

    ``read`` returns what is packed of a file.
    """
    with zipfile.ZipFile(target, "w") as archive:
        for path in files:
            entry = zipfile.ZipInfo(f"{top}/{path.relative_to(folder).as_posix()}", LONG_AGO)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            archive.writestr(entry, read(path), compresslevel=9)


def offered(path):
    """Return what is downloaded of an assignment's file: a notebook comes without links that lead nowhere."""
    if path.suffix != ".ipynb":
        return path.read_bytes()
    return f"{nbformat.writes(as_downloaded(path))}\n".encode()


def zip_all(app, exception):
    """Pack every chapter's exercises once the pages are written."""
    if exception is None and app.builder.format == "html":
        downloads = Path(app.outdir, "downloads")
        downloads.mkdir(parents=True, exist_ok=True)
        for old in downloads.glob("*.zip"):
            old.unlink()  # of a chapter that is not taught any more
        taught = (exercises_folder(app) / name for name in course_of_book(Path(app.srcdir).resolve().parent).chapters())
        for folder in (path for path in taught if path.is_dir()):
            write_zip(downloads / f"{folder.name}.zip", folder.name, folder, files_of(folder), offered)


def own_computer(name):
    """Write, for each system, the line that opens the notebook in the course's version of JupyterLab."""
    packages = f"jupyterlab=={version('jupyterlab')} numpy"  # a pinned NumPy would shut out older and newer Pythons
    return "\n".join(
        LINE.format(system=system, line=escape(line.format(packages=packages, name=name), quote=False))
        for system, line in LINES
    )


class Assignment(SphinxDirective):
    """``{assignment} 04_query_key_value``: where the chapter's exercises can be done, and their download."""

    required_arguments = 1

    def run(self):
        """Return the box, and warn in one line where there is nothing to work on."""
        name = self.arguments[0]
        folder = exercises_folder(self.env.app) / name
        if not folder.is_dir():
            where = self.get_location()
            logger.warning("no exercises in %s: the page's download would lead nowhere", folder, location=where)
        up, slips = "../" * self.env.docname.count("/"), f"{SLIPS}/{name}"
        box = BOX.format(
            name=name,
            notebook=NOTEBOOK.format(name=name),
            up=up,
            here=HERE,
            there=THERE,
            slips=SLIPS_LINK.format(up=up, page=slips) if slips in self.env.found_docs else "",
            elsewhere=repository.elsewhere(self.config, name, files_of(folder)),
            lines=own_computer(name),
        )
        return [nodes.raw("", box, format="html")]


def setup(app):
    """Register with Sphinx."""
    app.add_directive("assignment", Assignment)
    app.connect("build-finished", zip_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
