"""The import arrows of the house: two wings, in each of them every folder imports only those before it, no circles."""

import ast
import graphlib
import re
import subprocess
import sys

import pytest

from autograder.sources import imports_in, imports_of
from tests.support.uses import offers, untyped_uses

# Each folder, or module outside of them, imports from those before it, and from no other package than is named here.
COURSE = {
    "trained": (),
    "chapters": ("numpy", "jaxtyping", "autograd"),
    "exercises": ("numpy", "autograder.diagnosis", "demos.worked"),
    "models": ("numpy", "jaxtyping", "autograd", "autograder.sources"),
}
ENGINE = [
    *("plain", "terminal", "errors", "files", "safe_folder", "shape", "sources", "step_table", "returned_values"),
    *(
        "system_packages",
        "diagnosis",
        "sandbox",
        "course",
        "grading",
        "classroom",
        "classroom.gradebook",
        "classroom.results",
        "runs",
    ),
    *("pages", "lms", "doctor", "commands", "formgrader", "error_handler", "cli", "__main__"),
]
NEEDS_FEW = {  # the folders of the engine that other packages than these would make harder to trust, or to hand out
    "diagnosis": ("numpy", "autograder.step_table", "autograder.returned_values"),
    "sandbox": (
        *("numpy", "IPython", "traitlets", "packaging", "pyseccomp", "step_table", "returned_values"),
        *("autograder.errors", "autograder.files", "autograder.plain", "autograder.step_table"),
        "autograder.system_packages",
    ),
}
NO_CHAPTERS = {"masking": ["transformer"]}  # modules of the mathematics between chapters
LAST = ["which_bank", "corpus", "translator"]


def reading_order(root):
    """Return the modules of the mathematics in the order of reading, which is that of _toc.yml."""
    stems = re.findall(r"file: \d\d_([a-z_]+)", (root / "_toc.yml").read_text())
    return [name for stem in stems for name in (stem, *NO_CHAPTERS.get(stem, ()))] + LAST


def modules_of(root, package):
    """Return a package's modules by their full names; without the course template, which is copied and never run."""
    paths = [path for path in (root / package).rglob("*.py") if "course_template" not in path.parts]
    names = (".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__") for path in paths)
    return dict(zip(names, paths, strict=True))


def is_below(name, packages):
    """Say whether a module is one of the packages or below one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def foreign(root, package, folder):
    """Return (module, import) for all that a folder imports which is neither its own nor Python's."""
    own = f"{package}.{folder}"
    found = []
    for name, path in sorted(modules_of(root, package).items()):
        scripts = {script.stem for script in path.parent.glob("*.py")} if path.parent.name == "inside" else set()
        if is_below(name, [own]):
            wanted = sorted(imports_of(path, name) - {package})  # the package itself is empty
            found += [(name, one) for one in wanted if one.split(".")[0] not in sys.stdlib_module_names | scripts]
    return [arrow for arrow in found if not is_below(arrow[1], [own])]


def place_in(order, package, name):
    """Return where a module's folder stands in the order, or None for the package itself and other packages."""
    names = [place for place, folder in enumerate(order) if is_below(name, [f"{package}.{folder}"])]
    return max(names, key=lambda place: len(order[place]), default=None)


def backward(root, package, order):
    """Return every import of a later folder, as (module, imported module)."""
    modules = modules_of(root, package)
    arrows = ((name, one) for name in sorted(modules) for one in sorted(imports_of(modules[name], name)))
    places = ((name, one, place_in(order, package, name), place_in(order, package, one)) for name, one in arrows)
    return [(name, one) for name, one, own, other in places if None not in (own, other) and other > own]


def hidden(root, package, order):
    """Return (module, parameter, class) where a parameter without a type serves for a class of a later module.

    That is: two or more of its attributes are used, and all are that class's, in a later folder, or in a module of the
    same folder that imports this one.
    """
    modules = modules_of(root, package)
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in modules.items()}
    classes = [(name, one, members) for name in modules for one, members in offers(trees[name]).items()]
    found = []
    for name in sorted(modules):
        for where, used in untyped_uses(trees[name]):
            fits = [(module, one) for module, one, members in classes if len(used) > 1 and used <= members]
            found += [(name, where, one) for module, one in fits if is_later(module, name, modules, package, order)]
    return found


