"""`make serve` shows the sample class's pages, and nothing else of its folder."""

import functools
import importlib.util

import pytest


@pytest.fixture
def place_of(root, tmp_path, monkeypatch):
    """Return the file that the server shows for an address, "" for none, in a built book with a sample class."""
    spec = importlib.util.spec_from_file_location("serve", root / "book/serve.py")
    serve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    monkeypatch.setattr(serve, "ROOM", tmp_path / "class")
    pages = serve.Pages.__new__(serve.Pages)
    pages.directory = str(tmp_path / "html")
    return functools.partial(serve.Pages.translate_path, pages)


@pytest.mark.parametrize(
    "name",
    ["marks.html", "report_04_query_key_value.html", "similar_04_query_key_value.html", "feedback/ada/04/04.html"],
)
def test_pages_are_shown(place_of, tmp_path, name):
    """All that `make course` says it shows."""
    assert place_of(f"/class/{name}") == str(tmp_path / "class" / name)


@pytest.mark.parametrize(
    "name", ["gradebook.db", "submitted/ada/04/04.ipynb", "feedback/../gradebook.db", "x/report_04.html", "", ".."]
)
def test_nothing_else_is_shown(place_of, name):
    """Neither the gradebook nor a submission, on any way."""
    assert place_of(f"/class/{name}") == ""
