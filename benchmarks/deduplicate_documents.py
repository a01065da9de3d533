"""How fast does raw text become verified clusters, and is what is removed what should be?

    python benchmarks/deduplicate_documents.py [--quick] [--csv FILE]
        [--threads N...] [--documents N] [--contestants NAME...]

100,000 documents of 200 words lie on disk as two files of JSON lines. Seven of ten are cut from the novels of the
folder that IBIDEM_DATA names; the others are variants of them, with words inserted, deleted and replaced, and lines
wrapped anew. Each contestant is a process that reads the files and writes those that it keeps; the time is that of the
whole process. CPU seconds are those of the processes that were waited for; datatrove's two workers are not among them.
All compare shingles of 5 words at a threshold of 0.8, except that datatrove knows buckets only, and has
those of its documentation (14 of 8, near 0.72). text-dedup and datatrove are driven as their documentation says.

Recall: of the variants whose exact resemblance to their original is 0.85 or more, the share of pairs of which not both
are kept. Precision: of the removed, the share that has an exact resemblance of 0.8 to another document.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from subprocess import DEVNULL, run
from typing import Any, NamedTuple

import numpy as np
from collections_of_text import documents
from contestants import installed
from report import Report

from ibidem.documents.signatures import Shingler, make_shingle_sets
from ibidem.documents.verification import count_overlaps
from ibidem.text import Texts

THRESHOLD = 0.8
WORDS = 200


class Planted(NamedTuple):
    """Documents by id; the id of a variant begins with that of its original."""

    texts: dict[str, str]
    families: list[list[str]]


def planted(quick: bool, most: int) -> Planted:
    """Up to ``most`` originals, and three variants for seven of them."""
    source = random.Random(9)
    words = [word for _, text in documents(quick) for word in text.split()]
    count = min(len(words) // WORDS, most)
    originals = [words[WORDS * number : WORDS * (number + 1)] for number in range(count)]
    families = [[f"{number}"] for number in range(count)]
    texts = {f"{number}": " ".join(original) for number, original in enumerate(originals)}
    for _ in range(count * 3 // 7):
        number = source.randrange(count)
        families[number].append(f"{number}.{len(families[number])}")
        texts[families[number][-1]] = variant(originals[number], words, source)
    shuffled = list(texts.items())
    source.shuffle(shuffled)
    return Planted(dict(shuffled), families)


def variant(original: list[str], vocabulary: list[str], source: random.Random) -> str:
    words = list(original)
    for _ in range(source.choice([0, 1, 1, 2, 2, 3, 4, 6, 10])):
        place, word = source.randrange(len(words)), source.choice(vocabulary)
        words[place : place + source.randrange(2)] = [[word], [word], []][source.randrange(3)]
    width = source.choice([8, 12, WORDS])
    return "\n".join(" ".join(words[first : first + width]) for first in range(0, len(words), width))


def write(texts: dict[str, str], folder: Path) -> None:
    rows = [json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items()]
    folder.mkdir()
    for part in (0, 1):
        (folder / f"{part}.jsonl").write_text("".join(rows[part::2]), "utf-8")


def kept_lines(files: list[Path]) -> set[str]:
    return {json.loads(line)["id"] for file in files for line in file.open(encoding="utf-8")}


def ibidem(source: Path, folder: Path, threads: int) -> Callable[[], set[str]]:
    command = ["-m", "ibidem.cli", "dedup", str(source), "-o", str(folder / "out"), "--threads", str(threads)]
    run([sys.executable, *command, "--threshold", str(THRESHOLD)], check=True, stderr=DEVNULL)
    return lambda: kept_lines(list((folder / "out/kept").iterdir()))


def text_dedup(source: Path, folder: Path, threads: int) -> Callable[[], set[str]]:
    options: dict[str, Any] = {
        "path": "json",
        "data_files": f"{source}/*.jsonl",
        "split": "train",
        "cache_dir": folder / "cache",
        "output": folder / "out",
        "column": "text",
        "threshold": THRESHOLD,
        "ngram": 5,
        "num_perm": 128,
        "num_proc": threads,
        "batch_size": 10_000,
    }
    given = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    run([sys.executable, "-m", "text_dedup.minhash", *given], check=True, stdout=DEVNULL, stderr=DEVNULL)

    def kept() -> set[str]:
        from datasets import load_from_disk

        return set(load_from_disk(str(folder / "out"))["id"])

    return kept


DATATROVE = """
import sys
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers.jsonl import JsonlWriter
from datatrove.utils.hashing import HashConfig
from datatrove.utils.typeshelper import Languages

