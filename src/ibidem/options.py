"""The options of commands, which are arguments of functions: each is declared once, in a signature.

An argument of a function that is annotated with an ``Option`` is an option of its command: ``list_arguments`` lists
them. The annotations below are those that several functions have. Types that are costly to import are named in strings,
since the help of a command reads this module.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from ibidem.arguments import FamilyName, IDFName, NullTexts, TFName

if TYPE_CHECKING:
    from ibidem.text import TokenizerSpec

Selection = Literal["best", "longest", "maximal", "all", "document"]
"""The similar passages that a search reports."""

ClusterMode = Literal["representative", "connected"]
Boundary = Literal["words", "lines"]
Action = Literal["remove", "mask", "annotate"]
TableFormat = Literal["parquet", "jsonl", "csv"]
RemovedRows = Literal["rows", "ids", "none"]
LeakAction = Literal["report", "annotate", "remove", "mask", "cut"]


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

    def __repr__(self) -> str:
        """What ``help`` shows of it, beside the type of the argument."""
        return f"Option({self.help!r})"


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


FamilyChoice = Annotated[
    FamilyName | None,
    Option(
        "What similarity counts: distinct tokens, all, or their weights.  [default: multiset; weighted with --tf "
        "or --idf]"
    ),
]
TFChoice = Annotated[TFName | None, Option("For weighted: weight of a token's frequency.  [default: raw]")]

_IDF = Option("For weighted: weight of a token's rarity.  [default: unary]")
IDFChoice = Annotated[IDFName | None, _IDF]
IDFOrWeights = Annotated[IDFName | Mapping[str, float] | None, _IDF]
"""An idf, or the weights of words."""

IndexedMinLength = Annotated[int, Option("Tokens of the shortest passage.", "N")]
IndexedMaxLength = Annotated[int, Option("Tokens of the longest passage.", "N")]

Select = Annotated[
    Selection,
    Option(
        "Of passages that overlap: the most similar, the longest, those that lie in no longer one, or all as ranges of "
        "starts and ends; or the most similar of each document."
    ),
]
MinLength = Annotated[int | None, Option("Tokens of the shortest passage.", "N")]
MaxLength = Annotated[int | None, Option("Tokens of the longest passage.", "N")]
Limit = Annotated[int | None, Option("At most N matches a query, the most similar first.", "N")]
Timeout = Annotated[float | None, Option("Time after which a query returns what it has found.", "SECONDS", most=None)]
Bounded = Annotated[
    bool, Option("Raise the threshold of queries that take too much work, or search at any cost.", off="unbounded")
]

Tokenizer = Annotated[
    "TokenizerSpec",
    Option(
        "Unit that counts as a token: words, characters:4 and others; auto is words, or runs of characters where words "
        "hardly repeat.",
        "SPEC",
    ),
]

PairThreshold = Annotated[float, Option("Least similarity; of summaries, least containment.")]
MinPairLength = Annotated[
    int | None,
    Option(
        "Least tokens of the longer passage of a pair.  [default: 40, or a quarter of the shorter text, 3 at least]",
        "N",
    ),
]
Expect = Annotated[
    float,
    Option(
        "Pairs of passages that chance may give in two texts; a lower value reports only surer ones.", "E", most=None
    ),
]
Summaries = Annotated[bool, Option("Report passages that sum up the other text, or a longer place of it.")]

Threshold = Annotated[float, Option("Least similarity.")]
Shingle = Annotated[
    "TokenizerSpec",
    Option("Unit that is compared, such as words:5 or characters:9.", "SPEC"),
]
PairRecall = Annotated[float, Option("Least share of the pairs to find.")]
SignatureSize = Annotated[int, Option("Size of a signature.", "K", "-k")]
Seed = Annotated[int, Option("Seed of the hash functions.", "N", least=0)]
KeepPolicy = Annotated[str, Option("Which stays: first, longest, or max(COLUMN), ...", "POLICY")]
NullTextsOption = Annotated[
    NullTexts, Option("Stop at a row whose text is null, keep such rows as they are, or leave them out.")
]
ClusterModeOption = Annotated[
    ClusterMode, Option("Remove what is similar to a document that is kept, or all of a cluster but one.")
]
