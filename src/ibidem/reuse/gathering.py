"""From boxes to pairs that were judged, and from these to passages, clusters and tables."""

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from ibidem.alignment.ignored import IgnoredTexts
from ibidem.resources import Resources
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.clusters import cluster_passages
from ibidem.reuse.collection import Collection
from ibidem.reuse.direction import find_likely_sources, parse_dates
from ibidem.reuse.exclusions import SeriesBoxes, find_different, find_reasons, leave_series_out
from ibidem.reuse.families import Families, find_families
from ibidem.reuse.outputs.earlier import EarlierRun, JudgedPairs
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.outputs.tables import PairDetails, ReuseFindings, make_tables
from ibidem.reuse.pairs import Pairs, align_boxes
from ibidem.reuse.passages import gather_passages
from ibidem.reuse.question import Question
from ibidem.reuse.quotations import select_new
from ibidem.reuse.shared_text import pair_places, place_in_counted
from ibidem.reuse.windows import FoundBoxes
from ibidem.store.files.columns import release_pages
from ibidem.text import make_tokenizer


class ReasonedPairs(NamedTuple):
    """Pairs of passages, and why each is no reuse, or ``None``."""

    pairs: Pairs
    reasons: list[str | None]


def align_and_judge(
    collection: Collection, question: Question, boxes: PairBoxes, resources: Resources
) -> ReasonedPairs:
    """The pairs of passages that ``boxes`` lead to, and the reasons why some of them are not reuse."""
    pairs = align_boxes(collection, boxes, question.rule, resources, exact=question.recall >= 1)
    return ReasonedPairs(pairs, find_reasons(collection, pairs))


def part_by_series(collection: Collection, question: Question, boxes: PairBoxes) -> SeriesBoxes:
    """The boxes to align, and those left out because both documents belong to one series."""
    return leave_series_out(boxes, read_column(collection, question.series) or [None] * len(collection))


def gather_reuse(
    collection: Collection,
    question: Question,
    boxes: FoundBoxes,
    judged_pairs: JudgedPairs,
    quotations: Pairs,
    threads: int,
    *,
    apart: bool,
) -> Reuse:
    """The tables of the passages, clusters and likely sources that follow from the pairs and the quotations.

    The result also holds what a later run needs for an update, unless two collections were kept ``apart``.
    """
    release_pages(collection.tokens)  # all were read, few will be again
    tokenizer = make_tokenizer(question.tokenizer)
    details = PairDetails(tokenizer, question.texts, tuple(question.columns), question.quotations, threads)
    new = quotations.take(select_new(quotations, judged_pairs.pairs))
    all_pairs = judged_pairs.add(new, [None] * len(new.evidence))
    tables = make_tables(collection, _gather_findings(collection, question, all_pairs), boxes, details)
    run = None if apart else EarlierRun.of(question.describe(), collection, boxes.bands, judged_pairs)
    return dataclasses.replace(tables, run=run, collection=collection)


def _gather_findings(collection: Collection, question: Question, judged_pairs: JudgedPairs) -> ReuseFindings:
    """The passages, clusters and likely sources of the pairs, and the pairs that are left out, with their reasons."""
    is_excluded = np.array([reason is not None for reason in judged_pairs.reasons], np.bool_)
    pairs = judged_pairs.pairs.take(~is_excluded)
    passages = gather_passages(pairs)
    clusters = cluster_passages(collection, pairs, passages)
    families = find_families(collection, set(clusters.names), within=question.within)
    counted_pairs = place_in_counted(collection, judged_pairs.pairs)
    places = judge_places(collection, question, families, counted_pairs)
    all_pairs = Pairs.join([counted_pairs, places.pairs])
    all_reasons = [*judged_pairs.reasons, *places.reasons]
    is_left_out = np.array([reason is not None for reason in all_reasons], np.bool_)
    dates = None
    if question.date is not None:
        dates = parse_dates(read_column(collection, question.date) or [], collection.ids, question.date)
    return ReuseFindings(
        pairs=all_pairs.take(~is_left_out),
        passages=passages,
        clusters=clusters,
        families=families,
        dates=dates,
        sources=None if dates is None else find_likely_sources(pairs, passages, clusters.of, dates),
        left_out=(all_pairs.take(is_left_out), [reason for reason in all_reasons if reason is not None]),
        same_series=judged_pairs.same_series,
        ignored=IgnoredTexts(question.ignore, make_tokenizer(question.tokenizer)) if question.ignore else None,
    )


def judge_places(collection: Collection, question: Question, families: Families, pairs: Pairs) -> ReasonedPairs:
    """The pairs of places of frequent text besides ``pairs``, and the reasons why some of them are not reuse.

    All are by the words that count.
    """
    places = pair_places(collection, question, families, pairs)
    is_different = np.ones(len(places.evidence), np.bool_)
    if question.series is not None:
        is_different = find_different(places.documents, read_column(collection, question.series) or [])
    reasons = zip(find_reasons(collection.restore_shared(), places), is_different.tolist(), strict=True)
    return ReasonedPairs(places, [reason if is_apart else "series" for reason, is_apart in reasons])


def read_column(collection: Collection, name: str | None) -> list[Any] | None:
    """The value of a column for each document, ``None`` where there is none; no list at all if no column is named."""
    if name is None:
        return None
    return [collection.metadata(document).get(name) for document in range(len(collection))]
