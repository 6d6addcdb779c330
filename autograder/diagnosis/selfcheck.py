"""Try your functions on the worked examples, and read what a wrong answer means.

    from selfcheck import check
    check("attention", attention)

Needs NumPy only. The examples are in examples.json beside this file.
"""

import json
import linecache
import os
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from autograder.step_table import table_from

from .compare import Answer, ask, counts_as, holds_texts, numbers, recognise, same
from .difference import plural, shortened
from .faults import Fault, attempt
from .finding import Difference, Finding, show
from .likeness import Call, Signature, values_of
from .message import Cause, Diagnosis, first_cause
from .one_by_one import one_by_one
from .portability import not_portable, noting_refused
from .raised import raised_at, suggestion
from .relations import AT_RANDOM, relation, right_for, seen_from
from .rules import problem, sentence
from .untouched import changed_argument, copied_arguments
from .whose_function import not_the_students

EXAMPLES = Path(__file__).with_name("examples.json")
NO_EXAMPLES = "expected `examples.json` from this notebook's download beside it, found none."
ENDLESS = (
    "It returns a list or a dictionary that contains itself, or one nested too deeply to compare: "
    "look for a line that appends a list to itself."
)
UNCHECKED = (
    "cannot be checked here: the check itself failed with {}, which need not be your fault. Return arrays or numbers; "
    "if you do, tell your instructor."
)


class NotRight(AssertionError):
    """Shown by *Validate* for a wrong answer: the finding's text, without this file's traceback."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython prints."""
        return str(self).splitlines()


