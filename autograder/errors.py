"""Errors for users: each is one line that says what is wrong and what to do.

AutograderError                 exit 2, one line, no traceback
├── UsageError                  a wrong argument, an unknown chapter, an occupied port
│   └── NotTaught               a chapter that exists, and that _toc.yml does not list
├── CourseError                 solutions, checks or the gradebook contradict one another
│   └── NoRoom                  the disk is full or read-only
├── ServiceLost                 a database server, a scheduler or all workers disappeared during a run: exit 3
├── SandboxUnavailable          this machine cannot sandbox student code; nothing was run
└── InvalidSubmission           one submission cannot be read; the others continue
    ├── IncompleteNotebook      its JSON is broken: it may still be being written
    ├── NoNotebook              misnamed, or missing: no mark
    └── NotReadable             the machine fails to read it: an infrastructure failure, no mark
InfrastructureError         the sandbox itself failed; never a zero (not an error of use)
"""


class AutograderError(Exception):
    """An error that a user can fix; its text is the one line shown."""


class UsageError(AutograderError):
    """A wrong argument."""


class NotTaught(UsageError):
    """A chapter that is not part of the course."""


class CourseError(AutograderError):
    """The course's own files contradict one another."""


class NoRoom(CourseError):
    """The disk is full or read-only."""


class ServiceLost(AutograderError):
    """A server, a scheduler or all workers disappeared during a run; the same command resumes it."""


class SandboxUnavailable(AutograderError):
    """This machine cannot sandbox student code."""


class InvalidSubmission(AutograderError):
    """A submission that is not a readable notebook of this course."""


class IncompleteNotebook(InvalidSubmission):
    """A file that is empty, or whose JSON is broken: perhaps it is still being copied."""


class NoNotebook(InvalidSubmission):
    """There is no notebook under the expected name; how it was packed must not cost a student anything."""


class NotReadable(InvalidSubmission):
    """The machine cannot read a submission just now: too many open files, a disk or network error."""


class InfrastructureError(Exception):
    """Our machinery failed, not the student: retried, listed, never scored."""
