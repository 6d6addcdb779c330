"""Code is compared without layout and own names, by runs that few have; what names nobody is shown to all."""

import json
from hashlib import blake2b

import numpy as np
import pytest

from autograder.pages.report import report
from autograder.pages.report_names import ReportNames
from autograder.pages.similar import (
    ALWAYS_FOUND,
    LEAST,
    MAX_TOKENS,
    first_part,
    held_by_few,
    pairs,
    prints_of,
    rare_at_most,
    similar,
    similar_lines,
    student_code,
    winnowed,
)
from autograder.pages.similar import LONG as LONG_TOKEN
from autograder.pages.similar_page import LINES, cells_by_name
from autograder.pages.tokens import MAX_CODE, PYTHON_TOKEN, nameless, normalised, tokens_of

CHAPTER = "01_doubling"
KNOWN = {"mix", "weights", "values"}
LONG = "\n".join(f"total_{n} = np.{name}(weights, {n}) - {n} * values[{n}]" for n, name in enumerate(
    ("add", "dot", "power", "hypot", "fmod", "arctan2", "maximum", "minimum", "copysign", "outer", "inner", "kron")
))  # fmt: skip
OTHER = LONG.replace("total", "summe").replace(" = ", "  =  ").replace("\n", "  # mine\n\n").replace("- ", "-")


def words(source):
    """The normalised words of some code."""
    return [word for word, _ in normalised(source, KNOWN)]


def test_layout_comments_names_and_texts_do_not_matter():
    """The same line, laid out and named otherwise, is the same; a number or an operator is not."""
    plain = words('def mix(w):\n    """Mix."""\n    s = w @ values  # sum\n    return "yes", s')
    assert plain == words(
        "def mix( other ):\n\treturn_value=other@values;\n\treturn 'no', return_value".replace(";", "")
    )
    assert words("s = w * 2") != words("s = w * 3")
    assert words("s = w * 2") != words("s = w + 2")
    assert words("np.exp(scores)") == ["np", ".", "exp", "(", "V", ")"]


@pytest.mark.parametrize(
    "source", ["'" * 9999, '"""' * 9999, "(" * 99999, "r'\\" * 9999, "#" * 99999, "é\0\ud800", "f'{x"]
)
def test_no_code_is_too_odd_or_too_long_to_be_read(source):
    """Every letter of what is looked at is in one token, in order."""
    found = "".join(token.text for token in tokens_of(source))
    assert source[:MAX_CODE].startswith(found)
    assert len(found) >= len(source[:MAX_CODE].rstrip("\\"))
    assert nameless(source, KNOWN).isascii() or "…" in nameless(source, KNOWN)


def test_a_run_that_is_long_enough_is_always_found():
    """Winnowing's promise: a shared run of ALWAYS_FOUND tokens gives a shared fingerprint, wherever it is."""
    rng = np.random.default_rng(7)
    for _ in range(50):
        shared = " ".join(map(str, rng.integers(0, 99, ALWAYS_FOUND)))
        one, other = (" ".join(map(str, rng.integers(100, 999, size))) for size in rng.integers(1, 40, 2))
        first, second = prints_of([f"{one} {shared} {other}"], KNOWN), prints_of([f"{other} {shared}"], KNOWN)
        assert first & second


def test_a_fingerprint_is_the_same_in_every_process():
    """The hash of twelve numbers, taken by hand: Python's own would differ from run to run."""
    (first,) = winnowed("1 2 3 4 5 6 7 8 9 10 11 12", KNOWN)
    text = "\0".join(map(str, range(1, 13))).encode()
    assert first.hash == int.from_bytes(blake2b(text, digest_size=8).digest())
    assert (first.start, first.end) == (0, 26)


def class_of(*sources):
    """Sets of fingerprints of a class, as arrays."""
    prints = {f"s{place:02d}": prints_of([source], KNOWN) for place, source in enumerate(sources)}
    return {student: np.fromiter(own, dtype=np.uint64, count=len(own)) for student, own in prints.items()}


def own_work(number):
    """Code of somebody who wrote alone."""
    numbers = np.random.default_rng(number).integers(0, 10**6, 120)
    return " + ".join(map(str, numbers))


def test_two_who_wrote_alike_are_found_among_many():
    """Renamed, laid out otherwise and commented, the same work is one pair; nobody else is named."""
    alone = [own_work(number) for number in range(28)]
    (found,) = pairs(class_of(*alone[:9], LONG, *alone[9:], OTHER))
    assert found["students"] == ("s09", "s29")
    assert found["share"] == 1
    assert found["count"] >= LEAST


def test_what_many_write_accuses_nobody():
    """A right answer that a tenth of the class and more wrote alike, however long, makes no pair."""
    alone = [own_work(number) for number in range(25)]
    assert rare_at_most(30) == 3
    assert pairs(class_of(*alone, LONG, LONG, OTHER, OTHER, LONG)) == []


