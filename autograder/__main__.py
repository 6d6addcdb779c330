"""Run the command line with ``python -m autograder``."""

from autograder.cli import main

main()
