"""What every demo is: an anywidget whose drawn half was bundled into static/, and a sentence for readers without it."""

from pathlib import Path

import anywidget
import traitlets

STATIC = Path(__file__).parents[1] / "static"


def bundle(name: str) -> Path:
    """Return the path of a file that the front-end build writes, or say how to build it."""
    path = STATIC / name
    if not path.is_file():
        raise ImportError(
            f"expected the drawn half of the demos in {path}, found no such file: run `make course`, which builds it"
        )
    return path


class Demo(anywidget.AnyWidget):
    """A widget that says in ``summary`` what it shows; the published page prints it where JavaScript is off."""

    summary = traitlets.Unicode(read_only=True).tag(sync=True)

    @traitlets.default("summary")
    def _say_what_it_shows(self):
        return self._summary
