"""Grade: a submission goes in, a result comes out. Student code runs in the sandbox, the judging happens here."""

import hashlib
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context

from autograder import sandbox
from autograder.checks.compare import Answer
from autograder.checks.judge import Reply, Verdict, copied, judge, unanswered
from autograder.errors import InfrastructureError, InvalidSubmission
from autograder.sandbox import Calls, Cell, Hold, Limits, Outcome, Sandbox, clean

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
        data = intake.file_bytes(path)
        facts["submission_hash"] = hashlib.sha256(data).hexdigest()
        pieces, tampered = intake.rebuild(assignment, intake.cells_of(data))
    except InvalidSubmission as error:
        return Result(**facts, status="invalid_submission", score=0.0, message=clean(error))
    try:
        cells, verdicts = patiently(assignment, pieces, seed, limits or Limits(), protected)
        facts["level"] = sandbox.level(protected)
    except InfrastructureError as error:
        return Result(**facts, status="infrastructure", score=0.0, message=clean(error))
    return Result(
        **facts,
        status=status_of(verdicts, tampered),
        score=round(sum(verdict.score for verdict in verdicts), 2),
        tampered=tuple(map(clean, tampered)),
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
    """Run every cell in order, then put the questions.

    At each test cell the notebook is held as it is at that moment. Questions are asked only when all cells have run:
    no cell can print what a function was asked.
    """
    cells, statuses = [], {}
    with Sandbox(limits, protected) as box:
        box.start(assignment.companions())
        for piece in pieces:
            outcome = box.run(Cell(piece.source)) if piece.cell_type == "code" else Outcome(completed=True)
            statuses[piece.grade_id] = status_of_cell(outcome)
            cells.append(Ran(piece, outcome.outputs, statuses[piece.grade_id]))
            if piece.kind == "test":
                box.run(Hold())
        return cells, ask_and_judge(box, assignment, pieces, cells, statuses, seed)


def status_of_cell(outcome):
    """Name how a cell ended; "" is the ordinary end."""
    failed = next((status for status in SEVERITY if getattr(outcome, status, False)), "")
    raised = any(output["output_type"] == "error" for output in outcome.outputs)
    return failed or ("error" if raised else "")


def ask_and_judge(box, assignment, pieces, cells, statuses, seed):
    """Put every exercise's questions to the student's functions, and judge what comes back.

    All worked examples come first. Their answers are shown, so nothing may have been asked before them.
    """
    tested = [assignment.cells[piece.grade_id].exercise for piece in pieces if piece.kind == "test"]
    run = [piece.grade_id for piece in pieces if piece.cell_type == "code"]
    replies, failures = {exercise.name: [] for exercise in tested}, {}
    for wants_examples in (True, False):
        for held, exercise in enumerate(tested):
            if exercise.name in failures:
                continue
            asked = [case for name, case in exercise.questions(seed) if (name == "example") is wants_examples]
            outcome = box.run(Calls(exercise.name, [(copied(case), case.kwargs) for case in asked], held))
            failed = next((status for status in SEVERITY if getattr(outcome, status, False)), "")
            if failed:
                message = WORDS[failed].format(seconds=outcome.seconds)
                failures[exercise.name] = unanswered(exercise, failed, message)
            elif outcome.missing:
                failures[exercise.name] = undefined(exercise, cells, statuses.get(exercise.name, ""), box.limits)
            own_cell = run.index(exercise.name)
            replies[exercise.name] += [reply_from(answer, wants_examples, own_cell) for answer in outcome.answers]
    return [failures.get(exercise.name) or judge(exercise, seed, replies[exercise.name]) for exercise in tested]


def reply_from(answer, is_example, own_cell):
    """Turn a sandbox answer into a judge's reply.

    On unseen inputs an error's own text could carry them out, so only the line is told, if it is in the answer's cell.
    """
    place = f"in {answer.line}" if answer.line and (is_example or answer.cell == own_cell) else ""
    shown = ""
    if answer.error:
        shown = f"{answer.error[1]}{f' ({place})' if place else ''}" if is_example else place
    return Reply(Answer(answer.value, answer.error), answer.arguments, shown)


def undefined(exercise, cells, cell_status, limits):
    """Return the verdict on a function that does not exist when its test cell runs."""
    if cell_status in WORDS:
        return unanswered(exercise, cell_status, WORDS[cell_status].format(seconds=limits.step_seconds))
    own = [ran for ran in cells if ran.piece.grade_id == exercise.name]
    errors = [output for ran in own for output in ran.outputs if output["output_type"] == "error"]
    reason = f"its cell stops with {errors[-1]['ename']}: {errors[-1]['evalue']}" if errors else "no cell defines it"
    if errors and errors[-1]["ename"] in ("ModuleNotFoundError", "ImportError"):
        reason += ". Only NumPy and Matplotlib can be imported here"
    return unanswered(exercise, "error", f"`{exercise.name}` does not exist when its test runs: {reason}.")


def grade_all(tasks, jobs):
    """Grade ``(key, arguments of grade_notebook)`` pairs, yielding ``(key, Result)`` as each is finished.

    Where a process of ours is killed, whatever it was at is tried again, each in a process of its own.
    """
    left = dict(tasks)
    if jobs == 1:
        for key, arguments in tasks:
            yield key, grade_safely(*arguments)
        return
    for key, result in in_pool(left, jobs):
        del left[key]
        yield key, result
    for key, arguments in left.items():
        alone = dict(in_pool({key: arguments}, 1))
        yield (
            key,
            alone.get(key) or failed(arguments[0], "the grading process was killed twice: is memory short?"),
        )


def in_pool(tasks, jobs):
    """Grade in processes of our own until all is done or one of them is killed."""
    # Spawned, not forked: a fork of a process with threads can stop for ever.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(grade_safely, *arguments): key for key, arguments in tasks.items()}
        for done in as_completed(waiting):
            with suppress(BrokenProcessPool):
                yield waiting[done], done.result()


def grade_safely(assignment, path, seed, limits, protected, folders=0):
    """Grade one submission; whatever goes wrong in our own code is an infrastructure failure of this one alone.

    ``folders`` is how many of the folders above the notebook belong to the student and must be no links.
    """
    try:
        intake.refuse_links(path, folders)
        return grade_notebook(assignment, path, seed, limits, protected)
    except InvalidSubmission as error:
        return Result(assignment.chapter, "invalid_submission", 0.0, assignment.max_score, message=clean(error))
    except Exception as error:
        return failed(assignment, f"{type(error).__name__}: {error}")


def failed(assignment, message):
    """Return the result of a failure on our side: no mark, and a reason."""
    return Result(assignment.chapter, "infrastructure", 0.0, assignment.max_score, message=clean(message))
