"""Which Python a notebook was written with, as its own metadata has it, which anybody can change."""

import json

import pytest

from autograder.grading.notebook_python import python_version


def notebook(language):
    """Return a notebook's bytes with a `language_info`; a cell's metadata and output name another Python."""
    other = {"language_info": {"name": "python", "version": "2.7.1"}}
    shown = {"output_type": "display_data", "data": {"application/json": {"metadata": other}}, "metadata": other}
    cell = {"cell_type": "code", "metadata": other, "source": "1", "outputs": [shown], "execution_count": None}
    whole = {"cells": [cell], "metadata": {"language_info": language}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole).encode()


def nested(levels):
    """Return a list that is nested so deeply, as text."""
    return f"{'[' * levels}{']' * levels}"


@pytest.mark.parametrize(
    ("language", "version"),
    [
        ({"name": "python", "version": "3.14.2"}, "3.14"),
        ({"version": "3.9"}, "3.9"),
        ({"name": "python", "version": "3.13.0rc1+"}, "3.13"),
        ({"name": "R", "version": "3.6.1"}, ""),
        ({"name": "python"}, ""),
        ({"name": [], "version": "3.14.2"}, ""),
        ({"name": "python", "version": 3.14}, ""),
        ({"name": "python", "version": ["3.14"]}, ""),
        ({"name": "python", "version": "\x1b[2J3.14"}, ""),
        ({"name": "python", "version": "3.140"}, ""),
        ({"name": "python", "version": "３.１４"}, ""),
        ({"name": "python", "version": "3.14.2" + "9" * (1 << 17)}, ""),
        ("3.14.2", ""),
        (None, ""),
    ],
)
def test_the_python_that_the_notebook_names(language, version):
    """Only a plain version of Python in the notebook's own metadata counts, whatever its cells hold."""
    assert python_version(notebook(language)) == version


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"3",
        b"[" * 100_000,
        b'{"metadata": {"language_info": ' + nested(30_000).encode() + b"}}",
        b'{"metadata": {"language_info": {"version": ' + b"9" * 5000 + b"}}}",
        b'{"metadata": {"language_info": {"version": "3.14',
        b'{"metadata": {"language_info": {"version": "\xff3.14"}}}',
        b'{"metadata": ["3.14"]}',
    ],
)
def test_a_file_that_says_nothing_readable(data):
    """A damaged or hostile file raises nothing."""
    assert python_version(data) == ""
