"""Restores what NumPy, Matplotlib and IPython have renamed or dropped since the versions that students may have.

Students are promised that NumPy 1.23 and Python 3.10 are enough. Types stay as they are: what arrays can do no longer,
the self-check says. Runs inside the sandbox, once, before any notebook; a module that is not loaded yet is changed when
a notebook loads it.
"""

import importlib
import math
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

import numpy as np
import numpy_1
import old_calls

_NUMPY_NAMES = {  # NumPy 1's names, by today's below numpy
    **{"inf": "Inf Infinity infty PINF", "nan": "NaN NAN", "all": "alltrue", "any": "sometrue", "prod": "product"},
    **{"cumprod": "cumproduct", "round": "round_", "vstack": "row_stack", "trapezoid": "trapz", "asmatrix": "mat"},
    **{"bool_": "bool8", "bytes_": "string_ bytes0", "str_": "unicode_ str0", "object_": "object0", "void": "void0"},
    **{"intp": "int0", "uintp": "uint0", "float64": "float_", "longdouble": "longfloat"},
    **{"complex64": "singlecomplex", "complex128": "complex_ cfloat", "clongdouble": "clongfloat longcomplex"},
    **{"exceptions.AxisError": "AxisError", "exceptions.ComplexWarning": "ComplexWarning"},
    **{"exceptions.RankWarning": "RankWarning", "exceptions.TooHardError": "TooHardError"},
    "exceptions.ModuleDeprecationWarning": "ModuleDeprecationWarning",
    "exceptions.VisibleDeprecationWarning": "VisibleDeprecationWarning",
    **{"lib.npyio.DataSource": "DataSource", "lib.array_utils.byte_bounds": "byte_bounds"},
    **{"lib.add_docstring": "add_docstring", "lib.add_newdoc": "add_newdoc", "sctypeDict": "typeDict"},
    **{"lib.tracemalloc_domain": "tracemalloc_domain", "_core.records.format_parser": "format_parser"},
    "_core.multiarray.compare_chararrays": "compare_chararrays",
}
_NUMPY_VALUES = {
    **{"float": float, "int": int, "complex": complex, "object": object, "str": str, "unicode": str},
    **{"NINF": -math.inf, "PZERO": 0.0, "NZERO": -0.0, "math": math, "os": os},
    **{"CLIP": 0, "WRAP": 1, "RAISE": 2, "MAY_SHARE_BOUNDS": 0, "MAY_SHARE_EXACT": -1, "ALLOW_THREADS": 1},
    **{"BUFSIZE": 8192, "UFUNC_BUFSIZE_DEFAULT": 8192, "MAXDIMS": 32, "FLOATING_POINT_SUPPORT": 1},
    **{"ERR_IGNORE": 0, "ERR_WARN": 1, "ERR_RAISE": 2, "ERR_CALL": 3, "ERR_PRINT": 4, "ERR_LOG": 5},
    **{"ERR_DEFAULT": 521, "FPE_DIVIDEBYZERO": 1, "FPE_OVERFLOW": 2, "FPE_UNDERFLOW": 4, "FPE_INVALID": 8},
    **{"SHIFT_DIVIDEBYZERO": 0, "SHIFT_OVERFLOW": 3, "SHIFT_UNDERFLOW": 6, "SHIFT_INVALID": 9},
    **{"UFUNC_PYVALS_NAME": "UFUNC_PYVALS", "sys": sys, "warnings": warnings},
}
_NUMPY_FUNCTIONS = (
    *("in1d", "msort", "asfarray", "fastCopyAndTranspose", "disp", "source", "lookfor", "who", "safe_eval"),
    *("deprecate", "deprecate_with_doc", "recfromtxt", "recfromcsv", "get_array_wrap", "issubclass_", "obj2sctype"),
    *("issctype", "issubsctype", "sctype2char", "sctypes", "maximum_sctype", "nbytes", "cast", "find_common_type"),
)
_IN_LIB = (
    *("arraypad", "arraysetops", "arrayterator", "function_base", "histograms", "index_tricks", "nanfunctions"),
    *("polynomial", "shape_base", "twodim_base", "type_check", "ufunclike", "utils"),
)
_NUMPY_MODULES = {  # NumPy 1's modules, with today's
    **{f"numpy.lib.{name}": f"numpy.lib._{name}_impl" for name in _IN_LIB},
    "numpy.core.memmap": "numpy._core.memmap",
    "numpy.core.umath_tests": "numpy._core._umath_tests",
    "numpy.fft.helper": "numpy.fft._helper",
    "numpy.linalg.linalg": "numpy.linalg._linalg",
    "numpy.testing.utils": "numpy.testing",
}
_WITH_ALL_NAMES = (  # modules that had more of NumPy's names than today
    *("numpy.lib.npyio", "numpy.lib.stride_tricks", "numpy.lib.user_array", "numpy.matlib", "numpy.matrixlib"),
    *("numpy.core.arrayprint", "numpy.core.fromnumeric", "numpy.core.multiarray", "numpy.core.numeric"),
    *("numpy.core.numerictypes", "numpy.core.umath", "numpy.matrixlib.defmatrix", "numpy.polynomial.polyutils"),
)
_PACKAGES = ("numpy.core", "numpy.fft", "numpy.lib", "numpy.linalg", "numpy.testing")  # which had more modules


