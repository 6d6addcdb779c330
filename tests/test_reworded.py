"""No logic depends on how a sentence is worded: in other words, everything is concluded alike."""

import json
import subprocess
import sys

import pytest

from .support.reworded import MARK, reworded


@pytest.fixture(scope="module")
def both_ways(root):
    """What several authors' wrong answers are told, in our words and in others."""
    runs = [
        subprocess.run(
            [sys.executable, "-m", "tests.support.reworded", *options],
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        )
        for options in ([], ["--reworded"])
    ]
    return [json.loads(run.stdout) for run in runs]


def test_other_words_lead_to_the_same_conclusions(both_ways):
    """Points, mistakes, statuses and rows of the report stay what they are."""
    ours, others = both_ways
    assert len(ours) > 200
    assert [one["facts"] for one in ours] == [one["facts"] for one in others]


def test_other_words_say_the_same(both_ways):
    """Each message is made of the same sentences: translated word by word, ours is the other one."""
    ours, others = both_ways
    assert any(MARK in one["words"] for one in others)
    assert [reworded(one["words"]) for one in ours] == [reworded(one["words"]) for one in others]
