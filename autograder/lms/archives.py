"""Reads folders and zips, nested zips included, within fixed limits. Nothing is unpacked under a name found inside.

Each hand-in, an entry of what the instructor names, is read within limits of its own: one bomb affects nobody else.
The limits on sizes are defined here alone, those on time and memory in ``scan.py``.
"""

import io
import lzma
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from zipfile import ZipFile, ZipInfo

from autograder.grading.intake import NOTEBOOK_BYTES, one_line

ENTRIES, ENTRIES_WITHIN = 50_000, 2_000  # of what the instructor names, and of one hand-in in it
BYTES_WITHIN, ZIP_BYTES = 512 << 20, 128 << 20  # of one hand-in, unpacked, and of a zip in it, packed
RATIO, SMALL = 300, 4 << 20  # the largest compression ratio, for entries above a size
MAX_ZIP_DEPTH = 3  # zips in zips
MAX_PATH_LETTERS, MAX_PATH_FOLDERS = 1000, 30  # of a path
DEEP = f"more than {MAX_ZIP_DEPTH} nested zips, or {MAX_PATH_FOLDERS} folders: ask for the notebook itself"
DIRECTORY = 512  # bytes of a zip's directory per entry: its name and extra fields
HEAD_BYTES = 64  # bytes that identify a file type
SYSTEM = (
    "__MACOSX",
    ".ipynb_checkpoints",
    ".DS_Store",
    "Thumbs.db",
)  # copies and notes that no student hands in on purpose
END = b"PK\x05\x06"
ZIP = (b"PK\x03\x04", END)  # with something in it, and empty
DAMAGE: tuple[type[Exception], ...] = (
    ValueError,
    OSError,
    EOFError,
    RuntimeError,
    MemoryError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)
DAMAGE = (*DAMAGE, struct.error, IndexError)  # what zipfile raises for hostile bytes


class RefusedFile(ValueError):
    """What is not read, and what to do, in a line; any other ValueError is of the modules that read archives."""


@dataclass(frozen=True)
class Found:
    """A file that was found; ``parts`` is its path, starting with the name of the file that was read.

    ``data`` are its bytes if it may be a notebook. ``refused`` says why it was not read, and what to do.
    ``when`` is the time in the outermost zip's directory, in seconds without a time zone; 0 in folders.
    ``outside`` is how many parts are outside a hand-in's own archives; those behind them are the student's choice.
    """

    parts: tuple[str, ...]
    data: bytes | None = None
    refused: str = ""
    when: int = 0
    outside: int = 0


class ReadBudget:
    """How much may still be read. Errors: RefusedFile, with a readable message, beyond that."""

    def __init__(self, entries: int, size: int) -> None:
        self.entries, self.size, self.most = entries, size, (entries, size)

    def one_more(self) -> None:
        """Count an entry."""
        self.entries -= 1
        if self.entries < 0:
            raise RefusedFile(f"it holds more than {self.most[0]} files: unpack it and give the folders")

    def take(self, size: int) -> None:
        """Count bytes."""
        self.size -= size
        if self.size < 0:
            raise RefusedFile(f"it holds more than {self.most[1] >> 20} MB unpacked: unpack it and give the folders")


@contextmanager
def regular_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a regular file. Errors: RefusedFile for a link, a pipe, a device, or what cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        is_link = os.path.islink(path)  # noqa: PTH114 - of a name in bytes too
        reason = "a symbolic link: give an ordinary file" if is_link else describe_archive_error(error)
        raise RefusedFile(reason) from error
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise RefusedFile("not an ordinary file: give the notebook itself")
        yield file


def in_file(path: Path, parts: tuple[str, ...], bounds: ReadBudget) -> Iterator[Found]:
    """Yield a regular file's contents. A link, a pipe or a device is refused."""
    try:
        if len(parts) > MAX_PATH_FOLDERS + 1:
            raise RefusedFile(DEEP)
        with regular_file(path) as file:
            if (head := file.read(HEAD_BYTES)).startswith(ZIP):
                yield from in_zip(file, parts, bounds, 1, 0)
            else:
                yield sniffed(parts, head, file, os.fstat(file.fileno()).st_size, bounds, 0)
    except DAMAGE as error:
        yield Found(parts, refused=describe_archive_error(error))


def in_zip(file: IO[bytes], parts: tuple[str, ...], bounds: ReadBudget, depth: int, when: int) -> Iterator[Found]:
    """Yield an open zip's contents, nested zips included; a damaged zip is reported as one entry."""
    try:
        check_directory(file, bounds)
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            check_overlap(entries, archive.start_dir)
            for entry in entries:
                bounds.one_more()
                names = path_parts(entry)
                # A folder, by its name: is_dir does not know entries without one.
                if not entry.filename.endswith("/") and not any(map(is_of_the_system, names)):
                    yield from in_entry(archive, entry, (*parts, *names), bounds, depth, when)
    except DAMAGE as error:
        yield Found(parts, refused=describe_archive_error(error), when=when)


