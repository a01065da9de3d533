"""Do two checkouts give the same results, and does one take longer?

    python benchmarks/compare_results.py [--quick] [--csv FILE] [--repeats N] [--novels N] [--keep DIR] BEFORE [AFTER]

BEFORE and AFTER are folders of checkouts; AFTER is this one if it is not given. The commands ``index``, ``search``,
``align`` and ``dedup`` of both run on the same inputs: novels, two halves of PAN 2013, and Chinese classics, from the
folder that IBIDEM_DATA names. Both run in this Python, so both need only what is installed here.

*same* counts what is equal: columns of an index and kept files byte for byte, results record by record. A record may
gain fields in AFTER; those are in *added*. *first difference* names the first file and line that differ. Manifests name
the options of an index and may change with these, so they are not compared.

*before s* and *after s* are seconds of the processor, all threads together, of the fastest of N runs; runs of the two
checkouts take turns, and kernels are compiled before.
"""

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from collections_of_text import generated, rows_of
from report import Report, Row

THIS_CHECKOUT = Path(__file__).resolve().parent.parent

Records = list[dict[str, Any]]


class Workload(NamedTuple):
    """One command, run in a folder that holds the inputs.

    A word of ``arguments`` that holds ``|`` gives several spellings: a checkout gets the first that its help knows.
    What the command writes is in ``output``, or on standard output if that is empty.
    """

    name: str
    arguments: tuple[str, ...]
    output: str = ""


class Outcome(NamedTuple):
    """What one run of a workload wrote, and the seconds of the processor that it took."""

    path: Path
    seconds: float


class Comparison(NamedTuple):
    """How many units of two outputs are equal; a unit is a file of bytes or a record."""

    same: int
    units: int
    added: list[str]
    difference: str


def write_records(path: Path, records: Records) -> None:
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records), encoding="utf-8")


