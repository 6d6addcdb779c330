"""Reads a Dask scheduler's address before any module is loaded that could connect to it."""

import ipaddress
from urllib.parse import urlsplit

ENCRYPTED = {"tls", "wss"}


def in_the_open(address: str) -> list:
    """Return a warning, in a list, if work would travel unencrypted to another machine; else an empty list."""
    scheme, host = parts(address)
    if not host or scheme in ENCRYPTED or is_here(host):
        return []
    return [
        f"autograder: {address} is not encrypted: students' work and marks can be read in transit, and anyone "
        f"who reaches that port can run code on the workers; use tls://, as the book's page on clusters says"
    ]


def parts(address: str) -> tuple[str, str]:
    """Return scheme and host as Dask reads them; the default scheme is tcp."""
    try:
        place = urlsplit(address if "://" in address else f"tcp://{address}")
        return place.scheme, place.hostname or ""
    except ValueError:
        return "", ""


def is_here(host: str) -> bool:
    """Say whether a host is this machine, by a name or number that no other machine can have."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
