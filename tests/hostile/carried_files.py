"""Files are left for the next submission in the same worker.

These are graded one after the other; each is followed by an honest student and by one who looks for traces (snoop.py).
"""

from .corpus import Hostile

RIGHTS = """
import contextlib, os, posix
def rights(path, mode):
    with contextlib.suppress(OSError):
        posix.chmod(path, mode)
"""
FILES = """
import os
for folder in ("/tmp", "/tmp/work", "/dev/shm"):
    for name, mode in (("hostile-was-here", 0o644), (".hidden", 0o000), ("read_only", 0o444), ("run_me", 0o6777)):
        path = os.path.join(folder, name)
        open(path, "w").write("left behind")
        rights(path, mode)
    os.makedirs(f"{folder}/locked/inner")
    open(f"{folder}/locked/inner/file", "w").write("left behind")
    rights(f"{folder}/locked/inner", 0o000)
    rights(f"{folder}/locked", 0o000)
"""
ODD_FILES = """
import contextlib, os, socket
for folder in (b"/tmp/", b"/tmp/work/", b"/dev/shm/"):
    for name in (b"a\\nb", b"\\xff\\xfe", b"-rf", b"x" * 255, b" ", b"*", b"\\x1b]0;owned\\x07"):
        open(folder + name, "w").close()
    with contextlib.suppress(PermissionError):
        os.mkfifo(folder + b"pipe")
    os.symlink(b"/proc/self/fd/0", folder + b"link")
    os.symlink(b"loop", folder + b"loop")
    os.link(folder + b"*", folder + b"hard link")
    os.symlink(b"/tmp", folder + b"down")
    server = socket.socket(socket.AF_UNIX)
    server.bind(folder + b"socket")
"""
DEEP = """
import os
for folder in ("/tmp/work", "/dev/shm"):
    os.chdir(folder)
    for level in range(3000):
        os.mkdir("deep" * 20)
        os.chdir("deep" * 20)
    open("bottom", "w").close()
"""
COMPANIONS = """
import os
praise = "def check(name, function): print('owned')\\n"
for name in os.listdir("/tmp/work"):
    os.path.isfile(name) and open(name, "w").write(praise)
os.rename("/tmp/work/selfcheck.py", "/tmp/work/selfcheck")
os.mkdir("/tmp/work/selfcheck.py")
rights("/tmp/work/selfcheck.py", 0)
os.remove("/tmp/work/examples.json")
os.symlink("/dev/null", "/tmp/work/examples.json")
"""
SHADOWS = """
import importlib.util, os, py_compile
praise = "print('owned')\\ndef check(*names): print('owned')\\ndef __getattr__(name): return check\\n"
os.makedirs("/tmp/work/__pycache__", exist_ok=True)
for name in ("numpy", "json", "selfcheck", "IPython", "sitecustomize", "encodings", "textwrap", "protocol"):
    open(f"/tmp/work/{name}.pyi", "w").write(praise)
    cached = importlib.util.cache_from_source(f"/tmp/work/{name}.py")
    kind = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(f"/tmp/work/{name}.pyi", cached, invalidation_mode=kind)
    if name != "selfcheck":
        open(f"/tmp/work/{name}.py", "w").write(praise)
"""
SETTINGS = """
import os, sys
version = f"python{sys.version_info.major}.{sys.version_info.minor}"
for path in (
    ".ipython/profile_default/startup/00.py", ".ipython/profile_default/ipython_config.py", ".pdbrc",
    "matplotlib/matplotlibrc", ".config/matplotlib/matplotlibrc",
    f".local/lib/{version}/site-packages/usercustomize.py",
    f".local/lib/{version}/site-packages/evil.pth", "work/matplotlibrc", "work/ipython_config.py", ".pythonrc.py",
):
    os.makedirs(os.path.dirname(os.path.join("/tmp", path)), exist_ok=True)
    open(os.path.join("/tmp", path), "w").write("import os; print('owned')\\nbackend: module://evil\\n")
"""
NO_FOLDER = """
import os, shutil
os.chdir("/")
shutil.rmtree("/tmp/work", ignore_errors=True)
for name in os.listdir("/tmp"):
    shutil.rmtree("/tmp/" + name, ignore_errors=True)
try:
    os.rmdir("/tmp/work")
    os.symlink("/dev/shm", "/tmp/work")
except OSError as error:
    print(error.strerror)
"""
READ_ONLY = """
import os, posix
for path in ("/tmp/work/selfcheck.py", "/tmp/work", "/tmp", "/dev/shm"):
    try:
        posix.chmod(path, 0o000)
    except OSError as error:
        print(path, error.strerror)
os.umask(0o777)
"""
FULL_DISK = """
import os
for folder in ("/tmp", "/dev/shm", "/tmp/work"):
    for number in range(8):
        try:
            with open(f"{folder}/big{number}", "wb", buffering=0) as file:
                while file.write(bytes(1 << 20)):
                    pass
        except OSError as error:
            print(error.strerror)
open("/tmp/sparse", "wb").truncate(1 << 23)
"""
MANY_FILES = """
import os, time
until = time.monotonic() + 0.4
os.makedirs("/tmp/many")
number = 0
while time.monotonic() < until:
    number += 1
    os.close(os.open(f"/tmp/many/{number}", os.O_CREAT))
    os.mkdir(f"/dev/shm/{number}")
"""

ENTRIES = (
    Hostile("files", "files that nobody may read or remove", RIGHTS + FILES),
    Hostile("odd_files", "pipes, sockets, loops and names that no shell likes", ODD_FILES),
    Hostile("deep", "folders deeper than a path may be long", DEEP),
    Hostile("companions", "the self-check is overwritten, renamed, and a folder put in its place", RIGHTS + COMPANIONS),
    Hostile("shadows", "modules and compiled modules under the names of others", SHADOWS),
    Hostile("settings", "start-up files of Python, IPython and Matplotlib", SETTINGS),
    Hostile("no_folder", "the working folder is removed and a link put in its place", NO_FOLDER),
    Hostile("read_only", "nobody may enter the folders any more", READ_ONLY),
    Hostile("full_disk", "not a byte of room is left", FULL_DISK),
    Hostile("many_files", "thousands of files and folders", MANY_FILES),
)
