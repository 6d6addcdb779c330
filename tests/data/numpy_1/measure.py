"""Lists what NumPy 1.23 to 1.26 had and today's NumPy lacks: names of modules, and arguments of functions.

In an environment of each older version, ``python measure.py > 1.26.4.json`` writes its names with their arguments. With
those files as arguments, today's NumPy prints what it lacks of them: ``python measure.py 1.*.json > lost.json``.
"""

import importlib
import inspect
import json
import pkgutil
import sys
import warnings
from pathlib import Path

NO_NOTEBOOK_USES = ("tests", "conftest", "setup", "distutils", "f2py", "code_generators")


def modules():
    """Yield NumPy's public modules by name."""
    numpy = importlib.import_module("numpy")
    found = pkgutil.walk_packages(numpy.__path__, "numpy.", onerror=lambda name: None)
    for name in ["numpy", *sorted(module.name for module in found)]:
        if not any(part.startswith("_") or part in NO_NOTEBOOK_USES for part in name.split(".")):
            try:
                yield name, importlib.import_module(name)
            except Exception as error:  # one that cannot be imported worked for nobody
                print(name, error, file=sys.stderr)


def names_of(name, module):
    """Return a module's public names: of NumPy itself all that work, of others those that are theirs."""
    if name == "numpy":
        hidden = [*getattr(module, "__deprecated_attrs__", ()), *getattr(module, "__former_attrs__", ())]
        return {*dir(module), *vars(module), *hidden}
    if hasattr(module, "__all__"):
        return {*module.__all__}
    own = {key for key, value in vars(module).items() if str(getattr(value, "__module__", "")).startswith("numpy")}
    return own | {key for key, value in vars(module).items() if getattr(value, "__name__", "").startswith("numpy.")}


def arguments_of(value):
    """Return the names by which a function's arguments can be given; None if it does not say, or takes any."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return None
    return [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]


def measure():
    """Return the arguments of each public name of each public module that works."""
    found = {}
    for name, module in modules():
        for key in sorted(
            key for key in names_of(name, module) if not key.startswith("_") and key not in NO_NOTEBOOK_USES
        ):
            if hasattr(module, key):
                found.setdefault(name, {})[key] = arguments_of(getattr(module, key))
    return found


def lost(before):
    """Return which names today's NumPy lacks, by module, and which arguments of others, by function."""
    names, arguments = {}, {}
    for name, old in before.items():
        try:
            module = importlib.import_module(name)
        except ImportError:
            module = None
        names[name] = [key for key in sorted(old) if not hasattr(module, key)]
        for key in old.keys() - {*names[name]}:
            today = arguments_of(getattr(module, key))
            if gone := sorted({*(old[key] or ())} - {*(today or ())} if today is not None else ()):
                arguments[f"{name}.{key}"] = " ".join(gone)
    return {"names": {name: " ".join(some) for name, some in names.items() if some}, "arguments": arguments}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    before = {}
    for path in sys.argv[1:]:
        for name, old in json.loads(Path(path).read_text()).items():
            for key, arguments in old.items():
                before.setdefault(name, {}).setdefault(key, []).extend(arguments or ())
    json.dump(lost(before) if before else measure(), sys.stdout, indent=1, sort_keys=True)
    print()
