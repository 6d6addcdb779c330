"""What crosses between host and sandbox: frames of JSON, with values as plain data. Neither side trusts the other.

An array crosses as its dtype, shape and bytes. Nothing is pickled, and no object survives the crossing.
"""

import base64
import builtins
import json
import math
import os
import re
import select
import struct
import time
from collections.abc import Callable
from numbers import Number
from typing import Any

import numpy as np

FRAME_BYTES = 16 << 20
LONGEST_LETTER = 12  # bytes of one in JSON, as send writes it
MAX_BRACKETS = 1_000_000  # per frame: each may become a list of sixty bytes
VALUE_BYTES = 8 << 20
ITEMS = 10_000
MAX_DEPTH = 8
AXES = 16
MAX_TEXT = 20_000
HEADER = struct.Struct(">I")
DEBUGGER, EXIT, QUESTION = HARMLESS = ("debugger", "exit", "question")  # what a notebook has left that does nothing
# The only descriptions of values that cannot cross: a name chosen inside could carry information out.
KINDS = {kind.__name__ for kind in vars(builtins).values() if isinstance(kind, type)} | {
    "function",
    "builtin_function_or_method",
    "method",
    "_ArrayFunctionDispatcher",  # most of NumPy's functions
    "ufunc",
    "generator",
    "dict_keys",
    "dict_values",
    "dict_items",
    "module",
    "array of objects",
    "array of text",
    "array of complex numbers",
    "complex number",
    "array of too many axes",
    "array of too many bytes",
    "value nested too deeply",
    "value nested too deeply or too long",
    "whole number of more than 64 bits",
}


class WireError(ValueError):
    """The other side sent something malformed, or nothing at all."""


class Foreign:
    """Replaces a value that cannot cross: only its description remains."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Deadline(Exception):
    """The other side took too long."""


def until(deadline: float) -> Callable:
    """Return a function that waits for descriptors until a moment (time.monotonic seconds). It raises Deadline."""

    def wait(readable: list[int], writable: Any) -> None:
        if not ready(readable, writable, deadline):
            raise Deadline

    return wait


def without_end(readable: Any, writable: Any) -> None:
    """Wait until one of the descriptors is ready: a notebook's own descriptor may be non-blocking."""
    select.select(readable, writable, [])


def send(descriptor: int, message: dict[str, Any], wait: Callable = without_end) -> None:
    """Write one frame.

    Whenever nothing can be written, ``wait(readable, writable)`` is called; it returns when one of the descriptors is
    ready, or raises Deadline. For a deadline to hold, the descriptor must not block.
    Errors: BrokenPipeError if the reader is gone, WireError if the frame is too large, Deadline.
    """
    body = json.dumps(message).encode()
    if len(body) > FRAME_BYTES:
        raise WireError(f"expected a frame of at most {FRAME_BYTES} bytes, got {len(body)}")
    data = memoryview(HEADER.pack(len(body)) + body)
    while data:
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            wait([], [descriptor])


def receive(descriptor: int, wait: Callable = without_end, most: int = FRAME_BYTES) -> Any:
    """Read one frame of limited size, or return None at the end of the stream; ``wait`` is as in send.

    Errors: Deadline; WireError if the bytes are not a frame, or too many.
    """
    header = read_exactly(descriptor, HEADER.size, wait)
    if header is None:
        return None
    (size,) = HEADER.unpack(header)
    if size > most:
        raise WireError(f"expected a frame of at most {most} bytes, got one of {size}")
    body = read_exactly(descriptor, size, wait)
    if body and body.count(b"[") + body.count(b"{") > MAX_BRACKETS:
        raise WireError(f"expected a frame of at most {MAX_BRACKETS} brackets, got more")
    try:
        return json.loads(body or b"")
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError("expected a frame of JSON, got other bytes") from error


def read_exactly(descriptor: int, size: int, wait: Callable) -> bytes | None:
    """Read ``size`` bytes; None if the stream ends before them."""
    data = bytearray()
    while len(data) < size:
        try:
            piece = os.read(descriptor, min(size - len(data), 1 << 20))
        except BlockingIOError:
            wait([descriptor], [])
            continue
        if not piece:
            return None
        data += piece
    return bytes(data)


def ready(readable: list[int], writable: list[int], deadline: float) -> bool:
    """Wait until one of the descriptors is ready; False if the deadline passes first."""
    left = deadline - time.monotonic()
    return left > 0 and any(select.select(readable, writable, [], left))


def is_ready(readable: list[int], writable: list[int]) -> bool:
    """Say whether one of the descriptors is ready now."""
    return any(select.select(readable, writable, [], 0))


def encode(value: Any, as_numeric: Callable[[np.ndarray], np.ndarray] = np.asarray) -> Any:
    """Turn a value into plain data; what cannot cross becomes ``{"foreign": description}``.

    ``as_numeric`` converts arrays of numbers that NumPy has no type for, such as fractions.
    """
    budget = {"bytes": VALUE_BYTES, "items": ITEMS}
    try:
        return encode_within(value, budget, MAX_DEPTH, as_numeric)
    except RecursionError:
        return {"foreign": "value nested too deeply"}


