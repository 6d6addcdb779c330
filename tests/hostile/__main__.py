"""Run the corpus and print the table: family, count, held, and what took longest."""

import sys
from collections import defaultdict
from pathlib import Path

import pytest


class Table:
    """Counts entries whose tests all passed."""

    def __init__(self):
        self.held, self.seconds = defaultdict(dict), {}

    def pytest_runtest_logreport(self, report):
        """Note how one test of one entry ended."""
        family, slash, entry = report.nodeid.rpartition("[")[2].rstrip("]").partition("/")
        if slash and "[" in report.nodeid and not report.skipped:
            self.held[family][entry] = self.held[family].get(entry, True) and report.passed
            self.seconds.update({f"{family}/{entry}": value for _, value in report.user_properties})

    def show(self):
        """Print one line a family, and the five slowest entries."""
        rows = [(family, len(entries), sum(entries.values())) for family, entries in self.held.items()]
        rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows)))
        print(f"{'family':<22}{'count':>6}{'held':>6}")
        for family, count, held in rows:
            print(f"{family:<22}{count:>6}{held:>6}")
        slowest = sorted(self.seconds.items(), key=lambda pair: -pair[1])[:5]
        print("slowest: " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in slowest))


if __name__ == "__main__":
    table = Table()
    code = pytest.main([str(Path(__file__).parent), "-n", "0", "--tb=line", *sys.argv[1:]], plugins=[table])
    table.show()
    sys.exit(code)
