"""Memory, processes, disk, descriptors and output are used up, or Python is left by force."""

from .corpus import Hostile, each

CALL = "def double(x):\n    {}"
BOMB = """
import os
try:
    for _ in range(8):
        os.fork()
except BlockingIOError:
    pass
"""
SPINNERS = """
import os
for _ in range(20):
    if os.fork() == 0:
        while True: pass
"""
THREADS = """
import threading, time
try:
    for _ in range(10_000):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
except RuntimeError as error:
    print(error)
"""
MEMORY = """
kept = []
while True:
    kept.append(np.empty(8 << 20))
"""
MEMORY_OF_MANY = """
import os, time
for _ in range(12):
    if os.fork() == 0:
        kept = bytearray(b"x") * (100 << 20)
        time.sleep(60)
time.sleep(0.2)
"""
MAPPED = """
import mmap
kept = []
try:
    for _ in range(20_000):
        kept.append(mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
except OSError as error:
    print(error.strerror)
"""
DISK = """
number = 0
while True:
    open(f"/tmp/work/{number}", "wb").write(bytes(8 << 20))
    number += 1
"""
DESCRIPTORS = """
import os
kept = []
try:
    while True:
        kept.extend(os.pipe())
except OSError as error:
    print(error.strerror)
"""
RECURSION = """
import sys
sys.setrecursionlimit(10**9)
def down(depth):
    return max([depth + 1], key=down)
"""
IN_C = """
import sys
sys.setrecursionlimit(10**9)
one, other = [], []
for _ in range(200_000):
    one, other = [one], [other]
"""
DISPLAYS = """
from IPython.display import display
while True:
    display("x" * 10_000)
"""
ALL_STREAMS = """
import os, sys
line = "x" * 50_000
while True:
    print(line, file=sys.stderr)
    os.write(1, line.encode())
    os.write(2, line.encode())
"""
ONE_BY_ONE = """
import sys
for number in range(400_000):
    sys.stdout.write("\\n" * 8)
"""
QUESTIONS = each(
    *("input('mark? ')", "import getpass; getpass.getpass()", "breakpoint()", "import pdb; pdb.set_trace()"),
    *("open('/dev/tty').read()", "import sys; sys.stdin.read()", "import tkinter; tkinter.Tk()"),
    "%gui qt",
)
LOUD = "import sys, os, signal\n"
SMALL = ("graded", "error", "crashed", "memory_limit", "time_limit")
CRASH = ("crashed",)

ENTRIES = (
    Hostile(
        "array",
        "an array larger than any memory",
        answer=CALL.format("return np.ones(10**13)"),
        status=("memory_limit",),
    ),
    Hostile("memory", "memory is taken until there is none", MEMORY, status=("graded", "memory_limit")),
    Hostile(
        "memory_in_the_call",
        "and in the call",
        answer=CALL.format("return bytearray(1 << 50)"),
        status=("memory_limit",),
    ),
    Hostile("memory_of_many", "each child takes a little less than it may", MEMORY_OF_MANY, status=SMALL),
    Hostile("mappings", "twenty thousand mappings", MAPPED, status=SMALL),
    Hostile("fork_bomb", "processes that make processes", BOMB, status=SMALL),
    Hostile("spinners", "children that take the processor from everybody", SPINNERS, status=("graded", "time_limit")),
    Hostile("threads", "ten thousand threads", THREADS, status=SMALL),
    Hostile("disk", "files until the disk is full", DISK, "", status=("error",), words="double` does not exist"),
    Hostile("descriptors", "pipes until none can be opened", DESCRIPTORS, status=SMALL),
    Hostile("recursion", "a stack without end", RECURSION, CALL.format("return down(0)"), status=SMALL),
    Hostile(
        "recursion_in_c",
        "a comparison that goes down without end",
        IN_C,
        CALL.format("return one == other"),
        status=SMALL,
    ),
    Hostile("flood", "output without end", "while True: print('grass ' * 1000)", status=("graded", "output_limit")),
    Hostile(
        "one_line", "one line of a hundred million letters", "print('x' * 10**8)", status=("graded", "output_limit")
    ),
    Hostile(
        "line_ends",
        "four hundred thousand times eight lines",
        ONE_BY_ONE,
        status=("graded", "output_limit", "time_limit"),
    ),
    Hostile("displays", "displayed values without end", DISPLAYS, status=("graded", "output_limit", "time_limit")),
    Hostile("all_streams", "output on every stream and past Python", ALL_STREAMS, status=("graded", "output_limit")),
    Hostile("questions", "somebody is asked, a debugger or a window opened", QUESTIONS, status=SMALL),
    Hostile(
        "exit",
        "sys.exit in the cell, and in the call",
        "import sys",
        CALL.format("sys.exit(0)"),
        words="does nothing here",
    ),
    Hostile(
        "hard_exit",
        "os._exit in the call",
        "import os",
        CALL.format("os._exit(0)"),
        status=CRASH,
        words="Python itself ended",
    ),
    Hostile("abort", "an abort in the call", "import os", CALL.format("os.abort()"), status=CRASH),
    Hostile(
        "segfault", "a wild pointer in the call", "import ctypes", CALL.format("ctypes.string_at(1)"), status=CRASH
    ),
    Hostile(
        "suicide",
        "the function kills its process",
        LOUD,
        CALL.format("os.kill(os.getpid(), 9)"),
        status=("crashed", "memory_limit"),
    ),
    Hostile(
        "parricide",
        "the function kills its parent and all",
        LOUD,
        CALL.format("os.kill(os.getppid(), 9); os.kill(-1, 9)"),
        status=SMALL,
    ),
    Hostile(
        "group",
        "the function kills its group",
        LOUD,
        CALL.format("os.killpg(0, 9)"),
        status=("crashed", "memory_limit"),
    ),
    Hostile(
        "no_builtins",
        "Python's names are deleted",
        "import builtins\nfor name in dir(builtins): delattr(builtins, name)",
        status=SMALL,
    ),
)
