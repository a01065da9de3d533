"""How time, memory and disk grow with a collection, from a million words to billions.

    python benchmarks/growth.py [--quick] [--kind index|dedup|reuse] [--tokens N ...] [--folder FOLDER] [--csv FILE]

Texts are pages of 2,000 words, made of runs of five words of the novels in random order, so that words are as frequent
as in them. A page is made from its number alone, and any page can be made again. Every tenth page is that five pages
earlier with one word in 100 left out, but for --kind index.

- *index*: pages go through a pipe into ``ibidem index -`` and are stored nowhere else. Then 20 queries of 100 words of
  random pages are asked at 0.9, 0.7 and 0.5, with so many words replaced that the place that they come from is about as
  similar. *found* counts queries with a match that overlaps this place, of those whose place reaches the threshold.
- *dedup*, *reuse*: the command, on four compressed files. *found* counts copies that were removed, or whose pair of
  documents was reported.

``cpu s`` is the processor time of the command without what the pages took, ``exponent`` that of the growth of it since
the row before, ``allocated MB`` the memory of the process without the files that it maps, and ``disk MB`` the most that
it had written at a time, both looked at ten times a second.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from math import log
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow.parquet as pq
from collections_of_text import documents, word_tokens
from commands import IBIDEM, load_ahead, take
from isal import igzip
from report import Report, Row
from search_index import Query

import ibidem
from ibidem.corpus.records import read_records
from ibidem.corpus.writing.removed import find_removed

PAGE, RUN, FILES, QUERIES, WORDS = 2_000, 5, 4, 20, 100
COPIED_EVERY, BACK, LEFT_OUT_EVERY = 10, 5, 100
MEMORY = "2G"
REPLACED = {0.9: 4, 0.7: 16, 0.5: 31}
"""Words of a query that are replaced: the similarity of a place is then 96/104, 84/116 or 69/131, or a little less
where a word has several tokens."""


class Pages:
    """Makes the page of each number."""

    def __init__(self, quick: bool, copies: bool) -> None:
        self._copies = copies
        self._runs = [
            " ".join(words[first : first + RUN])
            for words in (text.split() for _, text in documents(quick))
            for first in range(0, len(words) - RUN, RUN)
        ]

    def page(self, number: int) -> str:
        if not self.is_copy(number):
            return self._original(number)
        words = self._original(number - BACK).split(" ")
        del words[number % LEFT_OUT_EVERY :: LEFT_OUT_EVERY]
        return " ".join(words)

    def is_copy(self, number: int) -> bool:
        return self._copies and number % COPIED_EVERY == COPIED_EVERY - 1

    def rows(self, count: int) -> Iterator[str]:
        """JSON lines of the first ``count`` pages."""
        for number in range(count):
            yield json.dumps({"id": str(number), "text": self.page(number)}) + "\n"

    def _original(self, number: int) -> str:
        chosen = np.random.default_rng(number).integers(len(self._runs), size=PAGE // RUN)
        return " ".join([self._runs[run] for run in chosen.tolist()])


def write_pages(count: int, quick: bool, report: Path) -> None:
    """Write pages to standard output, and the processor time that this took to a file."""
    for row in Pages(quick, copies=False).rows(count):
        sys.stdout.write(row)
    report.write_text(str(time.process_time()))


def run_index(folder: Path, count: int, quick: bool) -> Row:
    made, report = folder / "made", folder / "pages"
    source = f'"{sys.executable}" "{__file__}" --pages {count} --report "{report}"{" --quick" if quick else ""}'
    index = f'"{sys.executable}" -m ibidem.cli index - -o "{made}" --memory {MEMORY}'
    taken = take([["bash", "-o", "pipefail", "-c", f"{source} | {index}"]], [made])
    row = row_of(taken.seconds, taken.processor - float(report.read_text()), taken.allocated, taken.disk)
    bytes_of_index = sum(path.stat().st_size for path in made.rglob("*") if path.is_file())
    row["bytes a word"] = f"{bytes_of_index / count / PAGE:.2f}"
    with ibidem.PassageIndex.open(made) as opened:
        pages = Pages(quick, copies=False)
        for threshold in REPLACED:
            row |= search(opened, pages, count, threshold)
    return row


def search(index: ibidem.PassageIndex, pages: Pages, count: int, threshold: float) -> Row:
    """Ask all queries twice; the median time of the second round, and how many places were found."""
    source = random.Random(1)
    queries = [make_query(pages, source, source.randrange(count), threshold) for _ in range(QUERIES)]
    for query in queries:
        index.search(query.text, threshold=threshold)
    times, found = [], 0
    for query in queries:
        began = time.perf_counter()
        matches = index.search(query.text, threshold=threshold)
        times.append(time.perf_counter() - began)
        found += query.similarity >= threshold and any(
            match.document == query.document and match.start < query.end and query.start < match.end
            for match in matches
        )
    reaching = sum(query.similarity >= threshold for query in queries)
    return {f"search {threshold} ms": f"{1e3 * median(times):.1f}", f"found {threshold}": f"{found} of {reaching}"}


def make_query(pages: Pages, source: random.Random, number: int, threshold: float) -> Query:
    """Words of a page with some replaced."""
    words = pages.page(number).split(" ")
    first = source.randrange(len(words) - WORDS + 1)
    start = len(" ".join(words[:first])) + bool(first)
    query = words[first : first + WORDS]
    original = " ".join(query)
    for place in source.sample(range(WORDS), REPLACED[threshold]):
        query[place] = f"x{source.randrange(10**9)}"
    text = " ".join(query)
    similarity = ibidem.jaccard(*word_tokens([text, original]), family="multiset")
    return Query(text, str(number), start, start + len(original), similarity)


def run_dedup(folder: Path, count: int, quick: bool) -> Row:
    def count_removed(made: Path) -> int:
        return sum(1 for _ in read_records(str(find_removed(made))))

    return run_files(folder, count, quick, "dedup", count_removed)


def run_reuse(folder: Path, count: int, quick: bool) -> Row:
    def count_pairs(made: Path) -> int:
        pairs = pq.read_table(made / "document_pairs.parquet", columns=["a", "b"])
        numbers = ((int(a), int(b)) for a, b in zip(pairs["a"].to_pylist(), pairs["b"].to_pylist(), strict=True))
        return sum(abs(a - b) == BACK and max(a, b) % COPIED_EVERY == COPIED_EVERY - 1 for a, b in numbers)

    return run_files(folder, count, quick, "reuse", count_pairs)


def run_files(folder: Path, count: int, quick: bool, kind: str, count_found: Callable[[Path], int]) -> Row:
    pages, made, aside = Pages(quick, copies=True), folder / "made", folder / "aside"
    aside.mkdir()
    inputs = [folder / f"{number}.jsonl.gz" for number in range(FILES)]
    files = [igzip.open(path, "wt", compresslevel=1, encoding="utf-8") for path in inputs]
    for number, row in enumerate(pages.rows(count)):
        files[number * FILES // count].write(row)
    for file in files:
        file.close()
    partial = made.with_name(made.name + ".partial")
    command = [*IBIDEM, kind, *map(str, inputs), "-o", str(made), "--memory", MEMORY]
    taken = take([command], [made, partial, aside], {"TMPDIR": str(aside)})
    copies = sum(map(pages.is_copy, range(count)))
    found = count_found(made)
    row = row_of(taken.seconds, taken.processor, taken.allocated, taken.disk)
    return row | {"copies": copies, "found": found}


def row_of(seconds: float, processor: float, allocated: int, disk: int) -> Row:
    return {
        "seconds": f"{seconds:.1f}",
        "cpu s": f"{processor:.1f}",
        "allocated MB": allocated >> 20,
        "disk MB": disk >> 20,
    }


KINDS = {"index": run_index, "dedup": run_dedup, "reuse": run_reuse}


def measure(kind: str, sizes: list[int], parent: Path | None, quick: bool) -> list[Row]:
    rows: list[Row] = []
    for tokens in sizes:
        with tempfile.TemporaryDirectory(prefix="ibidem-", dir=parent) as folder:
            row = KINDS[kind](Path(folder), tokens // PAGE, quick)
        processor = float(str(row["cpu s"]))
        growth = ""
        before = float(str(rows[-1]["cpu s"])) if rows else 0.0
        if before > 0 < processor and tokens > int(str(rows[-1]["tokens"])):
            growth = f"{log(processor / before) / log(tokens / int(str(rows[-1]['tokens']))):.2f}"
        row = {"kind": kind, "tokens": tokens, **row}
        row["ns a word"], row["exponent"] = f"{1e9 * processor / tokens:.0f}", growth
        rows.append(row)
        print(row, file=sys.stderr, flush=True)
    return rows


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--kind", choices=list(KINDS), default="index")
    report.parser.add_argument("--tokens", type=int, nargs="+", default=[10**6, 10**7, 10**8], help="a row each")
    report.parser.add_argument("--folder", type=Path, help="where indexes and results are made; a temporary one")
    report.parser.add_argument("--pages", type=int, help="only write so many pages to standard output")
    report.parser.add_argument("--report", type=Path, help="with --pages: a file for the processor time they took")
    options = report.options()
    if options.pages:
        write_pages(options.pages, options.quick, options.report)
        return
    sizes = [20_000, 40_000] if options.quick else options.tokens
    with tempfile.TemporaryDirectory(prefix="ibidem-") as folder:
        if not options.quick:
            load_ahead(folder)
        report.finish(measure(options.kind, sizes, options.folder, options.quick))


if __name__ == "__main__":
    main()
