"""Show the built book, and the sample class's marks, reports and feedback pages, on this machine alone."""

import argparse
import email.utils
import errno
import functools
import gzip
import io
import sys
from fnmatch import fnmatchcase
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

BUILD = Path(__file__).resolve().parents[1] / "_build"
CLASS = "/class/"
ROOM = BUILD / "sample_class"
SHOWN = ("marks.html", "report_*.html", "similar_*.html", "feedback")  # of the class's folder
NAMES = ("127.0.0.1", "localhost")
TEXT = {".html", ".css", ".js", ".json", ".svg", ".map"}  # what gzip makes smaller


@functools.lru_cache(maxsize=512)
def packed(path, changed):
    """Return a file gzipped, as a host on the network would send it; packed anew when its time has changed."""
    return gzip.compress(Path(path).read_bytes(), 6, mtime=0)


class Pages(SimpleHTTPRequestHandler):
    """The book below ``/``; of the class only the marks, the reports and the feedback, below ``/class/``."""

    def translate_path(self, path):
        """Return the file for a path; the gradebook and the submissions are not among them."""
        if not path.startswith(CLASS):
            return super().translate_path(path)
        file = Path(super().translate_path(path.removeprefix("/class"))).relative_to(self.directory)
        allowed = any(fnmatchcase(part, shown) for part in file.parts[:1] for shown in SHOWN)  # no ".." by now
        return str(ROOM / file) if allowed else ""

    def send_error(self, code, message=None, explain=None):
        """Answer a wrong address with the book's own page for it, as a host of static pages does."""
        page = BUILD / "html" / "404.html"
        if code == HTTPStatus.NOT_FOUND and page.exists():
            self.error_message_format = page.read_text(encoding="utf-8").replace("%", "%%")
        super().send_error(code, message, explain)

    def parse_request(self):
        """Answer only this machine's own names: a page elsewhere can point its own name at 127.0.0.1, and read on."""
        if not super().parse_request():
            return False
        if self.headers.get("Host", "").partition(":")[0] in NAMES:
            return True
        self.send_error(HTTPStatus.MISDIRECTED_REQUEST, f"open http://127.0.0.1:{self.server.server_port}/")
        return False

    def send_head(self):
        """Send text gzipped to a browser that asks for it, everything else as it is."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() and self.path.endswith("/") else path
        asked = "gzip" in self.headers.get("Accept-Encoding", "")
        if not asked or path.suffix not in TEXT or not path.is_file():
            return super().send_head()
        changed = path.stat().st_mtime
        body = packed(str(path), changed)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Vary", "Accept-Encoding")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", email.utils.formatdate(changed, usegmt=True))
        self.end_headers()
        return io.BytesIO(body)

    def log_message(self, *message):
        """Stay quiet; the browser shows what happens."""


def main():
    """Serve until Ctrl-C. A missing build or an occupied port is one line and exit 2."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8000)
    port = parser.parse_args().port
    if not (BUILD / "html" / "index.html").exists():
        sys.exit(fail("there is no book yet: run `make course` first"))
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Pages, directory=str(BUILD / "html")))
    except (OSError, OverflowError) as error:
        taken = getattr(error, "errno", None) == errno.EADDRINUSE
        reason = "is in use" if taken else f"cannot be used ({error})"
        sys.exit(fail(f"port {port} {reason}: run `make serve PORT={port + 1 if taken else 8000}`"))
    reports = [("report", CLASS + path.name) for path in sorted(ROOM.glob("report_*.html"))]
    for what, place in [("book", "/"), ("marks", f"{CLASS}marks.html"), *reports]:
        print(f"{what:6} http://127.0.0.1:{port}{place}")
    print("Ctrl-C ends it")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


def fail(message):
    """Print one line and return the exit code for it."""
    print(f"serve: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
