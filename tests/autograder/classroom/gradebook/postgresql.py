"""A real PostgreSQL server for tests: its own data folder, port and user, ended with them."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

USER, PASSWORD = "ana", "hidden gem"
NOBODY = 65534 if os.geteuid() == 0 else None  # the server refuses to be root
MISSING = (
    "PostgreSQL's tests need the command initdb, found none: `make test-postgresql` installs it where you may, "
    "and runs them"
)


def programs():
    """Return the folder of PostgreSQL's programs, or None: Debian keeps them out of PATH."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None)


class Server:
    """A PostgreSQL server on a free port of this machine, which asks for a password."""

    def __init__(self, bin_folder, options="-F"):  # no waiting for the disk, which tests do not switch off
        self.options = options
        self.bin, self.folder = bin_folder, Path(tempfile.mkdtemp(prefix="postgresql-", dir="/tmp"))
        if NOBODY:
            os.chown(self.folder, NOBODY, NOBODY)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.folder / "password").write_text(PASSWORD)
        (self.folder / "password").chmod(0o644)
        how = ("--auth=scram-sha-256", f"--pwfile={self.folder / 'password'}", "--encoding=UTF8", "--locale=C")
        self.run("initdb", "--pgdata", self.data, "--username", USER, "--no-sync", *how)
        self.start()

    @property
    def data(self):
        """Where it keeps its files."""
        return self.folder / "data"

    def run(self, program, *arguments):
        """Run one of its programs, as nobody where the tests are root. Errors: CalledProcessError."""
        command = [self.bin / program, *arguments]
        with (self.folder / "said").open("a") as said:
            ours = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if NOBODY else {}
            subprocess.run(command, check=True, cwd=self.folder, stdout=said, stderr=said, **ours)

    def start(self):
        """Start it, and wait until it answers."""
        options = f"-h 127.0.0.1 -p {self.port} -k {self.folder} {self.options}"
        self.run("pg_ctl", "start", "--pgdata", self.data, "--wait", "--log", self.folder / "log", "-o", options)

    def stop(self, how="immediate"):
        """Stop it: "immediate" is how it looks to others when its machine loses power."""
        self.run("pg_ctl", "stop", "--pgdata", self.data, "--wait", "--mode", how)

    def url(self, database, password=PASSWORD, scheme="postgresql"):
        """Return the address of one of its databases."""
        return f"{scheme}://{USER}:{password.replace(' ', '%20')}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement, database="postgres"):
        """Run one statement, and return what it yields."""
        import psycopg

        where = {"host": "127.0.0.1", "port": self.port, "user": USER, "password": PASSWORD, "dbname": database}
        with psycopg.connect(**where, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def end(self):
        """End it, and remove its files."""
        self.stop()
        shutil.rmtree(self.folder)
