"""An answer made of parts, and the slips that may be made in them: one, or two at once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

MORE = "changes"  # the part that two slips may both alter: what they do is done one after the other


def in_part(name: str, *forms: tuple[str, Any]) -> tuple[tuple[str, dict[str, Any]], ...]:
    """Return slips in one part: ``(words, wrong part)`` each."""
    return tuple((words, {name: form}) for words, form in forms)


@dataclass(frozen=True)
class Slips:
    """An answer made of parts: ``answer`` takes all arguments of the reference, and wrong parts by name.

    ``alone`` holds slips that are rare, or that few others can be told from: they are not looked for two at once.
    ``known`` holds ``(words, parts)``: the words are a clause that can follow "when". A part called ``changes`` is a
    tuple; any other is replaced.
    """

    answer: Callable
    known: tuple[tuple[str, dict[str, Any]], ...]
    alone: tuple[tuple[str, dict[str, Any]], ...] = ()

    def formulas(self) -> tuple[tuple[str, Callable], ...]:
        """Return formulas with one slip each, as in ``Exercise.wrong_formulas``."""
        return tuple((words, partial(self.answer, **parts)) for words, parts in (*self.known, *self.alone))

    def pairs(self) -> Iterator[tuple[str, Callable]]:
        """Yield formulas with two slips in different parts."""
        for (one, parts), (other, more) in combinations(self.known, 2):
            if not parts.keys() & more.keys() - {MORE}:
                changes = {MORE: parts[MORE] + more[MORE]} if MORE in parts and MORE in more else {}
                yield f"{one}, and {other}", partial(self.answer, **parts | more | changes)
