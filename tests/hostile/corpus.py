"""What a hostile submission is, and how a class full of them is handed in."""

import copy
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

from tests.support.hand_in import CHAPTER, RIGHT, answer_in, cell_of

FAMILIES = (
    *(
        "patched_comparison",
        "hunting",
        "carried_files",
        "carried_state",
        "channels",
        "endless",
        "exhaustion",
        "strange_values",
        "escapes",
    ),
    *("files", "formats", "instructors_screen"),
)
ONE_BY_ONE = ("carried_files", "carried_state")  # graded in one process; the others in two, side by side
ENDLESS = ("endless",)  # always use up their time, so they have a separate class with little of it
NAME = f"{CHAPTER}.ipynb"
NOTHING = "def double(x):\n    return None"
SQUARED = "def double(x):\n    return x ** 2"
GRADED = ("graded",)
# In every answer except the snoop's: an entry that finds it has read somebody else's work.
WATERMARK = "WATERMARK-OF-"
TOO_FAR = "went too far:"
# First lines of every attack: without a sandbox it ends here, and does no harm where the tests run. The cell then has
# nothing to define, so that an error ends it.
INSIDE = (
    "if not __import__('os').path.exists('/sandbox/protocol.py'):\n"
    "    get_ipython().defines = ''\n"
    "    raise SystemError('no walls')\n"
)
OWN_MEMORY, SNOOP = (
    (Path(__file__).parent / name).read_text(encoding="utf-8") for name in ("own_memory.py", "snoop.py")
)


@dataclass(frozen=True)
class Hostile:
    """One hostile submission: what it tries, what it hands in, and what must come of it.

    ``attack`` stands in the answer cell before ``answer``; ``before`` and ``after`` are cells around that one.
    ``change`` edits the notebook, ``raw`` is, or makes, a file in its place, and ``prepare`` may do anything to the
    folder.
    ``words`` must stand in the messages; ``student`` is the name of the folder, where that is the attack.
    ``carries`` returns, for an unseen input, what no message may hold.
    """

    name: str
    tries: str
    attack: str = ""
    answer: str = NOTHING
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    change: Callable | None = None
    raw: bytes | Callable[[], bytes] | None = None
    prepare: Callable[[Path], None] | None = None
    student: str = ""
    status: tuple[str, ...] = GRADED
    score: float = 0.0
    words: str = ""
    carries: Callable | None = None

    def write(self, folder, released):
        """Hand it in."""
        folder.mkdir(parents=True)
        made = self.raw() if callable(self.raw) else self.raw
        data = nbformat.writes(self.notebook(released)).encode() if made is None else made
        (folder / NAME).write_bytes(data)
        if self.prepare:
            self.prepare(folder)

    def notebook(self, released):
        """Return the notebook that is handed in."""
        notebook = answer_in(
            copy.deepcopy(released), marked(f"{self.attack and INSIDE}{self.attack}\n{self.answer}", self.name)
        )
        place = notebook.cells.index(cell_of(notebook, "double"))
        notebook.cells[place + 1 : place + 1] = map(new_code_cell, self.after)
        notebook.cells[place:place] = map(new_code_cell, self.before)
        if self.change:
            self.change(notebook)
        return notebook


@dataclass(frozen=True)
class Honest:
    """A student who tries nothing, and must not notice the others."""

    answer: str
    name: str
    before: tuple[str, ...] = ()

    def write(self, folder, released):
        """Hand it in."""
        notebook = answer_in(copy.deepcopy(released), self.answer)
        notebook.cells[2:2] = map(new_code_cell, self.before)
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / NAME)


def marked(source, name):
    """Return a source that says whose it is."""
    return f"{source}\n# {WATERMARK}{name}"


ALONE = ("snoop", "right", "squared")  # the first of a class, whom nobody can have disturbed
KNOWN = {
    "right": Honest(marked(RIGHT, "right"), "right"),
    "squared": Honest(marked(SQUARED, "squared"), "squared"),
    "snoop": Honest(RIGHT, "snoop", (f"{OWN_MEMORY}\n{SNOOP}",)),
}


def each(*lines):
    """Return code that tries each line, and prints what came of it."""
    return (
        f"for _line in {list(lines)!r}:\n    try:\n        exec(_line)\n"
        "    except BaseException as _error:\n        print(type(_error).__name__, _error)\n"
    )


def never(*lines):
    """Return code that tries each line; what comes to its end has gone too far."""
    return (
        f"for _line in {list(lines)!r}:\n    try:\n        exec(_line)\n"
        "    except BaseException as _error:\n        print(type(_error).__name__)\n"
        f"    else:\n        print({TOO_FAR!r}, _line)\n"
    )


def corpus():
    """Return all entries as ``{family: entries}``."""
    package = __name__.rpartition(".")[0]
    return {family: importlib.import_module(f"{package}.{family}").ENTRIES for family in FAMILIES}


def class_of(family):
    """Return the name of the class in which a family is graded."""
    return {**dict.fromkeys(ONE_BY_ONE, "one_by_one"), **dict.fromkeys(ENDLESS, "endless")}.get(family, "side_by_side")


def seating(name):
    """Return ``(student, submission, entries)`` in the order of grading; the honest ones name those that came before.

    One by one, the honest come first among themselves; whoever is hostile is followed by an honest student and by the
    snoop, who looks for traces. In the other classes, an honest student comes after every third.
    """
    one_by_one = name == "one_by_one"
    families = {family: entries for family, entries in corpus().items() if class_of(family) == name}
    seats = [(f"000_{number}_{name}", KNOWN[name], ()) for number, name in enumerate(ALONE)]
    before, entries = [], [entry for entries in families.values() for entry in entries]
    for number, entry in enumerate(entries, 1):
        kind = "right" if number % 2 else "squared"
        seats.append((entry.student or f"{number:03d}a_{entry.name}", entry, (entry,)))
        before.append(entry)
        if one_by_one or len(before) == 3 or number == len(entries):
            seats.append((f"{number:03d}b_{kind}", KNOWN[kind], tuple(before)))
            if one_by_one:
                seats.append((f"{number:03d}c_snoop", KNOWN["snoop"], tuple(before)))
            before = []
    return seats
