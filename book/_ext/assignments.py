"""Every folder in exercises/ becomes a zip in the built book, and a directive offers it for download."""

import zipfile
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # one date for all, so that the same files give the same bytes
SKIPPED = {".ipynb_checkpoints", "__pycache__"}


def exercises_folder(app):
    """Return the folder that holds one folder of exercises a chapter."""
    return Path(app.srcdir, app.config.assignments_folder).resolve()


def files_of(folder):
    """List the files of one assignment in a fixed order."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if not SKIPPED & set(path.parts))


def write_zip(folder, target):
    """Pack ``folder`` into ``target`` so that the same files always give the same bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as archive:
        for path in files_of(folder):
            entry = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, path.read_bytes())


def zip_all(app, exception):
    """Pack every chapter's exercises once the pages are written."""
    if exception is None and app.builder.format == "html":
        for folder in sorted(path for path in exercises_folder(app).glob("[0-9]*") if path.is_dir()):
            write_zip(folder, Path(app.outdir, "downloads", f"{folder.name}.zip"))


class Assignment(SphinxDirective):
    """``{assignment} 04_query_key_value``: a button that downloads the chapter's exercises."""

    required_arguments = 1

    def run(self):
        """Return the button, and warn in one line where there is nothing to download."""
        name = self.arguments[0]
        folder = exercises_folder(self.env.app) / name
        if not folder.is_dir():
            where = self.get_location()
            logger.warning("no exercises in %s: the page's download would lead nowhere", folder, location=where)
        href = "../" * self.env.docname.count("/") + f"downloads/{name}.zip"
        link = f'<p><a class="assignment-button" href="{href}" download>Download the assignment (zip)</a></p>'
        return [nodes.raw("", link, format="html")]


def setup(app):
    """Register with Sphinx."""
    app.add_config_value("assignments_folder", "../exercises", "env")
    app.add_directive("assignment", Assignment)
    app.connect("build-finished", zip_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
