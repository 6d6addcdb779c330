"""A Dask cluster that falls apart amid a run: real schedulers and workers, killed. Nothing is lost; it goes on."""

import datetime
import gc
import json
import multiprocessing
import os
import runpy
import shutil
import signal
import time
from contextlib import suppress
from pathlib import Path

import dask
import psutil
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from distributed import Client
from nbgrader.api import Gradebook

from autograder.classroom.classroom import ClassRoom
from autograder.classroom.results import batch_writer
from autograder.course.course import COURSE_ID
from autograder.errors import ServiceLost, UsageError
from autograder.runs import cluster
from autograder.runs.class_run import ClassRun
from autograder.runs.scheduler_address import in_the_open
from tests.support.killed import start
from tests.support.patience import LONG

CHAPTER = "01_doubling"
CLASS = 16  # students, of whom some are recorded after a second and some are not
SLOW = "import time\ntime.sleep(0.2)\ndef double(x):\n    return x + x"


class Dask:
    """A scheduler and its workers, each a process that can be killed."""

    def __init__(self, folder, config=None, **options):
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["distributed", "autograder.runs.cluster"])
        self.file, self.config, self.processes = folder / "scheduler.json", config or {}, []
        self.scheduler = self.start("scheduler", **options)

    def start(self, kind, **options):
        """Start a process."""
        settings = {"kind": kind, "file": str(self.file), "config": self.config, **options}
        path = str(Path(__file__).with_name("dask_process.py"))
        process = self.context.Process(target=runpy.run_path, args=(path, {"settings": settings}), daemon=True)
        process.start()
        self.processes.append(process)
        return process

    def worker(self):
        """Start a worker, and return when the scheduler knows of one."""
        process = self.start("worker", local_directory=str(self.file.parent))
        gc.collect()  # as Cluster does, and for its reason
        with dask.config.set(self.config), Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=LONG)
        return process

    @property
    def address(self):
        """The scheduler's address, which it writes to a file when it listens."""
        until = time.monotonic() + LONG
        while self.scheduler.is_alive() and time.monotonic() < until:
            with suppress(OSError, ValueError):
                return json.loads(self.file.read_text())["address"]
            time.sleep(0.02)
        pytest.fail("the scheduler did not start")

    def end(self):
        """Kill all of them."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.join()


@pytest.fixture
def dask_of(tmp_path_factory):
    """Start a scheduler; it and its workers are gone at the end of the test."""
    started = []

    def start(config=None, **options):
        started.append(Dask(tmp_path_factory.mktemp("dask"), config, **options))
        return started[-1]

    yield start
    for one in started:
        one.end()


@pytest.fixture
def slow_class(submit, answered):
    """Six students, whose notebooks take a moment each."""
    for number in range(6):
        submit(f"student{number}", answered(SLOW))


@pytest.fixture(autouse=True)
def recorded_soon(monkeypatch):
    """Record each result when it comes."""
    monkeypatch.setattr(batch_writer, "BATCH", 1)


def marks(classroom):
    """Return everybody's marks as nbgrader reads them."""
    with Gradebook(classroom.database, COURSE_ID) as book:
        return {entry["student"]: entry["score"] for entry in book.submission_dicts(CHAPTER)}


def records(classroom):
    """Return when each record was written."""
    return {path: path.stat().st_mtime_ns for path in classroom.root.glob("autograded/*/*/run.json")}


ALL = {f"student{number}": 10 for number in range(6)}


@pytest.mark.usefixtures("slow_class")
def test_a_scheduler_that_is_killed(dask_of, classroom, assignment, capfd):
    """One line says how many are recorded, the bar shows no more than these, and the same command does the others."""
    first = dask_of()
    first.worker()
    run = iter(ClassRun(classroom, [assignment], scheduler=first.address))
    next(run)
    first.scheduler.kill()
    with pytest.raises(
        ServiceLost, match=r"the Dask scheduler at \w+://\S+ went away.*; \d of 6 are done and saved"
    ) as end:
        list(run)
    before = records(classroom)
    assert 0 < len(before) < 6
    assert f"{len(before)} of 6 are done" in str(end.value)
    said = capfd.readouterr().err.rpartition("\r")[2]
    assert f"{len(before)}/6" in said
    assert "Traceback" not in said
    first.end()
    again = dask_of()
    again.worker()
    list(ClassRun(classroom, [assignment], scheduler=again.address))
    assert marks(classroom) == ALL
    assert before.items() <= records(classroom).items()


