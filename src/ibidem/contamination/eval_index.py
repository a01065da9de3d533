"""``EvalIndex``: the items of evaluations, prepared once and looked for in any number of documents."""

from typing import NamedTuple

from ibidem.arguments import require_fraction
from ibidem.contamination.detector import Detector, make_detector
from ibidem.contamination.evals import AnyEvals, as_evals
from ibidem.contamination.findings import FileToRead, look_through
from ibidem.contamination.items import THRESHOLD, EvalColumns
from ibidem.contamination.judging import JudgedOccurrence, judge_occurrences
from ibidem.contamination.result import Contamination, judge_findings, warn_of_nothing
from ibidem.contamination.sampling import SAMPLE_BYTES, first_texts
from ibidem.counts import format_count
from ibidem.resources import Progress, Resources
from ibidem.text import Collection, Documents, Normalize, TokenizerSpec, as_batches, cut_batches, make_tokenizer

_TOKENS = 1_000_000
"""Running tokens of the training data if nothing is known of it."""

_BATCH = 4 << 20


class JudgedDocuments(NamedTuple):
    """The judged occurrences in documents, and how many running tokens these have."""

    occurrences: list[JudgedOccurrence]
    tokens: int


class EvalIndex:
    """The items of ``evals``, ready to be looked for in documents, one at a time or many.

    Preparing takes seconds and is done once; then a document of some hundred words takes less than a millisecond. This
    is a gate in front of training data: what :func:`ibidem.find_contamination` finds, for documents that come one by
    one. A phrase counts as boilerplate if many documents of one call share it.

    Args:
        evals: paths of files, a table, or an iterable of rows, as of :func:`ibidem.find_contamination`.
        sample: documents of the training data, by which words are weighed; the first 32 MB of text are read. Without
            a sample, words are weighed by the evals alone: use this for thousands of items only.
        question, answer, passage, choices: the columns of the evals that hold these, if they are not recognized.
        tokens: running tokens of all the training data that the documents belong to. The more, the more can be there by
            chance. If not given, those of the sample, or 1,000,000 without one.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        normalize: names of normalizations, as :func:`ibidem.make_tokenizer` takes them.
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
        normalize: Normalize = (),
        text: str = "text",
        id: str = "id",
    ) -> None:
        if tokens is not None and tokens < 1:
            raise ValueError(f"tokens must be 1 or more, not {tokens}")
        items = as_evals(evals, EvalColumns(question, answer, passage, choices))
        made_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
        batches = cut_batches(as_batches(sample, text, id), _BATCH)
        sampled = first_texts((batch.texts for batch in batches), SAMPLE_BYTES)
        self.recognized = tuple(items.recognized)
        """The format that each file of evals was recognized as."""
        self.detector: Detector = make_detector(items, made_tokenizer, map(made_tokenizer.encode, sampled))
        self.tokens: int = tokens or self.detector.sample_size or _TOKENS
        """Running tokens of the training data, against chance in which evidence is measured."""

    def __len__(self) -> int:
        return len(self.detector.items)

    def __repr__(self) -> str:
        return f"EvalIndex({format_count(len(self), 'item')})"

    def find(
        self,
        train: Collection,
        *,
        threshold: float = THRESHOLD,
        source: str | None = None,
        text: str = "text",
        id: str = "id",
        memory: str | int = "1G",
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> Contamination:
        """Find the items in the documents of ``train``; the arguments are those of :func:`ibidem.find_contamination`.

        Warns:
            UserWarning: no document has a token, or every item is too short to be found.

        Raises:
            ValueError: an argument is out of its range.
            CorpusError: a document cannot be used.
        """
        require_fraction("threshold", threshold)
        resources = Resources.of(memory, threads, progress)
        documents = cut_batches(as_batches(train, text, id), resources.batch_bytes)
        [findings] = look_through(self.detector, [FileToRead("", "the training data", documents)], source, resources)
        result = judge_findings(self.detector, [("", findings)], threshold, self.recognized, self.tokens).result
        warn_of_nothing(result.summary)
        return result

    def judge(self, documents: Documents, threshold: float = THRESHOLD) -> JudgedDocuments:
        """Judge a batch of documents, without tables: the same as :meth:`find`, in a fraction of the time."""
        occurrences, tokens = self.detector.find(documents)
        judged = judge_occurrences(self.detector, occurrences, max(tokens, self.tokens), threshold)
        return JudgedDocuments(judged, tokens)
