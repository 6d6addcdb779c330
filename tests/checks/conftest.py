"""What the tests of a chapter's checks share."""

import json

import pytest


@pytest.fixture(scope="module")
def folders(root):
    """The released folders by their chapter's Python name."""
    return {folder.name[3:]: folder for folder in (root / "exercises").glob("[0-9]*")}


@pytest.fixture(scope="module")
def stored(folders):
    """What each chapter's examples.json holds."""
    return {stem: json.loads((folder / "examples.json").read_text()) for stem, folder in folders.items()}


@pytest.fixture
def wrong_answer(request):
    """Return what a mistake answers to a worked example of the module's EXERCISES: the first, or another."""

    def answer(name, mistake, example=0):
        exercise = request.module.EXERCISES[name]
        wrong = next(known.wrong for known in exercise.mistakes if known.id == mistake)
        case = exercise.examples[example]
        return wrong(*case.args, **case.kwargs)

    return answer
