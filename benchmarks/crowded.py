"""Text that many documents share, beside what few share: is the latter found, and the former never reported?

    python benchmarks/crowded.py [--quick] [--only NAME...] [--seeds N] [--csv FILE]

- *class-30*: answers of 273 words that begin with the same sheet of 50; five copy 25 to 200 words of a sixth right
  behind it.
- *class-40*: the sheet stands before, between or behind what groups of 2 to 10 copy from each other.
- *programs*: 25 programs in ten variants each: names changed, functions moved, statements rewritten; one licence in
  all. All are put together of ten kinds of statements, so different programs are similar, too; *auc* is the probability
  that two variants of one program have a larger share than two of different ones.
- *items*: items of 20 to 60 words stand word for word in documents of 300, ``reuse --against``.
- *notices*: pages that share notices of 120 words; 200 quotations of 90 words stand in six pages each, and are to be
  left once by ``dedup --passages``.
- *web*: pages with headers, footers, licences and quotations, of which each is to be left once.
- *lengths*: what ``dedup --passages`` removes of the web-like pages at a least length of 20, beside 50.

``expected`` are the pairs, or the words that are to go, ``share`` how much of it was found, ``false`` the pairs of
documents that share nothing but the common text, or the share of body text that was cut. Words are those of novels; the
answers of one class never come from the same place of a novel.
"""

import random
import re
import time
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from collections_of_text import documents
from report import Report, Row
from shares import auc, shares_of

from ibidem import deduplicate_passages, find_reuse

SHEET, ANSWER, LEAST = 50, 273, 40

Span = tuple[int, int]


class Source:
    """Words of novels, each place of which is used once."""

    def __init__(self, novels: list[list[str]], seed: int) -> None:
        self.drawn = random.Random(seed)
        self._novels = novels
        self._chunks = [
            (novel, first) for novel, words in enumerate(self._novels) for first in range(0, len(words) - 400, 400)
        ]
        self.drawn.shuffle(self._chunks)
        self._next = 0

    def take(self, count: int) -> list[str]:
        """``count`` words that were not taken before, 400 at most; if there are none, drawn from a novel."""
        if self._next == len(self._chunks):
            return self.drawn.choices(self._novels[0], k=count)
        novel, first = self._chunks[self._next]
        self._next += 1
        return self._novels[novel][first : first + count]


class Page(NamedTuple):
    """A text in parts; a part with a name stands in other texts, too."""

    parts: list[tuple[str, list[str]]]

    @property
    def text(self) -> str:
        return " ".join(word for _, words in self.parts for word in words)

    def spans(self) -> list[tuple[str, Span]]:
        """Where each part stands, in code points."""
        found, start = [], 0
        for name, words in self.parts:
            end = start + len(" ".join(words))
            found.append((name, (start, end)))
            start = end + 1
        return found


def class_of_30(source: Source) -> tuple[dict[str, Page], dict[frozenset[str], int]]:
    sheet = source.take(SHEET)
    answers = [source.take(ANSWER - SHEET) for _ in range(30)]
    copied = {number: source.drawn.randint(25, 200) for number in range(1, 6)}
    for number, length in copied.items():
        answers[number][:length] = answers[0][:length]
    pages = {f"{n:02}": Page([("sheet", sheet), ("", answer)]) for n, answer in enumerate(answers)}
    lengths = copied | {0: ANSWER - SHEET}
    return pages, {frozenset((f"{a:02}", f"{b:02}")): min(lengths[a], lengths[b]) for a, b in combinations(lengths, 2)}


