"""A small book with the course's settings, an address, a repository, and faults in its first page; built once a run."""

import fcntl
import os
import pickle
import subprocess
import sys
from pathlib import Path

import yaml
from PIL import Image

from autograder.course.course import Course
from tests.support.root import ROOT

COURSE = Course(ROOT)
HOME = COURSE.book_url or "https://course.example/attention/"  # a course's own address wins
REPOSITORY = "https://github.com/OWNER/NAME"
CHAPTER = COURSE.chapters()[0]
PAGES = {
    "index": """# A small book

The first paragraph says what the page is about, and is long enough.

![](picture.png)

[A dead link](nowhere.md), and

[a dead anchor](other.md#nowhere).

Nobody has explained {term}`lino`.
""",
    "other": f"# Another page\n\n![a grey square](picture.png)\n\n```{{assignment}} {CHAPTER}\n```\n",
}


def built_once(folder, root):
    """Return the small book's HTML and the command that has built it, in a folder that all workers share."""
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "done").exists():
            write(folder, root)
            (folder / "done").write_bytes(pickle.dumps(build(folder, "-q")))
    return folder / "_build/html", pickle.loads((folder / "done").read_bytes())


def write(folder, root):
    """Write the small book's pages and settings beside links to the course."""
    (folder / "book").mkdir()
    for name in ("_ext", "_static", "demos", "figures", "references.bib"):
        (folder / "book" / name).symlink_to(root / "book" / name)
    for name in ("attention", "autograder", "exercises", "node_modules"):
        (folder / name).symlink_to(root / name)
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    config["html"]["baseurl"] = HOME
    config["sphinx"]["config"]["repository_url"] = REPOSITORY
    (folder / "_config.yml").write_text(yaml.safe_dump(config))
    (folder / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters: [{file: other}]\n")
    Image.new("L", (7, 5), 128).save(folder / "book/picture.png")
    for name, text in PAGES.items():
        (folder / f"book/{name}.md").write_text(text, encoding="utf-8")


# The command jupyter-book without a parser of URLs that takes a second to load and is asked for nothing.
COMMAND = "import sys; sys.modules['rfc3987_syntax'] = None; from jupyter_book.cli.main import main; main()"


def build(folder, *options):
    """Build the book in a folder as `make book` does; return what the command said, and its exit code."""
    given = ["book", "--config", "_config.yml", "--toc", "_toc.yml", "--path-output", ".", "-W", "--keep-going"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # formulas are rendered by the venv's node
    environment = os.environ | {"PATH": path}
    command = [sys.executable, "-c", COMMAND, "build", *given, *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
