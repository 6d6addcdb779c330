"""Run the cells again when the code that they import has changed, several pages at a time; refuse stale models.

The cache of executed cells looks at the pages' own cells only, and MyST-NB runs one page after another.
"""

import hashlib
import io
import os
import shutil
from contextlib import contextmanager, redirect_stderr
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor
from sphinx.errors import ExtensionError

from attention.models import Stale
from attention.models.build import ONE_THREAD, require_fresh
from autograder.course.settings import pages_in_toc

WATCHED = {".py", ".js", ".css", ".json"}  # a widget takes its script and its style along into the page


def digest_of(app):
    """Return one digest of all files that the cells may import."""
    total = hashlib.sha256()
    for folder in app.config.fresh_cells_watch:
        root = Path(app.srcdir, folder)
        for path in sorted(path for path in (root, *root.rglob("*")) if path.suffix in WATCHED and path.is_file()):
            total.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def cache_of(app):
    """Return the folder of executed cells."""
    return Path(app.config.nb_execution_cache_path or Path(app.outdir).parent / ".jupyter_cache")


def forget_stale_cells(app):
    """Empty the cache of executed cells where the imported code is not what it was."""
    cache = cache_of(app)
    stamp = cache / "imported_code.sha256"
    digest = digest_of(app)
    app.fresh_cells_stale = not stamp.exists() or stamp.read_text() != digest
    if app.fresh_cells_stale:
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir(parents=True)
        stamp.write_text(digest)


def refuse_stale_models(app):
    """End the build at once where a trained model is not what today's code would make."""
    try:
        require_fresh()
    except Stale as stale:
        raise ExtensionError(str(stale)) from None


def run_pages_side_by_side(app):
    """Fill the cache with all pages that it lacks, a page on each core; what fails here is run again, and reported."""
    os.environ.update(ONE_THREAD)  # for the kernels: each core has its own pages, and sums have one order everywhere
    cache = get_cache(cache_of(app))
    wanted = pages_in_toc(Path(app.config.external_toc_path).parent)
    found = [path for path in sorted(Path(app.srcdir).glob("*.md"), reverse=True) if is_notebook(path)]
    pages = [path for path in found if wanted is None or path.stem in wanted]
    for page in pages:
        cache.add_nb_to_project(str(page), read_data={"name": "myst_nb_md", "type": "plugin"})
    with silent():  # the executor's log, and each kernel's warning that it listens on this machine
        load_executor("local-parallel", cache).run_and_cache(
            filter_uris=[str(page) for page in pages], timeout=app.config.nb_execution_timeout
        )


@contextmanager
def silent():
    """Send what this process and its children write to standard error nowhere."""
    kept = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        with redirect_stderr(io.StringIO()):  # a logger that is set up here would keep the real one
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def is_notebook(path):
    """Say whether a page holds cells, by its head."""
    return path.read_text(encoding="utf-8").startswith("---\nfile_format: mystnb")


def pages_to_read_again(app, env, added, changed, removed):
    """Tell Sphinx to read every page again where the cache was emptied."""
    return sorted(env.found_docs) if app.fresh_cells_stale else []


def setup(app):
    """Register with Sphinx."""
    app.add_config_value("fresh_cells_watch", [], "env")
    app.connect("builder-inited", refuse_stale_models, priority=50)
    app.connect("builder-inited", forget_stale_cells, priority=100)
    app.connect("builder-inited", run_pages_side_by_side, priority=150)
    app.connect("env-get-outdated", pages_to_read_again)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
