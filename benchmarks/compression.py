"""What it takes to read and to write a compressed collection, by Python's gzip, by Arrow, and as ibidem does.

    python benchmarks/compression.py [--quick] [--csv FILE]

The lines of three collections, of which the first 40 MB count. Writing goes through what the outputs of commands go
through, in lines; Python's gzip writes all of them at once. Nanoseconds of the processor are those of one thread for a
byte of text, the best of three. ``size`` is that of the compressed bytes by those of the text.
"""

import gzip
import io
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
from collections_of_text import generated, rows_of
from report import Report, Row, timed

from ibidem.corpus.opening import open_stream
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.output_file import create_file

COLLECTIONS = ("novels-en", "classics-zh", "pan13-train-documents")
LONGEST = 40_000_000


def measure(name: str, lines: list[bytes], folder: Path) -> list[Row]:
    data = b"".join(lines)
    path = folder / f"{name}.gz"
    path.write_bytes(gzip.compress(data, 6))

    def count(run: Callable[[], object]) -> float:
        return round(timed(run, 3, time.thread_time).best / len(data) * 1e9, 1)

    def row(how: str, run: Callable[[], object], size: float | str = "") -> Row:
        return {"text": name, "how": how, "ns a byte": count(run), "size": size}

    def write(suffix: str, compression: str) -> Callable[[], Path]:
        def run() -> Path:
            target = folder / f"written{suffix}"
            target.unlink(missing_ok=True)
            with create_file(target, compression) as out:
                for line in lines:
                    out.write(line)
            return target

        return run

    def share(size: int) -> float:
        return round(size / len(data), 3)

    rows = [
        row(f"write gzip, Python's level {level}", lambda level=level: gzip.compress(data, level), share(size))
        for level in (1, 4, 6)
        for size in [len(gzip.compress(data, level))]
    ]
    for suffix, compression in ((".gz", "gzip"), (".zst", "zstd")):
        run = write(suffix, compression)
        rows.append(row(f"write {compression}, ibidem", run, share(run().stat().st_size)))
    return [
        *rows,
        row("read gzip, Python", lambda: read_all(gzip.open(path))),
        row("read gzip, Arrow", lambda: read_all(pa.CompressedInputStream(str(path), "gzip"))),
        row("read gzip, ibidem", lambda: read_by_ibidem(path)),
        row("read zstd, ibidem", lambda: read_by_ibidem(folder / "written.zst")),
    ]


def read_all(stream: io.BufferedIOBase | pa.NativeFile | gzip.GzipFile) -> None:
    with stream:
        while stream.read(1 << 20):
            pass


def read_by_ibidem(path: Path) -> None:
    with open_stream(Source(str(path), path.name)) as stream:
        while stream.read(1 << 20):
            pass


def take_lines(name: str) -> list[bytes]:
    lines, size = [], 0
    for row in rows_of(name):
        line = (json.dumps(row, ensure_ascii=False) + "\n").encode()
        size += len(line)
        if size > LONGEST:
            break
        lines.append(line)
    return lines


def main() -> None:
    report = Report(__doc__)
    quick = report.options().quick
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        if quick:
            rows += measure("generated", [f"{text}\n".encode() for _, text in generated(40, 400)], Path(folder))
        else:
            for name in COLLECTIONS:
                rows += measure(name, take_lines(name), Path(folder))
    report.finish(rows)


if __name__ == "__main__":
    main()
