"""What the hidden test cells ask under stock nbgrader."""

import pytest

from attention.chapters.query_key_value import attention
from autograder.course.stock_nbgrader import grade
from autograder.errors import UsageError


def test_a_right_answer_gets_the_notebooks_points_and_a_wrong_one_its_message(published, monkeypatch, capsys):
    """*attention* is worth 5 points in its notebook."""
    monkeypatch.chdir(published.root)
    assert grade("attention", attention) == 5.0
    assert grade("attention", lambda query, key, value: None) == 0.0
    assert "is a `return` missing?" in capsys.readouterr().out


def test_an_unknown_name_is_told(capsys):
    """A test cell that asks for no exercise of the course says which name it asked for."""
    with pytest.raises(UsageError, match=r"expected the name of an exercise, got 'atention'"):
        grade("atention", attention)
