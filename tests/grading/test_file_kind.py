"""What a file is instead of a notebook."""

import gzip
import io
import tarfile
import zipfile

import pytest

from autograder.grading.file_kind import kind_of_file


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


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        (made(zipped), "zip"),
        (made(tar), "archive"),
        (gzip.compress(b"{}", mtime=0), "archive"),
        (b"\n<!DOCTYPE html>\n<html><head><title>04</title>", "web page"),
        (b'<?xml version="1.0"?>\n<HTML lang="en">', "web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a", "pointer"),
        (b'{"url": "https://docs.google.com/open?id=1", "doc_id": "1"}', "online"),
        (b"[InternetShortcut]\r\nURL=https://example.org", "shortcut"),
    ],
)
def test_a_file_is_told_by_its_bytes(data, kind):
    """Whatever its name: students rename a PDF to .ipynb."""
    assert kind in kind_of_file(data)


@pytest.mark.parametrize("data", [b'{"cells": []}', b'\xef\xbb\xbf{"nbformat": 4}', b"", b"import numpy as np", b"[]"])
def test_what_may_be_a_notebook_or_text_is_not_called_anything(data):
    """The reader of notebooks says what is wrong with those."""
    assert kind_of_file(data) == ""
