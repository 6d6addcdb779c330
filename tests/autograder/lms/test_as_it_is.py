"""What was handed in instead of a notebook is collected as it is: its student gets a page, and is not absent."""

import json

import pytest

from autograder.cli import main

from .class_of_four import ADA, BEN, CHAPTER, MINE, NAME, NEXT, OTHER, ROSTER, SAM, notebook, there
from .lms_models import canvas_export, moodle_export, zip_of

PDF = b"%PDF-1.7 report"
EMPTY = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
FILES = {
    "a PDF": ("report.pdf", PDF),
    "a web page": (NAME, b"<!DOCTYPE html><title>Sign in</title>"),
    "a picture": ("IMG_1.jpg", b"\xff\xd8\xff\xe0"),
    "a zip archive": ("work.zip", zip_of([("a.pdf", PDF), ("b.py", b"x = 1")])),
    "a link to an online document": ("x.gdoc", b'{"doc_id": "1"}'),
    "an archive": ("work.rar", b"Rar!\x1a\x07"),
    "a text file": ("answers.py", b"def attention(): ..."),
    "the notebook of": (NAME, notebook("", NEXT)),
    "exercises": (NAME, EMPTY),
    "empty": (NAME, b""),
    "complete zip": ("work.zip", zip_of([(NAME, MINE)])[:-9]),
}


@pytest.mark.parametrize("what", FILES)
@pytest.mark.parametrize("export", [moodle_export, lambda held: canvas_export({ADA: [(7, *held[ADA][0])]})])
def test_what_is_no_notebook_is_collected_as_it_is(write, collect, what, export):
    """Byte for byte, with a line that says what it is; the LMS's label is there for its page."""
    said = collect(write(c_zip=export({ADA: [FILES[what]]})), chapter=CHAPTER)
    assert (there(collect), said.new, said.left) == ({"ada": FILES[what][1]}, {CHAPTER: ["ada"]}, [])
    assert what in said.told[0]
    entry = json.loads((collect.room.root / "collected.json").read_text())[CHAPTER]["ada"]
    assert entry["as_it_is"] is True
    assert entry["labels"]


def test_an_assignments_zip_tells_the_chapter(write, collect, tmp_path):
    """An LMS's export of one chapter's notebooks needs no --chapter; in a folder of mail, it is asked for."""
    export = moodle_export({ADA: [FILES["a PDF"]], BEN: [(NAME, MINE)]})
    assert collect(write(c_zip=export)).new == {CHAPTER: ["ada", "ben"]}
    (tmp_path / "mail" / "sam1").mkdir(parents=True)
    (tmp_path / "mail" / "sam1" / "report.pdf").write_bytes(PDF)
    (tmp_path / "mail" / f"ben_{NAME}").write_bytes(MINE)
    (line,) = collect([tmp_path / "mail"]).left
    assert "--chapter" in line
    mixed = moodle_export({SAM: [FILES["a PDF"]], ADA: [(NAME, MINE)], BEN: [(NAME, notebook("", NEXT))]})
    assert "sam1" not in there(collect)
    collect(write(c_zip=mixed))
    assert "sam1" not in there(collect)


def roster_of(*held):
    """Return a roster of some students alone."""
    return tuple(one for one in ROSTER if one.login in {who.login for who in held})


def test_of_several_files_none_is_collected(write, collect):
    """Two files of other kinds, in one hand-in or as two uploads, are named; a notebook beside one is what counts."""
    held = {
        ADA: [("a.pdf", PDF), ("b.pdf", PDF + b"2")],
        BEN: [("a.pdf", PDF), (NAME, MINE)],
        OTHER: [(NAME, notebook("", NEXT)), ("a.pdf", PDF)],
    }
    said = collect(write(c_zip=moodle_export(held)), roster_of(ADA, BEN, OTHER), chapter=CHAPTER)
    assert there(collect) == {"ben": MINE, "sam2": notebook("", NEXT)}
    assert any("a.pdf" in line and "b.pdf" in line for line in said.left)
    flat = moodle_export({SAM: held[ADA]}, folders=False)
    collect(write(c_zip=flat), roster_of(SAM), chapter=CHAPTER)
    assert "sam1" not in there(collect)


@pytest.mark.parametrize("what", ["a PDF", "the notebook of", "empty"])
def test_it_never_replaces_a_notebook(write, collect, what):
    """Not even if it came later: the notebook stays until --yes. A notebook replaces it in any order."""

    def export(day, file):
        return write(c_zip=moodle_export({ADA: [file]}, when=(2026, 12, day, 9, 0, 0)))

    collect(export(5, (NAME, MINE)))
    said = collect(export(6, FILES[what]), chapter=CHAPTER)
    assert (there(collect), len(said.left)) == ({"ada": MINE}, 1)
    assert "--yes" in said.left[0]
    collect(export(6, FILES[what]), chapter=CHAPTER, write_changes=True)
    assert there(collect) == {"ada": FILES[what][1]}
    assert collect(export(5, (NAME, MINE))).replaced == {CHAPTER: ["ada"]}
    assert there(collect) == {"ada": MINE}


def test_a_later_one_replaces_what_was_none_either(write, collect):
    """Of two that are no notebooks the later counts, as of two notebooks."""
    for day, file in ((5, FILES["a PDF"]), (6, FILES["a picture"]), (4, FILES["a PDF"])):
        paths = write(c_zip=moodle_export({ADA: [file]}, when=(2026, 12, day, 9, 0, 0)))
        collect(paths, chapter=CHAPTER)
    assert there(collect) == {"ada": FILES["a picture"][1]}


def test_a_command_that_cannot_read_a_zip_to_its_end_fails(write, tmp_path):
    """Exit code 2, although the other zip is collected: a script must not go on without the rest."""
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "class.toml").write_text('[class]\nroster = "roster.csv"\n')
    (tmp_path / "class" / "roster.csv").write_text("login,name\nada,Ada Lovelace\n")
    paths = write(a_zip=moodle_export({ADA: [(NAME, MINE)]}), b_zip=moodle_export({BEN: [(NAME, MINE)]})[:-40])
    with pytest.raises(SystemExit) as ended:
        main(["collect", *map(str, paths), "--root", str(tmp_path / "class")])
    assert ended.value.code == 2
    assert list((tmp_path / "class").glob("submitted/ada/*/*.ipynb"))


@pytest.mark.parametrize(
    ("held", "code"), [([FILES["a PDF"]], 2), ([(NAME, MINE)], 0), ([(NAME, MINE), ("a.ipynb", notebook("b"))], 2)]
)
def test_a_command_that_collects_nothing_fails(write, tmp_path, held, code):
    """Nothing new and nothing unchanged is exit code 2; the same files again are 0."""
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "class.toml").write_text('[class]\nroster = "roster.csv"\n')
    (tmp_path / "class" / "roster.csv").write_text("login,name\nada,Ada Lovelace\n")
    (path,) = write(c_zip=moodle_export({ADA: held}))
    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            main(["collect", str(path), "--root", str(tmp_path / "class")])
        assert ended.value.code == code
