"""Passages that repeat in pages that differ: how much of them is removed, what else is, and how fast?

    python benchmarks/deduplicate_passages.py [--quick] [--documents N] [--rate R...] [--threads N] [--csv FILE]

Pages of 2,000 words of novels, a third of which hold one of twenty notices of 60 to 200 words of another novel, with a
share R of its words replaced. Recall is the share of the words of notices, but for the first page of each, that are
removed; precision the share of what is removed that belongs to a notice, and does not go from the pages without
notices, too.

The rival is the removal of exact substrings (Lee et al., ACL 2022): whatever lies in a run of 50 words that stood
before. It is counted by a table of all runs, and, where pydivsufsort is installed, by a suffix array of the words and
the longest common prefixes of neighbours in it. Both remove the same, which is checked.

With ``--extractions``, the texts that programs extract from web pages instead of novels and notices: there is no truth
about them, so what both remove is counted.
"""

import random
import re
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from collections_of_text import documents, rows_of
from contestants import installed
from report import Report, Row

from ibidem import deduplicate_passages
from ibidem.reuse.removal.result import Repeated

RUN = 50

Span = tuple[int, int]

Contestant = Callable[[dict[str, str]], dict[str, list[Span]]]
"""Finds what lies in runs of words that stood before."""


class Pages(NamedTuple):
    """Pages, and the characters of the notices that are not the first."""

    texts: dict[str, str]
    notices: dict[str, Span]
    plain: dict[str, str]


def make_pages(novels: list[tuple[str, str]], rate: float, count: int, size: int) -> Pages:
    drawn = random.Random(1)
    words = [re.findall(r"\S+", text) for _, text in novels]
    lengths = [drawn.randint(60, 200) for _ in range(20)]
    starts = [drawn.randrange(len(words[-1]) - length) for length in lengths]
    notices = [words[-1][start : start + length] for start, length in zip(starts, lengths, strict=True)]
    vocabulary = words[0]
    pages = [each[first : first + size] for each in words[:-1] for first in range(0, len(each) - size, size)][:count]
    texts, places, seen = {}, {}, set()
    for number, page in enumerate(pages):
        name = f"{number:06}"
        if drawn.random() > 1 / 3:
            texts[name] = " ".join(page)
            continue
        which = drawn.randrange(len(notices))
        notice = [drawn.choice(vocabulary) if drawn.random() < rate else word for word in notices[which]]
        cut = drawn.randrange(len(page))
        before, inside = " ".join(page[:cut]), " ".join(notice)
        texts[name] = " ".join([before, inside, *page[cut:]])
        if which in seen:
            places[name] = (len(before) + 1, len(before) + 1 + len(inside))
        seen.add(which)
    return Pages(texts, places, {f"{number:06}": " ".join(page) for number, page in enumerate(pages)})


def exact_runs(texts: dict[str, str]) -> dict[str, list[Span]]:
    """What lies in runs of words that stood before, by a table of all runs."""
    seen: set[int] = set()
    found: dict[str, list[Span]] = {}
    for name, text in texts.items():
        words = find_words(text)
        runs = [hash(tuple(word for word, _, _ in words[at : at + RUN])) for at in range(len(words) - RUN + 1)]
        found[name] = join_runs(words, [at for at, run in enumerate(runs) if run in seen])
        seen.update(runs)
    return found


def exact_runs_by_suffixes(texts: dict[str, str]) -> dict[str, list[Span]]:
    """What lies in runs of words that stood before in another text, by a suffix array."""
    from pydivsufsort import divsufsort, kasai

    numbers: dict[str, int] = {}
    words = {name: find_words(text) for name, text in texts.items()}
    sequence, bounds = [], [0]
    for place, found in enumerate(words.values()):
        sequence += [numbers.setdefault(word, len(numbers)) for word, _, _ in found]
        sequence.append(-1 - place)  # no run goes on into the next text
        bounds.append(len(sequence))
    tokens = np.array(sequence, np.int32)
    suffixes = divsufsort(tokens)
    groups = np.flatnonzero(np.append(True, kasai(tokens, suffixes)[:-1] < RUN))  # each of suffixes that begin alike
    first = np.repeat(np.minimum.reduceat(suffixes, groups), np.diff(groups, append=len(suffixes)))
    owners = np.searchsorted(bounds, [suffixes, first], side="right")
    stood_before = np.sort(suffixes[owners[0] > owners[1]])
    pieces = np.split(stood_before, np.searchsorted(stood_before, bounds[1:-1]))
    return {
        name: join_runs(words[name], (piece - bound).tolist())
        for name, piece, bound in zip(texts, pieces, bounds[:-1], strict=True)
    }


def find_words(text: str) -> list[tuple[str, int, int]]:
    return [(each.group().casefold(), each.start(), each.end()) for each in re.finditer(r"\w+", text)]