def examples() -> dict[str, dict[str, Any]]:
    """Return what examples.json holds for each exercise; {} if it is not there or not whole."""
    try:
        return json.loads(EXAMPLES.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def decode(data: Any) -> Any:
    """Turn the contents of examples.json into arrays, tuples, dictionaries, steps, lists, text and numbers."""
    if isinstance(data, dict) and "array" in data:
        kind = data.get("dtype", float)
        kind = int if kind == "int64" else kind  # as wide as an index is here: 32 bits in a browser
        array = np.array(data["array"], dtype=kind)
        return array.reshape(data.get("shape", array.shape))
    if isinstance(data, dict) and "step" in data:
        return table_from(data["step"])
    if isinstance(data, dict) and "tuple" in data:
        return tuple(decode(item) for item in data["tuple"])
    if isinstance(data, dict) and "dict" in data:
        return {key: decode(value) for key, value in data["dict"]}
    return [decode(item) for item in data] if isinstance(data, list) else data


def arguments(case: dict[str, Any]) -> tuple[Any, ...]:
    """Return fresh copies of one example's arguments."""
    return tuple(decode(argument) for argument in case["args"])


def question(case: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return new arguments of a stored example, by position and by name."""
    return arguments(case), {key: decode(value) for key, value in case["kwargs"].items()}


def answer_from(data: dict[str, Any]) -> Answer:
    """Read an Answer from examples.json."""
    return Answer(error=tuple(data["error"])) if "error" in data else Answer(value=decode(data["value"]))


def check(name: str, function: Callable) -> None:
    """Run ``function`` on the worked examples of exercise ``name`` and show the finding.

    Errors: NotRight with the same text under nbgrader's *Validate*, where a cell that only prints would pass.
    """
    exercises = examples()
    if why := not_the_students(function):
        found = Finding(name, "wrong", f"not right yet. {why}")
    elif name in exercises:
        found = finding_here_and_there(name, exercises[name], function)
    else:
        known = f"`examples.json` does not have it, expected one of {', '.join(exercises)}."
        said = f"{known} Take the file from this notebook's download." if exercises else NO_EXAMPLES
        found = Finding(name, "open", said)
    if os.environ.get("NBGRADER_VALIDATING") and found.status != "right":
        raise NotRight(repr(found))
    show(found)


def finding_here_and_there(name: str, exercise: dict, function: Callable) -> Finding:
    """Say what ``finding`` says and, of a function that is right here, what the grader lacks for it."""
    with noting_refused() as refused:
        found = finding(name, exercise, function)
    if found.status != "right":
        return found
    faults: list[Fault] = []

    def again() -> list[tuple]:
        return [question(case) for case in exercise["cases"]]

    lacking = next(iter(refused), "") or attempt("not_portable", faults, not_portable, function, again)
    said = f"right on the worked examples here, but not where it is graded. {lacking}" if lacking else found.said
    return Finding(name, "open" if lacking else "right", said, faults=tuple(faults))


def finding(name: str, exercise: dict, function: Callable) -> Finding:
    """Say whether a function is right so far, or what is wrong and why."""
    try:
        return finding_on_examples(name, exercise, function)
    except Exception as error:  # in our own code: the function's own would be its answer
        kind = type(error).__name__
        return Finding(name, "open", UNCHECKED.format(kind), faults=(Fault("finding", kind),))


def finding_on_examples(name: str, exercise: dict, function: Callable) -> Finding:
    """Return the finding of a function whose answers can be compared."""
    faults: list[Fault] = []
    told = ExamplesDiagnosis(exercise, function, faults)
    if all((answer.error or ("",))[0] == "NotImplementedError" for answer in told.answers):
        said = (
            "not attempted yet. Replace the line that raises NotImplementedError, here or in a function that it calls."
        )
        return Finding(name, "open", said)
    if any(is_endless(answer.value) for answer in told.answers):
        return Finding(name, "wrong", f"not right yet. {ENDLESS}")
    wrong = told.first_problem()
    if wrong is None:
        examples_tried = plural(len(told.answers), "worked example")
        return Finding(name, "right", f"right on {examples_tried}. The grader also tries inputs that you cannot see.")
    cause = first_cause(told, faults)
    differences = attempt("first_differences", faults, told.first_differences) or ()
    said = f"not right yet. {cause.words if cause else wrong}"
    return Finding(name, "wrong", said, differences, tuple(dict.fromkeys(faults)))


def is_endless(value: Any) -> bool:
    """Say whether a value contains itself, or is nested too deeply to compare."""
    try:
        json.dumps(value, skipkeys=True, default=lambda other: None)
    except (ValueError, RecursionError):
        return True
    return False


class ExamplesDiagnosis(Diagnosis):
    """A function's answers to the worked examples of ``exercise``, as examples.json holds it, and their causes.

    What raises an error while a relation is looked for is added to ``faults``.
    """

    def __init__(self, exercise: dict[str, Any], function: Callable, faults: list[Fault]) -> None:
        self.exercise, self.function, self.faults = exercise, function, faults
        self.asked = [question(case) for case in exercise["cases"]]
        self.answers = [ask(function, args, kwargs) for args, kwargs in self.asked]
        self.rights = [answer_from(case["answer"]) for case in exercise["cases"]]

    def listed_mistake(self) -> Cause | None:
        """Return the listed mistake that gives the same answers."""
        mistake = self.given_by("mistakes")
        return Cause(mistake["message"], "list", mistake["id"]) if mistake else None

    def given_by(self, kind: str) -> dict[str, Any] | None:
        """Return the first stored wrong version, of *mistakes* or of *formulas*, that gives exactly these answers."""
        versions = self.exercise.get(kind, ())  # a chapter that was released before this file has no formulas
        return recognise(
            self.answers, [(one, list(map(wrong_answer, one["answers"], self.rights))) for one in versions]
        )

    def gives_another(self) -> Cause | None:
        """Say that the function answers a question otherwise than before; what it prints is not shown twice."""
        before = self.answers[0]
        with redirect_stdout(StringIO()):
            answer = ask(self.function, *question(self.exercise["cases"][0]))
        plain = all(numbers(value) is not None or isinstance(value, (str, dict)) for value in values_of(before.value))
        if not plain or answer.error or before.error or same(answer.value, before.value, nan_equal=True):
            return None
        return Cause(AT_RANDOM)

    def related(self) -> Cause | None:
        """Describe how the answers relate to the right ones.

        Where a batch is wrong, its sentences are also asked for one by one: one that is wrong alone says more.
        """
        if self.exercise["rule"] != "equals":
            return None
        signature, calls = self.exercise["signature"], []
        for stored, asked, answer, right in zip(
            self.exercise["cases"], self.asked, self.answers, self.rights, strict=True
        ):
            calls.append(call_from(signature, arguments(stored), asked, answer, right))
            if "apart" in stored and not counts_as(answer, right):
                calls += asked_one_by_one(signature, stored, right, self.function)
        formula = self.given_by("formulas")
        between = [lambda *_: right_for(f"you get when {formula['words']}")] if formula else []
        words = relation(calls, self.exercise["returns"], signature, between, faults=self.faults)
        return Cause(words) if words else None

    def raised_in(self) -> str:
        """Say where the first wrong answer's error was raised, if it is one."""
        pairs = zip(self.answers, self.rights, strict=True)
        wrong = next((answer for answer, right in pairs if not counts_as(answer, right)), Answer())
        return raised_at(place_of(wrong))

    def first_problem(self) -> str | None:
        """Describe the first example that fails or modifies its inputs; None if all pass."""
        rule, returns = self.exercise["rule"], self.exercise["returns"]
        for stored, (args, _), answer, right in zip(
            self.exercise["cases"], self.asked, self.answers, self.rights, strict=True
        ):
            before = arguments(stored)
            wrong = problem(with_place(answer), right, before, rule, returns, visible=True)
            if wrong:
                return sentence(wrong, f"example: {stored['label']}")
            if changed := changed_argument(before, args):
                kind, look = changed
                return f"It changes {kind} that it was given: look for {look}."
        return None

    def first_differences(self) -> tuple[Difference, ...]:
        """Return the results that differ in the first wrong worked example, if a notebook can show them."""
        if self.exercise["rule"] != "equals":
            return ()
        for stored, answer, right in zip(self.exercise["cases"], self.answers, self.rights, strict=True):
            if answer.error or right.error:
                return ()
            got, wanted = (value if isinstance(value, tuple) else (value,) for value in (answer.value, right.value))
            if len(got) != len(wanted):
                return ()
            results = zip(self.exercise["returns"], got, wanted, strict=False)
            wrong = [(name, pair_to_show(ours, theirs)) for name, ours, theirs in results if not same(ours, theirs)]
            if wrong:
                return tuple(Difference(name, stored["label"], *pair) for name, pair in wrong if pair)
        return ()


def call_from(
    signature: Signature,
    before: tuple[Any, ...],
    asked: tuple[tuple[Any, ...], dict[str, Any]],
    answer: Answer,
    right: Answer,
) -> Call:
    """Assemble a call of a worked example: its arguments ``before``, and ``asked``, as the function left them."""
    args, kwargs = asked
    changed = bool(changed_argument(before, args))
    return seen_from(signature, before, kwargs, answer, right, worked=True, changed=changed)


def asked_one_by_one(signature: Signature, stored: dict[str, Any], right: Answer, function: Callable) -> list[Call]:
    """Ask for the sentences of a worked example one by one; what the function prints is not shown."""
    calls = []
    for args, kwargs, part in one_by_one(signature, *question(stored), right):
        before = copied_arguments(args)
        with redirect_stdout(StringIO()):
            answer = ask(function, args, kwargs)
        calls.append(call_from(signature, before, (args, kwargs), answer, part))
    return calls


def wrong_answer(data: dict[str, Any], right: Answer) -> Answer:
    """Read a wrong version's answer; in place of it, or of one of several results, {} says that it is right."""
    if data == {}:
        return right
    value = data.get("value")
    if not isinstance(value, dict) or {} not in value.get("tuple", ()):
        return answer_from(data)
    results = zip(value["tuple"], right.value, strict=True)
    return Answer(value=tuple(wanted if stored == {} else decode(stored) for stored, wanted in results))


def pair_to_show(ours: Any, theirs: Any) -> tuple[Any, Any] | None:
    """Return a result and the wanted one as two arrays, or as two texts if both are text, a dictionary or a list."""
    arrays = numbers(ours), numbers(theirs)
    if all(array is not None and array.size for array in arrays):
        return arrays
    both = {type(ours), type(theirs)}
    shown = both in ({str}, {dict}) or (isinstance(ours, (list, tuple)) and holds_texts(theirs))
    return (shortened(repr(ours)), shortened(repr(theirs))) if shown else None


def place_of(answer: Answer) -> str:
    """Return the line that raised an answer's error, in words; "" for no error, and where the line is not known."""
    file, number = answer.line or ("", 0)
    lines = linecache.getlines(file)
    return f"in line {number}, `{lines[number - 1].strip()[:160]}`" if 0 < number <= len(lines) else ""


def with_place(answer: Answer) -> Answer:
    """Return an answer whose error says in which line it was raised, and what an undefined name may mean."""
    if not answer.error or not answer.line:
        return answer
    kind, said = answer.error
    place, why = place_of(answer), suggestion(answer.error, "".join(linecache.getlines(answer.line[0])))
    said = f"{said} ({place})" if said.strip() and place else said or place
    return Answer(error=(kind, said + (f": {why}" if why else "")), raised=answer.raised)
