"""The questions of the app, and their settings: the keywords of the calls that answer them."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ibidem.alignment.align import align
from ibidem.options import list_defaults
from ibidem.reuse.question import Question
from ibidem.reuse.removal.question import PassageQuestion
from ibidem.web.problems import ProblemError

Kind = Literal["reuse", "search", "align", "dedup"]
"""Which texts share passages; where does a passage occur; how do two texts differ; remove what is repeated."""

_Spelling = Literal["advised", "as it is", "auto", "latin", "noisy"]
_Similarity = Annotated[float, Meta(ge=0.05, le=1)]
_Length = Annotated[int, Meta(ge=4, le=1000)]


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings; the page has their words."""


class _ReuseSettings(_Settings, frozen=True, forbid_unknown_fields=True):
    compare: Literal["all", "sources"] = "all"
    threshold: _Similarity = Question.threshold
    min_pair_length: _Length | None = None
    spelling: _Spelling = "advised"
    quotations: Annotated[int, Meta(ge=1, le=1000)] = 5
    keep_boilerplate: bool = False
    within: bool = False


class _SearchSettings(_Settings, frozen=True, forbid_unknown_fields=True):
    spelling: _Spelling = "advised"


class _AlignSettings(_Settings, frozen=True, forbid_unknown_fields=True):
    threshold: _Similarity = list_defaults(align)["threshold"]
    min_pair_length: _Length | None = None
    units: Literal["named", "line", "sentence", "paragraph"] = "named"
    spelling: _Spelling = "advised"


class _DedupSettings(_Settings, frozen=True, forbid_unknown_fields=True):
    remove: Literal["texts", "passages"] = "texts"
    threshold: Annotated[float, Meta(ge=0.3, le=1)] = 0.8
    keep: Literal["first", "longest"] = "first"
    min_length: _Length = PassageQuestion.min_length
    boundary: Literal["words", "lines"] = "words"
    spelling: _Spelling = "advised"


QUESTIONS: dict[str, type[_Settings]] = {
    "reuse": _ReuseSettings,
    "search": _SearchSettings,
    "align": _AlignSettings,
    "dedup": _DedupSettings,
}
"""The settings of each kind of question."""


class AskedQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question: a kind, its settings, and the files by their ids; of an alignment the two in order."""

    kind: Kind
    settings: dict[str, Any] = {}
    items: list[str] = []


def describe_settings(kind: str) -> dict[str, dict[str, Any]]:
    """The settings of a question as JSON Schema has them, those that may be left to the program without their null."""
    [definition] = msgspec.json.schema(QUESTIONS[kind])["$defs"].values()
    return {name: field.get("anyOf", [{}])[0] | field for name, field in definition["properties"].items()}


def complete_settings(kind: Kind, values: dict[str, Any]) -> dict[str, Any]:
    """All settings of a question.

    Raises:
        ProblemError: there is no such setting, or a value is not one that it takes.
    """
    try:
        settings: dict[str, Any] = msgspec.to_builtins(msgspec.convert(values, QUESTIONS[kind]))
        return settings
    except msgspec.ValidationError as error:
        raise ProblemError(422, f"this is no setting of {kind}: {error}") from error
