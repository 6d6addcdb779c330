"""What readers install: the mathematics alone, with which the visible cells of a page run.

``OLDEST=python3.10 pytest -n 0`` this file also runs them with that Python and the oldest packages that the wheel
allows, in a new environment that pip fills.
"""

import ast
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import readers_wheel
from packaging.requirements import Requirement

from attention.models.build import ONE_THREAD
from tests.support.root import ROOT

from . import given_away

PAGES = [path for path in sorted((ROOT / "book").glob("*.md")) if "\nnotebook: true\n" in path.read_text()[:400]]
OLDEST = os.environ.get("OLDEST")
NEEDS = ("numpy", "autograd", "jaxtyping", "wadler_lindig")  # and nothing else that is installed here
RUN = """
import json, sys
sys.path[:0] = sys.argv[1:]
for page, cells in json.load(sys.stdin).items():
    names = {"__name__": "__main__"}
    for cell in cells:
        exec(compile(cell, page, "exec"), names)
import attention.chapters
print(attention.chapters.__file__)
"""


def visible_cells(page):
    """Return the code that a page shows."""
    return [code for _, code in given_away.visible_cells(page.read_text(encoding="utf-8"))]


def run_pages(*command):
    """Run the visible cells of every page that comes as a notebook; return where the last one found ``attention``."""
    cells = json.dumps({page.stem: visible_cells(page) for page in PAGES})
    ran = subprocess.run(command, input=cells, capture_output=True, text=True, check=False, env=ONE_THREAD)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built anew."""
    return readers_wheel.build_wheel(tmp_path_factory.mktemp("wheel"))


def test_it_holds_the_mathematics_alone(wheel):
    """The chapters and what finds their functions: no exercises, no mistakes, no trained models."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = next(archive.read(name).decode() for name in archive.namelist() if name.endswith("METADATA"))
    chapters = (path.relative_to(ROOT).as_posix() for path in (ROOT / "attention/chapters").glob("*.py"))
    assert names == {"attention/__init__.py", *chapters}
    assert len(re.findall(r"^Requires-Dist:", metadata, re.MULTILINE)) <= 3  # NumPy and two small packages
    assert "\nRequires-Python: >=3.10\n" in metadata


def test_it_is_the_one_that_the_book_offers(wheel, site):
    """The same sources give the same bytes, at another time and in another folder."""
    (offered,) = (site / "downloads").glob("*.whl")
    assert (offered.name, offered.read_bytes()) == (wheel.name, wheel.read_bytes())
    assert f'href="downloads/{wheel.name}"' in (site / "about.html").read_text(encoding="utf-8")


def test_the_oldest_python_reads_it():
    """No chapter is written in a newer Python than the wheel promises."""
    for path in (ROOT / "attention/chapters").glob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 10))


def test_what_a_page_shows_runs_with_the_wheel_alone(wheel, tmp_path):
    """Pasted one after the other, the visible cells need the wheel and what it needs, and nothing else."""
    assert len(PAGES) >= 3
    unpack(wheel, tmp_path)
    place = run_pages(sys.executable, "-I", "-S", "-c", RUN, str(tmp_path))
    assert place.startswith(str(tmp_path))


def unpack(wheel, folder):
    """Put the wheel and what it needs into a folder, and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    installed = Path(np.__file__).parents[1]
    for path in (path for name in NEEDS for path in (installed / name, *installed.glob(f"{name}[-.]*"))):
        (folder / path.name).symlink_to(path)


@pytest.mark.skipif(not OLDEST, reason="makes an environment with old packages: set OLDEST=python3.10")
def test_it_runs_with_the_oldest_packages(wheel, tmp_path):
    """With the oldest Python and packages that the wheel allows, the visible cells run."""
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(archive.read(name).decode() for name in archive.namelist() if name.endswith("METADATA"))
    needs = map(Requirement, re.findall(r"^Requires-Dist: (.*)$", metadata, re.MULTILINE))
    pins = [f"{need.name}=={next(iter(need.specifier)).version}.*" for need in needs]
    subprocess.run([OLDEST, "-m", "venv", tmp_path / "env"], check=True)
    python = tmp_path / "env/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel, *pins], check=True)
    assert "site-packages" in run_pages(python, "-I", "-c", RUN)