def encode_within(value: Any, budget: dict[str, Any], depth: int, as_numeric: Callable) -> int | dict[str, Any] | None:
    """Encode one value, spending from the budget."""
    budget["items"] -= 1
    if depth < 0 or budget["items"] < 0:
        return {"foreign": "value nested too deeply or too long"}
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return encode_array(as_numeric(np.asarray(value)), budget)
    if isinstance(value, int):
        return int(value) if -(1 << 63) <= value < 1 << 63 else {"foreign": "whole number of more than 64 bits"}
    if isinstance(value, float):
        return {"float": float(value).hex()}
    if isinstance(value, Number):
        number = as_numeric(np.asarray(value))
        return (
            {"float": float(number).hex()}
            if number.dtype.kind == "f"
            else {"foreign": f"{type(value).__name__} number"}
        )
    if isinstance(value, str):
        return {"text": value[:MAX_TEXT].encode("utf-8", "replace").decode()}
    if isinstance(value, (tuple, list)):
        items = [encode_within(item, budget, depth - 1, as_numeric) for item in value[: ITEMS + 1]]
        return {"tuple" if isinstance(value, tuple) else "list": items}
    if isinstance(value, dict):
        if not all(map(is_key, value)):
            return {"foreign": "dict"}
        pairs = [(key[:MAX_TEXT] if isinstance(key, str) else key, item) for key, item in value.items()][: ITEMS + 1]
        return {"dict": [[key, encode_within(item, budget, depth - 1, as_numeric)] for key, item in pairs]}
    return {"foreign": type(value).__name__[:40]}


def encode_array(array: np.ndarray, budget: dict[str, int]) -> dict[str, Any]:
    """Encode an array of numbers as dtype, shape and bytes."""
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        array = array.astype(float)  # more digits than any answer is compared in
    budget["bytes"] -= array.nbytes
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        return {"foreign": "array of " + {"c": "complex numbers", "U": "text"}.get(array.dtype.kind, "objects")}
    if array.ndim > AXES:
        return {"foreign": "array of too many axes"}
    if budget["bytes"] < 0:
        return {"foreign": "array of too many bytes"}
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}


def decode(data: dict[str, Any]) -> np.ndarray:
    """Turn plain data back into a value. Errors: WireError for anything that ``encode`` does not write."""
    try:
        return decode_within(data, {"bytes": VALUE_BYTES, "items": ITEMS + 2}, MAX_DEPTH + 1)
    except WireError:
        raise
    except Exception as error:  # the other side made it, and can break it in any way
        raise WireError(f"expected an encoded value, got something else ({type(error).__name__})") from error


def decode_within(data: dict[str, Any], budget: dict[str, Any], depth: int) -> Any:
    """Decode one value, spending from the same budget as ``encode_within``."""
    budget["items"] -= 1
    if depth < 0 or budget["items"] < 0:
        raise ValueError("too deep or too long")
    if data is None or isinstance(data, bool):
        return data
    if isinstance(data, int):
        return checked(data, -(1 << 63) <= data < 1 << 63)
    if "dtype" in data:
        return decode_array(data, budget)
    ((kind, content),) = data.items()
    if kind == "float":
        return float.fromhex(content)
    if kind == "text":
        return checked_text(content)
    if kind == "foreign":
        return Foreign(content if content in KINDS else "object that is not an array")
    if kind == "dict":
        return {checked_key(key): decode_within(value, budget, depth - 1) for key, value in content}
    items = [decode_within(item, budget, depth - 1) for item in content]
    return {"tuple": tuple, "list": list}[kind](items)


def checked(value: Any, is_right: bool) -> Any:
    """Return a value if it passes a check. Errors: WireError."""
    if not is_right:
        raise ValueError("out of bounds")
    return value


def checked_text(text: str) -> str:
    """Return text of acceptable length."""
    return checked(text, isinstance(text, str) and len(text) <= MAX_TEXT)


def is_key(key: Any) -> bool:
    """Say whether a dictionary's key can cross: text, or a 32-bit integer."""
    return isinstance(key, str) or (type(key) is int and -(1 << 31) <= key < 1 << 31)


def checked_key(key: Any) -> Any:
    """Return a dictionary's key of acceptable length."""
    return checked_text(key) if isinstance(key, str) else checked(key, is_key(key))


def decode_array(data: dict[str, Any], budget: dict[str, Any]) -> np.ndarray:
    """Rebuild an array from dtype, shape and bytes, if they agree."""
    if not re.fullmatch(r"[<>|=]?[biuf][1248]", data["dtype"]):
        raise ValueError("no plain dtype")
    dtype = np.dtype(data["dtype"])
    shape = tuple(int(size) for size in data["shape"])
    if len(shape) > AXES or min(shape, default=0) < 0:
        raise ValueError("no plain shape")
    size = math.prod(shape) * dtype.itemsize
    budget["bytes"] -= size
    content = base64.b64decode(checked(data["data"], budget["bytes"] >= 0), validate=True)
    return np.frombuffer(checked(content, len(content) == size), dtype).reshape(shape).copy()
