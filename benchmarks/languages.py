"""Is reuse found in other languages, and how much of it is lost as it is edited?

    python benchmarks/languages.py [--quick] [--csv FILE]

*Indonesian*: a collection of simulated plagiarism in PAN's form, 35 suspicious documents with 93 cases and 30 sources,
by words: the 75 pairs of documents that share a case, aligned one by one, and all suspicious documents aligned with an
index of the sources.

*Chinese*: four classical novels by characters. Into 40 pieces of 2,000 characters of one novel a passage of 60 to 400
characters is planted that comes from another; its source is a piece of 8,000 characters. Pieces of the first kind are
from the first half of a novel, those of the second from the second. With the probability *edits*
a character is replaced by another one of the novel, left out, or followed by one, a third each; in half of the
passages two of its four parts change places. Hosts are aligned with their sources one by one, and with an index of all
sources; and the passages as they were before the edits are searched for in an index of the hosts.

Precision, recall and F1 are those of characters, each counted once for each pair of documents; plagdet is PAN's. A
search reports the most similar passage of each document, at a threshold of 0.3 (*search*). Times are milliseconds of
the processor for a pair, a document or a query.
"""

import random
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from collections_of_text import rows_of
from pan import count_as_pan, generated
from report import Report, Row

from ibidem import PassageIndex, align
from ibidem.evaluation import Case, case_scores, pan_scores

EDITS = (0.0, 0.2, 0.4, 0.6)


class Planted(NamedTuple):
    """A passage and where an edited copy of it stands: texts by their ids, and the case."""

    hosts: dict[str, str]
    sources: dict[str, str]
    passages: dict[str, str]
    cases: list[Case]


class Timed:
    """Cases as they are reported, and the time that the work on each text takes."""

    def __init__(self) -> None:
        self.found: list[Case] = []
        self.seconds: list[float] = []

    def add(self, work: Callable[[], Iterable[Any]], **names: str) -> None:
        start = time.thread_time()
        results = list(work())
        self.seconds.append(time.thread_time() - start)
        cases = [Case.of(msgspec.to_builtins(each) | names) for each in results]
        self.found += count_as_pan(cases, [getattr(each, "kind", "similar") for each in results])

    def row(self, cases: list[Case], **columns: object) -> Row:
        pan, characters = pan_scores(self.found, cases), case_scores(self.found, cases)
        shown = {"plagdet": pan.plagdet} | characters._asdict() | {"f1": characters.f1}
        scores = {name: f"{value:.3f}" for name, value in shown.items()}
        counts = {"cases": len(cases), "reported": len(self.found)}
        return columns | counts | scores | {"ms": f"{1e3 * sum(self.seconds) / len(self.seconds):.1f}"}


def aligned(pairs: Iterable[tuple[str, str]], hosts: dict[str, str], sources: dict[str, str], tokenizer: str) -> Timed:
    """Pairs of a host and a source, one by one."""
    timed = Timed()
    for a, b in pairs:
        timed.add(lambda a=a, b=b: align(hosts[a], sources[b], tokenizer=tokenizer), a=a, b=b)
    return timed


def aligned_with_index(hosts: dict[str, str], sources: dict[str, str], tokenizer: str) -> Timed:
    """Each host, with an index of all sources."""
    timed = Timed()
    with (
        tempfile.TemporaryDirectory() as folder,
        PassageIndex.build(Path(folder) / "index", sources.items(), tokenizer=tokenizer) as index,
    ):
        for name, text in hosts.items():
            timed.add(lambda name=name, text=text: index.align(text, name=name, threads=1))
    return timed


def searched(passages: dict[str, str], hosts: dict[str, str], starts: dict[str, int], tokenizer: str) -> Timed:
    """Each passage as it stands in its source, in an index of all hosts."""
    timed = Timed()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of short queries, which may miss what is shorter still
        with PassageIndex.build(Path(folder) / "index", hosts.items(), tokenizer=tokenizer, min_length=16) as index:
            for name, text in passages.items():
                timed.add(lambda name=name, text=text: index.search(text, threshold=0.3, select="document", name=name))
    # A match has the passage as the query: the case has the host first, and counts from where its source begins.
    timed.found = [
        Case(
            suspicious=each.source,
            start=each.source_start,
            end=each.source_end,
            source=each.suspicious,
            source_start=each.start + starts[each.suspicious],
            source_end=each.end + starts[each.suspicious],
        )
        for each in timed.found
    ]
    return timed


