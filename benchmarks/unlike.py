"""What do the defaults find in texts of kinds that nothing was tuned on?

    python benchmarks/unlike.py [FOLDER] [--quick] [--only NAME] [--csv FILE]

FOLDER holds labelled sets, a file NAME.jsonl.gz each, of which those are scored that are there:

*dharma*: verses and commentaries in Sanskrit (*sa*) and Tibetan (*bo*), half of the pairs unrelated; a pair is found if
``align --documents --pairs --shares`` reports a shared passage. *hebrew*: verses of Chronicles and those of Samuel and
Kings that correspond, by ``align --units line``. *nzz*: pages of a newspaper that a machine read beside corrected ones,
by ``reuse --against``; characters, in the right page or another. *quran*: verses in answers of language models, by
``reuse --against``; characters of the answers.

Without a folder, --quick makes a set of verses whose words are joined. Seconds are those of the processor.
"""

import gzip
import json
import random
import resource
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from commands import IBIDEM
from report import Report, Row

Rows = list[dict[str, Any]]


def read_set(path: Path) -> Rows:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def score(name: str, right: int, reported: int, wanted: int, seconds: float) -> Row:
    precision, recall = right / max(reported, 1), right / max(wanted, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    figures = {"precision": precision, "recall": recall, "f1": f1}
    return {"set": name} | {key: f"{value:.3f}" for key, value in figures.items()} | {"seconds": f"{seconds:.1f}"}


def run(arguments: list[str], output: Path | None = None) -> tuple[Rows, float]:
    """The lines that a command writes, to standard output or to a file, and the seconds that it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*IBIDEM, *arguments], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = (done.stdout if output is None else output.read_text(encoding="utf-8")).splitlines()
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [json.loads(line) for line in lines], seconds


def score_dharma(rows: Rows, folder: Path) -> Iterable[Row]:
    pairs = [row for row in rows if row["kind"] == "pair"]
    sides = [
        (row["id"] + side, row[column]) for row in pairs for side, column in (("-r", "root"), ("-c", "commentary"))
    ]
    write_lines(folder / "documents.jsonl", ({"id": id, "text": text} for id, text in sides))
    write_lines(folder / "pairs.jsonl", ({"a": row["id"] + "-r", "b": row["id"] + "-c"} for row in pairs))
    options = ["--pairs", str(folder / "pairs.jsonl"), "--shares", "--json", "--no-text"]
    lines, seconds = run(["align", "--documents", str(folder / "documents.jsonl"), *options])
    found = {line["a"][:-2] for line in lines if line["passages"]}
    for language in sorted({row["lang"] for row in pairs}):
        of_language = [row for row in pairs if row["lang"] == language]
        reported = [row for row in of_language if row["id"] in found]
        right, wanted = (sum(row["label"] for row in some) for some in (reported, of_language))
        yield score(f"dharma {language}", right, len(reported), wanted, seconds)


def score_hebrew(rows: Rows, folder: Path) -> Iterable[Row]:
    verses = {side: [row for row in rows if row["kind"] == "doc" and row["side"] == side] for side in ("chr", "sk")}
    for side, of_side in verses.items():
        lines = (" ".join(row["text"].split("\n")) + "\n" for row in of_side)
        (folder / f"{side}.txt").write_text("".join(lines), encoding="utf-8")
    files = [str(folder / f"{side}.txt") for side in ("chr", "sk")]
    lines, seconds = run(["align", *files, "--units", "line", "--json", "--no-text"])
    linked = {
        (verses["chr"][int(line["a_unit"]) - 1]["id"], verses["sk"][int(line["b_unit"]) - 1]["id"])
        for line in lines
        if "a_unit" in line
    }
    truth = {(row["chr"], row["sk"]) for row in rows if row["kind"] == "truth"}
    yield score("hebrew", len(linked & truth), len(linked), len(truth), seconds)


def find_passages(folder: Path, texts: dict[str, str], known: dict[str, str]) -> tuple[Rows, float]:
    """The pairs of passages of two collections by ``reuse``."""
    for name, side in (("texts", texts), ("known", known)):
        write_lines(folder / f"{name}.jsonl", ({"id": id, "text": text} for id, text in side.items()))
    files = [str(folder / "texts.jsonl"), "--against", str(folder / "known.jsonl")]
    return run(["reuse", *files, "-o", str(folder / "out"), "--format", "jsonl"], folder / "out" / "pairs.jsonl")


def score_nzz(rows: Rows, folder: Path) -> Iterable[Row]:
    pages = [row for row in rows if row["kind"] == "page"]
    read, corrected = ({f"{side}|{row['page']}": row[column] for row in pages} for side, column in READINGS)
    pairs, seconds = find_passages(folder, read, corrected)
    of_page = [pair for pair in pairs if pair["a"].split("|")[1] == pair["b"].split("|")[1]]
    right, reported = (sum(pair["a_end"] - pair["a_start"] for pair in some) for some in (of_page, pairs))
    covered = {(pair["b"], place) for pair in of_page for place in range(pair["b_start"], pair["b_end"])}
    wanted = sum(map(len, corrected.values()))
    row = score("nzz pages", right, reported, wanted, seconds)
    precision, recall = float(row["precision"]), len(covered) / wanted
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    yield row | {"recall": f"{recall:.3f}", "f1": f"{f1:.3f}"}


READINGS = ("o", "ocr2005"), ("t", "truth")
"""The two readings of a page: the mark of their ids, and their columns."""


def score_quran(rows: Rows, folder: Path) -> Iterable[Row]:
    verses = {row["id"]: row["text"] for row in rows if row["kind"] == "verse"}
    answers = {f"{row['set']}-{row['id']}": row["text"] for row in rows if row["kind"] == "answer"}
    pairs, seconds = find_passages(folder, answers, verses)
    found = {(pair["a"], place) for pair in pairs for place in range(pair["a_start"], pair["a_end"])}
    quoted = [row for row in rows if row["kind"] == "span" and "Ayah" in row["label"]]
    truth = {(f"{row['set']}-{row['id']}", place) for row in quoted for place in range(row["start"], row["end"])}
    yield score("quran", len(found & truth), len(found), len(truth), seconds)


SETS: dict[str, Callable[[Rows, Path], Iterable[Row]]] = {
    "dharma": score_dharma,
    "hebrew": score_hebrew,
    "nzz": score_nzz,
    "quran": score_quran,
}


def generated() -> Rows:
    """Verses of joined words, and commentaries that part them or are on another verse."""
    drawn, syllables = random.Random(1), [first + second for first in "kgcjtdnpbmyrlvsh" for second in "aiueo"]
    stems = ["".join(drawn.choices(syllables, k=drawn.randint(2, 3))) for _ in range(400)]
    made = []
    for number in range(20):
        verse, other = ([*drawn.choices(stems, k=60)] for _ in range(2))
        root = " ".join("".join(verse[first : first + 3]) for first in range(0, 60, 3))
        told = verse if number % 2 else other
        commentary = " ".join("".join(told[first : first + 2]) for first in range(0, 60, 2))
        row = {"kind": "pair", "lang": "made", "id": str(number), "root": root, "commentary": commentary}
        made.append(row | {"label": number % 2})
    return made


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("folder", nargs="?", metavar="FOLDER", help="the labelled sets")
    report.parser.add_argument("--only", default="", metavar="NAME", help="only this set")
    options = report.options()
    if not (options.folder or options.quick):
        report.parser.error("name the folder of the sets")
    rows: list[Row] = []
    for name, score_set in SETS.items():
        path = Path(options.folder or "", f"{name}.jsonl.gz")
        if options.only in ("", name) and (path.exists() if options.folder else name == "dharma"):
            with tempfile.TemporaryDirectory() as place:
                rows += score_set(read_set(path) if options.folder else generated(), Path(place))
    report.finish(rows)


if __name__ == "__main__":
    main()
