"""Input that is broken, hostile or absurd: an error that names it, or an index that holds it; never a traceback."""

import gzip
import json
import random
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from damage import Trial, in_child
from outcomes import Outcomes
from works import LENGTHS, make_documents, make_text, workplace

from ibidem import Document, PassageIndex
from ibidem.corpus import read
from ibidem.errors import IbidemError
from ibidem.text import Documents, Texts, make_tokenizer

PIECES = (
    "word", "Ünïcödé", "\u0000", "\ud800", "\udfff\ud800", "這是", "\U0001f642", "\u200d", "\u0301" * 20, "\r\n",
    "\n\n", "\u2028", "a" * 300, "1" * 50, " " * 100, "\ufeff", "ﬁ", "İ", "ẞ", "\u202e", "-", "''", "\t", "\x7f",
)  # fmt: skip


SIGNS = (b"\x00", b'"', b"[" * 1000, b"{", b"9" * 5000, b"\xff\xfe", b"\\ud800")

BATCH = 1000
"""Documents of a trial."""


def run_documents(outcomes: Outcomes, *, numbers: range) -> None:
    """Texts of any code points go through tokenizers, an index and its searches."""
    tokenizers = [make_tokenizer(name) for name in ("words", "words:3", "characters:5")]

    def make() -> Iterator[Trial]:
        for first in numbers[::BATCH]:

            def trial(first: int = first) -> str | None:
                generator = random.Random(first)
                texts = [" ".join(generator.choices(PIECES, k=generator.randrange(12))) for _ in range(BATCH)]
                for each in tokenizers:
                    tokens = each.encode(Texts.from_strings(texts), offsets=True)
                    for row in range(0, len(texts), 97):
                        low, high = tokens.bounds[row : row + 2]
                        ends = tokens.ends[low:high]
                        if len(ends) and int(ends.max()) > len(texts[row]):
                            return f"a token ends behind its text: {texts[row]!r}"
                with workplace() as place:
                    documents = [Document(f"d{row}", text) for row, text in enumerate(texts)]
                    with PassageIndex.build(place / "index", documents, memory="64M", threads=1, **LENGTHS) as index:
                        for text in texts[::250]:
                            with suppress(ValueError):  # it has no token
                                index.search(text, threshold=0.9)
                        return (index.check() or [None])[0]

            yield "documents: fuzzed", f"from {first}", trial

    in_child(make(), outcomes, BATCH)


def run_files(outcomes: Outcomes, *, numbers: range) -> None:
    """Files of every format with bytes changed, cut, doubled or swapped."""
    with workplace() as place:
        sources = _write_sources(place)

        def make() -> Iterator[Trial]:
            for seed in numbers:

                def trial(seed: int = seed) -> str | None:
                    generator = random.Random(seed)
                    source = generator.choice(sources)
                    target = place / f"broken{''.join(source.suffixes)}"
                    target.write_bytes(_break(source.read_bytes(), generator))
                    try:
                        for batch in read(target):
                            if not isinstance(batch, Documents):
                                return "no batch of documents"
                    except IbidemError as error:
                        return None if "broken" in str(error) else f"the file is not named: {error}"
                    return None

                yield "files: broken", f"seed {seed}", trial

        in_child(make(), outcomes)


def _write_sources(place: Path) -> list[Path]:
    rows = make_documents(0, 8)
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    table = "id,text,n\n" + "".join(f'{row["id"]},"{row["text"]}",{row["n"]}\n' for row in rows)
    paths = [
        place / name
        for name in ("a.jsonl", "a.jsonl.gz", "a.csv", "a.tsv", "a.parquet", "plain.parquet", "a.jsonl.zst")
    ]
    paths[0].write_bytes(lines)
    paths[1].write_bytes(gzip.compress(lines))
    paths[2].write_text(table)
    paths[3].write_text(table.replace(",", "\t"))
    pq.write_table(pa.Table.from_pylist(rows), paths[4], compression="zstd")
    pq.write_table(pa.Table.from_pylist(rows), paths[5], compression="none")
    with pa.CompressedOutputStream(str(paths[6]), "zstd") as stream:
        stream.write(lines)
    return paths


def _break(data: bytes, generator: random.Random) -> bytes:
    broken = bytearray(data)
    for _ in range(generator.choice((1, 1, 2, 5))):
        place = generator.randrange(len(broken) + 1)
        match generator.randrange(6):
            case 0:
                broken[place : place + 1] = bytes([generator.randrange(256)])
            case 1:
                del broken[place:]
            case 2:
                del broken[place : place + generator.randrange(1, 40)]
            case 3:
                broken[place:place] = broken[: generator.randrange(1, 200)]
            case 4:
                broken[place:place] = generator.choice(SIGNS)
            case 5:
                broken[place : place + 8] = broken[place : place + 8][::-1]
        if not broken:
            broken = bytearray(b"\n")
    return bytes(broken)


def run_concurrent(outcomes: Outcomes, *, numbers: range, threads: int = 4) -> None:
    """Searches in several threads and another object, while documents are added, removed and merged."""
    with workplace() as place:
        path = place / "index"
        PassageIndex.build(path, make_documents(0, 3), memory="64M", threads=1, **LENGTHS).close()
        over = threading.Event()
        problems: list[str] = []
        searches = [0] * threads

        def search(number: int) -> None:
            while not over.is_set():
                try:
                    with PassageIndex.open(path) as index:
                        for _ in range(5):
                            found = {match.document for match in index.search(make_text(0), threshold=0.99)}
                            searches[number] += 1
                            if "d0" not in found:
                                problems.append("a document that always was there is not found")
                except Exception as error:
                    problems.append(f"{type(error).__name__}: {error}")

        running = [threading.Thread(target=search, args=(number,)) for number in range(threads)]
        for thread in running:
            thread.start()
        with PassageIndex.open(path) as index:
            for number in numbers:
                index.add(make_documents(100 + number, 1), memory="64M", threads=1)
                if number % 5 == 4:
                    index.remove([f"d{100 + number}"])
                if number % 20 == 19:
                    index.merge(memory="64M", threads=1)
            problems += index.check()
        over.set()
        for thread in running:
            thread.join()
        outcomes.note("concurrency: searches under commits", None, "all", sum(searches))
        for problem in problems:
            outcomes.note("concurrency: searches under commits", problem, "a thread", 0)


def run_poison(outcomes: Outcomes, *, size: int) -> None:
    """Documents that are made to cost: one word again and again, one very long word, brackets, no word at all."""
    texts = {
        "one word": "again " * size,
        "two words": "to and " * (size // 2),
        "one long word": "a" * size,
        "no word": " \n" * (size // 2),
        "signs": "\u0301" * size,
    }

    def make() -> Iterator[Trial]:
        for name, text in texts.items():

            def trial(text: str = text) -> str | None:
                with workplace() as place:
                    rows: list[Any] = [("poison", text), ("other", make_text(1))]
                    with PassageIndex.build(place / "index", rows, memory="64M", threads=1) as index:
                        return (index.check() or [None])[0]

            yield "documents: poison", name, trial

    in_child(make(), outcomes)
