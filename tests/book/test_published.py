"""What a published book has beside its pages, and what ends the build: seen in a small book with an address."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml
from PIL import Image

HOME = "https://course.example/attention/"
PAGES = {
    "index": """# A small book

The first paragraph says what the page is about, and is long enough.

![](picture.png)

[A dead link](nowhere.md), and

[a dead anchor](other.md#nowhere).

Nobody has explained {term}`lino`.
""",
    "other": "# Another page\n\n![a grey square](picture.png)\n",
}


@pytest.fixture(scope="module")
def small(root, tmp_path_factory):
    """A small book with an address and faults in its first page: its folder, and what the build says."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "book").mkdir()
    for name in ("_ext", "_static", "demos", "figures", "references.bib"):
        (folder / "book" / name).symlink_to(root / "book" / name)
    for name in ("autograder", "exercises", "node_modules"):
        (folder / name).symlink_to(root / name)
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    config["html"]["baseurl"] = HOME
    (folder / "_config.yml").write_text(yaml.safe_dump(config))
    (folder / "_toc.yml").write_text("format: jb-book\nroot: index\nchapters: [{file: other}]\n")
    Image.new("L", (7, 5), 128).save(folder / "book/picture.png")
    for name, text in PAGES.items():
        (folder / f"book/{name}.md").write_text(text, encoding="utf-8")
    binaries = Path(sys.executable).parent
    command = (
        f"{binaries}/jupyter-book build book --config _config.yml --toc _toc.yml --path-output . -W --keep-going -q"
    )
    path = f"{binaries}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command.split(), cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    return folder / "_build/html", done


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (5, "picture.png has no alternative text: say what it shows"),
        (7, "'nowhere.md'"),
        (9, "'nowhere'"),
        (11, "term not in glossary: 'lino'"),
    ],
)
def test_a_fault_ends_the_build_with_its_page_and_line(small, line, said):
    """A picture without words, a dead link, a dead anchor and an unknown term are named where they stand."""
    _, done = small
    assert done.returncode != 0
    assert re.search(rf"index\.md:{line}: WARNING: .*{re.escape(said)}", re.sub(r"\x1b\[[\d;]*m", "", done.stderr))


def test_a_picture_with_words_is_no_fault(small):
    """Only the picture that says nothing is complained of."""
    _, done = small
    assert "other.md" not in "".join(line for line in done.stderr.splitlines() if "alternative text" in line)


def test_pages_have_one_address(small):
    """With an address, each page says which one is its own; so do its card and the site map, for every page."""
    site, _ = small
    for name in PAGES:
        html = (site / f"{name}.html").read_text(encoding="utf-8")
        assert re.findall(r'rel="canonical" href="([^"]*)"', html) == [f"{HOME}{name}.html"]
        assert re.findall(r'property="og:url" content="([^"]*)"', html) == [f"{HOME}{name}.html"]
    listed = ElementTree.parse(site / "sitemap.xml").iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
    assert {place.text for place in listed} == {f"{HOME}{name}.html" for name in PAGES}


def test_a_card_has_title_sentence_and_picture(small):
    """What a site shows that links to a page is the page's own, and its picture is as large as those sites ask."""
    site, _ = small
    html = (site / "index.html").read_text(encoding="utf-8")
    card = dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)"', html))
    assert card["og:title"] == "A small book"
    assert card["og:description"].startswith("The first paragraph says")
    assert card["og:image"].startswith(HOME)
    with Image.open(site / card["og:image"].removeprefix(HOME)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))
        assert picture.size == (int(card["og:image:width"]), int(card["og:image:height"]))


def test_the_page_for_wrong_addresses_works_in_any_folder(small):
    """It is shown for addresses of any depth, so it says where its style sheets and links begin."""
    site, _ = small
    html = (site / "404.html").read_text(encoding="utf-8")
    assert '<base href="/attention/">' in html
    assert html.index("<base") < html.index('rel="stylesheet"')
    assert 'href="index.html"' in html


def test_no_address_is_invented(site, root):
    """Without an address no page claims one, and there is no site map; the picture's is relative."""
    if "baseurl" in yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["html"]:
        pytest.skip("this book has an address")
    html = (site / "05_scaling.html").read_text(encoding="utf-8")
    assert not re.search('rel="canonical"|og:url', html)
    assert 'property="og:image" content="_static/cards/05_scaling.png"' in html
    assert not (site / "sitemap.xml").exists()
    assert '<base href="/">' in (site / "404.html").read_text(encoding="utf-8")


def test_the_cards_are_small_and_all_different(site):
    """Each page's picture has fewer than 40 kB, and no two are alike."""
    cards = {path.name: path.read_bytes() for path in (site / "_static/cards").glob("*.png")}
    assert "05_scaling.png" in cards
    assert max(map(len, cards.values())) < 40_000
    assert len(set(cards.values())) == len(cards)


def test_the_workflow_runs_make_and_pinned_actions(root):
    """What publishes the book runs targets that the Makefile has, with no secret, host or version left open."""
    workflow = yaml.safe_load((root / ".github/workflows/book.yml").read_text(encoding="utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    made = [step["run"].removeprefix("make ") for step in steps if step.get("run", "").startswith("make ")]
    assert set(made) >= {"course", "test", "pdf", "book"}
    assert set(made) <= targets
    assert all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step["uses"]) for step in steps if "uses" in step)
