"""Print matrices with words on their rows, so that they can be read."""

from html import escape

import numpy as np

WORD_BY_WORD = ("scores", "weights")
ROUNDING = 1e-12  # what is this near to 1 is 1 on another machine


class Tables:
    """Captioned HTML tables side by side; a notebook shows them as the last line of a cell."""

    def __init__(self, html):
        self.html = html

    def _repr_html_(self):
        return f'<div class="tables">{self.html}</div>'

    def __add__(self, other):
        return Tables(self.html + other.html)


def show(words, mark=(), digits=3, columns=None, **matrices):
    """Show each matrix under its name, with a word before each row; rows whose word is in ``mark`` stand out.

    ``columns`` are the words over the columns, which are numbered without them. ``scores`` and ``weights`` have the
    words of the rows there: a column is a word, too. Weights are coloured.
    An exact zero is printed as 0, a small number as 0.000: the two are not the same.
    """
    tables = (_table(name, np.asarray(matrix), words, mark, digits, columns) for name, matrix in matrices.items())
    return Tables("".join(tables))


def _table(name, matrix, words, mark, digits, columns):
    caption = f"{name} {matrix.shape[0]}×{matrix.shape[1]}"
    columns = columns or (words if name in WORD_BY_WORD else range(matrix.shape[1]))
    head = "".join(f'<th scope="col">{escape(str(column))}</th>' for column in columns)
    rows = zip(words, matrix, strict=True)
    body = "".join(_row(word, row, digits, name == "weights", word in mark) for word, row in rows)
    return (
        f'<div class="table-scroll" tabindex="0" role="group" aria-label="{caption}"><table class="labelled">'
        f"<caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _row(word, row, digits, shade, marked):
    cells = "".join(_cell(number, digits, shade) for number in row)
    return f"<tr{' class=marked' if marked else ''}><th scope='row'>{escape(word)}</th>{cells}</tr>"


def _cell(number, digits, shade):
    size, whole = abs(number), round(abs(number))
    is_whole = size == whole or (whole and abs(size - whole) < ROUNDING)
    text = f"{whole}" if is_whole else f"{size:.{digits}f}"
    text = f"−{text}" if number < 0 else text
    return f'<td class="shaded" style="--weight: {100 * number:.0f}%">{text}</td>' if shade else f"<td>{text}</td>"
