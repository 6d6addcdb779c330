"""The import arrows of the house: reference, checks and sandbox know little; the pipeline joins them."""

import ast

import pytest

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
    "reference": {"numpy", "jaxtyping", "autograd", "tqdm"},  # tqdm: the bar of the translator's command
    "checks": {"numpy", "autograder.reference"},
    "sandbox": {"numpy", "IPython", "traitlets", "packaging", "pyseccomp", "autograder.errors"},
}
STANDARD_LIBRARY = __import__("sys").stdlib_module_names


def imports_of(path, package):
    """Return the modules that a file imports, ours under their full names."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            names = [".".join([*parts, *([node.module] if node.module else [])])]
            found |= set(names) if node.module else {f"{names[0]}.{alias.name}" for alias in node.names}
    return found


def arrows(root, layer):
    """Return (file, imported module) for everything in a layer that is neither its own nor Python's."""
    package = f"autograder.{layer}"
    for path in sorted((root / "autograder" / layer).glob("*.py")):
        inside = {own.stem for own in path.parent.glob("*.py")}
        for name in imports_of(path, package):
            if not name.startswith(package) and name.split(".")[0] not in STANDARD_LIBRARY | inside:
                yield path.name, name


@pytest.mark.parametrize("layer", ALLOWED)
def test_a_layer_imports_only_what_it_may(root, layer):
    """The sandbox knows neither attention nor nbgrader, checks know the reference alone, the reference nothing."""
    strays = [
        arrow
        for arrow in arrows(root, layer)
        if not any(arrow[1] == allowed or arrow[1].startswith(f"{allowed}.") for allowed in ALLOWED[layer])
    ]
    assert strays == []


def test_the_reference_imports_earlier_chapters_only(root):
    """Import order is reading order."""
    for place, stem in enumerate(CHAPTERS_IN_READING_ORDER):
        imported = imports_of(root / "autograder" / "reference" / f"{stem}.py", "autograder.reference")
        later = {f"autograder.reference.{name}" for name in CHAPTERS_IN_READING_ORDER[place:]}
        assert not imported & later


def test_the_command_line_holds_no_logic(root):
    """The CLI imports the pipeline and the errors, and no layer below."""
    imported = imports_of(root / "autograder" / "cli.py", "autograder")
    ours = {name for name in imported if name.startswith("autograder")}
    assert all(name == "autograder.errors" or name.startswith("autograder.pipeline") for name in ours)


def test_plotting_stays_off_the_import_path():
    """Grading loads no Matplotlib: it would cost every run half a second."""
    import subprocess
    import sys

    modules = ", ".join(f"autograder.pipeline.{name}" for name in ("class_run", "feedback", "export"))
    code = f"import sys, autograder.cli, {modules}; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