def class_of_40(source: Source) -> tuple[dict[str, Page], dict[frozenset[str], int]]:
    sheet, place = source.take(SHEET), source.drawn.choice(["before", "between", "behind"])
    pages: dict[str, Page] = {}
    expected: dict[frozenset[str], int] = {}
    groups = []
    while sum(groups) < 30:
        groups.append(source.drawn.randint(2, 10))
    number = 0
    for size in [*groups, *[1] * 10]:
        members, length = [], source.drawn.randint(LEAST, 200)
        copy = source.take(length)
        for _ in range(size):
            own = source.take(ANSWER - SHEET - length)
            cut = source.drawn.randint(0, length) if place == "between" else length if place == "behind" else 0
            near = [("", copy[:cut]), ("sheet", sheet), ("", copy[cut:])]
            pages[f"{number:02}"] = Page([*near, ("", own)])
            members.append(f"{number:02}")
            number += 1
        expected |= {frozenset(pair): length for pair in combinations(members, 2)}
    return pages, expected


def score_class(make: Callable[[Source], tuple[dict[str, Page], dict[frozenset[str], int]]], source: Source) -> Row:
    pages, expected = make(source)
    expected = {pair: length for pair, length in expected.items() if length >= LEAST}
    start = time.process_time()
    found = find_reuse([(name, page.text) for name, page in pages.items()])
    seconds = time.process_time() - start
    pairs = {frozenset((row["a"], row["b"])) for row in found.pairs.to_pylist()}
    shorter = expected.keys() | {pair for pair in pairs if _share_words(pages, pair)}
    return _row(len(pages), len(expected), len(pairs & expected.keys()), len(pairs - shorter), seconds)


def _share_words(pages: dict[str, Page], pair: frozenset[str]) -> bool:
    """Whether two pages share a run of 20 words besides common text."""
    runs = []
    for name in pair:
        words = [word for kind, part in pages[name].parts if not kind for word in part]
        runs.append({tuple(words[at : at + 20]) for at in range(len(words) - 19)})
    return len(runs) == 2 and not runs[0].isdisjoint(runs[1])


NAMES = ["count", "total", "item", "left", "right", "node", "path", "line", "rest", "depth", "limit", "score"]
STATEMENTS = [
    "for {0} in range({1}): {2} += {0} * {3}",
    "if {0} < {1}: return {2}",
    "while {0} > {1}: {0} -= {2}",
    "{0} = [each for each in {1} if each != {2}]",
    "{0}, {1} = {1}, {0} % {2}",
    "{0}.append({1} + {2})",
    "{0} = max({1}, {2}) - min({1}, {3})",
    "try: {0} = int({1})\n    except ValueError: {0} = {2}",
    "{0} = sorted({1}, key=lambda each: each[{2}])",
    "with open({0}) as {1}: {2} = {1}.read()",
]


def _program(drawn: random.Random) -> list[list[str]]:
    """A program: functions of a name and statements, whose names are numbers in braces."""
    functions = []
    for _ in range(6):
        lines = []
        for _ in range(drawn.randint(6, 12)):
            names = [f"{{{drawn.choice(NAMES)}}}" for _ in range(4)]
            lines.append(drawn.choice(STATEMENTS).format(*names) + f" + {drawn.randrange(100)}")
        functions.append(lines)
    return functions


def _variant(program: list[list[str]], drawn: random.Random) -> str:
    """The same program with some names changed, functions moved and a tenth of the statements rewritten."""
    new = dict(zip(NAMES, NAMES, strict=True))
    for name in drawn.sample(NAMES, 4):
        new[name] = f"{name}_{drawn.randrange(9)}"
    written = []
    for number, lines in enumerate(drawn.sample(program, len(program))):
        body = [
            drawn.choice(STATEMENTS).format(*drawn.sample(NAMES, 4)) if drawn.random() < 0.1 else line.format(**new)
            for line in lines
        ]
        written.append(f"def function{number}():\n    " + "\n    ".join(body))
    return "\n\n".join(written)


