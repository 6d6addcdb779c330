"""Where the course's repository can be opened: one setting, ``repository_url`` in ``_config.yml``, adds all links.

With it every page leads to its source and to a new issue, and every assignment to Binder, Colab and a codespace.
Without it nothing of that is on any page.
"""

import re
from urllib.parse import quote

from sphinx.errors import ExtensionError

GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")
PARAGRAPH = """<p>Elsewhere: <a href="{binder}">Binder</a>, <a href="{codespace}">a codespace</a>, or
<a href="{colab}">Colab</a>, where a first cell has to fetch the files beside the notebook: <code>{fetch}</code></p>"""


def repository_of(config):
    """Return (owner/name, branch), or None if no repository is set.

    Errors: ExtensionError for an address that is no repository on GitHub.
    """
    url = config.repository_url
    if not url:
        return None
    found = GITHUB.fullmatch(url)
    if not found:
        raise ExtensionError(
            f"_config.yml: expected repository_url: like https://github.com/OWNER/NAME, got {url!r}: "
            "correct it, or leave it empty"
        )
    return found[1], config.repository_branch or "main"


def elsewhere(config, name, files):
    """Write one paragraph of links to an assignment: nothing without a repository."""
    known = repository_of(config)
    if not known:
        return ""
    repository, branch = known
    notebook = f"exercises/{name}/{name}.ipynb"
    raw = f"https://raw.githubusercontent.com/{repository}/{branch}/exercises"
    # A link's own text is all that this address would give, so each leads to the file itself.
    beside = " ".join(f"{raw}/{in_repository(file)}" for file in files if file.suffix != ".ipynb")
    part = quote(branch, safe="")
    return PARAGRAPH.format(
        binder=f"https://mybinder.org/v2/gh/{repository}/{part}?labpath={quote(notebook, safe='')}",
        codespace=f"https://codespaces.new/{repository}?ref={part}",
        colab=f"https://colab.research.google.com/github/{repository}/blob/{branch}/{notebook}",
        fetch=f"!wget -q {beside}",
    )


def in_repository(file):
    """Return the path of a chapter's file below ``exercises/``; of a link, that of the file it leads to."""
    return file.resolve().relative_to(file.parents[1].resolve()).as_posix()


def add_links(app, config):
    """Tell the theme where a page's source is, and the footer where to report a mistake."""
    if known := repository_of(config):
        repository, branch = known
        address = f"https://github.com/{repository}"
        options = {"source_repository": f"{address}/", "source_branch": branch, "source_directory": "book/"}
        config.html_theme_options.update(options)
        config.html_context["new_issue"] = f"{address}/issues/new"


def setup(app):
    """Register with Sphinx."""
    app.add_config_value("repository_url", "", "html")
    app.add_config_value("repository_branch", "main", "html")
    app.connect("config-inited", add_links, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
