"""Compare two passages: their runs, their places, and the words that they do not share."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Self

from ibidem.comparison.correspondence import correspond
from ibidem.comparison.locators import Locators, line_numbers
from ibidem.comparison.model import Comparison, Run, Side
from ibidem.comparison.reasons import MOST_WORDS, explain_match
from ibidem.comparison.runs import TokenRun, cut_runs
from ibidem.comparison.shares import CHANGED, label_pair
from ibidem.comparison.tokenized import TokenizedPair, count_tokens, token_evidence, tokenize_pair, word_tokenizer
from ibidem.spans import Alignment, Match
from ibidem.text import TokenizerSpec, make_tokenizer
from ibidem.weights import DocumentFrequencies


class Witness(NamedTuple):
    """A passage of a document, which may be known only by the passage.

    Attributes:
        document: the id of the document.
        start, end: the passage in the document.
        text: the whole document, or ``None``.
        passage: the passage, if ``text`` is ``None``.
        locators: named ranges of the document.
        metadata: what else is known of it.
    """

    document: str
    start: int
    end: int
    text: str | None = None
    passage: str = ""
    locators: Locators = Locators()
    metadata: dict[str, Any] = {}  # noqa: RUF012  a default that nobody changes

    @property
    def own_text(self) -> str:
        """The passage."""
        return self.passage if self.text is None else self.text[self.start : self.end]


class Finding(NamedTuple):
    """The values that a search or alignment reported of a pair."""

    similarity: float | None = None
    kind: Literal["similar", "summary"] = "similar"
    containment: float | None = None

    @classmethod
    def of(cls, pair: Alignment | Match) -> Self:
        """Take the values of a reported pair."""
        return cls(pair.similarity, pair.kind, pair.containment)


class Comparer:
    """Compares pairs of passages.

    Args:
        spec: anything that :func:`ibidem.make_tokenizer` takes. Of shingles the tokens inside are compared.
        frequencies: how often each token occurs in the texts that the passages come from, each running token counting
            as a document. Without them they are counted in the two documents of each pair.
        context: code points of a document that are kept on either side of a passage.
        reasons: whether to name the words that passages do not share.
        most_words: words in each list of reasons.
    """

    def __init__(
        self,
        spec: TokenizerSpec = "words",
        frequencies: DocumentFrequencies | None = None,
        *,
        context: int = 160,
        reasons: bool = True,
        most_words: int = MOST_WORDS,
    ) -> None:
        self._tokenizer = word_tokenizer(make_tokenizer(spec))
        self._frequencies = frequencies
        self._context = context
        self._reasons = reasons
        self._most_words = most_words

    def compare(self, a: Witness, b: Witness, finding: Finding = Finding()) -> Comparison:  # noqa: B008
        """The comparison of two passages."""
        texts = a.own_text, b.own_text
        tokens = tokenize_pair(*texts, self._tokenizer)
        frequencies = self._frequencies or self._count(a, b)
        correspondence = correspond(tokens.a, tokens.b, token_evidence(tokens.vocabulary, frequencies))
        in_a, in_b = (labels >= CHANGED for labels in label_pair(correspondence, len(tokens.b)))
        explained = self._reasons and all(texts)
        return Comparison(
            a=self._side(a),
            b=self._side(b),
            runs=tuple(
                _in_characters(
                    run,
                    tokens,
                    (a, b),
                    bool(in_a[run.a_first : run.a_last].all() and in_b[run.b_first : run.b_last].all()),
                )
                for run in cut_runs(correspondence, len(tokens.b))
            ),
            similarity=finding.similarity,
            kind=finding.kind,
            containment=finding.containment,
            reasons=explain_match(*texts, tokens, frequencies, self._most_words) if explained else None,
        )

    def _count(self, a: Witness, b: Witness) -> DocumentFrequencies:
        texts = [each.own_text if each.text is None else each.text for each in (a, b)]
        return count_tokens(texts, self._tokenizer)

    def _side(self, of: Witness) -> Side:
        whole, context = of.text, self._context
        if whole is None:
            return Side(
                document=of.document,
                start=of.start,
                end=of.end,
                text=of.passage,
                metadata=of.metadata,
                locators=of.locators.meeting(of.start, of.end),
            )
        return Side(
            document=of.document,
            start=of.start,
            end=of.end,
            text=of.own_text,
            before=whole[max(0, of.start - context) : of.start],
            after=whole[of.end : of.end + context],
            length=len(whole),
            lines=line_numbers(whole, of.start, of.end),
            locators=of.locators.meeting(of.start, of.end),
            metadata=of.metadata,
        )


def compare(
    a: str,
    b: str,
    pair: Alignment | None = None,
    *,
    tokenizer: TokenizerSpec = "words",
    names: Sequence[str] = ("a", "b"),
    context: int = 160,
    reasons: bool = True,
) -> Comparison:
    """Compare two texts, or a pair of passages of them.

    Args:
        pair: a result of :func:`ibidem.align` on the two texts; the whole texts if not given.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes. Of shingles the tokens inside are compared.
        names: what the two texts are called.
        context: code points of a text that are kept on either side of a passage.
        reasons: whether to name the words that the passages do not share.

    >>> found = compare("the cat sat on the mat", "the cat lay on the mat")
    >>> [run.kind for run in found.runs]
    ['equal', 'changed', 'equal']
    """
    comparer = Comparer(tokenizer, context=context, reasons=reasons)
    ranges = (0, len(a), 0, len(b)) if pair is None else (pair.a_start, pair.a_end, pair.b_start, pair.b_end)
    finding = Finding() if pair is None else Finding.of(pair)
    return comparer.compare(Witness(names[0], *ranges[:2], a), Witness(names[1], *ranges[2:], b), finding)


def _in_characters(run: TokenRun, tokens: TokenizedPair, sides: tuple[Witness, Witness], counted: bool) -> Run:
    """The run in code points of the two documents."""
    a = _range(tokens.a_places, run.a_first, run.a_last, sides[0])
    return Run(run.kind, *a, *_range(tokens.b_places, run.b_first, run.b_last, sides[1]), counted)


def _range(places: Any, first: int, last: int, side: Witness) -> tuple[int, int]:
    if first < last:
        return side.start + int(places[first, 0]), side.start + int(places[first:last, 1].max())
    at = side.start + int(places[first - 1, 1]) if first else side.start
    return at, at
