"""Turns whatever ends a command into one line and an exit code; tracebacks are for those who ask for them."""

import errno
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable

from autograder.classroom.gradebook_url import masked
from autograder.commands.exit_codes import EXIT_INFRASTRUCTURE, EXIT_USE
from autograder.errors import AutograderError, ServiceLost
from autograder.files import describe_os_error
from autograder.terminal import print_notes

EXIT_CLOSED_PIPE = 128 + signal.SIGPIPE  # what a shell reports after SIGPIPE
TRACEBACK = "AUTOGRADER_TRACEBACK"  # an environment variable: if it is set, tracebacks are printed
LONGEST = 300  # characters of an unexpected error
NO_MEMORY = (
    "memory ran out; what has been saved stays. Close other programs, or use fewer processes with --jobs, "
    "and run the same command again"
)


def exit_code_of(action: Callable[[], int]) -> int:
    """Return the exit code of an action, or, after printing the one line, that of the error that it raises.

    2 for an error that a user can fix, 3 for one of the machine or of ours, 141 if the output goes to a closed pipe.
    """
    try:
        return action()
    except ServiceLost as error:
        return fail(str(error), EXIT_INFRASTRUCTURE)
    except AutograderError as error:
        return fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would complain on exit
        return EXIT_CLOSED_PIPE
    except KeyboardInterrupt:
        return fail("stopped; what has been graded so far is saved")
    except MemoryError:
        pass  # reported below, when everything that the action held is free again
    except OSError as error:
        if error.errno != errno.ENOMEM:
            return fail(describe_os_error(error))
    except Exception as error:
        return fail(_describe_fault(error), EXIT_INFRASTRUCTURE)
    return fail(NO_MEMORY, EXIT_INFRASTRUCTURE)


def fail(message: str, code: int = EXIT_USE) -> int:
    """Print one line on stderr and return the exit code for it."""
    print_notes(f"autograder: {masked(' '.join(message.split()))}")
    return code


def _describe_fault(error: Exception) -> str:
    """Say that an error is ours, and where its traceback is."""
    said = f"{type(error).__name__}: {error}"
    said = said if len(said) <= LONGEST else f"{said[:LONGEST]} …"
    return f"this is a fault of the autograder, please report it: {said}; {_keep_traceback(error)}"


def _keep_traceback(error: Exception) -> str:
    """Print an error's traceback if that is wanted, or else write it to a file; say where it is."""
    text = masked("".join(traceback.format_exception(error)))
    if os.environ.get(TRACEBACK):
        print(text, file=sys.stderr)
        return "the traceback is above"
    try:  # a new file that only this user can read: it may quote students
        with tempfile.NamedTemporaryFile(
            "w", prefix="autograder-", suffix=".txt", delete=False, errors="replace"
        ) as file:
            file.write(text)
        return f"the traceback is in {file.name}"
    except OSError:
        return f"set {TRACEBACK}=1 and run the same command again to see the traceback"
