"""Seconds of the processor that whole commands take, from compressed files to what they write, beside another checkout.

    python benchmarks/whole_jobs.py [--quick] [--csv FILE] [--before FOLDER] [--repeats N] [--only NAME...]
                                    [--threads N]

Each command is a process of its own, with everything that a user waits for: start, reading, decompressing, tokenizing,
the work itself, compressing and writing. Runs of this checkout and of the one that ``--before`` names take turns, and
the fastest of N runs counts. ``same`` says whether both wrote the same, compressed files as they are when decompressed.

- *tokenize*: the words of all novels, from ``.jsonl.gz``, by ``ibidem.text`` in a process of its own, with places.
- *index*: an exact index of all novels, from ``.jsonl.gz``.
- *dedup*: novels in pages of 2,000 words, four files ``.jsonl.gz``; every tenth page has a copy with one word in 40
  left out. *reuse N*: so many of the same words, in pages without copies, for the growth of the time.
- *pan*: ``reuse`` of the documents of PAN 2013.
- *alike*: ``reuse`` of 25 modules of Python's library in ten variants each: names changed, definitions moved,
  statements rewritten (``shares.py``).
- *templates*: ``reuse`` of 25 generated programs in ten variants each, which all have ten kinds of statements and
  twelve names (``crowded.py``), so that any two programs have similar windows.

``us a word`` is time by the words of the input, ``of pan`` that by the time of *pan*.
"""

import gzip
import hashlib
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import crowded
import shares
from collections_of_text import documents, rows_of
from compare_results import THIS_CHECKOUT, Checkout
from report import Report, Row

from ibidem.text import Texts, make_tokenizer

PAGE, FILES, COPIES, VARIANTS = 2_000, 4, 10, 10

QUICK = ("tokenize", "dedup", "alike")
"""The jobs of --quick."""

MORE_MODULES = ("ast", "tarfile", "pdb", "cmd", "turtle")

TOKENIZE = """
import sys
from ibidem.corpus import read
from ibidem.text import as_batches, make_tokenizer
tokenizer = make_tokenizer("words")
print(sum(len(tokenizer.encode(batch.texts, offsets=True).ids) for batch in as_batches(read(sys.argv[1:]))))
"""

Document = tuple[str, str]


class Job(NamedTuple):
    """A command, the files that it reads, their words, and the folder that it writes; tokenizing is no command."""

    name: str
    arguments: tuple[str, ...]
    words: int
    output: str = ""


def count_words(given: Iterable[Document]) -> int:
    tokenizer = make_tokenizer("words")
    return sum(len(tokenizer.encode(Texts.from_strings([text])).ids) for _, text in given)


def write_files(folder: Path, name: str, given: list[Document], files: int = 1) -> tuple[str, ...]:
    """Write documents in turn to so many compressed files, and return their paths."""
    paths = []
    for number in range(files):
        path = folder / f"{name}-{number}.jsonl.gz"
        with gzip.open(path, "wt", encoding="utf-8", compresslevel=6) as file:
            for key, text in given[number::files]:
                file.write(json.dumps({"id": key, "text": text}, ensure_ascii=False) + "\n")
        paths.append(str(path))
    return tuple(paths)


def cut_pages(given: Iterable[Document], words: int | None = None) -> Iterator[Document]:
    """Pages of documents, of so many ``words`` in all."""
    taken = 0
    for name, text in given:
        found = text.split(" ")
        for first in range(0, len(found), PAGE):
            if words is not None and taken >= words:
                return
            taken += PAGE
            yield f"{name}:{first}", " ".join(found[first : first + PAGE])


def with_copies(pages: Iterable[Document]) -> Iterator[Document]:
    for number, (name, text) in enumerate(pages):
        yield name, text
        if number % COPIES == 0:
            yield f"{name}, again", " ".join(word for place, word in enumerate(text.split(" ")) if place % 40)


def variants_of_modules(quick: bool) -> list[Document]:
    length = 1_000 if quick else 24_000
    drawn, names = random.Random(shares.SEED), (shares.MODULES + MORE_MODULES)[: 2 if quick else None]
    return [
        (f"{name} {at}", shares.variant(shares.program(name, length), drawn))
        for name in names
        for at in range(VARIANTS)
    ]


def variants_of_templates(quick: bool) -> list[Document]:
    source = crowded.Source([re.findall(r"\S+", text) for _, text in documents(quick)], 1)
    licence = " ".join(source.take(60))
    programs = [crowded._program(source.drawn) for _ in range(2 if quick else 25)]
    return [
        (f"{number:02}-{nth}", f"# {licence}\n" + crowded._variant(program, source.drawn))
        for number, program in enumerate(programs)
        for nth in range(VARIANTS)
    ]


