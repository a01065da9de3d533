"""How long does a search take, and what does it find?

    python benchmarks/search_index.py [--quick] [--csv FILE] [--indexes DIR]

Queries are 100 words from a random place of a random novel, a quarter of them replaced by random words of other
novels, which leaves a similarity of about 75 / 125 = 0.6 to the place they come from. The indexes (multisets, passages
of 32 to 1024 tokens: the exact one, and k-mins with 16 functions) are warm: every query was asked before. Wall times of
one query at a time, a search itself using all cores; the round with the best median of three is shown, and the median
over all rounds. The exact index is asked by other measures, too: by sets, and by weights that grow with the logarithm
of frequencies and with rarity. What it counts once, when it is first asked for a measure, is in *first ms* of the first
threshold, beside the loading of kernels.

Columns: a query *reaches* the threshold if the place that it was cut from does by multisets, and is *found* if a
reported passage of that document overlaps that place; *regions kept* is the share of the matches of the exact index
that the other reports too; *of exact* is how many times as long it takes, by multisets.
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
SCHEMES = {"exact": None, "minhash": 16}
MEASURES: dict[str, dict[str, Any]] = {
    "multisets": {},
    "sets": {"family": "set"},
    "logarithmic, smooth": {"tf": "logarithmic", "idf": "smooth"},
}
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


class Asking(NamedTuple):
    """An index, and what a search of it chooses."""

    searched: PassageIndex
    measure: dict[str, Any]


class Round(NamedTuple):
    """One pass over all queries: seconds float64 [queries], and what was found for each."""

    seconds: npt.NDArray[np.float64]
    matches: list[list[Match]]


def asked(asking: Asking, queries: list[Query], threshold: float) -> Round:
    seconds, matches = np.empty(len(queries)), []
    for number, query in enumerate(queries):
        start = time.perf_counter()
        matches.append(asking.searched.search(query.text, threshold=threshold, **asking.measure))
        seconds[number] = time.perf_counter() - start
    return Round(seconds, matches)


def places(found: Round) -> set[tuple[int, Place]]:
    return {(query, (m.document, m.start, m.end)) for query, each in enumerate(found.matches) for m in each}


def is_found(query: Query, matches: list[Match]) -> bool:
    return any(m.document == query.document and m.start < query.end and query.start < m.end for m in matches)


def row(queries: list[Query], threshold: float, rounds: list[Round], complete: list[Round] | None) -> Row:
    best = min(rounds, key=lambda one: float(np.median(one.seconds)))
    p50, p90, p99 = (f"{1e3 * value:.1f}" for value in np.quantile(best.seconds, [0.5, 0.9, 0.99]))
    reaching = [number for number, query in enumerate(queries) if query.similarity >= threshold]
    kept = times = ""
    if complete is not None:
        truth = min(complete, key=lambda one: float(np.median(one.seconds)))
        wanted = places(truth)
        kept = f"{len(places(best) & wanted) / len(wanted):.4f}" if wanted else ""
        times = f"{np.median(best.seconds) / np.median(truth.seconds):.1f}"
    return {
        "median ms": p50,
        "p90 ms": p90,
        "p99 ms": p99,
        "max ms": f"{1e3 * best.seconds.max():.1f}",
        "median of rounds ms": f"{1e3 * np.median([each.seconds for each in rounds]):.1f}",
        "reaching": len(reaching),
        "found": sum(is_found(queries[number], best.matches[number]) for number in reaching),
        "matches": sum(map(len, best.matches)),
        "regions kept": kept,
        "of exact": times,
    }


def measure(askings: dict[tuple[str, str], Asking], queries: list[Query], threshold: float, repeats: int) -> list[Row]:
    rows: list[Row] = []
    complete: list[Round] = []
    for (scheme, name), asking in askings.items():
        first = asked(asking, queries[:1], threshold).seconds[0]
        asked(asking, queries, threshold)
        rounds = [asked(asking, queries, threshold) for _ in range(repeats)]
        complete = complete or rounds
        columns = {"threshold": threshold, "scheme": scheme, "measure": name, "queries": len(queries)}
        compared = row(queries, threshold, rounds, complete if name == "multisets" else None)
        rows.append(columns | compared | {"first ms": f"{1e3 * first:.1f}"})
    return rows


def index_of(folder: Path, scheme: str, k: int | None, quick: bool) -> PassageIndex:
    if (folder / "manifest.json").exists():
        return PassageIndex.open(folder)
    source = documents(quick) if quick else read(data_file(NOVELS))
    return PassageIndex.build(folder, source, scheme=scheme, num_hashes=k, min_length=32, max_length=1024)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--indexes", type=Path, help="a folder of indexes of the novels, made if there are none")
    options = report.options()
    source = Source(documents(options.quick), seed=5)
    queries = [source.query() for _ in range(5 if options.quick else 200)]
    warnings.filterwarnings("ignore", "passages similar to this query")  # a hundred words are enough at these lengths
    rounds = 1 if options.quick else 3
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.indexes or Path(temporary)
        indexes = {scheme: index_of(folder / scheme, scheme, k, options.quick) for scheme, k in SCHEMES.items()}
        askings = {("exact", name): Asking(indexes["exact"], choices) for name, choices in MEASURES.items()}
        askings["minhash", "multisets"] = Asking(indexes["minhash"], {})
        rows = [row for threshold in THRESHOLDS for row in measure(askings, queries, threshold, rounds)]
    report.finish(rows)


if __name__ == "__main__":
    main()
