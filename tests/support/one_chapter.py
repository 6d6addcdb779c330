"""Which tests concern one chapter: ``pytest --chapter NN_stem``."""

import pytest

from .root import ENGINE_FOLDERS

# Folders and files of tests that concern no chapter more than another: if they name one, it is an example.
ELSEWHERE = {"hostile", "odd", "course_facts", "lite", "lite_kernel", "transformer_map"}
ELSEWHERE |= ENGINE_FOLDERS - {"diagnosis", "course"}
ELSEWHERE |= {"release", "ledger", "cli", "nbgrader", "any_folder"}

NOT_TAUGHT = "They concern chapters or pages that _toc.yml does not list."
CHANGED = (
    "They concern chapters that course.toml or own/ changes: see that `autograder check` gives the solution full marks."
)


def chapters_by_name(root, chapter):
    """Return ``{name: chapter}`` for chapters, their stems and their exercises.

    Errors: pytest.UsageError for a chapter that does not exist.
    """
    from autograder.course.course import Course  # not above: the reference loads with it, before its hook is there
    from autograder.errors import UsageError

    course = Course(root)
    try:
        course.assignment(chapter)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error
    return names_of(course.chapters())


def names_of(chapters):
    """Return ``{name: chapter}`` for these chapters, their stems and their exercises."""
    from attention.exercises import exercises_of

    found = {}
    for known in chapters:
        stem = known.partition("_")[2]
        found |= dict.fromkeys((known, stem, *exercises_of(stem)), known)
    return found


def not_taught(root):
    """Return ``{name: chapter}`` for the chapters that _toc.yml does not list; {} for the whole course."""
    from autograder.course.course import Course

    course = Course(root)
    return names_of(sorted(set(course.every_chapter()) - set(course.chapters())))


def changed(root):
    """Return ``{name: chapter}`` for the chapters that an instructor has changed; {} for the course as published."""
    from attention.exercises import exercises_of
    from autograder.course.course import Course
    from autograder.course.instructor_changes import own_folder

    course = Course(root)
    stems = {chapter: chapter.partition("_")[2] for chapter in course.chapters()}
    points = course.settings.points.keys()
    return names_of(
        chapter
        for chapter, stem in stems.items()
        if own_folder(root, stem).is_dir() or points & exercises_of(stem).keys()
    )


def own_chapter(item, names):
    """Return the chapter that a whole file is about, by its name or, for tests of the book, its CHAPTER; or None."""
    named = names.get(item.path.stem.removeprefix("test_"))
    return named or (names.get(getattr(item.module, "CHAPTER", None)) if item.path.parent.name == "book" else None)


def is_about(item, names):
    """Say whether a test is about one of these chapters: by its file, by the file's CHAPTER or by its parameters.

    A test of the course as ``published`` runs in any case: what is changed or left out here does not reach it.
    """
    if "published" in getattr(item, "fixturenames", ()):
        return False
    chapter = getattr(item.module, "CHAPTER", None)
    return bool(own_chapter(item, names) or names.get(chapter) or named_chapters(item, names))


def named_chapters(item, names):
    """Return the chapters that a test's parameters name: a chapter, a stem, an exercise or its name."""
    values = getattr(item, "callspec", None)
    words = (getattr(value, "name", value) for value in (values.params.values() if values else ()))
    words = {word.removeprefix("slips/").removesuffix(".html") for word in words if isinstance(word, str)}  # its pages
    return {names[word] for word in words if word in names}


def concerned(items, chapter, names):
    """Return the tests that concern a chapter, in order.

    In a file about the chapter, all that name no other one. In a file whose parameters name this chapter among others,
    those that name it, and those without parameters, which look at all chapters at once.
    """
    shared = {item.path for item in items if chapter in named_chapters(item, names)}

    def concerns(item):
        named = named_chapters(item, names)
        if own_chapter(item, names) == chapter:
            return not named or chapter in named
        return item.path in shared and (chapter in named or not hasattr(item, "callspec"))

    return [item for item in items if concerns(item)]
