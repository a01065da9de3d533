"""``find_reuse``: the passages that occur more than once in a collection, from texts to tables.

The steps: read the collection, find *boxes* (places of two documents with similar windows), align each box into pairs
of passages, *judge* whether each pair is reuse or an exclusion, and gather passages, clusters and tables.
"""

import dataclasses
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np

from ibidem.alignment.align import require_settings
from ibidem.arguments import require_fraction
from ibidem.hashing import require_seed
from ibidem.resources import Progress, Resources
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.clusters import cluster_passages
from ibidem.reuse.collection import Collection, Comparable, read_collection
from ibidem.reuse.direction import comparable_dates, likely_sources
from ibidem.reuse.exclusions import (
    SeriesOut,
    leave_own_out,
    leave_series_out,
    reasons_of,
)
from ibidem.reuse.families import find_families
from ibidem.reuse.grams import with_grams
from ibidem.reuse.outputs.earlier import EarlierRun, JudgedPairs
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.outputs.tables import Findings, PairDetails, make_tables
from ibidem.reuse.pairs import align_boxes
from ibidem.reuse.passages import gather_passages
from ibidem.reuse.subtraction import Absent, subtract
from ibidem.reuse.windows import Found, WindowJoin, find_boxes
from ibidem.store.files.columns import release_pages
from ibidem.text import Collection as AnyCollection
from ibidem.text import Normalize, Texts, TokenizerSpec, as_batches, make_tokenizer

__all__ = [
    "Question",
    "QuestionKeywords",
    "find_in",
    "find_reuse",
    "gather_reuse",
    "judge_boxes",
    "part_by_series",
    "prepare_collection",
]

_LONGEST_WINDOW = 32
"""The greatest length of a window, in tokens."""

_EXACT = 0.6
"""The part of the threshold by which windows are similar that an exact search joins. An alignment starts from three
quarters of it, and counts the words that a window repeats; the join does not."""


class QuestionKeywords(TypedDict, total=False):
    """The settings of a search for reuse, as the keywords of a call."""

    threshold: float
    min_length: int | None
    recall: float
    tokenizer: TokenizerSpec
    within: bool
    date: str | None
    series: str | None
    phrases: Sequence[str]
    keep_boilerplate: bool
    quotations: int | None
    texts: bool
    columns: Sequence[str]
    seed: int


class Question(NamedTuple):
    """The settings of a search for reuse; :func:`find_reuse` explains them."""

    threshold: float = 0.3
    min_length: int | None = None
    recall: float = 0.99
    tokenizer: TokenizerSpec = "words"
    within: bool = False
    date: str | None = None
    series: str | None = None
    phrases: tuple[str, ...] = ()
    keep_boilerplate: bool = False
    quotations: int | None = None
    texts: bool = False
    columns: tuple[str, ...] = ()
    seed: int = 0

    @classmethod
    def of(cls, **options: Unpack[QuestionKeywords]) -> "Question":
        """The settings that are given as the ``options`` of a call.

        Raises:
            ValueError: an argument is out of its range.
        """
        lists = {"phrases": tuple(options.get("phrases", ())), "columns": tuple(options.get("columns", ()))}
        values: dict[str, Any] = {**options, **lists}
        return cls(**values).require_valid()

    def require_valid(self) -> "Question":
        """The same settings, once they have been checked.

        Raises:
            ValueError: an argument is out of its range.
        """
        require_settings(self.threshold, self.min_length)
        require_fraction("recall", self.recall)
        require_seed(self.seed)
        if self.quotations is not None and self.quotations < 1:
            raise ValueError(f"quotations must be 1 word or more, not {self.quotations!r}")
        return self

    @property
    def join(self) -> WindowJoin:
        """Which windows to compare, and with what recall.

        An exact search joins whatever windows ``align`` starts from: a passage is not equally similar everywhere.
        """
        return WindowJoin(
            window=min(self.min_length or _LONGEST_WINDOW, _LONGEST_WINDOW),
            threshold=self.threshold * (_EXACT if self.recall >= 1 else 1),
            promised=(1 + self.threshold) / 2,
            recall=self.recall,
            seed=self.seed,
        )

    def describe(self) -> dict[str, Any]:
        """The settings as values that JSON can hold."""
        tokenizer = make_tokenizer(self.tokenizer).config
        lists = {"phrases": list(self.phrases), "columns": list(self.columns)}
        return self._asdict() | {"tokenizer": tokenizer} | lists