def test_a_short_answer_accuses_nobody():
    """Two lines that two have in common are no evidence, even where nobody else has them."""
    short = "\n".join(LONG.splitlines()[:2])
    assert pairs(class_of(*(own_work(number) for number in range(28)), short, short)) == []


def test_the_cost_grows_with_the_class_and_not_with_its_square():
    """Of four hundred the hashes that count are those that two have, or a few more; each is looked at once."""
    prints = [np.arange(place, place + 3, dtype=np.uint64) for place in range(400)]
    prints = [np.append(own, np.uint64(10**9)) for own in prints]  # what everybody has
    found = held_by_few(prints, 3)
    assert 10**9 not in found
    assert found[2] == [0, 1, 2]
    assert found[1] == [0, 1]
    assert 0 not in found
    assert sum(len(owners) for owners in found.values()) <= 3 * 400


def test_lines_that_are_alike_are_marked():
    """Whole lines are marked, and no letter is lost."""
    rare = prints_of([LONG], KNOWN)
    lines = similar_lines(f"mine = 1\n\n\n{OTHER}", rare, KNOWN)
    assert "".join(line for line, _ in lines) == f"mine = 1\n\n\n{OTHER}"
    assert not lines[0][1]
    assert sum(alike for _, alike in lines) > 8


def test_nameless_code_holds_no_name():
    """Own names, texts, comments and long numbers go; what the course and NumPy call something stays."""
    code = (
        "# Ada\nada_w = 'Ada' + f'{ada}'  # Ada\ndef mix(weights, αδα):\n    x20261122 = 20261122 + 1_234_567\n"
        '    """Ada\'s."""\n    return np.exp(ada_w.sum(axis=-1)) @ values, Ada.ada, "Ada'
    )
    shown = nameless(code, KNOWN)
    assert "ada" not in shown.lower()
    assert "2026" not in shown
    assert "234" not in shown
    assert "αδα" not in shown
    assert "def mix(weights, name2):" in shown
    assert "return np.exp(name1.sum(axis=-1)) @ values, name4.name5" in shown


CELLS, CELL = 838, 20_000  # of the largest notebook that is graded


@pytest.mark.parametrize(
    "cell", ["+" * CELL, "1a" * (CELL // 2), "'\\" * (CELL // 2), "\\" * CELL], ids=["signs", "number", "text", "odd"]
)
def test_of_the_largest_notebook_a_first_part_is_compared(cell):
    """Many tokens and few long ones cost the same: what is read is bounded, and it is the beginning."""
    part = first_part([cell] * CELLS, MAX_TOKENS)
    read = [token for source in part for token in tokens_of(source)]
    assert part[:-1] == [cell] * (len(part) - 1)
    assert len(read) <= MAX_TOKENS
    assert sum(len(token.text) for token in read) <= LONG_TOKEN * MAX_TOKENS + CELL


def test_no_solved_notebook_comes_near_the_limit(root):
    """Five times the longest solution is compared whole, with what the course gives in its notebook."""
    for path in root.glob("solutions/*/*.ipynb"):
        cells = json.loads(path.read_text())["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        assert first_part(code * 5, MAX_TOKENS) == code * 5


def test_a_text_that_never_ends_is_read_once():
    """Unlike a pattern that gives back what it has read, which begins anew at each of ten thousand quotes."""
    for source in ("'\\" * 10_000, '"""' + "\\x" * 10_000 + "\\"):
        assert len(list(PYTHON_TOKEN.finditer(source))) <= 3


@pytest.fixture
def stuffed(graded, classroom):
    """Put a thousand lines of code into cells that ada added above her answer."""
    path = classroom.autograded("ada", CHAPTER) / "result.json"
    record = json.loads(path.read_text())
    own = {"kind": "own", "type": "code", "id": "", "source": f"{LONG}\n" * 5, "outputs": [], "status": ""}
    path.write_text(json.dumps({**record, "cells": [own] * 20 + record["cells"]}))


def test_what_is_put_above_an_answer_hides_it_not(stuffed, classroom, assignment, monkeypatch):
    """The answers are compared first, and whose other cells were not all compared is told on the report alone."""
    assert student_code(classroom, assignment, "ada")[0] == student_code(classroom, assignment, "dee")[0]
    monkeypatch.setattr("autograder.pages.similar.SMALLEST_CLASS", 2)
    monkeypatch.setattr("autograder.pages.similar.MAX_TOKENS", 2000)
    monkeypatch.setattr("autograder.pages.figures.svg", lambda *_: "data:,")
    assert similar(classroom, assignment, ["ada", "ben", "dee"]).in_part == ["ada"]
    assert 'id="in-part"' in report(classroom, assignment).read_text()
    assert 'id="in-part"' not in report(classroom, assignment, nameless=True).read_text()


def test_what_is_shown_of_a_student_is_bounded(stuffed, classroom, assignment):
    """The page beside another student's holds so many lines of each cell, and of all that were added."""
    shown = cells_by_name(ReportNames(classroom, assignment), "ada")
    assert set(shown) == {"", "double"}
    assert len(shown[""].splitlines()) == LINES + 1
