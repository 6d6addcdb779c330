"""What is packed is read within bounds: whatever a zip does, one line says it, and nothing is written by its names."""

import io
import os
import stat
import struct
import subprocess
import zipfile
from contextlib import suppress

import pytest

from autograder.lms import archives, hand_ins

from .lms_models import zip_of

NOTEBOOK = b'{"cells": [], "nbformat": 4}'


def packed(*entries, **kwargs):
    """Return a zip of ``(name or ZipInfo, bytes)``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data, **kwargs)
    return buffer.getvalue()


def info(name, mode=0, flags=0):
    """Return an entry that says it is of a kind."""
    entry = zipfile.ZipInfo(name, (2026, 12, 5, 9, 30, 0))
    entry.create_system, entry.external_attr = 3, mode << 16
    entry.flag_bits |= flags
    return entry


def contents(path):
    """Return all that a file holds."""
    return [found for hand_in in hand_ins.hand_ins(path) for found in hand_in.read()]


@pytest.fixture
def found(tmp_path):
    """Write bytes to a file and return what it holds, ``[(path, bytes or None, why not)]``."""

    def run(data, name="class.zip"):
        (tmp_path / name).write_bytes(data)
        before = sorted(tmp_path.rglob("*"))
        items = [("/".join(item.parts[1:]), item.data, item.refused) for item in contents(tmp_path / name)]
        assert sorted(tmp_path.rglob("*")) == before
        return items

    return run


def test_zips_in_zips_are_read(found):
    """A notebook is found three zips deep; a fourth is named."""
    one = zip_of([("a/x.ipynb", NOTEBOOK)])
    two = zip_of([("b.zip", one)])
    assert found(zip_of([("c.zip", two)])) == [("c.zip/b.zip/a/x.ipynb", NOTEBOOK, "")]
    assert found(zip_of([("d.zip", zip_of([("c.zip", two)]))])) == [("d.zip/c.zip/b.zip", None, archives.DEEP)]


def test_a_notebook_is_known_by_what_it_is(found):
    """Neither the name of a notebook nor that of a zip counts, but how it begins; a picture is named and not read."""
    held = found(
        packed(("x.txt", b"\xef\xbb\xbf \n" + NOTEBOOK), ("y.docx", zip_of([("z", NOTEBOOK)])), ("p.png", b"\x89PNG"))
    )
    assert [(name, bool(data)) for name, data, _ in held] == [("x.txt", True), ("y.docx/z", True), ("p.png", False)]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd.ipynb", "etc/passwd.ipynb"),
        ("/etc/passwd.ipynb", "etc/passwd.ipynb"),
        ("C:\\a\\..\\x.ipynb", "C:/a/x.ipynb"),
        ("a//./x.ipynb", "a/x.ipynb"),
        ("CON.ipynb", "CON.ipynb"),
        ("x\u202ebnypi.exe.ipynb", "x\u202ebnypi.exe.ipynb"),
        ("a/" * 400 + "x.ipynb", "a/" * 30 + "x.ipynb"),
        (f"{'n' * 5000}.ipynb", "n" * archives.MAX_PATH_LETTERS),
    ],
)
def test_a_name_leads_nowhere(found, name, shown):
    """What leads out, to a drive or nowhere is a name like any other; nothing is written by it."""
    ((path, data, refused),) = found(packed((name, NOTEBOOK)))
    assert (path, data, refused) == (shown, NOTEBOOK, "")


def test_names_that_hide_their_encoding_are_read(found):
    """UTF-8 without its flag, as macOS writes it, is read as UTF-8; what is none stays as old programs wrote it."""
    data = packed(("Zoë.ipynb", NOTEBOOK)).replace("Zoë".encode(), b"Zo\xc3\xab")
    for offset in (data.index(b"PK\x03\x04") + 6, data.index(b"PK\x01\x02") + 8):
        data = data[:offset] + struct.pack("<H", 0) + data[offset + 2 :]
    assert found(data)[0][0] == "Zoë.ipynb"
    assert found(data.replace(b"Zo\xc3\xab", b"Zo\x84x"))[0][0] == "Zoäx.ipynb"


def test_copies_of_the_system_are_left_out(found):
    """macOS's shadows and Jupyter's checkpoints are no second notebook."""
    names = ["__MACOSX/._x.ipynb", "a/.ipynb_checkpoints/x-checkpoint.ipynb", "._x.ipynb", ".DS_Store", "x.ipynb"]
    assert [name for name, _, _ in found(packed(*((name, NOTEBOOK) for name in names)))] == ["x.ipynb"]


def test_what_is_no_file_is_refused(found):
    """Links, devices and encrypted entries are named, and their neighbours are read."""
    data = packed(
        (info("link.ipynb", stat.S_IFLNK | 0o777), b"/etc/passwd"),
        (info("pipe.ipynb", stat.S_IFIFO), b""),
        (info("x.ipynb", stat.S_IFREG | 0o644), NOTEBOOK),
    )
    link, pipe, right = found(data)
    assert link[1:] == pipe[1:] == (None, "a link or a device, not a file: ask for the notebook itself")
    assert right == ("x.ipynb", NOTEBOOK, "")
    at = data.rindex(b"PK\x01\x02") + 8
    locked = data[:at] + struct.pack("<H", struct.unpack_from("<H", data, at)[0] | 1) + data[at + 2 :]
    assert found(locked)[2] == ("x.ipynb", None, "it is encrypted: ask for it without a password")


def test_bombs_cost_nothing(found, monkeypatch):
    """By ratio, by size, by count, and by zips in zips: each is named, and the files beside it are read."""
    monkeypatch.setattr(archives, "SMALL", 1000)
    beside = ("x.ipynb", NOTEBOOK)
    ratio, right = found(packed(("a.ipynb", b"{" + b" " * 999_983), beside))
    assert ratio[2] == "compressed more than 300 times, as in a zip bomb: ask for an ordinary file"
    assert right == (*beside, "")
    monkeypatch.setattr(hand_ins, "BYTES_WITHIN", 5000)
    monkeypatch.setattr(hand_ins, "ENTRIES_WITHIN", 11)
    noise = os.urandom(1501).hex().encode()
    inside = packed(*((f"{n}.ipynb", b"{" + noise) for n in range(2)))
    held = found(packed(("ben.zip", inside), ("cy.zip", packed(*((f"{n}.txt", b"") for n in range(12)))), beside))
    assert held[1][2].startswith("it holds more than 0 MB unpacked")
    assert held[-2] == ("cy.zip", None, "it holds more than 11 files: unpack it and give the folders")
    assert held[-1] == (*beside, "")


def test_a_directory_of_millions_is_refused_before_it_is_read(found, monkeypatch):
    """The size of a zip's directory is looked at before anything is made of it."""
    data = packed(*((f"{'n' * 200}{n}", b"") for n in range(7)))
    monkeypatch.setattr(hand_ins, "ENTRIES", 1)
    monkeypatch.setattr(zipfile.ZipFile, "__init__", lambda *_: pytest.fail("it was read"))
    ((_, _, refused),) = found(data)
    assert refused == "it holds more than 1 files: unpack it and give the folders"