def indonesian(quick: bool) -> tuple[dict[str, str], dict[str, str], list[Case]]:
    """Suspicious documents and sources by their ids, and the cases; generated ones for a quick run."""
    if quick:
        made = generated(6)
        texts = [{id: made.texts[id] for id in ids} for ids in zip(*(pair.ids for pair in made.pairs), strict=True)]
        return texts[0], texts[1], made.cases
    rows = list(rows_of("plagiarism-id"))
    cases = [case for row in rows for case in map(_case_of(row["id"]), row.get("cases", []))]
    suspicious = {row["id"]: row["text"] for row in rows if "cases" in row}
    return suspicious, {row["id"]: row["text"] for row in rows if row["id"] not in suspicious}, cases


def _case_of(suspicious: str) -> Callable[[dict[str, str]], Case]:
    """Reads PAN's attributes, which are strings."""

    def read(feature: dict[str, str]) -> Case:
        numbers = {name: int(feature[name]) for name in feature if name.endswith(("_offset", "_length"))}
        source = feature["source_reference"].removesuffix(".txt")
        return Case.of(numbers | {"suspicious": suspicious, "source": source})

    return read


def chinese(quick: bool) -> list[str]:
    """The novels, or random characters as unequal in their frequencies."""
    if not quick:
        return [row["text"] for row in rows_of("classics-zh")]
    drawn = random.Random(2)
    firsts = range(0x4E00, 0x9E00, 0x1400)  # no novel shares a character with another
    return ["".join(chr(first + int(4_000 ** drawn.random())) for _ in range(30_000)) for first in firsts]


def edited(passage: str, edits: float, characters: str, drawn: random.Random) -> str:
    """The passage with that share of its characters replaced, left out or followed by another."""
    copy = ""
    for character in passage:
        change = int(drawn.random() / edits * 3) if edits else 3
        copy += (drawn.choice(characters), "", character + drawn.choice(characters), character)[min(change, 3)]
    return copy


def moved(passage: str, drawn: random.Random) -> str:
    """The passage in four parts, of which two have changed places."""
    cuts = [len(passage) * part // 4 for part in range(5)]
    parts = [passage[first:last] for first, last in pairwise(cuts)]
    one, other = drawn.sample(range(4), 2)
    parts[one], parts[other] = parts[other], parts[one]
    return "".join(parts)


def planted(novels: list[str], edits: float, count: int) -> tuple[Planted, dict[str, int]]:
    """``count`` passages in their hosts, and where each begins in its source."""
    drawn = random.Random(1)
    made, starts = Planted({}, {}, {}, []), {}
    for number in range(count):
        host, source = (
            novel[first : first + size]
            for novel, size, half in zip(drawn.sample(novels, 2), (2_000, 8_000), (0, 1), strict=True)
            for first in [drawn.randrange(len(novel) // 2 - size) + half * (len(novel) // 2)]
        )
        length = drawn.randrange(60, 400)
        start, place = drawn.randrange(len(source) - length), drawn.randrange(len(host))
        passage = source[start : start + length]
        copy = edited(moved(passage, drawn) if number % 2 else passage, edits, host, random.Random(number))
        names = {"suspicious": f"host {number}", "source": f"source {number}"}
        made.hosts[names["suspicious"]] = host[:place] + copy + host[place:]
        made.sources[names["source"]], made.passages[names["source"]] = source, passage
        starts[names["source"]] = start
        ranges = {"start": place, "end": place + len(copy), "source_start": start, "source_end": start + length}
        made.cases.append(Case(**names, **ranges))
    return made, starts


def rows_of_indonesian(quick: bool) -> list[Row]:
    suspicious, sources, cases = indonesian(quick)
    pairs = dict.fromkeys((case.suspicious, case.source) for case in cases)
    return [
        aligned(pairs, suspicious, sources, "words").row(cases, language="Indonesian", task="align pairs", edits=""),
        aligned_with_index(suspicious, sources, "words").row(
            cases, language="Indonesian", task="align with index", edits=""
        ),
    ]


def rows_of_chinese(quick: bool) -> list[Row]:
    novels, rows = chinese(quick), []
    for edits in EDITS[::3] if quick else EDITS:
        made, starts = planted(novels, edits, 4 if quick else 40)
        pairs = [(case.suspicious, case.source) for case in made.cases]
        for task, timed in (
            ("align pairs", aligned(pairs, made.hosts, made.sources, "characters")),
            ("align with index", aligned_with_index(made.hosts, made.sources, "characters")),
            ("search", searched(made.passages, made.hosts, starts, "characters")),
        ):
            rows.append(timed.row(made.cases, language="Chinese", task=task, edits=edits))
    return rows


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    rows_of_indonesian(quick=True)  # compiles
    report.finish(rows_of_indonesian(options.quick) + rows_of_chinese(options.quick))


if __name__ == "__main__":
    main()
