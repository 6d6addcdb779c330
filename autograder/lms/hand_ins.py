"""Splits what the instructor names, a folder, a zip or a file, into hand-ins: each is read by itself.

The entries of a folder or a zip are hand-ins, or those of the one folder that holds everything. What is inside an entry
was chosen by a student.
"""

import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO

from autograder.grading.intake import NOTEBOOK_BYTES

from .archives import (
    BYTES_WITHIN,
    DAMAGE,
    ENTRIES,
    ENTRIES_WITHIN,
    HEAD_BYTES,
    MAX_PATH_FOLDERS,
    ZIP,
    Found,
    ReadBudget,
    RefusedFile,
    check_directory,
    check_entry,
    check_overlap,
    describe_archive_error,
    in_entry,
    in_file,
    is_of_the_system,
    path_parts,
    read_entry,
    regular_file,
)


@dataclass(frozen=True)
class StoredFile:
    """A file of a hand-in: its path, what yields all that it holds, and what returns its bytes as they are."""

    parts: tuple[str, ...]
    contents: Callable[[ReadBudget], Iterator[Found]]
    data: Callable[[], bytes]


@dataclass(frozen=True)
class StoredHandIn:
    """One hand-in: its path, what measures it as it is stored, and what lists its files.

    Nothing inside it is looked at before one of the two is called.
    """

    parts: tuple[str, ...]
    size: Callable[[], int]
    files: Callable[[], Iterator[StoredFile]]

    def read(self) -> Iterator[Found]:
        """Yield all that it holds. What cannot be read, or is too much, is refused by name."""
        bounds = ReadBudget(ENTRIES_WITHIN, BYTES_WITHIN)
        try:
            for file in self.files():
                bounds.one_more()
                for found in file.contents(bounds):
                    yield replace(found, outside=len(file.parts))
        except DAMAGE as error:
            yield Found(self.parts, refused=describe_archive_error(error), outside=len(self.parts))

    def only_file(self) -> tuple[tuple[str, ...], bytes] | None:
        """Return the path and bytes of its file; None for several, none, or one that is too large or unreadable."""
        try:
            (file,) = islice(self.files(), 2)
            data = file.data()
        except DAMAGE:
            return None
        return file.parts, data


def hand_ins(path: Path) -> Iterator[StoredHandIn]:
    """Yield the hand-ins; each can be read until the next is asked for.

    If the folder or the zip itself cannot be read, one hand-in in its name says why.
    """
    try:
        yield from _stored_in(path)
    except DAMAGE as error:
        yield StoredHandIn((path.name,), lambda: 0, partial(_fail, error))


def _fail(error: Exception) -> Iterator[StoredFile]:
    raise error


def _stored_in(path: Path) -> Iterator[StoredHandIn]:
    if path.is_dir():
        yield from _in_folder(path)
        return
    with regular_file(path) as file:
        if file.read(HEAD_BYTES).startswith(ZIP):
            yield from _in_zip(file, path.name)
        else:
            here = _on_disk(path, (path.name,))
            yield StoredHandIn((path.name,), partial(_size_of, path), lambda: iter([here]))


def _in_folder(folder: Path) -> Iterator[StoredHandIn]:
    parts, entries = (folder.resolve().name,), _entries_of(folder, ENTRIES + 1)
    if len(entries) == 1 and entries[0].is_dir(follow_symlinks=False):
        parts, entries = (*parts, entries[0].name), _entries_of(entries[0].path, ENTRIES + 1)
    if len(entries) > ENTRIES:
        raise RefusedFile(f"it holds more than {ENTRIES} files: give its folders one by one")
    for entry in entries:
        here = (*parts, entry.name)
        yield StoredHandIn(here, partial(_size_in, entry, here), partial(_files_in, entry, here))


def _in_zip(file: IO[bytes], name: str) -> Iterator[StoredHandIn]:
    check_directory(file, ReadBudget(ENTRIES, 0))
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        check_overlap(entries, archive.start_dir)
        if len(entries) > ENTRIES:
            raise RefusedFile(f"it holds more than {ENTRIES} files: unpack it and give the folders")
        named = [(path_parts(entry), entry) for entry in entries if not entry.filename.endswith("/")]
        named = [(names, entry) for names, entry in named if not any(map(is_of_the_system, names))]
        is_wrapped = len({names[0] for names, _ in named}) == 1 and all(len(names) > 1 for names, _ in named)
        groups: dict[tuple[str, ...], list[tuple[StoredFile, int]]] = {}
        for names, entry in named:
            stored = _zipped(archive, entry, (name, *names))
            groups.setdefault(stored.parts[: 2 + is_wrapped], []).append((stored, entry.compress_size))
        for parts, members in groups.items():
            files = [stored for stored, _ in members]
            yield StoredHandIn(parts, partial(sum, [size for _, size in members]), partial(iter, files))


def _on_disk(path: Path, parts: tuple[str, ...]) -> StoredFile:
    def data() -> bytes:
        with regular_file(path) as file:
            size = os.fstat(file.fileno()).st_size
            return read_entry(file, size, NOTEBOOK_BYTES, ReadBudget(1, NOTEBOOK_BYTES))

    return StoredFile(parts, partial(in_file, path, parts), data)


def _zipped(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, parts: tuple[str, ...]) -> StoredFile:
    def data() -> bytes:
        check_entry(entry)
        with archive.open(entry) as file:
            return read_entry(file, entry.file_size, NOTEBOOK_BYTES, ReadBudget(1, NOTEBOOK_BYTES))

    return StoredFile(parts, partial(in_entry, archive, entry, parts), data)


def _entries_of(folder: Path | str, most: int) -> list[os.DirEntry[str]]:
    """Return a folder's entries, so many at most, sorted, without those of the system. Errors: OSError."""
    with os.scandir(folder) as entries:
        named = (each for each in entries if not is_of_the_system(each.name))
        return sorted(islice(named, most), key=lambda each: each.name)


def _files_in(entry: os.DirEntry[str], parts: tuple[str, ...]) -> Iterator[StoredFile]:
    """Yield whatever is below a folder's entry and is no folder, sorted. Errors: as ``_walk``."""
    for path, here in _walk(entry, parts, ReadBudget(ENTRIES_WITHIN, 0)):
        yield _on_disk(path, here)


def _walk(
    entry: os.DirEntry[str], parts: tuple[str, ...], bounds: ReadBudget
) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield the paths below a folder's entry that are no folders, or that are too deep. Links are not followed.

    Errors: RefusedFile for more files and folders than ``bounds`` allows; OSError.
    """
    if not entry.is_dir(follow_symlinks=False) or len(parts) > MAX_PATH_FOLDERS + 1:
        yield Path(entry.path), parts
        return
    for each in _entries_of(entry.path, bounds.entries + 1):
        bounds.one_more()
        yield from _walk(each, (*parts, each.name), bounds)


def _size_in(entry: os.DirEntry[str], parts: tuple[str, ...]) -> int:
    """Return how many bytes the files of a hand-in take, as far as they can be seen."""
    size = 0
    with suppress(*DAMAGE):
        for path, _ in _walk(entry, parts, ReadBudget(ENTRIES_WITHIN, 0)):
            size += _size_of(path)
    return size


def _size_of(path: Path) -> int:
    with suppress(OSError):
        return path.lstat().st_size
    return 0
