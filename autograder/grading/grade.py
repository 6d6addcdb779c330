"""Grades one submission: the student's code runs in the sandbox, and the judging happens here.

Each function does one thing, and calls the next:

    Grader.grade            reads the file
    Grader.grade_bytes      turns every error into a result
    Grader._result_of       rebuilds the notebook, and leaves nothing of it in the sandbox
    Grader._result_of_run   makes the result
    Grader._run_with_retry  runs it once more if the sandbox fails
    run_and_judge           runs the cells, puts the questions, judges the replies
"""

import hashlib
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from autograder import sandbox
from autograder.course.course import Assignment
from autograder.diagnosis.exercise import Exercise
from autograder.diagnosis.verdict import Verdict
from autograder.errors import CourseError, InfrastructureError, InvalidSubmission
from autograder.plain import clean
from autograder.sandbox import Cell, Limits, Outcome, Sandbox

from . import intake
from .ask import ask_all, examinations_of
from .fingerprint import behaviours
from .missing_names import Explainer, describe_restored, notes_on_own_cells
from .notebook_python import python_version
from .rebuild import Rebuilt, RebuiltCell, rebuild
from .remarks import with_remarks
from .result import Ran, Result, failed, failure_of, invalid, status_of
from .verdicts import verdict_on
from .which_chapter import refuse_without_exercises

SAVE = "save"  # the id of the cell that keeps a student's functions in a file


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
            return self._result_of(data)
        except InvalidSubmission as error:
            return invalid(self.assignment, error)
        except (InfrastructureError, CourseError) as error:
            return failed(self.assignment, error)
        except Exception as error:
            return failed(self.assignment, f"{type(error).__name__}: {error}")

    def _result_of(self, data: bytes) -> Result:
        """Rebuild and grade a notebook. Errors: InvalidSubmission; InfrastructureError if the sandbox fails twice."""
        started = time.monotonic()
        submitted = intake.cells_of(data)
        refuse_without_exercises(self.assignment, submitted)
        rebuilt = replace(rebuild(self.assignment, submitted), python=partial(python_version, data))
        try:
            return self._result_of_run(rebuilt, seed_of(self.seed, data), started)
        finally:
            self.box.end()

    def _result_of_run(self, rebuilt: Rebuilt, seed: int, started: float) -> Result:
        """Run a rebuilt notebook and describe all that came of it. Errors: InfrastructureError."""
        cells, verdicts = self._run_with_retry(rebuilt, seed)
        faults = {verdict.name: [*verdict.faults] for verdict in verdicts}
        # It runs last, for no mark, status or message depends on it; it adds its own faults to these.
        descriptions = behaviours(self.box, self.assignment, verdicts, faults)
        return Result(
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
            behaviours=descriptions,
            faults={name: tuple(some) for name, some in faults.items() if some},
            refused=self.box.refused,
            without_ids=rebuilt.without_ids,
        )

    def _run_with_retry(self, rebuilt: Rebuilt, seed: int) -> tuple[list[Ran], list[Verdict]]:
        """Run and judge; if the sandbox itself fails, retry once in a new one.

        A sandbox that fails has stopped itself when it raises the error, so the second start makes a new one.
        """
        try:
            return run_and_judge(self.box, self.assignment, rebuilt, seed)
        except InfrastructureError:
            return run_and_judge(self.box, self.assignment, rebuilt, seed)


def seed_of(run_seed: int, data: bytes) -> int:
    """Return the seed of one submission's unseen inputs, derived from the run's seed and the submission's bytes.

    So the questions of one submission help no other, not even the same student's next one.
    """
    digest = hashlib.sha256(f"{run_seed} ".encode() + data).digest()
    return int.from_bytes(digest[:8]) >> 1  # 63 bits, as many as the seed of a run has


def run_and_judge(box: Sandbox, assignment: Assignment, rebuilt: Rebuilt, seed: int) -> tuple[list[Ran], list[Verdict]]:
    """Run the cells in order, then put the questions.

    A test cell is not run. It makes a checkpoint, so that its questions can be put to the functions as they are at that
    moment. They are put only after all cells have run, so that no cell can print what a function was asked.
    """
    cells = []
    box.start()
    for piece in rebuilt.pieces:
        outcome = box.run(step_for(piece)) if piece.cell_type == "code" else Outcome(completed=True)
        cells.append(ran_cell(piece, outcome))
    cell_ids = [ran.piece.grade_id for ran in cells if ran.piece.cell_type == "code"]
    examinations = examinations_of(exercises_tested(assignment, cells), seed, cell_ids)
    ask_all(box, examinations)
    explainer = Explainer(rebuilt, cells, {one.exercise.name: one.noted for one in examinations})
    verdicts = [verdict_on(one, explainer) for one in examinations]
    return cells, with_remarks(box, assignment, explainer, verdicts)


def exercises_tested(assignment: Assignment, cells: list[Ran]) -> list[Exercise]:
    """Return the exercises of a notebook's test cells, in order: one each, for that is what makes a cell a test.

    So the first exercise, the first verdict and the first checkpoint belong together, and so on.
    """
    tests = [assignment.cells[ran.piece.grade_id] for ran in cells if ran.piece.kind == "test"]
    return [cell.exercise for cell in tests if cell.exercise]


def ran_cell(piece: RebuiltCell, outcome: Outcome) -> Ran:
    """Return a cell with what came of it."""
    return Ran(
        piece,
        outputs=outcome.outputs,
        status=status_of_cell(outcome),
        seconds=outcome.seconds,
        place=outcome.place,
        passed=outcome.passed,
        noted=outcome.noted,
    )


def step_for(piece: RebuiltCell) -> Cell:
    """Return the sandbox step for a code cell. A cell that saves a student's functions does nothing here."""
    if piece.grade_id == SAVE:
        return Cell("")
    defines = piece.grade_id if piece.kind == "answer" else ""
    return Cell("", checkpoint=True) if piece.kind == "test" else Cell(piece.source, defines=defines)


def status_of_cell(outcome: Outcome) -> str:
    """Name how a cell ended; "" for normally."""
    raised = any(output["output_type"] == "error" for output in outcome.outputs)
    return failure_of(outcome) or ("error" if raised else "")
