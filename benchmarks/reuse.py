"""Passages that occur more than once in a collection: how many of the known ones are found, and how long does it take?

    python benchmarks/reuse.py [--quick] [--workload NAME...] [--documents N] [--passages N] [--memory SIZE]
                               [--csv FILE]

From texts to clusters, with as many threads as there are cores; seconds of the processor and of the clock, and the most
memory that the benchmark had by then.

- *pan*: the training half of PAN 2013 as one collection. Plagdet, precision and recall (Potthast et al., COLING 2010)
  of the passages reported for the pairs of documents that the corpus judges; other pairs have no known truth.
- *novels*: all pairs of a hundred novels. The truth is unknown; pairs of documents and of passages are counted.
- *planted R*: passages of 50 to 500 words of one novel, inserted into two others, with a share R of their words
  replaced by words of the novels; *reordered*: their sentences shuffled, *noise*: three of a hundred letters misread.
  Each planted passage makes three pairs. Recall is the share of these pairs of which a reported pair covers half of
  both sides; precision the share of the reported pairs, without those of the unchanged novels, that overlap a planted
  pair on both sides. The adjusted Rand index compares the clusters with the planted passages, over those found.
- *copies*: each novel ten times, with a tenth of the words replaced in each. Recall is the share of the words of every
  two copies that a pair covers; precision the share of the words in pairs that belong to two copies of one novel.
- *chapters*: the classics in Chinese, cut into pieces of 5,000 characters; counted only.
"""

import argparse
import json
import random
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from collections_of_text import documents, rows_of
from pan import corpus, count_as_pan, quality
from planted_passages import find_repeated, misread, plant, reorder, replacing, score
from report import Report, Row

from ibidem import Reuse, find_reuse, read
from ibidem.evaluation import Case
from ibidem.text import Collection

WORKLOADS = (
    "pan",
    "novels",
    "planted 0",
    "planted 0.1",
    "planted 0.3",
    "planted 0.5",
    "reordered",
    "noise",
    "copies",
    "chapters",
)

COPIES = 10


class Measured(NamedTuple):
    found: Reuse
    cpu: float
    clock: float


def run(given: Collection, **settings: Any) -> Measured:
    cpu, clock = time.process_time(), time.perf_counter()
    found = find_reuse(given, **settings)
    return Measured(found, time.process_time() - cpu, time.perf_counter() - clock)


