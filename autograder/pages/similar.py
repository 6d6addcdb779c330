"""Finds submissions whose code shares runs of tokens that few others have.

Layout, comments, own names and texts do not matter. Some of all runs of ``RUN`` tokens are kept as fingerprints, so
that two who share a run of ``ALWAYS_FOUND`` share one: winnowing. What the course hands out or lists, and what
more than a few of the class wrote, is ignored, since short right answers are alike in everyone's notebook.
Source: Schleimer, Wilkerson, Aiken, *Winnowing: local algorithms for document fingerprinting*, SIGMOD 2003.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import Any

import numpy as np

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results.load import load_cells
from autograder.classroom.results.records import SavedCell
from autograder.course.course import Assignment

from .tokens import Token, all_names, normalised, tokens_of

RUN, WINDOW = 12, 6  # tokens
ALWAYS_FOUND = RUN + WINDOW - 1  # tokens that two share
MAX_SHARING, SHARE_OF_CLASS = 8, 0.1  # students who may share a rare fingerprint
SMALLEST_CLASS = 10  # below it nothing is rare
LEAST, LEAST_SHARE = 10, 0.5  # rare fingerprints in common, and their share of the smaller one's
PAIRS = 20  # that are shown
MAX_TOKENS, LONG = (
    30_000,
    10,
)  # of one student, of which a long one counts as several; a solved notebook has at most 4,000


@dataclass(frozen=True)
class Fingerprint:
    """A fingerprint: the hash of a run of tokens, and its position in the cell."""

    hash: int
    start: int
    end: int


@dataclass(frozen=True)
class Comparison:
    """The pairs of students with similar code, and the students of whose code only the first part was compared."""

    pairs: Sequence[dict[str, Any]] = ()
    in_part: Sequence[str] = ()


def similar(classroom: ClassRoom, assignment: Assignment, students: list[str]) -> Comparison:
    """Return the pairs of students with similar code, most similar first, each with the ``rare`` hashes."""
    if len(students) < SMALLEST_CLASS:
        return Comparison()
    given = handed_out(assignment)
    known = all_names(assignment.read_released_code())
    prints, in_part = {}, []
    for student in students:  # only hashes are kept: a class's code would not fit into memory
        code = student_code(classroom, assignment, student)
        compared = first_part(code, MAX_TOKENS)
        in_part += [student] if compared != code else []
        own = prints_of(compared, known) - given
        prints[student] = np.fromiter(own, dtype=np.uint64, count=len(own))
    return Comparison(pairs(prints), in_part)


def first_part(sources: list[str], most: int) -> list[str]:
    """Return the code up to so many tokens, as cells in order, the last one cut: each token takes microseconds."""
    part = []
    for source in sources:
        end = 0
        for token in tokens_of(source):
            most -= 1 + len(token.text) // LONG
            if most < 0:
                return [*part, source[:end]]
            end = token.end
        part.append(source)
    return part


def rare_at_most(count: int) -> int:
    """Return how many students may have a fingerprint that still counts as rare."""
    return max(2, min(MAX_SHARING, int(SHARE_OF_CLASS * count)))


def pairs(prints: dict[str, np.ndarray]) -> list[dict[str, Any]]:
    """Return the pairs that share enough, from ``{student: array of hashes, each once}``.

    Only those who share a rare fingerprint are ever compared: the cost grows with the class, not with its square.
    """
    students = sorted(prints)
    rare = held_by_few([prints[student] for student in students], rare_at_most(len(students)))
    counts = Counter(owner for owners in rare.values() for owner in owners)
    shared = Counter(pair for owners in rare.values() for pair in combinations(owners, 2))
    found: list[dict[str, Any]] = []
    for (one, other), count in shared.items():
        share = count / min(counts[one], counts[other])
        if count >= LEAST and share >= LEAST_SHARE:
            found.append({"places": {one, other}, "count": count, "share": share})
    shown = sorted(found, key=lambda pair: (-pair["count"], sorted(pair["places"])))[:PAIRS]
    return [described(pair, students, rare) for pair in shown]


def described(pair: dict[str, Any], students: list[str], rare: dict[int, list[int]]) -> dict[str, Any]:
    """Return a pair with its students and the rare hashes that both have."""
    both = {hash_ for hash_, owners in rare.items() if pair["places"] <= set(owners)}
    names = tuple(students[place] for place in sorted(pair["places"]))
    return {"students": names, "count": pair["count"], "share": pair["share"], "rare": both}


def held_by_few(prints: list[np.ndarray], most: int) -> dict[int, list[int]]:
    """Return ``{hash: students}`` in order, for hashes that two or a few students have."""
    owners = np.repeat(np.arange(len(prints)), [len(own) for own in prints])
    hashes = np.concatenate(prints)
    order = np.lexsort((owners, hashes))
    hashes, owners = hashes[order], owners[order]
    begins = np.flatnonzero(np.diff(hashes, prepend=hashes[:1] + np.uint64(1)))
    sizes = np.diff(begins, append=len(hashes))
    few = (sizes > 1) & (sizes <= most)
    return {
        int(hashes[begin]): owners[begin : begin + size].tolist()
        for begin, size in zip(begins[few], sizes[few], strict=True)
    }


def handed_out(assignment: Assignment) -> set[int]:
    """Return the fingerprints of code that nobody needs to copy: released cells, solutions, and listed mistakes."""
    released = assignment.read_released_code()
    solved = [cell.source for cell in assignment.notebook.cells if cell.cell_type == "code"]
    listed = [
        mistake.source_as(name) for name, exercise in assignment.exercises.items() for mistake in exercise.mistakes
    ]
    return prints_of([*released, *solved, *listed], all_names(released))


def student_code(classroom: ClassRoom, assignment: Assignment, student: str) -> list[str]:
    """Return the code that a student wrote, ``[source of each cell]``: the answers, then the cells that they added."""
    return [cell["source"] for cell in code_cells(classroom, assignment, student)]


def code_cells(classroom: ClassRoom, assignment: Assignment, student: str) -> list[SavedCell]:
    """Return the cells of code that a student wrote: the answers, then those that they added."""
    cells = [cell for cell in load_cells(classroom, student, assignment.chapter) if cell["type"] == "code"]
    return [cell for kind in ("answer", "own") for cell in cells if cell["kind"] == kind]


def prints_of(sources: list[str], known: set[str]) -> set[int]:
    """Return the fingerprints' hashes of some cells."""
    return {one.hash for source in sources for one in winnowed(source, known)}


