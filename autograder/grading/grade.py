"""Grades one submission: the student's code runs in the sandbox, and the judging happens here."""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from autograder import sandbox
from autograder.course.course import Assignment
from autograder.diagnosis.compare import Answer
from autograder.diagnosis.exercise import KEPT, Exercise
from autograder.diagnosis.faults import Fault, attempt
from autograder.diagnosis.judge import Reply, compared, copied, judge, not_attempted, unanswered
from autograder.diagnosis.verdict import Verdict
from autograder.errors import CourseError, InfrastructureError, InvalidSubmission
from autograder.plain import clean
from autograder.sandbox import Calls, Cell, Limits, Outcome, Sandbox
from autograder.sandbox.host.outcome import CallAnswer
from autograder.sandbox.inside import unavailable

from . import intake
from .fingerprint import behaviours
from .missing_names import Explainer, describe_restored, full_error, notes_on_own_cells, of_its_cell
from .notebook_python import python_version
from .prerequisites import with_prerequisite
from .rebuild import Rebuilt, RebuiltCell, rebuild
from .result import SEVERITY, Ran, Result, failed, invalid, status_of
from .which_chapter import refuse_without_exercises

ATTEMPTS = 2
DOES_NOT_EXIST = "`{}` does not exist when its test runs"
SAVE = "save"  # the id of the cell that keeps a student's functions in a file
LIMIT_MESSAGES = {
    "time_limit": "Stopped after {seconds:.3g} seconds{place}. Is there a loop that never ends?",
    "waited": "Stopped after {seconds:.3g} seconds of waiting{place}. Does it wait for a thread or a process? Those "
    "that your cells have started are not there when a function is called: start them inside it.",
    "used_up": "Not called: other calls have used up the {seconds:.3g} seconds that all share.",
    "memory_limit": "Stopped{place} because it asked for too much memory. Is an array much larger than it should be?",
    "crashed": "Python itself ended while this ran{place}. Does the code leave Python (os._exit, ctypes, a signal)?",
    "output_limit": "Stopped{place} because it printed far too much. Is there a print inside a loop?",
}


class Grader:
    """Grades submissions of one assignment, one after another, in one warm sandbox. Use it as a context manager.

    ``beside`` is the number of graders that share this machine, and its memory, at the same time.
    """

    def __init__(
        self, assignment: Assignment, seed: int, limits: Limits | None = None, protected: bool = True, beside: int = 1
    ) -> None:
        self.assignment, self.seed = assignment, seed
        assignment.ledger  # noqa: B018 - a damaged one is named here, and is no submission's failure
        self.level = sandbox.level(protected)
        # The released cells with their stubs: what runs before all notebooks must hold nothing hidden.
        share = sandbox.share_of_memory((limits or Limits()).memory_bytes, beside)
        self.box = Sandbox(limits, protected, assignment.companions(), assignment.read_released_code(), share)

    def __enter__(self) -> "Grader":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.box.stop()

    def grade(self, path: Path, folders: int = 0) -> Result:
        """Grade one notebook file. An unreadable file and an infrastructure failure are results, too.

        ``folders`` is how many folders above the notebook belong to the student; none of them may be a link.
        """
        try:
            data = intake.submission_bytes(path, folders)
        except InvalidSubmission as error:
            return invalid(self.assignment, error)
        return self.grade_bytes(data)

    def grade_bytes(self, data: bytes) -> Result:
        """Grade the bytes of one notebook file."""
        try:
            return self.graded(data)
        except InvalidSubmission as error:
            return invalid(self.assignment, error)
        except (InfrastructureError, CourseError) as error:
            return failed(self.assignment, error)
        except Exception as error:
            return failed(self.assignment, f"{type(error).__name__}: {error}")

    def graded(self, data: bytes) -> Result:
        """Grade a notebook. Errors: InvalidSubmission; InfrastructureError if the sandbox fails twice."""
        started = time.monotonic()
        submitted = intake.cells_of(data)
        refuse_without_exercises(self.assignment, submitted)
        rebuilt = replace(rebuild(self.assignment, submitted), python=partial(python_version, data))
        cells, verdicts = self.run_with_retry(rebuilt, seed_of(self.seed, data))
        faults = {verdict.name: [*verdict.faults] for verdict in verdicts}
        unnamed = behaviours(self.box, self.assignment, verdicts, faults)  # last: nothing that counts comes after it
        result = Result(
            assignment=self.assignment.chapter,
            status=status_of(verdicts, rebuilt.tampered),
            score=round(sum(verdict.score for verdict in verdicts), 2),
            max_score=self.assignment.max_score,
            tampered=tuple(map(clean, rebuilt.tampered)),
            verdicts=tuple(verdicts),
            message=clean(describe_restored(rebuilt.harmless, rebuilt.missing)),
            cells=tuple(cells),
            level=self.level,
            seconds=time.monotonic() - started,
            ran_late=self.box.in_doubt,
            notes=tuple(map(clean, [*rebuilt.notes, *notes_on_own_cells(cells)])),
            behaviours=unnamed,
            faults={name: tuple(some) for name, some in faults.items() if some},
            refused=self.box.refused,
            without_ids=rebuilt.without_ids,
        )
        self.box.end()
        return result

    def run_with_retry(self, rebuilt: Rebuilt, seed: int) -> tuple[list[Ran], list[Verdict]]:
        """Run and judge; if the sandbox itself fails, retry once in a new one."""
        for _ in range(ATTEMPTS - 1):
            with suppress(InfrastructureError):
                return run_and_judge(self.box, self.assignment, rebuilt, seed)
        return run_and_judge(self.box, self.assignment, rebuilt, seed)


