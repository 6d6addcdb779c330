"""Gradebook addresses: compared, resolved, and shown without their passwords."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from sqlalchemy import URL

PORTS = {"postgresql": 5432, "mysql": 3306, "mariadb": 3306}  # where an address names none
SECRET_KEYS = {"password", "passwd", "pwd", "sslpassword"}
# Up to the last @, because a password may contain an unescaped one; also in an incomplete address.
PASSWORD = re.compile(r"(?<=//)([^\s/@:?]*):\S*@|(?<![^\s'\"`(])([^\s/@:]+):[^\s@/][^\s@]*@")
IN_QUERY = re.compile(r"(?i)([?&](?:\w*pass\w*|pwd)=)[^\s&]+")


def parse_url(url: str) -> "URL":
    """Return a parsed address. Errors: ValueError, which does not repeat the address, if it is not one."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        pass
    raise ValueError("not the address of a database")  # not from the other error, whose message may hold a password


def has_password(place: "URL") -> bool:
    """Say whether a parsed address holds a password, in its host part or its query."""
    return bool(place.password) or any(name.lower() in SECRET_KEYS for name in place.query)


def without_password(url: str) -> str:
    """Return an address without its password, safe to store. Errors: ValueError."""
    place = parse_url(url)
    place = place.set(query={name: value for name, value in place.query.items() if name.lower() not in SECRET_KEYS})
    # URL.set takes None for "leave it as it is".
    return place._replace(password=None).render_as_string(hide_password=False)


def masked(text: str) -> str:
    """Return text with the password of every address replaced by three stars. For everything that is printed."""
    text = PASSWORD.sub(lambda found: f"{''.join(filter(None, found.groups()))}:***@", str(text))
    return IN_QUERY.sub(r"\1***", text)


def resolve(url: str, root: Path) -> str:
    """Return an address with a file's relative path resolved against the class's folder, as readable as can be.

    Errors: ValueError.
    """
    place = parse_url(url)
    if place.get_backend_name() != "sqlite" or not place.database or place.database.startswith((":memory:", "file:")):
        return url
    escaped = place.set(database=str(Path(root).resolve() / place.database)).render_as_string(hide_password=False)
    plain = unquote(escaped)  # SQLAlchemy writes %C3%A9 for é, and reads both
    return plain if parse_url(plain) == parse_url(escaped) else escaped


def is_same(one: str, other: str) -> bool:
    """Say whether two addresses lead to one database. Errors: ValueError."""
    places = [parse_url(url) for url in (one, other)]
    kinds = [place.get_backend_name() for place in places]
    ports = [place.port or PORTS.get(kind) for place, kind in zip(places, kinds, strict=True)]
    files = [(place.host, database_of(place)) for place in places]
    return all(first == second for first, second in (kinds, ports, files))


def database_of(place: "URL") -> str | None:
    """Return the name of a database, or the absolute path of its file."""
    if place.get_backend_name() == "sqlite" and place.database and place.database != ":memory:":
        return str(Path(place.database).resolve())
    return place.database