def row(workload: str, measured: Measured, **more: object) -> Row:
    summary = measured.found.summary
    counts = {
        name: summary[name] for name in ("documents", "tokens", "pairs", "document_pairs", "clusters", "left_out")
    }
    scores = dict.fromkeys(("recall", "precision", "plagdet", "rand"), "") | more
    bands = summary["bands"] or {"bands": "", "functions": ""}
    seconds = {"cpu s": f"{measured.cpu:.1f}", "clock s": f"{measured.clock:.1f}"}
    memory = {"MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}
    return (
        {"workload": workload}
        | counts
        | {"bands": f"{bands['bands']}x{bands['functions']}"}
        | seconds
        | memory
        | scores
    )


def on_pan(options: argparse.Namespace, settings: dict[str, Any]) -> Row:
    given = corpus(options.quick)
    measured = run(list(given.texts.items()), **settings)
    judged = {frozenset(pair.ids): pair for pair in given.pairs}
    found, kinds = [], []
    for pair in measured.found.pairs.to_pylist():
        verdict = judged.get(frozenset((pair["a"], pair["b"])))
        if verdict is not None:
            a, b = "ab" if pair["a"] == verdict.suspicious else "ba"
            names = {"suspicious": pair[a], "source": pair[b]}
            places = {"start": pair[f"{a}_start"], "end": pair[f"{a}_end"]}
            found.append(Case(**names, **places, source_start=pair[f"{b}_start"], source_end=pair[f"{b}_end"]))
            kinds.append(pair["kind"])
    scores = quality(count_as_pan(found, kinds), given.cases)
    return row("pan", measured, **{name: scores[name] for name in ("recall", "precision", "plagdet")})


def on_novels(options: argparse.Namespace, settings: dict[str, Any]) -> Row:
    return row("novels", run(documents(options.quick)[: options.documents], **settings))


def on_chapters(options: argparse.Namespace, settings: dict[str, Any]) -> Row:
    texts = dict(documents(True)) if options.quick else {r["id"]: r["text"] for r in rows_of("classics-zh")}
    pieces = [
        (f"{name}:{first}", text[first : first + 5000])
        for name, text in texts.items()
        for first in range(0, len(text), 5000)
    ]
    return row("chapters", run(pieces, tokenizer="words" if options.quick else "characters", **settings))


def on_planted(workload: str, options: argparse.Namespace, settings: dict[str, Any]) -> Row:
    given = documents(options.quick)[: options.documents]
    changes = {"reordered": reorder, "noise": misread}
    change = changes.get(workload) or replacing(float(workload.split()[1]), given[0][1].split())
    made = plant(given, change, 4 if options.quick else options.passages or 20 * len(given), options.repeated(given))
    measured = run(made.texts, **settings)
    scores = score(made, measured.found)
    return row(workload, measured, **{name: f"{value:.3f}" for name, value in scores._asdict().items()})


def repeated_once(settings: dict[str, Any]) -> Callable[[list[tuple[str, str]]], list[dict[str, Any]]]:
    """Return a function that finds repeated text on its first call; all workloads with planted passages share it."""
    made: list[list[dict[str, Any]]] = []

    def find(given: list[tuple[str, str]]) -> list[dict[str, Any]]:
        if not made:
            made.append(find_repeated(given, settings))
        return made[0]

    return find


def on_copies(options: argparse.Namespace, settings: dict[str, Any]) -> Row:
    with tempfile.TemporaryDirectory(prefix="ibidem-benchmark-") as folder:
        path = Path(folder) / "copies.jsonl"
        write_copies(documents(options.quick)[: options.documents], path)
        measured = run(read([path]), **settings)
    words = dict(zip(*(measured.found.documents[name].to_pylist() for name in ("document", "tokens")), strict=True))
    of = {name: name.rpartition(":")[0] for name in words}
    true = sum(words[name] * (COPIES - 1) for name in words)
    found = {True: 0, False: 0}
    for pair in measured.found.document_pairs.to_pylist():
        inside = sum(pair[f"{side}_{kind}"] for side in "ab" for kind in ("identical", "moved", "changed", "similar"))
        found[of[pair["a"]] == of[pair["b"]]] += inside
    recall, precision = found[True] / true, found[True] / max(sum(found.values()), 1)
    return row("copies", measured, recall=f"{recall:.3f}", precision=f"{precision:.3f}")


def write_copies(given: list[tuple[str, str]], path: Path) -> None:
    """Each text several times, and in each copy a tenth of the words replaced by others of the first text."""
    vocabulary = given[0][1].split()
    change = replacing(0.1, vocabulary)
    with path.open("w", encoding="utf-8") as file:
        for name, text in given:
            words = text.split()
            for copy in range(COPIES):
                record = {"id": f"{name}:{copy}", "text": change(words, random.Random(f"{name}:{copy}"))}
                file.write(json.dumps(record) + "\n")


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--workload", nargs="+", default=list(WORKLOADS), choices=WORKLOADS, metavar="NAME")
    report.parser.add_argument("--documents", type=int, metavar="N", help="novels to begin with (all)")
    report.parser.add_argument("--passages", type=int, metavar="N", help="passages to plant (20 a novel)")
    report.parser.add_argument("--memory", default="2G", metavar="SIZE", help="for find_reuse (2G)")
    options = report.options()
    settings = {"memory": options.memory}
    find_reuse([("warm", "up " * 100), ("again", "up " * 100)])  # compiles
    options.repeated = repeated_once(settings)
    others = {"pan": on_pan, "novels": on_novels, "copies": on_copies, "chapters": on_chapters}
    rows = [
        others[name](options, settings) if name in others else on_planted(name, options, settings)
        for name in options.workload
    ]
    report.finish(rows)


if __name__ == "__main__":
    main()
