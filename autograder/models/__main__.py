"""``python -m autograder.models``."""

from .build import make_all

if __name__ == "__main__":
    make_all()
