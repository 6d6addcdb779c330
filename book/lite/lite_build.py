"""Build the place where notebooks run in the browser: JupyterLite with all exercises, in ``_build/html/lite``.

    python book/lite/lite_build.py [--to FOLDER]

The pages that the book offers as notebooks are in it, too, and the readers' wheel. Nothing is fetched, and where
nothing has changed since the last time nothing is done.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from email.parser import BytesParser
from importlib.metadata import distribution, version
from pathlib import Path

from lite_pin import kernel_settings
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.course.which_course import find_course

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXERCISES = find_course(ROOT).exercises_folder
STAGE = ROOT / "_build/lite"
SITE = ROOT / "_build/html/lite"
DOWNLOADS = ROOT / "_build/html/downloads"
PAGES = ROOT / "_build/pages_for_lite"
PACKED = ("comm", "autograd", "jaxtyping", "wadler-lindig")  # Pyodide lacks them: the kernel's, and the wheel's needs
MADE_FROM = "made-from.txt"  # in the site: the hash of all that it was made from
KERNEL = Path(sys.prefix, "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension")
OPTIONS = {
    "apps": ["notebooks", "tree", "edit"],  # a notebook alone, and the list of files that its logo leads to
    "contents": [str(STAGE / "contents")],
    "federated_extensions": [str(KERNEL)],
    "ignore_sys_prefix": ["federated_extensions"],  # the other extensions of this Python, nbgrader's and the demos'
    "no_sourcemaps": True,
    "no_unused_shared_packages": True,
}


def made_from():
    """Return one hash of the exercises, of the settings here and of the packages that build the site."""
    course = find_course(ROOT)
    digest = hashlib.sha256(f"{course.settings.title} {course.chapters()}".encode())
    for name in ("jupyterlite-core", "jupyterlite-pyodide-kernel", *PACKED):
        digest.update(f"{name} {version(name)}\n".encode())
    for path in sorted((*PAGES.glob("*.ipynb"), *DOWNLOADS.glob("*.whl"))):
        digest.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    for folder in (EXERCISES, HERE):
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            digest.update(f"{path.relative_to(folder)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def pack(name, folder):
    """Pack an installed package of pure Python as the wheel that it came from."""
    package = distribution(name)
    files = [file for file in package.files if ".." not in file.parts and file.suffix != ".pyc"]
    files = [file for file in files if file.name not in ("INSTALLER", "REQUESTED", "direct_url.json")]
    with zipfile.ZipFile(folder / f"{name.replace('-', '_')}-{package.version}-py3-none-any.whl", "w") as wheel:
        for file in sorted(files):
            wheel.writestr(zipfile.ZipInfo(file.as_posix()), package.locate_file(file).read_bytes())


def stage():
    """Lay out what JupyterLite is made from: settings, assignments, pages, and the wheels that Pyodide lacks."""
    shutil.rmtree(STAGE, ignore_errors=True)
    for folder in ("pypi", "contents/pages"):
        (STAGE / folder).mkdir(parents=True)
    course = find_course(ROOT)
    settings = json.loads((HERE / "jupyter-lite.json").read_text(encoding="utf-8"))
    settings["jupyter-config-data"]["appName"] = course.settings.title or settings["jupyter-config-data"]["appName"]
    (STAGE / "jupyter-lite.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    for name in course.chapters():
        shutil.copytree(EXERCISES / name, STAGE / "contents" / name)
    (STAGE / "jupyter_lite_config.json").write_text(json.dumps({"LiteBuildConfig": OPTIONS}))
    for page in PAGES.glob("*.ipynb"):
        shutil.copy(page, STAGE / "contents/pages")
    for name in PACKED:
        pack(name, STAGE / "pypi")  # without them the kernel would ask PyPI
    for wheel in DOWNLOADS.glob("*.whl"):
        shutil.copy(wheel, STAGE / "pypi")


def lock_entry(wheel):
    """Return what Pyodide's lock says of a wheel that lies on the site: a cell that imports it loads it."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist() if "/" in name}
        (dist,) = (top for top in tops if top.endswith(".dist-info"))
        metadata = BytesParser().parsebytes(archive.read(f"{dist}/METADATA"))
    needs = map(Requirement, metadata.get_all("Requires-Dist", []))
    needs = [need for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return {
        "name": metadata["Name"],
        "version": metadata["Version"],
        "file_name": f"pypi/{wheel.name}",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "install_dir": "site",
        "imports": sorted(top for top in tops - {dist} if top.isidentifier()),
        "depends": [canonicalize_name(need.name) for need in needs],
        "unvendored_tests": False,
    }


def write_lock(site):
    """Write the lock of all that may be loaded: Pyodide's files at their address, the packed wheels beside the lock."""
    lock = json.loads((HERE / "pyodide-lock.json").read_text(encoding="utf-8"))
    address = kernel_settings()["pyodideUrl"].rpartition("/")[0]
    for entry in lock["packages"].values():
        entry["file_name"] = f"{address}/{entry['file_name']}"
    for wheel in sorted((site / "pypi").glob("*.whl")):
        entry = lock_entry(wheel)
        lock["packages"][canonicalize_name(entry["name"])] = entry
    (site / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n", encoding="utf-8")


def scripts():
    """Return our scripts for JupyterLite's pages: one says what it needs without a network, one repairs links."""
    address = kernel_settings()["pyodideUrl"]
    texts = [(HERE / name).read_text(encoding="utf-8") for name in ("no_network.js", "book_links.js")]
    return "".join(f"<script>{text.replace('PYODIDE', json.dumps(address))}</script>" for text in texts)


def build(site):
    """Make the site anew."""
    stage()
    shutil.rmtree(site, ignore_errors=True)
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--output-dir", str(site)]
    made = subprocess.run(command, cwd=STAGE, capture_output=True, text=True)
    if made.returncode:
        sys.exit(f"lite: JupyterLite could not be built:\n{(made.stdout + made.stderr)[-2000:]}")
    write_lock(site)
    for app in ("notebooks", "tree"):
        page = site / app / "index.html"
        page.write_text(page.read_text(encoding="utf-8").replace("</body>", f"{scripts()}</body>"), encoding="utf-8")
    (site / MADE_FROM).write_text(made_from())


def main():
    """Build the site unless it is up to date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=SITE, metavar="FOLDER")
    site = parser.parse_args().to.resolve()
    note = site / MADE_FROM
    if not (note.exists() and note.read_text() == made_from()):
        build(site)


if __name__ == "__main__":
    main()
