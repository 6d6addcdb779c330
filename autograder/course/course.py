"""A course's folders, and the contents of one assignment."""

import re
import sys
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode

from autograder import diagnosis
from autograder.diagnosis import saved_functions
from autograder.diagnosis.exercise import Exercise
from autograder.errors import CourseError, NotTaught, UsageError
from autograder.plain import did_you_mean, nearest

from .course_cell import CourseCell, without_hidden_tests
from .hooks import Hooks, hooks_of
from .instructor_changes import cannot_load, with_own_cells, with_own_checks
from .ledger import Ledger, earlier, read_ledger, released_in
from .settings import Settings, as_folder, installed_exercises, pages_in_toc, read_settings

CHAPTER = re.compile(r"\d\d_(?P<stem>[a-z_]+)")
SLIPS = "slips"  # the folder of the book's pages that show where people slip
COURSE_ID = Settings.course_id


@dataclass(frozen=True)
class Course:
    """A course: ``solutions/`` and ``exercises/`` below ``root``, and the package of its exercises."""

    root: Path
    exercises_package: str = field(default_factory=installed_exercises)

    @property
    def settings(self) -> Settings:
        """What the course sets for itself. Errors: CourseError if course.toml cannot be used."""
        return read_settings(self.root)

    @property
    def hooks(self) -> Hooks:
        """What the course's checks offer besides exercises; to load them, Python is told where the course is."""
        self.make_importable()
        return hooks_of(self.exercises_package)

    @property
    def is_installed(self) -> bool:
        """Say whether the course's exercises are those that are installed beside the autograder."""
        return self.exercises_package == installed_exercises()

    def make_importable(self) -> None:
        """Let Python find a package of checks in the course's folder, after everything that is installed."""
        if not self.is_installed and str(self.root) not in sys.path:
            sys.path.append(str(self.root))

    @property
    def solutions(self) -> Path:
        """The folder of the nbgrader sources."""
        return self.root / "solutions"

    @property
    def is_changed(self) -> bool:
        """Say whether the instructor changed what students get: chapters, points, exercises, where links lead."""
        settings = self.settings
        changed = settings.points or settings.address or settings.whole_course or (self.root / "own").is_dir()
        return bool(changed) or self.chapters() != self.every_chapter()

    @property
    def sources(self) -> Path:
        """The folder that nbgrader releases from: ``solutions/``, or what `autograder release` makes of it."""
        return self.root / "_build" / "solutions" if self.is_changed else self.solutions

    @property
    def exercises_folder(self) -> Path:
        """The folder of the released notebooks: ``exercises/``, or below ``_build/`` where upstream has its own there.

        So a `git pull` finds no conflict in what is generated.
        """
        ours = self.is_installed and self.is_changed
        return self.root / "_build" / "exercises" if ours else self.root / "exercises"

    @property
    def ledgers(self) -> Path:
        """The folder of the release ledgers: not beside the notebooks, or students would receive it."""
        return self.root / "releases"

    @cached_property
    def book_url(self) -> str:
        """The published book's address, ending in a slash; "" if none is set.

        It is ``address`` of course.toml or, without it, ``html: baseurl`` of _config.yml.
        Errors: CourseError if one of them cannot be read.
        """
        if self.settings.address:
            return as_folder(self.settings.address)
        try:
            config = yaml.safe_load((self.root / "_config.yml").read_text(encoding="utf-8"))
        except FileNotFoundError:
            return ""
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise CourseError(f"cannot read {self.root / '_config.yml'}: {error}") from error
        return as_folder(str(((config or {}).get("html") or {}).get("baseurl") or ""))

    def is_listed(self, page: str) -> bool:
        """Say whether a page belongs to the course: _toc.yml lists it, or there is no such file."""
        pages = pages_in_toc(self.root)
        return pages is None or page in pages

    def chapters(self) -> list[str]:
        """Return the names of the chapters taught, in order: those of every_chapter() that _toc.yml lists.

        Errors: CourseError if it lists one with neither notebook nor page that is spelled much like one of them, or
        one whose folder of solutions has no notebook of its name.
        """
        every = self.every_chapter()
        self.refuse_misnamed_chapters(every)
        return [name for name in every if self.is_listed(name)]

    def refuse_misnamed_chapters(self, every: list[str]) -> None:
        """Raise CourseError where _toc.yml misspells one of these chapters, or a notebook its folder's name.

        Without this, such a chapter would silently not be taught.
        """
        for page in sorted(pages_in_toc(self.root) or ()):
            if page in every or not CHAPTER.fullmatch(page):
                continue
            if (self.solutions / page).is_dir():
                raise CourseError(f"{self.solutions / page} holds no {page}.ipynb: name the notebook after its folder")
            if not (self.root / "book" / f"{page}.md").exists() and (meant := nearest(page, every)):
                raise CourseError(
                    f"{self.root / '_toc.yml'} lists {page}, but neither solutions/{page}/{page}.ipynb nor "
                    f"book/{page}.md exists: did you mean {meant!r}?"
                )

    def every_chapter(self) -> list[str]:
        """Return the names of all chapters that have a solution notebook, taught or not, in order."""
        found = sorted(path.parent.name for path in self.solutions.glob("*/*.ipynb") if path.stem == path.parent.name)
        return [name for name in found if CHAPTER.fullmatch(name)]

    def numbers_left_out(self) -> frozenset[int]:
        """Return the numbers of the chapters that are not taught, also of those that have a page and no notebook."""
        pages = {path.stem for path in (self.root / "book").glob("*.md") if CHAPTER.fullmatch(path.stem)}
        return frozenset(int(name[:2]) for name in pages.union(self.every_chapter()) if not self.is_listed(name))

    def assignment(self, chapter: str) -> "Assignment":
        """Return one chapter's assignment. Errors: UsageError for a chapter that does not exist; NotTaught."""
        if chapter not in self.chapters():
            known = ", ".join(self.chapters()) or "none"
            if chapter in self.every_chapter():
                raise NotTaught(f"_toc.yml does not list chapter {chapter!r}: expected one of {known}")
            raise UsageError(f"unknown chapter {chapter!r}: {did_you_mean(chapter, self.chapters())}")
        return assignment_of(self, chapter)

    def meant_by(self, word: str) -> "Assignment":
        """Return the assignment that somebody means: by its name, its number, or the beginning of its name.

        Errors: UsageError if there is none, or more than one; NotTaught.
        """
        word, every = word.rstrip("/"), self.every_chapter()
        by_number = [name for name in every if word.isdecimal() and int(word) == int(name[:2])]
        by_name = [name for name in every if word and (name.startswith(word) or stem_of(name).startswith(word))]
        found = [name for name in every if name == word] or by_number or by_name
        if len(found) > 1:
            raise UsageError(f"{word!r} may be any of {', '.join(found)}: write more of it")
        return self.assignment(found[0] if found else word)


