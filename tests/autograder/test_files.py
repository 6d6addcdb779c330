"""Folders are replaced whole, also where the old one cannot be renamed."""

import errno
import os
from pathlib import Path

import pytest

from autograder.files import replace_folder


@pytest.fixture
def folders(tmp_path):
    """A new folder, and an old one with a link in it."""
    new, old = tmp_path / "new", tmp_path / "there" / "old"
    for folder in (new, old):
        folder.mkdir(parents=True)
        (folder / f"{folder.name}.txt").write_text(folder.name)
    (old / "link").symlink_to(tmp_path / "elsewhere")
    return new, old


def refuse_to_rename(monkeypatch, folder):
    """As on a layered file system, whose lower layer holds the folder."""
    rename = os.rename

    def refusing(source, target, **where):
        if Path(source) == folder:
            raise OSError(errno.EXDEV, "Invalid cross-device link", str(source))
        return rename(source, target, **where)

    monkeypatch.setattr(os, "rename", refusing)


@pytest.mark.parametrize("is_layered", [False, True])
def test_a_folder_is_replaced(folders, monkeypatch, is_layered):
    """Nothing of the old one is left, in its place or beside it."""
    new, old = folders
    if is_layered:
        refuse_to_rename(monkeypatch, old)
    replace_folder(new, old)
    assert [path.name for path in old.iterdir()] == ["new.txt"]
    assert [path.name for path in old.parent.iterdir()] == ["old"]
    assert not new.exists()
