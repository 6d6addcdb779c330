"""Trained files with their provenance: each holds the digests of its code and settings beside its content.

A file whose digests differ from today's is stale, and is not read.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import attention
from attention import trained
from autograder.sources import digest_of_computation, sources_of

ROOT = Path(attention.__file__).parents[1]
REMEDY = "run `make models`"
Provenance = Mapping[str, str]  # what a file was made of: a file of the course or another name -> digest


class Stale(Exception):
    """A trained file that is missing, damaged, or no longer what would be made today."""


@cache
def training_code() -> Provenance:
    """Return the provenance that all training shares: each imported file of the reference, and its digest."""
    return code_in(*sources_of("attention.chapters.translator"))


def code_in(*files: Path | str) -> Provenance:
    """Return files of the course, relative to its root, with the digest of what each computes."""
    return {
        Path(path).relative_to(ROOT).as_posix(): digest_of_computation(Path(path))[:16]
        for path in files
        if Path(path).name != "__init__.py"
    }


def digest(text: str) -> str:
    """Return a short hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def path_of(name: str) -> Path:
    """Return the path of a trained file."""
    return trained.TRAINED / f"{name}.json"


def why_stale(name: str, made_of: Provenance) -> str:
    """Say why a file is stale; "" if it is not."""
    if not path_of(name).exists():
        return "it is missing"
    try:
        shipped = dict(trained.read_trained(name)["made_of"])
    except (OSError, ValueError, KeyError, TypeError):
        return "it is damaged"
    changed = sorted(part for part in {*shipped, *made_of} if shipped.get(part) != made_of.get(part))
    return f"changed since it was made: {', '.join(changed)}" if changed else ""


def read(name: str, made_of: Provenance) -> dict:
    """Return a file's content. Errors: Stale if ``made_of`` would make another."""
    if why := why_stale(name, made_of):
        raise Stale(f"stale in attention/trained: {name}.json ({why}): {REMEDY}")
    return trained.read_trained(name)


def write(name: str, made_of: Provenance, content: dict) -> None:
    """Write a file with its provenance, in one step."""
    text = json.dumps({"made_of": dict(made_of), **content}, ensure_ascii=False, separators=(",", ":")) + "\n"
    temporary = path_of(name).with_name(f".{name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path_of(name))
    finally:
        temporary.unlink(missing_ok=True)
