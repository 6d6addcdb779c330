"""What every demo is: one widget, whose traits, checks and help come from a JSON Schema for each trait.

A demo is made with ``define_demo``; ``schema.py`` has the schemas that several demos use. Their ``description`` says
what is expected, in an error as in the help. A schema may have these keywords beside those of JSON Schema:

default      a value, or a function that returns it for a demo; an argument without a default is required
remedy       what to do about a wrong value, or a function that says it for a demo; else: write the default
fault        a function that returns what is wrong with a value, or None
misfit       a function of the demo and a value that returns what does not fit the other traits, or None; a value that
             no longer fits when these change gives way to the default
shape        a symbol for each axis, as in "n d_model": sizes with one symbol are equal, and h divides h·d_k
below, upto  a symbol of a shape, or a function of the demo: a size that a number, or each of several, stays below, or
             may reach; when the size shrinks, the number shrinks with it
readOnly     the demo computes it             writeOnly  the page does not get it
"""

import inspect
import json
import sys
from functools import cached_property
from pathlib import Path

import anywidget
import fastjsonschema
import numpy as np
import traitlets
from traitlets import TraitError

STATIC = Path(__file__).parents[1] / "static"
DRAFT = "http://json-schema.org/draft-04/schema"  # the last in which 1.0 is no integer
BOUNDS = {"below", "upto"}
HOLD = "change several in `with demo.hold_trait_notifications():`"


def bundle(name: str) -> Path:
    """Return the path of a file that the front-end build writes, or say how to build it."""
    path = STATIC / name
    if not path.is_file():
        raise ImportError(
            f"expected the drawn half of the demos in {path}, found no such file: run `make course`, which builds it"
        )
    return path


class SchemaTrait(traitlets.TraitType):
    """A trait that accepts what its JSON Schema describes, and keeps it as lists and numbers that a page can read."""

    def __init__(self, schema):
        super().__init__(read_only=schema.get("readOnly", False))
        self.schema = schema
        self.tag(sync=not schema.get("writeOnly", False))

    @cached_property
    def check(self):
        """The function that JSON Schema makes of the keywords that are its own."""
        standard = {key: value for key, value in self.schema.items() if not callable(value)}
        return fastjsonschema.compile({"$schema": DRAFT, **standard}, use_default=False)

    def default(self, obj=None):
        """Return the default, computed from the other traits where the schema says so."""
        default = self.schema.get("default", traitlets.Undefined)
        return default(obj) if callable(default) else default

    def validate(self, obj, value):
        """Accept the value, NumPy's included; of what is wrong, the first is reported."""
        value = _plain(value)
        try:
            self.check(value)
        except fastjsonschema.JsonSchemaValueException as error:
            place = error.name.removeprefix("data")
            self.refuse(obj, _shown(error.value) + (f" in {self.name}{place}" if place else ""), error.definition)
        if "fault" in self.schema and (wrong := self.schema["fault"](value)):
            self.refuse(obj, wrong)
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            self.refuse(obj, _shown(value))
        return value

    def refuse(self, demo, got, part=()):
        """Raise the error that says what was expected of the trait, or of a part of it, what came and what to do."""
        schema = self.schema | {key: part[key] for key in ("description", "remedy") if key in part}
        default = schema.get("default")
        usual = f"leave {self.name} out" if callable(default) else f"write {self.name}={default!r}"
        remedy = schema.get("remedy", usual)
        remedy = remedy(demo) if callable(remedy) else remedy
        raise TraitError(f"expected {self.name} as {schema['description']}, got {got}: {remedy}")


