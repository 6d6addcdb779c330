"""A new gradebook knows an assignment as nbgrader itself would have written it, without all that nbgrader loads."""

import subprocess
import sys
from pathlib import Path

import nbgrader
import sqlalchemy
from alembic.script import ScriptDirectory
from nbgrader.api import Base

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.gradebook.database import head_revision
from autograder.classroom.gradebook.gradebook import gradebook, register
from autograder.course.course import Course
from autograder.course.release import generate

CHAPTER = "04_query_key_value"


def rows(classroom):
    """Return what nbgrader keeps of assignments, notebooks and cells, with names in place of random ids."""
    engine, found = sqlalchemy.create_engine(classroom.database), {}
    with engine.connect() as connection:
        for table in ("assignment", "notebook", "base_cell", "grade_cells", "solution_cells", "source_cell"):
            asked = connection.execute(sqlalchemy.text(f"select * from {table}"))
            found[table] = [dict(row._mapping) for row in asked]
    names = {row["id"]: row["name"] for table in found.values() for row in table if "name" in row}
    return {
        table: sorted(repr({field: names.get(value, value) for field, value in row.items()}) for row in content)
        for table, content in found.items()
    }


def test_a_new_assignment_is_what_nbgrader_would_write(root, tmp_path):
    """Every row of assignment, notebook and cells, checksums and points among them, is nbgrader's own."""
    assignment = Course(root).assignment(CHAPTER)
    course_id = assignment.course.settings.course_id
    ours, theirs = (ClassRoom(tmp_path / name, course_id=course_id) for name in ("ours", "theirs"))
    for room in (ours, theirs):
        room.root.mkdir()
    register(ours, assignment)
    with gradebook(theirs):
        generate(assignment, theirs.root, theirs.database)
    assert rows(ours) == rows(theirs)
    before = rows(ours)
    register(ours, assignment)
    assert rows(ours) == before


def test_the_models_come_without_jupyters_server():
    """A run loads only nbgrader's models; all of it can still be imported."""
    source = (
        "import sys\nfrom autograder.classroom.gradebook.gradebook import models\napi = models()\n"
        "assert not [name for name in sys.modules if name.startswith(('nbgrader.apps', 'jupyter_server'))]\n"
        "import nbgrader.apps\nassert sys.modules['nbgrader.api'] is api"
    )
    subprocess.run([sys.executable, "-c", source], check=True)


def test_a_new_gradebook_has_the_revision_that_alembic_finds():
    """Read from nbgrader's files, it is what the program that nbgrader starts would have said."""
    scripts = ScriptDirectory(Path(nbgrader.__file__).with_name("alembic"))
    assert head_revision() == scripts.get_current_head()


def test_a_gradebook_that_was_not_finished_is_begun_again(tmp_path):
    """A run that had no room left some tables without a row: the next one makes all of them, and a revision."""
    classroom = ClassRoom(tmp_path)
    engine = sqlalchemy.create_engine(classroom.database)
    tables = Base.metadata.sorted_tables[:3]
    Base.metadata.create_all(engine, tables=tables)
    with gradebook(classroom) as book:
        assert book.students == []
    found = sqlalchemy.inspect(engine).get_table_names()
    assert {*found} == {*Base.metadata.tables, "alembic_version"}
    assert len(found) > len(tables)
