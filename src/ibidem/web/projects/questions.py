"""The questions of the app, and their settings: the keywords of the calls that answer them."""

from typing import Any, Literal, NamedTuple, get_args

import msgspec

from ibidem.alignment.align import align
from ibidem.options import list_defaults
from ibidem.reuse.question import Question
from ibidem.reuse.removal.question import PassageQuestion
from ibidem.web.problems import ProblemError
from ibidem.web.projects.tables import UNITS

Kind = Literal["reuse", "search", "align", "dedup"]
"""Which texts share passages; where does a passage occur; how do two texts differ; remove what is repeated."""


class Setting(NamedTuple):
    """A setting of a question; the page has its words.

    Attributes:
        default: its value if nobody chooses another.
        least, most: of a number.
        choices: of a word.
    """

    default: Any
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()


_SPELLING = Setting("advised", choices=("advised", "as it is", "auto", "latin", "noisy"))

QUESTIONS: dict[Kind, dict[str, Setting]] = {
    "reuse": {
        "compare": Setting("all", choices=("all", "sources")),
        "threshold": Setting(Question.threshold, 0.05, 1),
        "min_pair_length": Setting(None, 4, 1000),
        "spelling": _SPELLING,
        "quotations": Setting(5, 1, 1000),
        "keep_boilerplate": Setting(False),
        "within": Setting(False),
    },
    "search": {"spelling": _SPELLING},
    "align": {
        "threshold": Setting(list_defaults(align)["threshold"], 0.05, 1),
        "min_pair_length": Setting(None, 4, 1000),
        "units": Setting("named", choices=UNITS),
        "spelling": _SPELLING,
    },
    "dedup": {
        "remove": Setting("texts", choices=("texts", "passages")),
        "threshold": Setting(0.8, 0.3, 1),
        "keep": Setting("first", choices=("first", "longest")),
        "min_length": Setting(PassageQuestion.min_length, 4, 1000),
        "boundary": Setting("words", choices=("words", "lines")),
        "spelling": _SPELLING,
    },
}


class AskedQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question: a kind, its settings, and the files by their ids; of an alignment the two in order."""

    kind: Kind
    settings: dict[str, Any] = {}
    items: list[str] = []


def complete_settings(kind: Kind, values: dict[str, Any]) -> dict[str, Any]:
    """All settings of a question.

    Raises:
        ProblemError: there is no such question or setting, or a value is not one that it takes.
    """
    if kind not in get_args(Kind):
        raise ProblemError(422, f"a question is one of {', '.join(QUESTIONS)}")
    settings = QUESTIONS[kind]
    for name, value in values.items():
        if name not in settings:
            raise ProblemError(422, f"{kind} has no setting {name!r}")
        if not _fits(settings[name], value):
            raise ProblemError(422, f"{name} cannot be {value!r}")
    return {name: values.get(name, setting.default) for name, setting in settings.items()}


def _fits(setting: Setting, value: Any) -> bool:
    if setting.choices:
        return value in setting.choices
    if isinstance(setting.default, bool):
        return isinstance(value, bool)
    if value is None or isinstance(value, bool):
        return value is setting.default
    if not isinstance(value, int | float) or not isinstance(
        value, int | float if isinstance(setting.default, float) else int
    ):
        return False
    return (setting.least or 0) <= value <= (setting.most or 0)
