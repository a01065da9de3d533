"""Are the near-duplicates found that people say there are?

    python benchmarks/near_duplicates.py [--quick] [--csv FILE]

Three questions, on the collections of the folder that IBIDEM_DATA names. ``article-extraction``: 181 web pages, each
as the text that 33 programs made of it; two texts of one page belong together. ``mccormick-2500``: 2,500 news articles
with 20 planted pairs. Both are cut in two halves, by page and by pair; shingle and threshold are those that are best on
the first half, and are reported on the second. A pair is found if both are in one cluster. ``inserted``: documents of
2,000 words of the novels, each with one word put in front; a document is found if it is removed for its original.
"""

import gzip
import json
import random
import time
from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from collections_of_text import data_file, documents, generated
from report import Report

from ibidem import deduplicate

SHINGLES = ("words:2", "words:3", "words:5")
THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


class Half(NamedTuple):
    """Documents and the pairs of them that belong together."""

    documents: list[tuple[str, str]]
    pairs: set[tuple[str, str]]


class Score(NamedTuple):
    """How well the pairs of a half were found."""

    precision: float
    recall: float
    f1: float


def halved(groups: list[list[tuple[str, str]]]) -> list[Half]:
    """Two halves of groups of documents that belong together."""
    random.Random(1).shuffle(groups)
    return [
        Half(
            [document for group in half for document in group],
            {pair for group in half for pair in combinations(sorted(name for name, _ in group), 2)},
        )
        for half in (groups[0::2], groups[1::2])
    ]


def article_extraction() -> list[Half]:
    pages: dict[str, list[tuple[str, str]]] = {}
    with gzip.open(data_file("article-extraction"), "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            pages.setdefault(row["page"], []).append((f"{row['page']} {row['extractor']}", row["text"]))
    return halved(list(pages.values()))


def mccormick() -> list[Half]:
    with gzip.open(data_file("mccormick-2500"), "rt", encoding="utf-8") as lines:
        pairs, texts = json.loads(next(lines))["pairs"], {row["id"]: row["text"] for row in map(json.loads, lines)}
    paired = {name for pair in pairs for name in pair}
    groups = [[(name, texts[name]) for name in pair] for pair in pairs]
    return [
        Half(first.documents + second.documents, first.pairs)
        for first, second in zip(
            halved(groups), halved([[each] for each in texts.items() if each[0] not in paired]), strict=True
        )
    ]


def invented() -> list[Half]:
    """Groups of generated texts, for a quick run."""
    return halved([[(f"{name} {n}", f"{text} {n}") for n in range(3)] for name, text in generated(20, 60)])


def score(half: Half, shingle: str, threshold: float) -> Score:
    found = deduplicate(half.documents, shingle=shingle, threshold=threshold)
    clusters: dict[int, list[str]] = {}
    for name, label in zip(found.ids, found.clusters.tolist(), strict=True):
        clusters.setdefault(label, []).append(name)
    pairs = sum(len(members) * (len(members) - 1) // 2 for members in clusters.values())
    label_of = dict(zip(found.ids, found.clusters.tolist(), strict=True))
    right = sum(label_of[a] == label_of[b] for a, b in half.pairs)
    precision, recall = right / max(pairs, 1), right / max(len(half.pairs), 1)
    return Score(precision, recall, 2 * precision * recall / max(precision + recall, 1e-12))


def halves_row(name: str, halves: list[Half]) -> dict[str, object]:
    first, second = halves
    grid = list(product(SHINGLES, THRESHOLDS))
    shingle, threshold = max(grid, key=lambda choice: score(first, *choice).f1)
    start = time.perf_counter()
    reached = score(second, shingle, threshold)
    seconds = time.perf_counter() - start
    found = row(name, len(second.documents), len(second.pairs), f"{shingle} {threshold}", reached, seconds)
    print(found, flush=True)
    return found


def row(name: str, count: int, pairs: int, chosen: str, reached: Score, seconds: float) -> dict[str, object]:
    figures = dict(zip(("precision", "recall", "F1"), (f"{each:.4f}" for each in reached), strict=True))
    head = {"collection": name, "documents": count, "pairs": pairs, "shingle, threshold": chosen}
    return {**head, **figures, "seconds": f"{seconds:.2f}"}


def inserted(quick: bool) -> Iterator[dict[str, object]]:
    """Every document of 2,000 words, with its copy behind one more word."""
    words = (text.split() for _, text in documents(quick))
    texts = [" ".join(each[at : at + 2000]) for each in words for at in range(0, len(each) - 1999, 2000)]
    for threshold in (0.8, 0.9, 0.95, 0.99):
        start = time.perf_counter()
        given = [*enumerate(texts), *((-1 - at, f"Moreover {text}") for at, text in enumerate(texts))]
        found = deduplicate([(str(name), text) for name, text in given], threshold=threshold)
        seconds = time.perf_counter() - start
        copies = found.duplicate_of[len(texts) :]
        recall = float((copies < len(texts)).mean())
        right = (copies == np.arange(len(texts)))[copies < len(texts)].mean()
        reached = Score(float(right), recall, 2 * right * recall / (right + recall))
        yield row("inserted", len(given), len(texts), f"words:5 {threshold}", reached, seconds)


def main() -> None:
    report = Report(__doc__)
    quick = report.options().quick
    rows = [halves_row("invented", invented())] if quick else []
    if not quick:
        rows = [
            halves_row("article-extraction", article_extraction()),
            halves_row("mccormick-2500", mccormick()),
        ]
    report.finish([*rows, *inserted(quick)])


if __name__ == "__main__":
    main()
