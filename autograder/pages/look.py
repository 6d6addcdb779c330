"""The colours of look.css, for what is drawn without a browser."""

import re
from pathlib import Path

SHEET = Path(__file__).with_name("templates") / "look.css"
HUE = re.compile(r"--hue-(\w+): light-dark\((#\w{6}), (#\w{6})\);")

_found = [match.groups() for match in HUE.finditer(SHEET.read_text(encoding="utf-8"))]
LIGHT = {name: light for name, light, _ in _found}
DARK = {name: dark for name, _, dark in _found}
