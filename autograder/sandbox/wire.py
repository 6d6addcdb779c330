"""What crosses the wall: frames of JSON, and values as plain data. Both sides use it; neither trusts the other.

An array crosses as its dtype, shape and bytes; nothing is pickled, and no object survives the way.
"""

import base64
import json
import math
import os
import select
import struct
import time

import numpy as np

FRAME_BYTES = 32 << 20
VALUE_BYTES = 8 << 20
ITEMS = 10_000
DEPTH = 8
TEXT = 20_000
HEADER = struct.Struct(">I")


class WireError(ValueError):
    """The other side sent what no honest one sends, or nothing at all."""


class Foreign:
    """Stands for a value that cannot cross: only the words for what it was remain."""

    def __init__(self, kind):
        self.kind = kind


class Deadline(Exception):
    """The other side took too long."""


def send(descriptor, message):
    """Write one frame. Errors: BrokenPipeError where the reader is gone, WireError where the frame is too large."""
    body = json.dumps(message).encode()
    if len(body) > FRAME_BYTES:
        raise WireError(f"expected a frame of at most {FRAME_BYTES} bytes, got {len(body)}")
    data = memoryview(HEADER.pack(len(body)) + body)
    while data:
        data = data[os.write(descriptor, data) :]


def receive(descriptor, deadline=None):
    """Read one frame, or return None at the end of the stream.

    Errors: Deadline where ``deadline`` (time.monotonic seconds) passes first; WireError where the bytes are no frame.
    """
    header = read_exactly(descriptor, HEADER.size, deadline)
    if header is None:
        return None
    (size,) = HEADER.unpack(header)
    if size > FRAME_BYTES:
        raise WireError(f"expected a frame of at most {FRAME_BYTES} bytes, got one of {size}")
    body = read_exactly(descriptor, size, deadline)
    try:
        return json.loads(body)
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError("expected a frame of JSON, got other bytes") from error


def read_exactly(descriptor, size, deadline):
    """Read ``size`` bytes; None where the stream ends before them."""
    data = bytearray()
    while len(data) < size:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                raise Deadline
        piece = os.read(descriptor, min(size - len(data), 1 << 20))
        if not piece:
            return None
        data += piece
    return bytes(data)


def encode(value):
    """Turn a value into plain data; what cannot cross becomes ``{"foreign": what it was}``."""
    budget = {"bytes": VALUE_BYTES, "items": ITEMS}
    try:
        return encode_within(value, budget, DEPTH)
    except RecursionError:
        return {"foreign": "value nested too deeply"}


def encode_within(value, budget, depth):
    """Encode one value, spending from the budget."""
    budget["items"] -= 1
    if depth < 0 or budget["items"] < 0:
        return {"foreign": "value nested too deeply or too long"}
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return encode_array(value, budget)
    if isinstance(value, int):
        return int(value) if -(1 << 63) <= value < 1 << 63 else {"foreign": "whole number of more than 64 bits"}
    if isinstance(value, float):
        return {"float": float(value).hex()}
    if isinstance(value, str):
        return {"text": value[:TEXT].encode("utf-8", "replace").decode()}
    if isinstance(value, (tuple, list)):
        items = [encode_within(item, budget, depth - 1) for item in value[: ITEMS + 1]]
        return {"tuple" if isinstance(value, tuple) else "list": items}
    if isinstance(value, dict):
        pairs = list(value.items())[: ITEMS + 1]
        return {"dict": [[encode_within(part, budget, depth - 1) for part in pair] for pair in pairs]}
    return {"foreign": type(value).__name__[:40]}


def encode_array(value, budget):
    """Encode an array of numbers as dtype, shape and bytes."""
    array = np.asarray(value)
    budget["bytes"] -= array.nbytes
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        return {"foreign": f"array of {array.dtype}"[:40]}
    if budget["bytes"] < 0:
        return {"foreign": "array of too many bytes"}
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}


def decode(data, depth=DEPTH + 1):
    """Turn plain data back into a value. Errors: WireError for anything that ``encode`` does not write."""
    try:
        return decode_within(data, depth)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, MemoryError) as error:
        raise WireError(f"expected an encoded value, got something else ({type(error).__name__})") from error


def decode_within(data, depth):
    """Decode one value; every error means that it was not encoded by us."""
    if depth < 0:
        raise ValueError("too deep")
    if data is None or isinstance(data, (bool, int)):
        return data
    if "dtype" in data:
        return decode_array(data)
    ((kind, content),) = data.items()
    if kind == "float":
        return float.fromhex(content)
    if kind == "text":
        return str(content)
    if kind == "foreign":
        return Foreign(str(content)[:60])
    if kind == "dict":
        return {decode_within(key, depth - 1): decode_within(value, depth - 1) for key, value in content}
    items = [decode_within(item, depth - 1) for item in content]
    return {"tuple": tuple, "list": list}[kind](items)


def decode_array(data):
    """Rebuild an array from dtype, shape and bytes that fit one another."""
    dtype = np.dtype(data["dtype"])
    shape = tuple(int(size) for size in data["shape"])
    if dtype.kind not in "biuf" or dtype.itemsize > 8 or len(shape) > 16 or min(shape, default=0) < 0:
        raise ValueError("no plain array")
    content = base64.b64decode(data["data"], validate=True)
    if len(content) > VALUE_BYTES or len(content) != math.prod(shape) * dtype.itemsize:
        raise ValueError("bytes do not fit the shape")
    return np.frombuffer(content, dtype).reshape(shape).copy()
