"""All pages of a book made lean together."""

import hashlib
from functools import cache, cached_property
from pathlib import Path

from . import budget, fonts, pictures
from .bundle import bundle, used_by_page, words_of_script
from .page import (
    IMAGE,
    ONLY_FOR_DEMOS,
    ONLY_FOR_SEARCH,
    attributes_of,
    demos_of,
    files_of,
    first_data,
    first_files,
    is_needed,
    local,
    made_lean,
    next_files,
    picture_size,
    scripts_of,
    styles_of,
)
from .stand_ins import stand_in

HERE = Path(__file__).parent
LAST = HERE / "lean.css"
SEARCH = 'id="search-results"'
AT_ONCE = 20_000  # bytes as sent of data that come with the first demo: a recording does, a trained model does not
NEAR = 1  # the first picture of an article, which may be near: the others come when they are


class Book:
    """The theme's pages in ``stock``, and the book in ``outdir`` that is made of them."""

    def __init__(self, outdir, stock, cache_folder):
        self.outdir, self.stock, self.cache = Path(outdir), Path(stock), Path(cache_folder)
        self.folder = self.outdir / "_static" / "lean"
        paths = sorted(self.stock.rglob("*.html"))
        self.pages = {path.relative_to(self.stock): path.read_text(encoding="utf-8") for path in paths}

    def restore(self):
        """Put the theme's pages back."""
        for page, html in self.pages.items():
            write(self.outdir / page, html)

    def make(self, limits):
        """Write the style sheet, the scripts, the fonts and the pages, and weigh each chapter."""
        self.folder.mkdir(parents=True, exist_ok=True)
        pictures.slim_all(self.outdir / "_images")
        css, codes = bundle(self.styles, self.scripts, self.used, self.words, self.folder, self.cache)
        choices = fonts.choices_of(css)
        self.drawn = {page: fonts.drawn_in(html, choices) for page, html in self.pages.items()}
        css, self.faces = fonts.cut_all(css, self.folder, union(self.drawn.values()), self.cache)
        self.style = named(self.folder, "course", "css", css)
        self.codes = {name: named(self.folder, name, "js", code) for name, code in codes.items()}
        written = {page: self.write(page, html) for page, html in self.pages.items()}
        self.forget({self.style, *self.codes.values()})
        budget.require({page.stem: self.parts(page, html) for page, html in written.items()}, limits)

    def resolved(self, page, address):
        """Return the file that an address on a page leads to."""
        return (self.outdir / page.parent / address).resolve()

    def in_order(self, lists):
        """Merge the files of all pages, in the order that the longest list has them."""
        longest = sorted(lists, key=len, reverse=True)
        return list(dict.fromkeys(path for paths in longest for path in paths))

    @cached_property
    def styles(self):
        """All style sheets in the order of the pages, ours last."""
        lists = [[self.resolved(page, path) for path in styles_of(html)] for page, html in self.pages.items()]
        return [*self.in_order(lists), LAST]

    @cached_property
    def scripts(self):
        """The script for every page, the one that searches, and the one that mounts demos."""
        lists = [
            [stand_in(self.resolved(page, path), self.cache) for path in scripts_of(html) if is_needed(path, html)]
            for page, html in self.pages.items()
        ]
        every = self.in_order(lists)
        search = [path for path in every if path.name in ONLY_FOR_SEARCH and path.name != "searchindex.js"]
        demos = [path for path in every if path.name in ONLY_FOR_DEMOS]
        common = [path for path in every if path.name not in {*ONLY_FOR_SEARCH, *ONLY_FOR_DEMOS}]
        return {"page": common, "search": search, "demos": demos}

    @cached_property
    def used(self):
        """What a style may match on any of the pages."""
        pages = [used_by_page(html) for html in self.pages.values()]
        return {name: set().union(*(used[name] for used in pages)) for name in pages[0]}

    @cached_property
    def words(self):
        """Every word of the demos' code."""
        codes = (self.outdir / "_static/demos").glob("*.js")
        return set().union(*(words_of_script(path.read_text(encoding="utf-8")) for path in codes))

    def write(self, page, html):
        """Write one page lean; return its HTML."""
        up = "../" * (len(page.parts) - 1)
        first, soon = ([f"{up}_static/demos/{name}.js" for name in of(html)] for of in (first_files, next_files))
        first += [f"{up}_static/demo_data/{name}.js" for name in first_data(html) if self.is_small(name)]
        scripts = [f"{up}_static/lean/{self.codes['page']}"]
        if demos_of(html):
            scripts.insert(0, f"{up}_static/lean/{self.codes['demos']}")
        if SEARCH in html:
            scripts += [f"{up}_static/lean/{self.codes['search']}", f"{up}searchindex.js"]
        style = f"{up}_static/lean/{self.style}"
        made = made_lean(html, style, [*first, *scripts], lambda source: self.size(page, source), soon)
        write(self.outdir / page, made)
        return made

    def is_small(self, data):
        """Say whether a demo's data are no more than its code: the first demo then waits for nobody to see it."""
        return budget.sent(self.outdir / "_static/demo_data" / f"{data}.js") <= AT_ONCE

    def size(self, page, source):
        """Return the size of a picture of the book, or None."""
        path = local(source) and self.resolved(page, source)
        return size_of(path) if path and path.is_file() else None

    def forget(self, used):
        """Remove what an earlier build has made and no page asks for."""
        kept = used | {name for name in self.faces.values() if name}
        for path in self.folder.iterdir():
            if path.name not in kept:
                path.unlink()

    def parts(self, page, html):
        """Return what a page loads when it is opened; a picture further down and a model come when they are near."""
        demos = self.outdir / "_static" / "demos"
        own = [budget.Part(page.name, budget.sent(page, html.encode()))]
        if SEARCH in html:
            own += [budget.part(self.folder / self.codes["search"]), budget.part(self.outdir / "searchindex.js")]
        own += [budget.part(self.folder / self.codes["demos"], known=True)] if demos_of(html) else []
        files = files_of(demos_of(html))
        own += [budget.part(demos / f"{name}.js", known=name.startswith("shared-")) for name in files]
        own += map(budget.part, self.pictures(page, html))
        return [*own, *(budget.part(path, known=True) for path in self.common(page))]

    def common(self, page):
        """Return the files that pages share."""
        names = [self.style, self.codes["page"]]
        for face, name in sorted(self.faces.items()):
            if name and (face in self.drawn[page] or not fonts.is_of_formulas(face)):
                names.append(name)
        drawn = (self.outdir / "_static" / name for name in ("favicon.svg", "logo.svg"))
        return [*(self.folder / name for name in names), *(path for path in drawn if path.is_file())]

    def pictures(self, page, html):
        """Return the pictures that are near when a page is opened."""
        sources = [attributes_of(tag).get("src", "") for tag in IMAGE.findall(html[html.find("<article") :])]
        files = [self.resolved(page, source) for source in dict.fromkeys(sources) if local(source)]
        return [path for path in files if path.is_file()][:NEAR]


@cache
def size_of(path):
    """Return the size of a picture, read once."""
    return picture_size(path)


def union(drawn):
    """Return face -> characters over all pages."""
    total = {}
    for faces in drawn:
        for face, letters in faces.items():
            total.setdefault(face, set()).update(letters)
    return total


def named(folder, stem, suffix, text):
    """Write a file that is named by what is in it; return its name."""
    name = f"{stem}.{hashlib.sha256(text.encode()).hexdigest()[:10]}.{suffix}"
    write(folder / name, text)
    return name


def write(path, text):
    """Write a file unless it says so already."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
