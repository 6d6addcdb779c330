"""Collect: notebooks out of what Moodle, Canvas and plain folders export, each into its student's folder.

``collected.json`` in the class's folder remembers whose work came from where, so that ``return`` can name its files as
the LMS wants them, and so that a later hand-in is known as one.
"""

import json
import tempfile
from dataclasses import asdict, dataclass, field
from datetime import UTC
from pathlib import Path

from autograder.errors import CourseError, UsageError
from autograder.plain import visible

from .course import FOLDERS, can_be_named
from .database import locked
from .files import write_whole
from .intake import digest
from .lms import NAMES, bare, label_of
from .people import People, read_worksheet
from .scan import chapters_by_id, scan

MEMORY, TIMESTAMP = "collected.json", "timestamp.txt"
LOGIN_BYTES = 200  # of a folder's name
SHOWN = 8  # names in one line


@dataclass(frozen=True)
class Hand:
    """A notebook of somebody, as it was found."""

    item: object
    label: object = None
    came: object = None  # when it was handed in, or None

    @property
    def where(self):
        """Where it was found, on one line."""
        return where(self.item.parts)

    @property
    def order(self):
        """What an LMS's own order makes of it, ``(lms, number)``: what was uploaded, or downloaded, later counts."""
        if self.label is None:
            return ("", 0)
        number = int(self.label.attempt or 0) if self.label.lms == "canvas" else self.item.when
        return (self.label.lms, number)


@dataclass
class Collected:
    """What became of everything: students by chapter, and lines for whoever collects."""

    new: dict = field(default_factory=dict)  # {chapter: logins}
    replaced: dict = field(default_factory=dict)
    unchanged: dict = field(default_factory=dict)
    told: list = field(default_factory=list)  # what one should know
    left: list = field(default_factory=list)  # what was not collected: who or what, why, what to do

    def put(self, kind, chapter, login):
        """Note what became of a hand-in."""
        getattr(self, kind).setdefault(chapter, []).append(login)

    def chapters(self):
        """Return the chapters of which something was found, in order."""
        return sorted(self.new.keys() | self.replaced.keys() | self.unchanged.keys())


