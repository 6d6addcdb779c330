"""Describes how wrong lists of text, or of pairs of texts, derive from the right ones, over all cases."""

from collections.abc import Callable
from typing import Any

from .compare import holds_texts, same
from .likeness import Call, Signature, is_right


def like_a_list(seen: list[Call], returns: tuple[str, ...], signature: Signature) -> str | None:
    """Describe how wrong lists derive from the right ones, if two or more do in the same way."""
    wrong = [call for call in seen if not is_right(call) and not call.answer.error]
    if len(wrong) < min(2, len(seen)) or not all(holds_texts(call.right.value) for call in wrong):
        return None
    pairs = [(call.answer.value, list(call.right.value)) for call in wrong]
    words = next((words for words, form in _FORMS if all(is_altered(*pair, form) for pair in pairs)), None)
    return words and f"`{returns[0]}` {words}"


def is_altered(got: Any, right: list[Any], form: Callable) -> bool:
    """Say whether an answer is the right list altered by a form; some apply to texts alone."""
    try:
        return same(got, form(right))
    except TypeError:
        return False


def _turned(items: list[Any]) -> list[Any]:
    """Return each pair turned round, and each text as it is."""
    return [item[::-1] if isinstance(item, (list, tuple)) else item for item in items]


def _flat(items: list[Any]) -> list[Any]:
    """Return the texts of all pairs in one list."""
    return [text for item in items for text in (item if isinstance(item, (list, tuple)) else [item])]


def _of_texts(change: Callable) -> Callable:
    """Return a form that changes each text of a list, and leaves pairs as they are."""
    return lambda items: [change(item) if isinstance(item, str) else item for item in items]


_FORMS: tuple[tuple[str, Callable], ...] = (
    ("has the right items in reverse order: the first must come first.", lambda right: right[::-1]),
    ("lacks its last item: does a loop end one step early?", lambda right: right[:-1]),
    ("lacks its first item: does a loop begin with the second?", lambda right: right[1:]),
    ("holds pairs that are turned round: the left one comes first.", _turned),
    ("holds the texts of all pairs in one list: keep the two of each pair together.", _flat),
    ("is right, but joined into one text: return the list.", "".join),
    ("is right, but joined into one text with spaces: return the list.", " ".join),
    ("has lost the spaces at the beginning of its texts.", _of_texts(str.lstrip)),
    ("is right, but for spaces: some of its texts lost them.", lambda right: [*filter(None, map(str.strip, right))]),
    ("is right, but in small letters.", _of_texts(str.lower)),
    ("has each text once: one that occurs again must be there again.", lambda right: list(dict.fromkeys(right))),
    ("has the right items, but sorted: keep them in their order.", sorted),
    ("has only the first of its items: is the `return` inside the loop?", lambda right: right[:1]),
    ("is the first of its items alone: return the list.", lambda right: right[0] if right else None),
    ("holds another list for each of its items: put them into one list.", lambda right: [[item] for item in right]),
)
