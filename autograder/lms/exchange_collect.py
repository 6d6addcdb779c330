"""Collects from nbgrader's exchange, where every student can write: only a student's own files, never through a link.

nbgrader_config.py uses ``Collect`` instead of nbgrader's collector, which follows links with the instructor's rights,
into the solutions for instance; accepts a submission under another student's name with a warning; believes the time
that a student's files claim; stops for everyone at one folder whose name holds no date; and collects from an exchange
whose folders any student could have replaced.
"""

import os
import pwd
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect

from autograder.classroom.arrival import TIMESTAMP, arrival_beside, moment_of, text_of_note
from autograder.classroom.class_course import course_of_class
from autograder.classroom.classroom import FOLDERS, ClassRoom
from autograder.classroom.gradebook.exchange import APART, MAX_FILES, SECRET_FILE, is_complete, is_settled
from autograder.classroom.gradebook.locks import lock_file
from autograder.course.which_course import find_course, is_course
from autograder.errors import AutograderError, InvalidSubmission
from autograder.files import describe_os_error, staging_folder
from autograder.grading.answers import CourseCells, course_cells
from autograder.grading.intake import file_bytes, submission_hash
from autograder.plain import visible_line

from .collected import read_memory, write_memory
from .exchange_arrivals import KEPT, why_untrusted
from .first_arrivals import FirstArrivals

END_BYTES = 100  # of a notebook, which tell whether it was copied to its end
WHOSE = (
    "not collected: folders of another account than their names say. If a backup or a network drive changed the "
    "owners, give each folder back with `chown`. If all students share one account, set "
    "c.ExchangeCollect.check_owner = False in ~/.jupyter/nbgrader_config.py; then any student can hand in for another"
)


