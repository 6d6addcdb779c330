"""Assignments in the browser: a site that holds them all, and the box on each page that leads there."""

import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from html import unescape
from importlib.metadata import distribution, version
from types import SimpleNamespace
from urllib.request import urlopen

import assignments
import lite_build
import lite_pin
import nbformat
import numpy as np
import pytest
import repository
from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION
from packaging.requirements import Requirement
from sphinx.errors import ExtensionError

from autograder.course.which_course import find_course
from tests.support.root import ROOT

from .conftest import Visit
from .small_book import CHAPTER as OFFERED
from .small_book import REPOSITORY as URL

COURSE = find_course(ROOT)
CHAPTERS = COURSE.chapters()
CHAPTER = "04_query_key_value"


@pytest.fixture(scope="module")
def lite(site):
    """The folder of the built JupyterLite."""
    return site / "lite"


@pytest.fixture(scope="module")
def lock(lite):
    """The packages that the browser may load."""
    return json.loads((lite / "pyodide-lock.json").read_text())["packages"]


def files_in(folder):
    """Return the bytes of every file below a folder by its path there."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- the site ---


def test_without_a_network_it_says_what_it_needs(visit, book):
    """Where Python cannot be fetched, a sentence names the reason and two ways on."""
    page = visit().page
    page.route("https://**", lambda route: route.abort())
    page.goto(f"{book}/lite/tree/index.html")
    alert = page.get_by_role("alert").filter(has_text="Python could not be loaded")
    alert.wait_for()
    assert "download the assignment" in alert.inner_text()


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_assignment_is_in_it(lite, name):
    """Its files are those of the exercises, byte for byte, and JupyterLite lists them."""
    assert files_in(lite / "files" / name) == files_in(COURSE.exercises_folder / name)
    listed = json.loads((lite / "api/contents" / name / "all.json").read_text())["content"]
    assert {entry["name"] for entry in listed} == files_in(COURSE.exercises_folder / name).keys()


def test_it_is_small_and_holds_nothing_of_other_tools(lite):
    """Source maps are left out, and of the extensions installed here all but the kernel: 25 MB at most."""
    assert list(lite.rglob("*.map")) == []
    assert [path.name for path in lite.glob("extensions/@*/*")] == ["pyodide-kernel-extension"]
    assert sum(path.stat().st_size for path in lite.rglob("*") if path.is_file()) < 25e6


def test_what_it_loads_is_pinned(lite, lock):
    """Kernel, settings and lock speak of one Pyodide, whose NumPy is the course's; each file has its hash."""
    settings = lite_pin.kernel_settings(lite / "jupyter-lite.json")
    assert settings["pyodideUrl"] == f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE_VERSION}/full/pyodide.mjs"
    places = Counter(entry["file_name"].rpartition("/")[0] for entry in lock.values())
    assert places == {settings["pyodideUrl"].removesuffix("/pyodide.mjs"): len(lock) - 5, "pypi": 5}
    assert settings["disablePyPIFallback"] is True
    assert lock["numpy"]["version"] == np.__version__
    assert all(re.fullmatch(r"[0-9a-f]{64}", entry["sha256"]) for entry in lock.values())


def test_the_lock_is_whole(lock):
    """Whatever a package of the lock asks for is in the lock, and so is what is loaded at the start."""
    settings = lite_pin.kernel_settings()["loadPyodideOptions"]
    asked = {*settings["packages"], *(need for entry in lock.values() for need in entry["depends"])}
    assert {name.lower().replace("_", "-") for name in asked} <= lock.keys()


