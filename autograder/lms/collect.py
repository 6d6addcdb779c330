"""Sorts notebooks exported from Moodle, Canvas or plain folders into each student's folder.

Whatever is not collected is listed with the reason and the remedy: no hand-in scores 0 because of how it was packed.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

from autograder.classroom.arrival import arrival
from autograder.classroom.classroom import FOLDERS, ClassRoom
from autograder.classroom.gradebook.locks import lock_file
from autograder.classroom.roster import Enrolled, composed, look_alike_key, wrong_login
from autograder.classroom.undecided import UNDECIDED
from autograder.course.course import Course
from autograder.errors import UsageError
from autograder.files import staging_folder
from autograder.grading.answers import cells_by_chapter
from autograder.grading.intake import submission_hash
from autograder.grading.which_chapter import chapters_by_cell
from autograder.plain import join_first, plural, visible

from .candidates import best, candidates, describe, only_chapter
from .collected import MAX_NAMED, HandIn, read_memory, short_path, write_hand_in, write_memory
from .first_arrivals import FirstArrivals
from .lms_numbers import LmsNumbers, proof_of
from .match_student import StudentMatcher
from .people import People
from .platforms import LMS_NAMES, Label
from .scan import Chapters, Item, scan
from .worksheet import describe_unread, read_worksheet

HandIns = dict[tuple[str, str], list[HandIn]]  # {(chapter, login): hand-ins}


@dataclass
class Collected:
    """The outcome: students by chapter, and lines for the instructor."""

    new: dict[str, list[str]] = field(default_factory=dict)  # {chapter: logins}
    replaced: dict[str, list[str]] = field(default_factory=dict)
    unchanged: dict[str, list[str]] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)  # worth knowing
    left: list[str] = field(default_factory=list)  # what was not collected: who or what, why, what to do
    is_cut_short: bool = False  # a folder or zip could not be read to its end

    def by_kind(self) -> dict[str, dict[str, list[str]]]:
        """Return the three kinds of students by their names."""
        return {"new": self.new, "replaced": self.replaced, "unchanged": self.unchanged}

    def chapters(self) -> list[str]:
        """Return the chapters that were found, in order."""
        return sorted(self.new.keys() | self.replaced.keys() | self.unchanged.keys())


@dataclass
class Collector:
    """Reads files and fills ``submitted/``.

    Only notebooks of ``chapter`` are taken if one is given; everything is ``login``'s if that is given. A later hand-in
    replaces existing work; any other work replaces it only with ``write_changes``. ``dry`` writes nothing.
    Errors: UsageError for a missing file; CourseError for a damaged table or ``collected.json``.
    """

    course: Course
    classroom: ClassRoom
    students: tuple[Enrolled, ...] = ()
    chapter: str = ""
    login: str = ""
    write_changes: bool = False
    dry: bool = False
    zone: tzinfo | None = None
    outcome: Collected = field(default_factory=Collected, init=False)
    by_name: dict[str, set[str]] = field(default_factory=dict, init=False)  # known by a display name alone, by LMS

    def collect(self, paths: list[Path]) -> Collected:
        """Collect from all files; tables among them must be Moodle's grading worksheets."""
        if self.login and (wrong := wrong_login(self.login)):
            raise UsageError(f"the login {visible(self.login)[:80]!r} {wrong}")
        tables = [path for path in paths if path.suffix.lower() == ".csv"]
        if missing := next((path for path in paths if not path.exists()), None):
            raise UsageError(f"no file {visible(missing)}: expected a notebook, a zip, a folder or Moodle's worksheet")
        if paths and len(tables) == len(paths):
            raise UsageError(
                f"nothing to collect in {join_first(map(visible, tables), MAX_NAMED)}: expected the zip of Moodle's "
                "Download all submissions, or a folder, beside the worksheet"
            )
        rows = {number: row for path in tables for number, row in read_worksheet(path, self.zone).items()}
        self.people = People(self.students, rows)
        self.matcher = StudentMatcher(self.people, self.course.chapters(), self.login)
        with lock_file(self.classroom.root / ".collecting.lock", f"in {self.classroom.root}", "autograder collect"):
            self.memory = read_memory(self.classroom)
            self.numbers = LmsNumbers(self.people, self.memory, self.write_changes)
            self.spellings = spellings_in(self.classroom)
            with staging_folder(self.classroom.root, ".collecting-") as staging:
                self.collect_staged([path for path in paths if path not in tables], staging)
            if not self.dry:
                write_memory(self.classroom, self.memory)
        self.tell_missing()
        self.tell_names()
        self.outcome.told += describe_unread(rows)
        self.tell_timeless()
        return self.outcome

    def collect_staged(self, paths: list[Path], staging: Path) -> None:
        """Read all files, then write each student's chosen hand-in."""
        chapters = Chapters(chapters_by_cell(self.course), cells_by_chapter(self.course))
        self.arrivals = FirstArrivals(self.classroom, self.memory, chapters.cells, staging)
        found: HandIns = {}
        for number, path in enumerate(paths):
            items = scan(path, staging / str(number), chapters)
            if not items:
                self.outcome.left.append(f"{short_path([path.name])}: nothing in it. Export it again")
            self.assign_to_students(items, path, number, found)
        for (chapter, login), hands in sorted(found.items()):
            self.choose(chapter, login, hands)

    def assign_to_students(
        self, items: list[Item], path: Path, number: int, found: dict[tuple[str, str], list[HandIn]]
    ) -> None:
        """Assign a file's notebooks to students; explain what to do about everything else."""
        whole = [item for item in items if len(item.parts) == 1 and item.reason and not item.staged]
        self.outcome.left += [f"{short_path(item.parts)}: {item.reason}" for item in whole]  # the file itself
        self.outcome.is_cut_short |= bool(whole)
        items = [item for item in items if item not in whole]
        groups = self.matcher.owned(items, path) if items else []
        chapter = self.chapter or only_chapter(groups)
        theirs: dict[str, tuple[list[Item], list[HandIn]]] = {}
        for owned in groups:
            if len(owned.logins) != 1:
                self.outcome.left += filter(None, [self.matcher.unknown(owned)])
            elif login := self.find_spelling(*owned.logins):
                self.numbers.see(login, owned.label, number)
                if owned.label and not self.login and not self.people.is_proven(owned.label.lms, owned.label.id):
                    self.by_name.setdefault(owned.label.lms, set()).add(login)
                came = self.moment_of_arrival(owned.label)
                group, hands = theirs.setdefault(login, ([], []))
                group += owned.items
                hands += [HandIn(item, owned.label, came, number) for item in owned.items if item.staged]
        for login, (group, hands) in theirs.items():
            chosen = candidates(hands, chapter, is_given=bool(self.chapter))
            for hand in chosen:
                found.setdefault((self.chapter or hand.item.chapter or chapter, login), []).append(hand)
            self.tell_others(login, group, [hand.item for hand in chosen], chapter)

    def find_spelling(self, login: str) -> str:
        """Return a login as the class spells it already, "" if others look like it: they are named."""
        is_known = any(one.login == login for one in self.students)
        alike = self.spellings.get(look_alike_key(login)) or {login if is_known else composed(login)}
        same = {name for name in alike if composed(name) == composed(login)}
        if len(same) == len(alike) == 1:
            self.spellings[look_alike_key(login)] = same
            return next(iter(same))
        names = " and ".join(sorted(map(ascii, alike | {login})))
        self.outcome.left.append(
            f"{login}: {names} look alike, but for case or accents: rename one folder, or merge them"
        )
        return ""

    def moment_of_arrival(self, label: Label | None) -> datetime | None:
        """Return when something was handed in, or None: only Moodle's worksheet says so."""
        row = self.people.rows.get(label.id) if label and label.lms == "moodle" else None
        return row.came.astimezone(UTC) if row and row.came else None

    def choose(self, chapter: str, login: str, hands: list[HandIn]) -> None:
        """Choose one of a student's hand-ins of a chapter, and write it."""
        if not self.login:
            hands, lines = self.numbers.of_one_person(chapter, login, hands)
            self.outcome.left += lines
        if not hands:
            return
        readable = best(hands, chapter)
        last = max(readable, key=lambda hand: hand.order)
        rivals = [hand for hand in readable if hand.item.answers != last.item.answers]
        if any(hand.order[0] != last.order[0] or hand.order >= last.order for hand in rivals):
            self.ask_which(chapter, login, readable)
            return
        if rivals:
            names = join_first([hand.where for hand in rivals], MAX_NAMED)
            self.outcome.told.append(f"{login}: {last.where} counts, the latest; left aside: {names}")
        self.place(chapter, login, last)

    def ask_which(self, chapter: str, login: str, hands: list[HandIn]) -> None:
        """Ask which of several notebooks counts; if one of them was collected before, keep it."""
        kept = self.memory.setdefault(chapter, {}).setdefault(login, {})
        there = submission_hash(self.classroom.notebook(login, chapter), FOLDERS)
        for hand in hands:
            if there and kept.get("sha256") == hand.item.sha256 == there:
                self.place(chapter, login, hand)
                return
        kept.setdefault("labels", {})
        self.remember_address(chapter, login, hands[0])
        names = join_first([hand.where for hand in hands], MAX_NAMED)
        kept[UNDECIDED] = len({hand.item.answers for hand in hands})
        self.outcome.left.append(
            f"{login}: {kept[UNDECIDED]} different notebooks of {chapter}: {names}. "
            f"Unpack the one that counts, and give it alone with --login {login}"
        )

    def remember_address(self, chapter: str, login: str, hand: HandIn) -> None:
        """Remember under which name the LMS finds the student again."""
        if hand.label is None:
            return
        if self.login:
            may, line = self.numbers.addressed(chapter, login, hand)
            self.outcome.told += [line] if line else []
            if not may:
                return
        lms, number = hand.label.lms, hand.label.id
        before = {self.numbers.number_before(chapter, login, lms), self.numbers.holder(chapter, login, lms, number)}
        if was := " and ".join(sorted(before - {"", number})):
            self.outcome.told.append(f"{login}: {number} in {LMS_NAMES[lms]} from now on, which changes {was}")
        self.numbers.move(chapter, login, hand.label)

    def place(self, chapter: str, login: str, hand: HandIn) -> None:
        """Write a notebook to its place, unless something is there that it may not replace."""
        path = self.classroom.notebook(login, chapter)
        if path.parent.is_symlink() or path.parent.parent.is_symlink():
            self.outcome.left.append(f"{login}: {path.parent} is a symbolic link: replace it by an ordinary folder")
            return
        there = submission_hash(path, FOLDERS) or ("something" if path.exists() or path.is_symlink() else "")
        if there:
            self.arrivals.see_present(chapter, login, there)
        stays = bool(there) and self.arrivals.is_older_equal(chapter, login, hand.work)
        known, why = self.memory.get(chapter, {}).get(login, {}), describe(hand.item, chapter)
        is_same = stays or there == hand.item.sha256
        if there and not is_same and not self.may_replace(known, there, hand, not why):
            stays = f"and is no notebook ({why}): what is there stays" if why else "and nothing says that it is later"
            self.outcome.left.append(f"{login}: {hand.where} differs from {path}, {stays}. To replace that, add --yes")
            return
        kind = "new" if not there else "unchanged" if is_same else "replaced"
        self.outcome.by_kind()[kind].setdefault(chapter, []).append(login)
        if why:
            self.outcome.told.append(f"{login}: {hand.where}: {why}; collected as it is: its page says so")
        if hand.label and hand.label.late:
            self.outcome.told.append(f"{login}: late according to Canvas, which does not say when it arrived")
        first = self.first_arrival(chapter, login, hand, stays, is_same)
        if not self.dry:
            write_hand_in(path, hand, kind != "unchanged", first)
        self.remember_address(chapter, login, hand)
        entries = self.memory.setdefault(chapter, {})
        known = entries.get(login, {})
        entries[login] = hand.kept_beside(known, there) if stays else hand.kept(known, is_notebook=not why)

    def first_arrival(self, chapter: str, login: str, hand: HandIn, stays: bool, is_same: bool) -> datetime | None:
        """Return when the work that counts first arrived, None if nothing new says so; tell if that is another time."""
        if is_same and not stays and not hand.came:
            return None
        note = self.arrivals.keep if stays else self.arrivals.arrive
        first, line = note(chapter, login, hand.work, hand.came)
        self.outcome.told += [line] if line else []
        return first

    def may_replace(self, known: dict[str, Any], there: str, hand: HandIn, is_notebook: bool) -> bool:
        """Say whether a hand-in may replace other work: never a notebook by what is none."""
        was_none = bool(known.get("as_it_is")) and known.get("sha256") == there
        is_better = is_notebook and was_none
        return self.write_changes or is_better or ((is_notebook or was_none) and hand.is_later(known, there))

    def tell_others(self, login: str, items: list[Item], taken: list[Item], chapter: str) -> None:
        """Mention a student's other hand-ins, if that helps."""
        lines = []
        for item in items:
            if item.chapter and item not in taken:
                lines.append(
                    f"{login}: {short_path(item.parts)} is the notebook of {item.chapter}. Collect it with "
                    f"--chapter {item.chapter}, or ask for {self.chapter}"
                )
            elif item.reason and item not in taken:
                lines.append(f"{login}: {short_path(item.parts)}: {item.reason}")
        if not taken and not any(item.chapter or item.reason for item in items):
            kinds = [short_path(item.parts[-1:]) + (f" ({item.kind})" if item.kind else "") for item in items]
            remedy = "" if chapter else ", or collect it as it is with --chapter"
            lines.append(
                f"{login}: no notebook, only {join_first(kinds, MAX_NAMED)}. Ask for the notebook itself{remedy}"
            )
        more = [f"{login}: and {len(lines) - MAX_NAMED} more like these"] if len(lines) > MAX_NAMED else []
        self.outcome.left += lines[:MAX_NAMED] + more

    def tell_missing(self) -> None:
        """List who handed in nothing, if one chapter was collected and a roster is known."""
        chapters = {self.chapter} if self.chapter else set(self.outcome.chapters())
        if not self.students or len(chapters) != 1:
            return
        entries = self.memory.get(next(iter(chapters)), {})
        there = {composed(login) for login, entry in entries.items() if "sha256" in entry}
        here = [one.login for one in self.students if not one.left]
        logins = [login for login in here if composed(login) not in there]
        if logins:
            self.outcome.told.append(
                f"nothing collected yet from {len(logins)} of {len(here)}: {join_first(logins, MAX_NAMED)}"
            )

    def tell_names(self) -> None:
        """Say how many are known by their display names alone, and what to add."""
        for lms, logins in sorted(self.by_name.items()):
            self.outcome.told.append(
                f"only a display name, which students may be able to change, says whose the work of "
                f"{plural(len(logins), 'student')} in {LMS_NAMES[lms]} is: {proof_of(lms)}"
            )

    def tell_timeless(self) -> None:
        """List whose work can never be late because its arrival is unknown, if a chapter has a deadline."""
        remedy = "" if self.people.rows else "Add Moodle's worksheet, or "
        for chapter in self.outcome.chapters() if not self.dry else ():
            if chapter not in self.classroom.class_file.deadlines:
                continue
            here = (logins.get(chapter, ()) for logins in self.outcome.by_kind().values())
            logins = sorted(login for some in here for login in some)
            timeless = [login for login in logins if not arrival(self.classroom, login, chapter)]
            if timeless:
                named = join_first(timeless, MAX_NAMED)
                self.outcome.told.append(
                    f"{chapter} has a deadline, but nothing says when the work of {named} arrived: it is never "
                    f"late. {remedy}write the time into timestamp.txt beside the notebook"
                )


def spellings_in(classroom: ClassRoom) -> dict[str, set[str]]:
    """Return the logins that have a folder, by what those that look alike have in common."""
    found: dict[str, set[str]] = {}
    folder = classroom.root / "submitted"
    for path in folder.iterdir() if folder.is_dir() else ():
        found.setdefault(look_alike_key(path.name), set()).add(path.name)
    return found
