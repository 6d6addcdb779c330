"""Values cross as plain data, and what is not plain data does not cross."""

import base64
import os

import numpy as np
import pytest

from autograder.sandbox.inside import protocol


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -7,
        0.1,
        float("inf"),
        "tall grass",
        (1, [2.5, None], {"lion": 3}),
        {0: "lion", -7: "zebra"},
        np.arange(6.0).reshape(2, 3),
        np.array([[True], [False]]),
        np.zeros((2, 0, 3), dtype=np.float32),
        np.array(-3, dtype=np.int8),
    ],
)
def test_a_value_comes_back_as_it_was(value):
    """Structure, dtype, shape and every bit survive the way."""
    back = protocol.decode(protocol.encode(value))
    assert type(back) is type(value)
    if isinstance(value, np.ndarray):
        assert (back.dtype, back.shape, back.tobytes()) == (value.dtype, value.shape, value.tobytes())
    else:
        assert back == value


def test_nan_crosses_as_nan():
    """NaN is a number like others on the wire."""
    assert np.isnan(protocol.decode(protocol.encode(float("nan"))))


class Rigged(float):
    """A number that claims to equal everything."""

    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


def test_subclasses_lose_their_tricks():
    """A rigged number arrives as the plain number that it is."""
    back = protocol.decode(protocol.encode(Rigged(2.0)))
    assert type(back) is float
    assert back != 3.0


def nested(levels):
    """A list in a list in a list ..."""
    value = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        object(),
        lambda: 1,
        2**70,
        np.array([None]),
        np.array(["text"]),
        np.array([1j]),
        np.zeros(2_000_000),
        iter([1]),
        {1, 2},
        {(1, 2): "only text and whole numbers are keys"},
        {True: 1},
        {2**31: 1},
    ],
)
def test_what_cannot_cross_becomes_words(value):
    """Objects, huge numbers and huge arrays arrive as the name of what they were."""
    assert isinstance(protocol.decode(protocol.encode(value)), protocol.Foreign)


@pytest.mark.parametrize("value", [nested(100), list(range(50_000)), {"deep": nested(20)}])
def test_depth_and_length_are_capped(value):
    """Nested and endless structures are cut where the budget ends."""
    assert "Foreign" in repr(protocol.decode(protocol.encode(value))) or isinstance(
        protocol.decode(protocol.encode(value)), protocol.Foreign
    )


def test_a_list_within_itself_ends():
    """A list that holds itself is cut, not followed forever."""
    loop = []
    loop.append(loop)
    assert protocol.decode(protocol.encode(loop)) is not None


def array(**changed):
    """An encoded array of three numbers, with something changed."""
    data = base64.b64encode(np.zeros(3).tobytes()).decode()
    return {"dtype": "<f8", "shape": [3], "data": data, **changed}


@pytest.mark.parametrize(
    "data",
    [
        array(shape=[5]),
        array(shape=[-3]),
        array(shape=[3] * 40),
        array(dtype="O"),
        array(dtype="V24"),
        array(dtype="<c16"),
        array(dtype="(1,f8"),
        array(dtype="f8,f8"),
        2**70,
        {"text": "x" * (protocol.MAX_TEXT + 1)},
        {"dict": [[7.5, 1]]},
        {"dict": [[True, 1]]},
        {"dict": [[2**31, 1]]},
        {"list": [1] * (protocol.ITEMS + 3)},
        {"list": [array(shape=[3])] * 7_000 + [array(shape=[400_000], data="A" * 10)] * 3},
        array(data="not base64!"),
        array(data=7),
        {"float": "seven"},
        {"pickle": "gASVAAAA"},
        {},
        {"tuple": 7},
        {"dict": [[{"list": []}, 1]]},
        [],
        "text",
    ],
)
def test_forged_data_is_refused(data):
    """Bytes that do not fit their shape, foreign dtypes and unknown kinds raise WireError and nothing else."""
    with pytest.raises(protocol.WireError, match="expected an encoded value"):
        protocol.decode(data)


def test_frames_end_at_their_caps():
    """A frame that claims to be larger than allowed, or is no JSON, is refused; a closed pipe is the end."""
    reader, writer = os.pipe()
    os.write(writer, protocol.HEADER.pack(protocol.FRAME_BYTES + 1))
    with pytest.raises(protocol.WireError, match="at most"):
        protocol.receive(reader)
    os.write(writer, protocol.HEADER.pack(3) + b"{{{")
    with pytest.raises(protocol.WireError, match="JSON"):
        protocol.receive(reader)
    protocol.send(writer, {"ready": True})
    assert protocol.receive(reader) == {"ready": True}
    os.close(writer)
    assert protocol.receive(reader) is None
    os.close(reader)
