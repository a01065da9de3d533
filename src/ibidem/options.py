"""The arguments of calls. Each is declared once, and Python calls and commands are made from the declarations.

An argument of a function that is annotated with an ``Option`` is an option of its command: ``list_arguments`` lists
them. ``PassageIndex.build`` has the fields of ``BuildIndex`` as its arguments, and ``ibidem index`` has an option for
each field with an ``Option``. Types that are costly to import are named in strings, since the help of a command reads
this module.
"""

import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import update_wrapper
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, Literal, NamedTuple, ParamSpec, TypeVar, get_type_hints

from ibidem.arguments import FamilyName, IDFName, TFName

if TYPE_CHECKING:
    from ibidem.resources import Progress
    from ibidem.text import Collection, Normalize, TokenizerSpec
    from ibidem.weights import DocumentFrequencies

Selection = Literal["best", "longest", "maximal", "all", "document"]
"""The similar passages that a search reports."""

ClusterMode = Literal["representative", "connected"]
Boundary = Literal["words", "lines"]
Action = Literal["remove", "mask", "annotate"]
TableFormat = Literal["parquet", "jsonl", "csv"]
LeakAction = Literal["report", "annotate", "remove", "mask", "cut"]

_Path = str | os.PathLike[str]

_Arguments = ParamSpec("_Arguments")
_Call = TypeVar("_Call")
_Result = TypeVar("_Result")


class Option(NamedTuple):
    """How a command takes an argument.

    Attributes:
        help, metavar: as the help shows them; a default that is ``None`` is described in ``help``.
        short: a name of one letter.
        path: whether the value names something that is read.
        off: the option that switches it off, if that is another one than ``--no-`` and its name.
        least: the smallest value of a whole number.
        most: the greatest value of a number that need not be whole.
    """

    help: str
    metavar: str | None = None
    short: str | None = None
    path: bool = False
    off: str | None = None
    least: int = 1
    most: float | None = 1


def list_options(declaration: type) -> dict[str, tuple[Any, Any, Option]]:
    """The type, the default and the ``Option`` of each argument that a command takes, by name."""
    hints = {
        name: hint for base in reversed(declaration.__mro__) for name, hint in inspect.get_annotations(base).items()
    }
    options = {}
    for base in fields(declaration):
        hint = hints[base.name]
        for option in getattr(hint, "__metadata__", ()):
            options[base.name] = hint.__origin__, base.default, option
    return options


def list_arguments(function: Callable[..., Any]) -> dict[str, tuple[Any, Any, Option]]:
    """The type, the default and the ``Option`` of each argument of a function that a command takes, by name.

    These are the arguments that are annotated with an ``Option``: ``threshold: Annotated[float, Option("...")] = 0.8``.
    """
    arguments = {}
    for name, parameter in inspect.signature(function).parameters.items():
        for option in getattr(parameter.annotation, "__metadata__", ()):
            arguments[name] = parameter.annotation.__origin__, parameter.default, option
    return arguments


def list_defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """The default of each argument of a function that has one, by name."""
    parameters = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in parameters if each.default is not each.empty}


def name_fields(declaration: type) -> tuple[str, ...]:
    """The names of the arguments, in order."""
    return tuple(argument.name for argument in fields(declaration))


def values_of(arguments: Any, declaration: type | None = None) -> dict[str, Any]:
    """The arguments by name, those of the class ``declaration`` alone if it is given."""
    return {name: getattr(arguments, name) for name in name_fields(declaration or type(arguments))}


def takes_in_method(
    declaration: Callable[_Arguments, _Call],
) -> Callable[[Callable[[Any, _Call], _Result]], Callable[Concatenate[Any, _Arguments], _Result]]:
    """Decorate a method of one value, so that it takes the fields of the value's class as arguments."""

    def decorate(method: Callable[[Any, _Call], _Result]) -> Callable[Concatenate[Any, _Arguments], _Result]:
        def call(self: Any, /, *args: _Arguments.args, **keywords: _Arguments.kwargs) -> _Result:
            return method(self, declaration(*args, **keywords))

        update_wrapper(call, method)
        _describe(call, method, declaration, inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY))
        return call

    return decorate


def _describe(
    call: Callable[..., Any], function: Callable[..., Any], declaration: Any, *before: inspect.Parameter
) -> None:
    """Give a call the signature of the class ``declaration``, behind other parameters."""
    hints = _resolve(declaration)
    signature = inspect.signature(declaration)
    parameters = [parameter.replace(annotation=hints[name]) for name, parameter in signature.parameters.items()]
    result_type = function.__annotations__["return"]
    call.__annotations__ = hints | {"return": result_type}
    call.__signature__ = signature.replace(parameters=[*before, *parameters], return_annotation=result_type)  # type: ignore[attr-defined]
    # Python names it in the error for an unknown argument.
    declaration.__init__.__qualname__ = function.__qualname__


