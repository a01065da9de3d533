"""Requests. The OpenAPI description of the service is made from these types."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta

from ibidem.alignment.align import align
from ibidem.arguments import FamilyName, IDFName, TFName
from ibidem.contamination.find import find_contamination
from ibidem.options import list_defaults
from ibidem.passages.index import PassageIndex
from ibidem.web.problems import ProblemError

_Kind = TypeVar("_Kind")

_OF_ALIGN = list_defaults(PassageIndex.align)

Share = Annotated[float, Meta(gt=0, le=1)]
Length = Annotated[int, Meta(ge=1, le=1_000_000)]
Place = Annotated[int, Meta(ge=0, le=1 << 40)]
Text = Annotated[str, Meta(min_length=1)]
Ignore = Annotated[
    list[Text],
    Meta(max_length=100, description="Texts whose similar passages count as absent in ``text``, such as a template."),
]
Limit = Annotated[int, Meta(ge=1, le=10_000)]
Context = Annotated[int, Meta(ge=0, le=1000, description="Code points around a passage.")]
Seconds = Annotated[float, Meta(gt=0, le=3600)]
Name = Annotated[str, Meta(min_length=1, max_length=1000)]


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request; unknown fields are refused, so that a misspelt one does not silently become its default."""


class TextRequest(Request, frozen=True, kw_only=True):
    """A text, the index that it is compared with, how many matches an answer gives, and how much around each."""

    text: Text
    index: Name | None = None
    ignore: Ignore = []
    context: Context = 0
    limit: Limit = 100


class SearchRequest(TextRequest, frozen=True, kw_only=True):
    """A search for similar passages. Fields left out are as in the index and in ``PassageIndex.search``."""

    threshold: Share = list_defaults(PassageIndex.search)["threshold"]
    select: Literal["best", "longest", "maximal", "document"] = "best"
    family: FamilyName | None = None
    tf: TFName | None = None
    idf: IDFName | None = None
    min_length: Length | None = None
    max_length: Length | None = None
    seconds: Seconds | None = None


class AlignRequest(TextRequest, frozen=True, kw_only=True):
    """Which passages does this whole text share with documents of the index?

    With ``shares``, the answer says how many words of the text each document has, and the other way round; with
    ``quotations``, so many words or more in quotation marks count as quoted alone there.
    """

    threshold: Share = _OF_ALIGN["threshold"]
    min_pair_length: Length | None = _OF_ALIGN["min_pair_length"]
    shares: bool = False
    quotations: Length | None = None


class AlignTextsRequest(Request, frozen=True, kw_only=True):
    """Which passages do these two texts share?"""

    a: Text
    b: Text
    threshold: Share = list_defaults(align)["threshold"]
    ignore: Ignore = []
    limit: Limit = 100


class Passage(Request, frozen=True, kw_only=True):
    """A passage: a text, or a document of an index; the whole of it, or from ``start`` to ``end``."""

    text: str | None = None
    index: Name | None = None
    document: Name | None = None
    start: Place = 0
    end: Place | None = None

    def __post_init__(self) -> None:
        if (self.text is None) == (self.document is None):
            raise ValueError("a passage needs either a text or a document")


Side = Annotated[Passage, Meta(extra_json_schema={"oneOf": [{"required": ["text"]}, {"required": ["document"]}]})]


class CompareRequest(Request, frozen=True, kw_only=True):
    """Two passages to compare word by word."""

    a: Side
    b: Side


class CheckedDocument(Request, frozen=True, kw_only=True):
    """A document of training data; without an id, its number in the request, from 0, is its id."""

    text: str
    id: Name | None = None


class ContaminationRequest(Request, frozen=True, kw_only=True):
    """Which items of the evals do these documents hold?

    ``threshold`` is the least share of a part of an item, and ``limit`` the most leaks that are described.
    """

    documents: Annotated[list[CheckedDocument], Meta(min_length=1, max_length=1000)]
    threshold: Share = list_defaults(find_contamination)["threshold"]
    limit: Limit = 100


class DocumentRequest(Request, frozen=True, kw_only=True):
    """A document of an index, or a part of it."""

    document: Name
    index: Name | None = None
    start: Place = 0
    end: Place | None = None


class IndexesRequest(Request, frozen=True, kw_only=True):
    """Which indexes and evals are served?"""


def read_body(body: bytes, kind: type[_Kind], path: Mapping[str, str] = MappingProxyType({})) -> _Kind:
    """The request that a body holds, and the path of its address.

    Raises:
        ProblemError: it holds none.
    """
    try:
        value = msgspec.json.decode(body)
        return msgspec.convert({**value, **path} if isinstance(value, dict) else value, kind)
    except msgspec.DecodeError as error:
        raise ProblemError(400, f"this is not what is asked for: {error}") from error
    except UnicodeError as error:
        raise ProblemError(400, "the body is not UTF-8") from error
    except RecursionError as error:
        raise ProblemError(400, "the body is nested too deep") from error


def read_query(values: Mapping[str, str], kind: type[_Kind]) -> _Kind:
    """The request that the parts of an address hold.

    Raises:
        ProblemError: they hold none.
    """
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise ProblemError(400, f"this is not what is asked for: {error}") from error
