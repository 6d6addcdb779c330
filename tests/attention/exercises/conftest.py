"""What the tests of a chapter's exercises share."""

import pytest


@pytest.fixture
def wrong_answer(request):
    """Return what a mistake answers to a worked example of the module's EXERCISES: the first, or another."""

    def answer(name, mistake, example=0):
        exercise = request.module.EXERCISES[name]
        wrong = next(known.wrong for known in exercise.mistakes if known.id == mistake)
        case = exercise.examples[example]
        return wrong(*case.args, **case.kwargs)

    return answer
