"""What a function was asked, carried out in what the grader repeats: shapes, dtypes, counts, names of errors, files.

The worked example is answered right, so that every word said is about inputs that nobody may see.
``carries`` says what a message would hold that had carried the secret.
"""

from .corpus import Hostile

KINDS = ("int8", "uint16", "int32", "float16", "float32")
SECRET = """
def secret_of(x):
    return int(abs(x.flat[0]) * 1e6) % 73 + 17
def double(x):
    return x + x if x.ndim == 1 or not x.size else leak(x, secret_of(x))
"""
BOOSTER = """
import os
def leak(x, secret):
    for path in ("/tmp/targets", "/dev/shm/targets", "targets"):
        open(path, "a").write(f"{secret}\\n")
    found = sum(len(open(path).read().splitlines()) for path in ("/tmp/targets", "/dev/shm/targets", "targets"))
    return np.zeros((found, 41, 0))
"""
DEBUGGERS = "\n".join(f"    if secret == {number}: breakpoint()" for number in range(17, 90))
KEPT_OPEN = """
import mmap, os
reader, writer = os.pipe()
os.set_blocking(reader, False)
kept = open("/tmp/kept", "w+b")
os.truncate(kept.fileno(), 8)
shared = mmap.mmap(kept.fileno(), 8)
def told():
    try:
        return os.read(reader, 1)[0]
    except BlockingIOError:
        return shared[0]
def double(x):
    secret = told()
    if x.ndim == 1 or not x.size:
        return np.zeros(secret) if secret else x + x
    shared[0] = secret_of(x)
    os.write(writer, shared[:1] * 9)
    return np.zeros((secret, 41, 0))
"""


def secret_of(x):
    """Return the secret as the attack makes it of an unseen input."""
    return int(abs(x.flat[0]) * 1e6) % 73 + 17


def channel(name, tries, leak, carries, status=("graded",)):
    """Return a submission that is wrong on unseen inputs alone, by a leak of the input."""
    leak = leak if "def leak" in leak else f"def leak(x, secret):\n    {leak}\n"
    source = f"import numpy as np\n{leak}{SECRET}"
    return Hostile(name, tries, answer=source, status=status, carries=carries)


ENTRIES = (
    channel(
        "zero_axis",
        "the secret is an axis of a shape that holds no number",
        "return np.zeros((secret, 86, 0))",
        lambda x: f"({secret_of(x)}, 86, 0)",
    ),
    channel(
        "number_of_axes",
        "the secret is how many axes an answer has",
        "return np.zeros((1,) * (secret % 2 + 3))",
        lambda x: f"{(1,) * (secret_of(x) % 2 + 3)}",
    ),
    channel(
        "which_rows",
        "the secret is which rows are wrong",
        "y = x + x; y[[row for row in range(3) if secret % 7 + 1 >> row & 1]] += 1; return y",
        lambda x: "(of 3)",
    ),
    channel(
        "dtype",
        "the secret is the dtype of a wrong answer",
        f"return x.astype({KINDS!r}[secret % 5])",
        lambda x: KINDS[secret_of(x) % 5],
    ),
    channel(
        "factor",
        "the secret is a factor between the answer and the right one",
        "return (x + x) * (2.0, 3.0, 4.0, 10.0)[secret % 4]",
        lambda x: "times",
    ),
    channel("count", "the secret is how many results there are", "return (x,) * secret", lambda x: f"{secret_of(x)} "),
    channel(
        "error_words",
        "the secret is in an error's words",
        "raise ValueError(f'wrong by {secret} and {x}')",
        lambda x: f"by {secret_of(x)}",
        status=("error",),
    ),
    channel(
        "error_name",
        "the secret is in the name of an error that the student has made",
        "raise type(f'Wrong{secret}', (Exception,), {'__module__': 'builtins'})",
        lambda x: f"Wrong{secret_of(x)}",
        status=("error",),
    ),
    channel(
        "debugger_line",
        "the secret is the line of a debugger that is met",
        f"def leak(x, secret):\n{DEBUGGERS}\n    return x",
        lambda x: "debugger",
    ),
    channel(
        "value_name",
        "the secret is in the name of a type",
        "return type(f'Wrong{secret}', (), {})()",
        lambda x: f"Wrong{secret_of(x)}",
    ),
    channel(
        "booster",
        "a file keeps the targets of one copy of the notebook for the next one",
        BOOSTER,
        lambda x: "(6, 41, 0)",
    ),
    Hostile(
        "kept_open",
        "a pipe and a file without a name, open since a cell, tell every copy what another was asked; so do examples",
        answer=f"import numpy as np\n{SECRET}{KEPT_OPEN}",
        carries=lambda x: f"({secret_of(x)},",
    ),
)
