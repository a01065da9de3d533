"""Does a plan of any collection, with any settings, in any parts, make what the plain command makes?

    python benchmarks/random_plans.py [--quick] [--kind KIND] [--seconds N] [--first N] [--csv FILE]

Each case follows from its number alone: a collection of up to 60 texts in several scripts, some of them alike, some
empty, some with half of a surrogate pair, in up to six files of several formats and folders, with and without ids, a
few of which occur twice; and options of ``ibidem index``, ``dedup``, ``dedup --passages`` or ``reuse``, of which
``--kind`` chooses one. Some are compared with an index, to
which what is kept may be added. The plain command makes one result.
The same job is planned in one to nine parts and run by ranks of one to seven, half of the time interrupted at random
until one comes to the end. Both results must have the same bytes, or both must be refused. Cases that differ are told
by their numbers, and ``--first`` begins with one again.
"""

import csv
import gzip
import json
import random
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from plans import digest
from report import Report, Row

from ibidem.cli import main as command
from ibidem.corpus import read
from ibidem.documents.index import DocumentIndex
from ibidem.errors import CorpusError, IbidemError
from ibidem.plans import run_rank

SCRIPTS = ["abcdefg", "αβγδεζ", "天地玄黄宇宙洪荒", "अआइईकखग", "אבגדהו", "ÄßİéẞŉǅΣ\u0301", "\U0001f600\U0001f680"]

TURNS = 30
"""Ranks that may be interrupted one after the other; the next is not."""


def make_texts(source: random.Random) -> list[str]:
    """Some texts of a few words, many of which have a passage of one before them."""
    scripts = [source.choice(SCRIPTS) for _ in range(3)]
    words = ["".join(source.choices(source.choice(scripts), k=source.randint(1, 4))) for _ in range(400)]
    words = words[: source.choice([1, 20, 400])]
    made: list[list[str]] = []
    for _ in range(source.choice([0, 1, 3, 20, 60])):
        text = source.choices(words, k=source.choice([0, 1, 5, 30, 80, 300]))
        if made and source.random() < 0.5:
            text = with_passage_of(source.choice(made), text, words, source)
        made.append(text)
    joined = (source.choice([" ", " ", " ", "\n", ""]).join(text) for text in made)
    return [text + source.choice(["", "", "", "", "\ud800", "."]) for text in joined]


def with_passage_of(other: list[str], text: list[str], words: list[str], source: random.Random) -> list[str]:
    first = source.randint(0, len(other))
    passage = other[first : source.randint(first, len(other))]
    for place in range(len(passage)):
        if source.random() < 0.05:
            passage[place] = source.choice(words)
    return passage if source.random() < 0.3 else text[:20] + passage + text[20:]


def write_collection(folder: Path, source: random.Random) -> None:
    """Texts in files of several formats."""
    folder.mkdir()
    has_ids = source.random() < 0.7
    shares: list[list[dict[str, Any]]] = [[] for _ in range(source.randint(1, 6))]
    for number, text in enumerate(make_texts(source)):
        document = {"id": f"d{number if source.random() < 0.995 else 0}"} if has_ids else {}
        document |= {"text": text, "year": source.randint(1500, 1900)}
        shares[source.choice([0, source.randrange(len(shares))])].append(document)
    for number, share in enumerate(shares):
        path = folder / source.choice([f"{number}", f"deep{number}/ü {number}"])
        path.parent.mkdir(exist_ok=True)
        source.choice([write_json_lines, write_json_lines, write_compressed, write_table, write_plain_texts])(
            path, share
        )


def write_json_lines(path: Path, share: list[dict[str, Any]]) -> None:
    path.with_suffix(".jsonl").write_text("".join(json.dumps(one) + "\n" for one in share))