def test_what_the_kernel_asks_for_is_at_hand(lite, lock):
    """Every wheel that the kernel starts from is in the lock or on the site, so that nobody asks PyPI."""
    index = "extensions/@jupyterlite/pyodide-kernel-extension/static/pypi/all.json"
    own = {name for path in ("pypi/all.json", index) for name in json.loads((lite / path).read_text())}
    (wheel,) = lite.glob("extensions/*/*/static/pypi/pyodide_kernel-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("METADATA"))
    needs = {Requirement(need).name for need in re.findall(r"^Requires-Dist: (.+)$", metadata, re.MULTILINE)}
    assert needs >= {"comm", "ipython"}
    assert needs | {"ipykernel", "pyodide-kernel", "piplite", "jedi"} <= own | lock.keys()


def test_a_packed_wheel_is_the_package(lite):
    """The wheel of comm holds the installed modules and says its name and version."""
    (wheel,) = (lite / "pypi").glob("comm-*.whl")
    package = distribution("comm")
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    modules = {file.as_posix(): file.read_binary() for file in package.files if file.suffix == ".py"}
    assert modules.items() <= packed.items()
    assert f"Version: {package.version}\n".encode() in packed[f"comm-{package.version}.dist-info/METADATA"]


def test_an_import_of_attention_loads_the_readers_wheel(site, lite, lock):
    """The lock leads from the name to the very wheel that the book offers, and to what that needs."""
    (wheel,) = (site / "downloads").glob("*.whl")
    (entry,) = (entry for entry in lock.values() if "attention" in entry["imports"])
    assert (lite / entry["file_name"]).read_bytes() == wheel.read_bytes()
    assert entry["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert sorted(entry["depends"]) == ["autograd", "jaxtyping", "numpy"]


def test_each_page_that_comes_as_a_notebook_is_in_it(site, lite):
    """With the download's cells; where that has words alone, links lead to the page, by way of book_links.js."""
    pages = {path.name: path for path in (site / "downloads/pages").glob("*.ipynb")}
    listed = json.loads((lite / "api/contents/pages/all.json").read_text())["content"]
    assert {entry["name"] for entry in listed} == pages.keys()
    beside = COURSE.book_url or "../_build/html/"
    for name, path in pages.items():
        here, there = (nbformat.read(one, 4).cells for one in (path, lite / "files/pages" / name))
        plain = re.compile(rf"\[([^]]*)\]\({re.escape(beside)}[^)]*\)")
        assert [plain.sub(r"\1", cell.source) for cell in here] == [plain.sub(r"\1", cell.source) for cell in there]
        assert any(f"]({beside}downloads/" in cell.source for cell in there)


def test_it_is_built_again_only_when_something_has_changed(site, tmp_path, monkeypatch):
    """A site that is up to date is left alone; a changed byte in an exercise makes it another one."""
    (before,) = (path.stat().st_mtime_ns for path in [site / "lite/jupyter-lite.json"])
    subprocess.run([sys.executable, ROOT / "book/lite/lite_build.py"], check=True)
    assert (site / "lite/jupyter-lite.json").stat().st_mtime_ns == before
    (tmp_path / "notebook").write_text("3")
    monkeypatch.setattr(lite_build, "EXERCISES", tmp_path)
    first = lite_build.made_from()
    (tmp_path / "notebook").write_text("4")
    assert lite_build.made_from() != first


# --- the box on the pages ---


def box(book, name):
    """Return the HTML of a page's box."""
    with urlopen(f"{book}/{name}.html") as page:
        return re.search(r'<div class="assignment">.*?</details>\s*</div>', page.read().decode(), re.DOTALL)[0]


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_page_leads_to_its_notebook(book, name):
    """The box leads to the chapter's own notebook and says before the click what is loaded, and from where."""
    html = box(book, name)
    assert f'href="lite/notebooks/index.html?path={name}/{name}.ipynb"' in html
    assert "cdn.jsdelivr.net" in html
    assert f"{assignments.HERE} MB from this site" in html


@pytest.fixture
def first_visit(browser):
    """A page in a browser that has kept nothing: what it loads counts in full."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield Visit(context.new_page()).watch()


def test_one_click_opens_the_notebook(first_visit, book):
    """All is loaded from here, as much as the page says, but Pyodide, which is asked for after the click."""
    here = first_visit
    here.goto(f"{book}/{CHAPTER}.html")
    assert here.foreign == []
    here.page.get_by_role("link", name="Open it in the browser", exact=True).click()
    here.page.get_by_role("heading", name="Exercises 4: query, key, value").wait_for()
    here.page.get_by_text("def soft_lookup").first.wait_for()
    here.page.wait_for_function("document.querySelectorAll('.jp-Notebook .jp-Cell').length > 5")
    assert {url.split("/v")[0] for url in here.foreign} <= {"https://cdn.jsdelivr.net/pyodide"}
    loaded = here.page.evaluate("performance.getEntriesByType('resource').reduce((s, e) => s + e.transferSize, 0)")
    assert 0.7 * assignments.HERE < loaded / 1e6 < assignments.HERE  # the kernel's own part is not the page's


@pytest.mark.skipif(bool(COURSE.book_url), reason="the link leads to the book's address")
def test_a_notebooks_link_leads_to_the_page_beside_it(page, book):
    """Released for a book without an address, it names a folder that JupyterLite does not have."""
    page.goto(f"{book}/lite/notebooks/index.html?path={CHAPTER}/{CHAPTER}.ipynb")
    link = page.get_by_role("link", name="its demo at the worked example")
    for button in ("left", "middle"):
        with page.context.expect_page() as opened:
            link.click(button=button)
        opened.value.wait_for_url(f"{book}/{CHAPTER}.html#demo=soft_dictionary&*")
        opened.value.close()


def test_the_line_for_ones_own_computer_suits_every_python(book):
    """It installs the JupyterLab that was tried and whichever NumPy that Python has, and opens the notebook."""
    linux, windows = re.findall(r"<pre>(.*?)</pre>", unescape(box(book, CHAPTER)))
    for line in (linux, windows):
        assert f"jupyterlab=={version('jupyterlab')} numpy " in line.replace(";", " ")
        assert line.endswith(f"jupyter lab {CHAPTER}.ipynb")


def test_from_disk_only_the_download_is_left(page, site):
    """JupyterLite needs a server: a book that is opened from a folder does not lead there."""
    page.goto((site / f"{CHAPTER}.html").as_uri())
    page.get_by_role("link", name="Download the assignment").wait_for()
    assert page.get_by_role("link", name="Open it in the browser", exact=True).count() == 0
    assert page.locator(".assignment").get_by_text("cdn.jsdelivr.net").count() == 0


# --- the repository ---


def config_with(url, branch="main"):
    """Return a configuration as the extension sees it."""
    return SimpleNamespace(repository_url=url, repository_branch=branch)


def test_without_a_repository_nothing_leads_to_one(book):
    """As the course comes, no page has a link to a host of notebooks, to its source or to issues."""
    with urlopen(f"{book}/{CHAPTER}.html") as page:
        html = page.read().decode()
    assert not re.search('mybinder|codespaces|colab|github.com/[^"]*/(edit|issues)', html)


@pytest.fixture(scope="module")
def with_repository(small_book):
    """The HTML of a page with an assignment, built with the course's settings and the address of a repository."""
    return (small_book[0] / "other.html").read_text()


def test_one_setting_leads_to_source_and_issues(with_repository):
    """With an address, the page leads to its source in the repository and to a new issue."""
    assert f"{URL}/edit/main/book/other.md" in with_repository
    assert f"{URL}/issues/new" in with_repository


def test_one_setting_leads_to_hosts_of_notebooks(with_repository):
    """Binder, a codespace and Colab open the same repository; Colab is told what is beside the notebook."""
    html = unescape(with_repository)
    notebook = f"exercises/{OFFERED}/{OFFERED}.ipynb"
    assert f"https://mybinder.org/v2/gh/OWNER/NAME/main?labpath={notebook.replace('/', '%2F')}" in html
    assert "https://codespaces.new/OWNER/NAME?ref=main" in html
    assert f"https://colab.research.google.com/github/OWNER/NAME/blob/main/{notebook}" in html
    raw = "raw.githubusercontent.com/OWNER/NAME/main/exercises"
    assert f"{raw}/selfcheck.py" in html  # its file, not the chapter's link to it
    released = files_in(COURSE.exercises_folder / OFFERED)
    others = [name for name in released if not name.endswith((".ipynb", "selfcheck.py"))]
    assert "examples.json" in others
    assert [name for name in others if f"{raw}/{OFFERED}/{name}" not in html] == []


@pytest.mark.parametrize("url", ["github.com/OWNER/NAME", "https://github.com/OWNER", "https://example.org/a/b"])
def test_another_address_is_refused(url):
    """What is no repository on GitHub stops the build with what was expected."""
    with pytest.raises(ExtensionError, match=r"expected repository_url: like https://github.com/OWNER/NAME, got"):
        repository.repository_of(config_with(url))


@pytest.mark.parametrize("url", [URL, f"{URL}/", f"{URL}.git"])
def test_an_address_may_be_written_as_one_copies_it(url):
    """With a slash or .git at its end it is the same repository."""
    assert repository.repository_of(config_with(url, branch="")) == ("OWNER/NAME", "main")


def test_hosts_of_notebooks_install_the_courses_numpy():
    """Binder and the codespace get the NumPy that grades."""
    assert (ROOT / ".binder/requirements.txt").read_text().split() == [f"numpy=={np.__version__}"]
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    assert "-r .binder/requirements.txt" in container["postCreateCommand"]
    python = (ROOT / ".binder/runtime.txt").read_text().strip().removeprefix("python-")
    notebook = nbformat.read(COURSE.exercises_folder / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)
    assert container["image"].endswith(f":{python}")
    assert notebook.metadata.kernelspec.language == "python"
