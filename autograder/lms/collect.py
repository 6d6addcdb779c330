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
from .match_student import Owned, StudentMatcher
from .people import People
from .platforms import LMS_NAMES, Label
from .scan import Chapters, Item, scan
from .worksheet import describe_unread, read_worksheet

UNREADABLE = "unreadable"  # in place of the hash of something that is no readable file
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
    # What collect() reads before it decides anything.
    people: People = field(init=False, repr=False)
    matcher: StudentMatcher = field(init=False, repr=False)
    memory: dict[str, Any] = field(init=False, repr=False)  # of collected.json
    numbers: LmsNumbers = field(init=False, repr=False)
    spellings: dict[str, set[str]] = field(init=False, repr=False)
    arrivals: FirstArrivals = field(init=False, repr=False)

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
        hand_ins: HandIns = {}
        for number, path in enumerate(paths):
            items = scan(path, staging / str(number), chapters)
            if not items:
                self.outcome.left.append(f"{short_path([path.name])}: nothing in it. Export it again")
            for key, hands in self.assign_to_students(items, path, number).items():
                hand_ins.setdefault(key, []).extend(hands)
        for (chapter, login), hands in sorted(hand_ins.items()):
            self.choose(chapter, login, hands)

    def assign_to_students(self, items: list[Item], path: Path, number: int) -> HandIns:
        """Return a file's notebooks by chapter and student; explain what to do about everything else."""
        unread = [item for item in items if len(item.parts) == 1 and item.reason and not item.staged]  # the file itself
        self.outcome.left += [f"{short_path(item.parts)}: {item.reason}" for item in unread]
        self.outcome.is_cut_short |= bool(unread)
        items = [item for item in items if item not in unread]
        groups = self.matcher.owned(items, path) if items else []
        chapter = self.chapter or only_chapter(groups)  # that of whatever is no notebook
        hand_ins: HandIns = {}
        for login, (theirs, hands) in self.group_by_login(groups, number).items():
            chosen = candidates(hands, chapter, is_given=bool(self.chapter))
            for hand in chosen:
                key = (self.chapter or hand.item.chapter or chapter, login)
                hand_ins.setdefault(key, []).append(hand)
            self.tell_others(login, theirs, [hand.item for hand in chosen], chapter)
        return hand_ins

    def group_by_login(self, groups: list[Owned], number: int) -> dict[str, tuple[list[Item], list[HandIn]]]:
        """Return ``{login: (items, hand-ins)}``, and note the LMS's numbers; list what is nobody's."""
        by_login: dict[str, tuple[list[Item], list[HandIn]]] = {}
        for owned in groups:
            if len(owned.logins) != 1:
                if line := self.matcher.unknown(owned):
                    self.outcome.left.append(line)
            elif login := self.find_spelling(*owned.logins):
                self.numbers.see(login, owned.label, number)
                if owned.label and not self.login and not self.people.is_proven(owned.label.lms, owned.label.id):
                    self.by_name.setdefault(owned.label.lms, set()).add(login)
                came = self.moment_of_arrival(owned.label)
                items, hands = by_login.setdefault(login, ([], []))
                items += owned.items
                hands += [HandIn(item, owned.label, came, number) for item in owned.items if item.staged]
        return by_login

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
        # Two LMSs have no common order, and in one LMS two may be equally late.
        if any(hand.order.lms != last.order.lms or hand.order == last.order for hand in rivals):
            self.ask_which(chapter, login, readable)
            return
        if rivals:
            names = join_first([hand.where for hand in rivals], MAX_NAMED)
            self.outcome.told.append(f"{login}: {last.where} counts, the latest; left aside: {names}")
        self.place(chapter, login, last)

    def ask_which(self, chapter: str, login: str, hands: list[HandIn]) -> None:
        """Ask which of several notebooks counts; if one of them was collected before, keep it."""
        known = self.memory.get(chapter, {}).get(login, {})
        present = submission_hash(self.classroom.notebook(login, chapter), FOLDERS)
        for hand in hands:
            if present and known.get("sha256") == hand.item.sha256 == present:
                self.place(chapter, login, hand)
                return
        self.remember_number(chapter, login, hands[0])
        different = len({hand.item.answers for hand in hands})
        self.arrivals.entry(chapter, login)[UNDECIDED] = different
        names = join_first([hand.where for hand in hands], MAX_NAMED)
        self.outcome.left.append(
            f"{login}: {different} different notebooks of {chapter}: {names}. "
            f"Unpack the one that counts, and give it alone with --login {login}"
        )

    def remember_number(self, chapter: str, login: str, hand: HandIn) -> None:
        """Remember under which of its numbers the LMS finds the student again."""
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
        present = submission_hash(path, FOLDERS) or (UNREADABLE if path.exists() or path.is_symlink() else "")
        if present:
            self.arrivals.see_present(chapter, login, present)
        is_older_equal = bool(present) and self.arrivals.is_older_equal(chapter, login, hand.work)
        is_same = is_older_equal or present == hand.item.sha256
        if present and not is_same and not self.may_replace(chapter, login, present, hand):
            self.tell_refused(path, chapter, login, hand)
            return
        kind = "new" if not present else "unchanged" if is_same else "replaced"
        self.outcome.by_kind()[kind].setdefault(chapter, []).append(login)
        self.tell_flaws(chapter, login, hand)
        first = self.first_arrival(chapter, login, hand, is_older_equal, is_same)
        if not self.dry:
            write_hand_in(path, hand, kind != "unchanged", first)
        self.remember_number(chapter, login, hand)
        self.remember_hand_in(chapter, login, hand, present if is_older_equal else "")

    def remember_hand_in(self, chapter: str, login: str, hand: HandIn, staying: str) -> None:
        """Remember a hand-in; ``staying`` is the hash of the equal file that keeps its place, "" for none."""
        entries = self.memory.setdefault(chapter, {})
        known, is_notebook = entries.get(login, {}), not describe(hand.item, chapter)
        entries[login] = hand.kept_beside(known, staying) if staying else hand.kept(known, is_notebook)

    def first_arrival(
        self, chapter: str, login: str, hand: HandIn, is_older_equal: bool, is_same: bool
    ) -> datetime | None:
        """Return when the work that counts first arrived, None if nothing new says so; tell if that is another time."""
        if is_same and not is_older_equal and not hand.came:
            return None
        note = self.arrivals.keep if is_older_equal else self.arrivals.arrive
        first, line = note(chapter, login, hand.work, hand.came)
        self.outcome.told += [line] if line else []
        return first

    def may_replace(self, chapter: str, login: str, present: str, hand: HandIn) -> bool:
        """Say whether a hand-in may replace the work with hash ``present``.

        With ``--yes`` it may. Without it, later work may, and a notebook may replace what was collected as no notebook;
        what is no notebook never replaces a notebook.
        """
        known, is_notebook = self.memory.get(chapter, {}).get(login, {}), not describe(hand.item, chapter)
        was_none = bool(known.get("as_it_is")) and known.get("sha256") == present
        is_better = is_notebook and was_none
        return self.write_changes or is_better or ((is_notebook or was_none) and hand.is_later(known, present))

    def tell_refused(self, path: Path, chapter: str, login: str, hand: HandIn) -> None:
        """Say why a hand-in may not replace the file at this path."""
        instead = describe(hand.item, chapter)
        why = f"and is no notebook ({instead}): what is there stays" if instead else "and nothing says that it is later"
        self.outcome.left.append(f"{login}: {hand.where} differs from {path}, {why}. To replace that, add --yes")

    def tell_flaws(self, chapter: str, login: str, hand: HandIn) -> None:
        """Say that a hand-in which is collected is no notebook, or late."""
        if instead := describe(hand.item, chapter):
            self.outcome.told.append(f"{login}: {hand.where}: {instead}; collected as it is: its page says so")
        if hand.label and hand.label.late:
            self.outcome.told.append(f"{login}: late according to Canvas, which does not say when it arrived")

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
        collected = {composed(login) for login, entry in entries.items() if "sha256" in entry}
        enrolled = [student.login for student in self.students if not student.left]
        missing = [login for login in enrolled if composed(login) not in collected]
        if missing:
            self.outcome.told.append(
                f"nothing collected yet from {len(missing)} of {len(enrolled)}: {join_first(missing, MAX_NAMED)}"
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
        if self.dry:
            return
        remedy = "" if self.people.rows else "Add Moodle's worksheet, or "
        for chapter in self.outcome.chapters():
            if chapter not in self.classroom.class_file.deadlines:
                continue
            kinds = self.outcome.by_kind().values()
            logins = sorted(login for by_chapter in kinds for login in by_chapter.get(chapter, ()))
            timeless = [login for login in logins if not arrival(self.classroom, login, chapter)]
            if timeless:
                named = join_first(timeless, MAX_NAMED)
                self.outcome.told.append(
                    f"{chapter} has a deadline, but nothing says when the work of {named} arrived: it is never "
                    f"late. {remedy}write the time into timestamp.txt beside the notebook"
                )


def spellings_in(classroom: ClassRoom) -> dict[str, set[str]]:
    """Return the logins that have a folder, by what those that look alike have in common."""
    spellings: dict[str, set[str]] = {}
    folder = classroom.root / "submitted"
    for path in folder.iterdir() if folder.is_dir() else ():
        spellings.setdefault(look_alike_key(path.name), set()).add(path.name)
    return spellings
