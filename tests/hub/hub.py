"""A real JupyterHub for a walk: Unix accounts, their homes, an exchange, the proxy from npm; all of it goes again."""

import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from tests.support.root import ROOT

TEACHER, ADA, BEN = ACCOUNTS = ("hub-teacher", "hub-ada", "hub-ben")
MADE_BY = "walk of tests/hub"  # is in the account's comment: nobody else's account is touched
START_SECONDS = 120
PROXY = ROOT / "_build/hub/node_modules/.bin/configurable-http-proxy"
EVERYBODY = """
c = get_config()
c.CourseDirectory.course_id = "attention-row-by-row"
c.Exchange.root = {exchange!r}
"""
TEACHERS = """
c = get_config()
c.CourseDirectory.root = {course!r}
"""
TEACHERS_SERVER = """
c = get_config()
c.ServerApp.tornado_settings = {"headers": {"Content-Security-Policy": "frame-ancestors 'self'"}}
"""


class Hub:
    """A hub that runs while this context lasts. Errors: SystemExit, in one line, where this machine cannot hold it."""

    def __init__(self, folder):
        self.folder, self.exchange, self.course = folder, folder / "exchange", Path("/home") / TEACHER / "course"
        self.password, self.token, self.process = secrets.token_hex(8), secrets.token_hex(16), None
        self.ports = free_ports(4)
        self.address = f"http://127.0.0.1:{self.ports[0]}"

    def __enter__(self):
        if os.getuid():
            sys.exit("the walk makes three Unix accounts and needs root: run it as root, best in a container")
        try:
            self.make_accounts()
            self.make_folders()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception):
        if self.process:
            self.process.terminate()  # it ends the servers and its proxy
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(30)
            self.process.kill()
            end_all(lambda path: self.token.encode() in (path / "environ").read_bytes())  # its proxy, behind a wrapper
        for account in filter(is_ours, ACCOUNTS):
            end_all_of(account)
            subprocess.run(["userdel", "--remove", account], check=False, capture_output=True)

    def make_accounts(self):
        """Make the accounts with one password, of which the hub asks PAM."""
        for account in ACCOUNTS:
            if is_ours(account):  # of a walk that was killed
                end_all_of(account)
                subprocess.run(["userdel", "--remove", account], check=False, capture_output=True)
            made = ["useradd", "--create-home", "--shell", "/bin/bash", "--comment", MADE_BY, account]
            done = subprocess.run(made, check=False, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"cannot make the account {account}: {done.stderr.strip()}")
            Path("/home", account).chmod(0o700)
            subprocess.run(["chpasswd"], input=f"{account}:{self.password}", text=True, check=True)
        try:
            tried = self.run(TEACHER, sys.executable, "-c", "import autograder, jupyterhub, nbgrader")
            wrong = tried.stderr.strip()[-80:] if tried.returncode else ""
        except PermissionError as error:  # a Python below another's home
            wrong = str(error)
        if wrong:
            sys.exit(
                f"other accounts cannot run {sys.executable} with this course ({wrong}): "
                "keep the course and its Python where everybody may read them, not below /root"
            )

    def make_folders(self):
        """Make the exchange, what nbgrader's configuration says to all and to the teacher, and the teacher's course."""
        self.folder.chmod(0o755)
        self.exchange.mkdir()
        self.exchange.chmod(0o1777)
        settings = self.folder / "etc"
        settings.mkdir()
        (settings / "nbgrader_config.py").write_text(EVERYBODY.format(exchange=str(self.exchange)))
        own = Path("/home") / TEACHER / ".jupyter"
        own.mkdir()
        (own / "nbgrader_config.py").write_text(TEACHERS.format(course=str(self.course)))
        (own / "jupyter_server_config.py").write_text(TEACHERS_SERVER)
        self.course.mkdir()
        for name in ("solutions", "exercises", "releases"):
            shutil.copytree(ROOT / name, self.course / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("nbgrader_config.py", "_config.yml", "_toc.yml"):
            shutil.copy(ROOT / name, self.course)
        subprocess.run(["chown", "--recursive", f"{TEACHER}:{TEACHER}", own.parent], check=True)

    def start(self):
        """Start the hub and wait until it answers."""
        facts = {
            "ports": self.ports,
            "accounts": ACCOUNTS,
            "environment": self.environment(""),
            "python": sys.executable,
            "proxy": str(PROXY),
            "folder": str(self.folder),
        }
        env = {**os.environ, "HUB_FACTS": json.dumps(facts), "CONFIGPROXY_AUTH_TOKEN": self.token}
        with (self.folder / "hub.log").open("w") as log:
            config = Path(__file__).with_name("jupyterhub_config.py")
            command = [sys.executable, "-m", "jupyterhub", "--config", str(config)]
            self.process = subprocess.Popen(command, cwd=self.folder, env=env, stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        while not answers(f"{self.address}/hub/api/"):
            if self.process.poll() is not None or time.monotonic() > end:
                sys.exit(f"the hub does not start:\n{(self.folder / 'hub.log').read_text()[-2000:]}")
            time.sleep(0.5)

    def environment(self, account):
        """Return what an account's programs see."""
        home = {"HOME": f"/home/{account}", "USER": account} if account else {}
        path = f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
        settings = {"JUPYTER_CONFIG_PATH": str(self.folder / "etc"), "PYTHONDONTWRITEBYTECODE": "1"}
        return {"PATH": path, "LANG": "C.UTF-8", **settings, **home}

    def run(self, account, *command):
        """Run a command as an account, in the teacher's course or in a student's home."""
        place = self.course if self.course.is_dir() and account == TEACHER else Path("/home") / account
        told = {"cwd": place, "env": self.environment(account), "capture_output": True, "text": True}
        return subprocess.run([str(part) for part in command], check=False, **told, **self.owner(account))

    def owner(self, account):
        """Return with whose rights a process is to run."""
        person = pwd.getpwnam(account)
        return {"user": person.pw_uid, "group": person.pw_gid, "extra_groups": []}


def free_ports(count):
    """Return ports that nobody listens on just now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def answers(url):
    """Say whether a server answers."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def is_ours(account):
    """Say whether an account exists and was made here."""
    try:
        return pwd.getpwnam(account).pw_gecos.split(",")[0] == MADE_BY
    except KeyError:
        return False


def end_all_of(account):
    """End the processes of an account of ours."""
    number = pwd.getpwnam(account).pw_uid
    end_all(lambda path: path.stat().st_uid == number)


def end_all(is_to_end):
    """End processes, each by its number; what is told of one is its folder in /proc."""
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if is_to_end(path):
                os.kill(int(path.name), signal.SIGKILL)
