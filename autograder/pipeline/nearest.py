"""What somebody may have meant who wrote a name that nobody knows."""

from difflib import get_close_matches


def nearest(name: str, known) -> str:
    """Return the known name that is most like this one, or "" where none is."""
    return next(iter(get_close_matches(name[:100], [str(one) for one in known], 1, 0.7)), "")


def did_you_mean(name: str, known) -> str:
    """Return what is said after an unknown name: the nearest known one, or all of them."""
    like = nearest(name, known)
    return f"did you mean {like!r}?" if like else f"expected one of {', '.join(map(str, known))}"