@pytest.mark.usefixtures("slow_class")
def test_workers_that_go_and_come(dask_of, classroom, assignment, monkeypatch):
    """One killed amid a notebook leaves no sandbox; the next one does the rest. With none for too long the run ends."""
    one = dask_of()
    worker = one.worker()
    run = iter(ClassRun(classroom, [assignment], scheduler=one.address))
    next(run)
    sandboxes = psutil.Process(worker.pid).children(recursive=True)
    assert sandboxes
    worker.kill()
    psutil.wait_procs(sandboxes, timeout=LONG)
    assert not [process for process in sandboxes if process.is_running()]
    monkeypatch.setattr(cluster, "WORKERS_SECONDS", 0.0)
    with pytest.raises(ServiceLost, match=r"has had no worker for .* start some with `dask worker`; \d of 6 are done"):
        list(run)
    before = records(classroom)
    monkeypatch.undo()
    one.worker()
    run = iter(ClassRun(classroom, [assignment], scheduler=one.address))
    next(run)
    one.processes[-1].kill()
    one.worker()
    assert {result.status for _, result in run} == {"graded"}
    assert marks(classroom) == ALL
    assert before.items() <= records(classroom).items()


def certificates(folder):
    """Write a new authority and a certificate that it has signed; return Dask's settings that name them."""
    folder.mkdir()
    authority, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    (folder / "ca.pem").write_bytes(signed("our own", authority, authority))
    (folder / "cert.pem").write_bytes(signed("grading", key, authority))
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(key.private_bytes(*form))
    tls = {"distributed.comm.tls.ca-file": str(folder / "ca.pem"), "distributed.comm.require-encryption": True}
    for role in ("scheduler", "worker", "client"):
        tls[f"distributed.comm.tls.{role}.cert"] = str(folder / "cert.pem")
        tls[f"distributed.comm.tls.{role}.key"] = str(folder / "key.pem")
    return tls


