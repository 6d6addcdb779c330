"""Reads from a notebook's own metadata which Python it was written with; the student can write anything there."""

import json
import re
from contextlib import suppress

from autograder.errors import InvalidSubmission

from .intake import skipped_parts

_METADATA_BYTES = 1 << 16  # of a notebook's own metadata; Jupyter writes less than one kB
_VERSION = re.compile(r"[23]\.\d{1,2}(?!\d)", re.ASCII)


def python_version(data: bytes) -> str:
    """Return the Python that a notebook's bytes were last saved with, as "3.14"; "" if the notebook does not say."""
    with suppress(InvalidSubmission, ValueError, RecursionError):
        for kind, start, end in skipped_parts(data):
            if kind == "top":
                return _version_in(json.loads(data[start:end])) if end - start <= _METADATA_BYTES else ""
    return ""


def _version_in(metadata: object) -> str:
    language = metadata.get("language_info") if isinstance(metadata, dict) else None
    if not isinstance(language, dict) or language.get("name", "python") != "python":
        return ""
    version = language.get("version")
    match = _VERSION.match(version) if isinstance(version, str) else None
    return match[0] if match else ""
