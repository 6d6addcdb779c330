"""Decides which of a student's files may be collected for a chapter: its notebook, or what was handed in instead.

What is no notebook is collected as it is, so that its student gets a page that says so and is not counted as absent.
"""

from .collected import HandIn
from .match_student import Owned
from .scan import Item


def only_chapter(groups: list[Owned]) -> str:
    """Return the one chapter of all notebooks in an LMS's export, which is of one assignment; "" for anything else."""
    chapters = {item.chapter for owned in groups for item in owned.items if item.chapter}
    return chapters.pop() if len(chapters) == 1 and all(owned.label for owned in groups) else ""


def candidates(hands: list[HandIn], chapter: str, is_given: bool) -> list[HandIn]:
    """Return which of a student's files may be collected.

    Those are notebooks, of the chapter alone if the instructor has given it, and damaged ones of a known chapter.
    Without any, it is another chapter's notebook, or the file of another kind, if there is only one.
    """
    right = [
        hand
        for hand in hands
        if (hand.item.chapter and not is_given) or (chapter and _rank(hand.item, chapter) < _ANOTHER_CHAPTERS)
    ]
    others = best(hands, chapter) if chapter else []
    return right or (others if len({hand.item.answers for hand in others}) == 1 else [])


def best(hands: list[HandIn], chapter: str) -> list[HandIn]:
    """Return the hand-ins that are most of a chapter's notebook."""
    ranks = [_rank(hand.item, chapter) for hand in hands]
    return [hand for hand, rank in zip(hands, ranks, strict=True) if rank == min(ranks)]


def describe(item: Item, chapter: str) -> str:
    """Say what a file is instead of a chapter's notebook; "" if it is one."""
    if item.chapter == chapter:
        return ""
    return f"the notebook of {item.chapter}" if item.chapter else item.reason or f"{item.kind}, not a notebook"


_NOTEBOOK, _DAMAGED, _ANOTHER_CHAPTERS, _ANOTHER_KIND = range(4)


def _rank(item: Item, chapter: str) -> int:
    if item.chapter:
        return _NOTEBOOK if item.chapter == chapter else _ANOTHER_CHAPTERS
    return _ANOTHER_KIND if item.kind else _DAMAGED
