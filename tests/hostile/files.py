"""The folder holds no notebook, somebody else's, or more than a notebook."""

import gzip
import io
import os
import socket
import stat
import zipfile
from contextlib import suppress

from tests.support.hand_in import RIGHT

from .corpus import CHAPTER, NAME, Hostile

INVALID, ABSENT = ("invalid_submission",), ("no_notebook",)
SHADOW = "import builtins\nbuiltins.owned = True\nraise SystemExit('owned')\n"
SHADOWS = ("numpy.py", "selfcheck.py", "sitecustomize.py", "usercustomize.py", "conftest.py", "nbformat.py", "json.py")
NEIGHBOUR = f"../../000_1_right/{CHAPTER}/{NAME}"


def instead(make):
    """Return a preparation that puts something in the notebook's place."""

    def prepare(folder):
        (folder / NAME).unlink()
        make(folder / NAME)

    return prepare


def bind(path):
    """Put a socket in the notebook's place. Its name may be too long to bind from elsewhere."""
    place = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"/proc/self/fd/{place}/{path.name}")
    os.close(place)


def device(path):
    """Put a device in the notebook's place, or a pipe where only root may make devices."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        os.mkfifo(path)


def replace_folder(levels):
    """Return a preparation that makes one of the student's own folders a link to the neighbour's."""

    def prepare(folder):
        (folder / NAME).unlink()
        folder.rmdir()
        own = [folder, folder.parent][levels]
        if levels:
            own.rmdir()
        own.symlink_to(own.parent / ("../000_1_right/" + CHAPTER if not levels else "000_1_right"))

    return prepare


def shadows(folder):
    """Put modules with the names of ours beside the notebook."""
    for name in SHADOWS:
        (folder / name).write_text(SHADOW)
    (folder / "evil.pth").write_text("import builtins; builtins.owned = True\n")
    (folder / "numpy").mkdir()
    (folder / "numpy" / "__init__.py").write_text(SHADOW)
    (folder / "examples.json").write_text('{"double": {"cases": [], "mistakes": []}}')


def more_files(folder):
    """Put links, deep folders and files with odd names beside the notebook."""
    (folder / "link").symlink_to("/etc")
    (folder / "timestamp.txt").write_text("1970-01-01 00:00:00 UTC")
    (folder / ("x" * 255)).touch()
    (folder / "result.json").write_text('{"score": 10}')
    (folder / "gradebook.db").write_bytes(b"SQLite format 3\0")
    with suppress(OSError):
        os.mkfifo(folder / "nbgrader_config.py")
        (folder / "bad\udcff\n.ipynb").write_text("{}")


def bomb():
    """Return a zip file that holds a hundred megabytes of nothing."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"../../../{NAME}", bytes(100 << 20))
    return content.getvalue()


ENTRIES = (
    Hostile(
        "link_to_neighbour",
        "a link to somebody's right answers",
        prepare=instead(lambda path: path.symlink_to(NEIGHBOUR)),
        status=INVALID,
        words="symbolic link",
    ),
    Hostile(
        "link_to_host",
        "a link to a file of the host",
        prepare=instead(lambda path: path.symlink_to("/etc/passwd")),
        status=INVALID,
    ),
    Hostile("link_loop", "a link to itself", prepare=instead(lambda path: path.symlink_to(path.name)), status=INVALID),
    Hostile(
        "hard_link",
        "somebody's right answers under a second name",
        prepare=instead(lambda path: os.link(path.parent / NEIGHBOUR, path)),
        status=INVALID,
        words="hard link",
    ),
    Hostile("linked_chapter", "the chapter's folder is somebody else's", prepare=replace_folder(0), status=INVALID),
    Hostile("linked_student", "the student's folder is somebody else's", prepare=replace_folder(1), status=INVALID),
    Hostile("pipe", "a pipe that nobody writes to", prepare=instead(os.mkfifo), status=INVALID),
    Hostile("socket", "a socket", prepare=instead(bind), status=INVALID),
    Hostile("device", "a device that never ends", prepare=instead(device), status=INVALID),
    Hostile("folder", "a folder", prepare=instead(lambda path: path.mkdir()), status=INVALID),
    Hostile("no_file", "nothing at all", prepare=instead(lambda path: None), status=ABSENT, words="no notebook"),
    Hostile(
        "other_name",
        "the right answers under another name",
        answer=RIGHT,
        prepare=lambda folder: (folder / NAME).rename(folder / "mine.ipynb"),
        status=ABSENT,
    ),
    Hostile(
        "sparse",
        "a file of ten terabytes that takes no room",
        prepare=lambda folder: os.truncate(folder / NAME, 10 << 40),
        status=INVALID,
        words="larger than 64 MB",
    ),
    Hostile("zip_bomb", "a zip file with paths that lead out", raw=bomb, status=INVALID),
    Hostile("gzip", "a packed notebook", raw=lambda: gzip.compress(bytes(20 << 20)), status=INVALID),
    Hostile(
        "shadows",
        "modules and examples with the names of ours beside the notebook",
        prepare=shadows,
        words="Returns nothing",
    ),
    Hostile("more_files", "links, pipes and results beside the notebook", prepare=more_files, words="Returns nothing"),
)
