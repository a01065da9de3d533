"""What a report holds, as JSON: columns of all pairs, and a line for each comparison.

A browser reads the columns at once and a comparison when it is shown, so a report of ten thousand pairs opens as fast
as a short one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ibidem.comparison import Comparer, Comparison, Side, Witness
from ibidem.comparison.tokenized import count_tokens
from ibidem.report.findings import FoundPair, Source
from ibidem.text import Tokenizer
from ibidem.weights import DocumentFrequencies

__all__ = ["Content", "Privacy", "make_content"]

_WORDS = 6
"""Words in each list of reasons."""

_SURROGATES = re.compile("[\ud800-\udfff]")


class Privacy(NamedTuple):
    """What a report must not tell: the names of documents, or their texts."""

    anonymous: bool = False
    texts: bool = True


class Content(NamedTuple):
    """The JSON of a report.

    Attributes:
        columns: of the pairs that are in the report.
        documents: name, length and date of each.
        comparisons: a line for each pair.
        left_out: pairs for which there was no room.
        without_text: pairs of the report whose texts had no room.
    """

    columns: dict[str, list[Any]]
    documents: list[dict[str, Any]]
    comparisons: list[bytes]
    left_out: int
    without_text: int


def make_content(
    pairs: Sequence[FoundPair],
    sources: Mapping[str, Source],
    tokenizer: Tokenizer,
    privacy: Privacy,
    most_bytes: int,
) -> Content:
    """The content of a report: the most important pairs first, as many as ``most_bytes`` hold.

    A passage that was found where it stands itself is no pair.
    """
    pairs = [pair for pair in pairs if not _is_itself(pair)]
    order = sorted(range(len(pairs)), key=lambda at: (-_importance(pairs[at]), at))
    sources = {name: _without_surrogates(source) for name, source in sources.items()}
    comparer = Comparer(
        tokenizer, _frequencies(pairs, sources, tokenizer), context=120, reasons=privacy.texts, most_words=_WORDS
    )
    builder = _Builder(sources, privacy, most_bytes)
    for done, at in enumerate(order):
        witnesses = [_witness(pairs[at], which, sources) for which in (0, 1)]
        if not builder.add(pairs[at], comparer.compare(witnesses[0], witnesses[1], pairs[at].finding)):
            return builder.content(len(order) - done)
    return builder.content(0)


def _printable(text: str) -> str:
    """The text, with a sign in the place of half of a character, which no file can hold; positions stay as they are."""
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def _is_itself(pair: FoundPair) -> bool:
    """Whether a passage was found where it stands, as in a search for the documents of the index itself."""
    return (pair.a, pair.a_start, pair.a_end) == (pair.b, pair.b_start, pair.b_end)


def _importance(pair: FoundPair) -> float:
    """About how many characters the two passages share."""
    length = (
        1 if pair.a_end is None or pair.b_end is None else max(pair.a_end - pair.a_start, pair.b_end - pair.b_start)
    )
    return (pair.similarity or 0.0) * length


def _without_surrogates(source: Source) -> Source:
    return source if source.text is None else source._replace(text=_printable(source.text))


def _frequencies(
    pairs: Sequence[FoundPair], sources: Mapping[str, Source], tokenizer: Tokenizer
) -> DocumentFrequencies:
    """How often each word stands in all documents, or in the passages of those that are not known."""
    texts = [source.text for source in sources.values() if source.text is not None]
    return count_tokens([*texts, *_loose_passages(pairs, sources)], getattr(tokenizer, "inner", tokenizer))


def _loose_passages(pairs: Sequence[FoundPair], sources: Mapping[str, Source]) -> Iterator[str]:
    for pair in pairs:
        for name, passage in zip((pair.a, pair.b), pair.passages, strict=True):
            if passage and sources.get(name, Source()).text is None:
                yield _printable(passage)


def _witness(pair: FoundPair, which: int, sources: Mapping[str, Source]) -> Witness:
    name, start, end = (pair.a, pair.a_start, pair.a_end) if which == 0 else (pair.b, pair.b_start, pair.b_end)
    source = sources.get(name, Source())
    passage = _printable(pair.passages[which] or "")
    if end is None:
        end = start + len(passage) if source.text is None else len(source.text)
    if source.text is not None and end > len(source.text):
        raise ValueError(
            f"{name}: a passage ends at character {end}, and the document has {len(source.text)}: is it another?"
        )
    return Witness(_printable(name), start, end, source.text, passage, source.locators)


class _Builder:
    """Adds comparisons while there is room."""

    def __init__(self, sources: Mapping[str, Source], privacy: Privacy, most_bytes: int) -> None:
        self._sources, self._privacy, self._room = sources, privacy, most_bytes
        self._numbers: dict[str, int] = {}
        self._columns: dict[str, list[Any]] = {
            name: [] for name in ("a", "a_start", "a_end", "b", "b_start", "b_end", "similarity", "kind")
        }
        self._lines: list[bytes] = []
        self._without_text = 0

    def add(self, pair: FoundPair, found: Comparison) -> bool:
        """Add a comparison, without its texts if they have no room; tell whether there was room."""
        found = _anonymous(found) if self._privacy.anonymous else found
        whole = _encode(found if self._privacy.texts else _textless(found))
        line = whole if len(whole) <= self._room else _encode(_textless(found))
        if len(line) > self._room:
            return False
        self._room -= len(line) + 60  # and its place in the columns
        self._without_text += line is not whole
        self._lines.append(line)
        values = (self._number(pair.a), found.a.start, found.a.end, self._number(pair.b), found.b.start, found.b.end)
        for column, value in zip(
            self._columns.values(), (*values, found.similarity, found.kind == "summary"), strict=True
        ):
            column.append(int(value) if isinstance(value, bool) else value)
        return True

    def content(self, left_out: int) -> Content:
        columns: dict[str, Any] = {**self._columns, "kinds": ["similar", "summary"]}
        return Content(
            columns, [self._document(name) for name in self._numbers], self._lines, left_out, self._without_text
        )

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def _document(self, name: str) -> dict[str, Any]:
        source = self._sources.get(name, Source())
        return {
            "name": f"Document {self._numbers[name] + 1}" if self._privacy.anonymous else _printable(name),
            "length": None if source.text is None else len(source.text),
            "date": None if self._privacy.anonymous else source.date,
        }


def _encode(found: Comparison) -> bytes:
    return msgspec.json.encode(found).replace(b"<", b"\\u003c")


def _anonymous(found: Comparison) -> Comparison:
    def side(of: Side) -> Side:
        return msgspec.structs.replace(of, document="", metadata={}, locators=())

    return msgspec.structs.replace(found, a=side(found.a), b=side(found.b))


def _textless(found: Comparison) -> Comparison:
    def side(of: Side) -> Side:
        return msgspec.structs.replace(of, text="", before="", after="")

    return msgspec.structs.replace(found, a=side(found.a), b=side(found.b), reasons=None)
