"""Reads JSON files that may be damaged, and compares their contents with a schema, a TypedDict or a dataclass."""

import json
import os
import stat
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints, is_typeddict

_MOST = sys.float_info.max
_PLAIN = {str: "text", bool: "true or false", int: "a whole number", float: "a number", type(None): "null"}
_LONG = 60  # characters of a name
_Check = Callable[[Any], str]  # returns "", or where a value differs and what was expected there


def read_json(path: Path, most: int = 256 << 20, follow: bool = True) -> Any:
    """Return the contents of a JSON file of at most so many bytes; ``follow`` says that it may be a symbolic link.

    Errors: OSError; ValueError, in a few words, for everything else that is wrong with it.
    """
    # O_NONBLOCK: opening a pipe must not wait for somebody to write into it.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    with os.fdopen(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("not an ordinary file")
        if status.st_size > most:
            raise ValueError(f"larger than {most >> 20} MB")
        return _parsed(file.read)


def _parsed(read: Callable[[], bytes]) -> Any:
    """Return what a file holds. Errors: OSError, ValueError."""
    try:
        return json.loads(read(), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise ValueError("not UTF-8") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"broken JSON in line {error.lineno}, {error.msg.lower()}") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except MemoryError as error:
        raise ValueError("too large for this machine's memory") from error


def difference_from(value: Any, schema: Any) -> str:
    """Return where a value differs from a schema, and what is expected there; "" if it does not.

    A schema is a TypedDict or a dataclass, whose fields are all that may be there, or a type made of list, tuple, dict,
    texts and numbers. What has a default may be missing.
    """
    return _check_of(schema)(value).lstrip(".")


def _refuse_constant(name: str) -> NoReturn:
    """Refuse what Python writes for numbers that JSON does not have."""
    raise ValueError(f"{name} is no number in JSON")


@cache
def _check_of(schema: Any) -> _Check:
    """Return the check for a schema, made once."""
    if schema is Any:
        return lambda value: ""
    if is_typeddict(schema):
        return _check_of_fields(schema, schema.__required_keys__)
    if is_dataclass(schema):
        return _check_of_fields(schema, frozenset(one.name for one in fields(schema) if _has_no_default(one)))
    if schema in _PLAIN:
        return _check_of_plain(schema)
    origin, parts = get_origin(schema), get_args(schema)
    if origin in (Union, UnionType):
        return _check_of_union([_check_of(part) for part in parts])
    if origin is Literal:
        return lambda value: "" if type(value) is str and value in parts else f": expected {' or '.join(parts)}"
    if origin is list or (origin is tuple and parts[1:] == (...,)):
        return _check_of_list(_check_of(parts[0]))
    if origin is dict and parts[0] is str:
        return _check_of_dict(_check_of(parts[1]))
    raise TypeError(f"{schema} is no schema: expected a TypedDict or a dataclass, or list, dict, text and numbers")


def _check_of_plain(kind: type) -> _Check:
    said = f": expected {_PLAIN[kind]}"
    if kind is float:  # a comparison in which NaN fails; JSON's 1e999 is infinite, and a whole number may be larger
        return lambda value: "" if type(value) in (int, float) and -_MOST <= value <= _MOST else said
    return lambda value: "" if type(value) is kind else said


def _check_of_union(checks: list[_Check]) -> _Check:
    def check(value: Any) -> str:
        said = [one(value) for one in checks]
        return "" if "" in said else max(said, key=len)  # the one that fits best names the innermost place

    return check


def _check_of_list(each: _Check) -> _Check:
    def check(value: Any) -> str:
        if type(value) is not list:
            return ": expected a list"
        return next((f"[{place}]{said}" for place, one in enumerate(value) if (said := each(one))), "")

    return check


def _check_of_dict(each: _Check) -> _Check:
    def check(value: Any) -> str:
        if type(value) is not dict:
            return ": expected an object"
        return next((f".{name[:_LONG]}{said}" for name, one in value.items() if (said := each(one))), "")

    return check


def _has_no_default(field: Field) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _check_of_fields(schema: Any, required: frozenset[str]) -> _Check:
    checks = {name: _check_of(kind) for name, kind in get_type_hints(schema).items()}

    def check(value: Any) -> str:
        if type(value) is not dict:
            return ": expected an object"
        if missing := sorted(required - value.keys()):
            return f".{missing[0]}: missing"
        if unknown := sorted(value.keys() - checks.keys()):
            return f".{unknown[0][:_LONG]}: unknown"
        return next((f".{name}{said}" for name, one in value.items() if (said := checks[name](one))), "")

    return check
