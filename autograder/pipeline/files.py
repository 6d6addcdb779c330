"""Files that are never half there: each is written beside its place and then put into it."""

import shutil


def write_whole(path, text):
    """Write a text file in one step, and return its path; whatever goes wrong, the old one stays."""
    new = path.with_name(f".{path.name}.new")
    try:
        new.write_text(text, encoding="utf-8", errors="replace", newline="")
        return new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def replace_folder(new, old):
    """Put the folder ``new`` in the place of ``old``, so that ``old`` is never half there."""
    old.parent.mkdir(parents=True, exist_ok=True)
    aside = old.with_name(f".{old.name}.old")
    shutil.rmtree(aside, ignore_errors=True)
    if old.exists():
        old.rename(aside)
    new.rename(old)
    shutil.rmtree(aside, ignore_errors=True)
