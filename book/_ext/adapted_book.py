"""What a course with fewer chapters, or with its own settings in course.toml, changes in the book.

``{taught} inference …``  a block that appears only where these chapters are taught, or these pages are listed
``{begin} context …``     buttons to the first chapter, and straight to the first of these that is taught

A page is *listed* if _toc.yml lists it. Those in ``NEEDED`` are built although they are not listed.
A reference to a page that _toc.yml does not list leads to the whole course, where course.toml has its address, or
becomes plain words. "Chapter 7" becomes "the whole course's chapter 7" where it is not taught.
"""

import re
from html import escape
from pathlib import Path
from string import punctuation

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes, package_dir
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from autograder.course.course import SLIPS, stem_of
from autograder.course.instructor_changes import PAGE, own_folder
from autograder.course.left_out import name_whole_course
from autograder.course.settings import SETTINGS_FILE, as_folder
from autograder.course.which_course import course_of_book
from autograder.errors import AutograderError

ASSIGNMENT = re.compile(r"^## Assignment\b", re.MULTILINE)
LINK = re.compile(
    r'(?P<before><a\b[^>]*href=")(?:\.\./)?(?P<page>\w+)\.html(?P<after>(?:#[^"]*)?"[^>]*>(?P<words>.*?)</a>)',
    re.DOTALL,
)
LABEL = re.compile(r"^\((?P<label>[\w-]+)\)=$", re.MULTILINE)
NEEDED = ("glossary", "references")  # chapters use their terms and cite their sources
PUNCTUATION = re.compile(f"[{re.escape(punctuation)}]")  # plain text in MyST with a backslash before it
TAUGHT = re.compile(r"^(?P<fence>:{3,})\{taught\} (?P<names>.*)\n(?P<content>(?:.*\n)*?)(?P=fence)$", re.MULTILINE)
TITLE = re.compile(r"^# .+$", re.MULTILINE)


def course_of(app):
    """Return the course that the book belongs to."""
    return course_of_book(Path(app.srcdir).resolve().parent)


def apply_settings(app, config):
    """Set title, logo, address and language as course.toml has them."""
    try:
        course = course_of(app)
        settings = course.settings
    except AutograderError as error:
        raise SystemExit(str(error)) from error
    if settings.title:
        config.project, config.html_title = settings.title, escape(settings.title)
    if settings.institution:
        config.copyright = f"{config.copyright} · {settings.institution}"
    if settings.logo:
        config.html_logo = str(course.root / settings.logo)
    if course.settings.address:
        config.html_baseurl = course.book_url
    if settings.language != "en":
        if not (Path(package_dir) / "locale" / settings.language).is_dir():
            raise SystemExit(
                f"expected language in {course.root / SETTINGS_FILE} as one that Sphinx knows, such as de or pt_BR, "
                f"got {settings.language!r}"
            )
        config.language, config.html_search_language = settings.language, "en"
        app._init_i18n()  # it has run before course.toml is read


def keep_english_quotes(app, env, names):
    """Set the quotation marks of the text as in English, which it stays in."""
    env.settings["language_code"] = "en"


def keep_needed_pages(app, config):
    """Build the pages that chapters need even where _toc.yml does not list them."""
    needed = {f"{page}.md" for page in NEEDED}
    config.exclude_patterns = [name for name in config.exclude_patterns if name not in needed]


def keep_redirects_inside(app, config):
    """Leave out the old addresses of pages that _toc.yml does not list."""
    course = course_of(app)
    if "redirects" in config:
        kept = {old: new for old, new in config.redirects.items() if course.is_listed(new.removesuffix(".html"))}
        config.redirects = kept


def pages_not_built(env):
    """Return the pages in the book's folder that this course's book lacks, ``{name: path}``."""
    return {path.stem: path for path in Path(env.srcdir).glob("*.md") if path.stem not in env.found_docs}


def add_own_text(app, page, source):
    """Put the instructor's text before a chapter's assignment, and their title at the head of the first page."""
    course = course_of(app)
    text = own_folder(course.root, stem_of(page)) / PAGE
    if text.exists() and not page.startswith(f"{SLIPS}/"):
        app.env.note_dependency(str(text))
        assignment = ASSIGNMENT.search(source[0])
        place = assignment.start() if assignment else len(source[0])
        try:
            theirs = text.read_text(encoding="utf-8").strip()
        except (OSError, ValueError) as error:
            raise SystemExit(f"cannot read {text}: {error}. Save it as UTF-8") from error
        source[0] = f"{source[0][:place]}{theirs}\n\n{source[0][place:]}"
    if page in NEEDED and not course.is_listed(page):
        source[0] = f"---\norphan: true\n---\n{source[0]}"
    if page == app.config.root_doc and course.settings.title:
        title = PUNCTUATION.sub(r"\\\g<0>", course.settings.title)
        source[0] = TITLE.sub(lambda _: f"# {title}", source[0], count=1)