def signed(subject, key, authority):
    """Return a certificate of a key, signed by an authority, its own too."""
    subject, issuer = (x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, n)]) for n in (subject, "our own"))
    start = datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)
    made = x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(start).not_valid_after(start + datetime.timedelta(days=1))
    for extension, critical in (
        (x509.BasicConstraints(ca=key is authority, path_length=None), True),
        (x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), False),
    ):
        made = made.add_extension(extension, critical)
    return made.sign(authority, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def test_an_encrypted_cluster(dask_of, classroom, assignment, submit, answered, tmp_path, monkeypatch):
    """With certificates by Dask's own settings a class is graded; with others', or none, one line, and nobody is."""
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    submit("ada", answered())
    ours, others = certificates(tmp_path / "ours"), certificates(tmp_path / "others")
    one = dask_of(ours, protocol="tls")
    one.worker()
    assert one.address.startswith("tls://")
    for config in (others, {}):
        with dask.config.set(config), pytest.raises(UsageError, match=r"certificates that distributed\.comm") as error:
            list(ClassRun(classroom, [assignment], scheduler=one.address))
        assert "\n" not in str(error.value)
    with pytest.raises(UsageError, match="no Dask scheduler at 'tcp://"):
        list(ClassRun(classroom, [assignment], scheduler=one.address.replace("tls:", "tcp:")))
    assert not (classroom.root / "autograded").exists()
    with dask.config.set(ours):
        list(ClassRun(classroom, [assignment], scheduler=one.address))
    assert marks(classroom) == {"ada": 10}


@pytest.mark.parametrize(
    ("address", "is_said"),
    [
        ("tcp://192.168.0.7:8786", True),
        ("192.168.0.7:8786", True),
        ("ws://grader.example:8786", True),
        ("tcp://[2001:db8::7]:8786", True),
        ("tls://192.168.0.7:8786", False),
        ("wss://grader.example:8786", False),
        ("tcp://127.0.0.1:8786", False),
        ("tcp://[::1]:8786", False),
        ("localhost:8786", False),
        ("", False),
        ("tcp://[nonsense", False),
    ],
)
def test_what_travels_readable_is_said(address, is_said):
    """An address without encryption that is not this machine gets one line, which names tls://."""
    said = in_the_open(address)
    assert bool(said) == is_said
    assert all(address in line and "tls://" in line and "\n" not in line for line in said)


@pytest.mark.usefixtures("slow_class")
def test_a_worker_whose_machine_vanishes(dask_of, classroom, assignment):
    """Its work is given to another one, once the scheduler has heard nothing of it for as long as it was told."""
    one = dask_of({"distributed.scheduler.worker-ttl": "2s"})
    gone = one.worker()
    run = iter(ClassRun(classroom, [assignment], scheduler=one.address))
    next(run)
    os.kill(gone.pid, signal.SIGSTOP)
    one.worker()
    assert {result.status for _, result in run} == {"graded"}
    assert marks(classroom) == ALL


@pytest.mark.usefixtures("slow_class")
@pytest.mark.parametrize(("who", "said"), [(0, "went away: start it"), (1, "has had no worker for")])
def test_nobody_says_anything_any_more(dask_of, classroom, assignment, monkeypatch, who, said):
    """A scheduler that is there and answers nothing, or the only worker: one line within the limit, nothing lost."""
    one = dask_of()
    one.worker()
    run = iter(ClassRun(classroom, [assignment], scheduler=one.address))
    next(run)
    os.kill(one.processes[who].pid, signal.SIGSTOP)
    for limit in ("ANSWER_SECONDS", "WORKERS_SECONDS", "CONNECT_SECONDS"):
        monkeypatch.setattr(cluster, limit, 1.0)
    with pytest.raises(ServiceLost, match=rf"the Dask scheduler at \S+ {said}.*; \d of 6 are done and saved") as end:
        list(run)
    before = records(classroom)
    assert f"{len(before)} of 6 are done" in str(end.value)
    monkeypatch.undo()
    os.kill(one.processes[who].pid, signal.SIGCONT)
    list(ClassRun(classroom, [assignment], scheduler=one.address))
    assert marks(classroom) == ALL
    assert before.items() <= records(classroom).items()


def test_a_run_that_is_killed_while_workers_grade(dask_of, mini, classroom, submit, answered, tmp_path, monkeypatch):
    """Killed by the system at any moment: the same run again ends with the results of an undisturbed one, each once."""
    for number in range(CLASS):
        submit(f"student{number}", answered(SLOW.replace("x + x", f"x * {2 + number % 2}")))
    calm = ClassRoom(shutil.copytree(classroom.root, tmp_path / "calm"))
    monkeypatch.syspath_prepend(mini.root)  # the workers' checks are where the run's are
    one = dask_of()
    one.worker()
    settings = json.dumps({"scheduler": one.address})
    assert start(mini, calm, settings).wait() == 0
    run = start(mini, classroom, settings)
    until = time.monotonic() + LONG
    while not records(classroom) and run.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    run.kill()
    run.wait()
    before = records(classroom)
    assert 0 < len(before) < CLASS
    assert start(mini, classroom, settings).wait() == 0
    assert marks(classroom) == marks(calm) == {f"student{number}": 10 * (number % 2 == 0) for number in range(CLASS)}
    assert before.items() <= records(classroom).items()
    for path in calm.root.glob("autograded/*/*/result.json"):
        assert (classroom.root / path.relative_to(calm.root)).read_bytes() == path.read_bytes()
    with Gradebook(classroom.database, COURSE_ID) as book:
        assert len(book.assignment_submissions(CHAPTER)) == len(book.students) == CLASS
