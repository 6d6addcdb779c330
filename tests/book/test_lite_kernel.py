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
import zipfile

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


def hash_of(path):
    """Return a file's hash as the lock has it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def stand_in(path):
    """Write a wheel of NumPy without NumPy: what depends on it is loaded, and can compute nothing."""
    name = "-".join(path.name.split("-")[:2])
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}.dist-info/METADATA", "Metadata-Version: 2.1\nName: numpy\nVersion: 0\n")
        wheel.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        wheel.writestr(f"{name}.dist-info/RECORD", "")


def take_pyodide_from(distribution, lite, address):
    """Let a JupyterLite find Pyodide beside it, with the hashes of PyPI's wheels: Pyodide packs the same ones anew."""
    (lite.parent / "pyodide").symlink_to(distribution)
    for path in (lite / "jupyter-lite.json", *lite.glob("*/index.html")):  # these ask whether it can be reached
        text = re.sub(r"https://cdn\.jsdelivr\.net/pyodide/v[\d.]+/full", f"{address}/pyodide", path.read_text())
        path.write_text(text.replace('"numpy"', '"six"') if path.suffix == ".json" else text)
    lock = json.loads((lite / "pyodide-lock.json").read_text())
    for entry in lock["packages"].values():
        folder, _, name = entry["file_name"].rpartition("/")
        if entry["name"] == "numpy":
            stand_in(lite / "pypi" / name)
            entry |= {"file_name": f"pypi/{name}", "sha256": hash_of(lite / "pypi" / name)}
        elif folder != "pypi":
            entry["file_name"] = f"{address}/pyodide/{name}"
            if (distribution / name).exists():
                entry["sha256"] = hash_of(distribution / name)
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


def run_cell(page, code):
    """Type a cell below the first one, run it, and return what it prints.

    Its output is waited for: the kernel is called idle before it is.
    """
    page.get_by_text("Python (Pyodide)").first.wait_for()
    page.locator(".jp-Notebook .jp-Cell").first.click()
    for key in ("Escape", "b", "Enter"):
        page.keyboard.press(key)
    page.keyboard.type(code)
    page.keyboard.press("Shift+Enter")
    output = page.locator(".jp-OutputArea-output")
    output.first.wait_for(timeout=300_000)
    return output.first.inner_text().split()


@pytest.fixture
def lite(visit, served):
    """A page at a notebook of JupyterLite, opened by its path and heading; it asks no other host."""
    foreign, here = [], visit()
    here.page.context.on("request", lambda asked: "127.0.0.1" not in asked.url and foreign.append(asked.url))

    def open_notebook(path, heading):
        here.goto(f"{served[0]}/lite/notebooks/index.html?path={path}", drawn=0)
        here.page.get_by_role("heading", name=heading).wait_for()
        return here.page

    yield open_notebook
    assert [url for url in foreign if not url.startswith(("blob:", "data:", "attachment:"))] == []


def test_a_cell_runs_beside_the_assignments_files(lite, served):
    """The kernel answers, finds the self-check beside the notebook, and asks no other host."""
    page = lite(f"{CHAPTER}/{CHAPTER}.ipynb", "Exercises 4: query, key, value")
    printed = run_cell(page, "import os, sys; print(*sorted(os.listdir()), sys.maxsize)")
    names = sorted(path.name for path in (ROOT / "exercises" / CHAPTER).iterdir())
    assert printed == [*names, str(2**31 - 1)]
    sent = served[1]
    there = sum(size for path, size in sent.items() if path.startswith("/pyodide/")) / 1e6
    assert round(sum(sent.values()) / 1e6 - there) == assignments.HERE
    assert there == pytest.approx(assignments.THERE, rel=0.2)  # without NumPy, and before the host compresses it


def test_a_pages_notebook_finds_the_functions(lite, served):
    """An import of `attention` in a page's notebook loads the wheel and what it needs, from the site itself."""
    page = lite(f"pages/{CHAPTER}.ipynb", "4. Query, key, value")
    find = "from importlib.util import find_spec; import attention"
    names = "('autograd', 'jaxtyping', 'wadler_lindig')"
    printed = run_cell(page, f"{find}; print('softmax' in dir(attention), *(bool(find_spec(n)) for n in {names}))")
    assert printed == ["True"] * 4
    wheels = {path.rpartition("/")[2].split("-")[0] for path in served[1] if path.startswith("/lite/pypi/")}
    assert {"attention_row_by_row", "autograd", "jaxtyping", "wadler_lindig"} <= wheels
