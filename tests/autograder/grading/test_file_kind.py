"""What a file is instead of a notebook."""

import errno
import gzip
import io
import os
import tarfile
import zipfile

import pytest

from autograder.errors import AutograderError, UsageError
from autograder.grading import intake
from autograder.grading.file_kind import kind_of_file
from autograder.grading.intake import cells_of
from autograder.grading.which_chapter import chapters_by_cell
from autograder.lms import scan
from autograder.runs.one_notebook import check

OPEN = os.open


def made(write):
    """Return the bytes that a library writes into a file."""
    file = io.BytesIO()
    write(file)
    return file.getvalue()


def tar(file):
    """Write an empty member, as `tar` does."""
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("04.ipynb"))


def zipped(file):
    """Write a zip with one file."""
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("04.ipynb", "{}")


FILES = {
    "a PDF": b"%PDF-1.7\n%\xe2\xe3",
    "a zip archive": made(zipped),
    "an archive": made(tar),
    "an archive, compressed": gzip.compress(b"{}", mtime=0),
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a document of a word processor": rb"{\rtf1\ansi\deff0 Answers}",
    "a web page": b"\n<!DOCTYPE html>\n<html><head><title>04</title>",
    "a web page, in XML": b'<?xml version="1.0"?>\n<HTML lang="en">',
    "a web page, after comments": b"<!-- a -->\n<!-- b -->\r\n<html>",
    "a web page, without a head": b"<h1>403 Forbidden</h1>",
    "a web page, after a byte order mark": b"\xef\xbb\xbf<meta charset='utf-8'>",
    "an XML document": b"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>",
    "a pointer of Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a",
    "a pointer of git-annex": b"/annex/objects/SHA256E-s3021--4d7a.ipynb\n",
    "a link to an online document": b'{"url": "https://docs.google.com/open?id=1", "doc_id": "1"}',
    "a shortcut": b"[InternetShortcut]\r\nURL=https://example.org",
    "a text file": b"import numpy as np\n",
    "a text file, in JSON": b"[]",
    "a text file, in an old encoding": "die Lösung".encode("latin-1"),
    "a text file, which ends like a notebook": b'"nbformat": 4}',
    "a binary file": b"\x93NUMPY\x01\0v\0{'descr'",
}


@pytest.mark.parametrize("what", FILES)
def test_a_file_that_is_no_notebook_is_named_as_what_it_is(what, mini, tmp_path):
    """Whatever its name: `check`, the grader and `collect` say the same, and none asks to save it in JupyterLab."""
    kind, data = what.partition(",")[0], FILES[what]
    path = tmp_path / "notes.ipynb"
    path.write_bytes(data)
    said = [scan.recognised(data, chapters_by_cell(mini))[1]]
    for read in (lambda: cells_of(data), lambda: check(path, course=mini)):
        with pytest.raises(AutograderError) as refused:
            read()
        said.append(str(refused.value))
    for sentence in said:
        assert f"{kind}" in sentence
        assert "not a notebook: " in sentence
        assert "save it again" not in sentence.lower()


DAMAGED = {
    "the file is empty": b"",
    "zeros": b"\0" * 5000,
    "broken JSON": b'{"cells": [',
    "UTF-16": '{"cells": []}'.encode("utf-16"),
    "merge conflict": b"<<<<<<< HEAD\n{",
    "nbformat 3": b'{"nbformat": 3}',
    "expected an object": b'{"message": "Not Found"}',
    "without a cell of this course": b'{"nbformat": 4, "cells": []}',
    "unreadable": None,
    "symbolic link": None,
}


@pytest.mark.parametrize("words", DAMAGED)
def test_check_says_why_a_file_of_any_name_cannot_be_graded(words, mini, tmp_path, monkeypatch):
    """Its name is no chapter's, which is no reason: the line says what is wrong with the file."""
    path = tmp_path / "truncated.ipynb"
    if words == "symbolic link":
        (tmp_path / "other").write_text("{}")
        path.symlink_to(tmp_path / "other")
    else:
        path.write_bytes(DAMAGED[words] or b"")
    if words == "unreadable":
        monkeypatch.setattr(intake.os, "open", refuse)
    with pytest.raises(UsageError) as refused:
        check(path, course=mini)
    assert words in str(refused.value)
    assert "unknown chapter" not in str(refused.value)


def refuse(name, *flags, **where):
    """Fail as for a file that only its owner may read."""
    if str(name).endswith(".ipynb"):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return OPEN(name, *flags, **where)


@pytest.mark.parametrize("data", [b'{"cells": []}', b'\xef\xbb\xbf{"nbformat": 4}', b"", b" \r\n{", b"\0\0{"])
def test_what_may_be_a_notebook_is_not_called_anything(data):
    """The reader of notebooks says what is wrong with those."""
    assert kind_of_file(data) == ""


def test_a_page_of_comments_takes_no_time():
    """A thousand bytes of comments that end in nothing are looked through once."""
    assert kind_of_file(b"<!-- -->" * 1000) == "a text file"
