"""These tests keep sandboxes warm, and collect into a class."""

from datetime import UTC

import pytest

from autograder.classroom.classroom import ClassRoom
from autograder.lms.collect import Collector
from tests.support.mini_class import warm  # noqa: F401


@pytest.fixture
def write(tmp_path):
    """Write files that are collected, and return their paths."""
    folder = tmp_path / "downloads"

    def run(**files):
        folder.mkdir(exist_ok=True)
        for name, data in files.items():
            name = name.replace("_zip", ".zip").replace("_csv", ".csv").replace("_ipynb", ".ipynb")
            (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
        return [folder / path for path in sorted(folder.iterdir())]

    return run


@pytest.fixture
def collect(tmp_path):
    """Collect into a class and return what was said."""
    room = ClassRoom(tmp_path / "class")
    room.root.mkdir()

    def run(paths, students=None, **how):
        from .class_of_four import COURSE, ROSTER

        students = ROSTER if students is None else students
        return Collector(COURSE, room, students, zone=UTC, **how).collect(paths)

    run.room = room
    return run
