"""What happened in one step, read from what the sandbox sent: nothing in there is trusted to be well formed."""

import builtins
import signal
import unicodedata
from dataclasses import dataclass

from . import wire

LONGEST_LISTING = 200  # lines; a number beyond it is a message, not a place
LINES_AND_TABS = dict.fromkeys(map(ord, "\n\t"))
UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # Unicode's control, format, surrogate and line-ending characters
OUTPUT_TYPES = {"stream", "display_data", "execute_result", "error"}


@dataclass(frozen=True)
class Outcome:
    """What happened in one step. Each way of ending is a fact of its own; ``completed`` is none of the others.

    ``seconds`` are those it used where it ended by itself, those it was allowed where it did not.
    """

    completed: bool = False
    time_limit: bool = False
    memory_limit: bool = False
    output_limit: bool = False
    crashed: bool = False
    missing: bool = False
    detail: str = ""
    seconds: float = 0.0
    outputs: tuple[dict, ...] = ()
    answers: tuple["CallAnswer", ...] = ()


@dataclass(frozen=True)
class CallAnswer:
    """One call's result: a value or an error ``(type, message)``, and the student's own line.

    ``arguments`` are those after the call where it changed them, else None. ``line`` reads like
    ``line 3, `weights = ...` `` and is taken from the source on this side; ``cell`` is that cell's number among those
    that were run, or -1.
    """

    value: object = None
    error: tuple[str, str] | None = None
    arguments: tuple | None = None
    line: str = ""
    cell: int = -1


def read(reader, *details):
    """Read a reply, trusting nothing in it to be well formed."""
    try:
        return reader(*details)
    except Exception as error:  # a reply is made by the student's process: how it breaks is his choice, never ours
        return Outcome(crashed=True, detail=f"the session's answer made no sense ({type(error).__name__})")


def ended_early(ended, starved, hit, seconds):
    """Say what ended a step that gave no reply: ``ended`` is its exit code, or minus the signal that killed it.

    ``starved`` says whether the kernel has ended a process for want of memory, None where it does not tell. ``hit`` is
    the limit for which we ended it, "" where we did not.
    """
    if ended == -signal.SIGXCPU:
        hit = hit or "time_limit"
    elif ended == -signal.SIGKILL and starved is not False:
        hit = hit or "memory_limit"
    return Outcome(**{hit or "crashed": True}, detail=f"the step ended with {ended}", seconds=seconds)


def cell_outcome(reply, hit, seconds):
    """Read the outputs of a cell; ``hit`` is as in ended_early."""
    outputs = tuple(plain_output(output) for output in reply["outputs"][:1000])
    names = {output.get("ename") for output in outputs}
    if not hit and reply["exceeded"]:
        hit = "output_limit"
    if not hit and "MemoryError" in names:
        hit = "memory_limit"
    return Outcome(**{hit or "completed": True}, outputs=outputs, seconds=seconds)


def plain_output(output):
    """Rebuild one output from the few fields that we know, all of them text."""
    kind = output["output_type"]
    if kind not in OUTPUT_TYPES:
        raise ValueError("an output of unknown type")
    if kind == "stream":
        return {
            "output_type": kind,
            "name": "stderr" if output["name"] == "stderr" else "stdout",
            "text": clean(output["text"]),
        }
    if kind == "error":
        trace = [clean(line) for line in output["traceback"][:200]]
        return {
            "output_type": kind,
            "ename": clean(output["ename"])[:100],
            "evalue": clean(output["evalue"])[:2000],
            "traceback": trace,
        }
    data = {name: clean(output["data"][name]) for name in ("text/plain", "image/png") if name in output["data"]}
    extra = {"execution_count": None} if kind == "execute_result" else {}
    return {"output_type": kind, "data": data, "metadata": {}, **extra}


def clean(text):
    """Return text without what can drive a terminal, turn a line's direction or break an encoding."""
    plain = str(text).encode("utf-8", "replace").decode()
    if plain.translate(LINES_AND_TABS).isprintable():  # the same, fast, for nearly all that is ever written
        return plain
    return "".join(letter for letter in plain if letter in "\n\t" or unicodedata.category(letter) not in UNSAFE)


def calls_outcome(reply, step, seconds, sources):
    """Read the answers of calls: as many as were asked for, each a value or an error."""
    if reply["missing"]:
        return Outcome(completed=True, missing=True, seconds=seconds)
    answers = tuple(read_answer(answer, sources) for answer in reply["answers"][: len(step.calls) + 1])
    if len(answers) != len(step.calls):
        raise ValueError(f"expected {len(step.calls)} answers, got {len(answers)}")
    memory = any(answer.error and answer.error[0] == "MemoryError" for answer in answers)
    return Outcome(completed=not memory, memory_limit=memory, answers=answers, seconds=seconds)


def read_answer(answer, sources):
    """Read one answer."""
    arguments = None
    if "arguments" in answer:
        arguments = tuple(wire.decode(argument) for argument in answer["arguments"][:20])
    if "error" not in answer:
        return CallAnswer(value=wire.decode(answer["value"]), arguments=arguments)
    kind, message = answer["error"]
    known = getattr(builtins, str(kind), None)
    kind = kind if isinstance(known, type) and issubclass(known, BaseException) else "Exception"
    line, cell = line_at(answer.get("place"), sources)
    return CallAnswer(error=(kind, clean(message)[:2000]), arguments=arguments, line=line, cell=cell)


def line_at(place, sources):
    """Return the line in which an error was raised, as we know it, and the number of its cell; "" and -1 for none."""
    try:
        cell, number = int(place[0]), int(place[1])
        if not 0 < number <= LONGEST_LISTING:
            return "", -1
        return f"line {number}, `{clean(sources[cell].splitlines()[number - 1]).strip()[:160]}`", cell
    except (TypeError, ValueError, IndexError, KeyError):
        return "", -1