class Collect(ExchangeCollect):
    """nbgrader's collector, for an exchange in which not everyone is honest."""

    is_anothers = False  # whether a folder belongs to another account than its name says

    def _path_to_record(self, path: str) -> dict:
        """Parse a folder's name; reject one that is not its owner's, not a submission's, or cannot be opened."""
        name = visible_line(Path(path).name)
        try:
            with opened(path):
                pass  # nbgrader removes what it collected before, even if it then cannot read this one
            record = super()._path_to_record(path)
            owner = owner_of(Path(path)) if self.check_owner else record["username"]
            if record["username"] != owner:
                self.is_anothers = True
                self.log.error(f"not collected: {name} belongs to {visible_line(owner)}")
            elif why := self.why_incomplete(Path(path)):
                self.log.error(f"{why[0]}: {name} {why[1]}")
            else:
                return record
        except (ValueError, OverflowError, OSError) as error:
            self.log.error(f"not collected: {name} cannot be read: {visible_line(error)}")
        return {"username": None, "filename": "", "timestamp": datetime.min}

    def why_incomplete(self, folder: Path) -> tuple[str, str] | None:
        """Return how to name a folder that is left, and why; None for one that is complete.

        Without a secret, it is complete when nothing in it changes any more and it holds a notebook: somebody may have
        copied it by hand. A submission that failed on the way must not replace an earlier one.
        """
        if is_complete(folder):
            return None
        if not is_settled(folder):
            wait = f"after {APART.total_seconds() / 60:g} minutes without a change"
            return "not yet collected", f"holds no {SECRET_FILE} yet; without one it counts {wait}"
        name = f"{self.coursedir.assignment_id}.ipynb"
        if holds_notebook(folder, name):
            return None
        return "not collected", f"holds no {SECRET_FILE} and no complete {name}: its student has to submit again"

    def init_src(self) -> None:
        """Find what to collect, without folders that belong to nobody.

        Errors: CourseError for a wrong class.toml; ExchangeError if others could replace the course's folders.
        """
        inbound = Path(self.root) / self.coursedir.course_id / "inbound"
        if inbound.is_dir() and (reason := why_untrusted(inbound, self.coursedir)):
            self.fail(reason)
        self.zone = ClassRoom(Path(self.coursedir.root)).class_file.timezone
        self.is_anothers = False
        super().init_src()
        if self.is_anothers:
            self.log.error(WHOSE)
        self.src_records: list[dict] = [record for record in self.src_records if record["username"] is not None]

    def copy_files(self) -> None:
        """Copy what is new. Work that was collected before keeps the time at which it first arrived.

        Errors: ExchangeError if another command is collecting, or ``collected.json`` cannot be read.
        """
        room = ClassRoom(Path(self.coursedir.root))
        try:
            lock = lock_file(room.root / ".collecting.lock", f"in {room.root}", "nbgrader collect")
            with lock, staging_folder(room.root, ".collecting-") as scratch:
                memory = read_memory(room)
                cells = _cells_of(room, self.coursedir.assignment_id)
                self.arrivals = FirstArrivals(room, memory, cells, scratch)
                self.src_records = [record for record in self.src_records if self.is_new(record)]
                try:
                    super().copy_files()
                finally:
                    write_memory(room, memory)
        except AutograderError as error:
            self.fail(str(error))

    def is_new(self, record: dict) -> bool:
        """Say whether a submission is not what was collected last, and has other answers; note when that came.

        nbgrader compares times, and takes every submission for a newer one if the noted time is that of an older one.
        """
        student, chapter = record["username"], self.coursedir.assignment_id
        room = self.arrivals.classroom
        there = room.submitted(student, chapter)
        if not there.is_dir():
            return True
        if self.arrivals.entry(chapter, student).get("exchange") == record["filename"]:
            return False
        noted, named = arrival_beside(there, self.zone), record["timestamp"].replace(tzinfo=UTC)
        if noted and noted >= named:
            return True
        self.arrivals.see_present(chapter, student, submission_hash(room.notebook(student, chapter), FOLDERS))
        return noted is None or not self.update or not self.keep_equal(record, named)

    def keep_equal(self, record: dict, came: datetime) -> bool:
        """Say whether what was collected stays beside a newer submission, since its answers are equal; note it then."""
        student, chapter = record["username"], self.coursedir.assignment_id
        path = ClassRoom(self.arrivals.scratch).notebook(student, chapter)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with opened(str(Path(self.inbound_path) / record["filename"])) as folder:
                path.write_bytes(file_bytes(path.name, folder))
        except (InvalidSubmission, OSError):
            return False  # nbgrader collects it, and says what is wrong
        new = self.arrivals.read_work(path, chapter)
        if not self.arrivals.is_older_equal(chapter, student, new):
            return False
        _, line = self.arrivals.keep(chapter, student, new, came)
        self.arrivals.entry(chapter, student)["exchange"] = record["filename"]
        self.log.warning(f"{KEPT}: {line}")
        return True

    def keep_first(self, src: Path, dest: Path, copied: Path) -> None:
        """Write the time at which the copied work first arrived into the note beside it, if that was earlier."""
        student, chapter = dest.parent.name, dest.name
        entry, came = self.arrivals.entry(chapter, student), arrival_beside(copied, self.zone)
        entry.pop("exchange", None)
        work = self.arrivals.read_work(copied / f"{chapter}.ipynb", chapter)
        if work.sources:
            first, line = self.arrivals.arrive(chapter, student, work, came)
            if first and line:
                entry["exchange"] = src.name
                (copied / TIMESTAMP).write_text(f"{first:%Y-%m-%d %H:%M:%S.%f} UTC", encoding="utf-8")
                self.log.warning(f"{KEPT}: {line}")

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy the regular files of a submission's folder in one step.

        Folders, links and pipes in it are skipped with a warning; a failure affects one student only.
        """
        new, room = Path(dest).with_name(f".{Path(dest).name}.new"), 1000 * self.coursedir.max_dir_size
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(mode=0o2775 if self.coursedir.groupshared else 0o755)
        try:
            with opened(src) as folder:
                for name in sorted(os.listdir(folder))[:MAX_FILES]:  # noqa: PTH208 - a descriptor
                    room -= self.copy_file(name, folder, new, room)
                self.compare_times(Path(src), folder, new)
            if not is_complete(new):
                name = visible_line(Path(src).name)
                self.log.warning(f"without a secret: {name} is collected; its student cannot fetch the feedback page")
            self.keep_first(Path(src), Path(dest), new)
            new.rename(dest)
        except OSError as error:
            self.log.error(f"not collected: {visible_line(Path(src).name)} ({describe_os_error(error)})")
            shutil.rmtree(new, ignore_errors=True)

    def compare_times(self, src: Path, folder: int, copied: Path) -> None:
        """Warn if a copied file is newer than the submission says it is; note the time in its name if it says none.

        The student writes what it says, and can change all of it until it is collected; when a file was last changed
        is the kernel's to say (st_ctime). It is no more than a warning: a copy of the whole exchange is as new.
        """
        note, name = copied / TIMESTAMP, visible_line(src.name)
        claimed = moment_of(text_of_note(note.read_bytes() if note.exists() else b""), self.zone)
        changed = [os.stat(path.name, dir_fd=folder, follow_symlinks=False).st_ctime for path in copied.iterdir()]
        newest = datetime.fromtimestamp(max(changed, default=0), UTC)
        if not claimed:
            # nbgrader wrote it there; with all its digits, since nbgrader compares both to find what is new.
            text = f"{super()._path_to_record(str(src))['timestamp']:%Y-%m-%d %H:%M:%S.%f} UTC"
            claimed = moment_of(text, self.zone)
            used = "the time in its name counts" if claimed else f"nor in its name: write it into {TIMESTAMP}"
            self.log.warning(f"doubtful: {name} gives no readable time in {TIMESTAMP}, {used}")
            note.write_text(text, encoding="utf-8")
            note.chmod(0o664 if self.coursedir.groupshared else 0o644)
        if claimed and newest - claimed > APART:
            self.log.warning(
                f"doubtful: {name} says {claimed:%Y-%m-%d %H:%M} UTC, "
                f"but its files were last changed at {newest:%Y-%m-%d %H:%M} UTC"
            )

    def copy_file(self, name: str, folder: int, to: Path, room: int) -> int:
        """Copy one file of an opened folder, if it fits; return its size."""
        if name.startswith(".") or stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return 0
        try:
            data = file_bytes(name, folder)
            if len(data) > room:
                raise InvalidSubmission(f"{name} would make it larger than {self.coursedir.max_dir_size} kB")
        except InvalidSubmission as error:
            self.log.warning(f"left out of {visible_line(to.parent.name)}'s submission: {visible_line(str(error))}")
            return 0
        (to / name).write_bytes(data)
        (to / name).chmod(0o664 if self.coursedir.groupshared else 0o644)
        return len(data)


def _cells_of(room: ClassRoom, chapter: str) -> dict[str, CourseCells]:
    """Return which cells of a chapter are the course's own; {} if that is unknown: then all code is the student's."""
    try:
        course = find_course(room.root) if is_course(room.root) else course_of_class(None, room.root)
        return {chapter: course_cells(course.assignment(chapter))}
    except AutograderError:
        return {}


@contextmanager
def opened(folder: str) -> Iterator[int]:
    """Open a folder that is not a link, and keep it open while its files are read."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def holds_notebook(folder: Path, name: str) -> bool:
    """Say whether a folder holds an ordinary file of this name that ends like a notebook, with a closing brace."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with opened(str(folder)) as here, os.fdopen(os.open(name, flags, dir_fd=here), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return False
            file.seek(max(0, status.st_size - END_BYTES))
            return file.read(END_BYTES).rstrip().endswith(b"}")
    except OSError:
        return False


def owner_of(path: Path) -> str:
    """Return a folder's owner, as a Unix account name."""
    owner = os.lstat(path).st_uid
    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return f"the account number {owner}"
