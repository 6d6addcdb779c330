"""``make serve`` shows the book, the marks and the feedback of this machine to this machine, and nothing else."""

import functools
import gzip
import http.client
import importlib.util
import os
import socket
import subprocess
import sys
import threading
from http.server import ThreadingHTTPServer
from urllib.request import Request, urlopen

import pytest


@pytest.fixture
def serve(root):
    """The script, as a module."""
    spec = importlib.util.spec_from_file_location("serve", root / "book" / "serve.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def pages(serve, tmp_path, monkeypatch):
    """The server's handler over a build of its own, as a function from a URL's path to a file."""
    room = tmp_path / "sample_class"
    monkeypatch.setattr(serve, "ROOM", room)
    handler = serve.Pages.__new__(serve.Pages)
    handler.directory = str(tmp_path / "html")
    return tmp_path, handler.translate_path


def test_book_marks_reports_and_feedback_are_shown(pages):
    """Each has its place below / and /class/, as `make course` says."""
    build, translate = pages
    assert translate("/index.html") == str(build / "html" / "index.html")
    for name in ("marks.html", "report_04_query_key_value.html", "similar_04_query_key_value.html"):
        assert translate(f"/class/{name}") == str(build / "sample_class" / name)
    assert translate("/class/feedback/ada/x.html") == str(build / "sample_class" / "feedback" / "ada" / "x.html")


@pytest.mark.parametrize(
    "path",
    [
        "/class/gradebook.db",
        "/class/submitted/ada/x.ipynb",
        "/class/feedback/../gradebook.db",
        "/class/feedback/%2e%2e/gradebook.db",
        "/class/marks.html/../gradebook.db",
        "/class/../sample_class/gradebook.db",
        "/../sample_class/gradebook.db",
        "/class/x/report_04.html",
    ],
)
def test_the_gradebook_and_the_submissions_are_not(pages, path):
    """No spelling of a path leads to them."""
    build, translate = pages
    found = translate(path)
    assert found == "" or found.startswith(str(build / "html"))


def test_text_is_sent_gzipped_to_a_browser_that_asks(serve, tmp_path):
    """A page comes packed to who takes it so, plain to anybody else, and anew when it has changed."""
    page = tmp_path / "index.html"
    handler = functools.partial(serve.Pages, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for seconds, text in enumerate((b"row by row " * 100, b"column by column " * 100)):
            page.write_bytes(text)
            os.utime(page, (1_700_000_000, 1_700_000_000 + seconds))
            for path in ("/", "/index.html"):
                asked = Request(f"http://127.0.0.1:{server.server_port}{path}", headers={"Accept-Encoding": "gzip"})
                with urlopen(asked) as packed:
                    assert packed.headers["Content-Encoding"] == "gzip"
                    body = packed.read()
                assert len(body) == int(packed.headers["Content-Length"]) < len(text) / 4
                assert gzip.decompress(body) == text
            with urlopen(f"http://127.0.0.1:{server.server_port}/") as plain:
                assert plain.headers["Content-Encoding"] is None
                assert plain.read() == text
        server.shutdown()


def test_a_request_by_another_name_is_refused(serve, tmp_path):
    """A page elsewhere whose name leads to 127.0.0.1 gets nothing; this machine's own names get the page."""
    (tmp_path / "index.html").write_text("marks")
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(serve.Pages, directory=str(tmp_path))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        status = {}
        for name in ("localhost", "127.0.0.1", "rebound.example", ""):
            asked = http.client.HTTPConnection("127.0.0.1", server.server_port)
            asked.request("GET", "/", headers={"Host": f"{name}:{server.server_port}" if name else ""})
            status[name] = asked.getresponse().status
            asked.close()
        server.shutdown()
    assert status == {"localhost": 200, "127.0.0.1": 200, "rebound.example": 421, "": 421}


def test_an_occupied_port_is_one_line(root, book):
    """It says which port, and what to type instead."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, root / "book" / "serve.py", "--port", str(port)],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == f"serve: port {port} is in use: run `make serve PORT={port + 1}`\n"
