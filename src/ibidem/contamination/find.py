"""``find_contamination``: the items of evaluations that occur in training data.

The steps: read the evals, learn from a sample of the training data how surprising each of their words is, look for
their rare bigrams in every document, align the places that have enough of them, and judge what was found.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from ibidem.arguments import require_fraction
from ibidem.contamination.detector import Detector, Occurrence, make_detector
from ibidem.contamination.evals import AnyEvals, as_evals
from ibidem.contamination.judging import judge_occurrences
from ibidem.contamination.result import Contamination, Origin, make_result, sources_of
from ibidem.contamination.sources import find_source, require_column
from ibidem.options import ContaminationOptions, EvalColumns, TextColumns, Work, takes
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.text import Collection, Documents, Texts, as_batches, cut_batches, make_tokenizer

__all__ = ["SAMPLE_BYTES", "FindContamination", "find_contamination", "first_texts", "scan"]

SAMPLE_BYTES = 32 << 20
"""Bytes of text by which words are weighed: about five million running words."""


@dataclass(frozen=True, kw_only=True)
class FindContamination(Work, ContaminationOptions, TextColumns):
    """A call of ``find_contamination``."""

    train: Collection = field(kw_only=False)
    evals: AnyEvals = field(kw_only=False)


@takes(FindContamination)
def find_contamination(call: FindContamination) -> Contamination:
    """Find the items of ``evals`` that occur in the documents of ``train``.

    Each question, passage and long answer is looked for by itself, whole or in part, also where words were changed,
    added or left out. A word weighs what it tells behind the word before it, in these texts: rare words weigh much, and
    words of phrases that many items or documents share weigh little. An occurrence is a leak if it holds a share
    ``threshold`` of this weight, in order, and more than chance explains in so much text. All else is left out with its
    reason: a ``"source"`` holds the passage of an item without its question, a ``"template"`` has other numbers,
    ``"boilerplate"`` is a phrase of many documents within a source or across sources, a ``"similar item"`` is explained
    better by another item, and ``"partial"`` ones hold less than the threshold.

    Args:
        train: the training data, as the documents of :func:`ibidem.deduplicate`. They are read once, in batches.
        evals: paths of files, a table, or an iterable of rows. The columns of decon's files and of well-known
            benchmarks are recognized.
        threshold: the least share of a part, above 0 and at most 1.
        question, answer, passage, choices: the columns of the evals that hold these, if they are not recognized.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        normalize: names of normalizations, as :func:`ibidem.make_tokenizer` takes them.
        source: the column of the training data that names the source of a document; of a URL, its host counts. If not
            given, the documents of one file have one source.
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
    require_fraction("threshold", call.threshold)
    resources = Resources.of(call.memory, call.threads, call.progress)
    items, tokenizer = (
        as_evals(call.evals, EvalColumns.of(call)),
        make_tokenizer(call.tokenizer, normalize=call.normalize),
    )
    batches = cut_batches(as_batches(call.train, call.text, call.id), resources.batch_bytes)
    beginning = list(_take(batches, SAMPLE_BYTES))
    sample = first_texts((batch.texts for batch in beginning), SAMPLE_BYTES)
    detector = make_detector(items, tokenizer, map(tokenizer.encode, sample))
    every = chain(_hand_over(beginning), batches)
    return scan(detector, every, call.threshold, resources, source=call.source, recognized=items.recognized)


def scan(
    detector: Detector,
    batches: Iterable[Documents],
    threshold: float,
    resources: Resources,
    *,
    source: str | None = None,
    recognized: Sequence[str] = (),
    least_tokens: int = 0,
) -> Contamination:
    """Look for the parts of a detector in batches of documents, which belong to ``least_tokens`` running tokens."""
    found: list[tuple[int, Occurrence]] = []
    origins: dict[int, Origin] = {}
    count = tokens = 0

    def look(batch: Documents) -> tuple[list[Occurrence], int, list[Origin], int]:
        occurrences, size = detector.find(batch)
        numbers = [each.document for each in occurrences]
        of = [Origin(None, None, batch.ids[number], find_source(batch, number, source, None)) for number in numbers]
        return occurrences, size, of, len(batch.ids)

    with resources.pool() as pool:
        for occurrences, size, of, documents in in_order(pool, look, _checked(batches, source), 2 * resources.workers):
            for each, origin in zip(occurrences, of, strict=True):
                found.append((count + each.document, each))
                origins[count + each.document] = origin
            count, tokens = count + documents, tokens + size
            resources.tell("looking", count, None)
    judged = judge_occurrences(detector.described, found, max(tokens, least_tokens), threshold, sources_of(origins))
    return make_result(detector.described, judged, origins, (count, tokens), recognized, least_tokens)


def _checked(batches: Iterable[Documents], source: str | None) -> Iterator[Documents]:
    """The batches, of which the first has the column of sources."""
    for number, batch in enumerate(batches):
        if not number:
            require_column(batch, source, "the training data")
        yield batch


def first_texts(batches: Iterable[Texts], size: int) -> Iterator[Texts]:
    """The first texts, up to the one that reaches ``size`` bytes: the same however they come in batches."""
    for texts in batches:
        count = int(np.searchsorted(texts.bounds[:-1], size))
        yield texts.rows(0, count)
        size -= texts.nbytes
        if size <= 0:
            return


def _take(batches: Iterator[Documents], size: int) -> Iterator[Documents]:
    """The first batches, of about ``size`` bytes of text."""
    taken = 0
    while taken < size and (batch := next(batches, None)) is not None:
        taken += batch.texts.nbytes
        yield batch


def _hand_over(batches: list[Documents]) -> Iterator[Documents]:
    """The batches, which are not kept."""
    while batches:
        yield batches.pop(0)
