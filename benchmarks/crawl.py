"""Does the work on a crawl account for every row, find what is planted, and grow with its input alone?

    python benchmarks/crawl.py [--quick] [--csv FILE] [--sizes N...] [--rivals NAME...]

Pages are generated: half as JSON lines, half as Parquet with other columns, nested ones among them. One row in 200 has
a null text, one in 100 an id that an earlier row has. One page in five is a near-duplicate of an earlier one, of four
kinds: the same, a word in 40 replaced, the last tenth cut off, a line put before it. Every page has a menu, a notice
and a footer of its site, and three pages of ten are cut short.

*dedup*: rows that are in no output and not listed, which must be none. A page, the earlier one that it nearly repeats,
the one that this repeats, and so on are a family; two pages of different families have at most the 70 words of their
site in common, of 270. Recall: of all pairs of a family whose resemblance, counted over all of their shingles, is 0.8
or more, the share of which not both are kept. Precision: of the removed documents, the share whose resemblance to the
one that is named is 0.8 or more; a rival names none, so any of the family will do. Rows whose id another row has are
not counted.
*datatrove* and *datasketch* read the same files, with shingles of five words too, each up to the size in ``RIVALS``.
datatrove has the buckets of its documentation (14 of 8), datasketch 128 permutations and a threshold of 0.8.
*lines* and *runs*: ``--passages --min-documents``; of the words of notices, and of the bodies, what is left.
Processor seconds and the most anonymous memory are those of one process with one thread; each has its exponent from the
size before.
"""

import json
import math
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Set
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from contestants import installed
from memory import MIB, Peak, watch
from report import Report, Row

from ibidem.corpus.records import read_records
from ibidem.corpus.writing.removed import find_removed

SIZES = (25_000, 50_000, 100_000, 400_000)
QUICK_SIZES = (300, 600)
THRESHOLD = 0.8
LEAST = 20
"""Documents that hold what counts as boilerplate."""

RIVALS = {"datasketch": 100_000, "datatrove": 50_000}
"""The most rows that each is run with: some minutes of the processor."""


class Page(NamedTuple):
    """A row, without what is null, and the number of the page that it nearly repeats."""

    id: str
    site: int
    body: list[str]
    text: str | None
    original: int | None


