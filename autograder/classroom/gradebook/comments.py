"""Turns messages into the Markdown that nbgrader stores as comments. What a student wrote stays plain text."""

import re

INLINE_CODE = re.compile(
    r"(`[^`<>&$\\]+`)"
)  # between backticks nothing is Markdown; HTML or formulas are not shown as code
MARKDOWN = re.compile(r"[`*_\[\]~|{}]|:(?=//)|^[#+=-]|(?<=^\d)[.)]")
HTML = {
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord("$"): "<code>&#36;</code>",  # these start formulas, which MathJax does not look for in code
    ord("\\"): "<code>&#92;</code>",
}


def as_comment(text: str) -> str:
    """Return a message as one line of literal Markdown, with code between backticks."""
    parts = INLINE_CODE.split(" ".join(text.split()))
    return "".join(part if place % 2 else escape_markup(part) for place, part in enumerate(parts))


def escape_markup(text: str) -> str:
    """Escape text for Markdown, HTML and formulas."""
    return MARKDOWN.sub(r"\\\g<0>", text.translate(HTML))