class Collector:
    """Reads files and fills ``submitted/``.

    Only notebooks of ``chapter`` are taken where one is named; all is ``login``'s where that is given. Work that is
    there already is replaced by later work, and by other work only where ``accept`` is set.
    Errors: UsageError for a file that is not there or a table that is none; CourseError for a damaged memory.
    """

    def __init__(self, course, classroom, people=(), chapter="", login="", accept=False, dry=False, zone=None):
        self.course, self.classroom, self.students, self.chapter = course, classroom, tuple(people), chapter
        self.login, self.accept, self.dry, self.zone = login, accept, dry, zone
        self.said = Collected()

    def collect(self, paths) -> Collected:
        """Collect from all files."""
        for student in (*(person.login for person in self.students), *([self.login] if self.login else ())):
            check_login(student)
        rows = {}
        for path in paths:
            if not path.exists():
                raise UsageError(f"no file {visible(path)}: expected a zip, a folder or Moodle's worksheet")
            if path.suffix.lower() == ".csv":
                rows |= read_worksheet(path, self.zone)
        self.people = People(self.students, rows)
        with locked(self.classroom.root / ".collecting.lock", f"in {self.classroom.root}", "collect"):
            self.memory = read_memory(self.classroom)
            with tempfile.TemporaryDirectory(prefix="collect-") as staging:
                by_id, found = chapters_by_id(self.course), {}
                for number, path in enumerate(path for path in paths if path.suffix.lower() != ".csv"):
                    items = scan(path, Path(staging) / str(number), by_id)
                    self.sort(items, found)
                    if not items:
                        self.said.left.append(f"{where([path.name])}: nothing in it. Export it again")
                for (chapter, login), hands in sorted(found.items()):
                    self.take(chapter, login, hands)
            if not self.dry:
                write_memory(self.classroom, self.memory)
        self.missing()
        return self.said

    def missing(self):
        """Say of whom there is nothing, where one chapter was collected and a roster says who could be missing."""
        chapters = {self.chapter} if self.chapter else set(self.said.chapters())
        if self.students and len(chapters) == 1:
            there = self.memory.get(*chapters, {})
            logins = [one.login for one in self.students if "sha256" not in there.get(one.login, {})]
            named = ", ".join(logins[:SHOWN]) + ", …" * (len(logins) > SHOWN)
            if logins:
                self.said.told.append(f"nothing collected yet from {len(logins)} of {len(self.students)}: {named}")

    def sort(self, items, found):
        """Put a file's notebooks to the students whose they are; say of everything else what is to be done."""
        theirs = {}
        for name, label, logins, group in self.owners(items, 0) if items else ():
            if len(logins) != 1:
                self.whose(name, label, logins, group)
                continue
            (login,) = logins
            hands = [Hand(item, label, self.came(label)) for item in group if self.counts(item)]
            for hand in hands:
                found.setdefault((hand.item.chapter or self.chapter, login), []).append(hand)
            before = theirs.get(login, ([], []))
            theirs[login] = ([*before[0], *group], [*before[1], *hands])
        for login, (group, hands) in theirs.items():
            self.others(login, group, hands)

    def counts(self, item):
        """Say whether an item may be collected. One that cannot be read goes to the grader, which says so on a page."""
        if item.chapter:
            return not self.chapter or item.chapter == self.chapter
        return bool(self.chapter and item.staged)

    def came(self, label):
        """Return when something was handed in, or None: only Moodle's worksheet knows."""
        row = self.people.rows.get(label.id) if label and label.lms == "moodle" else None
        return row.came.astimezone(UTC) if row and row.came else None

    def owners(self, items, depth):
        """Yield ``(name, label, logins, items)``: the first name on their way that tells them apart, or tells who.

        What lies deeper than that is the student's own, and can say nothing about who it is from.
        """
        if self.login:
            labels = filter(None, (label_of(name) for item in items for name in item.parts))
            yield self.login, next(labels, None), {self.login}, items
            return
        groups = {}
        for item in items:
            groups.setdefault(item.parts[depth], []).append(item)
        for name, group in groups.items():
            deeper = all(len(item.parts) > depth + 1 for item in group)
            label, logins = self.who(name, group, depth, alone=len(groups) == 1)
            if label is None and not logins and deeper and (len(groups) == 1 or name.lower().endswith(".zip")):
                yield from self.owners(group, depth + 1)
            else:
                yield name, label, logins, group

    def who(self, name, group, depth, alone):
        """Return an LMS's label and the logins that a name may mean."""
        if label := label_of(name):
            return label, self.people.labelled(label)
        chapters = self.course.chapters()
        if self.students:
            return None, self.people.called(name) or self.people.called(bare(name, chapters))
        is_folder = all(len(item.parts) > depth + 1 for item in group)
        holds_chapters = all(len(item.parts) > depth + 2 and item.parts[depth + 1] in chapters for item in group)
        login = bare(name, chapters) if name.lower().endswith(".zip") else name
        if not is_folder or login in chapters or not usable(login) or (alone and not holds_chapters):
            return None, set()
        return None, {login}

    def whose(self, name, label, logins, group):
        """Say that nobody knows for sure whose something is. Errors: UsageError where only a roster could tell."""
        if label and not self.students:
            raise UsageError(
                f"{where([name])} is named by {NAMES[label.lms]}, and nothing says which login that is: name a roster with "
                "--roster, a CSV with the columns login, name, email and lms_id, or give the file alone with --login"
            )
        notebooks = [item for item in group if item.chapter]
        if not notebooks and not label and not any(item.reason for item in group):
            return  # a readme beside the folders
        if logins:
            why = f"{' and '.join(sorted(logins))} are both called that in the roster"
        elif not self.students:
            why = "no folder says whose it is"
        else:
            why = "nobody in the roster is called that"
        reasons = {item.reason for item in group if item.reason and not notebooks}
        advice = self.advice(label, logins)
        self.said.left.append(f"{where([name])}: {'; '.join([why, *sorted(reasons)])}. {advice}")

    def advice(self, label, logins):
        """Say what helps where nobody knows whose something is."""
        if not self.students:
            return "Name a roster with --roster, or give the file alone with --login LOGIN"
        if label and label.lms == "canvas" and label.id.isdigit():
            return f"Put lms_id {label.id} into their row of the roster, or give the file alone with --login LOGIN"
        if label and logins and label.id not in self.people.rows:
            return "Add Moodle's grading worksheet to the command, or unpack it and give the folder with --login LOGIN"
        return "Correct the roster, or give the file alone with --login LOGIN"

    def others(self, login, group, hands):
        """Say what else somebody handed in, where that is not nothing to speak of."""
        kept = [hand.item for hand in hands]
        for item in group:
            if item.chapter and item not in kept:
                self.said.left.append(
                    f"{login}: {where(item.parts)} is the notebook of {item.chapter}. Collect it with "
                    f"--chapter {item.chapter}, or have {self.chapter} handed in"
                )
            elif item.reason and item not in kept:
                self.said.left.append(f"{login}: {where(item.parts)}: {item.reason}")
        if not hands and not any(item.chapter or item.reason for item in group):
            names = ", ".join(where(item.parts[-1:]) for item in group[:SHOWN])
            self.said.left.append(f"{login}: no notebook, only {names}. Have the notebook itself handed in")

    def take(self, chapter, login, hands):
        """Choose what counts of somebody's hand-ins of a chapter, and put it into its place."""
        readable = [hand for hand in hands if hand.item.chapter] or hands
        last = max(readable, key=lambda hand: hand.order)
        rivals = [hand for hand in readable if hand.item.sha256 != last.item.sha256]
        if any(hand.order[0] != last.order[0] or hand.order >= last.order for hand in rivals):
            names = ", ".join(hand.where for hand in readable[:SHOWN])
            self.said.left.append(
                f"{login}: {len({hand.item.sha256 for hand in readable})} different notebooks of {chapter}: {names}. "
                "Unpack the one that counts, and give it alone with --login " + login
            )
            kept = self.memory.setdefault(chapter, {}).setdefault(login, {})
            kept["labels"] = labels_of(last, kept)
            return
        if rivals:
            names = ", ".join(hand.where for hand in rivals[:SHOWN])
            self.said.told.append(f"{login}: {last.where} counts, the latest; left aside: {names}")
        if not last.item.chapter:
            self.said.told.append(
                f"{login}: {last.where}: {last.item.reason}; collected as it is, its page will say so"
            )
        if last.label and last.label.late:
            self.said.told.append(f"{login}: late, as Canvas says; when it came it does not say")
        self.put(chapter, login, last)

    def put(self, chapter, login, hand):
        """Put a notebook into its place, where nothing else lies there, or something that it may replace."""
        path = self.classroom.notebook(login, chapter)
        if path.parent.is_symlink() or path.parent.parent.is_symlink():
            self.said.left.append(f"{login}: {path.parent} is a symbolic link: put an ordinary folder there")
            return
        there = digest(path, FOLDERS) or ("something" if path.exists() or path.is_symlink() else "")
        known = self.memory.get(chapter, {}).get(login, {})
        if there and there != hand.item.sha256 and not (self.accept or is_later(hand, known, there)):
            self.said.left.append(
                f"{login}: {hand.where} differs from {path}, and nothing says that it came later. To replace that, "
                "add --yes"
            )
            return
        kind = "new" if not there else "unchanged" if there == hand.item.sha256 else "replaced"
        self.said.put(kind, chapter, login)
        if not self.dry:
            place(path, hand, kind)
        self.memory.setdefault(chapter, {})[login] = remembered(hand, known)


