"""The list of steps from a reply to its message."""

import re
from pathlib import Path

from autograder.diagnosis import message

ENGINE = Path(message.__file__).parents[1]
STEP = re.compile(r"^    (\w+\.py) +(\w+) ", re.MULTILINE)


def test_every_step_is_a_function_of_the_file_that_it_names():
    """A function that is renamed or moved is renamed in the list as well."""
    steps = STEP.findall(message.__doc__)
    sources = {file: "".join(path.read_text() for path in ENGINE.rglob(file)) for file, _ in steps}
    assert len(steps) > 20
    assert [step for step in steps if f"def {step[1]}(" not in sources[step[0]]] == []
