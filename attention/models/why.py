"""Ask the translator why it writes a word and not another one.

why("the bank of the river is older than the bank in the city", "l'", "la",
    against="the bank of the city is older than the bank in the city")
"""

from dataclasses import dataclass

from .explain_translator import Numbers, numbers_of, tokens_of
from .made import Factor, parse
from .number_words import describe, spoken
from .sides import Compared, Pair, Sides
from .store import shipped_translator


@dataclass(frozen=True)
class Step:
    """One step down: what is asked in words, its value on both sides, and where most of the difference comes in.

    ``most`` is that operand and ``share`` its share of the difference, "" and 0 at the bottom. Where nothing is
    compared, ``was`` is None, and they are the largest operand and its term.
    """

    asked: str
    was: float | None
    now: float
    most: str
    share: float
    pair: Pair


@dataclass(frozen=True)
class Why:
    """The way from two logits down to where their difference comes in. It prints as a table, a line a step."""

    question: str
    now: str
    was: str | None
    steps: list[Step]

    def __str__(self) -> str:
        rows = [self._row(step) for step in self.steps]
        head = ["", "was", "now", "change"] if self.was else ["", "value"]
        widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
        sides = [self.question, f"now: {self.now}", *([f"was: {self.was}"] if self.was else []), ""]
        lines = [_line(row, widths) + _most(step) for row, step in zip(rows, self.steps, strict=True)]
        return "\n".join([*sides, _line(head, widths), *lines])

    __repr__ = __str__

    def _row(self, step: Step) -> list[str]:
        """Return the cells of a line."""
        if step.was is None:
            return [step.asked, f"{step.now:.2f}"]
        return [step.asked, f"{step.was:.2f}", f"{step.now:.2f}", f"{step.now - step.was:+.2f}"]


def _most(step: Step) -> str:
    """Write the operand that most comes in with, in a line below the step."""
    return f"\n    {step.share:+.2f} with {step.most}" if step.most else ""


def why(
    sentence: str,
    word: str,
    rather_than: str | None = None,
    *,
    against: str | None = None,
    without: str | None = None,
    place: int | None = None,
) -> Why:
    """Say why the course's translator writes ``word`` rather than another word.

    The question is how far the logit of ``word`` is ahead of that of ``rather_than``, by default the runner-up. It has
    two sides: now is the sentence, was is another sentence (``against``) or the model without a part (``without``:
    "positions", "encoder.0.2" and others). The other side is shown the words that this one writes, so that only what
    is asked about differs. Where neither is given, the largest part leads down.
    ``place`` is the word of the translation that is asked about, counted from 0; by default where ``word`` is first
    written. The way follows the largest change to a learned vector, as *Follow the largest change* does in the page.
    Errors: KeyError for words that the model does not know; ValueError for no sentence, a word that is not written, a
    place that there is not, a part that cannot be switched off, or nothing to compare with.
    """
    _require_sides(sentence, against, without)
    trained = shipped_translator()
    now = numbers_of(trained, sentence)
    turn = _turn(now, word, place)
    one, other = _tokens(now, word, rather_than, turn)
    was = None
    if against is not None or without is not None:
        was = numbers_of(trained, against or sentence, now.tokens[1:], without)
    sides = Sides(now, was)
    steps = [_step(now, was, pair) for pair in sides.follow(f"d{turn}.l:{turn}:{one}-{other}")]
    question = f"Why {spoken(word)} rather than {spoken(now.target_words[other])}, as word {turn + 1}?"
    return Why(question, sentence, against or (f"the same without {without}" if without else None), steps)


def _require_sides(sentence: str, against: str | None, without: str | None) -> None:
    """Refuse sentences that are none, and more than one other side."""
    for text in (sentence, *([] if against is None else [against])):
        if not isinstance(text, str) or not text.split():
            raise ValueError(f"expected an English sentence, got {text!r}: write its words, with spaces between them")
    if against is not None and against.split() == sentence.split():
        raise ValueError(f"expected another sentence than {sentence!r}: change a word of it")
    if against is not None and without is not None:
        raise ValueError("expected one of against and without, got both: ask two questions")


def _turn(now: Numbers, word: str, place: int | None) -> int:
    """Return the place of the translation that is asked about."""
    written = [now.target_words[token] for token in now.tokens[1:]]
    if place is None:
        tokens_of([word], now.model.target_vocabulary)  # a word that is not known has its own message
        if word not in written:
            raise ValueError(
                f"expected a word of the translation, {' '.join(written)}, got {word!r}: choose one of them, or say at "
                "which place you had expected it, such as place=0"
            )
        return written.index(word)
    if not 0 <= place < len(written):
        raise ValueError(f"expected a place from 0 to {len(written) - 1}, got {place}: count the translation's words")
    return place


def _tokens(now: Numbers, word: str, rather_than: str | None, turn: int) -> list[int]:
    """Return the number of the word and of its rival, by default the likeliest other word."""
    if rather_than == word:
        raise ValueError(f"expected two words, got {word!r} twice: leave one out, and the runner-up is taken")
    (one,) = tokens_of([word], now.model.target_vocabulary)
    if rather_than is not None:
        return [one, *tokens_of([rather_than], now.model.target_vocabulary)]
    return [one, next(int(token) for token in now.arrays[f"d{turn}.l"][turn].argsort()[::-1] if token != one)]


def _step(now: Numbers, was: Numbers | None, pair: Pair) -> Step:
    """Explain a pair, and say where most of its difference comes in."""
    sides = Sides(now, was)
    compared, largest = sides.explain(pair), sides.largest(pair)
    below, share = largest or (None, 0.0)
    most = _called(compared, below.now) if below else ""
    before = compared.was.value if compared.was else None
    return Step(describe(pair, now, was), before, compared.now.value, most, share, pair)


def _called(compared: Compared, factor: Factor) -> str:
    """Say in a word or two which operand a factor is."""
    labels = [term.label for term in compared.now.terms if factor.node in term.nodes]
    if factor.divides:
        return "the spread"
    if not labels:
        return "the row that it is made from"
    kind = parse(factor.node).array.partition(".")[2].removeprefix("c")[:2]
    return {"w.": f"the weight of {labels[0]}", "s.": f"the score of {labels[0]}"}.get(kind, labels[0])


def _line(cells: list[str], widths: list[int]) -> str:
    """Put cells below each other: words from the left, numbers from the right."""
    words, *numbers = cells
    padded = [number.rjust(width) for number, width in zip(numbers, widths[1:], strict=True)]
    return "  ".join([words.ljust(widths[0]), *padded]).rstrip()
