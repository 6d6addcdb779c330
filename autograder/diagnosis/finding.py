"""What ``check`` found: plain text in a terminal, and in a notebook your numbers beside the wanted ones."""

import builtins
import re
import textwrap
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from .compare import close
from .difference import told_apart
from .faults import Fault

WIDTH = 80  # nbgrader's Validate cuts lines off after 83 characters
MARKED = re.compile(r"`([^`]+)`|(?<![\w*])\*([A-Za-z](?:[A-Za-z ,]*[A-Za-z,])?)\*(?![\w*])")
LIT = "background: rgba(209, 52, 63, 0.2); outline: 1px solid #d1343f; font-weight: bold"
SHOWN = 8  # rows and columns of a table
MARKS = {"right": ("✓", "#218739"), "wrong": ("✗", "#d1343f"), "open": ("○", "inherit")}


@dataclass(frozen=True)
class Difference:
    """One result of a worked example that is not as wanted: its name, the example's label, and both results.

    These are two arrays, or two texts.
    """

    result: str
    label: str
    got: Any
    wanted: Any


@dataclass(frozen=True, repr=False)
class Finding:
    """What ``check`` says of one function. ``status`` is one of MARKS; ``faults`` are those of the check, not shown."""

    name: str
    status: str
    said: str
    differences: tuple[Difference, ...] = ()
    faults: tuple[Fault, ...] = ()

    def __repr__(self) -> str:
        """Return the text for a terminal."""
        return textwrap.fill(f"{self.name}: {self.said}", width=WIDTH, break_on_hyphens=False)

    def _repr_html_(self) -> str:
        """Return the same with a mark, and with the numbers if some are wrong."""
        mark, colour = MARKS[self.status]
        tables = "".join(
            texts_below(one) if isinstance(one.got, str) else side_by_side(one) for one in self.differences
        )
        return (
            f'<div style="border-left: 3px solid {colour}; padding-left: 0.8em; max-width: 44em">'
            f'<span style="color: {colour}; font-weight: bold">{mark}</span> <b>{escape(self.name)}</b>: '
            f"{marked_up(self.said)}{tables}</div>"
        )


def marked_up(text: str) -> str:
    """Return a text as HTML: what is between backticks is code, and words between asterisks are emphasised."""
    return MARKED.sub(lambda found: f"<code>{found[1]}</code>" if found[1] else f"<em>{found[2]}</em>", escape(text))


def show(finding: Finding) -> None:
    """Print a finding, or display it where IPython, which puts ``display`` among the built-in functions, runs."""
    vars(builtins).get("display", print)(finding)


def texts_below(difference: Difference) -> str:
    """Return two texts as HTML: yours, lit, and the wanted one below."""
    got, wanted, name = map(escape, (difference.got, difference.wanted, difference.result))
    return (
        f'<div style="margin-top: 0.5em">your {name}: <code style="{LIT}" title="wrong">{got}</code></div>'
        f"<div>wanted: <code>{wanted}</code></div>{example_line(difference)}"
    )


def example_line(difference: Difference) -> str:
    """Return the line that names the example."""
    return f"<div><small>example: {marked_up(difference.label)}</small></div>"


def side_by_side(difference: Difference) -> str:
    """Return two tables as HTML: yours, with the wrong entries lit, and the wanted one."""
    got, wanted, place = as_tables(difference.got, difference.wanted)
    name = escape(f"{difference.result}{place}")
    if got.shape == wanted.shape:
        wrong = ~close(got, wanted)
        texts = number_texts(got, np.where(wrong, wanted, got)), number_texts(wanted, np.where(wrong, got, wanted))
    else:
        wrong = np.zeros(got.shape, dtype=bool)
        texts = number_texts(got, got), number_texts(wanted, wanted)
    drawn = [
        html_table(f"your {name}, {size_of(difference.got)}", texts[0], wrong),
        html_table(f"wanted, {size_of(difference.wanted)}", texts[1], np.zeros(wanted.shape, dtype=bool)),
    ]
    look = "display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.5em 2em; margin-top: 0.5em"
    return f'<div style="{look}">{"".join(drawn)}</div>{example_line(difference)}'


def as_tables(got: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray, str]:
    """Return both as (rows, columns), and the place of these in a batch: the first one that differs."""
    place = ""
    if got.shape == wanted.shape and got.ndim > 2:
        differs = ~close(got, wanted).all(axis=(-2, -1))
        first = tuple(int(i) for i in np.argwhere(differs)[0])
        got, wanted, place = got[first], wanted[first], f"[{', '.join(map(str, first))}]"
    one, other = (
        array.reshape(-1, array.shape[-1]) if array.ndim > 1 else np.atleast_2d(array) for array in (got, wanted)
    )
    return one[:SHOWN, :SHOWN], other[:SHOWN, :SHOWN], place


def number_texts(table: np.ndarray, beside: np.ndarray) -> list[list[str]]:
    """Return each number as text: whole, or with enough decimals to differ from an unequal one beside it."""
    digits = 0 if all(whole(array) for array in (table, beside)) else 4
    return [
        [number_text(number, other, digits) for number, other in zip(*rows, strict=True)]
        for rows in zip(table, beside, strict=True)
    ]


def whole(array: np.ndarray) -> bool:
    """Say whether all finite numbers of an array are whole."""
    finite = np.asarray(array, dtype=float)[np.isfinite(array)]
    return bool((finite == np.round(finite)).all())


def number_text(number: Any, beside: Any, digits: int) -> str:
    """Return a number as text, given the one beside it."""
    if number.dtype == bool or not np.isfinite(number):
        return str(number)
    size = abs(number)
    form = f".{digits}f" if size < 1e6 else ".0f" if size < 1e12 else ".4g"
    short = format(round(float(number), digits) + 0.0, form)  # no minus before 0
    if number != beside and np.isfinite(beside) and short == format(beside, form):
        return told_apart(float(number), float(beside))[0]
    return short


def size_of(array: np.ndarray) -> str:
    """Say how large an array is, and whether only its beginning is shown."""
    if array.ndim == 0:
        return "one number"
    cut = ", the beginning" if max(array.shape[-2:]) > SHOWN else ""
    return f"shape {array.shape}{cut}"


def html_table(caption: str, texts: list[list[str]], wrong: np.ndarray) -> str:
    """Return a table as HTML; wrong entries are lit, and named for those who cannot see that."""
    look = "text-align: right; padding: 1px 6px"
    lit = f'{look}; {LIT}" title="wrong'
    cells = [
        [f'<td style="{lit if is_wrong else look}">{text}</td>' for text, is_wrong in zip(*row, strict=True)]
        for row in zip(texts, wrong, strict=True)
    ]
    rows = "".join(f"<tr>{''.join(row)}</tr>" for row in cells)
    caption = f'<caption style="text-align: left; white-space: nowrap">{caption}</caption>'
    return f'<table style="margin: 0; color: inherit; font-variant-numeric: tabular-nums">{caption}{rows}</table>'
