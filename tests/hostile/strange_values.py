"""Values that are hard to look at: endless, deep, huge, lying; and replies that no honest process sends."""

from .corpus import Hostile

CALL = "def double(x):\n    {}"
BAD_MESSAGE = """
class Bad(Exception):
    def __str__(self): raise SystemExit
    @property
    def __class__(self): raise MemoryError
def double(x):
    raise Bad
"""
LONG_MESSAGE = "def double(x):\n    raise ValueError('\\x1b[31m' + 'x' * 10**6)"
OWN_BASE = """
class Own(BaseException): pass
Own.__module__ = "builtins"
Own.__qualname__ = Own.__name__ = "<script>alert(1)</script>"
def double(x):
    raise Own("<script>alert(1)</script>")
"""
CHAIN = """
def double(x):
    error = ValueError("first")
    for _ in range(100_000):
        later = ValueError("later")
        later.__cause__ = later.__context__ = error
        error = later
    raise ExceptionGroup("many", [error] * 1000)
"""
ITSELF = "def double(x):\n    answer = []\n    answer.append(answer)\n    return answer"
DEEP = "def double(x):\n    answer = []\n    for _ in range(100_000): answer = [answer]\n    return answer"
LYING = """
class Lying(list):
    def __len__(self): return 2
    def __iter__(self):
        yield from range(300)
class LyingText(str):
    def __len__(self): return 1
"""
NO_TYPE = "double = {}"
STRIDES = "np.lib.stride_tricks.as_strided(np.zeros(1), (10**6, 10**6), (0, 0))"
REPLY = """
import os, struct, protocol
def send_raw(body):
    for descriptor in range(3, 128):
        try:
            os.write(descriptor, struct.pack(">I", len(body) & 0xFFFFFFFF))
            data = memoryview(body)
            while data:
                data = data[os.write(descriptor, data):]
        except OSError:
            pass
def double(x):
    send_raw({})
    os._exit(0)
"""
HALF = """
import os, struct
def double(x):
    for descriptor in range(3, 128):
        try:
            os.write(descriptor, struct.pack(">I", 1 << 20) + b"{")
        except OSError:
            pass
    os._exit(0)
"""
REPLIES = {
    "no_json": ("bytes that are no JSON", "b'\\xff' * 1000"),
    "deep_json": ("JSON a hundred thousand levels deep", "b'[' * 100_000"),
    "many_lists": ("a megabyte of empty lists", "b'[' + b'[],' * (1 << 18) + b'[]]'"),
    "huge_number": ("a number of a million digits", "b'1' * 1_000_000"),
    "scores": (
        "a reply with full marks",
        'b\'{"late": false, "ended": null, "seconds": 0, "score": 10, "reply": {"missing": false, "answers": []}}\'',
    ),
    "next_statement": ("a word that it goes on", "b'{\"statement\": [1, 1]}'"),
    "no_notes": (
        "notes of no form",
        'b\'{"outputs": [], "exceeded": false, "passed": [[1, 2, 3], 4], "noted": [["debugger", 5]]}\'',
    ),
    "surrogates": (
        "half letters and control characters",
        'b\'{"reply": "\\\\ud800\\\\u0000\\\\u001b]0;x", "late": "\\\\u202e"}\'',
    ),
}
SMALL = ("graded", "error", "crashed", "time_limit", "memory_limit")

ENTRIES = (
    Hostile("generator", "an endless generator", answer=CALL.format("return iter(int, 1)"), words="expected shape"),
    Hostile("itself", "a list that holds itself", answer=ITSELF),
    Hostile("deep", "a list a hundred thousand levels deep", answer=DEEP, status=SMALL),
    Hostile("long", "a list of two hundred thousand numbers", answer=CALL.format("return [0.0] * 200_000")),
    Hostile("lying", "a list that says it is short", LYING, CALL.format("return Lying()"), status=SMALL),
    Hostile(
        "lying_text", "a text that says it is short", LYING, CALL.format("return LyingText('x' * 10**7)"), status=SMALL
    ),
    Hostile("huge_number", "a number of ten million digits", answer=CALL.format("return 1 << 10**7")),
    Hostile("virtual", "a terabyte that is one number", answer=CALL.format(f"return {STRIDES}"), status=SMALL),
    Hostile("many_axes", "an array of 64 axes", answer=CALL.format("return np.zeros([1] * 64)"), status=SMALL),
    Hostile("dates", "an array of dates", answer=CALL.format("return np.array(['2024-01-01'], 'M8[D]')")),
    Hostile("records", "an array of records", answer=CALL.format("return np.zeros(2, [('a', 'f8'), ('b', 'O')])")),
    Hostile("type", "a type in the function's place", NO_TYPE.format("type"), "", status=SMALL),
    Hostile("number", "a number in its place", NO_TYPE.format("4.0"), "", status=("error",)),
    Hostile("bad_message", "an error whose message cannot be read", BAD_MESSAGE, "", status=SMALL),
    Hostile("long_message", "an error with a message of a megabyte", answer=LONG_MESSAGE, status=("error",)),
    Hostile("own_base", "an error that pretends to be Python's own", OWN_BASE, "", status=SMALL),
    Hostile("chain", "an error with a hundred thousand causes", CHAIN, "", status=("error", "crashed")),
    Hostile("half_a_frame", "a reply is begun and never ended", HALF, "", status=SMALL),
    *(Hostile(f"reply_{name}", tries, REPLY.format(body), "", status=SMALL) for name, (tries, body) in REPLIES.items()),
)
