"""The commands. Each calls the function that does its work and prints the outcome; none holds logic.

Each loads what it needs when it runs, so that the first line of every command comes at once.
"""

from __future__ import annotations

import json
import signal
from argparse import Namespace
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom.gradebook_url import masked
from autograder.errors import UsageError
from autograder.plain import join_first, plural
from autograder.terminal import print_notes, print_results

if TYPE_CHECKING:
    from autograder.classroom.classroom import ClassRoom
    from autograder.course.course import Assignment, Course
    from autograder.grading.result import Result
    from autograder.lms.export import Exported
    from autograder.runs.class_run import ClassRun

EXIT_OK, EXIT_USE, EXIT_INFRASTRUCTURE, EXIT_WAITS = 0, 2, 3, 4


def course_and_class(options: Namespace, new: bool = False) -> tuple[Course, ClassRoom]:
    """Return the course, and the class that is named, or in this folder, or in the course's; a new one may be missing.

    A new class is never taken to be in this folder, where a real one may be.
    Errors: UsageError if the class's folder is missing, or is a file.
    """
    from autograder.classroom.class_course import course_of_class, refuse_another_course
    from autograder.classroom.classroom import ClassRoom, class_here

    if options.root is not None and not options.root.is_dir() and not (new and not options.root.exists()):
        raise UsageError(f"no folder {options.root}: expected one that holds submitted/")
    course = announce(course_of_class(options.course, options.root))
    place = options.root or (class_here() if not new else None) or course.root
    refuse_another_course(place, course)
    chapters = tuple(course.chapters())
    classroom = ClassRoom(place, getattr(options, "db", ""), chapters, course.settings.course_id)
    _ = classroom.database  # errors in class.toml or --db come before anything is done
    return course, classroom


def announce(course: Course) -> Course:
    """Return a course; print where it is, unless that is the current folder."""
    if course.root != Path.cwd():
        print_notes(f"course: {course.root}")
    return course


def assignments(course: Course, names: list[str]) -> list[Assignment]:
    """Return the assignments of these names, or all; every name is checked first."""
    wanted = names or course.chapters()
    if not wanted:
        known = ", ".join(course.every_chapter()) or "none"
        raise UsageError(f"{course.root / '_toc.yml'} lists no chapter: expected some of {known}")
    return [course.meant_by(name) for name in wanted]


def run_release(options: Namespace) -> int:
    """Write the exercises."""
    from autograder.course.instructor_changes import refuse_unknown_names
    from autograder.course.release import release
    from autograder.course.which_course import find_course

    course = announce(find_course(options.course))
    refuse_unknown_names(course.root, course.every_chapter(), course.settings.points)
    for assignment in assignments(course, options.chapters):
        print_results(f"released {release(assignment, print_results)}")
    return EXIT_OK


def run_init(options: Namespace) -> int:
    """Write a small working course."""
    from autograder.course.new_course import start_course

    folder = start_course(options.folder)
    print_results(f"{folder} holds a course with two exercises; its README.md says what to type there")
    return EXIT_OK


def run_doctor(options: Namespace) -> int:
    """Print what this machine offers."""
    from autograder.doctor import examine

    found = list(examine())
    print_results(*(one.line() for one in found))
    return EXIT_INFRASTRUCTURE if any(one.state == "missing" for one in found) else EXIT_OK


def run_check(options: Namespace) -> int:
    """Grade one notebook and print it."""
    from autograder.course.which_course import find_course
    from autograder.runs.one_notebook import check, describe_result

    course = announce(find_course(options.course))
    result = check(options.notebook, protected(options), course)
    print(json.dumps(result.as_dict()) if options.json else describe_result(result))
    return EXIT_INFRASTRUCTURE if result.status == "infrastructure" else EXIT_OK


def run_collect(options: Namespace) -> int:
    """Fill submitted/, and explain everything that was not collected."""
    from autograder.classroom.class_file import read_class
    from autograder.lms.collect import Collector
    from autograder.lms.people import read_people

    course, classroom = course_and_class(options)
    chapter = course.meant_by(options.chapter).chapter if options.chapter else ""
    about = read_class(classroom.root, course.chapters())
    people = read_people(options.roster) if options.roster else about.roster.students
    how = {"write_changes": options.yes, "dry": options.dry_run, "zone": about.timezone if about.path else None}
    found = Collector(course, classroom, people, chapter, options.login, **how)
    said = found.collect(options.files)
    for name in said.chapters():
        counts = [(len(getattr(said, kind).get(name, ())), kind) for kind in ("new", "replaced", "unchanged")]
        print_results(
            f"{name}: {', '.join(f'{count} {kind}' for count, kind in counts)}: {classroom.root / 'submitted'}"
        )
    print_notes(*said.told)
    for line in said.left:
        print_notes(f"not collected: {line}")
    if options.dry_run:
        print_notes("nothing was written: --dry-run")
    return EXIT_OK if said.chapters() and not said.is_cut_short else EXIT_USE


