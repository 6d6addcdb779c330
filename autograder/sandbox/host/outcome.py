"""Reads one step's outcome from the sandbox's reply, which may be malformed on purpose."""

import builtins
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograder.plain import clean
from autograder.step_table import table_from

from ..inside import protocol
from ..inside.shared_arrays import array_in, is_shared_array, is_step
from .steps import Calls

LONGEST_LISTING = 200  # lines; a larger number is not a place
LONGEST_MESSAGE = 2000  # characters of an error
LONGEST_NAME = 100  # characters of an error's type
MOST_OUTPUTS, MOST_NOTED = 1000, 20
ERRORS = 1 << 18  # characters for a cell's errors; its other outputs have their own budget
OUTPUT_TYPES = {"stream", "display_data", "execute_result", "error"}


@dataclass(frozen=True)
class Outcome:
    """The outcome of one step. Each way of ending has its own field; ``completed`` means none of the others.

    ``seconds`` are those used if the step ended by itself, otherwise those allowed. ``waited`` says that a time limit
    was hit by waiting, not by computing, ``used_up`` that earlier steps had hit the limit of all. ``place`` is where it
    stood then, if that is known. ``passed`` are the statements of a cell that failed and were passed over,
    ``noted`` what does nothing here.
    """

    completed: bool = False
    time_limit: bool = False
    memory_limit: bool = False
    output_limit: bool = False
    crashed: bool = False
    missing: bool = False
    waited: bool = False
    used_up: bool = False
    seconds: float = 0.0
    outputs: tuple[dict, ...] = ()
    answers: tuple["CallAnswer", ...] = ()
    place: "Place | None" = None
    passed: tuple["Passed", ...] = ()
    noted: tuple["Noted", ...] = ()


@dataclass(frozen=True)
class CallAnswer:
    """One call's result: a value or an error ``(type, message)``.

    ``arguments`` are those after the call if it changed them, else None. ``error`` has one of Python's own types;
    ``raised`` is the name of the type that was raised, and ``place`` where.
    """

    value: object = None
    error: tuple[str, str] | None = None
    arguments: tuple | None = None
    place: "Place | None" = None
    raised: str = ""


@dataclass(frozen=True)
class Place:
    """A line of the student's: its number, its text as this side has it, and its cell's number among those that ran."""

    number: int
    text: str
    cell: int


@dataclass(frozen=True)
class Passed:
    """A statement that was passed over: its place, if that is known, and its error, or the seconds that it had."""

    place: Place | None
    error: tuple[str, str]
    seconds: float | None = None


@dataclass(frozen=True)
class Noted:
    """What does nothing here: one of protocol.HARMLESS, and its place."""

    what: str
    place: Place


def parse_reply(reader: Callable, *details: Any) -> Outcome:
    """Parse a reply that may be malformed."""
    try:
        return reader(*details)
    except Exception:  # the student's process makes the reply, and can break it in any way
        return Outcome(crashed=True)


def ended_early(ended: int, starved: bool, hit: str, seconds: float) -> Outcome:
    """Return the outcome of a step without a reply: ``ended`` is its exit code, or minus the signal that killed it.

    ``starved`` says whether the kernel killed a process for lack of memory, None if unknown. ``hit`` is the limit for
    which we ended it, "" if we did not.
    """
    if ended == -signal.SIGXCPU:
        hit = hit or "time_limit"
    elif ended == -signal.SIGKILL and starved is not False:
        hit = hit or "memory_limit"
    facts: dict[str, Any] = {hit or "crashed": True, "seconds": seconds}
    return Outcome(**facts)


def cell_outcome(
    reply: dict[str, Any], most: int, hit: str, seconds: float, stops: list[tuple[str, float]], sources: list[str]
) -> Outcome:
    """Read a cell's outputs, up to a total number of characters; ``hit`` is as in ended_early.

    ``stops`` are the time limits that its statements hit, in order. The cell is the last of ``sources``.
    """
    budget = Budget(most)
    outputs = tuple(plain_output(output, budget) for output in reply["outputs"][:MOST_OUTPUTS])
    names = {output.get("ename") for output in outputs}
    if not hit and reply["exceeded"]:
        hit = "output_limit"
    if not hit and "MemoryError" in names:
        hit = "memory_limit"
    passed, limits = [], [seconds for _, seconds in stops]
    for number, kind, said, is_stopped in reply["passed"][:MOST_NOTED]:
        place = place_at([len(sources) - 1, number], sources)
        error = name_of_type(kind, "Error"), budget.text(said, LONGEST_MESSAGE)
        passed.append(Passed(place, error, limits.pop(0) if is_stopped and limits else None))
    facts: dict[str, Any] = {hit or "completed": True, "outputs": outputs, "seconds": seconds}
    return Outcome(**facts, passed=tuple(passed), noted=read_notes(reply, sources))


def read_notes(reply: dict[str, Any], sources: list[str]) -> tuple[Noted, ...]:
    """Read what a notebook has left that does nothing here."""
    left = [(what, place_at(place, sources)) for what, place in reply["noted"][:MOST_NOTED]]
    return tuple(Noted(what, place) for what, place in left if what in protocol.HARMLESS and place)


