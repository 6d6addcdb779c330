"""What stands in for a script of the theme's: our own of the same name, or the theme's with one function exchanged."""

import re
from pathlib import Path

from sphinx.errors import ExtensionError

SCRIPTS = Path(__file__).parent / "scripts"
# The theme's script -> where it calls a function, as its minified file says it, and what does the same for less.
EXCHANGED = {
    "pydata-sphinx-theme.js": (
        re.compile(r'"complete"===document\.readyState\?(\w+)\(\):window\.addEventListener\("load",\1\)'),
        "tab_stops.js",
    ),
}


def stand_in(path, folder):
    """Return the script to take in a script's place, or itself; one with a part exchanged is written to ``folder``."""
    own = SCRIPTS / path.name
    if own.exists():
        return own
    if path.name not in EXCHANGED:
        return path
    call, ours = EXCHANGED[path.name]
    code, found = call.subn("void 0", path.read_text(encoding="utf-8"))
    if found != 1:
        raise ExtensionError(
            f"lean_pages: expected one call in {path.name} that {ours} stands in for, got {found}: "
            f"see how this version of the theme makes it, and mend EXCHANGED in {Path(__file__).name}"
        )
    made = folder / path.name
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(f"{code}\n{(SCRIPTS / ours).read_text(encoding='utf-8')}", encoding="utf-8")
    return made