def test_entries_that_overlap_are_refused(found):
    """A zip whose second entry is within its first, as in the densest bombs, is not unpacked."""
    data = bytearray(packed(("a.ipynb", NOTEBOOK), ("b.ipynb", NOTEBOOK)))
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<I", 1)
    assert "its entries overlap, as in a zip bomb" in found(bytes(data))[0][2]


def test_an_entry_that_lies_about_its_size_is_refused(found):
    """More bytes than the directory promises are not taken."""
    data = bytearray(packed(("a.ipynb", b"{" + b"x" * 997)))
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 90)
    ((_, taken, refused),) = found(bytes(data))
    assert taken is None or len(taken) <= 90
    assert refused


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (packed(("x.ipynb", NOTEBOOK))[:-30], "not a complete zip file: download it again, or ask for a new copy"),
        (b"PK\x03\x04", "not a complete zip file"),
        (packed(("x.ipynb", NOTEBOOK))[:3] + b"\0" + packed(("x.ipynb", NOTEBOOK))[4:], ""),
    ],
)
def test_broken_zips_are_refused_in_one_line(found, data, words):
    """Cut short, or hardly begun; what is no zip at all is a file like any other."""
    ((_, taken, refused),) = found(data)
    assert taken is None
    assert refused.startswith(words)


@pytest.mark.parametrize("where", ["the directory", "an entry"])
def test_what_the_zip_module_says_comes_with_a_remedy(found, where):
    """An offset that lies makes it seek before the beginning of the file: that is damage, and no reason of ours."""
    data = bytearray(packed(("x.ipynb", NOTEBOOK)))
    at = data.rindex(b"PK\x05\x06") + 16 if where == "the directory" else data.rindex(b"PK\x01\x02") + 42
    data[at : at + 4] = struct.pack("<I", 0xFFFFFFF0)
    for kind in (bytes(data), zip_of([("inner.zip", bytes(data))])):
        ((_, taken, refused),) = found(kind)
        assert taken is None
        assert ": " in refused


def test_a_damaged_entry_costs_only_itself(found):
    """A wrong checksum is named; the entry behind it is read."""
    data = packed(("a.ipynb", NOTEBOOK * 9), ("x.ipynb", NOTEBOOK))
    at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"PK\x01\x02")) + 16
    broken, right = found(data[:at] + b"\0\0\0\0" + data[at + 4 :])
    assert broken[1] is None
    assert broken[2].startswith("damaged (Bad CRC-32")
    assert right == ("x.ipynb", NOTEBOOK, "")


