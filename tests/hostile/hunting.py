"""References, tests and other people's work are looked for; what is found is printed, and returned as the answer."""

from .corpus import OWN_MEMORY, Hostile, each

FOUND = """
import re
def tell(text):
    text = text if isinstance(text, str) else bytes(text).decode("latin-1")
    found = set(re.findall("CANARY" + "-[A-Z]+.{0,20}", text))
    print(*found, end="")
"""
DISK = """
import os
for top in ("/tmp", "/sandbox", "/home", "/root", "/work", "/srv", "/etc", "/var", "/opt", "/mnt", "/run", "/dev"):
    for place, folders, files in os.walk(top):
        del folders[200:]
        for name in files[:200]:
            try:
                if os.path.isfile(os.path.join(place, name)):
                    tell(open(os.path.join(place, name), errors="replace").read(100_000))
            except OSError:
                pass
print(os.listdir("/"))
"""
FRAMES = """
import inspect, sys, traceback
def up(frame):
    while frame:
        for names in (frame.f_locals, frame.f_globals):
            tell(repr(list(names.items()))[:300_000])
        frame = frame.f_back
for frame in sys._current_frames().values():
    up(frame)
try:
    1 / 0
except ZeroDivisionError as error:
    up(error.__traceback__.tb_frame)
tell("".join(traceback.format_stack()) + repr(inspect.stack())[:300_000])
"""
IN_THE_CALL = """
def double(x):
    import sys
    frame, seen = sys._getframe(), []
    while frame:
        seen.append(dict(frame.f_locals))
        frame = frame.f_back
    wanted = [value for names in seen for name, value in names.items() if name in ("expected", "right", "reference")]
    if wanted:
        return wanted[0]
    raise ValueError(repr(x), repr(seen))
"""
GARBAGE = """
import gc, sys
for thing in gc.get_objects():
    if isinstance(thing, (dict, list, tuple)) and len(thing) < 1000:
        text = repr([part for part in (thing.values() if isinstance(thing, dict) else thing) if isinstance(part, str)])
        if "CANARY" + "-" in text:
            tell(text)
"""
MEMORY = """
import glob
for path in glob.glob("/proc/[0-9]*/mem") + ["/processes/proc/1/mem", "/dev/mem", "/dev/kmem", "/proc/kcore"]:
    try:
        tell(os.pread(os.open(path, os.O_RDONLY), 1 << 20, 0))
    except OSError as error:
        print(path.replace(str(os.getpid()), "self"), error.strerror)
import re
for memory in own_memory():
    for match in re.finditer(b"CANARY" + b"-.{60}", memory):
        tell(match[0])
"""
ENVIRONMENT = """
import glob, os, sys
tell(repr(dict(os.environ)) + repr(sys.argv))
for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
    try:
        tell(open(path).read())
    except OSError as error:
        print(error.strerror)
"""
IMPORTS = """
import importlib, sys
sys.path[:0] = ["/", "/root", "..", "../..", "/srv", "/home", "tests/mini_course"]
importlib.invalidate_caches()
for name in ("autograder", "attention.chapters", "mini_checks.doubling", "nbgrader", "checks", "solutions"):
    try:
        tell(repr(vars(importlib.import_module(name))))
        from mini_checks.doubling.double import double
    except ImportError as error:
        print(error.msg)
"""
OBJECTS = """
def subclasses(kind):
    for child in type.__subclasses__(kind):
        yield child
        yield from subclasses(child)
tell(repr([(child, getattr(child, "__doc__", "")) for child in subclasses(object)]))
import sys, linecache
tell(repr(linecache.cache) + repr({name: sorted(vars(module)) for name, module in sys.modules.items()}))
"""
DESCRIPTORS = """
import fcntl, os
for descriptor in range(3, 128):
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETFL, os.O_NONBLOCK | fcntl.fcntl(descriptor, fcntl.F_GETFL))
        tell(os.read(descriptor, 1 << 20))
    except OSError:
        pass
"""
RELATIVES = each(
    *(
        f"tell(open({path!r}, 'rb').read())"
        for path in (
            "gradebook.db",
            "../gradebook.db",
            "../../../gradebook.db",
            "examples.json",
            "/proc/1/cwd/secret.txt",
        )
    ),
    "import os; print(os.readlink('/proc/1/root'), os.readlink('/proc/1/exe'))",
    "import os; print(os.listdir('/proc/1/fd'), os.listdir('/proc/1/task'))",
    "import os; print(os.listdir('/proc/' + str(os.getppid()) + '/fd'))",
)
WATCHED = """
import sys
seen = []
def watch(frame, event, argument):
    seen.append((event, repr(argument)[:1000], repr(frame.f_locals)[:1000]))
sys.setprofile(watch)
sys.addaudithook(lambda event, arguments: seen.append((event, repr(arguments)[:1000])))
import protocol
decode = protocol.decode
protocol.decode = lambda data: seen.append(repr(data)) or decode(data)
"""
TOLD = "def double(x):\n    raise ValueError('found ' + repr(seen) + repr(x))"
BY_SHAPE = "def double(x):\n    return np.zeros([abs(int(entry * 1000)) % 90 for entry in x.ravel()[:3]])"
BY_NAME = "def double(x):\n    raise type('Seen_' + repr(x.ravel()[:1]), (ValueError,), {})(repr(x))"
GRADER_ONLY = """
import os, socket, sys, time
graded = socket.gethostname() == "notebook" or os.getcwd() == "/tmp/work" or "JPY_PARENT_PID" not in os.environ
"""
TIMED = """
import time
def double(x):
    before, answer = time.perf_counter_ns(), np.zeros(x.shape)
    for guess in range(200):
        answer = answer if np.array_equal(answer, answer + guess) else answer + guess
    return answer + (time.perf_counter_ns() - before)
"""

ENTRIES = (
    Hostile("disk", "every readable file is searched", FOUND + DISK),
    Hostile("relatives", "gradebook, first process and parent by their paths", FOUND + RELATIVES),
    Hostile("frames", "the callers' variables are searched", FOUND + FRAMES),
    Hostile("frames_in_the_call", "and those of whoever calls the function", answer=IN_THE_CALL, status=("error",)),
    Hostile("garbage", "every object that the collector knows is searched", FOUND + GARBAGE),
    Hostile("memory", "the memory of all processes is searched", OWN_MEMORY + FOUND + MEMORY),
    Hostile("environment", "variables and arguments of all processes are searched", FOUND + ENVIRONMENT),
    Hostile("imports", "the reference is imported", FOUND + IMPORTS),
    Hostile("subclasses", "from object down to all classes and modules", FOUND + OBJECTS),
    Hostile("descriptors", "whatever is open is read", FOUND + DESCRIPTORS, status=("graded", "crashed")),
    Hostile(
        "watched", "profiler, audit hook and decoder tell what is asked", WATCHED, TOLD, status=("error", "crashed")
    ),
    Hostile("told_by_shape", "a shape carries the unseen numbers out", answer=BY_SHAPE),
    Hostile("told_by_name", "the name of an error carries them out", answer=BY_NAME, status=("error",)),
    Hostile("only_when_graded", "the answer knows that it is being graded", GRADER_ONLY, words="Returns nothing"),
    Hostile("timing", "the time of a comparison is the answer", answer=TIMED),
)
