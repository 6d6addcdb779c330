"""Finds answers that equal public ones, token by token: the course's solutions, its reference, what it hands out.

Layout, comments, texts and own names do not matter. Who wrote the same without looking cannot be told from who did.
The cells of the exercises are read first, then those that were added, up to the limits of the comparison of students.
"""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograder.classroom.classroom import ClassRoom
from autograder.course.course import Assignment
from autograder.course.derived_text import SOLUTION_MARKS
from autograder.diagnosis.exercise import Exercise

from .report_names import ReportNames
from .similar import MAX_TOKENS, code_cells, first_part
from .tokens import normalised

# Of 1,139 plausible wrong answers, written from the exercises alone, the longest that equals a solution
# but for its names has 49 tokens, and the longest that two people wrote has 56.
SHORTEST = 60  # tokens
MANY = 1 / 3  # of a class: who wrote the same is then not listed
ADDED = ""  # in place of an exercise: the cells that a student added
SOLUTION, REFERENCE = "the course's solution", "the course's reference"


@dataclass(frozen=True)
class PublicAnswer:
    """A public piece of code as its tokens, and in words where it stands."""

    where: str
    tokens: str


@dataclass(frozen=True)
class CopiedAnswer:
    """The students whose answer to an exercise, or added cell (``ADDED``), contains the same public code."""

    exercise: str
    where: str
    students: tuple[str, ...]


def copied_answers(classroom: ClassRoom, assignment: Assignment, students: list[str]) -> list[CopiedAnswer]:
    """Return which students' answers contain public code, by exercise, in the notebook's order.

    Errors: CourseError if a released notebook of the course cannot be read.
    """
    public, groups = public_answers(assignment), {}
    for student in students:
        cells = code_cells(classroom, assignment, student)
        sources = first_part([cell["source"] for cell in cells], MAX_TOKENS)
        for cell, source in zip(cells, sources, strict=False):
            if where := in_public(source, public.get(cell["id"], ())):
                groups.setdefault((cell["id"], where), []).append(student)
    order = [*assignment.exercises, ADDED]
    found = sorted(groups.items(), key=lambda group: (order.index(group[0][0]), group[0][1]))
    return [CopiedAnswer(exercise, where, tuple(dict.fromkeys(who))) for (exercise, where), who in found]


def in_public(source: str, public: tuple[PublicAnswer, ...] | list[PublicAnswer]) -> str:
    """Say in which public code an answer, or a part of it, also stands; "" for none."""
    tokens = tokens_in(source) if public else ""
    return " and ".join(dict.fromkeys(one.where for one in public if one.tokens in tokens))


def public_answers(assignment: Assignment) -> dict[str, list[PublicAnswer]]:
    """Return the public code that an answer to each exercise of a chapter may equal.

    Code shorter than SHORTEST is left out, and what the chapter's own notebook hands out.
    """
    here = [tokens_in(source) for source in assignment.read_released_code()]
    elsewhere = [one for one in handed_out_elsewhere(assignment) if not any(one.tokens in text for text in here)]
    answers = {
        name: [one for one in own_answers(assignment, exercise) if is_long(one.tokens)] + elsewhere
        for name, exercise in assignment.exercises.items()
    }
    return {**answers, ADDED: elsewhere}


def own_answers(assignment: Assignment, exercise: Exercise) -> Iterator[PublicAnswer]:
    """Yield the solution and the reference of an exercise, the latter with and without its annotations."""
    solution = SOLUTION_MARKS.sub("", assignment.cells[exercise.name].cell.source)
    yield PublicAnswer(SOLUTION, tokens_in(solution))
    reference = inspect.getsource(inspect.unwrap(exercise.reference))
    yield PublicAnswer(REFERENCE, tokens_in(reference))
    yield PublicAnswer(REFERENCE, tokens_in(without_annotations(reference)))


def handed_out_elsewhere(assignment: Assignment) -> list[PublicAnswer]:
    """Return the functions that other chapters' notebooks contain, and those of all files beside notebooks."""
    texts, course = {}, assignment.course
    for chapter, other in ((chapter, course.assignment(chapter)) for chapter in course.chapters()):
        if not other.released_path.exists():  # its day has not come
            continue
        files = {name: text for name, text in other.companions().items() if name.endswith(".py")}
        texts |= {f"`{name}`": [text] for name, text in files.items()}
        if chapter != assignment.chapter:
            texts[f"the notebook `{chapter}`"] = other.read_released_code()
    public = [
        PublicAnswer(where, tokens_in(function))
        for where, sources in texts.items()
        for source in sources
        for function in functions_in(source)
    ]
    return [one for one in public if is_long(one.tokens)]


def functions_in(source: str) -> list[str]:
    """Return the text of each function on the top level of some code of the course; none if it is not plain Python."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a cell with a magic
        return []
    lines, functions = source.splitlines(), [part for part in body if isinstance(part, ast.FunctionDef)]
    return ["\n".join(lines[part.lineno - 1 : part.end_lineno]) for part in functions]


def without_annotations(source: str) -> str:
    """Return a function's code without its decorators and the types of its arguments and result."""
    function: Any = ast.parse(source).body[0]
    function.returns, function.decorator_list = None, []
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(function)


def tokens_in(source: str) -> str:
    """Return code's tokens in one text, each between blanks; all names but those of Python and NumPy are alike."""
    return f" {' '.join(word for word, _ in normalised(source, set()))} "


def is_long(tokens: str) -> bool:
    """Say whether code is so long that it is rarely written twice."""
    return len(tokens.split()) >= SHORTEST


def copied_rows(people: ReportNames, copied: list[CopiedAnswer], count: int) -> dict[str, list[dict[str, Any]]]:
    """Return ``few``, with the students of each row, and ``many``: what more than a third of ``count`` wrote."""
    rows: dict[str, list[dict[str, Any]]] = {"few": [], "many": []}
    for one in copied:
        row: dict[str, Any] = {"exercise": one.exercise, "where": one.where, "count": len(one.students)}
        if len(one.students) > MANY * count:
            rows["many"].append(row)
        else:
            rows["few"].append(row | {"people": people.links(list(one.students), one.exercise)})
    return rows
