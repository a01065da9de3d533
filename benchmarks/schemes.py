"""How does an index of sketches compare with one of passages, by collection and query?

    python benchmarks/schemes.py [--quick] [--csv FILE] [--sizes 1.4 14 140] [--schemes ...] [--folder DIR]

Collections are the novels, a tenth of them, and ten copies of them in which a tenth of the words is replaced by random
words of the novels. Each is indexed exactly, and by sketches (multisets, passages of 32 to 1024 tokens). A query is a
number of words from a random place of the collection, of which so many are replaced by words from elsewhere that it
keeps 0.05 more than the threshold in common with that place, and never more than half. The index is warm: every query
that takes less than a second was asked before.

Columns: seconds of the build, reading, tokens and texts included; bytes a token of postings and directory; medians and
90th percentiles of searches one by one, on all cores, those of sketches verified; *recall* is the share of the matches
of the exact index of which the other reports a part; *stopped* says how many queries were left out, since one of the
configuration took too long."""

import random
import tempfile
import time
import warnings
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from collections_of_text import NOVELS, documents, rows_of
from report import Report, Row

from ibidem import PassageIndex, SketchIndex
from ibidem.text import Texts, make_tokenizer

SCHEMES: dict[str, dict[str, Any]] = {
    "exact": {},
    "k-mins-16": {"sketch": "minhash", "num_hashes": 16},
    "k-mins-64": {"sketch": "minhash", "num_hashes": 64},
    "one-permutation-64": {"sketch": "oph", "num_hashes": 64},
}
"""The choices of each index."""

THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
LENGTHS = (50, 100, 300, 500, 1500)
LONGEST = 1.0
"""Seconds of a search after which no more queries of its kind are asked, if --longest gives no others."""


class Words:
    """The words of a collection, to draw from."""

    def __init__(self, texts: list[str]) -> None:
        self.random = random.Random(8)
        self.texts = texts
        self.tokens = make_tokenizer("words").encode(Texts.from_strings(texts), offsets=True)

    def word(self) -> str:
        return self.text_of(self.random.randrange(len(self.tokens.ids)), 1)[0]

    def text_of(self, first: int, count: int) -> list[str]:
        """``count`` words from position ``first`` on, of one document."""
        assert self.tokens.starts is not None
        assert self.tokens.ends is not None
        document = int(np.searchsorted(self.tokens.bounds, first, "right")) - 1
        last = min(first + count, int(self.tokens.bounds[document + 1]))
        text = self.texts[document]
        return [text[self.tokens.starts[i] : self.tokens.ends[i]] for i in range(first, last)]

    def query(self, length: int, threshold: float) -> str:
        words = self.text_of(self.random.randrange(len(self.tokens.ids) - 2 * length), length)
        similarity = min(1.0, threshold + 0.05)
        replaced = min(0.5, 1.0 - 2.0 * similarity / (1.0 + similarity))
        for i in self.random.sample(range(len(words)), int(replaced * len(words))):
            words[i] = self.word()
        return " ".join(words)


class Asked(NamedTuple):
    """The seconds of each query, and the places of its matches: document, start and end."""

    seconds: npt.NDArray[np.float64]
    places: list[list[tuple[str, int, int]]]


class Built(NamedTuple):
    index: PassageIndex | SketchIndex
    facts: Row


def varied(texts: list[tuple[str, str]], copies: int) -> Iterator[tuple[str, str]]:
    """The ``texts``, and copies of them with every tenth word replaced."""
    yield from texts
    words = [word for _, text in texts for word in text[:200_000].split()]
    for copy in range(1, copies):
        source = random.Random(copy)
        for name, text in texts:
            own = text.split(" ")
            for place in range(source.randrange(10), len(own), 10):
                own[place] = source.choice(words)
            yield f"{name}-{copy}", " ".join(own)


