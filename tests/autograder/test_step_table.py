"""A step as data: which row a table gives, and that it comes back as it was."""

import json

import numpy as np
import pytest

from autograder.step_table import StepTable, table_from

TABLE = StepTable(((), (3,), (2, 3), (5, 2, 3)), ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0), (7.0, 8.0)))


@pytest.mark.parametrize(
    ("tokens", "row"),
    [([], [1, 2]), ([2], [1, 2]), ([7, 3], [3, 4]), ([7, 2, 3], [5, 6]), ([7, 5, 2, 3], [7, 8]), ([2, 3, 5], [1, 2])],
)
def test_the_longest_known_ending_decides(tokens, row):
    """A token more in front matters as far as the table reaches, and lists, tuples and arrays are alike."""
    for given in (tokens, tuple(tokens), np.array(tokens, dtype=int)):
        np.testing.assert_array_equal(TABLE(given), row)


def test_every_call_gives_new_logits():
    """Writing into the logits changes only the caller's own copy."""
    TABLE([3])[:] = 0
    np.testing.assert_array_equal(TABLE([3]), [3, 4])


def test_a_table_survives_json():
    """Written as lists and read again, it is equal, and answers alike."""
    again = table_from(json.loads(json.dumps(TABLE.as_lists())))
    assert again == TABLE
    assert again != table_from([[[]], [[1.0, 2.0]]])


@pytest.mark.parametrize(("endings", "rows"), [(((3,),), ((1.0,),)), (((), (3,)), ((1.0,),))])
def test_a_table_without_a_row_for_everything_is_refused(endings, rows):
    """There is an answer to any tokens, or no table."""
    with pytest.raises(ValueError, match=r"expected a row for each ending, and one for \(\)"):
        StepTable(endings, rows)


@pytest.mark.parametrize(
    ("tokens", "got"),
    [
        (3, "3"),
        (np.array([[2, 3]]), r"an array of shape \(1, 2\)"),
        ("lion", "'lion'"),
        ([[1], [2, 3]], r"\[\[1\], \[2, 3\]\]"),
    ],
)
def test_what_is_no_row_of_tokens_is_refused(tokens, got):
    """Who passes the last token alone, or a batch of one, reads what step takes."""
    with pytest.raises(TypeError, match=f"takes all tokens so far in one list, such as .* it got {got}$"):
        TABLE(tokens)
