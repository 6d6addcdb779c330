"""A page that fails to run stops the build, and the last words say where and why."""

import pytest

from .small_book import build

PAGE = """---
file_format: mystnb
kernelspec: {name: python3, display_name: Python 3}
---
# A page

```{code-cell}
lion = 11
print(lino)
```
"""


@pytest.fixture(scope="module")
def failed(root, tmp_path_factory):
    """What building a book says whose only page has a misspelt name."""
    folder = tmp_path_factory.mktemp("failing")
    (folder / "book").mkdir()
    for name in ("_ext", "_static", "demos", "figures", "references.bib"):
        (folder / "book" / name).symlink_to(root / "book" / name)
    for name in ("attention", "autograder", "exercises", "node_modules", "_config.yml"):
        (folder / name).symlink_to(root / name)
    (folder / "book" / "index.md").write_text(PAGE)
    (folder / "_toc.yml").write_text("format: jb-book\nroot: index\n")
    return folder, build(folder)


def test_a_cell_that_fails_stops_the_build(failed):
    """No page is written, and the command's exit code says so."""
    folder, done = failed
    assert done.returncode == 1
    assert not list(folder.glob("_build/html/*.html"))


def test_the_last_words_are_the_page_the_cell_and_the_error(failed):
    """After whatever Sphinx prints come the page, the cell's own lines and Python's error, without colours."""
    _, done = failed
    last = done.stderr[done.stderr.rindex("a cell failed") :]
    assert "index.md: a cell failed, so the book was not built" in done.stderr
    assert "lion = 11\nprint(lino)" in last
    assert last.rstrip().endswith("NameError: name 'lino' is not defined")
    assert "\x1b" not in last
