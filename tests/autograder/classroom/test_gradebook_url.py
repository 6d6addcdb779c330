"""A gradebook's address: one place however it is written, and never with its password."""

import pytest
from sqlalchemy import make_url

from autograder.classroom.gradebook_url import has_password, is_same, masked, parse_url, resolve, without_password

WITH = [
    "postgresql://ana:s3cret@db/attention",
    "postgresql+psycopg://ana:s3cret%40x@db:5432/attention?sslmode=require",
    "postgresql://db/attention?user=ana&password=s3cret",
    "postgresql://db/attention?PassWord=s3cret&sslmode=require",
]


@pytest.mark.parametrize("url", WITH)
def test_a_password_is_found_masked_and_left_out(url):
    """Before the host or behind the question mark: what is printed and what is kept do not hold it."""
    assert has_password(parse_url(url))
    kept = without_password(url)
    assert not has_password(parse_url(kept))
    assert is_same(kept, url)
    for text in (kept, masked(url), masked(f"cannot reach {url}, nor {url}: try again")):
        assert "s3cret" not in text
    assert masked(kept) == kept


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ana:s3/cr@et@db/a",
        "postgresql://:s3cret@db/a",
        "see x://ana:s3c:ret@db",
        "pg//ana:s3@db",
        "ana:s3@db",
    ],
)
def test_a_password_with_odd_letters_is_masked(text):
    """Letters that should have been written otherwise, and half an address, show nothing."""
    assert "s3" not in masked(text)


@pytest.mark.parametrize(
    "text", ["postgresql://ana@db/a", "sqlite:////home/a@b/c:d.db", "ada@example.org: 7 -> 4", "a: b@c"]
)
def test_what_holds_no_password_stays(text):
    """Addresses without one, paths and other text are not touched."""
    assert masked(text) == text


@pytest.mark.parametrize("url", ["", "gradebook.db", "postgresql//ana:s3cret@db", "postgresql://ana:s3cret@db:port/a"])
def test_what_is_no_address_is_said_without_it(url):
    """The error does not repeat what may hold a password, nor does what it came from."""
    with pytest.raises(ValueError, match="not the address of a database") as refused:
        parse_url(url)
    assert refused.value.__context__ is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("postgresql://ana@db/a", "postgresql+psycopg://ben:x@db:5432/a?sslmode=require", True),
        ("postgresql://ana@db/a", "postgresql://ana@db/b", False),
        ("postgresql://ana@db/a", "postgresql://ana@other/a", False),
        ("postgresql://ana@db/a", "postgresql://ana@db:5433/a", False),
        ("sqlite:////tmp/class/gradebook.db", "sqlite:////tmp/class/../class/gradebook.db?timeout=1", True),
        ("sqlite:////tmp/class/gradebook.db", "sqlite:////tmp/other/gradebook.db", False),
        ("sqlite:////tmp/a.db", "postgresql://ana@db/a", False),
    ],
)
def test_one_database_is_one_however_it_is_written(one, other, same):
    """Driver, user, password, options and the default port tell nothing apart; host, port and name do."""
    assert (is_same(one, other), is_same(other, one)) == (same, same)


def test_a_files_path_starts_at_the_class(tmp_path):
    """A relative path is the class's own, an absolute one and another database stay."""
    assert resolve("sqlite:///marks.db", tmp_path) == f"sqlite:///{tmp_path / 'marks.db'}"
    for url in (f"sqlite:///{tmp_path / 'marks.db'}", "sqlite://", "postgresql://ana:x@db/a"):
        assert resolve(url, tmp_path / "elsewhere") == url


@pytest.mark.parametrize("name", ["Größen é 数", "100%C3%A9", "a%25b", "50 % + 1"])
def test_a_files_path_is_readable_and_leads_to_the_file(tmp_path, name):
    """An accent is not written as %C3%A9, unless the folder's own name would be read otherwise."""
    url = resolve("sqlite:///marks.db", tmp_path / name)
    assert make_url(url).database == str(tmp_path / name / "marks.db")
    assert (name in url) == (make_url(f"sqlite:///{name}").database == name)
