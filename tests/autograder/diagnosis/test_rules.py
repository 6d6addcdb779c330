"""What is compared beside values: errors by their type, queries by where they look."""

import numpy as np

from autograder.diagnosis.compare import Answer
from autograder.diagnosis.rules import problem


def test_an_expected_error_is_compared_by_type():
    """Where the reference raises ValueError, so must the answer; its words are its own."""
    expected = Answer(error=("ValueError", "four heads do not divide 10"))
    assert problem(Answer(error=("ValueError", "no")), expected, (), "equals", ("x",)) is None
    assert "raises KeyError, expected a ValueError" in problem(
        Answer(error=("KeyError", "")), expected, (), "equals", ("x",)
    )
    assert "returns normally" in problem(Answer(value=1), expected, (), "equals", ("x",))


def test_a_query_is_judged_by_where_it_looks():
    """Any query that gives both keys 0.49 passes; one that is too short is told the weights of a worked example."""
    args = (np.eye(4), 0, 2)
    assert problem(Answer(value=np.array([9.0, 0, 9, 0])), Answer(), args, "attends_to_both", ("query",)) is None
    assert problem(Answer(value=[50.0, -7, 50, -3]), Answer(), args, "attends_to_both", ("query",)) is None
    short = Answer(value=np.array([0.5, 0, 0.5, 0]))
    said = problem(short, Answer(), args, "attends_to_both", ("query",), visible=True)
    assert "key 0 gets weight 0.3112 and key 2 gets 0.3112" in said
    said = problem(short, Answer(), args, "attends_to_both", ("query",))
    assert said.endswith("both have the largest score, but it is not large enough; make the query longer")
    assert "0.31" not in said
    for bad in (np.full(4, np.nan), np.full(4, np.inf), np.zeros(3), "query"):
        assert problem(Answer(value=bad), Answer(), args, "attends_to_both", ("query",))
