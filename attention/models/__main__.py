"""``python -m attention.models``: train what is stale; ``--check``: list it; ``--prove``: train some anew."""

import argparse
import sys

from .build import describe_unknown, make_stale, require_fresh
from .proof import prove
from .shipped import Stale

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make the trained models that are stale.")
    parser.add_argument("--check", action="store_true", help="only say whether any is stale: exit 1")
    parser.add_argument("--prove", action="store_true", help="train the translator and three others anew, and compare")
    parser.add_argument("--all", action="store_true", help="with --prove: train everything anew")
    asked = parser.parse_args()
    try:
        if asked.check:
            require_fresh()
            for line in describe_unknown():
                print(line)
        elif asked.prove:
            sys.exit(not prove(asked.all))
        else:
            make_stale()
    except Stale as stale:
        sys.exit(str(stale))