@dataclass(frozen=True)
class Assignment:
    """One chapter's exercises: the solution notebook and its checks, which name one another."""

    course: Course
    chapter: str

    def __reduce__(self) -> Any:
        """Pickle by name: exercises hold functions, which the other process loads itself."""
        return assignment_of, (self.course, self.chapter)

    @property
    def stem(self) -> str:
        """The chapter's Python name: its folder's name without the number."""
        return stem_of(self.chapter)

    @property
    def solution_path(self) -> Path:
        """The solution notebook."""
        return self.course.solutions / self.chapter / f"{self.chapter}.ipynb"

    @property
    def source_path(self) -> Path:
        """The notebook that nbgrader releases: the solution notebook, or that with the instructor's own changes."""
        return self.course.sources / self.chapter / self.solution_path.name

    @property
    def released_path(self) -> Path:
        """The released notebook."""
        return self.course.exercises_folder / self.chapter / self.solution_path.name

    @property
    def ledger_path(self) -> Path:
        """The chapter's release ledger."""
        return self.course.ledgers / f"{self.chapter}.txt"

    @cached_property
    def ledger(self) -> Ledger:
        """Everything ever released of this chapter, including exercises/ now: it may have been handed out.

        Errors: CourseError if the file is damaged.
        """
        return read_ledger(self.ledger_path) + released_in(self.released_path, "")

    @cached_property
    def earlier_releases(self) -> Ledger:
        """What was released once and has changed since: the only part of the ledger that can affect an outcome."""
        return earlier(self.ledger, self.cells)

    @cached_property
    def solution(self) -> NotebookNode:
        """The solution notebook, as read from its file. Errors: CourseError if it cannot be read."""
        try:
            return nbformat.read(self.solution_path, as_version=4)
        except Exception as error:
            raise CourseError(
                f"cannot read {self.solution_path}: {error}. Open it in JupyterLab and save it again"
            ) from error

    @cached_property
    def notebook(self) -> NotebookNode:
        """The solution notebook with the instructor's own changes. Errors: CourseError if something cannot be read."""
        return with_own_cells(self.solution, self.course.root, self.stem, self.course.settings.points)

    @property
    def has_own_cells(self) -> bool:
        """Say whether the instructor changed the solution notebook's exercises or their points."""
        return self.notebook is not self.solution

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        """The chapter's exercises by name, with their points, in the order of the notebook's test cells.

        Test cells are saved and asked by number, so everything else relies on this order.
        Errors: CourseError if the chapter has no checks, if they cannot be loaded, or disagree with the notebook.
        """
        exercises = self.load_course_exercises()
        points = {
            cell.metadata.nbgrader.grade_id.removeprefix("test_"): cell.metadata.nbgrader.points
            for cell in self.notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade")
        }
        exercises = with_own_checks(exercises, self.course.root, self.stem)
        dropped = {name for name, worth in self.course.settings.points.items() if worth == 0}
        exercises = {name: exercise for name, exercise in exercises.items() if name not in dropped}
        self.refuse_unmatched(exercises, points)
        return {name: exercises[name].worth(points[name]) for name in points}

    @property
    def package(self) -> str:
        """The Python package of the chapter's checks."""
        return f"{self.course.exercises_package}.{self.stem}"

    def load_course_exercises(self) -> dict[str, Exercise]:
        """Import the course's exercises of the chapter, ``{name: Exercise}``, without the instructor's changes.

        Errors: CourseError if the chapter has no checks, or they cannot be loaded.
        """
        self.course.make_importable()
        try:
            return diagnosis.exercises_in(self.course.exercises_package, self.stem)
        except Exception as error:
            if isinstance(error, ModuleNotFoundError) and error.name in (self.package, self.course.exercises_package):
                raise CourseError(
                    f"{self.solution_path} has no checks: expected a package {self.package}, {error}"
                ) from error
            raise cannot_load(self.course.root / self.package.replace(".", "/"), error) from error

    def refuse_unmatched(self, exercises: Collection[str], tests: Collection[str]) -> None:
        """Raise CourseError where an exercise has no test cell, or a test cell no exercise."""
        package = self.package
        lacking = [f"the cell test_{name} has no module {package}.{name}" for name in tests if name not in exercises]
        lacking += [f"the module {package}.{name} has no cell test_{name}" for name in exercises if name not in tests]
        if lacking:
            raise CourseError(f"{self.solution_path}: {'; '.join(lacking)}: add what is missing")

    @cached_property
    def cells(self) -> dict[str, CourseCell]:
        """The notebook's nbgrader cells in order, as ``{grade_id: CourseCell}``; solution cells hold the stub.

        Errors: CourseError if a cell is not one of nbgrader's.
        """
        found = {}
        for cell in self.notebook.cells:
            if "grade_id" not in cell.metadata.get("nbgrader", {}):
                raise CourseError(
                    f"expected an nbgrader id on every cell of {self.solution_path}, got none on {cell.source[:40]!r}: "
                    "lock the cell in JupyterLab's nbgrader panel, or delete it"
                )
            grade_id = cell.metadata.nbgrader.grade_id
            exercise = self.exercises[grade_id.removeprefix("test_")] if cell.metadata.nbgrader.grade else None
            found[grade_id] = CourseCell(grade_id, cell, without_hidden_tests(cell.source), exercise)
        return found

    @cached_property
    def given(self) -> dict[str, Any]:
        """What the locked ``given…`` cells define, as the checks know it, ``{name: function or value}``."""
        sources = [self.cells[name].source for name in self.cells if name.startswith("given")]
        known = self.course.hooks.given
        return {name: known[name] for name in saved_functions.bound_by("\n".join(sources)) if name in known}

    def is_answer(self, grade_id: str) -> bool:
        """Say whether students fill this cell in, graded or not."""
        return grade_id in self.answers

    @cached_property
    def answers(self) -> set[str]:
        """The ids of the cells that students fill in; cached, because every cell of every submission asks."""
        unlocked = {name for name, known in self.cells.items() if not known.cell.metadata.nbgrader.locked}
        return unlocked | {name for name in self.cells if self.is_solution(name)}

    def is_solution(self, grade_id: str) -> bool:
        """Say whether students fill this cell in for a grade."""
        return self.cells[grade_id].cell.metadata.nbgrader.solution

    def is_text(self, grade_id: str) -> bool:
        """Say whether this cell is markdown."""
        return self.cells[grade_id].cell.cell_type != "code"

    @property
    def max_score(self) -> float:
        """All points together."""
        return float(sum(exercise.points for exercise in self.exercises.values()))

    @cached_property
    def page_source(self) -> str:
        """The source of the chapter's page in the book; "" if it has none."""
        path = self.course.root / "book" / f"{self.chapter}.md"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    @property
    def slips_page(self) -> str:
        """The page of the book that has a row for each listed mistake; "" if there is none.

        The book makes one beside each chapter's page that offers its assignment, unless rows are written there.
        """
        if "{#slip-" in self.page_source:
            return self.chapter
        return f"{SLIPS}/{self.chapter}" if "```{assignment}" in self.page_source else ""

    def shows_slip(self, mistake_id: str) -> bool:
        """Say whether the book has a row for a listed mistake, written by hand or by the book."""
        is_by_hand = self.slips_page == self.chapter
        return f"{{#slip-{hyphenated(mistake_id)}}}" in self.page_source if is_by_hand else bool(self.slips_page)

    def slip(self, mistake_id: str) -> str:
        """Return the address of a mistake's row in the published book; "" if it has no row, or the book no address."""
        is_published = self.course.book_url and self.shows_slip(mistake_id)
        return f"{self.course.book_url}{self.slips_page}.html#slip-{hyphenated(mistake_id)}" if is_published else ""

    def read_released_code(self) -> list[str]:
        """Return the code cells of the released notebook. Errors: CourseError if it cannot be read."""
        path = self.released_path
        try:
            return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
        except Exception as error:
            raise CourseError(f"cannot read {path}: run `autograder release {self.chapter}` ({error})") from error

    def companions(self) -> dict[str, str]:
        """Return the released files beside the notebook as ``{name: text}``: a submission may import them."""
        folder = self.course.exercises_folder / self.chapter
        files = [path for path in sorted(folder.glob("*")) if path.is_file() and path.suffix in (".py", ".json")]
        texts = {path.name: path.read_text(encoding="utf-8") for path in files}
        if "selfcheck.py" not in texts:
            raise CourseError(f"{folder} holds no selfcheck.py: run `autograder release {self.chapter}` first")
        return texts


def stem_of(chapter: str) -> str:
    """Return a chapter's Python name: ``doubling`` for ``01_doubling``."""
    return chapter.partition("_")[2]


def hyphenated(mistake_id: str) -> str:
    """Return a mistake's id as in anchors of the book's HTML."""
    return mistake_id.replace("_", "-")


@cache
def assignment_of(course: Course, chapter: str) -> Assignment:
    """Return one chapter's assignment, cached per process."""
    return Assignment(course, chapter)
