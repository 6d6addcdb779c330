"""NumPy 1's functions and tables that NumPy 2 has under no other name. Runs inside the sandbox."""

import ast
import importlib
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

_KINDS = "buifcSUVO"  # of numbers and other data, from the narrowest to the widest


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None) -> np.ndarray:
    """Say of each entry whether it is in ``ar2``, as one row."""
    return np.isin(np.asarray(ar1).ravel(), ar2, assume_unique, invert, kind=kind)


def msort(a: Any) -> np.ndarray:
    """Return a copy, sorted along the first axis."""
    return np.sort(np.asanyarray(a), axis=0)


def asfarray(a: Any, dtype: Any = np.float64) -> np.ndarray:
    """Return an array of floats."""
    return np.asarray(a, dtype=dtype if np.issubdtype(dtype, np.inexact) else np.float64)


def fastCopyAndTranspose(a: Any) -> np.ndarray:
    """Return a transposed copy."""
    return np.asarray(a).T.copy()


def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
    """Print a message."""
    print(mesg, end="\n" if linefeed else "", file=device)


def source(object: Any, output: Any = None) -> None:
    """Print the source of an object."""
    print(inspect.getsource(object), file=output)


def lookfor(*args: Any, **kwargs: Any) -> None:
    """Print nothing: it searched NumPy's documentation, and ``who`` listed arrays."""


who = lookfor
safe_eval = ast.literal_eval


def deprecate(*args: Any, **kwargs: Any) -> Any:
    """Return the function, or what decorates one, without the warning."""
    return args[0] if args and callable(args[0]) else lambda function: function


deprecate_with_doc = deprecate


def recfromtxt(fname: Any, **kwargs: Any) -> np.ndarray:
    """Read a table as an array of records."""
    table = np.genfromtxt(fname, **{"dtype": None, **kwargs})
    if not kwargs.get("usemask"):
        return table.view(np.recarray)
    return table.view(importlib.import_module("numpy.ma.mrecords").MaskedRecords)


def recfromcsv(fname: Any, **kwargs: Any) -> np.ndarray:
    """Read a table with commas, and names in its first line, as an array of records."""
    return recfromtxt(fname, **{"case_sensitive": "lower", "names": True, "delimiter": ",", **kwargs})


def get_array_wrap(*args: Any) -> Callable | None:
    """Return the ``__array_wrap__`` of the argument with the highest priority."""
    wrapping = [one for one in args if hasattr(one, "__array_wrap__")]
    return max(wrapping, key=lambda one: getattr(one, "__array_priority__", 0)).__array_wrap__ if wrapping else None


def issubclass_(arg1: Any, arg2: Any) -> bool:
    """Say whether one is a subclass of the other; False if either is no class."""
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False


def obj2sctype(rep: Any, default: Any = None) -> Any:
    """Return the scalar type of an array, or of what a dtype can be made of."""
    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    try:
        return rep.dtype.type if isinstance(rep, np.ndarray) else np.dtype(rep).type
    except Exception:
        return default


def issctype(rep: Any) -> bool:
    """Say whether a type is that of a scalar."""
    return isinstance(rep, type | np.dtype) and obj2sctype(rep) not in (None, np.object_)


def issubsctype(arg1: Any, arg2: Any) -> bool:
    """Say whether the scalar type of one is a subclass of the other's."""
    return issubclass(obj2sctype(arg1), obj2sctype(arg2))


def sctype2char(sctype: Any) -> str:
    """Return the letter of a scalar type. Errors: ValueError if it is none."""
    found = obj2sctype(sctype)
    if found is None:
        raise ValueError("unrecognized type")
    return np.dtype(found).char


sctypes: dict[str, list] = {
    "int": [np.int8, np.int16, np.int32, np.int64],
    "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
    "float": [np.float16, np.float32, np.float64, np.longdouble],
    "complex": [np.complex64, np.complex128, np.clongdouble],
    "others": [bool, object, bytes, str, np.void],
}
_FAMILY = {"i": "int", "u": "uint", "f": "float", "c": "complex"}


def maximum_sctype(t: Any) -> Any:
    """Return the widest scalar type of the same kind."""
    found = obj2sctype(t)
    family = _FAMILY.get(np.dtype(found).kind) if found else None
    return sctypes[family][-1] if family else found or t


class _ByType(dict):
    """A table by scalar type, which may be looked up by all that names one."""

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(obj2sctype(key))


def _as_type(kind: Any, x: Any) -> np.ndarray:
    return np.asarray(x).astype(kind)


_TYPES = {np.dtype(char).type for char in np.typecodes["All"]}
nbytes = _ByType({kind: np.dtype(kind).itemsize for kind in _TYPES})
cast = _ByType({kind: partial(_as_type, kind) for kind in _TYPES})


def find_common_type(array_types: Any, scalar_types: Any) -> np.dtype | None:
    """Return the dtype that arrays and scalars share: a scalar counts only if it is of another kind."""
    arrays, scalars = (np.result_type(*kinds) if kinds else None for kinds in (array_types, scalar_types))
    if arrays is None or scalars is None:
        return scalars if arrays is None else arrays
    if arrays.kind not in _KINDS or scalars.kind not in _KINDS:
        return None
    return np.promote_types(arrays, scalars) if _KINDS.index(scalars.kind) > _KINDS.index(arrays.kind) else arrays
