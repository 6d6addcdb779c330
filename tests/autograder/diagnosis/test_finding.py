"""What ``check`` shows in a notebook: a mark, the sentence, and wrong numbers beside the wanted ones."""

import re

import numpy as np
import pytest

from autograder.diagnosis.finding import Difference, Finding


def html_of(got, wanted):
    """Return what a notebook shows of one wrong result."""
    difference = Difference("weights", "two <rows>", np.asarray(got), np.asarray(wanted))
    return Finding("mix", "wrong", "not right yet. Rows & columns.", (difference,))._repr_html_()


def lit_in(html):
    """Return the numbers that are lit."""
    return re.findall(r'title="wrong">([^<]+)<', html)


def numbers_in(html):
    """Return all numbers shown."""
    return re.findall(r"<td[^>]*>([^<]+)</td>", html)


def test_wrong_entries_are_lit_beside_the_wanted_ones():
    """Of six numbers the two that differ are lit, on the left alone."""
    html = html_of([[0.5, 0.25, 0.25], [0.1, 0.2, 0.7]], [[0.5, 0.25, 0.25], [0.2, 0.1, 0.7]])
    assert lit_in(html) == ["0.1000", "0.2000"]
    assert numbers_in(html)[6:] == ["0.5000", "0.2500", "0.2500", "0.2000", "0.1000", "0.7000"]
    assert "example: two &lt;rows&gt;" in html


def test_numbers_that_differ_never_look_the_same():
    """Small differences are shown with as many decimals as it takes; whole numbers stay whole."""
    assert numbers_in(html_of([0.5 + 1e-5], [0.5])) == ["0.500010", "0.500000"]
    assert numbers_in(html_of([3, 4], [3, 5])) == ["3", "4", "3", "5"]
    assert numbers_in(html_of(8_388_608, 1_048_576)) == ["8388608", "1048576"]
    assert numbers_in(html_of(1_048_600.25, 1_048_576)) == ["1048600", "1048576"]


def test_a_right_number_is_as_short_as_elsewhere():
    """Examples hold twelve decimals, and an answer has all: what is equal within the tolerance looks equal."""
    third = 1 / 3
    assert numbers_in(html_of([third, 0.5], [round(third, 12), 0.25])) == ["0.3333", "0.5000", "0.3333", "0.2500"]
    assert numbers_in(html_of([-0.0, -1e-9, 0.5], [0.0, 0.0, 0.25]))[:3] == ["0.0000", "0.0000", "0.5000"]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_shown_and_lit(value):
    """NaN and infinity are wrong wherever a number is wanted."""
    assert lit_in(html_of([value, 0.25], [0.5, 0.25])) == [str(value)]


def test_of_a_batch_the_first_wrong_table_is_shown():
    """The place of the table in the batch is named, and tables that are right are left out."""
    wanted = np.arange(30.0).reshape(3, 2, 5)
    got = wanted.copy()
    got[2, 1, 4] = 0.5
    html = html_of(got, wanted)
    assert "your weights[2], shape (3, 2, 5)" in html
    assert lit_in(html) == ["0.5000"]
    assert len(numbers_in(html)) == 2 * 10


def test_other_shapes_are_shown_with_nothing_lit():
    """Where entries have no partner, the shapes say it; a large array is cut."""
    html = html_of(np.zeros((11, 3)), np.ones((3, 11)))
    assert "shape (11, 3), the beginning" in html
    assert lit_in(html) == []
    assert len(numbers_in(html)) == 8 * 3 + 3 * 8


def test_texts_are_shown_one_below_the_other():
    """Yours is lit, and what either holds is escaped."""
    html = Finding("diagnose", "wrong", "no.", (Difference("diagnosis", "a *run*", "'<b>'", "'fine'"),))._repr_html_()
    assert re.search('your diagnosis: <code [^>]*title="wrong">&#x27;&lt;b&gt;&#x27;</code>', html)
    assert "wanted: <code>&#x27;fine&#x27;</code>" in html
    assert "example: a <em>run</em>" in html


def test_a_terminal_gets_the_text_alone():
    """The same finding, wrapped, with neither mark nor table."""
    finding = Finding("mix", "right", "right on 2 worked examples. " + 9 * "a word ")
    assert repr(finding).startswith("mix: right on 2 worked examples.")
    assert max(map(len, repr(finding).splitlines())) <= 80
    assert "✓" in finding._repr_html_()


def test_words_between_asterisks_are_emphasised():
    """A product is none, in code or outside."""
    html = Finding(
        "mix", "wrong", "not right yet. *Mat cat* is more, `a *b* c`, 2 * 3 * 4, *args and **kwargs."
    )._repr_html_()
    assert "<em>Mat cat</em> is more, <code>a *b* c</code>, 2 * 3 * 4, *args and **kwargs." in html


def test_a_notebook_shows_code_as_code():
    """What stands between backticks, and whatever it holds is escaped."""
    html = Finding("mix", "wrong", "not right yet. Look at `a < b`, not at `c`: it is <b>.")._repr_html_()
    assert "Look at <code>a &lt; b</code>, not at <code>c</code>: it is &lt;b&gt;." in html
