"""``find_contamination``: the items of evaluations that occur in training data.

The steps: read the evals, learn from a sample of the training data how surprising each of their words is, look for
their rare bigrams in every document, align the places that have enough of them, and judge what was found. The search
runs the stages of ``job/stages.py``, as a command and a plan do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from ibidem.arguments import require_fraction
from ibidem.contamination.detector import make_detector
from ibidem.contamination.evals import AnyEvals, as_evals
from ibidem.contamination.job.job import Job
from ibidem.contamination.job.sampling import SAMPLE_BYTES, first_texts
from ibidem.contamination.job.stages import READ, judge
from ibidem.contamination.result import Contamination
from ibidem.contamination.rounds import Rounds
from ibidem.corpus.sources import Source
from ibidem.jobs.stage import run_here
from ibidem.jobs.workspace import Memory
from ibidem.options import ContaminationOptions, EvalColumns, TextColumns, Work, takes
from ibidem.resources import Resources
from ibidem.text import Collection, Documents, as_batches, cut_batches, make_tokenizer


@dataclass(frozen=True, kw_only=True)
class TrainingData(TextColumns):
    """The training data of a call, and the evals whose items are looked for."""

    train: Collection = field(kw_only=False)
    evals: AnyEvals = field(kw_only=False)


@dataclass(frozen=True, kw_only=True)
class FindContamination(Work, ContaminationOptions, TrainingData):
    """A call of ``find_contamination``."""


@takes(FindContamination)
def find_contamination(call: FindContamination) -> Contamination:
    """Find the items of ``evals`` that occur in the documents of ``train``.

    Each question, passage and long answer is looked for by itself, whole or in part, also where words were changed,
    added or left out. A word weighs by how much it surprises after the word before it in these texts: rare words weigh
    much, and words of phrases that many items or documents share weigh little. An occurrence is a leak if it holds a
    share ``threshold`` of this weight, in order, and more than chance explains in so much text. All else is left out
    with its reason: a ``"source"`` holds the passage of an item without its question, a ``"template"`` has other
    numbers, ``"boilerplate"`` is a phrase of many documents within a source or across sources, a ``"similar item"`` is
    explained better by another item, and ``"partial"`` ones hold less than the threshold.

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
    items = as_evals(call.evals, EvalColumns.of(call))
    tokenizer = make_tokenizer(call.tokenizer, normalize=call.normalize)
    batches = cut_batches(as_batches(call.train, call.text, call.id), resources.batch_bytes)
    beginning = list(_take(batches, SAMPLE_BYTES))
    sample = first_texts((batch.texts for batch in beginning), SAMPLE_BYTES)
    rounds = Rounds.of([make_detector(items, tokenizer, map(tokenizer.encode, sample))])
    all_batches = chain(_hand_over(beginning), batches)
    return DocumentSearch(rounds, all_batches, call.threshold, call.source, items.recognized).run(resources)


class DocumentSearch(Job):
    """The search for items in documents as a caller has them; ``batches`` are read once."""

    sources = (Source("the training data", ""),)

    def __init__(
        self,
        rounds: Rounds,
        batches: Iterator[Documents],
        threshold: float,
        source: str | None,
        recognized: Sequence[str],
        least_tokens: int = 0,
    ) -> None:
        self._rounds, self._batches = rounds, batches
        self.threshold, self.source, self.recognized, self.least_tokens = threshold, source, recognized, least_tokens

    @property
    def rounds(self) -> Rounds:
        """The items, ready to be looked for."""
        return self._rounds

    def read(self, source: Source, size: int) -> Iterator[Documents]:
        """All documents, in batches as they come."""
        return self._batches

    def run(self, resources: Resources) -> Contamination:
        """Find the items: the stages of a job, in memory."""
        workspace = Memory(self)
        run_here([READ], workspace, Path(), resources)
        return judge(workspace).result


def _take(batches: Iterator[Documents], size: int) -> Iterator[Documents]:
    """The first batches, of about ``size`` bytes of text."""
    size_read = 0
    while size_read < size and (batch := next(batches, None)) is not None:
        size_read += batch.texts.nbytes
        yield batch


def _hand_over(batches: list[Documents]) -> Iterator[Documents]:
    """Yield the batches and release each of them."""
    while batches:
        yield batches.pop(0)
