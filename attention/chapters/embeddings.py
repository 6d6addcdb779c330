"""Chapter 2, words become vectors: by counting them, and by comparing directions."""

from collections.abc import Iterable, Sequence

import numpy as np
from jaxtyping import Float, Int, Num

from .shapes import Array, require_axes, require_same_size


def vocabulary(sentences: Iterable[str]) -> dict[str, int]:
    """Number the different words of some sentences, in order of first appearance, in lower case.

    Errors: ValueError where there is no word at all, or where ``sentences`` is one string instead of several.
    Source: Note 2.
    """
    if isinstance(sentences, str):
        raise ValueError(f"expected several sentences, got the string {sentences!r}: put it in a list")
    words = [word for sentence in sentences for word in sentence.lower().split()]
    if not words:
        raise ValueError("expected at least one word, got none: pass a list of sentences")
    return {word: index for index, word in enumerate(dict.fromkeys(words))}


def token_ids(tokens: Sequence[str], vocab: dict[str, int]) -> Int[np.ndarray, "n"]:
    """Look up each word's number, whatever its case.

    Shapes: n words -> (n,) whole numbers.
    Errors: KeyError that names the first word that ``vocab`` does not contain; ValueError where there is no word.
    """
    if isinstance(tokens, str) or not len(tokens):
        raise ValueError(f"expected a list of words, at least one, got {tokens!r}: split the sentence first")
    unknown = [word for word in tokens if word.lower() not in vocab]
    if unknown:
        raise KeyError(
            f"expected words of the vocabulary of {len(vocab)}, got {unknown[0]!r}: "
            "add its sentence to those that the vocabulary is made of"
        )
    return np.array([vocab[word.lower()] for word in tokens])


def one_hot(tokens: Sequence[str], vocab: dict[str, int]) -> Float[np.ndarray, "n v"]:
    """Give every word a vector of zeros with a single 1, in the word's column.

    out_ij = 1 where word i has number j, else 0

    Shapes: n words, a vocabulary of |V| -> (n, |V|).
    Errors: KeyError for an unknown word, which it names; ValueError where there is no word.
    Source: Note 2.
    """
    return np.eye(len(vocab))[token_ids(tokens, vocab)]


def bag_of_words(sentences: Sequence[str], vocab: dict[str, int]) -> Float[np.ndarray, "documents v"]:
    """Count how often each word occurs in each sentence; the order of the words is lost.

    Shapes: N sentences, a vocabulary of |V| -> (N, |V|).
    Errors: KeyError for an unknown word; ValueError for no sentence or an empty one.
    Source: Note 2; Harris (1954), Distributional structure.
    """
    if isinstance(sentences, str) or not len(sentences):
        raise ValueError(f"expected several sentences, got {sentences!r}: put them in a list")
    return np.stack([one_hot(sentence.split(), vocab).sum(axis=0) for sentence in sentences])


def tf_idf(counts: Num[np.ndarray, "documents v"]) -> Float[np.ndarray, "documents v"]:
    """Weight each count by how rare the word is; a word that is in every document gets 0.

    tf = count / words in the document,   idf = ln(N / df),   out = tf · idf

    Shapes: counts (N, |V|) -> (N, |V|). df counts the documents with the word, N all documents.
    A document without words, and a word that is in no document, get zeros.
    Errors: ValueError for another shape.
    Source: Spärck Jones (1972), A statistical interpretation of term specificity. scikit-learn smooths the idf.
    """
    require_axes("counts", counts, "(documents, words)")
    length = counts.sum(axis=1, keepdims=True)  # (N, 1)
    df = (counts > 0).sum(axis=0)  # (|V|,)
    idf = np.log(len(counts) / np.maximum(df, 1))  # (|V|,)
    return counts / np.maximum(length, 1) * idf


def cosine_similarity(
    a: Num[np.ndarray, "*batch n d"], b: Num[np.ndarray, "*batch m d"]
) -> Float[np.ndarray, "*batch n m"]:
    """Compare directions: 1 for the same, 0 for perpendicular, -1 for opposite ones.

    out_ij = a_i · b_j / (‖a_i‖ ‖b_j‖), and 0 where either vector is zero

    Shapes: a (..., n, d), b (..., m, d) -> (..., n, m).
    Errors: ValueError where the vectors differ in width.
    Source: Salton, Wong and Yang (1975), A vector space model for automatic indexing.
    """
    require_axes("a", a, "(..., n, d)")
    require_axes("b", b, "(..., m, d)")
    require_same_size("a", a, -1, "b", b, -1, "compare vectors of the same space")
    return _unit_rows(a) @ np.swapaxes(_unit_rows(b), -1, -2)


def _unit_rows(x: Array) -> Array:
    """Divide each row by its length, and leave rows of zeros as they are."""
    length = np.linalg.norm(x, axis=-1, keepdims=True)  # (..., n, 1)
    return x / np.where(length == 0, 1.0, length)


def average_meaning(senses: Num[np.ndarray, "s d"], counts: Num[np.ndarray, "s"]) -> Float[np.ndarray, "d"]:
    """Return the one vector that a word with several senses gets, if each of its uses pulls equally.

    Σ_s counts_s senses_s / Σ_s counts_s

    Shapes: senses (s, d), counts (s,) -> (d,).
    Errors: ValueError for other shapes, a negative count, or counts that are all zero.
    Source: Note 2, "average meaning"; Arora et al. (2018), Linear algebraic structure of word senses, section 2.
    """
    require_axes("senses", senses, "(s, d)")
    require_axes("counts", counts, "(s,)")
    require_same_size("senses", senses, -2, "counts", counts, -1, "each sense needs one count")
    if (counts < 0).any() or not counts.any():
        raise ValueError(
            f"expected counts of at least 0, not all of them 0, got {counts}: count the uses of each sense"
        )
    return counts @ senses / counts.sum()
