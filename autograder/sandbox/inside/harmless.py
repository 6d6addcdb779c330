"""What does nothing here, because nobody is here to see or to answer it: debuggers, exits, questions, progress bars.

Runs inside the sandbox. What the notebook has left of the first three is noted, with its place, for its page.
"""

import bdb
import builtins
import getpass
import importlib.abc
import importlib.util
import pdb
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import IPython
import protocol
from IPython.core import debugger
from IPython.terminal import embed

DEBUGGERS = {"ipdb", "pudb", "pdbpp", "web_pdb", "remote_pdb", "rpdb", "wdb", "debugpy", "pydevd", "pydevd_pycharm"}
SHOWS_ONLY = {"icecream", "rich", "loguru", "snoop", "pysnooper", "line_profiler", "memory_profiler", "progressbar"}
BARS = ("tqdm", "trange", "tqdm_notebook", "tnrange")  # of the package tqdm
MOST_NOTED = 20

noted: list[list[Any]] = []  # what was left, and where: ``[what, [label, line]]``
times = dict.fromkeys(protocol.HARMLESS, 0)  # how often each was met


def place_of_caller() -> list[Any] | None:
    """Return the label of the cell and the line that the student wrote last, of those that are running."""
    frame = sys._getframe(1)
    while frame and not frame.f_code.co_filename.startswith("<cell-"):
        frame = frame.f_back
    return [frame.f_code.co_filename[6:-1], frame.f_lineno] if frame else None


def nothing(what: str, answer: Any = None) -> Callable[..., Any]:
    """Return a function that notes where it was left, and does nothing else."""

    def does_nothing(*args: Any, **kwargs: Any) -> Any:
        times[what] += 1
        found = [what, place_of_caller()]
        if found not in noted and len(noted) < MOST_NOTED:
            noted.append(found)
        return answer

    return does_nothing


class Quiet:
    """Stands for whatever a package offers that only shows something."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Quiet(self._call)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what it is given."""
        self._call()
        return (args[0] if len(args) == 1 else args) if args else self

    def __enter__(self) -> "Quiet":
        return self

    def __exit__(self, *error: Any) -> None:
        pass


class Bar:
    """A progress bar of tqdm's that shows nothing: iterating over it gives what it was given."""

    def __init__(self, iterable: Any = (), *args: Any, **kwargs: Any) -> None:
        self.iterable, self.n, self.total = iterable, 0, kwargs.get("total")

    def __iter__(self) -> Iterator[Any]:
        return iter(self.iterable)

    def __len__(self) -> int:
        return len(self.iterable)

    def __enter__(self) -> "Bar":
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: None

    @staticmethod
    def write(*args: Any, **kwargs: Any) -> None:
        """Show nothing."""


def count(*args: int, **kwargs: Any) -> Bar:
    """Return a bar over a range."""
    return Bar(range(*args))


class HarmlessPackages(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds packages that are not here and that no result depends on."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Return how such a package is loaded; None for every other."""
        if name.partition(".")[0] in DEBUGGERS | SHOWS_ONLY | {"tqdm"}:
            return importlib.util.spec_from_loader(name, self, is_package=True)
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Fill a package."""
        root = module.__name__.partition(".")[0]
        if root == "tqdm":
            vars(module).update({name: count if "range" in name else Bar for name in BARS})
        else:
            quiet = Quiet(nothing(protocol.DEBUGGER) if root in DEBUGGERS else lambda: None)
            vars(module)["__getattr__"] = quiet.__getattr__


def do_nothing_from_now_on(shell: Any) -> None:
    """Have all of these do nothing, in this process and its forks."""
    debug, leave = nothing(protocol.DEBUGGER), nothing(protocol.EXIT)
    sys.breakpointhook = debug
    for owner in (pdb, debugger, bdb.Bdb, pdb.Pdb, debugger.Pdb):
        for name in ("set_trace", "post_mortem", "pm", "run", "runcall", "runeval", "interaction"):
            if name in vars(owner):
                setattr(owner, name, debug)
    for owner in (IPython, embed):
        owner.embed = debug  # type: ignore[attr-defined]
    builtins.input = getpass.getpass = nothing(protocol.QUESTION, "")
    sys.exit = builtins.exit = builtins.quit = leave  # type: ignore[assignment]
    shell.user_ns.update(exit=leave, quit=leave)
    shell.user_ns_hidden.update(exit=leave, quit=leave)
    sys.meta_path.append(HarmlessPackages())
