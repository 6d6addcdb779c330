"""Runs a cell's statements one by one, so that one that fails for a reason of the place costs no more than itself.

In a cell that has to define a function, every statement that fails before the function is there is passed over. In
every cell, one is passed over that may fail only here: it lacks a module, a file, the network or an answer to its
question, takes too long, or needs another Python's grammar. Anything else ends its cell, as in Jupyter. Runs inside the
sandbox.
"""

import __future__

import ast
import re
import sys
from collections.abc import Callable
from typing import Any

import harmless
import protocol
from interrupts import interrupt
from IPython.core.compilerop import CachingCompiler

OF_THE_PLACE = (ImportError, OSError, EOFError, SyntaxError, KeyboardInterrupt)
LAZY = __future__.annotations.compiler_flag if sys.version_info < (3, 14) else 0  # from then on, they always are
CONTINUES = re.compile(r"(?:else|elif|except|finally)\b|[)\]}]")  # a line that continues the statement above
MOST_PARSED = 2000  # attempts to parse a piece of a cell
MOST_NOTED = 20  # statements that were passed over, of one cell
LONGEST_MESSAGE = 500  # characters of an error


class CellCompiler(CachingCompiler):
    """Compiles a cell under the host's label, with annotations that nobody evaluates.

    Of a cell that cannot be parsed as a whole, the statements that can be parsed are.
    """

    label = ""

    def __init__(self) -> None:
        super().__init__()
        self.flags |= LAZY
        self.errors: list[SyntaxError] = []
        self.parsed = 0

    def get_code_name(self, raw_code: Any, transformed_code: Any, number: int) -> str:
        """Name the cell's code."""
        return f"<cell-{self.label}>"

    def ast_parse(self, source: Any, filename: str = "<unknown>", symbol: str = "exec") -> Any:
        """Parse a cell. Errors: SyntaxError where no statement of it can be parsed."""
        try:
            return super().ast_parse(source, filename, symbol)
        except SyntaxError as error:
            self.errors, self.parsed = [error], 0
            return ast.Module(self.statements(source, filename), [])

    def statements(self, source: str, filename: str) -> list[ast.stmt]:
        """Return the statements of a cell; in place of each that cannot be parsed, one that raises its error."""
        pieces, found, at = pieces_of(source), [], 0
        while at < len(pieces):
            parsed, at = self.shortest(pieces, at, filename)
            found += parsed
        return found

    def shortest(self, pieces: list[tuple[int, str]], at: int, filename: str) -> tuple[list[ast.stmt], int]:
        """Return the statements of as few pieces as can be parsed, from one on, and the number of the next piece.

        A statement is several pieces if a text in it has lines at the left margin.
        """
        errors = []
        for end in range(at + 1, len(pieces) + 1):
            self.parsed += 1
            if self.parsed > MOST_PARSED:
                raise self.errors[0]
            text = "\n" * pieces[at][0] + "\n".join(piece for _, piece in pieces[at:end])
            try:
                module: Any = super().ast_parse(text, filename)
                return module.body, end
            except SyntaxError as error:
                errors.append(error)
        return [self.unreadable(errors[0], pieces[at][0] + 1)], at + 1

    def unreadable(self, error: SyntaxError, line: int) -> ast.stmt:
        """Return a statement that raises this error."""
        self.errors.append(error)
        statement = ast.parse(f"get_ipython().raise_syntax_error({len(self.errors) - 1})").body[0]
        for part in ast.walk(statement):
            if isinstance(part, (ast.expr, ast.stmt)):
                part.lineno = part.end_lineno = line
        return statement


def pieces_of(source: str) -> list[tuple[int, str]]:
    """Cut a cell before each line at the left margin that begins a statement: ``(lines above it, text)``."""
    found: list[list[Any]] = []
    decorated = False
    for number, line in enumerate(source.splitlines()):
        is_margin = line[:1] not in ("", " ", "\t", "#", *")]}")
        begins = is_margin and not CONTINUES.match(line) and not decorated
        if begins or not found:
            found.append([number, []])
        found[-1][1].append(line)
        decorated = (is_margin and line.startswith("@")) or (decorated and not is_margin)
    return [(number, "\n".join(lines)) for number, lines in found]


class StatementByStatement:
    """A shell's way through a cell; comes before IPython's own shell among a class's bases.

    ``defines`` is the function that the running cell has to define. ``tell`` is called before a statement where the
    host has to know. ``passed`` are the statements that were passed over: line, type and message of the error, and
    whether the host stopped it.
    """

    compile: Any
    user_ns: dict[str, Any]
    bind_stand_ins: Callable[..., None]

    defines = ""
    left_out: frozenset[int] = frozenset()
    passed: list[list[Any]]
    inside = was_interrupted = False

    def tell(self, number: int, line: int, is_all: bool) -> None:
        """Do nothing, unless there is a host."""

    def raise_syntax_error(self, number: int) -> None:
        """Raise what made a statement unreadable. Errors: SyntaxError."""
        raise self.compile.errors[number]

    async def run_ast_nodes(
        self,
        nodelist: list[ast.stmt],
        cell_name: str,
        interactivity: str = "last_expr",
        compiler: Any = compile,
        result: Any = None,
    ) -> bool:
        """Run statements, passing over those that may fail here; say whether one failed."""
        before, failed, is_cell = self.user_ns.get(self.defines), False, not self.inside
        self.inside = True  # a magic may run a cell within the cell
        for number, node in enumerate(nodelist):
            if is_cell and number in self.left_out:
                continue
            if is_cell:
                self.tell(number, node.lineno, len(nodelist) == 1)
            shows = interactivity if node is nodelist[-1] or interactivity == "all" else "none"
            result.error_before_exec = result.error_in_exec = None
            asked, stopped = harmless.times[protocol.QUESTION], interrupt.times
            try:
                ended = await super().run_ast_nodes([node], cell_name, shows, compiler, result)  # type: ignore[misc]
            except KeyboardInterrupt as error:  # of IPython's own lines around the statement
                ended, result.error_in_exec = True, error
            if not ended:
                continue
            failed, error = True, result.error_in_exec or result.error_before_exec
            is_stopped = stopped < interrupt.times
            self.was_interrupted |= is_stopped
            self.bind_stand_ins(node, error, self.user_ns)
            awaits = self.defines != "" and self.user_ns.get(self.defines) is before
            is_of_the_place = isinstance(error, OF_THE_PLACE) or asked < harmless.times[protocol.QUESTION]
            if not (awaits or is_of_the_place):
                break
            if len(self.passed) < MOST_NOTED:
                self.passed.append([node.lineno, *described(error), is_stopped])
        self.inside = not is_cell
        return failed


def described(error: BaseException | None) -> tuple[str, str]:
    """Return an error's type and message as short texts, whatever they are."""
    try:
        said = str(error)
    except BaseException:
        said = ""
    return type(error).__name__, said[:LONGEST_MESSAGE] if type(said) is str else ""
