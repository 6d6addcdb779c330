"""Tries an instructor's own exercises at release: their results, their listed mistakes, and answers that no list holds.

The latter are the mutants of their solutions (mutants.py), put to the grader's judge and to the notebook's check.
"""

import ast
import contextlib
import io
import json
import signal
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from autograder.diagnosis.compare import Answer
from autograder.diagnosis.exercise import Case, Exercise
from autograder.diagnosis.judge import judge_replies
from autograder.diagnosis.questions import Question, Reply, answer_to, questions_of, reply_of
from autograder.diagnosis.selfcheck import finding
from autograder.diagnosis.verdict import Verdict
from autograder.errors import CourseError
from autograder.plain import join_first, plural
from autograder.sandbox.host.limited_child import renew_limits, run_limited

from .course import Assignment
from .derived_text import SOLUTION_MARKS
from .instructor_changes import MODULE, is_own
from .mutants import Mutant, mutants_of

SEED = 0  # of the hidden inputs
MOST = 30  # mutants of an exercise, spread over its solution
SECONDS, ALL_SECONDS = 1.0, 20  # of processor time: of one call, and of all mutants of an exercise
SHOWN, WIDTH = 5, 70  # mutants with full marks that are named, and characters of each
COMPARING = "judge"  # the part whose fault costs a mark, not a sentence alone


class Endless(BaseException):
    """A call has computed for too long; no answer catches this."""


def refuse_broken(exercise: Exercise) -> None:
    """Raise CourseError if an exercise's cases cannot be drawn, or ``returns`` names other results than there are."""
    refuse_other_results(exercise)
    try:
        exercise.questions(SEED)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise CourseError(f"{exercise.name}: its unseen cases or its edges cannot be drawn: {said}") from error


def refuse_other_results(exercise: Exercise) -> None:
    """Raise CourseError if ``returns`` does not name as many results as the reference returns on the examples."""
    named = exercise.returns
    if isinstance(named, str) or not named:
        remedy = f"write returns=({named!r},), with its comma" if named else "name each result"
        raise CourseError(f"{exercise.name}: expected a tuple of names in returns=, got {named!r}: {remedy}")
    for case in exercise.examples:
        answer = answer_to(case, exercise.reference)
        if not answer.error and (got := other_results(answer, len(named))):
            raise CourseError(
                f"{exercise.name}: expected {plural(len(named), 'result')} of the reference, as returns={named!r} "
                f"says, got {got} on the example {case.label!r}: make them agree"
            )


def other_results(answer: Answer, count: int) -> str:
    """Describe the results of an answer if they are not ``count``; "" if they are."""
    value = answer.value
    if isinstance(value, tuple):
        return "" if len(value) == count > 1 else f"a tuple of {len(value)}"
    return "" if count == 1 else f"one {type(value).__name__}"


def refuse_endless(exercises: Iterable[Exercise]) -> None:
    """Raise CourseError, with its name, if a listed mistake computes for ever: everything that follows asks it.

    They run in a limited child process, whose file says which of them runs.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "running"
        try:
            run_limited(partial(run_mistakes, exercises, path), ALL_SECONDS)
        except CourseError as error:
            running = path.read_text(encoding="utf-8") if path.exists() else "the listed mistakes"
            raise CourseError(
                f"{running} does not come to an end on every case within {SECONDS:g} s ({error}): let it end, or take "
                "it off the list"
            ) from error


def run_mistakes(exercises: Iterable[Exercise], path: Path) -> None:
    """Put every case to every listed mistake, and write which one runs. Errors: Endless."""
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(io.StringIO()):
        for exercise in exercises:
            renew_limits(ALL_SECONDS)
            for mistake in exercise.mistakes:
                path.write_text(f"{exercise.name}: the mistake {mistake.id}", encoding="utf-8")
                for _, case in exercise.questions(SEED):
                    reply_in_time(mistake.wrong, case, SECONDS)


def own_exercises(assignment: Assignment) -> Iterator[Exercise]:
    """Yield the exercises that the course's tests do not know: the instructor's own, or all of another course."""
    for exercise in assignment.exercises.values():
        if not assignment.course.is_installed or exercise.module.startswith(MODULE):
            yield exercise


def tell_trials(assignment: Assignment, examples: str, tell: Callable[[str], None]) -> None:
    """Tell which own mistakes no student would be told, and what becomes of wrong answers that no list holds.

    ``examples`` is what the notebook's check reads.
    """
    tell_unrecognised(assignment, tell)
    stored = json.loads(examples)
    for exercise in own_exercises(assignment):
        for line in describe_trial(*try_mutants(assignment, exercise, stored[exercise.name])):
            tell(f"{exercise.name}: {line}")


def tell_unrecognised(assignment: Assignment, tell: Callable[[str], None]) -> None:
    """Name each listed mistake of the instructor's own that no student would be told, and what is said instead."""
    all_own = not assignment.course.is_installed
    for exercise in assignment.exercises.values():
        mistakes = [mistake for mistake in exercise.mistakes if all_own or is_own(mistake)]
        questions = questions_of(exercise, SEED) if mistakes else ()
        for mistake in mistakes:
            verdict = verdict_on(exercise, questions, mistake.wrong)
            if verdict.mistake != mistake.id:
                tell(
                    f"{exercise.name}: the mistake {mistake.id} is not recognised: an answer like it gets "
                    f"{verdict.score:g} of {verdict.points:g} points, and is told: {verdict.message}"
                )