def seed_of(run_seed: int, data: bytes) -> int:
    """Return the seed of one submission's unseen inputs, derived from the run's seed and the submission's bytes.

    So the questions of one submission help no other, not even the same student's next one.
    """
    return int.from_bytes(hashlib.sha256(f"{run_seed} ".encode() + data).digest()[:8]) >> 1


def run_and_judge(box: Sandbox, assignment: Assignment, rebuilt: Rebuilt, seed: int) -> tuple[list[Ran], list[Verdict]]:
    """Run the cells in order, then put the questions.

    A test cell is not run. It makes a checkpoint, so that its questions can be put to the functions as they are at that
    moment. They are put only after all cells have run, so that no cell can print what a function was asked.
    """
    cells = []
    box.start()
    for piece in rebuilt.pieces:
        outcome = box.run(step_for(piece)) if piece.cell_type == "code" else Outcome(completed=True)
        ended = status_of_cell(outcome), outcome.seconds, outcome.line
        cells.append(Ran(piece, outcome.outputs, *ended, outcome.passed, outcome.noted))
    explainer = Explainer(rebuilt, cells)
    verdicts = ask_and_judge(box, assignment, cells, seed, explainer)
    told = []
    for checkpoint, verdict in enumerate(verdicts):
        verdict = add_to(verdict, lambda one: explainer.with_fault_above(one, verdicts), "with_fault_above")
        verdict = add_to(verdict, explainer.with_hint, "with_hint")
        verdict = add_to(verdict, explainer.with_passed_over, "with_passed_over")
        add_piece = partial(with_prerequisite, box, assignment, checkpoint=checkpoint)
        told.append(add_to(verdict, add_piece, "with_prerequisite"))
    return cells, told


def add_to(verdict: Verdict, say: Callable[[Verdict], Verdict], part: str) -> Verdict:
    """Return what ``say`` makes of a verdict or, if that raises an error, the verdict with this fault.

    Errors: InfrastructureError, which is the sandbox's.
    """
    try:
        return say(verdict)
    except InfrastructureError:
        raise
    except Exception as error:
        return replace(verdict, faults=(*verdict.faults, Fault(part, type(error).__name__)))


@contextmanager
def naming(exercise: Exercise) -> Iterator[None]:
    """Name the exercise whose checks raise an error. Errors: CourseError: without its points there is no total."""
    try:
        yield
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise CourseError(
            f"the checks of {exercise.name} cannot judge an answer, through no fault of it: {said}"
        ) from error


