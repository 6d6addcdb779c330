"""A notebook's shell inside the sandbox: IPython without a kernel, with outputs in nbformat's form."""

import io
import re
import sys
from collections.abc import Iterable
from typing import Any

from harmless import do_nothing_from_now_on
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from moved_names import restore_names
from old_calls import rewrite
from statements import CellCompiler, StatementByStatement
from traitlets.config import Config
from unavailable import Forgiving

KEPT_TYPES = ("text/plain", "image/png")  # what can be shown to an instructor without running anything
SPECIAL = re.compile(r"[%!?]|^\s*[,;/]")  # in a line that may be more than Python, as each of IPython's forms
ENDLESS_FACTOR = 64  # times what is kept; more counts as endless output


class OutputLimit(Exception):
    """A cell printed far too much."""


class Outputs:
    """The outputs of one cell, in order. Beyond a budget of bytes they are left out, and the cell goes on."""

    def __init__(self, limit: Any) -> None:
        self.limit = limit
        self.clear()

    def clear(self) -> None:
        """Start afresh for the next cell."""
        self.items, self.left, self.left_out, self.exceeded = [], self.limit, 0, False

    def leave_out(self, size: Any) -> None:
        """Count what is left out. Errors: OutputLimit if it is far too much."""
        self.left_out += size
        if self.left_out > ENDLESS_FACTOR * self.limit:
            self.exceeded = True
            raise OutputLimit("more output than anyone can read")

    def stream(self, name: str, text: str) -> None:
        """Add printed text, joined to the same stream's last piece."""
        kept = text[: self.left]
        self.left -= len(kept)
        last = self.items[-1] if self.items else {}
        if kept and last.get("output_type") == "stream" and last["name"] == name:
            last["text"].append(kept)
        elif kept:
            self.items.append({"output_type": "stream", "name": name, "text": [kept]})
        if len(kept) < len(text):
            self.leave_out(len(text) - len(kept))

    def data(self, output_type: Any, bundle: Any) -> None:
        """Add a displayed object in the MIME types that we keep."""
        kept = {kind: bundle[kind] for kind in KEPT_TYPES if isinstance(bundle.get(kind), str)}
        size = sum(map(len, kept.values()))
        if size > self.left:
            self.leave_out(size)
            return
        self.left -= size
        self.items.append({"output_type": output_type, "data": kept, "metadata": {}})

    def as_data(self) -> list[dict[str, Any]]:
        """Return all outputs as plain data."""
        found = [{**item, "text": "".join(item["text"])} if "text" in item else item for item in self.items]
        if self.left_out and not self.exceeded:
            note = f"({self.left_out} more characters were left out)\n"
            found.append({"output_type": "stream", "name": "stderr", "text": note})
        return found


class Stream(io.TextIOBase):
    """A cell's sys.stdout or sys.stderr."""

    encoding = "utf-8"

    def __init__(self, outputs: Any, name: str) -> None:
        self.outputs, self.name = outputs, name

    def writable(self) -> bool:
        """Say that this stream can be written to."""
        return True

    def write(self, text: str) -> int:
        """Keep what is printed."""
        if not isinstance(text, str):
            raise TypeError(f"expected text to print, got {type(text).__name__}")
        self.outputs.stream(self.name, text)
        return len(text)


class Display(DisplayPublisher):
    """Collects what ``display`` shows."""

    def publish(self, data: Any, metadata: Any = None, **ignored: Any) -> None:  # type: ignore[override]
        """Keep one displayed object."""
        vars(self.shell)["outputs"].data("display_data", data)

    def clear_output(self, wait: bool = False) -> None:
        """Leave earlier outputs where they are."""


class LastValue(DisplayHook):
    """Collects the value of a cell's last line."""

    def write_output_prompt(self) -> None:
        """Print no prompt."""

    def write_format_data(self, format_dict: Any, md_dict: Any = None) -> None:
        """Keep the value."""
        vars(self.shell)["outputs"].data("execute_result", format_dict)


class Transformers(TransformerManager):
    """IPython's transformations of magics, skipped for cells without any."""

    def do_token_transforms(self, lines: Any) -> str:
        """Return the lines as Python."""
        return super().do_token_transforms(lines) if any(map(SPECIAL.search, lines)) else lines


class NotebookShell(Forgiving, StatementByStatement, InteractiveShell):
    """An IPython shell that collects outputs and errors instead of printing them."""

    outputs: Any = None
    plots = False
    compiler_class = CellCompiler

    @classmethod
    def create(cls, output_bytes: int) -> "NotebookShell":
        """Return the one shell of this process, without history and colours."""
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        config.InteractiveShell.banner1 = ""
        shell = cls.instance(config=config, display_pub_class=Display, displayhook_class=LastValue)
        shell.input_transformer_manager = Transformers()
        shell.outputs = Outputs(output_bytes)
        shell.prepare()
        restore_names(shell)
        do_nothing_from_now_on(shell)
        return shell

    def transform_ast(self, node: Any) -> Any:
        """Let a cell's calls with arguments that were dropped go on working, and guard its imports."""
        return super().transform_ast(rewrite(self.source, node))

    def init_io(self) -> None:
        """Do nothing: each cell gets its own streams."""

    def enable_gui(self, gui: Any = None) -> None:
        """Do nothing: there is no window here."""

    def _showtraceback(self, etype: Any, evalue: Any, stb: Any) -> None:
        """Keep an error as nbformat writes it."""
        trace = "\n".join(stb)[-20_000:]
        error = {"ename": etype.__name__, "evalue": str(evalue)[:2000], "traceback": trace.split("\n")}
        self.outputs.items.append({"output_type": "error", **error})

    def run(self, source: str, label: str, defines: str = "", left_out: Iterable[int] = ()) -> dict[str, Any]:
        """Run one cell; return its outputs, whether there were too many, and the statements that were passed over.

        ``defines`` is the function that the cell has to define; the statements ``left_out`` are not run.
        """
        self.outputs.clear()
        vars(self.compile)["label"], self.source = label, source
        self.defines, self.left_out, self.passed = defines, frozenset(left_out), []
        self.inside = self.was_interrupted = False
        before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = Stream(self.outputs, "stdout"), Stream(self.outputs, "stderr")
        try:
            if not self.plots and "matplotlib" in source:  # half a second to load, so only for cells that plot
                self.plots = True
                self.enable_matplotlib("inline")
            self.run_cell(source, store_history=True, silent=False)
        except BaseException as error:  # an interrupt between the cell's own handlers
            self.outputs.items.append(
                {"output_type": "error", "ename": type(error).__name__, "evalue": str(error)[:2000], "traceback": []}
            )
        finally:
            sys.stdout, sys.stderr = before
        return {"outputs": self.outputs.as_data(), "exceeded": self.outputs.exceeded, "passed": self.passed}