def score_programs(source: Source, programs: int) -> Row:
    licence = " ".join(source.take(60))
    made = [_program(source.drawn) for _ in range(programs)]
    texts = {
        f"{number:02}-{nth}": f"# {licence}\n" + _variant(program, source.drawn)
        for number, program in enumerate(made)
        for nth in range(10)
    }
    start = time.process_time()
    found = find_reuse(texts.items())
    seconds = time.process_time() - start
    pairs = {(row["a"], row["b"]) for row in found.pairs.to_pylist()}
    every = list(combinations(texts, 2))
    same = {pair for pair in every if pair[0][:2] == pair[1][:2]}
    shares = shares_of(found)
    aucs = auc(*(shares.take(frozenset(pair) for pair in every if (pair in same) == alike) for alike in (True, False)))
    return _row(len(texts), len(same), len(pairs & same), len(pairs - same), seconds) | aucs


def score_items(source: Source, count: int) -> Row:
    others, items = {}, {}
    for number in range(count):
        words, length = source.take(300), source.drawn.randint(20, 60)
        at = source.drawn.randint(0, len(words) - length)
        items[f"i{number}"] = " ".join(source.take(length))
        words[at:at] = items[f"i{number}"].split()
        others[f"d{number}"] = " ".join(words)
    start = time.process_time()
    found = find_reuse(items.items(), against=others.items())
    seconds = time.process_time() - start
    pairs = {(row["a"], row["b"]) for row in found.pairs.to_pylist()}
    right = {(f"i{number}", f"d{number}") for number in range(count)}
    return _row(2 * count, count, len(pairs & right), len(pairs - right), seconds)


