"""The import arrows of the house: reference, checks and sandbox know little, the pipeline joins them, pages use it."""

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
    "checks": {"numpy", "autograder.reference", "autograder.step_table", "autograder.trained"},
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
        "autograder.plain",
        "autograder.step_table",
        "step_table",
    },
}
PAGES_UP = {"pages", "delivery"}
OUTSIDE = [f"autograder.{layer}" for layer in ("pipeline", "term", "pages", "delivery", "commands", "errors", "plain")]
STANDARD_LIBRARY = __import__("sys").stdlib_module_names


def imported_by(root, path):
    """Return the full names of what a file of ours imports; `autograder` itself is empty and counts as nothing."""
    place = path.relative_to(root).with_suffix("").parts
    return imports_of(path, ".".join(place[:-1] if place[-1] == "__init__" else place)) - {"autograder"}


def is_below(name, packages):
    """Say whether a module is one of the packages or stands below one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def arrows(root, layer):
    """Return (file, imported module) for everything in a layer, at any depth, that is neither its own nor Python's."""
    folder = root / "autograder" / layer
    for path in sorted(folder.rglob("*.py")):
        inside = {own.stem for own in path.parent.glob("*.py")} if layer == "sandbox" else set()  # it runs as a script
        for name in sorted(imported_by(root, path)):
            if not is_below(name, [f"autograder.{layer}"]) and name.split(".")[0] not in STANDARD_LIBRARY | inside:
                yield path.relative_to(folder).as_posix(), name


@pytest.mark.parametrize("layer", ALLOWED)
def test_a_layer_imports_only_what_it_may(root, layer):
    """The sandbox knows neither attention nor nbgrader; checks know the reference, models both, the reference none."""
    assert [arrow for arrow in arrows(root, layer) if not is_below(arrow[1], ALLOWED[layer])] == []


def test_a_stray_import_in_a_sub_folder_is_seen(tmp_path):
    """Absolute, relative, inside a function: each is found under its full name, and what is allowed is not."""
    files = {
        "checks/__init__.py": "import json\n",
        "checks/context/__init__.py": "from . import mix\nfrom .. import compare\nfrom ...pipeline import grade\n",
        "checks/context/mix.py": "import numpy\n\ndef f():\n    import jinja2\n    from ...pipeline.grade import g\n",
        "checks/context/sums.py": "import mix\nfrom ...reference.context import softmax\nfrom ...checksum import c\n",
    }
    for name, text in files.items():
        path = tmp_path / "autograder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    strays = [arrow for arrow in arrows(tmp_path, "checks") if not is_below(arrow[1], ALLOWED["checks"])]
    assert strays == [
        ("context/__init__.py", "autograder.pipeline"),
        ("context/__init__.py", "autograder.pipeline.grade"),
        ("context/mix.py", "autograder.pipeline.grade"),
        ("context/mix.py", "autograder.pipeline.grade.g"),
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
    """The commands import what does their work, the errors and plain text, and no layer below."""
    ours = {module for module in imported_by(root, root / f"autograder/{name}.py") if is_below(module, ["autograder"])}
    assert all(is_below(module, OUTSIDE) for module in ours)


@pytest.mark.parametrize(("layer", "above"), [("pipeline", PAGES_UP), ("term", PAGES_UP), ("pages", {"delivery"})])
def test_grading_knows_no_page_and_no_lms(root, layer, above):
    """Grading and a term's rules stand below the pages about them, and those below what is sent to and fro."""
    outside = [f"autograder.{name}" for name in above]
    assert [arrow for arrow in arrows(root, layer) if is_below(arrow[1], outside)] == []


def test_grading_loads_no_figures_and_no_models():
    """Grading loads no Matplotlib, which would cost every run half a second, and no trained model or its autograd."""
    import subprocess
    import sys

    modules = ", ".join(f"autograder.{name}" for name in ("pipeline.class_run", "pages.feedback", "delivery.export"))
    unwanted = {"matplotlib", "autograd", "autograder.models"}
    code = (
        f"import sys, autograder.cli, {modules}; from autograder.pages.in_translator import consequences_of; "
        f"assert consequences_of('mix'); sys.exit(bool(sys.modules.keys() & {unwanted}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
