"""What a module depends on: a small package on disk, and the course itself."""

import hashlib
import subprocess
import sys

import pytest

from autograder.sources import code_of, digest_of, digest_of_computation, sources_of, without_words

FILES = {
    "shop/__init__.py": "from .prices import price\n",
    "shop/prices.py": "import math\n\nfrom .money import coins as change\n",
    "shop/money/__init__.py": "",
    "shop/money/coins.py": "from .. import staff\n\ndef count():\n    import shop.late\n",
    "shop/money/notes.py": "from .coins import *\n",
    "shop/staff.py": "import numpy\nfrom shop.prices import price\n",
    "shop/late.py": "import other.thing\n",
    "shop/alone.py": "",
    "other/__init__.py": "",
    "other/thing.py": "",
    "single.py": "import shop.alone\n",
}
INSIDE = {"__init__.py", "prices.py", "money/__init__.py", "money/coins.py", "staff.py", "late.py"}


@pytest.fixture
def disk(tmp_path, monkeypatch):
    """A folder of small packages that Python finds."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def below(folder, paths):
    """Return paths as text, seen from a folder."""
    return {path.relative_to(folder).as_posix() for path in paths}


def test_imports_are_followed_through_others(disk):
    """Relative, absolute, in circles, inside functions, through a package's __init__; other packages are not."""
    assert below(disk / "shop", sources_of("shop.prices")) == INSIDE
    assert below(disk / "shop", sources_of("shop.money.notes")) == INSIDE | {"money/notes.py"}
    assert below(disk, sources_of("shop.prices", "other.thing")) >= {"other/__init__.py", "other/thing.py"}
    assert below(disk, sources_of("single", "other")) == {"single.py", "other/__init__.py"}
    assert "shop" not in sys.modules


def test_a_name_that_is_no_module(disk):
    """What was asked for must be there; the message repeats it."""
    for name in ("shop.gone", "nothing_of_that_name", ""):
        with pytest.raises(ModuleNotFoundError, match=rf"expected a module's full name, got '{name}'"):
            sources_of(name)


@pytest.mark.parametrize("name", ["attention.chapters.translator", "attention.exercises.query_key_value"])
def test_python_agrees(root, name):
    """Every file of ours that Python loads for a module is among its sources; of the checks, other chapters are not."""
    code = f"import sys, {name}; print(*(getattr(m, '__file__', None) for m in list(sys.modules.values())), sep='\\n')"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root).stdout
    ours = tuple(f"{root / package}/" for package in ("attention", "autograder"))
    sources = {str(path) for path in sources_of(name)}
    assert {line for line in said.splitlines() if line.startswith(ours)} <= sources
    assert not any("exercises/scaling" in path or "selfcheck" in path for path in sources)


def test_words_leave_the_digest_alone(tmp_path):
    """A comment, a docstring and a line break do not count; a number does."""
    path, digests = tmp_path / "a.py", []
    for text in (
        'def f(x):\n    """Return more."""\n    return x + 1\n',
        '"""A module."""\ndef f(x):  # why\n    """Return\n    one more."""\n    return (x +\n        1)\n',
        "def f(x):\n    return x + 2\n",
    ):
        path.write_text(text)
        digests.append(digest_of([path]))
    assert digests[0] == digests[1] != digests[2]


def test_a_body_of_nothing_but_words_becomes_empty():
    """A docstring goes, a string that is used stays, and None as a value is no empty field."""
    assert "Why" not in without_words('class A(Exception):\n    """Why."""\n')
    assert without_words("a = 'said'\n'said'\n").count("'said'") == 2
    assert without_words("a = None") != without_words("a = False")


def test_every_python_writes_the_same_digest():
    """Empty fields, which came with later versions, are left out: this is what Python 3.11, 3.12 and 3.13 print."""
    code = "def f(x: int, *, y=None) -> str:\n    return f'{x!r:>{y}} {{}}' 'z'\n"
    assert hashlib.sha256(without_words(code).encode()).hexdigest()[:16] == "337fc87f0a385501"


def test_what_changes_no_number(tmp_path):
    """Annotations and errors' words do not count for what is computed; a condition does."""
    path, digests = tmp_path / "a.py", []
    for text in (
        "def f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return x\n",
        "def f(x: float) -> float:\n    if x < 0:\n        raise TypeError('expected more') from None\n    return x\n",
        "def f(x):\n    if x < 1:\n        raise ValueError('negative')\n    return x\n",
    ):
        path.write_text(text)
        digests.append(digest_of_computation(path))
    assert digests[0] == digests[1] != digests[2]


def test_types_change_no_number(tmp_path):
    """What only annotations import, and what a name is said to hold, do not count; an import that is used does."""
    path, digests = tmp_path / "a.py", []
    for text in (
        "from a import f\nx = f(1)\n",
        "from typing import Any\nfrom a import T, f\nx: T = f(1)\n\n",
        "from b import f\nx = f(1)\n",
    ):
        path.write_text(text)
        digests.append(digest_of_computation(path))
    assert digests[0] == digests[1] != digests[2]


def test_a_function_is_its_code_alone():
    """A function's decorators and its indentation are not part of it."""

    def told(message):
        return lambda function: function

    @told("one thing")
    def add(a, b):
        """Add."""
        return a + b

    once = code_of(add)

    @told("and another")
    def add(a, b):
        return a + b  # a sum

    assert code_of(add) == once
    assert "decorator_list" not in once