def is_later(module, name, modules, package, order):
    """Say whether a module is in a later folder than another, or imports it, by way of others of its folder or not."""
    own, other = place_in(order, package, name), place_in(order, package, module)
    if None in (own, other) or own != other:
        return None not in (own, other) and other > own
    reached, waiting = {module}, [module]
    while waiting:
        here = waiting.pop()
        new = (imports_of(modules[here], here) & modules.keys()) - reached
        reached |= new
        waiting += new
    return module != name and name in reached


def circle(root, package):
    """Return a circle of modules that import one another, at the top or inside a function; [] where there is none."""
    modules = modules_of(root, package)
    arrows = {
        name: {other for other in imports_of(path, name) & modules.keys() if not is_below(name, [other])}
        for name, path in modules.items()
    }
    try:
        graphlib.TopologicalSorter(arrows).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


@pytest.mark.parametrize("folder", COURSE)
def test_a_folder_of_the_course_imports_only_what_it_may(root, folder):
    """The mathematics needs NumPy, exercises the engine's public names, models the former two."""
    before = [f"attention.{name}" for name in list(COURSE)[: list(COURSE).index(folder)]]
    allowed = ["attention", *before, *COURSE[folder]]
    strays = [arrow for arrow in foreign(root, "attention", folder) if not is_below(arrow[1], allowed[1:])]
    assert [arrow for arrow in strays if arrow[1] != "attention"] == []


def test_exercises_use_the_public_names_of_the_engine_alone(root):
    """What a course's exercises are written with stands in one list; nothing behind it is theirs to use."""
    from autograder import diagnosis

    public = {"autograder", "autograder.diagnosis", *(f"autograder.diagnosis.{name}" for name in diagnosis.__all__)}
    wanted = {one for _, one in foreign(root, "attention", "exercises") if one.startswith("autograder")}
    assert wanted - public == set()


@pytest.mark.parametrize("folder", NEEDS_FEW)
def test_a_folder_of_the_engine_imports_only_what_it_may(root, folder):
    """What becomes a student's selfcheck.py needs NumPy; the sandbox knows neither exercises nor nbgrader."""
    assert [arrow for arrow in foreign(root, "autograder", folder) if not is_below(arrow[1], NEEDS_FEW[folder])] == []


def test_the_engine_knows_no_course(root):
    """No module of the autograder imports what a course teaches, and none names one of its chapters."""
    modules = modules_of(root, "autograder")
    assert [name for name, path in modules.items() if is_below("attention", imports_of(path, name))] == []
    assert [one for name in modules for one in imports_of(modules[name], name) if is_below(one, ["attention"])] == []
    chapters = [path.name for path in (root / "solutions").iterdir() if re.match(r"\d\d_", path.name)]
    assert len(chapters) > 1
    texts = {path: path.read_text(encoding="utf-8") for path in modules.values()}
    assert [(path, chapter) for path, text in texts.items() for chapter in chapters if chapter in text] == []


def test_every_folder_imports_what_stands_before_it(root):
    """The arrows run one way, imports inside functions included; every module has its place."""
    for package, order in ("attention", list(COURSE)), ("autograder", ENGINE):
        assert backward(root, package, order) == []
        assert [
            name for name in modules_of(root, package) if "." in name and place_in(order, package, name) is None
        ] == []


def test_no_two_modules_import_one_another(root):
    """There is no circle, not even one that an import inside a function hides."""
    assert circle(root, "attention") == circle(root, "autograder") == []


def test_no_circle_hides_behind_any(root):
    """What a module needs of a later one is a Protocol of its own, or data, and no parameter without a type."""
    assert hidden(root, "attention", list(COURSE)) == hidden(root, "autograder", ENGINE) == []


def test_chapters_import_earlier_ones_only(root):
    """Import order is reading order."""
    order = reading_order(root)
    for place, stem in enumerate(order):
        name = f"attention.chapters.{stem}"
        imported = imports_of(root / "attention" / "chapters" / f"{stem}.py", name)
        assert not imported & {f"attention.chapters.{later}" for later in order[place:]}