def place(path, hand, kind):
    """Write a notebook, and when it was handed in, as nbgrader does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind != "unchanged":
        write_whole(path, Path(hand.item.staged).read_bytes())
    stamp = path.with_name(TIMESTAMP)
    if hand.came:
        text = f"{hand.came:%Y-%m-%d %H:%M:%S} UTC"
        if not stamp.exists() or stamp.read_text(encoding="utf-8", errors="replace").strip() != text:
            write_whole(stamp, text)
    elif kind == "replaced":
        stamp.unlink(missing_ok=True)  # it is the time of what lay there before


def is_later(hand, known, there):
    """Say whether a hand-in is later than the one that lies there, by when both came or by the LMS's own order."""
    if known.get("sha256") != there:
        return False
    if hand.came and known.get("came"):
        return hand.came.isoformat() > known["came"]
    return bool(hand.order[0]) and hand.order[0] == known["order"][0] and hand.order[1] > known["order"][1]


def remembered(hand, known):
    """Return what is kept of a hand-in. What other LMSs call the student stays: work may come from two."""
    came = hand.came.isoformat() if hand.came else ""
    if not came and known.get("sha256") == hand.item.sha256:
        came = known.get("came", "")
    order = list(hand.order) if hand.label else known.get("order", ["", 0])
    return {
        "from": hand.where,
        "sha256": hand.item.sha256,
        "came": came,
        "order": order,
        "labels": labels_of(hand, known),
    }


def labels_of(hand, known):
    """Return what each LMS calls a student, ``{lms: label}``, this hand-in's among them."""
    return known.get("labels", {}) | ({hand.label.lms: asdict(hand.label)} if hand.label else {})


def read_memory(classroom):
    """Return ``{chapter: {login: what is kept}}``. Errors: CourseError where the file is damaged."""
    path = classroom.root / MEMORY
    try:
        memory = json.loads(path.read_text(encoding="utf-8"))
        if not all(isinstance(kept["labels"], dict) for logins in memory.values() for kept in logins.values()):
            raise ValueError("no labels")
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CourseError(f"cannot read {path} ({error}): remove it, and collect the same files again") from error
    return memory


def write_memory(classroom, memory):
    """Keep it, in one step, where it is another one."""
    path, text = classroom.root / MEMORY, json.dumps(memory, indent=1, sort_keys=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_whole(path, text)


def check_login(login):
    """Refuse a login that cannot be a folder. Errors: UsageError."""
    if not usable(login):
        raise UsageError(f"the login {visible(login)[:80]!r} cannot be a folder's name: correct it in the roster")


def usable(login):
    """Say whether a login can be a student's folder."""
    is_short = len(login.encode("utf-8", "replace")) <= LOGIN_BYTES
    return bool(login) and "/" not in login and is_short and can_be_named(login)


def where(parts):
    """Return the names on a way as one short line that acts on nothing; of a long one the end, which tells most."""
    text = visible("/".join(parts)).replace("\n", "\\n").replace("\t", "\\t")
    return text if len(text) <= 120 else f"…{text[-119:]}"