def find_reuse(
    documents: AnyCollection,
    *,
    against: AnyCollection | None = None,
    text: str = "text",
    id: str = "id",
    threshold: float = 0.3,
    min_length: int | None = None,
    recall: float = 0.99,
    tokenizer: TokenizerSpec = "words",
    normalize: Normalize = (),
    within: bool = False,
    date: str | None = None,
    series: str | None = None,
    phrases: Sequence[str] = (),
    keep_boilerplate: bool = False,
    quotations: int | None = None,
    texts: bool = False,
    columns: Sequence[str] = (),
    seed: int = 0,
    memory: str | int = "1G",
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    update: str | os.PathLike[str] | None = None,
) -> Reuse:
    """Find the passages of ``documents`` that also occur in another of these documents.

    A word has a greater weight the rarer it is in the collection. Each reported pair of passages has an exact
    similarity of ``threshold`` or more under these weights, or as a summary a containment of ``threshold`` or more, and
    as much evidence against chance as :func:`ibidem.align` asks for.

    The search looks for similar windows of ``w = min(min_length, 32)`` tokens. It finds two windows with a similarity
    of ``(1 + threshold) / 2`` or more with a probability of at least ``recall``, and reports the pair of passages that
    they lead to, if that meets the conditions above. Two less similar passages are more likely to be found the longer
    they are.

    Text that many documents share, such as a licence, counts as absent: it is found first, and what two documents share
    besides is compared as if it were not there. It is reported once, as a cluster of boilerplate, and each of its
    places beside a representative. The same holds for what occurs in more than 256 documents.

    Args:
        documents: an iterable of documents, as in :func:`ibidem.deduplicate`.
        against: other documents. If given, each of ``documents`` is compared with each of these, and with nothing else.
            In each pair, ``a`` is then one of ``documents`` and ``b`` one of these.
        text, id: the columns or keys of both that hold the text and the id, as in :func:`ibidem.deduplicate`.
        threshold: the least similarity, above 0 and at most 1.
        min_length: the least length of the longer passage of a pair, in tokens. If not given, 40, or just over a
            quarter of the shorter document of the pair if that is less.
        recall: see above. With 1 the search is exact: it misses no windows that ``align`` would start from, and aligns
            their documents as it does. Use this for small collections.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        normalize: names of normalizations, as :func:`ibidem.make_tokenizer` takes them.
        within: also report passages that occur twice in one document.
        date: the column of dates, which are numbers or ISO strings. If given, passages get a likely source.
        series: a column. Documents with the same value in it, such as one newspaper, are not compared.
        phrases: these phrases count as absent wherever they occur.
        keep_boilerplate: report each place of frequent text, beside its representative, with the rest.
        quotations: in shares, words in quotation marks count as quoted alone, neither as shared nor as words of the
            document, if one quotation has so many words or more.
        texts: put the texts of passages into the tables.
        columns: columns of the documents that each pair carries for both, as ``a_year`` and ``b_year``.
        seed: selects the hash functions.
        memory: about how many bytes to use, besides those of the result.
        threads: how many threads to use; if not given, one for each core.
        folder: where to keep temporary files; if not given, in the system's folder for these.
        progress: called with the name of the current step, how much of it is done, and the total if known.
        update: the folder of an earlier run of ``ibidem reuse`` on a part of these documents. Documents of that run
            whose text and columns are unchanged are not compared with each other again. Words weigh as in that run.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document cannot be used, two documents have the same id, or ``update`` holds no run.
        ConfigurationError: the run to be updated was made with other settings.

    >>> poem = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"
    >>> found = find_reuse([("gray", poem), ("letter", "He quoted: " + poem + "!"), ("other", "nothing of the kind")])
    >>> found.pairs.select(["a", "b", "similarity"]).to_pylist()
    [{'a': 'gray', 'b': 'letter', 'similarity': 1.0}]
    """
    for name, values in (("phrases", phrases), ("columns", columns)):
        if isinstance(values, str):
            raise ValueError(f"{name} are given as a list of strings, not as one string")
    question = Question(
        threshold=threshold,
        min_length=min_length,
        recall=recall,
        tokenizer=make_tokenizer(tokenizer, normalize=normalize),
        within=within,
        date=date,
        series=series,
        phrases=tuple(phrases),
        keep_boilerplate=keep_boilerplate,
        quotations=quotations,
        texts=texts,
        columns=tuple(columns),
        seed=seed,
    ).require_valid()
    resources = Resources.of(memory, threads, progress)
    sides = [as_batches(side, text, id) for side in (documents, against) if side is not None]
    earlier = None if update is None else EarlierRun.read(Path(update))
    with tempfile.TemporaryDirectory(prefix="ibidem-reuse-", dir=folder) as place:
        found = find_in(sides, question, Path(place), resources, earlier)
        return dataclasses.replace(found, collection=None)  # its files are about to be deleted


