"""What does nothing here: debuggers, exits, questions, progress bars, and packages that only show something."""

import pytest

from autograder.sandbox import Calls, Cell
from autograder.sandbox.host.outcome import Noted, Place

from .test_sandbox import error

LEFT = {
    "breakpoint()": "debugger",
    "import pdb; pdb.set_trace()": "debugger",
    "import pdb; pdb.Pdb().set_trace()": "debugger",
    "import pdb; pdb.post_mortem()": "debugger",
    "from IPython.core.debugger import set_trace; set_trace()": "debugger",
    "from IPython.core.debugger import Pdb; Pdb().set_trace()": "debugger",
    "from IPython import embed; embed()": "debugger",
    "import ipdb; ipdb.set_trace()": "debugger",
    "from pudb import set_trace; set_trace()": "debugger",
    "import debugpy; debugpy.listen(5678); debugpy.breakpoint()": "debugger",
    "exit()": "exit",
    "quit(0)": "exit",
    "import sys; sys.exit('done')": "exit",
    "from sys import exit; exit(1)": "exit",
    "assert input('ready? ') == ''": "question",
    "import getpass; assert getpass.getpass() == ''": "question",
}


@pytest.mark.parametrize("line", LEFT)
def test_it_does_nothing_and_is_noted(box, line):
    """In a cell and in a function: no error, the rest is run, and what is left is told with its line."""
    outcome = box.run(Cell(f"x = 1\n{line}\ndef f(x):\n    {line}\n    return x + 1"))
    assert error(outcome) == []
    assert outcome.noted == (Noted(LEFT[line], Place(2, line, 0)),)
    box.run(Cell("", checkpoint=True))
    called = box.run(Calls("f", [((3,), {}), ((4,), {})]))
    assert [answer.value for answer in called.answers] == [4, 5]
    assert called.noted == (Noted(LEFT[line], Place(4, line, 0)),)


def test_what_ends_python_for_good_still_does(box):
    """`os._exit` and a signal are no habits of honest students."""
    box.run(Cell("import os\ndef f(x):\n    os._exit(0)", checkpoint=True))
    assert box.run(Calls("f", [((3,), {})])).crashed


SHOWS = {
    "from tqdm import tqdm\nx = sum(tqdm(range(4), desc='rows'))": 6,
    "from tqdm.auto import tqdm, trange\nx = sum(trange(1, 4))": 6,
    "import tqdm\nbar = tqdm.tqdm([1, 5])\nx = 0\nfor n in bar:\n    x += n\n    bar.set_postfix(x=x)": 6,
    "from tqdm.notebook import tqdm\nwith tqdm(total=6) as bar:\n    bar.update(6)\n    x = bar.total": 6,
    "from icecream import ic\nx = ic(6)": 6,
    "from rich import print\nprint('[bold]six')\nx = 6": 6,
    "from loguru import logger\nlogger.info('six')\nx = 6": 6,
}


@pytest.mark.parametrize("source", SHOWS)
def test_what_only_shows_something_shows_nothing(box, source):
    """It gives back what it is given, so that no result depends on it."""
    assert error(box.run(Cell(f"{source}\ndef f():\n    return x", checkpoint=True))) == []
    assert box.run(Calls("f", [((), {})])).answers[0].value == SHOWS[source]
