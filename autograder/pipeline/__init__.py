"""From submissions to marks: release, intake, grade, record, feedback, report, export, each in a file of its name."""

import sys

# jsonschema, which nbformat loads, would spend a second on a parser for international URLs; nothing here has any.
sys.modules.setdefault("rfc3987_syntax", None)