def winnowed(source: str, known: set[str]) -> Iterator[Fingerprint]:
    """Yield one cell's fingerprints: of ``WINDOW`` neighbouring runs, the last one with the smallest hash."""
    words = normalised(source, known)
    hashes = [run_hash(words[place : place + RUN]) for place in range(len(words) - RUN + 1)]
    kept = set()
    for place in range(max(1, len(hashes) - WINDOW + 1)):
        window = range(place, min(place + WINDOW, len(hashes)))
        kept |= {min(window, key=lambda index: (hashes[index], -index))} if window else set()
    for place in sorted(kept):
        yield Fingerprint(hashes[place], words[place][1].start, words[place + RUN - 1][1].end)


def run_hash(words: list[tuple[str, Token]]) -> int:
    """Return a 64-bit hash of a run of tokens, the same in every process."""
    return int.from_bytes(blake2b("\0".join(word for word, _ in words).encode(), digest_size=8).digest())


def similar_lines(source: str, rare: set[int], known: set[str]) -> list[tuple[str, bool]]:
    """Return a cell as ``(text, is similar)`` pieces of whole lines, for two students who share ``rare`` hashes."""
    spans = [(one.start, one.end) for one in winnowed(source, known) if one.hash in rare]
    lines, place = [], 0
    for line in source.splitlines(keepends=True):
        end = place + len(line)
        lines.append((line, any(start < end and place < stop for start, stop in spans)))
        place = end
    return lines
