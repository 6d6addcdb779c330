"""A Dask cluster grades as this machine does."""

import shutil
import sys

import pytest
from distributed import LocalCluster

from autograder.classroom.classroom import ClassRoom
from autograder.errors import UsageError
from autograder.runs.class_run import ClassRun

CHAPTER = "01_doubling"


@pytest.fixture(scope="module")
def cluster():
    """Two workers, each a separate process with two threads, as `dask worker` may have them."""
    with LocalCluster(2, threads_per_worker=2, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_writes_the_same_bytes(cluster, graded, classroom, assignment, tmp_path):
    """Result and graded notebook of every student, the unreadable ones too, are what one process writes."""
    again = ClassRoom(tmp_path / "again")
    shutil.copytree(classroom.root / "submitted", again.root / "submitted")
    statuses = {student: result.status for student, result in ClassRun(again, [assignment], seed=7, scheduler=cluster)}
    assert statuses == {student: result.status for student, result in graded.items()}
    for name in ("result.json", f"{CHAPTER}.ipynb"):
        for path in classroom.root.glob(f"autograded/*/*/{name}"):
            assert (again.root / path.relative_to(classroom.root)).read_bytes() == path.read_bytes()


def test_a_worker_with_other_checks_gives_no_marks(cluster, classroom, assignment, submit, answered, monkeypatch):
    """What a worker would judge by other rules is a failure of ours, and nobody's zero."""
    submit("ada", answered())
    monkeypatch.setattr("autograder.runs.cluster.course_provenance", lambda *facts: {"checks": "other"})
    (result,) = dict(ClassRun(classroom, [assignment], seed=7, scheduler=cluster)).values()
    assert result.status == "infrastructure"
    assert "this worker's course, checks, Python or NumPy differ" in result.message


def test_without_the_package_it_says_what_to_install(classroom, assignment, submit, answered, monkeypatch):
    """Grading on a cluster is an extra: where it is not installed, one line says how, before anything is graded."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "autograder.runs.cluster", raising=False)
    submit("ada", answered())
    with pytest.raises(UsageError, match=r"needs the package distributed, .*: run `pip install -e '\.\[cluster\]'`"):
        list(ClassRun(classroom, [assignment], scheduler="tcp://127.0.0.1:9"))
    assert not (classroom.root / "autograded").exists()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense://x", "no address"])
def test_an_address_where_nobody_answers_is_one_line(classroom, assignment, submit, answered, address, monkeypatch):
    """A wrong address is an error of use before anything is graded."""
    monkeypatch.setattr("autograder.runs.cluster.CONNECT_SECONDS", 1)
    submit("ada", answered())
    with pytest.raises(UsageError, match="no Dask scheduler at"):
        list(ClassRun(classroom, [assignment], scheduler=address))
    assert not (classroom.root / "autograded").exists()