def restore_names(shell: Any) -> None:
    """Set all aliases, and allow for calls with arguments that were dropped."""
    _restore_numpy()
    _restore_ipython(shell)
    sys.meta_path.insert(0, _Loading())
    old_calls.install()


def _restore_numpy() -> None:
    """Give NumPy and its modules the names that NumPy 1 had."""
    values = {old: _part_of(np, today) for today, names in _NUMPY_NAMES.items() for old in names.split()}
    values |= _NUMPY_VALUES | {name: getattr(numpy_1, name) for name in _NUMPY_FUNCTIONS}
    for name, value in values.items():
        if name not in vars(np):
            setattr(np, name, value)
    sys.modules.update({old: _Moved(old, today) for old, today in _NUMPY_MODULES.items()})
    for name in (*_WITH_ALL_NAMES, *_PACKAGES):
        if name in sys.modules:
            _LATER[name](sys.modules[name])


def _part_of(module: Any, path: str) -> Any:
    """Return what a dotted path below a module names."""
    for name in path.split("."):
        module = getattr(module, name)
    return module


class _Moved(ModuleType):
    """A module under its old name: it has today's names, and those that all of NumPy had."""

    def __init__(self, name: str, today: str) -> None:
        super().__init__(name)
        self.today = today

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return [name for name in dir(importlib.import_module(self.today)) if not name.startswith("_")]
        return _value_in(importlib.import_module(self.today), name)


def _value_in(module: ModuleType, name: str) -> Any:
    """Return a module's value, or NumPy's of the same name. Errors: AttributeError."""
    return getattr(module, name) if hasattr(module, name) or name.startswith("__") else getattr(np, name)


def _complete(module: ModuleType) -> None:
    """Let a module have NumPy's names where it has none of its own."""
    own: Callable | None = vars(module).get("__getattr__")

    def find(name: str) -> Any:
        try:
            if own is not None:
                return own(name)
        except AttributeError:
            pass
        if name.startswith("__"):
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        return getattr(np, name)

    vars(module)["__getattr__"] = find


def _attach_modules(package: ModuleType) -> None:
    """Give a package of NumPy's its modules by their old names, and its names."""
    _complete(package)
    for name in _NUMPY_MODULES:
        parent, _, last = name.rpartition(".")
        if parent == package.__name__:
            setattr(package, last, sys.modules[name])
    if package.__name__ == "numpy.core":  # whose modules' names would be those of today's, which have less
        for name in package.__all__:
            importlib.import_module(f"numpy.core.{name}")


def _restore_styles(style: Any) -> None:
    """Give Matplotlib's styles named for seaborn their names without a version."""
    for name in [name for name in style.library if name.startswith("seaborn-v0_8")]:
        style.library[name.replace("-v0_8", "")] = style.library[name]


def _restore_colour_maps(cm: Any) -> None:
    """Give matplotlib.cm the functions that became methods of a table of all colour maps."""

    def get_cmap(name: Any = None, lut: int | None = None) -> Any:
        found = cm._colormaps.get_cmap(name)
        return found if lut is None or found is name else found.resampled(lut)

    def register_cmap(name: str | None = None, cmap: Any = None, *, override_builtin: bool = False) -> None:
        cm._colormaps.register(cmap, name=name, force=override_builtin)

    cm.get_cmap, cm.register_cmap, cm.unregister_cmap = get_cmap, register_cmap, cm._colormaps.unregister


def _restore_pyplot(pyplot: Any) -> None:
    """Give pyplot what it had of matplotlib.cm."""
    pyplot.register_cmap = pyplot.cm.register_cmap


_LATER: dict[str, Callable] = {  # what is changed in a module when it is loaded
    **dict.fromkeys(_WITH_ALL_NAMES, _complete),
    **dict.fromkeys(_PACKAGES, _attach_modules),
    "matplotlib.style": _restore_styles,
    "matplotlib.cm": _restore_colour_maps,
    "matplotlib.pyplot": _restore_pyplot,
}


class _Loading(MetaPathFinder):
    """Changes a module right after it is loaded."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how a module is loaded and changed; None for all modules but those in _LATER."""
        spec = PathFinder.find_spec(name, path, target) if name in _LATER else None
        if spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_change(module: ModuleType) -> None:
            load(module)
            _LATER[name](module)

        vars(spec.loader)["exec_module"] = load_and_change
        return spec


_DISPLAY = ("display", "clear_output", "publish_display_data", "update_display", "DisplayHandle")
_OF_THE_BACKEND = ("set_matplotlib_formats", "set_matplotlib_close")


def _restore_ipython(shell: Any) -> None:
    """Give IPython's modules for display, and the shell, the names that IPython 7 had."""
    today, core = (importlib.import_module(name) for name in ("IPython.display", "IPython.core.display"))
    for name in _DISPLAY:
        setattr(core, name, getattr(today, name))
    for name in _OF_THE_BACKEND:
        for module in (today, core):
            setattr(module, name, _in_backend(name))
    shell.magic = lambda line: shell.run_line_magic(*line.lstrip("% ").partition(" ")[::2], _stack_depth=2)


def _in_backend(name: str) -> Callable:
    """Return a function of the backend for plots, which is loaded when it is called."""
    return lambda *args, **kwargs: getattr(importlib.import_module("matplotlib_inline.backend_inline"), name)(
        *args, **kwargs
    )
