"""The judgement on one exercise: what it earned, and what is said about it."""

from dataclasses import dataclass
from typing import Any

from .faults import Fault


@dataclass(frozen=True)
class Criterion:
    """One criterion's outcome; ``message`` says what is wrong, and is empty if it passed."""

    name: str
    passed: bool
    message: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return dict(vars(self))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Criterion":
        """Rebuild what ``as_dict`` returned."""
        return cls(**data)


@dataclass(frozen=True)
class Verdict:
    """The judgement on one exercise. ``score`` is between 0 and ``points``.

    ``told_by`` says where the message comes from: the ``list`` of mistakes, a ``relation``, a ``criterion``, or the
    ``status`` of a function that gave no answers. ``above`` names a wrong function that this one calls.
    ``faults`` are what failed while the message was made, for instructors only: score and status do not depend on it.
    """

    name: str
    status: str
    score: float
    points: float
    mistake: str | None
    message: str
    criteria: tuple[Criterion, ...]
    told_by: str = "criterion"
    above: str = ""
    faults: tuple[Fault, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, without its faults; dataclasses.asdict takes five times as long."""
        data = {**vars(self), "criteria": [criterion.as_dict() for criterion in self.criteria]}
        del data["faults"]
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Verdict":
        """Rebuild what ``as_dict`` returned; earlier versions had neither ``told_by`` nor ``above``."""
        return cls(**{**data, "criteria": tuple(map(Criterion.from_dict, data["criteria"]))})