def join_runs(words: list[tuple[str, int, int]], starts: list[int]) -> list[Span]:
    """The characters of the runs that begin at these words."""
    spans: list[Span] = []
    for start in starts:
        span = words[start][1], words[start + RUN - 1][2]
        if spans and span[0] <= spans[-1][1]:
            span = spans.pop()[0], span[1]
        spans.append(span)
    return spans


def by_page(removed: list[Repeated]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for each in removed:
        found.setdefault(each.document, []).append((each.start, each.end))
    return found


def score(pages: Pages, found: dict[str, list[Span]], noise: int) -> dict[str, object]:
    """Recall and precision in characters; ``noise`` are those that go from the pages without notices."""
    hit = sum(
        max(0, min(end, last) - max(start, first))
        for name, (first, last) in pages.notices.items()
        for start, end in found.get(name, [])
    )
    whole = sum(last - first for first, last in pages.notices.values())
    removed = sum(end - start for spans in found.values() for start, end in spans)
    return {"recall": f"{hit / max(whole, 1):.3f}", "precision": f"{min(1, hit / max(removed - noise, 1)):.3f}"}


def total(found: dict[str, list[Span]]) -> int:
    return sum(end - start for spans in found.values() for start, end in spans)


def rows_for(
    pages: Pages, rate: float, contestants: dict[str, Contestant], threads: int | None, thresholds: list[float]
) -> list[Row]:
    size = sum(map(len, pages.texts.values())) / 1e6
    facts = {"replaced": rate, "pages": len(pages.texts), "MB": f"{size:.1f}"}
    noise = total(exact_runs(pages.plain))
    rows: list[Row] = []
    exact: list[dict[str, list[Span]]] = []
    for how, find in contestants.items():
        start = time.process_time()
        exact.append(find(pages.texts))
        seconds = time.process_time() - start
        rows.append(facts | {"how": how} | score(pages, exact[-1], noise) | {"MB/s": f"{size / seconds:.1f}"})
    assert all(found == exact[0] for found in exact)
    for threshold in thresholds:
        plain = deduplicate_passages(pages.plain.items(), threshold=threshold, threads=threads, memory="2G")
        start = time.process_time()
        found = deduplicate_passages(pages.texts.items(), threshold=threshold, threads=threads, memory="2G")
        seconds = time.process_time() - start
        scores = score(pages, by_page(found.removed), total(by_page(plain.removed)))
        rows.append(facts | {"how": f"ibidem {threshold}"} | scores | {"MB/s": f"{size / seconds:.1f}"})
    return rows


def extractions(threads: int | None, thresholds: list[float]) -> list[Row]:
    texts = {f"{row['page']}/{row['extractor']}": row["text"] for row in rows_of("article-extraction")}
    size = sum(map(len, texts.values())) / 1e6
    exact = exact_runs(texts)
    rows: list[Row] = [{"how": "exact runs", "MB": f"{size:.1f}", "removed": f"{total(exact) / size / 1e6:.3f}"}]
    for threshold in thresholds:
        start = time.process_time()
        found = by_page(deduplicate_passages(texts.items(), threshold=threshold, threads=threads, memory="2G").removed)
        seconds = time.process_time() - start
        shared = sum(
            max(0, min(end, last) - max(start, first))
            for name, spans in found.items()
            for start, end in spans
            for first, last in exact.get(name, [])
        )
        removed = {"removed": f"{total(found) / size / 1e6:.3f}", "of exact": f"{shared / max(total(exact), 1):.3f}"}
        rows.append({"how": f"ibidem {threshold}", "MB": f"{size:.1f}"} | removed | {"MB/s": f"{size / seconds:.1f}"})
    return [{name: row.get(name, "") for name in ("how", "MB", "removed", "of exact", "MB/s")} for row in rows]


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--documents", type=int, default=2_000, metavar="N", help="pages (2,000)")
    report.parser.add_argument("--rate", type=float, nargs="+", default=[0, 0.02, 0.05, 0.1], metavar="R")
    report.parser.add_argument("--threshold", type=float, nargs="+", default=[0.8], metavar="S")
    report.parser.add_argument("--threads", type=int, metavar="N")
    report.parser.add_argument("--extractions", action="store_true", help="texts of web pages instead")
    options = report.options()
    deduplicate_passages([("warm", "up " * 100), ("again", "up " * 100)])  # compiles
    if options.extractions and not options.quick:
        report.finish(extractions(options.threads, options.threshold))
        return
    novels = documents(options.quick)
    count, size = (30, 400) if options.quick else (options.documents, 2_000)
    rates = options.rate[:2] if options.quick else options.rate
    contestants: dict[str, Contestant] = {"exact runs": exact_runs}
    if installed("pydivsufsort"):
        contestants["suffix array"] = exact_runs_by_suffixes
    rows = [
        row
        for rate in rates
        for row in rows_for(
            make_pages(novels, rate, count, size), rate, contestants, options.threads, options.threshold
        )
    ]
    report.finish(rows)


if __name__ == "__main__":
    main()
