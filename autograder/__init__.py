"""The autograder of *Attention, Row by Row*."""

import sys

# jsonschema, which nbformat loads, would spend a second on a parser for international URLs; none are used here.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # None: not to be imported