def notices(source: Source, count: int, kinds: int) -> dict[str, Page]:
    """Pages of 100 words; each has all notices, or one of 40; 200 quotations stand in six each."""
    shared = [source.take(120) for _ in range(kinds)]
    quotations = [source.take(90) for _ in range(min(200, count // 10))]
    bodies = [source.take(300) for _ in range(-(-count // 3))]
    pages = {}
    inside: dict[int, list[int]] = {}
    for number, _ in enumerate(quotations):
        for page in source.drawn.sample(range(count), 6):
            inside.setdefault(page, []).append(number)
    for number in range(count):
        body = bodies[number // 3][100 * (number % 3) : 100 * (number % 3) + 100]
        parts = [("", body)] + [(f"quotation {each}", quotations[each]) for each in inside.get(number, [])]
        which = range(kinds) if kinds <= 3 else [source.drawn.randrange(kinds)]
        parts += [(f"notice {each}", shared[each]) for each in which]
        source.drawn.shuffle(parts)
        pages[f"{number:06}"] = Page(parts)
    return pages


def web_pages(source: Source, count: int) -> dict[str, Page]:
    """Pages of 20 sites: a header, 200 words, maybe a licence and quotations that stand in 2 to 6 pages, a footer."""
    sites = [(source.take(60), source.take(55)) for _ in range(20)]
    licences = [source.take(120) for _ in range(5)]
    quotations = [source.take(90) for _ in range(count // 10)]
    inside: dict[int, list[int]] = {}
    for number, _ in enumerate(quotations):
        for page in source.drawn.sample(range(count), source.drawn.randint(2, 6)):
            inside.setdefault(page, []).append(number)
    pages = {}
    for number in range(count):
        site, body = source.drawn.randrange(20), source.take(200)
        middle = [(f"quotation {each}", quotations[each]) for each in inside.get(number, [])]
        if source.drawn.random() < 0.3:
            licence = source.drawn.randrange(5)
            middle.append((f"licence {licence}", licences[licence]))
        parts = [("", body[:100]), *middle, ("", body[100:])]
        pages[f"{number:06}"] = Page([(f"header {site}", sites[site][0]), *parts, (f"footer {site}", sites[site][1])])
    return pages


class Cleaned(NamedTuple):
    """What a deduplication removed of pages, in characters.

    Attributes:
        repeated, removed: of parts that stood before, and how much of it went.
        body, cut: of parts that stand once, and how much of it went.
        whole, once: parts that stand in several pages, and how many of these are left once.
        characters: all that went.
    """

    repeated: int
    removed: int
    body: int
    cut: int
    whole: int
    once: int
    characters: int
    seconds: float


def clean(pages: dict[str, Page], kind: str, min_length: int = 50) -> Cleaned:
    """Deduplicate the passages of pages; parts of this ``kind`` are to be left once."""
    deduplicate_passages([("warm", "up " * 100), ("again", "up " * 100)])
    start = time.process_time()
    found = deduplicate_passages(((name, page.text) for name, page in pages.items()), min_length=min_length)
    seconds = time.process_time() - start
    cuts = found.cuts()
    seen: set[str] = set()
    left: dict[str, int] = {}
    counts = dict.fromkeys(("repeated", "removed", "body", "cut"), 0)
    for name, page in pages.items():
        for part, (first, last) in page.spans():
            gone = sum(max(0, min(end, last) - max(begin, first)) for begin, end in cuts.get(name, []))
            whole = last - first
            if not part:
                counts["body"], counts["cut"] = counts["body"] + whole, counts["cut"] + gone
                continue
            if part in seen:
                counts["repeated"], counts["removed"] = counts["repeated"] + whole, counts["removed"] + gone
            seen.add(part)
            left[part] = left.get(part, 0) + (2 * gone < whole)
    asked = [part for part in left if part.startswith(kind)]
    characters = sum(end - begin for spans in cuts.values() for begin, end in spans)
    once = sum(left[part] == 1 for part in asked)
    return Cleaned(*counts.values(), len(asked), once, characters, seconds)


def score_notices(source: Source, count: int, kinds: int) -> Row:
    done = clean(notices(source, count, kinds), "quotation")
    return _row(count, done.whole, done.once, f"{done.cut / done.body:.5f}", done.seconds)


def score_web(source: Source, count: int) -> Row:
    done = clean(web_pages(source, count), "")
    return _row(count, done.repeated, done.removed, f"{done.cut / done.body:.5f}", done.seconds)


def score_lengths(source: Source, count: int) -> Row:
    pages = web_pages(source, count)
    long, short = clean(pages, ""), clean(pages, "", min_length=20)
    return _row(count, long.characters, short.characters, f"{short.cut / short.body:.5f}", short.seconds)


def _row(count: int, expected: int, found: int, false: object, seconds: float) -> Row:
    share = f"{found / max(expected, 1):.4f}"
    row = {"documents": count, "expected": expected, "share": share, "false": false, "CPU s": f"{seconds:.1f}"}
    return row | {"auc identical": "", "auc similar": ""}


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--only", nargs="+", metavar="NAME", help="these workloads alone")
    report.parser.add_argument("--seeds", type=int, default=5, metavar="N")
    options = report.options()
    novels = [re.findall(r"\S+", text) for _, text in documents(options.quick)]
    small = options.quick
    works: dict[str, Callable[[Source], Row]] = {
        "class-30": lambda source: score_class(class_of_30, source),
        "class-40": lambda source: score_class(class_of_40, source),
        "programs": lambda source: score_programs(source, 3 if small else 25),
        "items": lambda source: score_items(source, 5 if small else 1_000),
        "notices-1": lambda source: score_notices(source, 40 if small else 12_000, 1),
        "notices-3": lambda source: score_notices(source, 40 if small else 12_000, 3),
        "notices-40": lambda source: score_notices(source, 40 if small else 12_000, 40),
        "web": lambda source: score_web(source, 40 if small else 3_000),
        "lengths": lambda source: score_lengths(source, 40 if small else 3_000),
    }
    find_reuse([("warm", "up " * 100), ("again", "up " * 100)])  # compiles
    rows = []
    for name, score in works.items():
        if options.only is None or name in options.only:
            for seed in range(1, (1 if small else options.seeds) + 1):
                rows.append({"workload": name, "seed": seed} | score(Source(novels, seed)))
                print(rows[-1], flush=True)
    report.finish(rows)


if __name__ == "__main__":
    main()
