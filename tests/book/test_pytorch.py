"""The page on PyTorch shows what `make oracle` ran, and the course still gives the numbers that PyTorch gave."""

import re

import numpy as np
import pytest

import attention
from oracle import stored
from oracle.pytorch import ALLOWED, FOLDER, PAGE, blocks, farthest, run_side


@pytest.fixture(scope="module")
def page():
    """The page's source."""
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def ran():
    """The blocks as they were run, with what they printed and showed."""
    return stored("pytorch")["blocks"]


def test_the_page_shows_what_was_run(page, ran):
    """Every block of the page, in its order, and no other."""
    assert blocks(page) == [(block["course"], block["pytorch"]) for block in ran], "run `make oracle SCRIPT=pytorch`"


def test_the_courses_side_gives_pytorchs_numbers(ran, monkeypatch):
    """Run in order without PyTorch, each block prints what PyTorch printed, and agrees with it in full precision."""
    monkeypatch.syspath_prepend(FOLDER)
    namespace = {"__name__": "__main__"}
    compared = 0
    for block in ran:
        if block["course"]:
            printed, shown = run_side(block["course"], namespace)
            assert printed == block["prints"], block["course"]
            for ours, theirs in zip(shown, block["shown"], strict=True):
                assert farthest(ours, np.array(theirs)) <= ALLOWED, block["course"]
                compared += 1
    assert compared > 40


def test_a_mask_the_wrong_way_round_gives_what_the_page_says(ran):
    """NaN with weights, the output bias without, or zeros: only the future is seen, as the course's mask says it."""
    shown = {block["pytorch"]: np.array(block["shown"]) for block in ran if "attn_mask=MASK" in block["pytorch"]}
    (weights,) = next(shown[code] for code in shown if code.startswith("_, WEIGHTS"))
    bias, evaluated, without_bias = next(shown[code] for code in shown if code.startswith("biased"))
    assert np.isnan(weights[-1]).all()
    assert not np.tril(weights[:-1]).any()
    assert np.array_equal(bias, [1, 2, 3, 4])
    assert np.isnan(evaluated).all()
    assert np.array_equal(without_bias, np.zeros(4))


def test_every_function_of_the_course_is_on_the_page(page):
    """Beside its call, or among those that have none."""
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`\n]+`", page))))
    assert set(attention.__all__) - named == set()
