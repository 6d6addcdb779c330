"""A folder is safe if no other account could replace it, what is in it, or a folder on the way to it."""

import grp
import os
import pwd
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.safe_folder import why_unsafe

STRANGER = 54_321


@pytest.fixture
def place(tmp_path):
    """A folder in a folder, both one's own."""
    folder = tmp_path / "above" / "folder"
    folder.mkdir(parents=True, mode=0o755)
    (tmp_path / "above").chmod(0o755)
    folder.chmod(0o755)
    return folder


@pytest.fixture
def give(monkeypatch):
    """Give a path to a stranger, as `lstat` reports it."""
    given, lstat = set(), Path.lstat

    def see(path):
        status = lstat(path)
        return os.stat_result([*status[:4], STRANGER, *status[5:]]) if path in given else status

    monkeypatch.setattr(Path, "lstat", see)
    return given.add


def accounts(monkeypatch, *members):
    """Make every group have these members: account numbers, by their primary group or by name."""
    listed = [SimpleNamespace(pw_name="me", pw_uid=os.geteuid(), pw_gid=-1)]
    listed += [SimpleNamespace(pw_name=f"n{number}", pw_uid=number, pw_gid=-1) for number in members]
    monkeypatch.setattr(pwd, "getpwall", lambda: listed)
    group = SimpleNamespace(gr_name="staff", gr_mem=["me", *(f"n{number}" for number in members)])
    monkeypatch.setattr(grp, "getgrgid", lambda number: group)


def test_ones_own_folder_is_safe(place):
    """Nobody else may write to it or to a folder above it."""
    assert why_unsafe(place) == ""


@pytest.mark.parametrize(("mode", "safe"), [(0o777, False), (0o1777, True), (0o702, False), (0o711, True)])
def test_a_folder_above_is_everybodys_only_if_it_is_sticky(place, mode, safe):
    """Without the sticky bit, anybody renames the folder and puts another there."""
    place.parent.chmod(mode)
    assert (why_unsafe(place) == "") == safe
    assert safe or f"chmod +t {place.parent}" in why_unsafe(place)


@pytest.mark.parametrize("mode", [0o777, 0o1777])
def test_the_folder_itself_is_nobody_elses_to_fill(place, mode):
    """A sticky bit does not keep others from adding files; only a drop box is for that."""
    place.chmod(mode)
    assert f"chmod o-w {place}" in why_unsafe(place)
    assert why_unsafe(place, is_drop_box=True) == ""


@pytest.mark.parametrize("is_drop_box", [False, True])
def test_what_belongs_to_another_is_unsafe(place, give, is_drop_box):
    """Its owner can change its mode and its contents; whoever is named as trusted may."""
    give(place)
    assert f"{place} belongs to the account number {STRANGER}" in why_unsafe(place, is_drop_box=is_drop_box)
    assert why_unsafe(place, frozenset([STRANGER]), is_drop_box) == ""


def test_a_sticky_folder_of_another_is_unsafe(place, give):
    """The owner of a sticky folder may rename what is in it."""
    place.parent.chmod(0o1777)
    give(place.parent)
    assert f"{place.parent} belongs to" in why_unsafe(place)


@pytest.mark.parametrize(("members", "safe"), [((), True), ((STRANGER,), False)])
def test_a_group_counts_as_its_members(place, monkeypatch, members, safe):
    """One's private group has none but oneself; a shared one has others, whom the caller may trust."""
    place.chmod(0o770)
    accounts(monkeypatch, *members)
    assert (why_unsafe(place) == "") == safe
    assert safe or "the group staff may write" in why_unsafe(place)
    assert why_unsafe(place, frozenset(members)) == ""


def test_a_primary_group_is_a_membership(place, monkeypatch):
    """The list of a group's members leaves out those whose primary group it is."""
    place.chmod(0o775)
    accounts(monkeypatch)
    pwd.getpwall().append(SimpleNamespace(pw_name="eve", pw_uid=STRANGER, pw_gid=place.stat().st_gid))
    assert "the group staff may write" in why_unsafe(place)


def test_a_group_of_accounts_that_are_not_listed_is_shared(place, monkeypatch):
    """A directory service may list no accounts: there a group is private only if it has one's own name."""
    place.chmod(0o775)
    accounts(monkeypatch)
    pwd.getpwall().clear()
    monkeypatch.setattr(os, "getgroups", lambda: [7])
    lstat = Path.lstat
    monkeypatch.setattr(
        Path, "lstat", lambda path: os.stat_result([*(now := lstat(path))[:5], 7 if path == place else 0, *now[6:]])
    )
    monkeypatch.setattr(pwd, "getpwuid", lambda number: SimpleNamespace(pw_name="staff"))
    assert why_unsafe(place) == ""
    monkeypatch.setattr(pwd, "getpwuid", lambda number: SimpleNamespace(pw_name="ana"))
    assert "the group staff may write" in why_unsafe(place)


def test_a_link_is_as_safe_as_the_folder_that_holds_it(place, tmp_path):
    """Whoever may write there can lead the link elsewhere, though the folder that it leads to is safe."""
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    (open_to_all / "link").symlink_to(place)
    assert f"everybody may write to {open_to_all}" in why_unsafe(open_to_all / "link")
    open_to_all.chmod(0o755)
    assert why_unsafe(open_to_all / "link") == ""


def test_where_a_link_leads_is_examined(place, tmp_path, give):
    """The folders above the real one count, and so does who made the link."""
    (tmp_path / "link").symlink_to("above/../above/folder")
    assert why_unsafe(tmp_path / "link") == ""
    place.parent.chmod(0o777)
    assert f"everybody may write to {place.parent}" in why_unsafe(tmp_path / "link")
    place.parent.chmod(0o755)
    give(tmp_path / "link")
    assert f"{tmp_path / 'link'} belongs to" in why_unsafe(tmp_path / "link")


def test_what_is_no_folder_is_unsafe(tmp_path):
    """A pipe, nothing at all, and a link to itself are each named; a file counts as a folder does."""
    (tmp_path / "file").touch(mode=0o600)
    assert why_unsafe(tmp_path / "file") == ""
    (tmp_path / "file").chmod(0o602)
    assert "may write" in why_unsafe(tmp_path / "file")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    assert "neither" in why_unsafe(tmp_path / "pipe")
    assert "cannot be examined" in why_unsafe(tmp_path / "nothing")
    assert "cannot be examined" in why_unsafe(tmp_path / "loop" / "x")