def changed_pieces(records: Records, separator: str, length: int, count: int, seed: int) -> Records:
    """Pieces of ``length`` words, or characters if there is no separator; of every second one in 4 came from elsewhere,
    of the others one in 16."""
    source = random.Random(seed)
    words = [each["text"].split(separator) if separator else list(each["text"]) for each in records]
    words = [each for each in words if len(each) > length]
    pieces = []
    for number in range(count):
        chosen = source.choice(words)
        start = source.randrange(len(chosen) - length)
        piece = chosen[start : start + length]
        for place in source.sample(range(length), length // (16 if number % 2 else 4)):
            piece[place] = source.choice(source.choice(words))
        pieces.append({"id": f"query {number}", "text": separator.join(piece)})
    return pieces


def near_duplicates(records: Records, words: int, limit: int) -> Records:
    """Pieces of so many words; every third stands again with one word in 40 left out."""
    pieces: Records = []
    for each in records:
        found = each["text"].split()
        for start in range(0, len(found), words):
            piece = found[start : start + words]
            pieces.append({"id": f"{each['id']} {start}", "text": " ".join(piece)})
            if start // words % 3 == 0:
                left = [word for place, word in enumerate(piece) if place % 40]
                pieces.append({"id": f"{each['id']} {start} again", "text": " ".join(left)})
            if len(pieces) >= limit:
                return pieces
    return pieces


def write_inputs(folder: Path, quick: bool, novels: int) -> None:
    """All inputs as JSON lines; little generated ones where ``quick``."""
    if quick:
        texts = [{"id": name, "text": text} for name, text in generated(4, 2_000)]
        chinese = [
            {
                "id": "numerals",
                "text": "".join(chr(0x4E00 + len(word) * ord(word[0]) % 997) for word in texts[0]["text"].split()),
            }
        ]
        documents = near_duplicates(texts, 300, 20)
        pairs = [{"suspicious": documents[i]["id"], "source": documents[i + 1]["id"]} for i in range(6)]
    else:
        texts = [{"id": row["id"], "text": row["text"]} for row in rows_of("novels-en")][:novels]
        chinese = [{"id": row["id"], "text": row["text"]} for row in rows_of("classics-zh")]
        pairs = list(rows_of("pan13-train-pairs"))[::25]
        named = {pair[side] for pair in pairs for side in ("suspicious", "source")}
        documents = [row for row in rows_of("pan13-train-documents") if row["id"] in named]
    write_records(folder / "novels.jsonl", texts)
    write_records(folder / "chinese.jsonl", chinese)
    write_records(folder / "pan.jsonl", documents)
    write_records(folder / "pairs.jsonl", pairs)
    write_records(folder / "pieces.jsonl", near_duplicates(texts + documents, 300, 20_000))
    count = 3 if quick else 40
    write_records(folder / "novel-queries.jsonl", changed_pieces(texts, " ", 100, count, seed=1))
    write_records(folder / "long-queries.jsonl", changed_pieces(texts, " ", 1_500, 3, seed=2))
    write_records(folder / "chinese-queries.jsonl", changed_pieces(chinese, "", 100, count, seed=3))
    suspicious = {pair["suspicious"] for pair in pairs[: 3 if quick else 60]}
    write_records(folder / "suspicious.jsonl", [each for each in documents if each["id"] in suspicious])


SKETCHES = {
    "k-mins": ("--scheme|--sketch", "k-mins|minhash", "-k", "16"),
    "weighted k-mins": ("--scheme|--sketch", "k-mins|minhash", "-k", "8", "--family", "weighted", "--idf", "smooth"),
    "one permutation": ("--scheme|--sketch", "one permutation|oph", "-k", "16", "--family", "set"),
}

QUICK = ("novels: index", "novels: search, 0.5", "pan: align pairs", "pieces: dedup, first")
"""What --quick runs, a workload of each command."""


def workloads() -> Iterator[Workload]:
    """All that is compared, in an order in which each finds the indexes that it searches."""
    yield from index_and_search("novels", "novel-queries.jsonl", SKETCHES)
    yield Workload(
        "novels: search long queries", ("search", "novels-exact", "long-queries.jsonl", "--threshold", "0.5")
    )
    characters = ("--tokenizer", "characters")
    chinese = {name: (*options, *characters) for name, options in SKETCHES.items() if name != "weighted k-mins"}
    yield from index_and_search("chinese", "chinese-queries.jsonl", chinese, characters)
    yield Workload("pan: index", ("index", "pan.jsonl", "-o", "pan-exact"), "pan-exact")
    yield Workload("pan: align pairs", ("align", "--documents", "pan.jsonl", "--pairs", "pairs.jsonl"))
    yield Workload("pan: align with an index", ("align", "--index", "pan-exact", "suspicious.jsonl"))
    for name, options in {
        "first": ("--threshold", "0.8"),
        "longest, linked": ("--threshold", "0.6", "--keep", "longest", "--chains|--cluster-mode", "connected|keep"),
        "characters": ("--shingle", "characters:9"),
    }.items():
        folder = f"unique {name}"
        yield Workload(f"pieces: dedup, {name}", ("dedup", "pieces.jsonl", "-o", folder, *options), folder)


def index_and_search(
    collection: str, queries: str, sketches: dict[str, tuple[str, ...]], options: tuple[str, ...] = ()
) -> Iterator[Workload]:
    """Build each kind of index of a collection, and search it in several ways."""
    exact = f"{collection}-exact"
    yield Workload(f"{collection}: index", ("index", f"{collection}.jsonl", "-o", exact, *options), exact)
    ways: dict[str, tuple[str, ...]] = {
        "0.5": ("--threshold", "0.5"),
        "0.8": ("--threshold", "0.8"),
        "all": ("--threshold", "0.7", "--report|--select", "all"),
        "longest": ("--threshold", "0.6", "--report|--select", "longest"),
        "of each document": ("--threshold", "0.5", "--report|--select", "document"),
        "sets": ("--threshold", "0.5", "--family", "set"),
        "weights": ("--threshold", "0.5", "--family", "weighted", "--tf", "logarithmic", "--idf", "smooth"),
        "other lengths": ("--threshold", "0.5", "--min-length", "70", "--max-length", "140"),
    }
    for name, way in ways.items():
        yield Workload(f"{collection}: search, {name}", ("search", exact, queries, *way))
    for name, made in sketches.items():
        index = f"{collection}-{name}"
        yield Workload(f"{index}: index", ("index", f"{collection}.jsonl", "-o", index, *made), index)
        for threshold in ("0.5", "0.8"):
            yield Workload(f"{index}: search, {threshold}", ("search", index, queries, "--threshold", threshold))


class Checkout:
    """A folder with a version of the project, whose commands run in ``folder``."""

    def __init__(self, root: Path, folder: Path, *, compile_ahead: bool) -> None:
        self._environment = os.environ | {"PYTHONPATH": str(root / "src")}
        self._folder = folder
        self._help: dict[str, str] = {}
        if compile_ahead:
            self.run(("warmup",), folder / "warmup.txt")

    def run(self, arguments: Sequence[str], output: Path) -> float:
        """Run a command with standard output to ``output``; returns seconds of the processor."""
        return self.run_python(("-m", "ibidem.cli", *arguments), output)

    def run_python(self, arguments: Sequence[str], output: Path) -> float:
        """Run Python with the checkout as ``run`` runs a command."""
        command = [sys.executable, *arguments]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with output.open("wb") as file:
            done = subprocess.run(
                command, cwd=self._folder, env=self._environment, stdout=file, stderr=subprocess.PIPE, check=False
            )
        if done.returncode:
            sys.exit(f"{' '.join(command)} in {self._folder} failed:\n{done.stderr.decode()}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def measure(self, workload: Workload) -> Outcome:
        printed = self._folder / "standard-output.jsonl"
        if workload.output:
            shutil.rmtree(self._folder / workload.output, ignore_errors=True)
        seconds = self.run([self._spell(workload.arguments[0], word) for word in workload.arguments], printed)
        return Outcome(self._folder / workload.output if workload.output else printed, seconds)

    def _spell(self, command: str, word: str) -> str:
        """The first of a word's spellings that the help of the command knows."""
        spellings = word.split("|")
        if len(spellings) == 1:
            return word
        if command not in self._help:
            output = self._folder / "help.txt"
            self.run((command, "--help"), output)
            self._help[command] = " ".join(output.read_text(encoding="utf-8").split())
        return next((each for each in spellings if each in self._help[command]), spellings[-1])


def compare(before: Path, after: Path) -> Comparison:
    """Compare two files, or the files of two folders."""
    if before.is_file():
        return compare_records(before, after)
    parts = [compare_files(name, before, after) for name in names_of(before, after)]
    return Comparison(
        sum(part.same for part in parts),
        sum(part.units for part in parts),
        sorted({name for part in parts for name in part.added}),
        next((part.difference for part in parts if part.difference), ""),
    )


def names_of(*folders: Path) -> list[Path]:
    """The files of any of the folders, but for locks and the records of an index."""
    skipped = ("manifest.json", "segment.json", ".lock")
    found = {path.relative_to(folder) for folder in folders for path in folder.rglob("*") if path.is_file()}
    return sorted(path for path in found if not path.name.endswith(skipped))


def compare_files(name: Path, before: Path, after: Path) -> Comparison:
    old, new = before / name, after / name
    if not (old.exists() and new.exists()):
        return Comparison(0, 1, [], f"{name}: only in {'BEFORE' if old.exists() else 'AFTER'}")
    if name.suffix in (".json", ".jsonl"):
        return compare_records(old, new)
    same = old.read_bytes() == new.read_bytes()
    return Comparison(int(same), 1, [], "" if same else str(name))


def compare_records(before: Path, after: Path) -> Comparison:
    """Compare two files of JSON, record by record."""
    old, new = read_records(before), read_records(after)
    same, difference = 0, ""
    added: set[str] = set()
    for number, (left, right) in enumerate(zip(old, new, strict=False), 1):
        added |= right.keys() - left.keys()
        if left == {name: value for name, value in right.items() if name in left}:
            same += 1
        elif not difference:
            difference = f"{before.name}:{number}"
    if len(old) != len(new) and not difference:
        difference = f"{before.name}: {len(old)} records before, {len(new)} after"
    return Comparison(same, max(len(old), len(new)), sorted(added), difference)


def read_records(path: Path) -> Records:
    """The records of JSON lines, or the one of a JSON file; where things are and how long they took are left out."""
    text = path.read_text(encoding="utf-8")
    records = [json.loads(text)] if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]
    return [{name: value for name, value in each.items() if name != "seconds"} for each in records]


def measure(checkouts: tuple[Checkout, Checkout], workload: Workload, repeats: int) -> Row:
    runs = [[checkout.measure(workload) for checkout in checkouts] for _ in range(repeats)]
    before, after = (min(pair[side].seconds for pair in runs) for side in (0, 1))
    compared = compare(runs[0][0].path, runs[0][1].path)
    row: Row = {
        "workload": workload.name,
        "same": compared.same,
        "of": compared.units,
        "first difference": compared.difference,
        "added": " ".join(compared.added),
        "before s": f"{before:.2f}",
        "after s": f"{after:.2f}",
        "ratio": f"{after / before:.2f}",
    }
    print(*row.values(), sep="  ", flush=True, file=sys.stderr)
    return row


def is_wanted(workload: Workload, options: argparse.Namespace) -> bool:
    """Whether to run it; indexes are built anyway, since searches need them."""
    if options.quick:
        return workload.name in QUICK
    return options.only in workload.name or workload.name.endswith(": index")


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("before", nargs="?", type=Path, default=THIS_CHECKOUT, help="a checkout")
    report.parser.add_argument("after", nargs="?", type=Path, default=THIS_CHECKOUT, help="another (this one)")
    report.parser.add_argument("--repeats", type=int, default=1, metavar="N", help="runs of each command (1)")
    report.parser.add_argument("--novels", type=int, default=10, metavar="N", help="how many novels (10)")
    report.parser.add_argument("--only", default="", metavar="WORD", help="workloads whose names hold this, or index")
    report.parser.add_argument("--keep", type=Path, metavar="DIR", help="work in this folder, and leave the outputs")
    options = report.options()
    with tempfile.TemporaryDirectory() as temporary:
        folders = [(options.keep or Path(temporary)) / side for side in ("before", "after")]
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
            write_inputs(folder, options.quick, options.novels)
        roots = (options.before.resolve(), options.after.resolve())
        checkouts = tuple(
            Checkout(root, folder, compile_ahead=not options.quick) for root, folder in zip(roots, folders, strict=True)
        )
        wanted = [each for each in workloads() if is_wanted(each, options)]
        rows = [measure(checkouts, each, options.repeats) for each in wanted]
    report.finish(rows)
    if any(row["same"] != row["of"] for row in rows):
        sys.exit("The results differ.")


if __name__ == "__main__":
    main()
