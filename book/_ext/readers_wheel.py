"""Build the readers' wheel: the mathematics alone, so that ``from attention import softmax`` works anywhere.

    python book/_ext/readers_wheel.py FOLDER

The book offers it among its downloads. The same sources always give the same bytes, and nothing is fetched.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]
LONG_AGO = "315532800"  # 1980, the first date that a zip can hold
PATTERN = "attention_row_by_row-*.whl"
BOX = """<p>The functions of the chapters as a wheel:
<a href="downloads/{name}" download>{name}</a>, for Python 3.10 or newer. Install the file with</p>
<div class="highlight notranslate"><pre>pip install {name}</pre></div>
<p>and <code>from attention import softmax</code> works in any notebook.
(On PyPI, <code>attention</code> is another package.)</p>"""


def wheel_name():
    """Return the name of the wheel's file: its version is the course's."""
    return f"attention_row_by_row-{version()}-py3-none-any.whl"


def version():
    """Return the course's version, from CITATION.cff."""
    return str(yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"])


def lay_out(stage):
    """Copy what the wheel is made from, with the same permissions everywhere."""
    sources = [ROOT / "LICENSE", ROOT / "attention/__init__.py", *sorted((ROOT / "attention/chapters").glob("*.py"))]
    for source in sources:
        target = stage / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    shutil.copyfile(ROOT / "attention/pyproject.toml", stage / "pyproject.toml")
    (stage / "VERSION").write_text(version(), encoding="utf-8")
    for path in stage.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def build_wheel(folder):
    """Build the wheel into a folder, in place of older ones, and return its path."""
    for old in folder.glob(PATTERN):
        old.unlink()
    with TemporaryDirectory() as stage:
        lay_out(Path(stage))
        options = ["--quiet", "--disable-pip-version-check", "--no-build-isolation", "--no-index", "--no-deps"]
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder, stage],
            env=os.environ | {"SOURCE_DATE_EPOCH": LONG_AGO},
            umask=0o022,
            check=True,
        )
    return folder / wheel_name()


def offer_wheel(app, exception):
    """Put the wheel among the book's downloads once its pages are written."""
    if exception is None and app.builder.name == "html":
        downloads = Path(app.outdir, "downloads")
        downloads.mkdir(parents=True, exist_ok=True)
        build_wheel(downloads)


class Wheel(SphinxDirective):
    """``{wheel}``: the wheel's link, and how to install it."""

    def run(self):
        """Return the link and the line."""
        name = wheel_name()
        return [nodes.raw("", BOX.format(name=name), format="html")]


def setup(app):
    """Register with Sphinx."""
    app.add_directive("wheel", Wheel)
    app.connect("build-finished", offer_wheel, priority=400)  # before the book is packed
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    print(build_wheel(Path(sys.argv[1]).resolve()))