class LeftOut(SphinxPostTransform):
    """References to what is not part of this course, before MyST looks for it."""

    default_priority = 5

    def run(self, **_):
        """Replace them on one page."""
        course = course_of(self.app)
        numbers = course.numbers_left_out()
        not_built = pages_not_built(self.env)
        labels = {
            label["label"]: page
            for page, path in not_built.items()
            for label in LABEL.finditer(path.read_text(encoding="utf-8"))
        }
        for node in list(self.document.findall(addnodes.pending_xref)):
            target = node["reftarget"]
            if node["refdomain"] == "doc" and target in not_built:
                node.replace_self(self.elsewhere(course, node, target, node.get("reftargetid")))
            elif node.get("reftype") == "myst" and target in labels:
                node.replace_self(self.elsewhere(course, node, labels[target], target))
        if numbers:
            for text in list(self.document.findall(nodes.Text)):
                said = name_whole_course(str(text), numbers)
                if said != str(text) and not isinstance(text.parent, nodes.FixedTextElement | nodes.literal):
                    text.parent.replace(text, nodes.Text(said))

    @staticmethod
    def elsewhere(course, node, page, anchor):
        """Return a reference to a place of the whole course, or its words where that has no address."""
        place = as_folder(course.settings.whole_course)
        words = nodes.inline("", "", *(child.deepcopy() for child in node.children))
        said = words.astext()
        if said == "next chapter":  # "the next chapter" is not the next one here
            words = nodes.inline("", f"whole course’s chapter {int(page[:2])}")
        if said.lower() == "the laboratory":
            words = nodes.inline("", f"{said[:3]} whole course’s laboratory")
        if not place:
            return words
        address = f"{place}{page}.html#{anchor}" if anchor else f"{place}{page}.html"
        return nodes.reference("", "", words, refuri=address, internal=False)


def is_taught(course, names):
    """Say whether all of these chapters are taught, or these pages listed; the names are apart by spaces."""
    stems = {stem_of(name) for name in course.chapters()}
    return all(name in stems or course.is_listed(name) for name in names.split())


def as_taught(text, course):
    """Return a page's MyST without the blocks that are only for what this course leaves out.

    It does with text what the directive ``{taught}`` does on a page: notebooks are made of a page's MyST.
    """
    return TAUGHT.sub(lambda found: found["content"] if is_taught(course, found["names"]) else "", text)


class Taught(SphinxDirective):
    """``{taught} position translator``: its content, where all these chapters and pages are listed; else nothing."""

    required_arguments, final_argument_whitespace, has_content = 1, True, True

    def run(self):
        """Return the content or nothing."""
        if not is_taught(course_of(self.env.app), self.arguments[0]):
            return []
        box = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, box)
        return box.children


class Begin(SphinxDirective):
    """``{begin} context``: buttons to the first chapter and, where that is another one, straight to attention.

    The second button says "attention" whatever is named: name chapters that introduce it.
    """

    optional_arguments, final_argument_whitespace = 1, True

    def run(self):
        """Return the buttons."""
        chapters = course_of(self.env.app).chapters()
        if not chapters:
            return []
        stems = self.arguments[0].split() if self.arguments else []
        straight = next((name for name in chapters if stem_of(name) in stems), None)
        buttons = [f"[Begin at the beginning]({chapters[0]}.md){{.assignment-button .begin}}"]
        if straight not in (None, chapters[0]):
            buttons.append(f"[Straight to attention]({straight}.md){{.assignment-button}}")
        box = nodes.Element()
        self.state.nested_parse(StringList([" ".join(buttons)], self.name), self.content_offset, box)
        return box.children


def adapt_html(app, page, template, context, doctree):
    """Change a page's HTML: links that directives wrote as HTML, and the text's language where the labels' is another.

    Links to pages that are not built lead to the whole course, or become plain words.
    """
    if "body" not in context or app.builder.format != "html":
        return
    whole_course, not_built = as_folder(course_of(app).settings.whole_course), pages_not_built(app.env)

    def redirect(link):
        name = link["page"]
        if name not in not_built:
            return link[0]
        return f"{link['before']}{whole_course}{name}.html{link['after']}" if whole_course else link["words"]

    context["body"] = LINK.sub(redirect, context["body"])
    if app.config.language != "en":
        context["body"] = context["body"].replace("<section", '<section lang="en"', 1)  # the text is English


def forget_pages(app, exception):
    """Remove the pages that an earlier build made of chapters that are not listed any more."""
    if exception is None and app.builder.format == "html":
        for page in pages_not_built(app.env):
            Path(app.outdir, f"{page}.html").unlink(missing_ok=True)


def setup(app):
    """Register with Sphinx."""
    app.add_directive("taught", Taught)
    app.add_directive("begin", Begin)
    app.add_post_transform(LeftOut)
    app.connect("config-inited", apply_settings, priority=150)
    app.connect("config-inited", keep_needed_pages, priority=950)  # after the list of pages is read
    app.connect("config-inited", keep_redirects_inside)
    app.connect("env-before-read-docs", keep_english_quotes)
    app.connect("source-read", add_own_text)
    app.connect("html-page-context", adapt_html, priority=950)
    app.connect("build-finished", forget_pages, priority=100)  # before the book is packed
    return {"parallel_read_safe": True, "parallel_write_safe": True}