def _resolve(declaration: Any) -> dict[str, Any]:
    """The types of the arguments of a class."""
    from ibidem import resources, text, weights

    return get_type_hints(declaration, localns={**vars(text), **vars(weights), **vars(resources)})


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TextColumns:
    """The columns of a collection."""

    text: str = "text"
    id: str = "id"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Work:
    """The resources of a call."""

    memory: str | int = "1G"
    threads: int | None = None
    progress: "Progress | None" = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _Documents(TextColumns):
    """The documents of a call."""

    documents: "Collection" = field(kw_only=False)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _FamilyOptions:
    """The options that say what similarity counts, but for the rarity of tokens."""

    family: Annotated[
        FamilyName | None,
        Option(
            "What similarity counts: distinct tokens, all, or their weights.  [default: multiset; weighted with --tf "
            "or --idf]"
        ),
    ] = None
    tf: Annotated[TFName | None, Option("For weighted: weight of a token's frequency.  [default: raw]")] = None


_SEED = Option("Seed of the hash functions.", "N", least=0)

_IDF = Option("For weighted: weight of a token's rarity.  [default: unary]")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SimilarityOptions(_FamilyOptions):
    """The options that say what similarity counts."""

    idf: Annotated[IDFName | None, _IDF] = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class IndexOptions(SimilarityOptions):
    """The options that say what an index of passages keeps."""

    min_length: Annotated[
        int | None, Option("Tokens of the shortest passage.  [default: 1; 32 with --sketch]", "N")
    ] = None
    max_length: Annotated[int, Option("Tokens of the longest passage.", "N")] = 1024


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _IndexContents(IndexOptions):
    """The options of an index of passages, how its texts become tokens, and how rare these are elsewhere."""

    tokenizer: "TokenizerSpec" = "words"
    normalize: "Normalize" = ()
    frequencies: "DocumentFrequencies | None" = None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _AtPath:
    """The place of a new index."""

    path: _Path = field(kw_only=False)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class BuildIndex(Work, _IndexContents, _Documents, _AtPath):
    """A call of ``ibidem.PassageIndex.build``."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class _SearchThresholds:
    """The options that say how similar a match is, and which matches are reported."""

    threshold: Annotated[float, Option("Least similarity.")] = 0.6
    select: Annotated[
        Selection,
        Option(
            "Of passages that overlap: the most similar, the longest, those that lie in no longer one, or all as "
            "ranges of starts and ends; or the most similar of each document."
        ),
    ] = "best"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SearchChoices(_FamilyOptions, _SearchThresholds):
    """The options of a search in an index of passages."""

    idf: Annotated[IDFName | Mapping[str, float] | None, _IDF] = None
    min_length: Annotated[int | None, Option("Tokens of the shortest passage.", "N")] = None
    max_length: Annotated[int | None, Option("Tokens of the longest passage.", "N")] = None
    limit: Annotated[int | None, Option("At most N matches a query, the most similar first.", "N")] = 1000
    timeout: Annotated[
        float | None, Option("Time after which a query returns what it has found.", "SECONDS", most=None)
    ] = None
    bounded: Annotated[
        bool,
        Option("Raise the threshold of queries that take too much work, or search at any cost.", off="unbounded"),
    ] = True


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SearchIndex(SearchChoices):
    """A call of ``ibidem.PassageIndex.search``."""

    text: str = field(kw_only=False)
    name: str = "query"
    ignore: "Collection" = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ExplainSearch(SearchIndex):
    """A call of ``ibidem.PassageIndex.explain``."""

    count_all: bool = False


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SearchIndexForMany(SearchChoices, TextColumns):
    """A call of ``ibidem.PassageIndex.search_many``."""

    texts: "Collection" = field(kw_only=False)
    threads: int | None = None
    ignore: "Collection" = ()


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ExplainSearches(SearchIndexForMany):
    """A call of ``ibidem.PassageIndex.explain_many``."""

    count_all: bool = False


_MIN_PAIR_LENGTH = Option(
    "Least tokens of the longer passage of a pair.  [default: 40, or a quarter of the shorter text]", "N"
)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AlignmentOptions:
    """The options that say which passages two texts share."""

    threshold: Annotated[float, Option("Least similarity; of summaries, least containment.")] = 0.3
    min_pair_length: Annotated[int | None, _MIN_PAIR_LENGTH] = None
    expect: Annotated[
        float,
        Option(
            "Pairs of passages that chance may give in two texts; a lower value reports only surer ones.",
            "E",
            most=None,
        ),
    ] = 0.1
    summaries: Annotated[bool, Option("Report passages that sum up the other text, or a longer place of it.")] = True


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AlignToIndex(AlignmentOptions):
    """A call of ``ibidem.PassageIndex.align``."""

    text: str = field(kw_only=False)
    name: str = "query"
    ignore: "Collection" = ()
    threads: int | None = None


Threshold = Annotated[float, Option("Least similarity.")]
Shingle = Annotated[
    "TokenizerSpec",
    Option(
        "Unit that is compared: words:5, characters:9, or words:5:rabin:40 by 40-bit fingerprints of token ids.", "SPEC"
    ),
]
PairRecall = Annotated[float, Option("Least share of the pairs to find.")]
SignatureSize = Annotated[int, Option("Size of a signature.", "K", "-k")]
Seed = Annotated[int, _SEED]
KeepPolicy = Annotated[str, Option("Which stays: first, longest, or max(COLUMN), ...", "POLICY")]
ClusterModeOption = Annotated[
    ClusterMode, Option("Remove what is similar to a document that is kept, or all of a cluster but one.")
]
