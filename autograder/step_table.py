"""A function as data: the next token's logits from a table. It crosses into the sandbox and into examples.json."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class StepTable:
    """Logits of the next token, by the last tokens so far: the row of the longest known ending.

    ``endings`` are tuples of whole numbers, the empty one included; ``rows`` are their logits, one per word. Called
    with the tokens so far, it returns new logits (words,) every time.
    Errors: ValueError without the empty ending; TypeError if it is not called with one row of whole numbers.
    """

    endings: tuple[tuple[int, ...], ...]
    rows: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        if () not in self.endings or len(self.endings) != len(self.rows):
            raise ValueError("expected a row for each ending, and one for (): add what is said after anything else")
        # Called a thousand times for a sentence of a thousand tokens.
        object.__setattr__(self, "_known", dict(zip(self.endings, self.rows, strict=True)))
        object.__setattr__(self, "_longest", max(map(len, self.endings)))

    def __call__(self, tokens: list[int]) -> np.ndarray:
        """Return the logits (words,) of the token after these."""
        try:
            row = tuple(map(int, tokens))
        except (TypeError, ValueError):
            got = f"an array of shape {tokens.shape}" if isinstance(tokens, np.ndarray) else f"{tokens!r:.40}"
            raise TypeError(f"step takes all tokens so far in one list, such as [1, 5]; it got {got}") from None
        known: dict = vars(self)["_known"]
        starts = range(max(0, len(row) - vars(self)["_longest"]), len(row) + 1)
        return np.array(next(known[row[start:]] for start in starts if row[start:] in known), dtype=float)

    def as_lists(self) -> list[Any]:
        """Return the table as plain lists, which ``table_from`` reads."""
        return [[list(ending) for ending in self.endings], [list(row) for row in self.rows]]


def table_from(lists: Any) -> StepTable:
    """Return the table that ``as_lists`` converted."""
    endings, rows = lists
    return StepTable(tuple(map(tuple, endings)), tuple(tuple(map(float, row)) for row in rows))