def verdict_on(exercise: Exercise, questions: Sequence[Question], function: Callable, seconds: float = 0.0) -> Verdict:
    """Judge a function in this process. Errors: Endless if a call computes for longer than ``seconds``, unless 0."""
    replies = [reply_in_time(function, question.case, seconds) for question in questions]
    return judge_replies(exercise, questions, replies)


def reply_in_time(function: Callable, case: Case, seconds: float) -> Reply:
    """Put one case to a function. Errors: Endless if it computes for longer than ``seconds``, unless 0."""
    if not seconds:
        return reply_of(function, case)

    def end(*_: Any) -> None:
        raise Endless

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return reply_of(function, case)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def solutions(assignment: Assignment) -> dict[str, str]:
    """Return each exercise's solution as students would have written it, in the notebook's order."""
    return {name: SOLUTION_MARKS.sub("", assignment.cells[name].cell.source) for name in assignment.exercises}


def defined_by(assignment: Assignment) -> dict[str, Any]:
    """Return what the notebook's cells define, tests left out; a statement that fails here defines nothing."""
    names: dict[str, Any] = {"np": np, **assignment.given}
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
    for cell in assignment.cells.values():
        if cell.cell.cell_type != "code" or cell.exercise:
            continue
        with contextlib.suppress(SyntaxError):  # a line for IPython alone
            for statement in ast.parse(SOLUTION_MARKS.sub("", cell.cell.source)).body:
                if isinstance(statement, kinds):
                    with contextlib.suppress(Exception):
                        exec(compile(ast.Module([statement], []), cell.grade_id, "exec"), names)
    return names


def try_mutants(
    assignment: Assignment, exercise: Exercise, stored: dict[str, Any]
) -> tuple[list[Mutant], list[dict[str, Any]], str]:
    """Return mutants of a solution, what became of each, and why the last ones were not tried, if any: "" if not.

    They run in a child process with little time and memory, as they may loop for ever; its outcomes are a file.
    """
    source, stopped = solutions(assignment)[exercise.name], ""
    try:
        every = mutants_of(exercise.name, source)
    except SyntaxError as error:
        return [], [], f"its solution in the notebook is not Python alone ({error.msg})"
    if not every:
        return [], [], "its solution in the notebook is no function of this name"
    mutants = every[:: -(-len(every) // MOST)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "outcomes"
        try:
            run_limited(partial(write_outcomes, assignment, exercise, stored, mutants, path), ALL_SECONDS)
        except CourseError as error:
            stopped = str(error)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return mutants, [json.loads(line) for line in lines], stopped


def write_outcomes(
    assignment: Assignment, exercise: Exercise, stored: dict[str, Any], mutants: list[Mutant], path: Path
) -> None:
    """Write what becomes of each mutant, a line each, as soon as it is known."""
    warnings.simplefilter("ignore")
    with path.open("w", encoding="utf-8") as file, contextlib.redirect_stdout(io.StringIO()):
        names = defined_by(assignment)
        questions = questions_of(exercise, SEED)
        if verdict_on(exercise, questions, names[exercise.name]).score < exercise.points:
            return
        for mutant in mutants:
            file.write(json.dumps(outcome_of(exercise, questions, stored, mutant, dict(names))) + "\n")
            file.flush()


def outcome_of(
    exercise: Exercise,
    questions: Sequence[Question],
    stored: dict[str, Any],
    mutant: Mutant,
    names: dict[str, Any],
) -> dict[str, Any]:
    """Return whether a mutant gets full marks, and what failed in the checks: ``full`` and ``faults``."""
    without_marks: dict[str, Any] = {"full": False, "faults": []}
    try:
        exec(compile(mutant.source, mutant.name, "exec"), names)
    except Exception:  # its cell stops
        return without_marks
    function = names[mutant.name]
    try:
        verdict = verdict_on(exercise, questions, function, SECONDS)
    except Endless:
        return without_marks
    except Exception as error:
        return {**without_marks, "faults": [[COMPARING, type(error).__name__]]}
    told = finding(exercise.name, stored, function)
    faults = dict.fromkeys((*verdict.faults, *told.faults))
    return {"full": verdict.score == verdict.points, "faults": [[one.part, one.error] for one in faults]}


def describe_trial(mutants: list[Mutant], outcomes: list[dict[str, Any]], stopped: str) -> Iterator[str]:
    """Yield what a trial showed, in a line for each kind of thing."""
    if not outcomes:
        why = stopped or "its solution in the notebook does not get full marks by itself"
        yield f"small changes of the solution were not tried: {why}"
        return
    full = [mutant for mutant, one in zip(mutants, outcomes, strict=False) if one["full"]]
    rest = f"; {len(mutants) - len(outcomes)} more were not tried: {stopped}" if stopped else ""
    yield f"{plural(len(outcomes), 'small change')} of the solution tried, {len(full)} of them with full marks{rest}"
    if full:
        named = join_first((f"line {one.line}: {shortened(one.change)}" for one in full), SHOWN)
        yield f"full marks for {named}. Where such an answer is wrong, add a case that shows it"
    faults = Counter((part, error) for one in outcomes for part, error in one["faults"])
    for (part, error), count in faults.items():
        cost = "gets no mark" if part == COMPARING else "keeps its mark, and is told less than it could be"
        yield f"{part} raises {error} for {count} of them: such an answer {cost}"


def shortened(change: str) -> str:
    """Return a change on one line, cut where it is long."""
    line = " ".join(change.split())
    return line if len(line) <= WIDTH else f"{line[:WIDTH]}…"