def run_grade(options: Namespace) -> int:
    """Grade the class and print where the marks are."""
    if options.jobs > 1 and not options.scheduler:
        from autograder.runs import fork_server

        fork_server.start()  # before everything else is loaded, which takes as long
    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters)
    from autograder.classroom.results.changes import describe_changes
    from autograder.runs.class_run import ClassRun
    from autograder.runs.scheduler_address import in_the_open

    print_notes(*in_the_open(options.scheduler))
    statuses = Counter()
    for path in (assignment.ledger_path for assignment in chosen if not assignment.ledger_path.exists()):
        print_notes(f"no {path}: earlier releases are unknown; `autograder release` creates it")
    settings = {"write_changes": options.yes, "scheduler": options.scheduler, "only": options.student}
    run = ClassRun(classroom, chosen, options.jobs, protected(options), **settings)
    for student, result in run:
        statuses[result.status] += 1
        if options.json:
            print_as_json(run, student, result)
    counted = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    print_notes(f"{plural(statuses.total(), 'submission')}: {counted}")
    said = [*run.notes, *run.failures(), *run.describe_faults()]
    print_notes(*said)
    print_notes(*describe_changes(run.changes))
    if run.changes and not options.yes:
        print_notes(f"changes not written: {len(run.changes)}; to write them, add --yes")
    print_notes(f"marks: {masked(classroom.database)}")
    if options.exit_code and run.changes and not options.yes:
        return EXIT_WAITS
    return EXIT_INFRASTRUCTURE if statuses["infrastructure"] else EXIT_OK


def run_watch(options: Namespace) -> int:
    """Grade what arrives until interrupted by Ctrl+C or SIGTERM."""
    if options.jobs > 1:
        from autograder.runs import fork_server

        fork_server.start()
    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters)
    from autograder.lms.watch import ArrivalWatcher
    from autograder.runs.class_run import ClassRun

    run = ClassRun(classroom, chosen, options.jobs, protected(options), write_changes=options.yes)
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def finished(student: str, result: Result) -> None:
        if options.json:
            print_as_json(run, student, result)

    try:
        ArrivalWatcher(run, say=print_with_time, finished=finished, collect=options.collect)()
    except KeyboardInterrupt:
        print_with_time("ended; what has been graded so far is saved")
    return EXIT_OK


def print_with_time(line: str) -> None:
    """Print a line with the time of day."""
    print_notes(f"{datetime.now():%H:%M:%S} {line}")


def print_as_json(run: ClassRun, student: str, result: Result) -> None:
    """Print a result as a line of JSON, with its total."""
    total = run.total(student, result)
    counts = total.as_dict() if total else {"total": None}
    print(json.dumps({"student": student, **result.as_dict(), **counts}), flush=True)


def run_feedback(options: Namespace) -> int:
    """Write the feedback pages."""
    from autograder.pages.feedback import feedback

    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters)
    written = Counter(page.stem for page in feedback(classroom, *chosen))
    for chapter in (assignment.chapter for assignment in chosen):
        print_results(f"{plural(written[chapter], 'page')}: {classroom.feedback('<student>', chapter) / chapter}.html")
    return EXIT_OK


def run_report(options: Namespace) -> int:
    """Write the class's page."""
    from autograder.pages.report import report

    course, classroom = course_and_class(options)
    for assignment in assignments(course, options.chapters):
        print_results(f"report: {report(classroom, assignment, options.nameless)}")
    return EXIT_OK


def run_export(options: Namespace) -> int:
    """Write the marks to a file."""
    from autograder.classroom.results.load import graded_chapters
    from autograder.lms.export import export, require_csv, require_format

    require_format(options.format)  # before anything is looked for
    require_csv(options.to)
    course, classroom = course_and_class(options)
    chosen = assignments(course, options.chapters or graded_chapters(course, classroom))
    written = export(classroom, chosen, options.to, options.format)
    print_export(written)
    return EXIT_OK


def run_return(options: Namespace) -> int:
    """Write the feedback's zip, and the marks beside it."""
    from autograder.lms.export import export, require_csv
    from autograder.lms.give_back import LMS_NAMES, give_back

    if options.marks:
        require_csv(options.marks)  # before the zip is written
    course, classroom = course_and_class(options)
    (assignment,) = assignments(course, [options.chapter])
    given = give_back(classroom, assignment, options.lms, options.to)
    print_results(f"{plural(len(given.students), 'page')} for {LMS_NAMES[options.lms]}: {given.path}")
    if given.without_page:
        logins = ", ".join(given.without_page)
        print_notes(f"no page, or an old one: {logins}; run `autograder feedback {assignment.chapter}`")
    if given.from_elsewhere:
        print_notes(f"not collected from {LMS_NAMES[options.lms]}: {', '.join(given.from_elsewhere)}")
    if options.marks:
        written = export(classroom, [assignment], options.marks, options.lms)
        print_export(written)
    return EXIT_OK


def print_export(written: Exported) -> None:
    """Print what was exported, and whose mark is missing."""
    print_results(f"{plural(written.students, 'student')}, {plural(written.marks, 'mark')}: {written.path}")
    for student, chapter in written.unreadable:
        print_notes(f"{student} {chapter}: no mark: its record cannot be read: grade again")
    for chapter, students in written.waiting.items():
        print_notes(
            f"{join_first(students)} {chapter}: lower totals wait: `autograder grade {chapter}` lists them, and writes "
            "them with --yes"
        )


def run_sample_class(options: Namespace) -> int:
    """Write a synthetic class."""
    from autograder.classroom.sample_class import sample_class

    course, classroom = course_and_class(options, new=True)
    for assignment in assignments(course, options.chapters):
        kinds = sample_class(assignment, classroom, options.students, options.seed)
        print_results(f"{plural(len(kinds), 'submission')}: {classroom.root / 'submitted'}")
    return EXIT_OK


def protected(options: Namespace) -> bool:
    """Say whether the sandbox is on; warn loudly if it is off.

    Errors: SandboxUnavailable if it would be weaker than usual and nobody said that it may.
    """
    from autograder.doctor import require_call_filter

    if options.unprotected:
        print_notes("UNPROTECTED: student code runs with your rights and can read and change your files")
    elif not options.weaker_sandbox:
        require_call_filter()
    return not options.unprotected
