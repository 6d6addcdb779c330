"""``python -m autograder.models``; with ``translator`` behind it, the packed model of chapter 11's notebook anew."""

import sys

from .build import make_all, write_translator

if __name__ == "__main__":
    write_translator() if sys.argv[1:] == ["translator"] else make_all()