def pan_documents(quick: bool) -> list[Document]:
    if quick:
        return documents(True)
    return [(row["id"], row["text"]) for row in rows_of("pan13-train-documents")]


def jobs(folder: Path, quick: bool, wanted: Callable[[str], bool]) -> Iterator[Job]:
    """The jobs that are ``wanted``, whose inputs are written to ``folder``."""
    novels = documents(quick)
    if wanted("tokenize") or wanted("index"):
        files, words = write_files(folder, "novels", novels), count_words(novels)
        if wanted("tokenize"):
            yield Job("tokenize", files, words)
        if wanted("index"):
            yield Job("index", ("index", *files, "-o", "index"), words, "index")
    if wanted("dedup"):
        pages = list(with_copies(cut_pages(novels)))
        files = write_files(folder, "pages", pages, FILES)
        yield Job("dedup", ("dedup", *files, "-o", "unique"), count_words(pages), "unique")
    collections: dict[str, Callable[[bool], list[Document]]] = {
        "pan": pan_documents,
        "alike": variants_of_modules,
        "templates": variants_of_templates,
    }
    for size in (1_000_000, 4_000_000, 13_000_000):
        collections[f"reuse {size // 1_000_000}M"] = lambda _, size=size: list(cut_pages(novels, size))
    for name, make in collections.items():
        if wanted(name):
            given = make(quick)
            files = write_files(folder, name.replace(" ", "-"), given)
            yield Job(name, ("reuse", *files, "-o", "found"), count_words(given), "found")


def digest(folder: Path) -> dict[str, str]:
    """A hash of each file below a folder, decompressed; without locks, and what says when or how long it was made."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.endswith((".lock", "summary.json", "manifest.json", "segment.json")):
            content = path.read_bytes()
            content = gzip.decompress(content) if path.suffix == ".gz" else content
            found[str(path.relative_to(folder))] = hashlib.sha256(content).hexdigest()
    return found


def run(checkout: Checkout, folder: Path, job: Job, threads: int) -> float:
    if job.output:
        for path in sorted((folder / job.output).rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        if (folder / job.output).exists():
            (folder / job.output).rmdir()
        return checkout.run((*job.arguments, "--threads", str(threads)), folder / "printed.txt")
    return checkout.run_python(("-c", TOKENIZE, *job.arguments), folder / "printed.txt")


def measure(job: Job, checkouts: dict[str, tuple[Checkout, Path]], repeats: int, threads: int) -> Row:
    seconds: dict[str, list[float]] = {name: [] for name in checkouts}
    for _ in range(repeats):
        for name, (checkout, folder) in checkouts.items():
            seconds[name].append(run(checkout, folder, job, threads))
    best = {name: min(each) for name, each in seconds.items()}
    digests = [digest(folder / job.output) for _, folder in checkouts.values()] if job.output else []
    before = best.get("before")
    return {
        "job": job.name,
        "words": job.words,
        "threads": threads,
        "before cpu s": "" if before is None else f"{before:.2f}",
        "cpu s": f"{best['after']:.2f}",
        "times faster": "" if before is None else f"{before / best['after']:.2f}",
        "M words/cpu s": f"{job.words / best['after'] / 1e6:.2f}",
        "us a word": f"{best['after'] / job.words * 1e6:.3f}",
        "same": "" if before is None or not digests else digests[0] == digests[1],
    }


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--before", type=Path, metavar="FOLDER", help="another checkout")
    report.parser.add_argument("--repeats", type=int, default=3, metavar="N", help="runs of each command (3)")
    report.parser.add_argument("--only", nargs="+", metavar="NAME", help="these jobs alone")
    report.parser.add_argument("--threads", type=int, default=1, metavar="N", help="of each command (1)")
    options = report.options()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="ibidem-benchmark-") as temporary:
        roots = {"before": options.before, "after": THIS_CHECKOUT}
        checkouts = {}
        for name, root in roots.items():
            if root is not None:
                (folder := Path(temporary) / name).mkdir()
                checkouts[name] = (Checkout(root.resolve(), folder, compile_ahead=not options.quick), folder)
        only = options.only or (QUICK if options.quick else None)
        wanted = (lambda name: name in only) if only else (lambda name: True)
        for job in jobs(Path(temporary), options.quick, wanted):
            rows.append(measure(job, checkouts, 1 if options.quick else options.repeats, options.threads))
            print(*rows[-1].values(), sep="  ", flush=True, file=sys.stderr)
    by_name = {str(row["job"]): float(str(row["us a word"])) for row in rows}
    for row in rows:
        row["of pan"] = f"{float(str(row['us a word'])) / by_name['pan']:.2f}" if "pan" in by_name else ""
    report.finish(rows)


if __name__ == "__main__":
    main()
