"""Two gaps of Jupyter Book 1.0.4, closed here: the path of --toc, and a setting for an extension we leave out."""

from pathlib import Path


def find_toc_from_here(app, config):
    """Let ``build book --toc _toc.yml`` mean the working folder: sphinx-external-toc would read it from book/."""
    path = Path(config.external_toc_path)
    if path.exists():
        config.external_toc_path = path.resolve().as_posix()


def setup(app):
    """Register with Sphinx, before sphinx-external-toc reads the path with priority 900."""
    app.add_config_value("comments_config", {}, "env")  # set by Jupyter Book, read by sphinx_comments only
    app.connect("config-inited", find_toc_from_here, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
