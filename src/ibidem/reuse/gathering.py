"""From pairs of passages to passages, clusters and tables."""

import dataclasses
from typing import Any

from ibidem.alignment.ignored import IgnoredTexts
from ibidem.reuse.clusters import cluster_passages
from ibidem.reuse.collection import Collection
from ibidem.reuse.direction import find_likely_sources, parse_dates
from ibidem.reuse.families import find_families
from ibidem.reuse.outputs.earlier import EarlierRun, FoundPairs
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.outputs.tables import ReuseFindings, make_tables
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.passages import gather_passages
from ibidem.reuse.question import Question
from ibidem.reuse.quotation_pairs import select_new
from ibidem.reuse.series import find_different
from ibidem.reuse.shared_text import pair_places, place_in_counted
from ibidem.reuse.windows import FoundBoxes
from ibidem.store.files.columns import release_pages
from ibidem.text import make_tokenizer


def gather_reuse(
    collection: Collection,
    question: Question,
    boxes: FoundBoxes,
    found_pairs: FoundPairs,
    quotations: Pairs,
    threads: int,
    *,
    apart: bool,
) -> Reuse:
    """The tables of the passages, clusters and likely sources that follow from the pairs and the quotations.

    The result also holds what a later run needs for an update, unless two collections were kept ``apart``.
    """
    release_pages(collection.tokens)  # all were read, few will be again
    new_quotations = quotations.take(select_new(quotations, found_pairs.pairs))
    findings = _gather_findings(collection, question, found_pairs.add(new_quotations))
    tables = make_tables(collection, findings, boxes, question, threads)
    run = None if apart else EarlierRun.of(question.describe(), collection, boxes.bands, found_pairs)
    return dataclasses.replace(tables, run=run, collection=collection)


def _gather_findings(collection: Collection, question: Question, found_pairs: FoundPairs) -> ReuseFindings:
    """The passages, clusters and likely sources of the pairs, and the pairs that are left out."""
    pairs = found_pairs.pairs
    passages = gather_passages(pairs)
    clusters = cluster_passages(collection, pairs, passages)
    families = find_families(collection, set(clusters.names), within=question.within)
    counted_pairs = place_in_counted(collection, pairs)
    places = pair_places(collection, question, families, counted_pairs)
    is_different = find_different(places.documents, read_column(collection, question.series))
    dates = None
    if question.date is not None:
        dates = parse_dates(read_column(collection, question.date) or [], collection.ids, question.date)
    return ReuseFindings(
        pairs=Pairs.join([counted_pairs, places.take(is_different)]),
        passages=passages,
        clusters=clusters,
        families=families,
        dates=dates,
        sources=None if dates is None else find_likely_sources(pairs, passages, clusters.of, dates),
        shared_in_series=places.take(~is_different),
        same_series=found_pairs.same_series,
        ignored=IgnoredTexts(question.ignore, make_tokenizer(question.tokenizer)) if question.ignore else None,
    )


def read_column(collection: Collection, name: str | None) -> list[Any] | None:
    """The value of a column for each document, ``None`` where there is none; no list at all if no column is named."""
    if name is None:
        return None
    return [collection.metadata(document).get(name) for document in range(len(collection))]
