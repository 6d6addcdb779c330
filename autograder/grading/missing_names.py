"""Explains which other line caused a failure. Only names and lines that the student wrote are quoted."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

from autograder.diagnosis.questions import Reply
from autograder.diagnosis.raised import NOT_DEFINED, suggestion
from autograder.diagnosis.saved_functions import OWN_FILE
from autograder.diagnosis.verdict import Verdict
from autograder.plain import join_first
from autograder.sandbox.host.outcome import Noted, Passed
from autograder.sandbox.inside import protocol, unavailable

from .rebuild import Rebuilt
from .result import Ran
from .where import capital, describe_place

Place = TypeVar("Place")
ARROW = re.compile(r"^-+> (\d{1,6})\b", re.MULTILINE)  # where a traceback points
MAX_LINE = 200  # of a line that is looked at
MAX_CODE = 1 << 18  # characters of code, of all cells together; a student's notebook has a tenth of it
WORD = r"(?<![\w.])([^\W\d]\w*+)"
DEFINED = re.compile(rf"(?:async\s+)?(?:def|class)\s+{WORD}")
FUNCTION = re.compile(rf"\s*def\s+{WORD}")
CELL_MAGIC = re.compile(r"\s*(%%\w{1,40})")
IN_CELL = re.compile(r" \(<cell-\d+>, line (\d+)\)$")
IMPORTED = re.compile(r"(?:from\s.*\s)?import\s(.*)")
NO_SUCH_PART = re.compile(r"module '([\w.]{1,80})' has no attribute '\w{1,80}'")
TAKES_AWAY = r"del\b.*\b{name}\b|%reset|{name}\s*=(?!=)"
LOOP = re.compile(r"for\b(.*?)\bin\b")
RENAMED = re.compile(rf"\bas\s+{WORD}")
WORD_PATTERN = re.compile(WORD)
ASSIGNED = re.compile(rf"{WORD}(?!\s*[\[.])")
NO_FILE = "a notebook is handed in alone, without files of your own beside it"
OWN_MODULE = OWN_FILE.removesuffix(".py")  # which holds a student's functions of earlier chapters
OWN_FUNCTION = "that is a file of your own, and a notebook is graded alone: copy the function into it"
LEFT_BEHIND = {
    protocol.DEBUGGER: "A debugger is left in {line}: it does nothing here, delete it.",
    protocol.EXIT: "{Line}, does nothing here: delete it.",
    protocol.QUESTION: "{Line}, asks a question that nobody can answer here: it gets an empty line.",
}
MOST_TOLD = 3  # statements of each kind
SYNTAX_ERRORS = ("SyntaxError", "IndentationError", "TabError")
STOPPED = {
    "time_limit": "was stopped after {seconds:.3g} s",
    "memory_limit": "asked for too much memory",
    "crashed": "ended Python itself",
    "output_limit": "printed far too much",
}


class Explainer:
    """Knows how each cell of a notebook ended, and which lines were lost when locked cells were restored.

    ``noted`` is what was noted while each exercise's function was called.
    """

    def __init__(
        self, rebuilt: Rebuilt, cells: Sequence[Ran], noted: Mapping[str, Sequence[Noted]] = MappingProxyType({})
    ) -> None:
        self.rebuilt = rebuilt
        self.code = [ran for ran in cells if ran.piece.cell_type == "code"]
        self.places = {ran.piece.grade_id: number for number, ran in enumerate(self.code) if ran.piece.grade_id}
        self.noted = noted

    @cached_property
    def defined(self) -> dict[str, dict[int, str]]:
        """Where each name is defined, ``{name: {number of the code cell: line}}``; read once for all names."""
        return names_defined({number: ran.piece.source for number, ran in enumerate(self.code, 1)})

    @cached_property
    def dropped(self) -> dict[str, dict[str, str]]:
        """The same for lines that the course has since removed from its cells."""
        return names_defined({grade_id: "\n".join(lines) for grade_id, lines in self.rebuilt.dropped.items()})

    @cached_property
    def lost(self) -> dict[str, dict[str, str]]:
        """The same for lines that were lost, ``{name: {id of the locked cell: line}}``."""
        return names_defined({grade_id: "\n".join(lines) for grade_id, lines in self.rebuilt.lost.items()})

    def explained(self, reply: Reply, exercise: str) -> Reply:
        """Return a reply with the reason added, if its error is a missing name or file."""
        error = reply.answer.error
        if error and error[0] == "ModuleNotFoundError" and error[1].startswith(f"`{OWN_MODULE}."):
            why = OWN_FUNCTION
        else:
            why = NO_FILE if error and error[0] == "FileNotFoundError" else self.why_undefined(error, exercise)
        return replace(reply, error_words=f"{reply.error_words}: {why}") if why else reply

    def why_undefined(self, error: tuple[str, str] | None, exercise: str = "") -> str:
        """Explain why a name does not exist, given Python's ``(type, message)``; "" if the reason is unknown."""
        if not error:
            return ""
        found = NOT_DEFINED.match(error[1]) if error[0] == "NameError" else None
        if not found:
            return not_in_this_python(error) or suggestion(error, self.source)
        return self.why_missing(found[1], exercise) or suggestion(error, self.source) or self.nowhere(found[1])

    @cached_property
    def source(self) -> str:
        """The notebook's code, as much of it as is looked at."""
        return "\n".join(ran.piece.source for ran in self.code)[:MAX_CODE]

    @property
    def lines(self) -> Iterator[str]:
        """The lines of that code, as much of each as is looked at."""
        return (line[:MAX_LINE] for line in self.source.splitlines())

    def why_missing(self, name: str, exercise: str = "") -> str:
        """Say why a name does not exist when an exercise's test runs, if a cell of the notebook defines it, or did."""
        above = self.places.get(f"test_{exercise}", len(self.code))
        for number in self.defined.get(name, ()):
            if (ran := self.code[number - 1]).status:
                return f"code cell {number}, which defines it, {self.ending(ran, name)}"
            if number > above:
                return f"code cell {number} defines it, below: move it above"
        for grade_id, line in self.lost.get(name, {}).items():
            return f"your line `{line}` was in the cell `{grade_id}`, which is locked and was restored"
        for grade_id, line in self.dropped.get(name, {}).items():
            return f"the line `{line}` was in `{grade_id}` of your notebook; the course has removed it since"
        return ""

    def nowhere(self, name: str) -> str:
        """Say that no line of the notebook gives a name its value; "" if one does, within a function or outside."""
        given = re.search(rf"(?<![\w.]){name}\s*(?:=(?!=)|,|\bin\b)|\b(?:def|class|import|as)\s+{name}\b", self.source)
        return "" if given else "no cell defines it: restart the kernel and run all cells"

    def error_of_definition(self, name: str, errors: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the error of the line that would have defined a function; the last error if that line has none."""
        lines = self.answer(name).splitlines()
        own = [error for error in errors if name in names_given_by(failing_line(error, lines))]
        return (own or errors)[-1]

    def other_python(self, error: dict[str, Any]) -> str:
        """Name both Pythons if this one cannot parse what a newer one may; "" for other errors."""
        here = sys.version_info[:2]
        theirs = self.rebuilt.python() if error["ename"] in SYNTAX_ERRORS else ""
        if not theirs or tuple(map(int, theirs.split("."))) <= here:
            return ""
        return f"it is graded with Python {here[0]}.{here[1]}, and was written with Python {theirs}"

    def instead(self, name: str) -> str:
        """Say why an answer's cell, which ran, does not define its function; "" if it defines none."""
        source = self.answer(name)
        if magic := CELL_MAGIC.match(source):
            return f"its cell begins with `{magic[1]}`, so no line below it defines anything: delete it"
        lines = [line[:MAX_LINE] for line in source.splitlines()]
        found = [(line[:1].isspace(), match[1]) for line in lines if (match := FUNCTION.match(line))]
        if (True, name) in found:
            return "its cell defines it indented, inside something else: move it to the left margin"
        outside = [other for is_inside, other in found if not is_inside]
        if name in outside:
            is_taken = any(map(re.compile(TAKES_AWAY.format(name=name)).match, map(str.strip, self.lines)))
            return "its cell defines it, and a line of the notebook takes it away again" if is_taken else ""
        return f"its cell defines `{outside[-1]}`, not `{name}`" if outside else ""

    def answer(self, name: str) -> str:
        """Return the source of an answer's cell; "" if there is none."""
        return next((ran.piece.source[:MAX_CODE] for ran in self.code if ran.piece.grade_id == name), "")

    def ending(self, ran: Ran, name: str) -> str:
        """Describe how a cell that did not finish ended."""
        errors = [output for output in ran.outputs if output["output_type"] == "error"]
        lines = ran.piece.source.splitlines()
        places = [failing_line(error, lines) for error in errors]
        own = [n for n, place in enumerate(places) if name in names_given_by(place)]
        number = own[-1] if own else len(errors) - 1
        line = f" at `{places[number]}`" if errors and places[number] else ""
        if ran.status in STOPPED:
            return STOPPED[ran.status].format(seconds=ran.seconds) + line
        verb = "fails" if ran.passed else "stops"
        return f"{verb}{line} with {short_error(errors[number])}" if errors else verb

    def fault_above(self, verdict: Verdict, above: Sequence[Verdict]) -> str:
        """Return the name of the first wrong function above that a cell which lost points calls; "" for none."""
        if verdict.score == verdict.points or verdict.status == "not_attempted":
            return ""
        wrong = [one.name for one in above if one.score < one.points]
        own = self.answer(verdict.name)
        return next((name for name in wrong if re.search(rf"(?<![\w.]){name}\s*\(", own)), "")

    def passed_over(self, exercise: str) -> str:
        """Say what was passed over in an answer's cell, and what the cell has left that does nothing here."""
        number = self.places.get(exercise)
        if number is None:
            return ""
        ran = self.code[number]
        passed = [describe_passed(one) for one in ran.passed]
        if ran.status in STOPPED and ran.place:
            ended = STOPPED[ran.status].format(seconds=ran.seconds)
            passed.append(f"{capital(describe_place(ran.place))}, {ended} and was passed over.")
        noted = [describe_noted(one, number) for one in dict.fromkeys([*ran.noted, *self.noted.get(exercise, ())])]
        return " ".join([*passed[:MOST_TOLD], *noted[:MOST_TOLD]])

    def definition_below(self, exercise: str) -> str:
        """Say that a function is defined below its test, or again there; "" if it is not."""
        pieces = [ran.piece for ran in self.code]
        test = [piece.grade_id for piece in pieces].index(f"test_{exercise}") + 1
        defining = self.defined.get(exercise, ())
        if not any(number > test and pieces[number - 1].kind == "own" for number in defining):
            return ""
        if any(number < test for number in defining):
            return f"There is another definition of `{exercise}` below its test; the one above the test was graded."
        return f"`{exercise}` is defined only below its test: move that above the test."


def not_in_this_python(error: tuple[str, str]) -> str:
    """Say that a module of Python's own lacks a name in the version that grades; "" for another error."""
    found = NO_SUCH_PART.match(error[1]) if error[0] == "AttributeError" else None
    if not found or found[1].partition(".")[0] not in sys.stdlib_module_names:
        return ""
    return f"it is graded with Python {sys.version_info[0]}.{sys.version_info[1]}"


def notes_on_own_cells(cells: Sequence[Ran]) -> list[str]:
    """Say what was passed over, and what does nothing here, in the cells that a student added."""
    own = [ran for ran in cells if ran.piece.kind == "own"]
    places = {id(ran): number for number, ran in enumerate(ran for ran in cells if ran.piece.cell_type == "code")}
    told = [said for ran in own for said in map(describe_passed, ran.passed)]
    told += [describe_noted(one, places[id(ran)]) for ran in own for one in dict.fromkeys(ran.noted)]
    return [f"In a cell that you added: {said[:1].lower()}{said[1:]}" for said in told[:MOST_TOLD]]


def describe_passed(passed: Passed) -> str:
    """Say which statement was passed over, and what happened to it."""
    kind, said = passed.error
    line = capital(describe_place(passed.place)) if passed.place else "A line above"
    if passed.seconds == 0:
        return f"{line}, was not run: the time that all cells share was used up."
    if passed.seconds is not None:
        return f"{line}, was stopped after {passed.seconds:.3g} seconds and passed over."
    said = IN_CELL.sub("", said.partition("\n")[0]).removesuffix(f": {unavailable.MODULES}")[:MAX_LINE].rstrip(".")
    said = said if kind == "ModuleNotFoundError" and said else f"{kind}: {said}" if said else kind
    return f"{line}, failed here and was passed over ({said})."


def describe_noted(noted: Noted, own_cell: int) -> str:
    """Say what is left in a notebook that does nothing here."""
    line = describe_place(noted.place, own_cell)
    return LEFT_BEHIND[noted.what].format(line=line, Line=capital(line))


def describe_restored(harmless: tuple[str, ...], missing: tuple[str, ...]) -> str:
    """Describe which of the course's texts were restored, and which of its cells were not there; "" for none."""
    texts = f"Texts of the course were restored, which changes no mark: {'; '.join(harmless)}." if harmless else ""
    cells = f"Cells of the course were not there, and were put back: {join_first(missing)}." if missing else ""
    return " ".join(filter(None, (texts, cells)))


def short_error(error: dict[str, Any]) -> str:
    """Return an error output as one short line."""
    why = f" ({NO_FILE})" if error["ename"] == "FileNotFoundError" else ""
    return full_error(error)[:MAX_LINE].rstrip(".") + why


def full_error(error: dict[str, Any]) -> str:
    """Return an error output as text. A syntax error names the line of its cell, and not our name of the cell."""
    return IN_CELL.sub(r" (line \1)", f"{error['ename']}: {error['evalue']}")


def failing_line(error: dict[str, Any], lines: list[str]) -> str:
    """Return the cell's line that the traceback points to first; "" if it points to none."""
    found = ARROW.search("\n".join(error["traceback"]))
    number = int(found[1]) if found else 0
    return lines[number - 1].strip()[:80] if 0 < number <= len(lines) else ""


def names_defined(sources: dict[Place, str]) -> dict[str, dict[Place, str]]:
    """Return the line outside of functions that first defines each name in each cell, of the lines that are looked at.

    From ``{place: source}`` to ``{name: {place: line}}``.
    """
    found, left = {}, MAX_CODE
    for place, source in sources.items():
        looked_at = source[:left]
        left -= len(looked_at)
        for line in looked_at.splitlines():
            if line[:1] > " ":
                for name in names_given_by(line[:MAX_LINE]):
                    found.setdefault(name, {}).setdefault(place, line.strip()[:MAX_LINE])
    return found


def names_given_by(line: str) -> list[str]:
    """Return the names that a line defines, imports or assigns. It is not parsed: hostile code can break a parser."""
    names = RENAMED.findall(line)
    if found := DEFINED.match(line):
        return [*names, found[1]]
    if found := LOOP.match(line):
        return names + WORD_PATTERN.findall(found[1])
    if found := IMPORTED.match(line):
        return names + WORD_PATTERN.findall(found[1])
    left, equals, right = line.partition("=")
    is_assignment = equals and not right.startswith("=") and ("(" not in left or left.startswith("("))
    return names + ASSIGNED.findall(left) if is_assignment else names