@pytest.mark.parametrize("name", ["cli", "commands"])
def test_the_command_line_holds_no_logic(root, name):
    """The commands import what does their work, and neither the diagnosis nor the sandbox below it."""
    modules = modules_of(root, "autograder")
    ours = {
        one
        for module in modules
        if is_below(module, [f"autograder.{name}"])
        for one in imports_of(modules[module], module)
    }
    assert not [one for one in ours if is_below(one, ["autograder.diagnosis", "autograder.sandbox"])]


@pytest.mark.parametrize(
    ("code", "package", "names"),
    [
        ("from . import mix\nfrom .. import compare", "a.b", {"a", "a.b", "a.b.mix", "a.compare"}),
        ("def f():\n    from ...grading.grade import g", "a.b.c", {"a.grading.grade", "a.grading.grade.g"}),
        ("try:\n    import jinja2\nexcept ImportError:\n    import mako", "a.b", {"jinja2", "mako"}),
    ],
)
def test_an_import_is_seen_wherever_it_stands(code, package, names):
    """Absolute, relative, inside a function or a block: each is known by its full name."""
    assert imports_in(code, package) == names


def plant(folder, **texts):
    """Write a package of a few modules, ``{folder__module: text}``."""
    for name, text in texts.items():
        path = folder.joinpath("autograder", *name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text)
    (folder / "autograder" / "__init__.py").touch()


@pytest.mark.parametrize("before", ["", "def late():\n    "])
def test_a_planted_circle_is_seen(tmp_path, before):
    """Written at the top or in a function, an import of a later folder is found, and so is the circle it closes."""
    low, high = f"{before}from ..grading import grade\n", "from autograder.course.course import Course\n"
    plant(tmp_path, course__course=low, grading__grade=high)
    assert ("autograder.course.course", "autograder.grading.grade") in backward(tmp_path, "autograder", ENGINE)
    assert set(circle(tmp_path, "autograder")) == {"autograder.course.course", "autograder.grading.grade"}


GRADER = "class Grader:\n    seed: int\n    def __init__(self, limits):\n        self.limits = limits\n"


@pytest.mark.parametrize(
    ("planted", "where"),
    [
        ("def use(one: Any):\n    return one.seed, one.limits\n", "use(one)"),
        ("def use(one):\n    return one.seed, one.limits\n", "use(one)"),
        ("def use(one: Callable):\n    return one.seed, one.limits\n", "use(one)"),
        (
            "class Use:\n    def __init__(self, one: Any, two: int):\n        self.one, self.two = one, two\n"
            "    def seed(self):\n        return self.one.seed\n"
            "    def limits(self):\n        return self.one.limits\n",
            "Use.one",
        ),
        (
            "@dataclass\nclass Use:\n    one: Any\n    def f(self):\n        self.one.seed = self.one.limits\n",
            "Use.one",
        ),
        ("def use(one: Any):\n    return one.seed\n", ""),
        ("def use(one: Any):\n    return one.seed, one.other\n", ""),
        ("def use(one: Needed):\n    return one.seed, one.limits\n", ""),
    ],
)
def test_a_circle_behind_any_is_seen(tmp_path, planted, where):
    """A parameter or a field without a type is known by two attributes or more, if they are a later class's."""
    expected = [("autograder.course.low", where, "Grader")] if where else []
    plant(tmp_path, course__low=planted, grading__grade=GRADER)
    assert hidden(tmp_path, "autograder", ENGINE) == expected
    plant(tmp_path, grading__grade="", course__high=f"from .low import use\n{GRADER}")
    assert hidden(tmp_path, "autograder", ENGINE) == expected


def test_grading_loads_no_figures_and_no_models():
    """Grading loads no Matplotlib, which would cost every run half a second, and no trained model or its autograd."""
    modules = ", ".join(f"autograder.{name}" for name in ("runs.class_run", "pages.feedback", "lms.export"))
    unwanted = {"matplotlib", "autograd", "attention.models"}
    code = (
        f"import sys, autograder.cli, {modules}; from attention.exercises.in_translator import consequences_of; "
        f"assert consequences_of('mix'); sys.exit(bool(sys.modules.keys() & {unwanted}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
