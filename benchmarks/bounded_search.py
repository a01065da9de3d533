"""No search takes more than 10 s or 1 GB that did not ask for it: queries that are similar to very much, one by one.

    python benchmarks/bounded_search.py [--corpus NAME] [--family NAME] [--length N] [--threshold T]

The collections are a hundred novels; documents that are made to cost: one word again and again, and two words in
turn, a million of each; and two by which no constant was chosen: four Chinese novels by characters, and Indonesian
texts with plagiarism. Queries of 100 to 100,000 words or characters of them are asked at thresholds of 0.1 to 0.9.
Families are those of multisets, of sets, and weights by logarithmic frequency and
rarity. Seconds are processor time of all threads; memory is what a search adds to the anonymous memory of
the process. The row of a search says at which threshold it was done in the end, and whether it was done in a part of
the collection alone. Those with the most seconds come first. Rows are told as they are measured, too.
"""

import random
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from collections_of_text import generated, rows_of
from memory import read_memory
from report import Report

from ibidem import PassageIndex

CORPORA = {"novels": "novels-en", "poison": "", "chinese": "classics-zh", "indonesian": "plagiarism-id"}
"""The file of each collection."""
FAMILIES: dict[str, dict[str, Any]] = {
    "multiset": {},
    "set": {"family": "set"},
    "tf-idf": {"family": "weighted", "tf": "logarithmic", "idf": "smooth"},
}
THRESHOLDS = (0.1, 0.3, 0.5, 0.7, 0.9)
LENGTHS = (100, 1000, 10_000, 100_000)
Texts = list[tuple[str, str]]


class Corpus(NamedTuple):
    """What is indexed, and the texts that queries are cut from, by words or by characters."""

    texts: Texts
    asked: Texts
    tokenizer: str = "words"


def make_poison(words: int) -> Texts:
    filler = " ".join(f"w{number % 5000}" for number in range(words // 50))
    return [("one word", "again " * words), ("two words", "to and " * (words // 2)), ("filler", filler)]


def make_corpus(name: str, quick: bool) -> Corpus:
    if name == "poison":
        texts = make_poison(5_000 if quick else 1_000_000)
        return Corpus(texts, texts[:2])
    texts = generated(3, 3000) if quick else [(row["id"], row["text"]) for row in rows_of(CORPORA[name])]
    if name == "indonesian":  # the longest text has half of the words of the longest query
        return Corpus(texts, [("all", " ".join(text for _, text in texts))])
    return Corpus(texts, texts[:1], "characters" if name == "chinese" else "words")


@contextmanager
def watch_memory() -> Iterator[Callable[[], int]]:
    """What the block adds to the anonymous memory of this process at most."""
    before, peak, over = read_memory("self")["RssAnon"], 0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not over.wait(0.005):
            peak = max(peak, read_memory("self")["RssAnon"])

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield lambda: max(0, peak - before)
    finally:
        over.set()
        watcher.join()


def queries(corpus: Corpus, lengths: Sequence[int]) -> Iterator[tuple[str, int, str]]:
    for name, text in corpus.asked:
        tokens, between = (list(text), "") if corpus.tokenizer == "characters" else (text.split(), " ")
        for length in lengths:
            first = random.Random(4).randrange(max(1, len(tokens) - length))  # the same with any other lengths
            yield name, length, between.join(tokens[first : first + length])


def search(index: PassageIndex, query: str, threshold: float) -> dict[str, object]:
    with warnings.catch_warnings(), watch_memory() as added:
        warnings.simplefilter("ignore")
        start, wall = time.process_time(), time.perf_counter()
        found, statistics = index.explain(query, threshold=threshold)
        seconds, waited = time.process_time() - start, time.perf_counter() - wall
    return {
        "threshold": threshold,
        "searched at": statistics.threshold,
        "pieces left": statistics.pieces_left,
        "in part": "yes" if statistics.cut else "no",
        "CPU s": f"{seconds:.2f}",
        "wall s": f"{waited:.2f}",
        "MB": f"{added() / 1e6:.0f}",
        "matches": len(found),
    }


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--corpus", choices=CORPORA, action="append", help="novels and poison if not given")
    report.parser.add_argument("--family", choices=FAMILIES, action="append", help="multiset if not given")
    report.parser.add_argument("--length", type=int, action="append", help="words of a query")
    report.parser.add_argument("--threshold", type=float, action="append")
    report.parser.add_argument("--keep", type=Path, help="keep the indexes in this folder, or take them from there")
    options = report.options()
    lengths = options.length or (LENGTHS[:2] if options.quick else LENGTHS)
    thresholds = options.threshold or (THRESHOLDS[::2] if options.quick else THRESHOLDS)
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as place:
        for name in options.corpus or ("novels", "poison"):
            corpus = make_corpus(name, options.quick)
            for family in options.family or ("multiset",):
                folder = options.keep or Path(place)
                index = open_index(folder, name, corpus, family)
                for row in measure(index, corpus, lengths, thresholds):
                    row = {"index": name, "family": family} | row
                    print(*row.values(), sep=", ", file=sys.stderr, flush=True)
                    rows.append(row)
                index.close()
    report.finish(sorted(rows, key=lambda row: -float(str(row["CPU s"]))))


def open_index(folder: Path, name: str, corpus: Corpus, family: str) -> PassageIndex:
    path = folder / f"{name}-{family}"
    if not path.exists():
        PassageIndex.build(path, corpus.texts, tokenizer=corpus.tokenizer, **FAMILIES[family]).close()
    return PassageIndex.open(path)


def measure(
    index: PassageIndex, corpus: Corpus, lengths: Sequence[int], thresholds: Sequence[float]
) -> Iterator[dict[str, object]]:
    index.explain(corpus.texts[-1][1][:400])  # kernels, pages, and what is counted once
    for name, length, query in queries(corpus, lengths):
        for threshold in thresholds:
            yield {"query": f"{length} of {name[:9]}"} | search(index, query, threshold)


if __name__ == "__main__":
    main()