class Crawl:
    """Pages that are generated one after another."""

    def __init__(self, count: int) -> None:
        self._source = random.Random(51)
        syllables = [a + b for a in "bcdfglmnprstv" for b in "aeiou"]
        self._words = ["".join(self._source.choices(syllables, k=self._source.randrange(1, 5))) for _ in range(20_000)]
        self.notices = [self._line(45) for _ in range(max(2, count // 500))]
        self._menus = [[self._line(2) for _ in range(8)] for _ in self.notices]
        self._footers = [self._line(9) for _ in self.notices]
        self.pages = list(self._generate(count))

    def _line(self, count: int) -> str:
        return " ".join(self._words[int(len(self._words) ** self._source.random())] for _ in range(count))

    def _generate(self, count: int) -> Iterator[Page]:
        pages: list[Page] = []
        for number in range(count):
            chance, original = self._source.random(), None
            site, body = self._source.randrange(len(self.notices)), [self._line(40) for _ in range(5)]
            if pages and chance < 0.2:
                original = self._source.randrange(len(pages))
                site, body = pages[original].site, self._vary(pages[original].body)
            text: str | None = "\n".join([*self._menus[site], self.notices[site], *body, self._footers[site]])
            if text is not None and self._source.random() < 0.3 and original is None:
                text = text[: self._source.randrange(len(text) * 7 // 10, len(text))]
            if self._source.random() < 0.005:
                text = None
            repeats_id = pages and self._source.random() < 0.01
            id = pages[self._source.randrange(len(pages))].id if repeats_id else f"p{number}"
            pages.append(Page(id, site, body, text, original))
            yield pages[-1]

    def _vary(self, body: list[str]) -> list[str]:
        kind, words = self._source.randrange(4), [line.split() for line in body]
        if kind == 1:
            for line in words:
                line[self._source.randrange(len(line))] = self._source.choice(self._words)
        if kind == 2:
            words[-1] = words[-1][: len(words[-1]) // 2]
        return [*([self._line(4)] if kind == 3 else []), *map(" ".join, words)]

    def write(self, folder: Path) -> None:
        folder.mkdir()
        half = len(self.pages) // 2
        with (folder / "a.jsonl").open("w", encoding="utf-8") as file:
            for page in self.pages[:half]:
                nested = {"fetched": {"status": 200, "hops": [page.site]}}
                file.write(json.dumps({"id": page.id, "text": page.text, **nested}) + "\n")
        rows = [
            {"url": f"http://s{page.site}/", "meta": [{"lang": "en"}], "text": page.text, "id": page.id}
            for page in self.pages[half:]
        ]
        pq.write_table(pa.Table.from_pylist(rows), folder / "b.parquet")


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.split()
    return {tuple(words[first : first + 5]) for first in range(max(1, len(words) - 4))}


def resemblance(a: str, b: str) -> float:
    one, other = shingles(a), shingles(b)
    return len(one & other) / len(one | other)


def read_kept(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [json.loads(line) for line in (folder / "kept/a.jsonl").open(encoding="utf-8")]
    return rows + pq.read_table(folder / "kept/b.parquet", columns=["id", "text"]).to_pylist()


def find_similar(crawl: Crawl) -> list[tuple[int, int]]:
    """The numbers of all pairs of a family that resemble each other."""
    roots, families = list[int](), defaultdict[int, list[int]](list)
    for number, page in enumerate(crawl.pages):
        roots.append(number if page.original is None else roots[page.original])
        if page.text is not None:
            families[roots[-1]].append(number)
    pairs = (pair for family in families.values() for pair in combinations(family, 2))
    return [pair for pair in pairs if resemblance(*(str(crawl.pages[number].text) for number in pair)) >= THRESHOLD]


def judge(crawl: Crawl, kept: Set[str], right: Mapping[str, bool]) -> Row:
    """Recall, and precision by what was removed, each ``right`` or not."""
    times = Counter(page.id for page in crawl.pages)
    pairs = [{crawl.pages[number].id for number in pair} for pair in find_similar(crawl)]
    pairs = [ids for ids in pairs if all(times[id] == 1 for id in ids)]
    return {
        "recall": f"{sum(not ids <= kept for ids in pairs) / max(1, len(pairs)):.4f}",
        "precision": f"{sum(right.values()) / max(1, len(right)):.4f}",
        "notices left": "",
        "bodies left": "",
    }


def check_documents(crawl: Crawl, out: Path) -> Row:
    """What became of the documents: ids are those of the first row that has each, the others were left out."""
    rows = read_kept(out)
    notes = (record.values for record in read_records(str(find_removed(out))))
    removed = {note["id"]: note["duplicate_of"] for note in notes}
    left_out = sum(1 for _ in (out / "rows_left_out.jsonl").open(encoding="utf-8"))
    texts = {page.id: page.text for page in reversed(crawl.pages) if page.text is not None}
    right = {one: resemblance(texts[one], texts[other]) >= THRESHOLD for one, other in removed.items()}
    lost = len(crawl.pages) - len(rows) - len(removed) - left_out
    return {"unaccounted": lost} | judge(crawl, {row["id"] for row in rows}, right)


def check_rival(crawl: Crawl, out: Path) -> Row:
    """What a rival did with the documents, by the ids of those that it kept and removed."""
    kept, removed = ((out / name).read_text("utf-8").split() for name in ("kept.txt", "removed.txt"))
    similar = {crawl.pages[number].id for pair in find_similar(crawl) for number in pair}
    times = Counter(page.id for page in crawl.pages)
    right = {id: id in similar for id in removed if times[id] == 1}
    lost = len(crawl.pages) - len(kept) - len(removed)
    return {"unaccounted": lost} | judge(crawl, set(kept), right)


def check_boilerplate(crawl: Crawl, out: Path) -> Row:
    """Eight words in a row of notices and bodies that were in a page and still are."""
    before, after = [0, 0], [0, 0]
    rows = read_kept(out)
    left_out = sum(1 for _ in (out / "rows_left_out.jsonl").open(encoding="utf-8"))
    numbers = {page.id: page for page in reversed(crawl.pages)}
    for row in rows:
        page = numbers[row["id"]]
        if page.text is None or row["text"] is None:
            continue
        for kind, lines in enumerate(([crawl.notices[page.site]], page.body)):
            for line in lines:
                words = line.split()
                for first in range(0, len(words) - 7, 8):
                    piece = " ".join(words[first : first + 8])
                    before[kind] += piece in page.text
                    after[kind] += piece in page.text and piece in row["text"]
    notices, bodies = (f"{a / max(1, b):.4f}" for a, b in zip(after, before, strict=True))
    lost = len(crawl.pages) - len(rows) - left_out
    return {"unaccounted": lost, "recall": "", "precision": "", "notices left": notices, "bodies left": bodies}


COMMANDS = {
    "dedup": (["--threshold", str(THRESHOLD), "--removed", "ids"], check_documents),
    "lines": (["--passages", "--min-documents", str(LEAST), "--boundary", "lines"], check_boilerplate),
    "runs": (["--passages", "--min-documents", str(LEAST), "--min-length", "12"], check_boilerplate),
}


def find_exponent(rows: list[Row], name: str, column: str, count: int, value: float) -> str:
    before = next((row for row in reversed(rows) if row["command"] == name), None)
    if before is None:
        return ""
    growth = math.log(count / int(str(before["rows"])))
    return f"{math.log(value / float(str(before[column]))) / growth:.2f}"


def run_command(folder: Path, out: Path, arguments: list[str]) -> Peak:
    treatment = ["--null", "keep", "--duplicate-ids", "first", "--threads", "1"]
    return watch(["dedup", str(folder), "-o", str(out), *arguments, *treatment])


def run_rival(name: str, folder: Path, out: Path) -> Peak:
    out.mkdir()
    program = (
        f"import sys; sys.path.append({str(Path(__file__).parent)!r}); from crawl_rivals import run_rival; run_rival()"
    )
    return watch([name, str(folder), str(out)], ["-c", program])


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--sizes", type=int, nargs="+", help="rows of the crawls")
    report.parser.add_argument("--rivals", nargs="*", choices=list(RIVALS), default=list(RIVALS))
    options = report.options()
    rivals = [name for name in options.rivals if installed(name)]
    rows: list[Row] = []
    for count in options.sizes or (QUICK_SIZES if options.quick else SIZES):
        with tempfile.TemporaryDirectory() as place:
            crawl, folder = Crawl(count), Path(place)
            crawl.write(folder / "crawl")

            def add(name: str, peak: Peak, judgement: Row, count: int = count) -> None:
                row: Row = {"command": name, "rows": count}
                for column, value in ("processor s", peak.seconds), ("anonymous MiB", peak.anonymous / MIB):
                    exponent = find_exponent(rows, name, column, count, value)
                    row |= {column: f"{value:.2f}", f"exponent of {column.split()[-1]}": exponent}
                rows.append(row | judgement)
                print(rows[-1], flush=True)  # the whole takes long

            for name, (arguments, check) in COMMANDS.items():
                add(name, run_command(folder / "crawl", folder / name, arguments), check(crawl, folder / name))
            for name in rivals:
                if count <= RIVALS[name]:
                    add(name, run_rival(name, folder / "crawl", folder / name), check_rival(crawl, folder / name))
    report.finish(rows)


if __name__ == "__main__":
    main()
