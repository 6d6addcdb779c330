"""Pin what runs in the browser: write ``pyodide-lock.json``, the packages of one Pyodide that an assignment may load.

    python book/lite/lite_pin.py                 # of the Pyodide that jupyter-lite.json names

Pyodide's own list, from its package on npm, has each file's name and SHA-256; what the course does not need is left
out. The browser refuses a file with another hash.
"""

import json
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
# micropip and packaging install the kernel's own wheels, jedi completes names; what these need comes by itself.
NEEDED = ("numpy", "matplotlib", "ipython", "jedi", "micropip", "packaging", "traitlets")


def kernel_settings(path=HERE / "jupyter-lite.json"):
    """Return what a ``jupyter-lite.json`` tells the kernel."""
    return json.loads(path.read_text())["jupyter-config-data"]["litePluginSettings"][KERNEL]


def version():
    """Return the Pyodide that the settings name: the part after ``/v`` in its address."""
    return kernel_settings()["pyodideUrl"].split("/v")[1].split("/")[0]


def core(folder):
    """Fetch Pyodide's package from npm, unpack it and return where its files are."""
    command = ["npm", "pack", f"pyodide@{version()}", "--silent", "--pack-destination", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    return Path(folder, "package")


def with_what_they_need(names, packages):
    """Return the entries of the packages named and of all that these depend on."""
    found, open_ = {}, [name.lower().replace("_", "-") for name in names]
    while open_:
        name = open_.pop()
        if name not in found:
            found[name] = packages[name]
            open_ += [needed.lower().replace("_", "-") for needed in packages[name]["depends"]]
    return dict(sorted(found.items()))


def main():
    """Write the lock."""
    with TemporaryDirectory() as folder:
        lock = json.loads((core(folder) / "pyodide-lock.json").read_text())
    lock["packages"] = with_what_they_need(NEEDED, lock["packages"])
    (HERE / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n")


if __name__ == "__main__":
    main()