if __name__ == "__main__":
    source, folder, workers = sys.argv[1], sys.argv[2], int(sys.argv[3])
    config = MinhashConfig(hash_config=HashConfig(precision=64), num_buckets=14, hashes_per_bucket=8)
    reader = JsonlReader(source, glob_pattern="*.jsonl")
    signature = MinhashDedupSignature(output_folder=f"{folder}/signatures", config=config, language=Languages.english)
    buckets = MinhashDedupBuckets(f"{folder}/signatures", f"{folder}/buckets", config=config)
    clusters = MinhashDedupCluster(f"{folder}/buckets", f"{folder}/removed", config=config)
    filtering = MinhashDedupFilter(f"{folder}/removed")
    steps = [
        ([reader, signature], 2),
        ([buckets], config.num_buckets),
        ([clusters], 1),
        ([reader, filtering, JsonlWriter(f"{folder}/out", compression=None)], 2),
    ]
    for number, (pipeline, tasks) in enumerate(steps):
        logs = f"{folder}/logs/{number}"
        LocalPipelineExecutor(pipeline, tasks=tasks, workers=workers, logging_dir=logs).run()
"""


def datatrove(source: Path, folder: Path, threads: int) -> Callable[[], set[str]]:
    (folder / "pipeline.py").write_text(DATATROVE, "utf-8")
    command = [sys.executable, str(folder / "pipeline.py"), str(source), str(folder), str(threads)]
    run(command, check=True, stdout=DEVNULL, stderr=DEVNULL)
    return lambda: kept_lines(list((folder / "out").glob("*.jsonl")))


CONTESTANTS = {"ibidem": ibidem, "text_dedup": text_dedup, "datatrove": datatrove}


class Truth:
    """Exact resemblances of documents."""

    def __init__(self, collection: Planted) -> None:
        self.places = {name: place for place, name in enumerate(collection.texts)}
        shingler = Shingler("words:5")
        tokens = shingler.tokens(Texts.from_strings(list(collection.texts.values())))
        self.sets = make_shingle_sets(tokens.ids, tokens.bounds, np.arange(len(self.places)), shingler.width)
        pairs = [pair for family in collection.families for pair in combinations(family, 2)]
        numbers = np.array([[self.places[name] for name in pair] for pair in pairs]).reshape(-1, 2)
        found = count_overlaps(self.sets.values, self.sets.bounds, numbers).resemblances.tolist()
        self.planted = dict(zip(pairs, found, strict=True))
        self.sizes = np.diff(self.sets.bounds)
        owners = np.repeat(np.arange(len(self.places)), self.sizes)
        order = np.argsort(self.sets.values, kind="stable")
        self.shingles, self.owners = self.sets.values[order], owners[order]

    def best(self, name: str) -> float:
        """The resemblance to the most similar of all other documents."""
        place, sizes = self.places[name], self.sizes
        own = self.sets.values[self.sets.bounds[place] : self.sets.bounds[place + 1]]
        low, high = (np.searchsorted(self.shingles, own, side) for side in ("left", "right"))
        met = np.concatenate([self.owners[a:b] for a, b in zip(low, high, strict=True)])
        others, shared = np.unique(met[met != place], return_counts=True)
        return float((shared / (sizes[others] + len(own) - shared)).max(initial=0.0))

    def judge(self, kept: set[str]) -> tuple[float, float]:
        """Recall and precision."""
        similar = [pair for pair, similarity in self.planted.items() if similarity >= THRESHOLD + 0.05]
        found = sum(not (a in kept and b in kept) for a, b in similar)
        removed = self.places.keys() - kept
        right = sum(self.best(name) >= THRESHOLD for name in removed)
        return found / max(len(similar), 1), right / max(len(removed), 1)


def measured(name: str, place: Path, threads: int, collection: Planted, truth: Truth) -> dict[str, object]:
    folder = place / f"{name}-{threads}"
    folder.mkdir()
    start, before = time.perf_counter(), getrusage(RUSAGE_CHILDREN)
    kept = CONTESTANTS[name](place / "input", folder, threads)
    seconds, after = time.perf_counter() - start, getrusage(RUSAGE_CHILDREN)
    names = kept()
    recall, precision = truth.judge(names)
    row: dict[str, object] = {
        "contestant": name,
        "threads": threads,
        "documents": len(collection.texts),
        "seconds": f"{seconds:.2f}",
        "CPU seconds": f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.2f}",
        "removed": len(collection.texts) - len(names),
        "recall": f"{recall:.4f}",
        "precision": f"{precision:.4f}",
    }
    print(row, flush=True)  # the whole takes long
    return row


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    report.parser.add_argument("--documents", type=int, default=100_000)
    report.parser.add_argument("--contestants", nargs="+", choices=list(CONTESTANTS), default=list(CONTESTANTS))
    options = report.options()
    collection = planted(options.quick, options.documents * 7 // 10)
    truth = Truth(collection)
    with tempfile.TemporaryDirectory() as place:
        write(collection.texts, Path(place) / "input")
        rows = [
            measured(name, Path(place), threads, collection, truth)
            for threads in options.threads
            for name in options.contestants
            if installed(name)
        ]
    for row in rows:
        of_ibidem = next(each for each in rows if each["threads"] == row["threads"])  # it comes first
        row["times ibidem's"], row["in CPU time"] = (
            f"{float(str(row[name])) / float(str(of_ibidem[name])):.1f}" for name in ("seconds", "CPU seconds")
        )
    report.finish(rows)


if __name__ == "__main__":
    main()
