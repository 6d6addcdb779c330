"""Tells what a file is instead of a notebook, by its first bytes: names are often wrong."""

import re

from autograder.course.ledger import CONFLICT

HEAD_BYTES = 1 << 10  # of a file, which are enough to tell
_MAGIC = (
    (rb"%PDF-", "a PDF"),
    (rb"PK(?:\x03\x04|\x05\x06)", "a zip archive"),
    (rb"\x1f\x8b|BZh|\xfd7zXZ|7z\xbc\xaf\x27\x1c|Rar!|.{257}ustar", "an archive"),
    (rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|\x00\x00\x00.ftyphei", "a picture"),
    (rb"\xd0\xcf\x11\xe0|\{\\rtf", "a document of a word processor"),
    (
        rb"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--(?:(?!-->).)*+-->\s*+)*+"
        rb"(?i:<!doctype html|<(?:html|head|body|title|meta|script|style|div|h1|p)\b)",
        "a web page",
    ),
    (rb"\s*+<\?xml", "an XML document"),
    (rb"version https://git-lfs\.github\.com/spec", "a pointer of Git LFS"),
    (rb"/annex/objects/", "a pointer of git-annex"),
    (rb"\s*\{\s*\"(?:doc_id|url|resource_key|email)\"\s*:", "a link to an online document"),
    (rb"\[InternetShortcut\]|\[Desktop Entry\]|bplist00|L\x00\x00\x00\x01\x14\x02", "a shortcut"),
)
_KINDS = tuple((re.compile(magic, re.DOTALL), kind) for magic, kind in _MAGIC)
# What the reader of notebooks explains: a notebook, the beginning of a copy, UTF-16, a merge conflict of git.
_PERHAPS_A_NOTEBOOK = (b"{", b"\0", b"\xff\xfe", b"\xfe\xff", *(mark.encode() for mark in CONFLICT))


def kind_of_file(data: bytes) -> str:
    """Return what a file is instead of a notebook, as "a PDF"; "" for one that may be a notebook, damaged or not."""
    head = data[:HEAD_BYTES].removeprefix(b"\xef\xbb\xbf")
    if kind := next((kind for magic, kind in _KINDS if magic.match(head)), ""):
        return kind
    start = head.lstrip()
    if not start or start.startswith(_PERHAPS_A_NOTEBOOK):
        return ""
    return "a binary file" if b"\0" in head else "a text file"
