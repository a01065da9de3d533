"""``EvalIndex``: the items of evaluations, prepared once and looked for in any number of documents."""

from collections.abc import Iterator
from typing import NamedTuple

from ibidem.arguments import require_fraction
from ibidem.contamination.detector import Detector, make_detector
from ibidem.contamination.evals import AnyEvals, EvalColumns, as_evals
from ibidem.contamination.find import SAMPLE_BYTES, Located, scan
from ibidem.contamination.judging import Judged, judge_occurrences
from ibidem.contamination.result import Contamination
from ibidem.resources import Progress, Resources
from ibidem.text import Collection, Documents, Tokenizer, TokenizerSpec, Tokens, as_batches, cut_batches, make_tokenizer

__all__ = ["EvalIndex", "JudgedDocuments"]

_TOKENS = 1_000_000
"""Running tokens of the training data if nothing is known of it."""

_BATCH = 4 << 20


class JudgedDocuments(NamedTuple):
    """What documents hold of items, and how many running tokens they have."""

    judged: list[Judged]
    tokens: int


class EvalIndex:
    """The items of ``evals``, ready to be looked for in documents, one at a time or many.

    Preparing takes seconds and is done once; then a document of some hundred words takes less than a millisecond. This
    is a gate in front of training data: what :func:`ibidem.find_contamination` finds, for documents that come by and
    by. A phrase counts as boilerplate if many documents of one call share it.

    Args:
        evals: paths of files, a table, or an iterable of rows, as of :func:`ibidem.find_contamination`.
        sample: documents of the training data, by which words are weighed; the first 32 MB of text are read. Without
            a sample, words are weighed by the evals alone: use this for thousands of items only.
        question, answer, passage, choices: the columns of the evals that hold these, if they are not recognized.
        tokens: running tokens of all the training data that the documents belong to. The more, the more can be there by
            chance. If not given, those of the sample, or 1,000,000 without one.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        text, id: the columns of the sample.

    Raises:
        CorpusError: a document or an item cannot be used.
        ValueError: ``tokens`` is not positive.

    >>> sample = ["the weather was fine and dry in the town, and a river flows through it"] * 9
    >>> gate = EvalIndex([{"question": "Which river flows through Grahamstown, Eastern Cape?"}], sample)
    >>> found = gate.find([("page", "quiz: which river flows through Grahamstown, Eastern Cape?")])
    >>> found.contamination.select(["document", "kind"]).to_pylist()
    [{'document': 'page', 'kind': 'leak'}]
    """

    def __init__(
        self,
        evals: AnyEvals,
        sample: Collection = (),
        *,
        question: str | None = None,
        answer: str | None = None,
        passage: str | None = None,
        choices: str | None = None,
        tokens: int | None = None,
        tokenizer: TokenizerSpec = "words",
        text: str = "text",
        id: str = "id",
    ) -> None:
        if tokens is not None and tokens < 1:
            raise ValueError(f"tokens must be 1 or more, not {tokens}")
        items = as_evals(evals, EvalColumns(question, answer, passage, choices))
        made = make_tokenizer(tokenizer)
        beginning = _read_beginning(cut_batches(as_batches(sample, text, id), _BATCH), made)
        self.recognized = tuple(items.recognized)
        """What each file of evals was taken for."""
        self.detector: Detector = make_detector(items, made, beginning)
        self.tokens = tokens or self.detector.sampled or _TOKENS
        """Running tokens of the training data, against chance in which evidence is measured."""

    def __len__(self) -> int:
        return len(self.detector.items)

    def __repr__(self) -> str:
        return f"EvalIndex({len(self):,} items)"

    def find(
        self,
        train: Collection,
        *,
        threshold: float = 0.5,
        text: str = "text",
        id: str = "id",
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Contamination:
        """Find the items in the documents of ``train``; the arguments are those of :func:`ibidem.find_contamination`.

        Raises:
            ValueError: an argument is out of its range.
            CorpusError: a document cannot be used.
        """
        require_fraction("threshold", threshold)
        resources = Resources.of(memory, threads, progress)
        located = (Located(each, None, 0) for each in cut_batches(as_batches(train, text, id), resources.batch_bytes))
        return scan(self.detector, located, threshold, resources, self.recognized, self.tokens)

    def judge(self, documents: Documents, threshold: float = 0.5) -> JudgedDocuments:
        """What a batch of documents holds, without tables: the same as :meth:`find`, in a fraction of the time."""
        occurrences, tokens = self.detector.find(documents)
        found = [(each.document, each) for each in occurrences]
        return JudgedDocuments(
            judge_occurrences(self.detector.described, found, max(tokens, self.tokens), threshold), tokens
        )


def _read_beginning(batches: Iterator[Documents], tokenizer: Tokenizer) -> Iterator[Tokens]:
    """The tokens of the first documents."""
    size = 0
    for batch in batches:
        if size >= SAMPLE_BYTES:
            return
        size += batch.texts.nbytes
        yield tokenizer.encode(batch.texts)
