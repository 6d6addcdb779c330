"""The import arrows of the house: each folder imports only from those before it, and no modules form a circle."""

import graphlib

import pytest

from autograder.sources import imports_of

CHAPTERS_IN_READING_ORDER = [
    "before_attention",
    "embeddings",
    "context",
    "query_key_value",
    "scaling",
    "multi_head",
    "position",
    "layer_norm",
    "masking",
    "transformer",
    "training",
    "inference",
    "grammar",
    "translator",
]
ALLOWED = {
    "reference": {"numpy", "jaxtyping", "autograd"},
    "checks": {
        "numpy",
        "demos.worked",
        "autograder.reference",
        "autograder.returned_values",
        "autograder.step_table",
        "autograder.trained",
    },
    "trained": set(),
    "models": {
        "numpy",
        "jaxtyping",
        "autograd",
        "autograder.reference",
        "autograder.checks",
        "autograder.sources",
        "autograder.trained",
    },
    "sandbox": {
        "numpy",
        "IPython",
        "traitlets",
        "packaging",
        "pyseccomp",
        "autograder.errors",
        "autograder.files",
        "autograder.plain",
        *("autograder.step_table", "step_table", "returned_values"),
    },
}
# Each folder imports from those before it. Modules of the package's own folder come where they are needed first.
ORDER = [
    *("trained", "plain", "terminal", "errors", "files", "safe_folder", "shape", "sources"),
    *("step_table", "returned_values"),
    *("reference", "checks", "models", "sandbox", "course", "grading", "classroom", "gradebook", "results", "runs"),
    *("pages", "delivery", "doctor", "commands", "formgrader", "error_handler", "cli", "__main__"),
]
STANDARD_LIBRARY = __import__("sys").stdlib_module_names


def imported_by(root, path):
    """Return the full names of what a file of ours imports; `autograder` itself is empty and counts as nothing."""
    place = path.relative_to(root).with_suffix("").parts
    return imports_of(path, ".".join(place[:-1] if place[-1] == "__init__" else place)) - {"autograder"}


def is_below(name, packages):
    """Say whether a module is one of the packages or below one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def arrows(root, layer):
    """Return (file, imported module) for everything in a layer, at any depth, that is neither its own nor Python's."""
    folder = root / "autograder" / layer
    for path in sorted(folder.rglob("*.py")):
        inside = (
            {own.stem for own in path.parent.glob("*.py")} if path.parent.name == "inside" else set()
        )  # they run as scripts
        for name in sorted(imported_by(root, path)):
            if not is_below(name, [f"autograder.{layer}"]) and name.split(".")[0] not in STANDARD_LIBRARY | inside:
                yield path.relative_to(folder).as_posix(), name


@pytest.mark.parametrize("layer", ALLOWED)
def test_a_layer_imports_only_what_it_may(root, layer):
    """The sandbox knows neither attention nor nbgrader; checks know the reference, models both, the reference none."""
    assert [arrow for arrow in arrows(root, layer) if not is_below(arrow[1], ALLOWED[layer])] == []


ENGINE = ("sandbox", "course", "grading", "classroom", "gradebook", "results", "runs", "pages", "delivery")
ENGINE_FILES = (
    *("plain", "terminal", "errors", "files", "safe_folder", "shape", "sources", "step_table", "returned_values"),
    *("doctor", "commands", "formgrader", "error_handler", "cli"),
)


def engine(root):
    """Return the modules that know nothing of attention: the engine's rooms, and the part of checks that they use."""
    from autograder.checks import CHAPTERS

    ours = [f"autograder.{name}" for name in (*ENGINE, *ENGINE_FILES)]
    ours_alone = ("given", "fused", "translator", "translation", "in_translator", "extras")
    content = {f"autograder.checks.{name}" for name in (*CHAPTERS, *ours_alone)}
    checks = {name for name in modules_of(root) if is_below(name, ["autograder.checks"])}
    checks = {name for name in checks if not is_below(name, content)}
    return [name for name in modules_of(root) if is_below(name, ours)] + sorted(checks), content


def test_the_engine_knows_nothing_of_attention(root):
    """No folder that grades a course imports what one course teaches: another course brings its own checks."""
    modules, content = engine(root)
    content |= {"autograder.reference", "autograder.models", "autograder.trained"}
    files = modules_of(root)
    strays = [(name, one) for name in modules for one in imports_of(files[name], name) if is_below(one, content)]
    assert strays == []


