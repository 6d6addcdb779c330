"""A cell runs in the browser, with nothing from outside: on demand, ``KERNEL=1 pytest -n 0`` this file.

It fetches Pyodide's core from npm and the wheels of pure Python from PyPI into ``_build/pyodide``, some 20 MB, and
serves them in place of Pyodide's distribution. NumPy for Pyodide is on neither, so nothing here imports it.
"""

import functools
import hashlib
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading

import assignments
import lite_pin
import pytest

from .conftest import ROOT, _Files

pytestmark = pytest.mark.skipif(not os.environ.get("KERNEL"), reason="fetches 20 MB from npm and PyPI: set KERNEL=1")
CHAPTER = "04_query_key_value"
KEPT = ROOT / "_build/pyodide"
PYTHON = "3.14"


@pytest.fixture(scope="module")
def distribution():
    """A folder with Pyodide's core and the wheels of pure Python that the lock names, fetched once."""
    lock = json.loads((lite_pin.HERE / "pyodide-lock.json").read_text())["packages"]
    pure = lite_pin.with_what_they_need(("ipython", "jedi", "micropip", "packaging"), lock).values()
    if not all((KEPT / "package" / entry["file_name"]).exists() for entry in pure):
        KEPT.mkdir(parents=True, exist_ok=True)
        folder = lite_pin.core(KEPT)
        pins = [f"{entry['name']}=={entry['version']}" for entry in pure]
        options = ["--quiet", "--no-deps", "--python-version", PYTHON, "--only-binary", ":all:", "--dest", folder]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, *pins], check=True)
    return KEPT / "package"


def take_pyodide_from(distribution, lite, address):
    """Let a JupyterLite find Pyodide beside it, with the hashes of PyPI's wheels: Pyodide packs the same ones anew."""
    (lite.parent / "pyodide").symlink_to(distribution)
    for path in (lite / "jupyter-lite.json", *lite.glob("*/index.html")):  # these ask whether it can be reached
        text = re.sub(r"https://cdn\.jsdelivr\.net/pyodide/v[\d.]+/full", f"{address}/pyodide", path.read_text())
        path.write_text(text.replace('"numpy"', '"six"') if path.suffix == ".json" else text)
    lock = json.loads((lite / "pyodide-lock.json").read_text())
    for entry in lock["packages"].values():
        path = distribution / entry["file_name"]
        if path.exists():
            entry["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (lite / "pyodide-lock.json").write_text(json.dumps(lock))


@pytest.fixture
def served(site, distribution, tmp_path):
    """The address of a JupyterLite whose Pyodide is beside it, and what it has sent: bytes by path."""
    shutil.copytree(site / "lite", tmp_path / "lite")
    sent = {}

    class Files(_Files):
        def send_header(self, keyword, value):
            if keyword == "Content-Length":
                sent[self.path] = int(value)
            super().send_header(keyword, value)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=tmp_path)) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        take_pyodide_from(distribution, tmp_path / "lite", address)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield address, sent
        server.shutdown()


def test_a_cell_runs_beside_the_assignments_files(visit, served):
    """The kernel answers, finds the self-check beside the notebook, and asks no other host.

    Its output is waited for: the kernel is called idle before it is.
    """
    address, sent = served
    here = visit()
    foreign = []
    here.page.context.on("request", lambda asked: "127.0.0.1" not in asked.url and foreign.append(asked.url))
    here.goto(f"{address}/{assignments.NOTEBOOK.format(name=CHAPTER)}", drawn=0)
    here.page.get_by_role("heading", name="Exercises 4: query, key, value").wait_for()
    here.page.get_by_text("Python (Pyodide)").first.wait_for()
    here.page.locator(".jp-Notebook .jp-CodeCell").first.click()
    for key in ("Escape", "b", "Enter"):
        here.page.keyboard.press(key)
    here.page.keyboard.type("import os, sys; print(*sorted(os.listdir()), sys.maxsize)")
    here.page.keyboard.press("Shift+Enter")
    output = here.page.locator(".jp-OutputArea-output")
    output.first.wait_for(timeout=300_000)
    names = sorted(path.name for path in (ROOT / "exercises" / CHAPTER).iterdir())
    assert output.first.inner_text().split() == [*names, str(2**31 - 1)]
    assert [url for url in foreign if not url.startswith(("blob:", "data:"))] == []
    there = sum(size for path, size in sent.items() if path.startswith("/pyodide/")) / 1e6
    assert round(sum(sent.values()) / 1e6 - there) == assignments.HERE
    assert there == pytest.approx(assignments.THERE, rel=0.2)  # without NumPy, and before the host compresses it