def test_two_entries_of_one_name_are_both_read(found):
    """A repeated name hides nothing."""
    with pytest.warns(UserWarning, match="Duplicate name"):
        data = packed(("x.ipynb", NOTEBOOK), ("x.ipynb", NOTEBOOK + b" "))
    assert [item[1] for item in found(data)] == [NOTEBOOK, NOTEBOOK + b" "]


def test_folders_are_read_without_following_anything(tmp_path):
    """Links of all kinds and pipes in a folder are named; a zip in it is opened."""
    folder = tmp_path / "class"
    (folder / "ada").mkdir(parents=True)
    (folder / "ada" / "x.ipynb").write_bytes(NOTEBOOK)
    (folder / "ben.zip").write_bytes(zip_of([("y.ipynb", NOTEBOOK)]))
    (folder / "cy").symlink_to("ada")
    (folder / "dee.ipynb").symlink_to("ada/x.ipynb")
    os.mkfifo(folder / "eve.ipynb")
    held = {"/".join(item.parts): item for item in contents(folder)}
    assert {name: bool(item.data) for name, item in held.items()} == {
        "class/ada/x.ipynb": True,
        "class/ben.zip/y.ipynb": True,
        "class/cy": False,
        "class/dee.ipynb": False,
        "class/eve.ipynb": False,
    }
    assert held["class/cy"].refused == held["class/dee.ipynb"].refused == "a symbolic link: give an ordinary file"
    assert held["class/eve.ipynb"].refused == "not an ordinary file: give the notebook itself"


@pytest.mark.parametrize("is_zip", [True, False])
def test_each_hand_in_has_its_own_budget(tmp_path, monkeypatch, is_zip):
    """Too many files in one entry of a folder or a zip are that entry's fault, and the next is read."""
    monkeypatch.setattr(hand_ins, "ENTRIES_WITHIN", 5)
    files = [*(f"ada/{number}.txt" for number in range(9)), *(f"ben/{number}.ipynb" for number in range(5))]
    if is_zip:
        path = tmp_path / "class.zip"
        path.write_bytes(zip_of([(name, NOTEBOOK) for name in files]))
    else:
        path = tmp_path / "class"
        for name in files:
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(NOTEBOOK)
    refused = [found.parts[1:] for found in contents(path) if found.refused]
    whole = [found.parts[1] for found in contents(path) if found.data and found.parts[-1].endswith(".ipynb")]
    assert (refused, whole) == ([("ada",)], ["ben"] * 5)


FOLDERS = {
    "deep": ["/".join("d" * 1000)],
    "many and empty": [f"{number}" for number in range(3000)],
    "many and deep": ["/".join("d" * 25) + f"/{number}" for number in range(3000)],
}


@pytest.mark.parametrize("form", FOLDERS)
def test_folders_within_a_hand_in_are_counted(tmp_path, form, request):
    """A thousand nested folders, or thousands of empty ones, are one line of their hand-in, and the next is read."""
    # pytest removes its folders recursively, and would fail at these.
    request.addfinalizer(lambda: subprocess.run(["rm", "-r", tmp_path / "class"], check=True))
    for name in FOLDERS[form]:
        here = os.open(tmp_path, os.O_RDONLY)
        for part in ("class", "ada", *name.split("/")):  # one by one: a path of this length cannot be opened
            with suppress(FileExistsError):
                os.mkdir(part, dir_fd=here)
            below = os.open(part, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(here)
    (tmp_path / "class" / "ben.ipynb").write_bytes(NOTEBOOK)
    first, second = hand_ins.hand_ins(tmp_path / "class")
    assert (first.size(), second.size()) == (first.size(), len(NOTEBOOK))
    (refused,), (right,) = first.read(), second.read()
    words = archives.DEEP if form == "deep" else "it holds more than 2000 files"
    assert (refused.parts[1], refused.refused.startswith(words), right.data) == ("ada", True, NOTEBOOK)


def test_what_is_in_a_hand_in_is_not_looked_at_before_it_is_asked_for(tmp_path, monkeypatch):
    """The names of hand-ins are known first: what then fails is one of them."""
    for name in ("ada", "ben"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(hand_ins, "_walk", lambda *_: pytest.fail("it was looked at"))
    assert [hand_in.parts[1] for hand_in in hand_ins.hand_ins(tmp_path)] == ["ada", "ben"]


def test_what_is_inside_an_archive_is_told_apart(tmp_path):
    """Of each path, the first parts are names of the folder or zip that was given; those in a zip inside it are not."""
    inner = zip_of([(f"ada/{n}.ipynb", NOTEBOOK) for n in range(2)])
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "homework.zip").write_bytes(inner)
    (tmp_path / "mail.zip").write_bytes(zip_of([("week 4/homework.zip", inner), ("week 4/x.ipynb", NOTEBOOK)]))
    assert [found.outside for found in contents(tmp_path / "mail")] == [2, 2]
    assert [found.outside for found in contents(tmp_path / "mail.zip")] == [3, 3, 3]
    assert [found.outside for found in contents(tmp_path / "mail" / "homework.zip")] == [3, 3]
