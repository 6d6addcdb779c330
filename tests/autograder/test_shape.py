"""A file that should be JSON is read, or refused in a few words; what it holds is compared with a schema."""

import os
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

import pytest

from autograder.shape import difference_from, read_json


class Point(TypedDict):
    """A small schema."""

    name: str
    at: list[float]
    kind: Literal["dot", "cross"]
    seen: NotRequired[dict[str, int] | None]


RIGHT = {"name": "a", "at": [1, 2.5], "kind": "dot"}


@pytest.mark.parametrize("value", [RIGHT, {**RIGHT, "seen": {"ada": 3}}, {**RIGHT, "seen": None, "at": []}])
def test_what_fits_differs_nowhere(value):
    """Whole numbers are numbers, and an optional field may be missing or null where the schema says so."""
    assert difference_from(value, Point) == ""


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({}, "at"),
        ([], ""),
        (None, ""),
        ({**RIGHT, "colour": "red"}, "colour"),
        ({**RIGHT, "name": 7}, "name"),
        ({**RIGHT, "at": [1, "2"]}, "at[1]"),
        ({**RIGHT, "at": [True]}, "at[0]"),
        ({**RIGHT, "at": [float("nan")]}, "at[0]"),
        ({**RIGHT, "at": [float("inf")]}, "at[0]"),
        ({**RIGHT, "at": [10**400]}, "at[0]"),
        ({**RIGHT, "kind": "star"}, "kind"),
        ({**RIGHT, "kind": ["dot"]}, "kind"),
        ({**RIGHT, "seen": {"ada": 1.0}}, "seen.ada"),
    ],
)
def test_the_place_of_a_difference_is_named(value, place):
    """The first field that is missing, unknown or of another type."""
    assert difference_from(value, Point).partition(":")[0] == place


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff\xfe\xff", b"[" * 10**5, b"NaN", b"[Infinity]", b"1" * 9999, b'{"a": "\xe9"}', b"null" * 2**19],
    ids=["empty", "cut", "bytes", "deep", "NaN", "Infinity", "digits", "Latin-1", "large"],
)
def test_what_is_no_json_is_a_value_error(tmp_path, data):
    """Whatever the parser raises for it."""
    (tmp_path / "file").write_bytes(data)
    with pytest.raises(ValueError, match=r"^\S.{3,}$"):
        read_json(tmp_path / "file", most=1 << 20)


def test_what_is_no_file_is_not_waited_for(tmp_path):
    """A pipe into which nobody writes is refused at once, a folder too; a link is followed where it may be there."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("[7]")
    (tmp_path / "link").symlink_to("file")
    assert read_json(tmp_path / "link") == [7]
    for name, follow in (("pipe", True), ("folder", True), ("link", False)):
        with pytest.raises((ValueError, OSError)):
            read_json(tmp_path / name, follow=follow)


@dataclass
class Spot:
    """A dataclass as a schema."""

    x: float
    tags: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"x": 1}, ""),
        ({"x": 1, "tags": ["a"]}, ""),
        ({"tags": []}, "x: missing"),
        ({"x": 1, "y": 2}, "y: unknown"),
        ({"x": 1, "tags": ["a", 2]}, "tags[1]: expected text"),
    ],
)
def test_a_dataclass_is_a_schema(value, where):
    """Its fields are all that may be there, a tuple is a list, and what has a default may be missing."""
    assert difference_from(value, Spot) == where