def step_for(piece: RebuiltCell) -> Cell:
    """Return the sandbox step for a code cell. A cell that saves a student's functions does nothing here."""
    if piece.grade_id == SAVE:
        return Cell("")
    defines = piece.grade_id if piece.kind == "answer" else ""
    return Cell("", checkpoint=True) if piece.kind == "test" else Cell(piece.source, defines=defines)


def failure_of(outcome: Outcome) -> str:
    """Name how a step failed; "" if it did not."""
    return next((status for status in SEVERITY if getattr(outcome, status, False)), "")


def status_of_cell(outcome: Outcome) -> str:
    """Name how a cell ended; "" for normally."""
    raised = any(output["output_type"] == "error" for output in outcome.outputs)
    return failure_of(outcome) or ("error" if raised else "")


@lru_cache(maxsize=KEPT)
def questions(exercise: Exercise, seed: int, checkpoint: int, wants_examples: bool, alone: bool) -> Calls:
    """Return the calls for the worked examples, or for everything else."""
    asked = [case for name, case in exercise.questions(seed) if (name == "example") is wants_examples]
    return Calls(exercise.name, [(copied(case), case.kwargs) for case in asked], checkpoint, alone)


def ask_and_judge(
    box: Sandbox, assignment: Assignment, cells: list[Ran], seed: int, explainer: Explainer
) -> list[Verdict]:
    """Put every exercise's questions to the student's functions, and judge the answers.

    All worked examples come first: their answers are shown, so nothing may have been asked before them.
    A function that exceeded its time or memory is not asked again.
    """
    cells_of_tests = [assignment.cells[ran.piece.grade_id] for ran in cells if ran.piece.kind == "test"]
    tested = [cell.exercise for cell in cells_of_tests if cell.exercise]
    run = [ran.piece.grade_id for ran in cells if ran.piece.cell_type == "code"]
    replies, failures, alone = {exercise.name: [] for exercise in tested}, {}, set()
    faults: dict[str, list[Fault]] = {exercise.name: [] for exercise in tested}
    for wants_examples in (True, False):
        found = {}
        asked = [(checkpoint, exercise) for checkpoint, exercise in enumerate(tested) if exercise.name not in failures]
        for checkpoint, exercise in asked:
            if exercise.name in alone:
                continue
            outcome, given = put_questions(box, exercise, seed, checkpoint, wants_examples, run)
            used_up = outcome.time_limit or outcome.memory_limit
            if outcome.completed and not outcome.missing:
                with naming(exercise):
                    given = compared(exercise, seed, given, wants_examples)
            if used_up or is_clear(outcome, given):
                found[exercise.name] = outcome, given
        for checkpoint, exercise in asked:  # last: each change from one copy to another clears files away
            name = exercise.name
            if name in found:
                continue
            # Another exercise may be the cause: ask this one in its own copy of the notebook.
            if not wants_examples and name not in alone:  # there too they come first; these answers are not shown
                put_questions(box, exercise, seed, checkpoint, True, run, alone=True)
            alone.add(name)
            found[name] = put_questions(box, exercise, seed, checkpoint, wants_examples, run, alone=True)
        for _, exercise in asked:
            name, (outcome, given) = exercise.name, found[exercise.name]
            if failure := failure_of(outcome):
                is_own = outcome.cell == run.index(name)
                place = place_of(outcome.line, is_own) if wants_examples or is_own else ""
                failures[name] = unanswered(exercise, failure, limit_message(outcome, failure, place))
            elif outcome.missing:
                said = attempt("undefined", faults[name], undefined, exercise, cells, explainer)
                failures[name] = said or unanswered(exercise, "error", f"{DOES_NOT_EXIST.format(name)}.")
            if wants_examples:  # elsewhere, which of many lines was met could tell what was asked
                explainer.noted[name].update(dict.fromkeys(outcome.noted))
                told = [attempt("explained", faults[name], explainer.explained, reply, name) for reply in given]
                given = [better or reply for better, reply in zip(told, given, strict=True)]
            replies[name] += given
    verdicts = [failures.get(exercise.name) or judged(exercise, seed, replies[exercise.name]) for exercise in tested]
    return [replace(verdict, faults=(*faults[verdict.name], *verdict.faults)) for verdict in verdicts]


