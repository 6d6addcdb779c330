"""Which words stand in one another's place: those that make two sentences of the corpus out of one."""

from collections import Counter, defaultdict
from collections.abc import Iterable

MOST = 6  # of each word


def exchanges(sentences: Iterable[str], most: int = MOST) -> dict[str, list[str]]:
    """Return for each word those that occur in its place, the most frequent first.

    Two words do where two sentences differ in them alone: *the cat sleeps* and *the dog sleeps*.
    """
    places: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for words in {tuple(sentence.split()) for sentence in sentences}:
        for i, word in enumerate(words):
            places[(*words[:i], "", *words[i + 1 :])].add(word)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for together in places.values():
        for word in together:
            found[word].update(together - {word})
    by_count = {word: sorted(others.items(), key=lambda one: (-one[1], one[0])) for word, others in found.items()}
    return {word: [other for other, _ in others[:most]] for word, others in sorted(by_count.items())}
