"""How long does a search take, and what does it find?

    python benchmarks/search_index.py [--quick] [--csv FILE] [--indexes DIR]

Queries are 100 words from a random place of a random novel, a quarter of them replaced by random words of other
novels, which leaves a similarity of about 75 / 125 = 0.6 to the place they come from. The index (multisets, passages of
32 to 1024 tokens) is warm: every query was asked before. Wall times of one query at a time, a search itself using all
cores; the round with the best median of three is shown, and the median over all rounds. It is asked by other measures,
too: by sets, and by weights that grow with the logarithm of frequencies and with rarity. What it counts once, when it
is first asked for a measure, is in *first ms* of the first threshold, beside the loading of kernels.

Columns: a query *reaches* the threshold if the place that it was cut from does by multisets, and is *found* if a
reported passage of that document overlaps that place.
"""

import random
import tempfile
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from collections_of_text import NOVELS, data_file, documents
from report import Report, Row

from ibidem import Match, PassageIndex, jaccard
from ibidem.corpus import read
from ibidem.text import Texts, make_tokenizer

WORDS = 100
REPLACED = 25
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)
MEASURES: dict[str, dict[str, Any]] = {
    "multisets": {},
    "sets": {"family": "set"},
    "logarithmic, smooth": {"tf": "logarithmic", "idf": "smooth"},
}


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
        self.tokens = make_tokenizer("words").encode(Texts.from_strings([text for _, text in texts]), offsets=True)

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


def asked(index: PassageIndex, choices: dict[str, Any], queries: list[Query], threshold: float) -> Round:
    seconds, matches = np.empty(len(queries)), []
    for number, query in enumerate(queries):
        start = time.perf_counter()
        matches.append(index.search(query.text, threshold=threshold, **choices))
        seconds[number] = time.perf_counter() - start
    return Round(seconds, matches)


def is_found(query: Query, matches: list[Match]) -> bool:
    return any(m.document == query.document and m.start < query.end and query.start < m.end for m in matches)


def row(queries: list[Query], threshold: float, rounds: list[Round]) -> Row:
    best = min(rounds, key=lambda one: float(np.median(one.seconds)))
    p50, p90, p99 = (f"{1e3 * value:.1f}" for value in np.quantile(best.seconds, [0.5, 0.9, 0.99]))
    reaching = [number for number, query in enumerate(queries) if query.similarity >= threshold]
    return {
        "median ms": p50,
        "p90 ms": p90,
        "p99 ms": p99,
        "max ms": f"{1e3 * best.seconds.max():.1f}",
        "median of rounds ms": f"{1e3 * np.median([each.seconds for each in rounds]):.1f}",
        "reaching": len(reaching),
        "found": sum(is_found(queries[number], best.matches[number]) for number in reaching),
        "matches": sum(map(len, best.matches)),
    }


def measure(index: PassageIndex, queries: list[Query], threshold: float, repeats: int) -> list[Row]:
    rows: list[Row] = []
    for name, choices in MEASURES.items():
        first = asked(index, choices, queries[:1], threshold).seconds[0]
        asked(index, choices, queries, threshold)
        rounds = [asked(index, choices, queries, threshold) for _ in range(repeats)]
        columns = {"threshold": threshold, "measure": name, "queries": len(queries)}
        rows.append(columns | row(queries, threshold, rounds) | {"first ms": f"{1e3 * first:.1f}"})
    return rows


def index_of(folder: Path, quick: bool) -> PassageIndex:
    if (folder / "manifest.json").exists():
        return PassageIndex.open(folder)
    source = documents(quick) if quick else read(data_file(NOVELS))
    return PassageIndex.build(folder, source, min_length=32, max_length=1024)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--indexes", type=Path, help="a folder for the index of the novels, made if it has none")
    options = report.options()
    source = Source(documents(options.quick), seed=5)
    queries = [source.query() for _ in range(5 if options.quick else 200)]
    warnings.filterwarnings("ignore", "passages similar to this query")  # a hundred words are enough at these lengths
    rounds = 1 if options.quick else 3
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.indexes or Path(temporary)
        index = index_of(folder / "index", options.quick)
        rows = [row for threshold in THRESHOLDS for row in measure(index, queries, threshold, rounds)]
    report.finish(rows)


if __name__ == "__main__":
    main()