def limit_message(ended: Outcome | Ran, failure: str, place: str = "") -> str:
    """Say which limit a step hit, and where."""
    of_time = "waited" if isinstance(ended, Outcome) and ended.waited else "time_limit"
    if isinstance(ended, Outcome) and ended.used_up:
        of_time = "used_up"
    where = f", {place}," if place and failure in ("memory_limit", "output_limit") else f", {place}" if place else ""
    return LIMIT_MESSAGES[of_time if failure == "time_limit" else failure].format(seconds=ended.seconds, place=where)


def place_of(line: str, is_own: bool) -> str:
    """Return where something happened: ``in line 3, `weights = ...` ``, of the answer's own cell or of another."""
    return f"in {of_its_cell(line, is_own)}" if line else ""


def judged(exercise: Exercise, seed: int, replies: list[Reply]) -> Verdict:
    """Judge the replies. Errors: CourseError, which names the exercise, if its answers cannot be compared."""
    with naming(exercise):
        return judge(exercise, seed, replies)


def put_questions(
    box: Sandbox, exercise: Exercise, seed: int, checkpoint: int, wants_examples: bool, run: list, alone: bool = False
) -> tuple:
    """Put some of an exercise's questions; return the outcome and the replies. ``run`` are the cells' grade ids."""
    with naming(exercise):
        asked = questions(exercise, seed, checkpoint, wants_examples, alone)
    own_cell = run.index(exercise.name)
    outcome = box.run(asked)
    pairs = zip(outcome.answers, asked.calls, strict=False)
    return outcome, [reply_from(answer, args, wants_examples, own_cell) for answer, (args, _) in pairs]


def is_clear(outcome: Outcome, given: list[Reply]) -> bool:
    """Say whether answers from the copy that all exercises share can be kept: right ones, and the stub's."""
    if not outcome.completed or outcome.missing:
        return False
    return not_attempted(given) or all(reply.is_right for reply in given)


def reply_from(answer: CallAnswer, args: Any, is_example: bool, own_cell: int) -> Reply:
    """Turn the sandbox's answer to a call with ``args`` into a judge's reply.

    On unseen inputs an error's message could reveal them, so only its line is told, and only within the answer's cell.
    """
    is_own = answer.cell == own_cell
    place = place_of(answer.line, is_own) if is_example or is_own else ""
    shown = ""
    if answer.error:
        said = answer.error[1].strip() if is_example else ""
        shown = f"{said} ({place})" if said and place else said or place
    after = args if answer.arguments is None else answer.arguments
    return Reply(Answer(answer.value, answer.error, raised=answer.raised), after, shown, place if is_example else "")


def undefined(exercise: Exercise, cells: list[Ran], explainer: Explainer) -> Verdict:
    """Return the verdict on a function that does not exist when its test cell runs."""
    if exercise.name in explainer.rebuilt.absent:
        return unanswered(exercise, "not_attempted", f"`{exercise.name}` was not in the notebook that you received.")
    own = [ran for ran in cells if ran.piece.grade_id == exercise.name]
    for ran in own:
        if ran.status in LIMIT_MESSAGES:
            place = f"in {ran.line}" if ran.line else ""
            return unanswered(exercise, ran.status, limit_message(ran, ran.status, place))
    errors = [output for ran in own for output in ran.outputs if output["output_type"] == "error"]
    if errors:
        error = explainer.error_of_definition(exercise.name, errors)
        why = explainer.undefined((error["ename"], error["evalue"]), exercise.name) or explainer.other_python(error)
        reason = f"a line of its cell fails with {full_error(error)}{f' ({why})' if why else ''}"
    else:
        reason = explainer.missing(exercise.name) or explainer.instead(exercise.name) or "no cell defines it"
    if errors and errors[-1]["ename"] == "ModuleNotFoundError" and unavailable.MODULES not in reason:
        reason += f": {unavailable.MODULES}"
    return unanswered(exercise, "error", f"{DOES_NOT_EXIST.format(exercise.name)}: {reason}.")