def test_a_stray_import_in_a_sub_folder_is_seen(tmp_path):
    """Absolute, relative, inside a function: each is found under its full name, and what is allowed is not."""
    files = {
        "checks/__init__.py": "import json\n",
        "checks/context/__init__.py": "from . import mix\nfrom .. import compare\nfrom ...grading import grade\n",
        "checks/context/mix.py": "import numpy\n\ndef f():\n    import jinja2\n    from ...grading.grade import g\n",
        "checks/context/sums.py": "import mix\nfrom ...reference.context import softmax\nfrom ...checksum import c\n",
    }
    for name, text in files.items():
        path = tmp_path / "autograder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    strays = [arrow for arrow in arrows(tmp_path, "checks") if not is_below(arrow[1], ALLOWED["checks"])]
    assert strays == [
        ("context/__init__.py", "autograder.grading"),
        ("context/__init__.py", "autograder.grading.grade"),
        ("context/mix.py", "autograder.grading.grade"),
        ("context/mix.py", "autograder.grading.grade.g"),
        ("context/mix.py", "jinja2"),
        ("context/sums.py", "autograder.checksum"),
        ("context/sums.py", "autograder.checksum.c"),
        ("context/sums.py", "mix"),
    ]


def test_the_reference_imports_earlier_chapters_only(root):
    """Import order is reading order."""
    for place, stem in enumerate(CHAPTERS_IN_READING_ORDER):
        imported = imported_by(root, root / "autograder" / "reference" / f"{stem}.py")
        later = {f"autograder.reference.{name}" for name in CHAPTERS_IN_READING_ORDER[place:]}
        assert not imported & later


@pytest.mark.parametrize("name", ["cli", "commands"])
def test_the_command_line_holds_no_logic(root, name):
    """The commands import what does their work, and neither the checks nor the sandbox below it."""
    ours = {module for module in imported_by(root, root / f"autograder/{name}.py") if is_below(module, ["autograder"])}
    below = [f"autograder.{folder}" for folder in ORDER[ORDER.index("reference") : ORDER.index("course")]]
    assert not [module for module in ours if is_below(module, below)]


def modules_of(root):
    """Return the package's modules by their full names."""
    found = (
        path for path in (root / "autograder").rglob("*.py") if "course_template" not in path.parts
    )  # copied, not run
    files = {path.relative_to(root).with_suffix(""): path for path in found}
    return {".".join(place.parts).removesuffix(".__init__"): path for place, path in files.items()}


def circles(root):
    """Return a circle of modules that import one another, at the top or inside a function; [] where there is none."""
    modules = modules_of(root)
    arrows = {
        name: {other for other in imports_of(path, name) & modules.keys() if not is_below(name, [other])}
        for name, path in modules.items()
    }
    try:
        graphlib.TopologicalSorter(arrows).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


def backward(root):
    """Return every import of a later folder, as (module, imported module)."""
    modules = modules_of(root)
    place = {name: ORDER.index(name.split(".")[1]) for name in modules if "." in name}
    return [
        (name, other)
        for name in sorted(place)
        for other in sorted(imports_of(modules[name], name) & place.keys())
        if place[other] > place[name]
    ]


def test_every_room_imports_what_stands_before_it(root):
    """The arrows run one way, imports inside functions included."""
    assert backward(root) == []


def test_no_two_modules_import_one_another(root):
    """There is no circle in the package, not even one that an import inside a function hides."""
    assert circles(root) == []


@pytest.mark.parametrize("planted", ["from ..grading import grade\n", "def late():\n    from ..grading import grade\n"])
def test_a_planted_circle_is_seen(tmp_path, planted):
    """Written at the top or in a function, an import of a later folder is found, and so is the circle it closes."""
    for name, text in {
        "__init__.py": "",
        "course/__init__.py": "",
        "course/course.py": planted,
        "grading/__init__.py": "",
        "grading/grade.py": "from autograder.course.course import Course\n",
    }.items():
        path = tmp_path / "autograder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert ("autograder.course.course", "autograder.grading.grade") in backward(tmp_path)
    assert set(circles(tmp_path)) == {"autograder.course.course", "autograder.grading.grade"}


def test_grading_loads_no_figures_and_no_models():
    """Grading loads no Matplotlib, which would cost every run half a second, and no trained model or its autograd."""
    import subprocess
    import sys

    modules = ", ".join(f"autograder.{name}" for name in ("runs.class_run", "pages.feedback", "delivery.export"))
    unwanted = {"matplotlib", "autograd", "autograder.models"}
    code = (
        f"import sys, autograder.cli, {modules}; from autograder.checks.in_translator import consequences_of; "
        f"assert consequences_of('mix'); sys.exit(bool(sys.modules.keys() & {unwanted}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
