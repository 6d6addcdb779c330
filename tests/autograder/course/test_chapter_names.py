"""A chapter may be called by its number or the beginning of its name, where that means one chapter alone."""

import pytest

from autograder.errors import UsageError


@pytest.mark.parametrize(
    ("word", "chapter"),
    [
        ("04_query_key_value", "04_query_key_value"),
        ("04_query_key_value/", "04_query_key_value"),
        ("4", "04_query_key_value"),
        ("04", "04_query_key_value"),
        ("1", "01_before_attention"),
        ("11", "11_gradients"),
        ("query", "04_query_key_value"),
        ("10_tr", "10_training"),
    ],
)
def test_a_short_name_means_one_chapter(published, word, chapter):
    """A number in one or two digits, and a beginning with or without the number."""
    assert published.meant_by(word).chapter == chapter


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("m", "'m' may be any of 06_multi_head, 09_masking: write more of it"),
        ("14", "unknown chapter '14': expected one of 01_before_attention, "),
        ("04_qurey_key_value", "unknown chapter '04_qurey_key_value': did you mean '04_query_key_value'?"),
        ("../4", "unknown chapter '../4'"),
        ("", "unknown chapter ''"),
    ],
)
def test_other_words_are_refused_with_what_is_known(published, word, said):
    """Two chapters that begin alike, none at all, and a slip of the fingers."""
    with pytest.raises(UsageError) as error:
        published.meant_by(word)
    assert str(error.value).startswith(said)
