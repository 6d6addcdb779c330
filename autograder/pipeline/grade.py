"""Grade: a submission goes in, a result comes out. Student code runs in the sandbox, the judging happens here."""

import hashlib
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context

from autograder import sandbox
from autograder.checks.compare import Answer
from autograder.checks.judge import Reply, Verdict, copied, judge, unanswered
from autograder.errors import InfrastructureError, InvalidSubmission
from autograder.sandbox import Calls, Cell, Limits, Outcome, Sandbox

from . import intake
from .course import Assignment

SEVERITY = ("time_limit", "memory_limit", "crashed", "output_limit", "error")
ATTEMPTS = 2
WORDS = {
    "time_limit": "Stopped after {seconds:.0f} seconds. Is there a loop that never ends?",
    "memory_limit": "Stopped because it asked for too much memory. Is an array much larger than it should be?",
    "crashed": "Python itself ended while this ran. Does the code leave Python (os._exit, ctypes, a signal)?",
    "output_limit": "Stopped because it printed more than anyone can read. Is there a print inside a loop?",
}


@dataclass(frozen=True)
class Ran:
    """One cell of the graded notebook, with what it showed."""

    piece: intake.Piece
    outputs: tuple[dict, ...] = ()
    status: str = ""


@dataclass(frozen=True)
class Result:
    """All that is known about one graded submission."""

    assignment: str
    status: str
    score: float
    max_score: float
    tampered: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    message: str = ""
    cells: tuple[Ran, ...] = field(default=(), repr=False)
    level: str = ""
    seed: int = 0
    submission_hash: str = ""
    seconds: float = 0.0

    def as_dict(self):
        """Return what ``--json`` prints."""
        return {
            "assignment": self.assignment,
            "status": self.status,
            "score": self.score,
            "max_score": self.max_score,
            "tampered": list(self.tampered),
            "message": self.message,
            "exercises": [verdict.as_dict() for verdict in self.verdicts],
        }


def grade_notebook(
    assignment: Assignment, path, seed: int, limits: Limits | None = None, protected: bool = True
) -> Result:
    """Grade one notebook file. A submission that cannot be read, and a sandbox that fails, are results too."""
    started = time.monotonic()
    facts = {"assignment": assignment.chapter, "max_score": assignment.max_score, "seed": seed}
    try:
        pieces, tampered = intake.rebuild(assignment, intake.read(path))
        facts["submission_hash"] = hashlib.sha256(path.read_bytes()).hexdigest()
    except InvalidSubmission as error:
        return Result(**facts, status="invalid_submission", score=0.0, message=str(error))
    try:
        cells, verdicts = patiently(assignment, pieces, seed, limits or Limits(), protected)
        facts["level"] = sandbox.level(protected)
    except InfrastructureError as error:
        return Result(**facts, status="infrastructure", score=0.0, message=str(error))
    return Result(
        **facts,
        status=status_of(verdicts, tampered),
        score=round(sum(verdict.score for verdict in verdicts), 2),
        tampered=tuple(tampered),
        verdicts=tuple(verdicts),
        cells=tuple(cells),
        seconds=time.monotonic() - started,
    )


def status_of(verdicts, tampered):
    """Name what an instructor should look at first."""
    if tampered:
        return "tampered"
    statuses = {verdict.status for verdict in verdicts}
    if statuses == {"not_attempted"}:
        return "not_attempted"
    return next((status for status in SEVERITY if status in statuses), "graded")


def patiently(assignment, pieces, seed, limits, protected):
    """Run and judge; where the sandbox itself fails, try once more."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return run_and_judge(assignment, pieces, seed, limits, protected)
        except InfrastructureError:
            if attempt == ATTEMPTS:
                raise


def run_and_judge(assignment, pieces, seed, limits, protected):
    """Run every cell in order. At each test cell, ask the function its questions as it is at that moment."""
    cells, verdicts, statuses = [], [], {}
    with Sandbox(limits, protected) as box:
        box.start(assignment.companions())
        for piece in pieces:
            outcome = box.run(Cell(piece.source)) if piece.cell_type == "code" else Outcome(completed=True)
            statuses[piece.grade_id] = status_of_cell(outcome)
            cells.append(Ran(piece, outcome.outputs, statuses[piece.grade_id]))
            if piece.kind == "test":
                exercise = assignment.cells[piece.grade_id].exercise
                verdicts.append(ask_and_judge(box, exercise, seed, cells, statuses.get(exercise.name, "")))
    return cells, verdicts


def status_of_cell(outcome):
    """Name how a cell ended; "" is the ordinary end."""
    failed = next((status for status in SEVERITY if getattr(outcome, status, False)), "")
    raised = any(output["output_type"] == "error" for output in outcome.outputs)
    return failed or ("error" if raised else "")


def ask_and_judge(box, exercise, seed, cells, cell_status):
    """Put an exercise's questions to the student's function, and judge what comes back."""
    questions = exercise.questions(seed)
    outcome = box.run(Calls(exercise.name, [(copied(case), case.kwargs) for _, case in questions]))
    failed = next((status for status in SEVERITY if getattr(outcome, status, False)), "")
    if failed:
        return unanswered(exercise, failed, WORDS[failed].format(seconds=outcome.seconds))
    if outcome.missing:
        return undefined(exercise, cells, cell_status, box.limits.step_seconds)
    replies = [reply_from(answer, criterion) for (criterion, _), answer in zip(questions, outcome.answers, strict=True)]
    return judge(exercise, seed, replies)


def reply_from(answer, criterion):
    """Turn a sandbox answer into a judge's reply. An error's own text could carry unseen inputs out, so it stays in."""
    shown = ""
    if answer.error:
        place = f"in {answer.line}" if answer.line else ""
        shown = f"{answer.error[1]} ({place})" if criterion == "example" and place else answer.error[1]
        shown = shown if criterion == "example" else place
    return Reply(Answer(answer.value, answer.error), answer.arguments, shown)


def undefined(exercise, cells, cell_status, seconds):
    """Return the verdict on a function that does not exist when its test cell runs."""
    if cell_status in WORDS:
        return unanswered(exercise, cell_status, WORDS[cell_status].format(seconds=seconds))
    own = [ran for ran in cells if ran.piece.grade_id == exercise.name]
    errors = [output for ran in own for output in ran.outputs if output["output_type"] == "error"]
    reason = f"its cell stops with {errors[-1]['ename']}: {errors[-1]['evalue']}" if errors else "no cell defines it"
    if errors and errors[-1]["ename"] in ("ModuleNotFoundError", "ImportError"):
        reason += ". Only NumPy and Matplotlib can be imported here"
    return unanswered(exercise, "error", f"`{exercise.name}` does not exist when its test runs: {reason}.")


def grade_all(tasks, jobs):
    """Grade ``(key, arguments of grade_notebook)`` pairs, yielding ``(key, Result)`` as each is finished."""
    if jobs == 1:
        for key, arguments in tasks:
            yield key, grade_safely(arguments)
        return
    # Spawned, not forked: a fork of a process with threads can stop for ever.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(grade_safely, arguments): key for key, arguments in tasks}
        for done in as_completed(waiting):
            yield waiting[done], done.result()


def grade_safely(arguments):
    """Grade one submission; whatever goes wrong in our own code is an infrastructure failure of this one alone."""
    assignment, path = arguments[:2]
    try:
        return grade_notebook(*arguments)
    except Exception as error:
        return Result(
            assignment.chapter,
            "infrastructure",
            0.0,
            assignment.max_score,
            message=f"{type(error).__name__}: {error} ({path.name})",
        )
