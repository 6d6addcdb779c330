"""Explain: which other line a failure comes from. Only names and lines that the student wrote are told."""

import re
from dataclasses import replace

from .intake import Rebuilt
from .result import Ran

NOT_DEFINED = re.compile(r"name '(\w{1,80})' is not defined")
ARROW = re.compile(r"^-+> (\d{1,6})\b", re.MULTILINE)  # where a traceback points
LONGEST = 200  # of a line that is looked at
NO_FILE = "a notebook is handed in alone, without files of your own beside it"
STOPPED = {
    "time_limit": "was stopped after {seconds:g} s",
    "memory_limit": "asked for too much memory",
    "crashed": "ended Python itself",
    "output_limit": "printed more than anyone can read",
}


class Explainer:
    """Knows how the cells of one notebook ended, and which lines were lost when locked cells were put back."""

    def __init__(self, rebuilt: Rebuilt, cells: list[Ran]):
        self.rebuilt = rebuilt
        self.code = [ran for ran in cells if ran.piece.cell_type == "code"]

    def explained(self, reply):
        """Return a reply with the reason added, where its error is a name or a file that is not there."""
        error = reply.answer.error
        why = NO_FILE if error and error[0] == "FileNotFoundError" else self.undefined(error)
        return replace(reply, shown=f"{reply.shown}: {why}") if why else reply

    def undefined(self, error):
        """Say why a name is not defined, where ``(type, message)`` is Python's error about one; "" where unknown."""
        found = NOT_DEFINED.match(error[1]) if error and error[0] == "NameError" else None
        return self.missing(found[1]) if found else ""

    def missing(self, name):
        """Say which cell would have defined a name, and why it did not; "" where there is none."""
        for number, ran in enumerate(self.code, 1):
            if ran.status and line_that_defines(ran.piece.source, name):
                return f"code cell {number}, which defines it, {self.ending(ran, name)}"
        for grade_id, lines in self.rebuilt.lost.items():
            if line := line_that_defines("\n".join(lines), name):
                return (
                    f"your line `{line}` stood in the cell `{grade_id}`, which is locked and was put back as released"
                )
        return ""

    def ending(self, ran, name):
        """Say how a cell ended that did not come to its end."""
        errors = [output for output in ran.outputs if output["output_type"] == "error"]
        places = [place_of(error, ran.piece.source) for error in errors]
        own = [n for n, place in enumerate(places) if line_that_defines(place, name)]
        number = own[-1] if own else len(errors) - 1
        line = f" at `{places[number]}`" if errors and places[number] else ""
        if ran.status in STOPPED:
            return STOPPED[ran.status].format(seconds=ran.seconds) + line
        return f"stops{line} with {said(errors[number])}" if errors else "stops"

    def with_hint(self, verdict):
        """Return a verdict that lost points with a word about a second definition, which came too late."""
        pieces = self.rebuilt.pieces
        test = [piece.grade_id for piece in pieces].index(f"test_{verdict.name}")
        defining = [
            (place, piece.kind)
            for place, piece in enumerate(pieces)
            if piece.cell_type == "code" and line_that_defines(piece.source, verdict.name)
        ]
        above = any(place < test for place, _ in defining)
        below = any(place > test and kind == "own" for place, kind in defining)
        if verdict.score == verdict.points or not below:
            return verdict
        hint = f"`{verdict.name}` is defined only below its test: move that above the test."
        if above:
            hint = f"There is another definition of `{verdict.name}` below its test; the one above the test was graded."
        return replace(verdict, message=f"{verdict.message} {hint}")


def put_back(harmless):
    """Say which texts of the course were put back; "" for none."""
    return f"Texts of the course were put back, which changes no mark: {'; '.join(harmless)}." if harmless else ""


def said(error):
    """Return an error output in one short line."""
    why = f" ({NO_FILE})" if error["ename"] == "FileNotFoundError" else ""
    return f"{error['ename']}: {error['evalue']}"[:LONGEST].rstrip(".") + why


def place_of(error, source):
    """Return the line of the cell at which its traceback points first; "" where it points nowhere."""
    found = ARROW.search("\n".join(error["traceback"]))
    lines = source.splitlines()
    number = int(found[1]) if found else 0
    return lines[number - 1].strip()[:80] if 0 < number <= len(lines) else ""


def line_that_defines(source, name):
    """Return the first line of a cell, outside of functions, that gives a name its meaning; "" where none does."""
    candidates = (line.strip()[:LONGEST] for line in source.splitlines() if name in line[:LONGEST] and line[0] > " ")
    return next((line for line in candidates if gives_meaning(line, name)), "")


def gives_meaning(line, name):
    """Say whether a line defines, imports or assigns a name. Not parsed: a stranger's code can break a parser."""
    word = rf"(?<![\w.]){name}(?!\w)"
    if re.match(rf"(?:async\s+)?(?:def|class)\s+{word}", line) or re.search(rf"\bas\s+{word}|^for\b.*{word}", line):
        return True
    if re.match(r"(?:import|from)\s", line):
        return bool(re.search(rf"import\b.*{word}", line))
    left, equals, right = line.partition("=")
    is_assignment = equals and not right.startswith("=") and ("(" not in left or left.startswith("("))
    return bool(is_assignment and re.search(word + r"(?!\s*[\[.])", left))
