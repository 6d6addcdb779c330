"""Tells whether another account could replace a folder or what is in it, as git does before it trusts a repository."""

import errno
import grp
import os
import pwd
import stat
from collections.abc import Iterator
from pathlib import Path

from autograder.plain import visible

_MAX_LINKS = 40  # on the way to a folder, as the kernel counts


def why_unsafe(folder: Path, trusted: frozenset[int] = frozenset(), is_drop_box: bool = False) -> str:
    """Return how another account could replace a folder or its contents, and what to do, as a clause; "" if none can.

    A file is examined in the same way.
    Trusted are the caller, root, and the account numbers in ``trusted``. They must own the folder and every folder and
    link on the way to it, and nobody else may write there, except to a sticky folder above it. With ``is_drop_box``,
    everybody may write to the folder itself. Access lists (ACLs) are not read.
    """
    trusted |= {0, os.geteuid()}
    try:
        *above, last = _on_the_way(folder)
        reasons = [_why_replaceable(path, status, trusted, stat.S_ISVTX) for path, status in above]
        path, status = last
        if not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
            return f"{visible(path)} is neither a folder nor a file: name one"
        reasons.append(_owned_by_another(path, status, trusted) if is_drop_box else _why_replaceable(*last, trusted))
    except OSError as error:
        return f"{visible(error.filename or folder)} cannot be examined ({error.strerror}): name a folder that is there"
    return next(filter(None, reasons), "")


def accounts_in(group: int) -> frozenset[int]:
    """Return the account numbers known to be in a group, as members or because it is their primary group.

    A directory service that does not list its accounts hides those whose primary group it is.
    """
    try:
        names = set(grp.getgrgid(group).gr_mem)
    except KeyError:
        names = set()
    return frozenset(each.pw_uid for each in pwd.getpwall() if each.pw_gid == group or each.pw_name in names)


def _on_the_way(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield every folder and link from / to a folder, with its status, in the order in which the kernel passes them."""
    here, names, links = Path("/"), list(reversed(folder.absolute().parts[1:])), 0
    yield here, here.lstat()
    while names:
        name = names.pop()
        path = here.parent if name == ".." else here / name
        status = path.lstat()
        yield path, status
        if not stat.S_ISLNK(status.st_mode):
            here = path
            continue
        links += 1
        if links > _MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder))
        target = path.readlink()
        names += reversed(target.parts[1:] if target.is_absolute() else target.parts)
        here = Path("/") if target.is_absolute() else here


def _why_replaceable(path: Path, status: os.stat_result, trusted: frozenset[int], enough: int = 0) -> str:
    """Return who else owns a folder or link or may write to it; a folder with the mode ``enough`` may be written to."""
    if reason := _owned_by_another(path, status, trusted):
        return reason
    mode = status.st_mode
    if stat.S_ISLNK(mode) or mode & enough:
        return ""
    if mode & stat.S_IWOTH:
        remedy = f"`chmod +t {visible(path)}`" if enough else f"`chmod o-w {visible(path)}`"
        return f"everybody may write to {visible(path)}: {remedy}"
    if mode & stat.S_IWGRP and not _is_private(status.st_gid, trusted):
        return f"the group {_group_name(status.st_gid)} may write to {visible(path)}: `chmod g-w {visible(path)}`"
    return ""


def _owned_by_another(path: Path, status: os.stat_result, trusted: frozenset[int]) -> str:
    if status.st_uid in trusted:
        return ""
    try:
        owner = pwd.getpwuid(status.st_uid).pw_name
    except KeyError:
        owner = f"the account number {status.st_uid}"
    return f"{visible(path)} belongs to {visible(owner)}: it must be yours or root's"


def _is_private(group: int, trusted: frozenset[int]) -> bool:
    """Say whether a group has no members but trusted ones.

    Where the caller is not listed among the accounts, neither are others: their own group is private by its name alone.
    """
    is_complete = any(each.pw_uid == os.geteuid() for each in pwd.getpwall())
    if not is_complete and group in {os.getegid(), *os.getgroups()} and group != 0:
        try:
            return pwd.getpwuid(os.geteuid()).pw_name == _group_name(group)
        except KeyError:
            return False
    return accounts_in(group) <= trusted


def _group_name(group: int) -> str:
    try:
        return visible(grp.getgrgid(group).gr_name)
    except KeyError:
        return f"number {group}"
