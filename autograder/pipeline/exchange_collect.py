"""Collecting from nbgrader's exchange, where every student may write: what is a student's own, and nothing by a link.

nbgrader_config.py names ``Collect`` in the place of nbgrader's own, which copies what a link leads to with the rights
of whoever collects, the solutions for instance; takes a submission in another student's name with a warning; and
stops for all at one folder whose name holds no date.
"""

import os
import pwd
from datetime import datetime
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect

from autograder.errors import InvalidSubmission
from autograder.plain import visible

from .files import write_whole
from .intake import file_bytes

FILES = 100  # of one submission, at most


class Collect(ExchangeCollect):
    """nbgrader's collector for an exchange in which not everybody is honest."""

    def _path_to_record(self, path):
        """Read a folder's name; one that is not its owner's, or no name of a submission, is nobody's."""
        try:
            record = super()._path_to_record(path)
            owner = owner_of(path) if self.check_owner else record["username"]
            if record["username"] == owner:
                return record
            self.log.error(f"not collected: {visible(Path(path).name)} belongs to {owner}")
        except (ValueError, OverflowError, OSError) as error:
            self.log.error(f"not collected: {visible(Path(path).name)} ({error})")
        return {"username": None, "filename": "", "timestamp": datetime.min}

    def init_src(self):
        """Find what there is to collect, and leave out what is nobody's."""
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"] is not None]

    def do_copy(self, src, dest, log=None):
        """Copy the ordinary files of a submission's folder. Links, pipes and folders in it are left where they are."""
        folder = os.open(src, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            Path(dest).mkdir()
            for name in sorted(os.listdir(folder))[:FILES]:
                try:
                    write_file(Path(dest) / name, file_bytes(name, folder))
                except InvalidSubmission as error:
                    self.log.warning(f"left out of {visible(Path(src).name)}: {error}")
        finally:
            os.close(folder)


def owner_of(path):
    """Return whose folder this is, by the name of a Unix account."""
    owner = os.lstat(path).st_uid
    try:
        return pwd.getpwuid(owner).pw_name
    except KeyError:
        return f"the account number {owner}"
