"""What a published book has beside its pages: a map of the site, and a page for wrong addresses.

The address is only in _config.yml, as ``html: baseurl``. What needs it is left out where it is not set.
"""

from html import escape
from pathlib import Path
from urllib.parse import urlparse

LOST = """<section><h1>There is no such page</h1>
<p>The address may be misspelt, or the page may have another name by now.</p>
<p><a href="index.html">The first page</a> lists all chapters, and <a href="search.html">the search</a> knows every
word, function and entry of the glossary.</p></section>"""


def page_for_wrong_addresses(app):
    """Make 404.html, which hosts of static pages show for any address that leads nowhere."""
    if app.builder.name == "html":
        yield "404", {"title": "There is no such page", "body": LOST}, "page.html"


def find_files_from_anywhere(app, page, template, context, doctree):
    """Let the page for wrong addresses find its style sheets: it is shown for addresses in any folder."""
    if page == "404":
        root = urlparse(app.config.html_baseurl or "/").path.rstrip("/")
        context["metatags"] = f'\n    <base href="{escape(root)}/">' + context.get("metatags", "")


def write_sitemap(app, exception):
    """List the address of every page in sitemap.xml, where the book has an address; remove an old list elsewhere."""
    path = Path(app.outdir, "sitemap.xml")
    if exception is not None or app.builder.name != "html":
        return
    if not app.config.html_baseurl:
        path.unlink(missing_ok=True)
        return
    root = app.config.html_baseurl.rstrip("/")
    addresses = (f"{root}/{app.builder.get_target_uri(page)}" for page in sorted(app.env.found_docs))
    rows = "".join(f"  <url><loc>{escape(address)}</loc></url>\n" for address in addresses)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    path.write_text(f"{head}{rows}</urlset>\n", encoding="utf-8")


def setup(app):
    """Register with Sphinx."""
    app.connect("html-collect-pages", page_for_wrong_addresses)
    app.connect("html-page-context", find_files_from_anywhere, priority=900)
    app.connect("build-finished", write_sitemap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
