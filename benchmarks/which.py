"""Which of these documents is it? How often the first answer is right, by an index of documents.

    python benchmarks/which.py [--quick] [--csv FILE] [--unlike FOLDER]

``licenses`` and ``scenarios`` are files with a known licence, asked of 431 texts and headers of licences; ``ocr`` are
regions of newspapers in black letter as machines read them, asked of the corrected regions. Both sets are in the folder
of ``--unlike`` (``licenses.jsonl.gz``, ``nzz.jsonl.gz``). ``edition`` and ``old spelling`` are chapters of the Bible in
two other versions, asked of the chapters in one; ``excerpt`` are 300 characters of Chinese novels, a tenth of them
changed, asked of the chapters. Both are made of the folder that IBIDEM_DATA names. Each is asked with several shingles
and thresholds, by the commands ``ibidem index --documents`` and ``ibidem search``; ``among five`` are right answers
among the first five.
"""

import gzip
import json
import random
import re
import resource
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from collections_of_text import BIBLES, generated, rows_of
from commands import IBIDEM
from report import Report, Row

SHINGLES = ("words:2", "words:3", "words:5", "characters:5", "characters:9")
THRESHOLDS = (0.05, 0.1)
VERSIONS = {"edition": "web", "old spelling": "kjv1611"}
ASKED_OF = "kjv"
ASKED = 100


class Question(NamedTuple):
    """A text, and the references of which any is the right answer."""

    text: str
    answers: frozenset[str]


class Collection(NamedTuple):
    """References by their ids, and questions in parts that have a name each."""

    references: dict[str, str]
    questions: dict[str, list[Question]]


def licenses(folder: Path) -> Collection:
    rows = list(read_rows(folder / "licenses.jsonl.gz"))
    references = [row for row in rows if row["kind"] == "reference"]
    of_name: dict[str, set[str]] = {}
    for row in references:
        of_name.setdefault(row["name"], set()).add(row["id"])
    questions: dict[str, list[Question]] = {"licensecheck": [], "scenarios": []}
    for row in rows:
        if row["kind"] == "file" and len(row["expected"]) == 1:
            answers = frozenset(of_name.get(row["expected"][0], ()))
            questions[row["set"]].append(Question(row["text"], answers))
    named = {"licenses": questions["licensecheck"], "scenarios": questions["scenarios"]}
    return Collection({row["id"]: row["text"] for row in references}, named)


def regions(folder: Path) -> Collection:
    rows = [row for row in read_rows(folder / "nzz.jsonl.gz") if row["kind"] == "region"]
    references = {f"{row['page']} {row['region']}": row["truth"] for row in rows}
    asked = random.Random(1).sample(rows, ASKED * 3)
    questions = [Question(row["ocr"], frozenset([f"{row['page']} {row['region']}"])) for row in asked]
    return Collection(references, {"ocr": questions})


def editions() -> Collection:
    chapters: dict[str, dict[str, str]] = {}
    for row in rows_of(BIBLES):
        version, name = chapters.setdefault(row["version"], {}), f"{row['book']} {row['chapter']}"
        version[name] = f"{version.get(name, '')} {row['text']}"
    references = chapters[ASKED_OF]
    names = random.Random(1).sample(sorted(set.intersection(*map(set, chapters.values()))), ASKED)
    questions = {
        part: [Question(chapters[version][name], frozenset([name])) for name in names]
        for part, version in VERSIONS.items()
    }
    return Collection(references, questions)


def excerpts() -> Collection:
    chapters: dict[str, str] = {}
    for row in rows_of("classics-zh"):
        parts = re.split(r"(?=\n\s*第[一二三四五六七八九十百零○]+回)", row["text"])
        chapters |= {f"{row['id']} {number}": part for number, part in enumerate(parts) if len(part) > 1000}
    source, questions = random.Random(1), []
    for name in source.sample(sorted(chapters), ASKED):
        start = source.randrange(len(chapters[name]) - 300)
        letters = [source.choice("一人不來說") if source.random() < 0.1 else each for each in chapters[name][start:]]
        questions.append(Question("".join(letters[:300]), frozenset([name])))
    return Collection(chapters, {"excerpt": questions})


def invented() -> Collection:
    """Generated texts with every tenth word changed, for a quick run."""
    references = dict(generated(20, 60))
    changed = {
        name: " ".join("word" if at % 10 == 0 else word for at, word in enumerate(text.split()))
        for name, text in references.items()
    }
    return Collection(references, {"invented": [Question(text, frozenset([name])) for name, text in changed.items()]})


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def ask(collection: Collection, shingle: str, threshold: float) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ibidem-") as name:
        folder = Path(name)
        references, index = write(folder / "references.jsonl", collection.references), str(folder / "index")
        options = ["--documents", "--threshold", str(threshold), "--shingle", shingle]
        _, built = run("index", references, "-o", index, *options)
        for part, questions in collection.questions.items():
            texts = {str(number): question.text for number, question in enumerate(questions)}
            found, searched = run("search", index, write(folder / f"{part}.jsonl", texts), "--limit", "5")
            answers: list[list[str]] = [[] for _ in questions]
            for row in map(json.loads, found.splitlines()):
                answers[int(row["query"])].append(row["document"])
            ranks = [rank(question, names) for question, names in zip(questions, answers, strict=True)]
            yield {
                "texts": part,
                "references": len(collection.references),
                "shingle": shingle,
                "threshold": threshold,
                "asked": len(questions),
                "right": ranks.count(0),
                "among five": sum(each is not None for each in ranks),
                "no answer": answers.count([]),
                "index CPU s": f"{built:.2f}",
                "search CPU s a text": f"{searched / len(questions):.4f}",
            }


def rank(question: Question, names: list[str]) -> int | None:
    return next((place for place, name in enumerate(names) if name in question.answers), None)


def write(path: Path, texts: dict[str, str]) -> str:
    rows = [json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n" for name, text in texts.items()]
    path.write_text("".join(rows), encoding="utf-8")
    return str(path)


def run(*arguments: str) -> tuple[str, float]:
    """What a command prints, and the processor seconds that it takes, those of its start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([*IBIDEM, *arguments], capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows_of_collections(collections: Iterable[Collection]) -> Iterator[Row]:
    for collection in collections:
        for shingle, threshold in product(SHINGLES, THRESHOLDS):
            for row in ask(collection, shingle, threshold):
                print(row, flush=True)
                yield row


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--unlike", type=Path, metavar="FOLDER", help="the folder of licences and newspapers")
    options = report.options()
    if options.quick:
        report.finish([*ask(invented(), "words:2", 0.1)])
        return
    collections = [licenses(options.unlike), regions(options.unlike)] if options.unlike else []
    report.finish(list(rows_of_collections([*collections, editions(), excerpts()])))


if __name__ == "__main__":
    main()
