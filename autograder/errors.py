"""Errors of use: each is one line that says what is wrong and what to do.

AutograderError                 exit 2, one line, no traceback
├── UsageError                  a wrong argument, an unknown chapter, an occupied port
├── CourseError                 solutions, checks or the gradebook do not fit together
├── ServiceLost                 a database's server, a scheduler or all workers went away amid a run: exit 3
├── SandboxUnavailable          this machine cannot hold student code; nothing was run
└── InvalidSubmission           one submission cannot be read; the others go on
    └── NoNotebook              it lies under another name, is another chapter's, or not there: no mark
    InfrastructureError         the sandbox itself failed; never a zero (not an error of use)
"""


class AutograderError(Exception):
    """Anything that a user can mend; its text is the one line shown."""


class UsageError(AutograderError):
    """A wrong argument."""


class CourseError(AutograderError):
    """The course's own files do not fit together."""


class ServiceLost(AutograderError):
    """A server, a scheduler or all workers went away amid a run: what is recorded stays, the same command goes on."""


class SandboxUnavailable(AutograderError):
    """Student code cannot be held on this machine."""


class InvalidSubmission(AutograderError):
    """A submission that cannot be read as a notebook of this course."""


class NoNotebook(InvalidSubmission):
    """There is no notebook under the name that counts; how it was packed must not cost a student anything."""


class InfrastructureError(Exception):
    """The machinery failed, not the student: retried, listed, never scored."""
