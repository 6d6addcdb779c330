"""The autograder of *Attention, Row by Row*: a reference, checks on it, a sandbox, and what joins them."""

import sys

# jsonschema, which nbformat loads, would spend a second on a parser for international URLs; nothing here has any.
sys.modules.setdefault("rfc3987_syntax", None)