def in_entry(
    archive: ZipFile, entry: ZipInfo, here: tuple[str, ...], bounds: ReadBudget, depth: int = 1, when: int = 0
) -> Iterator[Found]:
    """Yield one zip entry's contents; ``here`` is its path."""
    when = when or seconds_of(entry)
    try:
        check_entry(entry)
        with archive.open(entry) as file:
            head = file.read(HEAD_BYTES)
            if not head.startswith(ZIP):
                yield sniffed(here, head, file, entry.file_size, bounds, when)
                return
            if depth >= MAX_ZIP_DEPTH:
                yield Found(here, refused=DEEP, when=when)
                return
            inside = io.BytesIO(head + read_entry(file, entry.file_size - len(head), ZIP_BYTES, bounds))
    except DAMAGE as error:
        yield Found(here, refused=describe_archive_error(error), when=when)
        return
    yield from in_zip(inside, here, bounds, depth + 1, when)


def sniffed(parts: tuple[str, ...], head: bytes, file: IO[bytes], size: int, bounds: ReadBudget, when: int) -> Found:
    """Return a file, with its bytes if it starts like a notebook or has a notebook's name."""
    if not (parts[-1].lower().endswith(".ipynb") or head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"):
        return Found(parts, when=when)
    if size > NOTEBOOK_BYTES:
        return Found(parts, refused=f"larger than {NOTEBOOK_BYTES >> 20} MB: have its outputs cleared", when=when)
    return Found(parts, head + read_entry(file, size - len(head), NOTEBOOK_BYTES, bounds), when=when)


def read_entry(file: IO[bytes], size: int, most: int, bounds: ReadBudget) -> bytes:
    """Read the rest of a file that claims to have ``size`` bytes."""
    bounds.take(min(size, most + 1))
    data = file.read(most + 1)
    if len(data) > min(most, size):
        raise RefusedFile(
            f"it holds more than it declares, or more than {most >> 20} MB: hand it in as an ordinary file"
        )
    return data


def check_directory(file: IO[bytes], bounds: ReadBudget) -> None:
    """Refuse a zip whose directory alone would fill the memory. Errors: RefusedFile."""
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - (1 << 16) - 22))
    tail = file.read()
    at = tail.rfind(END)
    if at < 0 or len(tail) - at < 22:
        raise RefusedFile("not a complete zip file: download it again, or ask for a new copy")
    size = struct.unpack_from("<I", tail, at + 12)[0]
    if DIRECTORY * bounds.entries < size < 0xFFFFFFFF:  # this number means that the size is stored elsewhere
        raise RefusedFile(f"it holds more than {bounds.entries} files: unpack it and give the folders")


def check_overlap(entries: Iterable[ZipInfo], end: int) -> None:
    """Refuse a zip whose entries share bytes, as the worst bombs do. Errors: RefusedFile."""
    starts = sorted((entry.header_offset, entry.compress_size) for entry in entries)
    for at, (start, size) in enumerate(starts, 1):
        if start + 30 + size > (starts[at][0] if at < len(starts) else end):
            raise RefusedFile("its entries overlap, as in a zip bomb: ask for an ordinary file")


def check_entry(entry: ZipInfo) -> None:
    """Refuse an entry that cannot or should not be unpacked. Errors: RefusedFile."""
    if entry.flag_bits & 0x41:
        raise RefusedFile("it is encrypted: ask for it without a password")
    kind = stat.S_IFMT(entry.external_attr >> 16) if entry.create_system == 3 else 0
    if kind not in (0, stat.S_IFREG):
        raise RefusedFile("a link or a device, not a file: ask for the notebook itself")
    if entry.file_size > SMALL and entry.file_size > RATIO * max(1, entry.compress_size):
        raise RefusedFile(f"compressed more than {RATIO} times, as in a zip bomb: ask for an ordinary file")


def path_parts(entry: ZipInfo) -> tuple[str, ...]:
    """Return an entry's path as names, without ``..`` and the like.

    A name without the UTF-8 flag may be UTF-8 all the same: macOS and Moodle's older packer omit it.
    """
    name = entry.filename
    if not entry.flag_bits & 0x800:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    parts = tuple(part for part in name[:MAX_PATH_LETTERS].replace("\\", "/").split("/") if part not in ("", ".", ".."))
    return (*parts[:MAX_PATH_FOLDERS], *parts[MAX_PATH_FOLDERS:][-1:]) or ("(without a name)",)


def is_of_the_system(name: str) -> bool:
    """Say whether a file is an operating system's own copy or note."""
    return name in SYSTEM or name.startswith(("._", "~$"))


def seconds_of(entry: ZipInfo) -> int:
    """Return when an entry was added to its zip, as a number that grows with time."""
    year, month, day, hour, minute, second = entry.date_time
    return ((((year * 12 + month) * 31 + day) * 24 + hour) * 60 + minute) * 60 + second


def describe_archive_error(error: BaseException) -> str:
    """Describe what is wrong with an archive, and what to do."""
    if isinstance(error, RefusedFile):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"unreadable ({error.strerror}): make it readable, or ask for a new copy"
    return f"damaged ({one_line(str(error) or type(error).__name__)}): download it again, or ask for a new copy"
