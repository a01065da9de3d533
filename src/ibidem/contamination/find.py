"""``find_contamination``: the items of evaluations that occur in training data.

The steps: read the evals, learn from a sample of the training data how surprising each of their words is, look for
their rare bigrams in every document, align the places that have enough of them, and judge what was found.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ibidem.arguments import require_fraction
from ibidem.contamination.detector import Detector, Occurrence, make_detector
from ibidem.contamination.evals import AnyEvals, EvalColumns, as_evals
from ibidem.contamination.items import Evals
from ibidem.contamination.judging import judge_occurrences
from ibidem.contamination.result import Contamination, Origin, make_result
from ibidem.parallel import in_order
from ibidem.resources import Progress, Resources
from ibidem.text import Collection, Documents, Texts, TokenizerSpec, as_batches, cut_batches, make_tokenizer

__all__ = ["SAMPLE_BYTES", "find_contamination", "find_in_batches", "first_texts"]

SAMPLE_BYTES = 32 << 20
"""Bytes of text by which words are weighed: about five million running words."""


def find_contamination(
    train: Collection,
    evals: AnyEvals,
    *,
    threshold: float = 0.5,
    question: str | None = None,
    answer: str | None = None,
    passage: str | None = None,
    choices: str | None = None,
    tokenizer: TokenizerSpec = "words",
    text: str = "text",
    id: str = "id",
    memory: str | int = "1G",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Contamination:
    """Find the items of ``evals`` that occur in the documents of ``train``.

    Each question, passage and long answer is looked for by itself, whole or in part, also where words were changed,
    added or left out. A word weighs what it tells behind the word before it, in these texts: rare words weigh much, and
    words of phrases that many items or documents share weigh little. An occurrence is a leak if it holds a share
    ``threshold`` of this weight, in order, and more than chance explains in so much text. All else is left out with its
    reason: a ``"source"`` holds the passage of an item without its question, a ``"template"`` has other numbers,
    ``"boilerplate"`` is a phrase of many documents, a ``"similar item"`` is explained better by another item, and
    ``"partial"`` ones hold less than the threshold.

    Args:
        train: the training data, as the documents of :func:`ibidem.deduplicate`. They are read once, in batches.
        evals: paths of files, a table, or an iterable of rows. The columns of decon's files and of well-known
            benchmarks are recognized.
        threshold: the least share of a part, above 0 and at most 1.
        question, answer, passage, choices: the columns of the evals that hold these, if they are not recognized.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        text, id: the columns of the training data.
        memory: about how many bytes to use, besides those of the evals and of the result.
        threads: how many threads to use; if not given, one for each core. The result depends on neither.
        progress: called with the name of the current step, how much of it is done, and the total if known.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document or an item cannot be used.

    >>> evals = [{"question": "Which river flows through the town of Grahamstown in the Eastern Cape?"}]
    >>> found = find_contamination(["a quiz: which river flows through the town of Grahamstown?", "rain"], evals)
    >>> found.contamination.select(["document", "eval_instance_index", "kind"]).to_pylist()
    [{'document': '0', 'eval_instance_index': 0, 'kind': 'leak'}]
    """
    require_fraction("threshold", threshold)
    resources = Resources.of(memory, threads, progress)
    items = as_evals(evals, EvalColumns(question, answer, passage, choices))
    batches = cut_batches(as_batches(train, text, id), resources.batch_bytes)
    located = (Located(batch, None, 0) for batch in batches)
    return find_in_batches(located, items, threshold, make_tokenizer(tokenizer), resources)


class Located(NamedTuple):
    """A batch of documents of one file, the first of which is row ``first`` of it, from 0."""

    documents: Documents
    file: str | None
    first: int


def find_in_batches(
    batches: Iterator[Located], evals: Evals, threshold: float, tokenizer: Any, resources: Resources
) -> Contamination:
    """Find contamination in batches of documents, which are read once."""
    beginning = list(_take(batches, SAMPLE_BYTES))
    sample = first_texts((batch.documents.texts for batch in beginning), SAMPLE_BYTES)
    detector = make_detector(evals, tokenizer, map(tokenizer.encode, sample))
    return scan(detector, chain(_hand_over(beginning), batches), threshold, resources, evals.recognized)


def scan(
    detector: Detector,
    batches: Iterable[Located],
    threshold: float,
    resources: Resources,
    recognized: Sequence[str] = (),
    least_tokens: int = 0,
) -> Contamination:
    """Look for the parts of a detector in batches of documents, which belong to ``least_tokens`` running tokens."""
    found: list[tuple[int, Occurrence]] = []
    origins: dict[int, Origin] = {}
    count = tokens = 0

    def look(batch: Located) -> tuple[list[Occurrence], int, list[Origin], int]:
        occurrences, size = detector.find(batch.documents)
        numbers = [each.document for each in occurrences]
        of = [_origin(batch, number) for number in numbers]
        return occurrences, size, of, len(batch.documents.ids)

    with resources.pool() as pool:
        for occurrences, size, of, documents in in_order(pool, look, batches, 2 * resources.workers):
            for each, origin in zip(occurrences, of, strict=True):
                found.append((count + each.document, each))
                origins[count + each.document] = origin
            count, tokens = count + documents, tokens + size
            resources.tell("looking", count, None)
    judged = judge_occurrences(detector.described, found, max(tokens, least_tokens), threshold)
    return make_result(detector.described, judged, origins, (count, tokens), recognized, least_tokens)


def _origin(batch: Located, number: int) -> Origin:
    line = None if batch.file is None else batch.first + number + 1
    return batch.file, line, batch.documents.ids[number]


def first_texts(batches: Iterable[Texts], size: int) -> Iterator[Texts]:
    """The first texts, up to the one that reaches ``size`` bytes: the same however they come in batches."""
    for texts in batches:
        count = int(np.searchsorted(texts.bounds[:-1], size))
        yield texts.rows(0, count)
        size -= texts.nbytes
        if size <= 0:
            return


def _take(batches: Iterator[Located], size: int) -> Iterator[Located]:
    """The first batches, of about ``size`` bytes of text."""
    taken = 0
    while taken < size and (batch := next(batches, None)) is not None:
        taken += batch.documents.texts.nbytes
        yield batch


def _hand_over(batches: list[Located]) -> Iterator[Located]:
    """The batches, which are not kept."""
    while batches:
        yield batches.pop(0)