class Budget:
    """The number of characters that may still be read from a reply: the rest is cut off unread."""

    def __init__(self, left: int) -> None:
        self.left = left

    def text(self, value: str, most: int | None = None) -> str:
        """Return a text, or its beginning, cleaned. Errors: ValueError if it is not a text."""
        if not isinstance(value, str):
            raise ValueError(f"expected text, got a {type(value).__name__}")
        kept = value[: self.left if most is None else min(self.left, most)]
        self.left -= len(kept)
        return clean(kept)


def plain_output(output: dict[str, Any], budget: Budget) -> dict[str, Any]:
    """Rebuild one output from the few fields that we know, all of them text."""
    kind = output["output_type"]
    if kind not in OUTPUT_TYPES:
        raise ValueError("an output of unknown type")
    if kind == "stream":
        name = "stderr" if output["name"] == "stderr" else "stdout"
        return {"output_type": kind, "name": name, "text": budget.text(output["text"])}
    if kind == "error":
        return {
            "output_type": kind,
            "ename": budget.text(output["ename"], 100),
            "evalue": budget.text(output["evalue"], LONGEST_MESSAGE),
            "traceback": [budget.text(line) for line in output["traceback"][:LONGEST_LISTING]],
        }
    shown = output["data"]
    data = {name: budget.text(shown[name]) for name in ("text/plain", "image/png") if name in shown}
    extra = {"execution_count": None} if kind == "execute_result" else {}
    return {"output_type": kind, "data": data, "metadata": {}, **extra}


def calls_outcome(
    reply: dict[str, Any],
    step: Calls,
    memory: bytes,
    seconds: float,
    sources: list[str],
) -> Outcome:
    """Read the answers to calls: as many as were asked for, each a value or an error.

    ``memory`` is the content of the arguments' arrays after the calls.
    """
    if reply["missing"]:
        return Outcome(completed=True, missing=True, seconds=seconds)
    noted = read_notes(reply, sources)
    calls, before = step.laid_out
    if len(reply["answers"]) != len(calls):
        raise ValueError(f"expected {len(calls)} answers, got {len(reply['answers'])}")
    answers = tuple(
        read_answer(answer, call["args"], before, memory, sources)
        for answer, call in zip(reply["answers"], calls, strict=True)
    )
    out_of_memory = any(bool(answer.error and answer.error[0] == "MemoryError") for answer in answers)
    facts: dict[str, Any] = {"memory_limit" if out_of_memory else "completed": True, "seconds": seconds}
    return Outcome(**facts, answers=answers, noted=noted)


def read_answer(
    answer: dict[str, Any],
    asked: list[Any],
    before: bytes,
    memory: bytes,
    sources: list[str],
) -> CallAnswer:
    """Read one answer to a call with these arguments, as plain data; arrays are read from shared memory."""
    arguments, lent = None, [argument for argument in asked if is_shared_array(argument)]
    if "arguments" in answer or not all(same_bytes(before, memory, place) for place in lent):
        pairs = zip(answer.get("arguments", asked), asked, strict=True)
        arguments = tuple(after_call(told, argument, memory) for told, argument in pairs)
    if "error" not in answer:
        return CallAnswer(value=protocol.decode(answer["value"]), arguments=arguments)
    kind, message, raised = answer["error"]
    known = getattr(builtins, str(kind), None)
    kind = kind if isinstance(known, type) and issubclass(known, BaseException) else "Exception"
    place = place_at(answer.get("place"), sources)
    error, raised = (kind, Budget(LONGEST_MESSAGE).text(message)), name_of_type(raised, kind)
    return CallAnswer(error=error, arguments=arguments, place=place, raised=raised)


def name_of_type(name: Any, instead: str) -> str:
    """Return the name of an error's type; another one if it is none, such as a sentence."""
    is_name = isinstance(name, str) and len(name) <= LONGEST_NAME and name.isidentifier()
    return clean(name) if is_name else instead


def after_call(told: dict[str, Any], asked: Any, memory: bytes) -> Any:
    """Return an argument as it is after the call: an array from shared memory, whatever the reply says."""
    if is_step(asked):
        return table_from(protocol.decode(asked["step"]))  # built anew for every call, whatever the reply says
    if not is_shared_array(asked):
        return protocol.decode(told)
    return array_in(memory, asked) if told == asked else protocol.Foreign("array of another shape")


def same_bytes(before: bytes, memory: bytes, place: dict[str, Any]) -> bool:
    """Say whether an array's bytes are unchanged."""
    return array_in(before, place).tobytes() == array_in(memory, place).tobytes()


def place_at(place: Any, sources: list[str]) -> Place | None:
    """Return the place that a reply names by cell and line, with the line's text from our copy; None for no place."""
    try:
        cell, number = int(place[0]), int(place[1])
        if not 0 < number <= LONGEST_LISTING:
            return None
        return Place(number, clean(sources[cell].splitlines()[number - 1]).strip()[:160], cell)
    except (TypeError, ValueError, IndexError, KeyError):
        return None
