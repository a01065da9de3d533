"""How long does a search take, and what does it find?

    python benchmarks/search_index.py [--quick] [--csv FILE] [--index DIR]

Queries are 100 words from a random place of a random novel, a quarter of them replaced by random words of other
novels, which leaves a similarity of about 75 / 125 = 0.6 to the place they come from. The index (multisets, 16
functions, passages of 32 to 1024 tokens) is warm: every query was asked before. Wall times of one query at a time, a
search itself using all cores; the round with the best median of three is shown, and the median over all rounds.

The rival is the same search with recall 1, which leaves the posting lists aside and looks at every token of the
collection; what it finds, the other must find. Columns: a query *reaches* the threshold if the place that it was cut
from does, and is *found* if a reported passage of that document overlaps that place; *regions kept* is the share of the
matches of recall 1 that the other reports too.
"""

import random
import tempfile
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from collections_of_text import NOVELS, data_file, documents
from report import Report, Row

from ibidem import Match, PassageIndex, jaccard
from ibidem.corpus import read
from ibidem.text import Texts, tokenizer

WORDS = 100
REPLACED = 25
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)
RECALLS = (0.99, 1.0)
Place = tuple[str, int, int]


class Query(NamedTuple):
    text: str
    document: str
    start: int
    end: int
    similarity: float


class Source:
    """Draws queries from documents."""

    def __init__(self, texts: list[tuple[str, str]], seed: int) -> None:
        self.random = random.Random(seed)
        self.texts = texts
        self.tokens = tokenizer("words").encode(Texts.from_strings([text for _, text in texts]), offsets=True)

    def words(self, document: int, count: int) -> npt.NDArray[np.int64]:
        """Starts and ends of some words in a row, at a random place, int64 [count, 2]."""
        first, stop = self.tokens.bounds[document : document + 2].tolist()
        place = self.random.randrange(first, stop - count + 1)
        assert self.tokens.starts is not None
        assert self.tokens.ends is not None
        ends = self.tokens.ends[place : place + count]
        return np.stack((self.tokens.starts[place : place + count], ends), axis=1).astype(np.int64)

    def query(self) -> Query:
        document = self.random.randrange(len(self.texts))
        name, text = self.texts[document]
        place = self.words(document, WORDS).tolist()
        original = [text[start:end] for start, end in place]
        words = list(original)
        for i in self.random.sample(range(WORDS), REPLACED):
            other = (document + self.random.randrange(1, len(self.texts))) % len(self.texts)
            [[start, end]] = self.words(other, 1).tolist()
            words[i] = self.texts[other][1][start:end]
        similarity = jaccard(_folded(words), _folded(original), "multiset")
        return Query(" ".join(words), name, place[0][0], place[-1][1], similarity)


def _folded(words: Iterable[str]) -> list[str]:
    return [word.casefold() for word in words]


class Round(NamedTuple):
    """One pass over all queries: seconds float64 [queries], and what was found for each."""

    seconds: npt.NDArray[np.float64]
    matches: list[list[Match]]


def asked(index: PassageIndex, queries: list[Query], threshold: float, recall: float) -> Round:
    seconds, matches = np.empty(len(queries)), []
    for number, query in enumerate(queries):
        start = time.perf_counter()
        matches.append(index.search(query.text, threshold=threshold, recall=recall))
        seconds[number] = time.perf_counter() - start
    return Round(seconds, matches)


def places(found: Round) -> set[tuple[int, Place]]:
    return {(query, (m.document, m.start, m.end)) for query, each in enumerate(found.matches) for m in each}


def is_found(query: Query, matches: list[Match]) -> bool:
    return any(m.document == query.document and m.start < query.end and query.start < m.end for m in matches)


def row(queries: list[Query], threshold: float, recall: float, rounds: list[Round], complete: list[Round]) -> Row:
    best, truth = (min(each, key=lambda one: float(np.median(one.seconds))) for each in (rounds, complete))
    p50, p90, p99 = (f"{1e3 * value:.1f}" for value in np.quantile(best.seconds, [0.5, 0.9, 0.99]))
    reaching = [number for number, query in enumerate(queries) if query.similarity >= threshold]
    found = sum(is_found(queries[number], best.matches[number]) for number in reaching)
    wanted = places(truth)
    kept = f"{len(places(best) & wanted) / len(wanted):.4f}" if wanted else ""
    return {
        "threshold": threshold,
        "recall": recall,
        "queries": len(queries),
        "median ms": p50,
        "p90 ms": p90,
        "p99 ms": p99,
        "max ms": f"{1e3 * best.seconds.max():.1f}",
        "median of rounds ms": f"{1e3 * np.median([each.seconds for each in rounds]):.1f}",
        "reaching": len(reaching),
        "found": found,
        "matches": sum(map(len, best.matches)),
        "regions kept": kept,
        "of recall 1": f"{np.median(truth.seconds) / np.median(best.seconds):.1f}",
    }


def measure(index: PassageIndex, queries: list[Query], threshold: float, repeats: int) -> list[Row]:
    for recall in RECALLS:
        asked(index, queries, threshold, recall)
    rounds: dict[float, list[Round]] = {recall: [] for recall in RECALLS}
    for _ in range(repeats):
        for recall in RECALLS:
            rounds[recall].append(asked(index, queries, threshold, recall))
    return [row(queries, threshold, recall, rounds[recall], rounds[1.0]) for recall in RECALLS]


def index_of(folder: Path, quick: bool) -> PassageIndex:
    if (folder / "manifest.json").exists():
        return PassageIndex.open(folder)
    source = documents(quick) if quick else read(data_file(NOVELS))
    return PassageIndex.build(folder, source, k=16, min_length=32, max_length=1024)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--index", type=Path, help="an index of the novels to use, or to make if there is none")
    options = report.options()
    source = Source(documents(options.quick), seed=5)
    queries = [source.query() for _ in range(5 if options.quick else 200)]
    warnings.filterwarnings("ignore", "passages similar to this query")  # a hundred words are enough at these lengths
    rounds = 1 if options.quick else 3
    with (
        tempfile.TemporaryDirectory() as folder,
        index_of(options.index or Path(folder) / "index", options.quick) as index,
    ):
        rows = [row for threshold in THRESHOLDS for row in measure(index, queries, threshold, rounds)]
    report.finish(rows)


if __name__ == "__main__":
    main()
