"""What a page weighs, gzipped, when it is opened first and when it follows another; too much ends the build."""

import gzip
from dataclasses import dataclass

from sphinx.errors import ExtensionError

PACKED = {".woff2", ".png", ".jpg"}  # gzip does nothing for them


@dataclass(frozen=True)
class Part:
    """One request of a page: its name, its bytes as sent, and whether a page read before has brought it along."""

    name: str
    size: int
    known: bool = False


def sent(path, data=None):
    """Return how many bytes a server sends of a file."""
    data = path.read_bytes() if data is None else data
    return len(data) if path.suffix in PACKED else len(gzip.compress(data, 6, mtime=0))


def part(path, known=False):
    """Weigh a file."""
    return Part(path.name, sent(path), known)


def excess(page, parts, budget):
    """Return what is too much on a page, one sentence each."""
    first, later = sum(part.size for part in parts), sum(part.size for part in parts if not part.known)
    measures = {
        "first": (first, "bytes when it is opened first", parts),
        "next": (later, "bytes when another page was read before", [part for part in parts if not part.known]),
        "requests": (len(parts), "requests", parts),
    }
    said = []
    for name, (got, what, of) in measures.items():
        if name in budget and got > budget[name]:
            largest = sorted(of, key=lambda part: -part.size)[:4]
            named = ", ".join(f"{part.name} {part.size:,}" for part in largest)
            said.append(f"{page}: expected at most {budget[name]:,} {what}, got {got:,}; the largest: {named}")
    return said


def require(pages, budget):
    """End the build where a page is over its budget: ``pages`` is page -> parts."""
    said = [sentence for page, parts in pages.items() for sentence in excess(page, parts, budget)]
    if said:
        raise ExtensionError("lean_pages: " + "\n".join(said) + "\nTake something out, or load it when it is seen.")