class Demo(anywidget.AnyWidget):
    """A widget with a trait for each schema; ``summary`` is what a page says where JavaScript is off."""

    def __init__(self, *given, **named):
        values = self.__signature__.bind(*given, **named).arguments
        values = {name: one for name, one in values.items() if one is not None or "default" not in self.schema[name]}
        super().__init__(**values)
        self._settle(set(values))
        self.observe(lambda change: self._settle({change.name}), list(self.schema))

    def _fit(self, proposal):
        """Accept a value that fits the other traits."""
        trait, value = proposal.trait, proposal.value
        if "shape" in trait.schema:
            self._sizes(**{trait.name: value})
        if trait.schema.keys() & BOUNDS:
            last = self._last(trait.name)
            for beyond in (one for one in (value if isinstance(value, list) else [value]) if one > last):
                trait.refuse(self, beyond, {"remedy": f"choose one up to {last}"})
        if "misfit" in trait.schema and (wrong := trait.schema["misfit"](self, value)):
            trait.refuse(self, wrong)
        return value

    def _sizes(self, **proposed):
        """Return what each symbol of the shapes counts: symbol -> (size, name). Errors: TraitError for two sizes."""
        shapes, sizes = {name: one["shape"] for name, one in self.schema.items() if "shape" in one}, {}
        legend = ", ".join(f"{name} is ({', '.join(shape.split())})" for name, shape in shapes.items())
        for name, shape in shapes.items():
            value = proposed[name] if name in proposed else getattr(self, name)
            for axis, symbol in enumerate(shape.split()):
                size, what = len(value[0] if axis else value), name
                if " " in shape:
                    what = f"columns of {name}" if axis else f"rows of {name}"
                wanted, first = sizes.setdefault(symbol, (size, what))
                if size != wanted:
                    raise TraitError(f"expected as many {what} as {first}, got {size} and {wanted}: {legend}; {HOLD}")
        for symbol, (size, what) in sizes.items():
            shares, sharers = sizes[symbol.split("·")[0]]
            if "·" in symbol and size % shares:
                raise TraitError(f"expected {what} that {shares} {sharers} can share, got {size}: {legend}; {HOLD}")
        return sizes

    def _last(self, name):
        """Return the largest number that a trait may have."""
        bound = self.schema[name].get("below", self.schema[name].get("upto"))
        return (bound(self) if callable(bound) else self._sizes()[bound][0]) - ("below" in self.schema[name])

    def _settle(self, changed):
        """Let the other traits follow those that changed; the page sees them together."""
        with self.hold_sync():
            for name, value in self.follow(changed).items():
                self.set_trait(name, value)
            for name, schema in self.schema.items():
                value = getattr(self, name)
                if schema.keys() & BOUNDS:
                    last = self._last(name)
                    fitting = [one for one in value if one <= last] if isinstance(value, list) else min(value, last)
                    self.set_trait(name, fitting)
                if schema.keys() >= {"misfit", "default"} and schema["misfit"](self, value):
                    self.set_trait(name, self.trait_defaults(name))


def define_demo(module, summary, /, follow=lambda demo, changed: {}, **schema):
    """Return the class of the demo in a module: a trait for each schema, the bundles and the summary.

    ``follow`` returns the traits that change when those in the set ``changed`` have changed: name -> value.
    """
    stem = module.rpartition(".")[2]
    parameters = [_parameter(name, one) for name, one in schema.items() if "readOnly" not in one]
    described = [f"{name:10} {one['description']}" for name, one in schema.items()]
    members = {
        "__doc__": "\n".join([sys.modules[module].__doc__, *described]),
        "__module__": module,
        "__signature__": inspect.Signature(parameters),
        "_css": bundle(f"{stem}.css"),
        "_esm": bundle(f"{stem}.js"),
        "_fits": traitlets.validate(*schema)(Demo._fit),
        "follow": follow,
        "schema": schema,
        "summary": traitlets.Unicode(summary, read_only=True).tag(sync=True),
    }
    traits = {name: SchemaTrait(one) for name, one in schema.items()}
    return type(stem.title().replace("_", ""), (Demo,), members | traits)


def _parameter(name, schema):
    """Return an argument of the class, which is optional where the trait has a default."""
    default = schema.get("default") if "default" in schema else inspect.Parameter.empty
    default = None if inspect.isfunction(default) else default
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


def _plain(value):
    """Return lists and Python's own numbers in place of arrays, tuples, ranges and NumPy's numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple | range) else value


def _shown(value):
    """Describe a value for an error, a large one without its numbers."""
    if isinstance(value, dict):
        return f"a dict with {list(value)}"
    if isinstance(value, list) and value and all(isinstance(row, list) for row in value):
        return f"{len(value)} rows and {len(value[0])} columns"
    return repr(value) if len(repr(value)) <= 60 else f"{value!r:.57}..."
