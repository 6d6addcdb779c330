"""The page on clusters: what it says to write and to type leaves no door open."""

import http.client
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import yaml

from tests.support.patience import LONG

from .test_cluster_faults import certificates

HERE = "127.0.0.9"  # stands in for the machine's address on its network
PAGES = ("/", "/status", "/info/main/workers.html", "/info/main/logs.html", "/json/counts.json", "/metrics", "/health")


def blocks(root):
    """Return the page's blocks of code as one text."""
    return "\n".join(re.findall(r"```\w*\n(.*?)```", (root / "book/term_cluster.md").read_text(), re.DOTALL))


def settings_on_the_page(root, folder):
    """Write the page's settings, with paths of certificates that exist, and return their folder."""
    text = next(re.finditer(r"```yaml\n(.*?)```", (root / "book/term_cluster.md").read_text(), re.DOTALL))[1]
    certificates(folder)
    (folder / "distributed.yaml").write_text(text.replace("/home/ana/grading", str(folder)))
    assert yaml.safe_load(text)["distributed"]["comm"]["require-encryption"] is True
    return folder


@pytest.fixture(scope="module")
def started(root, tmp_path_factory):
    """Scheduler and worker, started by the page's own lines; all sockets on which they listen."""
    folder = settings_on_the_page(root, tmp_path_factory.mktemp("dask") / "grading")
    environment = {**os.environ, "DASK_CONFIG": str(folder)}
    lines = re.findall(r"^dask (scheduler|worker) (.*)$", blocks(root), re.MULTILINE)
    changes = {"192.168.0.7": HERE, "192.168.0.8": HERE, ":8786": ":18791", "--nworkers -1": "--nworkers 1"}
    processes = []
    for kind, words in lines:
        for old, new in changes.items():
            words = words.replace(old, new)
        more = ["--port", "18791"] if kind == "scheduler" else ["--local-directory", str(folder)]
        command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *words.split(), *more]
        processes.append(subprocess.Popen(command, env=environment, cwd=folder, stderr=subprocess.PIPE, text=True))
    said = ""
    until = time.monotonic() + LONG
    while "Registered to" not in said and time.monotonic() < until:
        said += processes[1].stderr.readline()
    yield listening(processes)
    for process in reversed(processes):
        for each in [*psutil.Process(process.pid).children(recursive=True), process]:
            each.kill()
        process.communicate()


def listening(processes):
    """Return ``(address, port)`` of every socket on which processes and their children listen."""
    trees = [each for process in processes for each in (psutil.Process(process.pid),)]
    everyone = [one for tree in trees for one in (tree, *tree.children(recursive=True))]
    found = [each for one in everyone for each in one.net_connections("tcp") if each.status == psutil.CONN_LISTEN]
    return {(each.laddr.ip, each.laddr.port) for each in found}


def test_nothing_listens_on_all_interfaces(started):
    """The work's ports are on the address that the commands name, the web's on the machine itself."""
    assert {address for address, _ in started} == {HERE, "127.0.0.1"}
    assert (HERE, 18791) in started


def test_no_page_is_shown(started):
    """Neither logs nor tasks, to whoever may open the web's ports."""
    for address, port in started:
        if address == HERE:
            continue
        for page in PAGES:
            connection = http.client.HTTPConnection(address, port, timeout=LONG)
            try:
                connection.request("GET", page)
                assert connection.getresponse().status == 404
            except (OSError, http.client.HTTPException):
                pass  # a port of Dask's own protocol, which is encrypted
            finally:
                connection.close()


def test_encryption_comes_before_the_first_start(root):
    """Whoever follows the page from the top never starts anything in the open."""
    text = (root / "book/term_cluster.md").read_text()
    assert text.index("require-encryption: true") < min(found.start() for found in re.finditer("^dask ", text, re.M))
    assert not re.search(
        r"^dask (?:scheduler|worker)(?!.*--host .*--no-dashboard.*--dashboard-address 127)", text, re.M
    )
    assert Path(root / "book/term_cluster.md").read_text().count("tcp://") == 1  # what is warned of
