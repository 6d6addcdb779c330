"""What all tests share: signatures that are checked, a browser, the order in which they run."""

import gc
import json
import shutil

import pytest

import autograder  # noqa: F401 - before any test loads nbformat, which would load a slow parser of URLs
from autograder.errors import NotTaught
from tests.support.root import ROOT

from .autograder.classroom.gradebook.postgresql import MISSING as POSTGRESQL
from .support import faults, signatures
from .support.one_chapter import (
    CHANGED,
    ELSEWHERE,
    NOT_TAUGHT,
    changed,
    chapters_by_name,
    concerned,
    is_about,
    not_taught,
)

signatures.install()

from .support.mini_class import (  # noqa: E402 - after the hook: it loads the mathematics
    answered,  # noqa: F401
    assignment,  # noqa: F401
    classroom,  # noqa: F401
    grade,  # noqa: F401
    graded,  # noqa: F401
    graded_once,  # noqa: F401
    grader,  # noqa: F401
    mini,  # noqa: F401
    notebook,  # noqa: F401
    released,  # noqa: F401
    sandboxes,  # noqa: F401
    submit,  # noqa: F401
)

faults.record()


@pytest.fixture(autouse=True)
def every_fault_is_seen(request):
    """Fail a test in which a part of the checks raised an error, unless it asks for ``expected_faults``."""
    yield
    found = faults.take()
    assert "expected_faults" in request.fixturenames or not found


@pytest.fixture
def expected_faults():
    """Let parts of the checks raise errors: what a test with this fixture is about."""
    return faults.RECORDED


@pytest.fixture(scope="session")
def root():
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="module")
def folders(root):
    """The released folders by their chapter's Python name."""
    return {folder.name[3:]: folder for folder in (root / "exercises").glob("[0-9]*")}


@pytest.fixture(scope="module")
def stored(folders):
    """What each chapter's examples.json holds."""
    return {stem: json.loads((folder / "examples.json").read_text()) for stem, folder in folders.items()}


@pytest.fixture(scope="session")
def published(root, tmp_path_factory):
    """The course as published, whatever _toc.yml, course.toml and own/ say here."""
    from autograder.course.course import Course

    folder = tmp_path_factory.mktemp("published")
    for name in ("solutions", "exercises", "releases", "nbgrader_config.py"):
        (folder / name).symlink_to(root / name)
    return Course(folder)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Check the reference's signatures, but where answers are judged: there it is called as outside of tests."""
    signatures.check(not item.path.relative_to(ROOT / "tests").as_posix().startswith(signatures.JUDGING))


@pytest.fixture
def unchecked():
    """Let a wrong shape reach the function itself, as it does outside of tests."""
    with signatures.unchecked():
        yield


@pytest.fixture
def rng():
    """A generator with a fixed seed."""
    import numpy as np

    return np.random.default_rng(20_240_206)


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
)


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests of a worker, which finds no host but this one; without it the tests fail."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        pytest.fail("expected the command chromium, found none: install the package chromium", pytrace=False)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield chromium
        chromium.close()


# Files go to the workers whole and in this order: what takes longest first, so that no core is idle at the end.
SLOW_FIRST = ("hostile", "autograder/course/test_course", "attention/exercises/test_exercises", "book")
SLOW_FIRST += ("autograder/runs", "autograder/sandbox", "attention/models", "odd")


def pytest_addoption(parser):
    """Let somebody who works on one chapter run its tests alone."""
    parser.addoption("--chapter", metavar="NN_stem", help="run only the tests that concern this chapter")


def pytest_configure(config):
    """Refuse an unknown chapter before anything is collected."""
    chapter = config.getoption("chapter")
    config.chapters = chapters_by_name(ROOT, chapter) if chapter else {}


def pytest_ignore_collect(collection_path, config):
    """With a chapter named, leave out what concerns no chapter, or another one, without loading it."""
    name = collection_path.stem.removeprefix("test_")
    is_other = config.chapters.get(name, config.getoption("chapter")) != config.getoption("chapter")
    return True if config.chapters and (name in ELSEWHERE or is_other) else None


def pytest_sessionstart(session):
    """Refuse stale models in one line: what tests would find with them is true of other code."""
    if not hasattr(session.config, "workerinput"):
        from attention.models import Stale
        from attention.models.build import require_fresh

        try:
            require_fresh()
        except Stale as stale:
            pytest.exit(str(stale), returncode=1)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage while tests are collected: of what is loaded there is none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config, items):
    """Keep what concerns the chapter that is named; run what takes long first, so that no core is idle at the end.

    What needs Chromium is marked `browser`.
    """
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker("browser")
    if chapter := config.getoption("chapter"):
        kept = concerned(items, chapter, config.chapters)
        config.hook.pytest_deselected(items=list(set(items) - set(kept)))
        items[:] = kept
    for names, reason in (not_taught(ROOT), NOT_TAUGHT), (changed(ROOT), CHANGED):
        for item in items:
            if is_about(item, names):
                item.add_marker(pytest.mark.skip(reason=reason))
    items.sort(key=lambda item: next((i for i, name in enumerate(SLOW_FIRST) if f"tests/{name}" in str(item.path)), 9))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Skip a test that asks the course for a chapter, or the book for a page, that _toc.yml does not list."""
    report = yield
    if call.excinfo and isinstance(call.excinfo.value, NotTaught):
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, NOT_TAUGHT)
    return report


def pytest_terminal_summary(terminalreporter):
    """Say aloud what was left out: a skipped test is easily overlooked."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", ())]
    for reason in (POSTGRESQL, NOT_TAUGHT, CHANGED):
        if count := sum(reason in said for said in skipped):
            terminalreporter.write_sep("!", f"{count} tests were NOT run. {reason}", red=True, bold=True)