def write_compressed(path: Path, share: list[dict[str, Any]]) -> None:
    with gzip.open(path.with_suffix(".jsonl.gz"), "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(one, ensure_ascii="\ud800" in one["text"]) + "\n" for one in share)


def write_table(path: Path, share: list[dict[str, Any]]) -> None:
    names = list(share[0]) if share else ["text", "year"]
    with open(path.with_suffix(".csv"), "w", newline="", encoding="utf-8", errors="replace") as file:
        csv.writer(file).writerows([names, *(one.values() for one in share)])


def write_plain_texts(path: Path, share: list[dict[str, Any]]) -> None:
    for number, one in enumerate(share[:3]):
        path.with_name(f"{path.name}-{number}.txt").write_text(one["text"], "utf-8", "replace")


def choose(source: random.Random, choices: dict[str, list[str]], often: float = 0.4) -> list[str]:
    """Options of a command line: each of the choices now and then, with one of its values."""
    chosen = [(name, source.choice(values)) for name, values in choices.items() if source.random() < often]
    return [word for name, value in chosen for word in (name, value) if word]


def choose_index(source: random.Random) -> list[str]:
    options = choose(source, {"--min-length": ["1", "4", "10"], "--tokenizer": ["characters", "words:2"]})
    sketches = [["--scheme", "minhash", "-k", "4", "--seed", "7"], ["--scheme", "oph", "-k", "2"]]
    scheme = source.choice([[], *sketches])
    family = source.choice([[], ["--family", "set"], ["--family", "weighted"]])
    if "weighted" in family:
        weights = {"--tf": ["binary", "logarithmic", "squared"], "--idf": ["standard", "smooth", "probabilistic"]}
        family += choose(source, weights, 0.7) + (["--weight-units", "4"] if "oph" in scheme else [])
    return [*options, *scheme, *family]


def choose_dedup(source: random.Random) -> list[str]:
    choices = {
        "--threshold": ["0.3", "0.5", "1.0"],
        "--keep": ["longest", "max(year)"],
        "--cluster-mode": ["connected"],
        "--shingle": ["characters:9", "words:2"],
        "--num-hashes": ["16"],
        "--no-verify": [""],
        "--recall": ["1.0"],
    }
    return choose(source, choices)


def choose_reuse(source: random.Random) -> list[str]:
    choices = {
        "--threshold": ["0.4", "0.7"],
        "--min-pair-length": ["6", "12"],
        "--recall": ["1.0"],
        "--within": [""],
        "--texts": [""],
        "--tokenizer": ["characters", "characters:3"],
    }
    return [
        "--format",
        "jsonl",
        *choose(source, choices),
        *source.choice([[], ["--date", "year"], ["--series", "year"]]),
    ]


def choose_passages(source: random.Random) -> list[str]:
    choices = {
        "--threshold": ["0.5", "1.0"],
        "--min-length": ["6", "12"],
        "--keep": ["longest", "max(year)"],
        "--recall": ["1.0"],
        "--action": ["mask", "annotate"],
        "--boundary": ["lines"],
        "--tokenizer": ["characters", "characters:3"],
    }
    return choose(source, choices)


CHOICES = {"index": choose_index, "dedup": choose_dedup, "passages": choose_passages, "reuse": choose_reuse}

COMMANDS = {"passages": ("dedup", "--passages")}
"""The words of a command, where they are not its kind."""


class Refused(Exception):
    """A command ended with an error that it explained."""


def call(*words: str) -> None:
    """A command, in this process."""
    result = CliRunner().invoke(command, words)
    if result.exit_code:
        if not isinstance(result.exception, SystemExit):
            raise RuntimeError(f"ibidem {' '.join(words)}") from result.exception
        raise Refused(result.stderr.strip().splitlines()[-1])


class Interrupter:
    """Is told of progress, and interrupts the work at the instant chosen."""

    def __init__(self, calls: int) -> None:
        self._left = calls

    def __call__(self, phase: str, done: int, total: int | None) -> None:
        self._left -= 1
        if self._left == 0:
            raise KeyboardInterrupt


def run_interrupted(plan: Path, source: random.Random, turns: int) -> None:
    """Run a plan by one rank after the other, each of which but the last may be interrupted."""
    for turn in range(turns + 1):
        of = source.randint(1, 7)
        progress = Interrupter(source.randint(1, 12)) if turn < turns else None
        try:
            run_rank(str(plan), source.randrange(of), of, threads=source.randint(1, 2), progress=progress)
        except KeyboardInterrupt:
            continue
        return


def make_indexes(folder: Path, options: list[str], source: random.Random) -> list[str]:
    """Two indexes of some of the documents, for the plain command and for the plan, and the options that name one."""
    chosen = dict(pairwise(options))
    settings = {"shingle": chosen.get("--shingle", "words:5"), "threshold": 0.3}
    try:
        texts = [batch.texts[row] for batch in read([str(folder / "inputs")]) for row in range(len(batch.ids))]
    except CorpusError:
        return []
    documents = [(f"seen{row}", text) for row, text in enumerate(texts) if source.random() < 0.3]
    if source.random() < 0.8:
        for name in ("seen-plain", "seen-plan"):
            DocumentIndex.build(folder / name, documents, memory="64M", threads=1, **settings).close()
    return ["--against", str(folder / "seen-plain"), *source.choice([["--add"], [], ["--against-only"]])]


def run_case(folder: Path, number: int, kinds: Sequence[str]) -> Row:
    """One case; ``result`` says whether both made the same, were refused both, or what differs."""
    source = random.Random(number)
    kind = source.choice(kinds)
    words = COMMANDS.get(kind, (kind,))
    write_collection(folder / "inputs", source)
    options = [*CHOICES[kind](source), "--memory", source.choice(["64M", "1G"])]
    inputs, plan, made = str(folder / "inputs"), folder / "plan", folder / "made"
    if kind == "dedup" and source.random() < 0.5:
        options += make_indexes(folder, options, source)
    row: Row = {"case": number, "kind": kind, "options": " ".join(options)}
    refused = []
    try:
        call(*words, inputs, "-o", str(folder / "plain"), *options)
    except (IbidemError, Refused) as error:
        refused.append(f"plain: {error}")
    try:
        parts = source.choice([[], *(["--parts", str(parts)] for parts in (1, 2, 5, 9))])
        planned_options = [word.replace("seen-plain", "seen-plan") for word in options]
        call("plan", *words, inputs, "-o", str(made), "--plan", str(plan), *parts, *planned_options)
        run_interrupted(plan, source, TURNS * source.randint(0, 1))
    except (IbidemError, Refused) as error:
        refused.append(f"plan: {error}")
    if len(refused) == 1:
        return {**row, "result": refused[0].replace(str(folder), "")}
    plain, planned = digest(folder / "plain"), digest(made)
    if not refused:  # an index without a commit is cleared away by whoever begins to write to it
        plain |= digest(folder / "seen-plain")
        planned |= digest(folder / "seen-plan")
    different = sorted(name for name in plain.keys() | planned.keys() if plain.get(name) != planned.get(name))
    return {**row, "result": " ".join(["differ:", *different]) if different else "refused" if refused else "same"}


def run_cases(first: int, seconds: float, most: int | None, kinds: Sequence[str]) -> Iterator[Row]:
    until = time.monotonic() + seconds
    for number in count(first):
        if time.monotonic() > until or (most is not None and number == first + most):
            return
        with tempfile.TemporaryDirectory(prefix="ibidem-") as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield run_case(Path(folder), number, kinds)


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--seconds", type=float, default=600.0, help="after which no other case begins")
    report.parser.add_argument("--first", type=int, default=0, help="number of the first case")
    report.parser.add_argument("--kind", choices=list(CHOICES), help="what is planned; each in turn if not given")
    options = report.options()
    kinds = [options.kind] if options.kind else list(CHOICES)
    counts: Counter[tuple[Any, Any]] = Counter()
    for row in run_cases(options.first, options.seconds, 8 if options.quick else None, kinds):
        if row["result"] not in ("same", "refused"):
            print(*(f"{name}: {value}" for name, value in row.items()), sep="\n  ", flush=True)
            row["result"] = "differ"
        counts[row["kind"], row["result"]] += 1
    rows = [{"kind": kind, "result": result, "cases": cases} for (kind, result), cases in sorted(counts.items())]
    report.finish(rows)
    if any(result == "differ" for _, result in counts):
        raise SystemExit("some plans made other bytes than the plain command")


if __name__ == "__main__":
    main()
