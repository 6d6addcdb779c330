"""Sorts notebooks exported from Moodle, Canvas or plain folders into each student's folder.

Whatever is not collected is listed with the reason and the remedy: no hand-in scores 0 because of how it was packed.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from autograder.classroom.arrival import arrival
from autograder.classroom.classroom import FOLDERS, ClassRoom
from autograder.classroom.roster import Enrolled, wrong_login
from autograder.course.course import Course
from autograder.errors import UsageError
from autograder.files import staging_folder
from autograder.gradebook.database import locked
from autograder.grading.intake import submission_hash
from autograder.grading.which_chapter import chapters_by_cell
from autograder.plain import join_first, visible

from .collected import HandIn, read_memory, short_path, write_hand_in, write_memory
from .lms import Label
from .match_student import StudentMatcher
from .people import People, read_worksheet
from .scan import Item, scan

MAX_NAMED = 8  # files or students in one line


@dataclass
class Collected:
    """The outcome: students by chapter, and lines for the instructor."""

    new: dict = field(default_factory=dict)  # {chapter: logins}
    replaced: dict = field(default_factory=dict)
    unchanged: dict = field(default_factory=dict)
    told: list = field(default_factory=list)  # worth knowing
    left: list = field(default_factory=list)  # what was not collected: who or what, why, what to do

    def chapters(self) -> list[str]:
        """Return the chapters that were found, in order."""
        return sorted(self.new.keys() | self.replaced.keys() | self.unchanged.keys())


class Collector:
    """Reads files and fills ``submitted/``.

    Only notebooks of ``chapter`` are taken if one is given; everything is ``login``'s if that is given. A later hand-in
    replaces existing work; any other work replaces it only with ``write_changes``. ``dry`` writes nothing.
    Errors: UsageError for a missing file; CourseError for a damaged table or ``collected.json``.
    """

    def __init__(
        self,
        course: Course,
        classroom: ClassRoom,
        students: tuple[Enrolled, ...] = (),
        chapter: str = "",
        login: str = "",
        write_changes: bool = False,
        dry: bool = False,
        zone: tzinfo | None = None,
    ) -> None:
        self.course, self.classroom, self.students, self.chapter = course, classroom, tuple(students), chapter
        self.login, self.write_changes, self.dry, self.zone = login, write_changes, dry, zone
        self.said = Collected()

    def collect(self, paths: list[Path]) -> Collected:
        """Collect from all files; tables among them must be Moodle's grading worksheets."""
        if self.login and (wrong := wrong_login(self.login)):
            raise UsageError(f"the login {visible(self.login)[:80]!r} {wrong}")
        tables = [path for path in paths if path.suffix.lower() == ".csv"]
        if missing := next((path for path in paths if not path.exists()), None):
            raise UsageError(f"no file {visible(missing)}: expected a notebook, a zip, a folder or Moodle's worksheet")
        self.rows = {number: row for path in tables for number, row in read_worksheet(path, self.zone).items()}
        self.whose = StudentMatcher(People(self.students, self.rows), self.course.chapters(), self.login)
        with locked(self.classroom.root / ".collecting.lock", f"in {self.classroom.root}", "autograder collect"):
            self.memory = read_memory(self.classroom)
            with staging_folder(self.classroom.root, ".collecting-") as staging:
                self.collect_staged([path for path in paths if path not in tables], staging)
            if not self.dry:
                write_memory(self.classroom, self.memory)
        self.tell_missing()
        self.tell_timeless()
        return self.said

    def collect_staged(self, paths: list[Path], staging: Path) -> None:
        """Read all files, then write each student's chosen hand-in."""
        by_cell, found = chapters_by_cell(self.course), {}
        for number, path in enumerate(paths):
            items = scan(path, staging / str(number), by_cell)
            if not items:
                self.said.left.append(f"{short_path([path.name])}: nothing in it. Export it again")
            self.sort(items, found)
        for (chapter, login), hands in sorted(found.items()):
            self.take(chapter, login, hands)

    def sort(self, items: list[Item], found: dict[tuple[str, str], list[HandIn]]) -> None:
        """Assign a file's notebooks to students; explain what to do about everything else."""
        whole, theirs = [item for item in items if len(item.parts) == 1 and item.reason and not item.staged], {}
        self.said.left += [f"{short_path(item.parts)}: {item.reason}" for item in whole]  # the file itself
        items = [item for item in items if item not in whole]
        for owned in self.whose.owned(items) if items else ():
            if len(owned.logins) != 1:
                self.said.left += filter(None, [self.whose.unknown(owned)])
                continue
            (login,) = owned.logins
            came = self.came(owned.label)
            hands = [HandIn(item, owned.label, came) for item in owned.items if self.counts(item)]
            for hand in hands:
                found.setdefault((hand.item.chapter or self.chapter, login), []).append(hand)
            before = theirs.get(login, ([], []))
            theirs[login] = ([*before[0], *owned.items], [*before[1], *hands])
        for login, (group, hands) in theirs.items():
            self.tell_others(login, group, [hand.item for hand in hands])

    def counts(self, item: Item) -> bool:
        """Say whether an item may be collected. A damaged notebook goes to the grader, which explains it on a page."""
        if item.chapter:
            return not self.chapter or item.chapter == self.chapter
        return bool(self.chapter and item.staged)

    def came(self, label: Label | None) -> datetime | None:
        """Return when something was handed in, or None: only Moodle's worksheet says so."""
        row = self.rows.get(label.id) if label and label.lms == "moodle" else None
        return row.came.astimezone(UTC) if row and row.came else None

    def take(self, chapter: str, login: str, hands: list[HandIn]) -> None:
        """Choose one of a student's hand-ins of a chapter, and write it."""
        readable = [hand for hand in hands if hand.item.chapter] or hands
        last = max(readable, key=lambda hand: hand.order)
        rivals = [hand for hand in readable if hand.item.sha256 != last.item.sha256]
        if any(hand.order[0] != last.order[0] or hand.order >= last.order for hand in rivals):
            self.ask_which(chapter, login, readable)
            return
        if rivals:
            names = join_first([hand.where for hand in rivals], MAX_NAMED)
            self.said.told.append(f"{login}: {last.where} counts, the latest; left aside: {names}")
        if not last.item.chapter:
            self.said.told.append(f"{login}: {last.where}: {last.item.reason}; collected as it is: its page says so")
        if last.label and last.label.late:
            self.said.told.append(f"{login}: late according to Canvas, which does not say when it arrived")
        self.put(chapter, login, last)

    def ask_which(self, chapter: str, login: str, hands: list[HandIn]) -> None:
        """Ask which of several notebooks counts; if one of them was collected before, keep it."""
        kept = self.memory.setdefault(chapter, {}).setdefault(login, {})
        there = submission_hash(self.classroom.notebook(login, chapter), FOLDERS)
        for hand in hands:
            if there and kept.get("sha256") == hand.item.sha256 == there:
                self.put(chapter, login, hand)
                return
        kept["labels"] = hands[0].labels(kept)
        names = join_first([hand.where for hand in hands], MAX_NAMED)
        self.said.left.append(
            f"{login}: {len({hand.item.sha256 for hand in hands})} different notebooks of {chapter}: {names}. "
            f"Unpack the one that counts, and give it alone with --login {login}"
        )

    def put(self, chapter: str, login: str, hand: HandIn) -> None:
        """Write a notebook to its place, unless something is there that it may not replace."""
        path = self.classroom.notebook(login, chapter)
        if path.parent.is_symlink() or path.parent.parent.is_symlink():
            self.said.left.append(f"{login}: {path.parent} is a symbolic link: replace it by an ordinary folder")
            return
        there = submission_hash(path, FOLDERS) or ("something" if path.exists() or path.is_symlink() else "")
        known = self.memory.get(chapter, {}).get(login, {})
        if there not in ("", hand.item.sha256) and not (self.write_changes or hand.is_later(known, there)):
            self.said.left.append(
                f"{login}: {hand.where} differs from {path}, and nothing says that it is later. To replace "
                f"that, add --yes"
            )
            return
        kind = "new" if not there else "unchanged" if there == hand.item.sha256 else "replaced"
        getattr(self.said, kind).setdefault(chapter, []).append(login)
        if not self.dry:
            write_hand_in(path, hand, kind != "unchanged")
        self.memory.setdefault(chapter, {})[login] = hand.kept(known)

    def tell_others(self, login: str, items: list[Item], taken: list[Item]) -> None:
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
            names = join_first([short_path(item.parts[-1:]) for item in items], MAX_NAMED)
            lines.append(f"{login}: no notebook, only {names}. Ask for the notebook itself")
        more = [f"{login}: and {len(lines) - MAX_NAMED} more like these"] if len(lines) > MAX_NAMED else []
        self.said.left += lines[:MAX_NAMED] + more

    def tell_missing(self) -> None:
        """List who handed in nothing, if one chapter was collected and a roster is known."""
        chapters = {self.chapter} if self.chapter else set(self.said.chapters())
        if not self.students or len(chapters) != 1:
            return
        there = self.memory.get(next(iter(chapters)), {})
        here = [one.login for one in self.students if not one.left]
        logins = [login for login in here if "sha256" not in there.get(login, {})]
        if logins:
            self.said.told.append(
                f"nothing collected yet from {len(logins)} of {len(here)}: {join_first(logins, MAX_NAMED)}"
            )

    def tell_timeless(self) -> None:
        """List whose work can never be late because its arrival is unknown, if a chapter has a deadline."""
        for chapter in self.said.chapters() if not self.dry else ():
            if chapter not in self.classroom.class_file.deadlines:
                continue
            here = (each.get(chapter, ()) for each in (self.said.new, self.said.replaced, self.said.unchanged))
            logins = sorted(login for some in here for login in some)
            timeless = [login for login in logins if not arrival(self.classroom, login, chapter)]
            if timeless:
                named = join_first(timeless, MAX_NAMED)
                self.said.told.append(
                    f"{chapter} has a deadline, but nothing says when the work of {named} arrived: it is never "
                    f"late. Add Moodle's worksheet, or write the time into timestamp.txt beside the notebook"
                )