def find_in(
    sides: Sequence[AnyCollection],
    question: Question,
    folder: Path,
    resources: Resources,
    earlier: EarlierRun | None = None,
) -> Reuse:
    """The result for one collection, or for two that are compared with each other.

    ``folder`` takes the columns of the collection, which the result still reads. An ``earlier`` run on a part of the
    collection, of which there must be only one then, saves comparing the documents of that part again.
    """
    made = make_tokenizer(question.tokenizer)
    settings = question.describe()
    if earlier is not None:
        earlier.require_settings(settings)
        if len(sides) > 1:
            raise ValueError("only a run on one collection can be updated: leave out against")
    read = read_collection(sides, made, folder, resources, None if earlier is None else earlier.rarity)
    collection = prepare_collection(read, question, folder, earlier)
    unchanged = np.zeros(len(collection), np.bool_) if earlier is None else earlier.find_unchanged(collection)
    side = collection.side.astype(np.int32) if len(sides) > 1 else np.where(unchanged, 0, -1).astype(np.int32)
    join = question.join._replace(bands=None if earlier is None else earlier.bands)
    given = Comparable.of(collection, join.window, side, question.within)
    found = find_boxes(collection, given, join, folder, resources)
    boxes = leave_own_out(found.boxes, unchanged)
    judged = judge_boxes(collection, question, boxes, resources)
    if earlier is not None:
        judged = earlier.add_to(judged, collection, unchanged)
    return gather_reuse(collection, question, found, judged, apart=len(sides) > 1)


def prepare_collection(
    read: Collection, question: Question, folder: Path, earlier: EarlierRun | None = None
) -> Collection:
    """The documents that were ``read`` as they are compared: without frequent text and phrases, maybe in runs.

    What is frequent is that of an ``earlier`` run, if there is one.
    """
    tokenizer = make_tokenizer(question.tokenizer)
    absent = Absent(
        most=question.join.most,
        least_length=question.join.least_shared,
        phrases=[tokenizer.encode(Texts.from_strings([phrase])).ids for phrase in question.phrases],
        known=None if earlier is None else earlier.frequent,
        rarity=None if earlier is None else earlier.rarity,
        apart=bool(read.side.any()),
    )
    return with_grams(subtract(read, absent, folder), folder)


def judge_boxes(collection: Collection, question: Question, boxes: PairBoxes, resources: Resources) -> JudgedPairs:
    """The pairs of passages that ``boxes`` lead to, and the reasons why some of them are not reuse."""
    kept, same_series = part_by_series(collection, question, boxes)
    exact = question.recall >= 1
    pairs = align_boxes(collection, kept, question.threshold, question.min_length, resources, exact=exact)
    return JudgedPairs(pairs, reasons_of(collection, pairs), same_series)


def part_by_series(collection: Collection, question: Question, boxes: PairBoxes) -> SeriesOut:
    """The boxes to align, and those left out because both documents belong to one series."""
    return leave_series_out(boxes, _column(collection, question.series) or [None] * len(collection))


def gather_reuse(
    collection: Collection, question: Question, found: Found, judged: JudgedPairs, *, apart: bool
) -> Reuse:
    """The tables of the passages, clusters and likely sources that follow from the pairs.

    The result also holds what a later run needs for an update, unless two collections were kept ``apart``.
    """
    release_pages(collection.tokens)  # all were looked at, few will be
    details = PairDetails(question.texts, question.columns, question.quotations)
    tables = make_tables(collection, _gather(collection, question, judged), found, details)
    run = None if apart else EarlierRun.of(question.describe(), collection, found.bands, judged)
    return dataclasses.replace(tables, run=run, collection=collection)


def _gather(collection: Collection, question: Question, judged: JudgedPairs) -> Findings:
    """The passages, clusters and likely sources of the pairs, and the pairs that are left out, with their reasons."""
    excluded = np.array([reason is not None for reason in judged.reasons], np.bool_)
    good = judged.pairs.take(~excluded)
    passages = gather_passages(good)
    clusters = cluster_passages(collection, good, passages)
    families = find_families(collection, set(clusters.names), within=question.within)
    dates = None
    if question.date is not None:
        dates = comparable_dates(_column(collection, question.date) or [], collection.ids, question.date)
    return Findings(
        pairs=good,
        passages=passages,
        clusters=clusters,
        families=families,
        dates=dates,
        sources=None if dates is None else likely_sources(good, passages, clusters.of, dates),
        left_out=(judged.pairs.take(excluded), [reason for reason in judged.reasons if reason is not None]),
        same_series=judged.same_series,
        keep_boilerplate=question.keep_boilerplate,
    )


def _column(collection: Collection, name: str | None) -> list[Any] | None:
    """The value of a column for each document, ``None`` where there is none; no list at all if no column is named."""
    if name is None:
        return None
    return [collection.metadata(document).get(name) for document in range(len(collection))]
