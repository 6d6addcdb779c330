"""Puts the questions of all exercises to a student's functions: in which order, and in which copy of the notebook."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum

from autograder.diagnosis.compare import Answer
from autograder.diagnosis.exercise import Exercise
from autograder.diagnosis.judge import mark_right_replies, not_attempted
from autograder.diagnosis.questions import Question, Reply, questions_of
from autograder.errors import CourseError
from autograder.sandbox import Calls, Outcome, Sandbox
from autograder.sandbox.host.outcome import CallAnswer, Noted

from .result import failure_of
from .where import place_to_tell


class Stage(Enum):
    """What is asked in one go: the worked examples, whose answers are shown, and then all that is hidden."""

    EXAMPLES = "examples"
    HIDDEN = "hidden"


@dataclass
class Examination:
    """One exercise while its function is asked its questions, and what came of that.

    ``checkpoint`` is the number of its test, ``own_cell`` that of its answer's cell. ``ending`` is the outcome after
    which nothing more was asked, if there was one, and ``ended_at`` its stage. ``noted`` was met at worked examples:
    elsewhere, which of many lines was met could tell what was asked. ``has_own_copy``: it was asked in a copy of the
    notebook for it alone, where it stays.
    """

    exercise: Exercise
    questions: tuple[Question, ...]
    checkpoint: int
    own_cell: int
    replies: list[Reply] = field(default_factory=list)
    noted: tuple[Noted, ...] = ()
    ending: Outcome | None = None
    ended_at: Stage = Stage.EXAMPLES
    has_own_copy: bool = False

    def part(self, stage: Stage) -> list[Question]:
        """Return the questions of one stage."""
        return [question for question in self.questions if question.is_example is (stage is Stage.EXAMPLES)]

    def record(self, stage: Stage, outcome: Outcome, replies: list[Reply]) -> None:
        """Keep what came of a stage."""
        self.replies += replies
        if stage is Stage.EXAMPLES:
            self.noted = outcome.noted
        if failure_of(outcome) or outcome.missing:
            self.ending, self.ended_at = outcome, stage


def examinations_of(exercises: Sequence[Exercise], seed: int, cell_ids: list[str]) -> list[Examination]:
    """Draw the questions of all exercises, in the order of their tests; ``cell_ids`` are those of the code cells."""
    examinations = []
    for checkpoint, exercise in enumerate(exercises):
        with as_course_error(exercise):
            questions = questions_of(exercise, seed)
        examinations.append(Examination(exercise, questions, checkpoint, cell_ids.index(exercise.name)))
    return examinations


def ask_all(box: Sandbox, examinations: Sequence[Examination]) -> None:
    """Put every exercise's questions to its function, and record the replies.

    All worked examples come first: their answers are shown, so nothing may have been asked before them.
    A function that exceeded its time or memory is not asked again.
    """
    for stage in Stage:
        unclear = []
        for one in examinations:
            if one.ending is None:
                is_settled = _ask_in_shared_copy(box, one, stage)
                if not is_settled:
                    unclear.append(one)
        for one in unclear:  # last: each change from one copy to another clears files away
            _ask_in_own_copy(box, one, stage)


def _ask_in_shared_copy(box: Sandbox, examination: Examination, stage: Stage) -> bool:
    """Ask in the copy of the notebook that all exercises share, and say whether that settles it.

    What used up its time or its memory is not asked again: it would use up as much once more. What ended Python may
    have been another exercise's doing, and is.
    """
    if examination.has_own_copy:
        return False
    outcome, replies = _put_questions(box, examination, stage)
    if outcome.completed and not outcome.missing:
        with as_course_error(examination.exercise):
            replies = mark_right_replies(examination.exercise, examination.part(stage), replies)
    if not (outcome.time_limit or outcome.memory_limit or _is_clear(outcome, replies)):
        return False
    examination.record(stage, outcome, replies)
    return True


def _ask_in_own_copy(box: Sandbox, examination: Examination, stage: Stage) -> None:
    """Ask in a copy of the notebook for this exercise alone: another one may be the cause of what is wrong."""
    if stage is Stage.HIDDEN and not examination.has_own_copy:
        # The shared copy has given the replies to the examples; here they only have to come first, as there.
        _put_questions(box, examination, Stage.EXAMPLES, alone=True)
    examination.has_own_copy = True
    examination.record(stage, *_put_questions(box, examination, stage, alone=True))


def _put_questions(
    box: Sandbox, examination: Examination, stage: Stage, alone: bool = False
) -> tuple[Outcome, list[Reply]]:
    """Put the questions of one stage; return the outcome and the replies."""
    questions = examination.part(stage)
    calls = [(question.case.args, question.case.kwargs) for question in questions]
    outcome = box.run(Calls(examination.exercise.name, calls, examination.checkpoint, alone))
    pairs = zip(outcome.answers, questions, strict=False)  # a failure may have no answers
    return outcome, [_reply_from(answer, question, examination.own_cell) for answer, question in pairs]


def _is_clear(outcome: Outcome, replies: list[Reply]) -> bool:
    """Say whether answers from the copy that all exercises share can be kept: right ones, and the stub's."""
    if not outcome.completed or outcome.missing:
        return False
    return not_attempted(replies) or all(reply.is_right for reply in replies)


def _reply_from(answer: CallAnswer, question: Question, own_cell: int) -> Reply:
    """Turn the sandbox's answer to a question into a judge's reply.

    On unseen inputs an error's message could reveal them, so only its line is told, if that may be (place_to_tell).
    """
    place = place_to_tell(answer.place, own_cell, question.is_example)
    message = answer.error[1].strip() if answer.error and question.is_example else ""
    words = f"{message} ({place})" if message and place else message or place
    after = question.case.args if answer.arguments is None else answer.arguments
    judged = Answer(answer.value, answer.error, raised=answer.raised)
    return Reply(judged, after, words, place if question.is_example else "")


@contextmanager
def as_course_error(exercise: Exercise) -> Iterator[None]:
    """Turn any error that an exercise's checks raise into a CourseError that names the exercise.

    It must not pass as a wrong answer: without the exercise's points there is no total.
    """
    try:
        yield
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise CourseError(
            f"the checks of {exercise.name} cannot judge an answer, through no fault of it: {said}"
        ) from error