def asked(index: PassageIndex | SketchIndex, queries: list[str], threshold: float, longest: float) -> Asked:
    choices: dict[str, Any] = {"verify": True} if isinstance(index, SketchIndex) else {}
    seconds, places = [], []
    for query in queries:
        for _ in range(2):
            start = time.perf_counter()
            found = index.search(query, threshold=threshold, **choices)
            taken = time.perf_counter() - start
            if taken > longest:
                break
        places.append([(match.document, match.start, match.end) for match in found])
        seconds.append(taken)
        if taken > longest:
            break
    return Asked(np.array(seconds), places)


def count_reported(wanted: Asked, found: Asked, number: int) -> tuple[int, int]:
    """How many of the matches ``wanted`` of the first queries overlap one that was found, and how many there are."""
    overlapped = [
        any(document == other and start < last and first < end for other, first, last in reported)
        for matches, reported in zip(wanted.places[:number], found.places[:number], strict=True)
        for document, start, end in matches
    ]
    return sum(overlapped), len(overlapped)


def measure(
    indexes: dict[str, Built], queries: list[str], threshold: float, length: int, longest: float
) -> Iterator[Row]:
    answers = {name: asked(each.index, queries, threshold, longest) for name, each in indexes.items()}
    for name, answer in answers.items():
        complete = answers.get("exact", answer)
        reported, wanted = count_reported(complete, answer, min(len(answer.places), len(complete.places)))
        recall = f"{reported / wanted:.3f}" if wanted else ""
        p50, p90 = (f"{1e3 * value:.2f}" for value in np.quantile(answer.seconds, [0.5, 0.9]))
        yield {
            **indexes[name].facts,
            "threshold": threshold,
            "words": length,
            "queries": len(answer.seconds),
            "median ms": p50,
            "p90 ms": p90,
            "regions": sum(map(len, answer.places)),
            "recall": recall,
            "stopped": len(queries) - len(answer.seconds),
        }


def built(folder: Path, name: str, texts: list[tuple[str, str]], copies: int) -> Built:
    build: Any = SketchIndex.build if SCHEMES[name] else PassageIndex.build
    start = time.perf_counter()
    index = build(folder / name, varied(texts, copies), min_length=32, memory="4G", **SCHEMES[name])
    seconds = time.perf_counter() - start
    info = index.info()
    kept = (info["bytes"]["postings"] + info["bytes"]["directory"]) / info["tokens"]
    return Built(
        index,
        {
            "million tokens": f"{info['tokens'] / 1e6:.1f}",
            "index": name,
            "build s": f"{seconds:.1f}",
            "bytes a token": f"{kept:.2f}",
        },
    )


def collections(quick: bool, sizes: list[float]) -> Iterator[tuple[list[tuple[str, str]], int]]:
    if quick:
        yield documents(True), 2
        return
    novels = [(row["id"], row["text"]) for row in rows_of(NOVELS)]
    for size in sizes:
        yield (novels[:10], 1) if size < 14 else (novels, max(1, round(size / 14)))


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--sizes", type=float, nargs="+", default=[1.4, 14, 140], help="million tokens")
    report.parser.add_argument("--folder", type=Path, help="where the indexes are made, instead of a temporary folder")
    report.parser.add_argument("--schemes", nargs="+", choices=list(SCHEMES), default=list(SCHEMES))
    report.parser.add_argument("--thresholds", type=float, nargs="+", default=THRESHOLDS)
    report.parser.add_argument("--longest", type=float, default=LONGEST, help="seconds of a search (1)")
    report.parser.add_argument("--words", type=int, nargs="+", default=LENGTHS, help="lengths of queries")
    options = report.options()
    thresholds, lengths = ((0.5,), (50, 300)) if options.quick else (options.thresholds, options.words)
    warnings.filterwarnings("ignore", "passages similar to this query")
    rows: list[Row] = []
    number = 2 if options.quick else 10
    for texts, copies in collections(options.quick, options.sizes):
        words = Words([text for _, text in texts])
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            indexes = {}
            for name in options.schemes:
                indexes[name] = built(Path(folder), name, texts, copies)
            for threshold, length in product(thresholds, lengths):
                queries = [words.query(length, threshold) for _ in range(number)]
                rows += measure(indexes, queries, threshold, length, options.longest)
            for made in indexes.values():
                made.index.close()
    report.finish(rows)


if __name__ == "__main__":
    main()
