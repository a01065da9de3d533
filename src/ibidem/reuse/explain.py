"""Explanations of why a pair of documents was found or not, by the result of each step of the search."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.alignment.selection import overlaps
from ibidem.engine import Here
from ibidem.errors import CorpusError
from ibidem.kernels import kernel
from ibidem.ragged import bounds_of
from ibidem.resources import Resources
from ibidem.reuse.bands import rate_tokens
from ibidem.reuse.boxes import PairBoxes
from ibidem.reuse.collection import Collection, Comparable, SubtractedText
from ibidem.reuse.documents import DocumentPart, read_documents
from ibidem.reuse.evident import require_evidence
from ibidem.reuse.families import find_families
from ibidem.reuse.gathering import read_column
from ibidem.reuse.pairs import Pairs, align_boxes
from ibidem.reuse.prepared_collection import prepare_collection
from ibidem.reuse.question import Question
from ibidem.reuse.series import find_different, leave_series_out
from ibidem.reuse.shared_text import pair_places, place_in_counted
from ibidem.reuse.steps import open_documents
from ibidem.reuse.windows import find_boxes, plan_bands
from ibidem.rounding import reaches
from ibidem.text import make_tokenizer

NO_WINDOWS = "no similar windows"
"""The reason why a search of the collection misses passages that an alignment of two documents finds: no two of their
windows are similar enough to be compared. This happens to a few summaries, and to passages that were much rewritten."""

_MOST_STEPS = 2_000_000_000
"""Pairs of a start and a token that the search for the best windows looks at: some seconds. Of longer documents, every
n-th start in the first is looked at."""

_MOST_PLACES = 400_000_000
"""Pairs of tokens of two documents, at most, that are aligned by themselves, without the windows of a run."""

_STEPS_AT_A_TIME = 100_000_000
"""So many are done between two messages about the progress; an interrupt waits no longer."""


def explain_pair(
    documents: Sequence[DocumentPart],
    question: Question,
    pair: tuple[str, str],
    folder: Path,
    resources: Resources,
    *,
    apart: bool = False,
) -> dict[str, Any]:
    """Explain the search for two documents, by their ids: what a run over the whole collection reports for them.

    The whole collection is read, since the weights of words and frequent text depend on it. If the two documents have
    similar windows, those of the collection are joined, too: text in many places may be left out.

    Raises:
        CorpusError: no document has an id.
    """
    engine = Here(resources)
    tokenizer = make_tokenizer(question.tokenizer)
    read = engine.map("reading", partial(read_documents, tokenizer), documents, folder / "read")
    prepare = partial(prepare_collection, question, apart, None)
    [prepared] = engine.map("preparing", prepare, [read], folder / "prepared")
    return _explain(open_documents(read, prepared), question, pair, folder, resources, apart=apart)


def _explain(
    collection: Collection,
    question: Question,
    pair: tuple[str, str],
    folder: Path,
    resources: Resources,
    *,
    apart: bool,
) -> dict[str, Any]:
    """Explain the search for two documents of a collection."""
    a, b = sorted(_find_row(collection, name) for name in pair)
    row_a, row_b = sorted((a, b), key=lambda row: int(collection.side[row]))
    facts: dict[str, Any] = {"a": collection.ids[row_a], "b": collection.ids[row_b]}
    if apart and collection.side[a] == collection.side[b] and a != b:
        return facts | {"verdict": "both are on the same side of --against, so they are not compared"}
    if a == b and not question.within:
        return facts | {"verdict": "a document is compared with itself only if asked (--within)"}
    if min(collection.lengths[[a, b]]) == 0:
        return facts | {"verdict": "a document has no token"}
    boxes, window_facts = _find_windows(collection, question, (a, b), folder, resources)
    alignable_boxes, same_series = leave_series_out(boxes, read_column(collection, question.series))
    pairs = align_boxes(collection, alignable_boxes, question.rule, resources, exact=question.recall >= 1)
    is_aligned = a != b and int(collection.lengths[a]) * int(collection.lengths[b]) <= _MOST_PLACES
    missed = _count_missed(collection, question, (a, b), pairs, resources) if is_aligned else 0
    reasons: list[str | None] = [
        *[None] * len(pairs.evidence),
        *_explain_frequent(collection, question, (a, b), pairs),
        *["series"] * len(same_series.boxes),
        *["ignored"] * _count_ignored(collection.subtracted, a, b),
        *["crowded" if window_facts["crowded"] else NO_WINDOWS] * missed,
    ]
    left_out = [reason for reason in reasons if reason is not None]
    facts |= window_facts | {"pairs": len(reasons) - len(left_out), "left_out": left_out, "aligned": is_aligned}
    return facts | {"verdict": _judge(facts, question)}


def _count_missed(
    collection: Collection, question: Question, pair: tuple[int, int], pairs: Pairs, resources: Resources
) -> int:
    """Count the pairs that an alignment of two documents alone finds besides ``pairs``."""
    pair_without_boxes = PairBoxes(np.array([pair]), np.zeros(2, np.int64), np.empty((0, 4), np.int64))
    alignable_boxes, _ = leave_series_out(pair_without_boxes, read_column(collection, question.series))
    direct_pairs = align_boxes(collection, alignable_boxes, question.rule, resources, exact=True)
    return sum(
        not overlaps(box, pairs.ranges[pairs.summary == is_summary]).any()
        for box, is_summary in zip(direct_pairs.ranges, direct_pairs.summary, strict=True)
    )


def _count_ignored(subtracted: SubtractedText, a: int, b: int) -> int:
    """Return how many passages of two documents are similar to one place of a text to ignore."""
    ranges = subtracted.ignored
    documents = np.searchsorted(subtracted.bounds, ranges[:, 0], side="right") - 1
    ranges_a, ranges_b = ranges[documents == a, 2:], ranges[documents == b, 2:]
    if a == b:
        return max(0, len(ranges_a) - 1)
    is_shared = (
        (ranges_a[:, None, 0] == ranges_b[:, 0])
        & (ranges_a[:, None, 1] < ranges_b[:, 2])
        & (ranges_b[:, 1] < ranges_a[:, None, 2])
    )
    return int(is_shared.any(axis=1).sum())


def _explain_frequent(
    collection: Collection, question: Question, pair: tuple[int, int], pairs: Pairs
) -> Iterator[str | None]:
    """Yield why each frequent text that two documents share is in no pair besides ``pairs``, or ``None``."""
    families = find_families(collection, set(), within=question.within)
    places = pair_places(collection, question, families, place_in_counted(collection, pairs))
    is_different = find_different(places.documents, read_column(collection, question.series))
    for documents, is_paired in zip(places.documents.tolist(), is_different.tolist(), strict=True):
        if tuple(documents) == pair:
            yield None if is_paired else "series"
    for documents, reason in zip(families.pairs.documents.tolist(), families.reasons, strict=True):
        if tuple(documents) == pair and reason is not None:
            yield reason


def _judge(facts: dict[str, Any], question: Question) -> str:
    """Summarise the result in one sentence."""
    if facts["pairs"]:
        return "found"
    if "series" in facts["left_out"]:
        return "left out: the documents are of one series"
    if facts["left_out"]:
        hint = "; an alignment of these two finds it" if NO_WINDOWS in facts["left_out"] else ""
        return "left out: " + ", ".join(sorted(set(facts["left_out"]))) + hint
    if facts["seeds"]:
        return "not found: what is similar is too short, not similar enough as a whole, or no more than chance"
    if facts["crowded"]:
        return "not found: what is similar occurs in more places than pairs are made of"
    if facts["best_window_similarity"] >= question.join.promised:
        return "not found: no band found the windows that are similar"
    if reaches(facts["best_window_similarity"], question.join.threshold):
        return "not found: no band found the windows that are similar, or their places share no more than chance gives"
    return "not found: no two windows reach the threshold"


def _find_windows(
    collection: Collection, question: Question, pair: tuple[int, int], folder: Path, resources: Resources
) -> tuple[PairBoxes, dict[str, Any]]:
    """The boxes of two documents in a run over the whole collection, and facts about windows."""
    join, alone, last = question.join, _take_documents(collection, pair), int(pair[0] != pair[1])
    bands = plan_bands(collection, join)
    comparable = require_evidence(Comparable.of(alone, join.window, None, question.within), alone, join)
    similarity, *starts = find_best_windows(comparable, 0, last, resources)
    found_boxes = find_boxes(alone, comparable, join._replace(bands=bands), folder, resources).boxes
    boxes = pair_boxes = _select_pair(found_boxes, 0, last)
    if len(pair_boxes.boxes):
        sides = collection.side.astype(np.int32) if collection.side.any() else None
        whole = require_evidence(Comparable.of(collection, join.window, sides, question.within), collection, join)
        boxes = _select_pair(find_boxes(collection, whole, join, folder, resources).boxes, *pair)
    places = zip(pair, (0, last), starts, strict=True)
    facts: dict[str, Any] = {
        "window": join.window,
        "best_window_similarity": round(float(similarity), 4),
        "best_window_starts": [
            _find_start(collection, document, start - int(alone.bounds[row]))
            for document, row, start in sorted(places, key=lambda place: int(collection.side[place[0]]))
        ],
        "threshold": round(join.threshold, 4),
        "seeds": len(boxes.boxes),
        "crowded": len(pair_boxes.boxes) > 0 and not len(boxes.boxes),
    }
    similarity_by_rates = _compare_by_rates(comparable, *zip((0, last), starts, strict=True))
    facts["probability_to_agree"] = round(bands.recall(similarity_by_rates), 4)  # in a band
    return boxes, facts


def _take_documents(collection: Collection, pair: tuple[int, int]) -> Collection:
    """The collection of the documents of a pair alone, with the weights of all."""
    rows = np.unique(pair)
    tokens = [collection.tokens[collection.bounds[row] : collection.bounds[row + 1]] for row in rows.tolist()]
    bounds = bounds_of([len(each) for each in tokens])
    return collection.replace(tokens=np.concatenate(tokens), bounds=bounds, ranks=collection.ranks[rows])


def _compare_by_rates(comparable: Comparable, *starts: tuple[int, int]) -> float:
    """The similarity by rates of two windows, each given as its document and where it starts."""
    rates, window, bounds = rate_tokens(comparable.idf), comparable.window, comparable.bounds
    a, b = (
        np.unique(comparable.tokens[start : min(start + window, bounds[document + 1])]) for document, start in starts
    )
    union = float(rates[np.union1d(a, b)].sum())
    return min(1.0, float(rates[np.intersect1d(a, b)].sum()) / union) if union else 0.0


def _find_start(collection: Collection, document: int, token: int) -> int:
    """Return where a token of a document begins, in code points; 0 if no token is left."""
    starts, _ = collection.places(document)
    return int(starts[token]) if len(starts) else 0


def _find_row(collection: Collection, name: str) -> int:
    place = int(np.searchsorted(np.array(collection.ids, object), name)) if collection.ids else 0
    if place == len(collection.ids) or collection.ids[place] != name:
        raise CorpusError(f"no document has the id {name!r}")
    return place


def _select_pair(boxes: PairBoxes, a: int, b: int) -> PairBoxes:
    """The boxes of one pair of documents."""
    rows = np.flatnonzero((boxes.pairs == (a, b)).all(axis=1))
    if not len(rows):
        return PairBoxes(np.empty((0, 2), np.int64), np.zeros(1, np.int64), np.empty((0, 4), np.int64))
    first, last = boxes.bounds[rows[0]], boxes.bounds[rows[0] + 1]
    return PairBoxes(boxes.pairs[rows], np.array([0, last - first]), boxes.boxes[first:last])


def find_best_windows(comparable: Comparable, a: int, b: int, resources: Resources) -> tuple[float, int, int]:
    """The greatest similarity of a window of one document and one of another, and where they start, by all pairs.

    Of long documents, every n-th window of the first is compared with all of the other: so much work, and no more.
    """
    first, last = comparable.bounds[a : a + 2].tolist()
    length = max(1, int(comparable.bounds[b + 1] - comparable.bounds[b]))
    last = max(first + 1, last - comparable.window + 1)
    step = -(-(last - first) * length // _MOST_STEPS)
    stride = max(1, _STEPS_AT_A_TIME // length) * step
    best = (0.0, first, int(comparable.bounds[b]))
    for start in range(first, last, stride):
        better: tuple[float, int, int] = _find_best_windows(comparable, a, b, start, min(start + stride, last), step)
        best = max(best, better, key=lambda windows: windows[0])
        resources.tell("comparing windows", min(start + stride, last) - first, last - first)
    return best


@kernel
def _find_best_windows(
    comparable: Comparable, a: int, b: int, low: int, high: int, step: int
) -> tuple[float, int, int]:
    tokens, idf, bounds = comparable.tokens, comparable.idf, comparable.bounds
    size_a = min(comparable.window, bounds[a + 1] - bounds[a])
    size_b = min(comparable.window, bounds[b + 1] - bounds[b])
    stamps, counts = np.zeros(idf.shape[0], np.int64), np.zeros(idf.shape[0], np.int64)
    best, best_a, best_b = 0.0, bounds[a], bounds[b]
    for i in range(low, min(high, bounds[a + 1] - size_a + 1), step):
        weight = 0.0
        for p in range(i, i + size_a):
            if stamps[tokens[p]] == 0:
                stamps[tokens[p]] = 1
                weight += idf[tokens[p]]
        shared, other_weight = 0.0, 0.0
        begin = i + size_a if a == b else bounds[b]
        for p in range(begin, bounds[b + 1]):
            token = tokens[p]
            if counts[token] == 0:
                other_weight += idf[token]
                shared += idf[token] * stamps[token]
            counts[token] += 1
            if p - begin >= size_b - 1:
                union = weight + other_weight - shared
                if union > 0.0 and shared / union > best:
                    best, best_a, best_b = shared / union, i, p - size_b + 1
                token = tokens[p - size_b + 1]
                counts[token] -= 1
                if counts[token] == 0:
                    other_weight -= idf[token]
                    shared -= idf[token] * stamps[token]
        for p in range(begin, bounds[b + 1]):
            counts[tokens[p]] = 0
        for p in range(i, i + size_a):
            stamps[tokens[p]] = 0
    return best, best_a, best_b
